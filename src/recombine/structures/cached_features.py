"""The features of data that the catalogue made, kept in the user's cache as arrays.

They are found by the key of what the examples were made from, the language of their targets with the library that reads
it, the definition, the code that finds structures and the version of the form. Structures and languages of plug-ins,
and data that was changed, have no such key: their features are made anew every time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import orjson

from recombine.data_cache import cache_folder, code_digest, content_key, read_stored, store
from recombine.languages.known import has_lasting_name
from recombine.languages.reader_version import reader_version
from recombine.structures.dataset_features import DatasetFeatures, extract_features
from recombine.structures.features import Features
from recombine.structures.joined_definition import kind_names
from recombine.structures.kinds import STRUCTURE_KINDS

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from recombine.records.dataset import Dataset
    from recombine.structures.definition import Structures

FORM = 2
"""Raised with every change of what is kept, or of the features of the same examples."""
ROOMS = ("languages", "structures")
"""The rooms whose code decides the features of the same examples."""
ARRAYS = ("indptr", "indices", "data", "names", "kinds")
_RULES = b"rules"
_HALVES = ("atoms", "compounds")


def cached_features(dataset: Dataset, structures: Structures) -> DatasetFeatures:
    """The features of all examples, from the cache where they are there, and kept there where they can be."""
    key = features_key(dataset, structures)
    table = None if key is None else read_stored(key)
    if table is not None:
        atoms, compounds = (_features(table, half) for half in _HALVES)
        rules = orjson.loads(table.schema.metadata[_RULES])
        return DatasetFeatures(structures.with_atoms(), rules, atoms, compounds)
    made = extract_features(dataset, structures)
    if key is not None:
        store(key, _table(made))
    return made


def features_key(dataset: Dataset, structures: Structures) -> str | None:
    """The key of what decides the features; none where that is not known, or the cache is switched off."""
    kinds = (structures.atoms.kind, *kind_names(structures.compounds))
    language = "" if dataset.language is None else dataset.language.name
    if not dataset.made_from or cache_folder() is None or any(map(STRUCTURE_KINDS.origin, kinds)):
        return None
    if dataset.language is not None and not has_lasting_name(dataset.language):
        return None
    reader = reader_version(language)
    decided = ("features", str(FORM), dataset.made_from, language, reader, str(structures.with_atoms()))
    return content_key([code_digest(ROOMS), *(text.encode() for text in decided)])


def _table(made: DatasetFeatures) -> pa.Table:
    """One row whose cells are the arrays of both halves."""
    import pyarrow as pa

    cells: dict[str, pa.Array] = {}
    for half, features in zip(_HALVES, (made.atoms, made.compounds), strict=True):
        arrays = {"indptr": features.indptr, "indices": features.indices, "data": _narrow(features.data)}
        columns = {name: pa.array(array) for name, array in arrays.items()}
        columns["names"] = pa.array(features.names, pa.large_string())
        columns["kinds"] = pa.array(features.kinds, pa.int64())
        cells |= {
            f"{half}.{name}": pa.LargeListArray.from_arrays(pa.array([0, len(column)], pa.int64()), column)
            for name, column in columns.items()
        }
    return pa.table(cells).replace_schema_metadata({_RULES: orjson.dumps(made.rules)})


def _narrow(values: NDArray[np.float64]) -> NDArray[np.generic]:
    """The same values in bytes, where they are small counts, as most are."""
    if not len(values) or values.min() < 0 or values.max() > np.iinfo(np.uint8).max:
        return values
    small = values.astype(np.uint8)
    return small if np.array_equal(small, values) else values


def _features(table: pa.Table, half: str) -> Features:
    """One half; its arrays are copies that can be written to, as kernels are compiled for such."""
    columns = {name: table[f"{half}.{name}"].combine_chunks().values for name in ARRAYS}
    return Features(
        np.array(columns["indptr"].to_numpy(), np.int64),
        np.array(columns["indices"].to_numpy(), np.int32),
        np.array(columns["data"].to_numpy(), np.float64),
        tuple(columns["names"].to_pylist()),
        kinds=tuple(columns["kinds"].to_pylist()),
    )
