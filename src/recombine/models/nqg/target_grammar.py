"""Which targets are valid: a context-free grammar of targets from a file, or a language that can be parsed.

A grammar file has one production a line, `SYMBOL => …`, where `##SYMBOL` on the right is a symbol and anything else a
token; `ROOT` is where a target begins. Lines that begin with `#` and empty lines say nothing. This is the form in which
the published system keeps its grammar of FunQL.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from recombine.errors import GrammarError, ProgramError
from recombine.files import read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from recombine.languages.language import Language

ROOT = "ROOT"
ARROW = " => "
MARK = "##"


@dataclass(frozen=True)
class TargetGrammar:
    """Productions by symbol.

    >>> grammar = TargetGrammar.parse("ROOT => answer ( ##X )\\nX => state\\nX => largest ( ##X )")
    >>> grammar.accepts("answer ( largest ( state ) )"), grammar.accepts("answer ( largest )")
    (True, False)
    """

    productions: Mapping[str, tuple[tuple[str, ...], ...]]

    @classmethod
    def parse(cls, text: str, path: Path | str = "target grammar") -> TargetGrammar:
        """Read a grammar from text; an error names the line."""
        productions: dict[str, list[tuple[str, ...]]] = {}
        used: dict[str, int] = {ROOT: 0}
        for number, line in enumerate(text.split("\n"), start=1):
            if not line.strip() or line.startswith("#"):
                continue
            left, arrow, right = line.partition(ARROW)
            symbols = tuple(right.split())
            if not arrow or not symbols or len(left.split()) != 1:
                raise GrammarError(path, number, 1, "is not a production", "write `SYMBOL => token ##SYMBOL …`")
            productions.setdefault(left.strip(), []).append(symbols)
            for symbol in symbols:
                if symbol.startswith(MARK):
                    used.setdefault(symbol.removeprefix(MARK), number)
        for symbol, number in used.items():
            if symbol not in productions:
                raise GrammarError(path, number, 1, f"{symbol!r} has no production", "add one or mend the name")
        return cls({symbol: tuple(rows) for symbol, rows in productions.items()})

    @classmethod
    def read(cls, path: Path | str) -> TargetGrammar:
        """The grammar in a file."""
        return cls.parse(read_text(path), path)

    @cached_property
    def _known(self) -> dict[str, bool]:
        return {}

    def accepts(self, target: str) -> bool:
        """Whether the grammar derives a target."""
        if target not in self._known:
            self._known[target] = self._derives(target.split())
        return self._known[target]

    def _derives(self, words: list[str]) -> bool:
        """Fill, from right to left, the set of places where each symbol can end, as bits, until nothing is new."""
        size = len(words)
        ends = {symbol: [0] * (size + 1) for symbol in self.productions}
        for start in range(size - 1, -1, -1):
            changed = True
            while changed:
                changed = False
                for symbol, rows in self.productions.items():
                    reached = ends[symbol][start]
                    for row in rows:
                        reached |= _reach(row, start, words, ends)
                    if reached != ends[symbol][start]:
                        ends[symbol][start] = reached
                        changed = True
        return bool(ends[ROOT][0] >> size & 1)


def _reach(row: tuple[str, ...], start: int, words: list[str], ends: Mapping[str, list[int]]) -> int:
    """The places, as bits, that the symbols of a production can reach from a start."""
    at = 1 << start
    for symbol in row:
        after = 0
        while at:
            place = (at & -at).bit_length() - 1
            at &= at - 1
            if symbol.startswith(MARK):
                after |= ends[symbol.removeprefix(MARK)][place]
            elif place < len(words) and words[place] == symbol:
                after |= 2 << place
        if not after:
            return 0
        at = after
    return at


def parses(language: Language) -> Callable[[str], bool]:
    """The test whether a target is a program of a language.

    >>> from recombine.languages.known import find_language
    >>> valid = parses(find_language("funql"))
    >>> valid("answer ( state )"), valid("answer ( state")
    (True, False)
    """

    def test(target: str) -> bool:
        try:
            language.parse(target)
        except ProgramError:
            return False
        return True

    return test
