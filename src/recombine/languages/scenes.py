"""Programs over scenes: COVR's functional programs about pictures, with names at known places.

Trees and rendering are those of `functional.py`; operators and the number of their arguments are those of
`arities.toml`. Which arguments are names is known by their place, so that a noun may be called what an operator is
called; a name that holds brackets, commas or quotes is written in quotes. Argument order matters.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from recombine.errors import ProgramError
from recombine.languages.arities import arities, arity_fault, refuse_first_fault
from recombine.languages.functional import parse_functional, render_functional, without_empty_brackets
from recombine.languages.language import Language
from recombine.languages.literals import leaves_typed, literal_kind
from recombine.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "scenes"
EVERYTHING = "scene()"
"""The label of the call of nothing, which is all objects."""
INDEXED = frozenset({"query_attr", "all_same"})
"""The operators that name a type of attribute in square brackets."""
_OBJECT, _ATTRIBUTE, _TYPE, _RELATION, _NUMBER = "OBJECT", "ATTRIBUTE", "TYPE", "RELATION", "NUMBER"
NAMES: Mapping[str, Mapping[int, str]] = {
    "find": {0: _OBJECT},
    "filter": {0: _ATTRIBUTE},
    "with_relation": {1: _RELATION},
    "with_relation_object": {1: _RELATION},
    "verify_attr": {0: _ATTRIBUTE},
    "choose_attr": {0: _ATTRIBUTE, 1: _ATTRIBUTE},
    "choose_name": {0: _OBJECT, 1: _OBJECT},
    "choose_rel": {0: _RELATION, 1: _RELATION},
}
"""The places of each operator's arguments that are names, and what they are names of."""
NUMBERS: Mapping[str, tuple[int, ...]] = {
    **dict.fromkeys(("keep_eq", "keep_geq", "keep_leq"), (1,)),
    **dict.fromkeys(("eq", "gt", "lt", "geq", "leq"), (0, 1)),
}
"""The places where a number may be written."""
_PLAIN = re.compile(r'[^\s(),"\[\]\ufdd0]+(?: [^\s(),"\[\]\ufdd0]+)*')
_WHOLE = re.compile(r"\d+")
_UNESCAPED = re.compile(r"\\(.)", re.DOTALL)


def parse_scenes(text: str) -> Tree:
    """The tree of a program over scenes.

    >>> parse_scenes("exists ( find ( dog ) )")
    Tree(label='exists', children=(Tree(label='find', children=(Tree(label='dog', children=()),)),))
    """
    tree = parse_functional(text)
    if not tree.children and tree.label != EVERYTHING:
        raise ProgramError(NAME, 0, f"{tree.label!r} is no program", "begin with an operator and its arguments")
    refuse_first_fault(without_empty_brackets(text), tree, _fault, language=NAME)
    return tree


def operator_of(label: str) -> tuple[str, str]:
    """The operator of a label and the type of attribute that it names, empty where there is none.

    >>> operator_of("query_attr[color]"), operator_of("count")
    (('query_attr', 'color'), ('count', ''))
    """
    word, bracket, index = label.partition("[")
    return (word, index[:-1]) if bracket and index.endswith("]") else (label, "")


def written_name(name: str) -> str:
    """A name as a program writes it.

    >>> written_name("tennis racket"), written_name("cup (tea)")
    ('tennis racket', '"cup (tea)"')
    """
    if _PLAIN.fullmatch(name):
        return name
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def name_of(label: str) -> str:
    """The name that a program writes so."""
    return _UNESCAPED.sub(r"\1", label[1:-1]) if label.startswith('"') else label


def _fault(node: Tree) -> str | None:
    known = arities("scenes")
    word, index = operator_of(node.label)
    if word not in known or (word in INDEXED) != bool(index):
        return f"{node.label!r} is no operator over scenes: {', '.join(known)}"
    fault = arity_fault(node.label, len(node.children), known[word])
    return fault or _misplaced(word, node.children)


def _misplaced(word: str, arguments: tuple[Tree, ...]) -> str | None:
    """What is wrong with an argument: a name where a program belongs, or the other way round."""
    names, numbers = NAMES.get(word, {}), NUMBERS.get(word, ())
    for place, argument in enumerate(arguments):
        if place in names:
            if argument.children or argument.label == EVERYTHING:
                return f"argument {place + 1} of {word!r} is a program where a name belongs"
        elif not argument.children and argument.label != EVERYTHING:
            if place not in numbers:
                return f"argument {place + 1} of {word!r} is {argument.label!r} where a program belongs"
            if not _WHOLE.fullmatch(argument.label):
                return f"argument {place + 1} of {word!r} is {argument.label!r} where a number belongs"
    return None


def anonymise_scenes(tree: Tree) -> Tree:
    """The program with names and numbers replaced by what they are, known by their places.

    >>> tree = parse_scenes("eq ( count ( filter ( red , find ( cap ) ) ) , 2 )")
    >>> render_functional(anonymise_scenes(tree))
    'eq ( count ( filter ( ATTRIBUTE , find ( OBJECT ) ) ) , NUMBER )'
    """
    return tree.mapped(_anonymous)


def _anonymous(node: Tree) -> Tree:
    if not node.children:
        return node
    word, index = operator_of(node.label)
    masked = _masked(word, node.children)
    if index:
        return Tree(f"{word}[{_TYPE}]", masked)
    return node if masked is node.children else Tree(node.label, masked)


def _masked(word: str, arguments: tuple[Tree, ...]) -> tuple[Tree, ...]:
    names, numbers = NAMES.get(word), NUMBERS.get(word)
    if names is None and numbers is None:
        return arguments
    names = names or {}
    return tuple(
        _placeholder(names[place])
        if place in names
        else (_placeholder(_NUMBER) if numbers and place in numbers and not argument.children else argument)
        for place, argument in enumerate(arguments)
    )


@lru_cache(None)
def _placeholder(label: str) -> Tree:
    return Tree(label)


def type_scene_names(tree: Tree) -> Tree:
    """The program with names replaced by their kinds, known by their places.

    >>> render_functional(type_scene_names(parse_scenes("eq ( count ( find ( cap ) ) , 2 )")))
    'eq ( count ( find ( <object> ) ) , 2 )'
    """
    return tree.mapped(_with_kinds)


def _with_kinds(node: Tree) -> Tree:
    places = NAMES.get(operator_of(node.label)[0], {})
    children = tuple(
        Tree(f"<{places[place].lower()}>") if place in places and not child.children else child
        for place, child in enumerate(node.children)
    )
    return Tree(node.label, children) if places and node.children else node


SCENES = Language(
    "scenes",
    parse_scenes,
    render_functional,
    anonymise=anonymise_scenes,
    type_literals=leaves_typed(literal_kind),
    type_names=type_scene_names,
)
