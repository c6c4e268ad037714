"""Whether what is about to run is what the audit has locked: a quick look, without the kernel.

`gnosis spine decide` runs compiled files that may lie there already.  `gnosis spine audit` says in full what they are; here
the sources are read with the same rules before anything is compiled, and then the code that a decision calls is held
against `audits/code.lock`, together with everything that could put other code in its place.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..audits import audit, build, code, generated, language, sources, tokens
from ..audits.environment import Environment
from ..audits.findings import Finding
from ..audits.lean import Toolchain
from ..audits.olean import BadImage

LOCK = Path("audits") / "code.lock"


def locked(base: Path) -> dict[str, str]:
    """The lines of the lock of this checkout.  Raises OSError and ValueError."""
    return code.read((base / LOCK).read_text(encoding="utf-8"))


def refused_sources(base: Path) -> list[Finding]:
    """What the audit would say about the sources of the spine before it compiles them.  Raises OSError, ValueError and BuildError."""
    found, said = sources.read(base)
    exceptions = audit.load_exceptions((base / "audits" / "exceptions.yaml").read_text(encoding="utf-8"))["tokens"]
    texts = {s.file: s.text for s in found.values()}

    def here(file: str) -> bool:
        return file.startswith(f"{sources.FOLDER}/")

    excepted = [{**e, "files": {f: n for f, n in e["files"].items() if here(f)}} for e in exceptions]
    special = {file: sha for file, sha in code.locked_sources(locked(base)).items() if here(file)}
    return said + tokens.audit(texts, excepted)[0] + language.audit(texts, special)


def refused_code(base: Path, out: Path, lean: Toolchain, modules: Iterable[str]) -> list[Finding]:
    """What is wrong with the compiled files of `modules` and of all that they import: not made of the present sources as far as the
    build recorded that, other imports, tables that a compiled file may not have, code of a decision that is not the locked one.

    Raises OSError, ValueError and BuildError.
    """
    lock, found = locked(base), sources.read(base)[0]
    try:
        env = Environment(out, modules)
        functions, again = generated.functions(env)
    except BadImage as error:
        return [Finding("code", "compiled files", str(error))]
    said = [Finding("code", f"{f.module}: {f.name}", "has code in two modules") for f in again]
    known = {name: source for name, source in found.items() if name in env.modules}
    said += [Finding("build", name, "there is no such source") for name in env.modules if name not in known]
    said += [
        Finding("build", name, "the compiled file is not the one that the build made of this source")
        for name in build.manifest(found, out, lean)[1]
        if name in known
    ]
    for name, source in known.items():
        module = env.modules[name]
        said += [Finding("reader", name, text) for text in audit.objections(module, source, lean.version)] + code.module(name, module, lock)
    now, nowhere = code.runs(env, functions)
    return said + nowhere + code.table(env) + code.differences({key: lock[key] for key in now if key in lock}, now)
