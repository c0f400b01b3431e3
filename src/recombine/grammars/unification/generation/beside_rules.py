"""Files of settings that stand beside the rules of a set: weights, filters, frames."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import RecordError, UnknownNameError
from recombine.files import read_bytes
from recombine.grammars.unification.rules.rule_set import packaged_rule_sets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.grammars.unification.rules.rule import GrammarRule


def beside_rules(rules: str, name: str) -> Path | None:
    """A file beside the rules of a packaged set, a folder or a file; none where it is not there."""
    path = packaged_rule_sets().get(rules, Path(rules))
    folder = path if path.is_dir() else path.parent
    return folder / name if (folder / name).is_file() else None


def read_settings(path: Path | str, known: Sequence[str]) -> dict[str, Any]:
    """What a TOML file holds, when all its tables are known ones."""
    try:
        settings = tomllib.loads(read_bytes(path).decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RecordError(path, "the whole file", f"this is no TOML: {error}", "mend it") from None
    for table in settings:
        if table not in known:
            raise RecordError(path, f"table {table!r}", "no such table", f"known: {', '.join(known)}")
    return settings


def chosen_rules(patterns: object, rules: Sequence[GrammarRule], path: Path | str, record: str) -> frozenset[int]:
    """The numbers of the rules that one of some names or patterns (`DP=*`) fits; each must fit one."""
    if isinstance(patterns, str):
        patterns = [patterns]
    if not isinstance(patterns, list) or not all(isinstance(each, str) for each in patterns) or not patterns:
        raise RecordError(path, record, f"{patterns!r} is no list of rules", "give names, or patterns such as 'DP=*'")
    numbers: set[int] = set()
    for pattern in patterns:
        fitting = {n for n, rule in enumerate(rules) if rule.name == pattern or fnmatchcase(rule.name, pattern)}
        if not fitting:
            raise RecordError(path, record, str(UnknownNameError("rule", pattern, (rule.name for rule in rules))))
        numbers |= fitting
    return frozenset(numbers)
