"""From a parse to a logical form: grammar rules from the words upwards, with inference after each.

What a rule makes of the same parts is made once and kept, also for other questions, and inference is done once for all
parts of the same shapes (`shapes.py`). Variables are unique wherever they were made; the name of the n-th entity of a
question is `?En`. A part that occurs twice in one question is made a second time, so that its variables and its
applications are its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.grammars.unification.forms.logical_form import EXISTS, HOLE, MEET, UNKNOWN, Term
from recombine.grammars.unification.inference.families import Families, FamilyPatterns
from recombine.grammars.unification.inference.inference import Application
from recombine.grammars.unification.inference.shapes import SEALED, Seals, Shape, Slots, moved
from recombine.grammars.unification.parsing.chart import PLACEHOLDER
from recombine.grammars.unification.queries.resolution import NEW
from recombine.grammars.unification.rules.rule import Constituent, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recombine.grammars.unification.forms.logical_form import Terms
    from recombine.grammars.unification.inference.families import Family
    from recombine.grammars.unification.inference.inference import Inference
    from recombine.grammars.unification.inference.shapes import Made
    from recombine.grammars.unification.rules.rule import GrammarRule, InferenceRule

_ORIGIN = 0
"""Stands for the grammar rule itself among what an application needs; those that can be seen are numbered from 1."""


class Derived:
    """What a grammar rule made of its parts."""

    __slots__ = (
        *("_form", "applications", "counted", "families", "fillers", "number", "origin", "own", "parts", "seen"),
        *("__weakref__", "shape", "slots"),
    )

    def __init__(self, number: int, name: str, parts: tuple[Derived, ...], slots: Slots) -> None:
        self.number, self.parts, self.slots = number, parts, slots
        self.origin = Application(name, (), ())
        """Stands for the grammar rule where inference depends on it."""
        self._form: Term | None = None
        self.shape: Shape
        self.fillers: tuple[Term, ...] = ()
        """The sealed parts of the shape."""
        self.families: tuple[Family, ...] = ()
        """The families whose constants stand in the slots of the shape."""
        self.seen: tuple[Application, ...] = ()
        """The applications that made what can be seen of the form."""
        self.applications: list[Application] = []
        """Those that followed the grammar rule, the first one first."""
        self.own: frozenset[Derived] = frozenset()
        """The derivations in this one that may stand in a question once only."""
        self.counted: tuple[int, int, str] | None = None
        """How many rules and leaves it has, and its words with categories for some, where they were asked for."""

    @property
    def form(self) -> Term:
        """The logical form."""
        if self._form is None:
            self._form = self.slots.opened(self.shape.form, self.fillers, self.families)
        return self._form

    def iter_derived(self) -> Iterator[Derived]:
        """All derivations of the tree, each before its parts."""
        waiting = [self]
        while waiting:
            here = waiting.pop()
            yield here
            waiting += reversed(here.parts)


_Facts = tuple[tuple[Term, ...], tuple[tuple[int, int], ...] | None]
"""Facts, and where some are those of families: the number of a family, or -1 for the facts themselves, and a place."""
_Done = tuple[str, tuple[Term, ...], tuple[tuple[int, int], ...] | None, tuple[int, ...]]
"""A rule, its facts, and the numbers of what it needs."""


class _Step:
    """What a grammar rule and inference make of parts of some shapes."""

    __slots__ = ("added", "applications", "families", "fillers", "orders", "same", "seen", "shape")

    def __init__(
        self,
        shape: Shape,
        fillers: tuple[Term, ...],
        applications: tuple[_Done, ...],
        given: int,
        seen: tuple[int, ...],
        families: tuple[int, ...],
        added: tuple[Family, ...],
        orders: tuple[tuple[tuple[int, int], ...], ...],
    ) -> None:
        self.shape, self.fillers, self.applications, self.seen = shape, fillers, applications, seen
        """Fillers as shapes over the sealed parts that are given; applications with the numbers of what they need."""
        self.orders = orders
        """The relations that were put in order, as numbers of families and of their ranks; -1 for a rank itself."""
        self.families, self.added = families, added
        """The families of the shape, as numbers of those of the parts and of those that the rule adds."""
        self.same = len(fillers) == given and all(each.name == f"#{n}" for n, each in enumerate(fillers))


class Deriver:
    """Applies grammar rules and inference."""

    def __init__(
        self,
        rules: Sequence[GrammarRule],
        inferred: Sequence[InferenceRule],
        inference: Inference,
        facts: Sequence[Term],
        terms: Terms,
    ) -> None:
        self.inference, self.terms = inference, terms
        self.families = Families(rules, inferred, facts, inference.order)
        self.slots = Slots(self.families, terms)
        self.patterns = FamilyPatterns()
        self.seals = Seals(rules, inferred)
        self.names = [rule.name for rule in rules]
        self.variables = [
            tuple(part.variable for part in rule.right if isinstance(part, Constituent)) for rule in rules
        ]
        self.templates = [terms.again(rule.form) for rule in rules]
        self.fresh = [tuple(_fresh(template)) for template in self.templates]
        self.passes = [
            template.op is HOLE and len(names) == 1
            for template, names in zip(self.templates, self.variables, strict=True)
        ]
        """Whether the form is that of the only part."""
        below = [_below(template) for template in self.templates]
        self.closes = [
            tuple(name in under for name in names) for names, under in zip(self.variables, below, strict=True)
        ]
        self.named = [
            any(isinstance(p, Literal) and PLACEHOLDER in p.text.split() for p in rule.right) for rule in rules
        ]
        self._known: dict[object, Derived] = {}
        self._steps: dict[object, list[_Step]] = {}
        """By rule, families and shapes; several where relations are in another order."""
        self._shapes: dict[object, Shape] = {}
        self._closed = Shape(terms.make(SEALED, (), "#0"), 1, 0, {}, ())
        self._closable = self.seals.below | {SEALED}
        self._copies: dict[Derived, list[Derived]] = {}
        self._variables = 0

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

    def count_steps(self) -> int:
        """How many steps of inference are kept."""
        return sum(map(len, self._steps.values()))

    def forget(self) -> Iterator[Term]:
        """Forget derivations; what inference does with shapes is kept, and its terms are given."""
        for known in (self._known.values(), *self._copies.values()):
            for derived in known:
                derived.own = frozenset()  # it may hold itself, and would stay until garbage is looked for
        self._known.clear()
        self._copies.clear()
        for shape in self._shapes.values():
            yield shape.form
            yield from shape.made
        for steps in self._steps.values():
            for step in steps:
                yield from step.fillers

    def _made(self, number: int, parts: tuple[Derived, ...], own: frozenset[Derived], entity: int) -> Derived:
        made = Derived(number, self.names[number], parts, self.slots)
        if self.passes[number]:
            part = parts[0]
            made.shape, made.fillers, made.families = part.shape, part.fillers, part.families
            made.seen, made.own, made._form = part.seen, own, part._form
            return made
        shapes: list[Shape] = []
        families: tuple[Family, ...] = ()
        fillers: list[Term] = []
        seen = [made.origin]
        for part, closes in zip(parts, self.closes[number], strict=True):
            if closes and part.shape.form.op in self._closable:
                shapes.append(self._closed)
                fillers.append(part.form)
            else:
                shapes.append(part.shape)
                fillers += part.fillers
                seen += part.seen
                families += part.families
        for _ in self.fresh[number]:
            if self.named[number]:
                fillers.append(self.terms.make(UNKNOWN, (), f"?E{entity}"))
            else:
                self._variables += 1
                fillers.append(self.terms.make(UNKNOWN, (), f"?v{self._variables}"))
                own |= {made}
        pattern, different = self.patterns.of(families)
        key = (number, pattern, *shapes)
        steps = self._steps.get(key)
        if steps is None:
            steps = self._steps[key] = []
        for step in steps:
            if not step.orders or _in_order(step.orders, different):
                break
        else:
            step = self._step(number, shapes, families, different)
            steps.append(step)
        made.shape = step.shape
        different += step.added
        made.families = tuple([different[n] for n in step.families])
        if step.same:
            made.fillers = tuple(fillers)
        else:
            made.fillers = tuple([self.slots.opened(each, fillers, different) for each in step.fillers])
        if step.applications:
            own |= {made}
            first = len(seen)
            for rule, facts, said, needs in step.applications:
                if said is not None:
                    facts = tuple([different[n].facts[place] if n >= 0 else facts[place] for n, place in said])
                seen.append(Application(rule, facts, tuple([seen[n] for n in needs])))
            made.applications = seen[first:]
        made.seen, made.own = tuple([seen[n] for n in step.seen]), own
        return made

    def _step(
        self, number: int, shapes: Sequence[Shape], given_families: Sequence[Family], different: tuple[Family, ...]
    ) -> _Step:
        """Do inference on shapes with families, of which it holds for all that are as they are."""
        terms = self.terms
        values: dict[str, Term] = {}
        marks: dict[Term, tuple[Application, ...]] = {}
        seen: list[Application] = []
        given = first_family = 0
        for name, shape in zip(self.variables[number], shapes, strict=True):
            families = given_families[first_family : first_family + shape.families]
            first_family += shape.families
            special: dict[Term, Term] = {}
            places: dict[Term, Term] = {}
            if name is not None:
                values[name] = moved(self.slots.special(shape.form, families, special), given, terms, places)
            first = len(seen)
            seen += [Application("", (), ()) for _ in shape.above]
            for place, above in enumerate(shape.above, start=first):
                seen[place].above = frozenset([seen[first + one] for one in above])
            for term, by in shape.made.items():
                made_term = moved(self.slots.special(term, families, special), given, terms, places)
                marks[made_term] = tuple([seen[first + place] for place in by])
            given += shape.parts
        for name in self.fresh[number]:
            values[name] = terms.make(UNKNOWN, (), f"#{given}")
            given += 1
        origin = Application("", (), ())
        form = self._filled(self.templates[number], values, marks, (origin,))
        form, new = self.inference.applied(form, marks, origin)
        numbers = {each: place for place, each in enumerate((*seen, *new), start=1)}
        numbers[origin] = _ORIGIN
        found: list[Term] = []
        visible: dict[Term, Term] = {}
        whole = self.seals.sealed(form, below=False, found=found, terms=terms, known=visible)
        # Of all applications, those count on that made what can still be seen.
        made: Made = {}
        kept: dict[Application, int] = {}
        for term, sealed in visible.items():
            by_places = [kept.setdefault(each, len(kept)) for each in marks.get(term, ()) if each is not origin]
            if by_places:
                made[sealed] = tuple(by_places)
        needed = tuple([frozenset([kept[each] for each in one.above if each in kept]) for one in kept])
        # From here on constants are places of families.
        numbered = {family: place for place, family in enumerate(different)}
        general: dict[Term, Term] = {}
        fillers = tuple([self.slots.general(each, numbered, general) for each in found])
        steps = tuple(
            [
                (each.rule, *self._general_facts(each.facts, numbered), tuple([numbers[need] for need in each.needs]))
                for each in new
            ]
        )
        orders = tuple(
            dict.fromkeys([self._general_order(each, numbered) for each in self.inference.put_in_order if new])
        )
        inner: dict[Family, int] = {}
        general = {}
        whole = self.slots.general(whole, inner, general)
        made = {self.slots.general(term, inner, general): by for term, by in made.items()}
        families_made = tuple([numbered.setdefault(family, len(numbered)) for family in inner])
        key = (whole, tuple(made.items()), needed)
        known = self._shapes.get(key)
        if known is None:
            known = self._shapes[key] = Shape(whole, len(found), len(inner), made, needed)
        added = tuple(numbered)[len(different) :]
        seen_after = tuple([numbers[each] for each in kept])
        return _Step(known, fillers, steps, given, seen_after, families_made, added, orders)

    def _general_order(self, roles: tuple[Term, ...], numbered: dict[Family, int]) -> tuple[tuple[int, int], ...]:
        """Relations in their order, each as the number of its family and the place of its rank."""
        order = []
        for role in roles:
            place = self.families.role_place(role)
            if place is None:
                order.append((-1, self.inference.order[role]))
            else:
                order.append((numbered.setdefault(place[0], len(numbered)), place[1]))
        return tuple(order)

    def _general_facts(self, facts: tuple[Term, ...], numbered: dict[Family, int]) -> _Facts:
        places = [self.families.fact_place(fact) for fact in facts]
        if not any(places):
            return facts, None
        said = []
        for here, place in enumerate(places):
            said.append((-1, here) if place is None else (numbered.setdefault(place[0], len(numbered)), place[1]))
        return facts, tuple(said)

    def _filled(
        self,
        template: Term,
        values: dict[str, Term],
        marks: dict[Term, tuple[Application, ...]],
        by: tuple[Application, ...],
    ) -> Term:
        """What a template stands for; its own parts are marked as made by the rule."""
        if template.op == NEW:
            return values[template.args[0].name]
        if template.op is HOLE:
            return values[template.name]
        if not template.args:
            return template
        args: tuple[Term, ...]
        if template.op is EXISTS:  # its role is a name, whoever writes it
            role, inner = template.args
            args = (self.terms.filled(role, values), self._filled(inner, values, marks, by))
        else:
            args = tuple([self._filled(arg, values, marks, by) for arg in template.args])
        made = self.terms.meet(args) if template.op is MEET else self.terms.make(template.op, args, template.name)
        if template.op is not MEET or (made.op is MEET and made not in args):
            marks[made] = by
        return made

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


def _in_order(orders: Sequence[Sequence[tuple[int, int]]], families: Sequence[Family]) -> bool:
    """Whether relations have ranks in the order in which they stand, with these families too."""
    for order in orders:
        before = -1
        for family, place in order:
            rank = place if family < 0 else families[family].ranks[place]
            if rank < before:
                return False
            before = rank
    return True


def _fresh(template: Term) -> list[str]:
    """The variables that a template makes."""
    if template.op == NEW:
        return [template.args[0].name]
    return [name for arg in template.args for name in _fresh(arg)]


def _below(template: Term) -> set[str]:
    """The variables of a template that stand right below a relation, and nowhere else."""
    below: list[str] = []
    elsewhere: list[str] = []

    def look(term: Term, *, under: bool) -> None:
        if term.op is HOLE:
            (below if under else elsewhere).append(term.name)
        for place, arg in enumerate(term.args):
            look(arg, under=term.op is EXISTS and place == 1)

    look(template, under=False)
    return set(below) - set(elsewhere)
