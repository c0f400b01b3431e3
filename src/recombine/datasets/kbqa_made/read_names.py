"""A file of names: an entity and its name in a line, with a tab between."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from recombine.errors import RecordError
from recombine.files import read_text

if TYPE_CHECKING:
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.term import Term


def read_names(path: Path | str, profile: Profile) -> dict[Term, str]:
    """The names by entity; an underscore is read as a blank, and of two names of an entity the first is kept."""
    names: dict[Term, str] = {}
    for number, line in enumerate(read_text(Path(path)).splitlines(), 1):
        entity, tab, name = line.partition("\t")
        if not tab or not entity or not name.strip() or "\t" in name:
            raise RecordError(path, f"line {number}", "is no entity and its name", "write both with one tab between")
        names.setdefault(profile.term(entity), name.replace("_", " ").strip())
    return names
