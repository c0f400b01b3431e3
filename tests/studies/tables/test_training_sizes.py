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


def picture(page: str, name: str) -> str:
    """The picture of this name in a page."""
    found = re.search(rf'<svg [^>]*aria-labelledby="{name}-title.*?</svg>', page, re.DOTALL)
    assert found is not None
    return found[0]


def test_the_page_draws_accuracy_by_size_and_by_divergence(study: Study, tmp_path: Path) -> None:
    plan, found = results(study(TWO), tmp_path / "r")
    page = render_study(plan, found).decode()
    by_size, by_divergence = picture(page, "sizes-1-size"), picture(page, "sizes-1-divergence")
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
