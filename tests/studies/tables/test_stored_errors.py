"""What is computed of stored predictions: error types, agreement of errors, lengths; and the page that shows them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from recombine.errors import RecombineError
from recombine.models.task import CellOutcome
from recombine.pages.study.study_page import render_study
from recombine.studies.cells.plan import Plan, make_plan
from recombine.studies.cells.results import store_outcome
from recombine.studies.file.read_study_file import read_study_file
from recombine.studies.tables.agreements import agreements
from recombine.studies.tables.cell_outputs import SplitOutputs, read_cell_outputs
from recombine.studies.tables.error_types import error_types
from recombine.studies.tables.length_table import length_tables
from recombine.studies.tables.summary import read_results

QUERY = "SELECT count(*) WHERE { M0 ns:film.editor.film M1 . M0 ns:film.writer.film M1 }"
SHORT = "SELECT count(*) WHERE { M0 ns:film.writer.film M1 }"
LONG = QUERY.replace("}", ". M1 ns:film.actor.film M0 }")
OTHER = "SELECT count(*) WHERE { M0 ns:film.actor.film M1 . M0 ns:film.writer.film M1 }"
TURNED = "SELECT count(*) WHERE { M0 ns:film.writer.film M1 . M0 ns:film.editor.film M1 }"
STUDY = """
name = "queries"
seeds = [0, 1]

[[data]]
file = "queries.tsv"
language = "sparql"

[[split]]
by = "random"
train = 4
test = 4

[[model]]
name = "one"
preset = "cfq:transformer"

[[model]]
name = "two"
preset = "cfq:lstm"

