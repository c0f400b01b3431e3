"""A baseline as a parser: questions are linked and given candidates as for a trained one, and one form is chosen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, Self

from recombine.errors import OptionError
from recombine.models.kbqa.baselines.baseline_settings import NEAREST, OVERLAP, TEMPLATE, UNIFORM
from recombine.models.kbqa.baselines.frequent_template import FrequentTemplate
from recombine.models.kbqa.baselines.nearest_question import NearestQuestion
from recombine.models.kbqa.baselines.uniform_draw import UniformDraw
from recombine.models.kbqa.baselines.word_overlap import WordOverlap
from recombine.progress import tracked, working

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.kb.linking.tagger import Tagger
    from recombine.models.kbqa.arrays.question_arrays import QuestionArrays
    from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays
    from recombine.models.kbqa.baselines.baseline_settings import BaselineSettings
    from recombine.models.kbqa.making.make_arrays import MadeArrays
    from recombine.records.example import Example, Query
    from recombine.records.world import World


class Baseline(Protocol):
    """What a baseline does with questions as arrays."""

    def fit(self, schema: SchemaArrays, train: QuestionArrays) -> None:
        """Learn from questions with targets."""

    def answer(self, schema: SchemaArrays, questions: QuestionArrays, row: int) -> str:
        """The form of one question; empty where there is none."""

    def to_dict(self) -> dict[str, Any]:
        """What is kept of it."""


def make_baseline(choice: str, seed: int) -> Baseline:
    """A baseline that has learned nothing yet."""
    return UniformDraw(seed) if choice == UNIFORM else _KINDS[choice]()


def read_baseline(choice: str, record: Mapping[str, Any], seed: int) -> Baseline:
    """A baseline as it was kept."""
    if choice == UNIFORM:
        return UniformDraw.from_dict(record, seed)
    kind: Any = _KINDS[choice]
    read: Baseline = kind.from_dict(record, seed)
    return read


_KINDS = {TEMPLATE: FrequentTemplate, NEAREST: NearestQuestion, OVERLAP: WordOverlap}


@dataclass
class BaselineParser:
    """A baseline over a knowledge base."""

    settings: BaselineSettings
    seed: int
    baseline: Baseline
    language: str = ""
    """The language of the targets that it learns from, and of what it gives."""
    tagger: Tagger | None = None
    """What marks mentions, where links are to be a tagger's."""

    def fit(self, examples: Sequence[Example], world: World | None) -> Self:
        """Learn from questions and their forms."""
        from recombine.models.kbqa.kbqa_settings import TAGGER
        from recombine.models.kbqa.linked_examples import trained_tagger
        from recombine.models.kbqa.parser import knowledge_base
        from recombine.models.kbqa.sexpression_targets import sexpression_targets

        if self.settings.links == TAGGER:
            with working("training a tagger of mentions"):
                self.tagger = trained_tagger(examples, knowledge_base(world), self.settings.names, self.language)
        if self.settings.choice == UNIFORM:
            return self
        targets = sexpression_targets(list(examples), self.language, knowledge_base(world).profile)
        made = self._made(list(targets.questions), world, self.settings.train_links, learn=True)
        self.baseline.fit(made.schema, made.questions)
        return self

    def predict(self, queries: Sequence[Query], world: World | None) -> list[str | None]:
        """The form of each question; none where there is none."""
        from recombine.models.kbqa.kbqa_settings import GOLD
        from recombine.models.kbqa.outputs.finished_forms import finished_texts
        from recombine.models.kbqa.parser import knowledge_base
        from recombine.records.example import Example

        examples = [Example(query.id, query.source, "", context=query.context) for query in queries]
        made = self._made(examples, world, self.settings.links, learn=False)
        rows = tracked(range(len(examples)), "answering", total=len(examples))
        texts = [self.baseline.answer(made.schema, made.questions, row) for row in rows]
        # A draw is one of the candidates as they are, so that its chance can be told exactly.
        retype = self.settings.choice != UNIFORM and self.settings.links != GOLD
        given = finished_texts(texts, knowledge_base(world), retype=retype, language=self.language)
        return [text or None for text in given]

    def _made(self, examples: Sequence[Example], world: World | None, links: str, *, learn: bool) -> MadeArrays:
        """The questions as arrays: with targets to learn from, or with candidates to choose from."""
        from recombine.models.kbqa.kbqa_settings import TAGGER
        from recombine.models.kbqa.linked_examples import linked_examples
        from recombine.models.kbqa.making.make_arrays import make_arrays
        from recombine.models.kbqa.parser import knowledge_base, question_data

        store = knowledge_base(world)
        if links == TAGGER and self.tagger is None:
            raise OptionError("the baseline was trained without a tagger of mentions", "link by linker, gold or a file")
        asked, way = linked_examples(examples, links, store, self.settings.names, tagger=self.tagger)
        return make_arrays(
            question_data(asked, store),
            list(asked),
            way,
            self.settings.of_parser,
            with_targets=learn,
            candidates_of=() if learn else None,
        )

    def with_settings(self, **changes: Any) -> BaselineParser:
        """The same baseline, over other links or candidates."""
        return replace(self, settings=replace(self.settings, **changes))
