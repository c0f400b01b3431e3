"""The least costly way to turn the clauses of one SPARQL query into those of another (CFQ paper, App. F.1).

Clauses are multisets. Equal ones are paired; of the others, each of the shorter side is paired with one of the longer
as a substitution, so that the sum of costs is least, and what is left over is deleted or inserted. The costs order
substitutions by what is wrong, and two clauses that have nothing in common are still cheaper to substitute than to
delete and insert:

    property < one node < both nodes < property and one node < everything < deletion and insertion

A node is a subject or an object. Triples are matched with triples and filters with filters.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, TypeVar

from scipy.optimize import linear_sum_assignment

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Triple = tuple[str, str, str]
Filter = tuple[str, str]
Clause = TypeVar("Clause", Triple, Filter)

# By whether the property is wrong and how many nodes are. It is a metric, so pairing equal clauses first costs nothing.
COSTS = ((0, 10, 12), (8, 14, 16))
# A deletion or an insertion costs 9: two of them are dearer than any substitution, so all that can be paired are.


@dataclass(frozen=True)
class ClauseErrors:
    """What is wrong with the clauses of an output, in numbers of clauses."""

    inserted: int = 0
    deleted: int = 0
    property: int = 0
    """Substitutions in which only the property is wrong."""
    node: int = 0
    """Substitutions in which the property is right, and the subject or the object or both are wrong."""
    both: int = 0
    """Substitutions in which the property is wrong, and the subject or the object or both too."""
    unlike: int = 0
    """Those among `both` that have nothing in common."""
    filter_inserted: int = 0
    filter_deleted: int = 0
    filter_substituted: int = 0

    def to_record(self) -> dict[str, int]:
        """As it stands in JSON."""
        return asdict(self)


def match_clauses(
    gold: Sequence[Triple],
    output: Sequence[Triple],
    filters: Sequence[Filter] = (),
    output_filters: Sequence[Filter] = (),
) -> ClauseErrors:
    """The errors in the clauses of an output; the terms of a filter are in one order in both queries.

    >>> match_clauses([("?x0", "a", "film.actor"), ("?x0", "edits", "M0")], [("?x0", "directs", "M0")]).to_record()
    {'inserted': 0, 'deleted': 1, 'property': 1, 'node': 0, 'both': 0, 'unlike': 0, 'filter_inserted': 0, ...
    """
    pairs, deleted, inserted = _matched(gold, output, triple_cost)
    wrong = [(one[1] != other[1], _wrong_nodes(one, other)) for one, other in pairs]
    filter_pairs, filter_deleted, filter_inserted = _matched(filters, output_filters, filter_cost)
    return ClauseErrors(
        inserted,
        deleted,
        property=wrong.count((True, 0)),
        node=sum(not wrong_property for wrong_property, _ in wrong),
        both=sum(wrong_property and nodes > 0 for wrong_property, nodes in wrong),
        unlike=wrong.count((True, 2)),
        filter_inserted=filter_inserted,
        filter_deleted=filter_deleted,
        filter_substituted=len(filter_pairs),
    )


def triple_cost(one: Triple, other: Triple) -> int:
    """The cost of a triple in the place of another."""
    return COSTS[one[1] != other[1]][_wrong_nodes(one, other)]


def filter_cost(one: Filter, other: Filter) -> int:
    """The cost of a filter in the place of another: the number of terms that differ, in any order."""
    return (Counter(one) - Counter(other)).total()


def _wrong_nodes(one: Triple, other: Triple) -> int:
    return (one[0] != other[0]) + (one[2] != other[2])


def _matched(
    gold: Sequence[Clause], output: Sequence[Clause], cost: Callable[[Clause, Clause], int]
) -> tuple[list[tuple[Clause, Clause]], int, int]:
    """The pairs that are substituted, and the numbers of clauses deleted and inserted."""
    wanted, given = Counter(gold), Counter(output)
    # Sorted, so that the choice among equally good matchings does not depend on the order of clauses.
    rows, columns = sorted((wanted - given).elements()), sorted((given - wanted).elements())
    if not rows or not columns:
        return [], len(rows), len(columns)
    # Without gaps to fill: every pair is cheaper than a deletion and an insertion, so the shorter side is used up.
    chosen = linear_sum_assignment([[cost(one, other) for other in columns] for one in rows])
    pairs = [(rows[one], columns[other]) for one, other in zip(*chosen, strict=True)]
    return pairs, len(rows) - len(pairs), len(columns) - len(pairs)
