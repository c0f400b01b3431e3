"""Files in the forms of releases are told by their fields and read; what is left out is said, what is wrong is named.

No file of a release is here: the items are our own, in the forms that the releases have.
"""

from __future__ import annotations

import gzip
import tracemalloc
import warnings
from pathlib import Path
from typing import Any

import orjson
import pytest
import small_forms
from small_forms import write, write_lines

import recombine
from recombine.cli.main import run
from recombine.datasets.kbqa.known import FORMS, find_form
from recombine.errors import InputFileError, InputWarning, RecombineError, RecordError

# Every form: its file, the fields of sources and targets, the ids, the first source, target and answers.
EXPECTED: dict[str, tuple[Any, tuple[str, str], list[str], str, str, list[Any] | None, str | None]] = {
    "GrailQA": (
        small_forms.GRAILQA,
        ("question", "s_expression"),
        ["3200001000000", "3200001000001", "3200001000002"],
        "which kite was made by workshop 0?",
        "(AND toys.kite (JOIN toys.kite.maker m.0w0))",
        ["m.0k0"],
        "sexpression",
    ),
    "GraphQuestions": (
        small_forms.GRAPH_QUESTIONS,
        ("question", "sparql_query"),
        ["100000000", "100000001"],
        "how many strings has kite 0?",
        "SELECT (COUNT(?x0) AS ?value) WHERE { :m.0k0 :toys.kite.string ?x0 }",
        ["two", 0],
        None,
    ),
    "ComplexWebQuestions": (
        small_forms.CWQ,
        ("question", "sparql"),
        ["ToyTrn-0_abc", "ToyTrn-1_abc"],
        "Which red kite did workshop 0 make?",
        "SELECT DISTINCT ?x WHERE { ns:m.0w0 ns:toys.workshop.kites ?x }",
        ["m.0ka", "1999"],
        None,
    ),
    "LC-QuAD 1": (
        small_forms.LC_QUAD_1,
        ("corrected_question", "sparql_query"),
        ["1500", "1501"],
        "How many kites did workshop 0 build?",
        "SELECT DISTINCT COUNT(?uri) WHERE { ?uri <http://x.org/builder> <http://x.org/W0> }",
        None,
        None,
    ),
    "LC-QuAD 2": (
        small_forms.LC_QUAD_2,
        ("question", "sparql_wikidata"),
        ["0", "3"],
        "Which kite does workshop 0 make?",
        "select distinct ?obj where { wd:Q0 wdt:P1 ?obj }",
        None,
        None,
    ),
    "WebQSP": (
        small_forms.WEBQSP,
        ("RawQuestion", "Sparql"),
        ["ToyTest-0", "ToyTest-1"],
        "who made kite 0?",
        "SELECT ?x WHERE { }",
        ["m.0a", "m.0b"],
        None,
    ),
    "SimpleQuestions": (
        small_forms.SIMPLE_QUESTIONS,
        ("question", "s_expression"),
        [],
        "who made kite one?",
        "(JOIN (R toys.kite.maker) m.0k1)",
        ["m.0w1"],
        "sexpression",
    ),
}


def write_form(folder: Path, name: str, value: Any) -> Path:
    if name == "SimpleQuestions":
        return write_lines(folder / "annotated.txt", value)
    return write(folder / "items.json", value)


def test_every_form_is_tested() -> None:
    assert {form.name for form in FORMS} == set(EXPECTED)


@pytest.mark.filterwarnings("ignore::recombine.errors.InputWarning")
@pytest.mark.parametrize("name", EXPECTED)
@pytest.mark.parametrize("packed", [False, True])
def test_each_form_is_told_and_read(tmp_path: Path, name: str, packed: bool) -> None:
    value, fields, ids, source, target, answers, language = EXPECTED[name]
    path = write_form(tmp_path, name, value)
    if packed:
        path.with_name(path.name + ".gz").write_bytes(gzip.compress(path.read_bytes()))
        path = path.with_name(path.name + ".gz")
    form = find_form(path)
    assert form is not None
    assert form.name == name
    data = recombine.load(path)
    assert data.fields == fields
    assert [example.id for example in data] == (ids or [example.id for example in data])
    assert (data[0].source, data[0].target, data[0].tags.get("answers")) == (source, target, answers)
    assert (data.language and data.language.name) == language
    if data.language is not None:
        assert all(data.language.parse(example.target).children for example in data)


