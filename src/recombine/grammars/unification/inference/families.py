"""Constants that rules treat alike: what inference does with one verb it does with every verb that is known alike.

Constants that facts name together are a family: a predicate with its roles. Two families are alike where their facts
are the same but for names. Exchanging them changes nothing that a rule of inference can see, unless a rule names one of
their constants, which is then no member of a family; nor the order of relations, where those that were put in order
have ranks in the same order. So what inference did with some families holds for others that are alike, and are the same
family in the same places (`FamilyPatterns`). Texts in facts are not looked at, where no rule uses them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.grammars.unification.forms.logical_form import EXISTS, HOLE, TEXT, TOP, UNKNOWN, iter_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from recombine.grammars.unification.forms.logical_form import Term
    from recombine.grammars.unification.rules.rule import GrammarRule, InferenceRule

Pattern = tuple[object, ...]
GeneralFacts = tuple[tuple["Term", ...], tuple[tuple[int, int], ...] | None]
"""Facts, and where some are those of families: the number of a family, or -1 for the facts themselves, and a place."""
GeneralOrder = tuple[tuple[int, int], ...]
"""Relations, each as the number of a family and the place of a rank, or -1 and a rank."""
_NO_CONSTANTS = frozenset({HOLE, TEXT, TOP, UNKNOWN})


class Family:
    """Constants that belong together, their facts, and their relations with the ranks of these."""

    __slots__ = ("alike", "facts", "members", "ranks", "roles")

    def __init__(
        self,
        members: tuple[Term, ...],
        facts: tuple[Term, ...],
        alike: Pattern,
        roles: tuple[Term, ...] = (),
        ranks: tuple[int, ...] = (),
    ) -> None:
        self.members, self.facts, self.alike, self.roles, self.ranks = members, facts, alike, roles, ranks


class Families:
    """The families of a set of rules, over one table of terms."""

    def __init__(
        self,
        grammar: Sequence[GrammarRule],
        inference: Sequence[InferenceRule],
        facts: Sequence[Term],
        order: Mapping[Term, int],
    ) -> None:
        self.named = frozenset(_named(grammar, inference))
        """The constants that rules name, which have no family."""
        asked = {condition.op for rule in inference for condition in rule.conditions}
        ranked = [role for role in order if role.args or _has_plain_roles(grammar, inference)]
        self._places: dict[Term, tuple[Family, int]] = {}
        self._facts: dict[Term, tuple[Family, int]] = {}
        self._roles: dict[Term, tuple[Family, int]] = {}
        self._order, self._ranked = order, list(order)
        self._used = not any(_uses_texts(rule, facts) for rule in inference)
        """Whether constants have families at all; where a rule uses the texts of facts, no two are alike."""
        if self._used:
            for group in self._groups([fact for fact in facts if fact.op in asked], ranked):
                self._add(group, order)

    def place(self, constant: Term) -> tuple[Family, int] | None:
        """The family of a constant and its place there; none where a rule names it."""
        known = self._places.get(constant)
        if known is None and self._used and constant.op not in self.named:
            known = self._places[constant] = (Family((constant,), (), ("alone",)), 0)
        return known

    def general_facts(self, facts: tuple[Term, ...], numbered: dict[Family, int]) -> GeneralFacts:
        """Facts of which those of families are said by their places; `numbered` gets the numbers of new families."""
        places = [self._facts.get(fact) for fact in facts]
        if not any(places):
            return facts, None
        said = []
        for here, place in enumerate(places):
            said.append((-1, here) if place is None else (numbered.setdefault(place[0], len(numbered)), place[1]))
        return facts, tuple(said)

    def general_order(self, roles: tuple[Term, ...], numbered: dict[Family, int]) -> GeneralOrder:
        """Relations in their order, each as the number of its family and the place of its rank; -1 and the rank itself
        where it is of named constants alone."""
        places = [(self._roles.get(role), role) for role in roles]
        return tuple(
            [
                (-1, self._order[role]) if place is None else (numbered.setdefault(place[0], len(numbered)), place[1])
                for place, role in places
            ]
        )

    def special_order(self, order: GeneralOrder, families: Sequence[Family]) -> tuple[Term, ...]:
        """The relations that an order stands for with some families."""
        return tuple([self._ranked[place] if n < 0 else families[n].roles[place] for n, place in order])

    def constants(self, term: Term) -> list[Term]:
        """The constants of a term that have families, in the order in which they stand."""
        return [part for part in iter_terms(term) if is_constant(part) and part.op not in self.named]

    def _groups(self, facts: Sequence[Term], ranked: Sequence[Term]) -> list[tuple[list[Term], list[Term]]]:
        """Facts, and relations with ranks, that share constants."""
        group_of: dict[Term, list[Term]] = {}
        for term in (*facts, *ranked):
            joined: dict[Term, None] = {}
            for constant in self.constants(term):
                joined.update(dict.fromkeys(group_of.get(constant, (constant,))))
            whole = list(joined)
            group_of.update(dict.fromkeys(whole, whole))
        groups: dict[int, tuple[list[Term], list[Term]]] = {}
        for place, terms in enumerate((facts, ranked)):
            for term in terms:
                for constant in self.constants(term)[:1]:
                    groups.setdefault(id(group_of[constant]), ([], []))[place].append(term)
        return list(groups.values())

    def _add(self, group: tuple[list[Term], list[Term]], order: Mapping[Term, int]) -> None:
        facts, ranked = group
        members: dict[Term, int] = {}
        # What is known besides texts says which member is which; it comes in one order for all verbs.
        for term in sorted((*facts, *ranked), key=lambda term: any(part.op is TEXT for part in iter_terms(term))):
            for constant in self.constants(term):
                members.setdefault(constant, len(members))
        said = sorted(facts, key=lambda fact: repr(_pattern(fact, members)))
        roles = sorted(ranked, key=lambda role: repr(_pattern(role, members)))
        alike = (tuple(_pattern(each, members) for each in said), tuple(_pattern(each, members) for each in roles))
        family = Family(tuple(members), tuple(said), alike, tuple(roles), tuple(order[role] for role in roles))
        self._places.update({constant: (family, place) for constant, place in members.items()})
        self._facts.update({fact: (family, place) for place, fact in enumerate(said)})
        self._roles.update({role: (family, place) for place, role in enumerate(roles)})


class FamilyPatterns:
    """Whether some families are as others: alike one by one, and the same in the same places."""

    def __init__(self) -> None:
        self._known: dict[tuple[Family, ...], tuple[int, tuple[Family, ...]]] = {}
        self._numbers: dict[Pattern, int] = {}

    def forget(self) -> None:
        """Forget which families were asked for; the numbers stay."""
        self._known.clear()

    def of(self, families: tuple[Family, ...]) -> tuple[int, tuple[Family, ...]]:
        """The number of what some families are as, and each of them once."""
        known = self._known.get(families)
        if known is None:
            different = tuple(dict.fromkeys(families))
            pattern = (
                tuple([different.index(family) for family in families]),
                tuple([family.alike for family in different]),
            )
            known = self._known[families] = (self._numbers.setdefault(pattern, len(self._numbers)), different)
        return known


def is_constant(term: Term) -> bool:
    """Whether a term is a name alone: no variable, text or sealed part, nor ⊤, which is no part of a conjunction."""
    return not term.args and not term.name and term.op not in _NO_CONSTANTS


def _pattern(term: Term, members: Mapping[Term, int]) -> object:
    if term.op is TEXT:
        return TEXT
    if not term.args:
        return members.get(term, term.op)
    return (term.op, *[_pattern(arg, members) for arg in term.args])


def _named(grammar: Iterable[GrammarRule], inference: Iterable[InferenceRule]) -> set[str]:
    """The constants of rules, but for grammar rules without parts, which are applied to nothing."""
    terms = [rule.form for rule in grammar if _has_parts(rule)]
    for rule in inference:
        terms += [rule.left, rule.right, *rule.conditions, *([rule.within] if rule.within else [])]
    return {part.op for term in terms for part in iter_terms(term) if not part.args}


def _uses_texts(rule: InferenceRule, facts: Iterable[Term]) -> bool:
    """Whether a variable that stands for the text of a fact stands in another place too, so that the text matters."""
    patterns = [rule.left, rule.right, *rule.conditions, *([rule.within] if rule.within else [])]
    names = [part.name for pattern in patterns for part in iter_terms(pattern) if part.op is HOLE]
    texts = {
        name
        for condition in rule.conditions
        for fact in facts
        if fact.op == condition.op
        for name in _texts(condition, fact)
    }
    return any(names.count(name) > 1 for name in texts)


def _texts(pattern: Term, fact: Term) -> list[str]:
    """The variables of a pattern in whose places a fact has texts."""
    if pattern.op is HOLE:
        return [pattern.name] if any(part.op is TEXT for part in iter_terms(fact)) else []
    return [name for one, two in zip(pattern.args, fact.args, strict=False) for name in _texts(one, two)]


def _has_parts(rule: GrammarRule) -> bool:
    from recombine.grammars.unification.rules.rule import Constituent

    return any(isinstance(part, Constituent) for part in rule.right)


def _has_plain_roles(grammar: Iterable[GrammarRule], inference: Iterable[InferenceRule]) -> bool:
    """Whether some relation is a name alone."""
    terms = [*[rule.form for rule in grammar], *[rule.right for rule in inference]]
    return any(part.op is EXISTS and is_constant(part.args[0]) for term in terms for part in iter_terms(term))


def special_facts(general: GeneralFacts, families: Sequence[Family]) -> tuple[Term, ...]:
    """The facts with some families."""
    facts, said = general
    if said is None:
        return facts
    return tuple([families[n].facts[place] if n >= 0 else facts[place] for n, place in said])


def in_order(orders: Sequence[GeneralOrder], families: Sequence[Family]) -> bool:
    """Whether relations have ranks in the order in which they stand, with these families too."""
    for order in orders:
        before = -1
        for family, place in order:
            rank = place if family < 0 else families[family].ranks[place]
            if rank < before:
                return False
            before = rank
    return True
