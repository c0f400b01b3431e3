"""The kind of compounds that are of several kinds: each is found by its own, and they stand side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import DefinitionError
from recombine.structures.features import Features
from recombine.structures.kinds import STRUCTURE_KINDS, StructureKind

if TYPE_CHECKING:
    from recombine.structures.joined_definition import JoinedDefinition
    from recombine.structures.read_once import ReadOnce


def _extract(read: ReadOnce, definition: JoinedDefinition) -> Features:
    parts = [STRUCTURE_KINDS.find(part.kind).extract(read, part) for part in definition.parts]
    return Features.side_by_side(parts)


def _parse(text: str) -> JoinedDefinition:
    raise DefinitionError(f"cannot read the compounds {text!r}", "write the parts alone, with & between them")


JOINED = StructureKind("joined", ("compounds",), _parse, _extract)
