"""Phrases: words in their order, one after the other, and which texts have one of several.

Words are what blanks divide; nothing is parsed, so that a phrase can be asked of sources and targets of any language.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Mask = NDArray[np.bool_]

OR = "|"
"""What stands between phrases of which a text may have any."""


@dataclass(frozen=True)
class Phrases:
    """Some phrases, of which a text has one or has none.

    >>> either = Phrases.parse("jump around right | run  right")
    >>> either.held_by(["jump around right twice", "jump around", "run right", "run righter"]).tolist()
    [True, False, True, False]
    >>> str(either)
    'jump around right | run right'
    """

    each: tuple[str, ...]
    """The phrases, their words with one blank between them."""

    @classmethod
    def parse(cls, text: str) -> Phrases:
        """The phrases of a text as it is typed; one that has no word is refused."""
        each = tuple(" ".join(phrase.split()) for phrase in text.split(OR))
        if not all(each):
            raise OptionError(f"the phrases {text!r} lack words", f"write words, and {OR} between phrases")
        return cls(tuple(dict.fromkeys(each)))

    def __str__(self) -> str:
        return f" {OR} ".join(self.each)

    def held_by(self, texts: Sequence[str]) -> Mask:
        """Whether each text has one of the phrases somewhere."""
        within = [f" {phrase} " for phrase in self.each]
        padded = (f" {' '.join(text.split())} " for text in texts)
        return np.fromiter((any(phrase in text for phrase in within) for text in padded), np.bool_, len(texts))

    def equal_to(self, texts: Sequence[str]) -> Mask:
        """Whether each text is one of the phrases and nothing else."""
        known = set(self.each)
        return np.fromiter((" ".join(text.split()) in known for text in texts), np.bool_, len(texts))

    def unknown_words(self, texts: Sequence[str]) -> str:
        """Words of the phrases that no text has, each with the nearest that one has; empty where there are none."""
        known = {word for text in texts for word in text.split()}
        said = []
        for word in dict.fromkeys(word for phrase in self.each for word in phrase.split()):
            if word not in known:
                near = get_close_matches(word, sorted(known), n=1, cutoff=0.6)
                said.append(f"{word!r} is nowhere" + (f" (did you mean {near[0]!r}?)" if near else ""))
        return ", ".join(said)
