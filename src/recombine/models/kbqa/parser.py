"""A parser of questions over a knowledge base: `fit` learns from questions and their forms, `predict` answers others.

What enters it of a knowledge base are names: rows of relations, classes and entities are made of their words. So a
parser that was trained over one graph answers questions over another. A question without a link has no candidates to
rank; it is answered by transduction, or not at all, and counted.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np

from recombine.errors import InputFileError, OptionError, RecombineError
from recombine.kb.kb_world import KIND
from recombine.languages.known import find_language
from recombine.models.device import choose_device
from recombine.models.kbqa.encoder_files import check_encoder
from recombine.models.kbqa.kbqa_settings import TAGGER
from recombine.models.kbqa.linked_examples import linked_examples, trained_tagger
from recombine.models.kbqa.sexpression_targets import sexpression_targets
from recombine.progress import bar, note, working
from recombine.records.dataset import Dataset
from recombine.records.example import Example

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from recombine.kb.linking.tagger import Tagger
    from recombine.kb.store import Store
    from recombine.models.kbqa.kbqa_settings import KbqaSettings
    from recombine.models.kbqa.kept_training import TrainedRecord
    from recombine.models.kbqa.making.make_arrays import MadeArrays
    from recombine.records.example import Query
    from recombine.records.world import World


@dataclass
class KbqaParser:
    """A parser; before `fit` it knows nothing."""

    settings: KbqaSettings
    seed: int = 0
    device: str = ""
    language: str = ""
    """The language of the targets that it learns from, and of what it gives."""
    work: Path | None = None
    """A folder for checkpoints, from which a training that was ended goes on."""
    encoder_files: Path | None = None
    """Where the encoder's files lie, where that is not as the settings say."""
    tagger: Tagger | None = None
    """Marks mentions, for links by a tagger; none where training questions do not say what they mention."""
    net: Any = None
    record: TrainedRecord | None = None
    learned: int = 0
    """How many questions it learned from."""
    counted: Counter[str] = field(default_factory=Counter)
    """What there is to count of what it was asked."""

    # -- learning -------------------------------------------------------------------------------------------------

    def fit(self, examples: Sequence[Example], world: World | None) -> Self:
        """Learn from questions; a share of them is kept aside to stop on."""
        return self.fit_with_dev(examples, (), world)

    def fit_with_dev(self, examples: Sequence[Example], dev: Sequence[Example], world: World | None) -> Self:
        """Learn from questions, and stop on others."""
        from recombine.models.kbqa.claimed import claimed
        from recombine.models.kbqa.kept_training import Training, kept_folder, kept_training
        from recombine.models.kbqa.training_key import training_key

        store = knowledge_base(world)
        files = self.encoder_files or check_encoder(self.settings)
        train, dev = self._parts(*({each.id: each for each in part} for part in (examples, dev)))
        made = self._made([*train, *dev], store, self.settings.train_links)
        rows = np.arange(len(train) + len(dev))
        questions = made.questions.take(rows[: len(train)])
        check_targets(questions.targets.sizes)
        training = Training(
            made.schema,
            questions,
            made.questions.take(rows[len(train) :]),
            self.settings,
            self.seed,
            choose_device(self.device),
            files,
        )
        key = training_key(
            self.settings.to_dict(),
            seed=self.seed,
            train=[each.id for each in train],
            dev=[each.id for each in dev],
            data=store.digest,
        )
        with kept_folder(self.work) as work, claimed(work / key), bar("training", counts="steps") as update:
            kept = kept_training(work / key, training, stepped=_stepping(update))
        assert kept is not None  # noqa: S101  # there is no deadline
        self.net, self.record = kept
        self.learned = len(train) - self.record.left_out
        self.tagger = self._trained_tagger(train, store)
        return self

    def _trained_tagger(self, examples: Sequence[Example], store: Store) -> Tagger | None:
        """A tagger of the questions that were learned from; where none can be, an error if links are to be its."""
        try:
            with working("training a tagger of mentions"):
                return trained_tagger(examples, store, self.settings.names, self.language)
        except RecombineError:
            if self.settings.links == TAGGER:
                raise
            return None

    def _parts(
        self, by_id: Mapping[str, Example], stopped_on: Mapping[str, Example]
    ) -> tuple[list[Example], list[Example]]:
        """The questions to learn from and to stop on, each once, of which some are kept aside where there are none."""
        train, dev = list(by_id.values()), [each for each in stopped_on.values() if each.id not in by_id]
        if dev or not self.settings.dev_share:
            return train, dev
        aside = kept_aside(len(train), self.settings.dev_share, self.seed)
        if aside.any():
            note(f"the split has no dev part: training stops on {aside.sum():,} of the {len(train):,} questions")
        return (
            [each for each, is_aside in zip(train, aside, strict=True) if not is_aside],
            [each for each, is_aside in zip(train, aside, strict=True) if is_aside],
        )

    def _made(self, examples: Sequence[Example], store: Store, links: str) -> MadeArrays:
        from recombine.models.kbqa.making.make_arrays import make_arrays

        examples, links = linked_examples(examples, links, store, self.settings.names)
        made = sexpression_targets(examples, self.language, store.profile)
        if made.refused:
            note(f"{made.refused:,} of {len(examples):,} targets have no S-expression; nothing is learned of them")
        dataset = question_data(made.questions, store)
        return make_arrays(dataset, made.questions, links, self.settings, candidates_of=())

    # -- answering ------------------------------------------------------------------------------------------------

    def predict(self, queries: Sequence[Query], world: World | None) -> list[str | None]:
        """The form of each question; none where there is none."""
        from recombine.models.kbqa.answered import answered
        from recombine.models.kbqa.making.make_arrays import make_arrays
        from recombine.models.kbqa.outputs.finished_forms import finished_forms

        if self.net is None:
            raise RecombineError("the parser has learned nothing", "call `fit` first")
        store = knowledge_base(world)
        examples = [Example(query.id, query.source, "", context=query.context) for query in queries]
        asked, links = self._linked(examples, store)
        made = make_arrays(question_data(asked, store), asked, links, self.settings, with_targets=False)
        with working("answering"):
            given = answered(self.net, made.schema, made.questions, self.settings, choose_device(self.device))
        finished = finished_forms(given, made.questions, store, self.settings, self.language)
        self.counted.update({"questions": len(examples), **finished.counts})
        return [text or None for text in finished.texts]

    def _linked(self, examples: Sequence[Example], store: Store) -> tuple[Sequence[Example], str]:
        links = self.settings.links
        if links == TAGGER and self.tagger is None:
            raise OptionError("the parser was trained without a tagger of mentions", "link by linker, gold or a file")
        return linked_examples(examples, links, store, self.settings.names, tagger=self.tagger)

    def with_settings(self, **changes: Any) -> KbqaParser:
        """The same parser, which answers otherwise."""
        return replace(self, settings=replace(self.settings, **changes), counted=Counter())


