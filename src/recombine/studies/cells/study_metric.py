"""The metric of a study that stands in the place of exact match, over the schemas of its data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.evaluation.match.form_setting import form_setting
from recombine.evaluation.match.matchers import further_matchers
from recombine.studies.cells.with_schemas import schemas_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from recombine.evaluation.match.matchers import Matcher
    from recombine.records.dataset import Dataset
    from recombine.studies.file.study_file import DataTable


def study_metric(name: str, table: DataTable, datasets: Mapping[str, Dataset], folder: Path) -> Matcher | None:
    """The matcher of a metric for one data set of a study in a folder; none where exact match is meant."""
    if not name:
        return None
    path = schemas_of(table, folder)
    schemas = None
    if path is not None:
        from recombine.evaluation.match.spider.read_schemas import read_schemas

        schemas = read_schemas(path)
    dataset = datasets[table.label]
    return further_matchers(dataset.language, [name], setting=form_setting(dataset), schemas=schemas)[name]


def metric_content(matcher: Matcher | None) -> dict[str, str] | None:
    """What stands in keys and records of a metric: its name, and what else its verdicts depend on."""
    return None if matcher is None else {"name": matcher.name, **dict(matcher.fields)}
