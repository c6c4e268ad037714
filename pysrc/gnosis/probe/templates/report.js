"use strict";
(() => {
  // The theme: what the system says, until the button is pressed.
  const root = document.documentElement, button = document.getElementById("theme");
  const dark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const name = () => { button.textContent = dark() ? "Light" : "Dark"; button.setAttribute("aria-label", "Show in " + (dark() ? "light" : "dark") + " colours"); };
  button.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; name(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", name);
  button.hidden = false;
  name();

  // Sorting: by the figure in full, cells without one last; equal rows keep their order.
  const key = cell => cell.dataset.value ?? (cell.textContent.trim() === "–" ? "" : cell.textContent.trim());
  const sort = (table, column, down) => {
    const body = table.tBodies[0];
    const rows = [...body.rows].map(row => [key(row.cells[column]), row]);
    const numeric = rows.every(([k]) => k === "" || !isNaN(parseFloat(k)));
    rows.sort(([a], [b]) => a === "" || b === "" ? (a === "") - (b === "")
      : (down ? -1 : 1) * (numeric ? parseFloat(a) - parseFloat(b) : a.localeCompare(b, "en", {numeric: true})));
    body.append(...rows.map(([, row]) => row));
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
    heads.forEach((head, column) => {
      const press = document.createElement("button");
      press.type = "button";
      press.append(...head.childNodes);
      head.append(press);
      press.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach(other => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        sort(table, column, down);
      });
    });
  }
  document.querySelectorAll(".script").forEach(part => { part.hidden = false; });
})();
