"""Rules, or the symbols or tokens of programs, as atoms: `rules:grammar,counts`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from recombine.errors import DefinitionError
from recombine.structures.counted_typing import read_typing, written_typing
from recombine.structures.kinds import ATOM_ALPHA

if TYPE_CHECKING:
    from collections.abc import Callable

WRITE_ATOMS = "write rules,presence or rules:grammar,counts or symbols:arity,presence or tokens,presence"


@dataclass(frozen=True)
class AtomDefinition:
    """Which rules, symbols or tokens are atoms.

    >>> print(AtomDefinition("grammar", "counts"))
    rules:grammar,counts
    """

    rules: str = "all"
    value: str = "presence"
    kind: str = "rules"
    literals: str = "keep"
    names: str = "keep"
    """How literals and names of programs are counted."""
    alpha: ClassVar[float] = ATOM_ALPHA

    def __str__(self) -> str:
        text = f"{self.kind}{'' if self.rules == 'all' else ':' + self.rules},{self.value}"
        return text + written_typing(self.literals, self.names)


def atom_notation(
    kind: str, choice: Callable[[str], str | None], *, typed: bool = False
) -> Callable[[str], AtomDefinition]:
    """The notation of one kind of atoms: all of them, or those of a choice after a colon.

    `typed` says that they are of programs, whose literals and names can be counted by their kinds.
    """

    def parse(text: str) -> AtomDefinition:
        head, *options = text.split(",")
        name, _, chosen = head.partition(":")
        rules = choice(chosen or "all")
        if name != kind or rules is None:
            raise unreadable_atoms(text)
        typing, options = read_typing(options) if typed else ({}, options)
        if len(options) > 1:
            raise unreadable_atoms(text)
        value = options[0] if options else "presence"
        if value not in ("presence", "counts"):
            raise DefinitionError(f"atoms have no option {value!r}", "write presence or counts")
        return AtomDefinition(rules, value, kind, **typing)

    return parse


def one_of(*names: str) -> Callable[[str], str | None]:
    """A choice of one of some names."""
    return lambda text: text if text in names else None


def unreadable_atoms(text: str) -> DefinitionError:
    """The error of a text that is no definition of atoms."""
    return DefinitionError(f"cannot read the atoms {text!r}", WRITE_ATOMS)
