"""docs/spine.md: complete, and red when it is stale."""

from __future__ import annotations

from pathlib import Path

import yaml

from gnosis.audits import page
from gnosis.spine.paths import root


def test_every_headline_theorem_is_on_the_page() -> None:
    text = (root() / page.PAGE).read_text(encoding="utf-8")
    entries = yaml.safe_load((root() / "audits" / "headline.yaml").read_text(encoding="utf-8"))["theorems"]
    for entry in entries:
        assert f"### `{entry['name']}`\n" in text and entry["statement"].strip() in text, entry["name"]
    assert f"{len(entries)} headline theorems." in text


def test_a_changed_or_missing_page_is_a_finding(tmp_path: Path) -> None:
    assert [f.audit for f in page.audit("text", tmp_path)] == ["page"]
    page.write("text", tmp_path)
    assert page.audit("text", tmp_path) == []
    assert [f.audit for f in page.audit("other text", tmp_path)] == ["page"]


def test_uses_are_whole_names(tmp_path: Path) -> None:
    folder = tmp_path / "pysrc"
    folder.mkdir()
    (folder / "a.py").write_text("'Gnosis.energy_bridge_sound'")
    (folder / "b.py").write_text("Gnosis.energy_bridge_sound_strict and Other.Gnosis.energy_bridge_sound")
    assert page.used_in(tmp_path, ["Gnosis.energy_bridge_sound"]) == {"Gnosis.energy_bridge_sound": ["pysrc/a.py"]}
