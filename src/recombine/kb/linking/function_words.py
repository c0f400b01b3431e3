"""The words that alone name nothing in a question."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@cache
def function_words() -> frozenset[str]:
    """Function words of English, and marks of sentences.

    >>> "which" in function_words(), "film" in function_words()
    (True, False)
    """
    said = tomllib.loads((files("recombine.kb.linking") / "function_words.toml").read_text(encoding="utf-8"))
    return frozenset([*said["words"].split(), *said["marks"].split()])


def names_something(words: Iterable[str]) -> bool:
    """Whether some words hold one that is no function word."""
    known = function_words()
    return any(word not in known for word in words)
