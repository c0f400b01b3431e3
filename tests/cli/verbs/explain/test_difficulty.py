"""The verb `difficulty`: from files and splits to scores, reasons and areas; bad input is a clear error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
import typer
from typer.testing import CliRunner

from recombine.cli.verbs.explain.difficulty import difficulty
from recombine.errors import RecombineError

TRAIN = ["exists ( find ( dog ) )", "exists ( find ( cat ) )", "count ( find ( dog ) )", "count ( scene ( ) )"]
TEST = ["exists ( scene ( ) )", "count ( find ( cat ) )", "exists ( find ( mouse ) )"]
APP = typer.Typer()
APP.command("difficulty")(difficulty)


def write(path: Path, *records: object) -> None:
    path.write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = [{"id": f"p{n}", "source": "", "target": text} for n, text in enumerate([*TRAIN, *TEST])]
    write(tmp_path / "all.jsonl", *rows)
    write(tmp_path / "train.jsonl", *rows[:4])
    write(tmp_path / "test.jsonl", *rows[4:])
    (tmp_path / "split.json").write_text('{"train": [0, 1, 2, 3], "test": [4, 5, 6]}')
    (tmp_path / "empty.json").write_text('{"train": [], "test": [4]}')
    answers = {"p4": True, "p5": True, "p6": False}
    write(tmp_path / "m.jsonl", *({"id": key, "correct": right, "prediction": ""} for key, right in answers.items()))
    write(tmp_path / "other.jsonl", {"id": "p99", "correct": True})
    write(tmp_path / "broken.jsonl", {"source": "", "target": "exists ( find ( dog )"})
    return tmp_path


def run(*arguments: str) -> str:
    result = CliRunner().invoke(APP, [*arguments, "--language", "covr"])
    if result.exception is not None:
        raise result.exception
    return result.stdout


def value(*arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = orjson.loads(run(*arguments, "--json"))
    return found


def test_a_split(here: Path) -> None:
    found = value("all.jsonl", "split.json")
    assert found["mean_easiness"] == pytest.approx(1.75 / 3)
    assert [row["easiness"] for row in found["examples"]] == pytest.approx([0.75, 1.0, 0.0])
    assert (found["auc"], found["negatives"], found["unseen_symbol_examples"]) == (None, None, 1)
    assert found["examples"][0]["reason"]["similar"] == "count > scene()"


def test_two_files_are_the_same(here: Path) -> None:
    split, files = value("all.jsonl", "split.json"), value("--train", "train.jsonl", "--test", "test.jsonl")
    assert files["examples"] == split["examples"]
    assert "test:test.jsonl" in files["signature"]


def test_predictions(here: Path) -> None:
    found = value("all.jsonl", "split.json", "--predictions", "m.jsonl")
    assert (found["auc"], found["positives"], found["negatives"], found["dropped"]) == (1.0, 2, 1, 0)
    assert found["models"] == ["m.jsonl"]
    best = {"easiness": 0.75, "f1": 1.0, "precision": 1.0, "recall": 1.0}
    assert (found["threshold"], list(found["thresholds"].values())) == (best, [best])
    shown = run("all.jsonl", "split.json", "--predictions", "m.jsonl", "-n", "0")
    assert "τ = 0.750: F1 1.000 of right answers, precision 1.000, recall 1.000" in " ".join(shown.split())
    assert value("all.jsonl", "split.json")["threshold"] is None
    each = value("all.jsonl", "split.json", "--predictions", "m.jsonl", "--gold", "each model")
    assert each["aucs"] == {"m.jsonl": 1.0}


def test_what_a_person_reads(here: Path) -> None:
    shown = run("all.jsonl", "split.json", "--predictions", "m.jsonl", "-n", "1")
    assert "mean easiness 0.583 of 3 examples, 4 to train" in shown
    assert "1 have symbols unseen in train" in shown
    assert "AUC 1.000 against majority: 2 right, 1 wrong, 0 dropped; models: m.jsonl" in shown
    assert "find > mouse was not observed, nor anything like it" in shown
    assert "exists > scene()" not in shown
    assert shown.splitlines()[-1].endswith("|structures:local:2|similarity:contexts|tokenisation:tree|version:0.1.0")


def test_orders_and_definitions(here: Path) -> None:
    assert "structures:local:4" in value("all.jsonl", "split.json", "--order", "4")["signature"]
    without = value("all.jsonl", "split.json", "--structures", "local:2,no-parents")
    assert without["without_structures"] == 3


CASES = {
    "nothing": ([], "it is not clear what to train and test on"),
    "both": (["all.jsonl", "split.json", "--train", "train.jsonl"], "it is not clear what to train and test on"),
    "order": (["all.jsonl", "split.json", "--order", "5"], "the order is 5"),
    "definition": (["all.jsonl", "split.json", "--structures", "tree:2-2"], "cannot read the local structures"),
    "similarity": (["all.jsonl", "split.json", "--similarity", "cosine"], "unknown similarity 'cosine'"),
    "tokenisation": (["all.jsonl", "split.json", "--tokenisation", "words"], "unknown tokenisation 'words'"),
    "gold": (["all.jsonl", "split.json", "--predictions", "m.jsonl", "--gold", "most"], "unknown gold label 'most'"),
    "ids": (["all.jsonl", "split.json", "--predictions", "other.jsonl"], "line 1: the id 'p99' is not in the data"),
    "empty train": (["all.jsonl", "empty.json"], "the train part of all is empty"),
    "unparsable test": (["--train", "train.jsonl", "--test", "broken.jsonl"], "broken.jsonl, line 1: .*not closed"),
    "unparsable train": (["--train", "broken.jsonl", "--test", "test.jsonl"], "broken.jsonl, line 1: .*not closed"),
    "no such part": (["all.jsonl", "split.json", "--against", "dev"], "has no part 'dev'"),
    "count": (["all.jsonl", "split.json", "-n", "-1"], "cannot show -1 examples"),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_input(case: str, here: Path) -> None:
    arguments, message = CASES[case]
    with pytest.raises(RecombineError, match=message):
        run(*arguments)


def test_the_language_must_be_known(here: Path) -> None:
    result = CliRunner().invoke(APP, ["all.jsonl", "split.json"])
    assert isinstance(result.exception, RecombineError)
    assert "language of all's targets is not known" in str(result.exception)
