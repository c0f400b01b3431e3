"""How many examples a search can test at all, said before it begins: train must have every atom of test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import InfeasibleError
from recombine.measures.never_tested import never_tested, never_tested_text
from recombine.progress import note
from recombine.splits.sizes import Sizes, test_count
from recombine.structures.counted_typing import is_typed
from recombine.structures.dataset_features import DatasetFeatures
from recombine.workbench.features import find_definition

if TYPE_CHECKING:
    from recombine.records.dataset import Dataset
    from recombine.splits.splitter import Splitter
    from recombine.workbench.features import DefinitionLike


def say_testable(
    dataset: Dataset, splitter: Splitter, features: DatasetFeatures, *, best_effort: bool = False
) -> int | None:
    """Say how many examples can never be in test, and refuse a test that the others cannot fill; none if not asked for.

    With `best_effort` the search goes on: its test then holds atoms that train lacks, which is said with its result.
    """
    least = getattr(splitter, "min_atom_count", None)
    if least is None or getattr(splitter, "published", False):
        return None
    number = never_tested(features.atoms, least=least)
    if not number:
        return 0
    said = never_tested_text(number, len(dataset), least=least)
    counts = Sizes(splitter.train, splitter.dev, splitter.test).counts(len(dataset))
    wanted = test_count(counts, len(dataset)) + (counts["dev"] or 0)
    left = len(dataset) - number
    if left < wanted and not best_effort:
        raise InfeasibleError(f"{said}; {left:,} can be, and {wanted:,} are to be", remedy(dataset, features))
    note(said)
    return number


def remedy(dataset: Dataset, structures: DefinitionLike | DatasetFeatures) -> str:
    """What would let more examples be tested."""
    definition = structures.structures if isinstance(structures, DatasetFeatures) else structures
    found, language = find_definition(dataset, definition), dataset.language
    atoms = None if found is None else found.atoms
    ways = ["ask for a smaller --test"]
    if atoms is not None and is_typed(atoms) and language is not None:
        for option, told in (("names", language.type_names), ("literals", language.type_literals)):
            if told is not None and getattr(atoms, option) == "keep":
                ways.insert(0, f"count {option} by their kinds with --{option} type")
    return ", or ".join(ways)
