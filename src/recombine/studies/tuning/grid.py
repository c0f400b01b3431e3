"""The values that a model of a study is tuned over: every combination of the values of some settings."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MOST = 64
"""The most combinations of one model: each is trained on each of its splits."""
_PLAIN = re.compile(r"[\w.+-]{1,24}")


@dataclass(frozen=True)
class Grid:
    """Settings with the values to try, in the order in which they were written, which decides ties.

    >>> grid = Grid.of({"width": [64, 128], "dropout": [0.0, 0.1]})
    >>> grid.combinations()[:3]
    [{'width': 64, 'dropout': 0.0}, {'width': 64, 'dropout': 0.1}, {'width': 128, 'dropout': 0.0}]
    >>> grid.label(grid.combinations()[1])
    'width=64,dropout=0.1'
    """

    values: tuple[tuple[str, tuple[Any, ...]], ...]

    @classmethod
    def of(cls, values: Mapping[str, Sequence[Any]]) -> Grid:
        """The grid of a table of lists; one that leaves nothing to choose, or too much, is refused."""
        grid = cls(tuple((name, tuple(each)) for name, each in values.items()))
        for name, tried in grid.values:
            if not tried:
                raise OptionError(f"tune: {name} has no values", "give some, or leave it out")
            twice = next((value for place, value in enumerate(tried) if _in(value, tried[:place])), None)
            if twice is not None:
                raise OptionError(f"tune: {name} has the value {twice!r} twice", "leave out one of them")
        number = len(grid)
        if number == 1:
            said = ", ".join(f"{name} = {tried[0]!r}" for name, tried in grid.values)
            raise OptionError("tune: there is one combination, and nothing to choose from", f"write {said} instead")
        if number > MOST:
            raise OptionError(
                f"tune: {number} combinations, more than the {MOST} that are tried",
                "leave out values, or tune some settings first and write down what was chosen",
            )
        return grid

    def __len__(self) -> int:
        number = 1
        for _, tried in self.values:
            number *= len(tried)
        return number

    def combinations(self) -> list[dict[str, Any]]:
        """All combinations; the last setting changes first."""
        names = [name for name, _ in self.values]
        return [dict(zip(names, each, strict=True)) for each in itertools.product(*(tried for _, tried in self.values))]

    def label(self, combination: Mapping[str, Any]) -> str:
        """A combination as part of the name of a run; a value that cannot be part of one is named by its place."""
        texts = []
        for name, tried in self.values:
            text = str(combination[name])
            place = next(place for place, value in enumerate(tried, start=1) if _in(combination[name], (value,)))
            texts.append(f"{name}={text if _PLAIN.fullmatch(text) else f'({place})'}")
        return ",".join(texts)

    def content(self) -> list[list[Any]]:
        """The grid as it stands in keys: lists, because its order decides ties."""
        return [[name, list(tried)] for name, tried in self.values]


def _in(value: Any, values: Sequence[Any]) -> bool:
    """Whether a value is among others; 1 and true are two, and so are 1 and 1.0."""
    return any(type(each) is type(value) and each == value for each in values)
