"""Which grounded questions are dropped, as data: the table `grounding` of a file of filters.

The paper names no filter of entities or answers, so that none is on unless a file says so.
"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any, NamedTuple

from recombine.errors import OptionError, UnknownNameError
from recombine.files import read_text

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

TABLE = "grounding"


class GroundingFilters(NamedTuple):
    """Filters of open questions.

    >>> GroundingFilters(most_answers=2).reason({"M0": 7}, (1, 2, 3))
    'most_answers'
    """

    most_answers: int | None = None
    """A question with more answers is dropped."""
    own_entity: bool = False
    """A question that one of its own entities answers is dropped."""

    def reason(self, entities: Mapping[str, Any], answers: Collection[Any]) -> str | None:
        """The name of the filter that drops a question, if any does."""
        if self.most_answers is not None and len(answers) > self.most_answers:
            return "most_answers"
        if self.own_entity and not set(entities.values()).isdisjoint(answers):
            return "own_entity"
        return None


NO_FILTERS = GroundingFilters()


def read_grounding_filters(path: Path | str) -> GroundingFilters:
    """The filters that a file has in its table `grounding`; none where it has no such table."""
    try:
        table = tomllib.loads(read_text(path)).get(TABLE, {})
    except tomllib.TOMLDecodeError as error:
        raise OptionError(f"{path}: is no TOML ({error})", "mend the file of filters") from error
    return grounding_filters(table, path)


def grounding_filters(table: Any, place: Path | str) -> GroundingFilters:
    """The filters of a table; `place` is what errors call it."""
    if not isinstance(table, dict):
        raise OptionError(f"{place}: {TABLE!r} is no table", f"write [{TABLE}] and a filter in each line")
    for name, value in table.items():
        if name not in GroundingFilters._fields:
            raise OptionError(f"{place}: {UnknownNameError('filter of grounding', name, GroundingFilters._fields)}")
        kind = bool if name == "own_entity" else int
        if not isinstance(value, kind) or (kind is int and (isinstance(value, bool) or value < 1)):
            wanted = "true or false" if kind is bool else "a number of 1 or more"
            raise OptionError(f"{place}: {TABLE}.{name} is {value!r}", f"give {wanted}")
    return GroundingFilters(**table)
