"""How numbers and records are written in files, and nothing else.

Every number has one way of being written, in ASCII: whole numbers `0`, `17`, `-3`; fractions `p/q` in lowest terms with q > 1;
floats, where a field is one, as `float.hex` or in JSON as `repr` writes them.  Anything else is refused, also what Python's own
readers would take: `1.5` for hexadecimal digits, digits of other scripts, `1_0`, `+1`, ` 1`, `1/-2`, `2/4`, `true` for 1, 1.0 for
1, infinities, and numbers without end.  Texts that people type (levels, `gnosis.numbers.levels`) are read more kindly.

Certificates write exact numbers shorter: "n", "n/d" in lowest terms, and "n/2^k" where the denominator is a power of two; n and d in
decimal below 10^18 and in hexadecimal from there on.
"""

from __future__ import annotations

import json
import math
import re
from fractions import Fraction
from typing import Any

from ..errors import ArgumentError, DtypeError, RangeError
from ..numbers.exact import LONGEST
from .inputs import MOST_VALUES, countable

DEPTH = 32  # of lists and objects in one another
MOST_BITS = 1 << 18  # of a number in a certificate
DECIMAL = 10**18  # whole numbers in certificates are hexadecimal from here on
TEXT = 500  # characters of a name, and of an assumption

_INTEGER = re.compile(r"0|-?[1-9][0-9]*", re.ASCII)
_FRACTION = re.compile(r"(0|-?[1-9][0-9]*)(?:/([1-9][0-9]*))?", re.ASCII)
_DECIMAL = re.compile(r"(?:0|[1-9][0-9]*)(?:\.[0-9]+)?", re.ASCII)
_HEX = re.compile(r"-?0x[01]\.(?:0|[0-9a-f]{13})p[+-][0-9]{1,4}", re.ASCII)
_WORD = r"(?:0|[1-9][0-9]{0,17}|0x[1-9a-f][0-9a-f]*)"
_NUMBER = re.compile(rf"(-?{_WORD})(?:/(?:2\^([1-9][0-9]{{0,5}})|({_WORD})))?", re.ASCII)
_SHA256 = re.compile(r"[0-9a-f]{64}", re.ASCII)


# ---- numbers as text -------------------------------------------------------------------------------------------------


def _digits(text: Any, name: str, form: re.Pattern[str], what: str) -> re.Match[str]:
    """The text of a number, of its form and not too long.  Nothing is converted before."""
    if type(text) is not str:
        raise DtypeError(name, text, f"not {what} as text")
    if len(text) > LONGEST:
        raise RangeError(name, text[:60], f"a number of {len(text)} characters, more than {LONGEST}")
    found = form.fullmatch(text)
    if found is None:
        raise DtypeError(name, text, f"not {what} as files write it")
    return found


def integer(text: Any, name: str) -> int:
    """A whole number.  DtypeError for anything but its one way of being written, RangeError for more than 4000 characters."""
    return int(_digits(text, name, _INTEGER, "a whole number")[0])


def fraction(text: Any, name: str) -> Fraction:
    """A whole number, or p/q in lowest terms with q > 1.  Raises as `integer`."""
    p, q = _digits(text, name, _FRACTION, "a fraction").groups()
    if q is None:
        return Fraction(int(p))
    numerator, denominator = int(p), int(q)
    if denominator == 1 or math.gcd(numerator, denominator) != 1:
        raise DtypeError(name, text, "not a fraction in lowest terms with a denominator above 1")
    return Fraction(numerator, denominator)


def decimal(text: Any, name: str) -> Fraction:
    """A number ≥ 0 in decimal, as someone gave it: 1, 0.50.  Raises as `integer`."""
    return Fraction(_digits(text, name, _DECIMAL, "a decimal")[0])


def hex_float(text: Any, name: str) -> float:
    """A float64 as `float.hex` writes it.  Raises as `integer`."""
    word = _digits(text, name, _HEX, "a hexadecimal float")[0]
    try:
        value = float.fromhex(word)
    except OverflowError:
        value = math.inf
    if value.hex() != word:
        raise DtypeError(name, text, "another way of writing this float than that of `float.hex`, or beyond float64")
    return value


def number_text(x: Fraction, name: str = "number") -> str:
    """An exact number as certificates write it.  RangeError for one of more than 2^18 bits."""
    if max(x.numerator.bit_length(), x.denominator.bit_length()) > MOST_BITS:
        raise RangeError(name, x, f"a certificate holds numbers of at most {MOST_BITS} bits")
    n, d = _word(x.numerator), x.denominator
    return n if d == 1 else f"{n}/{_word(d)}" if d & (d - 1) else f"{n}/2^{d.bit_length() - 1}"


def _word(n: int) -> str:
    return str(n) if -DECIMAL < n < DECIMAL else hex(n)


