"""A study as one page that asks for nothing from outside; every point opens its cell without a script."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from recombine.report.study_figures import curves, scatter
from recombine.report.summary import percent, plural
from recombine.report.table import value_text
from recombine.studies.results import read_outputs
from recombine.studies.summary import correlations, mean_text, summarise
from recombine.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.studies.plan import Plan
    from recombine.studies.summary import Result

EXAMPLES = 10


def render_study(plan: Plan, results: Sequence[Result], *, examples: int = EXAMPLES) -> bytes:
    """The page; `examples` is the number of predictions kept of each cell, wrong ones first."""
    environment = Environment(
        loader=PackageLoader("recombine", "report/templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {"percent": percent, "plural": plural, "value": value_text}
    environment.globals |= {"mean_text": mean_text}
    style = "\n".join(environment.get_template(name).render().strip() for name in ("report.css", "study.css"))
    models = [model.label for model in plan.study.model]
    lines = [(model, curves(results, model, f"curves-{number}")) for number, model in enumerate(models, start=1)]
    page = environment.get_template("study.html").render(
        style=Markup(style),  # noqa: S704  # the style sheets are files of this package
        policy=_policy(style),
        study=plan.study,
        data=[f"{name}, {len(dataset):,} examples" for name, dataset in plan.datasets.items()],
        models=models,
        rows=summarise(plan, results),
        states=Counter(result.state for result in results),
        correlations=correlations(results),
        scatter=scatter(results, models),
        curves=[(model, drawn) for model, drawn in lines if drawn is not None],
        sources=list(dict.fromkeys(paper.source for paper in plan.study.paper if paper.source)),
        cells=[_cell(plan, result, examples) for result in results],
        version=__version__,
    )
    return page.encode() + b"\n"


def _policy(style: str) -> str:
    """Nothing may be fetched or run, and only this style may be used."""
    found = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{found}'; img-src data:; base-uri 'none'; form-action 'none'"


def _cell(plan: Plan, result: Result, examples: int) -> dict[str, Any]:
    """What the template needs of one cell."""
    cell, record = result.cell, result.record or {}
    score = record.get("score") or {}
    signature = score.get("signature") or (str(cell.split.signature) if cell.split is not None else "")
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
        "measured": dict(cell.split.measured) if cell.split is not None else {},
        "sizes": cell.split.sizes() if cell.split is not None else {},
        "signature": signature,
        "settings": dict(cell.model.settings),
        "notes": record.get("notes", {}),
        "curve": record.get("curve", []),
        "outputs": _outputs(plan, result, examples),
    }


def _outputs(plan: Plan, result: Result, examples: int) -> list[dict[str, Any]]:
    """Some predictions beside source and gold, wrong ones first."""
    dataset = plan.datasets[result.cell.data]
    found = sorted(read_outputs(plan.results, result.cell.key), key=lambda row: bool(row["correct"]))[:examples]
    return [{**row, "source": dataset[row["id"]].source, "gold": dataset[row["id"]].target} for row in found]
