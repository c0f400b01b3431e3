"""Everything that can be measured about one split, with its signature."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from recombine.errors import SplitError
from recombine.measures.divergence import divergence, divergence_by_kind, joined_divergence
from recombine.measures.duplicates import duplicates
from recombine.measures.expected.expected_accuracy import KEY as EXPECTED
from recombine.measures.expected.expected_accuracy import expected_accuracy
from recombine.measures.floors.measured_floor import KEY as FLOOR
from recombine.measures.floors.measured_floor import floor_values, measured_floor, no_floor
from recombine.measures.held_compounds import without_compounds
from recombine.measures.item_fields import item_fields
from recombine.measures.known import Part, further_measures
from recombine.measures.length_ratio import counted_lengths, ratio_of_lengths
from recombine.measures.near_duplicates.near_duplicates import near_duplicates, near_signature
from recombine.measures.no_structures import why_no_structures
from recombine.measures.patterns import pattern_coverage, variety
from recombine.measures.split_warnings import HeldCompounds, split_warnings
from recombine.measures.unseen_atoms import unseen_atoms
from recombine.records.chosen_examples import texts_of
from recombine.structures.definition import ATOM_ALPHA
from recombine.structures.joined_definition import definition_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from recombine.records.dataset import Dataset
    from recombine.records.signature import Signature
    from recombine.records.split import Split
    from recombine.structures.dataset_features import DatasetFeatures

SIDES = ("source", "target")


def measure_split(
    dataset: Dataset,
    split: Split,
    *,
    features: DatasetFeatures | None,
    atom_alpha: float = ATOM_ALPHA,
    compound_alpha: float | None = None,
    against: str = "test",
    made_to_be_hard: Callable[[], bool] = lambda: False,
    near: float | None = None,
) -> dict[str, Any]:
    """The measured values of train against another part, by name. Without features there are no divergences.

    `compound_divergences` has that of each kind by its definition, where compounds are of several; D_C is their mean.
    `random_compound_divergence` has mean, spread and number of random splits of the same sizes.
    `warnings` has a sentence for each reason to doubt a split that was made to be hard, which is asked only then.
    `without_compounds` counts the examples of both parts that hold none, where there are such.
    `measures` has those of the table of further measures, where there are any.
    `near_duplicates` has those at the threshold `near`, where one is given.
    `expected_accuracy` has an estimate with its interval, for splits like those that it was calibrated on.
    `not_measured` has a sentence for each value that is missing: why, and what would give it.
    The exponent of the compound divergence is that of the definition, unless another is given.
    """
    train_rows, test_rows = split.positions(dataset, "train"), split.positions(dataset, against)
    for name, rows in (("train", train_rows), (against, test_rows)):
        if not rows:
            raise SplitError(f"the {name} part is empty, so there is nothing to measure", "choose another part")
    values: dict[str, Any] = {name: len(ids) for name, ids in split.parts.items()}
    values["against"] = against
    if features is not None:
        compound_alpha = features.structures.compounds.alpha if compound_alpha is None else compound_alpha
        values |= _divergences(features, train_rows, test_rows, atom_alpha, compound_alpha)
        floor = measured_floor(features.compounds, len(train_rows), len(test_rows), alpha=compound_alpha)
        values |= floor_values(floor)
        values |= without_compounds(features.compounds, {"train": train_rows, against: test_rows})
    values["pattern_coverage"], values["length_ratio"], values["patterns"] = {}, {}, {}
    lengths = {}
    for side in SIDES:
        collapse = dataset.pattern(side).collapse
        train, test = (texts_of(dataset.part(rows), side) for rows in (train_rows, test_rows))
        tested = list(map(collapse, test))
        values["pattern_coverage"][side] = pattern_coverage(map(collapse, train), tested)
        values["patterns"][side] = asdict(variety(tested))
        lengths[side] = counted_lengths(train), counted_lengths(test)
        values["length_ratio"][side] = ratio_of_lengths(*lengths[side])
    values["duplicates"] = duplicates(dataset.part(train_rows), dataset.part(test_rows))
    if near is not None:
        values["near_duplicates"] = near_duplicates(dataset.part(train_rows), dataset.part(test_rows), threshold=near)
    if fields := item_fields(dataset, train_rows, test_rows):
        values["item_fields"] = fields
    further = further_measures(
        Part("train", dataset, train_rows, features), Part(against, dataset, test_rows, features)
    )
    if further:
        values["measures"] = further
    held = () if features is None else HeldCompounds.by_kind(features, test_rows)
    warnings = split_warnings(values, lengths, held)
    if warnings and made_to_be_hard():
        values["warnings"] = warnings
    expected, not_expected = expected_accuracy(dataset, features, train_rows, test_rows)
    if expected is not None:
        values[EXPECTED] = expected
    values["not_measured"] = not_measured(
        values,
        lambda: why_no_structures(dataset),
        no_floor(len(train_rows), len(test_rows), len(dataset)),
        not_expected,
    )
    patterns = {side: dataset.pattern(side).name for side in SIDES}
    made_by = None if features is None else (features.rules, str(features.structures))
    signature = measure_signature(split.signature, patterns, made_by, atom_alpha, compound_alpha, against)
    said = None if near is None else near_signature(values["near_duplicates"])
    values["signature"] = str(signature.with_fields(near_duplicates=said, measures=",".join(further) or None))
    return values


def not_measured(
    values: dict[str, Any], why: Callable[[], str], why_no_floor: str, not_expected: str | None
) -> list[str]:
    """A sentence for each value that is missing; `why` says why there are no divergences."""
    sentences, against = [], values["against"]
    if "compound_divergence" not in values:
        sentences.append(f"D_A, D_C, unseen atoms and expected accuracy were not measured: {why()}")
    elif FLOOR not in values:
        sentences.append(f"D_C of random splits was not measured: {why_no_floor}")
    for side, ratio in values["length_ratio"].items():
        if ratio is None:
            sentences.append(
                f"the length ratio of {side}s was not measured: no {side} of {against} has a word; give some that have"
            )
    if "compound_divergence" in values and not_expected is not None:
        sentences.append(not_expected)
    return sentences


def _divergences(
    features: DatasetFeatures, train: list[int], test: list[int], atom_alpha: float, compound_alpha: float
) -> dict[str, Any]:
    rows, names = unseen_atoms(features.atoms, train, test)
    compounds, definitions = features.compounds, map(str, definition_parts(features.structures.compounds))
    found = divergence_by_kind(compounds.sums(train), compounds.sums(test), compounds.kinds, compound_alpha)
    return {
        "atom_divergence": divergence(features.atoms, train, test, alpha=atom_alpha),
        "compound_divergence": joined_divergence(found),
        **({"compound_divergences": dict(zip(definitions, found, strict=True))} if len(found) > 1 else {}),
        "unseen_atom_examples": len(rows),
        "unseen_atoms": names,
    }


def measure_signature(
    made: Signature,
    patterns: Mapping[str, str],
    features: tuple[str, str] | None,
    atom_alpha: float,
    compound_alpha: float | None,
    against: str,
) -> Signature:
    """How the split was made, then how it was measured: `features` are their rules and their structures."""
    named = ",".join(f"{side}={name}" for side, name in patterns.items())
    how: dict[str, Any] = {"against": against, "patterns": named, "lengths": "words", "repeats": "counted"}
    if features is not None:
        how["rules"], how["structures"] = features
        how["alpha"] = f"atoms={atom_alpha!r},compounds={compound_alpha!r}"
    return made.with_fields(**how)
