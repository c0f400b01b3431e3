"""A study as one page that asks for nothing from outside; every point opens its cell without a script."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from recombine.evaluation.errors.sparql_analysis import KINDS, OUTCOMES
from recombine.pages.drawing.number_texts import value_text
from recombine.pages.drawing.page import make_environment
from recombine.pages.study.study_figures import COLOURS, curves, scatter
from recombine.pages.study.study_labels import labelled_scatter
from recombine.pages.study.study_lengths import length_figures
from recombine.pages.study.study_sizes import size_figures
from recombine.studies.tables.abstentions import abstentions
from recombine.studies.tables.agreements import agreements
from recombine.studies.tables.cell_outputs import iter_cells, read_cell_outputs
from recombine.studies.tables.correlation import APART, correlations
from recombine.studies.tables.error_types import error_types
from recombine.studies.tables.hybrids import hybrid_rows
from recombine.studies.tables.length_table import length_tables
from recombine.studies.tables.rank_table import rank_table
from recombine.studies.tables.split_points import split_points
from recombine.studies.tables.stuck_runs import stuck_runs
from recombine.studies.tables.summary import KINDS as INTERVALS
from recombine.studies.tables.summary import mean_text, metric_title, summarise
from recombine.studies.tables.training_sizes import size_lines
from recombine.studies.tables.tuning_table import tuning_tables
from recombine.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.studies.cells.plan import Plan
    from recombine.studies.tables.cell_outputs import CellOutputs
    from recombine.studies.tables.correlation import Correlation
    from recombine.studies.tables.error_types import ErrorTypes
    from recombine.studies.tables.split_points import SplitPoint
    from recombine.studies.tables.summary import CellResult, SummaryRow

EXAMPLES = 10
MODELS_BESIDE = 6
"""The most models that stand beside each other in the table of means, where they are more than its rows."""


def render_study(plan: Plan, results: Sequence[CellResult], *, examples: int = EXAMPLES) -> bytes:
    """The page; `examples` is the number of predictions kept of each cell, wrong ones first."""
    environment = make_environment()
    environment.filters["value"] = value_text
    environment.globals |= {"mean_text": mean_text, "minus": _minus, "by_split": _by_split}
    style = "\n".join(environment.get_template(name).render().strip() for name in ("report.css", "study.css"))
    models = [model.label for model in plan.study.model]
    outputs = read_cell_outputs(plan, results)
    kept = {read.result.cell.key: read for read in iter_cells(outputs)}
    lengths = length_tables(outputs)
    lines = [(model, curves(results, model, f"curves-{number}")) for number, model in enumerate(models, start=1)]
    sizes = sorted(size_lines(results).items(), key=lambda each: models.index(each[0]))
    points = split_points(plan, results) if plan.study.labels else []
    rows, explained, errors = summarise(plan, results), correlations(results), error_types(plan, outputs)
    page = environment.get_template("study.html").render(
        style=Markup(style),  # noqa: S704  # the style sheets are files of this package
        policy=_policy(style),
        study=plan.study,
        metric=metric_title(plan.study),
        data=[f"{name}, {len(dataset):,} examples" for name, dataset in plan.datasets.items()],
        models=models,
        rows=rows,
        models_in_lines=len(models) > max(len(rows), MODELS_BESIDE),
        ranks=rank_table(rows),
        stuck=stuck_runs(plan, results),
        intervals={kind: words for kind, words in INTERVALS.items() if kind in _kinds(rows)},
        states=Counter(result.state for result in results),
        correlations={model: one for model, one in explained.items() if not one.why_not},
        no_correlations=_reasons(explained),
        apart=APART,
        scatter=scatter(results, models),
        points=points,
        labelled=_labelled(points, models),
        sizes=[(model, size_figures(drawn, f"sizes-{n}")) for n, (model, drawn) in enumerate(sizes, start=1)],
        sizes_missing=any(line.missing for _, drawn in sizes for line in drawn),
        in_percent=_in_percent(plan),
        left_out=plan.left_out,
        abstentions=abstentions(plan, results),
        hybrids=hybrid_rows(plan, results),
        tuning=tuning_tables(plan),
        curves=[(model, drawn) for model, drawn in lines if drawn is not None],
        errors=[row for row in errors if _in_table_7(row)],
        further_errors=[row for row in errors if not _in_table_7(row)],
        error_kinds=tuple(KINDS),
        other_kinds=tuple(OUTCOMES),
        error_sources=list(dict.fromkeys(paper.source for paper in plan.study.paper_errors if paper.source)),
        lengths=[(table, length_figures(table, models, f"lengths-{n}")) for n, table in enumerate(lengths, start=1)],
        agreements=agreements(outputs),
        sources=list(dict.fromkeys(paper.source for paper in plan.study.paper if paper.source)),
        cells=[_cell(plan, result, kept.get(result.cell.key), examples) for result in results],
        version=__version__,
    )
    return page.encode() + b"\n"


def _labelled(points: Sequence[SplitPoint], models: Sequence[str]) -> list[tuple[str, Markup]]:
    """The pictures with labels, of models that have some points."""
    drawn = [
        (model, labelled_scatter(points, model, f"labels-{place + 1}", place % COLOURS))
        for place, model in enumerate(models)
    ]
    return [(model, each) for model, each in drawn if each is not None]


def _minus(value: float, digits: int = 2) -> str:
    """A number that can be negative, with a true minus sign.

    >>> _minus(-0.912), _minus(4.0, 1)
    ('−0.91', '4.0')
    """
    return f"{value:.{digits}f}".replace("-", "−")


def _in_percent(plan: Plan) -> str:
    """What the means are of, as a sentence begins."""
    if plan.study.metric:
        return f"Right by the metric {plan.study.metric}, in percent"
    return "Right answers in percent" if plan.study.match == "answer" else "Exact match in percent"


def _by_split(rows: Sequence[Any]) -> dict[str, list[Any]]:
    """Rows by the splits they belong to, in their order."""
    groups: dict[str, list[Any]] = {}
    for row in rows:
        groups.setdefault(row.split, []).append(row)
    return groups


def _in_table_7(row: ErrorTypes) -> bool:
    """Whether a row has the columns of Table 7 of the CFQ paper, for which the page has a layout of its own."""
    return row.means.keys() >= {*KINDS, *OUTCOMES}


def _kinds(rows: Sequence[SummaryRow]) -> set[str | None]:
    """The kinds of intervals in a table, the published ones too."""
    means = [mean for row in rows for mean in row.means.values()]
    return {mean.interval_kind for mean in means} | {mean.paper.interval_kind for mean in means if mean.paper}


def _reasons(explained: Mapping[str, Correlation]) -> dict[str, list[str]]:
    """Why a correlation is not shown, with the models it is not shown for."""
    reasons: dict[str, list[str]] = {}
    for model, one in explained.items():
        if one.why_not:
            reasons.setdefault(one.why_not, []).append(model)
    return reasons


def _policy(style: str) -> str:
    """Nothing may be fetched or run, and only this style may be used."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"


