"""The language that a split file remembers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from recombine.errors import InputFileError, SplitError
from recombine.languages.known import LANGUAGES, find_language
from recombine.languages.own_language import is_own_language

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recombine.languages.language import Language


def remembered_language(name: str, split: str, folders: Iterable[Path]) -> Language:
    """The language of a name in a split file.

    A language file is looked for where it was when the split was made, then in the folders of the split and of the
    data; it must say what it said. No module is imported: a split file is data.
    """
    path, _, digest = name.rpartition("@")
    if path.endswith(".toml"):
        return _language_file(path, digest, split, folders)
    if name not in LANGUAGES and not is_own_language(name):
        raise SplitError(
            f"{split}: was made for targets in the language {name!r}, which is not known here",
            "give a Dataset that has this language, from Python",
        )
    if name not in LANGUAGES and name.partition(":")[0] not in LANGUAGES:
        raise SplitError(
            f"{split}: was made for targets in the language {name} of a module, which is not imported unasked",
            f"add --language {name}",
        )
    return find_language(name, import_modules=False)


def _language_file(path: str, digest: str, split: str, folders: Iterable[Path]) -> Language:
    changed = ""
    for folder in dict.fromkeys([Path(), *folders]):
        if not (folder / path).is_file():
            continue
        try:
            return find_language(f"{path}@{digest}", folder=folder)
        except InputFileError as error:
            where = "" if folder == Path() else f"in {folder}, "
            changed = changed or f"{where}{error.problem}"
    if changed:
        raise SplitError(f"{split}: {changed}", "give the file as it was with --language PATH, or make the split again")
    raise SplitError(
        f"{split}: was made with the language file {path} of digest {digest}, which is not there",
        "give it with --language PATH",
    )
