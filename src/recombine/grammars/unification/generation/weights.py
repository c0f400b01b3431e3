"""How likely rules are when questions are drawn: a file of weights beside the rules, or one that is given.

    max_level = 40              # the most rules in a question, the join included
    most_of_a_level = 10000      # a level with fewer questions than this is drawn less often

    [rules]                     # a rule that is not named has weight 1; weight 0 takes it out
    "S=WHQ" = 0.5
    "NP_SIMPLE=*" = 0.1         # all that fit; a later line goes before an earlier one

    [parts."DP=A_NP".1]         # weights of rules as the first part of another; those not named weigh nothing there
    "NP=NP_SIMPLE" = 0.7

A weight multiplies the chance of a tree for each use of its rule.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, RecordError
from recombine.grammars.unification.generation.beside_rules import chosen_rules, read_settings
from recombine.grammars.unification.rules.rule import Constituent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from recombine.grammars.unification.generation.level_table import Place
    from recombine.grammars.unification.rules.rule import GrammarRule

MAX_LEVEL = 40
MOST_LEVELS = 200
"""The highest level that can be asked for."""
MOST_OF_A_LEVEL = 10_000.0


@dataclass(frozen=True)
class Weights:
    """The weights of rules by number, here and there by place, and how levels are drawn."""

    rules: Mapping[int, float] = field(default_factory=dict)
    parts: Mapping[Place, Mapping[int, float]] = field(default_factory=dict)
    max_level: int = MAX_LEVEL
    most_of_a_level: float = MOST_OF_A_LEVEL

    def weight(self, place: Place, rule: int) -> float:
        """The weight of a rule in a place."""
        own = self.parts.get(place)
        return self.rules.get(rule, 1.0) if own is None else own.get(rule, 0.0) * (self.rules.get(rule, 1.0) > 0)


def check_level(level: object) -> int:
    """A level that questions can have."""
    if isinstance(level, bool) or not isinstance(level, int) or not 1 <= level <= MOST_LEVELS:
        raise OptionError(f"the highest level is {level}", f"give a whole number from 1 to {MOST_LEVELS}")
    return level


def read_weights(path: Path | str, rules: Sequence[GrammarRule]) -> Weights:
    """The weights in a file."""
    settings = read_settings(path, ("max_level", "most_of_a_level", "rules", "parts"))
    try:
        level = check_level(settings.get("max_level", MAX_LEVEL))
    except OptionError as error:
        raise RecordError(path, "max_level", error.problem, error.remedy) from None
    most = _weight(settings.get("most_of_a_level", MOST_OF_A_LEVEL), path, "most_of_a_level")
    parts: dict[Place, dict[int, float]] = {}
    for name, places in _table(settings.get("parts", {}), path, "table parts").items():
        for number, table in _table(places, path, f"table parts.{name!r}").items():
            record = f"table parts.{name!r}.{number}"
            for rule in chosen_rules(name, rules, path, record):
                parts[rule, _part(number, rules[rule], path, record)] = _weights(table, rules, path, record)
    return Weights(_weights(settings.get("rules", {}), rules, path, "table rules"), parts, level, most)


def _weights(table: object, rules: Sequence[GrammarRule], path: Path | str, record: str) -> dict[int, float]:
    weights: dict[int, float] = {}
    for name, value in _table(table, path, record).items():
        weight = _weight(value, path, f"{record}, {name!r}")
        weights.update(dict.fromkeys(sorted(chosen_rules(name, rules, path, record)), weight))
    return weights


def _part(number: str, rule: GrammarRule, path: Path | str, record: str) -> int:
    count = sum(isinstance(part, Constituent) for part in rule.right)
    if not number.isdecimal() or not 1 <= int(number) <= count:
        raise RecordError(path, record, f"{rule.name} has no part {number!r}", f"it has {count}, counted from 1")
    return int(number) - 1


def _table(value: object, path: Path | str, record: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise RecordError(path, record, f"{value!r} is no table", "write names and weights")
    return value


def _weight(value: object, path: Path | str, record: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value < 0:
        raise RecordError(path, record, f"{value!r} is no weight", "give a number of 0 or more")
    return float(value)
