"""A kind of structures made of a function that counts them by name: what most plug-ins need.

    register_structures(counted_kind("asked", lambda example, language: Counter(example.source.split())))

It is written `NAME`, with `counts` (the default) or `presence`, `top=N` and `alpha=A` after it, as in
`asked,presence,top=100`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from recombine.errors import DefinitionError, ProgramError, RecombineError
from recombine.structures.features import Features
from recombine.structures.kinds import COMPOUND_ALPHA, ROLES, StructureKind, parse_alpha, parse_top
from recombine.structures.programs.program_graphs import program_error

if TYPE_CHECKING:
    from recombine.languages.language import Language
    from recombine.records.dataset import Dataset
    from recombine.records.example import Example
    from recombine.structures.read_once import ReadOnce

Count = Callable[["Example", "Language | None"], Mapping[str, float]]


@dataclass(frozen=True)
class CountedDefinition:
    """Structures that a function counts.

    >>> print(CountedDefinition("asked", "presence", top=100))
    asked,presence,top=100
    """

    kind: str
    value: str = "counts"
    top: int | None = None
    alpha: float = COMPOUND_ALPHA

    def __str__(self) -> str:
        text = f"{self.kind},{self.value}" + ("" if self.top is None else f",top={self.top}")
        return text if self.alpha == COMPOUND_ALPHA else f"{text},alpha={self.alpha!r}"


def counted_kind(
    name: str, count: Count, *, roles: tuple[str, ...] = ROLES[::-1], atoms: str = "tokens,presence"
) -> StructureKind:
    """A kind made of a function: an example and the language of the targets, if known, to counts by name.

    It serves as compounds and, where a definition says so, as atoms. As compounds it goes with the tokens of the
    targets as atoms, which all data has, unless a definition or `atoms` names others.

    >>> from collections import Counter
    >>> asked = counted_kind("asked", lambda example, language: Counter(example.source.split()))
    >>> str(asked.parse("asked"))
    'asked,counts'
    """

    def extract(read: ReadOnce, definition: CountedDefinition) -> Features:
        rows = [_row(name, count, example, read.dataset) for example in read.dataset]
        if definition.value == "presence":
            rows = [dict.fromkeys(row, 1.0) for row in rows]
        features = Features.from_rows(rows)
        return features if definition.top is None else features.keep_top(definition.top)

    return StructureKind(name, roles, _notation(name), extract, atoms=atoms)


def _notation(name: str) -> Callable[[str], CountedDefinition]:
    def parse(text: str) -> CountedDefinition:
        head, *options = text.split(",")
        value, top, alpha = "counts", None, COMPOUND_ALPHA
        for option in options if head == name else [text]:
            key, _, given = option.partition("=")
            if option in ("counts", "presence"):
                value = option
            elif key == "top" and parse_top(given):
                top = parse_top(given)
            elif key == "alpha" and (exponent := parse_alpha(given)):
                alpha = exponent
            else:
                raise DefinitionError(
                    f"the structures {name} have no option {option!r}",
                    f"write for example {name},counts or {name},presence,top=1000",
                )
        return CountedDefinition(name, value, top, alpha)

    return parse


def _row(kind: str, count: Count, example: Example, dataset: Dataset) -> dict[str, float]:
    """The structures of one example that are there at all."""
    where = f"the structures {kind} of the example {example.id} of {dataset.name}"
    try:
        counts = dict(count(example, dataset.language))
    except ProgramError as error:
        raise program_error(dataset, example, error) from None
    except RecombineError:
        raise
    except Exception as error:
        raise DefinitionError(f"{where} fail: {type(error).__name__}: {error}", "mend the plug-in") from error
    row: dict[str, float] = {}
    for name, number in counts.items():
        plain = isinstance(name, str) and isinstance(number, int | float) and not isinstance(number, bool)
        if not plain or not isfinite(number) or number < 0:
            raise DefinitionError(f"{where} count {name!r} as {number!r}", "give texts with numbers of 0 or more")
        if number:
            row[name] = float(number)
    return row
