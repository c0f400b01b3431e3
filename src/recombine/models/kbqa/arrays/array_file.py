"""Schemas and questions as compressed .npz files, written whole or not at all; a damaged one is refused. No pickle.

The files are the same bytes for the same arrays: the moment of writing is not in them.
"""

from __future__ import annotations

import zipfile
import zlib
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from recombine.errors import InputFileError
from recombine.files import write_whole
from recombine.models.kbqa.arrays.codes import first_link
from recombine.models.kbqa.arrays.packed import (
    begins_of,
    pack_rows,
    pack_texts,
    pack_tries,
    smallest,
    unpack_rows,
    unpack_texts,
    unpack_tries,
)
from recombine.models.kbqa.arrays.question_arrays import QuestionArrays
from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    Arrays = Mapping[str, NDArray[Any]]

_Read = TypeVar("_Read")
REMEDY = "export it again"
_BROKEN = (OSError, ValueError, EOFError, KeyError, TypeError, zipfile.BadZipFile, zlib.error)


def write_schema(path: Path | str, schema: SchemaArrays) -> None:
    """Write a schema."""
    write_arrays(
        path, {**pack_texts("words", schema.words), **pack_texts("texts", schema.texts), "kinds": schema.kinds}
    )


def read_schema(path: Path | str) -> SchemaArrays:
    """A schema that `write_schema` wrote."""
    return _read(path, _schema)


def write_questions(path: Path | str, questions: QuestionArrays) -> None:
    """Write questions."""
    arrays = {
        **pack_texts("ids", questions.ids),
        **pack_texts("texts", questions.texts),
        "links_sizes": smallest(np.diff(questions.link_begins)),
        **pack_texts("link_words", questions.link_words),
        **pack_texts("link_texts", questions.link_texts),
        "link_kinds": questions.link_kinds,
        **pack_rows("vocabulary", questions.vocabulary),
        "pruned": questions.pruned.astype(np.uint8),
        **pack_rows("targets", questions.targets),
        **pack_tries("candidates", questions.candidates),
    }
    write_arrays(path, arrays)


def read_questions(path: Path | str, schema: SchemaArrays | None = None) -> QuestionArrays:
    """Questions that `write_questions` wrote; with a schema, refused where they are not over one of its size."""
    questions = _read(path, _questions)
    if schema is not None and not _fits(questions, len(schema)):
        raise InputFileError(f"{path}: has codes that are neither items of the schema nor links", REMEDY)
    return questions


def _schema(arrays: Arrays) -> SchemaArrays:
    schema = SchemaArrays(
        unpack_texts("words", arrays), unpack_texts("texts", arrays), arrays["kinds"].astype(np.uint8)
    )
    _alike(len(schema.words), texts=schema.texts, kinds=schema.kinds)
    return schema


def _questions(arrays: Arrays) -> QuestionArrays:
    made = QuestionArrays(
        unpack_texts("ids", arrays),
        unpack_texts("texts", arrays),
        begins_of(arrays["links_sizes"]),
        unpack_texts("link_words", arrays),
        unpack_texts("link_texts", arrays),
        arrays["link_kinds"].astype(np.uint8),
        unpack_rows("vocabulary", arrays),
        arrays["pruned"].astype(bool),
        unpack_rows("targets", arrays),
        unpack_tries("candidates", arrays),
    )
    rows = {"texts": made.texts, "pruned": made.pruned, "vocabulary": made.vocabulary, "targets": made.targets}
    _alike(len(made.ids), **rows, candidates=made.candidates, links=made.link_begins[1:])
    _alike(int(made.link_begins[-1]), link_words=made.link_words, link_texts=made.link_texts, kinds=made.link_kinds)
    return made


def _alike(number: int, **parts: Any) -> None:
    for name, part in parts.items():
        if len(part) != number:
            raise ValueError(f"{name} has {len(part):,} rows and not {number:,}")


def _fits(questions: QuestionArrays, items: int) -> bool:
    """Whether all codes of all questions mean something."""
    if questions.vocabulary.values.max(initial=-1) >= items:
        return False
    ends = first_link(items) + np.diff(questions.link_begins)
    rows = (questions.targets, questions.candidates.codes)
    return all(bool(np.all(each.values < np.repeat(ends, each.sizes))) for each in rows)


# -- files -------------------------------------------------------------------------------------------------------------


def write_arrays(path: Path | str, arrays: Arrays) -> None:
    """Write arrays by name."""
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        for name, array in arrays.items():
            info = zipfile.ZipInfo(f"{name}.npy")
            info.compress_type = zipfile.ZIP_DEFLATED
            with file.open(info, "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, np.ascontiguousarray(array), allow_pickle=False)
    write_whole(path, stream.getvalue())


def read_arrays(path: Path | str) -> dict[str, NDArray[Any]]:
    """The arrays of a file by name."""
    return _read(path, dict)


def _read(path: Path | str, read: Callable[[Arrays], _Read]) -> _Read:
    path = Path(path)
    if not path.is_file():
        raise InputFileError(f"{path}: no such file of arrays", REMEDY)
    try:
        with np.load(BytesIO(path.read_bytes()), allow_pickle=False) as file:
            return read({name: file[name] for name in file.files})
    except _BROKEN as error:
        why = " ".join(str(error).split())
        raise InputFileError(f"{path}: is no whole file of arrays ({why})", REMEDY) from error
