"""Exports written by hand: declarations appended to a true one, or from nothing."""

from __future__ import annotations

import json
from pathlib import Path

META = {"meta": {"exporter": {"name": "hand", "version": "0"}, "format": {"version": "3.1.0"}, "lean": {"githash": "0" * 40, "version": "4.35.0"}}}


class Export:
    """A file that grows.  Every method writes what is missing and returns a number in the file's own tables.

    A name is a text with dots, or a tuple of components; a level is a number, the name of a parameter, or
    ("succ" | "max" | "imax", …).
    """

    def __init__(self, lines: list[str] | None = None) -> None:
        self.rows: list = [META] if lines is None else [json.loads(line) for line in lines]
        self.tables: dict[str, dict[str, int]] = {"in": {}, "il": {}, "ie": {}}
        for row in self.rows:
            for index, table in self.tables.items():
                if index in row:
                    table[self._key({k: v for k, v in row.items() if k != index})] = row[index]

    @staticmethod
    def _key(data: object) -> str:
        return json.dumps(data, sort_keys=True)

    def _put(self, index: str, data: dict) -> int:
        table, key = self.tables[index], self._key(data)
        if key not in table:
            table[key] = len(table) + (index != "ie")
            self.rows.append({index: table[key], **data})
        return table[key]

    def write(self, path: Path) -> Path:
        """All parts first, so that any declaration may be given new ones."""
        place = {"meta": 0, "in": 1, "il": 2, "ie": 3}
        self.rows.sort(key=lambda row: min(place.get(key, 4) for key in row))
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in self.rows), encoding="utf-8")
        return path

    # Parts

    def name(self, name: str | tuple) -> int:
        at = 0
        for part in tuple(name.split(".")) if isinstance(name, str) else name:
            at = self._put("in", {"num": {"pre": at, "i": part}} if isinstance(part, int) else {"str": {"pre": at, "str": part}})
        return at

    def level(self, level: int | str | tuple) -> int:
        if isinstance(level, str):
            return self._put("il", {"param": self.name(level)})
        if isinstance(level, int):
            return self._put("il", {"succ": self.level(level - 1)}) if level else 0
        kind, *parts = level
        made = [self.level(p) for p in parts]
        return self._put("il", {kind: made[0] if kind == "succ" else made})

    def sort(self, level: int | str | tuple) -> int:
        return self._put("ie", {"sort": self.level(level)})

    def const(self, name: str | tuple, *levels: int | str | tuple) -> int:
        return self._put("ie", {"const": {"name": self.name(name), "us": [self.level(x) for x in levels]}})

    def var(self, index: int) -> int:
        return self._put("ie", {"bvar": index})

    def app(self, f: int, *arguments: int) -> int:
        for a in arguments:
            f = self._put("ie", {"app": {"fn": f, "arg": a}})
        return f

    def _binder(self, kind: str, type_: int, body: int) -> int:
        return self._put("ie", {kind: {"name": self.name("x"), "type": type_, "body": body, "binderInfo": "default"}})

    def pi(self, *types: int) -> int:
        """The last one is the body."""
        *types_, body = types
        for t in reversed(types_):
            body = self._binder("forallE", t, body)
        return body

    def lam(self, *types: int) -> int:
        *types_, body = types
        for t in reversed(types_):
            body = self._binder("lam", t, body)
        return body

    def let(self, type_: int, value: int, body: int) -> int:
        return self._put("ie", {"letE": {"name": self.name("x"), "type": type_, "value": value, "body": body, "nondep": False}})

    def proj(self, type_: str, index: int, struct: int) -> int:
        return self._put("ie", {"proj": {"typeName": self.name(type_), "idx": index, "struct": struct}})

    def nat(self, value: int) -> int:
        return self._put("ie", {"natVal": str(value)})

    def text(self, value: str) -> int:
        return self._put("ie", {"strVal": value})

    # Declarations

    def head(self, name: str | tuple, type_: int, levels: tuple = ()) -> dict:
        for x in levels:
            self.level(x)
        return {"name": self.name(name), "levelParams": [self.name(x) for x in levels], "type": type_}

    def axiom(self, name: str, type_: int, levels: tuple = (), unsafe: bool = False) -> None:
        self.rows.append({"axiom": {**self.head(name, type_, levels), "isUnsafe": unsafe}})

    def definition(self, name: str | tuple, type_: int, value: int, levels: tuple = (), **more: object) -> None:
        row = {**self.head(name, type_, levels), "value": value, "all": [self.name(name)], "safety": "safe", "hints": "abbrev"}
        self.rows.append({"def": {**row, **more}})

    def theorem(self, name: str | tuple, type_: int, value: int, levels: tuple = (), **more: object) -> None:
        self.rows.append({"thm": {**self.head(name, type_, levels), "value": value, "all": [self.name(name)], **more}})

    def opaque(self, name: str, type_: int, value: int, levels: tuple = (), unsafe: bool = False) -> None:
        self.rows.append({"opaque": {**self.head(name, type_, levels), "value": value, "all": [self.name(name)], "isUnsafe": unsafe}})

    def inductive(
        self,
        name: str,
        type_: int,
        constructors: dict[str, int],
        levels: tuple = (),
        *,
        params: int = 0,
        indices: int = 0,
        fields: tuple[int, ...] = (),
        recursive: bool = False,
        unsafe: bool = False,
        recursor: dict | None = None,
        **more: object,
    ) -> dict:
        """A type with what is given; without `recursor`, it has none.  Returns the row, which may still be changed."""
        names = [self.name(f"{name}.{c}") for c in constructors]
        row = {
            **self.head(name, type_, levels),
            "numParams": params,
            "numIndices": indices,
            "all": [self.name(name)],
            "ctors": names,
            "numNested": 0,
            "isRec": recursive,
            "isUnsafe": unsafe,
            "isReflexive": False,
            **more,
        }
        made = [
            {
                **self.head(f"{name}.{c}", t, levels),
                "induct": self.name(name),
                "cidx": k,
                "numParams": params,
                "numFields": (fields or (0,) * len(names))[k],
                "isUnsafe": unsafe,
            }
            for k, (c, t) in enumerate(constructors.items())
        ]
        recs = [] if recursor is None else [{**recursor, "all": [self.name(name)], "numParams": params, "numIndices": indices, "isUnsafe": unsafe}]
        family = {"types": [row], "ctors": made, "recs": recs}
        self.rows.append({"inductive": family})
        return family

    def eliminator(self, name: str, type_: int, levels: tuple, minors: int, rules: list[tuple[str, int, int]], motives: int = 1, k: bool = False) -> dict:
        """What `inductive` wants as a recursor."""
        return {
            **self.head(f"{name}.rec", type_, levels),
            "numMotives": motives,
            "numMinors": minors,
            "k": k,
            "rules": [{"ctor": self.name(f"{name}.{c}"), "nfields": n, "rhs": rhs} for c, n, rhs in rules],
        }
