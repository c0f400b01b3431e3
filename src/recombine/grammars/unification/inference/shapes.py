"""The shapes of logical forms: what inference can see of them.

No rule of inference looks into the description that a relation leads to: `∃R.TypeInstance(…)` is treated alike whatever
is described. So inference is done on shapes, in which such parts are sealed, and what it does is kept for all forms of
one shape: "directed by a film editor that M0 employed" has the shape of "directed by a person". Which parts can be
sealed follows from the rules: a function that no left side names may be sealed anywhere, one that no left side names
below a relation may be sealed there. A sealed part shows nothing of what it is, not even its function. Shapes that
differ only in constants that rules treat alike are one (`families.py`): they have slots in place of constants.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.grammars.unification.forms.logical_form import EXISTS, HOLE, MEET, TEXT, TOP, UNKNOWN, Term, Terms
from recombine.grammars.unification.inference.families import is_constant

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from recombine.grammars.unification.inference.families import Families, Family
    from recombine.grammars.unification.rules.rule import GrammarRule, InferenceRule

SEALED = "■"
"""The operator of a sealed part, whatever is in it."""
SLOT = "~"
"""The operator of a place of a family that stands for a constant."""
Made = dict[Term, tuple[int, ...]]
"""Which of the applications that can be seen made a term."""


class Shape:
    """A logical form whose sealed parts are numbered, and what is known of how it was made."""

    __slots__ = ("above", "families", "form", "made", "parts")

    def __init__(self, form: Term, parts: int, families: int, made: Made, above: tuple[frozenset[int], ...]) -> None:
        self.form, self.parts, self.families, self.made, self.above = form, parts, families, made, above
        """`above`: for each application that can be seen, those that it needs, directly or not."""


class Seals:
    """Which functions can be sealed: anywhere, and below a relation."""

    __slots__ = ("anywhere", "below")

    def __init__(self, grammar: Sequence[GrammarRule], inference: Sequence[InferenceRule]) -> None:
        plain = {EXISTS, MEET, TEXT, TOP, UNKNOWN, HOLE}
        functions = {part.op for rule in grammar for part, _ in _iter_places(rule.form) if part.args} - plain
        named = {part.op for rule in inference for part, _ in _iter_places(rule.left)}
        named_below = {
            part.op for rule in inference for part, below in _iter_places(rule.left) if below or rule.within is not None
        }
        if any(_looks_twice(rule) for rule in inference):
            functions = set()
        self.anywhere = frozenset(functions - named)
        self.below = frozenset(functions - named_below)

    def sealed(self, term: Term, *, below: bool, found: list[Term], terms: Terms, known: dict[Term, Term]) -> Term:
        """A normal term with its parts sealed; they are added to `found`, and numbered by their places there.

        `known` gets what became of each part that is not sealed.
        """
        op, args = term.op, term.args
        if not args:
            return _sealed(term, op, found, terms) if term.name[:1] == "#" else term
        if op in self.anywhere or (below and op in self.below):
            return _sealed(term, SEALED, found, terms)
        if op is EXISTS:
            inner = self.sealed(args[1], below=True, found=found, terms=terms, known=known)
            made = term if inner is args[1] else terms.make(EXISTS, (args[0], inner))
        else:
            below = below and op is not MEET
            new = tuple([self.sealed(arg, below=below, found=found, terms=terms, known=known) for arg in args])
            made = term if new == args else terms.meet(new) if op is MEET else terms.make(op, new, term.name)
        made.normal = True
        known[term] = made
        return made


def _sealed(term: Term, op: str, found: list[Term], terms: Terms) -> Term:
    if term not in found:
        found.append(term)
    sealed = terms.make(op, (), f"#{found.index(term)}")
    sealed.normal = True
    return sealed


def renamed(term: Term, names: Mapping[Term, Term], terms: Terms, known: dict[Term, Term]) -> Term:
    """A shape with other names for its sealed parts; `known` gets what became of each part."""
    if not term.args:
        return names.get(term, term)
    made = known.get(term)
    if made is None:
        args = tuple([renamed(arg, names, terms, known) for arg in term.args])
        made = term if args == term.args else terms.make(term.op, args, term.name)
        made.normal = term.normal
        known[term] = made
    return made


def moved(term: Term, by: int, terms: Terms, known: dict[Term, Term]) -> Term:
    """A shape whose sealed parts are numbered from another number on; `known` gets what became of each part."""
    if not by:
        return term
    if not term.args:
        if term.name[:1] != "#":
            return term
        made = terms.make(term.op, (), f"#{int(term.name[1:]) + by}")
    elif term in known:
        return known[term]
    else:
        args = tuple([moved(arg, by, terms, known) for arg in term.args])
        made = term if args == term.args else terms.make(term.op, args, term.name)
        known[term] = made
    made.normal = term.normal
    return made


class Slots:
    """Shapes in which places of families stand for constants, and what they are with families and sealed parts."""

    def __init__(self, families: Families, terms: Terms) -> None:
        self.families, self.terms = families, terms
        self._places: dict[Term, tuple[int, int]] = {}
        self._slots: dict[tuple[int, int], Term] = {}

    def general(self, term: Term, numbers: dict[Family, int], known: dict[Term, Term]) -> Term:
        """A term with slots for its constants; `numbers` gets the numbers of their families, `known` the parts."""
        made = known.get(term)
        if made is not None:
            return made
        if term.args:
            args = tuple([self.general(arg, numbers, known) for arg in term.args])
            made = term if args == term.args else self.terms.make(term.op, args, term.name)
        elif is_constant(term) and (place := self.families.place(term)) is not None:
            slot = (numbers.setdefault(place[0], len(numbers)), place[1])
            made = self._slots.get(slot)
            if made is None:
                made = self._slots[slot] = self.terms.make(SLOT, (), f"{SLOT}{slot[0]}.{slot[1]}")
                self._places[made] = slot
        else:
            made = term
        known[term] = made
        return made

    def special(self, term: Term, families: Sequence[Family], known: dict[Term, Term]) -> Term:
        """A normal term with the constants of families in its slots; `known` gets what became of each part."""
        made = known.get(term)
        if made is not None:
            return made
        if term.args:
            args = tuple([self.special(arg, families, known) for arg in term.args])
            made = term if args == term.args else self.terms.make(term.op, args, term.name)
        elif term.op is SLOT:
            family, member = self._places[term]
            made = families[family].members[member]
        else:
            made = term
        made.normal = True
        known[term] = made
        return made

    def opened(self, term: Term, parts: Sequence[Term], families: Sequence[Family]) -> Term:
        """A shape with its sealed parts in their places, and the constants of families in its slots."""
        if term.args:
            args = tuple([self.opened(arg, parts, families) for arg in term.args])
            return self.terms.meet(args) if term.op is MEET else self.terms.make(term.op, args, term.name)
        if term.op is SLOT:
            family, member = self._places[term]
            return families[family].members[member]
        return parts[int(term.name[1:])] if term.name[:1] == "#" else term


def _iter_places(term: Term, *, below: bool = False) -> Iterator[tuple[Term, bool]]:
    """Every part of a term, and whether it stands below a relation."""
    yield term, below
    for place, arg in enumerate(term.args):
        yield from _iter_places(arg, below=below or (term.op is EXISTS and place == 1))


def _looks_twice(rule: InferenceRule) -> bool:
    """Whether a variable below a relation stands in another place too, so that what it is matters."""
    names = [part.name for part, _ in _iter_places(rule.left) if part.op is HOLE]
    asked = {part.name for condition in rule.conditions for part, _ in _iter_places(condition) if part.op is HOLE}
    return any(
        part.op is HOLE and below and part.name in names and names.count(part.name) > 1
        for part, below in _iter_places(rule.left)
    ) or any(
        part.op is EXISTS and part.args[1].op is HOLE and part.args[1].name in asked
        for part, _ in _iter_places(rule.left)
    )
