"""Local structures, by order and by what they leave out: `local:2,no-siblings`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from recombine.errors import DefinitionError
from recombine.structures.kinds import COMPOUND_ALPHA

if TYPE_CHECKING:
    from collections.abc import Callable

_NAME = re.compile(r"(local|connected|ngram):([234])((?:,no-(?:siblings|parents))?)")
WRITE_LOCAL = "write local:2, local:3, local:4, local:2,no-siblings, local:2,no-parents, connected:3 or ngram:2"


@dataclass(frozen=True)
class LocalDefinition:
    """Which parts of a program count; an example holds each with its number of occurrences.

    >>> print(LocalDefinition(2, siblings=False))
    local:2,no-siblings
    """

    order: int = 2
    siblings: bool = True
    parents: bool = True
    kind: str = "local"
    value: ClassVar[str] = "counts"
    alpha: ClassVar[float] = COMPOUND_ALPHA

    def __post_init__(self) -> None:
        if not (self.siblings or self.parents):
            raise DefinitionError("structures without parents and without siblings are none", "leave one kind in")
        if _NAME.fullmatch(str(self)) is None or (self.kind == "ngram" and not (self.siblings and self.parents)):
            raise DefinitionError(f"there are no structures {self}", "write local:2, local:3,no-siblings or ngram:2")

    def __str__(self) -> str:
        without = "" if self.siblings else ",no-siblings"
        without += "" if self.parents else ",no-parents"
        return f"{self.kind}:{self.order}{without}"


def local_notation(kind: str) -> Callable[[str], LocalDefinition]:
    """The notation of one kind of local structures."""

    def parse(text: str) -> LocalDefinition:
        match = _NAME.fullmatch(text.strip())
        if match is None or match[1] != kind:
            raise unreadable_local(text)
        return LocalDefinition(int(match[2]), match[3] != ",no-siblings", match[3] != ",no-parents", kind)

    return parse


def unreadable_local(text: str) -> DefinitionError:
    """The error of a text that is no definition of local structures."""
    return DefinitionError(f"cannot read the local structures {text!r}", WRITE_LOCAL)
