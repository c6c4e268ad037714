"""The compiled oracle: the Lean decision definitions, from the C that Lean's own code generator writes, through gcc.

What is trusted beyond the definitions is the code generator, gcc, Lean's arithmetic of big numbers and a header of its
runtime: Lean's own when an ordinary toolchain is there, else `native/lean/lean.h`, which is pinned to the one library it was
written for.  It stands beside the interpreter, which needs none of this, and is held against it and against the exact
Python reference on every decision when it is built.

Every function that a decision needs must come from that C.  Lean's library holds native code of its own under the same
names (`l_List_length___redArg`), so what the built object leaves open is read back with nm and may be nothing but RUNTIME
(allocation, counting of references, big numbers, closures) and C_LIBRARY.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

from ...spine.paths import root
from ...spine.toolchain import Toolchain, find
from .. import targets
from ..running import cases as corpus
from ..running import checks
from ..running.report import Progress, Report, shown
from .decisions import DECISIONS, BadRequest, check, fits, gives
from .interpreter import Oracle, OracleError, Refusal
from .translation import Unavailable, folder_of, headers, native, table, translate, without_initialiser
from .wire import Unfit, answers, results, writer

FLAGS = (
    "-O1",
    "-w",
    "-fPIC",
    "-std=gnu11",
    "-fvisibility=hidden",
    "-fno-strict-aliasing",
    "-ffunction-sections",
    "-fdata-sections",
    "-DNDEBUG",
    "-fno-stack-protector",
    "-U_FORTIFY_SOURCE",
)
LINK = ("-shared", "-Wl,--gc-sections", "-Wl,-Bsymbolic", "-Wl,-z,now", "-Wl,-z,noexecstack")

_BINARY = ("add", "sub", "mul", "eq", "le", "lt")
RUNTIME = frozenset(
    {
        "lean_initialize_runtime_module",
        # memory; the second line by Lean's own header only
        "lean_alloc_small_object_core",
        "lean_free_object",
        "lean_dec_ref_cold",
        "lean_obj_once_cold",
        "lean_internal_panic_unreachable",
        "lean_inc_heartbeat",
        "lean_inc_ref_huge_n",
        "lean_internal_panic_out_of_memory",
        "mi_malloc",
        "mi_malloc_small",
        "mi_free",
        # big numbers
        *(f"lean_nat_big_{name}" for name in (*_BINARY, "succ", "div", "mod")),
        "lean_nat_overflow_mul",
        "lean_nat_pow",
        *(f"lean_int_big_{name}" for name in (*_BINARY, "ediv", "neg", "nonneg")),
        "lean_big_usize_to_nat",
        "lean_big_size_t_to_int",
        "lean_big_int64_to_int",
        "lean_big_int_to_nat",
        # how those get memory for their digits
        "__gmp_allocate_func",
        "__gmp_reallocate_func",
        "__gmp_free_func",
        # calls of closures, whose code is ours
        *(f"lean_apply_{n}" for n in range(1, 9)),
    }
)
C_LIBRARY = frozenset(
    {
        "read",
        "write",
        "malloc",
        "realloc",
        "free",
        "free_sized",
        "memcpy",
        "memmove",
        "memset",
        "strlen",
        "_exit",
        "__errno_location",
        "clock_gettime",
        "mmap",
        "getcontext",
        "makecontext",
        "swapcontext",
        "__cxa_finalize",
        "__gmon_start__",
        "_ITM_deregisterTMCloneTable",
        "_ITM_registerTMCloneTable",
    }
)

CHUNK = 1 << 16  # a request is closed when it is this long; the next one is written while it is decided
LONGEST = 1 << 24  # bytes of one case
SEED = 20260101
CHECKED = 40  # cases of each decision that a new oracle is checked on


@dataclass(frozen=True)
class Built:
    """The oracle, ready to run.

    library: the object that was built.  runtime: Lean's library.  header: where the header came from.  symbols: what comes from Lean's library.
    decisions: how many are served.  checked: cases it was checked on when it was built.  seconds: how long that took.  cached: it was there already.
    """

    library: Path
    runtime: Path
    header: str
    symbols: tuple[str, ...]
    decisions: int
    checked: int
    seconds: float
    cached: bool = False


# ---- from C to an object -------------------------------------------------------------------------------------------


def _tool(*command: str) -> str:
    try:
        run = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        raise Unavailable(f"no {command[0]} on PATH: the compiled oracle needs gcc and the nm that comes with it") from None
    if run.returncode:
        raise OracleError(f"{command[0]} failed: {run.stderr.strip()[:1000]}")
    return run.stdout


def undefined(library: Path) -> list[str]:
    """What a shared object leaves open, weak references too, without the versions of the C library."""
    return sorted({line.split()[0].partition("@")[0] for line in _tool("nm", "-D", "--undefined-only", "--format=posix", str(library)).splitlines()})


def check_symbols(library: Path, constants: set[str]) -> tuple[str, ...]:
    """What comes from Lean's library.  Raises OracleError if that is more than RUNTIME, or if the code reads one of `constants`, which nothing would set."""
    open_ = undefined(library)
    foreign = [name for name in open_ if name not in RUNTIME | C_LIBRARY]
    if foreign:
        raise OracleError(f"the compiled decisions would take {', '.join(foreign)} from the binary; only its runtime may be used")
    inside = {line.split()[0] for line in _tool("nm", "--defined-only", "--format=posix", str(library)).splitlines()}
    if inside & constants:
        raise OracleError(f"the compiled decisions need constants that an initialiser sets: {', '.join(sorted(inside & constants))}")
    return tuple(name for name in open_ if name in RUNTIME)


