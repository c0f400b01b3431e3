"""From a parse to a logical form: grammar rules from the words upwards, with inference after each.

What a rule makes of the same parts is made once and kept, also for other questions. Variables are unique wherever they
were made; the name of the n-th entity of a question is `?En`. A part that occurs twice in one question is made a second
time, so that its variables and its applications are its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.grammars.unification.chart import PLACEHOLDER
from recombine.grammars.unification.inference import Application, Inference
from recombine.grammars.unification.logical_form import HOLE, UNKNOWN, Term, Terms
from recombine.grammars.unification.resolution import NEW
from recombine.grammars.unification.rule import Constituent, GrammarRule, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.grammars.unification.inference import Made

Edge = tuple[int, int, int]


class Derived:
    """What a grammar rule made of its parts."""

    __slots__ = ("applications", "edges", "form", "made", "number", "origin", "origins", "own", "parts", "rules")

    def __init__(self, number: int, name: str, parts: tuple[Derived, ...]) -> None:
        self.number, self.parts = number, parts
        self.origin = Application(name, (), ())
        """Stands for the grammar rule where inference depends on it."""
        self.form: Term
        self.made: Made = {}
        self.applications: list[Application] = []
        """All of the derivation, the first one first."""
        self.own: frozenset[Derived] = frozenset()
        """The derivations in this one that may stand in a question once only."""
        # The tree of grammar rules in preorder, and where those that inference depends on stand in it.
        rules = [name]
        edges: list[Edge] = []
        origins: list[tuple[Application, int]] = [(self.origin, 0)]
        for slot, part in enumerate(parts, start=1):
            here = len(rules)
            edges.append((0, here, slot))
            edges += [(parent + here, child + here, place) for parent, child, place in part.edges]
            origins += [(origin, place + here) for origin, place in part.origins]
            rules += part.rules
        self.rules, self.edges, self.origins = rules, edges, origins


class Deriver:
    """Applies grammar rules and inference."""

    def __init__(self, rules: Sequence[GrammarRule], inference: Inference, terms: Terms) -> None:
        self.inference, self.terms = inference, terms
        self.names = [rule.name for rule in rules]
        self.variables = [
            tuple(part.variable for part in rule.right if isinstance(part, Constituent)) for rule in rules
        ]
        self.templates = [terms.again(rule.form) for rule in rules]
        self.fresh = [tuple(_fresh(template)) for template in self.templates]
        self.named = [
            any(isinstance(p, Literal) and PLACEHOLDER in p.text.split() for p in rule.right) for rule in rules
        ]
        self._known: dict[object, Derived] = {}
        self._copies: dict[Derived, list[Derived]] = {}
        self._variables = 0

    def __len__(self) -> int:
        return len(self._known)

    def derived(self, number: int, parts: tuple[Derived, ...], entity: int = -1) -> Derived:
        """What a rule makes of parts; `entity` is the place of the first entity that is a word of the rule itself."""
        key = (number, parts, entity) if self.named[number] else (number, parts)
        known = self._known.get(key)
        if known is None:
            own: frozenset[Derived] = frozenset()
            different = []
            for part in parts:
                if part.own and not own.isdisjoint(part.own):
                    part = self._copied(part, own)
                own |= part.own
                different.append(part)
            known = self._known[key] = self._made(number, tuple(different), own, entity)
        return known

    def _made(self, number: int, parts: tuple[Derived, ...], own: frozenset[Derived], entity: int) -> Derived:
        made = Derived(number, self.names[number], parts)
        values = {name: part.form for name, part in zip(self.variables[number], parts, strict=True) if name is not None}
        for name in self.fresh[number]:
            if self.named[number]:
                values[name] = self.terms.make(UNKNOWN, (), f"?E{entity}")
            else:
                self._variables += 1
                values[name] = self.terms.make(UNKNOWN, (), f"?v{self._variables}")
                own |= {made}
        form = self._filled(self.templates[number], values)
        marks: Made = {}
        for part in parts:
            marks.update(part.made)
            made.applications += part.applications
        made.form, new = self.inference.applied(form, marks, made.origin)
        if new:
            own |= {made}
            made.applications += new
            origin = made.origin
            marks = {
                term: kept for term, by in marks.items() if (kept := tuple(each for each in by if each is not origin))
            }
        else:
            marks = {term: by for term, by in marks.items() if by[0] is not made.origin}
        made.made, made.own = marks, own
        return made

    def _filled(self, template: Term, values: dict[str, Term]) -> Term:
        if template.op == NEW:
            return values[template.args[0].name]
        if template.op is HOLE:
            return values[template.name]
        if not template.args:
            return template
        args = tuple([self._filled(arg, values) for arg in template.args])
        return self.terms.meet(args) if template.op == "⊓" else self.terms.make(template.op, args, template.name)

    def _copied(self, part: Derived, used: frozenset[Derived]) -> Derived:
        """The same derivation once more, with variables and applications that are not in use."""
        if not part.own or used.isdisjoint(part.own):
            return part
        copies = self._copies.setdefault(part, [])
        for copy in copies:
            if used.isdisjoint(copy.own):
                return copy
        own: frozenset[Derived] = frozenset()
        parts = []
        for inner in part.parts:
            inner = self._copied(inner, used | own)
            own |= inner.own
            parts.append(inner)
        copy = self._made(part.number, tuple(parts), own, -1)
        copies.append(copy)
        return copy


def _fresh(template: Term) -> list[str]:
    """The variables that a template makes."""
    if template.op == NEW:
        return [template.args[0].name]
    return [name for arg in template.args for name in _fresh(arg)]
