"""The ontology of the synthetic world: its nouns, attributes, relations and themes, read from a data file.

It also says which names exclude each other. Of nouns and attributes that is the same both ways. Of relations it is not:
`excludes_relation(asked, seen)` is whether what is seen rules out what is asked, as m(riding on, near) = 1 and
m(near, riding on) = 0 in COVR.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Noun:
    """A word for an object, and, where it is drawn, what it looks like."""

    name: str
    parent: str | None = None
    same: str | None = None
    plural: str = ""
    countable: bool = True
    article: str = "a"
    sort: str = ""
    size: tuple[int, int] | None = None
    surface: float = 1.0
    has: Mapping[str, float] = field(default_factory=dict)
    only: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tools:
    """What a relation can be done with: the name of the modifier, the sorts of objects, and how often it is so."""

    name: str
    sorts: tuple[str, ...]
    share: float


@dataclass(frozen=True)
class RelationName:
    """A word for a relation, and between which sorts it is drawn."""

    name: str
    parent: str | None = None
    inverse: str | None = None
    subjects: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    tools: Tools | None = None
    poses: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    share: float = 0.0


@dataclass(frozen=True)
class Theme:
    """What scenes of one kind are about: its share of all scenes, and the shares of nouns in it."""

    name: str
    share: float
    nouns: Mapping[str, float]


@dataclass(frozen=True)
class Ontology:
    """All words by name."""

    nouns: Mapping[str, Noun]
    attributes: Mapping[str, str]
    """The type of each attribute."""
    relations: Mapping[str, RelationName]
    themes: tuple[Theme, ...]

    def noun_names(self, name: str) -> tuple[str, ...]:
        """The names that fit an object of a noun: itself, its synonyms, and wider words with theirs.

        >>> find_ontology().noun_names("puppy")
        ('puppy', 'dog', 'animal')
        >>> find_ontology().noun_names("boy")
        ('boy', 'child', 'kid', 'person')
        """
        return self._noun_names.get(name, (name,))

    def relation_names(self, name: str) -> tuple[str, ...]:
        """The names that fit a relation: itself and wider words.

        >>> find_ontology().relation_names("standing on")
        ('standing on', 'on')
        """
        return self._relation_names.get(name, (name,))

    def excludes_noun(self, first: str, second: str) -> bool:
        """Whether no object is both; of a word that is not here nothing is known but that it is itself.

        >>> find_ontology().excludes_noun("puppy", "animal"), find_ontology().excludes_noun("puppy", "cat")
        (False, True)
        """
        return first not in self.noun_names(second) and second not in self.noun_names(first)

    def excludes_attribute(self, first: str, second: str) -> bool:
        """Whether no object has both: two attributes of one type.

        >>> find_ontology().excludes_attribute("red", "blue"), find_ontology().excludes_attribute("red", "striped")
        (True, False)
        """
        return first != second and self.attributes.get(first, first) == self.attributes.get(second, second)

    def excludes_relation(self, asked: str, seen: str) -> bool:
        """Whether `asked` does not hold of two objects of which `seen` is said.

        >>> known = find_ontology()
        >>> known.excludes_relation("holding", "next to"), known.excludes_relation("next to", "holding")
        (True, False)
        """
        wider = self.relation_names(asked)
        if asked in self.relation_names(seen) or seen in wider:
            return False
        return any(name in self._excluded.get(seen, ()) for name in wider)

    @cached_property
    def drawn(self) -> tuple[Noun, ...]:
        """The nouns that objects of scenes have."""
        return tuple(noun for noun in self.nouns.values() if noun.size is not None)

    @cached_property
    def values(self) -> Mapping[str, tuple[str, ...]]:
        """The attributes of each type."""
        listed: dict[str, list[str]] = {}
        for name, kind in self.attributes.items():
            listed.setdefault(kind, []).append(name)
        return {kind: tuple(names) for kind, names in listed.items()}

    @cached_property
    def _noun_names(self) -> Mapping[str, tuple[str, ...]]:
        same: dict[str, list[str]] = {}
        for noun in self.nouns.values():
            if noun.same is not None:
                same.setdefault(noun.same, []).append(noun.name)
        return {name: tuple(self._names_upwards(name, same)) for name in self.nouns}

    def _names_upwards(self, name: str, same: Mapping[str, list[str]]) -> list[str]:
        """A name, what is the same, and so on upwards; a name that is a synonym comes first all the same."""
        names = [name]
        step: str | None = self.nouns[name].same or name
        while step is not None:
            names += [each for each in (step, *same.get(step, ())) if each not in names]
            step = self.nouns[step].parent
        return names

    @cached_property
    def _relation_names(self) -> Mapping[str, tuple[str, ...]]:
        return {name: self._relations_upwards(name) for name in self.relations}

    def _relations_upwards(self, name: str) -> tuple[str, ...]:
        parent = self.relations[name].parent
        return (name,) if parent is None else (name, *self._relations_upwards(parent))

    @cached_property
    def _excluded(self) -> Mapping[str, frozenset[str]]:
        """What each relation excludes, wider words of it included."""
        return {
            name: frozenset(each for wider in self._relation_names[name] for each in self.relations[wider].excludes)
            for name in self.relations
        }


@cache
def find_ontology() -> Ontology:
    """The ontology that comes with the package."""
    text = (files("recombine.scenes.synthetic") / "ontology.toml").read_text(encoding="utf-8")
    return ontology_of(tomllib.loads(text))


def ontology_of(values: Mapping[str, Any]) -> Ontology:
    """The ontology that a data file says."""
    return Ontology(
        {name: _noun(name, entry) for name, entry in values["nouns"].items()},
        {name: kind for kind, names in values["attributes"].items() for name in names},
        {name: _relation(name, entry) for name, entry in values["relations"].items()},
        tuple(Theme(name, entry["share"], entry["nouns"]) for name, entry in values["themes"].items()),
    )


def _noun(name: str, entry: Mapping[str, Any]) -> Noun:
    size = entry.get("size")
    plural = entry.get("plural", name)
    made = {
        "plural": plural,
        "size": None if size is None else (size[0], size[1]),
        "only": tuple(entry.get("only", ())),
    }
    return Noun(**{"name": name, **entry, **made})


def _relation(name: str, entry: Mapping[str, Any]) -> RelationName:
    tools = entry.get("tools")
    made = None if tools is None else Tools(tools["name"], tuple(tools["sorts"]), tools["share"])
    lists = {key: tuple(entry.get(key, ())) for key in ("subjects", "objects", "poses", "excludes")}
    return RelationName(
        name, entry.get("parent"), entry.get("inverse"), tools=made, share=entry.get("share", 0.0), **lists
    )
