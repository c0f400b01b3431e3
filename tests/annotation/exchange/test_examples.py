"""Accepted answers as examples."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recombine.annotation.campaign.campaign import Campaign
from recombine.annotation.exchange.examples import examples_of
from recombine.datasets.files.tables import read_table, write_table
from recombine.errors import CampaignError


def test_examples_have_a_new_source_and_the_same_target(judged: Campaign) -> None:
    examples = examples_of(judged)
    assert [(each.source, each.target) for each in examples] == [
        ("by whom is B0?", "wrote ( B0 )"),
        ("B1 is whose work?", "wrote ( B1 )"),
    ]
    tags = examples[0].tags
    names = {worker.name: judged.pseudonym(worker.id) for worker in judged.workers()}
    assert (tags["parent"], tags["template"], tags["bracketed"]) == ("e0", "T", "by whom is [B0]?")
    assert (tags["shares"], tags["votes"]) == ({"same": 1.0, "fluent": 1.0}, 2)
    assert (tags["author"], tags["judges"]) == (names["ann"], [names["ben"], names["cy"]])
    assert tags["campaign"] == judged.signature


def test_no_worker_is_named(judged: Campaign, tmp_path: Path) -> None:
    write_table(examples_of(judged), tmp_path / "made.jsonl")
    text = (tmp_path / "made.jsonl").read_text()
    for worker in judged.workers():
        assert f'"{worker.name}"' not in text
        assert worker.id not in text
    assert len(read_table(tmp_path / "made.jsonl")) == 2


def test_the_same_store_gives_the_same_bytes(judged: Campaign, tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        write_table(examples_of(judged), tmp_path / name)
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def test_forgetting_a_person_changes_no_example(judged: Campaign) -> None:
    before = examples_of(judged)
    judged.forget(judged.workers()[0].id)
    assert list(examples_of(judged)) == list(before)


def test_an_item_without_a_target_is_named(new_campaign: Callable[..., Campaign]) -> None:
    campaign = new_campaign(check__workers=1, paraphrase__until_valid=1)
    campaign.add_items([{"item": "q", "task": "paraphrase", "show": {"question": "who?"}}])
    campaign.take_in([{"item": "q", "worker": "ann", "answer": {"paraphrase": "which one?"}}])
    check = next(iter(campaign.items(task="check"))).item
    campaign.take_in([{"item": check, "worker": "ben", "answer": {"same": "yes", "fluent": "yes"}}])
    with pytest.raises(CampaignError, match=r"the item q has no text keep\.target"):
        examples_of(campaign)


def test_an_audit_makes_no_examples(new_campaign: Callable[..., Campaign]) -> None:
    with pytest.raises(CampaignError, match="no task of the flow audit makes examples"):
        examples_of(new_campaign("audit"))


def test_equal_texts_of_equal_targets_have_ids_of_their_own(
    new_campaign: Callable[..., Campaign], questions: list[dict[str, Any]]
) -> None:
    campaign = new_campaign("covr", check__workers=1)
    for number in (0, 1):
        show, keep = {"question": f"who wrote B{number}?"}, {"target": "t"}
        campaign.add_items([{"item": f"q{number}", "task": "paraphrase", "show": show, "keep": keep}])
        campaign.take_in([{"item": f"q{number}", "worker": "ann", "answer": {"paraphrase": "whose is it?"}}])
    votes = [
        {"item": item.item, "worker": "ben", "answer": {"same": "yes", "fluent": "yes"}}
        for item in campaign.items(task="check")
    ]
    campaign.take_in(votes)
    first, second = examples_of(campaign)
    assert second.id == f"{first.id}#2"
