"""The atoms and compounds of data, as the verbs take them: a definition, or features made before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import DerivationError, OptionError
from recombine.languages.language import Language
from recombine.languages.suggest_language import suggest_language
from recombine.structures.counted_typing import counts_kinds
from recombine.structures.definition import Structures
from recombine.structures.own_structures import say_kept
from recombine.structures.with_typing import with_typing
from recombine.workbench.load import load

if TYPE_CHECKING:
    from recombine.cluster.folder_data import FolderData
    from recombine.records.dataset import Dataset
    from recombine.structures.dataset_features import DatasetFeatures
    from recombine.workbench.load import Data

DefinitionLike = str | Structures | None


def features(
    data: Data, structures: DefinitionLike = None, *, literals: str | None = None, names: str | None = None
) -> DatasetFeatures:
    """The atoms and compounds of a data set; made once, they serve any number of splits.

    `literals` (keep, type or drop) and `names` (keep or type) say how those of programs are counted.

    >>> features("scan", "dag:2-2,presence").compounds.shape
    (20910, 45)
    """
    from recombine.workbench.given.counted_structures import check_typing, counted_structures

    check_typing(structures, literals=literals, names=names)
    dataset = load(data)
    return needed_features(dataset, counted_structures(dataset, structures, literals=literals, names=names))


def needed_features(dataset: Dataset, structures: DefinitionLike | DatasetFeatures) -> DatasetFeatures:
    """The features to use; data that has none is refused."""
    return _wanted(dataset, find_features(dataset, structures))


def _wanted(dataset: Dataset, made: DatasetFeatures | None) -> DatasetFeatures:
    if made is None:
        raise DerivationError(
            f"{dataset.name} has neither derivations nor a known language", suggest_language(dataset.texts("target"))
        )
    return made


def find_features(dataset: Dataset, structures: DefinitionLike | DatasetFeatures) -> DatasetFeatures | None:
    """The features to use: as given, or made by the definition, or kept from then; none where there is neither."""
    from recombine.structures.cached_features import cached_features
    from recombine.structures.dataset_features import DatasetFeatures

    if not isinstance(structures, DatasetFeatures):
        definition = find_definition(dataset, structures)
        return None if definition is None else cached_features(dataset, definition)
    if structures.atoms.shape[0] != len(dataset):
        raise OptionError(
            f"the features are of {structures.atoms.shape[0]} examples, the data has {len(dataset)}",
            "make them from the same data",
        )
    return structures


def folder_definition(data: FolderData, structures: DefinitionLike | DatasetFeatures) -> Structures | None:
    """The definition to use for a folder of parts, whose features are never all made."""
    if structures is None or isinstance(structures, str | Structures):
        return find_definition(data, structures)
    raise OptionError("a cluster makes features part by part", "give a definition, not features")


def find_definition(dataset: Dataset | FolderData, structures: DefinitionLike) -> Structures | None:
    """The definition to use; none where the data has no derivations and none was asked for.

    Of the data's own, what its language does not tell is kept, and that is said: it may have been given another one.
    """
    if isinstance(structures, Structures):
        return structures
    if structures or not dataset.structures:
        return Structures.parse(structures) if structures else None
    definition, language = Structures.parse(dataset.structures), dataset.language
    if isinstance(language, Language) and language.type_literals is None and counts_kinds(definition.atoms):
        say_kept(language.name, "literals")
        return with_typing(definition, literals="keep")
    return definition
