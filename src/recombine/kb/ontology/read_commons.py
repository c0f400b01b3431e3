"""The ontology of Freebase's commons, in the three files that GrailQA comes with.

`fb_roles` has a line `domain relation range` for each relation, `fb_types` a line `class meta.subclassOf class .` for
each class and each of those above it, `reverse_properties` a line `relation TAB reverse`. Names are under the base of
Freebase. 392 classes of `fb_roles` are in no line of `fb_types`: they have nothing above them, and `notes` says so.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from recombine.errors import KnowledgeBaseError, RecordError
from recombine.files import read_text
from recombine.kb.ontology.ontology import Ontology, Role, listed, ontology_of
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.term import Term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from recombine.kb.profiles.profile import Profile

ROLES, TYPES, REVERSES = "fb_roles", "fb_types", "reverse_properties"
Row = TypeVar("Row")
_BELOW = "meta.subclassOf"


def read_commons(folder: Path | str, *, profile: Profile | None = None) -> Ontology:
    """The ontology of the files in a folder, gzipped or not."""
    known = profile or find_profile("freebase")
    place = Path(folder)
    below = list(_iter_rows(_find(place, TYPES), "class meta.subclassOf class .", _type))
    roles: dict[Term, Role] = {}
    for relation, role in _iter_rows(_find(place, ROLES), "domain relation range", _role):
        other = roles.get(relation, Role())
        roles[relation] = Role(_both(other.domain, role.domain), _both(other.range, role.range))
    reverses, path = dict[Term, Term](), _find(place, REVERSES)
    for number, (relation, reverse) in enumerate(_iter_rows(path, "relation reverse", _reverse), 1):
        if reverses.setdefault(relation, reverse) != reverse:
            raise RecordError(path, f"line {number}", f"{relation.text} has another reverse before", "keep one of them")
    notes = _missing_notes(roles, below)
    return ontology_of(below, roles, reverses, notes=notes, literal=known.is_literal_class)


def _find(folder: Path, name: str) -> Path:
    for path in (folder / name, folder / f"{name}.gz", folder / f"{name}.txt"):
        if path.is_file():
            return path
    raise KnowledgeBaseError(
        f"{folder}: has no file {name!r}", f"give a folder with {ROLES}, {TYPES} and {REVERSES}, gzipped or not"
    )


def _iter_rows(path: Path, shape: str, read: Callable[[list[str]], Row | None]) -> Iterator[Row]:
    for number, line in enumerate(read_text(path).splitlines(), 1):
        row = read(line.split())
        if row is None:
            shown = line if len(line) <= 60 else f"{line[:60]}…"
            problem = f"{shown!r} is not of the form `{shape}`"
            raise RecordError(path, f"line {number}", problem, "give the published file")
        yield row


def _type(words: list[str]) -> tuple[Term, Term] | None:
    if words[-1:] == ["."]:
        words = words[:-1]
    return (Term.name(words[0]), Term.name(words[2])) if len(words) == 3 and words[1] == _BELOW else None


def _role(words: list[str]) -> tuple[Term, Role] | None:
    if len(words) != 3 or words[1] == _BELOW:
        return None
    return Term.name(words[1]), Role((Term.name(words[0]),), (Term.name(words[2]),))


def _reverse(words: list[str]) -> tuple[Term, Term] | None:
    return (Term.name(words[0]), Term.name(words[1])) if len(words) == 2 else None


def _both(classes: tuple[Term, ...], others: tuple[Term, ...]) -> tuple[Term, ...]:
    return tuple(sorted({*classes, *others}, key=lambda term: term.key))


def _missing_notes(roles: dict[Term, Role], below: list[tuple[Term, Term]]) -> list[str]:
    typed = {name for pair in below for name in pair}
    used = {name for role in roles.values() for side in role for name in side}
    missing = sorted(name.text for name in used - typed)
    if not missing:
        return []
    return [f"{len(missing):,} classes of {ROLES} are in no line of {TYPES}: {listed(missing)}"]
