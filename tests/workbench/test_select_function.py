"""`recombine.select`: what the command prints and writes, from Python; examples of equal text stay apart."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.cli.main import run
from recombine.errors import OptionError, RecombineError, RecordError, UnknownNameError
from recombine.records.dataset import Dataset
from recombine.records.example import Example, FrozenMapping, content_id, identity_text
from recombine.workbench.predict import Predicted
from recombine.workbench.results.select_result import SelectPromptsResult
from small_programs import sample_programs


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    texts = sample_programs(40)
    rows = ({"id": f"p{n}", "source": f"<{n}>", "target": text} for n, text in enumerate(texts))
    (tmp_path / "all.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    data = recombine.load("all.jsonl", language="functional")
    recombine.split(data, by="random", test=10).write(tmp_path / "split.json")
    outputs = ({"id": "p30", "prediction": texts[30]}, {"id": "p31", "prediction": "exists ("})
    (tmp_path / "out.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in outputs))
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        run(["select", "all.jsonl", *words, "--language", "functional", "--json", "--quiet"])
    assert ended.value.code == 0
    return orjson.loads(capsys.readouterr().out)


@pytest.mark.parametrize("by", ["local-structure", "random", "template"])
def test_it_is_what_the_command_prints_and_writes(by: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = recombine.select("all.jsonl", k=5, by=by, split="split.json", language="functional", seed=3)
    words = ("-k", "5", "--by", by, "--split", "split.json", "--seed", "3")
    assert {**found.to_dict(), "file": "cli.jsonl"} == printed(capsys, *words, "-o", "cli.jsonl")
    found.write("mine.jsonl")
    assert (here / "mine.jsonl").read_bytes() == (here / "cli.jsonl").read_bytes()
    train = set(recombine.load_split("all.jsonl", "split.json").train)
    assert len(found.ids) == 5
    assert set(found.ids) <= train
    assert [example.id for example in found.examples] == list(found.ids)
    assert str(found) == f"5 examples of all by {by}"


def test_for_a_program(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = "and ( exists ( find ( dog ) ) , exists ( scene ( ) ) )"
    found = recombine.select("all.jsonl", k=2, by="coverage", program=program, language="functional")
    assert {**found, "file": None} == printed(capsys, "-k", "2", "--by", "coverage", "--program", program)
    html = found._repr_html_()
    assert "&lt;s&gt; &gt; and &gt; exists" in html
    assert html.count("<tr>") == 3


@pytest.mark.parametrize("form", ["file", "path", "by id", "records"])
def test_for_predictions(form: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [orjson.loads(line) for line in (here / "out.jsonl").read_bytes().splitlines()]
    by_id = {row["id"]: row["prediction"] for row in rows}
    given = {"file": "out.jsonl", "path": Path("out.jsonl"), "by id": by_id, "records": rows}[form]
    found = recombine.select("all.jsonl", k=2, by="coverage", predictions=given, language="functional")
    assert isinstance(found, SelectPromptsResult)
    assert {**found, "file": None} == printed(capsys, "-k", "2", "--by", "coverage", "--predictions", "out.jsonl")
    assert list(found.unparsable) == ["p31"]
    assert str(found) == "2 examples of all for 1 program; 1 program cannot be read"
    assert "p31" in found._repr_html_()


BAD: dict[str, tuple[dict[str, Any], type[RecombineError], str]] = {
    "way": ({"by": "locals"}, UnknownNameError, "unknown way to select 'locals'"),
    "nothing to cover": ({"by": "coverage"}, OptionError, "it is not clear what to cover"),
    "both": ({"by": "coverage", "program": "x", "predictions": {}}, OptionError, "it is not clear what to cover"),
    "nothing is covered": ({"predictions": {}}, OptionError, "--by local-structure covers no program"),
    "no programs": ({"by": "coverage", "predictions": {}}, OptionError, "there are no programs to cover"),
    "unknown id": ({"by": "coverage", "predictions": {"q": "x"}}, RecordError, "id q: the id 'q' is not in all"),
    "twice": (
        {"by": "coverage", "predictions": [{"id": "p1", "prediction": "x"}] * 2},
        RecordError,
        "record 2: the id 'p1' stands there twice",
    ),
    "no text": ({"by": "coverage", "predictions": [{"id": "p1"}]}, RecordError, "record 1: has no id and prediction"),
    "unparsable": ({"by": "coverage", "program": "exists ("}, OptionError, "the program cannot be read"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(case: str, here: Path) -> None:
    options, error, message = BAD[case]
    with pytest.raises(error, match=message):
        recombine.select("all.jsonl", k=2, language="functional", **options)


def test_a_bad_name_is_refused_and_nothing_written(here: Path) -> None:
    found = recombine.select("all.jsonl", k=2, by="random")
    before = sorted(here.iterdir())
    for name in ("chosen.xls", "no/such.jsonl"):
        with pytest.raises(RecombineError):
            found.write(name)
    assert sorted(here.iterdir()) == before


def scenes() -> Dataset:
    """Each program over two scenes; source and target are equal, ids cover the scene."""
    made = []
    for text in ("exists ( find ( dog ) )", "count ( find ( cat ) )"):
        for scene in (1, 2):
            context = FrozenMapping({"scene": scene})
            key = content_id("what of it", text, identity=identity_text(context, ["scene"]))
            made.append(Example(key, "what of it", text, context=context))
    plain = recombine.load(made, language="functional")
    return Dataset("scenes", plain.examples, structures=plain.structures, language=plain.language, identity=("scene",))


@pytest.mark.parametrize("by", ["local-structure", "random", "template"])
def test_equal_texts_over_two_scenes_stay_apart(by: str) -> None:
    data = scenes()
    found = recombine.select(data, k=4, by=by)
    assert sorted(found.ids) == sorted(example.id for example in data)
    assert sorted((example.target, example.context["scene"]) for example in found.examples) == sorted(
        (example.target, example.context["scene"]) for example in data
    )


def test_an_example_is_left_out_by_id_and_not_by_text() -> None:
    # A guess for the question over scene 1 may be shown the one over scene 2, and not itself.
    data = scenes()
    guesses = {data[0].id: data[0].target, data[1].id: data[1].target}
    found = recombine.select(data, k=1, by="coverage", predictions=guesses)
    assert {key: row["ids"] for key, row in found["prompts"].items()} == {
        data[0].id: [data[1].id],
        data[1].id: [data[0].id],
    }


@pytest.mark.parametrize(
    ("by", "option", "value"),
    [
        ("random", "similarity", "relations"),
        ("random", "tokenisation", "published"),
        ("template", "structures", "local:3"),
    ],
)
def test_an_option_that_the_method_does_not_use_is_refused(here: Path, by: str, option: str, value: str) -> None:
    with pytest.raises(OptionError, match=f"--by {by} has no option --{option}; it is for --by local-structure"):
        recombine.select("all.jsonl", k=1, by=by, language="functional", **{option: value})


def test_what_predict_gave_can_be_covered(here: Path) -> None:
    data = recombine.load("all.jsonl", language="functional")
    outputs: Mapping[str, str | None] = {"p30": data["p30"].target, "p31": None}
    given = Predicted(outputs, outputs, {}, "parser", None, {}, 0)
    chosen = recombine.select(data, k=1, by="coverage", predictions=given)
    assert isinstance(chosen, SelectPromptsResult)
    assert [*chosen.prompts.selections] == ["p30"]
    assert [*chosen.unparsable] == ["p31"]