def knowledge_base(world: World | None) -> Store:
    """The store that data is about."""
    if world is not None and world.kind == KIND:
        return cast("Store", world)
    kind = "none" if world is None else f"one of the kind {world.kind}"
    problem = f"a parser of this family answers over a knowledge base, and the data's world is {kind}"
    raise InputFileError(problem, "name an index, a file of triples or an endpoint with --world PLACE")


def question_data(examples: Sequence[Example], store: Store) -> Dataset:
    """Questions with S-expressions over a store, as a data set."""
    return Dataset.of("questions", examples, language=find_language("sexpression"), world=store)


def check_targets(sizes: Any) -> None:
    """Refuse questions of which none has a form that can be learned."""
    if len(sizes) and not np.any(sizes):
        problem = f"none of the {len(sizes):,} training questions has a form over this knowledge base"
        raise OptionError(problem, "give the knowledge base that they are about, or other links with train_links")


def kept_aside(number: int, share: float, seed: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which of so many questions are kept aside to stop on."""
    aside = np.zeros(number, dtype=np.bool_)
    aside[np.random.default_rng([seed, 0xDE]).permutation(number)[: int(number * share)]] = True
    return aside


def _stepping(update: Callable[[int, int | None, str], None] | None) -> Callable[[int, int, int], None]:
    """What training calls at each step, for a bar."""

    def stepped(epoch: int, step: int, steps: int) -> None:
        if update is not None:
            update(step, steps, f"pass {epoch}")

    return stepped
