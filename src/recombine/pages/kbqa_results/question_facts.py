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
from recombine.measures.levels.level_definition import level_definition

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from recombine.kb.candidates.candidate_recall import CandidateRecall
    from recombine.kb.linking.score_links import LinkScores
    from recombine.kb.term import Term
    from recombine.records.dataset import Dataset
    from recombine.records.split import Split
    from recombine.selection.prompts.linked import Linked

GOLD, LINKER = "gold", "linker"


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

    def links(self, way: str) -> Mapping[str, Linked] | None:
        """What is linked in each question; none where that cannot be told."""
        if way not in self._links:
            self._links[way] = self._made_links(way)
        return self._links[way]

    @cached_property
    def _links(self) -> dict[str, Mapping[str, Linked] | None]:
        return {}

    def _made_links(self, way: str) -> Mapping[str, Linked] | None:
        from recombine.selection.prompts.kb_setting import KbSetting
        from recombine.selection.prompts.link_questions import link_questions

        if way == LINKER and self.store is None:
            return None
        setting = KbSetting(way, self.setting.profile, self.setting.ontology, self.store)
        try:
            return link_questions(self.dataset, [self.dataset[key] for key in self.ids], setting)
        except RecombineError:
            return None

    def terms(self, way: str) -> dict[str, tuple[Term, ...]] | None:
        """The entities and literals that are linked, by the ids of questions."""
        found = self.links(way)
        if found is None:
            return None
        return {key: tuple(term for term, _ in found[key].terms) if key in found else () for key in self.ids}

    def recall(self, way: str, hops: int, beyond: tuple[str, ...]) -> CandidateRecall | None:
        """Which gold forms are among the candidates of their questions; none without a store or links."""
        kept = (way, hops, beyond)
        if kept not in self._recalls:
            self._recalls[kept] = self._made_recall(way, hops, beyond)
        return self._recalls[kept]

    @cached_property
    def _recalls(self) -> dict[tuple[str, int, tuple[str, ...]], CandidateRecall | None]:
        return {}

    def _made_recall(self, way: str, hops: int, beyond: tuple[str, ...]) -> CandidateRecall | None:
        from recombine.evaluation.match.form_matchers import read_form
        from recombine.kb.candidates.candidate_recall import Asked, candidate_recall
        from recombine.kb.candidates.search_space import SearchSpace

        linked = self.terms(way)
        if self.store is None or linked is None:
            return None
        asked = [Asked(key, read_form(gold, self.setting), linked[key]) for key, gold in self.golds.items()]
        space = SearchSpace(self.store, hops=hops, beyond=beyond)
        return candidate_recall(space, asked, ontology=self.setting.ontology)

    @cached_property
    def link_scores(self) -> LinkScores | None:
        """How well the linker finds what questions mention; none without a store whose entities have names."""
        from recombine.kb.linking.gold_links import gold_links, unbracketed
        from recombine.kb.linking.linker import Linker
        from recombine.kb.linking.score_links import score_links
        from recombine.kb.linking.store_forms import store_forms

        if self.store is None:
            return None
        try:
            linker = Linker(store_forms(self.store))
            examples = [self.dataset[key] for key in self.ids]
            gold = [gold_links(example, self.setting.language, self.store.profile) for example in examples]
        except RecombineError:
            return None
        return score_links(gold, [linker.link(unbracketed(example.source)) for example in examples])
