"""The cells of a study's task: arrays made once for all tasks on the same data, trainings kept and shared.

Trainings are kept in the folder `trained` among what is under way, so that a task whose cells answer otherwise finds
them there; who runs the study removes it when nothing waits any more.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import RecombineError
from recombine.models.device import choose_device, device_name
from recombine.models.kbqa.answered import answered
from recombine.models.kbqa.claimed import claimed
from recombine.models.kbqa.encoder_files import check_encoder
from recombine.models.kbqa.kbqa_settings import LINKER, TAGGER, KbqaSettings
from recombine.models.kbqa.kept_training import Training, kept_training
from recombine.models.kbqa.linked_examples import linked_examples
from recombine.models.kbqa.outputs.finished_forms import finished_forms
from recombine.models.kbqa.parser import check_targets, kept_aside, knowledge_base, question_data
from recombine.models.kbqa.sexpression_targets import sexpression_targets
from recombine.models.kbqa.training_key import training_key
from recombine.models.out_of_memory import is_out_of_memory
from recombine.models.task import TRAINED, CellOutcome
from recombine.models.torch_task import check_parent, threads
from recombine.records.world import opened, world_text

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from recombine.kb.store import Store
    from recombine.models.kbqa.kept_training import TrainedRecord
    from recombine.models.kbqa.making.make_arrays import MadeArrays
    from recombine.models.task import Task, TaskCell
    from recombine.records.example import Example


def run_cells(task: Task) -> list[CellOutcome]:
    """The outcomes of a task's cells, in their order."""
    return [_outcome(task, cell) for cell in task.cells]


def _outcome(task: Task, cell: TaskCell) -> CellOutcome:
    began = time.monotonic()
    try:
        with threads(task.threads):
            return _run(task, cell, began)
    except (RecombineError, MemoryError, RuntimeError) as error:
        if isinstance(error, RecombineError):
            return CellOutcome(error=f"cell {cell.name}: {error}")
        if not is_out_of_memory(error):
            raise
        return CellOutcome(error=f"cell {cell.name}: out of memory; lower batch or chunk, or take another device")


def _run(task: Task, cell: TaskCell, began: float) -> CellOutcome:
    import torch

    settings = KbqaSettings.from_dict(task.settings)
    store = knowledge_base(opened(task.world))
    arrays = TaskArrays(task, store, settings)
    device = choose_device(task.device)
    train, dev = map(sorted, train_and_dev(cell.train, cell.dev, settings, cell.seed))
    net, record, key = _trained(task, arrays, settings, (train, dev), cell.seed, device)
    made = arrays.of(settings.links, cell.test, train)
    asked = made.questions.take(cell.test)
    given = answered(net, made.schema, asked, settings, device)
    finished = finished_forms(given, asked, store, settings, task.language)
    curve = tuple((epoch, loss if np.isfinite(loss) else None, share) for epoch, loss, share in record.curve)
    notes: dict[str, Any] = {
        "device": device_name(device),
        "torch": torch.__version__,
        "training": key,
        "steps": record.steps,
        "best_epoch": record.best_epoch,
        "added_items": record.added_items,
        "left_out": record.left_out,
        "counts": finished.counts,
    }
    return CellOutcome(finished.texts, curve, notes, time.monotonic() - began)


def _trained(
    task: Task,
    arrays: TaskArrays,
    settings: KbqaSettings,
    rows: tuple[Sequence[int], Sequence[int]],
    seed: int,
    device: str,
) -> tuple[Any, TrainedRecord, str]:
    """A network that learned from some rows and stopped on others, from the folder where cells keep theirs."""
    made = arrays.of(settings.train_links)
    train, dev = (made.questions.take(part) for part in rows)
    check_targets(train.targets.sizes)
    key = training_key(settings.to_dict(), seed=seed, train=train.ids, dev=dev.ids, data=world_text(task.world))
    training = Training(made.schema, train, dev, settings, seed, device, check_encoder(settings))
    folder = task.work / TRAINED / key
    with claimed(folder):
        kept = kept_training(folder, training, pause=task.checkpoint_seconds, stepped=lambda *_: check_parent(task))
    assert kept is not None  # noqa: S101  # there is no deadline
    return *kept, key


def train_and_dev(
    train: Sequence[int], dev: Sequence[int], settings: KbqaSettings, seed: int
) -> tuple[Sequence[int], Sequence[int]]:
    """The rows to learn from and to stop on, of which some are kept aside where there are none."""
    if dev or not settings.dev_share:
        return train, dev
    aside = kept_aside(len(train), settings.dev_share, seed).tolist()
    rows = list(zip(train, aside, strict=True))
    return [row for row, is_aside in rows if not is_aside], [row for row, is_aside in rows if is_aside]


# -- arrays -------------------------------------------------------------------------------------------------------


MOST = 6
"""The most arrays that a process keeps: those to learn from, and of two ways of linking, on two data sets."""
_KEPT: OrderedDict[Any, MadeArrays] = OrderedDict()


class TaskArrays:
    """The arrays of all examples of a task, by the way of linking."""

    def __init__(self, task: Task, store: Store, settings: KbqaSettings) -> None:
        self._task, self._store, self._settings = task, store, settings

    def of(self, links: str, asked: Sequence[int] = (), train: Sequence[int] = ()) -> MadeArrays:
        """The arrays with such links, and with the candidates of rows that are asked; made once in a process.

        A tagger learns from the rows to train on.
        """
        own, task = self._settings, self._task
        examples = task.examples
        named = own.names if links in (LINKER, TAGGER) else ""
        learned = sorted(train) if links == TAGGER else []
        key = (
            tuple(example.id for example in examples),
            (tuple(sorted(asked)), tuple(learned)),
            (links, named, own.hops, own.beyond, own.answer_class),
            (task.language, self._store.digest),
        )
        if key not in _KEPT:
            ids = frozenset(examples[row].id for row in asked)
            _KEPT[key] = make_all(
                examples,
                task.language,
                self._store,
                links,
                own,
                candidates_of=ids,
                learned=[examples[row] for row in learned],
            )
            while len(_KEPT) > MOST:
                _KEPT.popitem(last=False)
        _KEPT.move_to_end(key)
        return _KEPT[key]


def make_all(
    examples: Sequence[Example],
    language: str,
    store: Store,
    links: str,
    settings: KbqaSettings,
    *,
    candidates_of: Container[str],
    learned: Sequence[Example] = (),
) -> MadeArrays:
    """The arrays of examples whose targets are in a language, with such links, and with candidates of some ids.

    `learned` are the examples that a tagger of mentions learns from.
    """
    from recombine.models.kbqa.making.make_arrays import make_arrays

    examples, links = linked_examples(examples, links, store, settings.names, learned=learned, language=language)
    made = list(sexpression_targets(examples, language, store.profile).questions)
    return make_arrays(question_data(made, store), made, links, settings, candidates_of=candidates_of)
