"""The columns of GrailQA's table 1: worked out by hand on small data, and those of the catalogue's."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_questions import write_ontology

import recombine

COUNTS = ("questions", "canonical_forms", "domains", "relations", "classes", "entities", "literals")


def counts(row: dict[str, object]) -> tuple[object, ...]:
    return tuple(row[name] for name in COUNTS)


@pytest.fixture(scope="module")
def ontology(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_ontology(tmp_path_factory.mktemp("ontology"))


def test_classes_as_written(ontology: Path) -> None:
    forms = [
        "(AND film.thing (JOIN film.thing.maker m.01))",
        "(AND film.thing (JOIN film.thing.maker m.02))",
        "(AND law.thing (lt law.thing.size 1.5^^http://www.w3.org/2001/XMLSchema#float))",
    ]
    data = recombine.load([(form, form) for form in forms], language="sexpression")
    (row,) = recombine.kb_table(data, ontology=ontology).rows
    assert counts(row) == (3, 2, 2, 2, 2, 2, 1)
    assert row["classes_rule"] == "as written"


def test_classes_of_relations(ontology: Path) -> None:
    """A form without a class: then the classes of all relations' ends count, those of literals not."""
    forms = [
        "(JOIN film.thing.maker m.01)",
        "(AND law.thing (lt law.thing.size 1.5^^http://www.w3.org/2001/XMLSchema#float))",
    ]
    data = recombine.load([(form, form) for form in forms], language="sexpression")
    (row,) = recombine.kb_table(data, ontology=ontology).rows
    assert counts(row) == (2, 2, 2, 2, 3, 1, 1)  # film.thing, film.maker, law.thing
    assert (row["classes_rule"], row["classes_written"]) == ("domains and ranges", 1)


def test_sparql_and_what_is_left_out() -> None:
    queries = [
        'SELECT ?x { ?x wdt:P31 wd:Q5 ; wdt:P19 wd:Q64 ; rdfs:label "Ann"@en }',
        "SELECT ?x { ?x wdt:P19 wd:Q65 ; wdt:P2048 ?h FILTER(?h > 2) }",
        "DESCRIBE wd:Q1",
    ]
    data = recombine.load([(query, query) for query in queries], language="sparql11")
    (row,) = recombine.kb_table(data).rows
    assert counts(row) == (3, 2, None, 3, 1, 2, 2)
    assert "1 programs cannot be read" in row["notes"]
    assert any("without an ontology" in said for said in row["notes"])


def test_data_without_forms() -> None:
    (row,) = recombine.kb_table([("who", "Ann|Bob"), ("what", "x")]).rows  # type: ignore[arg-type]
    assert counts(row) == (2, None, None, None, None, None, None)
    assert row["notes"] == ["its targets are in no known language, and are no forms over a knowledge base"]


@pytest.mark.shared_data
def test_the_table_of_the_page(data_dir: Path) -> None:
    """What docs/levels.md prints; `cfq/mcd1` takes long, and has a test of its own."""
    page = (Path(__file__).parents[2] / "docs" / "levels.md").read_text()
    for row in recombine.kb_table(["grailqa", "qald/9", "qald/10"]).rows:
        shown = " | ".join("–" if value is None else f"{value:,}" for value in counts(row))
        assert f"| `{row['data']}` | {shown} |" in page


@pytest.mark.shared_data
@pytest.mark.slow
def test_the_row_of_cfq(data_dir: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "levels.md").read_text()
    (row,) = recombine.kb_table("cfq/mcd1").rows
    assert f"| `cfq/mcd1` | {' | '.join(f'{value:,}' for value in counts(row))} |" in page  # type: ignore[str-format]
