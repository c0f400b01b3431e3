"""Surface forms from a file: a form, an entity and how often the one mentions the other, with tabs between them.

The count may be left out, and is then 1; lines without a word are passed over. An entity is written as people
name terms, `m.02mjmr` or `<http://…>`.
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


_MOST_DIGITS = 15
"""So that sums of counts stay whole numbers of 64 bits."""


def read_surface_forms(path: Path | str, profile: Profile) -> SurfaceForms:
    """The dictionary in a file; counts of entries that stand twice are added."""
    return SurfaceForms.of(iter_surface_forms(path, profile), add=True)


def iter_surface_forms(path: Path | str, profile: Profile) -> Iterator[tuple[str, Term, int]]:
    """The lines of a file: a surface form, an entity and a count each; one that is not is an error, as is no line."""
    remedy = "give a form, a tab, an entity, and a tab and a count"
    lines = [(number, line) for number, line in enumerate(read_text(path).split("\n"), 1) if line.strip()]
    if not lines:
        raise InputFileError(f"{path}: has no surface forms", "give lines of a form, a tab, an entity, a tab, a count")
    for number, line in lines:
        cells = [cell.strip() for cell in line.removesuffix("\r").split("\t")]
        if len(cells) not in (2, 3) or not all(cells):
            problem = f"has {len(cells)} columns" if all(cells) else "has an empty column"
            raise RecordError(path, f"line {number}", problem, remedy)
        count = cells[2] if len(cells) > 2 else "1"
        if not (count.isascii() and count.isdigit()):
            raise RecordError(path, f"line {number}", f"the count {count!r} is no whole number", "mend the line")
        if len(count) > _MOST_DIGITS:
            problem = f"the count {count} is too large"
            raise RecordError(path, f"line {number}", problem, f"give one of {_MOST_DIGITS} digits at most")
        yield cells[0], profile.term(cells[1]), int(count)
