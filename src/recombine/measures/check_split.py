"""Whether a split is sound: what is wrong with it, and what is only worth knowing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.measures.unseen_atoms import unseen_atoms
from recombine.records.split import count_repeats

if TYPE_CHECKING:
    from recombine.records.dataset import Dataset
    from recombine.records.split import Split
    from recombine.structures.features import Features


def check_split(
    dataset: Dataset, split: Split, *, atoms: Features | None, sizes: dict[str, int] | None = None
) -> dict[str, Any]:
    """Problems (each a sentence) and counts.

    Problems: the split is for other content, an id is not in the data, a part shares ids with train, a size differs
    from the one asked for, there is no train part, a test atom is not in train. Repeats, unused examples and empty
    parts are counted, not faults.
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
    unseen: dict[str, int] = {}
    if atoms is not None and not any(missing.values()) and split.parts.get("train"):
        train = split.positions(dataset, "train")
        for name in split.parts:
            if name != "train":
                rows, names = unseen_atoms(atoms, train, split.positions(dataset, name))
                unseen[name] = len(rows)
                if rows:
                    problems.append(f"{len(rows)} examples of {name} hold atoms unseen in train: {', '.join(names)}")
    used = set().union(*split.parts.values()) if split.parts else set()
    return {
        "problems": problems,
        "sizes": split.sizes(),
        "repeats": {name: count_repeats(ids) for name, ids in split.parts.items()},
        "unused": len(dataset) - len(used & dataset.index.keys()),
        "empty": [name for name, ids in split.parts.items() if not ids],
        "unseen_atom_examples": unseen,
    }


def _overlaps(split: Split) -> list[str]:
    """Pairs of parts that share ids; a training example must not be tested, nor a test example serve twice."""
    names = list(split.parts)
    found = []
    for position, one in enumerate(names):
        for other in names[position + 1 :]:
            shared = len(set(split.parts[one]) & set(split.parts[other]))
            if shared:
                found.append(f"{one} and {other} share {shared} examples")
    return found
