"""What became of items of a file, read back by the verbs that write such files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import orjson

import recombine
from recombine.annotation.campaign.campaign import Campaign
from recombine.annotation.exchange.answer_rows import iter_answer_rows


def test_decisions_and_accepted_texts_have_the_names_of_items(judged: Campaign) -> None:
    names = {worker.name: judged.pseudonym(worker.id) for worker in judged.workers()}
    assert list(iter_answer_rows(judged)) == [
        {"item": "q0", "author": names["ann"], "paraphrase": "by whom is [B0]?", "answer": "by whom is [B0]?"},
        {"item": "q1", "author": names["ben"], "paraphrase": "[B1] is whose work?", "answer": "[B1] is whose work?"},
    ]


def test_a_voted_item_says_what_was_decided(new_campaign: Callable[..., Campaign]) -> None:
    campaign = new_campaign("covr", validate__workers=1)
    show = {"pictures": [], "question": "how many?", "answer": "2"}
    for name, verdict in (("a/validate", "valid"), ("b/validate", "unsure")):
        campaign.add_items([{"item": name, "task": "validate", "show": {**show, "question": name}}])
        campaign.take_in([{"item": name, "worker": "ann", "answer": {"verdict": verdict}}])
    assert [(row["item"], row["verdict"], row["answer"]) for row in iter_answer_rows(campaign)] == [
        ("a/validate", "accept", True),
        ("b/validate", "reject", False),
    ]


def test_names_of_kb_tasks_come_back(tmp_path: Path) -> None:
    names, sent, back = (tmp_path / f"{name}.jsonl" for name in ("names", "sent", "back"))
    names.write_text('{"entity": "m.1", "name": "Jaws", "names": {"Jaws": 3, "Shark": 1}}\n')
    recombine.kb_tasks(names, task="surface_forms").write(sent)
    recombine.annotate_new(tmp_path / "c.db", flow="grailqa", items=sent)
    said = [{"item": "surface_forms/m.1", "worker": who, "answer": {"names": ["Jaws"]}} for who in ("a", "b", "c")]
    back.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in said))
    assert recombine.annotate_import(tmp_path / "c.db", back)["added"] == 3
    recombine.annotate_export(tmp_path / "c.db", format="answers").write(back)
    taken = recombine.kb_answers(sent, back)
    assert (taken["taken"], taken["dropped"]) == (1, {})
