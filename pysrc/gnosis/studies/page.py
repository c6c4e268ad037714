"""docs/studies.md: the demonstrations as a page, with plots; every figure is from the run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..files import pages
from ..numbers.bounds import shown_up
from . import basin, layers, speculators

ESTIMATES = ("jackknife", "jackknife_within", "committee", "committee_within")

BASIN = """The gate needs the exact path's distance R and its Lipschitz factors, so the exact path is known beforehand: this shows what
the theorem promises, not a saving."""

RACE = """`gnosis speculators`: each drafter guesses a tile, a vector of one head at one token, from coarse codes.  The energy gate
(`Gnosis.energy_sidecar_sound`) says which guesses may stand; the others are computed exactly.

- cubic: the middle of the cell; e8: the point of E8, with as many points.
- head: a linear map of the cells of the token and of both neighbours, fitted on the training tiles; a neighbour that was refused before is known exactly.
- centroid: the mean of what fell into the cell of a coordinate among the training tiles.

Steps and errors are over the RMS of the training tiles.  The effective error counts recomputed tiles as exact: a small one with
few admitted tiles is a drafter that recomputes, not one that guesses well.  The gate needs the energy of each residual: whoever codes
the tiles knows the truth and can write it beside the codes; without it, see the next section."""

ESTIMATED = """Two estimates see the cells alone.  jackknife: how far the head's guess moves without a neighbour.  committee: how far
cubic, head and centroid lie apart.  The figures are correlations with the true residual of the cubic code on held-out tiles, over all
tiles and, averaged, inside sequences.  No certificate can rest on them: a correlation bounds no residual."""

TRANSFER = """A threshold for the norm of the residual, from calibration tiles.  Conformal: `Gnosis.conformal_admitted_failure_rate`, exact.
Gaussian: mean + z · deviation.

- mixed: held-out tiles in two random halves, exchangeable by that.
- apart: from the training tiles to the held-out ones.  With other heads and another text nothing makes them exchangeable, and the rate is what it is.

Intervals are Clopper–Pearson, 95 %; they take tiles as independent, which those of one sequence are not."""

LAYERS = """`gnosis layers MODEL`: for each matrix the largest error over all rows, coarse output minus exact output, at one random
position of each passage; a conformal threshold Q from a random half of the passages; admitted when 2·Q ≤ γ.  One position of each
passage, because neighbouring positions are not exchangeable.  It speaks about a random position of a random passage of this text.

