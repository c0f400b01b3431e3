"""Profiles by name, those that come with the package, or by the path of one's own file.

A file is TOML: the fields of a profile at the top, `prefixes` and `statements` as tables. `like = "freebase"` takes
what the file does not say from another profile; its prefixes then come on top of the other's.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from recombine.errors import KnowledgeBaseError, UnknownNameError
from recombine.files import read_text
from recombine.kb.profiles.profile import ROLES, STATEMENT_PARTS, Profile

PROFILES = ("dbpedia", "freebase", "plain", "wikidata")
_PATTERNS = ("entity", "schema_domain", "literal", "class_look")
_TABLES = ("prefixes", "statements")
_KEYS = (*(field.name for field in fields(Profile)), "like")
_STEMS, _ITEMS = ("claim", "value", "qualifier", "direct"), ("domain", "range")
_PREFIXED = re.compile(r"([A-Za-z][A-Za-z0-9_.-]*|):")
_PREFIX = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*|")
_STEM = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|^`\\\x7f]*")


def find_profile(name: str | Path) -> Profile:
    """The profile of a name, or of a file.

    >>> find_profile("freebase").predicates("type")[0].key
    '=type.object.type'
    """
    if name in PROFILES:
        return _shipped(str(name))
    if isinstance(name, str) and "/" not in name and not name.endswith(".toml") and not Path(name).is_file():
        raise UnknownNameError("profile (a name, or the path of a .toml file)", name, PROFILES)
    return profile_of(_parse(read_text(name), name), name)


@cache
def _shipped(name: str) -> Profile:
    place = f"{name}.toml"
    text = (files("recombine.kb.profiles") / place).read_text(encoding="utf-8")
    return profile_of(_parse(text, place), place)


def _parse(text: str, place: Path | str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise KnowledgeBaseError(f"{place}: is no TOML ({error})", "mend the profile") from error


def profile_of(values: dict[str, Any], place: Path | str) -> Profile:
    """The profile that some values say; `place` is what errors call them."""
    for key in values:
        if key not in _KEYS:
            raise KnowledgeBaseError(f"{place}: {UnknownNameError('key', key, _KEYS)}")
    checked = {key: _checked(key, value, place) for key, value in values.items()}
    other = checked.pop("like", "")
    if other:
        return _with_known_predicates(_completed(find_profile(str(other)), checked), place)
    for key in ("name", "base"):
        if key not in checked:
            raise KnowledgeBaseError(f"{place}: has no {key!r}", f'add {key} = "…", or like = "plain"')
    return _with_known_predicates(Profile(**checked), place)


def _completed(other: Profile, values: dict[str, Any]) -> Profile:
    prefixes = {**other.prefixes, **values.pop("prefixes", {})}
    return replace(other, prefixes=prefixes, **values)


def _checked(key: str, value: Any, place: Path | str) -> Any:
    """A value, when it is of the kind that its key needs."""
    if key in ROLES:
        return _texts(key, value, place)
    if key in _TABLES:
        return _table(key, value, place)
    if not isinstance(value, str) or (not value and key not in _PATTERNS):
        raise KnowledgeBaseError(f"{place}: {key!r} is {value!r}, which is no text", "give a text in quotes")
    if key in _PATTERNS:
        _check_pattern(key, value, place)
    if key == "base":
        _check_stem(key, value, place)
    return value


def _texts(key: str, value: Any, place: Path | str) -> tuple[str, ...]:
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(text, str) and text for text in values):
        raise KnowledgeBaseError(f"{place}: {key!r} is {value!r}, which is no list of predicates", 'give ["…", "…"]')
    return tuple(values)


def _table(key: str, value: Any, place: Path | str) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(text, str) and text for text in value.values()):
        raise KnowledgeBaseError(f"{place}: {key!r} is no table of texts", f'write [{key}] and lines such as a = "…"')
    for name, text in value.items():
        if key == "statements":
            if name not in STATEMENT_PARTS:
                raise KnowledgeBaseError(f"{place}: {UnknownNameError('key of statements', name, STATEMENT_PARTS)}")
        elif not _PREFIX.fullmatch(name):
            raise KnowledgeBaseError(f"{place}: {name!r} is no prefix", "give letters, digits, `_`, `-` and `.`")
        else:
            _check_stem(f"prefixes.{name}", text, place)
    return value


def _check_pattern(key: str, value: str, place: Path | str) -> None:
    try:
        groups = re.compile(value).groups
    except re.error as error:
        raise KnowledgeBaseError(f"{place}: {key!r} is no regular expression ({error})", "mend the pattern") from error
    if key == "schema_domain" and value and groups < 1:
        raise KnowledgeBaseError(f"{place}: {key!r} has no group for the domain", "put the domain's part in ( )")


def _check_stem(key: str, value: str, place: Path | str) -> None:
    if not _STEM.fullmatch(value):
        raise KnowledgeBaseError(f"{place}: {key!r} is {value!r}, which begins no IRI", 'give "http://…/"')


def _with_known_predicates(profile: Profile, place: Path | str) -> Profile:
    """The profile, when its predicates and statements use prefixes that it has."""
    used = {f"{role}: {text}": text for role in ROLES for text in getattr(profile, role)}
    used |= {f"statements.{part}": profile.statements[part] + ":" for part in _STEMS if part in profile.statements}
    used |= {f"statements.{part}": profile.statements[part] for part in _ITEMS if part in profile.statements}
    for where, text in used.items():
        prefixed = _PREFIXED.match(text)
        if prefixed is not None and prefixed[1] not in profile.prefixes:
            problem = f"{place}: {where!r} uses the prefix {prefixed[1]!r}, which is not among the prefixes"
            raise KnowledgeBaseError(problem, f'add {prefixed[1]} = "http://…" under [prefixes], or write <http://…>')
    return profile
