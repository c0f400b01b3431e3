"""The verbs `score` and `compare`: what they print, write and refuse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.cli.main import run

PAIRS = [(f"say {word}", f"I_{word.upper()}") for word in ("jump", "run", "walk", "look", "turn")]


def call(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> tuple[str, str]:
    with pytest.raises(SystemExit) as ended:
        run(list(arguments))
    printed = capsys.readouterr()
    assert ended.value.code == code, printed.err
    return printed.out, printed.err


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    out, err = call(capsys, *arguments, "--json", "--quiet", code=code)
    assert err == ""
    value = orjson.loads(out)
    assert isinstance(value, dict)
    return value


def write(path: Path, *records: dict[str, Any]) -> None:
    path.write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Data, a split with four test examples, and the predictions of two systems; of B one is malformed, one missing."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "data.jsonl", *({"id": str(n), "source": s, "target": t} for n, (s, t) in enumerate(PAIRS)))
    (tmp_path / "split.json").write_text('{"train": [0], "test": [1, 2, 3, 4]}')
    write(tmp_path / "a.jsonl", *({"id": n, "prediction": PAIRS[n][1]} for n in range(5)))
    write(tmp_path / "b.jsonl", *({"id": n, "prediction": p} for n, p in ((1, "I_RUN"), (2, "I_(WALK"), (3, "I_RUN"))))
    return tmp_path


DATA = ("data.jsonl", "split.json")


def test_score(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    value = as_json(capsys, "score", *DATA, "b.jsonl", "--allow-missing", "--language", "actions")
    assert (value["exact_match"], value["n"], value["coverage"], value["malformed"]) == (0.25, 4, 0.75, 1)
    assert (value["abstained"], value["missing"], value["precision"]) == (1, 1, pytest.approx(1 / 3))
    assert value["interval"] == value["intervals"]["exact_match"]
    assert recombine.Signature.parse(value["signature"]).get("match") == "normalised"
    out, _ = call(capsys, "score", *DATA, "b.jsonl", "--allow-missing", "--language", "actions")
    lines = out.rstrip().split("\n")
    assert lines[-1] == value["signature"]
    assert all(len(line.rstrip()) <= 100 for line in lines[:-1])
    row = next(line for line in lines if "exact match (normalised)" in line)
    assert " ".join(row.split()) == "exact match (normalised) 0.250 0.046 to 0.699 1 of 4"
    assert "malformed outputs" in out


def test_predictions_for_other_parts_are_counted_and_said(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert as_json(capsys, "score", *DATA, "a.jsonl")["elsewhere"] == 1
    _, err = call(capsys, "score", *DATA, "a.jsonl")
    assert "a.jsonl: 1 predictions are for examples outside of test" in err
    assert as_json(capsys, "score", *DATA, "a.jsonl", "--part", "train")["n"] == 1


def test_exit_code_1_below_what_is_asked_for(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert as_json(capsys, "score", *DATA, "a.jsonl", "--at-least", "1")["exact_match"] == 1
    _, err = call(capsys, "score", *DATA, "b.jsonl", "--allow-missing", "--at-least", "0.5", code=1)
    assert "the exact match of 0.2500 is below 0.5" in err


def test_what_is_written_can_be_scored(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = as_json(capsys, "score", *DATA, "b.jsonl", "--allow-missing", "-o", "judged.jsonl")
    assert first["file"] == "judged.jsonl"
    rows = [orjson.loads(line) for line in (here / "judged.jsonl").read_bytes().splitlines()]
    assert [(row["id"], row["correct"]) for row in rows] == [("1", True), ("2", False), ("3", False), ("4", False)]
    again = as_json(capsys, "score", *DATA, "judged.jsonl")
    assert (again["exact_match"], again["stated_correct"], again["disputed"]) == (0.25, 0.25, 0)
    assert "correct, says the file" in call(capsys, "score", *DATA, "judged.jsonl")[0]


def test_joined_on_the_source(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here / "s.jsonl", *({"source": s, "said": t} for s, t in PAIRS[1:]))
    value = as_json(capsys, "score", *DATA, "s.jsonl", "--match-on", "source", "--prediction", "said")
    assert value["exact_match"] == 1


def test_compare(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    value = as_json(capsys, "compare", *DATA, "b.jsonl", "a.jsonl", "--allow-missing", "--seed", "3")
    exact = value["exact_match"]
    assert (exact["first"], exact["second"], exact["difference"]) == (0.25, 1, 0.75)
    assert (exact["both"], exact["only_first"], exact["only_second"], exact["neither"]) == (1, 0, 3, 0)
    assert exact["p_value"] == pytest.approx(0.25)  # three of three: 2 / 2³
    out, _ = call(capsys, "compare", *DATA, "b.jsonl", "a.jsonl", "--allow-missing", "--seed", "3")
    lines = out.rstrip().split("\n")
    assert lines[-1] == value["signature"]
    assert all(len(line.rstrip()) <= 100 for line in lines[:-1])
    assert "p-value of McNemar's exact test" in out


def test_compare_two_models_of_one_file(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {"id": n, "prediction": PAIRS[n][1] if n > wrong else "x", "model": f"m{wrong}"}
        for wrong in (1, 3)
        for n in range(1, 5)
    ]
    write(here / "m.jsonl", *rows)
    value = as_json(capsys, "compare", *DATA, "m.jsonl", "m.jsonl", "--model-a", "m1", "--model-b", "m3")
    assert value["exact_match"]["difference"] == -0.5


def test_sql_is_also_matched_as_sets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, split, predictions = (str(tmp_path / name) for name in ("d.jsonl", "s.json", "p.jsonl"))
    write(Path(data), {"id": "1", "source": "q", "target": "select a , b from t where c = 1"})
    Path(split).write_text('{"test": [0]}')
    write(Path(predictions), {"id": "1", "prediction": "select b , a from t where c = 2"})
    value = as_json(capsys, "score", data, split, predictions, "--language", "sql")
    assert (value["exact_match"], value["set_match"]) == (0, 1)
    out, _ = call(capsys, "compare", data, split, predictions, predictions, "--language", "sql")
    assert "set match" in out


CASES = {
    "missing file": (["score", *DATA, "nowhere.jsonl"], "nowhere.jsonl: no such file"),
    "missing predictions": (
        ["score", *DATA, "b.jsonl"],
        "b.jsonl: no prediction for 1 of 4 examples of test, the first is 4",
    ),
    "no such field": (["score", *DATA, "data.jsonl"], "data.jsonl, line 1: no field 'prediction'"),
    "unknown part": (["score", *DATA, "a.jsonl", "--part", "dev"], "the split has no part 'dev'"),
    "unknown form": (["score", *DATA, "a.jsonl", "--match", "txt"], "did you mean 'text'"),
    "unknown field to match on": (["score", *DATA, "a.jsonl", "--match-on", "ids"], "did you mean 'id'"),
    "unknown model": (["score", *DATA, "a.jsonl", "--model", "t5"], "unknown model in a.jsonl 't5'"),
    "language wanted": (["score", *DATA, "a.jsonl", "--match", "normalised"], "name it with --language"),
    "impossible share": (["score", *DATA, "a.jsonl", "--at-least", "90"], "give a share between 0 and 1"),
    "unwritable": (["score", *DATA, "a.jsonl", "-o", "no/such.jsonl"], "no does not exist"),
    "negative seed": (["compare", *DATA, "a.jsonl", "a.jsonl", "--seed", "-1"], "the seed is -1"),
    "unknown id": (
        ["compare", "data.jsonl", "split.json", "a.jsonl", "x.jsonl"],
        "x.jsonl, line 1: the id '9' is not in data",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_input(case: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here / "x.jsonl", {"id": 9, "prediction": "I_JUMP"})
    arguments, message = CASES[case]
    before = sorted(path.name for path in here.iterdir())
    out, err = call(capsys, *arguments, "--quiet", code=2)
    assert out == ""
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert message in err
    assert sorted(path.name for path in here.iterdir()) == before


@pytest.mark.shared_data
def test_gold_against_gold_on_a_published_split(
    data_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = tmp_path / "gold.jsonl"
    for data, split in (("geoquery/funql", "tmcd_1"), ("spider/ssp", "tmcd_1")):
        write(gold, *({"id": example.id, "prediction": example.target} for example in recombine.load(data)))
        value = as_json(capsys, "score", data, f"{data}/{split}", str(gold))
        assert (value["exact_match"], value.get("set_match", 1), value["malformed"]) == (1, 1, 0)
