"""Rules of inference, applied to a logical form until none applies: inside first, and in the order of the file.

Of every application it is kept which facts it used and on which applications it depends: those that made what it
matched. A conjunction that inference makes of one relation is put in the order of the property mappings in the rule
file; a conjunction that grammar writes keeps its order. That is for the numbers of variables alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import DerivationError
from recombine.grammars.unification.forms.logical_form import (
    EXISTS,
    HOLE,
    MEET,
    Term,
    Terms,
    conjuncts,
    holes,
    iter_terms,
)
from recombine.grammars.unification.forms.matching import FactTable, Matcher, Values, most_said_first
from recombine.grammars.unification.inference.shapes import renamed
from recombine.grammars.unification.rules.rule import INFERENCE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.grammars.unification.rules.rule import InferenceRule

MOST_APPLICATIONS = 10_000
"""So many applications after one grammar rule are taken for inference without end."""
_CHECK = "run `recombine rules check`"


class Application:
    """One application of a rule of inference: its facts, and the applications it needs."""

    __slots__ = ("_above", "facts", "needs", "rule")

    def __init__(self, rule: str, facts: tuple[Term, ...], needs: tuple[Application, ...]) -> None:
        self.rule, self.facts, self.needs = rule, facts, needs
        self._above: frozenset[Application] | None = None

    @property
    def above(self) -> frozenset[Application]:
        """All applications that it needs, directly or not."""
        if self._above is None:
            self._above = frozenset(self.needs).union(*[need.above for need in self.needs])
        return self._above

    @above.setter
    def above(self, applications: frozenset[Application]) -> None:
        self._above = applications


_ORIGIN = -1
_StepDone = tuple[str, tuple[Term, ...], tuple[int, ...]]
"""A rule, its facts, and the numbers of the applications it needs."""
_Known = tuple[Term, list[_StepDone], list[tuple[Term, tuple[int, ...]]], list[tuple[Term, ...]]]
"""What became of a term, what was done, which applications made the parts of it, and what was put in order."""


class _Compiled:
    """A rule in the shape that matching wants."""

    __slots__ = (
        "asked",
        "conditions",
        "full_name",
        "kept",
        "left",
        "name",
        "needed",
        "new",
        "right",
        "roles",
        "within",
    )

    def __init__(self, rule: InferenceRule, terms: Terms) -> None:
        left, right = terms.again(rule.left), terms.again(rule.right)
        self.name, self.full_name = rule.name, f"{INFERENCE}:{rule.name}"
        self.conditions = tuple(map(terms.again, rule.conditions))
        self.asked = frozenset(name for condition in self.conditions for name in holes(condition))
        """The variables that facts speak of."""
        self.within = rule.within is not None
        if rule.within is not None:
            role = terms.again(rule.within)
            left, right = terms.make(EXISTS, (role, left)), terms.make(EXISTS, (role, right))
        self.left, self.right = most_said_first(left, terms), right
        """For a conjunction at the top: which parts stay, and which terms are new."""
        parts = list(conjuncts(right)) if left.op is MEET else []
        lefts = self.left.args if left.op is MEET else ()
        kept = []
        for part in lefts:
            kept.append(part in parts)
            if part in parts:
                parts.remove(part)
        self.kept, self.new = tuple(kept), tuple(parts)
        self.roles: frozenset[Term] | None = None
        self.needed = tuple(part.op for part in lefts if part.op is not HOLE)


def _roles(rule: _Compiled, matcher: Matcher) -> frozenset[Term] | None:
    """The roles of which one must stand in what the rule matches; none where any will do."""
    pattern = next((each for each in (rule.left, *rule.left.args) if each.op is EXISTS), None)
    if pattern is None:
        return None
    role = pattern.args[0]
    names = holes(role)
    if not names:
        return frozenset({role})
    for condition in rule.conditions:
        if names <= holes(condition):
            return frozenset(
                matcher.terms.filled(role, values)
                for fact in matcher.facts.of(condition.op)
                for values in matcher.iter_matches(condition, fact, {})
            )
    return None


Made = dict[Term, tuple[Application, ...]]
"""The applications that made each term."""


class Inference:
    """The rules of inference of a set, over one table of terms."""

    def __init__(
        self,
        rules: Sequence[InferenceRule],
        facts: FactTable,
        terms: Terms,
        order: Mapping[Term, int],
        *,
        most: int = MOST_APPLICATIONS,
    ) -> None:
        self.terms, self.order, self.most = terms, order, most
        self.matcher = Matcher(terms, facts, backwards=False)
        self._origin = Application("", (), ())
        self.put_in_order: list[tuple[Term, ...]] = []
        """The relations that were put in order since `applied` was called, two or more each time, in that order."""
        self._memo: dict[tuple[object, ...], _Known] = {}
        self.by_op: dict[str, list[_Compiled]] = {}
        for rule in rules:
            compiled = _Compiled(rule, terms)
            compiled.roles = _roles(compiled, self.matcher)
            self.by_op.setdefault(compiled.left.op, []).append(compiled)

    def applied(self, form: Term, made: Made, origin: Application) -> tuple[Term, list[Application]]:
        """A form to which no rule applies any more, and what was applied; `origin` stands for the grammar rule."""
        done: list[Application] = []
        if form.normal:
            return form, done
        self._origin, self.put_in_order = origin, []
        try:
            return self._worked(form, made, done, ordered=True), done
        except RecursionError:
            raise DerivationError("inference never ends: it goes deeper and deeper", _CHECK) from None

    def forget(self) -> None:
        """Forget what was done with terms."""
        self._memo.clear()

    def _normal(self, term: Term, made: Made, done: list[Application], *, ordered: bool = True) -> Term:
        """A term to which no rule applies.

        What was done with an equal term, made in the same way, is done again, whatever its sealed parts are called.
        """
        if term.op is not EXISTS:
            return self._worked(term, made, done, ordered=ordered)
        key, outer, names, own = self._key(term, made, ordered=ordered)
        known = self._memo.get(key)
        if known is None:
            first, before = len(done), len(self.put_in_order)
            # Of the form around the term nothing is looked at, though it may have equal parts that were made otherwise:
            # else what is done would depend on which question was the first.
            result = self._worked(term, own, done, ordered=ordered)
            self._memo[key] = (*self._kept(result, own, done[first:], outer, names), self.put_in_order[before:])
            made.update((part, own[part]) for part in iter_terms(result) if part in own)
            return result
        result, steps, marks, orders = known
        self.put_in_order += orders
        apps = list(outer)
        for rule, facts, needs in steps:
            new = Application(rule, facts, tuple([apps[n] if n >= 0 else self._origin for n in needs]))
            apps.append(new)
            done.append(new)
        back = {usual: own for own, usual in names.items() if usual is not own}
        if back:
            terms, parts = self.terms, dict[Term, Term]()
            result = renamed(result, back, terms, parts)
            for part, by in marks:
                made[renamed(part, back, terms, parts)] = tuple([apps[n] if n >= 0 else self._origin for n in by])
        else:
            for part, by in marks:
                made[part] = tuple([apps[n] if n >= 0 else self._origin for n in by])
        return result

    def _key(
        self, term: Term, made: Made, *, ordered: bool
    ) -> tuple[tuple[object, ...], dict[Application, int], dict[Term, Term], Made]:
        """What decides what is done with a term; the applications in it; the usual names of its sealed parts; and what
        its parts were made by."""
        outer: dict[Application, int] = {}
        names: dict[Term, Term] = {}
        own: Made = {}
        ways: list[object] = [ordered]
        waiting = [term]
        while waiting:
            here = waiting.pop()
            args = here.args
            if not args:
                if here.name[:1] == "#":
                    usual = names.get(here)
                    if usual is None:
                        usual = names[here] = self.terms.make(here.op, (), f"#{len(names)}")
                    ways.append(usual)
                else:
                    ways.append(here)
                continue
            by = made.get(here)
            if by is not None:
                own[here] = by
            ways += (here.op, len(args), by and tuple([outer.setdefault(each, len(outer)) for each in by]))
            if here.op is EXISTS:
                by = made.get(args[0])
                if by is not None:
                    own[args[0]] = by
                ways += (args[0], by and tuple([outer.setdefault(each, len(outer)) for each in by]))
                waiting.append(args[1])
            else:
                waiting += args
        for each in outer:
            above = each.above
            ways.append((each is self._origin, *[place for other, place in outer.items() if other in above]))
        return tuple(ways), outer, names, own

    def _kept(
        self,
        result: Term,
        made: Made,
        new: Sequence[Application],
        outer: Mapping[Application, int],
        names: Mapping[Term, Term],
    ) -> tuple[Term, list[_StepDone], list[tuple[Term, tuple[int, ...]]]]:
        """What was done, with numbers for applications and usual names for sealed parts."""
        numbers = {**outer, **{each: len(outer) + place for place, each in enumerate(new)}}
        numbers.setdefault(self._origin, _ORIGIN)
        steps = [(each.rule, each.facts, tuple([numbers[need] for need in each.needs])) for each in new]
        parts: dict[Term, Term] = {}
        marks = [
            (renamed(part, names, self.terms, parts), tuple([numbers[each] for each in made[part]]))
            for part in iter_terms(result)
            if part in made
        ]
        return renamed(result, names, self.terms, parts), steps, marks

    def _worked(self, term: Term, made: Made, done: list[Application], *, ordered: bool) -> Term:
        first = term.op
        while not term.normal:
            if term.args:
                whole = first is not EXISTS or term.op is not MEET
                args = [arg if arg.normal else self._normal(arg, made, done, ordered=whole) for arg in term.args]
                if any(new is not old for new, old in zip(args, term.args, strict=True)):
                    before = made.get(term)
                    if term.op is MEET:
                        term = self.terms.meet(args)
                    else:
                        term = self.terms.make(term.op, tuple(args), term.name)
                    if before is not None and term not in made:
                        made[term] = before
                    continue
            new = self._apply(term, made, done)
            if new is None:
                term.normal = True
            else:
                term = new
        if ordered and first is EXISTS and term.op is MEET:
            term = self._ordered(term)
        return term

    def _ordered(self, term: Term) -> Term:
        order, last = self.order, len(self.order)
        parts = sorted(term.args, key=lambda part: order.get(part.args[0], last) if part.op is EXISTS else -1)
        roles = tuple([part.args[0] for part in parts if part.op is EXISTS and part.args[0] in order])
        if len(roles) > 1:
            self.put_in_order.append(roles)
        # Resolution takes conjunctions apart from their end.
        term = self.terms.make(MEET, tuple(reversed(parts)))
        term.normal = True
        return term

    def _apply(self, term: Term, made: Made, done: list[Application]) -> Term | None:
        rules = self.by_op.get(term.op)
        if rules is None:
            return None
        if term.op is not MEET:
            role = term.args[0] if term.args else term
            for rule in rules:
                if rule.roles is not None and role not in rule.roles:
                    continue
                for values in self.matcher.iter_matches(rule.left, term, {}):
                    for filled, facts in self.matcher.iter_known(rule.conditions, values):
                        return self._rewritten(rule, term, filled, facts, made, done)
            return None
        ops = {part.op for part in term.args}
        roles = {part.args[0] for part in term.args if part.op is EXISTS}
        for rule in rules:
            if not ops.issuperset(rule.needed) or (rule.roles is not None and roles.isdisjoint(rule.roles)):
                continue
            for values, _ in self.matcher.iter_meets(rule.left.args, term.args, {}, exact=False):
                for filled, facts in self.matcher.iter_known(rule.conditions, values):
                    return self._part_rewritten(rule, term, filled, facts, made, done)
        return None

    def _rewritten(
        self, rule: _Compiled, term: Term, values: Values, facts: tuple[Term, ...], made: Made, done: list[Application]
    ) -> Term:
        matched = [term]
        self._matched(rule, rule.left, term, values, matched)
        application = self._application(rule, facts, matched, made, done)
        new = self.terms.filled(rule.right, values)
        if rule.within:
            # The relation around it is as it was; what stands in it is made by this application too.
            made[new] = made.get(term, ())
            made[new.args[1]] = (*made.get(term.args[1], ()), application)
        else:
            self._mark_template(rule.right, values, made, (application,))
        return new

    def _part_rewritten(
        self, rule: _Compiled, term: Term, values: Values, facts: tuple[Term, ...], made: Made, done: list[Application]
    ) -> Term:
        matched: list[Term] = []
        used = []
        for part in rule.left.args:
            whole = self.terms.filled(part, values)
            used.append(whole)
            if part.op is not HOLE:
                matched.append(whole)
                self._matched(rule, part, whole, values, matched)
        application = self._application(rule, facts, matched, made, done)
        parts: list[Term | None] = list(term.args)
        slot = -1
        for whole, kept in zip(used, rule.kept, strict=True):
            if not kept:
                place = parts.index(whole)
                parts[place] = None
                slot = place if slot < 0 else min(slot, place)
        new = [self.terms.filled(part, values) for part in rule.new]
        for part in rule.new:
            self._mark_template(part, values, made, (application,))
        result: list[Term] = []
        for place, old in enumerate(parts):
            if place == slot:
                result += new
            if old is not None:
                result.append(old)
        if slot < 0:
            result += new
        whole = self.terms.meet(result)
        if whole.op is MEET:
            made[whole] = (*made.get(term, ()), application)
        return whole

    def _application(
        self, rule: _Compiled, facts: tuple[Term, ...], matched: list[Term], made: Made, done: list[Application]
    ) -> Application:
        needs: dict[Application, None] = {}
        for term in matched:
            for application in made.get(term, ()):
                needs[application] = None
        least = tuple(needs)
        if len(least) > 1:  # what another need depends on is no edge of its own
            least = tuple([need for need in needs if not any(need in other.above for other in needs)])
        if len(done) >= self.most:
            raise DerivationError(f"the inference rule {rule.name} never ends", _CHECK)
        application = Application(rule.full_name, facts, least or (self._origin,))
        done.append(application)
        return application

    def _matched(self, rule: _Compiled, pattern: Term, term: Term, values: Values, matched: list[Term]) -> None:
        """Add the parts of a term that a pattern names, not what its variables stand for.

        A conjunction counts where nothing else may stand in it; where a variable takes what is left, it does not.
        """
        inner: Sequence[Term] = term.args
        if pattern.op is MEET:
            inner = [self.terms.filled(part, values) for part in pattern.args]
        for part, whole in zip(_looked_into(pattern), inner[pattern.op is EXISTS :], strict=True):
            if part.op is HOLE or not part.args:
                continue
            if part.op is not MEET or all(each.op is not HOLE or each.name in rule.asked for each in part.args):
                matched.append(whole)
            self._matched(rule, part, whole, values, matched)

    def _mark_template(self, template: Term, values: Values, made: Made, by: tuple[Application, ...]) -> None:
        if template.op is HOLE or not template.args:
            return
        made[self.terms.filled(template, values)] = by
        for arg in _looked_into(template):
            self._mark_template(arg, values, made, by)


def _looked_into(term: Term) -> tuple[Term, ...]:
    """The parts of a term that are made by someone; the role of a relation is a name, whoever writes it."""
    return term.args[1:] if term.op is EXISTS else term.args
