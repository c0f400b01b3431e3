"""Accepted answers as a data set: a new source for the target that the example had.

Each example says in its tags where it is from: the `parent` it was made of and its `template`, the `shares` of votes
and their number, the campaign's signature, its author and its judges, each by a pseudonym that the campaign's secret
keys. Brackets, which mark what had to stay as it is, are taken off; the text with them is the tag `bracketed`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from recombine.errors import CampaignError
from recombine.records.dataset import Dataset
from recombine.records.example import Example, iter_ids

if TYPE_CHECKING:
    from recombine.annotation.campaign.campaign import Campaign
    from recombine.annotation.campaign.records import ValidAnswer
    from recombine.annotation.tasks.task import Exported

_BRACKETED = re.compile(r"\[([^\[\]]*)\]")
KEPT = ("data", "language")
"""What an item was made with besides its example, which becomes tags."""


def examples_of(campaign: Campaign) -> Dataset:
    """The examples of a campaign, in the order in which their answers came."""
    judges = _judges(campaign)
    made: list[tuple[str, str, dict[str, Any]]] = []
    for answer in campaign.valid_answers():
        export = campaign.flow.of(answer.task).export
        if export is not None:
            made.append(_made(campaign, export, answer, judges))
    if not made and not any(task.export for task in campaign.flow.task):
        raise CampaignError(f"no task of the flow {campaign.flow.name} makes examples", "export responses or verdicts")
    ids = iter_ids((source, target) for source, target, _ in made)
    examples = [Example(key, source, target, tags=tags) for key, (source, target, tags) in zip(ids, made, strict=True)]
    return Dataset.of(campaign.name, examples)


def _judges(campaign: Campaign) -> dict[str, list[str]]:
    """Who judged each item, of answers that count."""
    judges: defaultdict[str, list[str]] = defaultdict(list)
    for row in campaign.responses():
        if row.counted:
            judges[row.item].append(campaign.pseudonym(row.worker))
    return judges


def _made(
    campaign: Campaign, export: Exported, answer: ValidAnswer, judges: dict[str, list[str]]
) -> tuple[str, str, dict[str, Any]]:
    """Source, target and tags."""
    source, target = (_value(answer, place) for place in (export.source, export.target))
    tags: dict[str, Any] = {"parent": answer.keep.get("example") or answer.name or answer.item}
    if "template" in answer.keep:
        tags["template"] = answer.keep["template"]
    if any(rule.brackets_of for rule in campaign.flow.of(answer.task).refuse):
        source, tags["bracketed"] = without_brackets(source), source
    tags |= {"shares": dict(answer.shares), "votes": answer.votes, "campaign": campaign.signature}
    tags |= {"author": campaign.pseudonym(answer.worker), "judges": judges[answer.check]}
    return source, target, tags | {name: answer.keep[name] for name in KEPT if name in answer.keep}


def _value(answer: ValidAnswer, place: str) -> str:
    """A text of the answer, of what was shown, or of what the item keeps."""
    where, _, name = place.partition(".")
    value = {"answer": answer.answer, "show": answer.show, "keep": answer.keep}[where].get(name)
    if not isinstance(value, str) or not value:
        raise CampaignError(
            f"the item {answer.name or answer.item} has no text {place}, which an example needs",
            "make the campaign of data, or give items that have it in `keep`",
        )
    return value


def without_brackets(text: str) -> str:
    """A text whose brackets are taken off.

    >>> without_brackets("who wrote [Jaws] and [ET]?")
    'who wrote Jaws and ET?'
    """
    return _BRACKETED.sub(r"\1", text)
