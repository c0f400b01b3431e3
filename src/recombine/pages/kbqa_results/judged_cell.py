"""What is right and wrong in the outputs of one cell: exact match, answer F1, and why each wrong one is wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from recombine.evaluation.errors.kbqa_errors import NO_CANDIDATES, NO_LINKS, ErrorClassifier

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.kb.term import Term
    from recombine.pages.kbqa_results.known_system import KnownSystem
    from recombine.pages.kbqa_results.question_facts import QuestionFacts

UNREADABLE, EMPTY = "unreadable", "empty"


@dataclass(frozen=True)
class JudgedCell:
    """The outputs of one run, question by question in the order of the part."""

    seed: int
    outputs: Mapping[str, str]
    right: Sequence[bool]
    """Whether each says the same as its gold form under the ontology (`strict`)."""
    f1: Sequence[float] | None
    """Of the answers of each; none without a store to run them on."""
    classes: Sequence[str]
    """Why each is wrong; empty where it is right."""
    unreadable: int
    empty: int


@dataclass
class CellJudge:
    """Judges cells on the same questions; a form is read, and an answer found, once for all of them."""

    facts: QuestionFacts
    _f1: dict[tuple[str, str], float] = field(default_factory=dict, repr=False)

    @cached_property
    def classifier(self) -> ErrorClassifier:
        """What tells the classes of errors."""
        return ErrorClassifier(self.facts.setting)

    def judge(self, seed: int, outputs: Mapping[str, str], system: KnownSystem) -> JudgedCell:
        """The verdicts on the outputs of a system by the ids of questions; one that has none is empty."""
        facts = self.facts
        given = {key: outputs.get(key, "") for key in facts.ids}
        covered, linked = self.covered(system), self._linked(system)
        classes = [
            self.classifier(
                facts.golds[key],
                given[key],
                covered=None if covered is None else covered[key],
                linked=None if linked is None else linked[key],
            )
            for key in facts.ids
        ]
        empty = sum(not output.strip() for output in given.values())
        unread = sum(bool(each.strip()) and self.classifier.key(each) is None for each in given.values())
        return JudgedCell(seed, given, [not name for name in classes], self._scores(given), classes, unread, empty)

    def covered(self, system: KnownSystem) -> dict[str, bool] | None:
        """Whether each gold form is among the candidates of what its question mentions; none where it is not known."""
        recall = self.facts.recall("gold", "", system.hops or 2, system.beyond)
        return None if recall is None else {key: outcome == "covered" for key, outcome in recall.outcomes.items()}

    def unchecked(self, system: KnownSystem) -> list[str]:
        """The checks of errors that cannot be made for a system."""
        return [NO_CANDIDATES] * (self.covered(system) is None) + [NO_LINKS] * (self._linked(system) is None)

    def _linked(self, system: KnownSystem) -> dict[str, tuple[Term, ...]] | None:
        return self.facts.terms(system.links, system.names) if system.links else None

    def _scores(self, outputs: Mapping[str, str]) -> list[float] | None:
        from recombine.evaluation.answers.answer_f1 import answer_scores

        facts = self.facts
        if facts.store is None:
            return None
        new = [key for key in facts.ids if (key, outputs[key]) not in self._f1]
        if new:
            scores = answer_scores(facts.dataset, new, outputs, facts.store)
            self._f1.update({(key, outputs[key]): scores.of[key].f1 for key in new})
        return [self._f1[key, outputs[key]] for key in facts.ids]
