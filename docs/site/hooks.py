"""What MkDocs does beside its own work: pages that lie outside of docs/, links to them, and the page of all commands."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
# path in the repository → page of the site; what is no page is a file as it is
OUTSIDE = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md", "audits/TRUST.md": "trusted.md"}
LINK = re.compile(r"(?<!!)(\[[^\]\[]*\])\(([^)\s#:]+)(#[^)\s]*)?\)")


def place(path: str) -> str:
    """Where a file of the repository is on the site."""
    return path.removeprefix("docs/") if path.startswith("docs/") else OUTSIDE.get(path, f"source/{path}")


def links(text: str, source: str) -> list[str]:
    """The files of the repository that a page links to, as paths from its root."""
    return [posixpath.normpath(posixpath.join(posixpath.dirname(source), target)) for _, target, _ in LINK.findall(text)]


def moved(text: str, source: str) -> str:
    """A page of the repository with its links as they are on the site."""
    here = posixpath.dirname(place(source))

    def link(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), found[2]))
        return f"{found[1]}({posixpath.relpath(place(target), here or '.')}{found[3] or ''})"

    return LINK.sub(link, text)


def commands() -> str:
    """The help of every command, as a terminal shows it."""
    import typer

    from gnosis.cli import app

    lines = ["# All commands", ""]

    def told(command: Any, name: str) -> None:
        lines.extend((f"{'##' if name != 'gnosis' else '## The command'} `{name}`", "", "```text"))
        lines.extend((command.make_context(name, [], resilient_parsing=True, terminal_width=100, max_content_width=100).get_help(), "```", ""))
        for inner, one in sorted(getattr(command, "commands", {}).items()):
            told(one, f"{name} {inner}")

    told(typer.main.get_command(app), "gnosis")
    return "\n".join(lines)


def on_files(files: Files, config: Any) -> Files:
    """Pages from outside of docs/, and files that pages link to."""
    sources = {f"docs/{file.src_uri}": (ROOT / "docs" / file.src_uri).read_text(encoding="utf-8") for file in files.documentation_pages()}
    for path, page in OUTSIDE.items():
        sources[path] = (ROOT / path).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=moved(sources[path], path)))
    for path in sorted({target for source, text in sources.items() for target in links(text, source)}):
        if not path.startswith(("docs/", "..")) and path not in OUTSIDE and (ROOT / path).is_file():
            files.append(File.generated(config, place(path), content=(ROOT / path).read_bytes()))
    files.append(File.generated(config, "reference/commands.md", content=commands()))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Links of the pages of docs/ that lead out of it."""
    return markdown if page.file.generated_by else moved(markdown, f"docs/{page.file.src_uri}")
