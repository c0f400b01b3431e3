"""Whether a split is sound: what is wrong with it, and what is only worth knowing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.measures.held_out import held_out
from recombine.measures.near_duplicates.near_duplicates import near_duplicates
from recombine.measures.no_structures import why_no_structures
from recombine.measures.stated_constraints import stated_constraints
from recombine.measures.unseen_atoms import unseen_atoms
from recombine.records.split import count_repeats
from recombine.structures.programs.program_graphs import unambiguous_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.measures.held_out_verdict import HeldOutVerdict
    from recombine.records.dataset import Dataset
    from recombine.records.split import Split
    from recombine.structures.features import Features

SHOWN = 10
"""The unseen atoms that a problem names; the others are counted there."""


def check_split(
    dataset: Dataset,
    split: Split,
    *,
    atoms: Features | None,
    sizes: dict[str, int] | None = None,
    profile: str | None = None,
    ontology: str | None = None,
    properties: str | None = None,
    near: float | None = None,
) -> dict[str, Any]:
    """Problems, what the method holds out on purpose, and what was not checked (each a sentence), and counts.

    Problems: the split is for other content, an id is not in the data, a part shares ids with train, a size differs
    from the one asked for, there is no train part, a test atom is not in train, a constraint that the signature states
    is broken, train has what the method was to hold out. Repeats, unused examples and empty parts are counted, not
    faults. `unseen_atoms` has all atoms of a part that train lacks, also those that are held out on purpose. `profile`
    and `ontology` are those by which a split by levels was made, where they are not the usual ones; `properties` is the
    file of one's own by which a split by property was made. With the threshold `near`, near duplicates of train are
    counted in every other part (`near_duplicates`); they are no faults.
    """
    problems: list[str] = []
    if not split.fits(dataset):
        problems.append(f"the split was made for content {split.data_hash}, the data has {dataset.hash}")
    missing = {name: sum(key not in dataset for key in ids) for name, ids in split.parts.items()}
    problems += [f"{n} ids of {name} are not in {dataset.name}" for name, n in missing.items() if n]
    if "train" not in split.parts:
        problems.append("there is no train part")
    problems += _overlaps(split)
    for name, size in (sizes or {}).items():
        have = len(split.parts.get(name, ()))
        if have != size:
            problems.append(f"{name} has {have} entries, not {size}")
    purpose = held_out(dataset, split, profile=profile, ontology=ontology, properties=properties)
    unseen: dict[str, int] = {}
    unseen_names: dict[str, list[str]] = {}
    hindrance = _atoms_hindrance(dataset, split, atoms, sum(missing.values()))
    if atoms is not None and not hindrance:
        train = split.positions(dataset, "train")
        for name in split.parts:
            if name != "train":
                rows, names = unseen_atoms(atoms, train, split.positions(dataset, name))
                unseen[name], unseen_names[name] = len(rows), names
                problems += _unseen(dataset, atoms, train, name, rows, purpose)
    stated = stated_constraints(dataset, split)
    used = set().union(*split.parts.values()) if split.parts else set()
    return {
        "problems": [*problems, *stated.problems, *purpose.problems],
        "held_out": purpose.held_out,
        "not_checked": [
            *_unverified(split, dataset),
            *([hindrance] if hindrance else []),
            *stated.not_checked,
            *purpose.not_checked,
        ],
        "sizes": split.sizes(),
        "repeats": {name: count_repeats(ids) for name, ids in split.parts.items()},
        "unused": len(dataset) - len(used & dataset.index.keys()),
        "empty": [name for name, ids in split.parts.items() if not ids],
        "unseen_atom_examples": unseen,
        "unseen_atoms": unseen_names,
        **({} if near is None else {"near_duplicates": _near(dataset, split, near)}),
    }


def _near(dataset: Dataset, split: Split, threshold: float) -> dict[str, dict[str, Any]]:
    """The near duplicates of train in every other part, by its name; of ids that the data has."""
    parts = {
        name: dataset.part([dataset.index[key] for key in ids if key in dataset]) for name, ids in split.parts.items()
    }
    train = parts.pop("train", dataset.part([]))
    return {name: near_duplicates(train, part, threshold=threshold) for name, part in parts.items()}


def _unseen(
    dataset: Dataset, atoms: Features, train: Sequence[int], name: str, rows: list[int], purpose: HeldOutVerdict
) -> list[str]:
    """What is wrong with the atoms of a part that train lacks; what the method lets be unseen is called held out."""
    rows = [row for row in rows if row not in purpose.rows.get(name, ())]
    if rows and purpose.held is not None:
        rows = _without_held_atoms(atoms, train, name, rows, purpose)
    if rows and purpose.details_may_be_new:
        own = _unseen_symbols(dataset, atoms, train, rows, purpose)
        new = [row for row in rows if not own[row]]
        if new:
            purpose.held_out.append(f"entities and literals: {len(new):,} examples of {name} hold ones unseen in train")
        rows = [row for row in rows if own[row]]
        names = sorted(set().union(*own.values()))
    elif rows:
        names = unseen_atoms(atoms, train, rows)[1]
    if not rows:
        return []
    return [f"{len(rows)} examples of {name} hold atoms unseen in train: {_shortened(names)}"]


def _without_held_atoms(
    atoms: Features, train: Sequence[int], name: str, rows: list[int], purpose: HeldOutVerdict
) -> list[int]:
    """The rows that hold an atom that train lacks and that examples have which are not held out."""
    if purpose.held is None:
        return rows
    unseen = atoms.sums(train) == 0
    elsewhere = atoms.sums(np.flatnonzero(~purpose.held).tolist()) > 0
    kept: list[int] = []
    held: set[str] = set()
    for row in rows:
        places = atoms.indices[atoms.indptr[row] : atoms.indptr[row + 1]]
        lacking = places[unseen[places]]
        if elsewhere[lacking].any():
            kept.append(row)
        else:
            held.update(atoms.names[int(place)] for place in lacking)
    if held:
        number = len(rows) - len(kept)
        purpose.held_out.append(
            f"atoms that no other example has: {number:,} examples of {name} hold {_shortened(sorted(held))}"
        )
    return kept


def _unseen_symbols(
    dataset: Dataset, atoms: Features, train: Sequence[int], rows: Sequence[int], purpose: HeldOutVerdict
) -> dict[int, set[str]]:
    """For each example, the atoms that train lacks and that are no details of one example."""
    lacking = atoms.sums(train) == 0
    symbols: dict[str, set[str]] = {}
    own = {}
    for row in rows:
        places = atoms.indices[atoms.indptr[row] : atoms.indptr[row + 1]]
        text = dataset[row].target
        if text not in symbols:
            symbols[text] = _symbols(dataset, text, purpose)
        own[row] = symbols[text].intersection(atoms.names[int(place)] for place in places[lacking[places]])
    return own


def _symbols(dataset: Dataset, text: str, purpose: HeldOutVerdict) -> set[str]:
    """The symbols of a program that are no details of one example."""
    if dataset.language is None:
        return set()
    tree = dataset.language.parse(text)
    kept = {node.label for node in dataset.language.anonymise(tree).iter_nodes()}
    if purpose.details_of is not None:
        kept -= purpose.details_of(text)
    return {unambiguous_label(node.label) for node in tree.iter_nodes() if node.label in kept}


def _unverified(split: Split, dataset: Dataset) -> list[str]:
    """What has to be taken on trust of a split that does not know its data."""
    if split.signature.get("verified") != "no":
        return []
    return [
        f"whether the split was made for this content of {dataset.name} was not checked: it names examples by line "
        "number and keeps no hash of its data; give a split file of our own form, which keeps one"
    ]


def _atoms_hindrance(dataset: Dataset, split: Split, atoms: Features | None, missing: int) -> str:
    """Why it cannot be said whether train has all atoms of the other parts, and what would help; empty where it can."""
    unchecked = "whether every atom of the other parts is in train was not checked"
    if missing:
        return f"{unchecked}: {missing} ids are not in {dataset.name}; give the data the split was made for"
    if not split.parts.get("train"):
        return f"{unchecked}: train has no examples; give a split with some"
    if not any(ids for name, ids in split.parts.items() if name != "train"):
        return f"{unchecked}: no part but train has examples; give a split with a test part"
    return f"{unchecked}: {why_no_structures(dataset)}" if atoms is None else ""


def _shortened(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f", … and {more} more" if more > 0 else "")


def _overlaps(split: Split) -> list[str]:
    """Pairs of parts that share ids; a training example must not be tested, nor a test example serve twice."""
    names = list(split.parts)
    overlaps = []
    for position, one in enumerate(names):
        for other in names[position + 1 :]:
            shared = len(set(split.parts[one]) & set(split.parts[other]))
            if shared:
                overlaps.append(f"{one} and {other} share {shared} examples")
    return overlaps