def build_oracle(base: Path | None = None, lean: Toolchain | None = None, progress: Callable[[str], None] | None = None) -> Built:
    """Build the oracle unless it is there, and check it: its symbols, and its answers against the interpreter's and the exact ones.

    Raises OracleError (Unavailable without gcc or for another library), LeanNotFound, BuildError.  Nothing is left behind that failed a check.
    """
    start = time.perf_counter()
    base, lean = base or root(), lean or find()
    say = progress or (lambda what: None)
    include, runtime, header = headers(lean, base)
    gcc = _tool("gcc", "--version").splitlines()[0]
    say("C from Lean")
    texts = translate(base, lean)
    sources = {name: without_initialiser(name, text) for name, text in texts.items()}
    constants = set().union(*(names for _, names in sources.values()))
    units = {**{name: text for name, (text, _) in sources.items()}, "table": table(texts.values()), "oracle": (native() / "oracle.c").read_text()}
    # what else is in the folder of a toolchain's header belongs to its version, which the digest of its library pins
    context = "\0".join((gcc, *FLAGS, *LINK, lean.digest, str(include), (include / "lean" / "lean.h").read_text()))

    def key(*parts: str) -> str:
        return hashlib.sha256("\0".join((context, *parts)).encode()).hexdigest()

    whole = key(*(f"{name}\0{text}" for name, text in sorted(units.items())))
    folder = folder_of(base)
    library, stamp = folder / f"{whole[:24]}.so", folder / f"{whole[:24]}.json"
    try:
        about = json.loads(stamp.read_text())
        if about.pop("sha256") == hashlib.sha256(library.read_bytes()).hexdigest():
            return Built(library, runtime, header, tuple(about["symbols"]), about["decisions"], about["checked"], about["seconds"], True)
    except (OSError, ValueError, KeyError):
        pass
    (folder / "o").mkdir(parents=True, exist_ok=True)

    def compile_(name: str) -> str:
        path = folder / "o" / f"{name}.{key(units[name])[:24]}.o"
        if not path.exists():
            source, scratch = path.with_suffix(f".{os.getpid()}.c"), path.with_suffix(f".{os.getpid()}.tmp")
            source.write_text(units[name])
            _tool("gcc", *FLAGS, f"-I{include}", "-c", str(source), "-o", str(scratch))
            os.replace(scratch, path)
            source.unlink()
        return str(path)

    say("gcc")
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        objects = list(pool.map(compile_, units))
    scratch = library.with_suffix(f".{os.getpid()}.so")
    try:
        _tool("gcc", *LINK, "-o", str(scratch), *objects)
        symbols = check_symbols(scratch, constants)
        say("checks")
        built = Built(scratch, runtime, header, symbols, len(DECISIONS), 0, 0.0)
        checked = cross_check(built, base, lean)
        digest = hashlib.sha256(scratch.read_bytes()).hexdigest()
        os.replace(scratch, library)
    finally:
        scratch.unlink(missing_ok=True)
    done = Built(library, runtime, header, symbols, len(DECISIONS), checked, round(time.perf_counter() - start, 1))
    part = stamp.with_suffix(f".{os.getpid()}.tmp")
    part.write_text(json.dumps({"sha256": digest, **{k: v for k, v in asdict(done).items() if k in ("symbols", "decisions", "checked", "seconds")}}))
    os.replace(part, stamp)
    return done


