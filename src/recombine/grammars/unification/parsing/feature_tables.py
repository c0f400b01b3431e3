"""Features compiled away: every feature structure is a number, and joining a rule with its parts is looking up a table.

A feature structure gives some attributes a value, or several between which it does not decide; an attribute without
one has the value `_none_`. So `object:yes` fits only a structure that says so, and `object:_none_` one that does not
say or says `_none_`. Where several values meet, those they share remain; where there is none, the parts do not fit. A
variable stands for the values shared by all its places in a rule. Attributes that no rule above ever looks at are left
out, which joins structures that do not differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.grammars.unification.rules.rule import NONE, Constituent, FeatureSpec, GrammarRule, StartRule

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Values = frozenset[str]
Structure = frozenset[tuple[str, Values]]
"""The attributes with their values; in a state, what is known after some parts of a rule, variables included."""
ABSENT: Values = frozenset({NONE})


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
        nothing: Structure = frozenset()
        self.structures = [nothing]
        self._numbers = {nothing: 0}
        self._states = {nothing: 0}
        self._state_list = [nothing]

    def step(self, rule: GrammarRule, part: Constituent, state: int, structure: int) -> int:
        """The state after a part with this structure, or -1 where it does not fit."""
        bound = dict(self._state_list[state])
        has = dict(self.structures[structure])
        for spec in part.features:
            values = has.get(spec.attribute, ABSENT)
            if spec.variable is not None:
                values &= bound.get(spec.variable, values)
                bound[spec.variable] = values
            else:
                values = values.difference(spec.values) if spec.negated else values.intersection(spec.values)
            if not values:
                return -1
            if spec.attribute in has:
                has[spec.attribute] = values  # what is passed on is what they share
        if rule.head is not None and part.variable == rule.head:
            listed = {spec.attribute for spec in rule.left.features}
            wanted = self.live[rule.left.category]
            for attribute, values in has.items():
                if attribute in wanted and attribute not in listed:
                    bound["[" + attribute] = values
        return _number(frozenset(bound.items()), self._states, self._state_list)

    def done(self, rule: GrammarRule, state: int) -> int:
        """The structure that a rule makes once all its parts are there."""
        bound = dict(self._state_list[state])
        made = {name[1:]: values for name, values in bound.items() if name.startswith("[")}
        for spec in rule.left.features:
            if spec.attribute in self.live[rule.left.category]:
                made[spec.attribute] = (
                    bound.get(spec.variable, ABSENT) if spec.variable is not None else self._choices(spec)
                )
        structure = frozenset((attribute, values) for attribute, values in made.items() if values != ABSENT)
        return _number(structure, self._numbers, self.structures)

    def fits(self, constituent: Constituent, structure: int) -> bool:
        """Whether a structure is one that a constituent asks for."""
        has = dict(self.structures[structure])
        return all(
            spec.variable is not None or bool(has.get(spec.attribute, ABSENT) & self._choices(spec))
            for spec in constituent.features
        )

    def _choices(self, spec: FeatureSpec) -> Values:
        if not spec.negated:
            return frozenset(spec.values)
        return frozenset((*(self.values.get(spec.attribute) or ()), NONE)).difference(spec.values)


def _number(structure: Structure, numbers: dict[Structure, int], structures: list[Structure]) -> int:
    """The number of a structure, which may be a new one."""
    number = numbers.get(structure)
    if number is None:
        number = numbers[structure] = len(structures)
        structures.append(structure)
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
