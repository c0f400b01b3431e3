"""Answers as lines, out and in again, and open items as lines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from recombine.annotation.campaign.campaign import Campaign
from recombine.annotation.exchange.item_rows import iter_item_rows
from recombine.annotation.exchange.response_rows import (
    FIELDS,
    iter_response_rows,
    iter_verdict_rows,
    read_response_rows,
)
from recombine.errors import InputFileError, RecordError


def test_a_row_has_the_fields_that_were_fixed(judged: Campaign) -> None:
    assert " ".join(FIELDS) == "item task parent author worker kind batch control answer counted reason at"
    wanted = list(FIELDS)
    rows = list(iter_response_rows(judged))
    assert len(rows) == 9
    assert all(list(row)[: len(wanted)] == wanted for row in rows)
    assert all(row["kind"] == "person" for row in rows)
    # The author of what is judged is the pseudonym of who wrote it.
    wrote = {row["answer"]["paraphrase"]: row["worker"] for row in rows if row["task"] == "paraphrase"}
    texts = {item.item: item.show["question"] for item in judged.items(task="check")}
    assert {row["author"] == wrote[texts[row["item"]]] for row in rows if row["task"] == "check"} == {True}
    assert not {row["worker"] for row in rows} & {worker.id for worker in judged.workers()}


def test_verdicts_have_states_and_shares(judged: Campaign) -> None:
    rows = {(row["task"], row["state"]): row for row in iter_verdict_rows(judged)}
    assert rows["check", "rejected"]["shares"] == {"same": 0.5, "fluent": 1.0}
    assert rows["check", "rejected"]["votes"] == 2
    assert ("paraphrase", "complete") in rows


def test_rows_come_back_into_another_campaign(
    judged: Campaign,
    new_campaign: Callable[..., Campaign],
    questions: list[dict[str, Any]],
    tmp_path: Path,
) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in iter_response_rows(judged)))
    rows = read_response_rows(path)
    assert judged.take_in(rows, file=path).repeated == len(rows)
    other = new_campaign(check__workers=2, paraphrase__until_valid=1)
    other.add_items(questions)
    taken = other.take_in(rows, file=path)
    assert (taken.added, taken.broken) == (9, ())
    assert [(v.item, v.state, dict(v.shares)) for v in other.verdicts()] == [
        (v.item, v.state, dict(v.shares)) for v in judged.verdicts()
    ]
    before = list(iter_response_rows(other))
    assert other.take_in(rows, file=path).repeated == 9
    assert list(iter_response_rows(other)) == before


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"worker": "a", "answer": {}}', "line 1: has no 'item'"),
        ('{"item": "q", "worker": 3, "answer": {}}', "has no 'worker', or one that is no text"),
        ('{"item": "q", "worker": "a", "answer": "yes"}', "one that is no object"),
    ],
)
def test_lines_that_are_no_answers_are_named(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(text + "\n")
    with pytest.raises(RecordError, match=says):
        read_response_rows(path)


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "none.jsonl").write_text("\n")
    with pytest.raises(InputFileError, match="holds no answer"):
        read_response_rows(tmp_path / "none.jsonl")


def test_open_items_are_those_with_a_free_slot(judged: Campaign) -> None:
    # The third text was rejected, so that its question alone can be answered again.
    rows = list(iter_item_rows(judged))
    assert [(row["task"], row["show"]) for row in rows] == [("paraphrase", {"question": "who wrote [B2]?"})]
    assert rows[0]["ask"] == {"paraphrase": "text"}
    judged.take_in([{"item": rows[0]["item"], "worker": "cy", "answer": {"paraphrase": "[B2] is by whom?"}}])
    (row,) = iter_item_rows(judged)
    assert (row["task"], row["ask"]) == ("check", {"same": ["yes", "no"], "fluent": ["yes", "no"]})
    assert row["author"] == judged.pseudonym(judged.workers()[2].id)
