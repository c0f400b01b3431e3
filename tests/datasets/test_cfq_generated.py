"""Generated questions of CFQ's kind as data: fields, files, the same bytes every time, and what ends badly."""

from __future__ import annotations

import gc
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import orjson
import pytest
from broken_endpoint import Behaviour, Handler, endpoint

import recombine
from recombine.cli import main as cli
from recombine.datasets import cfq_generated
from recombine.datasets.cfq import lots
from recombine.datasets.cfq.lot_setting import LotSetting, rules_digest
from recombine.datasets.cfq_generated import CfqGenerator
from recombine.datasets.generators import find_generator
from recombine.datasets.parts import make_parts
from recombine.datasets.parts.made_lot import MadeLot
from recombine.errors import InputWarning, OptionError, SizeError
from recombine.grammars.unification.generation.made_question import MadeQuestion
from recombine.grammars.unification.generation.question_maker import Lot
from recombine.grammars.unification.queries.query_spelling import short_spelling
from recombine.grammars.unification.queries.query_text import QueryText
from recombine.grammars.unification.question_parser import QuestionParser
from recombine.grammars.unification.rules.rule_set import read_rule_set
from recombine.records.dataset import Dataset
from recombine.records.example import content_id
from recombine.structures.definition import RULE_STRUCTURES
from recombine.studies.cells.load_data import load_data
from recombine.studies.file.study_file import DataTable

QUICK: dict[str, Any] = {"grounding": False, "max_level": 14}
FIELDS = {
    *("question", "questionWithBrackets", "questionWithMids", "expectedResponse", "expectedResponseWithMids", "sparql"),
    *("entityOrigin", "questionTemplate", "sparqlPattern", "parseTreeLeafCount", "parseTreeRuleCount"),
    *("recursionDepth", "sparqlMaximumChainLength", "sparqlMaximumDegree", "sparqlNumConstraints"),
    *("sparqlNumVariables", "frame"),
}
"""Every field of App. A but the pair and the rules, and our own."""
COMMAND = """
import functools, os, signal, sys
from recombine.cli.main import run
from recombine.datasets import cfq_generated
from recombine.datasets.cfq import lots
from recombine.datasets.parts import make_parts
from recombine.datasets.parts.made_lot import MadeLot

cfq_generated.LOT, make_parts.LOTS = 25, 2
lots.QuestionMaker = functools.cache(lots.QuestionMaker)
plain = lots.Workshop.lot

def lot(self, number):
    if os.environ.get("KILLED_AT") == str(number):
        os.kill(os.getpid(), signal.SIGKILL)
    return plain(self, number)

lots.Workshop.lot = lot
if "MOST_BYTES" in os.environ:
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (int(os.environ["MOST_BYTES"]),) * 2)
for words in " ".join(sys.argv[1:]).split(" then "):
    try:
        run(["generate", "cfq", "--no-grounding", "--max-level", "14", *words.split()])
    except SystemExit as ended:
        if ended.code:
            raise
"""
"""Commands with lots of 25 and parts of two lots, which may be killed, or have a disk with no room."""


@pytest.fixture(autouse=True, scope="module")
def _small_lots() -> Iterator[None]:
    """Small lots; what is summed once for all questions of some rules is summed once for all tests of this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lots, "QuestionMaker", cache(lots.QuestionMaker))
        patch.setattr(cfq_generated, "LOT", 25)
        patch.setattr(make_parts, "LOTS", 2)
        yield


@pytest.fixture(scope="module")
def grounded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Thirty grounded questions on a small world, as JSON lines."""
    path = tmp_path_factory.mktemp("grounded") / "q.jsonl"
    recombine.generate("cfq", n=30, seed=4, world_size=3000, max_level=13).write(path)
    return path


@pytest.fixture(scope="module")
def ninety() -> Dataset:
    """Ninety small questions without entities, with the seed 6."""
    return recombine.generate("cfq", n=90, seed=6, **QUICK).dataset


@pytest.fixture(scope="module")
def parser() -> QuestionParser:
    """The parser of the packaged rules."""
    return QuestionParser(read_rule_set("cfq"))


def records(path: Path) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in path.read_bytes().splitlines()]


