"""The structures that a verb was given, with what its `literals` and `names` say of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import DerivationError, OptionError
from recombine.structures.definition import Structures
from recombine.structures.own_structures import say_kept
from recombine.structures.with_typing import with_typing
from recombine.workbench.features import find_definition

if TYPE_CHECKING:
    from recombine.cluster.folder_data import FolderData
    from recombine.languages.language import Language
    from recombine.records.dataset import Dataset
    from recombine.structures.dataset_features import DatasetFeatures
    from recombine.workbench.features import DefinitionLike


def check_typing(
    structures: DefinitionLike | DatasetFeatures, *, literals: str | None = None, names: str | None = None
) -> None:
    """Refuse what cannot be read or used, before the long work."""
    if isinstance(structures, str):
        structures = Structures.parse(structures)
    if structures is None or isinstance(structures, Structures):
        with_typing(structures or Structures.parse("tmcd:geoquery"), literals=literals, names=names)
    elif literals is not None or names is not None:
        raise OptionError("features are made already", "give literals and names where they are made, not here")


def counted_structures(
    dataset: Dataset | FolderData,
    structures: DefinitionLike | DatasetFeatures,
    *,
    literals: str | None = None,
    names: str | None = None,
) -> DefinitionLike | DatasetFeatures:
    """The structures to use; what the language of the targets does not tell is kept, and that is said."""
    if (literals is None and names is None) or not (structures is None or isinstance(structures, str | Structures)):
        return structures
    definition = find_definition(dataset, structures)
    if definition is None:
        raise DerivationError(
            f"the language of {dataset.name}'s targets is not known, so that literals and names cannot be told",
            "name it with --language, such as --language sql",
        )
    language = _language(dataset)
    given = {"literals": literals, "names": names}
    told = {
        "literals": language is None or language.type_literals is not None,
        "names": language is None or language.type_names is not None,
    }
    for what, value in given.items():
        if value not in (None, "keep") and not told[what] and language is not None:
            say_kept(language.name, what)
            given[what] = "keep"
    return with_typing(definition, **given)


def _language(dataset: Dataset | FolderData) -> Language | None:
    from recombine.languages.known import find_language

    language = dataset.language
    return find_language(language) if isinstance(language, str) else language
