"""What examples say of themselves beside their texts: template, answer, sub-graph, part, twins and pictures.

A field is one of the context, or a tag where the context has none of that name. A table may have a sub-graph as the
text of its JSON.
"""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import OptionError, RecordError, UnknownNameError
from recombine.scenes.balance.answer_class import read_answer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.records.dataset import Dataset

TOGETHER = ("part", "pair", "images", "template", "answer")
"""Fields that are read in one go."""


class ExampleFields:
    """The fields of a data set's examples, read once.

    >>> from recombine.workbench import load
    >>> data = load([("how many dogs", "count ( find ( dog ) )")])
    >>> ExampleFields(data).column("part"), ExampleFields(data).has("part")
    ([None], False)
    """

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset
        self._columns: dict[str, list[Any]] = {}
        self._looked_in_tags: set[str] = set()

    def __len__(self) -> int:
        return len(self._dataset)

    def column(self, name: str) -> list[Any]:
        """A field of every example, none where it has none; a list is a tuple."""
        if name not in self._columns:
            names = TOGETHER if name in TOGETHER else (name,)
            self._columns.update(self._read("context", names))
        if name not in self._looked_in_tags and all(value is None for value in self._columns[name]):
            self._columns.update(self._read("tags", (name,)))
            self._looked_in_tags.add(name)
        return self._columns[name]

    def _read(self, kind: str, names: tuple[str, ...]) -> dict[str, list[Any]]:
        """Fields in one go; the rest of each example is let go at once, as a million lists take long to look after."""
        if not self._dataset.has(kind):
            return {name: [None] * len(self) for name in names}
        columns: dict[str, list[Any]] = {name: [] for name in names}
        for each in self._dataset.iter_plain(kind):
            for name, values in columns.items():
                value = each.get(name)
                values.append(tuple(value) if type(value) is list else value)
        return columns

    def has(self, name: str) -> bool:
        """Whether some example has a field."""
        return any(value is not None for value in self.column(name))

    def needed(self, name: str, atom: str) -> list[Any]:
        """A field that every example must have, for an atom that asks for it."""
        values = self.column(name)
        for place, value in enumerate(values):
            if value is None:
                raise self._missing(name, place, atom)
        return values

    def _missing(self, name: str, place: int, atom: str) -> OptionError:
        return OptionError(
            f"{atom} needs the field {name!r}, which the example {self._dataset.ids[place]} of {self._dataset.name} "
            "does not have",
            "give questions that generate scenes made, or ask for what programs have: op:NAME, arg:VALUE",
        )

    def answers(self, atom: str) -> list[Any]:
        """The answers; those of a table are read from their words."""
        return [read_answer(value) for value in self.needed("answer", atom)]

    def iter_subgraphs(self, atom: str) -> Iterator[Any]:
        """The sub-graphs as JSON has them, for an atom that asks for them."""
        rows = self._dataset.iter_plain("context") if self._dataset.has("context") else repeat({}, len(self))
        for place, each in enumerate(rows):
            value = each.get("subgraph")
            if value is None:
                raise self._missing("subgraph", place, atom)
            graph = orjson.loads(value) if isinstance(value, str) else value
            if not isinstance(graph, list) or len(graph) != 3:
                key = self._dataset.ids[place]
                raise RecordError(self._dataset.name, key, "its sub-graph is of another form", "make it anew")
            yield graph

    def tagged(self, name: str) -> list[Any]:
        """A tag or field that some example must have."""
        if not self.has(name):
            first = [
                next(self._dataset.iter_plain(kind), {}) for kind in ("tags", "context") if self._dataset.has(kind)
            ]
            known = sorted({key for each in first for key in each})
            raise UnknownNameError("tag", name, known)
        return self.column(name)
