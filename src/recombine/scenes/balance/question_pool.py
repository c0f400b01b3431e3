"""A pool of questions about the scenes of one part, made in one process or in several with the same result.

Scenes are asked about in their order, a piece of them at a time, until the pool has its size and every template what is
wanted of it. Where the scenes end before that, they are asked about again, more often each.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.util import find_spec
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import OptionError
from recombine.progress import bar
from recombine.scenes.balance.filters import EXCLUSION, NONE, TRUTH, VERIFIER
from recombine.scenes.questions.make_questions import QuestionMaker
from recombine.scenes.questions.rejected import SEEN_BEFORE
from recombine.scenes.related.exclusion import DifferentNames, Exclusion, OntologyExclusion
from recombine.scenes.related.related_images import RelatedImages
from recombine.scenes.related.truth_verifier import TruthVerifier
from recombine.scenes.subgraphs.limits import Limits
from recombine.scenes.synthetic.ontology import find_ontology

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from recombine.scenes.programs.execute import Value
    from recombine.scenes.questions.question import Question
    from recombine.scenes.related.looking_verifier import LookingVerifier
    from recombine.scenes.related.verifier import Verifier
    from recombine.scenes.scene import Scenes
    from recombine.scenes.templates.template import Template

MOST_PROCESSES = 64
_PIECE = 100
"""So many scenes are asked about at a time; each piece begins anew, so that it does not matter where it is made."""
_TWINS = 1.8
"""About so many questions come of one that is made, with its twin."""
_ROUNDS = (1, 4, 16)
"""How many times more questions are asked of a scene where the first do not suffice."""
_SUBGRAPHS = 40


@dataclass(frozen=True)
class PoolSetting:
    """The scenes of a part, and how questions about them are made."""

    scenes: Scenes
    seed: int
    truth: Scenes | None = None
    filter: str = EXCLUSION
    exclusion: Exclusion | None = None
    """What names exclude each other; none where the ontology of the synthetic world says it."""
    random_distractors: bool = False
    exclusion_name: str = ""
    """What tells the exclusion from others."""
    limits: Limits = field(default_factory=Limits)
    """What sub-graphs are asked about."""
    templates: tuple[Template, ...] | None = None
    """The templates that are asked; none for those of the package."""
    verifier: LookingVerifier | None = None
    """With the filter `verifier`, which it is."""

    def related(self) -> RelatedImages:
        """The related images of its scenes."""
        ontology = find_ontology()
        exclusion: Exclusion = OntologyExclusion(ontology) if self.exclusion is None else self.exclusion
        if self.filter == NONE:
            exclusion = DifferentNames()
        verifier: Verifier | None = None
        thresholds = None
        if self.filter == TRUTH:
            if self.truth is None:
                raise OptionError("there is no truth graph to filter by", "give --noise, or another --filter")
            verifier = TruthVerifier(self.truth, ontology)
        if self.filter == VERIFIER:
            if self.verifier is None:
                raise OptionError("there is no verifier to filter by", "name its folder with --verifier")
            verifier, thresholds = self.verifier.opened(self.scenes, self.truth)
        return RelatedImages(self.scenes, exclusion, verifier=verifier, limits=self.limits, thresholds=thresholds)


@dataclass
class Pool:
    """Questions, and what was counted while they were made."""

    questions: list[Question] = field(default_factory=list)
    rejected: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Questions that were not made, by template and reason."""
    refused: Counter[str] = field(default_factory=Counter)
    """Images that are no distractors, by reason."""


class _Piece(NamedTuple):
    questions: list[Question]
    rejected: Counter[tuple[str, str]]
    refused: Counter[str]


class _Task(NamedTuple):
    """What is to be made of some scenes."""

    setting: PoolSetting
    start: int
    per_template: int
    subgraphs: int


def make_pool(
    setting: PoolSetting, wanted: Mapping[str, int], size: int, *, processes: int = 1, what: str = ""
) -> Pool:
    """A pool of at least so many questions, and of each template what is wanted, as far as the scenes give it."""
    first = max(1, ceil(size / (len(wanted) * len(setting.scenes) * _TWINS)))
    pool = Pool()
    for times in _ROUNDS:
        pool = _fill(setting, wanted, size, first * times, _SUBGRAPHS * times, processes, what)
        if _has_enough(pool, wanted, size):
            break
    return pool


