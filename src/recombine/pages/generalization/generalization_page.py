"""The page of systems and set-ups as a file."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from recombine.evaluation.generalization.covr_paper import covr_paper
from recombine.evaluation.generalization.generalization_score import score_text
from recombine.evaluation.generalization.size_match import TOLERANCE
from recombine.pages.drawing.page import render_page
from recombine.pages.generalization.difference_bar import difference_bar
from recombine.pages.generalization.effect_figure import effect_figure
from recombine.pages.generalization.generalization_data import gold_text
from recombine.pages.generalization.region_scores import read_region_scores
from recombine.scenes.files.find_pictures import SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from recombine.evaluation.groups.property_differences import PropertyDifference
    from recombine.pages.generalization.generalization_data import GeneralizationData, SetupRow, SystemRow
    from recombine.records.dataset import Dataset

ROLES = {"text": "text-only", "model": "model", "iid_size": "i.i.d., same size", "iid": "i.i.d."}
_TYPES = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp"}


def render_generalization(data: GeneralizationData, pictures: Path | None = None) -> bytes:
    """The page; `pictures` is the folder of the images that examples are about."""
    setups = [_setup(row) for row in data.setups]
    return render_page(
        "generalization.html",
        styles=("report.css", "generalization.css"),
        script="generalization.js",
        browser=_browser(data, pictures),
        filters={"points": points, "signed": signed, "span": span, "score": score_text},
        title=data.listed.title,
        data=data,
        paper=covr_paper(),
        roles=ROLES,
        tolerance=f"{TOLERANCE:.0%}",
        tables=[
            (7, "With a few examples of what is held out", [row for row in setups if row["few"]]),
            (8, "With none", [row for row in setups if not row["few"]]),
        ],
        systems=[_system(row) for row in data.systems],
        effects=effect_figure(data.effects) if data.effects else None,
    )


def points(share: float | None) -> str:
    """A share in percent with one digit behind the point, as the paper's tables have it; a dash for none.

    >>> points(0.4664), points(None)
    ('46.6', '–')
    """
    return "–" if share is None else f"{100 * share:.1f}"


def signed(share: float) -> str:
    """A difference of shares in points.

    >>> signed(-0.25), signed(0.031)
    ('−25.0', '+3.1')
    """
    return f"{100 * share:+.1f}".replace("-", "−")


def span(interval: tuple[float, float] | None, digits: int = 1) -> str:
    """An interval in points; empty for none.

    >>> span((-0.05, 0.123)), span((0.371, 0.62), 0)
    ('−5.0 to 12.3', '37 to 62')
    """
    if interval is None:
        return ""
    return " to ".join(f"{100 * each:.{digits}f}".replace("-", "−") for each in interval)


def _setup(row: SetupRow) -> dict[str, Any]:
    paper = row.paper
    few = row.listed.few_shot > 0 or (paper is not None and paper.tables[0] == 7)
    printed = {} if paper is None else paper.generated._asdict()
    value = None if paper is None else paper.generated.score
    return {
        "row": row,
        "few": few,
        "title": row.listed.name if paper is None else paper.title,
        "printed": printed,
        "paper_share": None if paper is None else paper.share,
        "paper_score": None if paper is None else score_text(value, is_below=value is not None and value < 0),
        "bar": 0.0 if row.score is None else _score_bar(row.score.value),
    }


def _score_bar(value: float | None) -> float:
    """How much of the cell of a score is filled."""
    return 0.0 if value is None else 100 * min(1.0, max(0.0, value))


def _system(row: SystemRow) -> dict[str, Any]:
    outside: Mapping[str, PropertyDifference] = (
        {} if row.outside is None else {each.name: each for each in row.outside.rows}
    )
    differences = () if row.differences is None else row.differences.rows
    bars = [(each, difference_bar(each, outside.get(each.name)), row.opened.get(each.name, "")) for each in differences]
    return {"row": row, "bars": bars}


def _browser(data: GeneralizationData, pictures: Path | None) -> dict[str, Any]:
    """The examples of cells; each example and each picture once."""
    dataset = data.dataset
    if dataset is None:
        return {"cells": {}, "examples": [], "pictures": {}}
    places: dict[str, int] = {}
    cells = {
        key: [[places.setdefault(each.id, len(places)), each.output, each.correct] for each in shown]
        for key, shown in data.opened.items()
    }
    scores = read_region_scores(data.listed.scores)
    examples = [{**_example(dataset, key), "regions": scores.get(key)} for key in places]
    used = sorted({image for each in examples for image in each["images"]})
    return {"cells": cells, "examples": examples, "pictures": _pictures(used, pictures)}


def _example(dataset: Dataset, key: str) -> dict[str, Any]:
    example = dataset[key]
    fields = {**example.tags, **example.context}
    images = fields.get("images")
    return {
        "id": key,
        "source": example.source,
        "target": example.target,
        "gold": gold_text(dataset, key),
        "template": str(fields.get("template") or ""),
        "images": [str(each) for each in images] if isinstance(images, tuple | list) else [],
    }


def _pictures(images: list[str], folder: Path | None) -> dict[str, str]:
    """Pictures as addresses that hold them; those that are not there are left to their names."""
    if folder is None:
        return {}
    found = {}
    for image in images:
        names = [image] if image.lower().endswith(SUFFIXES) else [f"{image}{suffix}" for suffix in SUFFIXES]
        path = next((folder / name for name in names if "/" not in name and (folder / name).is_file()), None)
        if path is not None:
            kind = _TYPES[path.suffix.lower()]
            found[image] = f"data:image/{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"
    return found
