"""Whether a split keeps the constraints that its signature states, counted again from its parts.

A search writes into the signature what it was held to: the cap on D_A, the quota and the least number of test
patterns, the least count of an atom in train, the least number of compounds in a test example, the bounds on length
ratios, equal programs on one side. Anyone who has the data can see from the file alone whether that is so. Nothing of
the search is used here.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from recombine.errors import DerivationError, OptionError, SplitError
from recombine.languages.suggest_language import suggest_language
from recombine.measures.divergence import divergence
from recombine.measures.held_compounds import held_compounds
from recombine.measures.length_bounds import SIDES, parse_ratio
from recombine.measures.length_ratio import length_ratio
from recombine.measures.unseen_atoms import unseen_atoms
from recombine.structures.dataset_features import extract_atoms, extract_features
from recombine.structures.definition import ATOM_ALPHA, Structures
from recombine.structures.programs.templates import equal_programs

if TYPE_CHECKING:
    from recombine.records.dataset import Dataset
    from recombine.records.split import Split
    from recombine.structures.features import Features

STATED = (
    *("max_atom_divergence", "quota", "distinct", "min_atom_count", "min_compounds", "length_ratio"),
    "no_duplicates",
)
"""The constraints of a signature that can be checked."""


@dataclass
class StatedConstraints:
    """Sentences: which stated constraints the split breaks, and which could not be checked."""

    problems: list[str] = field(default_factory=list)
    not_checked: list[str] = field(default_factory=list)


def stated_constraints(dataset: Dataset, split: Split) -> StatedConstraints:
    """The stated constraints that the split breaks, and those that cannot be checked on this data."""
    verdict = StatedConstraints()
    stated = {name: text for name in STATED if (text := split.signature.get(name))}
    if not stated:
        return verdict
    missing = sum(key not in dataset for ids in split.parts.values() for key in ids)
    if missing or not split.parts.get("train") or not split.parts.get("test"):
        reason = f"{missing} ids are not in {dataset.name}" if missing else "train or test is empty"
        verdict.not_checked.append(f"the stated {', '.join(stated)} were not checked: {reason}")
        return verdict
    rows = {name: split.positions(dataset, name) for name in split.parts}
    _check_atoms(dataset, split, rows, stated, verdict)
    _check_compounds(dataset, split, rows, stated, verdict)
    _check_patterns(dataset, split, rows["test"], stated, verdict)
    for side, (low, high) in _bounds(stated).items():
        texts = {name: [getattr(dataset[row], side) for row in rows[name]] for name in ("train", "test")}
        ratio = length_ratio(texts["train"], texts["test"])
        if ratio is None or not low <= ratio <= high:
            shown = "not defined" if ratio is None else f"{ratio:.4f}"
            verdict.problems.append(f"the {side} length ratio is {shown}, outside the stated {low:g}:{high:g}")
    if stated.get("no_duplicates") == "yes":
        names = equal_programs(dataset)
        shared = {names[row] for row in rows["train"]}
        tested = sum(names[row] in shared for name, part in rows.items() if name != "train" for row in part)
        if tested:
            verdict.problems.append(f"{tested} tested programs are in train, though no_duplicates is stated")
    return verdict


def _check_atoms(
    dataset: Dataset, split: Split, rows: dict[str, list[int]], stated: dict[str, str], verdict: StatedConstraints
) -> None:
    """The cap on D_A and the least count of an atom, of every part but train, by the stated definition of atoms."""
    names = [name for name in ("max_atom_divergence", "min_atom_count") if name in stated]
    if not names:
        return
    cap, least = _number(stated, "max_atom_divergence", "1.0"), int(_number(stated, "min_atom_count", "1"))
    try:
        atoms = _stated_atoms(dataset, split)
    except DerivationError as error:
        verdict.not_checked.append(f"the stated {', '.join(names)} were not checked: {error}")
        return
    for name, part in rows.items():
        if name == "train" or not part:
            continue
        value = divergence(atoms, rows["train"], part, alpha=ATOM_ALPHA)
        if value > cap:
            verdict.problems.append(f"D_A of {name} is {value:.4f}, above the stated cap of {cap}")
        rare, _ = unseen_atoms(atoms, rows["train"], part, least=least)
        if rare and least > 1:
            verdict.problems.append(
                f"{len(rare)} examples of {name} hold atoms seen less than the stated {least} times"
            )


def _check_compounds(
    dataset: Dataset, split: Split, rows: dict[str, list[int]], stated: dict[str, str], verdict: StatedConstraints
) -> None:
    """The least number of compounds in an example of every part but train, by the stated definition of compounds."""
    least = int(_number(stated, "min_compounds", "0"))
    if least < 1:
        return
    try:
        held = held_compounds(extract_features(dataset, _stated_structures(dataset, split)).compounds)
    except DerivationError as error:
        verdict.not_checked.append(f"the stated min_compounds was not checked: {error}")
        return
    for name, part in rows.items():
        lacking = 0 if name == "train" else sum(held[row] < least for row in part)
        if lacking:
            verdict.problems.append(f"{lacking} examples of {name} hold fewer compounds than the stated {least}")


def _stated_atoms(dataset: Dataset, split: Split) -> Features:
    return extract_atoms(dataset, _stated_structures(dataset, split).atoms)


def _stated_structures(dataset: Dataset, split: Split) -> Structures:
    text = split.signature.get("optimised") or dataset.structures
    if not text:
        raise DerivationError(f"the atoms of {dataset.name} are not known", suggest_language(dataset.texts("target")))
    return Structures.parse(text)


def _check_patterns(
    dataset: Dataset, split: Split, test: list[int], stated: dict[str, str], verdict: StatedConstraints
) -> None:
    """The quota and the least number of test patterns, each of a side."""
    names = [name for name in ("quota", "distinct") if name in stated]
    if names and split.data != dataset.name:
        reason = f"the split was made for {split.data}, and {dataset.name} may have other patterns"
        verdict.not_checked.append(f"the stated {', '.join(names)} were not checked: {reason}")
        return
    for name in names:
        side, number = _of_side(stated, name)
        collapse = dataset.pattern(side).collapse
        counts = Counter(collapse(getattr(dataset[row], side)) for row in test)
        most = max(counts.values())
        if name == "quota" and most > number:
            verdict.problems.append(f"a {side} pattern has {most} test examples, above the stated quota of {number}")
        if name == "distinct" and len(counts) < number:
            verdict.problems.append(f"test has {len(counts)} distinct {side} patterns, fewer than the stated {number}")


def _number(stated: dict[str, str], name: str, default: str) -> float:
    try:
        return float(stated.get(name, default))
    except ValueError:
        raise _unreadable(stated, name) from None


def _of_side(stated: dict[str, str], name: str) -> tuple[str, int]:
    side, _, number = stated[name].partition("=")
    if side not in SIDES or not (number.isascii() and number.isdigit()):
        raise _unreadable(stated, name)
    return side, int(number)


def _bounds(stated: dict[str, str]) -> dict[str, tuple[float, float]]:
    try:
        return parse_ratio(stated.get("length_ratio"))
    except OptionError:
        raise _unreadable(stated, "length_ratio") from None


def _unreadable(stated: dict[str, str], name: str) -> SplitError:
    return SplitError(f"the split's signature states {name}:{stated[name]}, which cannot be read", "make it anew")