[[paper_errors]]
model = "one"
splits = ["random"]
clause = 63.9
deletion = 49.2
same_clauses = 0.6
source = "a <table>"
"""
OUTPUTS = {
    "one/random/0": [QUERY, SHORT, OTHER, TURNED],
    "one/random/1": [QUERY, SHORT, SHORT, SHORT],
    "two/random/0": [QUERY, SHORT, QUERY, "SELECT WHERE"],
    "two/random/1": [QUERY, QUERY, QUERY, QUERY],
}


@pytest.fixture
def stored(tmp_path: Path) -> Plan:
    """A study whose cells have the outputs above, in the order of the test part."""
    rows = [f"question {number}\t{QUERY}" for number in range(8)]
    (tmp_path / "queries.tsv").write_text("\n".join(["source\ttarget", *rows]) + "\n")
    (tmp_path / "study.toml").write_text(STUDY)
    plan = make_plan(tmp_path / "study.toml", tmp_path / "results")
    for cell in plan.cells:
        outcome = CellOutcome(tuple(OUTPUTS[cell.name]), curve=((10, 1.0, 0.5),))
        store_outcome(plan.results, cell, plan.datasets[cell.data], outcome)
    return plan


def outputs(plan: Plan) -> list[SplitOutputs]:
    return read_cell_outputs(plan, read_results(plan))


def test_error_types_are_means_over_cells(stored: Plan) -> None:
    one, two = error_types(stored, outputs(stored))
    assert (one.split, one.model, one.cells, one.examples) == ("random", "one", 2, 8)
    # Of four outputs: two and three with a clause error, one and three of them with a deletion; another order apart.
    assert one.means["clause"][0] == 62.5
    assert one.means["deletion"][0] == 50.0
    assert one.means["property"][0] == 12.5
    assert one.means["same_clauses"][0] == 12.5
    assert one.means["right"][0] == 25.0
    assert one.means["malformed"][0] == 0.0
    # Student's t with one degree of freedom over 50 and 75: 12.706 × 17.678 / √2.
    assert one.means["clause"][1] == pytest.approx(12.7062 * 12.5, rel=1e-4)
    assert one.interval_kind == "within"
    assert one.paper is not None
    assert (one.paper.deletion, one.paper.node) == (49.2, None)
    assert two.means["malformed"][0] == 12.5
    assert two.paper is None


def test_other_languages_have_no_error_types(stored: Plan, tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY.replace('language = "sparql"', ""))
    plan = make_plan(tmp_path / "study.toml", tmp_path / "plain")
    for cell in plan.cells[:1]:
        store_outcome(plan.results, cell, plan.datasets[cell.data], CellOutcome(tuple(OUTPUTS[cell.name])))
    assert len(outputs(plan)) == 1
    assert error_types(plan, outputs(plan)) == []
    assert error_types(stored, []) == []


def test_agreement_is_between_models_of_a_seed_and_replicates_of_a_model(stored: Plan) -> None:
    models, ones, twos = agreements(outputs(stored))
    assert (models.between, models.comparisons, models.systems) == ("2 models, equal seeds", 2, 2)
    # Clauses in another order are right. Seed 0: wrong are 2, 3 and 2, 4; seed 1: 2, 3, 4 and none.
    assert models.alike == pytest.approx(100 * (2 / 4 + 1 / 4) / 2)
    assert models.shared == pytest.approx(100 * (1 / 3 + 0) / 2)
    # By chance, seed 0: ½·½ + ½·½ alike, ¼ of ¾ shared; seed 1: ¼·1, and none.
    assert models.alike_by_chance == pytest.approx(100 * (1 / 2 + 1 / 4) / 2)
    assert models.shared_by_chance == pytest.approx(100 * (1 / 3 + 0) / 2)
    assert (ones.between, ones.alike, ones.shared) == ("replicates of one", 75.0, pytest.approx(200 / 3))
    assert (twos.between, twos.comparisons, twos.shared) == ("replicates of two", 1, 0.0)


def test_lengths_are_over_all_cells_of_a_model(stored: Plan) -> None:
    (table,) = length_tables(outputs(stored))
    assert list(table.models) == ["one", "two"]
    assert (table.models["one"].whole.n, table.models["one"].whole.wrong) == (8, 5)
    assert (table.models["one"].shorter, table.models["one"].same) == (4, 1)
    # Wrong are eleven, and two, symbols for gold's fifteen.
    assert table.models["two"].whole.too_short == pytest.approx(1 - 13 / 30)


def test_the_page_shows_what_was_computed(stored: Plan) -> None:
    page = render_study(stored, read_results(stored)).decode()
    sections = re.findall(r'<section id="(\w+)"', page)
    assert [name for name in sections if name in ("errors", "lengths", "agreement")] == [
        "errors",
        "lengths",
        "agreement",
    ]
    errors = page[page.index('<section id="errors"') : page.index('<section id="lengths"')]
    assert "62.5" in errors
    assert "63.9" in errors
    assert "a &lt;table&gt;" in errors
    assert "published: 0.6" in errors
    assert "2 cells, 8 outputs, ± within" in errors
    assert "replicates of one" in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    for name in re.findall(r'href="#([^"]+)"', page):
        assert name in ids


@pytest.mark.parametrize(("output", "said"), [(SHORT, "27% too short"), (LONG, "27% too long")])
def test_the_page_says_how_long_wrong_outputs_are_in_sum(output: str, said: str, stored: Plan) -> None:
    """Of eleven symbols, or nineteen, where gold has fifteen; beside them, outputs as long as gold."""
    for cell in stored.cells:
        written = {"one": (OTHER, OTHER, QUERY, QUERY), "two": (output, QUERY, QUERY, QUERY)}[cell.model.name]
        store_outcome(stored.results, cell, stored.datasets[cell.data], CellOutcome(written))
    page = render_study(stored, read_results(stored)).decode()
    assert re.findall(r"<strong>(\w+)</strong>: (\d wrong outputs, in sum [^(]*) \(", page) == [
        ("one", "4 wrong outputs, in sum as long as gold"),
        ("two", f"2 wrong outputs, in sum {said}"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("deletion = 49.2", "deletoin = 49.2", r"\[\[paper_errors\]\] number 1: unknown key 'deletoin'.*deletion"),
        (
            'splits = ["random"]\nclause',
            'splits = ["randon"]\nclause',
            r"unknown split in \[\[paper_errors\]\] 'randon'",
        ),
        ('model = "one"', 'model = "three"', r"unknown model in \[\[paper_errors\]\] 'three'"),
        ("deletion = 49.2", 'deletion = "many"', "'deletion' is 'many'"),
    ],
)
def test_wrong_published_errors_are_refused(old: str, new: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY.replace(old, new))
    with pytest.raises(RecombineError, match=message):
        read_study_file(tmp_path / "study.toml")
