"""Whether a split by property is what its signature says, told from the data alone.

The stated predicate is asked of every example anew, or what was drawn is drawn again by the stated seed. Then train has
the stated number of examples with the property, dev none, test and `dev_held` nothing else; where parts were taken from
the field, every example is of the part that it says; no scene and no twins are on two sides. What is wrong names an
example.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import OptionError, RecombineError
from recombine.measures.properties.held_examples import held_examples, stated_predicate
from recombine.measures.properties.holds import Properties
from recombine.measures.properties.predicate import parse_predicate
from recombine.measures.properties.property_table import property_table
from recombine.measures.properties.sides import TRAIN, shared_scene, torn_twins

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from recombine.measures.held_out_verdict import HeldOutVerdict
    from recombine.records.dataset import Dataset
    from recombine.records.signature import Signature
    from recombine.records.split import Split

    Rows = Mapping[str, Sequence[int]]

HELD = "dev_held"


def check_property(
    dataset: Dataset, split: Split, rows: Rows, verdict: HeldOutVerdict, *, properties: str | None = None
) -> None:
    """Add to a verdict what holds and what does not; `rows` are those of the parts that have examples."""
    asked = Properties(dataset)
    try:
        held = _held(asked, split.signature, properties, verdict)
    except RecombineError as error:
        verdict.not_checked.append(f"what the split holds out was not checked: {error}")
        return
    _check_parts(dataset, rows, held, split.signature, verdict)
    _check_fields(dataset, asked, rows, held, split.signature, verdict)
    verdict.held = held
    said = split.signature.get("held_out")
    few = int(np.count_nonzero(held[np.asarray(rows[TRAIN], np.int64)]))
    for name, part in rows.items():
        number = int(np.count_nonzero(held[np.asarray(part, np.int64)]))
        if name != TRAIN and number:
            of_train = f"train has {few:,}" if few else "train has none"
            verdict.held_out.append(f"{said}: {number:,} of {len(part):,} examples of {name} have it, {of_train}")


def _held(asked: Properties, stated: Signature, properties: str | None, verdict: HeldOutVerdict) -> NDArray[np.bool_]:
    """Which examples have what is held out, by the stated predicate or drawn again."""
    table = property_table(properties)
    if table.own and table.own != stated.get("properties"):
        raise OptionError(
            f"the split was made by the properties {stated.get('properties') or 'of the package'}, and those of here "
            f"are {table.own}",
            "give the file it was made by, or none",
        )
    known = table.own == stated.get("properties")
    if stated.get("predicate"):
        predicate = stated_predicate(stated.get("predicate"))
        if known:
            preset = table.preset(stated.get("held_out"))
            text = stated.get("held_out") if preset is None else preset.held_out
            meant = str(table.expanded(parse_predicate(text)))
            if meant != str(predicate):
                verdict.problems.append(
                    f"{stated.get('held_out')} means {meant}, and the split was made by {predicate}"
                )
        return asked.holds(predicate)
    if not known:
        raise OptionError(
            f"what was drawn is said in {stated.get('properties').partition('@')[0]}", "give it with --properties"
        )
    again = held_examples(asked, stated.get("held_out"), table, seed=_number(stated, "seed"))
    if again.fields.get("drawn") != stated.get("drawn"):
        verdict.problems.append(
            f"{stated.get('drawn')} were drawn as the signature says, and the data gives {again.fields.get('drawn')}"
        )
    return again.mask


def _check_parts(
    dataset: Dataset, rows: Rows, held: NDArray[np.bool_], stated: Signature, verdict: HeldOutVerdict
) -> None:
    """Every part has what it should."""
    said, few = stated.get("held_out"), _number(stated, "few_shot")
    for name, part in rows.items():
        places = np.asarray(part, np.int64)
        having, lacking = places[held[places]], places[~held[places]]
        if name == TRAIN:
            if len(having) != few:
                verdict.problems.append(
                    f"{len(having)} examples of train have {said}, not {few} as stated" + _such_as(dataset, having)
                )
        elif name == "dev" and len(having):
            verdict.problems.append(f"{len(having)} examples of dev have {said}" + _such_as(dataset, having))
        elif name != "dev" and len(lacking):
            verdict.problems.append(
                f"{len(lacking)} examples of {name} do not have {said}" + _such_as(dataset, lacking)
            )


def _check_fields(
    dataset: Dataset,
    asked: Properties,
    rows: Rows,
    held: NDArray[np.bool_],
    stated: Signature,
    verdict: HeldOutVerdict,
) -> None:
    """Parts are those that examples say, and no scene and no twins are on two sides."""
    torn = list(torn_twins(asked.fields, rows))
    if torn:
        one, other = (dataset.ids[place] for place in torn[0])
        verdict.problems.append(f"{len(torn)} twins are torn apart, such as {one} of train and {other}")
    number, scene = shared_scene(asked.fields, rows)
    if number:
        verdict.problems.append(f"{number} scenes are both in train and in another part, such as {scene}")
    if stated.get("parts_from") != "field":
        return
    parts = np.array(asked.fields.column("part"), dtype=object)
    for name, part in rows.items():
        places = np.asarray(part, np.int64)
        wrong = places[parts[places] != ("dev" if name == HELD else name)]
        if len(wrong):
            verdict.problems.append(
                f"{len(wrong)} examples of {name} say in their field 'part' that they are of another"
                + _such_as(dataset, wrong)
            )
    train = parts == TRAIN
    filtered = f"{np.count_nonzero(train & held)}/{np.count_nonzero(train)}"
    if filtered != stated.get("filtered"):
        verdict.problems.append(f"{filtered} examples of train are filtered, not {stated.get('filtered')} as stated")


def _such_as(dataset: Dataset, places: NDArray[np.int64]) -> str:
    return f", such as {dataset.ids[int(places[0])]}" if len(places) else ""


def _number(stated: Signature, name: str) -> int:
    text = stated.get(name, "0")
    if not (text.isascii() and text.isdecimal()):
        raise OptionError(f"the split's signature states {name}:{text}, which cannot be read", "make it anew")
    return int(text)
