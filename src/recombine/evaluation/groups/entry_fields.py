"""The label of each entry by a field of the data, such as its template."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import UnknownNameError
from recombine.evaluation.groups.axes import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.records.dataset import Dataset


def field_labels(dataset: Dataset, ids: Sequence[str], name: str) -> list[str]:
    """What a field says of each entry; `unknown` where one has none, an error where all have none."""
    fields = [{**dataset[key].tags, **dataset[key].context} for key in ids]
    values = [each.get(name) for each in fields]
    if all(value is None for value in values):
        known = {str(key) for each in fields for key, value in each.items() if value is not None}
        raise UnknownNameError(f"field of the examples of {dataset.name}", name, known)
    return [UNKNOWN if value is None else _text(value) for value in values]


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
