"""Matching of rules with logical forms, ⊓ being commutative and associative (CFQ paper, Appendix J).

A conjunction in a pattern matches as many conjuncts as it has parts, in any order; where it stands inside of something
else it must match all of them, and its last variable takes what the others leave. At the top of a rule of inference it
may match some conjuncts only; the others stay. Parts that say more are matched first. All choices are tried in the
order in which conjuncts stand, or backwards, so that what is found first is always the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.grammars.unification.forms.logical_form import HOLE, MEET, Term, Terms, conjuncts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Values = dict[str, Term]


class Matcher:
    """Matches patterns, and looks up facts; `backwards` takes conjuncts from the last one on."""

    __slots__ = ("_plain", "backwards", "facts", "terms")

    def __init__(self, terms: Terms, facts: FactTable, *, backwards: bool) -> None:
        self.terms, self.facts, self.backwards = terms, facts, backwards
        self._plain: dict[Term, bool] = {}

    def iter_matches(self, pattern: Term, term: Term, values: Values) -> Iterator[Values]:
        """Every way to fill a pattern's variables so that it is the term."""
        op = pattern.op
        if op is HOLE:
            bound = values.get(pattern.name)
            if bound is None:
                yield {**values, pattern.name: term}
            elif bound is term:
                yield values
        elif pattern is term:
            yield values
        elif self.is_plain(pattern):
            if op == term.op:
                found = dict(values)
                if _plainly_matches(pattern, term, found):
                    yield found
        elif op is MEET:
            parts = conjuncts(term)
            if len(parts) >= len(pattern.args):
                for found, rest in self.iter_meets(pattern.args, parts, values, exact=True):
                    if not rest:
                        yield found
        elif op == term.op and pattern.name == term.name and len(pattern.args) == len(term.args):
            if len(pattern.args) == 1:
                yield from self.iter_matches(pattern.args[0], term.args[0], values)
            elif len(pattern.args) == 2:
                for found in self.iter_matches(pattern.args[0], term.args[0], values):
                    yield from self.iter_matches(pattern.args[1], term.args[1], found)
            else:
                yield from self._iter_lists(pattern.args, term.args, values)

    def first_match(self, pattern: Term, term: Term) -> Values | None:
        """The first way to fill a pattern's variables, where there is no choice; none where it is not the term."""
        values: Values = {}
        return values if _plainly_matches(pattern, term, values) else None

    def is_plain(self, pattern: Term) -> bool:
        """Whether there is no choice in matching a pattern: it has no conjunction."""
        plain = self._plain.get(pattern)
        if plain is None:
            plain = self._plain[pattern] = pattern.op is not MEET and all(map(self.is_plain, pattern.args))
        return plain

    def _iter_lists(self, patterns: Sequence[Term], terms: Sequence[Term], values: Values) -> Iterator[Values]:
        if not patterns:
            yield values
            return
        for found in self.iter_matches(patterns[0], terms[0], values):
            yield from self._iter_lists(patterns[1:], terms[1:], found)

    def iter_meets(
        self, patterns: Sequence[Term], parts: tuple[Term, ...], values: Values, *, exact: bool
    ) -> Iterator[tuple[Values, tuple[Term, ...]]]:
        """Every way to match the parts of a conjunction, with the conjuncts that are left."""
        if not patterns:
            yield values, parts
            return
        first, others = patterns[0], patterns[1:]
        if exact and not others and first.op is HOLE and len(parts) > 1:
            whole = self.terms.meet(parts)
            bound = values.get(first.name)
            if bound is None:
                yield {**values, first.name: whole}, ()
            elif bound is whole:
                yield values, ()
            return
        if first.op is HOLE and first.name in values:
            bound = values[first.name]
            if bound in parts:
                place = parts.index(bound)
                yield from self.iter_meets(others, parts[:place] + parts[place + 1 :], values, exact=exact)
            return
        places = range(len(parts) - 1, -1, -1) if self.backwards else range(len(parts))
        op = None if first.op in (HOLE, MEET) else first.op
        for place in places:
            if op is not None and parts[place].op != op:
                continue
            for found in self.iter_matches(first, parts[place], values):
                yield from self.iter_meets(others, parts[:place] + parts[place + 1 :], found, exact=exact)

    def iter_known(self, conditions: Sequence[Term], values: Values) -> Iterator[tuple[Values, tuple[Term, ...]]]:
        """Every way to meet conditions, with the facts that do."""
        if not conditions:
            yield values, ()
            return
        first = conditions[0]
        for fact in self.facts.candidates(first, values, self.terms):
            for found in self.iter_matches(first, fact, values):
                for all_found, facts in self.iter_known(conditions[1:], found):
                    yield all_found, (fact, *facts)


def _plainly_matches(pattern: Term, term: Term, values: Values) -> bool:
    """Whether a pattern without conjunctions is a term; fills in its variables."""
    if pattern.op is HOLE:
        return values.setdefault(pattern.name, term) is term
    if pattern is term:
        return True
    if pattern.op != term.op or pattern.name != term.name or len(pattern.args) != len(term.args):
        return False
    for place, part in enumerate(pattern.args):  # noqa: SIM110  # a generator takes twice as long
        if not _plainly_matches(part, term.args[place], values):
            return False
    return True


class FactTable:
    """What is known, by predicate and first argument."""

    __slots__ = ("_all", "_by_first")

    def __init__(self, facts: Sequence[Term]) -> None:
        self._all: dict[str, list[Term]] = {}
        self._by_first: dict[tuple[str, Term], list[Term]] = {}
        for fact in facts:
            self._all.setdefault(fact.op, []).append(fact)
            if fact.args:
                self._by_first.setdefault((fact.op, fact.args[0]), []).append(fact)

    def of(self, predicate: str) -> Sequence[Term]:
        """All facts of a predicate."""
        return self._all.get(predicate, ())

    def candidates(self, condition: Term, values: Values, terms: Terms) -> Sequence[Term]:
        """The facts that a condition can be, as far as its first argument tells."""
        if condition.args:
            first = condition.args[0]
            known = values.get(first.name) if first.op is HOLE else terms.filled(first, values)
            if known is not None and (first.op is HOLE or not _open(known)):
                return self._by_first.get((condition.op, known), ())
        return self._all.get(condition.op, ())


def _open(term: Term) -> bool:
    return term.op is HOLE or any(map(_open, term.args))


def most_said_first(pattern: Term, terms: Terms) -> Term:
    """A pattern whose conjunctions have their variables last."""
    if not pattern.args:
        return pattern
    args = [most_said_first(arg, terms) for arg in pattern.args]
    if pattern.op is MEET:
        args.sort(key=lambda arg: arg.op is HOLE)
        return terms.make(MEET, tuple(args))
    return terms.make(pattern.op, tuple(args), pattern.name)
