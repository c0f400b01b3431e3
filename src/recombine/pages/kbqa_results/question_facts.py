"""What is known of questions before any system answers them: levels, shapes, groups, links, candidates."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, RecombineError
from recombine.evaluation.groups.axes import (
    ANSWERS,
    FUNCTION,
    LEVEL,
    RELATIONS,
    answer_labels,
    function_labels,
    relation_labels,
)
from recombine.evaluation.groups.entry_levels import levels_against_train
from recombine.evaluation.groups.gold_forms import GoldForms
from recombine.evaluation.match.form_setting import FormSetting, form_setting
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.term import LITERAL
from recombine.measures.levels.level_definition import level_definition

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from recombine.kb.candidates.candidate_recall import CandidateRecall
    from recombine.kb.linking.score_links import LinkCounts
    from recombine.kb.term import Term
    from recombine.records.dataset import Dataset
    from recombine.records.example import Example
    from recombine.records.split import Split

GOLD = "gold"
LINKERS = ("linker", "tagger")
"""The ways to link by names."""


@dataclass
class QuestionFacts:
    """The questions of a part of a split."""

    dataset: Dataset
    split: Split
    part: str

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Their ids, each once."""
        return tuple(dict.fromkeys(self.split.part(self.part)))

    @cached_property
    def golds(self) -> dict[str, str]:
        """Their forms."""
        return {key: self.dataset[key].target for key in self.ids}

    @cached_property
    def store(self) -> EmbeddedStore | None:
        """The index that they are about; none where there is none."""
        world: Any = self.dataset.opened_world if self.dataset.world is not None else None
        return world if isinstance(world, EmbeddedStore) else None

    @cached_property
    def setting(self) -> FormSetting:
        """What forms are compared under: the store's own names and ontology, where there is a store."""
        setting = form_setting(self.dataset)
        if setting is None:
            problem = f"{self.dataset.name} has no logical forms, which the page compares"
            raise OptionError(problem, "give data with S-expressions or SPARQL")
        if self.store is None:
            return setting
        from recombine.kb.ontology.store_ontology import store_ontology

        return FormSetting(setting.language, self.store.profile, store_ontology(self.store))

    # -- labels --------------------------------------------------------------------------------------------------------

    @cached_property
    def levels(self) -> list[str]:
        """The level of each, against train."""
        return levels_against_train(self.dataset, self.split, self.ids, level_definition(self.dataset)[0]).labels

    @cached_property
    def forms(self) -> GoldForms:
        """Their gold forms, read."""
        return GoldForms(self.dataset, self.ids, self.setting)

    def labels(self, axis: str) -> list[str]:
        """What each is called when results are taken apart by level, relations, function or answers."""
        if axis == LEVEL:
            return self.levels
        if axis == ANSWERS:
            return answer_labels([self.answers.get(key) for key in self.ids])
        shapes = self.forms.shapes
        return {RELATIONS: relation_labels, FUNCTION: function_labels}[axis](shapes)

    @cached_property
    def answers(self) -> dict[str, int]:
        """How many answers each has, by its id; where no store gives them, as the data lists them."""
        if self.store is not None:
            from recombine.evaluation.answers.answer_f1 import answer_scores

            scores = answer_scores(self.dataset, self.ids, {}, self.store)
            return {key: score.gold for key, score in scores.of.items()}
        listed = {key: self._listed(key) for key in self.ids}
        return {key: len(found) for key, found in listed.items() if isinstance(found, list | tuple)}

    def _listed(self, key: str) -> Any:
        example = self.dataset[key]
        beside = {**example.tags, **example.context}
        return beside.get("answer", beside.get("answers"))

    def groups(self, by: str) -> Sequence[Hashable] | None:
        """The paraphrase or template that each belongs to; none where the data has no names."""
        return self.forms.templates if by == "template" else self.forms.paraphrases.groups

    # -- links and candidates ------------------------------------------------------------------------------------------

    def terms(self, way: str, names: str = "") -> dict[str, tuple[Term, ...]] | None:
        """The entities and literals that are linked, by the ids of questions; none where that cannot be told.

        `names` is a file of names for the linker, where the facts have none.
        """
        kept = (way, names if way in LINKERS else "")
        if kept not in self._terms:
            self._terms[kept] = self._linked(*kept)
        return self._terms[kept]

    @cached_property
    def _terms(self) -> dict[tuple[str, str], dict[str, tuple[Term, ...]] | None]:
        return {}

    def _linked(self, way: str, names: str) -> dict[str, tuple[Term, ...]] | None:
        from recombine.models.kbqa.linked_examples import linked_examples
        from recombine.selection.prompts.kb_setting import KbSetting
        from recombine.selection.prompts.link_questions import link_questions

        examples: Sequence[Example] = [self.dataset[key] for key in self.ids]
        if way != GOLD and self.store is None:
            return None
        try:
            if self.store is not None:
                learned = [self.dataset[key] for key in self.split.parts.get("train", ())]
                language = self.setting.language
                examples, way = linked_examples(examples, way, self.store, names, learned=learned, language=language)
            setting = KbSetting(way, self.setting.profile, self.setting.ontology, self.store)
            found = link_questions(self.dataset, examples, setting)
        except RecombineError:
            return None
        return {key: tuple(term for term, _ in found[key].terms) if key in found else () for key in self.ids}

    def recall(self, way: str, names: str, hops: int, beyond: tuple[str, ...]) -> CandidateRecall | None:
        """Which gold forms are among the candidates of their questions; none without a store or links."""
        kept = (way, names if way in LINKERS else "", hops, beyond)
        if kept not in self._recalls:
            self._recalls[kept] = self._recalled(*kept)
        return self._recalls[kept]

    @cached_property
    def _recalls(self) -> dict[tuple[str, str, int, tuple[str, ...]], CandidateRecall | None]:
        return {}

    def _recalled(self, way: str, names: str, hops: int, beyond: tuple[str, ...]) -> CandidateRecall | None:
        from recombine.evaluation.match.form_matchers import read_form
        from recombine.kb.candidates.candidate_recall import Asked, candidate_recall
        from recombine.kb.candidates.search_space import SearchSpace

        linked = self.terms(way, names)
        if self.store is None or linked is None:
            return None
        asked = [Asked(key, read_form(gold, self.setting), linked[key]) for key, gold in self.golds.items()]
        space = SearchSpace(self.store, hops=hops, beyond=beyond)
        return candidate_recall(space, asked, ontology=self.setting.ontology)

    def link_counts(self, way: str, names: str = "") -> LinkCounts | None:
        """How well a way of linking finds the entities that questions mention; none where that cannot be told."""
        from recombine.kb.linking.score_links import LinkCounts

        gold, linked = self.terms(GOLD), self.terms(way, names)
        if gold is None or linked is None:
            return None
        counts = [0, 0, 0]
        for key in self.ids:
            right, found = ({term for term in each[key] if term.kind != LITERAL} for each in (gold, linked))
            counts = [count + len(own) for count, own in zip(counts, (right, found, right & found), strict=True)]
        return LinkCounts(*counts)
