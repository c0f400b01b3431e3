"""Accuracy by training size, and its pictures on the page."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

from recombine.files import write_whole
from recombine.pages.study.study_page import render_study
from recombine.studies.tables.summary import CellResult
from recombine.studies.tables.training_sizes import size_lines
from small_study import STUDY, Study, plan_of

SIZES = STUDY.replace('by = "random"', 'name = "near"\nby = "random"\ntrain_sizes = [12, 4, 8]')
TWO = SIZES.replace(
    "[[model]]", '[[split]]\nname = "far"\nby = "random"\nseeds = [1]\ntrain_sizes = [4, 8]\ntest = 4\n[[model]]'
)
SHARES = {"near,train=12": (1.0, 0.5), "near,train=4": (0.25, 0.25), "near,train=8": (0.5, 0.25)}
SHARES |= {"far,train=4": (0.0, 0.25), "far,train=8": (0.25, 0.5)}
DIVERGENCES = {"near,train=12": 0.1, "near,train=4": 0.3, "near,train=8": 0.2, "far,train=4": 0.9, "far,train=8": 0.7}


def results(path: Path, folder: Path, *, done: tuple[str, ...] = tuple(SHARES)) -> tuple[Any, list[CellResult]]:
    """The cells of a study with the shares above on splits that are done, with the divergences above."""
    plan = plan_of(path, folder)
    plan.results.mkdir(exist_ok=True)
    found = []
    for cell in plan.cells:
        record: dict[str, Any] | None = None
        assert cell.split is not None
        measured = cell.split.with_measured({"compound_divergence": DIVERGENCES.get(cell.recipe.name, 0.5)})
        if cell.recipe.name in done:
            score = {"exact_match": SHARES[cell.recipe.name][cell.seed], "n": 4}
            record = {"state": "done", "score": score, "curve": [], "key": cell.key}
            rows = ({"id": key, "prediction": "", "correct": False} for key in cell.split.part("test"))
            write_whole(plan.results / f"{cell.key}.jsonl.gz", b"".join(orjson.dumps(row) + b"\n" for row in rows))
        found.append(CellResult(replace(cell, split=measured), record))
    return plan, found


def test_lines_join_the_means_of_sizes_in_their_order(study: Study, tmp_path: Path) -> None:
    _, found = results(study(TWO), tmp_path / "r")
    near, far = size_lines(found)["tiny"]
    assert (near.label, far.label) == ("near", "far")
    assert [(point.size, point.accuracy, len(point.results)) for point in near.points] == [
        (4, 25.0, 2),
        (8, 37.5, 2),
        (12, 75.0, 2),
    ]
    assert [(point.size, point.divergence) for point in far.points] == [(4, 0.9), (8, 0.7)]


def test_one_size_makes_no_line(study: Study, tmp_path: Path) -> None:
    _, found = results(study(SIZES), tmp_path / "r", done=("near,train=4",))
    assert size_lines(found) == {}
    _, found = results(study(SIZES), tmp_path / "r", done=("near,train=4", "near,train=8"))
    assert [point.size for point in size_lines(found)["tiny"][0].points] == [4, 8]


def test_a_split_that_was_not_measured_has_no_divergence(study: Study, tmp_path: Path) -> None:
    plan, found = results(study(SIZES), tmp_path / "r")
    bare = [replace(r, cell=replace(r.cell, split=r.cell.split and r.cell.split.with_measured({}))) for r in found]
    assert [point.divergence for point in size_lines(bare)["tiny"][0].points] == [None] * 3
    page = render_study(plan, bare).decode()
    assert 'id="sizes-1-size-title"' in page
    assert 'id="sizes-1-divergence-title"' not in page
    assert "beside the sizes stands accuracy against divergence" not in page


def picture(page: str, name: str) -> str:
    """The picture of this name in a page."""
    found = re.search(rf'<svg [^>]*aria-labelledby="{name}-title.*?</svg>', page, re.DOTALL)
    assert found is not None
    return found[0]


def test_the_page_draws_accuracy_by_size_and_by_divergence(study: Study, tmp_path: Path) -> None:
    plan, found = results(study(TWO), tmp_path / "r")
    page = render_study(plan, found).decode()
    by_size, by_divergence = picture(page, "sizes-1-size"), picture(page, "sizes-1-divergence")
    assert "beside the sizes stands accuracy against divergence" in page
    assert "near: 4 25.0 %, 8 37.5 %, 12 75.0 %; far: 4 12.5 %, 8 37.5 %" in by_size
    # A line for each size, from the lower divergence on; 12 has one split, so that its dots are joined with nothing.
    assert "4: 0.3 25.0 %, 0.9 12.5 %; 8: 0.2 37.5 %, 0.7 37.5 %; 12: 0.1 75.0 %" in by_divergence
    # From 44 to 416 across and from 238 to 48 upwards: 4, 8 and 12 of 12 examples with 25, 37.5 and 75 %.
    assert '<path d="M168 190.5L292 166.8L416 95.5" class="line m0"/>' in by_size
    assert (by_size.count('class="line'), by_divergence.count('class="line')) == (2, 2)
    for drawn in (by_size, by_divergence):
        assert {f"#cell-{r.cell.key}" for r in found} == set(re.findall(r'href="([^"]*)"', drawn))


def test_a_study_of_one_size_has_no_such_section(study: Study, tmp_path: Path) -> None:
    plan = plan_of(study(STUDY), tmp_path / "r")
    assert "training size" not in render_study(plan, []).decode()


def test_a_line_is_dashed_past_sizes_that_were_not_run(study: Study, tmp_path: Path) -> None:
    plan, found = results(study(TWO), tmp_path / "r", done=("near,train=4", "near,train=12", "far,train=4"))
    page = render_study(plan, found).decode()
    by_size = picture(page, "sizes-1-size")
    assert '<path d="M168 190.5L416 95.5" class="line m0 dashed"/>' in by_size
    assert by_size.count('class="line') == 1
    assert "dashed past what was not run" in page
    assert "near: 4 25.0 %, 12 75.0 %; far: 4 12.5 %" in by_size
    done = {f"#cell-{r.cell.key}" for r in found if r.record is not None}
    assert set(re.findall(r'href="([^"]*)"', by_size)) == done


def test_a_line_over_divergence_is_dashed_past_splits_that_were_not_run(study: Study, tmp_path: Path) -> None:
    three = TWO.replace(
        "[[model]]", '[[split]]\nname = "mid"\nby = "random"\nseeds = [2]\ntrain_sizes = [4, 8]\ntest = 4\n[[model]]'
    )
    done = ("near,train=4", "near,train=8", "far,train=4", "far,train=8")
    plan, found = results(study(three), tmp_path / "r", done=done)
    drawn = picture(render_study(plan, found).decode(), "sizes-1-divergence")
    # With 4 examples, from a divergence of 0.3 to one of 0.9; what was not run has 0.5.
    assert '<path d="M155.6 190.5L378.8 214.2" class="line m0 dashed"/>' in drawn
    assert drawn.count('class="line') == 2


def test_lines_beside_a_gap_stay_whole(study: Study, tmp_path: Path) -> None:
    many = SIZES.replace("[12, 4, 8]", "[12, 4, 6, 8, 10]")
    done = ("near,train=4", "near,train=8", "near,train=12")
    plan, found = results(study(many), tmp_path / "r", done=done)
    assert 'd="M168 190.5L292 166.8" class="line m0 dashed"' in picture(
        render_study(plan, found).decode(), "sizes-1-size"
    )
    whole = [r for r in found if r.cell.recipe.train_size != 6]
    drawn = picture(render_study(plan, whole).decode(), "sizes-1-size")
    assert '<path d="M168 190.5L292 166.8" class="line m0"/>' in drawn
    assert '<path d="M292 166.8L416 95.5" class="line m0 dashed"/>' in drawn


def test_kinds_and_sizes_keep_their_colours_where_others_were_not_run(study: Study, tmp_path: Path) -> None:
    plan, found = results(study(TWO), tmp_path / "r", done=("far,train=4", "far,train=8", "near,train=8"))
    page = render_study(plan, [r for r in found if r.cell.recipe.train_size != 12]).decode()
    assert 'class="line m1"' in picture(page, "sizes-1-size")
    # With 8 examples there are two divergences; 4, the first size, has one of them.
    assert 'class="line m1"' in picture(page, "sizes-1-divergence")
    plan, found = results(study(TWO), tmp_path / "s", done=("far,train=4", "far,train=8"))
    drawn = picture(render_study(plan, found).decode(), "sizes-1-size")
    assert ">far</text>" in drawn
    assert ">near</text>" not in drawn
    assert 'class="line m1"' in drawn
    assert "m0" not in drawn


def test_training_curves_of_all_sizes_of_a_kind_have_one_colour_and_one_name(study: Study, tmp_path: Path) -> None:
    plan, found = results(study(TWO), tmp_path / "r")
    trained = [replace(r, record={**(r.record or {}), "curve": [(10, 0.5, 0.5)]}) for r in found]
    drawn = picture(render_study(plan, trained).decode(), "curves-1")
    assert re.findall(r"<text [^>]*>(near|far)[^<]*</text>", drawn) == ["near", "far"]
    # Three sizes of one and two of the other, two seeds each, and the pieces of lines in the legend.
    assert (drawn.count('class="line m0"'), drawn.count('class="line m1"')) == (7, 5)


def test_a_legend_of_curves_is_whole_and_no_two_names_look_alike(study: Study, tmp_path: Path) -> None:
    names = [f"a-split-with-a-long-name-{letter}" for letter in "abcdefgh"]
    tables = "".join(
        f'[[split]]\nname = "{name}"\nby = "random"\nseeds = [{n}]\ntest = 4\n' for n, name in enumerate(names, 1)
    )
    plan = plan_of(study(STUDY.replace("[[model]]", f"{tables}[[model]]")), tmp_path / "r")
    records = {"state": "failed", "error": "", "curve": [(10, 0.5, 0.5)]}
    drawn = picture(
        render_study(plan, [CellResult(cell, {**records, "key": cell.key}) for cell in plan.cells]).decode(), "curves-1"
    )
    width, height = map(float, re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawn)[0])
    texts = re.findall(r'<text x="([\d.]+)" y="([\d.]+)">(a-split[^<]*)</text>', drawn)
    assert [name for _, _, name in texts] == names
    assert all(float(x) + 6.2 * len(name) <= width and float(y) < height for x, y, name in texts)
    pieces = re.findall(r'<path d="M[\d.]+ [\d.]+h14" class="([^"]*)"/>', drawn)
    assert len(set(pieces)) == len(pieces) == len(names) + 1
