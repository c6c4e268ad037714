"""The kernel accepts right answers and refuses wrong ones, and nothing is accepted without it."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnosis.conformance import targets
from gnosis.conformance.lanes import run as lanes
from gnosis.conformance.oracle import kernel, terms
from gnosis.conformance.oracle.decisions import BOOL, BOOLS, NAT, PAIRS
from gnosis.conformance.oracle.kernel import KernelError, Sample
from gnosis.conformance.running import cases
from gnosis.gates import energy
from gnosis.spine import build
from gnosis.spine.paths import build_dir, root
from gnosis.spine.toolchain import find


def check(samples: list[Sample], folder: Path, **options: object) -> dict[str, list[kernel.Refused]]:
    """What was refused, by group."""
    return {c.group: c.refused for c in kernel.check(samples, folder, **options)}


def flipped(sample: Sample) -> Sample:
    """The sample with another expected result."""
    match sample.expected:
        case bool(x):
            other = not x
        case int(x):
            other = x + 1
        case None:
            other = 0
        case list(x):
            other = [*x, {BOOLS: True, PAIRS: (0, 0)}.get(sample.kind, 7)]
    return dataclasses.replace(sample, expected=other)


def first(samples: list[Sample], decision: str, group: str | None = None) -> int:
    return next(i for i, s in enumerate(samples) if s.decision == decision and group in (None, s.group))


def test_right_answers_are_accepted(tmp_path: Path) -> None:
    done: list[int] = []
    samples = kernel.draw(120, 1)
    results = kernel.check(samples, tmp_path, progress=done.append)
    assert not any(c.refused for c in results)
    assert [c.group for c in results] == list(kernel.SHARES) and [c.samples for c in results] == [n * 120 // 100 for n in kernel.SHARES.values()]
    assert sum(done) == 120 and all(c.rate > 0 for c in results)
    # one line for each sample, no options, nothing but imports above
    lines = [line for file in tmp_path.glob("*.lean") for line in file.read_text().splitlines()]
    assert sum(line.startswith(("theorem s", "  (Bool.and (")) for line in lines) == 120
    assert all(line.startswith(("theorem s", "theorem g", "  (Bool.and (", "  Bool.true)", "prelude", "import Gnosis.")) for line in lines)
    assert sum(line.startswith("theorem g") for line in lines) <= 12 + 2 * len(results)


def test_every_group_and_every_decision_is_drawn() -> None:
    samples = kernel.draw(1300, 2)  # a tenth of them are short, one for each decision
    assert {s.group: sum(x.group == s.group for x in samples) for s in samples} == {g: 13 * n for g, n in kernel.SHARES.items()}
    assert {s.decision for s in samples if s.group == kernel.SHORT} == {t.decision for ts in targets.load().values() for t in ts}
    for group in kernel.SHARES:
        answers = [s.expected for s in samples if s.group == group and isinstance(s.expected, bool)]
        assert min(answers.count(True), answers.count(False)) >= len(answers) // 5
    assert kernel.draw(50, 3) == kernel.draw(50, 3) != kernel.draw(50, 4)


def test_a_flipped_value_is_refused_by_the_kernel_and_named(tmp_path: Path) -> None:
    samples = kernel.draw(1200, 5)
    wrong = [first(samples, "energyAdmit", group) for group in list(kernel.SHARES)[:2]]
    wrong += [first(samples, d) for d in ("energySidecarAdmit", "tukeyAdmit", "tukeyWeight", "marginAdmit", "rowAdmit", "argmax")]
    wrong += [
        first(samples, d, kernel.SHORT)
        for d in (
            "dot",
            "jitAdmit",
            "servedArgmax",
            "energyAdmit",
            "topkAdmit",
            "twoStageAdmit",
            "candidates",
            "kthSmallest",
            "conformalAdmit",
            "basinFlowAdmit",
            "flowControl",
            "cumlossAdmit",
            "leastReserve",
            "chargeRun",
            "ratioAdmit",
            "tiltPairs",
            "e8Decode",
        )
    ]
    keep = sorted({*wrong, *range(0, 1200, 17)})
    asked = [flipped(samples[i]) if i in wrong else samples[i] for i in keep]
    refused = [r for rs in check(asked, tmp_path).values() for r in rs]
    assert {id(r.sample) for r in refused} == {id(s) for s, i in zip(asked, keep) if i in wrong}
    for r in refused:
        assert r.by_kernel == (r.sample.decision not in ("candidates", "kthSmallest", "flowControl", "chargeRun", "tiltPairs", "e8Decode"))
        line = next(line for line in r.file.read_text().splitlines() if line.startswith(f"theorem {r.name} "))
        assert line == r.sample.theorem(r.name)


@pytest.mark.parametrize("size", [1, 2, 7, kernel.TOGETHER])
def test_every_place_of_a_theorem_is_looked_at(tmp_path: Path, size: int) -> None:
    """A wrong constant in each place in turn: that sample is named, and no other."""
    kinds = [s for s in kernel.draw(400, 11) if s.joins and s.group == "scalar gates"][:size]
    theorems = [[flipped(s) if i == wrong else s for i, s in enumerate(kinds)] for wrong in range(size)]
    assert {type(s.expected) for s in kinds} == ({bool, int} if size > 3 else {bool})
    found = kernel._refused(tmp_path / "All.lean", theorems, root(), find())
    assert list(found) == list(range(size)) and all(text.startswith("Tactic `decide`") for text in found.values())
    wrong = size // 2
    (refused,) = check(theorems[wrong], tmp_path, jobs=1)["scalar gates"]
    assert refused.sample is theorems[wrong][wrong] and refused.by_kernel
    line = next(line for line in refused.file.read_text().splitlines() if line.startswith(f"theorem {refused.name} "))
    assert line == refused.sample.theorem(refused.name)


def test_several_wrong_samples_of_one_theorem_are_all_named(tmp_path: Path) -> None:
    samples = [s for s in kernel.draw(200, 12) if s.group == "scalar gates"][:30]
    asked = [flipped(s) if i in (0, 3, 24, 25, 29) else s for i, s in enumerate(samples)]
    refused = check(asked, tmp_path, jobs=1)["scalar gates"]
    assert [id(r.sample) for r in refused] == [id(asked[i]) for i in (0, 3, 24, 25, 29)] and all(r.by_kernel for r in refused)


@pytest.mark.parametrize("spoil", ["{left} (nat_lit 3)", "{left})", "({left}", "Gnosis.nothing", '"', "Int.ofNat (nat_lit 3)"])
def test_a_sample_that_is_no_term_is_named_and_its_neighbours_are_accepted(tmp_path: Path, spoil: str) -> None:
    samples = [s for s in kernel.draw(100, 13) if s.group == "scalar gates"][:9]
    broken = dataclasses.replace(samples[4], left=spoil.format(left=samples[4].left))
    refused = check([*samples[:4], broken, *samples[5:]], tmp_path, jobs=1)["scalar gates"]
    assert broken in [r.sample for r in refused] and not any(r.by_kernel for r in refused)
    # text that swallows what follows takes the neighbours behind it along; those in front stay
    assert {id(r.sample) for r in refused} <= {id(broken), *map(id, samples[5:])}


def test_a_sample_that_swallows_the_file_is_an_error(tmp_path: Path) -> None:
    samples = [s for s in kernel.draw(100, 13) if s.group == "scalar gates"][:3]
    with pytest.raises(KernelError, match="unterminated comment"):
        check([samples[0], dataclasses.replace(samples[1], left=samples[1].left + " /-"), samples[2]], tmp_path, jobs=1)


def test_theorems_hold_neighbours_that_have_an_equality_test() -> None:
    samples = kernel.draw(1000, 14)
    theorems = kernel._theorems(samples, kernel.TOGETHER)
    assert [s for ss in theorems for s in ss] == samples and max(map(len, theorems)) == kernel.TOGETHER
    assert all(len(ss) == 1 or all(s.kind in (BOOL, NAT) for s in ss) for ss in theorems)
    assert len(theorems) < 250


TAMPERED = {  # a theorem of three samples, of which the second one expects `false` and the third one a number
    "another end": ("{all} Bool.true", "(Bool.not {all}) Bool.false"),
    "a sample left out": ("(Bool.and ({second}) {rest})", "{rest}"),
    "a sample twice": ("(Bool.and ({second}) {rest})", "(Bool.and ({first}) {rest})"),
    "another answer": ("Bool.not ({plain})", "Bool.or ({plain}) Bool.true"),
    "another number": ("{number}", "(Nat.add {number} (nat_lit 0))"),
    "another proof": ("by decide +kernel", "@Eq.refl Bool Bool.true"),
    "an axiom": ("theorem g0", "axiom g0"),
    "another name": ("theorem g0", "theorem g1"),
}


@pytest.mark.parametrize("change", TAMPERED)
def test_a_theorem_of_several_samples_is_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    """Lean accepts each of these texts, and none of them says what the samples say; the samples themselves are right."""
    drawn = [s for s in kernel.draw(400, 15) if s.group == "scalar gates"]
    one, two, three = next(s for s in drawn if s.expected is True), next(s for s in drawn if s.expected is False), next(s for s in drawn if s.kind == NAT)
    rest = f"(Bool.and ({three.test}) Bool.true)"
    whole = f"(Bool.and ({one.test}) (Bool.and ({two.test}) {rest}))"
    words = {"first": one.test, "second": two.test, "plain": two.left, "number": three.right[1], "rest": rest, "all": whole}
    before, after = (text.format(**words) for text in TAMPERED[change])
    right = f"theorem g0 : @Eq Bool {whole} Bool.true := by decide +kernel"
    text = right.replace(before, after)
    text = text.removesuffix(" := by decide +kernel") if change == "an axiom" else text
    assert text != right
    monkeypatch.setattr(kernel, "_text", lambda number, samples: right)
    assert not kernel._refused(tmp_path / "Right.lean", [[one, two, three]], root(), find())
    monkeypatch.setattr(kernel, "_text", lambda number, samples: text)
    found = kernel._refused(tmp_path / "Wrong.lean", [[one, two, three]], root(), find())
    assert found == {0: "the compiled file does not hold the theorem with this proof"}


def test_a_wrong_reference_fails_the_lane_and_is_written_down(tmp_path: Path) -> None:
    samples = kernel.draw(60, 6)
    report = lanes.Report(1)
    i = first(samples, "energySidecarAdmit")
    right = samples[i].expected
    lanes.kernel_lane(0, 1, report, folder=tmp_path / "k", samples=[flipped(samples[i]), *samples[:5]], corpus=tmp_path / "corpus")
    (found,) = report.disagreements
    assert not report.ok and found.lane == "kernel" and found.expected is right and found.got is not right and "refused by the kernel" in found.where
    assert report.promoted == 1 and cases.read("energy", tmp_path / "corpus")[0].expect is right


def test_a_form_that_is_not_the_decision_is_told_from_a_wrong_answer(tmp_path: Path) -> None:
    sample = kernel.draw(10, 1)[0]
    broken = dataclasses.replace(sample, left=sample.left.replace("energyPacked", "energyPackedTypo"))
    (refused,) = check([broken], tmp_path)[sample.group]
    assert not refused.by_kernel and "energyPackedTypo" in refused.why


@pytest.mark.parametrize(
    "line, name",
    [
        ("theorem s0 : @Eq Bool ({left}) {right} := @Eq.refl Bool {right}", "another proof"),
        ("theorem other : @Eq Bool ({left}) {right} := by decide +kernel", "another name"),
        ("theorem s0 : @Eq Bool {right} {right} := by decide +kernel", "another statement"),
        (
            "theorem s0 : @Eq Bool (Gnosis.energySidecarPacked (Int.ofNat (nat_lit 0)) (Int.ofNat (nat_lit 0)) (Int.ofNat (nat_lit 0))) Bool.true := by decide +kernel",
            "another function",
        ),
        ("axiom s0 : @Eq Bool ({left}) {right}", "no proof"),
        (
            "set_option debug.skipKernelTC true in theorem s0 : @Eq Bool ({left}) {right} := (fun (h : @Eq Bool Bool.true Bool.true) => h) (@Eq.refl Bool Bool.true)",
            "kernel skipped",
        ),
        ("-- nothing", "no theorem"),
    ],
)
def test_what_lean_says_nothing_about_still_has_to_be_the_theorem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, name: str) -> None:
    sample = next(s for s in kernel.draw(50, 1) if s.expected is True)
    monkeypatch.setattr(Sample, "theorem", lambda self, _: line.format(left=self.left, right="Bool.true"))
    (refused,) = check([sample], tmp_path)[sample.group]
    assert not refused.by_kernel and "does not hold the theorem" in refused.why, name


def test_lean_that_fails_without_a_word_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "OPTIONS", ("--no-such-option",))
    with pytest.raises(KernelError):
        check(kernel.draw(2, 1), tmp_path)


def test_a_message_outside_the_samples_is_an_error(tmp_path: Path) -> None:
    sample = dataclasses.replace(kernel.draw(2, 1)[0], modules=("Gnosis.Packed.Energy", "Gnosis.Nothing"))
    with pytest.raises((KernelError, build.BuildError)):
        check([sample], tmp_path)


# ---- the encoding --------------------------------------------------------------------------------------------------


def unpack(w: int, n: int, p: int) -> list[int]:
    """`Gnosis.unpack`."""
    return [(p >> (w + 1) * i) % (1 << w + 1) - (1 << w) for i in range(n)]


@given(st.integers(0, 70).flatmap(lambda w: st.tuples(st.just(w), st.lists(st.integers(-1 << w, (1 << w) - 1), max_size=40))))
def test_packing_is_inverted_by_unpacking(case: tuple[int, list[int]]) -> None:
    w, v = case
    assert unpack(w, len(v), terms.packed_vector(v, w)) == v


@pytest.mark.parametrize("x", [128, -129])
def test_an_entry_that_does_not_fit_is_refused(x: int) -> None:
    with pytest.raises(ValueError, match="does not fit 8 bits"):
        terms.packed_vector([0, x], 7)


def test_lean_unpacks_what_python_packs(tmp_path: Path) -> None:
    rng = Random(1)
    lines = ["prelude", "import Gnosis.Packed.Energy"]
    for i, (w, n) in enumerate([(0, 3), (7, 0), (7, 1), (7, 32), (31, 5), (63, 4)]):
        v = [rng.randrange(-1 << w, 1 << w) for _ in range(n)]
        lines.append(
            f"theorem s{i} : @Eq (List Int) (Gnosis.unpack {terms.packed(v, w)}) {terms.WRITE['integers'](v)} := @Eq.refl (List Int) {terms.WRITE['integers'](v)}"
        )
    file = tmp_path / "Unpack.lean"
    file.write_text("\n".join(lines) + "\n")
    done = build.run_lean(find(), [str(file)], build_dir(), root())
    assert done.returncode == 0 and not done.stdout, done.stdout


def test_a_wrong_packed_form_is_refused(tmp_path: Path) -> None:
    """A spine whose packed form differs from the decision: the samples notice, and so does the proof of equality."""
    for name in ("Gnosis", "build/lean"):
        shutil.copytree(root() / name, tmp_path / name)
    for name in ("lakefile.lean", "lean-toolchain"):
        shutil.copy(root() / name, tmp_path / name)
    file = tmp_path / "Gnosis/Packed/Energy.lean"
    text = file.read_text()
    start = text.index("noncomputable def energySidecarPacked ")
    changed = text[:start] + text[start:].replace("Nat.mul g g", "Nat.mul g (Nat.succ g)", 1)
    file.write_text(changed)
    with pytest.raises(KernelError, match="does not compile"):
        check(kernel.draw(2, 1), tmp_path / "k", base=tmp_path)
    # the changed form alone, without the proof that it is the decision
    before = changed[: changed.index("\ntheorem ")]
    file.write_text(before[: before.rindex("\n/--")] + "\nend Gnosis\n")

    def sample(*args: int) -> Sample:
        return Sample(
            "scalar gates",
            "energySidecarAdmit",
            args,
            energy.energy_sidecar_admit(*args),
            "Gnosis.energySidecarPacked " + " ".join(map(terms.integer, args)),
            ("Gnosis.Packed.Energy", "Gnosis.Core.Tactics"),
        )

    # 4·5·1 is above 4² and not above 4·(4 + 1)
    (refused,) = check([sample(6, 1, 4), sample(4, 1, 4), sample(5, 1, 4)], tmp_path / "k", base=tmp_path, jobs=1)["scalar gates"]
    assert refused.by_kernel and refused.name == "s2"
