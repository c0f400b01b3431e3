"""The languages by name, each loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from recombine.errors import UnknownNameError

if TYPE_CHECKING:
    from recombine.languages.language import Language

LANGUAGES = {
    "actions": "ACTIONS",
    "cogs": "COGS",
    "covr": "COVR",
    "functional": "FUNCTIONAL",
    "funql": "FUNQL",
    "lambda_calculus": "LAMBDA_CALCULUS",
    "lambda_dcs": "LAMBDA_DCS",
    "sexpression": "SEXPRESSION",
    "sparql": "SPARQL",
    "sql": "SQL",
    "thingtalk": "THINGTALK",
}
"""The value that holds each language, in the module of its name."""
HOMES = {"sparql": "sparql.sparql", "sql": "sql.sql"}
"""The modules of languages that have a room of their own."""


def find_language(name: str) -> Language:
    """The language of a name.

    >>> find_language("funql").name
    'funql'
    """
    if name not in LANGUAGES:
        raise UnknownNameError("language", name, LANGUAGES)
    language: Language = getattr(import_module(f"recombine.languages.{HOMES.get(name, name)}"), LANGUAGES[name])
    return language
