"""`recombine kb match`: verdicts on pairs of a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from recombine.cli.main import run

FILM = "(AND film.film (JOIN film.film.directed_by m.01))"
FILES = {
    "fb_roles": "film.film film.film.directed_by film.director\n",
    "fb_types": "film.film meta.subclassOf media.work .\nfilm.director meta.subclassOf people.person .\n",
    "reverse_properties": "",
}
PAIRS = [
    {"id": "same", "a": FILM, "b": "(JOIN film.film.directed_by m.01)"},
    {"id": 2, "a": FILM, "b": FILM[:-1]},
    {"a": FILM, "b": "SELECT ?x { ?x ns:film.flim.directed_by ns:m.01 }"},
]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, made the current one, with pairs and an ontology, and a data directory without any."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path / "none"))
    Path("ontology").mkdir()
    for name, text in FILES.items():
        Path("ontology", name).write_text(text)
    Path("pairs.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in PAIRS))
    return tmp_path


def match(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        run(["kb", "match", *words])
    out = capsys.readouterr()
    return int(ended.value.code or 0), out.out, out.err


@pytest.mark.usefixtures("here")
def test_verdicts_are_written_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = match(capsys, "pairs.jsonl", "--ontology", "ontology", "-o", "verdicts.jsonl", "--json")
    assert (code, err) == (0, "")
    rows = [json.loads(line) for line in Path("verdicts.jsonl").read_text().splitlines()]
    assert rows[0] == {"id": "same", "strict": True, "isomorphic": False, "grailqa": True}
    assert rows[1]["id"] == 2
    assert (rows[1]["strict"], rows[1]["isomorphic"], rows[1]["grailqa"]) == ("malformed", "malformed", False)
    assert "a bracket that is not closed" in rows[1]["why"][0]
    assert rows[2] == {"strict": False, "isomorphic": False, "grailqa": False}
    summary: dict[str, Any] = json.loads(out)
    assert summary["pairs"] == 3
    assert summary["strict"] == {"true": 1, "false": 1, "malformed": 1, "unsupported": 0, "unreadable": 0}
    assert summary["unknown_names"] == {"film.flim.directed_by": 1}
    assert (summary["ontology"], summary["file"]) == ("ontology", "verdicts.jsonl")


@pytest.mark.usefixtures("here")
def test_counts_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = match(capsys, "pairs.jsonl", "--ontology", "ontology")
    assert code == 0
    lines = [line.split() for line in out.splitlines()]
    assert ["3", "pairs", "true", "false", "malformed"] in lines
    assert ["strict", "1", "1", "1"] in lines
    assert ["same", "true", "false", "true"] in lines
    assert ["3", "false", "false", "false"] in lines, "a pair without an id has its number"
    assert "1 name is not in the ontology: film.flim.directed_by" in out


@pytest.mark.usefixtures("here")
def test_without_an_ontology_it_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = match(capsys, "pairs.jsonl", "--json")
    assert code == 0
    assert "without an ontology" in err
    summary = json.loads(out)
    assert summary["ontology"] is None
    assert summary["strict"]["true"] == 0
    assert summary["grailqa"]["unsupported"] == 3


def test_the_data_directory_has_the_ontology(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("data", "grailqa").mkdir(parents=True)
    Path("ontology").rename(here / "data" / "grailqa" / "ontology")
    monkeypatch.setenv("RECOMBINE_DATA", str(here / "data"))
    code, out, err = match(capsys, "pairs.jsonl", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["strict"]["true"] == 1


BAD = {
    "no object": ("[1]\n", "line 1: is not a JSON object"),
    "no JSON": ('{"a": "x", "b"\n', "line 1: broken JSON"),
    "a form missing": (json.dumps(PAIRS[0]) + '\n{"a": "x"}\n', "line 2: 'b' is missing"),
    "no form": ('{"a": "x", "b": 3}\n', "line 1: 'b' is 3, which is no form"),
}


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("case", BAD)
def test_bad_files(case: str, capsys: pytest.CaptureFixture[str]) -> None:
    text, wanted = BAD[case]
    Path("bad.jsonl").write_text(text)
    code, out, err = match(capsys, "bad.jsonl", "--ontology", "ontology", "-o", "verdicts.jsonl")
    assert (code, out) == (2, "")
    assert wanted in err
    assert err.count("\n") == 1
    assert not Path("verdicts.jsonl").exists()


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", FILES)
def test_an_ontology_of_another_shape(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("ontology", name).write_text("one two three four five\n")
    code, _, err = match(capsys, "pairs.jsonl", "--ontology", "ontology")
    assert code == 2
    assert f"{name}, line 1: 'one two three four five' is not of the form" in err
    assert err.count("\n") == 1


@pytest.mark.usefixtures("here")
def test_large_and_deep_forms_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    forms = [
        "(AND a " * 10_000 + "b" + ")" * 10_000,
        "m" * 20_000_000,
        "SELECT ?x {" * 10_000,
        "ASK { ?x ?y 'a" + "b" * 20_000_000,
    ]
    Path("large.jsonl").write_text("".join(json.dumps({"a": FILM, "b": form}) + "\n" for form in forms))
    code, out, err = match(capsys, "large.jsonl", "--ontology", "ontology", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["strict"]["malformed"] == 4
    assert len(out) < 10_000
