"""Surface forms from a file: a form, an entity and how often the one mentions the other, with tabs between them.

The count may be left out, and is then 1. An entity is written as people name terms, `m.02mjmr` or `<http://…>`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import InputFileError, RecordError
from recombine.files import read_text
from recombine.kb.linking.surface_forms import SurfaceForms

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from recombine.kb.profiles.profile import Profile
    from recombine.kb.term import Term


def read_surface_forms(path: Path | str, profile: Profile) -> SurfaceForms:
    """The dictionary in a file; counts of entries that stand twice are added."""
    return SurfaceForms.of(_iter_entries(path, profile), add=True)


def _iter_entries(path: Path | str, profile: Profile) -> Iterator[tuple[str, Term, int]]:
    lines = read_text(path).split("\n")
    if not lines[-1]:
        lines.pop()
    if not lines:
        raise InputFileError(f"{path}: has no surface forms", "give lines of a form, a tab, an entity, a tab, a count")
    for number, line in enumerate(lines, 1):
        cells = line.removesuffix("\r").split("\t")
        if len(cells) not in (2, 3) or not all(cell.strip() for cell in cells):
            problem = f"has {len(cells)} columns" if all(cells) else "has an empty column"
            raise RecordError(path, f"line {number}", problem, "give a form, a tab, an entity, and a tab and a count")
        if len(cells) == 3 and not (cells[2].isascii() and cells[2].isdigit() and len(cells[2]) < 19):
            raise RecordError(path, f"line {number}", f"the count {cells[2]!r} is no whole number", "mend the line")
        yield cells[0], profile.term(cells[1]), int(cells[2]) if len(cells) == 3 else 1
