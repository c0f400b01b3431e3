"""Warnings about a split that was made to be hard: what its D_C, or a score on it, may owe to something else.

Each function gives one sentence, with the figure and what to do, or none. They look at sums alone, so that a cluster
warns of what one process does; the floor is the exception, which a cluster does not have.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.measures.floors.measured_floor import KEY as FLOOR
from recombine.measures.floors.random_floor import RandomFloor, no_harder
from recombine.measures.length_ratio import ratio_of_lengths

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from recombine.structures.dataset_features import DatasetFeatures
    from recombine.structures.features import Features
    from recombine.structures.kinds import Definition

    Lengths = tuple[NDArray[np.int64], NDArray[np.int64]]
    """How many texts of train, and how many of test, have each number of words."""

SATURATED = 0.9995
"""The least D_C that is printed as 1.000."""
FEW = 0.15
"""Of what a random test holds, published maximum-divergence splits test 0.34 (SCAN) or more, searches 0.23 or more."""
MANY_WITHOUT = 1 / 3
"""CFQ's published MCD1 has 32 % in train and 27 % in dev under the default definition of its derivations."""
LONGER = 4 / 3
"""Test over train: published splits by template and by tmcd, and CFQ's MCD1, have up to 1.23, those by length 1.54."""
MOST = 95
BEYOND = 0.25
"""The share of test that may be longer than `MOST` percent of train: five times what a random split has."""


@dataclass(frozen=True)
class HeldCompounds:
    """What warnings need to know of compounds: how many examples of the data hold each, and how many test holds."""

    definition: Definition
    holders: NDArray[np.int64]
    tested: int
    rows: int
    """How many examples the data has."""
    named: str = ""
    """The definition, where it is one of several kinds."""

    @classmethod
    def of(cls, definition: Definition, compounds: Features, test: Sequence[int]) -> HeldCompounds:
        """The same of features, with the rows of test."""
        rows = np.arange(compounds.shape[0])
        if (compounds.data > 0).all():
            holders = compounds.held(rows)
        else:
            holders = replace(compounds, data=(compounds.data > 0).astype(np.float64)).sums(rows).astype(np.int64)
        tested = int(np.count_nonzero(compounds.sums(test) > 0))
        return cls(definition, holders, tested, compounds.shape[0])

    @classmethod
    def by_kind(cls, features: DatasetFeatures, test: Sequence[int]) -> tuple[HeldCompounds, ...]:
        """The same of each kind of compounds."""
        found = [cls.of(one.structures.compounds, one.compounds, test) for one in features.by_kind()]
        return tuple(found) if len(found) == 1 else tuple(replace(one, named=f" {one.definition}") for one in found)


def split_warnings(
    values: Mapping[str, Any],
    lengths: Mapping[str, Lengths],
    held: Sequence[HeldCompounds],
) -> list[str]:
    """All warnings about measured values; `lengths` are those of each side, `held` has each kind of compounds."""
    found = [floor_warning(values)]
    if held:
        definitions = [each.definition for each in held]
        found += [
            saturated(values["compound_divergence"], *definitions),
            *(few_compounds(each, values["against"], values[values["against"]]) for each in held),
            *without_compounds_warnings(values, *definitions),
        ]
    found.append(longer(lengths, values["against"]))
    return [sentence for sentence in found if sentence is not None]


def floor_warning(values: Mapping[str, Any]) -> str | None:
    """The split is no harder than random ones; none where there is no floor."""
    return no_harder(values["compound_divergence"], RandomFloor(**values[FLOOR])) if FLOOR in values else None


def saturated(divergence: float, *definitions: Definition) -> str | None:
    """D_C is at its ceiling, where harder splits cannot be told from easier ones.

    >>> from recombine.structures.definition import Structures
    >>> saturated(1.0, Structures.parse("tree:2-3,counts").compounds)[66:]
    ' the definition no longer tells how hard the split is; take other --structures: smaller compounds (tree:2-2)'
    """
    if divergence < SATURATED:
        return None
    return (
        f"D_C is {divergence:.3f}: train has next to none of the compounds of test, and the definition no longer tells "
        f"how hard the split is; {other_structures(*definitions)}"
    )


