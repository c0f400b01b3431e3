"""Which examples of a data set a split by property holds out: those of a predicate, or of what is drawn by a seed.

Everything that decides it is in `fields`, which the signature of a split keeps, so that it can be found again from the
data alone.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import InfeasibleError, OptionError
from recombine.measures.properties.anonymous_programs import anonymous_programs
from recombine.measures.properties.name_pairs import name_pairs
from recombine.measures.properties.predicate import iter_atoms, parse_predicate
from recombine.measures.properties.property_table import PROGRAMS
from recombine.scenes.balance.scene_parts import PARTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from recombine.measures.properties.holds import Properties
    from recombine.measures.properties.predicate import Predicate
    from recombine.measures.properties.property_table import Preset, PropertyTable

    Mask = NDArray[np.bool_]

_PURPOSE = 0x9E1D


@dataclass(frozen=True)
class HeldExamples:
    """Whether each example is held out, and what decides that."""

    mask: Mask
    fields: Mapping[str, str]
    few_shot: int
    """How many of them train keeps where nobody says it."""
    never: Sequence[str] = ()
    """Atoms that hold of no example."""


def held_examples(properties: Properties, text: str, table: PropertyTable, *, seed: int) -> HeldExamples:
    """What a text, which is a predicate or the name of a preset, holds out."""
    preset = table.preset(text)
    own = {"properties": table.own} if table.own else {}
    if preset is not None and preset.draw:
        mask, drawn = _drawn(properties, preset, seed)
        return HeldExamples(mask, {"held_out": preset.name, **drawn, **own}, preset.few_shot)
    typed = parse_predicate(text if preset is None else preset.held_out)
    predicate = table.expanded(typed)
    said = str(typed) if preset is None else preset.name
    mask = properties.holds(predicate)
    return HeldExamples(
        mask,
        {"held_out": said, "predicate": str(predicate), **own},
        0 if preset is None else preset.few_shot,
        [str(atom) for atom in dict.fromkeys(iter_atoms(predicate)) if not properties.holds(atom).any()],
    )


def _drawn(properties: Properties, preset: Preset, seed: int) -> tuple[Mask, dict[str, str]]:
    """Examples with what is drawn, and how many of how many were drawn with a digest of them."""
    generator = np.random.default_rng([seed, _PURPOSE])
    if preset.draw == PROGRAMS:
        names, which = anonymous_programs(properties)
        chosen = np.sort(generator.permutation(len(names))[: _number(len(names), preset)])
        mask = np.isin(which, chosen)
    else:
        pairs = name_pairs(properties)
        names, (train, evaluated) = pairs.texts(), _sides(properties)
        of_names, of_pairs = pairs.often(train)
        firsts, seconds = np.divmod(pairs.pairs, max(len(pairs.names), 1))
        alone = np.minimum(of_names[firsts], of_names[seconds]) - of_pairs
        may_be = (alone >= preset.apart) & (pairs.often(evaluated)[1] >= preset.together)
        order = generator.permutation(np.flatnonzero(may_be))
        chosen = pairs.sparing(order, _number(len(order), preset), train)
        if len(chosen) < max(1, preset.number):
            raise InfeasibleError(
                f"{preset.name} draws {preset.number or 'some'} pairs, and {len(chosen)} leave every name in train",
                "give more questions, or a preset of your own with lower numbers in a file for --properties",
            )
        held = np.zeros(len(names), np.bool_)
        held[chosen] = True
        mask = pairs.having(held)
    digest = hashlib.sha256("\n".join(names[place] for place in chosen.tolist()).encode()).hexdigest()[:16]
    return mask, {"drawn": f"{len(chosen)}/{len(names)} {preset.draw}@{digest}"}


def _number(there: int, preset: Preset) -> int:
    """How many of those that are there to be drawn."""
    number = preset.number or max(1, round(preset.share * there))
    if number > there:
        least = f" each {preset.apart} times apart in train and {preset.together} times together in dev and test"
        raise InfeasibleError(
            f"{preset.name} draws {number} {preset.draw}, and there are {there}" + least * bool(preset.apart),
            "give more questions, or a preset of your own with lower numbers in a file for --properties",
        )
    return number


def _sides(properties: Properties) -> tuple[Mask, Mask]:
    """Examples of train and of dev and test by the field `part`; all are both where there is none."""
    values = properties.fields.column("part")
    if not set(values) <= set(PARTS):
        everything = np.ones(len(values), np.bool_)
        return everything, everything
    train = np.array([value == PARTS[0] for value in values], np.bool_)
    return train, ~train


def nearest(properties: Properties, never: Sequence[str]) -> str:
    """Which atoms hold of no example, with the nearest name that one could hold of; empty where there are none."""
    said = []
    for text in never:
        atom = next(iter_atoms(parse_predicate(text)))
        known = _known(properties, atom.name)
        words = [word.text for part in atom.parts[1:] for word in part.words if word.text not in known]
        near = [match for word in words for match in get_close_matches(word, known, n=1, cutoff=0.6)]
        said.append(f"{text} holds of no example" + (f" (did you mean {near[0]!r}?)" if near else ""))
    return ", ".join(said)


def _known(properties: Properties, name: str) -> set[str]:
    """The names of the data that an atom of a kind can hold of."""
    if name == "tpl":
        return {str(value) for value in properties.fields.column("template")}
    if name in ("op", "arg", "under", "child", "place"):
        return set(properties.nodes.programs.trees.texts)
    return set()


def stated_predicate(text: str) -> Predicate:
    """The predicate over primitives that a signature states."""
    try:
        return parse_predicate(text)
    except OptionError as error:
        raise OptionError(f"the stated predicate cannot be read: {error.problem}", "make the split anew") from None
