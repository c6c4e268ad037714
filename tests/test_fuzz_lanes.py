"""The lanes atheris and libfuzzer find what is planted in a reader and in a kernel, keep it, replay it, and say why they cannot run."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from gnosis.conformance.lanes import atheris as guided
from gnosis.conformance.lanes import libfuzzer as sanitized
from gnosis.conformance.lanes import run as lanes
from gnosis.conformance.lanes.readers import READERS, Reader, outcome
from gnosis.conformance.running import cases
from gnosis.core import cpu

ROOT = Path(__file__).parents[1]
KERNELS = ROOT / "cython_core"


# ---- readers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_readers_take_their_seeds_and_refuse_by_documented_errors(reader: Reader) -> None:
    read, errors = reader.open()
    seeds = reader.seeds()
    assert seeds or reader.name == "olean"  # whose seeds are what Lean wrote
    for data in seeds:
        read(data)  # accepted
        for end in range(0, len(data), max(1, len(data) // 40)):
            assert outcome(read, errors, data[:end]) is None
            assert outcome(read, errors, data[:end] + b"\xff" + data[end + 1 :]) is None


def test_what_was_found_once_is_read_well_now() -> None:
    known = {reader.name: reader for reader in READERS}
    found = cases.kept("atheris")
    assert found and {case.check for case in found} <= set(known)
    for case in found:
        assert case.note and outcome(*known[case.check].open(), bytes.fromhex(case.args[0])) is None


PLANTED = """
    def read(data):
        if len(data) > 3 and data[:2] == b"GN":
            if data[2] > 200:
                raise {error}
        raise ValueError("refused")
"""
SCRIPT = """
    import sys
    from gnosis.conformance.lanes import atheris as guided
    from gnosis.conformance.lanes.readers import Reader

    def opened():
        import {module}
        return {module}.read, (ValueError,)

    reader = Reader("faulty", ("{module}",), opened, lambda: [b"GNxyz and more"])
    if __name__ == "__main__":
        guided.fuzz(reader, sys.argv[2], sys.argv[3:])
