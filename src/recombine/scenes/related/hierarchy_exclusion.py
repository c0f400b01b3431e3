"""Exclusion by GQA's hierarchies: files `{class: [noun, …]}` and `{type: [attribute, …]}`, with what they leave open.

Two nouns exclude each other when both are in the hierarchy, neither is a class of the other, and they are not listed as
words for the same; a coffee table is a table, and doors are what a door is. People are called by what they do, so that
two words for people exclude each other only where that is said. Two attributes exclude each other when they are of one
type that has one value for an object, and neither holds the other's words, as dark blue holds blue. GQA has no
hierarchy of relations: a small table stands for it. Of names that are not there nothing is known: they exclude nothing.
"""

from __future__ import annotations

import tomllib
from functools import cache, cached_property
from importlib.resources import files
from itertools import permutations
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError
from recombine.scenes.files.read_json import read_json
from recombine.scenes.subgraphs.words import find_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

PEOPLE = "person"


class HierarchyExclusion:
    """What classes of nouns and types of attributes say."""

    def __init__(self, classes: Mapping[str, Sequence[str]], types: Mapping[str, Sequence[str]]) -> None:
        self._classes, self._types = classes, types
        values = _gqa()
        self._wide = frozenset(values["nouns"]["wide"])
        self._same_nouns = _pairs(values["nouns"]["overlapping"])
        self._opposite = _pairs(values["nouns"]["opposite"])
        self._exclusive = frozenset(values["attributes"]["types"])
        self._same_attributes = _pairs(values["attributes"]["overlapping"])
        self._relations: Mapping[str, Sequence[str]] = values["relations"]

    def __eq__(self, other: object) -> bool:
        """Whether another one says the same, as its copy in another process does."""
        if not isinstance(other, HierarchyExclusion):
            return NotImplemented
        return self._classes == other._classes and self._types == other._types

    def __hash__(self) -> int:
        return hash((tuple(self._classes), tuple(self._types)))

    def names(self, kind: str) -> list[str]:
        """The names of a kind, `noun`, `attribute` or `relation`, of which something is known, sorted."""
        if kind == "noun":
            return sorted(self._above)
        if kind == "attribute":
            return sorted({name for names in self._types.values() for name in names})
        return sorted({*self._relations, *(asked for names in self._relations.values() for asked in names)})

    @property
    def seen_relations(self) -> list[str]:
        """The relations of which it is known what they rule out, sorted."""
        return sorted(self._relations)

    def noun(self, asked: str, seen: str) -> bool:
        """Whether no object is both."""
        first, second = self._singular(asked), self._singular(seen)
        if first == second or first not in self._above or second not in self._above:
            return False
        if (first, second) in self._opposite:
            return True
        wider, other = self._above[first], self._above[second]
        if first in other or second in wider or (first, second) in self._same_nouns:
            return False
        if first.endswith(f" {second}") or second.endswith(f" {first}"):
            return False
        return not (PEOPLE in wider and PEOPLE in other)

    def attribute(self, asked: str, seen: str) -> bool:
        """Whether no object has both."""
        if set(asked.split()) <= set(seen.split()) or set(seen.split()) <= set(asked.split()):
            return False
        if (asked, seen) in self._same_attributes:
            return False
        return not self._types_of.get(asked, frozenset()).isdisjoint(self._types_of.get(seen, frozenset()))

    def relation(self, asked: str, seen: str) -> bool:
        """Whether what is seen rules out what is asked."""
        return asked in self._relations.get(seen, ())

    def _singular(self, noun: str) -> str:
        return noun if noun in self._above else self._singulars.get(noun, noun)

    @cached_property
    def _above(self) -> Mapping[str, frozenset[str]]:
        """The classes of each noun, those of its classes included, without those that say nothing."""
        direct: dict[str, set[str]] = {name: set() for name in self._classes if name not in self._wide}
        for name, nouns in self._classes.items():
            for noun in nouns:
                direct.setdefault(noun, set()).update({name} - self._wide)
        return {noun: frozenset(_upwards(noun, direct)) for noun in direct}

    @cached_property
    def _singulars(self) -> Mapping[str, str]:
        words = find_words()
        return {words.plural(noun): noun for noun in sorted(self._above)}

    @cached_property
    def _types_of(self) -> Mapping[str, frozenset[str]]:
        types: dict[str, set[str]] = {}
        for kind, names in self._types.items():
            if kind in self._exclusive:
                for name in names:
                    types.setdefault(name, set()).add(kind)
        return {name: frozenset(kinds) for name, kinds in types.items()}


def read_hierarchy_exclusion(classes: Path | str, attributes: Path | str) -> HierarchyExclusion:
    """The exclusion of two files of GQA, `gqa_class_hierarchy.json` and `gqa_attribute_hierarchy.json`."""
    return HierarchyExclusion(_read(classes, "class", "noun"), _read(attributes, "type", "attribute"))


def _read(path: Path | str, above: str, below: str) -> dict[str, list[str]]:
    value = read_json(path)
    if not isinstance(value, dict):
        raise InputFileError(f"{path}: is no hierarchy", f"write {{{above}: [{below}, …]}}")
    for name, listed in value.items():
        if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
            raise InputFileError(f"{path}: {name!r} does not lead to names", f"write {{{above}: [{below}, …]}}")
    return value


def _upwards(noun: str, direct: Mapping[str, Iterable[str]]) -> set[str]:
    """All classes above a noun; a class that is its own is there once."""
    above: set[str] = set()
    left = sorted(direct.get(noun, ()))
    while left:
        name = left.pop()
        if name not in above:
            above.add(name)
            left += sorted(direct.get(name, ()))
    return above - {noun}


def _pairs(groups: Iterable[Sequence[str]]) -> frozenset[tuple[str, str]]:
    """All pairs within groups, both ways."""
    return frozenset((first, second) for group in groups for first, second in permutations(group, 2))


@cache
def _gqa() -> dict[str, Any]:
    return tomllib.loads((files("recombine.scenes.related") / "gqa.toml").read_text(encoding="utf-8"))
