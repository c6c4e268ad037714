"""Profiles: settings of a probe under a name.

Those that come along are the .yaml files beside this one.  A user's own is a path that ends in .yaml or .yml; it may say
`extends: NAME` (or the path of another, relative to itself) and then holds only what differs.
"""
from __future__ import annotations

import hashlib
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from ..report import Settings

FIELDS = frozenset(Settings.model_fields) - {"profile", "profile_sha256", "tensors"}
DEFAULT = "dev-balanced"
MOST_BYTES = 1 << 20
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
        raise ProfileError(f"{name}: neither {', '.join(names())} nor a path that ends in .yaml")
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read(MOST_BYTES + 1)
    except (OSError, UnicodeDecodeError) as error:
        raise ProfileError(f"{name}: {getattr(error, 'strerror', None) or error}") from None
    if len(text) > MOST_BYTES:
        raise ProfileError(f"{name}: longer than {MOST_BYTES} characters")
    return text, path.parent


def load(name: str = DEFAULT, beside: Path = Path(), depth: int = 0) -> dict[str, Any]:
    """The fields of `Settings` that a profile gives, `profile` and `profile_sha256` (of its own text and what it extends) included.

    Values are checked when they become `Settings`.  Raises ProfileError.
    """
    if depth > MOST_DEPTH:
        raise ProfileError(f"{name}: profiles extend each other more than {MOST_DEPTH} times")
    text, folder = _text(name, beside)
    try:
        fields = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError) as error:
        raise ProfileError(f"{name}: not YAML: {' '.join(str(error).split())}") from None
    if not isinstance(fields, dict):
        raise ProfileError(f"{name}: not a mapping of settings")
    fields = dict(fields)
    base = fields.pop("extends", None)
    unknown = sorted(str(key) for key in fields if key not in FIELDS)
    if unknown:
        raise ProfileError(f"{name}: unknown setting {unknown[0]!r}; there are {', '.join(sorted(FIELDS))}, and extends")
    if base is not None and not isinstance(base, str):
        raise ProfileError(f"{name}: extends is {base!r}, not the name of a profile")
    if "q_values" in fields and isinstance(fields["q_values"], list):
        fields["q_values"] = [str(q) for q in fields["q_values"]]       # .95 is read as it is written
    if isinstance(fields.get("grid"), dict):
        fields["grid"] = {key: str(value) for key, value in fields["grid"].items()}
    digest = hashlib.sha256(text.encode())
    inherited: dict[str, Any] = {}
    if base is not None:
        inherited = load(base, folder, depth + 1)
        digest.update(inherited["profile_sha256"].encode())
    return inherited | fields | {"profile": Path(name).stem if name not in names() else name, "profile_sha256": digest.hexdigest()}
