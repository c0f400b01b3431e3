"""Features compiled away: every feature structure is a number, and joining a rule with its parts is looking up a table.

A feature structure gives a value to some attributes; an attribute without one has the value `_none_`. So `object:yes`
fits only a structure that says so, `object:_none_` one that does not say or says `_none_`, and a variable stands for one
value, `_none_` included, wherever it occurs in a rule. A disjunction on the left of a rule makes one structure for each
of its values. Attributes that no rule above ever looks at are left out, which joins structures that do not differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.grammars.unification.rule import NONE, Constituent, FeatureSpec, GrammarRule, StartRule

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

State = tuple[tuple[str, str], ...]
"""What is known after some parts of a rule: the values of its variables and of the head's attributes, sorted."""
Structure = tuple[tuple[str, str], ...]


class FeatureTables:
    """The feature structures of a set of rules, numbered as they are met."""

    def __init__(
        self,
        rules: Sequence[GrammarRule],
        starts: Sequence[StartRule],
        values: Mapping[str, tuple[str, ...] | None],
    ) -> None:
        self.values = values
        self.live = _live_attributes(rules, starts)
        self.structures: list[Structure] = [()]
        self._numbers: dict[Structure, int] = {(): 0}
        self._states: dict[State, int] = {(): 0}
        self._state_list: list[State] = [()]

    def step(self, rule: GrammarRule, part: Constituent, state: int, structure: int) -> int:
        """The state after a part with this structure, or -1 where it does not fit."""
        bound = dict(self._state_list[state])
        has = dict(self.structures[structure])
        for spec in part.features:
            value = has.get(spec.attribute, NONE)
            if spec.variable is not None:
                if bound.setdefault(spec.variable, value) != value:
                    return -1
            elif (value in spec.values) == spec.negated:
                return -1
        if rule.head is not None and part.variable == rule.head:
            listed = {spec.attribute for spec in rule.left.features}
            wanted = self.live[rule.left.category]
            for attribute, value in has.items():
                if attribute in wanted and attribute not in listed:
                    bound["[" + attribute] = value
        key = tuple(sorted(bound.items()))
        number = self._states.get(key)
        if number is None:
            number = self._states[key] = len(self._state_list)
            self._state_list.append(key)
        return number

    def done(self, rule: GrammarRule, state: int) -> tuple[int, ...]:
        """The structures that a rule makes once all its parts are there."""
        bound = dict(self._state_list[state])
        made: list[dict[str, str]] = [{name[1:]: value for name, value in bound.items() if name.startswith("[")}]
        for spec in rule.left.features:
            if spec.attribute in self.live[rule.left.category]:
                choices = [bound.get(spec.variable, NONE)] if spec.variable is not None else self._choices(spec)
                made = [{**one, spec.attribute: choice} for one in made for choice in choices]
        return tuple(dict.fromkeys(self._number(one) for one in made))

    def fits(self, constituent: Constituent, structure: int) -> bool:
        """Whether a structure is one that a constituent asks for."""
        has = dict(self.structures[structure])
        return all(
            spec.variable is not None or (has.get(spec.attribute, NONE) in spec.values) != spec.negated
            for spec in constituent.features
        )

    def _choices(self, spec: FeatureSpec) -> list[str]:
        if not spec.negated:
            return list(spec.values)
        return [value for value in (*(self.values.get(spec.attribute) or ()), NONE) if value not in spec.values]

    def _number(self, one: dict[str, str]) -> int:
        key = tuple(sorted((attribute, value) for attribute, value in one.items() if value != NONE))
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.structures)
            self.structures.append(key)
        return number


def _live_attributes(rules: Sequence[GrammarRule], starts: Sequence[StartRule]) -> dict[str, set[str]]:
    """The attributes of each category that some rule looks at, directly or by inheritance."""
    live: dict[str, set[str]] = {}
    for start in starts:
        live.setdefault(start.constituent.category, set()).update(s.attribute for s in start.constituent.features)
    for rule in rules:
        live.setdefault(rule.left.category, set())
        for part in rule.right:
            if isinstance(part, Constituent):
                live.setdefault(part.category, set()).update(spec.attribute for spec in part.features)
    changed = True
    while changed:
        changed = False
        for rule in rules:
            listed = {spec.attribute for spec in rule.left.features}
            for part in rule.right:
                if isinstance(part, Constituent) and part.variable is not None and part.variable == rule.head:
                    more = live[rule.left.category] - listed - live[part.category]
                    if more:
                        live[part.category] |= more
                        changed = True
    return live
