"""Compounds of several kinds at once: `dag:2-4,weighted & words:3-6,presence`.

The divergence of such a definition is the geometric mean of those of its parts. A search that is told one kind parts
examples by what the others do not see; here a kind that is hardly held out leaves little of the others' divergence, and
it does not matter that one kind's divergences are larger than another's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from recombine.errors import DefinitionError, OptionError

if TYPE_CHECKING:
    from collections.abc import Callable

    from recombine.structures.kinds import Definition

BETWEEN = "&"
"""What stands between the parts of a definition."""


@dataclass(frozen=True)
class JoinedDefinition:
    """Several definitions of compounds, each with a divergence of its own."""

    parts: tuple[Definition, ...]
    kind: ClassVar[str] = "joined"

    def __post_init__(self) -> None:
        alphas = sorted({part.alpha for part in self.parts})
        if len(alphas) > 1:
            raise DefinitionError(
                f"compounds that are joined have the exponents {' and '.join(map(repr, alphas))}",
                "give all parts the same alpha",
            )
        if len(set(map(str, self.parts))) < len(self.parts):
            raise DefinitionError(f"the compounds {self} name a part twice", "leave out one of them")

    @property
    def alpha(self) -> float:
        """Train's exponent, which all parts share."""
        return self.parts[0].alpha

    @property
    def value(self) -> str:
        """`weighted` where a part is; else that of the first part."""
        values = [part.value for part in self.parts]
        return "weighted" if "weighted" in values else values[0]

    def __str__(self) -> str:
        return BETWEEN.join(map(str, self.parts))


def definition_parts(definition: Definition) -> tuple[Definition, ...]:
    """The parts of a definition, which is its own only part where it is of one kind."""
    return definition.parts if isinstance(definition, JoinedDefinition) else (definition,)


def kind_names(definition: Definition) -> tuple[str, ...]:
    """The kinds of a definition: one, or those of its parts."""
    return tuple(part.kind for part in definition_parts(definition))


def check_one_kind(definition: Definition, what: str, *, way: str = "") -> None:
    """Refuse compounds of several kinds where `what` takes one; `way` is what else can be done."""
    if isinstance(definition, JoinedDefinition):
        raise OptionError(
            f"{what} takes compounds of one kind, and {definition} are of {len(definition.parts)}",
            "name one of them with --structures" + way,
        )


def parse_joined(text: str, parse: Callable[[str], Any]) -> JoinedDefinition:
    """Read the parts between ampersands, each as `parse` reads it.

    >>> from recombine.structures.definition import Structures
    >>> print(Structures.parse("dag:2-3,presence & words:3-6"))
    atoms=rules,presence;compounds=dag:2-3,presence&words:3-6,counts
    """
    parts = [part.strip() for part in text.split(BETWEEN)]
    if not all(parts):
        raise DefinitionError(f"the compounds {text!r} have an empty part", f"write A{BETWEEN}B")
    return JoinedDefinition(tuple(map(parse, parts)))
