"""Original FunQL (`answer(state(loc_2(countryid('usa'))))`) to the form that the NQG paper trains on (App. B.2).

Three steps, each from tree to tree, in the order of `STEPS` after the first:

1. entities become placeholders: `stateid('texas')` is `m0`. The longest name gets the lowest number, and of names of
   one length the first in the program does; an entity that is named twice keeps its placeholder;
2. functions that order or count get the parts of their nested argument as arguments of their own:
   `largest_one(density_1(X))` is `largest_one(density_1, X)`, `most(state(next_to_2(X)))` is
   `most(state, next_to_2, X)`;
3. kinds become members of an intersection: `state(X)` is `intersection(state, X)`, and `state(all)` is `state`.

All other functions stay as they are, `intersection` and `exclude` too: nested intersections are not made flat. The
rules were found in the published file and give its 880 programs. What that file cannot tell: only six of its programs
name two entities, and those of equal length (Alaska, Hawaii) are in the order of the program and of the alphabet.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.errors import ProgramError
from recombine.languages.arities import refuse_first_fault
from recombine.languages.brackets import render_calls
from recombine.languages.funql import parse_funql
from recombine.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "FunQL"
KINDS = frozenset({"capital", "city", "lake", "major", "mountain", "place", "river", "state"})
ENTITIES: Mapping[str, int] = {"cityid": 2, "countryid": 1, "placeid": 1, "riverid": 1, "stateid": 1}
"""The functions that name an entity, and how many arguments they take: a city also has its state's abbreviation."""
OPENED: Mapping[str, int] = {"fewest": 2, "largest_one": 1, "most": 2, "smallest_one": 1}
"""The functions whose nested argument is taken apart, and how many functions deep."""

_QUOTED = re.compile(r"'[^']+'")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")


@dataclass(frozen=True)
class Rewritten:
    """A program in the rewritten form, and the entity of every placeholder in it, written as in the original."""

    program: Tree
    entities: Mapping[str, str]

    def __str__(self) -> str:
        return render_calls(self.program)


def rewrite_funql(text: str) -> Rewritten:
    """The rewritten form of an original program.

    >>> rewritten = rewrite_funql("answer(count(intersection(city(cityid('austin', _)), loc_2(countryid('usa')))))")
    >>> print(rewritten)
    answer ( count ( intersection ( intersection ( city , m0 ) , loc_2 ( m1 ) ) ) )
    >>> rewritten.entities
    {'m0': "cityid('austin', _)", 'm1': "countryid('usa')"}
    >>> print(rewrite_funql("answer(smallest(most(state(next_to_2(state(all))))))"))
    answer ( smallest ( most ( state , next_to_2 , state ) ) )
    """
    tree = parse_funql(text)
    if not tree.children:
        raise ProgramError(NAME, 0, f"{text.strip()!r} alone is no program of the original form", "write answer(…)")
    refuse_first_fault(text, tree, _fault, language=NAME)
    entities = placeholders_of(tree)
    program = with_placeholders(tree, entities)
    for step in STEPS:
        program = step(program)
    return Rewritten(program, {name: entity_text(entity) for entity, name in entities.items()})


def placeholders_of(tree: Tree) -> dict[Tree, str]:
    """The placeholder of every entity, in the order of the numbers.

    >>> tree = parse_funql("intersection(next_to_2(stateid('utah')), next_to_2(stateid('new mexico')))")
    >>> [(entity_text(entity), name) for entity, name in placeholders_of(tree).items()]
    [("stateid('new mexico')", 'm0'), ("stateid('utah')", 'm1')]
    """
    entities = dict.fromkeys(node for node in tree.iter_nodes() if node.label in ENTITIES)
    longest_first = sorted(entities, key=lambda entity: -len(entity.children[0].label))
    return {entity: f"m{number}" for number, entity in enumerate(longest_first)}


def with_placeholders(tree: Tree, placeholders: Mapping[Tree, str]) -> Tree:
    """The program with entities replaced."""
    return tree.mapped(lambda node: Tree(placeholders[node]) if node in placeholders else node)


def with_opened_arguments(tree: Tree) -> Tree:
    """The program with the nested arguments of `most`, `fewest`, `largest_one` and `smallest_one` side by side.

    >>> render_calls(with_opened_arguments(parse_funql("largest_one(area_1(state(all)))")))
    'largest_one ( area_1 , state ( all ) )'
    """
    return tree.mapped(_opened)


def _opened(node: Tree) -> Tree:
    if node.label not in OPENED:
        return node
    arguments: list[Tree] = []
    inner = node.children[0]
    for _ in range(OPENED[node.label]):
        arguments.append(Tree(inner.label))
        inner = inner.children[0]
    return Tree(node.label, (*arguments, inner))


def with_intersections(tree: Tree) -> Tree:
    """The program with kinds as members of intersections.

    >>> render_calls(with_intersections(parse_funql("major(city(all))")))
    'intersection ( major , city )'
    """
    return tree.mapped(_intersected)


def _intersected(node: Tree) -> Tree:
    if node.label not in KINDS or not node.children:
        return node
    kind = Tree(node.label)
    return kind if node.children == (Tree("all"),) else Tree("intersection", (kind, *node.children))


STEPS = (with_opened_arguments, with_intersections)
"""What follows the placeholders. The arguments come first: `most` takes its kind before that is an intersection."""


def entity_text(entity: Tree) -> str:
    """An entity as original programs write it.

    >>> entity_text(parse_funql("cityid( 'austin' ,'tx' )"))
    "cityid('austin', 'tx')"
    """
    return f"{entity.label}({', '.join(child.label for child in entity.children)})"


def _fault(node: Tree) -> str | None:
    """What keeps a call from being original FunQL, if anything."""
    label, children = node.label, node.children
    if label in ENTITIES:
        return _entity_fault(node)
    for child in children:
        # What has no brackets of its own is `all` under a kind, or a number.
        if not child.children and not _NUMBER.fullmatch(child.label) and (child.label != "all" or label not in KINDS):
            return f"{child.label!r} cannot stand alone in {label!r} of the original form"
    if label in KINDS and len(children) != 1:
        return f"{label!r} has {len(children)} arguments where 1 belongs"
    return _opened_fault(node) if label in OPENED else None


def _opened_fault(node: Tree) -> str | None:
    """Taking apart loses nothing only where every function on the way has one argument and is not itself opened."""
    nested: list[Tree] = []
    inner = node
    while len(inner.children) == 1 and len(nested) < OPENED[node.label]:
        inner = inner.children[0]
        nested.append(inner)
    fits = len(nested) == OPENED[node.label] and all(len(part.children) == 1 for part in (node, *nested))
    if fits and nested[-1].label not in KINDS and not any(part.label in (*ENTITIES, *OPENED) for part in nested):
        return None
    wanted = "a kind, a relation and a set" if OPENED[node.label] == 2 else "a measure and a set"
    return f"{node.label!r} needs {wanted}, each inside the one before"


def _entity_fault(node: Tree) -> str | None:
    name, *state = (child.label for child in node.children)
    wanted = "('NAME', _) or ('NAME', 'STATE')" if ENTITIES[node.label] == 2 else "('NAME')"
    fits = len(node.children) == ENTITIES[node.label] and not any(child.children for child in node.children)
    quoted = _QUOTED.fullmatch(name) and all(word == "_" or _QUOTED.fullmatch(word) for word in state)
    return None if fits and quoted else f"an entity is written {node.label}{wanted}"
