"""How many questions have their form among their candidates, and why the others have not (GrailQA, section 4.4).

A form is covered where a candidate matches it strictly (`kb/matching`): under the ontology a relation and its reverse
are one, and a class that a relation implies is no condition. A form that says more of its class than that is covered by
a candidate with that class, which are had by the name `classes`; without them it still counts as covered by answers
where the class changes none of them (`form_lookup.py` finds them).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from recombine.errors import FormError, KnowledgeBaseError
from recombine.kb.candidates.form_lookup import COVERED, FormLookup

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recombine.kb.candidates.candidate import Candidate
    from recombine.kb.candidates.search_space import SearchSpace
    from recombine.kb.forms.form import Form
    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.term import Term


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
    look = FormLookup(space, ontology)
    report = CandidateRecall(space.signature)
    for asked in questions:
        if asked.id in report.outcomes:
            raise FormError(f"two questions have the id {asked.id!r}", "give each its own")
        report.outcomes[asked.id] = _outcome(look, space, asked, report)
    return report


def _outcome(look: FormLookup, space: SearchSpace, asked: Asked, report: CandidateRecall) -> str:
    """What becomes of a question; its numbers go into the report."""
    gold = look.read(asked.form)
    linked = _known(space, gold.constants if asked.linked is None else asked.linked, report)
    candidates = space.of(linked)
    report.sizes.append(len(candidates))
    report.nothing_linked += not linked
    looked_up = look.look_up(gold, candidates, linked)
    if looked_up.matches:
        report.matching[asked.id] = len(looked_up.matches)
    if looked_up.of_other_class:
        report.by_answers += _same_answers(space, looked_up.of_other_class, asked.form)
    return looked_up.outcome


def _known(space: SearchSpace, terms: Iterable[Term], report: CandidateRecall) -> list[Term]:
    """Those that the store has, each once; the others are counted."""
    known = []
    for term in dict.fromkeys(terms):
        try:
            space.nodes(term)
        except KnowledgeBaseError:
            report.unknown_links += 1
        else:
            known.append(term)
    return known


def _same_answers(space: SearchSpace, candidates: Iterable[Candidate], form: Form) -> bool:
    gold = space.store.execute(form)
    return any(space.store.execute(each.graph()) == gold for each in candidates)
