"""The kinds of structures: one table from a kind's name to how it is written and how it is found.

A kind owns its notation: what stands after its name in a definition (`dag:2-9,counts`, `local:2,no-siblings`) is read
by the kind alone and printed by the definition that it gives. `Structures.parse` takes a text apart and asks the table.
A plug-in adds a kind with `register_structures`; `counted_kind` makes one of a function that counts structures by name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from recombine.errors import OptionError
from recombine.plugins import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from recombine.records.dataset import Dataset
    from recombine.records.derivation import Derivation
    from recombine.structures.features import Features
    from recombine.structures.read_once import ReadOnce

ATOM_ALPHA = 0.5
COMPOUND_ALPHA = 0.1
"""Train's exponents (CFQ paper, §2.2): a small one asks whether a test compound is in train, not how often."""
ROLES = ("atoms", "compounds")
"""What a kind may serve as; `local` is the third, for kinds that difficulty, selection and hold-out splits can use."""
_NAME = re.compile(r"[a-z][a-z0-9_-]*")


class Definition(Protocol):
    """One half of a definition: a frozen data class that prints as its kind reads it."""

    @property
    def kind(self) -> str:
        """The name of its kind."""

    @property
    def value(self) -> str:
        """What an example holds of a structure: `counts`, `presence`, …"""

    @property
    def alpha(self) -> float:
        """Train's exponent in the divergence."""


@dataclass(frozen=True)
class StructureKind:
    """A kind of structures.

    `parse` reads a definition, the kind's name included, and `str` of what it gives is the canonical text.
    `extract` gives the structures of every example; graphs that several kinds need are made once by what it is given.
    """

    name: str
    roles: tuple[str, ...]
    """What it can serve as; a text that does not say is taken as the first."""
    parse: Callable[[str], Any]
    extract: Callable[[ReadOnce, Any], Features]
    graphs: Callable[[Dataset], list[Derivation]] | None = None
    """The graphs that its structures are parts of, where there are any."""
    atoms: str = "rules,presence"
    """The atoms that go with it as compounds, where none are named."""
    vocabulary: Callable[[ReadOnce], set[str]] | None = None
    """The names that its atoms are chosen from; none where they are the rules of the graphs, or the atoms' own."""


def _packaged() -> dict[str, StructureKind | str]:
    homes = {
        "atoms": ("rules", "symbols", "tokens"),
        "graphs.compounds": ("dag", "line", "tree"),
        "programs.program_parts": ("path", "subtree"),
        "programs.word_runs": ("words", "sequence"),
        "local_structures": ("local", "connected", "ngram"),
    }
    return {name: f"recombine.structures.{home}:{name.upper()}" for home, names in homes.items() for name in names}


STRUCTURE_KINDS: Registry[StructureKind] = Registry("kind of structures", _packaged(), lazy=True)
"""Kinds by name; those of the package are imported when they are asked for."""


def register_structures(kind: StructureKind) -> StructureKind:
    """Add a kind of structures under its name, which definitions can then use."""
    from recombine.structures.definition import PRESETS

    if not _NAME.fullmatch(kind.name) or kind.name in (*ROLES, *PRESETS):
        raise OptionError(
            f"structures cannot have the name {kind.name!r}",
            "use small letters, digits, - and _, a letter first, and not the name of a preset",
        )
    if not kind.roles or not set(kind.roles) <= set(ROLES):
        raise OptionError(f"the structures {kind.name} serve as {kind.roles}", "name some of atoms and compounds")
    return STRUCTURE_KINDS.register(kind.name, kind)


def kind_name(text: str) -> str:
    """The kind that a definition begins with.

    >>> kind_name("dag:2-9,counts"), kind_name("tokens,presence")
    ('dag', 'tokens')
    """
    return re.split("[:,;]", text, maxsplit=1)[0]


def parse_alpha(text: str) -> float | None:
    """An exponent above 0 and below 1; none where the text is none."""
    return float(text) if re.fullmatch(r"0?\.[0-9]+", text) and 0 < float(text) < 1 else None


def parse_top(text: str) -> int | None:
    """A count of 1 or more; none where the text is none."""
    return int(text) if text.isascii() and text.isdigit() and int(text) > 0 else None
