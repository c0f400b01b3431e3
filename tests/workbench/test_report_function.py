"""`recombine.report`: the page of the command as bytes, with its numbers; `recombine.workbench.demo` beside it."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.cli.main import run
from recombine.errors import InputWarning, OptionError, RecombineError, SplitError
from recombine.records.dataset import Dataset
from recombine.workbench.results.report_result import ParserReportResult, ReportResult

WORDS = {"jump": "J", "walk": "W", "look": "L", "run": "R"}
PROGRAMS = "atoms=symbols,presence;compounds=tree:2-3,counts"
ROWS = [*WORDS.items(), *((f"{word} twice", f"{act} {act}") for word, act in WORDS.items())]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Dataset:
    monkeypatch.chdir(tmp_path)
    rows = ({"id": str(n), "source": source, "target": target} for n, (source, target) in enumerate(ROWS))
    (tmp_path / "data.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    made = recombine.load("data.jsonl", language="actions")
    for seed, name in enumerate(["one", "two"]):
        recombine.split(made, by="random", train=6, test=2, seed=seed).write(f"{name}.json")
    Path("lines.json").write_text('{"train": [0, 1, 2, 3, 4, 5], "test": [6, 7]}')
    return made


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        run([*words, "--json", "--quiet"])
    assert ended.value.code == 0
    return orjson.loads(capsys.readouterr().out)


def test_it_is_what_the_command_prints_and_writes(data: Dataset, capsys: pytest.CaptureFixture[str]) -> None:
    options: dict[str, Any] = {"data": "data.jsonl", "examples": 3, "seed": 2, "structures": PROGRAMS}
    found = recombine.report(["one.json", Path("two.json")], **options, figures="figures")
    kept = {path.name: path.read_bytes() for path in Path("figures").iterdir()}
    words = ("--examples", "3", "--seed", "2", "--structures", PROGRAMS, "--figures", "figures")
    value = printed(capsys, "report", "one.json", "two.json", "--data", "data.jsonl", *words, "-o", "page.html")
    assert {"file": "page.html", **found.to_dict()} == value
    assert found.page == Path("page.html").read_bytes()
    assert {path.name: path.read_bytes() for path in Path("figures").iterdir()} == kept
    assert value["figures"]
    found.write("mine.html")
    assert Path("mine.html").read_bytes() == found.page


def test_a_notebook_shows_the_measures_and_not_the_page(data: Dataset) -> None:
    split = recombine.split(data, by="random", train=6, test=2)
    found = recombine.report({"<mine>": split}, data=data)
    assert isinstance(found, ReportResult)
    html = found._repr_html_()
    assert len(html) < len(found.page) / 4
    assert "&lt;mine&gt;" in html
    assert "<mine>" not in html
    assert "<script" not in html
    assert "Examples: train</th><td style='text-align:right'>6</td>" in html
    assert (
        f"Divergence: D_C, compounds</th><td style='text-align:right'>{found['splits'][0]['compound_divergence']:.3f}"
    )
    assert str(found) == f"a page on 1 split of data ({len(found.page) / 1e6:.1f} MB)"
    [sentence] = found.not_measured
    assert sentence.startswith("the expected accuracy was not measured: train has 6 examples")


def test_the_data_need_not_be_named_where_splits_say_it() -> None:
    scan = recombine.load("scan")
    split = recombine.split(scan, by="length:target", max_length=22, train=100, test=50)
    found = recombine.report(split, examples=1)
    assert found["splits"][0]["split"] == "length:target"
    assert (found["splits"][0]["train"], found["splits"][0]["test"]) == (100, 50)


def test_features_made_before_serve(data: Dataset) -> None:
    split = recombine.split(data, by="random", train=6, test=2)
    features = recombine.features(data, PROGRAMS)
    found = recombine.report(split, data=data, structures=features)
    assert found.page == recombine.report(split, data=data, structures=PROGRAMS).page
    assert found.page != recombine.report(split, data=data).page


BAD: dict[str, tuple[Any, dict[str, Any], type[RecombineError], str]] = {
    "no data": ("lines.json", {}, OptionError, "does not say which data it splits"),
    "none": ([], {"data": "data.jsonl"}, OptionError, "there is no split; name at least one"),
    "none by name": ({}, {"data": "data.jsonl"}, OptionError, "there is no split; name at least one"),
    "twice": (["one.json", Path("one.json")], {"data": "data.jsonl"}, OptionError, "the split one.json is named twice"),
    "figures": ("one.json", {"figures": "data.jsonl"}, RecombineError, "data.jsonl: is a file"),
    "against": ("one.json", {"against": "train"}, OptionError, "cannot be compared with itself"),
    "definition": ("nowhere.json", {"structures": "dag"}, RecombineError, "write for example dag:2-9,counts"),
    "parser of two": (["one.json", "two.json"], {"data": "data.jsonl", "parser": "p"}, OptionError, "for one split"),
    "no parser": ("one.json", {"data": "data.jsonl", "parser": "p"}, RecombineError, "p: no such folder"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(case: str, data: Dataset) -> None:
    splits, options, error, message = BAD[case]
    with pytest.raises(error, match=message):
        recombine.report(splits, **options)


def test_a_split_of_other_data_needs_it(data: Dataset) -> None:
    split = recombine.split(data, by="random", train=6, test=2)
    with pytest.raises(OptionError, match="the split is of data, which is not in the catalogue; give its data too"):
        recombine.report(split)


def test_splits_of_two_data_sets(data: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    from recombine.datasets import catalogue

    monkeypatch.setitem(catalogue.CATALOGUE._things, "data", catalogue.CATALOGUE["scan"])
    split = recombine.split(data, by="random", train=6, test=2)
    with pytest.raises(SplitError, match="one split is a split of data, scan/mcd1 one of scan"):
        recombine.report([split, "scan/mcd1"])


def test_splits_made_alike_have_names_of_their_own(data: Dataset) -> None:
    made = [recombine.split(data, by="random", train=6, test=2, seed=seed) for seed in (0, 1)]
    found = recombine.report(made, data=data)
    assert [row["split"] for row in found["splits"]] == ["random", "random (2)"]
    with pytest.raises(OptionError, match="the split random is named twice"):
        recombine.report([made[0], made[0]], data=data)


def test_a_file_that_does_not_say_all_is_a_warning(data: Dataset) -> None:
    with pytest.warns(InputWarning, match="lines.json names lines of data by number"):
        recombine.report("lines.json", data=data)
    record = orjson.loads(Path("one.json").read_bytes())
    old = {key: value for key, value in record.items() if key in ("form", "data", "data_hash", "signature", "parts")}
    Path("old.json").write_bytes(orjson.dumps(old))
    with pytest.warns(InputWarning, match="old.json does not say the language and the fields of its data"):
        recombine.report("old.json", data="data.jsonl", language="actions")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        recombine.report(recombine.load_split(data, "lines.json"), data=data)


def test_a_parser(data: Dataset, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(["train", "data.jsonl", "one.json", "--model", "nqg", "-o", "parser", "--quiet"])
    assert ended.value.code == 0
    found = recombine.report("one.json", data="data.jsonl", parser="parser")
    assert isinstance(found, ParserReportResult)
    value = printed(capsys, "report", "one.json", "--data", "data.jsonl", "--parser", "parser", "-o", "page.html")
    assert {"file": "page.html", **found.to_dict()} == value
    assert found.page == Path("page.html").read_bytes()
    assert str(found).startswith("a page on a parser of ")
    assert "oracle" in found._repr_html_()


@pytest.mark.slow
def test_demo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = recombine.workbench.demo(tmp_path / "mine", effort=0.01)
    assert found.to_dict() == printed(capsys, "demo", "--effort", "0.01", "-o", str(tmp_path / "cli"))
    made = {path.name: path.read_bytes() for path in (tmp_path / "mine").iterdir()}
    assert made == {path.name: path.read_bytes() for path in (tmp_path / "cli").iterdir()}
    assert "|effort:0.01|" in found["mcd"]["signature"]
    random, length, mcd = (found[name]["compound_divergence"] for name in ("random", "length", "mcd"))
    assert random < 0.06 < min(length, mcd)
    assert set(made) == {"scan.jsonl", "random.json", "length.json", "mcd.json", "report.html"}
    assert "Examples: train" in found._repr_html_()
    with pytest.raises(RecombineError, match="cannot be made"):
        recombine.workbench.demo(tmp_path / "mine" / "scan.jsonl")
