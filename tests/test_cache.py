"""`gnosis cache`: lists and removes what gnosis made, and nothing else, wherever GNOSIS_CACHE points."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from gnosis.cli import app
from gnosis.files import cache
from gnosis.models.packages import PACKAGES, joined

CODED = "model-0123456789abcdef-Q4_0-libgguf0.2.2.gguf"
JOINED = next(joined(package) for package in PACKAGES.values() if package.parts)
DAY = 24 * 3600


def gguf(path: Path, count: int = 100) -> Path:
    path.write_bytes(b"GGUF" + bytes(count - 4))
    return path


def sources(path: Path) -> Path:
    (path / "Gnosis").mkdir(parents=True)
    (path / "build").mkdir()
    (path / "lakefile.lean").write_text("x" * 10)
    (path / "build" / "a.olean").write_text("x" * 20)
    return path


def aged(path: Path, seconds: float) -> Path:
    os.utime(path, (time.time() - seconds,) * 2)
    return path


def run(folder: Path, *words: str) -> Result:
    return CliRunner().invoke(app, ["cache", *words], env={"GNOSIS_CACHE": str(folder)})


@pytest.fixture
def mixed(tmp_path: Path) -> tuple[Path, set[str], set[str]]:
    """A folder with what gnosis made, and with much that looks like it."""
    folder, out = tmp_path / "cache", tmp_path / "elsewhere"
    folder.mkdir()
    out.mkdir()
    (out / "mine.txt").write_text("mine")
    gguf(folder / CODED, 1000)
    gguf(folder / JOINED)
    (sources(folder / "sources-0123456789abcdef") / "link").symlink_to(out)
    aged(gguf(folder / ".gnosis-00ff00ff00ff00ff"), 2 * DAY)
    aged(sources(folder / ".gnosis-abcdefgh"), 2 * DAY)
    ours = set(os.listdir(folder))
    gguf(folder / "model.gguf")
    gguf(folder / "fedcba9876543210-gemma-3-270m-q4_k_m.gguf")  # another hash than the package has
    gguf(folder / "model-0123456789abcdef-Q4_0.gguf")
    (folder / CODED.replace("Q4_0", "Q8_0")).write_text("not a GGUF file")
    (folder / CODED.replace("Q4_0", "F16")).symlink_to(gguf(out / "far.gguf"))
    (folder / CODED.replace("Q4_0", "Q4_K")).mkdir()
    os.mkfifo(folder / CODED.replace("Q4_0", "Q5_0"))
    gguf(folder / ".gnosis-1111111111111111")  # somebody is writing it now
    (folder / "sources-1111111111111111").mkdir()  # nothing of ours in it
    (folder / "sources-2222222222222222").symlink_to(sources(out / "real"))
    (folder / "notes").mkdir()
    (folder / "notes" / "a.txt").write_text("mine")
    return folder, ours, set(os.listdir(folder)) - ours


def test_what_is_there(mixed: tuple[Path, set[str], set[str]]) -> None:
    folder, ours, others = mixed
    for words in ((), ("--list",)):
        done = run(folder, "--json", *words)
        found = json.loads(done.stdout)
        assert done.exit_code == 0 and found["folder"] == str(folder) and not found["cleared"]
        assert {e["name"] for e in found["entries"]} == ours and found["others"] == len(others)
        sizes = {e["name"]: e["bytes"] for e in found["entries"]}
        assert sizes[CODED] == 1000 and 30 <= sizes["sources-0123456789abcdef"] < 300 and found["bytes"] == sum(sizes.values())
    assert set(os.listdir(folder)) == ours | others
    text = run(folder).stdout
    assert "model in Q4_0" in text and "1,000 bytes" in text and "not made by gnosis, left alone" in text


def test_only_what_gnosis_made_is_removed(mixed: tuple[Path, set[str], set[str]]) -> None:
    folder, ours, others = mixed
    done = run(folder, "--clear", "--json")
    assert done.exit_code == 0 and {e["name"] for e in json.loads(done.stdout)["entries"]} == ours and json.loads(done.stdout)["cleared"]
    assert set(os.listdir(folder)) == others
    assert sorted(os.listdir(folder.parent / "elsewhere")) == ["far.gguf", "mine.txt", "real"] and (folder / "notes" / "a.txt").read_text() == "mine"
    again = run(folder, "--clear")
    assert again.exit_code == 0 and "nothing that gnosis made" in again.stdout and set(os.listdir(folder)) == others


def test_a_wrong_path(tmp_path: Path) -> None:
    assert "nothing that gnosis made" in run(tmp_path / "none", "--clear").stdout and not (tmp_path / "none").exists()
    (tmp_path / "file").write_text("x")
    for words in (("--list",), ("--clear",)):
        done = run(tmp_path / "file", *words)
        assert done.exit_code == 2 and "GNOSIS_CACHE" in done.stderr and "is not a folder" in done.stderr and str(tmp_path / "file") in done.stderr
        assert len(done.stderr.splitlines()) == 1
    home = tmp_path / "home"  # a folder of anything
    (home / "documents").mkdir(parents=True)
    gguf(home / "my.gguf")
    assert run(home, "--clear").exit_code == 0 and sorted(os.listdir(home)) == ["documents", "my.gguf"]
    both = run(home, "--clear", "--list")
    assert both.exit_code == 2 and "not both" in both.stderr


def test_where_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GNOSIS_CACHE", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", "/x")
    assert cache.cache_folder() == tmp_path
    monkeypatch.delenv("GNOSIS_CACHE")
    assert cache.cache_folder() == Path("/x/gnosis")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache.cache_folder() == Path.home() / ".cache" / "gnosis"


def test_a_link_that_took_the_place_of_an_entry_stays(tmp_path: Path) -> None:
    file = gguf(tmp_path / CODED)
    found, _ = cache.entries(tmp_path, {})
    file.rename(tmp_path / "moved")
    file.symlink_to(tmp_path / "moved")
    cache.clear(found)
    assert file.is_symlink() and (tmp_path / "moved").exists()


def test_what_the_code_maker_writes_is_an_entry(tmp_path: Path) -> None:
    """The pattern of names is that of `recode`."""
    import tiny_models

    from gnosis.inference.deferred.pair import recode
    from gnosis.models.files import open_model

    pytest.importorskip("libgguf")
    model = tiny_models.write(tmp_path / "tiny.gguf", "llama", weights=tiny_models.tensors("llama"), kind="F32")
    made = recode(open_model(str(model)), "Q8_0", tmp_path / "cache")
    assert [(e.path, e.what) for e in cache.entries(tmp_path / "cache", {})[0]] == [(made, "tiny in Q8_0")]
