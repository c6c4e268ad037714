"""Every command's help has two examples, and every command line of the pages is one that the real commands take."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from command_lines import calls, commands, examples, leaf, problem
from typer.testing import CliRunner

from gnosis.cli import app
from gnosis.cli.examples import EXAMPLES

ROOT = Path(__file__).parents[1]
ALL = dict(commands())
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("audits/*.md"), *ROOT.glob("requirements/*.md")]


@pytest.mark.parametrize("name", ALL)
def test_the_help_has_two_examples_that_the_command_takes(name: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, [*name.split(), "--help"], env={"COLUMNS": "80"})
    assert done.exit_code == 0
    lines = examples(done.stdout)
    assert len(lines) >= 2, done.stdout
    for line in lines:
        (words,) = calls(line)
        assert leaf(words)[1].name == name.split()[-1] and " ".join(words).startswith(name), line
        assert problem(words, tmp_path) is None, (line, problem(words, tmp_path))


def test_examples_are_of_commands_that_there_are() -> None:
    assert set(EXAMPLES) <= set(ALL)


@pytest.mark.parametrize(
    "line",
    [
        "gnosis comparing a.gguf b.gguf",
        "gnosis compare",
        "gnosis compare a.gguf b.gguf --requires x",
        "gnosis basin --paths many",
        "gnosis spine buildd",
        "gnosis head --text no/such/file.txt",
        "true | gnosis spine decide --wrong",
    ],
)
def test_a_line_that_no_command_takes_is_noticed(line: str, tmp_path: Path) -> None:
    (words,) = calls(line)
    assert problem(words, tmp_path)


def test_what_is_a_call_of_a_command() -> None:
    assert calls("$ gnosis models  # where they are") == [["models"]]
    assert calls("A=1 gnosis basin --seed 1 > x.txt && gnosis demo") == [["basin", "--seed", "1"], ["demo"]]
    assert calls("echo gnosis basin") == calls("pip install gnosis") == []
    assert calls("gnosis spine decide < x.jsonl") == [["spine", "decide"]]


# ---- pages -----------------------------------------------------------------------------------------------------------


def block_lines(page: str) -> list[str]:
    """Lines of blocks of commands on a page that begin with a call, continued ones joined."""
    blocks = re.findall(r"^ *```(?:sh|bash|console|shell)?\n(.*?)^ *```$", page, re.M | re.S)
    lines = [line.strip() for block in blocks for line in re.sub(r"\\\n\s*", "", block).splitlines()]
    return [line for line in lines if re.match(r"(?:\$ )?(?:[A-Z_]+=\S+ )*(?:\.venv/bin/)?gnosis ", line) or re.search(r"\| gnosis ", line)]


def spans(page: str) -> list[str]:
    """Calls in the middle of a text."""
    text = re.sub(r"^ *```.*?^ *```$", "", page, flags=re.M | re.S)
    return [span for span in re.findall(r"`([^`\n]+)`", text) if span.startswith("gnosis ")]


def wrong_in(page: str, folder: Path) -> list[str]:
    found = []
    for line in block_lines(page):
        for words in calls(line):
            words = words[: next((i for i, w in enumerate(words) if w == "…"), len(words))]
            if (why := problem(words, folder)) is not None:
                found.append(f"{line}: {why}")
    for words in (words for span in spans(page) for words in calls(span)):  # the command and its options; what they are given may be left out
        if not re.fullmatch(r"[a-z-]+", words[0] if words else "…") or words[-1] == "…":
            continue
        try:
            _, command, rest = leaf(words)
        except KeyError as error:
            found.append(f"{' '.join(words)}: no command {error}")
            continue
        options = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)} | {"--help", "--version"}
        found += [f"{' '.join(words)}: no option {word}" for word in rest if re.match(r"--[a-z]", word) and word.split("=")[0] not in options]
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_every_command_line_of_a_page_is_taken(page: Path, tmp_path: Path) -> None:
    assert wrong_in(page.read_text(encoding="utf-8"), tmp_path) == []


@pytest.mark.parametrize(
    "text",
    ["```\ngnosis compare a.gguf\n```", "```sh\n$ gnosis probe m.gguf \\\n  --formats json\n```", "the command `gnosis prob x`", "`gnosis probe --jsonn`"],
)
def test_a_wrong_command_line_of_a_page_is_noticed(text: str, tmp_path: Path) -> None:
    assert wrong_in(f"# A page\n\n{text}\n", tmp_path)


# ---- --quiet ---------------------------------------------------------------------------------------------------------


def loud(text: str) -> list[int]:
    """Lines that show progress without asking whether it is wanted."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "progress" and len(node.args) < 2
    ]


def test_every_command_with_progress_can_be_quiet() -> None:
    for file in sorted((ROOT / "pysrc" / "gnosis" / "cli").glob("*.py")):
        assert not loud(file.read_text(encoding="utf-8")), file.name
    assert loud("with progress('x') as show: pass") and not loud("with progress('x', quiet) as show: pass")


QUIET = sorted(name for name, command in ALL.items() if any("--quiet" in p.opts for p in command.params))


def test_the_long_commands_are_quiet_where_it_is_asked() -> None:
    assert set(QUIET) >= {"basin", "bench", "compare", "conform", "frontier", "generate", "head", "layers", "manifest", "mutants", "probe", "speculators"}
    assert set(QUIET) >= {"studies", "verify", "spine audit", "spine build", "spine export", "spine lake", "spine lock", "spine oracle"}
