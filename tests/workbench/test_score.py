"""`recombine.score` and `recombine.compare` beside their commands."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson
import pytest
import typer

import recombine
from recombine.cli.app import app
from recombine.cli.main import run
from recombine.errors import InputFileError, InputWarning, OptionError, RecordError, UnknownNameError
from recombine.evaluation.match.matchers import Matcher, register_matcher
from recombine.workbench.predict import Predicted
from recombine.workbench.verb import COMMON, OF_READERS

PAIRS = [(f"say {word}", f"I_{word.upper()}") for word in ("jump", "run", "walk", "look", "turn")]
LEFT_OUT = {"as_json", "quiet", "out", "help"}


def write(path: Path, *records: dict[str, Any]) -> None:
    path.write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Data with 20 test examples, and the predictions of two systems, of which B lacks one and has one wrong."""
    monkeypatch.chdir(tmp_path)
    pairs = [*PAIRS, *((f"say {n}", f"I_{n}") for n in range(20))]
    write(tmp_path / "data.jsonl", *({"id": str(n), "source": s, "target": t} for n, (s, t) in enumerate(pairs)))
    (tmp_path / "split.json").write_bytes(orjson.dumps({"train": [0, 1, 2, 3, 4], "test": list(range(5, 25))}))
    write(tmp_path / "a.jsonl", *({"id": str(n), "prediction": pairs[n][1]} for n in range(5, 25)))
    write(tmp_path / "b.jsonl", *({"id": str(n), "prediction": pairs[max(n, 7)][1]} for n in range(6, 25)))
    return tmp_path


DATA = ("data.jsonl", "split.json")


