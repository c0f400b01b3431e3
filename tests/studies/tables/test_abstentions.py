"""Coverage and precision of models that abstain: those whose family can, and that did."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from recombine.models.family import Family
from recombine.models.known import register_model
from recombine.studies.cells.plan import Plan
from recombine.studies.tables.abstentions import abstentions
from recombine.studies.tables.summary import CellResult
from small_study import STUDY, Study, plan_of

PAPER = """
[[paper]]
model = "near"
splits = ["random"]
mean = 50.0
coverage = 60.0
precision = 90.0
"""


def planned(study: Study, tmp_path: Path) -> Plan:
    """The study with a model that always answers, two that may not, and one of a family of one's own."""
    register_model(Family(name="guesses", make=lambda *_: None, abstains=True))
    register_model(Family(name="own", make=lambda *_: None))
    named = (("near", "nearest"), ("tree", "guesses"), ("mine", "own"))
    models = "".join(f'[[model]]\nname = "{name}"\npreset = "{preset}"\n' for name, preset in named)
    return plan_of(study(STUDY + models + PAPER), tmp_path / "r")


def done(plan: Plan, abstained: dict[str, tuple[int, int]], right: int = 1) -> list[CellResult]:
    """Results of four examples each: so many outputs of each model are empty, by its seeds."""
    found = []
    for cell in plan.cells:
        empty = abstained[cell.model.name][cell.seed]
        score = {"exact_match": right / 4, "n": 4, "abstained": empty, "coverage": (4 - empty) / 4}
        record: dict[str, Any] = {"state": "done", "score": score, "notes": {}, "key": cell.key}
        found.append(CellResult(cell, record))
    return found


def test_an_empty_output_of_a_model_that_always_answers_is_no_abstention(study: Study, tmp_path: Path) -> None:
    plan = planned(study, tmp_path)
    every = {"tiny": (1, 0), "near": (1, 2), "tree": (0, 3), "mine": (4, 4)}
    rows = abstentions(plan, done(plan, every))
    assert [(row.model, row.split, row.runs) for row in rows] == [("near", "random", 2), ("tree", "random", 2)]
    near, tree = rows
    # By hand: outputs for 3 and 2 of 4, then for 4 and 1; one right in each run.
    assert (near.coverage, near.precision) == (pytest.approx(62.5), pytest.approx(100 * 2 / 5))
    assert (tree.coverage, tree.precision) == (pytest.approx(62.5), pytest.approx(100 * 2 / 5))
    assert (near.paper_coverage, near.paper_precision, tree.paper_coverage) == (60.0, 90.0, None)


def test_a_model_that_could_abstain_and_never_did_has_no_row(study: Study, tmp_path: Path) -> None:
    plan = planned(study, tmp_path)
    never = {"tiny": (4, 4), "near": (0, 0), "tree": (0, 0), "mine": (0, 1)}
    assert abstentions(plan, done(plan, never)) == []
    once = abstentions(plan, done(plan, {**never, "tree": (0, 1)}))
    assert [(row.model, row.runs) for row in once] == [("tree", 2)], "all its runs, also those that answered all"
