"""Lots of questions, made and grounded in one process or in several, in the order of their numbers.

A lot depends on its setting and its number alone: its questions come from a generator of (seed, lot), and the entities
of each from one of (seed, lot, place).
"""

from __future__ import annotations

import gc
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from recombine.datasets.cfq.question_row import question_row
from recombine.datasets.parts.end_with_parent import end_with_parent
from recombine.datasets.parts.forked_lots import FailedLot, ForkedLots, can_fork, killed, lot_or_failure
from recombine.datasets.parts.made_lot import MadeLot
from recombine.errors import RecombineError
from recombine.grammars.unification.generation.beside_rules import beside_rules
from recombine.grammars.unification.generation.question_maker import QuestionMaker
from recombine.grammars.unification.parse_many import SELDOM, check_processes, seldom_collecting
from recombine.grammars.unification.rules.rule_set import packaged_rule_sets
from recombine.kb.grounding.asked_query import ASKS_NOTHING
from recombine.kb.grounding.grounded import Ungrounded
from recombine.kb.grounding.query_terms import asks_nothing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.datasets.cfq.lot_setting import LotSetting
    from recombine.kb.grounding.grounder import Grounder
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.store import Store

FILTERS = "filters.toml"


class Workshop:
    """What makes the lots of a setting: rules and knowledge base are read once."""

    def __init__(self, setting: LotSetting, store: Store | None = None) -> None:
        """`store` is the knowledge base, where it is open already."""
        self.setting = setting
        self.maker = _maker(setting)
        self.grounder: Grounder | None = None
        self.profile: Profile | None = None
        if setting.grounding:
            store = store or open_kb(setting)
            self.grounder, self.profile = _grounder(store, setting), store.profile

    def lot(self, number: int) -> MadeLot:
        """The lot of a number."""
        import numpy as np

        setting = self.setting
        questions, rejected = self.maker.lot(setting.seed, number, setting.size)
        counts = Counter({("", reason): times for reason, times in rejected.items()})
        made = MadeLot([], [], counts)
        for place, question in enumerate(questions):
            grounded = None
            if self.grounder is None and asks_nothing(question.query):
                counts[question.frame, ASKS_NOTHING] += 1
                continue
            if self.grounder is not None:
                drawn = self.grounder.ground(question, np.random.default_rng((setting.seed, number, place)))
                if isinstance(drawn, Ungrounded):
                    counts[question.frame, drawn.reason] += 1
                    continue
                grounded = drawn
            answer = grounded.answers[0].lower() if grounded is not None and question.closed else ""
            made.rows.append(question_row(question, grounded, setting.spelling, self.profile))
            made.kinds.append((question.frame, answer))
        return made


def _maker(setting: LotSetting) -> QuestionMaker:
    """What makes the questions of a setting; that of packaged files, which stay as they are, is kept."""
    if setting.rules in packaged_rule_sets() and setting.weights is None and setting.filters is None:
        return _packaged_maker(setting.rules, setting.max_level, tuple(setting.unused))
    return QuestionMaker(
        setting.rules,
        weights=setting.weights,
        max_level=setting.max_level,
        filters=setting.filters,
        unused=setting.unused,
    )


@lru_cache(maxsize=2)
def _packaged_maker(rules: str, max_level: int | None, unused: tuple[str, ...]) -> QuestionMaker:
    return QuestionMaker(rules, max_level=max_level, unused=unused)


class Lots:
    """The lots of a setting, in so many processes."""

    def __init__(self, workshop: Workshop, processes: int) -> None:
        self._workshop, self._processes = workshop, check_processes(processes)
        self._forked: ForkedLots[MadeLot] | None = None
        self.size = workshop.setting.size

    def iter_lots(self, first: int, number: int) -> Iterator[MadeLot]:
        """So many lots from this one on, in order."""
        numbers = range(first, first + number)
        if self._processes > 1 and number > 1:
            yield from self._iter_parallel(numbers)
            return
        with seldom_collecting():
            for each in numbers:
                yield self._workshop.lot(each)

    def close(self) -> None:
        """End the processes; they begin again where more is asked for."""
        if self._forked is not None:
            self._forked.close()
            self._forked = None

    def _iter_parallel(self, numbers: range) -> Iterator[MadeLot]:
        # A knowledge base of one's own may be a connection, which two processes cannot share.
        if can_fork() and self._workshop.setting.kb is None:
            if self._forked is None:
                self._forked = ForkedLots(self._workshop.lot, self._processes)
            yield from self._forked.iter_lots(numbers)
            return
        yield from self._iter_begun_anew(numbers)

    def _iter_begun_anew(self, numbers: range) -> Iterator[MadeLot]:
        import joblib
        from joblib.externals.loky.process_executor import BrokenProcessPool, TerminatedWorkerError

        run = joblib.Parallel(n_jobs=self._processes, backend="loky", return_as="generator", batch_size=1)
        setting = self._workshop.setting
        try:
            for made in run(joblib.delayed(_lot)(setting, number) for number in numbers):
                if isinstance(made, FailedLot):
                    raise RecombineError(*made)
                yield made
        except (BrokenProcessPool, TerminatedWorkerError):
            raise killed() from None


@lru_cache(maxsize=1)
def _workshop(setting: LotSetting) -> Workshop:
    """The workshop of a process, which does nothing else."""
    end_with_parent()
    gc.set_threshold(*SELDOM)
    return Workshop(setting)


def _lot(setting: LotSetting, number: int) -> MadeLot | FailedLot:
    return lot_or_failure(lambda: _workshop(setting).lot(number))


def open_kb(setting: LotSetting) -> Store:
    """The knowledge base of a setting."""
    from recombine.kb.cfq_stores.open_cfq_store import open_cfq_store

    if setting.kb is None:
        return open_cfq_store(world_size=setting.world_size)
    return open_cfq_store(setting.kb, profile=setting.profile, time_out=setting.time_out)


def _grounder(store: Store, setting: LotSetting) -> Grounder:
    from recombine.kb.grounding.grounder import Grounder
    from recombine.kb.grounding.grounding_filters import read_grounding_filters

    place = setting.filters or beside_rules(setting.rules, FILTERS)
    return Grounder(store, filters=None if place is None else read_grounding_filters(place))
