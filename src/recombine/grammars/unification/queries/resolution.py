"""Rules of resolution: from a logical form to the text of a query, from the top down (CFQ paper, Appendices J.4, K).

A call such as `def2sparql(Person, ?x0)` is rewritten by the first rule of the file that matches it and whose conditions
are known. Arguments that are calls themselves are rewritten before. A call with the same arguments is one application,
wherever it is made; what it says between full stops is said once, so a description that two verbs share is described
once. A conjunction is taken apart from its end, so that what grammar added last is described first.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import DerivationError
from recombine.grammars.unification.forms.logical_form import (
    HOLE,
    MEET,
    TEXT,
    UNKNOWN,
    Term,
    Terms,
    iter_terms,
    written,
)
from recombine.grammars.unification.forms.matching import FactTable, Matcher, Values, most_said_first
from recombine.grammars.unification.rules.rule import RESOLUTION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from recombine.grammars.unification.rules.rule import ResolutionRule

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


class _Call(NamedTuple):
    """A call on the right side of a rule."""

    function: str
    arguments: tuple[_Argument, ...]
    values: Callable[[Values], tuple[Term, ...]] | None
    """Takes the arguments out of the values, where all of them are variables."""


_Argument = str | _Call | Term
"""The name of a variable, a call, or a term that may have variables; `new_var` is a term."""


def _compiled(term: Term, functions: set[str]) -> _Argument:
    if term.op is HOLE:
        return term.name
    if term.op not in functions:
        return term
    arguments = tuple([_compiled(arg, functions) for arg in term.args])
    names = [each for each in arguments if isinstance(each, str)]
    return _Call(term.op, arguments, itemgetter(*names) if len(names) == len(arguments) > 1 else None)


class _Taken(NamedTuple):
    """What a rule asks for that takes one part out of the conjunction that is the first argument of a call."""

    part: Term
    rest: str
    """The name of what is left of the conjunction."""
    others: tuple[Term, ...]
    """What the other arguments are."""


class _Compiled:
    __slots__ = ("conditions", "first", "left", "makes", "name", "plain", "right", "taken")

    def __init__(self, rule: ResolutionRule, matcher: Matcher, functions: set[str]) -> None:
        terms = matcher.terms
        self.name = f"{RESOLUTION}:{rule.name}"
        self.conditions = tuple(map(terms.again, rule.conditions))
        self.left = most_said_first(terms.again(rule.left), terms)
        right = map(terms.again, rule.right)
        self.right = tuple([(each.name if each.op is TEXT else None, _compiled(each, functions)) for each in right])
        """Texts, and what else stands on the right."""
        self.makes = any(each.op == NEW for part in rule.right for each in iter_terms(part))
        """Whether it makes a variable, which becomes a value of its own."""
        first = self.left.args[0] if self.left.args else self.left
        self.first = None if first.op is HOLE else first.op
        """The operator of the first argument, where the rule says which."""
        self.plain = matcher.is_plain(self.left)
        self.taken = None if self.conditions else _taken(self.left, matcher)


def _taken(left: Term, matcher: Matcher) -> _Taken | None:
    """What a left side takes out of a conjunction, where it needs no search: no variable stands there twice."""
    if not left.args or left.args[0].op is not MEET or len(left.args[0].args) != 2:
        return None
    part, rest = left.args[0].args
    others = left.args[1:]
    names = [each.name for each in iter_terms(left) if each.op is HOLE]
    plain = rest.op is HOLE and all(map(matcher.is_plain, (part, *others)))
    return _Taken(part, rest.name, others) if plain and len(set(names)) == len(names) else None


class Resolution:
    """The rules of resolution of a set, over one table of terms."""

    def __init__(self, rules: Sequence[ResolutionRule], facts: FactTable, terms: Terms) -> None:
        self.terms = terms
        self.matcher = Matcher(terms, facts, backwards=True)
        functions = {rule.left.op for rule in rules}
        self.by_function: dict[str, list[_Compiled]] = {}
        for rule in rules:
            self.by_function.setdefault(rule.left.op, []).append(_Compiled(rule, self.matcher, functions))
        self._fitting: dict[tuple[str, str], tuple[_Compiled, ...]] = {}
        self.statements = frozenset(_statements(rules))
        self._known: dict[Term, Resolved] = {}
        self._made = 0

    def forget(self) -> None:
        """Forget what calls were rewritten to."""
        self._known.clear()

    def resolved(self, call: Term) -> Resolved:
        """What a call is rewritten to."""
        known = self._known.get(call)
        if known is not None:
            return known
        kind = (call.op, call.args[0].op if call.args else "")
        rules = self._fitting.get(kind)
        if rules is None:
            rules = self._fitting[kind] = tuple(
                rule for rule in self.by_function.get(kind[0], ()) if rule.first is None or rule.first == kind[1]
            )
        for rule in rules:
            if rule.taken is not None:
                taken = self._taken_values(rule.taken, call)
                if taken is not None:
                    made = self._known[call] = self._rewritten(rule, call, taken, ())
                    return made
                continue
            for values, facts in self._iter_values(rule, call):
                made = self._known[call] = self._rewritten(rule, call, values, facts)
                return made
        raise DerivationError(f"no rule of resolution fits {written(call)}", "add one, or a fact that it asks for")

    def _taken_values(self, taken: _Taken, call: Term) -> Values | None:
        """The values with which a rule takes the last part that it can out of a conjunction; as the matcher does."""
        args = call.args
        parts = args[0].args
        if args[0].op is not MEET or len(args) != 1 + len(taken.others):
            return None
        for place in range(len(parts) - 1, -1, -1):
            values = self.matcher.first_match(taken.part, parts[place])
            if values is None:
                continue
            for other, arg in zip(taken.others, args[1:], strict=True):
                more = self.matcher.first_match(other, arg)
                if more is None:
                    return None
                values.update(more)
            values[taken.rest] = self.terms.meet(parts[:place] + parts[place + 1 :])
            return values
        return None

    def _iter_values(self, rule: _Compiled, call: Term) -> Iterable[tuple[Values, tuple[Term, ...]]]:
        """The values and facts with which a rule fits a call."""
        matcher = self.matcher
        if rule.plain:
            values = matcher.first_match(rule.left, call)
            if values is None:
                return ()
            return matcher.iter_known(rule.conditions, values) if rule.conditions else ((values, ()),)
        return (
            known
            for values in matcher.iter_matches(rule.left, call, {})
            for known in matcher.iter_known(rule.conditions, values)
        )

    def _rewritten(self, rule: _Compiled, call: Term, given: Values, facts: tuple[Term, ...]) -> Resolved:
        made = Resolved(rule.name, facts, statement=call.op in self.statements)
        values = dict(given) if rule.makes else given
        pieces = made.pieces
        for text, item in rule.right:
            if text is not None:
                pieces.append(text)
            elif type(item) is _Call:
                inner = self._called(item, values, made)
                pieces.append(inner)
                made.value = inner.value
            else:
                value = made.value = self._argument(item, values, made)
                pieces.append(value.name if value.op in (TEXT, UNKNOWN) else written(value))
        if len(rule.right) != 1:
            made.value = None
        return made

    def _called(self, item: _Call, values: Values, made: Resolved) -> Resolved:
        if item.values is not None:
            args = item.values(values)
        else:
            args = tuple([values[a] if type(a) is str else self._argument(a, values, made) for a in item.arguments])
        call = self.terms.make(item.function, args)
        inner = self._known.get(call) or self.resolved(call)
        if inner not in made.calls:
            made.calls.append(inner)
        return inner

    def _argument(self, item: _Argument, values: Values, made: Resolved) -> Term:
        if isinstance(item, str):
            return values[item]
        if isinstance(item, _Call):
            inner = self._called(item, values, made)
            if inner.value is None:
                raise DerivationError(f"{item.function} gives a text where {made.rule} needs a term", "mend the rule")
            return inner.value
        if item.op == NEW:
            self._made += 1
            values[item.args[0].name] = self.terms.make(UNKNOWN, (), f"?r{self._made}")
            return values[item.args[0].name]
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