def cross_check(built: Built, base: Path | None = None, lean: Toolchain | None = None, each: int = CHECKED) -> int:
    """Ask the compiled oracle, the interpreter and the exact reference the same; the number of cases.  Raises OracleError naming what differs.

    `each` cases of every decision at its boundary, and the cases of the corpus.
    """
    count = 0
    with Oracle(base=base, lean=lean) as interpreter, Compiled(base=base, lean=lean, built=built) as oracle:
        for stem, members in targets.load().items():
            kept = corpus.read(stem)
            for target in members:
                rng = Random(f"{SEED}/compiled/{target.decision}")
                batch = [target.generate(rng) for _ in range(each)] + [c.args for c in kept if c.decision == target.decision]
                wrong = disagreements(target, batch, oracle, interpreter)
                if wrong:
                    raise OracleError(f"the compiled oracle is not built: {wrong[0]}" + (f"; {len(wrong) - 1} more" if wrong[1:] else ""))
                count += len(batch)
    return count


class Compiled(Oracle):
    """The compiled decisions, with the methods of `Oracle`.

    Arguments that do not fit the decision give a Refusal.  native: seconds of processor time inside the oracle, the making of Lean values included.
    built: an oracle that was built already.  Raises OracleError, Unavailable without gcc.
    """

    def __init__(self, timeout: float = 60.0, base: Path | None = None, lean: Toolchain | None = None, built: Built | None = None) -> None:
        super().__init__(timeout, base, lean)
        self.built = built
        self.native = 0.0

    def __enter__(self) -> Compiled:
        self.built = self.built or build_oracle(self.base, self.lean)
        self._open([sys.executable, str(Path(__file__).with_name("compiled_main.py")), str(self.built.runtime), str(self.built.library)], answers)
        try:
            self.names = {name: i for i, name in enumerate(DECISIONS)}
            self._ask([struct.pack("<IIQ", 0, 0, 0)])  # an answer to nothing: it runs
        except BaseException:
            self.close()
            raise
        return self

    def many(self, decision: str, cases: Iterable[Sequence[Any]]) -> list[Any]:
        """The decision on every tuple of arguments, as in `Oracle.many`."""
        number = self.names.get(decision)
        if number is None:
            raise OracleError(f"no decision {decision!r}; the oracle has {', '.join(self.names) or 'not been started'}")
        write = writer(decision)
        out: list[Any] = []
        places: list[int] = []

        def requests() -> Iterator[bytes]:
            parts: list[bytes] = []
            size = 0

            def whole() -> bytes:
                return struct.pack("<IIQ", number, len(parts), size) + b"".join(parts)

            for args in cases:
                try:
                    part = write(args)
                except Unfit:
                    out.append(_refusal(decision, args))
                    continue
                if len(part) > LONGEST:
                    out.append(Refusal(f"a case of {len(part)} bytes; at most {LONGEST}"))
                    continue
                places.append(len(out))
                out.append(None)
                parts.append(part)
                size += len(part)
                if size > CHUNK:
                    yield whole()
                    parts, size = [], 0
            if parts:
                yield whole()

        found: list[Any] = []
        for count, data in self._ask(requests()):
            try:
                found += results(gives(decision), data, count)
            except (ValueError, IndexError) as error:
                self._fail(f"an answer that cannot be read: {error}")
        if len(found) != len(places):
            self._fail(f"{len(found)} answers to {len(places)} requests")
        for i, x in zip(places, found):
            out[i] = x
        return out

    def _send(self, request: bytes) -> None:
        if self._process is None or self._process.stdin is None:
            raise OracleError("the oracle is not running")
        try:
            self._process.stdin.write(request)
            self._process.stdin.flush()
        except OSError:
            self._receive()  # what it said before it ended
            self._fail("it takes no more requests")

    def _read(self, answer: bytes) -> tuple[int, bytes]:
        if len(answer) < 24:
            self._fail("it ended without an answer")
        status, count, nanoseconds, size = struct.unpack_from("<IIQQ", answer)
        if len(answer) != 24 + size:
            self._fail("an answer that is cut short")
        if status:
            self._fail(f"a malformed request: {answer[24:].decode(errors='replace')}")
        self.native += nanoseconds / 1e9
        return count, answer[24:]


