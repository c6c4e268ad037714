"""Profiles: settings of a probe under a name.

Those that come along are the .yaml files beside this one.  A user's own is a path that ends in .yaml or .yml; it may say
`extends: NAME` (or the path of another, relative to itself) and then holds only what differs.
"""

from __future__ import annotations

import hashlib
from importlib.resources import files
from pathlib import Path
from typing import Any

from ...errors import ArgumentError
from ...files.inputs import MOST_YAML, quoted, read_text, shown, yaml_mapping
from ..settings import Settings

FIELDS = frozenset(Settings.model_fields) - {"profile", "profile_sha256", "tensors"}
DEFAULT = "dev-balanced"
MOST_DEPTH = 8


class ProfileError(ValueError):
    """A profile that cannot be used; the message names it."""


def names() -> list[str]:
    """The profiles that come along."""
    return sorted(entry.name.removesuffix(".yaml") for entry in files(__package__).iterdir() if entry.name.endswith(".yaml"))


def _text(name: str, beside: Path) -> tuple[str, Path]:
    """The text of a profile, and the folder that paths in it are relative to."""
    if name in names():
        return files(__package__).joinpath(f"{name}.yaml").read_text(encoding="utf-8"), beside
    path = beside / name
    if path.suffix not in (".yaml", ".yml"):
        raise ProfileError(f"{shown(name)}: neither {', '.join(names())} nor a path that ends in .yaml")
    try:
        return read_text(path, "profile", MOST_YAML), path.parent
    except OSError as error:
        raise ProfileError(f"{shown(name)}: {error.strerror or error}") from None
    except ArgumentError as error:
        raise ProfileError(f"{shown(name)}: {error.problem}") from None


def load(name: str = DEFAULT, beside: Path = Path(), depth: int = 0) -> dict[str, Any]:
    """The fields of `Settings` that a profile gives, `profile` and `profile_sha256` (of its own text and what it extends) included.

    Values are checked when they become `Settings`.  Raises ProfileError.
    """
    if depth > MOST_DEPTH:
        raise ProfileError(f"{name}: profiles extend each other more than {MOST_DEPTH} times")
    text, folder = _text(name, beside)
    try:
        fields = yaml_mapping(text)
    except ValueError as error:
        raise ProfileError(f"{shown(name)}: {error}") from None
    base = fields.pop("extends", None)
    unknown = sorted(str(key) for key in fields if key not in FIELDS)
    if unknown:
        raise ProfileError(f"{name}: unknown setting {quoted(unknown[0])}; there are {', '.join(sorted(FIELDS))}, and extends")
    if base is not None and not isinstance(base, str):
        raise ProfileError(f"{name}: extends is {shown(repr(base))}, not the name of a profile")
    if "q_values" in fields and isinstance(fields["q_values"], list):
        fields["q_values"] = [str(q) for q in fields["q_values"]]  # .95 is read as it is written
    if isinstance(fields.get("grid"), dict):
        fields["grid"] = {key: str(value) for key, value in fields["grid"].items()}
    digest = hashlib.sha256(text.encode())
    inherited: dict[str, Any] = {}
    if base is not None:
        inherited = load(base, folder, depth + 1)
        digest.update(inherited["profile_sha256"].encode())
    return inherited | fields | {"profile": Path(name).stem if name not in names() else name, "profile_sha256": digest.hexdigest()}
