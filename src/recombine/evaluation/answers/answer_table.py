"""The table that answers in words are read by: a TOML file, ours or one's own, of which every key is needed."""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError, UnknownNameError
from recombine.evaluation.answers.answer_words import plain, words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Phrase = tuple[str, ...]
"""The words of a phrase."""
_TEXTS, _FLAG, _COUNT, _NUMBERS, _SPELLINGS, _ENDS = (
    "a list of texts",
    "true or false",
    "a whole number",
    "whole numbers by their words",
    "texts by texts",
    "a list of pairs of texts",
)
KEYS: Mapping[str, Mapping[str, str]] = {
    "text": dict.fromkeys(
        ("articles", "after_last", "frames", "endings", "cut_at", "abstained", "abstained_beginnings"), _TEXTS
    ),
    "truth": dict.fromkeys(("true", "false", "also_true", "also_false", "after", "cut_at"), _TEXTS),
    "number": {"words": _NUMBERS, "nothing": _TEXTS, "among_words": _FLAG, "hedges": _TEXTS, "cut_at": _TEXTS},
    "choice": {
        "letters": _TEXTS,
        "before_letter": _TEXTS,
        "among_words": _FLAG,
        "negations": _TEXTS,
        "cut_at": _TEXTS,
    },
    "open": {"more_words": _COUNT, "cut_at": _TEXTS, "same": _SPELLINGS},
    "plural": {"irregular": _SPELLINGS, "not_plural": _TEXTS, "endings": _ENDS},
}
"""The sections and keys of a table, and what stands under each."""


@dataclass(frozen=True)
class AnswerTable:
    """The rules by which answers are read, their phrases taken apart into words."""

    name: str
    """The file and a digest of what it says, as a signature names it."""
    rules: Mapping[str, Mapping[str, Any]]
    """By section and key, checked."""

    def phrases(self, section: str, key: str) -> tuple[Phrase, ...]:
        """The phrases of a key as words, the longest first."""
        found = {words(text, keep="*") for text in self.rules[section][key]}
        return tuple(sorted(filter(None, found), key=lambda each: (-len(each), each)))

    def marks(self, section: str) -> tuple[str, ...]:
        """Where an answer of this section is cut, as plain text."""
        return tuple(plain(mark) for mark in (*self.rules["text"]["cut_at"], *self.rules[section]["cut_at"]))


@cache
def usual_table() -> AnswerTable:
    """The table of the package.

    >>> usual_table().phrases("truth", "false")
    (('false',), ('no',))
    """
    text = files("recombine.evaluation.answers").joinpath("answers.toml").read_text(encoding="utf-8")
    return _table("usual", Path("answers.toml"), text)


def read_answer_table(path: Path | str) -> AnswerTable:
    """The table in a file of one's own; a section or key too many or too few is refused by its name."""
    from recombine.files import read_text

    return _table(Path(path).name, Path(path), read_text(path))


def _table(name: str, path: Path, text: str) -> AnswerTable:
    try:
        rules = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputFileError(f"{path}: broken TOML: {error}", "mend it") from None
    _check_names(path, "section", rules, KEYS)
    for section, keys in KEYS.items():
        if not isinstance(rules[section], dict):
            raise InputFileError(f"{path}: {section} is no section", f"write [{section}]")
        _check_names(path, f"key of [{section}]", rules[section], keys)
        for key, kind in keys.items():
            if not _IS[kind](rules[section][key]):
                raise InputFileError(f"{path}: {section}.{key} is not {kind}", "mend it")
    digest = hashlib.blake2b(repr(sorted(_flat(rules))).encode(), digest_size=4).hexdigest()
    return AnswerTable(f"{name}@{digest}", rules)


def _check_names(path: Path, kind: str, given: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    unknown = next((name for name in given if name not in known), None)
    if unknown is not None:
        raise UnknownNameError(f"{kind} in {path}", unknown, known)
    missing = next((name for name in known if name not in given), None)
    if missing is not None:
        raise InputFileError(f"{path}: has no {kind} {missing!r}", "give it, empty where it is not wanted")


def _flat(rules: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, str, str]]:
    """What a table says, whatever the order of its keys; the order of a list may count."""
    return [
        (section, key, repr(sorted(value.items()) if isinstance(value, dict) else value))
        for section, keys in rules.items()
        for key, value in keys.items()
    ]


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


_IS: Mapping[str, Callable[[Any], bool]] = {
    _TEXTS: _are_texts,
    _FLAG: lambda value: isinstance(value, bool),
    _COUNT: lambda value: type(value) is int and value >= 0,
    _NUMBERS: lambda value: isinstance(value, dict) and all(type(each) is int for each in value.values()),
    _SPELLINGS: lambda value: isinstance(value, dict) and _are_texts([*value.values()]),
    _ENDS: lambda value: isinstance(value, list) and all(_are_texts(each) and len(each) == 2 for each in value),
}
