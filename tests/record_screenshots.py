"""Pictures of the HTML report for docs/probe.md: `python tests/record_screenshots.py report.json`, from a report of `gnosis probe minilm`.

Needs Debian's `chromium`, and Pillow (it comes with matplotlib) to keep the files small.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from pathlib import Path

import browser
from PIL import Image, ImageChops

from gnosis.probe import html, report

DOCS = Path(__file__).parent.parent / "docs"
WIDTH = 1120
HEIGHT = 4000  # more than the sections that are shown need
# name of the picture, sections below the head of the page, theme
PICTURES = (("probe-light.png", ("h-admission", "h-acceptance"), browser.LIGHT), ("probe-dark.png", ("h-frontier", "h-coverage", "h-residuals"), browser.DARK))
COLOURS = 256
MOST_BYTES = 300_000


def only(page: str, sections: tuple[str, ...]) -> str:
    """The page with its head and these sections."""
    start, end = page.index("<main>") + len("<main>"), page.index("</main>")
    every = re.findall(r'<section [^>]*aria-labelledby="([^"]+)">(.*?)</section>', page[start:end], re.S)
    return page[:start] + "".join(f"<section>{inside}</section>" for name, inside in every if name in sections) + page[end:]


def trimmed(image: Image.Image) -> Image.Image:
    """Without the empty rows at the bottom."""
    ground = Image.new("RGB", image.size, image.getpixel((0, 0)))
    box = ImageChops.difference(image, ground).getbbox()
    return image if box is None else image.crop((0, 0, image.width, min(image.height, box[3] + 20)))


def record(found: report.Report, folder: Path) -> None:
    """Write the pictures; an error when the page writes anything on the console or a picture is too large."""
    with tempfile.TemporaryDirectory() as temporary:
        page = Path(temporary) / "report.html"
        text = html.render(found)
        for name, sections, theme in PICTURES:
            image = Path(temporary) / name
            page.write_text(only(text, sections), encoding="utf-8")
            said = browser.screenshot(page, image, Path(temporary) / "profile", WIDTH, HEIGHT, theme)
            if said:
                raise SystemExit(f"{name}: {'; '.join(said)}")
            picture = trimmed(Image.open(image).convert("RGB"))
            picture.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE).save(folder / name, optimize=True)
            size = (folder / name).stat().st_size
            if size >= MOST_BYTES:
                raise SystemExit(f"{name}: {size:,} bytes")
            print(f"{folder / name}: {size:,} bytes")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("report", type=Path)
    parser.add_argument("--folder", type=Path, default=DOCS)
    given = parser.parse_args()
    if browser.CHROMIUM is None:
        raise SystemExit("chromium is not installed")
    record(report.read(given.report), given.folder)
