"""Parts of graphs, of sizes from a least to a greatest, as compounds: `dag:2-4,weighted,top=40000`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.errors import DefinitionError
from recombine.structures.counted_typing import read_typing, written_typing
from recombine.structures.kinds import COMPOUND_ALPHA, parse_alpha, parse_top
from recombine.structures.rule_choice import parse_rule_choice

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLE = "write for example dag:2-9,counts or atoms=rules,presence;compounds=dag:2-4,weighted,top=40000"

MOST_NODES = 32
"""The most nodes of a compound."""


@dataclass(frozen=True)
class CompoundDefinition:
    """Connected sub-graphs of the rule application graph, or parts of the program's tree, as compounds.

    >>> print(CompoundDefinition(2, 4, "weighted", top=40000))
    dag:2-4,weighted,top=40000
    """

    low: int = 2
    high: int = 9
    value: str = "counts"
    rules: str = "grammar"
    top: int | None = None
    kind: str = "dag"
    alpha: float = COMPOUND_ALPHA
    linear: int | None = None
    """The greatest number of nodes of linear sub-graphs, where that is greater than `high`."""
    literals: str = "keep"
    names: str = "keep"
    """How literals and names of programs are counted."""

    @property
    def sizes(self) -> tuple[int, int, int, int]:
        """The least and greatest numbers of nodes of connected sub-graphs, then of linear ones beside them."""
        if self.kind == "line":
            return 1, 0, self.low, self.high
        return self.low, self.high, self.high + 1, self.linear or 0

    def __str__(self) -> str:
        text = f"{self.kind}:{self.low}-{self.high},{self.value}"
        if self.linear is not None:
            text += f",linear={self.linear}"
        if self.rules != "grammar":
            text += f",rules={self.rules}"
        text += written_typing(self.literals, self.names)
        if self.top is not None:
            text += f",top={self.top}"
        return text if self.alpha == COMPOUND_ALPHA else f"{text},alpha={self.alpha!r}"


def compound_notation(
    kind: str,
    values: tuple[str, ...] = ("counts", "presence"),
    *,
    of_rules: bool = False,
    linear: bool = False,
    typed: bool = False,
) -> Callable[[str], CompoundDefinition]:
    """The notation of one kind: sizes, then a value, `top=`, `alpha=`, and `rules=` and `linear=` if it has them.

    `typed` says that it is of programs, whose literals and names can be counted by their kinds.
    """

    def parse(text: str) -> CompoundDefinition:
        head, *options = text.split(",")
        sizes = re.fullmatch(rf"{kind}:([0-9]+)-([0-9]+)", head)
        if sizes is None:
            raise unreadable_compounds(text)
        low, high = int(sizes[1]), int(sizes[2])
        if not 1 <= low <= high <= MOST_NODES:
            raise DefinitionError(f"sizes {low}-{high} cannot be used", f"write 1 ≤ low ≤ high ≤ {MOST_NODES}")
        typing, options = read_typing(options) if typed else ({}, options)
        value, chosen, top, alpha, longest = "counts", "grammar", None, COMPOUND_ALPHA, None
        for option in options:
            key, equals, given = option.partition("=")
            if not equals and key in values:
                value = key
            elif key == "rules" and of_rules and (choice := parse_rule_choice(given)):
                chosen = choice
            elif key == "top" and parse_top(given):
                top = parse_top(given)
            elif key == "alpha" and (exponent := parse_alpha(given)):
                alpha = exponent
            elif key == "linear" and linear and (nodes := parse_top(given)):
                longest = nodes
            else:
                raise DefinitionError(f"compounds have no option {option!r}", EXAMPLE)
        if longest is not None and not high < longest <= MOST_NODES:
            raise DefinitionError(
                f"linear={longest} cannot be used with sizes {low}-{high}", f"write high < linear ≤ {MOST_NODES}"
            )
        return CompoundDefinition(low, high, value, chosen, top, kind, alpha, longest, **typing)

    return parse


def unreadable_compounds(text: str) -> DefinitionError:
    """The error of a text that is no definition of compounds."""
    return DefinitionError(f"cannot read the compounds {text!r}", EXAMPLE)
