"""How many questions have their form among their candidates, and why the others have not (GrailQA, section 4.4).

A form is covered where a candidate matches it strictly (`kb/matching`): under the ontology a relation and its reverse
are one, and a class that a relation implies is no condition. A form that says more of its class than that is covered by
a candidate with that class, which are had by the name `classes`; without them it still counts as covered by answers
where the class changes none of them. Candidates are not listed to find one: the form is read as a chain, and looked up
among the paths of its anchor.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from recombine.errors import FormError, KnowledgeBaseError, ProgramError
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
    from collections.abc import Iterable, Iterator

    import numpy.typing as npt

    from recombine.kb.candidates.candidates import Candidates
    from recombine.kb.candidates.search_space import SearchSpace
    from recombine.kb.forms.form import Form
    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.store import Step
    from recombine.kb.term import Term

COVERED = "covered"
LONGER, UNREADABLE, NOT_LINKED = "more relations", "unreadable", "not linked"
NO_FACT, CLASS, FUNCTION = "no such fact", "a class", "a function"
"""Why a form is not covered: besides these, what `form_chain` says."""


class Asked(NamedTuple):
    """A question: its id, its gold form, and what is linked in it; none is all that the form names (gold links)."""

    id: str
    form: Form
    linked: tuple[Term, ...] | None = None


@dataclass
class CandidateRecall:
    """Of so many questions, those whose form is among the candidates, and why others are not."""

    signature: str
    outcomes: dict[str, str] = field(default_factory=dict)
    """What became of each question by its id: `covered`, or why not."""
    by_answers: int = 0
    """Questions not covered for their class alone, of which a candidate without it has the same answers."""
    unknown_links: int = 0
    """Links that no fact of the store has, or that are no entities; they have no candidates."""
    nothing_linked: int = 0
    sizes: list[int] = field(default_factory=list)
    """The number of candidates of each question."""
    matching: dict[str, int] = field(default_factory=dict)
    """How many candidates of a question say the same as its form, by its id; those with none are left out."""

    @property
    def questions(self) -> int:
        """How many questions there are."""
        return len(self.outcomes)

    @property
    def counts(self) -> dict[str, int]:
        """How many questions came to each outcome, the most frequent first."""
        counted = Counter(self.outcomes.values())
        return dict(sorted(counted.items(), key=lambda pair: (-pair[1], pair[0])))

    @property
    def covered(self) -> int:
        """How many questions have their form among the candidates."""
        return self.counts.get(COVERED, 0)

    @property
    def recall(self) -> float:
        """The share that is covered; without questions, there is none."""
        return self.covered / self.questions if self.questions else float("nan")

    def chances(self) -> dict[str, float]:
        """How likely a uniform draw from its candidates is right, of each question by its id."""
        pairs = zip(self.outcomes, self.sizes, strict=True)
        return {key: self.matching.get(key, 0) / size if size else 0.0 for key, size in pairs}

    def to_dict(self) -> dict[str, Any]:
        """The figures; a share of nothing is null."""
        known = self.questions > 0
        return {
            "questions": self.questions,
            "covered": self.covered,
            "recall": self.recall if known else None,
            "recall_by_answers": (self.covered + self.by_answers) / self.questions if known else None,
            "outcomes": self.counts,
            "nothing_linked": self.nothing_linked,
            "unknown_links": self.unknown_links,
            "candidates": sum(self.sizes),
            "median_candidates": float(np.median(self.sizes)) if known else None,
            "most_candidates": max(self.sizes, default=0),
            "signature": self.signature,
        }

    def __str__(self) -> str:
        share = f" ({self.recall:.1%})" if self.questions else ""
        return f"{self.covered:,} of {self.questions:,} forms are among the candidates{share}"


def candidate_recall(
    space: SearchSpace, questions: Iterable[Asked], *, ontology: Ontology | None = None
) -> CandidateRecall:
    """The recall of a search space on questions; two of one id are a `FormError`.

    >>> from recombine.kb.candidates.search_space import SearchSpace
    >>> from recombine.kb.forms.form_of_text import form_of_text
    >>> from recombine.kb.open_store import open_store
    >>> space = SearchSpace(open_store("docs/examples/films.ttl"))
    >>> texts = ("(JOIN directed_by Ann_Other)", "(ARGMAX Film released)")
    >>> asked = [Asked(text, form_of_text(text, space.store.profile)) for text in texts]
    >>> candidate_recall(space, asked).outcomes
    {'(JOIN directed_by Ann_Other)': 'covered', '(ARGMAX Film released)': 'a function'}
    """
    look = _Lookup(space, ontology)
    report = CandidateRecall(space.signature)
    for asked in questions:
        if asked.id in report.outcomes:
            raise FormError(f"two questions have the id {asked.id!r}", "give each its own")
        report.outcomes[asked.id] = look.outcome(asked, report)
    return report


class _Lookup:
    """Forms looked up among the candidates of a space."""

    def __init__(self, space: SearchSpace, ontology: Ontology | None) -> None:
        self._space, self._profile = space, space.store.profile
        self._canonical = Canonical(ontology, self._profile)
        self._variants: dict[str, list[Step]] = {}
        for step in space.steps.all():
            self._variants.setdefault(self._step_text(step), []).append(step)

    def _step_text(self, step: Step) -> str:
        return self._canonical.tables.step(name_text(step.relation), inverse=step.inverse).text

    def outcome(self, asked: Asked, report: CandidateRecall) -> str:
        """What becomes of a question; its numbers go into the report."""
        try:
            pattern = pattern_of(asked.form, self._profile).pattern
            key = self._canonical.of_form(asked.form)
        except (FormError, ProgramError):
            pattern, key = None, ""
        gold = constants_of(pattern) if pattern is not None else []
        linked = self._known(gold if asked.linked is None else asked.linked, report)
        candidates = self._space.of(linked)
        report.sizes.append(len(candidates))
        report.nothing_linked += not linked
        if pattern is None:
            return UNREADABLE
        chain = form_chain(pattern)
        if isinstance(chain, str):
            return chain
        if len(chain.steps) > self._space.hops:
            return LONGER
        if not self._has_function(chain):
            return FUNCTION
        found = list(self._matching(chain, candidates))
        same = sum(self._canonical.of_form(each.graph()) == key for each in found)
        if same:
            report.matching[asked.id] = same
            return COVERED
        if found and chain.classes:
            report.by_answers += self._same_answers(found, asked.form)
            return CLASS
        needed = [chain.anchor] if chain.anchor is not None else [chain.value] if chain.value is not None else []
        return NOT_LINKED if any(not _is_linked(term, linked) for term in needed) else NO_FACT

    def _known(self, terms: Iterable[Term], report: CandidateRecall) -> list[Term]:
        """Those that the store has, each once; the others are counted."""
        known = []
        for term in dict.fromkeys(terms):
            try:
                self._space.nodes(term)
            except KnowledgeBaseError:
                report.unknown_links += 1
            else:
                known.append(term)
        return known

    def _has_function(self, chain: FormChain) -> bool:
        if chain.function == COUNT:
            return self._space.count
        if chain.function in (ARGMAX, ARGMIN):
            return SUPERLATIVES in self._space.beyond
        return chain.function not in COMPARISONS or COMPARATIVES in self._space.beyond

    def _matching(self, chain: FormChain, candidates: Candidates) -> Iterator[Candidate]:
        """The candidates of the same steps and function, under the ontology; of classes, those that the form names."""
        each = [self._variants.get(self._step_text(step), []) for step in chain.steps]
        ways = [(tuple(steps), self._row(steps)) for steps in product(*each)]
        wanted = {-1, *self._space.store.ids(chain.classes).tolist()} if chain.classes else {-1}
        for block in candidates.blocks:
            if isinstance(block, Paths):
                if not _same_anchor(chain.anchor, block.anchor):
                    continue
                for steps, row in ways:
                    for number in set(_classes_of(block.rows, row)) & wanted:
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

    def _same_answers(self, found: list[Candidate], form: Form) -> bool:
        store = self._space.store
        gold = store.execute(form)
        return any(store.execute(each.graph()) == gold for each in found)


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
