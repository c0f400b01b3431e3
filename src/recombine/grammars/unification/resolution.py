"""Rules of resolution: from a logical form to the text of a query, from the top down (CFQ paper, Appendices J.4, K).

A call such as `def2sparql(Person, ?x0)` is rewritten by the first rule of the file that matches it and whose conditions
are known. Arguments that are calls themselves are rewritten before. A call with the same arguments is one application,
wherever it is made; what it says between full stops is said once, so a description that two verbs share is described
once. A conjunction is taken apart from its end, so that what grammar added last is described first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import DerivationError
from recombine.grammars.unification.logical_form import HOLE, TEXT, UNKNOWN, Term, Terms, written
from recombine.grammars.unification.matching import FactTable, Matcher, Values, most_said_first
from recombine.grammars.unification.rule import RESOLUTION

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from recombine.grammars.unification.rule import ResolutionRule

NEW = "new_var"
"""The function that makes a variable."""
STOP = "."


class Resolved:
    """A call that was rewritten: the rule, its facts, the calls it made, and its text in pieces."""

    __slots__ = ("calls", "facts", "pieces", "rule", "statement", "value")

    def __init__(self, rule: str, facts: tuple[Term, ...], *, statement: bool) -> None:
        self.rule, self.facts, self.statement = rule, facts, statement
        """The rule's name begins with its kind."""
        self.calls: list[Resolved] = []
        self.pieces: list[str | Resolved] = []
        self.value: Term | None = None
        """What the call stands for as an argument, where it is one term."""


class _Compiled:
    __slots__ = ("conditions", "first", "left", "name", "plain", "right")

    def __init__(self, rule: ResolutionRule, terms: Terms, matcher: Matcher) -> None:
        self.name = f"{RESOLUTION}:{rule.name}"
        self.conditions = tuple(map(terms.again, rule.conditions))
        self.left = most_said_first(terms.again(rule.left), terms)
        self.right = tuple(map(terms.again, rule.right))
        first = self.left.args[0] if self.left.args else self.left
        self.first = None if first.op is HOLE else first.op
        """The operator of the first argument, where the rule says which."""
        self.plain = matcher.is_plain(self.left)


class Resolution:
    """The rules of resolution of a set, over one table of terms."""

    def __init__(self, rules: Sequence[ResolutionRule], facts: FactTable, terms: Terms) -> None:
        self.terms = terms
        self.matcher = Matcher(terms, facts, backwards=True)
        self.by_function: dict[str, list[_Compiled]] = {}
        for rule in rules:
            self.by_function.setdefault(rule.left.op, []).append(_Compiled(rule, terms, self.matcher))
        self._fitting: dict[tuple[str, str], tuple[_Compiled, ...]] = {}
        self.statements = frozenset(_statements(rules))
        self._known: dict[Term, Resolved] = {}
        self._made = 0

    def __len__(self) -> int:
        return len(self._known)

    def resolved(self, call: Term) -> Resolved:
        """What a call is rewritten to."""
        known = self._known.get(call)
        if known is not None:
            return known
        for rule, values, facts in self._iter_fitting(call):
            made = self._known[call] = self._rewritten(rule, call, values, facts)
            return made
        raise DerivationError(f"no rule of resolution fits {written(call)}", "add one, or a fact that it asks for")

    def _iter_fitting(self, call: Term) -> Iterator[tuple[_Compiled, Values, tuple[Term, ...]]]:
        """The rules that fit a call, with their values and facts."""
        kind = (call.op, call.args[0].op if call.args else "")
        rules = self._fitting.get(kind)
        if rules is None:
            rules = self._fitting[kind] = tuple(
                rule for rule in self.by_function.get(kind[0], ()) if rule.first is None or rule.first == kind[1]
            )
        for rule in rules:
            if rule.plain:
                values = self.matcher.first_match(rule.left, call)
                matches: Iterable[Values] = () if values is None else (values,)
            else:
                matches = self.matcher.iter_matches(rule.left, call, {})
            for values in matches:
                if not rule.conditions:
                    yield rule, dict(values), ()
                    continue
                for filled, facts in self.matcher.iter_known(rule.conditions, values):
                    yield rule, dict(filled), facts

    def _rewritten(self, rule: _Compiled, call: Term, values: Values, facts: tuple[Term, ...]) -> Resolved:
        made = Resolved(rule.name, facts, statement=call.op in self.statements)
        for item in rule.right:
            if item.op is TEXT:
                made.pieces.append(item.name)
            elif item.op in self.by_function:
                inner = self._call(item, values, made)
                made.pieces.append(inner)
                made.value = inner.value
            else:
                made.value = self._argument(item, values, made)
                made.pieces.append(made.value.name if made.value.op in (TEXT, UNKNOWN) else written(made.value))
        if len(rule.right) != 1:
            made.value = None
        return made

    def _call(self, item: Term, values: Values, made: Resolved) -> Resolved:
        args = tuple([self._argument(arg, values, made) for arg in item.args])
        inner = self.resolved(self.terms.make(item.op, args))
        if inner not in made.calls:
            made.calls.append(inner)
        return inner

    def _argument(self, item: Term, values: Values, made: Resolved) -> Term:
        if item.op is HOLE:
            return values[item.name]
        if item.op == NEW:
            self._made += 1
            values[item.args[0].name] = self.terms.make(UNKNOWN, (), f"?r{self._made}")
            return values[item.args[0].name]
        if item.op in self.by_function:
            inner = self._call(item, values, made)
            if inner.value is None:
                raise DerivationError(f"{item.op} gives a text where {made.rule} needs a term", "mend the rule")
            return inner.value
        return self.terms.filled(item, values)


def _statements(rules: Sequence[ResolutionRule]) -> set[str]:
    """The functions whose calls stand beside a full stop."""
    names = set()
    for rule in rules:
        for left, right in zip(rule.right, rule.right[1:], strict=False):
            if left.op is TEXT and left.name.rstrip().endswith(STOP):
                names.add(right.op)
            if right.op is TEXT and right.name.lstrip().startswith(STOP):
                names.add(left.op)
    return names


def query_tokens(top: Resolved) -> list[str]:
    """The words of a query; what a call says is said where it is reached first."""
    pieces: list[str] = []
    seen: set[Resolved] = set()
    waiting: list[str | Resolved] = [top]
    while waiting:
        piece = waiting.pop()
        if isinstance(piece, str):
            pieces.append(piece)
        elif not piece.statement or piece not in seen:
            seen.add(piece)
            waiting.extend(reversed(piece.pieces))
    return " ".join(pieces).split()
