"""Which parts of SQL queries are wrong: what is selected, tables, conditions, and so on, as `set_match` takes them."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from recombine.errors import NotReadError, ProgramError
from recombine.evaluation.match.set_match import differing_parts
from recombine.evaluation.match.set_match_clauses import Components

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True)
class SqlParts:
    """Counts over outputs; one that differs in several parts counts in each."""

    outputs: int
    different: int
    """Outputs that can be read and differ in some part."""
    malformed: int
    abstained: int
    parts: dict[str, int]
    """Outputs that differ in each part."""
    unsupported: int = 0
    """Outputs of a kind that SQL has and that is not read."""

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return asdict(self)


def sql_parts(pairs: Iterable[tuple[str, str]]) -> SqlParts:
    """The counts over gold queries and outputs; an empty output abstains.

    >>> gold = "select name from dogs where age > 3 limit 1"
    >>> outputs = [gold, "select age from dogs where age > 3", "select (", "drop table dogs", ""]
    >>> counted = sql_parts([(gold, output) for output in outputs])
    >>> counted.different, counted.malformed, counted.unsupported, counted.abstained
    (1, 1, 1, 1)
    >>> counted.parts["select"], counted.parts["limit"]
    (1, 1)
    """
    parts = {field.name: 0 for field in fields(Components)}
    outputs = different = malformed = unsupported = abstained = 0
    for gold, output in pairs:
        outputs += 1
        if not output.strip():
            abstained += 1
            continue
        try:
            wrong = differing_parts(gold, output)
        except NotReadError:
            unsupported += 1
            continue
        except ProgramError:
            malformed += 1
            continue
        different += bool(wrong)
        for name in wrong:
            parts[name] += 1
    return SqlParts(outputs, different, malformed, abstained, parts, unsupported)
