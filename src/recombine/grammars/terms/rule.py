"""Rules, phrases and fragments: the plain values that grammars are made of.

A *side* of a rule is a tuple of parts, each a tuple of elements; most symbols have one part, a symbol whose phrase may
be interrupted (SCAN's `turn … left`) has two. An element is a word or a `Ref` to one part of one child.

A *term* is a derivation tree as nested tuples (`formalism.py`). A *fragment* is a term with integers where sub-trees
are left open.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from recombine.grammars.formalism import Term


class Ref(NamedTuple):
    """One part of one child, both counted from 0."""

    child: int
    part: int


Element = str | Ref
Side = tuple[tuple[Element, ...], ...]

Fragment = tuple[str, tuple["Fragment | int", ...]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the grammar: `name: <lhs> -> source => target`."""

    name: str
    lhs: str
    children: tuple[str, ...]
    source: Side
    target: Side | None
    weight: float = 1.0

    def renames(self) -> bool:
        """Whether the source is one child and nothing else, so that the rule only changes the symbol."""
        if len(self.children) != 1:
            return False
        elements = [element for part in self.source for element in part]
        return elements == [Ref(0, part) for part in range(len(elements))]


@dataclass(frozen=True, slots=True)
class Application:
    """A use of an interpretation rule that calls others; an integer stands for the rule applied to that variable."""

    rule: str
    calls: tuple[Application | int, ...]


@dataclass(frozen=True, slots=True)
class Interpretation:
    """One rule of the interpretation: a fragment of the grammar's trees and the words it becomes.

    `output` holds words and variable numbers; `calls` the interpretation rules it asks for, in order, each once.
    """

    name: str
    lhs: str
    pattern: Fragment
    variables: tuple[str, ...]
    output: tuple[str | int, ...]
    calls: tuple[Application | int, ...]


def term_text(term: Term | Fragment | int) -> str:
    """A term as text: `twice(act(jump))`."""
    if isinstance(term, int):
        return f"?{term}"
    rule, children = term
    return f"{rule}({', '.join(map(term_text, children))})" if children else rule
