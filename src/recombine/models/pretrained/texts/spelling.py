"""Texts that a tokenizer cannot write, spelled so that it can, and back.

Many tokenizers lose something: T5's vocabulary has no braces, angle brackets, backslash, caret or tilde, joins runs of
blanks and treats the end of a line as a blank. What does not come back from encoding and decoding is spelled as a mark
and a letter (`§l` for `{`), or a mark, an `x`, the code point and a `z`; the mark itself is spelled too, so that every
text comes back exactly. A tokenizer that loses nothing, such as those over bytes, needs no mark and texts stay as they
are. What can still not be written is counted by the caller, not dropped in silence.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MARKS = "§¶¬°@#%&$*+"
"""The first of these that the tokenizer writes is the mark."""
LETTERS = dict(zip("{}<>\\^~|`\n\t ", "lrsgbctpqniw", strict=True))
_PROBES = ["".join(chr(code) for code in range(33, 127)), "a  b", " a", "a ", "a\nb\tc", "é λ ∀ 漢 😀"]
_PLAIN = re.compile(r"[A-Za-z0-9 ]")


class Spelling:
    """How texts are spelled for a tokenizer; `through` encodes texts and decodes them again.

    >>> def through(texts):  # loses braces and all but single blanks
    ...     return [" ".join(text.replace("{", "").replace("}", "").split()) for text in texts]
    >>> spelling = Spelling(through)
    >>> spelling.spell(["{ a  b }", "a b"])
    ['§l a §wb §r', 'a b']
    >>> spelling.read("§l a §wb §r")
    '{ a  b }'
    """

    def __init__(self, through: Callable[[Sequence[str]], Sequence[str]]) -> None:
        self._through = through
        self._known: dict[str, bool] = {}
        lost = list(through(_PROBES)) != _PROBES
        self.mark = next(filter(self._can_mark, MARKS), "") if lost else ""
        self._runs = list(through(_PROBES[1:4])) == _PROBES[1:4]
        letters = "".join(LETTERS.values())
        mark = re.escape(self.mark)
        self._codes = re.compile(f"{mark}([{letters}m]|x[0-9a-f]+z)") if self.mark else None
        self._letters = {letter: character for character, letter in LETTERS.items()} | {"m": self.mark}

    def _can_mark(self, mark: str) -> bool:
        texts = [f"a{mark}lb {mark}x0123456789abcdefz {mark}mc", "".join(f"{mark}{x}" for x in LETTERS.values())]
        return list(self._through(texts)) == texts

    def spell(self, texts: Sequence[str]) -> list[str]:
        """The texts as the tokenizer can write them."""
        return [text for text, _ in self.spell_checked(texts)]

    def spell_checked(self, texts: Sequence[str]) -> list[tuple[str, bool]]:
        """Each text as the tokenizer can write it, and whether it comes back exactly."""
        self._probe({character for text in texts for character in text})
        spelled = [self._spell(text, self._writes) for text in texts]
        checked = [(written, self.read(back) == text) for text, written, back in self._compared(texts, spelled)]
        bad = [place for place, (_, exact) in enumerate(checked) if not exact]
        if bad and self.mark:  # characters that are lost only together: all but letters and digits are spelled
            again = [self._spell(texts[place], _is_plain) for place in bad]
            compared = self._compared([texts[place] for place in bad], again)
            for place, (text, written, back) in zip(bad, compared, strict=True):
                if self.read(back) == text:
                    checked[place] = (written, True)
        return checked

    def read(self, text: str) -> str:
        """The text that was spelled this way."""
        return text if self._codes is None else self._codes.sub(self._character, text)

    def _character(self, match: re.Match[str]) -> str:
        code = match[1]
        if len(code) == 1:
            return self._letters[code]
        number = int(code[1:-1], 16)
        return chr(number) if number < 0x110000 else match[0]

    def _spell(self, text: str, writes: Callable[[str], bool]) -> str:
        if not self.mark:
            return text
        last = len(text) - 1
        parts = []
        for place, character in enumerate(text):
            good = writes(character) and self._writes(character) and character != self.mark
            if character == " " and not self._runs:
                good = 0 < place < last and text[place - 1] != " "
            parts.append(character if good else self.mark + self._code(character))
        return "".join(parts)

    def _code(self, character: str) -> str:
        return "m" if character == self.mark else LETTERS.get(character) or f"x{ord(character):x}z"

    def _writes(self, character: str) -> bool:
        return self._known[character]

    def _probe(self, characters: set[str]) -> None:
        """Find out which new characters come back, within a word and alone."""
        new = sorted(characters - self._known.keys())
        texts = [text for character in new for text in (f"a{character}b", f"a {character} b")]
        back = list(self._through(texts)) if texts else []
        for number, character in enumerate(new):
            self._known[character] = (
                character == " " or back[2 * number : 2 * number + 2] == texts[2 * number : 2 * number + 2]
            )

    def _compared(self, texts: Sequence[str], spelled: Sequence[str]) -> list[tuple[str, str, str]]:
        backs = self._through(spelled) if spelled else []
        return list(zip(texts, spelled, backs, strict=True))


def _is_plain(character: str) -> bool:
    return _PLAIN.fullmatch(character) is not None
