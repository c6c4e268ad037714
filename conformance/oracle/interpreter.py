"""The oracle: the Lean decision definitions themselves, run by Lean's interpreter.

One process is kept warm and answers batches (`Gnosis/Driver/Serve.lean` says how a request looks).  No C compiler and
no generated code is involved; what is trusted beyond the definitions is the interpreter, Lean's arithmetic of big
numbers, and the JSON code that carries numbers in and out.
"""

from __future__ import annotations

import json
import queue
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...audits.lean import foreign
from ...spine import build
from ...spine.paths import build_dir, root
from ...spine.toolchain import Toolchain, find

DRIVER = "Gnosis.Driver.Serve"
LONGEST = 1 << 20  # `Gnosis.Driver.longest`
CHUNK = 1 << 16  # a request is closed when it is this long


class OracleError(RuntimeError):
    """The oracle cannot be started, died, took too long, or refused a request as a whole."""


@dataclass(frozen=True)
class Refusal:
    """The driver's answer to arguments that do not fit the decision."""

    why: str


class Oracle:
    """A warm process that decides.

    with Oracle() as oracle:
        oracle.energyAdmit([1, 2], [3, 4], 23)                  # True; every decision by its Lean name
        oracle.many("energySidecarAdmit", [(1, 2, 3), (1, 2, 2)])  # [True, False]

    timeout: seconds for one answer to a batch (at most CHUNK bytes, or one request).  base: a checkout other than this one.
    Raises OracleError.  Safe to use from several threads; requests are then answered one after another.
    """

    def __init__(self, timeout: float = 60.0, base: Path | None = None, lean: Toolchain | None = None) -> None:
        self.timeout = timeout
        self.base = base or root()
        self.lean = lean
        self.names: dict[str, int] = {}
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> Oracle:
        self.lean = self.lean or find()
        result = build.build(only=[DRIVER], base=self.base, lean=self.lean)
        if not result.ok:
            raise OracleError("the driver does not compile: " + "; ".join(map(str, result.messages[:3])))
        driver = self.base.joinpath(*DRIVER.split(".")).with_suffix(".lean")
        self._open([*self.lean.command, *build.OPTIONS, "-R", str(self.base), "--run", str(driver)], iter, LEAN_PATH=str(build_dir(self.base, self.lean)))
        try:
            self.names = {name: number for number, name in enumerate(self._ask([b"[0]"])[0], 1)}
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process.  Further requests raise OracleError."""
        process, self._process = self._process, None
        if process is not None:
            self._end(process, 5.0)

    def _end(self, process: subprocess.Popen[bytes], patience: float) -> bool:
        """Close everything; returns whether the process had to be killed."""
        assert process.stdin is not None
        try:
            process.stdin.close()
        except OSError:
            pass
        try:
            process.wait(patience)
            killed = False
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            killed = True
        for reader, stream in self._readers:
            reader.join(5)
            stream.close()
        return killed

    @property
    def pid(self) -> int | None:
        """The process number; None when it is not running."""
        return self._process.pid if self._process else None

    def __getattr__(self, decision: str) -> Callable[..., Any]:
        if decision.startswith("_") or decision not in self.__dict__.get("names", {}):
            raise AttributeError(f"no decision {decision!r}")
        return lambda *args: self.decide(decision, *args)

    def decide(self, decision: str, *args: Any) -> Any:
        """One decision.  Raises OracleError also when the driver refuses the arguments."""
        answer = self.many(decision, [args])[0]
        if isinstance(answer, Refusal):
            raise OracleError(f"{decision}: {answer.why}")
        return answer

    def many(self, decision: str, cases: Iterable[Sequence[Any]]) -> list[Any]:
        """The decision on every tuple of arguments: integers, lists of integers or of bool (masks), lists of pairs and triples.

        Returns bool, int, None, or a list for each, or a Refusal where the arguments do not fit.
        """
        number = self.names.get(decision)
        if number is None:
            raise OracleError(f"no decision {decision!r}; the oracle has {', '.join(self.names) or 'not been started'}")
        requests, counts = [], []
        head = f"[{number},"
        parts: list[str] = []
        size = 0

        def close() -> None:
            nonlocal parts, size
            if parts:
                requests.append((head + ",".join(parts) + "]").encode())
                counts.append(len(parts))
                parts, size = [], 0

        for args in cases:
            try:
                text = json.dumps(args, separators=(",", ":"), allow_nan=False)
            except (TypeError, ValueError) as error:
                raise OracleError(f"{decision}: arguments that cannot be sent: {error}") from None
            if len(text) + len(head) + 2 > LONGEST:
                raise OracleError(f"{decision}: a request of {len(text)} bytes; the driver takes at most {LONGEST}")
            if size + len(text) > CHUNK:
                close()
            parts.append(text)
            size += len(text) + 1
        close()
        answers = [x for part in self._ask(requests) for x in part]
        if len(answers) != sum(counts):
            self._fail(f"{len(answers)} answers to {sum(counts)} requests")
        return [Refusal(x["error"]) if isinstance(x, dict) else x for x in answers]

    # ---- the process -----------------------------------------------------------------------------------------------

    def _open(self, command: list[str], split: Callable[[Any], Iterator[bytes]], **env: str) -> None:
        """Start the process; `split` cuts its output into answers."""
        self._process = subprocess.Popen(command, cwd=self.base, env=foreign(**env), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        out, err = self._process.stdout, self._process.stderr
        assert out is not None and err is not None
        self._answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._said: deque[bytes] = deque(maxlen=20)
        self._readers = [
            (self._reader(parts, put, end), stream)
            for stream, parts, put, end in ((out, split(out), self._answers.put, True), (err, iter(err), self._said.append, False))
        ]

    @staticmethod
    def _reader(parts: Iterator[bytes], put: Callable[[bytes], Any], end: bool) -> threading.Thread:
        def run() -> None:
            for part in parts:
                put(part)
            if end:
                put(b"")

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        return thread

    def _ask(self, requests: Iterable[bytes]) -> list[list[Any]]:
        """Send requests, each without its line break, and return the answers.  One request is always under way while the next is sent."""
        with self._lock:
            answers: list[Any] = []
            sent = 0
            try:
                for request in requests:
                    self._send(request)
                    sent += 1
                    if sent > 1:
                        answers.append(self._receive())
                if sent:
                    answers.append(self._receive())
            except BaseException:
                # an answer still to come would be taken for the answer to the next request
                process, self._process = self._process, None
                if process is not None:
                    process.kill()
                    self._end(process, 5.0)
                raise
        for answer in answers:
            if isinstance(answer, dict):
                raise OracleError(f"the driver refused a request: {answer.get('error')}")
        return answers

    def _send(self, request: bytes) -> None:
        if self._process is None or self._process.stdin is None:
            raise OracleError("the oracle is not running")
        try:
            self._process.stdin.write(b"%d\n%b\n" % (len(request) + 1, request))
            self._process.stdin.flush()
        except OSError:
            self._fail("it takes no more requests")

    def _receive(self) -> Any:
        try:
            answer = self._answers.get(timeout=self.timeout)
        except queue.Empty:
            self._fail(f"no answer within {self.timeout:g} s")
        return self._read(answer)

    def _read(self, answer: bytes) -> Any:
        if not answer.endswith(b"\n"):
            self._fail("it ended without an answer")
        try:
            return json.loads(answer)
        except ValueError:
            self._fail(f"an answer that is not JSON: {answer[:80]!r}")

    def _fail(self, why: str) -> Any:
        """Stop the process and say what happened."""
        process, self._process = self._process, None
        if process is None:
            raise OracleError(why)
        # a process that is about to end gets the time to do so, for the sake of its exit code
        killed = self._end(process, 0.5)
        code = process.returncode
        how = "it was stopped" if killed else f"it ended with {f'signal {-code}' if code < 0 else f'code {code}'}"
        said = b" ".join(self._said).decode(errors="replace").strip()
        raise OracleError(f"the Lean oracle failed: {why}; {how}" + (f"; it said: {said[-500:]}" if said else ""))
