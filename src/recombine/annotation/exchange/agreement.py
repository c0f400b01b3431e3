"""How far workers agree, how long they take, and how far their words are from what they were given.

Of each field that is voted on: the share of answers that accept, with Wilson's interval, Krippendorff's alpha over all
who answered, Cohen's kappa where they are two, and how many items have a majority. Of texts: how alike they are to the
question that they put in other words, and to each other (GrailQA, section 3.2). Only answers that count are looked at;
controls are none of them.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any

from recombine.evaluation.statistics.cohen_kappa import cohen_kappa
from recombine.evaluation.statistics.intervals import wilson
from recombine.evaluation.statistics.krippendorff_alpha import RESAMPLES, Agreement, krippendorff_alpha
from recombine.evaluation.statistics.majority_answer import majority_answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.annotation.campaign.campaign import Campaign
    from recombine.annotation.tasks.task import Asked, Task
    from recombine.measures.wordings.likeness import Likeness

    Votes = dict[str, dict[str, Any]]
    """Answers by item and worker."""


@dataclass(frozen=True)
class FieldAgreement:
    """One field of a task that is voted on."""

    task: str
    field: str
    accepts: str | None
    """The answer that accepts, whose share is given."""
    answers: int
    share: float | None
    low: float | None
    high: float | None
    alpha: Agreement
    kappa: float | None
    """Where two workers answered, and no more; none elsewhere, and where it is undefined."""
    majority: int
    """Items on which more than half gave one answer."""

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {**self.__dict__, "alpha": self.alpha.to_record()}


@dataclass(frozen=True)
class Diversity:
    """How alike texts are to their canonical question, and to each other; none where there is no pair."""

    task: str
    texts: int
    to_canonical: Likeness | None
    to_each_other: Likeness | None

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        both = {"to_canonical": self.to_canonical, "to_each_other": self.to_each_other}
        return {"task": self.task, "texts": self.texts} | {
            name: None if each is None else each.to_record() for name, each in both.items()
        }


@dataclass(frozen=True)
class CampaignAgreement:
    """All of a campaign."""

    fields: tuple[FieldAgreement, ...]
    diversity: tuple[Diversity, ...]
    seconds: dict[str, float]
    """The median seconds of an answer, by task."""


def campaign_agreement(campaign: Campaign, *, seed: int = 0, resamples: int = RESAMPLES) -> CampaignAgreement:
    """What the answers of a campaign say about its workers."""
    votes: defaultdict[str, Votes] = defaultdict(lambda: defaultdict(dict))
    seconds: defaultdict[str, list[float]] = defaultdict(list)
    for row in campaign.responses():
        if row.revision == 1 and row.seconds > 0 and row.reason != "adjudication":
            seconds[row.task].append(row.seconds)
        if row.counted and not row.control and row.reason != "adjudication":
            votes[row.task][row.item][row.worker] = row.answer
    fields = tuple(
        _field(task, field, votes[task.name], seed, resamples)
        for task in campaign.flow.task
        if not task.makes and votes.get(task.name)
        for field in task.ask
        if field.kind != "text"
    )
    return CampaignAgreement(
        fields,
        tuple(each for task in campaign.flow.task if task.makes for each in _diversity(campaign, task)),
        {task.name: median(seconds[task.name]) for task in campaign.flow.task if seconds.get(task.name)},
    )


def _field(task: Task, field: Asked, votes: Votes, seed: int, resamples: int) -> FieldAgreement:
    units = _units(field, votes)
    answers = [answer for unit in units for answer in unit.values()]
    accepts = next((rule.equals for rule in task.accept if rule.field == field.name), None)
    share = low = high = None
    if accepts is not None and answers:
        right = sum(answer == accepts for answer in answers)
        share, (low, high) = right / len(answers), wilson(right, len(answers))
    alpha = krippendorff_alpha([list(unit.values()) for unit in units], seed=seed, resamples=resamples)
    decided = sum(majority_answer(list(unit.values())) is not None for unit in units)
    counts = (share, low, high, alpha, _kappa(units), decided)
    return FieldAgreement(task.name, field.name, accepts, len(answers), *counts)


def _units(field: Asked, votes: Votes) -> list[dict[str, str]]:
    """What is agreed on or not: the answers to an item by worker; of several options, to each option of it."""
    if field.kind != "several":
        return [{who: answer[field.name] for who, answer in item.items()} for item in votes.values()]
    units = []
    for item in votes.values():
        named = sorted({option for answer in item.values() for option in answer[field.name]})
        units += [
            {who: "yes" if option in answer[field.name] else "no" for who, answer in item.items()} for option in named
        ]
    return units


def _kappa(units: Sequence[dict[str, str]]) -> float | None:
    workers = sorted({who for unit in units for who in unit})
    if len(workers) != 2:
        return None
    return cohen_kappa(*([unit.get(who) for unit in units] for who in workers))


def _diversity(campaign: Campaign, task: Task) -> list[Diversity]:
    """How alike the accepted texts of a task are, where it has any that put a question in other words."""
    import numpy as np

    from recombine.measures.wordings.group_pairs import group_pairs
    from recombine.measures.wordings.likeness import likeness

    rule = next((each for each in task.refuse if each.copies_of), None)
    if rule is None:
        return []
    groups: defaultdict[str, list[str]] = defaultdict(list)
    canonical: dict[str, str] = {}
    for answer in campaign.valid_answers(task=task.name):
        groups[answer.item].append(str(answer.answer[rule.field]))
        canonical[answer.item] = str(answer.show[rule.copies_of[0]])
    texts = [text for group in groups.values() for text in group]
    if not texts:
        return []
    originals = [canonical[item] for item, group in groups.items() for _ in group]
    places = np.arange(len(texts), dtype=np.int64)
    pairs = group_pairs([len(group) for group in groups.values()])
    among = likeness(texts, pairs.left, pairs.right, all_pairs=pairs.total)
    return [Diversity(task.name, len(texts), likeness(texts + originals, places, places + len(texts)), among)]