γ = multiplier × the RMS of the matrix's exact outputs (synthetic: the multiplier itself).  It is set by us; no decision of the model
gives it.  Lies are held-out positions beyond γ/2 of an admitted matrix.  The certified rate is that of one matrix
(`Gnosis.conformal_admitted_failure_rate_any_margin`); that of all is the sum over all matrices, refused ones too
(`Gnosis.conformal_layers_union`), beside what was counted in the last column.  All these are rates of one random position.  They bound no
decode: along a request of T steps such rates only add up to T times one of them (N = 199 passages and α = .005 give .005 + 1/200 = .01
a step, which at 100 steps is 1.0).  A bound of a request takes the request as its unit (`Gnosis.total_risk_over_random_history`)."""


def _number(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)


def _table(head: list[str], rows: list[list[str]]) -> list[str]:
    return ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1), *("| " + " | ".join(row) + " |" for row in rows), ""]


def _basin(d: dict[str, Any], plot: str) -> list[str]:
    rows = [[r["run"], f"{r['flips']} of {d['paths']}", f"{r['coarse']:.1%}", f"{1 - r['coarse']:.1%}", str(r["beyond"])] for r in d["rows"]]
    cited = [(run, *theorem.partition(",")) for run, theorem in d["theorems"].items()]
    return [
        "## A double well",
        "",
        f"`gnosis basin`: {d['paths']} paths of {d['steps']} steps, x ← x + h·(x − x³ + push), coarse velocities rounded to multiples of {d['code']:g}.",
        "R of a path is the least distance of its exact version to the separatrix at 0.",
        "",
        f"![paths]({plot})",
        "",
        *_table(["run", "wrong well", "steps coarse", "recomputed", "beyond R"], rows),
        *(f"- {run}: `{theorem}`{comma}{rest}." for run, theorem, comma, rest in cited),
        "",
        BASIN,
        "",
    ]


def _race(name: str, found: dict[str, Any], strided: list[dict[str, Any]]) -> list[str]:
    about, tiles = found["about"], found["tiles"]
    lines = [f"### {name}", "", f"{about['of'][0].upper()}{about['of'][1:]}.  {tiles['train']} tiles to fit on, {tiles['held']} held out."]
    if "heads" in about:
        lines += [
            f"{about['heads']['train']} heads, drawn at random, reading {about['passages']} passages of {about['passage']} tokens are to fit on; the other "
            f"{about['heads']['held']} heads are held out, reading as many passages of other documents.",
            f"{about['passages_passed_over']} passages were passed over because they share a run of words with one to fit on.  "
            f"Text: {about['documents']} documents, SHA-256 {about['text_sha256'][:16]}….",
        ]
    other = {r["step"]: r for r in strided}
    rows = []
    for r in found["race"]:
        head = r["drafter"] == "head"
        rows.append(
            [
                f"{r['step']:g} {r['drafter']}",
                f"{r['accept']:.1%}",
                _number(r["shipped_rmse"], ".4f"),
                f"{r['rmse']:.4f}",
                f"{r['effective_rmse']:.4f}",
                ", ".join(f"{b:.3f}" for b in r["beta"][:3]) if head else "",
                f"{other[r['step']]['accept']:.1%}" if head and r["step"] in other else "",
            ]
        )
    lines += [
        "",
        *_table(["step, drafter", "admitted", "shipped RMSE", "RMSE of the guesses", "effective RMSE", "head: own, left, right", "in steps of 11"], rows),
    ]
    for step in dict.fromkeys(r["step"] for r in found["race"]):
        here = [r for r in found["race"] if r["step"] == step]
        most, nearest, effective = max(here, key=lambda r: r["accept"]), min(here, key=lambda r: r["rmse"]), min(here, key=lambda r: r["effective_rmse"])
        lines.append(
            f"- step {step:g}: {most['drafter']} is admitted most often, {most['accept']:.1%}; the guesses of {nearest['drafter']} are nearest, {nearest['rmse']:.4f}; "
            f"the least effective error has {effective['drafter']}, which recomputes {1 - effective['accept']:.1%}."
        )
    return [*lines, ""]


def _signs(name: str, rows: list[dict[str, Any]]) -> list[str]:
    """The range and the signs of each correlation."""
    lines = []
    for key in ESTIMATES:
        found = [e[key] for e in rows if e[key] is not None]
        label = key.replace("_within", ", within sequences")
        if found:
            lines.append(f"- {name}, {label}: {min(found):+.3f} to {max(found):+.3f}, negative at {sum(x < 0 for x in found)} of {len(found)} steps.")
    return lines


def _transfer(title: str, rows: list[dict[str, Any]]) -> list[str]:
    def rate(r: dict[str, Any] | None) -> str:
        return "–" if r is None else f"{r['share']:.2%} ({r['low']:.2%}–{r['high']:.2%})"

    last = rows[-1]
    factor = last["gaussian_factor"]
    covers = f"under-covers by a factor of {factor:.2f}" if factor > 1 else f"over-covers: {factor:.2f} of the rate wanted"
    if last["gaussian"]["low"] <= last["target"] <= last["gaussian"]["high"]:
        covers = "cannot be told from the rate wanted"
    made = _table(
        ["level", "wanted", "conformal", "over wanted", "Gaussian", "over wanted"],
        [
            [r["level"], f"{r['target']:.0%}", rate(r["conformal"]), _number(r["conformal_factor"], ".2f"), rate(r["gaussian"]), f"{r['gaussian_factor']:.2f}"]
            for r in rows
        ],
    )
    return [f"### {title}", "", *made, f"At level {last['level']} the Gaussian threshold {covers}.", ""]


def _speculators(d: dict[str, Any], strided: dict[str, Any], plot: str) -> list[str]:
    lines = [
        "## A race of four drafters",
        "",
        RACE,
        "",
        f"γ = {d['multiplier']:g} × the cubic RMS residual of the training tiles at that step.",
        "",
        f"![the race]({plot})",
        "",
    ]
    for name, found in d["sets"].items():
        lines += _race(name, found, strided[name])
    lines += ["## The residual without the truth", "", ESTIMATED, ""]
    for name, found in d["sets"].items():
        rows = [[f"{e['step']:g}", *(_number(e[key], "+.3f") for key in ESTIMATES)] for e in found["estimators"]]
        lines += [f"### {name}", "", *_table(["step", "jackknife", "within sequences", "committee", "within sequences"], rows)]
    lines += ["It has been reported that both anti-correlate with the residual, −0.27 and −0.22 on synthetic AR(1) tiles.  Here:", ""]
    for name, found in d["sets"].items():
        lines += _signs(name, found["estimators"])
    lines += ["", "## What transfers", "", TRANSFER, "", *_transfer("Lognormal scores, σ = 0.8", d["heavy_tails"])]
    for name, found in d["sets"].items():
        for kind in ("mixed", "apart"):
            lines += _transfer(f"{name}, {kind}", found["transfer"][kind])
    return lines


def _refused(d: dict[str, Any]) -> list[str]:
    code = (
        ""
        if d["code"] is None
        else f" ({d['code']['lattice']}, {d['code']['bits_per_weight']:g} bits a weight; {d['about']['passages']} passages of {layers.LENGTH} tokens)"
    )
    lines = [f"**{d['model']}**{code}, refused:", ""]
    for r in d["rows"]:
        if not r["admitted"]:
            ends = f", {r['above_half_at_ends']} of them first or last of their passage" if "above_half_at_ends" in r else ""
            lines.append(
                f"- `{r['name']}`: least multiplier {_number(r['least_multiplier'], '.3f')}; {r['above_half']} of {r['lies']['of']} held-out positions beyond γ/2{ends}"
            )
    return [*lines, *([] if d["summary"]["refused"] else ["- none"]), ""]


def _layers(documents: list[dict[str, Any]], plot: str) -> list[str]:
    rows = []
    for d in documents:
        s = d["summary"]
        worst = max((r["lies"] for r in d["rows"] if r["admitted"]), key=lambda x: x["count"], default=None)
        rows.append(
            [
                d["model"],
                d["q"],
                f"{d['gamma_multiplier']:g}",
                f"{s['admitted']} of {s['matrices']}",
                f"{s['compute_admitted']:.1%}",
                _number(s["compute_admitted_in_layers"], ".1%"),
                shown_up(s["rate"], 4, percent=True),
                shown_up(s["rate_of_all"], 4, percent=True),
                "–" if worst is None else f"{worst['count']} of {worst['of']} ({worst['low']:.2%}–{worst['high']:.2%})",
                f"{s['any_lie']['count']} of {s['any_lie']['of']}",
            ]
        )
    head = [
        "model",
        "q",
        "multiplier",
        "admitted",
        "compute",
        "inside layers",
        "certified rate",
        "of all matrices",
        "most lies of a matrix (95 %)",
        "some admitted matrix wrong",
    ]
    lines = ["## Layers of a whole transformer", "", LAYERS, "", f"![least multipliers]({plot})", "", *_table(head, rows)]
    for d in documents:
        lines += _refused(d)
        if d["model"] == "synthetic":
            s = d["summary"]
            lines += [
                f"The made-up transformer has {layers.LAYERS} layers; `ffn_down` and the embedding were given outliers.  That {s['compute_admitted_in_layers']:.1%} of the compute inside "
                "the layers is admitted, the same as the 66.7 % that has been reported of such a set, follows from the shapes: `ffn_down` is 4 of 12 parts.  "
                f"With the embedding counted as a product it is {s['compute_admitted']:.1%}.  Neither says anything about real models.",
                "",
            ]
    return lines


def markdown(found: dict[str, Any], stem: str) -> str:
    """The page of what `gnosis studies` found; stem: of the plots' names."""
    lines = [
        "# Studies",
        "",
        f"Written by `gnosis studies --write docs/{stem}.md`; every number is from that run, seed {found['speculators']['seed']}.",
        "",
        *_basin(found["basin"], f"{stem}-basin.svg"),
        *_speculators(found["speculators"], found["strided"], f"{stem}-speculators.svg"),
        *_layers(found["layers"], f"{stem}-layers.svg"),
    ]
    return "\n".join(lines).rstrip() + "\n"


def parts(page: Path) -> list[Path]:
    """What `write` writes beside a page: three plots and the numbers."""
    return [*(page.with_name(f"{page.stem}-{part}.svg") for part in ("basin", "speculators", "layers")), page.with_suffix(".json")]


def write(found: dict[str, Any], page: Path) -> list[Path]:
    """The page, and next to it three plots and the numbers.  Returns what was written.  OSError; ImportError without matplotlib."""
    *plots, _ = parts(page)
    drawn = (
        lambda path: basin.draw(found["basin"], path),
        lambda path: speculators.draw(found["speculators"], path),
        lambda path: layers.draw(found["layers"], path),
    )
    kept = {**found, "basin": {k: v for k, v in found["basin"].items() if k != "shown"}}
    numbers = json.dumps(kept, ensure_ascii=False, allow_nan=False, separators=(",", ":")).replace(',{"', ',\n{"') + "\n"
    return pages.write(page, markdown(found, page.stem), numbers, dict(zip(plots, drawn)))