def number_of(text: Any, name: str = "number", most: int = MOST_BITS) -> Fraction:
    """The number of at most so many bits that `number_text` wrote so.  Raises ArgumentError for anything else, other ways of writing the same number included."""
    if type(text) is not str:
        raise DtypeError(name, text, "not a number as text")
    found = _NUMBER.fullmatch(text) if len(text) <= most else None
    if found is None:
        raise DtypeError(name, text, "not an exact number as certificates write it")
    n, power, d = found.groups()
    if max(4 * len(n), 4 * len(d or ""), int(power or 0)) > most:
        raise RangeError(name, text, f"more than {most} bits")
    if len(text) < 19 and not power and not d and text != "-0" and "x" not in text:
        return Fraction(int(text))
    below = 1 << int(power) if power else int(d, 0) if d else 1
    if not below:
        raise RangeError(name, text, "the denominator must not be zero")
    x = Fraction(int(n, 0), below)
    if number_text(x) != text:
        raise DtypeError(name, text, "another way of writing this number than that of certificates")
    return x


# ---- values of JSON --------------------------------------------------------------------------------------------------


def fields(data: Any, wanted: set[str] | frozenset[str], name: str) -> dict[str, Any]:
    """An object with exactly these fields.  ArgumentError naming the one that is missing or unknown, DtypeError for anything else."""
    if type(data) is not dict:
        raise DtypeError(name, data, "not an object")
    for other in sorted(wanted ^ set(data)):
        raise ArgumentError(name, other, "unknown field" if other in data else "missing field")
    return data


def count(value: Any, name: str, least: int = 0, below: int = 1 << 63) -> int:
    """A whole number of JSON; `true` and 1.0 are none.  DtypeError, RangeError."""
    if type(value) is not int:
        raise DtypeError(name, value, "not a whole number")
    if not least <= value < below:
        raise RangeError(name, value, f"must be from {least} to {below - 1}")
    return value


def text(value: Any, name: str, most: int = TEXT) -> str:
    """A text of 1 to `most` characters.  DtypeError."""
    if type(value) is not str or not 0 < len(value) <= most:
        raise DtypeError(name, value, f"not a text of 1 to {most} characters")
    return value


def sha256(value: Any, name: str) -> str:
    """A SHA-256 in hexadecimal.  DtypeError."""
    if type(value) is not str or not _SHA256.fullmatch(value):
        raise DtypeError(name, value, "not a SHA-256 in hexadecimal")
    return value


def same(a: Any, b: Any) -> bool:
    """Whether two values of JSON are the same, their types included: 1 is neither 1.0 nor true, and 0.0 is not -0.0."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(value, b[key]) for key, value in a.items())
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b and (type(a) is not float or math.copysign(1, a) == math.copysign(1, b))


# ---- JSON ------------------------------------------------------------------------------------------------------------


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a field occurs twice")
    return result


def _constant(word: str) -> Any:
    raise ValueError(f"{word} is not a number")


def _whole(word: str) -> int:
    if len(word) > LONGEST:
        raise ValueError(f"a number of {len(word)} digits, more than {LONGEST}")
    if word == "-0":
        raise ValueError("-0 is 0")
    return int(word)


def _finite(word: str) -> float:
    if len(word) > LONGEST or math.isinf(value := float(word)):
        raise ValueError(f"{word[:40]} is beyond float64")
    return value


def _shortest(word: str) -> float:
    if repr(value := _finite(word)) != word:
        raise ValueError(f"the float {word[:40]} is written otherwise: {value!r}")
    return value


def json_object(text: str, name: str, wanted: set[str] | None, values: int = MOST_VALUES, own: bool = True) -> dict[str, Any]:
    """A JSON object with exactly these fields (None: any).

    Duplicate fields, NaN and infinities, also as numbers beyond float64, halves of characters and zero bytes in a text, further
    text, missing and unknown fields are errors, and so are more than `values` values, counted before
    anything is read, more than 32 levels and numbers of more than 4000 digits: ArgumentError naming what is wrong.
    own: a file of ours; floats are then written as `repr` writes them, and not otherwise.
    """
    try:
        countable(text, values)
        text.encode()
        data = json.loads(text, object_pairs_hook=_once, parse_constant=_constant, parse_int=_whole, parse_float=_shortest if own else _finite)
        _plain(data, "\\u" in text)
    except UnicodeEncodeError:
        raise ArgumentError(name, text, "not strict JSON (half a character)") from None
    except (ValueError, RecursionError) as error:
        raise ArgumentError(name, text, f"not strict JSON ({error})") from None
    if not isinstance(data, dict):
        raise ArgumentError(name, data, "not a JSON object")
    return data if wanted is None else fields(data, wanted, name)


def _plain(data: Any, escapes: bool) -> None:
    """ValueError for more than DEPTH levels, and where there are escapes, for one that stands for half a character or for a zero byte."""
    level = [data]
    for _ in range(DEPTH):
        deeper: list[Any] = []
        for one in level:
            if isinstance(one, dict):
                deeper += one.values()
                if escapes:
                    deeper += one
            elif isinstance(one, list):
                deeper += one
            elif escapes and isinstance(one, str) and (not one.isprintable() and ("\0" in one or any("\ud800" <= c <= "\udfff" for c in one))):
                raise ValueError("a text with half a character or a zero byte")
        level = [one for one in deeper if isinstance(one, (dict, list)) or (escapes and isinstance(one, str))]
        if not level:
            return
    raise ValueError(f"more than {DEPTH} levels")


def encodable(name: str) -> str:
    """The name of a file as a text: bytes in it that are no characters become escapes."""
    return name.encode(errors="backslashreplace").decode()


def exact_json(value: Any) -> bytes:
    """A value as JSON without spaces, in UTF-8: the one way of writing a line of a record."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