"""


def faulty(folder: Path, monkeypatch: pytest.MonkeyPatch, error: str) -> Reader:
    """A reader that is wrong for some bytes, and the script that runs it."""
    module = f"planted_{abs(hash(str(folder)))}"
    script = folder / "faulty.py"
    (folder / f"{module}.py").write_text(textwrap.dedent(PLANTED.format(error=error)))
    script.write_text(textwrap.dedent(SCRIPT.format(module=module)))
    monkeypatch.syspath_prepend(folder)
    names: dict = {"__name__": "faulty"}
    exec(compile(script.read_text(), str(script), "exec"), names)
    planted = names["reader"]
    return Reader(planted.name, planted.modules, planted.open, planted.seeds, (sys.executable, str(script)))


@pytest.mark.skipif(not guided.available(), reason="atheris is not installed (extra: test)")
def test_a_reader_that_raises_another_error_is_found_made_small_and_replayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = faulty(tmp_path, monkeypatch, 'KeyError("k")')
    report = lanes.Report(1)
    guided.lane(7, 4, report, readers=[reader], corpus=tmp_path)
    (found,) = report.disagreements
    data = bytes.fromhex(found.args[0])
    assert found.got == "KeyError: 'k'" and data.startswith(b"GN") and data[2] > 200 and len(data) == 4
    assert report.promoted == 1 and report.rows[0].checked > 10 and report.rows[0].refused > 0
    again = lanes.Report(1)
    guided.finish(guided.start(7, 1, again, NoPool(), [reader], tmp_path), again, corpus=tmp_path)
    assert again.rows[0].name == "corpus" and again.disagreements[0].where == "corpus/atheris.jsonl"


@pytest.mark.skipif(not guided.available(), reason="atheris is not installed (extra: test)")
@pytest.mark.parametrize(
    "planted, said", [("ValueError(sum(range(150_000_000)))", "s of CPU time"), ("ValueError(len(bytes(range(256)) * (1 << 21)))", "512 MiB|513 MiB")]
)
def test_a_reader_that_takes_too_much_is_found_and_replayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, planted: str, said: str) -> None:
    """A refusal that is documented, and that takes too long or too much memory."""
    reader = faulty(tmp_path, monkeypatch, planted)
    report = lanes.Report(1)
    guided.lane(7, 4, report, readers=[reader], corpus=tmp_path)
    (found,) = report.disagreements
    assert str(found.got).startswith("TookTooMuch") and re.search(said, str(found.got)) and report.promoted == 1
    again = lanes.Report(1)
    guided.finish(guided.start(7, 1, again, NoPool(), [reader], tmp_path), again, corpus=tmp_path)
    assert again.rows[0].name == "corpus" and again.disagreements[0].where == "corpus/atheris.jsonl"


class NoPool:
    """Runs nothing: for what happens before any search."""

    class Nothing:
        def result(self) -> tuple:
            return guided.Found(0, 0, None, None), 0.0

    def submit(self, *args: object) -> Nothing:
        return self.Nothing()


@pytest.mark.skipif(not guided.available(), reason="atheris is not installed (extra: test)")
def test_a_reader_that_ends_its_process_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = lanes.Report(1)
    guided.lane(7, 4, report, readers=[faulty(tmp_path, monkeypatch, '__import__("os").abort()')], corpus=tmp_path, promote=False)
    assert not report.ok and report.promoted == 0


def test_without_atheris_the_lane_is_a_counted_skip(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(guided, "available", lambda: False)
    report = lanes.run(("atheris",), 1.0)
    assert guided.ABSENT in report.skips and report.ok
    assert [row.name for row in report.rows] == ["corpus"]  # what is kept is replayed without it


# ---- kernels -----------------------------------------------------------------------------------------------------------

NO_CLANG = sanitized.absent()
clang = pytest.mark.skipif(NO_CLANG is not None, reason=str(NO_CLANG))


def test_every_kernel_has_a_target() -> None:
    stems = {path.stem for path in KERNELS.glob("*.pyx")} - {"cpu"}
    assert set(sanitized.SOURCES) == stems == {path.stem for path in sanitized.TARGETS.glob("*.c")}


def test_every_function_of_a_kernel_is_called_by_its_target() -> None:
    """By its header: all that is declared there, but for the measurement of what certification costs."""
    for stem, sources in sanitized.SOURCES.items():
        declared = set(re.findall(r"\b(gnosis_\w+)\(", re.sub(r"/\*.*?\*/", "", (KERNELS / f"{stem}.h").read_text(), flags=re.S)))
        text = (sanitized.TARGETS / f"{stem}.c").read_text()
        called = set(re.findall(r"\b(gnosis_\w+)\b", text))
        called |= {name for name in declared for prefix in re.findall(r"\b(gnosis_\w+?_)##", text) if name.startswith(prefix)}
        assert declared - called <= {"gnosis_q8_0_residual_nearest"}, (stem, sources)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sanitized, "SHRINK", 1)


def spoiled(folder: Path, name: str, old: str, new: str) -> Path:
    """The C sources with one thing changed."""
    copy = folder / "kernels"
    copy.mkdir()
    for path in [*KERNELS.glob("*.c"), *KERNELS.glob("*.h")]:
        shutil.copy(path, copy)
    text = (copy / name).read_text()
    assert old in text
    (copy / name).write_text(text.replace(old, new))
    return copy


@clang
def test_a_sound_kernel_passes(tmp_path: Path) -> None:
    report = lanes.Report(1)
    sanitized.lane(3, 1, report, stems=("stream",), where=tmp_path, corpus=tmp_path)
    assert report.ok and report.rows[0].checked > 100


@clang
def test_a_read_past_the_end_is_found_kept_and_replayed(tmp_path: Path) -> None:
    kernels = spoiled(tmp_path, "stream.c", "bytes - i < 8 ? (size_t)(bytes - i) : 8", "8")
    report = lanes.Report(1)
    sanitized.lane(3, 1, report, stems=("stream",), kernels=kernels, where=tmp_path, corpus=tmp_path)
    (found,) = report.disagreements
    assert "heap-buffer-overflow" in found.got and len(bytes.fromhex(found.args[0])) < 9
    assert report.promoted == 1
    again = lanes.Report(1)
    sanitized.lane(3, 1, again, stems=("stream",), kernels=kernels, where=tmp_path, corpus=tmp_path)
    assert again.disagreements[0].where == "corpus/libfuzzer.jsonl"
    fixed = lanes.Report(1)
    sanitized.lane(3, 1, fixed, stems=("stream",), where=tmp_path, corpus=tmp_path)
    assert fixed.ok


@clang
def test_a_wrong_answer_is_found(tmp_path: Path) -> None:
    kernels = spoiled(tmp_path, "stream.c", "all ^= sum[k]", "all |= sum[k]")
    report = lanes.Report(1)
    sanitized.lane(3, 2, report, stems=("stream",), kernels=kernels, where=tmp_path, corpus=tmp_path, promote=False)
    assert "not so" in report.disagreements[0].got


@clang
def test_an_instruction_set_that_differs_is_found(tmp_path: Path) -> None:
    if len(cpu.available()) < 2:
        pytest.skip("only one instruction set runs here")
    kernels = spoiled(
        tmp_path,
        "stream.c",
        "GNOSIS_AVX2 static uint64_t read_avx2(const uint8_t *p, ptrdiff_t bytes) { return read_words(p, bytes); }",
        "GNOSIS_AVX2 static uint64_t read_avx2(const uint8_t *p, ptrdiff_t bytes) { return read_words(p, bytes & ~7); }",
    )
    report = lanes.Report(1)
    sanitized.lane(3, 1, report, stems=("stream",), kernels=kernels, where=tmp_path, corpus=tmp_path, promote=False)
    assert not report.ok


@clang
@pytest.mark.parametrize(
    ("file", "was", "now"),
    [
        ("engine_simd_body.h", "_mm256_cvtepi8_epi16(ISA(sixteen)(p + 16))", "_mm256_cvtepi8_epi16(ISA(sixteen)(p))"),  # AVX2 alone
        ("engine.c", "w->p->ids[t] * row", "w->p->ids[from] * row"),  # what stands first in a pass for all of it
    ],
)
def test_a_fault_of_the_engine_is_found(tmp_path: Path, file: str, was: str, now: str) -> None:
    if file == "engine_simd_body.h" and len(cpu.available()) < 2:
        pytest.skip("only one instruction set runs here")
    kernels = spoiled(tmp_path, file, was, now)
    report = lanes.Report(1)
    sanitized.lane(3, 8, report, stems=("engine",), kernels=kernels, where=tmp_path, corpus=tmp_path, promote=False)
    assert "not so" in report.disagreements[0].got


@clang
def test_undefined_behaviour_is_found(tmp_path: Path) -> None:
    kernels = spoiled(tmp_path, "stream.c", "return all;", "int32_t few = 1; return all + (uint64_t)((few << (bytes % 40)) & 0);")
    report = lanes.Report(1)
    sanitized.lane(3, 1, report, stems=("stream",), kernels=kernels, where=tmp_path, corpus=tmp_path, promote=False)
    assert "runtime error: shift exponent" in report.disagreements[0].got


@clang
def test_a_kernel_that_does_not_build_is_a_finding(tmp_path: Path) -> None:
    kernels = spoiled(tmp_path, "stream.c", "uint64_t gnosis_stream_read(", "uint64_t nonsense gnosis_stream_read(")
    report = lanes.Report(1)
    sanitized.lane(3, 1, report, stems=("stream",), kernels=kernels, where=tmp_path, corpus=tmp_path)
    assert "does not build" in report.disagreements[0].got and report.promoted == 0


@pytest.mark.parametrize(
    "which, run, why",
    [
        (lambda name: None, None, "clang is not installed"),
        (
            lambda name: "/usr/bin/clang",
            lambda command, **more: subprocess.CompletedProcess(command, 0, "clang version 17.0.6\n" if "--version" in command else "/nowhere\n", ""),
            "clang has no libFuzzer runtime here (Debian and Ubuntu: apt-get install libclang-rt-17-dev)",
        ),
    ],
)
def test_what_is_missing_is_said_and_counted(monkeypatch: pytest.MonkeyPatch, which: object, run: object, why: str) -> None:
    monkeypatch.setattr(sanitized.shutil, "which", which)
    if run:
        monkeypatch.setattr(sanitized.subprocess, "run", run)
    report = lanes.run(("libfuzzer",), 1.0)
    assert f"lane libfuzzer: {why}" in report.skips and report.ok and not report.rows


def test_without_sources_the_lane_is_a_counted_skip(tmp_path: Path) -> None:
    assert sanitized.absent(tmp_path) == "the C sources of the kernels are in a checkout only"
