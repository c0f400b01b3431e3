"""Labelled pairs from what is known already: the ontology of the synthetic world, or GQA's two hierarchies.

Nearly all pairs of nouns exclude each other, and few pairs of attributes do. So all pairs of the rarer answer are taken
and, for each, `ratio` of the other in which one of its two names is replaced: a name occurs about as often with either
answer, and the name alone says nothing. Relations are taken both ways, all of them.
"""

from __future__ import annotations

from itertools import combinations, permutations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from recombine.errors import OptionError
from recombine.models.exclusion.name_pairs import KINDS, RELATION, NamePair
from recombine.scenes.related.exclusion import Exclusion, OntologyExclusion
from recombine.scenes.related.find_exclusion import find_hierarchies
from recombine.scenes.synthetic.ontology import find_ontology
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

ONTOLOGY = "ontology"
_TRIES = 50


class Source(NamedTuple):
    """An exclusion that is known, and the names of each kind that it knows; of relations, those that may be seen."""

    exclusion: Exclusion
    names: Mapping[str, Sequence[str]]
    seen_relations: Sequence[str]


def find_source(said: str | Path) -> Source:
    """The source that is named: `ontology`, or the folder of GQA's hierarchies."""
    if str(said) == ONTOLOGY:
        known = find_ontology()
        names = {"noun": sorted(known.nouns), "attribute": sorted(known.attributes), RELATION: sorted(known.relations)}
        return Source(OntologyExclusion(known), names, names[RELATION])
    exclusion = find_hierarchies(said)
    return Source(exclusion, {kind: exclusion.names(kind) for kind in KINDS}, exclusion.seen_relations)


def draw_pairs(source: Source, *, most: int, ratio: float = 1.0, seed: int = 0) -> list[NamePair]:
    """At most so many pairs of nouns, and of attributes, and all pairs of relations; sorted by kind and names."""
    if most < 2:
        raise OptionError(f"{most} pairs of a kind are too few", "take 2 or more")
    if ratio <= 0:
        raise OptionError(f"the ratio is {ratio}", "give a number over 0")
    draws = make_generator(seed)
    drawn = [*_relations(source)]
    for kind in KINDS:
        if kind != RELATION:
            drawn += _symmetric(source, kind, most, ratio, draws)
    return sorted(drawn)


def _relations(source: Source) -> list[NamePair]:
    seen = set(source.seen_relations)
    return [
        NamePair(RELATION, asked, each, source.exclusion.relation(asked, each))
        for asked, each in permutations(source.names[RELATION], 2)
        if each in seen
    ]


def _symmetric(source: Source, kind: str, most: int, ratio: float, draws: np.random.Generator) -> list[NamePair]:
    excludes = source.exclusion.noun if kind == "noun" else source.exclusion.attribute
    pairs = [NamePair(kind, *names, excludes(*names)) for names in combinations(source.names[kind], 2)]
    excluding = sum(pair.excludes for pair in pairs)
    rarer = excluding * 2 < len(pairs)
    rare = [pair for pair in pairs if pair.excludes == rarer]
    wanted = min(len(rare), int(most / (1 + ratio)))
    kept = [rare[place] for place in np.sort(draws.permutation(len(rare))[:wanted])]
    others = {pair.key: pair for pair in pairs if pair.excludes != rarer}
    return kept + _partners(kept, others, min(len(others), round(ratio * wanted)), draws)


def _partners(
    kept: Sequence[NamePair], others: dict[tuple[str, str, str], NamePair], wanted: int, draws: np.random.Generator
) -> list[NamePair]:
    """Pairs of the other answer, each with one name of a kept pair and another name that occurs in one."""
    names = sorted({name for pair in kept for name in (pair.asked, pair.seen)})
    drawn: dict[tuple[str, str, str], NamePair] = {}
    for turn in range(_TRIES * max(1, wanted)):
        if len(drawn) == wanted or not kept:
            break
        pair = kept[turn % len(kept)]
        stays = pair.asked if draws.random() < 0.5 else pair.seen
        new = names[int(draws.integers(len(names)))]
        other = others.get(NamePair(pair.kind, stays, new, False).key)
        if other is not None:
            drawn[other.key] = other
    return list(drawn.values())