def few_compounds(held: HeldCompounds, part: str, entries: int) -> str | None:
    """Test holds few of the compounds that a random test of its size would hold."""
    chance = min(1.0, entries / held.rows)
    expected = float(np.sum(1 - (1 - chance) ** held.holders))
    if not 0 < held.tested < FEW * expected:
        return None
    return (
        f"{part} holds {held.tested:,} of the {np.count_nonzero(held.holders):,} compounds{held.named} there are, and "
        f"a random part of its size about {expected:,.0f}: D_C is about few combinations; vary test with --quota or "
        f"--distinct (--by mcd and tmcd), or {other_structures(held.definition)}"
    )


def without_compounds_warnings(values: Mapping[str, Any], *definitions: Definition) -> list[str]:
    """Many examples of train, or of the part it is compared with, have no part in D_C."""
    of_a_kind = " of some kind" if len(definitions) > 1 else ""
    return [
        f"{number / values[part]:.0%} of {part} ({number:,} of {values[part]:,} examples) hold no compound{of_a_kind}, "
        f"and D_C says nothing about them; {other_structures(*definitions)}"
        for part, number in values.get("without_compounds", {}).items()
        if number >= MANY_WITHOUT * values[part]
    ]


def longer(lengths: Mapping[str, Lengths], part: str) -> str | None:
    """Test is much longer than train on some side, on average or in many of its texts.

    >>> short, long = np.array([0, 0, 0, 9]), np.array([0, 0, 0, 0, 3])
    >>> longer({"source": (short, long), "target": (short, short)}, "test")[:62]
    'test is longer than train (sources 1.33 times as many words on'
    """
    found = {}
    for side, (train, test) in lengths.items():
        ratio, bound = ratio_of_lengths(train, test), int(np.searchsorted(100 * np.cumsum(train), MOST * train.sum()))
        beyond = test[bound + 1 :].sum() / test.sum()
        if ratio and (1 / ratio >= LONGER or beyond >= BEYOND):
            found[side] = (
                f"{side}s {1 / ratio:.2f} times as many words on average, {beyond:.0%} above {MOST}% of train's"
            )
    if not found:
        return None
    bounds = "0.9:1.1" if len(found) == len(lengths) else ",".join(f"{side}=0.9:1.1" for side in found)
    return (
        f"{part} is longer than train ({'; '.join(found.values())}), so this is in part a length split; bound "
        f"that with --length-ratio {bounds} (--by mcd and tmcd)"
    )


def other_structures(*definitions: Definition) -> str:
    """What to do where compounds, of one kind or of several, are too rare: definitions under which more of them meet.

    >>> from recombine.structures.definition import Structures
    >>> other_structures(Structures.parse("line:7-8,counts,top=300").compounds)
    'take other --structures: smaller compounds (line:2-4), all rules (rules=all), weighted, no top=300'
    """
    ways = list(dict.fromkeys(way for definition in definitions for way in _ways(definition)))
    return "take other --structures" + (f": {', '.join(ways)}" if ways else "")


def _ways(definition: Definition) -> list[str]:
    """Changes of a definition under which its compounds are less rare."""
    low, high, order, rules, top = (
        getattr(definition, name, None) for name in ("low", "high", "order", "rules", "top")
    )
    ways = []
    if low is not None and high is not None:
        least, most = min(low, 2), 4 if high > 4 else high - 1
        ways += [f"smaller compounds ({definition.kind}:{least}-{most})"] if least <= most else []
    if order is not None and order > 2:
        ways.append(f"smaller ones ({definition.kind}:{order - 1})")
    if definition.kind in ("dag", "line"):
        ways += ["all rules (rules=all)"] if rules != "all" else []
        ways += ["weighted"] if definition.value != "weighted" else []
    if top is not None:
        ways.append(f"no top={top}")
    return ways
