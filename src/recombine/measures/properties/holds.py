"""Which examples of a data set a predicate holds of."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.measures.properties.example_fields import ExampleFields
from recombine.measures.properties.predicate import ANYTHING, AllOf, Atom, Not, parse_predicate
from recombine.measures.properties.primitives import OF_PROGRAMS
from recombine.measures.properties.program_nodes import ProgramNodes, is_number
from recombine.measures.properties.property_table import property_table
from recombine.scenes.balance.answer_class import answer_text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from numpy.typing import NDArray

    from recombine.measures.properties.predicate import Part, Predicate, Word
    from recombine.records.dataset import Dataset

    Mask = NDArray[np.bool_]


def holds(dataset: Dataset, text: str, *, properties: Path | str | None = None) -> Mask:
    """Whether a predicate, as it is typed, holds of each example; `properties` is a file of one's own names.

    >>> from recombine.workbench import load
    >>> texts = ["count ( find ( dog ) )", "count ( filter ( red , find ( dog ) ) )", "exists ( find ( cat ) )"]
    >>> data = load([(text, text) for text in texts], language="covr")
    >>> holds(data, "has:count & !has:attr").tolist()
    [True, False, False]
    """
    return Properties(dataset).holds(property_table(properties).expanded(parse_predicate(text)))


class Properties:
    """Examples that primitives are asked of; programs and fields are read once, each atom is asked once."""

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset
        self.fields = ExampleFields(dataset)
        self.nodes = ProgramNodes(dataset)
        self._known: dict[Atom, Mask] = {}

    def holds(self, predicate: Predicate) -> Mask:
        """Whether a predicate over primitives holds of each example."""
        if isinstance(predicate, Atom):
            if predicate not in self._known:
                self._known[predicate] = self._asked(predicate)
            return self._known[predicate]
        if isinstance(predicate, Not):
            return ~self.holds(predicate.of)
        combine = np.logical_and if isinstance(predicate, AllOf) else np.logical_or
        return reduce(combine, map(self.holds, predicate.of))

    def _asked(self, atom: Atom) -> Mask:
        if atom.name in OF_PROGRAMS:
            return self.nodes.holds(atom)
        part = atom.parts[1]
        if atom.name == "tag":
            return _tagged(self.fields, part)
        if atom.name == "tpl":
            values = self.fields.needed("template", str(atom))
            return _mask(_is_meant(part, [str(value)]) for value in values)
        if atom.name in ("ans", "answer"):
            said = _value_text if atom.name == "ans" else _kind
            return _mask(_is_meant(part, [said(value)]) for value in self.fields.answers(str(atom)))
        said_of = _node_names if atom.name == "lexical" else _shapes
        return _mask(_is_meant(part, said_of(graph)) for graph in self.fields.iter_subgraphs(str(atom)))


def _mask(values: Iterable[bool]) -> Mask:
    return np.fromiter(values, np.bool_)


def _is_meant(part: Part, values: Iterable[str]) -> bool:
    """Whether one of some values is one that a part names."""
    return any(any(_is_named(word, value) for word in part.words) != part.but for value in values)


def _is_named(word: Word, value: str) -> bool:
    if word.sign:
        return word.sign == ANYTHING or is_number(value)
    return word.text == value


def _tagged(fields: ExampleFields, part: Part) -> Mask:
    name, _, first = part.words[0].text.partition("=")
    wanted = {first, *(word.text for word in part.words[1:])}
    return _mask(not wanted.isdisjoint(_texts(value)) for value in fields.tagged(name))


def _texts(value: Any) -> list[str]:
    """The texts that a tag is known by: of a list those of its members."""
    if value is None:
        return []
    return (
        [text for each in value for text in _texts(each)] if isinstance(value, list | tuple) else [_value_text(value)]
    )


def _value_text(value: Any) -> str:
    return answer_text(value) if isinstance(value, bool | int | str) else str(value)


def _kind(answer: Any) -> str:
    return "truth" if isinstance(answer, bool) else "number" if isinstance(answer, int) else "name"


def _node_names(graph: Any) -> set[str]:
    """The names of a sub-graph's objects, attributes, relations and modifiers."""
    name, attribute, relations = graph
    names = {name} if attribute is None else {name, attribute}
    for relation, child, mods in relations:
        names |= {relation} | _node_names(child)
        for mod, below in mods:
            names |= {mod} | _node_names(below)
    return names


def _shapes(graph: Any) -> set[str]:
    """Which of the shapes a sub-graph has, somewhere in it."""
    shapes = {"v"} if len(graph[2]) > 1 else set()
    for _, child, mods in graph[2]:
        shapes |= _shapes(child)
        if mods:
            shapes.add("modifier")
            for _, below in mods:
                shapes |= _shapes(below)
    return shapes
