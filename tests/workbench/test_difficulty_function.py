"""`recombine.difficulty`: what the command prints, from Python; examples that differ in identity alone stay apart."""

from __future__ import annotations

import warnings
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.cli.main import run
from recombine.errors import InputWarning, OptionError, RecombineError, UnknownNameError
from recombine.records.dataset import Dataset
from recombine.records.example import Example, FrozenMapping, content_id, identity_text
from recombine.records.signature import Signature
from recombine.records.split import Split

TRAIN = ["exists ( find ( dog ) )", "exists ( find ( cat ) )", "count ( find ( dog ) )", "count ( scene ( ) )"]
TEST = ["exists ( scene ( ) )", "count ( find ( cat ) )", "exists ( find ( mouse ) )"]
EASINESS = [0.75, 1.0, 0.0]
"""Worked out by hand: see docs/difficulty.md, which has the same programs."""
ANSWERS = {"p4": True, "p5": True, "p6": False}
SPLITS = {"one": ([0, 1, 2, 3], [4, 5, 6]), "two": ([0, 1, 2], [3])}


def programs() -> Dataset:
    rows = tuple(Example(f"p{n}", "", text) for n, text in enumerate([*TRAIN, *TEST]))
    return recombine.load(rows, language="covr")


def make_split(data: Dataset, train: list[int], test: list[int], by: str = "hand") -> Split:
    parts = {"train": tuple(data[n].id for n in train), "test": tuple(data[n].id for n in test)}
    return Split(parts, data.name, data.hash, Signature.of(data=data, by=by), reading=data.reading)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    data = programs()
    rows = ({"id": each.id, "source": each.source, "target": each.target} for each in data)
    (tmp_path / "all.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    answers = ({"id": key, "correct": right} for key, right in ANSWERS.items())
    (tmp_path / "m.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in answers))
    loaded = recombine.load("all.jsonl", language="covr")
    for name, parts in SPLITS.items():
        make_split(loaded, *parts).write(tmp_path / f"{name}.json")
    (tmp_path / "lines.json").write_text('{"train": [0, 1, 2, 3], "test": [4, 5, 6]}')
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        run([*words, "--json"])
    assert ended.value.code == 0
    return orjson.loads(capsys.readouterr().out)


def test_one_split() -> None:
    data = programs()
    found = recombine.difficulty(data, make_split(data, *SPLITS["one"]))
    assert [row["easiness"] for row in found["examples"]] == EASINESS
    assert str(found) == "mean easiness 0.583 of 3 examples"
    assert repr(found) == "<DifficultyResult: mean easiness 0.583 of 3 examples>"
    assert list(found.difficulties) == ["hand"]
    assert [(hard.easiness, hard.example.id) for hard in found.hardest()] == [(0.0, "p6"), (0.75, "p4")]
    assert len(recombine.difficulty(data, make_split(data, *SPLITS["one"]), n=1).hardest()) == 1


@pytest.mark.parametrize("splits", [["one.json"], ["one.json", "two.json"]])
def test_it_is_what_the_command_prints(splits: list[str], here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--predictions", "one=m.jsonl", "--predictions", "two=m.jsonl") if len(splits) > 1 else ()
    (here / "m.jsonl").write_bytes((here / "m.jsonl").read_bytes() + b'{"id": "p3", "correct": true}\n')
    given = {"one": "m.jsonl", "two": ["m.jsonl"]} if len(splits) > 1 else None
    found = recombine.difficulty("all.jsonl", splits, predictions=given, report="page.html")
    page = (here / "page.html").read_bytes()
    assert found.to_dict() == printed(capsys, "difficulty", "all.jsonl", *splits, *words, "--report", "page.html")
    assert found["report"] == {"file": "page.html", "bytes": len(page)}
    assert (here / "page.html").read_bytes() == page


def test_two_sets_of_data(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = list(programs())
    found = recombine.difficulty(train=data[:4], test=data[4:], language="covr")
    assert [row["easiness"] for row in found["examples"]] == EASINESS
    assert "data:records@" in found["signature"]
    assert "test:records@" in found["signature"]
    files = recombine.difficulty(train=Path("all.jsonl"), test="all.jsonl", language="covr")
    assert files.to_dict() == printed(
        capsys, "difficulty", "--train", "all.jsonl", "--test", "all.jsonl", "--language", "covr"
    )


@pytest.mark.parametrize(
    "given",
    [
        "m.jsonl",
        Path("m.jsonl"),
        ["m.jsonl"],
        ANSWERS,
        [{"id": key, "correct": right} for key, right in ANSWERS.items()],
        {"one": ANSWERS},
        {"one": ["m.jsonl"]},
    ],
    ids=["file", "path", "files", "by id", "records", "by split", "files by split"],
)
def test_what_models_got_right(given: Any, here: Path) -> None:
    found = recombine.difficulty("all.jsonl", "one.json", predictions=given)
    assert (found["auc"], found["positives"], found["negatives"]) == (1.0, 2, 1)
    assert str(found).endswith("; AUC 1.000 against majority")
    assert found.correctness is not None
    assert found.correctness["one"].correct[:, 0].tolist() == [True, True, False]


BAD: dict[str, tuple[dict[str, Any], type[RecombineError], str]] = {
    "an unknown split": ({"predictions": {"ome": ANSWERS}}, UnknownNameError, "unknown split 'ome'; did you mean"),
    "texts by id": ({"predictions": {"one": {"p4": "x"}}}, OptionError, "neither true nor false for each id"),
    "files and records": ({"predictions": ["m.jsonl", {"id": "p4"}]}, OptionError, "neither all files nor all records"),
    "no such id": ({"predictions": {"p99": True}}, RecombineError, "predictions, record 1: the id 'p99' is not in"),
    "later": ({"predictions": {"p4": True, "p99": True}}, RecombineError, "predictions, record 2: the id 'p99' is not"),
    "no answer": ({"predictions": [{"id": "p4"}]}, RecombineError, "record 1: does not say whether it is correct"),
    "empty": ({"predictions": {}}, RecombineError, "no predictions are of the split one"),
    "empty list": ({"predictions": []}, RecombineError, "no predictions are of the split one"),
    "too few": ({"n": -1}, OptionError, "cannot show -1 examples"),
    "seed": ({"seed": -1}, OptionError, "the seed is -1"),
    "order": ({"order": 5}, OptionError, "the order is 5"),
    "both": ({"train": [("a", "b")]}, OptionError, "it is not clear what to train and test on"),
    "unwritable": ({"report": "no/such.html"}, RecombineError, "the directory no does not exist"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(case: str, here: Path) -> None:
    options, error, message = BAD[case]
    with pytest.raises(error, match=message):
        recombine.difficulty("all.jsonl", "one.json", **options)


def test_no_split_is_unclear() -> None:
    for nothing in (None, [], {}):
        with pytest.raises(OptionError, match="it is not clear what to train and test on"):
            recombine.difficulty(programs(), nothing)


def test_bad_options_are_refused_before_data_is_loaded() -> None:
    with pytest.raises(OptionError, match="the order is 5"):
        recombine.difficulty("nowhere.jsonl", "none.json", order=5)
    with pytest.raises(RecombineError, match="the directory no does not exist"):
        recombine.difficulty("nowhere.jsonl", "none.json", report="no/such.html")


def test_line_numbers_are_noted_as_a_warning(here: Path) -> None:
    with pytest.warns(InputWarning, match=r"lines.json names lines of all by number: .* the rest is unverified"):
        recombine.difficulty("all.jsonl", "lines.json", language="covr")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        recombine.difficulty("all.jsonl", "one.json")


def test_plugins_and_limits_are_keywords_too(here: Path) -> None:
    with pytest.raises(RecombineError, match="is larger than 10 bytes"):
        recombine.difficulty("all.jsonl", "one.json", max_unpacked="10")  # type: ignore[call-arg]


class _Cells(HTMLParser):
    """The texts of the cells of tables, by row."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        del attrs
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def cells(html: str) -> list[list[str]]:
    parser = _Cells()
    parser.feed(html)
    return parser.rows


def test_a_notebook_shows_the_least_easy() -> None:
    data = programs()
    one, two = (make_split(data, *parts) for parts in SPLITS.values())
    html = recombine.difficulty(data, one)._repr_html_()
    assert "exists &gt; scene()" in html
    assert cells(html)[1:] == [
        ["0.000", "p6", "exists ( find ( mouse ) )", "find > mouse was not observed, nor anything like it"],
        ["0.750", "p4", TEST[0], "exists > scene() was not observed; count > scene() was, in 1 program (0.750)"],
    ]
    html = recombine.difficulty(data, {"<a>": one, "b": two})._repr_html_()
    assert [row[0] for row in cells(html)[1:]] == ["<a>", "b"]
    assert "<a>" not in html


# -- examples of equal text


def scenes() -> Dataset:
    """Two questions of equal text over each of two scenes: ids cover the scene."""
    made = []
    for text in [*TRAIN, *TEST]:
        for scene in (1, 2):
            context = FrozenMapping({"scene": scene})
            key = content_id("is it there", text, identity=identity_text(context, ["scene"]))
            made.append(Example(key, "is it there", text, context=context))
    plain = recombine.load(made, language="covr")
    return Dataset("scenes", plain.examples, structures=plain.structures, language=plain.language, identity=("scene",))


def test_equal_texts_over_two_scenes_stay_apart() -> None:
    data = scenes()
    assert len({example.id for example in data}) == len(data) == 14
    # `exists ( scene ( ) )` over scene 1 is trained on, over scene 2 tested; the last two tests differ in scene alone.
    split = make_split(data, [*range(8), 8], [9, 12, 13])
    tested = [data[n].id for n in (9, 12, 13)]
    right = dict(zip(tested, [True, True, False], strict=True))
    found = recombine.difficulty(data, split, predictions=right, n=3)
    assert [row["id"] for row in found["examples"]] == tested
    assert [row["easiness"] for row in found["examples"]] == [1.0, 0.0, 0.0]
    assert (found["positives"], found["negatives"], found["auc"]) == (2, 1, 0.75)
    assert [hard.example.id for hard in found.hardest()] == tested[1:]
    assert [hard.example.context["scene"] for hard in found.hardest()] == [1, 2]
    # What is known of one of two equal texts is not known of the other.
    with pytest.raises(RecombineError, match=f"no record for 1 of 3 examples, the first is {tested[2]}"):
        recombine.difficulty(data, split, predictions=dict(list(right.items())[:2]))


def test_a_page_keeps_equal_texts_apart(tmp_path: Path) -> None:
    data = scenes()
    recombine.difficulty(data, make_split(data, list(range(8)), [12, 13]), report=tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert all(page.count(data[n].id) == 1 for n in (12, 13))
