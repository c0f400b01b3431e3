"""A JSON array as JSON lines: all of its items, or those of a packaged list in the order of the list."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from recombine.datasets.downloads.samples.read_sample import read_sample
from recombine.errors import InputFileError, RecordError

if TYPE_CHECKING:
    from recombine.datasets.downloads.originals import Originals

KEY = "qid"


def json_items(originals: Originals) -> bytes:
    """A line for each item, as Python's `json` writes it."""
    # `json` and not `orjson`: numbers are to be written as they were.
    items = _items(originals)
    if originals.sample:
        by_key = {str(item.get(KEY)): item for item in items}
        wanted = read_sample(originals.sample)
        missing = [key for key in wanted if key not in by_key]
        if missing:
            problem = f"lacks {len(missing):,} of the {len(wanted):,} items that are wanted, such as {missing[0]!r}"
            raise InputFileError(f"{originals.name()}: {problem}", "use the published file")
        items = [by_key[key] for key in wanted]
    return "".join(json.dumps(item) + "\n" for item in items).encode()


def _items(originals: Originals) -> list[dict[str, Any]]:
    try:
        items = json.loads(originals.text())
    except ValueError as error:
        raise InputFileError(f"{originals.name()}: is no JSON ({error})", "use the published file") from None
    if not isinstance(items, list):
        raise InputFileError(f"{originals.name()}: is no JSON array", "use the published file")
    for number, item in enumerate(items):
        if not isinstance(item, dict):
            raise RecordError(originals.name(), f"item {number}", "is no JSON object", "use the published file")
    return items
