"""The languages by name, each loaded when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.plugins import Registry

if TYPE_CHECKING:
    from recombine.languages.language import Language

LANGUAGES: Registry[Language] = Registry(
    "language",
    {
        "actions": "recombine.languages.actions:ACTIONS",
        "cogs": "recombine.languages.cogs:COGS",
        "covr": "recombine.languages.covr:COVR",
        "functional": "recombine.languages.functional:FUNCTIONAL",
        "funql": "recombine.languages.funql:FUNQL",
        "json": "recombine.languages.json_values:JSON",
        "lambda_calculus": "recombine.languages.lambda_calculus:LAMBDA_CALCULUS",
        "lambda_dcs": "recombine.languages.lambda_dcs:LAMBDA_DCS",
        "python": "recombine.languages.python_expressions:PYTHON",
        "scenes": "recombine.languages.scenes:SCENES",
        "sexpression": "recombine.languages.sexpression:SEXPRESSION",
        "sparql": "recombine.languages.sparql.sparql:SPARQL",
        "sparql11": "recombine.languages.sparql.sparql11:SPARQL11",
        "sql": "recombine.languages.sql.sql:SQL",
        "thingtalk": "recombine.languages.thingtalk:THINGTALK",
        "top": "recombine.languages.top:TOP",
    },
    lazy=True,
    families={"sql": "recombine.languages.sql.sql:sql_dialect"},
)
"""The languages; those of the package by the module and the value that hold them."""


def register_language(language: Language) -> Language:
    """Add a language to those that `--language` can name."""
    return LANGUAGES.register(language.name, language)


def find_language(name: str) -> Language:
    """The language of a name; `sql:DIALECT` is SQL in a dialect.

    >>> find_language("funql").name, find_language("sql:postgres").name
    ('funql', 'sql:postgres')
    """
    return LANGUAGES.find(name)
