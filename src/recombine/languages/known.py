"""The languages by name, each loaded when it is asked for, and those of a file or a module of one's own."""

from __future__ import annotations

from pathlib import Path

from recombine.errors import OptionError
from recombine.languages.language import Language
from recombine.languages.own_language import is_as_named, is_own_language, own_language
from recombine.plugins import Registry

LANGUAGES: Registry[Language] = Registry(
    "language",
    {
        "actions": "recombine.languages.actions:ACTIONS",
        "brackets": "recombine.languages.nested_brackets:BRACKETS",
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
        "text": "recombine.languages.text:TEXT",
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


def find_language(name: str, *, folder: Path | str = ".", import_modules: bool = True) -> Language:
    """The language of a name: one of the list, SQL in a dialect (`sql:DIALECT`), a language file, or a module's value.

    The path of a file is from `folder`. A name that was read from data imports no module: `import_modules`.

    >>> find_language("funql").name, find_language("sql:postgres").name
    ('funql', 'sql:postgres')
    """
    if name not in LANGUAGES and name.partition(":")[0] not in LANGUAGES and is_own_language(name):
        return own_language(name, folder=folder, import_modules=import_modules)
    return LANGUAGES.find(name)


def as_language(language: str | Path | Language, *, folder: Path | str = ".") -> Language:
    """The language that was given by its name, by the path of its file, or as it is."""
    if not isinstance(language, Language):
        name = str(language)
        if isinstance(language, Path) and not name.endswith(".toml"):
            raise OptionError(f"{name}: is no language file", "name a language file, FILE.toml")
        return find_language(name, folder=folder)
    if language.name in LANGUAGES and LANGUAGES.find(language.name) is not language:
        raise OptionError(f"there is another language {language.name!r} already", "give yours another name")
    return language


def has_lasting_name(language: Language) -> bool:
    """Whether the name says all that decides the trees: what is kept under it can be used by later processes."""
    if language.name in LANGUAGES:
        return not LANGUAGES.origin(language.name) and LANGUAGES.find(language.name) is language
    return is_as_named(language)
