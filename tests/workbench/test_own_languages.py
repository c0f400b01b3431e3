"""A language file through the verbs: splits remember it, what has changed is said, and nothing of another is used."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from made_notations import PIPES

import recombine
from recombine.errors import RecombineError, SplitError
from recombine.languages.known import find_language
from recombine.languages.own_language import _FOUND, _MADE
from recombine.structures.cached_features import features_key
from recombine.structures.definition import Structures
from recombine.studies.cells.load_data import load_data
from recombine.studies.cells.split_keys import data_content
from recombine.studies.file.study_file import DataTable
from recombine.workbench.given.cluster_data import ClusterSplit

pytestmark = pytest.mark.filterwarnings("ignore:literals are kept")  # languages of one's own here do not tell them
TARGETS = [
    f"{f}({a}) |> {g}(n: {n})" for f in ("get", "find") for a in ("x", "y") for g in ("top", "sort") for n in (1, 2)
]
PAIRS = [(f"question {number}", target) for number, target in enumerate(TARGETS)]
MODULE = """
from recombine.extend import Language, Tree
OWN = Language("own", lambda text: Tree("all", tuple(map(Tree, text.split()))), str)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "data").mkdir()
    rows = (json.dumps({"source": source, "target": target}) for source, target in PAIRS)
    (tmp_path / "data" / "own.jsonl").write_text("\n".join(rows))
    (tmp_path / "own.toml").write_text(PIPES)
    (tmp_path / "of_module.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    forget()
    return tmp_path


def forget() -> None:
    """As in a process of its own."""
    _FOUND.clear()
    _MADE.clear()


def a_split(language: str = "own.toml") -> None:
    recombine.split("data/own.jsonl", by="tmcd", test=0.5, language=language).write("split.json")
    forget()


def test_a_split_remembers_the_file_and_what_it_said(folder: Path) -> None:
    a_split()
    remembered = json.loads(Path("split.json").read_text())["language"]
    assert remembered == find_language("own.toml").name
    forget()
    assert recombine.check("data/own.jsonl", "split.json").problems == []
    measured = recombine.measure("data/own.jsonl", "split.json")
    assert measured.to_dict()["compound_divergence"] is not None


def test_a_comment_changes_nothing_and_another_key_is_said(folder: Path) -> None:
    a_split()
    Path("own.toml").write_text(f"# a comment\n{PIPES}")
    assert recombine.check("data/own.jsonl", "split.json").problems == []
    forget()
    Path("own.toml").write_text(PIPES.replace('commutative = ["+", ', "commutative = ["))
    with pytest.raises(
        SplitError, match=r"split.json: own.toml: is not as it was: its digest is .*make the split again"
    ):
        recombine.check("data/own.jsonl", "split.json")
    with pytest.raises(SplitError, match=r"made with the language file own.toml of digest .* or has changed since"):
        recombine.check("data/own.jsonl", "split.json", language="own.toml")
    Path("own.toml").write_text("name = ")
    with pytest.raises(SplitError, match=r"split.json: own.toml: not TOML"):
        recombine.check("data/own.jsonl", "split.json")


def test_a_file_that_is_gone_is_said_and_another_place_serves(folder: Path) -> None:
    a_split()
    Path("elsewhere").mkdir()
    Path("own.toml").rename("elsewhere/renamed.toml")
    with pytest.raises(
        SplitError, match=r"made with the language file own.toml of digest .*not there; give it with --lang"
    ):
        recombine.check("data/own.jsonl", "split.json")
    assert recombine.check("data/own.jsonl", "split.json", language="elsewhere/renamed.toml").problems == []


@pytest.mark.parametrize("place", ["beside the split", "beside the data"])
def test_a_file_beside_the_split_or_the_data_is_found(
    place: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_split()
    if place == "beside the data":
        Path("own.toml").rename("data/own.toml")
    else:
        Path("split.json").rename("data/../split.json")
    (folder / "other").mkdir()
    monkeypatch.chdir(folder / "other")
    assert recombine.check(folder / "data" / "own.jsonl", folder / "split.json").problems == []


def test_a_split_does_not_make_a_module_run(folder: Path) -> None:
    a_split("of_module.py:OWN")
    assert json.loads(Path("split.json").read_text())["language"] == "of_module.py:OWN"
    with pytest.raises(SplitError, match=r"which is not imported unasked; add --language of_module.py:OWN"):
        recombine.check("data/own.jsonl", "split.json")
    assert recombine.check("data/own.jsonl", "split.json", language="of_module.py:OWN").problems == []


def test_features_of_another_file_are_not_used(folder: Path) -> None:
    structures = Structures.parse("atoms=symbols,presence;compounds=tree:2-2,counts")
    keys = []
    for text in (PIPES, PIPES.replace('signs = ["|>"]', 'signs = ["|>", "||"]'), PIPES):
        Path("own.toml").write_text(text)
        data = recombine.load("data/own.jsonl", language="own.toml")
        keys.append(features_key(replace(data, made_from="key"), structures))
    assert keys[0] is not None
    assert keys[0] == keys[2] != keys[1]
    module = recombine.load("data/own.jsonl", language="of_module.py:OWN")
    assert features_key(replace(module, made_from="key"), structures) is None


def test_a_parser_is_saved_with_its_language_file(folder: Path) -> None:
    a_split()
    trained = recombine.train("data/own.jsonl", "split.json", model="nqg", set={"restarts": 1, "targets": "parsable"})
    trained.write("model")
    forget()
    assert recombine.predict("model", "data/own.jsonl", "split.json").to_dict()
    Path("own.toml").rename("gone.toml")
    forget()
    with pytest.raises(RecombineError, match=r"model.json: its targets are in own.toml@.*no such file"):
        recombine.predict("model", "data/own.jsonl", "split.json", language="gone.toml")


def test_the_command_line_says_one_line(folder: Path) -> None:
    def said(*arguments: str) -> tuple[int, str]:
        command = [sys.executable, "-m", "recombine", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    code, text = said("show", "data/own.jsonl", "--language", "none.toml")
    assert (code, text) == (2, "error: none.toml: no such file; name a language file, FILE.toml, that is there\n")
    Path("bad.toml").write_bytes(b"name = 'gr\xf6\xdfe'")
    code, text = said(
        "split", "data/own.jsonl", "--by", "tmcd", "--test", "0.5", "--language", "bad.toml", "-o", "s.json"
    )
    assert code == 2
    assert len(text.splitlines()) == 1
    assert not Path("s.json").exists()
    Path("deep.tsv").write_text("source\ttarget\n" + "q\t" + "f(" * 100_000 + "\nq\tf(x)\n")
    code, text = said(
        "split", "deep.tsv", "--by", "template", "--test", "0.5", "--language", "own.toml", "-o", "s.json"
    )
    assert code == 2
    assert text.splitlines() == [
        "error: deep, line 2: pipes program, column 200: more than 100 levels inside each other; shorten the program, "
        "or leave the example out"
    ]


def test_a_study_finds_the_file_from_its_own_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = DataTable(name="own", file="data/own.jsonl", language="own.toml")
    (folder / "other").mkdir()
    monkeypatch.chdir(folder / "other")
    first = load_data(table, folder)
    assert first.language is not None
    assert first.reading.language == first.language.name
    assert find_language(first.language.place) is first.language
    before = data_content(first, measure=True)
    assert data_content(load_data(table, folder), measure=True) == before
    (folder / "own.toml").write_text(PIPES.replace('"both"', '"all"'))
    assert data_content(load_data(table, folder), measure=True) != before


def test_a_cluster_finds_the_file_from_anywhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a_split()
    given = ClusterSplit("split.json")
    reading = given.joined(language=None, source=None, target=None)
    assert reading["language"] == find_language("own.toml").place
    assert str(reading["language"]).startswith(str(folder.resolve()))
    assert given.joined(language="own.toml", source=None, target=None) == reading
    Path("own.toml").rename("gone.toml")
    forget()
    with pytest.raises(SplitError, match="not there"):
        given.joined(language=None, source=None, target=None)
