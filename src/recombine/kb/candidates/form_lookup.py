"""A gold form looked up among the candidates of its question: those that match it strictly, or why there are none.

A candidate matches a form strictly by `kb/matching`: under the ontology a relation and its reverse are one, and a class
that a relation implies is no condition. Candidates are not listed to find one: the form is read as a chain, and looked
up among the paths of its anchor.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import FormError, ProgramError
from recombine.kb.candidates.candidate import Candidate
from recombine.kb.candidates.candidates import Paths
from recombine.kb.candidates.form_chain import FormChain, constants_of, form_chain
from recombine.kb.candidates.search_space import COMPARATIVES, SUPERLATIVES
from recombine.kb.forms.form import ARGMAX, ARGMIN, COMPARISONS, COUNT
from recombine.kb.forms.patterns.pattern_of import pattern_of
from recombine.kb.matching.canonical_form import Canonical
from recombine.kb.matching.words import name_text
from recombine.kb.term import LITERAL

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    import numpy.typing as npt

    from recombine.kb.candidates.candidates import Candidates
    from recombine.kb.candidates.search_space import SearchSpace
    from recombine.kb.forms.form import Form
    from recombine.kb.forms.pattern import Pattern
    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.store import Step
    from recombine.kb.term import Term

COVERED = "covered"
LONGER, UNREADABLE, NOT_LINKED = "more relations", "unreadable", "not linked"
NO_FACT, CLASS, FUNCTION = "no such fact", "a class", "a function"
"""Why a form is not covered: besides these, what `form_chain` says."""


class GoldForm(NamedTuple):
    """A form with what it says; no pattern where that cannot be read."""

    form: Form
    pattern: Pattern | None
    key: str
    """What forms that match strictly have in common."""

    @property
    def constants(self) -> list[Term]:
        """The entities and literals that it names."""
        return [] if self.pattern is None else constants_of(self.pattern)


class LookedUp(NamedTuple):
    """What became of a form: `covered`, or why not."""

    outcome: str
    matches: tuple[Candidate, ...] = ()
    """The candidates that match it, the one whose steps are most its own first."""
    of_other_class: tuple[Candidate, ...] = ()
    """Where its class alone is what no candidate has, those that are otherwise the same."""


class FormLookup:
    """Forms looked up among the candidates of a space."""

    def __init__(self, space: SearchSpace, ontology: Ontology | None) -> None:
        self._space, self._profile = space, space.store.profile
        self._canonical = Canonical(ontology, self._profile)
        self._variants: dict[str, list[Step]] = {}
        for step in space.steps.all():
            self._variants.setdefault(self._step_text(step), []).append(step)

    def read(self, form: Form) -> GoldForm:
        """What a form says."""
        try:
            return GoldForm(form, pattern_of(form, self._profile).pattern, self._canonical.of_form(form))
        except (FormError, ProgramError):
            return GoldForm(form, None, "")

    def look_up(self, gold: GoldForm, candidates: Candidates, linked: list[Term]) -> LookedUp:
        """What becomes of a form, where these are linked that the store has, and these are their candidates."""
        if gold.pattern is None:
            return LookedUp(UNREADABLE)
        chain = form_chain(gold.pattern)
        if isinstance(chain, str):
            return LookedUp(chain)
        if len(chain.steps) > self._space.hops:
            return LookedUp(LONGER)
        if not self._has_function(chain):
            return LookedUp(FUNCTION)
        alike = list(self._alike(chain, candidates))
        matches = [each for each in alike if self._canonical.of_form(each.graph()) == gold.key]
        if matches:
            return LookedUp(COVERED, tuple(sorted(matches, key=lambda each: _strangeness(each, chain))))
        if alike and chain.classes:
            return LookedUp(CLASS, (), tuple(alike))
        needed = [chain.anchor] if chain.anchor is not None else [chain.value] if chain.value is not None else []
        return LookedUp(NOT_LINKED if any(not _is_linked(term, linked) for term in needed) else NO_FACT)

    def _step_text(self, step: Step) -> str:
        return self._canonical.tables.step(name_text(step.relation), inverse=step.inverse).text

    def _has_function(self, chain: FormChain) -> bool:
        if chain.function == COUNT:
            return self._space.count
        if chain.function in (ARGMAX, ARGMIN):
            return SUPERLATIVES in self._space.beyond
        return chain.function not in COMPARISONS or COMPARATIVES in self._space.beyond

    def _alike(self, chain: FormChain, candidates: Candidates) -> Iterator[Candidate]:
        """The candidates of the same steps and function, under the ontology; of classes, those that the form names."""
        each = [self._variants.get(self._step_text(step), []) for step in chain.steps]
        ways = [(tuple(steps), self._row(steps)) for steps in product(*each)]
        wanted = {-1, *self._space.store.ids(chain.classes).tolist()} if chain.classes else {-1}
        for block in candidates.blocks:
            if isinstance(block, Paths):
                if not _same_anchor(chain.anchor, block.anchor):
                    continue
                for steps, row in ways:
                    for number in sorted(set(_classes_of(block.rows, row)) & wanted):
                        name = None if number < 0 else self._space.store.term(number)
                        yield Candidate(steps, block.anchor, name, chain.function)
            elif chain.anchor is None and block.class_ in wanted and chain.function in block.functions:
                name = self._space.store.term(block.class_)
                for steps, row in ways:
                    if len(_classes_of(block.rows, row)):
                        yield Candidate(steps, None, name, chain.function, block.value)

    def _row(self, steps: tuple[Step, ...]) -> tuple[int, int]:
        first, *rest = (self._space.steps.place(step) for step in steps)
        return first, rest[0] if rest else -1


def _strangeness(candidate: Candidate, chain: FormChain) -> tuple[int, bool, bool]:
    """How far a candidate that says the same is from how a form says it: steps, then class, then the anchor."""
    others = sum(one != other for one, other in zip(candidate.steps, chain.steps, strict=True))
    same_class = candidate.class_ in chain.classes if chain.classes else candidate.class_ is None
    return others, not same_class, (candidate.anchor, candidate.value) != (chain.anchor, chain.value)


def _classes_of(rows: npt.NDArray[np.int32], row: tuple[int, int]) -> list[int]:
    """The third column of the rows of a path."""
    same = (rows[:, 0] == row[0]) & (rows[:, 1] == row[1])
    found: list[int] = rows[same, 2].tolist()
    return found


def _same_anchor(wanted: Term | None, anchor: Term) -> bool:
    """Whether an anchor may be the wanted one: literals of one value are compared with the whole form."""
    return wanted is not None and (wanted == anchor or wanted.kind == anchor.kind == LITERAL)


def _is_linked(term: Term, linked: list[Term]) -> bool:
    return any(_same_anchor(term, each) for each in linked)
