"""What a query asks of its placeholders and variables: of each by itself, and of two together."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import FormError
from recombine.grammars.unification.queries.query_text import FILTER
from recombine.kb.grounding.property_path import TYPE

if TYPE_CHECKING:
    from recombine.grammars.unification.queries.query_text import QueryText

_PLACEHOLDER = re.compile(r"M\d+")
_VARIABLE = re.compile(r"\?\w+")


class End(NamedTuple):
    """A clause with a constant: the property leads from the term to it, or against it to the term."""

    path: str
    constant: str
    inverse: bool
    """Whether the constant is the subject."""


class Link(NamedTuple):
    """All clauses between two terms: properties that lead from the one to the other, or back."""

    one: str
    other: str
    paths: frozenset[tuple[str, bool]]
    """Properties, each with whether it leads from the other to the one."""
    unequal: bool
    """Whether a filter says that the two are not the same."""


class QueryTerms(NamedTuple):
    """The placeholders and variables of a query and what is asked of them."""

    placeholders: tuple[str, ...]
    variables: tuple[str, ...]
    asked: str | None
    """The variable that an open question asks for; none of a closed one, and where an entity is asked for."""
    ends: dict[str, frozenset[End]]
    """By term, its clauses with constants."""
    loops: dict[str, frozenset[str]]
    """By term, the properties that lead from it to itself."""
    links: tuple[Link, ...]
    apart: frozenset[tuple[str, str]]
    """Terms that a filter tells apart and no clause links."""

    @property
    def terms(self) -> tuple[str, ...]:
        """All terms, the placeholders first."""
        return self.placeholders + self.variables


def is_placeholder(word: str) -> bool:
    """Whether a word of a query stands for an entity."""
    return _PLACEHOLDER.fullmatch(word) is not None


def query_terms(query: QueryText) -> QueryTerms:
    """What the clauses of a query ask.

    >>> from recombine.grammars.unification.queries.query_text import QueryText
    >>> terms = query_terms(QueryText("SELECT DISTINCT ?x0 WHERE", [["?x0", "a", "film.film"], ["?x0", "p", "M0"]]))
    >>> terms.asked, terms.placeholders, sorted(terms.links[0].paths)
    ('?x0', ('M0',), [('p', False)])
    """
    terms: dict[str, None] = {}
    ends: dict[str, set[End]] = {}
    loops: dict[str, set[str]] = {}
    paths: dict[tuple[str, str], set[tuple[str, bool]]] = {}
    unequal: dict[tuple[str, str], None] = {}
    for clause in query.clauses:
        if clause[0] == FILTER:
            one, other = _unequal(clause)
            terms.update(dict.fromkeys((one, other)))
            unequal[one, other] = None
            continue
        if len(clause) != 3:
            raise FormError(f"a clause of {len(clause)} words: {' '.join(clause)}", "subject, property, object")
        subject, path, target = clause
        if not (_is_term(subject) or _is_term(target)):
            raise FormError(f"a clause without a placeholder or variable: {' '.join(clause)}", "leave it out")
        terms.update(dict.fromkeys(word for word in (subject, target) if _is_term(word)))
        if not _is_term(target):
            ends.setdefault(subject, set()).add(End(path, target, inverse=False))
        elif not _is_term(subject):
            ends.setdefault(target, set()).add(End(path, subject, inverse=True))
        elif subject == target:
            loops.setdefault(subject, set()).add(path)
        elif (target, subject) in paths:
            paths[target, subject].add((path, True))
        else:
            paths.setdefault((subject, target), set()).add((path, False))
    linked = {frozenset(pair) for pair in paths}
    apart = {frozenset(pair) for pair in unequal}
    return QueryTerms(
        tuple(sorted((term for term in terms if is_placeholder(term)), key=lambda term: int(term[1:]))),
        tuple(term for term in terms if not is_placeholder(term)),
        _asked(query.head, terms),
        {term: frozenset(said) for term, said in ends.items()},
        {term: frozenset(said) for term, said in loops.items()},
        tuple(Link(one, other, frozenset(said), {one, other} in apart) for (one, other), said in paths.items()),
        frozenset(pair for pair in unequal if frozenset(pair) not in linked),
    )


def asks_nothing(query: QueryText) -> bool:
    """Whether an open query asks for what it names ("Who was M0"), or for what no clause says anything of.

    >>> from recombine.grammars.unification.queries.query_text import QueryText
    >>> asks_nothing(QueryText("SELECT DISTINCT M0 WHERE", [["M0", "a", "people.person"]]))
    True
    """
    if "count" in query.head:
        return False
    asked = {word for word in query.head.split() if _VARIABLE.fullmatch(word)}
    return asked.isdisjoint(word for clause in query.clauses if clause[0] != FILTER for word in clause)


def _is_term(word: str) -> bool:
    return _VARIABLE.fullmatch(word) is not None or is_placeholder(word)


def _unequal(clause: list[str]) -> tuple[str, str]:
    words = [word for word in clause[1:] if word not in "()"]
    if len(words) != 3 or words[1] != "!=" or not (_is_term(words[0]) and _is_term(words[2])):
        raise FormError(f"a filter that is not read: {' '.join(clause)}", "write FILTER ( A != B )")
    return words[0], words[2]


def _asked(head: str, terms: dict[str, None]) -> str | None:
    if "count" in head:
        return None
    words = [word for word in head.split() if _is_term(word)]
    if len(words) == 1 and is_placeholder(words[0]):
        return None
    if len(words) != 1 or words[0] not in terms:
        raise FormError(f"{head!r} asks for {len(words)} variables of the query", "ask for one that a clause has")
    return words[0]


def names_of(terms: QueryTerms) -> tuple[list[str], list[str]]:
    """The properties and the types that a query needs, each once, sorted."""
    properties = {path for link in terms.links for path, _ in link.paths}
    properties |= {path for said in terms.loops.values() for path in said}
    properties |= {end.path for said in terms.ends.values() for end in said if end.path != TYPE}
    types = {end.constant for said in terms.ends.values() for end in said if end.path == TYPE and not end.inverse}
    return sorted(properties), sorted(types)