def test_other_fields_of_an_item_are_tags(tmp_path: Path) -> None:
    example = recombine.load(write(tmp_path / "a.json", small_forms.GRAILQA))[1]
    assert example.tags["graph_query"] == small_forms.GRAPH
    assert (example.tags["level"], example.tags["qid"], example.tags["line"]) == ("i.i.d.", 3200001000001, 2)
    assert "question" not in example.tags


def test_other_fields_can_be_named(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", small_forms.GRAILQA)
    data = recombine.load(path, target="sparql_query")
    assert data[0].target.startswith("SELECT")
    assert data.language is None  # what is no S-expression is not read as one
    with pytest.raises(RecordError, match="record 1: no field 'program'"):
        recombine.load(path, target="program")


def test_of_several_parses_the_first_with_sparql_counts(tmp_path: Path) -> None:
    with pytest.warns(InputWarning, match="2 questions of WebQSP; left out: 2 without a parse that has SPARQL"):
        data = recombine.load(write(tmp_path / "w.json", small_forms.WEBQSP))
    assert [example.target for example in data] == ["SELECT ?x WHERE { }", "SELECT ?z WHERE { }"]
    assert [example.tags["answers"] for example in data] == [["m.0a", "m.0b"], ["m.0c"]]
    assert data[1].tags["topic"] == "m.0k"
    assert len(data[0].tags["Parses"]) == 2  # type: ignore[arg-type]
    assert "topic_name" not in data[0].tags  # it is null there


def test_questions_that_nobody_wrote_are_left_out_and_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "lcquad.json", small_forms.LC_QUAD_2)
    with pytest.raises(SystemExit) as ended:
        run(["show", "lcquad.json", "-n", "1"])
    assert ended.value.code == 0
    printed = capsys.readouterr()
    assert "lcquad.json: 2 questions of LC-QuAD 2; left out: 2 without a question" in printed.err
    assert ": 2 examples" in printed.out


def test_nothing_is_said_where_nothing_is_left_out(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(recombine.load(write(tmp_path / "a.json", small_forms.CWQ))) == 2


def test_a_file_of_which_nothing_is_left(tmp_path: Path) -> None:
    nothing = {**small_forms.WEBQSP, "Questions": small_forms.WEBQSP["Questions"][2:]}
    with pytest.raises(InputFileError, match=r"no questions of WebQSP: .*2 without a parse that has SPARQL"):
        recombine.load(write(tmp_path / "w.json", nothing))


def test_a_sidecar_and_a_world_are_read_as_for_any_file(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", small_forms.GRAILQA)
    (tmp_path / "facts.nt").write_text("<http://a> <http://b> <http://c> .\n")
    write(tmp_path / "a.json.meta.json", {"context": ["domains"], "world": {"path": "facts.nt"}})
    data = recombine.load(path)
    assert data[0].context["domains"] == ("toys",)
    assert data.world is not None
    assert data.world.kind == "kb"


# -- what is of no such form ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        [{"source": "a", "target": "b"}],
        [{"question": "a", "query": "b"}],
        [{"qid": 1, "question": "a"}],  # the public test set of GrailQA
        [{**small_forms.GRAILQA[0], "questionPatternModEntities": "x", "sparqlPatternModEntities": "y"}],
        {"Questions": [{"RawQuestion": "a"}]},
        {"questions": []},
    ],
)
def test_other_files_are_read_as_before(tmp_path: Path, value: Any) -> None:
    path = write(tmp_path / "a.json", value)
    if isinstance(value, list) and "questionPatternModEntities" in value[0]:
        assert recombine.load(path).fields == ("questionPatternModEntities", "sparqlPatternModEntities")
    else:
        assert find_form(path) is None


def test_lines_that_are_no_addresses_are_a_table(tmp_path: Path) -> None:
    assert find_form(write_lines(tmp_path / "a.tsv", [("source", "target"), ("a", "b")])) is None
    assert find_form(write_lines(tmp_path / "b.txt", [("m.0k1", "toys.kite.maker", "m.0w1", "who made it")])) is None


