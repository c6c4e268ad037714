"""Pages in a real browser: Debian's `chromium`, headless and without a network."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

CHROMIUM = shutil.which("chromium")
SECONDS = 120
DARK = "--blink-settings=preferredColorScheme=0"
LIGHT = "--blink-settings=preferredColorScheme=1"
_CONSOLE = re.compile(r":CONSOLE[:(]\d+\)?\] (.*)")


@dataclass(frozen=True)
class Visit:
    """dom: the page after its scripts ran.  console: what was written there, errors and refusals of the policy included."""

    dom: str
    console: list[str]


def _run(page: Path, profile: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """profile: a folder of its own for every visit that runs at the same time."""
    assert CHROMIUM is not None
    return subprocess.run(
        [
            CHROMIUM,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--no-first-run",
            "--disable-extensions",
            "--disable-dev-shm-usage",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            "--enable-logging=stderr",
            f"--user-data-dir={profile}",
            *options,
            page.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
    )


def visit(page: Path, profile: Path, *options: str) -> Visit:
    """Open a page and run its scripts.  Raises subprocess errors."""
    done = _run(page, profile, "--dump-dom", *options)
    return Visit(done.stdout, _CONSOLE.findall(done.stderr))


def screenshot(page: Path, image: Path, profile: Path, width: int, height: int, *options: str) -> list[str]:
    """A picture of a page from its top on, as PNG; returns what was written on the console.  Raises subprocess errors."""
    done = _run(page, profile, f"--screenshot={image}", f"--window-size={width},{height}", *options)
    return _CONSOLE.findall(done.stderr)
