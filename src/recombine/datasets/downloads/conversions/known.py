"""The conversions by name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from recombine.datasets.downloads.originals import Originals

_HERE = "recombine.datasets.downloads.conversions"
CONVERSIONS = {
    **dict.fromkeys(("identical", "scan_split", "paired_members", "geoquery_pairs", "spider_pairs"), _HERE),
    **dict.fromkeys(("set_match_pairs", "atis_lines", "overnight_lines", "json_items"), _HERE),
    **dict.fromkeys(("fb15k237_triples", "metaqa_facts", "qald_lines"), _HERE),
    **dict.fromkeys(("covr_examples", "covr_predictions", "covr_combinations"), f"{_HERE}.covr"),
}
"""The room of each; a module has the name of its function."""


def find_conversion(name: str) -> Callable[[Originals], bytes]:
    """The function that makes a file of its originals; imported when it is asked for.

    >>> find_conversion("scan_split").__name__
    'scan_split'
    """
    return cast("Callable[[Originals], bytes]", getattr(import_module(f"{CONVERSIONS[name]}.{name}"), name))
