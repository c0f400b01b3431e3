"""What a sub-graph may be: the limits of COVR's paper, and those that only its published generator has, by name.

`Limits()` has the paper's limits and the generator's rules of form, and leaves out nothing but left and right.
`Limits.paper()` has the paper's alone; `Limits.published()` has all, with the nouns, relations and small objects that
the generator leaves out of photographs.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, fields
from functools import cache
from importlib.resources import files
from typing import Any

from recombine.errors import OptionError

_RULES_OF_FORM = (
    "distinct_names",
    "equal_edges_once",
    "fork_at_root_only",
    "fork_of_bare_objects",
    "modifiers_on_leaves_only",
)


@cache
def _left_out() -> tuple[frozenset[str], dict[str, Any]]:
    """The relations that are always left out, and what the published generator leaves out besides."""
    text = (files("recombine.scenes.subgraphs") / "left_out.toml").read_text(encoding="utf-8")
    values = tomllib.loads(text)
    always, published = frozenset(values["always"]["relations"]), values["published"]
    return always, {
        "smallest_area": published["smallest_area"],
        "nouns_left_out": frozenset(published["nouns"]),
        "relations_left_out": always | frozenset(published["relations"]),
        "needs_attribute": frozenset(
            (relation, noun) for relation, nouns in published["needs_attribute"].items() for noun in nouns
        ),
    }


@dataclass(frozen=True)
class Limits:
    """The limits of enumeration; each can be set or put off by itself."""

    relations_per_object: int = 2
    relations_on_a_way: int = 2
    """From the root to a leaf."""
    modifiers_per_relation: int = 4
    """The paper has no such limit; more than four are seen nowhere, and more are cut and counted."""
    distinct_names: bool = True
    """An object name occurs once in a sub-graph."""
    equal_edges_once: bool = True
    """Two relations of one object differ in their name or in that of their object."""
    fork_at_root_only: bool = True
    """Only the root has two relations."""
    fork_of_bare_objects: bool = True
    """Objects below two relations of one object have neither attributes nor relations."""
    modifiers_on_leaves_only: bool = True
    """A relation with modifiers leads to an object without relations, and so do the modifiers."""
    smallest_area: int = 0
    """Objects of so many pixels or fewer are not asked about; 0 for no such limit."""
    nouns_left_out: frozenset[str] = frozenset()
    relations_left_out: frozenset[str] = field(default_factory=lambda: _left_out()[0])
    needs_attribute: frozenset[tuple[str, str]] = frozenset()
    """Pairs of relation and noun that are not asked about where the noun has no attribute."""
    most_subgraphs: int = 5_000
    """Of one scene; the smaller come first, and a scene that has more is cut and counted."""

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if each.type == "int" and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
                raise OptionError(f"the limit {each.name} is {value!r}", "give a whole number from 0 on")
        if self.most_subgraphs < 1:
            raise OptionError("the limit most_subgraphs is 0", "allow at least one sub-graph a scene")

    @staticmethod
    def paper(**changes: Any) -> Limits:
        """The paper's limits alone."""
        without: dict[str, Any] = dict.fromkeys(_RULES_OF_FORM, False)
        return Limits(**{**without, "relations_left_out": frozenset(), **changes})

    @staticmethod
    def published(**changes: Any) -> Limits:
        """The limits of the published generator."""
        return Limits(**{**_left_out()[1], **changes})
