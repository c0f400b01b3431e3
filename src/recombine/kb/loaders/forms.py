"""The forms in which files hold triples, and how a file's form is found out: by its name, else by its first line."""

from __future__ import annotations

import re
from pathlib import Path

from recombine.errors import InputFileError, UnknownNameError
from recombine.kb.loaders.line_blocks import first_bytes

FORMS = ("ntriples", "turtle", "tsv", "bars")
_SUFFIXES = {".nt": "ntriples", ".ntriples": "ntriples", ".ttl": "turtle", ".turtle": "turtle", ".tsv": "tsv"}
_LOOKS = {
    "turtle": re.compile(rb"@(?:prefix|base)\b|(?i:prefix|base)\s.*<"),
    "ntriples": re.compile(rb"(?:<[^>]*>|_:\S+)\s*<[^>]*>\s*\S.*\.\s*(?:#.*)?"),
    "tsv": re.compile(rb"[^\t]+\t[^\t]+\t[^\t]+(?:\t[^\t]*)*"),
    "bars": re.compile(rb"[^|]+\|[^|]+\|[^|]+"),
}


def form_of(path: Path | str, form: str | None = None) -> str:
    """The form of a file: the one that is given, or what its name says, or what its first line looks like."""
    if form is not None:
        if form not in FORMS:
            raise UnknownNameError("form of triples", form, FORMS)
        return form
    suffixes = [suffix for suffix in Path(path).suffixes if suffix != ".gz"]
    if suffixes and suffixes[-1].lower() in _SUFFIXES:
        return _SUFFIXES[suffixes[-1].lower()]
    return _look(path)


def _look(path: Path | str) -> str:
    """The form that the first line with triples looks like."""
    for line in first_bytes(path).splitlines():
        if line.strip() and not line.startswith(b"#"):
            for form, look in _LOOKS.items():
                if look.fullmatch(line.strip(b"\r\n ")) or (form == "turtle" and look.match(line)):
                    return form
            break
    raise InputFileError(
        f"{path}: does not look like triples", f"say which form it has with --form: {', '.join(FORMS)}"
    )