def command(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    with pytest.raises(SystemExit) as ended:
        run([*arguments, "--json", "--quiet"])
    printed = capsys.readouterr()
    assert ended.value.code == code, printed.err
    value: dict[str, Any] = orjson.loads(printed.out)
    return value


OF_EVERY_VERB = {*COMMON, *OF_READERS}


@pytest.mark.parametrize("name", ["score", "compare"])
def test_options_are_those_of_the_command(name: str) -> None:
    params = typer.main.get_command(app).commands[name].params  # type: ignore[attr-defined]
    flags = {each.name: each.default for each in params if each.param_type_name == "option"}
    keywords = {
        each.name: each.default
        for each in inspect.signature(getattr(recombine, name)).parameters.values()
        if each.kind is each.KEYWORD_ONLY and each.name not in OF_EVERY_VERB
    }
    assert set(keywords) == set(flags) - LEFT_OUT - OF_EVERY_VERB
    assert {key: default or None for key, default in keywords.items()} == {
        key: default or None for key, default in flags.items() if key in keywords
    }


@pytest.mark.filterwarnings("ignore::recombine.errors.InputWarning")
def test_a_score_is_what_the_command_prints(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for options, flags in (
        ({}, []),
        ({"errors": True, "language": "actions"}, ["--errors", "--language", "actions"]),
        ({"part": "test", "match": "text", "seed": 3}, ["--part", "test", "--match", "text", "--seed", "3"]),
    ):
        found = recombine.score(*DATA, "b.jsonl", allow_missing=True, **options)
        printed = command(capsys, "score", *DATA, "b.jsonl", "--allow-missing", *flags, "-o", "judged.jsonl")
        assert printed["file"] == "judged.jsonl"
        value = found.to_dict()
        assert list(value) == list(printed)
        assert orjson.loads(orjson.dumps(value)) == {**printed, "file": None}
        found.write("again.jsonl")
        assert (here / "again.jsonl").read_bytes() == (here / "judged.jsonl").read_bytes()
    assert found["exact_match"] == found.exact_match == 0.9
    assert str(found) == "exact match 0.900 (0.699 to 0.972) on 20 entries of test"
    assert repr(found) == f"<ScoreResult: {found}>"
    assert "<caption>exact match 0.900" in found._repr_html_()


@pytest.mark.filterwarnings("ignore::recombine.errors.InputWarning")
def test_a_comparison_is_what_the_command_prints(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert here
    found = recombine.compare(*DATA, "b.jsonl", "a.jsonl", allow_missing=True, seed=2)
    printed = command(capsys, "compare", *DATA, "b.jsonl", "a.jsonl", "--allow-missing", "--seed", "2")
    assert orjson.loads(orjson.dumps(found.to_dict())) == printed
    assert str(found).startswith("exact match 0.900 and 1.000: +0.100 (")
    assert found.comparison.contrasts["exact_match"].only_second == 2


def test_predictions_as_a_program_has_them() -> None:
    data = recombine.load(PAIRS, language="actions")
    split = recombine.split(data, by="random", train=1, test=4, seed=1)
    gold = {key: data[key].target for key in split.test}
    rows = [{"id": key, "prediction": text} for key, text in gold.items()]
    assert recombine.score(data, split, gold).exact_match == 1
    by_rows = recombine.score(data, split, iter(rows))
    assert by_rows.to_dict() == recombine.score(data, split, gold).to_dict()
    first = {**gold, split.test[0]: None}
    assert (recombine.score(data, split, first)["abstained"], recombine.score(data, split, first)["n"]) == (1, 4)
    by_source = {data[key].source: text for key, text in gold.items()}
    assert recombine.score(data, split, by_source, match_on="source").exact_match == 1
    said = [{"target": text, "said": text, "model": model} for text in gold.values() for model in "ab"]
    options: dict[str, Any] = {"match_on": "target", "prediction": "said"}
    assert recombine.score(data, split, said, model="a", **options).exact_match == 1
    for row in said[1::2]:
        row["said"] = "I_RUN"  # what b says to everything
    found = recombine.compare(data, split, said, said, model_a="a", model_b="b", **options)
    assert (found["exact_match"]["first"], found["exact_match"]["second"], found["same_outputs"]) == (1, 0.25, 1)
    for given, options, kind, message in (
        ({"x": "I_RUN"}, {}, RecordError, "predictions, id x: the id 'x' is not in records"),
        ([("x", "I_RUN")], {}, RecordError, "predictions, record 1: is not a mapping"),
        ([rows[0], {"id": 3}], {}, RecordError, "predictions, record 2: no field 'prediction'"),
        ({split.test[0]: 3}, {}, RecordError, "is not text"),
        (said, {"match_on": "target", "prediction": "said"}, OptionError, "holds predictions of 2 models"),
        (gold, {"match_on": "ids"}, UnknownNameError, "did you mean 'id'"),
        ([], {}, InputFileError, "no prediction for 4 of 4 examples"),
    ):
        with pytest.raises(kind, match=message):
            recombine.score(data, split, given, **options)  # type: ignore[arg-type]


def test_notes_are_warnings(here: Path) -> None:
    assert here
    with pytest.warns(InputWarning) as noted:
        recombine.score(*DATA, "a.jsonl", part="train", allow_missing=True)
    told = [str(each.message) for each in noted]
    assert "a.jsonl: 20 predictions are for examples outside of train" in told
    assert any("split.json names lines of data by number" in message for message in told)


@pytest.mark.filterwarnings("ignore::recombine.errors.InputWarning")
def test_what_is_asked_for_at_least(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert here
    assert [
        recombine.score(*DATA, "b.jsonl", allow_missing=True, at_least=share).is_below for share in (0.9, 0.91)
    ] == [False, True]
    command(capsys, "score", *DATA, "b.jsonl", "--allow-missing", "--at-least", "0.91", code=1)
    with pytest.raises(OptionError, match="give a share between 0 and 1"):
        recombine.score("no such data", "no such split", {}, at_least=2)


@pytest.mark.filterwarnings("ignore::recombine.errors.InputWarning")
def test_metrics_by_name(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert here
    register_matcher(Matcher.of("length", len))
    register_matcher(Matcher.of("start", lambda program: program[:3]))
    plain = recombine.score(*DATA, "a.jsonl")
    assert "length" not in plain
    found = recombine.score(*DATA, "a.jsonl", metric="length")
    assert (found["length"], found["intervals"].keys()) == (1, {"exact_match", "length"})
    printed = command(capsys, "score", *DATA, "a.jsonl", "--metric", "length", "--metric", "start")
    both = recombine.score(*DATA, "a.jsonl", metric=("length", "start"))
    assert {**both.to_dict(), "file": None} == printed
    assert str(both).startswith("exact match 1.000, length 1.000, start 1.000 (")
    assert command(capsys, "compare", *DATA, "a.jsonl", "a.jsonl", "--metric", "start")["start"]["difference"] == 0
    with pytest.raises(UnknownNameError, match="unknown metric 'lenght'; did you mean 'length'"):
        recombine.score("no such data", "no such split", {}, metric="lenght")


@dataclass(frozen=True)
class Facts:
    kind: str = "facts"
    digest: str = "0" * 64
    right: str = "I_RUN"


def test_a_metric_over_the_world_of_the_data() -> None:
    def fits(gold: str, predicted: str, example: object, world: Any) -> bool:
        del gold, example
        return bool(predicted == world.right)

    register_matcher(Matcher("fits", fits, needs_world=True), languages=("actions",))
    plain = recombine.load(PAIRS, language="actions")
    data = replace(plain, world=Facts())
    split = recombine.split(data, by="random", train=1, test=4, seed=1)
    given = dict(zip(split.test, ["I_RUN", "I_RUN", "I_RUN", "x"], strict=True))
    found = recombine.score(data, split, given)
    assert (found["fits"], found["exact_match"]) == (0.75, 0.25)
    assert "|world:facts@0000000000000000|" in found["signature"]
    with pytest.raises(OptionError, match="the metric fits needs a world"):
        recombine.score(plain, recombine.split(plain, by="random", train=1, test=4, seed=1), given)


@pytest.mark.shared_data
def test_answers(data_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert data_dir
    data = recombine.load("geoquery/funql")
    split = recombine.load_split(data, "tmcd_1")
    gold = {key: data[key].target for key in split.test}
    write(tmp_path / "g.jsonl", *({"id": key, "prediction": text} for key, text in gold.items()))
    found = recombine.score("geoquery/funql", "tmcd_1", tmp_path / "g.jsonl", answers=True)
    assert (found["denotation"], found["answers"]["accuracy"]) == (1, 1)
    assert found.answers is not None
    printed = command(capsys, "score", "geoquery/funql", "tmcd_1", str(tmp_path / "g.jsonl"), "--answers")
    assert orjson.loads(orjson.dumps(found.to_dict())) == printed


@pytest.mark.filterwarnings("ignore::recombine.errors.InputWarning")
def test_what_predict_gave_is_scored_and_compared(here: Path) -> None:
    outputs: dict[str, str | None] = {str(n): f"I_{max(n - 5, 2)}" for n in range(5, 25)}
    given = Predicted(outputs, outputs, {}, "parser", None, {}, 0)
    assert recombine.score(*DATA, given).to_dict() == recombine.score(*DATA, outputs).to_dict()
    assert (
        recombine.compare(*DATA, given, "a.jsonl").to_dict() == recombine.compare(*DATA, outputs, "a.jsonl").to_dict()
    )
