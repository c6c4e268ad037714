"""The tests on another Debian, in a folder of its own: `python tests/debian.py [--suite trixie] [--json] [FILE ...]`.

debootstrap makes the system (Debian 13 has Python 3.13), `requirements/setup.sh` what `make setup` makes, and pytest runs the main part: gates,
formats, accounts, inference, readers, commands; or the files that are named.  What needs the compiled spine is left out.  The system is kept in
build/debian-SUITE.  Without debootstrap, or without the rights of root, nothing runs, and that is one skip with its reason.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree

import wheels

PACKAGES = "python3,python3-venv,python3-dev,gcc,libc6-dev,make,git,ca-certificates"
# tests that build or read the spine, take apart its sources, or judge this checkout; each works with any Python that Lean's process is started from
LEFT_OUT = re.compile(
    "test_(conform|(audit|build|checker|checks|code|compiled|decide|dojo|export|fuzz|habits|hostile_exports|kernel_samples|lake|long|manifest|mutants|"
    "names|oracle|packaging|refused_exports|rooms|second_opinion|trust|wheel).*)"
)
PIP = ("PIP_INDEX_URL", "PIP_DEFAULT_TIMEOUT", "PIP_TRUSTED_HOST", "http_proxy", "https_proxy")


def chosen() -> list[str]:
    return [f"tests/{p.name}" for p in sorted((wheels.ROOT / "tests").glob("test_*.py")) if not LEFT_OUT.fullmatch(p.stem)]


def why_not() -> str:
    """Why it cannot run here; "" when it can."""
    if os.geteuid() != 0:
        return "chroot needs the rights of root"
    return "" if shutil.which("debootstrap") else "debootstrap is not installed (apt-get install debootstrap)"


@contextmanager
def mounted(system: Path) -> Iterator[None]:
    """/proc and a few devices of the system, for a while."""
    pairs = [("/proc", "proc"), *((f"/dev/{name}", f"dev/{name}") for name in ("null", "zero", "full", "urandom", "shm", "pts"))]
    done: list[Path] = []
    try:
        for source, name in pairs:
            target = system / name
            if Path(source).is_dir():
                target.mkdir(exist_ok=True)
            else:
                target.touch()
            subprocess.run(["mount", "--bind", source, str(target)], check=True)
            done.append(target)
        terminals = system / "dev" / "ptmx"  # a bound device would not find its pts
        terminals.unlink(missing_ok=True)
        terminals.symlink_to("pts/ptmx")
        yield
    finally:
        for target in reversed(done):
            subprocess.run(["umount", str(target)])


def run(suite: str, system: Path, files: list[str]) -> dict[str, object]:
    """Returns ok, the version of Python, and how many tests passed, failed and were skipped."""
    if not (system / "made").exists():
        subprocess.run(["debootstrap", "--variant=minbase", f"--include={PACKAGES}", suite, str(system)], check=True, stdout=sys.stderr)
        (system / "made").touch()
    shutil.copy("/etc/resolv.conf", system / "etc" / "resolv.conf")
    env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8", **{name: os.environ[name] for name in PIP if name in os.environ}}
    if certificates := os.environ.get("PIP_CERT"):
        shutil.copy(certificates, system / "root" / "certificates.pem")
        env["PIP_CERT"] = "/root/certificates.pem"
    for old in ("pysrc", "tests", "conformance", "audits", "cython_core"):
        shutil.rmtree(system / "gnosis" / old, ignore_errors=True)
    wheels.copy_sources(wheels.ROOT, system / "gnosis")
    script = f"cd /gnosis && sh requirements/setup.sh .venv && .venv/bin/python --version > version && .venv/bin/python -m pytest -q --junitxml=tests.xml {' '.join(files)}"
    with mounted(system):
        code = subprocess.run(["chroot", str(system), "sh", "-c", script], env=env, stdout=sys.stderr).returncode
    found = {"version": (system / "etc" / "debian_version").read_text().strip(), "python": (system / "gnosis" / "version").read_text().split()[-1]}
    total = next(ElementTree.parse(system / "gnosis" / "tests.xml").getroot().iter("testsuite")).attrib
    failed, skipped = int(total["failures"]) + int(total["errors"]), int(total["skipped"])
    return {
        "ok": code == 0 and not failed,
        "debian": found["version"],
        "python": found["python"],
        "files": len(files),
        "passed": int(total["tests"]) - failed - skipped,
        "failed": failed,
        "skipped": skipped,
    }


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--suite", default="trixie", help="of Debian")
    options.add_argument("--folder", type=Path, help="where the system is, or is made")
    options.add_argument("--json", action="store_true", help="print the result as JSON")
    options.add_argument("files", nargs="*", help="tests; by default the main part")
    given = options.parse_args()
    reason = why_not()
    result = (
        {"ok": True, "reason": reason}
        if reason
        else run(given.suite, (given.folder or wheels.ROOT / "build" / f"debian-{given.suite}").resolve(), given.files or chosen())
    )
    print(json.dumps(result) if given.json else f"skipped: {reason}" if reason else ", ".join(f"{key} {value}" for key, value in result.items()))
    return 0 if result["ok"] else 1


if __name__ == "__main__":
    sys.exit(main())