def test_a_first_item_longer_than_what_is_looked_at(tmp_path: Path) -> None:
    long = {**small_forms.GRAILQA[0], "answer": [{"answer_argument": f"m.0{n:08d}"} for n in range(20_000)]}
    path = write(tmp_path / "a.json", [long, *small_forms.GRAILQA[1:]])
    assert path.stat().st_size > 1 << 18
    form = find_form(path)
    assert form is not None
    assert form.name == "GrailQA"
    assert len(recombine.load(path)[0].tags["answers"]) == 20_000  # type: ignore[arg-type]


# -- what is broken ---------------------------------------------------------------------------------------------------


def without(item: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in item.items() if name not in names}


GOOD = small_forms.GRAILQA[0]
BROKEN: list[tuple[str, Any, str]] = [
    ("no question", [GOOD, without(GOOD, "question")], "record 2: no field 'question'"),
    ("no id", [GOOD, without(GOOD, "qid")], "record 2: no field 'qid'"),
    ("same id", [GOOD, GOOD], "record 2: the id '3200001000000' stands already in record 1"),
    ("a number", [GOOD, {**GOOD, "qid": 1, "question": 5}], "record 2: the field 'question' is not text"),
    ("answers", [{**GOOD, "answer": {"m.0": 1}}], "record 1: the field 'answer' is not a list"),
    ("answer", [{**GOOD, "answer": [None]}], "record 1: an answer in 'answer' is not an object with 'answer_argument'"),
    ("cwq", [{**small_forms.CWQ[0], "answers": [{}]}], "record 1: an answer in 'answers' is not an object with"),
    ("array", [GOOD, 5], "record 2: .* is not a JSON object"),
    ("parses", {"Questions": [small_forms.webqsp_question(1), {"Parses": 5}]}, "question 2: .*'Parses' is not a list"),
    ("questions", {"Questions": [small_forms.webqsp_question(1), 5]}, "question 2: is not a JSON object"),
]


@pytest.mark.parametrize(("value", "problem"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN])
def test_items_that_cannot_be_used_are_named(tmp_path: Path, value: Any, problem: str) -> None:
    with pytest.raises(RecordError, match=problem) as caught:
        recombine.load(write(tmp_path / "items.json", value))
    assert str(caught.value).startswith(str(tmp_path / "items.json"))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (("www.freebase.com/m/0k1", "www.freebase.com/a/b", "who"), "line 3: 3 fields where 4 are expected"),
        (("m.0k1", "www.freebase.com/a/b", "www.freebase.com/m/0", "who"), "line 3: the subject 'm.0k1' is no address"),
        (("www.freebase.com/m/0", "www.freebase.com/a b", "www.freebase.com/m/0", "who"), "line 3: the relation"),
        (("",), "line 3: 1 fields where 4 are expected"),
    ],
)
def test_lines_that_cannot_be_used_are_named(tmp_path: Path, line: tuple[str, ...], problem: str) -> None:
    with pytest.raises(RecordError, match=problem):
        recombine.load(write_lines(tmp_path / "a.txt", [*small_forms.SIMPLE_QUESTIONS, line]))


def test_a_file_that_is_cut_off(tmp_path: Path) -> None:
    whole = orjson.dumps(small_forms.GRAILQA)
    (tmp_path / "a.json").write_bytes(whole[:-40])
    with pytest.raises(InputFileError, match=rf"a.json: is cut off at byte {len(whole) - 40}, inside of record 3"):
        recombine.load(tmp_path / "a.json")
    whole = orjson.dumps(small_forms.WEBQSP)
    (tmp_path / "w.json").write_bytes(whole[:-40])
    with pytest.raises(RecombineError, match=r"w.json, line 1: broken JSON at column"):
        recombine.load(tmp_path / "w.json")


def test_arrays_are_read_item_by_item(tmp_path: Path) -> None:
    # 30 MB of graph queries that tags hold nothing of: the items are dropped by their reader.
    big = {**small_forms.LC_QUAD_2[1], "subgraph": "x" * 300_000}
    items = [small_forms.LC_QUAD_2[0], *({**big, "uid": 10 + number} for number in range(100))]
    path = write(tmp_path / "a.json", items)
    del items
    tracemalloc.start()
    with pytest.warns(InputWarning, match="left out: 100 without a question"):
        recombine.load(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert path.stat().st_size > 30e6
    assert peak < 25e6