def _cell(plan: Plan, result: CellResult, read: CellOutputs | None, examples: int) -> dict[str, Any]:
    """What the template needs of one cell."""
    cell, record = result.cell, result.record or {}
    score = record.get("score") or {}
    signature = score.get("signature") or str(cell.split.signature if cell.split is not None else "")
    return {
        "key": cell.key,
        "name": cell.name,
        "model": cell.model.name,
        "split": cell.recipe.name,
        "seed": cell.seed,
        "state": result.state,
        "error": record.get("error") or cell.problem,
        "accuracy": result.accuracy,
        "score": score,
        "divergence": result.divergence,
        "measured": dict(result.measured),
        "sizes": dict(result.sizes),
        "signature": signature,
        "settings": dict(cell.model.settings),
        "waits": cell.waits,
        "tuned": None if cell.tuning is None else cell.tuning.chosen,
        "notes": record.get("notes", {}),
        "curve": record.get("curve", []),
        "outputs": _outputs(plan, read, examples) if read is not None else [],
    }


def _outputs(plan: Plan, read: CellOutputs, examples: int) -> list[dict[str, Any]]:
    """Some predictions beside source and gold, wrong ones first."""
    dataset = plan.datasets[read.result.cell.data]
    shown = sorted(read.rows, key=lambda row: bool(row["correct"]))[:examples]
    return [{**row, "source": dataset[row["id"]].source, "gold": dataset[row["id"]].target} for row in shown]
