"""`recombine score --on answer`: accuracy, twins, paraphrases, guesses, and where a system fails."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.cli.main import run
from recombine.errors import InputFileError, InputWarning, OptionError, RecombineError, RecordError, UnknownNameError
from recombine.evaluation.answers import answer_table
from recombine.evaluation.statistics.intervals import wilson
from recombine.measures.properties.holds import holds
from recombine.records.dataset import Dataset
from recombine.records.signature import Signature
from recombine.records.split import Split
from recombine.workbench.generate import GenerateResult

TRUTHS = {True: "Yes.", False: "No, not at all."}
NUMBERS = ("none", "one", "Two", "There are 3.", "four", "5")


def said(answer: Any) -> str:
    """A right answer, in other words."""
    if isinstance(answer, bool):
        return TRUTHS[answer]
    return NUMBERS[answer] if isinstance(answer, int) else f"The answer is the {answer}."


def wrong(answer: Any) -> str:
    """A readable answer that is wrong."""
    return (
        said(not answer) if isinstance(answer, bool) else said((answer + 1) % 6) if isinstance(answer, int) else "zebu"
    )


def vqa(rows: list[tuple[str, Any, dict[str, Any]]]) -> tuple[Dataset, Split]:
    """Questions without programs, all of them for testing."""
    records = [{"id": f"q{n}", "question": q, "answer": a, **more} for n, (q, a, more) in enumerate(rows)]
    data = recombine.load(records, source="question", target="answer")
    return data, recombine.load_split(data, "all")


@pytest.fixture(scope="module")
def asked(noisy_questions: GenerateResult) -> tuple[Dataset, Split]:
    """Questions about scenes, all of them for testing."""
    data = noisy_questions.dataset
    return data, recombine.load_split(data, "all")


# -- a stranger's data --------------------------------------------------------------------------------------------


def test_questions_without_programs() -> None:
    kind = [{"kind": "color"}, {"kind": "number"}, {"kind": "color"}, {"kind": "truth"}]
    asked = [("What color?", "grey"), ("How many?", "2"), ("Red or blue?", "red"), ("Is it?", "yes")]
    data, split = vqa([(*pair, more) for pair, more in zip(asked, kind, strict=True)])
    answers = {"q0": "It is gray.", "q1": "both", "q2": "A", "q3": "no"}
    found = recombine.score(data, split, answers, on="answer", by="tag:kind")
    assert (found["accuracy"], found["n"], found["unreadable"], found["abstained"]) == (0.5, 4, 1, 0)
    assert found["interval"] == list(wilson(2, 4))
    assert found["pair_accuracy"] is None
    assert found["pairs"] is None
    groups = {each["group"]: each for each in found["by"]["tag:kind"]}
    assert groups["color"]["accuracy"]["right"] == 2
    assert groups["number"]["accuracy"]["unreadable"] == 1
    assert str(found) == "accuracy 0.500 (0.150 to 0.850) on 4 entries of test"


def test_answers_may_be_values_where_another_field_is_the_target(tmp_path: Path) -> None:
    rows = [{"id": "a", "question": "How many?", "answer": 3}, {"id": "b", "question": "Is it?", "answer": False}]
    (tmp_path / "q.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    said = {"a": "three", "b": "no"}
    found = recombine.score(tmp_path / "q.jsonl", "all", said, source="question", target="question", on="answer")
    assert found["accuracy"] == 1.0


def test_outputs_may_be_values(tmp_path: Path) -> None:
    data, split = vqa([("Is it?", "yes", {}), ("How many?", "2", {}), ("How many?", "3", {}), ("What?", "dog", {})])
    lines = [("q0", True), ("q1", 2), ("q2", 3.0), ("q3", None)]
    text = "".join(orjson.dumps({"id": key, "prediction": value}).decode() + "\n" for key, value in lines)
    (tmp_path / "p.jsonl").write_text(text)
    found = recombine.score(data, split, tmp_path / "p.jsonl", on="answer")
    assert (found["accuracy"], found["abstained"], found["coverage"]) == (0.75, 1, 0.75)


def test_written_predictions_say_what_became_of_each(tmp_path: Path) -> None:
    data, split = vqa([("Is it?", "yes", {}), ("Is it not?", "yes", {}), ("How many?", "2", {}), ("What?", "dog", {})])
    answers = {"q0": "yes", "q1": "no", "q2": "lots", "q3": "no idea"}
    recombine.score(data, split, answers, on="answer").write(tmp_path / "judged.jsonl")
    rows = [orjson.loads(line) for line in (tmp_path / "judged.jsonl").read_bytes().splitlines()]
    found = {row["id"]: (row["correct"], row["verdict"]) for row in rows}
    assert found == {
        "q0": (True, "right"),
        "q1": (False, "wrong"),
        "q2": (False, "unreadable"),
        "q3": (False, "abstained"),
    }
    again = recombine.score(data, split, tmp_path / "judged.jsonl", on="answer")
    assert again["disputed"] == 0


# -- twins --------------------------------------------------------------------------------------------------------


def test_twins_of_questions_about_scenes(asked: tuple[Dataset, Split]) -> None:
    data, split = asked
    answers = {key: said(data[key].context["answer"]) for key in split.test}
    pairs = Counter(example.context["pair"] for example in data)
    alone = pairs.pop(None)
    assert {*pairs.values()} == {2}
    firsts = {example.context["pair"]: example.id for example in data}
    spoiled = [firsts[pair] for pair in sorted(pairs)[:7]]  # one twin of each of seven
    answers |= {key: wrong(data[key].context["answer"]) for key in spoiled}
    found = recombine.score(data, split, answers, on="answer", by="template")
    n = len(split.test)
    assert found["accuracy"] == (n - 7) / n
    assert found["pairs"]["n"] == len(pairs) == (n - alone) / 2
    assert found["pair_accuracy"] == (len(pairs) - 7) / len(pairs)
    assert (found["pairs"]["torn"], found["pairs"]["without_twin"]) == (0, alone)
    assert sum(each["n"] for each in found["by"]["template"]) == n
    assert len(found["by"]["template"]) == 15


def test_torn_twins_are_counted_and_said(asked: tuple[Dataset, Split]) -> None:
    data, _ = asked
    first = {example.context["pair"]: example.id for example in data}  # one of each pair, and one without a twin
    parts = {"train": tuple(key for key in data.ids if key not in first.values()), "test": tuple(first.values())}
    torn = Split(parts, data.name, data.hash, Signature.of(data=data, by="hand"), reading=data.reading)
    answers = {key: said(data[key].context["answer"]) for key in torn.test}
    pairs = len(first) - 1
    with pytest.warns(InputWarning, match=f"{pairs} pairs of twins are torn apart: one is outside of test"):
        found = recombine.score(data, torn, answers, on="answer")
    assert found["pair_accuracy"] is None
    assert found["pairs"] == {
        "accuracy": None,
        "interval": None,
        "n": 0,
        "right": 0,
        "torn": pairs,
        "without_twin": 1,
    }


# -- where it fails -----------------------------------------------------------------------------------------------


def test_a_model_that_fails_on_one_property_shows_so_in_one_look(
    asked: tuple[Dataset, Split],
    noisy_questions: GenerateResult,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    data, split = asked
    fails = dict(zip(data.ids, holds(data, "has:quant:comp").tolist(), strict=True))
    answers = {each.id: (wrong if fails[each.id] else said)(each.context["answer"]) for each in data}
    n = sum(fails[key] for key in split.test)
    assert n >= 3
    found = recombine.score(data, split, answers, on="answer", by="properties,property:has:quant:comp")
    first, *others = found["properties"]["rows"]
    assert (first["property"], first["difference"]) == ("has:quant:comp", -1.0)
    assert (first["with"]["accuracy"], first["with"]["n"], first["without"]["accuracy"]) == (0.0, n, 1.0)
    assert all(row["difference"] > -1 for row in others)
    assert first["interval"][1] < 0
    groups = {each["group"]: each["accuracy"]["accuracy"] for each in found["by"]["property:has:quant:comp"]}
    assert groups == {"has:quant:comp": 0.0, "not has:quant:comp": 1.0}
    assert found["accuracy"] == 1 - n / len(split.test)
    # and in the terminal: the first line below the head
    noisy_questions.write(tmp_path / "q.jsonl")
    rows = (orjson.dumps({"id": key, "prediction": answer}) + b"\n" for key, answer in answers.items())
    (tmp_path / "p.jsonl").write_bytes(b"".join(rows))
    words = ["score", str(tmp_path / "q.jsonl"), "all", str(tmp_path / "p.jsonl"), "--language", "scenes"]
    with pytest.raises(SystemExit):
        run([*words, "--on", "answer", "--by", "properties"])
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if line.strip()]
    head = next(place for place, line in enumerate(lines) if line[:3] == ["with", "and", "without"])
    assert lines[head + 2][0] == "has:quant:comp"
    assert lines[head + 2][4] == "-1.000"


def test_properties_of_data_without_programs_are_not_asked_for() -> None:
    data, split = vqa([("Is it?", "yes", {"template": "X"}), ("How many?", "2", {"template": "Y"})])
    with pytest.raises(RecombineError, match="the language of records's targets is not known"):
        recombine.score(data, split, {"q0": "yes", "q1": "3"}, on="answer", by="property:has:quant")
    found = recombine.score(data, split, {"q0": "yes", "q1": "3"}, on="answer", by="properties")
    assert "has:quant" in found["properties"]["not_asked"]


def test_an_unknown_property_is_named(asked: tuple[Dataset, Split]) -> None:
    data, split = asked
    answers = {key: said(data[key].context["answer"]) for key in split.test}
    with pytest.raises(UnknownNameError, match="did you mean 'has:quant'"):
        recombine.score(data, split, answers, on="answer", by="property:has:qant")


# -- paraphrases --------------------------------------------------------------------------------------------------


def paraphrased() -> tuple[Dataset, Split]:
    """Four questions, three of them in other words too."""
    rows = [("Is it?", "yes"), ("How many?", "2"), ("What?", "dog"), ("Who?", "man")]
    words = ["It is, isn't it?", "Which number?", "What is there?", None]
    kinds = ["a", "a", "b", "c"]
    return vqa([(*row, {"paraphrase": w, "template": k}) for row, w, k in zip(rows, words, kinds, strict=True)])


def test_paraphrases_stand_beside_questions() -> None:
    data, split = paraphrased()
    answers = {"q0": "yes", "q1": "2", "q2": "cat", "q3": "man"}
    reworded = {"q0/paraphrase": "no", "q1/paraphrase": "two", "q2/paraphrase": "hm"}
    found = recombine.score(data, split, {**answers, **reworded}, on="answer", by="template")
    assert (found["accuracy"], found["n"], found["paraphrases"]) == (0.75, 4, 3)
    assert (found["paraphrased"]["accuracy"], found["paraphrased"]["n"]) == (pytest.approx(1 / 3), 3)
    assert found["paraphrased"]["accuracy_of_their_questions"] == pytest.approx(2 / 3)
    assert "|paraphrases:predictions@" in found["signature"]
    groups = {each["group"]: each for each in found["by"]["template"]}
    assert [groups["a"][name]["accuracy"] for name in ("accuracy", "paraphrased")] == [1.0, 0.5]
    assert [groups["b"][name]["accuracy"] for name in ("accuracy", "paraphrased")] == [0.0, 0.0]
    assert "paraphrased" not in groups["c"]


def test_paraphrases_without_a_prediction() -> None:
    data, split = paraphrased()
    answers = {"q0": "yes", "q1": "2", "q2": "cat", "q3": "man"}
    with pytest.warns(InputWarning, match="3 questions of test have a paraphrase, and no prediction is for one"):
        assert recombine.score(data, split, answers, on="answer")["paraphrased"] is None
    with pytest.raises(InputFileError, match="no prediction for 2 of 3 examples"):
        recombine.score(data, split, {**answers, "q0/paraphrase": "no"}, on="answer")
    some = recombine.score(data, split, {**answers, "q0/paraphrase": "yes"}, on="answer", allow_missing=True)
    assert (some["paraphrased"]["missing"], some["paraphrased"]["accuracy"]) == (2, pytest.approx(1 / 3))
    with pytest.raises(RecordError, match="a paraphrase of 'q3', and records has none"):
        recombine.score(data, split, {**answers, "q3/paraphrase": "x"}, on="answer")
    with pytest.raises(InputFileError, match="paraphrases alone"):
        recombine.score(data, split, {"q0/paraphrase": "x"}, on="answer")


# -- guesses ------------------------------------------------------------------------------------------------------


def test_guesses_count_by_the_share_that_is_right() -> None:
    data, split = vqa([("Red or blue?", "red", {"options": ["red", "blue"]}), ("Is it?", "yes", {})])
    rows: list[dict[str, Any]] = [
        {"id": "q0", "prediction": "B", "guesses": ["A", "B"]},
        {"id": "q1", "prediction": "yes"},
    ]
    found = recombine.score(data, split, rows, on="answer", by="tag:options")
    assert (found["accuracy"], found["expected_accuracy"], found["expected"]["guessed"]) == (0.5, 0.75, 1)
    means = [each["expected"]["accuracy"] for each in found["by"]["tag:options"]]
    assert sorted(means) == [0.5, 1.0]
    with pytest.raises(RecordError, match="'guesses' is no list of texts"):
        recombine.score(data, split, [{**rows[0], "guesses": "A"}, rows[1]], on="answer")


# -- mistakes -----------------------------------------------------------------------------------------------------


def test_a_prediction_for_an_unknown_id_is_refused() -> None:
    data, split = vqa([("Is it?", "yes", {})])
    with pytest.raises(RecordError, match="the id 'q9' is not in records"):
        recombine.score(data, split, {"q0": "yes", "q9": "no"}, on="answer")
    with pytest.raises(RecordError, match="the id 'q9/paraphrase' is not in records"):
        recombine.score(data, split, {"q0": "yes", "q9/paraphrase": "no"}, on="answer")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"on": "answers"}, "did you mean 'answer'"),
        ({"on": "answer", "errors": True}, "--errors has no meaning with --on answer"),
        ({"on": "answer", "match": "text"}, "--match has no meaning"),
        ({"on": "answer", "metric": "set_match"}, "--metric has no meaning"),
        ({"on": "answer", "match_on": "target"}, "--match-on target has no meaning"),
        ({"answer_table": "x.toml"}, "--answer-table has no meaning with --on target"),
        ({"on": "answer", "answer_table": "missing.toml"}, "missing.toml"),
        ({"on": "answer", "by": "tag:nothing"}, "unknown field of the examples"),
        ({"on": "answer", "by": "template", "properties": "x.toml"}, "add --by properties"),
    ],
)
def test_what_does_not_fit_is_said(options: dict[str, Any], said: str) -> None:
    data, split = vqa([("Is it?", "yes", {"template": "X"})])
    with pytest.raises((OptionError, UnknownNameError, InputFileError), match=said):
        recombine.score(data, split, {"q0": "yes"}, **options)


def test_at_least_is_of_the_accuracy() -> None:
    data, split = vqa([("Is it?", "yes", {})])
    assert recombine.score(data, split, {"q0": "no"}, on="answer", at_least=0.5).is_below
    assert not recombine.score(data, split, {"q0": "yes"}, on="answer", at_least=0.5).is_below


def test_the_table_is_in_the_signature(tmp_path: Path) -> None:
    shipped = Path(answer_table.__file__).with_name("answers.toml").read_text()
    (tmp_path / "own.toml").write_text(shipped.replace('"yeah", ', ""))
    data, split = vqa([("Is it?", "yes", {})])
    usual = recombine.score(data, split, {"q0": "yeah"}, on="answer")
    own = recombine.score(data, split, {"q0": "yeah"}, on="answer", answer_table=tmp_path / "own.toml")
    assert (usual["accuracy"], own["unreadable"]) == (1.0, 1)
    assert "|on:answer|answer_table:usual@" in usual["signature"]
    assert "|answer_table:own.toml@" in own["signature"]


def test_two_systems_are_compared_by_their_answers() -> None:
    data, split = paraphrased()
    one = {"q0": "yes", "q1": "three", "q2": "hm", "q3": "woman", "q0/paraphrase": "no"}
    other = {"q0": "true", "q1": "two", "q2": "A dog.", "q3": "woman"}
    with pytest.warns(InputWarning, match="paraphrases are not compared"):
        found = recombine.compare(data, split, one, other, on="answer", allow_missing=True)
    contrast = found["accuracy"]
    assert (contrast["first"], contrast["second"], contrast["only_second"]) == (0.25, 0.75, 2)
    assert str(found).startswith("accuracy 0.250 and 0.750: +0.500")
    with pytest.raises(OptionError, match="--match has no meaning with --on answer"):
        recombine.compare(data, split, one, other, on="answer", match="text")
