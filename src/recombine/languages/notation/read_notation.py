"""A language file read, checked and compiled into a language."""

from __future__ import annotations

import hashlib
import tomllib
from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import InputFileError, UnknownNameError
from recombine.files import read_text
from recombine.languages.language import Language, Origin
from recombine.languages.notation.check_notation import KeyFaultError, check_notation
from recombine.languages.notation.notation import Notation, compile_notation
from recombine.languages.notation.program_forms import NotationForms

if TYPE_CHECKING:
    from pathlib import Path

    from pydantic import BaseModel

FORM = 1
"""Raised when the same file means other trees than before."""
_LARGEST = 1_000_000


def read_notation(path: Path, shown: str) -> Language:
    """The language of a file; `shown` is the path as it was typed.

    Its name holds a digest of what the file says, so that whatever is kept of it is kept under what it was made with.
    Comments and the layout of the file do not matter.
    """
    values = _read(path, shown)
    forms = NotationForms(_notation(values, shown))
    content = orjson.dumps([FORM, values], option=orjson.OPT_SORT_KEYS, default=str)
    digest = hashlib.blake2b(content, digest_size=8).hexdigest()
    return Language(
        f"{path.name}@{digest}",
        forms.parse,
        forms.render,
        forms.normalise,
        forms.anonymise,
        forms.type_literals if forms.has_literals else None,
        forms.type_names if forms.notation.names else None,
        origin=Origin(shown, str(path.resolve()), digest),
    )


def _read(path: Path, shown: str) -> dict[str, Any]:
    if not path.is_file():
        what = "is a directory" if path.is_dir() else "no such file"
        raise InputFileError(f"{shown}: {what}", "name a language file, FILE.toml, that is there")
    text = read_text(path)
    if len(text) > _LARGEST:
        raise InputFileError(f"{shown}: is larger than {_LARGEST:,} characters", "give a language file")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputFileError(f"{shown}: not TOML ({error})", "mend it") from None
    except RecursionError:
        raise InputFileError(f"{shown}: values too deep inside each other", "mend it") from None


def _notation(values: dict[str, Any], shown: str) -> Notation:
    from pydantic import ValidationError

    from recombine.languages.notation.notation_file import NotationFile

    try:
        file = NotationFile.model_validate(values)
    except ValidationError as error:
        problems = error.errors(include_url=False)
        # A key that is spelled wrong is also missing: the misspelling says more.
        first = next((problem for problem in problems if problem["type"] == "extra_forbidden"), problems[0])
        raise _translated(shown, first, NotationFile) from None
    try:
        return compile_notation(file, check_notation(file))
    except KeyFaultError as error:
        raise InputFileError(f"{shown}, {error.problem}", error.remedy) from None


def _translated(shown: str, problem: Any, model: type[BaseModel]) -> InputFileError:
    places = list(problem["loc"])
    where = _where(places)
    if problem["type"] == "extra_forbidden":
        unknown = UnknownNameError("key", str(places[-1]), _known_keys(places, model))
        return InputFileError(f"{shown}, {where}: {unknown.problem}", unknown.remedy)
    if problem["type"] == "missing":
        return InputFileError(f"{shown}, {where}: it is missing", "add it")
    return InputFileError(f"{shown}, {where}: it is {str(problem['input'])[:60]!r}", str(problem["msg"]))


def _where(places: list[Any]) -> str:
    if len(places) > 2 and isinstance(places[1], int) and places[0] in ("brackets", "quotes", "comments", "operators"):
        return f"[[{places[0]}]] number {places[1] + 1}, {'.'.join(map(str, places[2:]))}"
    return ".".join(map(str, places))


def _known_keys(places: list[Any], model: type[BaseModel]) -> list[str]:
    """The keys of the table that a place is in."""
    from recombine.languages.notation import notation_file

    tables: dict[Any, type[BaseModel]] = {
        "brackets": notation_file.BracketTable,
        "quotes": notation_file.QuotesTable,
        "comments": notation_file.CommentTable,
        "operators": notation_file.OperatorsTable,
        "statements": notation_file.StatementsTable,
        "normalise": notation_file.NormaliseTable,
    }
    table = tables.get(places[0], model) if len(places) > 1 else model
    return list(table.model_fields)
