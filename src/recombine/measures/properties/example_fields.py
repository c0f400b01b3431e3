"""What examples say of themselves beside their texts: template, answer, sub-graph, part, twins and pictures.

A field is one of the context, or a tag where the context has none of that name. A table may have a sub-graph as the
text of its JSON.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import OptionError, RecordError, UnknownNameError
from recombine.scenes.balance.answer_class import read_answer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.records.dataset import Dataset

_NOTHING: Mapping[str, Any] = {}


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

    @cached_property
    def _contexts(self) -> list[Mapping[str, Any]]:
        return list(self._dataset.iter_plain("context")) if self._dataset.has("context") else []

    @cached_property
    def _tags(self) -> list[Mapping[str, Any]]:
        return list(self._dataset.iter_plain("tags")) if self._dataset.has("tags") else []

    def __len__(self) -> int:
        return len(self._dataset)

    def column(self, name: str) -> list[Any]:
        """A field of every example, none where it has none."""
        if name not in self._columns:
            values = [each.get(name) for each in self._contexts] or [None] * len(self._dataset)
            if all(value is None for value in values):
                values = [each.get(name) for each in self._tags] or values
            self._columns[name] = values
        return self._columns[name]

    def has(self, name: str) -> bool:
        """Whether some example has a field."""
        return any(value is not None for value in self.column(name))

    def needed(self, name: str, atom: str) -> list[Any]:
        """A field that every example must have, for an atom that asks for it."""
        values = self.column(name)
        for place, value in enumerate(values):
            if value is None:
                raise OptionError(
                    f"{atom} needs the field {name!r}, which the example {self._dataset.ids[place]} of "
                    f"{self._dataset.name} does not have",
                    "give questions that generate scenes made, or ask for what programs have: op:NAME, arg:VALUE",
                )
        return values

    def answers(self, atom: str) -> list[Any]:
        """The answers; those of a table are read from their words."""
        return [read_answer(value) for value in self.needed("answer", atom)]

    def subgraphs(self, atom: str) -> list[Any]:
        """The sub-graphs as JSON has them."""
        values = self.needed("subgraph", atom)
        if any(isinstance(value, str) for value in values):
            values = [orjson.loads(value) if isinstance(value, str) else value for value in values]
        for place, value in enumerate(values):
            if not isinstance(value, list) or len(value) != 3:
                key = self._dataset.ids[place]
                raise RecordError(self._dataset.name, key, "its sub-graph is of another form", "make it anew")
        return values

    def tagged(self, name: str) -> list[Any]:
        """A tag or field that some example must have."""
        if not self.has(name):
            known = sorted({key for each in (*self._tags[:100], *self._contexts[:100]) for key in each})
            raise UnknownNameError("tag", name, known)
        return self.column(name)