def _has_enough(pool: Pool, wanted: Mapping[str, int], size: int) -> bool:
    made = Counter(question.template for question in pool.questions)
    return len(pool.questions) >= size and all(made[name] >= number for name, number in wanted.items())


def _fill(
    setting: PoolSetting,
    wanted: Mapping[str, int],
    size: int,
    per_template: int,
    subgraphs: int,
    processes: int,
    what: str,
) -> Pool:
    pool, seen = Pool(), set[tuple[str, "Value", frozenset[str]]]()
    tasks = [_Task(setting, start, per_template, subgraphs) for start in range(0, len(setting.scenes), _PIECE)]
    with bar(f"making questions{what and f' of {what}'}", counts="questions") as advance:
        for piece in _pieces(tasks, processes):
            _add(pool, piece, seen)
            if advance is not None:
                advance(min(size, len(pool.questions)), size, "")
            if _has_enough(pool, wanted, size):
                break
    return pool


def _add(pool: Pool, piece: _Piece, seen: set[tuple[str, Value, frozenset[str]]]) -> None:
    """Add what is asked for the first time; of twins both or neither."""
    pool.rejected.update(piece.rejected)
    pool.refused.update(piece.refused)
    repeated: set[int] = set()
    fresh = []
    for question in piece.questions:
        key = (question.source, question.answer, frozenset(question.images))
        if key in seen:
            pool.rejected[question.template, SEEN_BEFORE] += 1
            if question.pair is not None:
                repeated.add(question.pair)
            continue
        seen.add(key)
        fresh.append(question)
    pool.questions += [question for question in fresh if question.pair is None or question.pair not in repeated]


def _pieces(tasks: list[_Task], processes: int) -> Iterator[_Piece]:
    """What becomes of tasks, in their order."""
    if processes == 1 or len(tasks) == 1:
        yield from map(_make, tasks)
        return
    import joblib

    run = joblib.Parallel(n_jobs=processes, backend="loky", return_as="generator", batch_size=1, pre_dispatch=processes)
    yield from run(joblib.delayed(_make)(task) for task in tasks)


def check_processes(processes: int) -> int:
    """The number of processes, when questions can be made in as many."""
    if isinstance(processes, bool) or not 1 <= processes <= MOST_PROCESSES:
        raise OptionError(f"cannot work in {processes} processes", f"give a number from 1 to {MOST_PROCESSES}")
    if processes > 1 and find_spec("joblib") is None:
        raise OptionError("more than one process needs joblib, which is not installed", "install recombine[cluster]")
    return processes


def _make(task: _Task) -> _Piece:
    """The questions of one piece of scenes."""
    setting = task.setting
    related = _related(_Key(setting))
    related.refused.clear()
    maker = QuestionMaker(
        related,
        setting.scenes,
        seed=setting.seed,
        per_template=task.per_template,
        subgraphs=task.subgraphs,
        templates=setting.templates,
        random_distractors=setting.random_distractors,
    )
    questions: list[Question] = []
    for place in range(task.start, min(task.start + _PIECE, len(setting.scenes))):
        questions += maker.of_scene(place)
    return _Piece(questions, Counter(maker.rejected), Counter(related.refused))


class _Key:
    """A setting that is the same where its scenes are, so that a process makes their index once."""

    def __init__(self, setting: PoolSetting) -> None:
        self.setting = setting
        self._parts = (setting.scenes.digest, setting.seed, setting.filter, setting.exclusion_name, setting.limits)

    def __hash__(self) -> int:
        return hash(self._parts)

    def __eq__(self, other: object) -> bool:
        # what two exclusions say is compared, since each task of another process brings its own
        if not isinstance(other, _Key) or other._parts != self._parts:
            return False
        return other.setting.exclusion == self.setting.exclusion


@lru_cache(maxsize=1)
def _related(key: _Key) -> RelatedImages:
    return key.setting.related()
