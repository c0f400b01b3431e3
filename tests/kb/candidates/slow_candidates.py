"""Candidates found in a way that is plainly right: every pair and triple of steps over a list of facts is tried."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from slow_execute import holds, ordered, same

from recombine.kb.candidates.candidate import Candidate
from recombine.kb.profiles.profile import ROLES, Profile
from recombine.kb.store import Step
from recombine.kb.term import LITERAL, Term

Fact = tuple[Term, Term, Term]


class SlowCandidates:
    """The candidates over a list of facts."""

    def __init__(self, facts: Sequence[Fact], profile: Profile) -> None:
        schema = {predicate for role in ROLES for predicate in profile.predicates(role)}
        self.facts = [fact for fact in facts if fact[1] not in schema]
        types = set(profile.predicates("type"))
        self.types = [(subject, target) for subject, relation, target in facts if relation in types]
        relations = {relation for _, relation, _ in self.facts}
        self.steps = [Step(relation, inverse) for relation in relations for inverse in (False, True)]

    def ends(self, starts: Iterable[Term], step: Step) -> set[Term]:
        """What a step leads to from any of some terms."""
        begins = set(starts)
        if step.inverse:
            return {one for one, relation, other in self.facts if relation == step.relation and other in begins}
        return {other for one, relation, other in self.facts if relation == step.relation and one in begins}

    def iter_paths(self, starts: set[Term], hops: int) -> Iterator[tuple[tuple[Step, ...], set[Term]]]:
        """The paths that lead somewhere, with what they lead to; a literal is no middle."""
        for first in self.steps:
            middle = self.ends(starts, first)
            if middle:
                yield (first,), middle
            through = {term for term in middle if term.kind != LITERAL}
            for second in self.steps if hops > 1 else ():
                if end := self.ends(through, second):
                    yield (first, second), end

    def of_anchor(self, anchor: Term, *, hops: int = 2, count: bool = True, classes: bool = False) -> set[Candidate]:
        """The candidates of one linked entity or literal."""
        starts = {anchor}
        if anchor.kind == LITERAL:
            starts = {target for _, _, target in self.facts if same(target, anchor)}
        found = set()
        for steps, ends in self.iter_paths(starts, hops):
            named = {None, *(name for one, name in self.types if one in ends and one.kind != LITERAL and classes)}
            for name in named:
                found |= {Candidate(steps, anchor, name, function) for function in ("none", "count")[: 1 + count]}
        return found

    def superlatives(self, hops: int = 2) -> set[Candidate]:
        """Those of the most or least of a number or a date, of each class."""
        return {
            Candidate(steps, None, name, function)
            for name, steps, _ in self._valued(hops)
            for function in ("argmax", "argmin")
        }

    def comparatives(self, literal: Term, hops: int = 2) -> set[Candidate]:
        """Those that compare with a literal, of each class."""
        return {
            Candidate(steps, None, name, sign, literal)
            for name, steps, values in self._valued(hops)
            for sign in ("<", "<=", ">", ">=")
            if any(holds(sign, ordered(value), ordered(literal)) for value in values)
        }

    def _valued(self, hops: int) -> Iterator[tuple[Term, tuple[Step, ...], list[Term]]]:
        for name in {name for _, name in self.types}:
            members = {one for one, other in self.types if other == name}
            for steps, ends in self.iter_paths(members, hops):
                known = [(end, ordered(end)) for end in ends]
                values = [end for end, value in known if value is not None and value[0] in (1, 2)]
                if values:
                    yield name, steps, values
