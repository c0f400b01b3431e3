"""One call from splits to a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.pages.splits.report_data import EXAMPLES, build_data
from recombine.pages.splits.report_html import render_html

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.records.dataset import Dataset
    from recombine.records.split import Split
    from recombine.structures.dataset_features import DatasetFeatures


def build_report(
    dataset: Dataset,
    splits: Mapping[str, Split],
    features: DatasetFeatures | None,
    *,
    against: str = "test",
    examples: int = EXAMPLES,
    seed: int = 0,
) -> bytes:
    """A self-contained HTML page on splits of one data set; the same input gives the same bytes.

    Without features there are no divergences, frequencies and held-out compounds in it. `examples` is the number of
    examples sampled from each part for browsing.
    """
    return render_html(build_data(dataset, splits, features, against=against, examples=examples, seed=seed))
