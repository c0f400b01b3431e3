"""How strongly a model looked at each region of the pictures of an example, read from a file of lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.errors import RecordError
from recombine.files import read_utf8
from recombine.json_lines import iter_json_lines

if TYPE_CHECKING:
    from pathlib import Path

NUMBERS = 5
"""Of a region: left, top, right and bottom in parts of the picture, and its score from 0 to 1."""


def read_region_scores(path: Path | None) -> dict[str, dict[str, Any]]:
    """By the id of an example: `about`, a text, and `images`, the regions of each; nothing where there is no file."""
    if path is None:
        return {}
    scores = {}
    for number, record in iter_json_lines(read_utf8(path), path):
        images = record.get("images")
        if not isinstance(record.get("id"), str) or not isinstance(images, dict):
            raise RecordError(path, f"line {number}", "does not say id and images", "write what it looked at again")
        for name, regions in images.items():
            if not isinstance(regions, list) or not all(map(_is_region, regions)):
                problem = f"the regions of {name!r} are not lists of {NUMBERS} numbers from 0 to 1"
                raise RecordError(path, f"line {number}", problem, "write what it looked at again")
        scores[record["id"]] = {"about": str(record.get("about", "")), "images": images}
    return scores


def _is_region(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == NUMBERS
        and all(isinstance(each, int | float) and not isinstance(each, bool) and 0 <= each <= 1 for each in value)
    )
