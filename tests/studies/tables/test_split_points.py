"""Points of Figure 7: the share of train and D_A count each example once; labels stand apart."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recombine.files import write_whole
from recombine.pages.study.study_labels import LEFT, TALL, TOP, WIDTH, Label, labelled_scatter, place_labels
from recombine.pages.study.study_page import render_study
from recombine.studies.cells.plan import Plan, make_plan
from recombine.studies.tables.split_points import SplitPoint, split_points
from recombine.studies.tables.summary import CellResult, read_results
from small_study import TINY

STUDIES = Path(__file__).parents[3] / "studies"
PROGRAMS = [f"{op} ( find ( {noun} ) )" for op in ("count", "exists") for noun in ("dog", "cat", "bed", "cap")]
STUDY = f"""
name = "programs"
labels = true

[[data]]
file = "programs.tsv"
language = "covr"

[[split]]
name = "often"
by = "phrase:target"
held_out = "count"
few_shot = [1, 2]
shown_share = 0.5

[[split]]
name = "once"
by = "phrase:target"
held_out = "count"
few_shot = [1, 2]

[[split]]
name = "drawn"
by = "phrase:target"
held_out = "count"
few_shot = 2
seeds = [3, 4]

[[model]]
name = "tiny"
{TINY}
[[model]]
name = "other"
{TINY.replace("steps = 30", "steps = 31")}
"""


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    rows = ["source\ttarget", *(f"{program}\t{program}" for program in PROGRAMS)]
    (tmp_path / "programs.tsv").write_text("\n".join(rows) + "\n")
    (tmp_path / "study.toml").write_text(STUDY)
    return make_plan(tmp_path / "study.toml", tmp_path / "r")


def results(plan: Plan, **shares: float) -> list[CellResult]:
    """The cells of the model tiny, done on groups with these names and right so often."""
    found = []
    for cell in plan.cells:
        share = shares.get(cell.recipe.group.replace(",few_shot=", "_")) if cell.model.name == "tiny" else None
        record = {"state": "done", "key": cell.key, "score": {"exact_match": share, "n": 3}, "curve": []}
        if share is not None and cell.split is not None:
            rows = ({"id": key, "prediction": "", "correct": False} for key in cell.split.test)
            write_whole(plan.results / f"{cell.key}.jsonl.gz", b"".join(orjson.dumps(row) + b"\n" for row in rows))
        found.append(CellResult(cell, None if share is None else record))
    return found


def test_repeats_in_train_count_once(plan: Plan) -> None:
    found = results(plan, often_1=0.5, once_1=0.25)
    points = {point.name: point for point in split_points(plan, found)}
    assert list(points) == [*(f"{name},few_shot={n}" for name in ("often", "once") for n in (1, 2)), "drawn"]
    # Four programs lack the word, and one or two of the eight that have it are in train with them.
    assert [point.train_share for point in points.values()] == [5 / 8, 6 / 8, 5 / 8, 6 / 8, 6 / 8]
    for n in (1, 2):
        often, once = points[f"often,few_shot={n}"], points[f"once,few_shot={n}"]
        assert often.atom_divergence == pytest.approx(once.atom_divergence)
        assert often.compound_divergence == pytest.approx(once.compound_divergence)
        (repeated,) = {r.measured["atom_divergence"] for r in found if r.cell.recipe.name == f"often,few_shot={n}"}
        assert repeated != pytest.approx(once.atom_divergence)
    assert points["often,few_shot=1"].accuracy("tiny") == 50.0
    assert points["often,few_shot=1"].accuracy("other") is None
    assert points["drawn"].accuracy("tiny") is None
    seeds = {r.cell.recipe.name: r.measured["atom_divergence"] for r in found if r.cell.recipe.group == "drawn"}
    assert points["drawn"].atom_divergence == pytest.approx(sum(seeds.values()) / 2)


def test_labels_have_what_the_figure_has() -> None:
    assert SplitPoint("length", 0.8126, 0.0334, 0.416, {}).label == "length [81%, 0.03]"
    assert SplitPoint("length", 0.8126, None, None, {}).label == "length [81%]"


def test_the_page_has_a_picture_for_each_model_with_results_and_one_table(plan: Plan) -> None:
    page = render_study(plan, results(plan, often_1=0.5, drawn=1.0)).decode()
    assert 'id="labels-1-' in page
    assert 'id="labels-2-' not in page
    point = next(point for point in split_points(plan, results(plan)) if point.name == "drawn")
    assert f">{point.label}</text>" in page
    assert '<tr><th scope="row">often,few_shot=1</th><td>62.5 %</td>' in page
    plain = replace(plan, study=plan.study.model_copy(update={"labels": False}))
    without = render_study(plain, results(plan, often_1=0.5)).decode()
    assert "labels-1" not in without
    assert "Train share" not in without


def test_text_of_data_is_escaped_and_nothing_makes_no_picture() -> None:
    assert labelled_scatter([SplitPoint("a", 0.5, 0.1, 0.2, {})], "tiny", "p", 0) is None

    class Done(SplitPoint):
        def accuracy(self, model: str) -> float | None:  # noqa: ARG002
            return 50.0

    drawn = labelled_scatter([Done("<b>", 0.5, 0.1, 0.2, {})], "tiny", "p", 0)
    assert drawn is not None
    assert "&lt;b&gt; [50%, 0.10]" in drawn
    assert "<b>" not in drawn
    assert labelled_scatter([Done("a", 0.5, 0.1, None, {})], "tiny", "p", 0) is None


PLACES = st.tuples(st.floats(LEFT + 8, WIDTH - 20), st.floats(TOP, TOP + TALL))


@given(st.lists(PLACES, min_size=1, max_size=24))
@settings(max_examples=40, deadline=None)
def test_no_label_stands_on_another(places: list[tuple[float, float]]) -> None:
    labels = place_labels(places, [f"kind of splits {n} [63%, 0.08]" for n in range(len(places))])
    assert not any(one.hits(other) for one, other in itertools.combinations(labels, 2))
    assert all(label.x >= LEFT and TOP <= label.y <= TOP + TALL for label in labels)


def test_a_label_beside_its_point_goes_where_no_other_point_is() -> None:
    # The point right of the first is where its text would stand: it goes to the left.
    first, _ = place_labels([(400, 100), (430, 100)], ["one text", "two"])
    assert first.x < 400
    assert Label("one text", 408, 100).covers((430, 100))
    assert not Label("one text", 408, 100).covers((430, 120))


@pytest.mark.slow
def test_published_labels_of_figure_7() -> None:
    """Appendix G of the CFQ paper prints 63 % and 0.08 for jump, 94 % and 0.07 for turn left."""
    plan = make_plan(STUDIES / "scan_published_splits.toml", make=False)
    labels = [point.label for point in split_points(plan, read_results(plan))]
    assert {"addprim_jump [63%, 0.08]", "addprim_turn_left [94%, 0.07]"} <= set(labels)