def _refusal(decision: str, args: Any) -> Refusal:
    try:
        check(decision, args)
    except BadRequest as error:
        return Refusal(str(error))
    raise OracleError(f"{decision}: arguments that fit cannot be written")


# ---- all oracles on the same requests ------------------------------------------------------------------------------


def _exact(target: targets.Target, args: Sequence[Any]) -> Any:
    """The reference's answer; an exception is an answer that agrees with nothing."""
    try:
        return target.reference(*args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def disagreements(target: targets.Target, batch: Sequence[Sequence[Any]], *oracles: Oracle) -> list[str]:
    """Where the oracles and the exact reference do not give one answer of one type."""
    return _compare(target, batch, oracles)[0]


def _compare(target: targets.Target, batch: Sequence[Sequence[Any]], oracles: Sequence[Oracle]) -> tuple[list[str], int]:
    """What `disagreements` gives, and how many exact answers are `true`."""
    given = [[x.why if isinstance(x, Refusal) else x for x in oracle.many(target.decision, batch)] for oracle in oracles]
    wrong, admitted = [], 0
    for i, args in enumerate(batch):
        exact = _exact(target, args)
        admitted += exact is True
        said = {"exact": exact, **{type(oracle).__name__.lower(): answered[i] for oracle, answered in zip(oracles, given)}}
        if any(type(x) is not type(exact) or x != exact for x in said.values()):
            wrong.append(f"{target.decision}{shown(tuple(args), 200)}: " + ", ".join(f"{who} {shown(x, 100)}" for who, x in said.items()))
    return wrong, admitted


def lane_checks(oracle: Oracle, interpreter: Oracle, by_stem: dict[str, list[targets.Target]], size: int = 16) -> list[checks.Check]:
    """A check for each decision: lists of `size` cases, on which both oracles and the exact reference must agree."""

    def made(target: targets.Target) -> checks.Check:
        def run(batch: Sequence[Sequence[Any]]) -> checks.Result:
            fit = [args for args in batch if fits(target.decision, args)]  # not what the shrinking of a batch makes of it
            wrong, admitted = _compare(target, fit, (oracle, interpreter))
            return checks.Result(len(fit), wrong[0] if wrong else None, admitted)

        return checks.Check(target.decision, lambda rng: ([target.generate(rng) for _ in range(size)],), run, batch=4)

    return [made(target) for members in by_stem.values() for target in members]


def compiled_lane(
    seed: int,
    seconds: float,
    report: Report,
    progress: Progress | None = None,
    by_stem: dict[str, list[targets.Target]] | None = None,
    where: Path | None = None,
    promote: bool = True,
) -> None:
    """The lane `compiled`: every request goes to the compiled oracle, the interpreter and the exact reference.  Raises Unavailable without gcc."""
    lean = find()
    with Compiled(lean=lean) as oracle, Oracle(lean=lean) as interpreter:
        checks.sweep("compiled", lane_checks(oracle, interpreter, by_stem or targets.load()), seed, seconds, report, progress, where, promote)
