"""Means with intervals, beside a paper's."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from recombine.cli.shared.correlation_text import correlation_lines
from recombine.files import write_whole
from recombine.pages.study.study_page import render_study
from recombine.studies.cells.plan import make_plan
from recombine.studies.tables.correlation import Correlation, correlations, divergence_groups
from recombine.studies.tables.rank_table import RankTable, rank_table
from recombine.studies.tables.summary import CellResult, Mean, SummaryRow, mean_interval, read_results, summarise
from small_study import STUDY, TINY, Study, plan_of

PAPER = """
[[paper]]
model = "tiny"
splits = ["random"]
mean = 99.0
interval = 0.5
[[paper]]
model = "tiny"
splits = ["random", "more"]
label = "both"
mean = 50.0
"""
MORE = '[[split]]\nname = "more"\nby = "random"\nseeds = [1, 2]\ntrain = 12\ntest = 4\n'


def write_outputs(plan: Any, cell: Any) -> None:
    """Empty predictions of a cell, which the page reads."""
    rows = ({"id": key, "prediction": "", "correct": False} for key in cell.split.part(cell.recipe.part))
    plan.results.mkdir(exist_ok=True)
    write_whole(plan.results / f"{cell.key}.jsonl.gz", b"".join(orjson.dumps(row) + b"\n" for row in rows))


def results(study: Study, tmp_path: Path, shares: list[float | None]) -> tuple[Any, list[CellResult]]:
    plan = plan_of(study(STUDY.replace("[[model]]", MORE + "[[model]]") + PAPER), tmp_path / "r")
    found = []
    for cell, share in zip(plan.cells, shares, strict=True):
        record = None if share is None else {"state": "done", "score": {"exact_match": share, "n": 4}, "curve": []}
        if record is not None:
            record["key"] = cell.key
            write_outputs(plan, cell)
        found.append(CellResult(cell, record))
    return plan, found


def test_means_are_over_replicates_and_splits(study: Study, tmp_path: Path) -> None:
    plan, found = results(study, tmp_path, [1.0, 0.5, 0.2, 0.4, 0.6, None])
    rows = {row.label: row.means["tiny"] for row in summarise(plan, found)}
    assert list(rows) == ["random", "more", "both"]
    assert (rows["random"].mean, rows["random"].n) == (75.0, 2)
    # Student's t with one degree of freedom: 12.706 × (spread 35.36 / √2).
    assert rows["random"].interval == pytest.approx(12.7062 * 25, rel=1e-4)
    assert rows["random"].paper is not None
    assert rows["random"].paper.mean == 99.0
    assert rows["more"].mean == pytest.approx(40.0)
    assert (rows["more"].to_do, rows["more"].paper) == (1, None)
    assert rows["both"].mean == pytest.approx(54.0)
    assert rows["both"].paper is not None


def test_one_value_has_no_interval() -> None:
    assert mean_interval([3.0]) == (3.0, None)
    assert mean_interval([]) == (None, None)


def test_the_kind_of_interval_is_that_of_the_paper(study: Study, tmp_path: Path) -> None:
    plan, found = results(study, tmp_path, [1.0, 0.5, 0.2, 0.4, 0.6, 0.8])
    rows = {row.label: row.means["tiny"] for row in summarise(plan, found)}
    # By hand: runs of 100, 50 | 20, 40 | 60, 80 have half-widths 12.706 × 25, 10 and 10; two splits share a row.
    assert {row.interval_kind for row in rows.values()} == {"within"}
    assert rows["random"].interval == pytest.approx(12.7062 * 25, rel=1e-4)
    assert rows["more"].interval == pytest.approx(12.7062 * 10, rel=1e-4)
    assert rows["both"].interval == pytest.approx(12.7062 * (25 + 10 + 10) / 3, rel=1e-4)
    pooled = study(STUDY.replace("[[model]]", MORE + "[[model]]") + PAPER + 'interval_kind = "pooled"\n')
    plan = plan_of(pooled, tmp_path / "r")
    both = summarise(plan, found)[-1].means["tiny"]
    # All six as one sample: mean 350 / 6, deviation 29.94, and t of five degrees of freedom, 2.5706.
    assert (both.interval_kind, both.interval) == ("pooled", pytest.approx(2.5706 * 28.577 / 6**0.5, rel=1e-3))


def test_splits_of_one_run_each_are_pooled(study: Study, tmp_path: Path) -> None:
    paper = '[[paper]]\nmodel = "tiny"\nsplits = ["random"]\nmean = 99.0\ninterval = 0.5\ninterval_kind = "within"\n'
    text = STUDY.replace('by = "random"', 'by = "random"\nseeds = "replicate"')
    plan = plan_of(study(text + paper), tmp_path / "r")
    assert [cell.recipe.name for cell in plan.cells] == ["random,seed=0", "random,seed=1"]
    found = [
        CellResult(cell, {"state": "done", "score": {"exact_match": share}})
        for cell, share in zip(plan.cells, (1.0, 0.5), strict=True)
    ]
    mean = summarise(plan, found)[0].means["tiny"]
    assert mean.interval == pytest.approx(12.7062 * 25, rel=1e-4)
    assert mean.interval_kind == "pooled"  # whatever the paper's is: nothing is within a split of one run
    assert mean.paper is not None
    assert mean.paper.interval_kind == "within"


def test_no_interval_within_splits_that_are_not_done(study: Study, tmp_path: Path) -> None:
    plan, found = results(study, tmp_path, [1.0, 0.5, 0.2, 0.4, None, None])
    rows = {row.label: row.means["tiny"] for row in summarise(plan, found)}
    assert rows["random"].interval_kind == "within"
    assert (rows["more"].mean, rows["more"].interval, rows["more"].interval_kind) == (pytest.approx(30.0), None, None)


STUDIES = Path(__file__).parents[3] / "studies"


@pytest.mark.slow
def test_beside_table_4_stand_the_published_splits_alone() -> None:
    if not (STUDIES / "results" / "scan_table4").is_dir():
        pytest.skip("the study has not been run here")
    plan = make_plan(STUDIES / "scan_table4.toml", make=False)
    found = read_results(plan)
    rows = {row.label: row for row in summarise(plan, found)}
    assert list(rows) == ["random", "mcd-own", "mcd1", "mcd2", "mcd1 and mcd2"]
    both = rows["mcd1 and mcd2"].means["cfq:lstm"]
    assert (both.n, both.interval_kind) == (10, "within")
    assert both.mean == pytest.approx(4.94, abs=0.005)
    assert both.paper is not None
    assert (both.paper.mean, both.paper.interval, both.paper.interval_kind) == (6.1, 2.2, "within")
    assert rows["mcd-own"].means["cfq:lstm"].paper is None
    assert "third is not in the data" in plan.study.paper[0].source
    refused = {model: (one.splits, one.groups, one.divergence) for model, one in correlations(found).items()}
    assert refused == {model.label: (8, 2, None) for model in plan.study.model}


def measured(found: list[CellResult], values: dict[str, tuple[float, float, float]]) -> list[CellResult]:
    """The results with these divergences and ratios of source and target lengths of their splits."""
    made = []
    for result in found:
        assert result.cell.split is not None
        divergence, source, target = values[result.cell.recipe.name]
        told = {"compound_divergence": divergence, "length_ratio": {"source": source, "target": target}}
        made.append(replace(result, cell=replace(result.cell, split=result.cell.split.with_measured(told))))
    return made


def test_correlation_is_over_means_of_splits(study: Study, tmp_path: Path) -> None:
    _, found = results(study, tmp_path, [1.0, 0.8, 0.5, 0.5, 0.0, 0.2])
    assert correlations(found) == {}
    values = {"random": (0.1, 1.0, 0.9), "more,seed=1": (0.5, 0.5, 0.8), "more,seed=2": (0.9, 1.0, 0.7)}
    one = correlations(measured(found, values))["tiny"]
    assert (one.splits, one.groups, one.why_not) == (3, 3, "")
    assert one.divergence is not None
    # By hand: accuracies 90, 50, 10 at divergences 0.1, 0.5, 0.9 lie on a line.
    assert one.divergence.pearson == pytest.approx(-1.0)
    assert one.divergence.spearman == pytest.approx(-1.0)
    # Target ratios 0.9, 0.8, 0.7 lie on a line, too; source ratios 1, 0.5, 1 say nothing of 90, 50, 10.
    assert one.length_r_squared("target") == pytest.approx(1.0)
    assert one.length_r_squared("source") == pytest.approx(0.0)
    record = one.to_record()
    assert record["r_squared_target_length_ratio"] == pytest.approx(1.0)
    assert record["r_interval"] == pytest.approx((-1.0, -1.0))
    assert record["spearman_interval"] == pytest.approx((-1.0, -1.0))
    assert list(correlation_lines({"tiny": one})) == [
        "tiny, D_C and accuracy over 3 splits: Pearson -1.00 (-1.00 to -1.00), Spearman -1.00 (-1.00 to -1.00)",
        "in brackets: the middle 95 % of draws of as many splits, with repetition",
    ]
    assert list(correlation_lines({"few": Correlation(2, 2, why_not="too few")})) == []


def test_r_squared_of_lengths_by_hand(study: Study, tmp_path: Path) -> None:
    _, found = results(study, tmp_path, [0.9, 0.9, 0.5, 0.5, 0.1, 0.1])
    values = {"random": (0.1, 1.0, 0.5), "more,seed=1": (0.5, 1.0, 0.5), "more,seed=2": (0.9, 0.4, 0.5)}
    one = correlations(measured(found, values))["tiny"]
    # Ratios 1, 1, 0.4 against 90, 50, 10: deviations 0.2, 0.2, -0.4 and 40, 0, -40; r = 24 / √(0.24 × 3200).
    assert one.length_r_squared("source") == pytest.approx(24**2 / (0.24 * 3200))
    assert one.length_r_squared("target") is None  # all alike


def test_two_groups_of_splits_have_no_correlation(study: Study, tmp_path: Path) -> None:
    _, found = results(study, tmp_path, [1.0, 1.0, 0.05, 0.05, 0.0, 0.1])
    values = {"random": (0.04, 1.0, 1.0), "more,seed=1": (0.73, 0.9, 0.9), "more,seed=2": (0.74, 0.9, 0.8)}
    one = correlations(measured(found, values))["tiny"]
    why = "3 splits make 2 groups of divergence at least 0.05 apart, and a correlation needs 3"
    assert one == Correlation(3, 2, why_not=why)
    record = one.to_record()
    assert (record["r"], record["r_squared"], record["r_squared_source_length_ratio"]) == (None, None, None)
    assert record["not_shown"] == why
    values["more,seed=2"] = (0.78, 0.9, 0.8)
    assert correlations(measured(found, values))["tiny"].divergence is not None


def test_the_page_shows_correlations_or_says_why_not(study: Study, tmp_path: Path) -> None:
    plan, found = results(study, tmp_path, [0.9, 0.9, 0.5, 0.5, 0.1, 0.1])
    values = {"random": (0.1, 1.0, 0.5), "more,seed=1": (0.5, 1.0, 0.5), "more,seed=2": (0.9, 0.4, 0.5)}
    page = render_study(plan, measured(found, values)).decode()
    # R² of source lengths as above, 0.75; target lengths are all alike.
    # Whichever of three splits on a line are drawn, they lie on it.
    on_a_line = '−1.000<span class="note">(−1.00 to −1.00)</span>'
    cells = "".join(f"<td>{value}</td>" for value in (3, 3, on_a_line, on_a_line, "1.000", "0.750", "–"))
    assert f'<th scope="row">tiny</th>{cells}</tr>' in page
    assert "Not shown for" not in page
    values["more,seed=1"] = (0.9, 1.0, 0.5)
    page = render_study(plan, measured(found, values)).decode()
    assert "Pearson" not in page
    assert "Not shown for tiny: 3 splits make 2 groups of divergence at least 0.05 apart, and a correlation" in page


def test_equal_accuracies_have_no_correlation(study: Study, tmp_path: Path) -> None:
    _, found = results(study, tmp_path, [0.5] * 6)
    values = {"random": (0.1, 1.0, 1.0), "more,seed=1": (0.5, 1.0, 1.0), "more,seed=2": (0.9, 1.0, 1.0)}
    assert correlations(measured(found, values))["tiny"].why_not == "the mean accuracy is the same on all splits"


def test_groups_of_divergence() -> None:
    assert divergence_groups([]) == 0
    assert divergence_groups([0.3]) == 1
    assert divergence_groups([0.15, 0.1]) == 2
    assert divergence_groups([0.1, 0.149]) == 1
    assert divergence_groups([k / 100 for k in range(16)]) == 4  # 0, 0.05, 0.10 and 0.15


def ranked_row(label: str, groups: tuple[str, ...], **means: float | None) -> SummaryRow:
    return SummaryRow(label, groups, None, {model: Mean(2, mean, None) for model, mean in means.items()})


def test_average_ranks_are_over_rows_of_one_group_that_all_models_have() -> None:
    rows = [
        ranked_row("random", ("random",), a=90.0, b=80.0),
        ranked_row("mcd", ("mcd",), a=5.0, b=7.0),
        ranked_row("length", ("length",), a=20.0, b=20.0),
        ranked_row("template", ("template",), a=50.0, b=None),
        ranked_row("both", ("random", "mcd"), a=1.0, b=99.0),
    ]
    # a: 1, 2 and 1.5 of a tie.
    assert rank_table(rows) == RankTable({"a": 1.5, "b": 1.5}, ("random", "mcd", "length"), ("template",))
    assert rank_table(rows[:1]) == RankTable({"a": 1.0, "b": 2.0}, ("random",), ())
    assert rank_table(rows[3:]) is None
    assert rank_table([ranked_row("random", ("random",), a=90.0)]) is None


def test_the_page_shows_average_ranks_of_two_models(study: Study, tmp_path: Path) -> None:
    one, _ = results(study, tmp_path, [0.9] * 6)
    assert "average rank" not in render_study(one, []).decode()


def models_page(study: Study, tmp_path: Path, number: int, splits: str = "") -> str:
    """The page of a study of so many models on a random split; the one with number n has n tenths right."""
    settings = [TINY.replace("steps = 30", f"steps = {30 + n}") for n in range(number)]
    tables = (f'[[model]]\nname = "m{n}"\n{settings[n]}\n' for n in range(1, number))
    plan = plan_of(study(STUDY.replace("[[model]]", splits + "[[model]]") + "".join(tables)), tmp_path / "r")
    found = []
    for cell in plan.cells:
        share = int(cell.model.name.removeprefix("m") if cell.model.name != "tiny" else 0) / 10
        score = {"exact_match": share, "n": 4}
        write_outputs(plan, cell)
        found.append(CellResult(cell, {"key": cell.key, "state": "done", "score": score, "curve": []}))
    return render_study(plan, found).decode()


def test_many_models_stand_in_lines_of_the_page(study: Study, tmp_path: Path) -> None:
    few, many = models_page(study, tmp_path, 6), models_page(study, tmp_path, 7)
    assert '<th scope="col">splits</th>' in few
    assert '<th scope="col">models</th>' not in few
    assert '<th scope="col">models</th><th scope="col">random</th><th scope="col">average rank</th>' in many
    assert '<th scope="col">splits</th><th scope="col">D' not in many
    lines = re.findall(r'<th scope="row">(\w+)</th>\s*<td>(\S+) ± 0.0<.*</td>\s*<td>(\S+)</td>', many)
    names = ["tiny", *(f"m{n}" for n in range(1, 7))]
    assert lines == [(name, f"{10 * n}.0", f"{7 - n}.00") for n, name in enumerate(names)]
    assert "Average ranks are over 1 row of one kind of split; 1 is the best." in many


def test_models_that_are_no_more_than_splits_stand_beside_each_other(study: Study, tmp_path: Path) -> None:
    table = '[[split]]\nname = "{}"\nby = "random"\ntrain = 12\ntest = 4\nseeds = [{}]\n'
    splits = "".join(table.format(f"s{n}", n) for n in range(1, 7))
    assert '<th scope="col">models</th>' not in models_page(study, tmp_path, 7, splits)
