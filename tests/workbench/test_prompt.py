"""`recombine prompt` from files to prompts, and back through `score` and `levels`; what is refused and counted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import recombine
from recombine.cli.main import run
from recombine.errors import OptionError, RecombineError

FACTS = (
    "Duel|directed_by|Ann_Lee\nJaws|directed_by|Bo_Ray\nDuel|type|Film\nJaws|type|Film\nAnn_Lee|type|Person\n"
    "Bo_Ray|type|Person\nAnn_Lee|born_in|Rome\nRome|type|City\n"
)
ASKED = [
    ("1", "who directed Duel?", "(AND Person (JOIN (R directed_by) Duel))"),
    ("2", "who directed Jaws?", "(AND Person (JOIN (R directed_by) Jaws))"),
    ("3", "which film did Ann Lee direct?", "(AND Film (JOIN directed_by Ann_Lee))"),
    ("4", "where is Ann Lee born?", "(AND City (JOIN (R born_in) Ann_Lee))"),
    ("5", "how many films did Bo Ray direct?", "(COUNT (AND Film (JOIN directed_by Bo_Ray)))"),
    ("6", "how many people are there?", "(COUNT Person)"),
]
PARTS = {"train": ["1", "3", "5"], "test": ["2", "4", "6"]}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("films.txt").write_text(FACTS)
    rows = [{"id": key, "source": source, "target": target} for key, source, target in ASKED]
    Path("asked.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    write_split(PARTS)
    return tmp_path


def write_split(parts: dict[str, list[str]]) -> None:
    data = recombine.load("asked.jsonl", language="sexpression")
    split = recombine.split(data, test=1, seed=1)
    made = recombine.Split(parts, split.data, split.data_hash, split.signature, reading=split.reading)
    made.write("split.json")


def prompted(*words: str) -> list[dict[str, Any]]:
    with pytest.raises(SystemExit) as ended:
        run(["prompt", "asked.jsonl", "split.json", *words, "-o", "prompts.jsonl"])
    assert ended.value.code == 0
    return [json.loads(line) for line in Path("prompts.jsonl").read_text().splitlines()]


@pytest.mark.usefixtures("files")
def test_prompts_over_a_knowledge_base(capsys: pytest.CaptureFixture[str]) -> None:
    first, second, third = prompted("-k", "2", "--kb", "films.txt")
    assert [line["id"] for line in (first, second, third)] == PARTS["test"]
    assert first["shown"][-1] == "1"  # the most similar one stands last
    assert [message["role"] for message in first["messages"]] == ["system", *["user", "assistant"] * 2, "user"]
    assert first["messages"][3:5] == [
        {"role": "user", "content": "Question: who directed Duel?\nEntities:\n- Duel"},
        {"role": "assistant", "content": "(AND Person (JOIN (R directed_by) Duel))"},
    ]
    assert first["messages"][-1]["content"] == (
        "Question: who directed Jaws?\nEntities:\n- Jaws\nRelations:\n- directed_by (Film -> Person)\n"
        "Classes:\n- Film\n- Person"
    )
    # Two hops from Ann Lee: her birth place and films; born is a word of the question.
    assert second["messages"][-1]["content"].splitlines()[1:6] == [
        "Entities:",
        "- Ann Lee: Ann_Lee",
        "Relations:",
        "- born_in (Person -> City)",
        "- directed_by (Film -> Person)",
    ]
    out = capsys.readouterr()
    assert "3 prompts for test of asked, 2 examples each by similar → prompts.jsonl" in out.out
    assert "all items of 3 of 3 gold forms are listed" in out.out
    assert "1 question without a link, the first 6" in out.err
    assert third["messages"][-1]["content"].splitlines()[1] == "Entities: none"


@pytest.mark.usefixtures("files")
def test_no_example_of_the_part_that_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    write_split({"train": ["1", "2", "3", "5", "1"], "test": ["2", "4", "2"]})
    lines = prompted("-k", "3", "--links", "none")
    assert [line["id"] for line in lines] == ["2", "4"]  # each question once, so that levels can be told
    assert all(sorted(line["shown"]) == ["1", "3", "5"] for line in lines)
    assert "1 example of train not shown: in test as well" in capsys.readouterr().err


@pytest.mark.filterwarnings("ignore::recombine.errors.InputWarning")
@pytest.mark.usefixtures("files")
def test_answers_come_back_with_levels_against_what_was_shown() -> None:
    """By hand: shown is the nearest alone. 2 has the template and items of 1; 4 has born_in, which 3 lacks; what is
    shown for 6, which is 5, has no Person."""
    lines = prompted("-k", "1", "--kb", "films.txt")
    assert [line["shown"] for line in lines] == [["1"], ["3"], ["5"]]
    gold = {key: target for key, _, target in ASKED}
    outputs = {line["id"]: f"Here:\n```\n{gold[line['id']]}\n```" for line in lines}
    options: dict[str, Any] = {"world": "films.txt", "by": "level", "shown": "prompts.jsonl"}
    scored = recombine.score("asked.jsonl", "split.json", outputs, fenced=True, **options)
    assert scored["exact_match"] == 1
    assert {group["group"]: group["n"] for group in scored["by"]["level"]} == {"i.i.d.": 1, "zero-shot": 2}
    assert "fenced:yes" in scored["signature"]
    assert recombine.score("asked.jsonl", "split.json", outputs, **options)["exact_match"] == 0
    against_train = recombine.levels("asked.jsonl", "split.json", profile="plain")
    assert against_train["levels"]["test"]["counts"] == {"i.i.d.": 1, "compositional": 1, "zero-shot": 1}


@pytest.mark.filterwarnings("ignore::recombine.errors.InputWarning")
@pytest.mark.usefixtures("files")
def test_sparql_there_and_back(capsys: pytest.CaptureFixture[str]) -> None:
    lines = prompted("-k", "1", "--kb", "films.txt", "--to", "sparql", "--links", "gold")
    shown = lines[0]["messages"][2]["content"]
    assert shown.startswith("SELECT DISTINCT ?x0 WHERE {")
    assert "a SPARQL query" in lines[0]["messages"][0]["content"]
    assert "- <http://example.org/directed_by> (Film -> Person)" in lines[0]["messages"][-1]["content"]
    outputs = {"2": shown.replace("/Duel>", "/Jaws>"), "4": "SELECT", "6": "```\nSELECT ?x WHERE {"}
    scored = recombine.score("asked.jsonl", "split.json", outputs, written_in="sparql", world="films.txt")
    assert (scored["exact_match"], scored["n"]) == (pytest.approx(1 / 3), 3)
    assert "written_in:sparql" in scored["signature"]
    capsys.readouterr()


@pytest.mark.usefixtures("files")
def test_what_is_left_out_is_counted() -> None:
    made = recombine.prompt(
        "asked.jsonl", "split.json", k=3, world="films.txt", language="sexpression", max_characters=1600, schema=1
    )
    lengths = [sum(len(each["content"]) for each in line["messages"]) for line in made.lines()]
    value = made.to_dict()
    assert max(lengths) == value["characters"]["most"] <= 1600
    cut = sum(3 - len(line["shown"]) for line in made.lines())
    assert value["cut"]["examples"] == cut
    assert value["schema"]["most"] == 1
    # Schema near each: Jaws 1 and 2, Ann Lee 2 and 3, of all 2 and 3; one of each is listed.
    assert (value["schema"]["cut"], value["schema"]["items_cut"]) == (3, 1 + 3 + 3)
    assert value["schema"]["without_link"] == value["schema"]["unpruned"] == ["6"]


def test_a_table_of_anyone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = ["say,do,room", "lamp on,lamp.on(),hall", "fan on,fan.on(),hall", "lamp off,lamp.off(),loft"]
    Path("mine.csv").write_text("\n".join(rows) + "\n")
    data = recombine.load("mine.csv", source="say", target="do", language="python")
    split = recombine.split(data, by="random", test=1, seed=1)
    made = recombine.prompt(data, split, k=2, style="text", field="room", instruction=None)
    (line,) = made.lines()
    (message,) = line["messages"]
    asked = data[split.test[0]]
    end = f"Question: {asked.source}\nroom:\n- {asked.tags['room']}\nAnswer:"
    assert message["content"].endswith(end)
    assert sorted(line["shown"]) == sorted(split.train)
    assert (made["links"], made["schema"], made["answers"]) == (None, None, "python")
    with pytest.raises(OptionError, match="has no field 'house'"):
        recombine.prompt(data, split, k=1, field="house")


def test_a_question_that_is_in_train_is_counted() -> None:
    data = recombine.load([("jump", "J"), ("run", "R"), ("jump", "JJ")], language="text")
    parts = {"train": tuple(data.ids[:2]), "test": tuple(data.ids[2:])}
    made = recombine.split(data, test=1)
    split = recombine.Split(parts, made.data, made.data_hash, made.signature)
    assert recombine.prompt(data, split, k=1)["same_question"] == 1


@pytest.mark.filterwarnings("ignore::recombine.errors.InputWarning")
@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"k": 4}, "4 examples are asked for, but there are 3"),
        ({"k": 1, "from_": "dev"}, "no part 'dev' to take examples from"),
        ({"k": 1, "from_": "test"}, "all examples of test are in test too"),
        ({"k": 1, "part": "dev"}, "no part 'dev'"),
        ({"k": 1, "by": "coverage"}, "it is not clear what to cover"),
        ({"k": 1, "by": "coverage", "gold": True, "predictions": {}}, "it is not clear what to cover"),
        ({"k": 1, "gold": True}, "covers no program"),
        ({"k": 1, "structures": "local:2"}, "has no option --structures"),
        ({"k": 1, "links": "linker"}, "no knowledge base to link to"),
        ({"k": 1, "schema": -1}, "a schema of -1"),
        ({"k": 1, "max_characters": 0}, "at most 0 characters"),
        ({"k": 1, "max_characters": 99}, "characters without examples and schema"),
        ({"k": 1, "to": "graph"}, "notation of answers 'graph'"),
        ({"k": 1, "links": "none.jsonl"}, "none.jsonl"),
    ],
)
def test_what_is_refused(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(RecombineError, match=problem):
        recombine.prompt("asked.jsonl", "split.json", language="sexpression", **options)


@pytest.mark.usefixtures("files")
def test_every_option_is_in_the_signature() -> None:
    first = recombine.prompt("asked.jsonl", "split.json", k=1, world="films.txt")["signature"]
    Path("say.txt").write_text("Do it.")
    for options in (
        {"k": 2},
        {"by": "random"},
        {"by": "coverage", "gold": True},
        {"order": "best-first"},
        {"style": "text"},
        {"to": "sparql"},
        {"links": "gold"},
        {"links": "none"},
        {"schema": 5},
        {"field": "line"},
        {"instruction": "say.txt"},
        {"max_characters": 5000},
        {"seed": 1},
    ):
        given: dict[str, Any] = {"k": 1, "world": "films.txt", **options}
        assert recombine.prompt("asked.jsonl", "split.json", **given)["signature"] != first, options


@pytest.mark.slow
@pytest.mark.usefixtures("files")
def test_same_bytes_under_another_order_of_hashes(files: Path) -> None:
    written = []
    for seed in ("1", "2"):
        out = files / f"{seed}.jsonl"
        words = ["prompt", "asked.jsonl", "split.json", "-k", "2", "--kb", "films.txt", "-o", str(out)]
        subprocess.run(
            [sys.executable, "-m", "recombine", *words], env={**os.environ, "PYTHONHASHSEED": seed}, check=True
        )
        written.append(out.read_bytes())
    assert written[0] == written[1]


@pytest.mark.shared_data
def test_real_questions_with_the_ontology(data_dir: Path) -> None:
    """GrailQA has no facts here: the classes of its gold entities and the ontology say what is near."""
    if not (data_dir / "grailqa" / "items.jsonl.gz").is_file():
        pytest.skip("the data directory has no GrailQA")
    data = recombine.load("grailqa")
    split = recombine.split(data, by="random", test=20, seed=1)
    made = recombine.prompt(data, split, k=2, links="gold", schema=50)
    assert made["prompts"] == 20
    assert made["schema"]["comparable"] == 20
    assert made["schema"]["covered"] >= 16
    assert all(not set(line["shown"]) & set(split.test) for line in made.lines())
