"""docs/studies.md: the demonstrations as a page, with plots; every figure is from the run."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from . import basin, layers, speculators


def _number(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)


def _table(head: list[str], rows: list[list[str]]) -> list[str]:
    return ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1), *("| " + " | ".join(row) + " |" for row in rows), ""]


def _basin(d: dict[str, Any], plot: str) -> list[str]:
    rows = [[r["run"], f"{r['flips']} of {d['paths']}", f"{r['coarse']:.1%}", f"{1 - r['coarse']:.1%}", str(r["beyond"])] for r in d["rows"]]
    return ["## A double well", "", f"`gnosis basin`: {d['paths']} paths of {d['steps']} steps, x ← x + h·(x − x³ + push), coarse velocities rounded to multiples of {d['code']:g}.",
            "R of a path is the least distance of its exact version to the separatrix at 0.", "", f"![paths]({plot})", "",
            *_table(["run", "wrong well", "steps coarse", "recomputed", "beyond R"], rows),
            *(f"- {run}: `{theorem.split(',')[0]}`{theorem[len(theorem.split(',')[0]):]}." for run, theorem in d["theorems"].items()),
            "- The gate needs the exact path's distance R and its Lipschitz factors, so here the exact path is known beforehand: this shows what the theorem promises, not a saving.", ""]


def _race(name: str, found: dict[str, Any], strided: list[dict[str, Any]]) -> list[str]:
    rows = []
    for r in found["race"]:
        other = next((s for s in strided if s["step"] == r["step"]), None) if r["drafter"] == "head" else None
        rows.append([f"{r['step']:g} {r['drafter']}", f"{r['accept']:.1%}", _number(r["shipped_rmse"], ".4f"), f"{r['rmse']:.4f}", f"{r['effective_rmse']:.4f}",
                     "" if r["beta"] is None else ", ".join(f"{b:.3f}" for b in r["beta"][:3]), "" if other is None else f"{other['accept']:.1%}"])
    about = found["about"]
    lines = [f"### {name}", "", f"{about['of'][0].upper()}{about['of'][1:]}. {found['tiles']['train']} tiles to fit on, {found['tiles']['held']} held out."]
    if "heads" in about:
        lines.append(f"{about['heads']['train']} heads reading {about['passages']} passages to fit on; the other {about['heads']['held']} heads reading as many passages of other documents held out. "
                     f"{about['passages_passed_over']} passages were passed over because they quote one to fit on. Text: {about['documents']} documents, SHA-256 {about['text_sha256'][:16]}….")
    lines += ["", *_table(["step, drafter", "admitted", "shipped RMSE", "RMSE of the guesses", "effective RMSE", "head: own, left, right", "steps of 11: admitted"], rows)]
    for step in sorted({r["step"] for r in found["race"]}):
        here = [r for r in found["race"] if r["step"] == step]
        most, least = max(here, key=lambda r: r["accept"]), min(here, key=lambda r: r["rmse"])
        cheat = min(here, key=lambda r: r["effective_rmse"])
        lines.append(f"- step {step:g}: {most['drafter']} is admitted most often ({most['accept']:.1%}); the guesses of {least['drafter']} are nearest ({least['rmse']:.4f}); "
                     f"the least effective error, {cheat['effective_rmse']:.4f}, has {cheat['drafter']}, which recomputes {1 - cheat['accept']:.1%}.")
    return [*lines, ""]


def _signs(d: dict[str, Any]) -> list[str]:
    """What the correlations of the estimates say, counted."""
    lines = []
    for name, found in d["sets"].items():
        for of in ("jackknife", "committee"):
            over = [e[of] for e in found["estimators"] if e[of] is not None]
            inside = [e[of + "_within"] for e in found["estimators"] if e[of + "_within"] is not None]
            lines.append(f"- {name}, {of}: over all tiles {min(over):+.3f} to {max(over):+.3f}, within sequences {min(inside):+.3f} to {max(inside):+.3f}; negative in {sum(x < 0 for x in over)} of {len(over)} and "
                         f"{sum(x < 0 for x in inside)} of {len(inside)}.")
    return lines


def _transfer(rows: list[dict[str, Any]]) -> list[str]:
    def rate(r: dict[str, Any] | None) -> str:
        return "–" if r is None else f"{r['share']:.2%} ({r['low']:.2%}–{r['high']:.2%})"
    return _table(["level", "wanted", "conformal", "over wanted", "Gaussian", "over wanted"],
                  [[r["level"], f"{r['target']:.0%}", rate(r["conformal"]), _number(r["conformal_factor"], ".2f"), rate(r["gaussian"]), f"{r['gaussian_factor']:.2f}"] for r in rows])


def _covers(factor: float) -> str:
    return f"under-covers by a factor of {factor:.2f}" if factor > 1 else f"over-covers: {factor:.2f} of the rate wanted"


def _speculators(d: dict[str, Any], strided: dict[str, Any], plot: str) -> list[str]:
    lines = ["## A race of four drafters", "",
             "`gnosis speculators`: each drafter guesses a tile, a vector of one head at one token, from coarse codes; the energy gate (`Gnosis.energy_sidecar_sound`) says which guesses may stand, the others are computed exactly.",
             f"γ = {d['multiplier']:g} × the cubic RMS residual of the training tiles of that step. Steps and errors are over the RMS of the training tiles.",
             "The effective error counts recomputed tiles as exact: a small one with few admitted tiles is a drafter that recomputes, not one that guesses well.",
             "The gate needs the energy of each residual. Whoever codes the tiles knows the truth and can write it beside the codes; without it see the next section.", "",
             f"![the race]({plot})", ""]
    for name, found in d["sets"].items():
        lines += _race(name, found, strided[name])
    lines += ["## The residual without the truth", "",
              "Two estimates see the cells alone. jackknife: how far the head's guess moves without a neighbour. committee: how far cubic, head and centroid lie apart.",
              "The figures are correlations with the true residual of the cubic code on held-out tiles, over all tiles and, averaged, inside sequences.",
              "A certificate cannot rest on any of them: a correlation bounds no residual.", ""]
    for name, found in d["sets"].items():
        lines += [f"### {name}", "", *_table(["step", "jackknife", "within sequences", "committee", "within sequences"],
                                            [[f"{e['step']:g}", *(_number(e[k], "+.3f") for k in ("jackknife", "jackknife_within", "committee", "committee_within"))] for e in found["estimators"]])]
    lines += ["It has been reported that both anti-correlate with the residual (−0.27 and −0.22 on synthetic AR(1) tiles). Here:", "", *_signs(d), "",
              "## What transfers", "",
              "A threshold for the norm of the residual, from calibration tiles. Conformal: `Gnosis.conformal_admitted_failure_rate`, exact. Gaussian: mean + z · deviation.",
              "mixed: held-out tiles in two random halves, exchangeable by that. apart: from the training tiles to the held-out ones; with other heads and another text nothing makes them exchangeable, and the rate is whatever it is.",
              "Intervals are Clopper–Pearson, 95 %; they take tiles as independent, which those of one sequence are not.", "",
              "### Lognormal scores, σ = 0.8", "", *_transfer(d["heavy_tails"]), f"At level {d['heavy_tails'][-1]['level']} the Gaussian threshold {_covers(d['heavy_tails'][-1]['gaussian_factor'])}.", ""]
    for name, found in d["sets"].items():
        for kind in ("mixed", "apart"):
            last = found["transfer"][kind][-1]
            lines += [f"### {name}, {kind}", "", *_transfer(found["transfer"][kind]), f"At level {last['level']} the Gaussian threshold {_covers(last['gaussian_factor'])}.", ""]
    return lines


def _layers(documents: list[dict[str, Any]], plot: str) -> list[str]:
    lines = ["## Layers of a whole transformer", "",
             "`gnosis layers MODEL`: for each matrix the largest error over all rows, coarse output minus exact output, at one random position of each passage; a conformal threshold Q from half of the passages; "
             "admitted when 2·Q ≤ γ. What it says and for which positions: `gnosis.studies.layers`.",
             "γ = multiplier × the RMS of the matrix's exact outputs (synthetic: the multiplier itself). It is set by us; no decision of the model gives it.",
             "Lies are held-out positions beyond γ/2 of an admitted matrix. The theorem speaks about one matrix at a time; that some admitted matrix is wrong somewhere is more likely.", "",
             f"![least multipliers]({plot})", ""]
    rows = []
    for d in documents:
        s = d["summary"]
        worst = max((r["lies"] for r in d["rows"] if r["admitted"]), key=lambda x: x["count"], default=None)
        rows.append([d["model"], d["q"], f"{d['gamma_multiplier']:g}", f"{s['admitted']} of {s['matrices']}", f"{s['compute_admitted']:.1%}", _number(s["compute_admitted_in_layers"], ".1%"), f"{s['rate']:.2%}",
                     "–" if worst is None else f"{worst['count']} of {worst['of']} ({worst['low']:.2%}–{worst['high']:.2%})", f"{s['any_lie']['count']} of {s['any_lie']['of']}"])
    lines += _table(["model", "q", "multiplier", "admitted", "compute", "inside layers", "certified rate", "most lies of a matrix (95 %)", "some admitted matrix wrong"], rows)
    for d in documents:
        refused = [r for r in d["rows"] if not r["admitted"]]
        code = "" if d["code"] is None else f" ({d['code']['lattice']}, {d['code']['bits_per_weight']:g} bits a weight; {d['about']['passages']} passages of {layers.LENGTH} tokens)"
        lines += [f"**{d['model']}**{code}, refused:", "", *(f"- `{r['name']}`: least multiplier {_number(r['least_multiplier'], '.3f')}, {r['above_half']} of {r['lies']['of']} held-out positions beyond γ/2"
                  + (f", {r['above_half_at_ends']} of them first or last of their passage" if "above_half_at_ends" in r else "") for r in refused), *(["- none"] if not refused else []), ""]
    made_up = next((d for d in documents if d["model"] == "synthetic"), None)
    if made_up is not None:
        share = made_up["summary"]["compute_admitted_in_layers"]
        lines += [f"The made-up transformer has {layers.LAYERS} layers; `ffn_down` and the embedding have outliers and are refused. The admitted share inside the layers, {share:.1%}, follows from the shapes "
                  "(8 of 12 parts), as the 66.7 % reported elsewhere may; with the embedding counted as a product it is "
                  f"{made_up['summary']['compute_admitted']:.1%}. It says nothing about real models.", ""]
    return lines


def markdown(found: dict[str, Any], stem: str) -> str:
    """The page of what `gnosis studies` found; stem: of the plots' names."""
    lines = ["# Studies", "", f"Written by `gnosis studies --write docs/{stem}.md`; every number is from that run, seed {found['speculators']['seed']}.", "",
             *_basin(found["basin"], f"{stem}-basin.svg"), *_speculators(found["speculators"], found["strided"], f"{stem}-speculators.svg"), *_layers(found["layers"], f"{stem}-layers.svg")]
    return "\n".join(lines).rstrip() + "\n"


def write(found: dict[str, Any], page: Path) -> list[Path]:
    """The page, and next to it three plots and the numbers.  Returns what was written.  OSError; ImportError without matplotlib."""
    plots = [page.with_name(f"{page.stem}-{part}.svg") for part in ("basin", "speculators", "layers")]
    basin.draw(found["basin"], plots[0])
    speculators.draw(found["speculators"], plots[1])
    layers.draw(found["layers"], plots[2])
    kept = {**found, "basin": {k: v for k, v in found["basin"].items() if k != "shown"}}
    numbers = page.with_suffix(".json")
    numbers.write_text(json.dumps(kept, ensure_ascii=False, allow_nan=False, separators=(",", ":")).replace('{"', '\n{"') + "\n", encoding="utf-8")
    page.write_text(markdown(found, page.stem), encoding="utf-8")
    return [page, *plots, numbers]
