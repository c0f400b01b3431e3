"""The benchmark of real language: what it counts of GrailQA's questions, and how it judges answers."""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[4]


@pytest.fixture(scope="module")
def benchmark_module() -> ModuleType:
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        return importlib.import_module("kbqa_real")
    finally:
        sys.path.remove(str(ROOT / "benchmarks"))


@pytest.mark.shared_data
def test_candidates_and_chance_are_as_counted_before(benchmark_module: ModuleType) -> None:
    # counted once by another program: 406 items, median 8 candidates, recall 97.8 %, uniform draw 19.4 %
    said = benchmark_module.baselines(benchmark_module.Real.load())
    assert (said["questions"], said["candidates"]["median"]) == (406, 8)
    assert (said["recall"]["relation"], said["one candidate of all"]) == (97.8, 19.4)
    # that program had 61.6 and 79.1 for the relation's name and the answer class, by words of its own
    assert 60 < said["right"]["relation's name"] < 66
    assert 74 < said["right"]["answer class"] < said["right"]["answer class and relation's name"] < 80


@pytest.mark.shared_data
def test_an_answer_is_right_by_its_reverse_and_not_by_another_class(benchmark_module: ModuleType) -> None:
    real = benchmark_module.Real.load()
    gold = "(AND sports.tournament_event_competition (JOIN sports.tournament_event_competition.tournament m.0gkybzv))"
    assert real.examples[0].target == gold
    assert real.judged(0, gold) == {"relation": 1.0, "exact": 1.0}
    reverse = real.setting.ontology.reverse(real.setting.profile.term("sports.tournament_event_competition.tournament"))
    turned = f"(AND sports.tournament_event_competition (JOIN (R {reverse.text}) m.0gkybzv))"
    assert real.judged(0, turned) == {"relation": 1.0, "exact": 1.0}
    assert real.judged(0, turned.replace("(R ", "").replace(") m.", " m.")) == {"relation": 0.0, "exact": 0.0}
    assert real.judged(0, f"(COUNT {gold})") == {"relation": 1.0, "exact": 0.0}
    assert real.judged(0, gold.replace("m.0gkybzv", "m.0x")) == {"relation": 0.0, "exact": 0.0}
    assert real.judged(0, "") == {"relation": 0.0, "exact": 0.0}


@pytest.mark.shared_data
def test_folds_share_no_template_and_every_question_is_asked_once(benchmark_module: ModuleType) -> None:
    real = benchmark_module.Real.load()
    pairs = set(zip(real.templates, real.folds.tolist(), strict=True))
    assert len(pairs) == len(set(real.templates)) == 380
    sizes = [int((real.folds == fold).sum()) for fold in range(5)]
    assert sum(sizes) == 600
    # a fold is filled by whole templates, the least filled one next
    assert max(sizes) - min(sizes) <= max(Counter(real.templates).values())


def test_overlap_is_the_chance_among_the_best(benchmark_module: ModuleType) -> None:
    by_overlap = benchmark_module._by_overlap
    candidates = [["kite", "maker"], ["kite"], ["maker"], ["town"]]
    # "kites" and "made" share kite alone: of the whole of [kite], of half of [kite maker]
    assert by_overlap("which kites were made?", candidates, [True, False, False, False]) == 0.0
    assert by_overlap("which kites were made?", candidates, [False, True, False, False]) == 1.0
    # no word is shared: any candidate may be taken
    assert by_overlap("who?", candidates, [True, False, False, False]) == 0.25
    assert by_overlap("who?", [], []) == 0.0


def test_scores_are_means_of_seeds_in_percent(benchmark_module: ModuleType) -> None:
    runs = [{0: {"exact": 1.0}, 1: {"exact": 0.0}}, {0: {"exact": 1.0}, 1: {"exact": 1.0}}]
    # 50 and 100: mean 75, standard deviation of two 35.4
    assert benchmark_module._scores(runs, [0, 1], "exact") == {"mean": 75.0, "sd": 35.4}
    assert benchmark_module._scores(runs[:1], [0, 1], "exact") == {"mean": 50.0, "sd": 0.0}
    assert benchmark_module._scores([], [0], "exact") is None
