"""`recombine annotate`: what its verbs print, write and refuse."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.cli.main import run
from recombine.errors import (
    InputFileError,
    OptionError,
    OutputFileError,
    RecordError,
    StoreError,
    UnknownNameError,
    UnknownWorkerError,
)

DATA = [{"source": f"is there a cat {n}", "target": "exists ( find ( cat ) )"} for n in range(6)]
YES = {"same": "yes", "fluent": "yes"}


def printed(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    with pytest.raises(SystemExit) as ended:
        run(["annotate", *words])
    out = capsys.readouterr()
    assert ended.value.code == code, out.err
    return out.out if code in (0, 1) else out.err


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A campaign of six questions with one judge each."""
    (tmp_path / "data.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in DATA))
    changes = ["check.workers=1"]
    recombine.annotate_new(tmp_path / "c", flow="covr", data=tmp_path / "data.jsonl", language="covr", set=changes)
    return tmp_path / "c"


def answered(store: Path, tmp_path: Path, rows: list[dict[str, Any]]) -> Any:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    return recombine.annotate_import(store, path)


def open_items(store: Path, task: str) -> list[str]:
    return [line["item"] for line in recombine.annotate_export(store, format="items").lines if line["task"] == task]


def test_from_nothing_to_examples(store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = [
        {"item": i, "worker": "ann", "answer": {"paraphrase": f"a cat, {i}?"}} for i in open_items(store, "paraphrase")
    ]
    assert answered(store, tmp_path, texts)["added"] == 6
    votes = [{"item": item, "worker": "ben", "answer": YES} for item in open_items(store, "check")]
    assert answered(store, tmp_path, votes)["added"] == 6
    made = tmp_path / "made.jsonl"
    assert "6 examples" in printed(capsys, "export", str(store), "-o", str(made))
    again = tmp_path / "again.jsonl"
    recombine.annotate_export(store).write(again)
    assert made.read_bytes() == again.read_bytes()
    split = recombine.split(made, by="random", test=2, language="covr")
    assert recombine.measure(recombine.load(made, language="covr"), split)["test"] == 2
    assert recombine.show(made, language="covr", n=1)["size"] == 6
    shown = printed(capsys, "status", str(store), "--check")
    assert "done, 12 answers of 2 workers" in shown
    assert "12 answers, holds" in shown
    assert "check.same" in printed(capsys, "agreement", str(store))


def test_a_link_is_printed_once(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    added = orjson.loads(printed(capsys, "workers", "add", str(store), "ann", "--json"))["workers"]
    assert added[0]["link"].startswith("http://127.0.0.1:8000/join/")
    token = added[0]["link"].rpartition("/")[2]
    listed = printed(capsys, "workers", "list", str(store), "--json")
    assert orjson.loads(listed)["workers"][0]["name"] == "ann"
    assert token not in listed
    assert token.encode() not in b"".join(path.read_bytes() for path in store.iterdir())


def test_workers_are_paused_and_resumed(store: Path) -> None:
    recombine.annotate_workers("add", store, n=2, qualification="lead")
    (paused,) = recombine.annotate_workers("pause", store, "worker 2").workers
    assert (paused.state, paused.qualifications) == ("paused", ("lead",))
    assert recombine.annotate_workers("resume", store, ["worker 2"]).workers[0].state == "active"
    for action, names, options, error in (
        ("add", (), {}, OptionError),
        ("add", "ann", {"n": 1}, OptionError),
        ("add", "ann", {"qualification": "expret"}, UnknownNameError),
        ("pause", (), {}, OptionError),
        ("pause", "nobody", {}, UnknownWorkerError),
        ("sack", "ann", {}, UnknownNameError),
    ):
        with pytest.raises(error):
            recombine.annotate_workers(action, store, names, **options)


def test_what_breaks_a_rule_is_counted_and_named(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, *_ = open_items(store, "paraphrase")
    rows = [
        {"item": first, "worker": "ann", "answer": {"paraphrase": "any cat?"}},
        {"item": second, "worker": "ann", "answer": {"paraphrase": "is there a cat 1"}},
        {"item": "nothing", "worker": "ann", "answer": {"paraphrase": "b?"}},
    ]
    taken = answered(store, tmp_path, rows)
    assert (taken["added"], taken["broken"]) == (1, {"copy_of_shown": 1, "unknown_item": 1})
    check = open_items(store, "check")[0]
    assert answered(store, tmp_path, [{"item": check, "worker": "ann", "answer": YES}])["broken"] == {"own_text": 1}
    out = printed(capsys, "import", str(store), str(tmp_path / "rows.jsonl"))
    assert "1 own text" in out
    assert "rows.jsonl, row 1: 'ann' wrote what is judged" in out


def test_items_and_controls_are_added_later(store: Path, tmp_path: Path) -> None:
    path = tmp_path / "more.jsonl"
    show = {"canonical": "there is a cat", "question": "any cat?"}
    path.write_bytes(orjson.dumps({"task": "check", "show": show, "answer": YES}) + b"\n")
    for added in (1, 0):
        taken = recombine.annotate_import(store, path, format="controls")
        assert (taken["added"], taken["repeated"]) == (added, 1 - added)
    path.write_bytes(orjson.dumps({"item": "x", "task": "paraphrase", "show": {"question": "one more"}}) + b"\n")
    assert recombine.annotate_import(store, path, format="items")["added"] == 1
    assert len(open_items(store, "paraphrase")) == 7
    path.write_text("")
    with pytest.raises(InputFileError, match="holds no control"):
        recombine.annotate_import(store, path, format="controls")


def test_forgetting_keeps_the_votes(store: Path, tmp_path: Path) -> None:
    item = open_items(store, "paraphrase")[0]
    answered(store, tmp_path, [{"item": item, "worker": "Ann Other", "answer": {"paraphrase": "any cat?"}}])
    before = recombine.annotate_export(store, format="responses").lines
    assert recombine.annotate_forget(store, "Ann Other")["answers"] == 1
    assert recombine.annotate_export(store, format="responses").lines == before
    assert recombine.annotate_workers("list", store).workers[0].name == ""
    with sqlite3.connect(store / "campaign.sqlite") as connection:
        kept = "\n".join(connection.iterdump())
    assert "Ann Other" not in kept


def test_a_backup_under_load_is_a_store_whose_log_holds(store: Path, tmp_path: Path) -> None:
    from recombine.annotation.campaign.campaign import Campaign

    items = open_items(store, "paraphrase")
    stop = threading.Event()

    def load() -> None:
        with Campaign.open(store / "campaign.sqlite") as campaign:
            for number in range(10_000):
                if stop.is_set():
                    return
                text = {"paraphrase": f"text {number} of a cat?"}
                campaign.take_in([{"item": items[number % 6], "worker": f"w{number}", "answer": text}])

    thread = threading.Thread(target=load)
    thread.start()
    try:
        copied = recombine.annotate_backup(store, tmp_path / "copy.db")
    finally:
        stop.set()
        thread.join()
    assert recombine.annotate_status(tmp_path / "copy.db", check=True).holds
    assert copied["responses"] <= len(recombine.annotate_export(store, format="responses").lines)
    with pytest.raises(OutputFileError, match="is there already"):
        recombine.annotate_backup(store, tmp_path / "copy.db")
    with pytest.raises(OutputFileError, match="a copy is a file"):
        recombine.annotate_backup(store, tmp_path / "folder")


def test_a_log_that_was_changed_ends_with_1(store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    item = open_items(store, "paraphrase")[0]
    answered(store, tmp_path, [{"item": item, "worker": "ann", "answer": {"paraphrase": "any cat?"}}])
    with sqlite3.connect(store / "campaign.sqlite") as connection:
        connection.execute("""update responses set answer = '{"paraphrase":"no cat?"}'""")
    assert "does not hold" in printed(capsys, "status", str(store), "--check", code=1)


def test_nothing_is_left_of_a_campaign_that_could_not_be_made(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    good = '{"item": "a", "task": "check", "show": {"canonical": "x", "question": "y"}}\n'
    path.write_text(good + '{"item": "b", "task": "no", "show": {}}\n')
    with pytest.raises((RecordError, UnknownNameError)):
        recombine.annotate_new(tmp_path / "c.db", flow="covr", items=path)
    assert not list(tmp_path.glob("c.db*"))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["new", "x.db", "--flow", "covr"], "give --items FILE or --data DATA"),
        (["new", "x.db", "--flow", "covrr", "--data", "scan"], "unknown flow 'covrr'"),
        (["new", "x.db", "--flow", "covr", "--data", "scan", "--set", "workers=2"], "TASK.OPTION=VALUE"),
        (["new", "x.db", "--flow", "covr", "--items", "i.jsonl", "-n", "3"], "--task and -n are for --data"),
        (["new", "x.db", "--flow", "covr", "--data", "scan", "--code-after", "3"], "give --enrol too"),
        (["status", "nowhere.db"], "nowhere.db"),
        (["export", "nowhere.db", "--format", "example"], "did you mean 'examples'"),
        (["serve", "nowhere.db"], "nowhere.db"),
    ],
)
def test_bad_input_is_one_line(
    words: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    error = printed(capsys, *words, code=2)
    assert says in error
    assert error.count("\n") == 1
    assert not list(tmp_path.glob("*.db"))


def test_serving_off_this_machine_needs_tls(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "would travel in the clear" in printed(capsys, "serve", str(store), "--host", "192.0.2.1", code=2)


def test_a_store_is_not_made_twice(store: Path) -> None:
    with pytest.raises(StoreError):
        recombine.annotate_new(store, flow="audit", data=DATA, language="covr")
    assert recombine.annotate_status(store)["flow"] == "covr"


@pytest.mark.slow
@pytest.mark.shared_data
def test_a_small_campaign_over_http(data_dir: Path) -> None:
    """Two forms of GrailQA, from form to five paraphrases each, by twelve workers; see the benchmark for all of it."""
    benchmarks = Path(__file__).parents[4] / "benchmarks"
    words = ["--forms", "2", "--workers", "14", "--flippers", "0"]
    done = subprocess.run(
        [sys.executable, str(benchmarks / "annotation_campaign.py"), *words],
        capture_output=True,
        text=True,
        env={**os.environ, "RECOMBINE_DATA": str(data_dir)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = orjson.loads(done.stdout.rpartition("}")[0] + "}")
    assert found["examples"] == 10
    assert found["verdicts_equal"]


@pytest.mark.slow
@pytest.mark.shared_data
def test_a_killed_server_loses_nothing(data_dir: Path) -> None:
    benchmarks = Path(__file__).parents[4] / "benchmarks"
    done = subprocess.run(
        [sys.executable, str(benchmarks / "annotation_kill.py"), "--kills", "3"],
        capture_output=True,
        text=True,
        env={**os.environ, "RECOMBINE_DATA": str(data_dir)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
