"""Logical forms as terms that exist once: equal terms are one object, so that comparing them costs nothing.

A term is an operator and its arguments. Operators are `EXISTS` (a role, a concept), `MEET` (the conjuncts of ⊓, two or
more, never another ⊓: it is associative), `TEXT` (a string in quotation marks), `UNKNOWN` (a variable `?x0` that
`new_var` made), `HOLE` (a variable of a rule), and else the name of a concept or of a function. ⊓ is commutative when
terms are matched; the order of its conjuncts is kept, and says only what is written first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

EXISTS, MEET, TEXT, UNKNOWN, HOLE, TOP = "∃", "⊓", "'", "?", "$", "⊤"


class Term:
    """An operator with its arguments; made by `Terms` alone, and compared by identity."""

    __slots__ = ("args", "name", "normal", "op")

    def __init__(self, op: str, args: tuple[Term, ...], name: str) -> None:
        self.op, self.args, self.name = op, args, name
        self.normal = False
        """Whether no rule of inference applies in it."""

    def __repr__(self) -> str:
        return written(self)


class Terms:
    """A table of terms, each of which is in it once."""

    __slots__ = ("_count", "_table", "top")

    def __init__(self) -> None:
        self._table: dict[str, dict[object, Term]] = {}
        """By operator, then by what else tells terms apart: most have either arguments or a name."""
        self._count = 0
        self.top = self.make(TOP)

    def __len__(self) -> int:
        return self._count

    def make(self, op: str, args: tuple[Term, ...] = (), name: str = "") -> Term:
        """The term of an operator that is not ⊓."""
        table = self._table.get(op)
        if table is None:
            table = self._table[op] = {}
        key: object = ((args, name) if name else args) if args else name
        known = table.get(key)
        if known is None:
            known = table[key] = Term(op, args, name)
            self._count += 1
        return known

    def all(self) -> list[Term]:
        """The terms of the table."""
        return [term for table in self._table.values() for term in table.values()]

    def keep(self, some: Iterable[Term]) -> None:
        """Forget all terms but some and their parts; what is forgotten must not be used any more."""
        kept: dict[Term, None] = {}
        waiting = list(some)
        while waiting:
            term = waiting.pop()
            if term not in kept:
                kept[term] = None
                waiting += term.args
        self._table, self._count = {}, len(kept)
        for term in kept:
            key: object = ((term.args, term.name) if term.name else term.args) if term.args else term.name
            self._table.setdefault(term.op, {})[key] = term

    def meet(self, parts: Iterable[Term]) -> Term:
        """The conjunction of terms: flat, without ⊤, and no conjunction where one or none is left."""
        flat: list[Term] = []
        for part in parts:
            if part.op is MEET:
                flat += part.args
            elif part.op is not TOP:
                flat.append(part)
        if len(flat) > 1:
            return self.make(MEET, tuple(flat))
        return flat[0] if flat else self.top

    def again(self, term: Term) -> Term:
        """A term of another table in this one."""
        args = tuple(map(self.again, term.args))
        return self.meet(args) if term.op is MEET else self.make(term.op, args, term.name)

    def filled(self, template: Term, values: Mapping[str, Term]) -> Term:
        """A template with its variables replaced; one without a value is left."""
        if template.op is HOLE:
            return values.get(template.name, template)
        if not template.args:
            return template
        args = tuple([self.filled(arg, values) for arg in template.args])
        return self.meet(args) if template.op is MEET else self.make(template.op, args, template.name)


def conjuncts(term: Term) -> tuple[Term, ...]:
    """The parts of a conjunction; a term that is none is its only part."""
    if term.op is MEET:
        return term.args
    return () if term.op is TOP else (term,)


def iter_terms(term: Term) -> Iterator[Term]:
    """A term and all its parts."""
    waiting = [term]
    while waiting:
        here = waiting.pop()
        yield here
        waiting.extend(reversed(here.args))


def holes(term: Term) -> set[str]:
    """The variables of a rule that stand in a term."""
    return {part.name for part in iter_terms(term) if part.op is HOLE}


def written(term: Term, names: Mapping[str, str] | None = None) -> str:
    """A logical form as rules write it; `names` are other names for its variables.

    >>> terms = Terms()
    >>> person, film = terms.make("Person"), terms.make("Film")
    >>> pair = terms.make("RolePair", (terms.make("Star"), terms.make("StarredIn")))
    >>> written(terms.meet([person, terms.make(EXISTS, (pair, terms.meet([film, person])))]))
    'Person ⊓ ∃RolePair(Star, StarredIn).(Film ⊓ Person)'
    """
    if term.op is MEET:
        return " ⊓ ".join(_bracketed(part, names, below=MEET) for part in term.args)
    if term.op is EXISTS:
        return f"∃{_bracketed(term.args[0], names)}.{_bracketed(term.args[1], names)}"
    if term.op is TEXT:
        return f"'{term.name}'"
    if term.op in (UNKNOWN, HOLE):
        return (names or {}).get(term.name, term.name)
    if not term.args:
        return term.op
    return f"{term.op}({', '.join(written(arg, names) for arg in term.args)})"


def _bracketed(term: Term, names: Mapping[str, str] | None, below: str = EXISTS) -> str:
    text = written(term, names)
    return f"({text})" if term.op is MEET and below is EXISTS else text
