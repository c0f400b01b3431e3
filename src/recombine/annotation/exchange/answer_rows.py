"""What became of items that came from a file, as `scenes hand-off --answers` and `kb answers` read it back.

A line has the name that the item had in its file. Of what is voted on there is one line with the campaign's decision:
`verdict`, `accept` or `reject`, and as `answer` the same as a truth, or the options that were kept. Of what is made
there is one for each answer that was accepted, under the name of its field and as `answer`, with its author.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.annotation.campaign.campaign import Campaign


def iter_answer_rows(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """Decisions in the order of items, then accepted answers in the order in which they came."""
    names = {item.item: item.name for item in campaign.items() if item.name}
    for verdict in campaign.verdicts():
        task = campaign.flow.of(verdict.task)
        if task.makes or verdict.item not in names:
            continue
        good = verdict.state == "accepted"
        several = any(field.kind == "several" for field in task.ask)
        line = {"item": names[verdict.item], "author": campaign.name, "verdict": "accept" if good else "reject"}
        yield {**line, "answer": list(verdict.kept) if several else good}
    for each in campaign.valid_answers():
        if each.name:
            text = next(iter(each.answer.values()))
            yield {"item": each.name, "author": campaign.pseudonym(each.worker), **each.answer, "answer": text}
