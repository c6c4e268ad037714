"""`gnosis probe MODEL`: what the energy gate and the lattices say about a model's weights."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from ..files.screen import WIDTH, progress, screen
from .errors import fail
from .outputs import check_outputs

if TYPE_CHECKING:
    from ..probe.report import Report
    from ..probe.shipped import Shipped

# Exit codes beside those of errors.py, also in the command's help and in docs/probe.md.
REJECTED = 1  # only with --check
ABORTED = 3  # the sanity gate


class Format(StrEnum):
    text = "text"
    json = "json"


class PageFormat(StrEnum):
    text = "text"
    json = "json"
    html = "html"


def settings_of(profile: str, **changes: Any) -> Any:
    """Settings from a profile and what the command line changes; typer.Exit with one line for what cannot be used."""
    from pydantic import ValidationError

    from ..errors import ArgumentError
    from ..probe.profiles import ProfileError, load
    from ..probe.settings import Settings

    try:
        return Settings(**load(profile) | {name: value for name, value in changes.items() if value is not None})
    except ProfileError as error:
        raise fail(f"error: --profile {error}") from None
    except ValidationError as error:
        raise fail("error: " + "; ".join(f"{'.'.join(map(str, e['loc'][:2]))} = {e['input']!r}: {e['msg']}" for e in error.errors())) from None
    except ArgumentError as error:
        raise fail(f"error: {error}") from None


def run_probe(
    model: str,
    settings: Any,
    outputs: dict[str, Path | None],
    *,
    memory: int,
    workers: int | None,
    text: str | None,
    activations: bool | None,
    dask: str | None,
    quiet: bool,
    first_only: bool = False,
    tokens: Path | None = None,
) -> Report:
    """Probe, with progress; typer.Exit with one line for what cannot be used and for what the sanity gate stops.

    outputs: option → path of what is written afterwards; none of them may be a file of the model.  first_only: refuse a model that is quantized already.
    """
    from ..errors import ArgumentError
    from ..files.remote import place
    from ..models.files import ModelError, open_model
    from ..probe import run
    from ..probe.sanity import SanityError

    try:
        opened = open_model(model)
        check_outputs(outputs, inputs=opened.locals)
        coded = run.quantized(opened, settings) if first_only else []
        if coded:
            raise fail(f"error: --check has no verdict to go by: {model} holds {', '.join(coded)} already; give what it was made from with --original")
        with progress("reading", quiet) as show:
            return run.probe(
                opened,
                settings,
                show,
                budget=memory * 2**20,
                workers=workers,
                text=place(text) if text else None,
                activations=activations,
                dask=dask,
                numbers=tokens,
            )
    except SanityError as error:
        raise fail(f"aborted by the sanity gate: {opened.path}: {error}; nothing is reported", ABORTED) from None
    except (ModelError, ArgumentError, run.NothingToProbe, run.BudgetError) as error:
        raise fail(f"error: {error}") from None


def run_beside(
    model: str, original: str | None, codes: list[str], settings: Any, outputs: dict[str, Path | None], *, memory: int, workers: int | None, quiet: bool
) -> Shipped:
    """Measure the code of a file beside its original, or codes that are made of MODEL here; ends as `run_probe` does."""
    from ..compare.names import paired
    from ..errors import ArgumentError
    from ..models.files import ModelError, open_model
    from ..probe import beside, run
    from ..probe.sanity import SanityError

    try:
        opened = open_model(model)
        source = opened if original is None else open_model(original)
        check_outputs(outputs, inputs=[*opened.locals, *source.locals])
        if original is None:
            coded = run.quantized(opened, settings)
            if coded:
                raise fail(f"error: --code needs weights as they were: {model} holds {', '.join(coded)}; give the original as MODEL, or with --original")
        with progress("reading", quiet) as show:
            if original is None:
                return beside.measure(source, None, [], codes, settings, show, budget=memory * 2**20, workers=workers)
            return beside.measure(source, opened, paired(source, opened).pairs, codes, settings, show, budget=memory * 2**20, workers=workers)
    except SanityError as error:
        raise fail(f"aborted by the sanity gate: {error}; nothing is reported", ABORTED) from None
    except (ModelError, ArgumentError, run.NothingToProbe, run.BudgetError) as error:
        raise fail(f"error: {error}") from None


def tile_size(value: str | None) -> int | str | None:
    if value is None or value == "row":
        return value
    if not value.isdecimal() or len(value) > 9:
        raise fail(f"error: --tile {value}: neither `row` nor a whole number of vectors of 8")
    return int(value)


def q_list(value: str | None) -> list[str] | None:
    return None if value is None else [part.strip() for part in value.split(",")]


ModelArgument = Annotated[
    str,
    typer.Argument(metavar="MODEL", help="`minilm`, `smollm2`, a folder, or the path of a .safetensors, .safetensors.index.json, .gguf, .npy or .npz file."),
]
ProfileOption = Annotated[
    str,
    typer.Option(
        "--profile",
        metavar="NAME|FILE",
        help="dev-fast, dev-balanced, dev-strict, or a .yaml file of your own; the options below change single settings of it.",
    ),
]
TensorOption = Annotated[
    list[str] | None, typer.Option("--tensor", metavar="PATTERN", help="Only tensors whose name matches, e.g. '*ffn_down*'; may be repeated.")
]
TypeOption = Annotated[str | None, typer.Option("--matrix-type", metavar="TYPE", help="Only tensors of this type: any, float, or an encoding such as q8_0.")]
RowsOption = Annotated[int | None, typer.Option("--rows", min=8, help="Rows read per tensor at most; a sample drawn with the seed where there are more.")]
MemoryOption = Annotated[int, typer.Option("--memory", min=1, metavar="MIB", help="What the work may take in memory beside the files and activations.")]
TextOption = Annotated[str | None, typer.Option("--text", metavar="FILE", help="Text for the activations, one passage a line, instead of the built-in one.")]
QuietOption = Annotated[bool, typer.Option("--quiet", help="No progress, and nothing on standard output when there is --output.")]


DaskOption = Annotated[
    str | None,
    typer.Option(
        "--dask",
        metavar="ADDRESS",
        help="Have the workers of a Dask scheduler do it, tcp://host:8786; or local:N, N processes of this machine. The figures are the same.",
    ),
]


def write_certificates(model: str, result: Report, path: Path, quiet: bool) -> None:
    """Certificates of the admitted tiles; typer.Exit with one line when there can be none."""
    from ..models.files import ModelError, open_model
    from ..probe import certify

    try:
        count = certify.write(open_model(model), result, path)
    except (certify.CannotCertify, ModelError, OSError) as error:
        raise fail(f"error: --certificates {path}: {error}") from None
    if not quiet:
        Console(stderr=True).print(f"{path}: {count:,} certificates; gnosis verify {path} --model {model}", markup=False, highlight=False, soft_wrap=True)


def write_report(result: Report | Shipped, format_: PageFormat, output: Path | None) -> None:
    """Write a report to a file or to standard output; typer.Exit with one line when the file cannot be written."""
    from ..files.output import write
    from ..probe.part import to_json
    from ..probe.report import Report

    try:
        if format_ is PageFormat.text:
            from ..probe import shipped_text
            from ..probe import text as tables

            if output is None:
                tables.render(result, screen()) if isinstance(result, Report) else shipped_text.render(result, screen())
            else:
                write(output, tables.as_text(result, WIDTH) if isinstance(result, Report) else shipped_text.as_text(result, WIDTH))
            return
        if format_ is PageFormat.html:
            if not isinstance(result, Report):
                raise fail("error: --format html shows lattices; a report of --original or --code is text or json")
            from ..probe import html

            written = html.render(result)
        else:
            written = to_json(result)
        if output is None:
            typer.echo(written, nl=False)
        else:
            write(output, written)
    except OSError as error:
        raise fail(f"error: {output}: {error.strerror or error}") from None


def probe(
    model: ModelArgument,
    original: Annotated[
        str | None,
        typer.Option("--original", metavar="MODEL", help="What MODEL was made from: measures MODEL's own code against it, and quantizes nothing again."),
    ] = None,
    code: Annotated[
        list[str] | None,
        typer.Option("--code", metavar="CODE,…", help="Real codes of the original's weights, made here by libgguf: q8_0, q4_k, q4_0, …; may be repeated."),
    ] = None,
    profile: ProfileOption = "dev-balanced",
    tensor: TensorOption = None,
    matrix_type: TypeOption = None,
    rows: RowsOption = None,
    tile: Annotated[str | None, typer.Option("--tile", metavar="M|row", help="A tile is 8·M consecutive weights of a row, or all of a row.")] = None,
    gamma_multiplier: Annotated[
        float | None, typer.Option("--gamma-multiplier", help="γ in units of the cubic RMS tile residual (times the RMS tile activation).")
    ] = None,
    q_values: Annotated[str | None, typer.Option("--q-values", metavar="Q,…", help="Levels of the conformal thresholds, as decimals in rising order.")] = None,
    step: Annotated[float | None, typer.Option("--step", help="Step of the unbounded lattices in units of the tensor's RMS.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="Seed of every sample; the report repeats it.")] = None,
    text: TextOption = None,
    tokens: Annotated[
        Path | None, typer.Option("--tokens", dir_okay=False, metavar="FILE", help="Token numbers instead of text, a passage a line, for language models.")
    ] = None,
    activations: Annotated[
        bool | None, typer.Option("--activations/--no-activations", help="Run the model on the text for real activations; by default for the built-in models.")
    ] = None,
    memory: MemoryOption = 512,
    workers: Annotated[
        int | None, typer.Option("--workers", min=1, help="Tensors in work at once at most; the processors by default, fewer where memory says so.")
    ] = None,
    dask: DaskOption = None,
    format_: Annotated[PageFormat, typer.Option("--format", help="Tables for people, JSON, or a page with plots.")] = PageFormat.text,
    output: Annotated[Path | None, typer.Option("--output", dir_okay=False, help="Write here instead of standard output.")] = None,
    certificates: Annotated[
        Path | None,
        typer.Option(
            "--certificates",
            dir_okay=False,
            metavar="FILE",
            help="Also write a certificate of every tile that the energy gate admits for any activation of norm 1; a new file, for `gnosis verify`.",
        ),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Exit code 1 when the predicate rejects a tensor.")] = False,
    quiet: QuietOption = False,
) -> None:
    """Measure what quantizing costs a model's weights, and what the gates certify about it.

    With --original the code that MODEL is stored in, with --code codes of the original: errors against the original and the least margin.
    Without them two families of codes that are made here, 4.5-bit codes first and unbounded lattices beside them. A tensor is admitted when: finite && cell_filling && e8_mse_le_cubic &&
    e8_energy_accept_ge_cubic && all_conformal_admit. Of a file that is quantized already this is a second quantization, and no verdict about the file.
    A rejection is a result like any other.

    Exit codes: 0 the report is written, whatever it says; 1 with --check, a tensor is rejected (in a real code: by a level); 2 the file or the request cannot
    be used; 3 the sanity gate stopped the probe because a decode looks wrong, and nothing is reported.

    \b
    Examples:
      gnosis probe model-q4_0.gguf --original model-f16.gguf
      gnosis probe model-f16.gguf --code q8_0,q6_k,q4_0
    """
    outputs = {"--output": output, "--certificates": certificates}
    if tokens is not None and text is not None:
        raise fail(f"error: --tokens {tokens}: is given instead of --text")
    check_outputs(outputs, new=["--certificates"], inputs=[Path(path) for path in (text, tokens) if path])
    settings = settings_of(
        profile,
        tensors=tensor,
        matrix_type=matrix_type,
        rows=rows,
        tile=tile_size(tile),
        gamma_multiplier=gamma_multiplier,
        q_values=q_list(q_values),
        step_over_rms=step,
        seed=seed,
    )
    if original is not None or code:
        for option, given in (
            ("--certificates", certificates),
            ("--text", text),
            ("--tokens", tokens),
            ("--activations", activations),
            ("--dask", dask or None),
        ):
            if given is not None:
                raise fail(f"error: {option} does not go with --original or --code")
        if format_ is PageFormat.html:
            raise fail("error: --format html shows lattices; a report of --original or --code is text or json")
        shipped = run_beside(model, original, code or [], settings, outputs, memory=memory, workers=workers, quiet=quiet)
        write_report(shipped, format_, output)
        if check and not shipped.admitted:
            raise typer.Exit(REJECTED)
        return
    result = run_probe(
        model, settings, outputs, memory=memory, workers=workers, text=text, activations=activations, dask=dask, quiet=quiet, first_only=check, tokens=tokens
    )
    if certificates is not None:
        write_certificates(model, result, certificates, quiet)
    write_report(result, format_, output)
    if output is not None and not quiet:
        v = result.verdict
        Console(stderr=True).print(
            f"{output}: {v.bounded_tensors_admitted} of {v.tensors} tensors admitted in the {v.code}, seed {settings.seed}", markup=False, highlight=False
        )
    if check and not result.verdict.bounded_admitted:
        raise typer.Exit(REJECTED)
