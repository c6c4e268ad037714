"""Command lines that stand in help texts and on pages, held against the real commands: nothing is run."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from gnosis.cli import app

ENDS = {"|", ">", ">>", "<", "&&", "||", ";", "2>", "&"}


def commands(group: Any = None, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every command by its name, those of groups too."""
    for name, command in (group or typer.main.get_command(app)).commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}", command


def calls(line: str) -> list[list[str]]:
    """The words behind each `gnosis` of a line of a shell; what follows a # is left out."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters = True, "#"
    found: list[list[str]] = []
    inside, first = False, True
    for word in lexer:
        if word in ENDS:
            inside, first = False, word not in ("<", ">", ">>", "2>")
        elif inside:
            found[-1].append(word)
        elif first and word in ("gnosis", ".venv/bin/gnosis"):
            inside = True
            found.append([])
        elif not re.match(r"\$$|[A-Z_]+=", word):  # a prompt, or a variable that is set for the command
            first = False
    return found


def leaf(words: list[str]) -> tuple[str, Any, list[str]]:
    """The command that words name, and the rest of them.  KeyError."""
    command, name = typer.main.get_command(app), ""
    rest = list(words)
    while hasattr(command, "commands") and rest and not rest[0].startswith("-"):
        name = rest.pop(0)
        command = command.commands[name]  # type: ignore[attr-defined]
    return name, command, rest


def problem(words: list[str], folder: Path) -> str | None:
    """Why the real command would not take these words; None when it would.  Files that are named are made in the folder, empty."""
    try:
        name, command, rest = leaf(words)
    except KeyError as error:
        return f"there is no command {error}"
    if hasattr(command, "commands") and not rest:
        return None
    for word in rest:
        if re.fullmatch(r"[\w-]+\.\w+", word):
            (folder / word).touch()
    before = os.getcwd()
    os.chdir(folder)
    try:
        command.make_context(name, rest)
    except typer.Exit:  # --help, --version
        return None
    except Exception as error:
        if not hasattr(error, "format_message"):  # what typer says of wrong words; its class has moved before
            raise
        return str(error.format_message())
    finally:
        os.chdir(before)
    return None


def examples(help_text: str) -> list[str]:
    """The lines under "Examples:" of a help text, continued ones joined."""
    _, _, rest = help_text.partition("Examples:\n")
    block = re.match(r"(?: +\S.*\n?)+", rest)
    return [] if block is None else [line.strip() for line in re.sub(r"\\\n\s*", "", block[0]).splitlines()]
