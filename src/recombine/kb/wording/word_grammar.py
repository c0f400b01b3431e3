"""The grammar of questions as data: the shapes of questions, words of English, and people's words for their own names.

`english.toml` is what ships. A file of one's own has the same tables, and what it says goes before: entries of tables
are added, lists are longer by what they name. Of a relation it says, each as it wants:

```toml
[relations."film.film.written_by"]
noun = "writer"                 # of what the relation leads to: somebody is the writer of a film
of = ""                         # or, of what it leads from: with of = "script", a film is the script of somebody
subject = ["was written by {}"] # what is said of the film; {} is the other
object = ["wrote {}"]           # what is said of the writer
plural = false                  # whether there are several: a writer, not the writer
```
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, UnknownNameError
from recombine.files import read_text
from recombine.kb.wording.name_words import plain_name

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SHIPPED = ("english.toml", "freebase.toml")
TABLES = ("questions", "values", "words", "classes", "relations")
RELATION_KEYS = ("noun", "of", "subject", "object", "plural")
SLOTS = {
    "plain": {"what", "class", "vp", "rel", "asked"},
    "untyped": {"vp", "rel", "asked"},
    "role": {"what", "article", "noun", "of", "owner"},
    "count": {"classes", "vps", "rels", "asked"},
    "count_role": {"nouns", "of", "owner"},
    "superlative": {"class", "classes", "rest", "rests", "vp"},
}
"""The kinds of questions, and what the patterns of each may have put in."""
_LEAST = {"plain": 2, "untyped": 2, "count": 2, "superlative": 2}


class WordGrammar:
    """The tables of the shipped grammar with those of a file of one's own.

    >>> WordGrammar().questions["count"]["how_many"]
    'how many {classes} {vps}?'
    """

    def __init__(self, path: Path | str | None = None) -> None:
        tables = _shipped()
        if path is not None:
            own = _parse(read_text(path), path)
            _check(own, path)
            tables = _merged(tables, own)
        _check_questions(tables["questions"], path or SHIPPED[0])
        self.questions: Mapping[str, Mapping[str, str]] = tables["questions"]
        self.values: Mapping[str, Mapping[str, list[str]]] = tables["values"]
        self.words: Mapping[str, Any] = tables["words"]
        self.classes = {plain_name(name): str(text) for name, text in tables["classes"].items()}
        self.relations: dict[str, Mapping[str, Any]] = {
            plain_name(name): said for name, said in tables["relations"].items()
        }

    def word_set(self, name: str) -> frozenset[str]:
        """One of the lists of words."""
        return frozenset(self.words[name])


@cache
def _shipped() -> dict[str, Any]:
    tables: dict[str, Any] = {name: {} for name in TABLES}
    for name in SHIPPED:
        own = _parse((files("recombine.kb.wording") / name).read_text(encoding="utf-8"), name)
        _check(own, name)
        tables = _merged(tables, own)
    return tables


def _parse(text: str, place: Path | str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise OptionError(f"{place}: is no TOML ({error})", "mend the grammar of questions") from error


def _merged(tables: Any, own: Any) -> Any:
    """Tables with what others add; a list goes on, a text is replaced."""
    if isinstance(tables, dict) and isinstance(own, dict):
        joined = {name: _merged(said, own[name]) if name in own else said for name, said in tables.items()}
        return joined | {name: said for name, said in own.items() if name not in tables}
    if isinstance(tables, list) and isinstance(own, list):
        return [*tables, *(each for each in own if each not in tables)]
    return own


def _check(tables: dict[str, Any], place: Path | str) -> None:
    """Raise where a file has a table, key or value that nothing reads."""
    for name, table in tables.items():
        if name not in TABLES:
            raise OptionError(f"{place}: {UnknownNameError('table', name, TABLES)}")
        if not isinstance(table, dict):
            raise OptionError(f"{place}: {name!r} is no table", f"write [{name}]")
    for name, text in tables.get("classes", {}).items():
        if not isinstance(text, str) or not text.strip():
            raise OptionError(f"{place}: the class {name!r} has no noun", 'give "name" = "noun"')
    for name, said in tables.get("relations", {}).items():
        _check_relation(name, said, place)
    for table in ("values", "words"):
        _check_like(tables.get(table, {}), _own_tables().get(table, {}), table, place)


def _own_tables() -> dict[str, Any]:
    text = (files("recombine.kb.wording") / SHIPPED[0]).read_text(encoding="utf-8")
    return tomllib.loads(text)


def _check_like(own: Any, shipped: Any, at: str, place: Path | str) -> None:
    """Raise where a value is of another kind than the shipped one of its name, or its list is unknown."""
    if isinstance(shipped, dict) and all(isinstance(each, dict | list) for each in shipped.values()):
        for name, value in own.items():
            if name not in shipped and at in ("words", "values"):
                raise OptionError(f"{place}: {UnknownNameError(f'key of {at}', name, shipped)}")
            _check_like(value, shipped.get(name, next(iter(shipped.values()))), f"{at}.{name}", place)
    elif isinstance(shipped, list):
        if not isinstance(own, list) or not own or not all(isinstance(word, str) and word for word in own):
            raise OptionError(f"{place}: {at} is no list of words", 'give ["…", "…"]')
    elif not isinstance(own, dict) or not all(isinstance(word, str) and word for word in own.values()):
        raise OptionError(f"{place}: {at} is no table of words", 'write lines such as word = "…"')


def _check_relation(name: str, said: Any, place: Path | str) -> None:
    if not isinstance(said, dict) or not said:
        raise OptionError(f"{place}: the relation {name!r} has no words", 'give noun = "…", subject = ["…"]')
    for key, value in said.items():
        at = f"{place}: the relation {name!r}"
        if key not in RELATION_KEYS:
            raise OptionError(f"{at}: {UnknownNameError('key', key, RELATION_KEYS)}")
        if key == "plural":
            if not isinstance(value, bool):
                raise OptionError(f"{at}: plural is {value!r}", "give true or false")
        elif key in ("noun", "of"):
            if not isinstance(value, str):
                raise OptionError(f"{at}: {key} is {value!r}", "give a text in quotes")
        elif not isinstance(value, list) or not all(isinstance(text, str) and text.count("{}") == 1 for text in value):
            raise OptionError(f"{at}: {key} is {value!r}", 'give verb phrases with one {} each: ["wrote {}"]')


def _check_questions(questions: Any, place: Path | str) -> None:
    """Raise where patterns put in what there is not, or where too few are left for two wordings."""
    for kind, patterns in questions.items():
        if kind not in SLOTS:
            raise OptionError(f"{place}: {UnknownNameError('kind of question', kind, SLOTS)}")
        if not isinstance(patterns, dict):
            raise OptionError(f"{place}: questions.{kind} is no table", 'write lines such as which = "which {class} …"')
        for tag, pattern in patterns.items():
            for slot in _slots(pattern, f"{place}: questions.{kind}.{tag}"):
                if slot not in SLOTS[kind]:
                    raise OptionError(f"{place}: questions.{kind}.{tag}: {UnknownNameError('slot', slot, SLOTS[kind])}")
    for kind, least in _LEAST.items():
        if len(set(questions.get(kind, {}).values())) < least:
            raise OptionError(f"{place}: questions.{kind} has fewer than {least} patterns", "add one")


def _slots(pattern: Any, at: str) -> list[str]:
    if not isinstance(pattern, str):
        raise OptionError(f"{at} is {pattern!r}", "give a text in quotes")
    try:
        parts = list(Formatter().parse(pattern))
    except ValueError as error:
        raise OptionError(f"{at}: {error}", "close each { by }") from error
    if any("[" in text or "]" in text for text, *_ in parts):
        raise OptionError(f"{at} has a bracket", "brackets are for entities and literals alone")
    if any(spec or conversion for _, _, spec, conversion in parts):
        raise OptionError(f"{at} has more than a name in braces", "write {name}")
    return [name for _, name, _, _ in parts if name is not None]
