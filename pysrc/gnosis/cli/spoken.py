"""An answer as it is being written, on standard output."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..lm import Tokenizer


class Spoken:
    """Prints tokens as text as they come.  quiet: prints nothing until asked."""

    def __init__(self, tokenizer: Tokenizer, quiet: bool) -> None:
        self.tokenizer, self.quiet, self.tokens, self._said = tokenizer, quiet, list[int](), ""

    def text(self) -> str:
        """Without the mark at its end."""
        return self.tokenizer.decode([t for t in self.tokens if t not in self.tokenizer.ends], start=False)

    def heard(self, new: list[int]) -> None:
        self.tokens.extend(new)
        if self.quiet:
            return
        now = self.text()
        if not now.endswith("�"):  # a character may be spread over tokens
            print(now[len(self._said) :], end="", flush=True)
            self._said = now

    def end(self) -> None:
        """The rest: what ends within a character is said as it is."""
        print(self.text()[len(self._said) :])
