"""The store: one writer, what it promises, and what is no store."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select

from recombine.annotation.campaign.campaign import Campaign
from recombine.annotation.store import schema
from recombine.annotation.store.log_entry import entry_hash
from recombine.annotation.store.store import Store, create_store
from recombine.annotation.store.turn import Turn
from recombine.annotation.tasks.read_flow import read_flow
from recombine.errors import CampaignError, OutputFileError, RecombineError, StoreError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Campaign.create(tmp_path / "c.db", read_flow("audit"), name="c", key=b"k" * 32) as campaign:
        campaign.add_items([{"task": "audit", "show": {"question": f"q{k}"}} for k in range(30)])
        ann = campaign.add_workers(["ann"])[0].worker.id
        campaign.consent(ann)
        for _ in range(5):
            work = campaign.claim(ann)
            campaign.submit(ann, work.batch, work.next.item, {"right": "yes", "natural": "yes"})  # type: ignore[union-attr]
    return tmp_path / "c.db"


def change(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    assert connection.execute(statement).rowcount > 0
    connection.commit()
    connection.close()


def test_a_place_must_be_free_and_a_campaign_must_be_there(tmp_path: Path, path: Path) -> None:
    with pytest.raises(StoreError, match="is there already"):
        Campaign.create(path, read_flow("audit"), name="c")
    with pytest.raises(StoreError, match="there is no campaign"):
        Campaign.open(tmp_path / "none.db")
    with pytest.raises(OutputFileError, match="does not exist"):
        Campaign.create(tmp_path / "no" / "c.db", read_flow("audit"), name="c")
    with pytest.raises(StoreError, match="mysql:// is no store"):
        Campaign.open("mysql://here")
    assert not (tmp_path / "none.db").exists()


def test_a_store_of_another_version_is_refused(path: Path) -> None:
    change(path, "update meta set value = '99' where key = 'version'")
    with pytest.raises(StoreError, match="has version 99, and this program reads version 1"):
        Campaign.open(path)


def test_what_is_no_store_is_refused(tmp_path: Path, path: Path) -> None:
    text = tmp_path / "text.db"
    text.write_text("no database " * 1000)
    with pytest.raises(StoreError, match="no campaign can be read there"):
        Campaign.open(text)
    other = tmp_path / "other.db"
    sqlite3.connect(other).execute("create table mine (a)").connection.commit()
    with pytest.raises(StoreError, match="no campaign can be read there"):
        Campaign.open(other)


def test_a_damaged_store_is_refused(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for page in range(3, len(data) // 4096):
        data[page * 4096 : page * 4096 + 200] = b"\xff" * 200
    path.write_bytes(bytes(data))
    with pytest.raises(StoreError):
        Campaign.open(path)


def test_an_operation_that_fails_takes_nothing_of_others_with_it(path: Path) -> None:
    store = Store(path, clock=lambda: 0.0, first=lambda _: None)
    gate = threading.Event()

    def wait(turn: Turn) -> str:
        gate.wait(10)
        return "waited"

    def good(turn: Turn) -> str:
        turn.write(insert(schema.drafts), {"worker": "w", "item": f"good {turn.next('items')}", "draft": "{}"})
        return "good"

    def refused(turn: Turn) -> None:
        raise CampaignError("refused before anything was written")

    def broken(turn: Turn) -> None:
        turn.write(insert(schema.drafts), {"worker": "w", "item": "bad", "draft": "{}"})
        raise ValueError("broken half way")

    waiting = [store._writer.later(operation) for operation in (wait, good, refused, broken, good)]
    gate.set()
    results = [future.exception(10) or future.result() for future in waiting]
    assert [type(each) for each in results] == [str, str, CampaignError, ValueError, str]
    with store.read() as connection:
        names = [row.item for row in connection.execute(select(schema.drafts))]
    assert len(names) == 2
    assert "bad" not in names
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.write(good)


def test_what_waits_is_one_transaction(path: Path) -> None:
    times = iter(range(100))
    store = Store(path, clock=lambda: float(next(times)), first=lambda _: None)
    gate, begun, turns = threading.Event(), threading.Event(), []

    def operation(turn: Turn) -> None:
        turns.append(turn)
        begun.set()
        gate.wait(10)

    waiting = [store._writer.later(operation) for _ in range(5)]
    begun.wait(10)
    gate.set()
    for future in waiting:
        future.result(10)
    store.close()
    assert len({id(turn) for turn in turns}) <= 2


def test_many_threads_never_fill_a_slot_twice(tmp_path: Path) -> None:
    with Campaign.create(tmp_path / "c.db", read_flow("audit", changes={"audit.workers": 3}), name="c") as campaign:
        campaign.add_items([{"task": "audit", "show": {"question": f"q{k}"}} for k in range(4)])
        workers = [new.worker.id for new in campaign.add_workers([f"w{k}" for k in range(12)])]
        faults: list[Exception] = []

        def work(worker: str) -> None:
            try:
                campaign.consent(worker)
                while hasattr(held := campaign.claim(worker), "next"):
                    campaign.submit(worker, held.batch, held.next.item, {"right": "yes", "natural": "no"})
            except Exception as error:
                faults.append(error)

        threads = [threading.Thread(target=work, args=(worker,)) for worker in workers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert faults == []
        assert [(item.votes, item.state) for item in campaign.items()] == [(3, "accepted")] * 4
        assert sum(1 for _ in campaign.responses()) == 12
        assert campaign.verify_log().holds


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("update log set data = replace(data, 'ann', 'bob'), at = at + 1 where number = 4", "entry 4 is not"),
        ("delete from log where number = 6", "entry 6 is not"),
        ("delete from log where number = (select max(number) from log)", "were written"),
        ("""update responses set answer = '{"natural":"no"}' where number = 3""", "is not as the log has it"),
        ("update responses set worker = 'w' where number = 2", "is not as the log has it"),
        ("delete from responses where number = 5", "the log has 5 responses, and the store 4"),
    ],
)
def test_the_log_shows_what_was_changed(path: Path, statement: str, said: str) -> None:
    with Campaign.open(path) as campaign:
        report = campaign.verify_log()
        assert (report.holds, report.responses, report.problem) == (True, 5, "")
    change(path, statement)
    with Campaign.open(path) as campaign:
        report = campaign.verify_log()
    assert not report.holds
    assert said in report.problem


def test_an_entry_that_is_forged_with_its_own_hash_does_not_fit_the_next(path: Path) -> None:
    connection = sqlite3.connect(path)
    before = connection.execute("select hash from log where number = 3").fetchone()[0]
    at, what = connection.execute("select at, what from log where number = 4").fetchone()
    forged = entry_hash(before, 4, at, what, '{"worker":"nobody"}')
    connection.execute("update log set data = ?, hash = ? where number = 4", ('{"worker":"nobody"}', forged))
    connection.commit()
    connection.close()
    with Campaign.open(path) as campaign:
        report = campaign.verify_log()
    assert (report.holds, report.problem) == (False, "entry 5 is not what was written after entry 4")


def test_a_backup_is_whole_and_goes_on(tmp_path: Path, path: Path) -> None:
    with Campaign.open(path) as campaign:
        campaign.backup(tmp_path / "copy.db")
        with pytest.raises(OutputFileError, match="is there already"):
            campaign.backup(tmp_path / "copy.db")
        rows = [row.to_dict() for row in campaign.responses()]
    with Campaign.open(tmp_path / "copy.db") as copy:
        assert [row.to_dict() for row in copy.responses()] == rows
        assert copy.verify_log().holds
        assert copy.recompute() == []
        copy.add_workers(["eve"])
        assert copy.verify_log().holds


def test_every_commit_is_on_the_disk(path: Path) -> None:
    store = Store(path, clock=lambda: 0.0, first=lambda _: None)
    said: dict[str, Any] = {}

    def look(turn: Turn) -> None:
        for name in ("journal_mode", "synchronous"):
            said[name] = turn._connection.exec_driver_sql(f"pragma {name}").scalar()

    store.write(look)
    store.close()
    assert said == {"journal_mode": "wal", "synchronous": 2}


def test_a_store_is_made_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(schema.metadata, "create_all", fail)
    with pytest.raises((RecombineError, OSError)):
        create_store(tmp_path / "c.db", {"name": "c"})
    assert list(tmp_path.iterdir()) == []


def test_without_sqlalchemy_the_extra_is_named() -> None:
    code = "import sys; sys.modules['sqlalchemy'] = None; import recombine.annotation.campaign.campaign"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert "OptionError: a campaign needs the package sqlalchemy" in done.stderr
    assert "recombine[annotate]" in done.stderr
