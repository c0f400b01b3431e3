"""How many questions of each kind are made: by the number of relations and by the function, as shares asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from recombine.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


Cell = tuple[int, str]
"""A kind of question: its number of relations, and its function."""
RELATIONS = "69,26,5,0.2"
"""The shares of one to four relations in GrailQA (section 3.2)."""
FUNCTIONS = "none:83,count:5,superlative:6,comparative:5"
"""The shares of functions in GrailQA."""
_SMALL = 1e-9
_Name = TypeVar("_Name", int, str)


def read_relation_shares(text: str) -> dict[int, float]:
    """The shares of one, two, three and four relations, of a text with commas between.

    >>> read_relation_shares("3,1")
    {1: 0.75, 2: 0.25}
    """
    parts = text.split(",")
    if len(parts) > len(RELATIONS.split(",")):
        raise OptionError(f"{text!r} has shares for {len(parts)} relations", "give at most four, from one relation up")
    return _shares({place + 1: _number(part, text) for place, part in enumerate(parts)}, text)


def read_function_shares(text: str, known: Sequence[str]) -> dict[str, float]:
    """The shares of functions, of a text such as `none:9,count:1`; those that are not named have none.

    >>> read_function_shares("none:9,count:1", ["none", "count"])
    {'none': 0.9, 'count': 0.1}
    """
    shares: dict[str, float] = {}
    for part in text.split(","):
        name, colon, value = part.partition(":")
        name = name.strip()
        if not colon or name not in known or name in shares:
            problem = f"names {name!r} twice" if name in shares else f"has {part.strip()!r}"
            raise OptionError(f"{text!r} {problem}", f"give NAME:SHARE with commas between; names: {', '.join(known)}")
        shares[name] = _number(value, text)
    return _shares(shares, text)


def cell_counts(n: int, relations: Mapping[int, float], functions: Mapping[str, float]) -> dict[Cell, int]:
    """How many of `n` questions have so many relations and this function, so that both shares are met.

    Numbers of relations and functions do not depend on each other. Each cell has its share, rounded down, and what is
    left goes to those that lost most; sums are `n`.

    >>> cell_counts(10, {1: 0.75, 2: 0.25}, {"none": 0.9, "count": 0.1})
    {(1, 'none'): 7, (1, 'count'): 1, (2, 'none'): 2, (2, 'count'): 0}
    """
    exact = {
        (number, name): n * share * part for number, share in relations.items() for name, part in functions.items()
    }
    counts = {cell: int(value + _SMALL) for cell, value in exact.items()}
    most_lost = sorted(exact, key=lambda cell: (counts[cell] - exact[cell], cell))
    for cell in most_lost[: n - sum(counts.values())]:
        counts[cell] += 1
    return counts


def without(shares: Mapping[str, float], lacking: Sequence[str]) -> dict[str, float]:
    """Shares when some of them cannot be had: the others grow in proportion.

    >>> without({"none": 0.5, "count": 0.25, "superlative": 0.25}, ["superlative"])
    {'none': 0.6666666666666666, 'count': 0.3333333333333333}
    """
    left = {name: share for name, share in shares.items() if name not in lacking}
    total = sum(left.values())
    if total <= 0:
        raise OptionError(f"none of {', '.join(shares)} can be asked of this knowledge base", "give other shares")
    return {name: share / total for name, share in left.items()}


def _shares(values: dict[_Name, float], text: str) -> dict[_Name, float]:
    total = sum(values.values())
    if total <= 0:
        raise OptionError(f"the shares {text!r} are all 0", "give at least one share above 0")
    return {name: value / total for name, value in values.items()}


def _number(part: str, text: str) -> float:
    try:
        value = float(part)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise OptionError(f"{part.strip()!r} in {text!r} is no share", "give numbers of 0 or more with commas between")
    return value
