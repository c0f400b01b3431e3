"""Which version of another library reads a language: what is kept of its trees is of that version alone."""

from __future__ import annotations

import sys
from importlib.metadata import version

_LIBRARIES = {"sparql": "lark", "sparql11": "lark", "sql": "sqlglot"}


def reader_version(language: str) -> str:
    """The library and its version that read a language, by the language's name; nothing where only our own code does.

    >>> reader_version("sql:postgres").startswith("sqlglot "), reader_version("funql")
    (True, '')
    """
    family = language.partition(":")[0]
    if family == "python":
        return "python {}.{}".format(*sys.version_info[:2])
    library = _LIBRARIES.get(family)
    return "" if library is None else f"{library} {version(library)}"
