"""What every kind of grammar can do, so that nobody need ask which kind it is.

A formalism makes pairs of texts by rules and finds the rules of a text again. Whatever its rules look like, what it
gives is a `Derived`: both texts and the term that makes them. Its file endings are registered in `find_grammar.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from recombine.errors import DerivationError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.grammars.rule_table import RuleTable
    from recombine.records.derivation import Derivation

Term = tuple[str, tuple["Term", ...]]
"""A derivation tree as nested tuples `(rule name, (child, …))`: hashable, cheap, compared by value."""


class Derived(NamedTuple):
    """What one derivation makes."""

    source: str
    target: str
    term: Term


class Drawn(NamedTuple):
    """A pair, and how it was made."""

    source: str
    target: str
    derivation: Derivation


class Formalism(Protocol):
    """A grammar of any kind."""

    @property
    def name(self) -> str:
        """What its data is called: the name of its file, without the suffix."""

    def rule_names(self) -> list[str]:
        """All rules as derivations name them, in file order."""

    def rule_table(self) -> RuleTable:
        """The symbol of each rule and the symbols it asks for: what pairs of rules are held out by."""

    def derivation(self, term: Term) -> Derivation:
        """The rule application graph of a term."""

    def parse_source(self, text: str) -> Iterator[Derived]:
        """The derivations of a source, the canonical one first; a text that has none is a `DerivationError`."""

    def parse_target(self, text: str) -> Iterator[Derived]:
        """The derivations of a target, the canonical one first; a text that has none is a `DerivationError`."""

    def sample(self, number: int, *, seed: int, max_depth: int | None = None) -> Iterator[Derived]:
        """So many different derivations, as they are drawn; fewer than asked for are a `SizeError`."""

    def enumerate(self, *, max_depth: int | None = None) -> Iterator[Derived]:
        """Every derivation; a grammar without end is refused."""

    def count(self, *, max_depth: int | None = None) -> int | None:
        """How many derivations `enumerate` gives; none where only listing them would tell."""


@runtime_checkable
class DrawsMany(Protocol):
    """A grammar that has, besides, a quicker way to draw many pairs."""

    def sample_many(self, number: int, *, seed: int, max_depth: int | None = None) -> Iterator[Drawn]:
        """The pairs of `sample` with their derivations."""


def not_made(grammar: str, side: str, text: str) -> DerivationError:
    """The error for a text that a grammar does not make."""
    return DerivationError(f"the grammar {grammar} does not make the {side} {shortened(text)}")


def shortened(text: str, most: int = 80) -> str:
    """A text in quotation marks, cut where it is long.

    >>> shortened("jump twice", most=7)
    "'jump t…'"
    """
    return repr(text if len(text) <= most else f"{text[: most - 1]}…")
