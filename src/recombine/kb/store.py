"""What every store of a knowledge base can be asked, wherever the facts lie.

An answer is whole or an error: a store that cannot tell that an answer is whole raises `AnswerError`, and never gives
fewer rows or an empty set in its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recombine.kb.forms.form import Form
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.term import Term


class Step(NamedTuple):
    """A hop: along a relation from subject to object, or against it."""

    relation: Term
    inverse: bool = False


class Table(NamedTuple):
    """The answer of a SELECT: its variables without `?`, and its rows in the order of the store; None is unbound."""

    variables: tuple[str, ...]
    rows: list[tuple[Term | None, ...]]


class Store(Protocol):
    """A knowledge base that answers. Terms given are taken by name or by IRI alike; terms of answers are in the form
    that the store's profile gives them, names where the IRI begins with its base.
    """

    @property
    def kind(self) -> str:
        """The name of this kind of world, `kb`."""

    @property
    def digest(self) -> str:
        """The SHA-256 of the facts; for an endpoint, of its address and of what is said of its version."""

    @property
    def profile(self) -> Profile:
        """Prefixes, and the predicates for type, sub-class, label and so on."""

    def select(self, query: str) -> Table:
        """The rows of a SPARQL SELECT."""

    def ask(self, query: str) -> bool:
        """The truth of a SPARQL ASK."""

    def execute(self, form: Form) -> list[Term]:
        """The answers of a logical form: distinct terms in the order of their keys, a number for a count, a truth for
        an ASK. S-expressions and graph queries are read as appendix B of GrailQA says (`sets`), SPARQL as it stands.
        """

    def neighbours(self, term: Term, relation: Term | None = None, *, inverse: bool = False) -> list[Term]:
        """The distinct terms one hop away, along one relation or all, in the order of their keys."""

    def relations(self, term: Term, *, inverse: bool = False) -> dict[Term, int]:
        """The relations that leave a term (or lead to it) with the number of facts of each, by their keys."""

    def follow(self, start: Iterable[Term], path: Sequence[Step]) -> list[Term]:
        """The distinct terms at the end of a path from any of some terms, in the order of their keys."""

    def count(self, subject: Term | None = None, relation: Term | None = None, target: Term | None = None) -> int:
        """How many facts have this subject, relation and target, those that are given."""
