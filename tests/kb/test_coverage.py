"""What a store lacks for questions, and `recombine kb check`."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from small_store import as_oxigraph, turtle_store

import recombine
from recombine.cli.main import run
from recombine.data_directory import data_directory
from recombine.errors import RecombineError
from recombine.kb.coverage import coverage
from recombine.kb.names.named import Named
from recombine.kb.term import Term

FACTS = """
:kes a :Film ; :directed_by :ken . :ken :born_in :nuneaton . :Play rdfs:subClassOf :Work .
"""


def named(entities: str = "", relations: str = "", classes: str = "", placeholders: int = 0) -> Named:
    """Names written with blanks between them."""
    sets = (frozenset(map(Term.name, words.split())) for words in (entities, relations, classes))
    return Named(*sets, placeholders)


@pytest.mark.parametrize("kind", ["embedded", "oxigraph"])
def test_a_question_stays_answerable_where_all_its_names_are_there(tmp_path: Path, kind: str) -> None:
    embedded = turtle_store(tmp_path, "plain", FACTS)
    report = coverage(
        embedded if kind == "embedded" else as_oxigraph(embedded),
        [
            ("all", named("kes nuneaton", "born_in directed_by", "Film")),
            ("entity", named("kes", "stars")),  # a relation that is in no fact
            ("class", named("kes", "", "Play")),  # a class without a thing of it
            ("ken", named("kne stars", "kes born_in")),  # entities are no relations
            ("placeholder", named(placeholders=1)),
        ],
    )
    assert (report.questions, report.answerable, report.placeholders) == (5, 2, 1)
    assert report.unanswerable == ["entity", "class", "ken"]
    assert report.named == {"entities": 4, "relations": 4, "classes": 2}
    lacking = {kind: {term.text: count for term, count in names.items()} for kind, names in report.lacking.items()}
    assert lacking == {"entities": {"kne": 1, "stars": 1}, "relations": {"stars": 1, "kes": 1}, "classes": {"Play": 1}}
    assert report.questions_lacking == {"entities": 1, "relations": 2, "classes": 1}


QUESTIONS = [
    {"id": "1", "source": "who made kes", "target": "ASK { <kes> <directed_by> ?x }"},
    {"id": "2", "source": "who made if", "target": "ASK { <if> <directed_by> ?x }"},
    {"id": "3", "source": "odd", "target": "ASK { ?x no:no ?y }"},
]


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    """A file of three questions: one with its names, one without, one that cannot be read."""
    path = tmp_path / "questions.jsonl"
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in QUESTIONS))
    return path


def test_check_says_what_is_lacking(tmp_path: Path, questions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    turtle_store(tmp_path, "plain", FACTS)
    result = recombine.kb_check(tmp_path / "index", questions)
    assert str(result) == "1 of 3 questions stay answerable by their names (33.3%)"
    with pytest.raises(SystemExit) as ended:
        run(["kb", "check", str(tmp_path / "index"), str(questions), "--json", "--quiet"])
    assert ended.value.code == 1
    said = orjson.loads(capsys.readouterr().out)
    assert said["lacking"] == {"entities": {"if": 1}, "relations": {}, "classes": {}}
    assert (said["questions"], said["answerable"], said["unanswerable"]) == (3, 1, ["2"])
    assert said["unreadable"] == {"3": "SPARQL program, column 10: the prefix 'no' is not known"}
    with pytest.raises(SystemExit):
        run(["kb", "check", str(tmp_path / "index"), str(questions), "--quiet"])
    assert capsys.readouterr().out.splitlines() == [
        "2 entities named, 1 lacking in 1 question",
        "           1  if",
        "1 relation named, none lacking",
        "1 question cannot be read: 3: SPARQL program, column 10: the prefix 'no' is not known",
        "1 of 3 questions stay answerable by their names (33.3%)",
    ]


def test_a_store_that_has_all_names_passes(tmp_path: Path, questions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "facts.tsv"
    store.write_text("kes\tdirected_by\tken\n")
    questions.write_bytes(orjson.dumps(QUESTIONS[0]))
    with pytest.raises(SystemExit) as ended:
        run(["kb", "check", str(store), str(questions), "--quiet"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 of 1 questions stay answerable by their names (100.0%)"


def test_data_that_names_nothing_is_refused(tmp_path: Path) -> None:
    turtle_store(tmp_path, "plain", FACTS)
    with pytest.raises(RecombineError, match=r"records: no question can be read; .*: what it names cannot be told"):
        recombine.kb_check(tmp_path / "index", [("jump", "I_JUMP")])


@pytest.mark.shared_data
def test_the_names_of_metaqa_are_mostly_in_its_knowledge_base() -> None:
    # The file of facts is smaller than the original; the topic or an answer of 82 questions is in no fact.
    result = recombine.kb_check(data_directory() / "kb/metaqa/kb.txt.gz", "metaqa/1hop")
    assert (result.questions, result.coverage.answerable, result.unreadable) == (9992, 9910, {})
    facts = {name for line in _facts() for name in (line[0], line[2])}
    dataset = recombine.load("metaqa/1hop")
    ours = set(result.coverage.unanswerable)
    for example in dataset:
        names = {str(example.tags["topic"]), *example.target.split("|")}
        assert (example.id in ours) == (not names <= facts), example.source


def _facts() -> list[list[str]]:
    import gzip

    with gzip.open(data_directory() / "kb/metaqa/kb.txt.gz", "rt", encoding="utf-8", newline="\n") as stream:
        return [line.rstrip("\n").split("|") for line in stream]
