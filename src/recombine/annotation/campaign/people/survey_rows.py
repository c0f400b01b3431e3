"""The survey: answers go to totals and nowhere else, and small counts are shown together."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from sqlalchemy import func, insert, select, update

from recombine.annotation.campaign.people.worker_rows import set_worker, worker_row
from recombine.annotation.campaign.records import SurveyTotals
from recombine.annotation.store import schema
from recombine.errors import RefusedAnswerError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

    from recombine.annotation.campaign.rules import Rules
    from recombine.annotation.store.turn import Turn

SMALLEST = 5
TOGETHER = "others together"
_s = schema.survey.c


def add_survey(turn: Turn, rules: Rules, worker: str, answers: Mapping[str, str] | None) -> None:
    """Add answers to the totals, once; the worker's record and the log say no more than that it was done."""
    if worker_row(turn.read, worker).surveyed:
        return
    questions = {question.name: question for question in rules.flow.survey}
    for name, option in (answers or {}).items():
        if name not in questions or option not in questions[name].options:
            raise RefusedAnswerError(str(name)[:60], "not_an_option", "this cannot be chosen", "choose an option")
    for name, option in sorted((answers or {}).items()):
        there = (_s.question == name) & (_s.option == option)
        count = turn.read(select(_s.times).where(there)).scalar_one_or_none()
        if count is None:
            turn.write(insert(schema.survey), {"question": name, "option": option, "times": 1})
        else:
            turn.write(update(schema.survey).where(there).values(times=count + 1))
    set_worker(turn, worker, "surveyed", surveyed=True)


def read_survey(connection: Connection) -> SurveyTotals:
    """The totals; options of a question that fewer than five chose are one cell, and so is the next one if need be.

    One small cell alone would follow from the sum, so that the smallest other one joins it.
    """
    counts = defaultdict[str, dict[str, int]](dict)
    for row in connection.execute(select(schema.survey).order_by(_s.question, _s.option)):
        counts[row.question][row.option] = row.times
    asked = select(func.count()).where(schema.workers.c.surveyed.is_(True))
    return SurveyTotals(connection.execute(asked).scalar_one(), {name: merged(row) for name, row in counts.items()})


def merged(counts: Mapping[str, int]) -> dict[str, int]:
    """Counts with small cells together.

    >>> merged({"a": 20, "b": 9, "c": 2, "d": 4}), merged({"a": 20, "b": 9, "c": 2})
    ({'a': 20, 'b': 9, 'others together': 6}, {'a': 20, 'others together': 11})
    """
    ordered = sorted(counts, key=lambda option: (counts[option], option))
    small = [option for option in ordered if counts[option] < SMALLEST]
    while small and sum(counts[option] for option in small) < SMALLEST and len(small) < len(ordered):
        small = ordered[: len(small) + 1]
    if len(small) == 1 and len(ordered) > 1:
        small = ordered[:2]
    large = {option: count for option, count in counts.items() if option not in small}
    return {**large, TOGETHER: sum(counts[option] for option in small)} if small else large
