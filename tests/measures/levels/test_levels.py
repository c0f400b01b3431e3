"""The level of an example: an unseen item, else an unseen template, else neither."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_questions import made_questions, write_ontology

import recombine
from recombine.errors import OptionError, RecordError, SplitError
from recombine.measures.levels.level_definition import level_definition
from recombine.measures.levels.level_features import level_features
from recombine.measures.levels.levels import levels_against
from recombine.measures.levels.nearest_examples import NearestExamples
from recombine.records.dataset import Dataset
from recombine.records.split import Split

FORMS = [
    "(AND film.thing (JOIN film.thing.maker m.01))",  # train
    "(AND film.thing (JOIN film.thing.kind m.02))",
    "(AND film.thing (JOIN film.thing.maker m.03))",  # i.i.d.
    "(AND film.thing (AND (JOIN film.thing.maker m.01) (JOIN film.thing.kind m.02)))",  # compositional
    "(COUNT (AND film.thing (JOIN film.thing.kind m.02)))",  # zero-shot by its function
    "(AND film.maker (JOIN (R film.thing.maker) m.07))",  # zero-shot by its class
    "(JOIN film.thing.kind m.04)",  # i.i.d. under the ontology, where the relation implies the class
    "(JOIN (R film.maker.things) m.05)",  # zero-shot as written, i.i.d. where reverses are one
]


@pytest.fixture(scope="module")
def ontology(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_ontology(tmp_path_factory.mktemp("ontology"))


def data(forms: list[str] = FORMS, language: str = "sexpression") -> Dataset:
    rows = [{"id": f"q{n}", "source": f"question {n}", "target": form} for n, form in enumerate(forms)]
    return recombine.load(rows, language=language)


def cut(dataset: Dataset, **parts: list[int]) -> Split:
    ids = {name: tuple(dataset.ids[row] for row in rows) for name, rows in parts.items()}
    return Split(ids, dataset.name, dataset.hash, recombine.Signature.of(data=dataset, by="hand"))


def test_levels_by_hand(ontology: Path) -> None:
    definition, _ = level_definition(data(), ontology=ontology)
    found = levels_against(level_features(data(), definition), [0, 1], [2, 3, 4, 5, 6, 7])
    assert [level.level for level in found] == [
        "i.i.d.",
        "compositional",
        "zero-shot",
        "zero-shot",
        "i.i.d.",
        "zero-shot",
    ]
    assert found[1].unseen_template == "(AND (JOIN (R film.maker.things) @ENTITY) (JOIN film.thing.kind @ENTITY))"
    assert found[2].unseen_items == ("COUNT",)
    assert found[3].unseen_items == ("film.maker",)
    assert found[5].unseen_items == ("film.maker.things",)


def test_reverses_may_be_one(ontology: Path) -> None:
    definition, _ = level_definition(data(), ontology=ontology, merge_reverses=True)
    found = levels_against(level_features(data(), definition), [0, 1], [7])
    assert found[0].level == "i.i.d."


def test_without_an_ontology_templates_are_syntax(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    definition, notes = level_definition(data())
    assert definition.ontology is None
    assert "give --ontology DIR" in notes[0]
    assert levels_against(level_features(data(), definition), [0, 1], [6])[0].level == "compositional"
    with pytest.raises(OptionError, match="needs an ontology"):
        level_definition(data(), merge_reverses=True)


def test_masked_after_it_is_grounded(ontology: Path) -> None:
    """Two facts of one relation are not one where their entities differ; said twice, they are."""
    join = "(JOIN film.thing.kind {})"
    forms = [f"(AND film.thing {join.format('m.01')})"]
    forms += [f"(AND {join.format(one)} {join.format(two)})" for one, two in (("m.02", "m.03"), ("m.04", "m.04"))]
    definition, _ = level_definition(data(forms), ontology=ontology)
    found = levels_against(level_features(data(forms), definition), [0], [1, 2])
    assert [level.level for level in found] == ["compositional", "i.i.d."]


def test_the_same_levels_in_sparql(ontology: Path) -> None:
    """Levels of programs written as SPARQL are those of the S-expressions that they were made of."""
    from recombine.kb.forms.convert import convert
    from recombine.kb.forms.form import SPARQL, SExpression
    from recombine.kb.profiles.find_profile import find_profile
    from recombine.languages.sexpression import parse_sexpression
    from recombine.languages.sparql.write_query import write_query

    freebase = find_profile("freebase")
    rows = made_questions(3, questions=200)
    written = []
    for row in rows:
        form = convert(SExpression(parse_sexpression(row["target"])), SPARQL, profile=freebase).form
        written.append({**row, "target": write_query(form.tree)})  # type: ignore[union-attr]
    one, other = (recombine.load(each, language=name) for each, name in ((rows, "sexpression"), (written, "sparql11")))
    ids = {"train": list(range(120)), "test": list(range(120, 200))}
    results = [recombine.levels(each, cut(each, **ids), ontology=ontology, profile="freebase") for each in (one, other)]
    records = [{record["id"]: record["level"] for record in result.iter_records()} for result in results]
    assert records[0] == records[1]
    assert set(records[0].values()) == {"i.i.d.", "compositional", "zero-shot"}
    assert results[0].features.names == results[1].features.names


def test_all_parts_but_train(ontology: Path) -> None:
    result = recombine.levels(data(), cut(data(), train=[0, 1], dev=[2], test=[3, 4]), ontology=ontology)
    assert result["levels"]["dev"] == {
        "n": 1,
        "counts": {"i.i.d.": 1, "compositional": 0, "zero-shot": 0},
        "shares": {"i.i.d.": 1.0, "compositional": 0.0, "zero-shot": 0.0},
    }
    assert result["levels"]["test"]["counts"] == {"i.i.d.": 0, "compositional": 1, "zero-shot": 1}
    with pytest.raises(SplitError, match="no train examples"):
        recombine.levels(data(), cut(data(), test=[3]), ontology=ontology)
    with pytest.raises(SplitError, match="no examples but those of train"):
        recombine.levels(data(), cut(data(), train=[3]), ontology=ontology)


def test_programs_that_cannot_be_read_are_counted(ontology: Path) -> None:
    forms = data([*FORMS, "(JOIN film.thing.maker", "(FOO a b)"])
    split = cut(forms, train=[0, 1, 9], test=[2, 8])
    result = recombine.levels(forms, split, ontology=ontology)
    assert result["levels"]["test"]["n"] == 1
    assert set(result["unreadable"]) == {"q8", "q9"}
    records = {record["id"]: record for record in result.iter_records()}
    assert records["q8"]["level"] is None
    assert records["q8"]["reason"].startswith("its program cannot be read")
    with pytest.raises(OptionError, match="no program can be read; q0"):
        recombine.levels(data(["(FOO a)"]), cut(data(["(FOO a)"]), train=[0], test=[0]), ontology=ontology)


# -- against what prompts showed -------------------------------------------------------------------------------------


def test_against_what_each_prompt_showed(ontology: Path, tmp_path: Path) -> None:
    shown = tmp_path / "shown.jsonl"
    shown.write_text(
        '{"id": "q2", "shown": ["q0"]}\n{"id": "q3", "shown": ["q0", "q1"]}\n{"id": "q4", "shown": []}\n'
        '{"id": "q6", "shown": ["q0"]}\n'
    )
    split = cut(data(), train=[0, 1], test=[2, 3, 4, 5, 6])
    result = recombine.levels(data(), split, shown=shown, ontology=ontology)
    records = {record["id"]: record for record in result.iter_records()}
    assert [records[f"q{n}"]["level"] for n in (2, 3, 4, 5, 6)] == [
        *("i.i.d.", "compositional", "zero-shot", None, "zero-shot"),
    ]
    assert records["q6"]["unseen_items"] == ["film.thing.kind"]
    assert result["without_prompt"] == 1
    assert result["against"] == "shown"
    assert result["levels"]["test"]["n"] == 4
    assert result["levels"]["test"]["counts"] == {"i.i.d.": 1, "compositional": 1, "zero-shot": 2}
    mapping = {"q2": ["q0"], "q3": ["q0", "q1"], "q4": [], "q6": ["q0"]}
    again = recombine.levels(data(), split, shown=mapping, ontology=ontology)
    assert list(again.iter_records()) == list(result.iter_records())


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"shown": []}', "line 2: has no text 'id'"),
        ('{"id": "q3", "shown": "q0"}', "line 2: its 'shown' is no list of ids"),
        ('{"id": "q3", "shown": [1]}', "line 2: its 'shown' is no list of ids"),
        ('{"id": "q3", "shown": ["zz"]}', "line 2: records has no example 'zz'"),
        ('{"id": "zz", "shown": ["q0"]}', "line 2: records has no example 'zz'"),
        ('{"id": "q2", "shown": ["q0"]}', "line 2: the id 'q2' is in an earlier line too"),
        ('{"id": ', "line 2: broken JSON"),
    ],
)
def test_bad_files_of_what_was_shown(line: str, problem: str, ontology: Path, tmp_path: Path) -> None:
    shown = tmp_path / "shown.jsonl"
    shown.write_text('{"id": "q2", "shown": ["q0"]}\n' + line + "\n")
    with pytest.raises(RecordError, match=problem):
        recombine.levels(data(), cut(data(), train=[0], test=[2, 3]), shown=shown, ontology=ontology)


# -- other languages -------------------------------------------------------------------------------------------------


def test_other_languages_have_levels_too() -> None:
    forms = ["answer ( river ( m0 ) )", "answer ( city ( all ) )", "answer ( city ( m3 ) )", "answer ( lake ( m0 ) )"]
    funql = data([*forms, "answer ( river ( m9 ) )"], "funql")
    result = recombine.levels(funql, cut(funql, train=[0, 1], test=[2, 3, 4]))
    assert [record["level"] for record in result.iter_records()] == ["compositional", "zero-shot", "i.i.d."]
    sql = data(["SELECT a FROM t WHERE b = 1", "SELECT a FROM t WHERE b = 2", "SELECT c FROM t WHERE b = 2"], "sql")
    result = recombine.levels(sql, cut(sql, train=[0], test=[1, 2]))
    assert [record["level"] for record in result.iter_records()] == ["i.i.d.", "zero-shot"]


@pytest.mark.parametrize("option", [{"ontology": "x"}, {"profile": "freebase"}, {"constructs": True}])
def test_options_of_knowledge_bases_are_refused_elsewhere(option: dict[str, str | bool]) -> None:
    funql = data(["answer ( river ( m0 ) )", "answer ( city ( m0 ) )"], "funql")
    with pytest.raises(OptionError, match="is for S-expressions and SPARQL, and records is in funql"):
        recombine.levels(funql, cut(funql, train=[0], test=[1]), **option)  # type: ignore[arg-type]


def test_constructs_are_of_sparql(ontology: Path) -> None:
    with pytest.raises(OptionError, match="--constructs is for SPARQL"):
        recombine.levels(data(), cut(data(), train=[0], test=[1]), constructs=True, ontology=ontology)
    queries = data(["SELECT ?x { ?x wdt:P1 wd:Q1 }", "ASK { wd:Q2 wdt:P1 wd:Q1 }"], "sparql11")
    split = cut(queries, train=[0], test=[1])
    assert recombine.levels(queries, split)["levels"]["test"]["counts"]["compositional"] == 1
    assert recombine.levels(queries, split, constructs=True)["levels"]["test"]["counts"]["zero-shot"] == 1


def test_without_a_language_it_is_refused() -> None:
    plain = recombine.load([("a", "b"), ("c", "d")])
    with pytest.raises(OptionError, match=r"language of records's targets is not known.*name it with --language"):
        recombine.levels(plain, cut(plain, train=[0], test=[1]))


def test_the_profile_of_sparql_is_that_of_its_names() -> None:
    wikidata = data(["ASK { wd:Q1 wdt:P2 wd:Q3 }"], "sparql11")
    dbpedia = data(["ASK { <http://dbpedia.org/resource/A> rdf:type dbo:City }"], "sparql11")
    own = data(["ASK { <http://mine.org/a> <http://mine.org/b> <http://mine.org/c> }"], "sparql11")
    found = [level_definition(each)[0].fields()["profile"] for each in (wikidata, dbpedia, own)]
    assert found == ["wikidata", "dbpedia", "plain"]


# -- the nearest example ---------------------------------------------------------------------------------------------


def test_the_nearest_shares_most(ontology: Path) -> None:
    definition, _ = level_definition(data(), ontology=ontology)
    features = level_features(data(), definition)
    near = NearestExamples(features, [0, 1])
    assert near.of(2) == (0, 2, 2)  # of the same template
    assert near.of(4) == (1, 2, 3)
    assert near.of(7) == (0, 0, 1)  # of the same template by the reverse of its relation
    assert NearestExamples(features, [1]).of(5) is None
    assert NearestExamples(features, []).of(2) is None


def test_the_file_has_a_line_for_each_example(ontology: Path, tmp_path: Path) -> None:
    import orjson

    out = tmp_path / "levels.jsonl"
    recombine.levels(data(), cut(data(), train=[0, 1], test=[2, 3, 4]), ontology=ontology).write(out)
    lines = [orjson.loads(line) for line in out.read_bytes().splitlines()]
    assert [line["id"] for line in lines] == ["q2", "q3", "q4"]
    assert lines[2] == {
        "id": "q4",
        "part": "test",
        "level": "zero-shot",
        "unseen_items": ["COUNT"],
        "nearest": "q1",
        "shared_items": 2,
        "reason": "COUNT not in train",
    }


def test_tagged_levels_are_set_beside(ontology: Path) -> None:
    rows = [
        {"id": f"q{n}", "source": "q", "target": form, "level": level}
        for n, (form, level) in enumerate(zip(FORMS, ["i.i.d."] * 3 + ["zero-shot"] * 5, strict=True))
    ]
    tagged = recombine.load(rows, language="sexpression")
    result = recombine.levels(tagged, cut(tagged, train=[0, 1], test=[2, 3, 4]), ontology=ontology)
    assert result["tagged"]["test"] == {
        "i.i.d.": {"i.i.d.": 1, "compositional": 0, "zero-shot": 0},
        "zero-shot": {"i.i.d.": 0, "compositional": 1, "zero-shot": 1},
    }
    assert recombine.levels(data(), cut(data(), train=[0], test=[1]), ontology=ontology)["tagged"] == {}


@pytest.mark.shared_data
def test_every_fifth_item_of_grailqa(data_dir: Path) -> None:
    """The numbers of issue 18: items 1, 6, 11 … as test, the rest train."""
    grailqa = recombine.load("grailqa")
    rows = range(len(grailqa))
    split = cut(grailqa, train=[row for row in rows if row % 5], test=[row for row in rows if row % 5 == 0])
    result = recombine.levels(grailqa, split)
    assert result["levels"]["test"]["counts"] == {"i.i.d.": 66, "compositional": 5, "zero-shot": 49}
    assert result["templates"] == 379