def command(arguments: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """`recombine generate cfq` in a process of its own; `then` stands between several commands."""
    return subprocess.run(
        [sys.executable, "-c", COMMAND, *arguments.split()],
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def run(arguments: list[str]) -> object:
    """The exit code of a command in this process."""
    with pytest.raises(SystemExit) as ended:
        cli.run(arguments)
    return ended.value.code


def names(folder: Path) -> set[str]:
    return {each.name for each in folder.iterdir()}


# -- what an example has


def test_a_grounded_example_has_every_field(grounded: Path) -> None:
    rows = records(grounded)
    assert len(rows) == 30
    assert len({row["source"] for row in rows}) == 30
    for row in rows:
        assert list(row) == ["id", "source", "target", "derivation", "tags"]
        assert row["id"] == content_id(row["source"], row["target"])
        assert set(row["tags"]) == FIELDS
        assert row["tags"]["parseTreeRuleCount"] <= 13
        placeholders = re.findall(r"M\d+", row["source"])
        assert placeholders == [f"M{number}" for number in range(len(placeholders))]
        assert len(re.findall(r"\[[^]]+\]", row["tags"]["questionWithBrackets"])) == len(placeholders)
        assert len(re.findall(r"\bm\.\w+", row["tags"]["questionWithMids"])) == len(placeholders)
        assert row["tags"]["questionWithBrackets"].replace("[", "").replace("]", "") == row["tags"]["question"]
        closed = row["target"].startswith("SELECT count ( * )")
        answer = row["tags"]["expectedResponse"]
        assert answer in ("Yes", "No") if closed else len(answer) > 0
        assert not re.search(r"\bM\d", row["tags"]["sparql"])


def test_the_pair_is_spelled_as_published_pairs_are(grounded: Path) -> None:
    text = grounded.read_text()
    assert " ' s " in text
    for row in records(grounded):
        assert "'s" not in row["source"]
        assert not re.search(r"(?<!\S)ns:|\n", row["target"])
        assert "'s" in row["tags"]["question"] if "' s" in row["source"] else True


def test_a_question_parses_back_to_its_query_and_its_rules(grounded: Path, parser: QuestionParser) -> None:
    for row in records(grounded):
        reading = parser.parse(row["source"])
        assert reading.query.short() == row["target"]
        assert parser.graph(reading).to_rows() == row["derivation"]


def clauses(query: str) -> list[str]:
    """The lines of a query in any order: placeholders and ids are sorted differently."""
    return sorted(line.removesuffix(" .") for line in query.splitlines())


def test_the_rules_with_entities_are_those_with_placeholders(grounded: Path, parser: QuestionParser) -> None:
    """L.3: the graph made of the question with its entities' ids is that of the placeholders; the query has the ids."""
    for row in records(grounded):
        reading = parser.parse(row["tags"]["questionWithMids"])
        assert parser.graph(reading).to_rows() == row["derivation"]
        assert clauses(reading.query.long()) == clauses(row["tags"]["sparql"])
        entities = re.findall(r"\bm\.\w+", row["tags"]["questionWithMids"])
        assert [rule[0] for rule in row["derivation"]].count("ENTITY=[ENTITY]") == len(entities)
        pattern = row["tags"]["sparql"]
        for place, entity in enumerate(entities):
            pattern = re.sub(rf"ns:{re.escape(entity)}(?!\w)", f"M{place}", pattern)
        assert short_spelling(pattern) == row["target"], "the query is that of the placeholders in all else"


def test_the_release_spelling(tmp_path: Path) -> None:
    recombine.generate("cfq", n=20, seed=4, spelling="long", **QUICK).write(tmp_path / "q.jsonl")
    rows = records(tmp_path / "q.jsonl")
    assert all(row["target"].endswith("\n}") for row in rows)
    assert any("count(*)" in row["target"] for row in rows)
    assert not any("' s" in row["source"] for row in rows)


def test_without_grounding_there_are_no_entities(ninety: Dataset) -> None:
    assert set(ninety[0].tags) == FIELDS - {
        *("question", "questionWithBrackets", "questionWithMids", "expectedResponse", "expectedResponseWithMids"),
        *("sparql", "entityOrigin"),
    }
    assert ninety.structures == RULE_STRUCTURES
    assert ninety.language is not None


def test_what_was_counted() -> None:
    made = recombine.generate("cfq", n=60, seed=2, world_size=3000)
    value = made.to_dict()
    assert value["examples"] == 60
    kept = sum(counts.get("kept", 0) for counts in value["frames"].values())
    dropped = sum(value["rejected"].values())
    assert (kept, value["drawn"]) == (60, 60 + dropped)
    closed = [example for example in made.dataset if example.target.startswith("SELECT count")]
    assert sum(value["answers"].values()) == len(closed)
    assert value["answers"]["yes"] == sum(example.tags["expectedResponse"] == "Yes" for example in closed)
    in_frames: dict[str, int] = {}
    for counts in value["frames"].values():
        for name, count in counts.items():
            in_frames[name] = in_frames.get(name, 0) + count
    assert in_frames["unsatisfiable"] == value["rejected"]["unsatisfiable"]
    lines = made.lines()
    assert lines[0].startswith(f"dropped of {value['drawn']:,} drawn: ")
    assert "closed questions: " in lines[1]


# -- the same bytes


@pytest.mark.slow
def test_the_same_bytes_in_any_number_of_processes_and_hash_orders(tmp_path: Path) -> None:
    found: dict[str, set[bytes]] = {}
    for seed, processes in (("1", "1"), ("2", "2")):
        folder = tmp_path / seed
        folder.mkdir()
        asked = f"-n 70 --seed 3 --processes {processes} -o"
        ended = command(
            f"{asked} q.jsonl then {asked} q.parquet then {asked} q.json --format cfq", folder, PYTHONHASHSEED=seed
        )
        assert ended.returncode == 0, ended.stderr
        assert names(folder) == {
            f"q.{form}{more}" for form in ("jsonl", "parquet", "json") for more in ("", ".meta.json")
        }
        for each in folder.iterdir():
            found.setdefault(each.name, set()).add(each.read_bytes())
    assert {name: len(contents) for name, contents in found.items()} == dict.fromkeys(found, 1)


def test_grounded_in_two_processes(grounded: Path, tmp_path: Path) -> None:
    again = recombine.generate("cfq", n=30, seed=4, world_size=3000, max_level=13, processes=2)
    again.write(tmp_path / "q.jsonl")
    assert (tmp_path / "q.jsonl").read_bytes() == grounded.read_bytes()


def test_more_gives_the_same_first_and_another_seed_others(ninety: Dataset) -> None:
    few, other = (recombine.generate("cfq", n=40, seed=seed, **QUICK).dataset.ids for seed in (6, 2))
    assert ninety.ids[:40] == few
    assert few != other


# -- files


def test_all_forms_hold_the_same_examples(tmp_path: Path) -> None:
    made = [recombine.generate("cfq", n=80, seed=5, format=form, **QUICK) for form in ("ours", "ours", "cfq")]
    loaded = []
    for result, name in zip(made, ("q.jsonl", "q.parquet", "q.json"), strict=True):
        result.write(tmp_path / name)
        data = recombine.load(tmp_path / name)
        assert data.hash == result["hash"]
        loaded.append([(e.id, e.source, e.target, e.derivation, dict(e.tags)) for e in data])
    assert loaded[0] == loaded[1] == loaded[2]
    plain = enumerate(made[0].dataset, start=1)
    assert [(e.id, e.source, e.target, e.derivation, {**e.tags, "line": line}) for line, e in plain] == loaded[0]


def test_the_sidecar_says_how_it_was_made(tmp_path: Path) -> None:
    made = recombine.generate("cfq", n=30, seed=5, processes=2, **QUICK)
    made.write(tmp_path / "q.jsonl")
    said = orjson.loads((tmp_path / "q.jsonl.meta.json").read_bytes())["made"]
    assert said["rules_hash"] == rules_digest("cfq")
    named = ("generator", "n", "seed", "rules", "grounding", "max_level")
    assert [said[name] for name in named] == ["cfq", 30, 5, "cfq", False, 14]
    assert said["rejected"] == made["rejected"]
    assert "processes" not in said
    assert recombine.load(tmp_path / "q.jsonl").hash == made["hash"]


def test_a_result_that_is_written_is_data_still(tmp_path: Path, ninety: Dataset) -> None:
    made = recombine.generate("cfq", n=90, seed=6, **QUICK)
    made.write(tmp_path / "q.jsonl")
    assert names(tmp_path) == {"q.jsonl", "q.jsonl.meta.json"}
    assert list(made.dataset) == [replace(e, tags={**e.tags, "line": line}) for line, e in enumerate(ninety, start=1)]
    made.write(tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "q.jsonl").read_bytes()
    assert repr(made) == f"<PartsGenerateResult: 90 examples from 396 rules ({ninety})>"


def test_a_sub_sample(tmp_path: Path, ninety: Dataset) -> None:
    made = recombine.generate("cfq", n=90, seed=6, subsample=20, **QUICK)
    made.write(tmp_path / "q.jsonl")
    rows = records(tmp_path / "q.jsonl")
    assert (len(rows), made["examples"], made["pool"]) == (20, 20, 90)
    places = [ninety.position(row["id"]) for row in rows]
    assert places == sorted(set(places))
    assert recombine.load(tmp_path / "q.jsonl").hash == made["hash"]
    with pytest.raises(OptionError, match="a sub-sample is taken when a file is written"):
        CfqGenerator(subsample=3, **QUICK).generate(10, seed=0)


def test_a_study_can_name_it(tmp_path: Path, ninety: Dataset) -> None:
    table = DataTable(generate="cfq", n=12, seed=6, **QUICK)
    data = load_data(table, tmp_path)
    assert (len(data), data.name) == (12, "cfq")
    assert list(data) == list(ninety)[:12]


def test_a_question_that_asks_for_what_it_names_is_dropped_without_grounding_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    head, clauses = "SELECT DISTINCT M0 WHERE", [["M0", "a", "people.person"]]
    made = MadeQuestion("Who was M0", QueryText(head, clauses), "Who was ENT", "[]", {})
    workshop = lots.Workshop(LotSetting(rules="cfq", **QUICK))
    monkeypatch.setattr(workshop.maker, "lot", lambda *_: Lot([made], {"ambiguous": 2}))
    lot = workshop.lot(0)
    assert lot.rows == []
    assert lot.counts == {("", "ambiguous"): 2, ("Who was ENT", "asks_nothing"): 1}


# -- killed, and no room


def test_a_killed_command_goes_on_at_its_last_whole_part(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    whole.mkdir()
    broken.mkdir()
    recombine.generate("cfq", n=150, seed=1, **QUICK).write(whole / "q.jsonl")
    assert command("-n 150 --seed 1 -o q.jsonl", broken, KILLED_AT="5").returncode == -9
    (parts,) = names(broken)
    assert parts.startswith(".q.jsonl.parts-")
    assert {"part-00000.parquet", "part-00001.parquet", "lock"} == names(broken / parts)
    with pytest.warns(InputWarning, match="holds parts of a run with other settings, which are not used") as said:
        recombine.generate("cfq", n=60, seed=2, **QUICK).write(broken / "q.jsonl")
    assert not any("goes on" in str(each.message) for each in said)
    kept = r"2 finished parts with \d+ examples kept in .*\.q\.jsonl\.parts-\w+; it goes on from there"
    with pytest.warns(InputWarning, match=kept):
        recombine.generate("cfq", n=150, seed=1, processes=2, **QUICK).write(broken / "q.jsonl")
    assert names(broken) == names(whole) == {"q.jsonl", "q.jsonl.meta.json"}
    for each in whole.iterdir():
        assert (broken / each.name).read_bytes() == each.read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="the limit on files is a matter of other systems")
def test_a_full_disk_is_said_and_leaves_whole_parts(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text("old\n")
    ended = command("-n 150 --seed 1 -o q.jsonl --quiet", tmp_path, MOST_BYTES="200000")
    assert ended.returncode == 2
    said = r"error: q\.jsonl: cannot be written \(File too large\).*; 3 finished parts with \d+ examples kept in"
    assert re.search(said, ended.stderr)
    assert (tmp_path / "q.jsonl").read_text() == "old\n"
    (parts,) = names(tmp_path) - {"q.jsonl"}
    assert {"lock", *(f"part-0000{number}.parquet" for number in range(3))} == names(tmp_path / parts)
    none = command("-n 150 --seed 2 -o q.jsonl", tmp_path, MOST_BYTES="5000")
    assert none.returncode == 2
    assert re.search(r"error: .*part-00000\.parquet: cannot be written \(File too large\); make room", none.stderr)
    assert names(tmp_path) == {"q.jsonl", parts}, "of a run without a whole part nothing is left"
    with pytest.warns(InputWarning, match="3 finished parts"):
        recombine.generate("cfq", n=150, seed=1, **QUICK).write(tmp_path / "q.jsonl")
    assert len(records(tmp_path / "q.jsonl")) == 150
    assert names(tmp_path) == {"q.jsonl", "q.jsonl.meta.json"}


PARENT = """
import subprocess, sys, time
child = "import time; from recombine.datasets.parts.end_with_parent import end_with_parent as end; end(0.02);"
made = subprocess.Popen([sys.executable, "-c", child + "print('there', flush=True); time.sleep(60)"])
time.sleep(60)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there a process has no other parent when its own has ended")
def test_what_a_killed_process_started_ends_with_it() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "there\n"
        parent.kill()
        parent.communicate(timeout=20)  # the other process holds the pipe for as long as it lives


def test_processes_that_make_questions_end_with_the_one_that_started_them(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[bool] = []
    monkeypatch.setattr(lots, "end_with_parent", lambda: called.append(True))
    monkeypatch.setattr(gc, "set_threshold", lambda *_: None)
    lots._workshop.cache_clear()
    made = lots._lot(LotSetting(rules="cfq", size=3, **QUICK), 0)
    assert isinstance(made, MadeLot)
    assert made.rows
    assert called == [True]


# -- bad input


def test_more_than_the_rules_can_give(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """There are 47 trees up to level 7; filters drop some of their questions, which is known once they are made."""
    with pytest.raises(SizeError, match=r"the rules cfq make 47 questions at most up to level 7, not 5,000; ask for"):
        recombine.generate("cfq", n=5000, seed=1, grounding=False, max_level=7)
    asked = ["generate", "cfq", "-n", "47", "--no-grounding", "--max-level", "7", "-o", str(tmp_path / "q.jsonl")]
    assert run(asked) == 2
    said = capsys.readouterr().err
    assert re.search(r"error: \d+ examples were reached, not 47: the last 200 draws gave 0 new ones \(dropped", said)
    assert "kept in" in said
    assert len(said.splitlines()) == 1
    assert not (tmp_path / "q.jsonl").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--max-level", "0"], "the highest level is 0; give a whole number of 1 or more"),
        (["--max-level", "3"], "make no question up to level 3; the smallest question has level 6"),
        (["--no-grounding", "--kb", "x.nt"], "--kb is for grounding, which is switched off"),
        (["--kb", "x.nt", "--world-size", "5000"], "--world-size is of the made-up world, and --kb names another"),
        (["--world-size", "5"], "a world of 5 facts"),
        (["--kb", "x.nt"], "x.nt: no such file or folder"),
        (["--rules", "nowhere"], "nowhere: no .rules files there"),
        (["--weights", "nowhere.toml"], "nowhere.toml: no such file"),
        (["--filters", "nowhere.toml"], "nowhere.toml: no such file"),
        (["--spelling", "loud"], "unknown spelling 'loud'"),
        (["--subsample", "0"], "cannot take 0 examples"),
        (["--subsample", "11"], "cannot take 11 of 10 examples; make more with -n, or take fewer"),
        (["--rules", "."], ".: no .rules files there"),
        (["--profile", "plain"], "--profile is of a knowledge base of your own, and none is given"),
        (["--world-size", "10"], "a world of 10 facts; give a whole number of 3000 or more"),
        (["-n", "0"], "cannot make 0 examples; give a count of 1 or more"),
        (["-o", "nowhere/q.jsonl"], "nowhere/q.jsonl: the directory nowhere does not exist; make it first"),
        (["--processes", "0"], "cannot work in 0 processes"),
        (["--max-depth", "3"], "max_depth"),
        (["-o", "q.tsv"], "q.tsv: questions with rule graphs are no lines of a TSV"),
        (["-o", "q.jsonl", "--format", "cfq"], "the form cfq is that of a .json file"),
        (["--cluster", "local", "-o", "parts"], "cfq is made on one machine"),
    ],
)
def test_what_cannot_be(
    options: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["generate", "cfq", "-n", "10", *options]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert len(error.splitlines()) == 1
    assert names(tmp_path) == set()


@pytest.mark.parametrize(
    ("option", "content", "said"),
    [
        ("--weights", '[rules]\n"VP=NOSUCH" = 2\n', "table rules: unknown rule 'VP=NOSUCH'; did you mean"),
        ("--weights", "[rules\n", "the whole file: this is no TOML"),
        ("--filters", "[nosuch]\nname = 3\n", "table 'nosuch': no such table; known: filter, grounding"),
        ("--filters", "[[filter]]\nname = 3\n", "f.toml, "),
    ],
)
def test_a_broken_file_of_settings(
    option: str, content: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "f.toml").write_text(content)
    asked = ["generate", "cfq", "-n", "10", "--no-grounding", option, str(tmp_path / "f.toml")]
    assert run([*asked, "-o", str(tmp_path / "q.jsonl")]) == 2
    error = capsys.readouterr().err
    assert f"{tmp_path / 'f.toml'}, " in error
    assert said in error
    assert len(error.splitlines()) == 1
    assert names(tmp_path) == {"f.toml"}


def test_the_number_must_be_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["generate", "cfq"]) == 2
    assert "there is no end of questions; say how many with -n" in capsys.readouterr().err


def test_a_knowledge_base_without_relations(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = "http://rdf.freebase.com/ns/"
    facts = tmp_path / "few.nt"
    facts.write_text(f"<{base}m.1> <{base}film.director.film> <{base}m.2> .\n")
    assert run(["generate", "cfq", "-n", "10", "--kb", str(facts), "-o", str(tmp_path / "q.jsonl")]) == 2
    error = capsys.readouterr().err
    assert "lacks 38 of 39 properties" in error
    assert "film.film.edited_by" in error
    assert names(tmp_path) == {"few.nt"}


def slow(handler: Handler, fields: dict[str, str]) -> None:
    """An answer that does not come."""
    del fields
    handler.server.stopping.wait(30)


def failing(handler: Handler, fields: dict[str, str]) -> None:
    """An error of the server, in two lines."""
    del fields
    handler.answer(b"out of\nmemory", status=500, kind="text/plain")


def garbage(handler: Handler, fields: dict[str, str]) -> None:
    """What is no result."""
    del fields
    handler.answer(b"\x00\xff")


@pytest.mark.parametrize(
    ("behaviour", "said"),
    [(failing, "answers with status 500: out of memory"), (garbage, "what it answers is no SPARQL result")],
)
def test_an_endpoint_that_fails(
    behaviour: Behaviour, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with endpoint(behaviour) as server:
        assert run(["generate", "cfq", "-n", "10", "--kb", server.address, "-o", str(tmp_path / "q.jsonl")]) == 2
    error = capsys.readouterr().err
    assert f"{server.address}: {said}" in error
    assert len(error.splitlines()) == 1
    assert names(tmp_path) == set()


def test_an_endpoint_that_is_down(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with endpoint(slow) as server:
        address = server.address
    assert run(["generate", "cfq", "-n", "10", "--kb", address, "-o", str(tmp_path / "q.jsonl")]) == 2
    assert f"{address}: cannot be reached" in capsys.readouterr().err
    assert names(tmp_path) == set()


def test_an_endpoint_that_is_slow(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with endpoint(slow) as server:
        asked = ["generate", "cfq", "-n", "10", "--kb", server.address, "--time-out", "0.05"]
        assert run([*asked, "-o", str(tmp_path / "q.jsonl")]) == 2
        server.stopping.set()
    assert "0.05" in capsys.readouterr().err
    assert names(tmp_path) == set()


# -- options and keys


def test_json_keys(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "q.jsonl"
    assert run(["generate", "cfq", "-n", "20", "--no-grounding", "--max-level", "12", "-o", str(path), "--json"]) == 0
    printed = capsys.readouterr()
    value = orjson.loads(printed.out)
    assert printed.err == ""
    assert list(value) == [
        *("examples", "same_pair_dropped", "seconds", "rules", "hash", "file"),
        *("drawn", "rejected", "answers", "frames"),
    ]
    assert (value["examples"], value["rules"], value["file"]) == (20, 396, str(path))


def test_the_key_is_of_all_that_decides(tmp_path: Path) -> None:
    rules = tmp_path / "mine"
    rules.mkdir()
    (rules / "a.rules").write_text("%knowledge\n→ F(One)\n")
    (tmp_path / "w.toml").write_text("")
    setting: dict[str, Any] = {"rules": str(rules), "weights": str(tmp_path / "w.toml")}
    keys = [LotSetting(**setting).key(10, "")]
    keys.append(LotSetting(**setting).key(11, ""))
    keys.append(LotSetting(**setting).key(10, "facts"))
    keys.append(LotSetting(**setting, seed=1).key(10, ""))
    keys.append(LotSetting(**setting, unused=("a",)).key(10, ""))
    (rules / "a.rules").write_text("%knowledge\n→ F(Two)\n")
    keys.append(LotSetting(**setting).key(10, ""))
    (tmp_path / "w.toml").write_text("[rules]")
    keys.append(LotSetting(**setting).key(10, ""))
    assert len(set(keys)) == len(keys)
    assert LotSetting(**setting, time_out=3.0).key(10, "") == keys[-1], "it decides nothing"


def test_its_place_among_the_generators() -> None:
    generator = find_generator("cfq", grounding=False)
    assert isinstance(generator, CfqGenerator)
    assert not generator.on_clusters
