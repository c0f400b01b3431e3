"""Learns which names exclude each other, and says how well what was held out is told (COVR, App. A).

Of each kind a share of pairs is held out; both orders of a pair of relations are held out together. Names of such a
pair have mostly been seen, in other pairs. How names are told that were in no pair at all is said apart: there a share
of names is held out, with all pairs that they are in, and another model is fitted on the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import OptionError
from recombine.models.exclusion.exclusion_model import ExclusionModel
from recombine.models.exclusion.kind_model import fit_kind_model
from recombine.models.exclusion.name_pairs import KINDS
from recombine.models.exclusion.pair_net import STEPS
from recombine.progress import bar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recombine.models.exclusion.name_encoder import NameEncoder
    from recombine.models.exclusion.name_pairs import NamePair

HELD_OUT = 0.2
_FEWEST = 10


@dataclass(frozen=True)
class HeldOut:
    """How well pairs of one kind are told that were not learned from; shares are from 0 to 1."""

    kind: str
    learned: int
    pairs: int
    accuracy: float
    majority: float
    """What the more frequent answer of the learned pairs gets at the held-out ones."""
    unseen_pairs: int
    unseen_accuracy: float
    """At pairs of which a name was in no pair that was learned from."""
    unseen_majority: float


def learn_exclusion(
    pairs: Sequence[NamePair], *, seed: int = 0, encoder: NameEncoder | None = None, held_out: float = HELD_OUT
) -> tuple[ExclusionModel, list[HeldOut]]:
    """A model of the kinds that there are pairs of, each without its held-out pairs, and how well these are told."""
    if not 0 < held_out < 1:
        raise OptionError(f"the share held out is {held_out}", "give a number between 0 and 1")
    kinds = [kind for kind in KINDS if any(pair.kind == kind for pair in pairs)]
    models, outcomes = {}, []
    with bar("learning which names exclude each other", counts="steps") as update:
        for number, kind in enumerate(kinds):
            some = [pair for pair in pairs if pair.kind == kind]
            tell = _teller(update, 2 * number, 2 * len(kinds), kind)
            learned, held = _apart(some, held_out, seed)
            models[kind] = fit_kind_model(kind, learned, seed=seed, encoder=encoder, tell=tell)
            known, unseen = _names_apart(some, held_out, seed)
            tell = _teller(update, 2 * number + 1, 2 * len(kinds), kind)
            other = fit_kind_model(kind, known, seed=seed, encoder=encoder, tell=tell)
            outcomes.append(
                HeldOut(
                    kind,
                    len(learned),
                    len(held),
                    models[kind].accuracy(held),
                    majority(learned, held),
                    len(unseen),
                    other.accuracy(unseen),
                    majority(known, unseen),
                )
            )
    return ExclusionModel(models), outcomes


def majority(learned: Sequence[NamePair], held: Sequence[NamePair]) -> float:
    """The share of held-out pairs that have the more frequent answer of the learned ones."""
    often = sum(pair.excludes for pair in learned) * 2 >= len(learned)
    return float(np.mean([pair.excludes == often for pair in held])) if held else float("nan")


def _apart(pairs: Sequence[NamePair], share: float, seed: int) -> tuple[list[NamePair], list[NamePair]]:
    """Pairs to learn from, and held-out ones; two orders of the same names are on one side."""
    keys = sorted({pair.key for pair in pairs})
    held = {keys[at] for at in np.random.default_rng(seed).permutation(len(keys))[: round(share * len(keys))]}
    return _checked(
        pairs, [pair for pair in pairs if pair.key not in held], [pair for pair in pairs if pair.key in held]
    )


def _names_apart(pairs: Sequence[NamePair], share: float, seed: int) -> tuple[list[NamePair], list[NamePair]]:
    """Pairs of names that may be known, and pairs with a name that may not."""
    names = sorted({name for pair in pairs for name in (pair.asked, pair.seen)})
    held = {names[at] for at in np.random.default_rng(seed).permutation(len(names))[: round(share * len(names))]}
    apart = [not held.isdisjoint((pair.asked, pair.seen)) for pair in pairs]
    return _checked(
        pairs,
        [pair for pair, out in zip(pairs, apart, strict=True) if not out],
        [pair for pair, out in zip(pairs, apart, strict=True) if out],
    )


def _checked(
    pairs: Sequence[NamePair], learned: list[NamePair], held: list[NamePair]
) -> tuple[list[NamePair], list[NamePair]]:
    if len(pairs) < _FEWEST or not held or len({pair.excludes for pair in learned}) < 2:
        problem = f"{len(pairs)} pairs of {pairs[0].kind}s are too few to learn from and to hold some out"
        raise OptionError(problem, f"give at least {_FEWEST} of a kind, with both answers among them")
    return learned, held


def _teller(
    update: Callable[[int, int | None, str], None] | None, done: int, fits: int, kind: str
) -> Callable[[int], None] | None:
    if update is None:
        return None
    return lambda step: update(done * STEPS + step, fits * STEPS, f"{kind}s")
