"""Witness worlds: the fewest facts under which a graph query has exactly some answers.

All answers share what the query says besides them: a fresh node for every node in the middle, and one value at a
literal. Different nodes of the query are different nodes there, and nodes in the middle have their classes, so that the
S-expression, the graph query and both semantics of SPARQL have the same answers. With decoys, further facts stand
beside those, each nearly an answer: of another class, with another entity or value, or with a fact turned round.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from recombine.errors import FormError
from recombine.kb.forms.form import ARGMAX, ARGMIN, COMPARISONS, COUNT, GRAILQA, SETS
from recombine.kb.forms.queries.published_query import zoned
from recombine.kb.forms.queries.value_family import MOMENT, NUMBER, TEXT, XSD, utc_moment, value_family
from recombine.kb.term import LITERAL, Term

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from recombine.kb.forms.form import GraphEdge, GraphNode, GraphQuery
    from recombine.kb.profiles.profile import Profile

    Fact = tuple[Term, Term, Term]

OTHER_CLASS = Term.name("witness.other")
"""The class of what is of another class."""
_SUPERLATIVES = (ARGMAX, ARGMIN)
_YEAR = re.compile(r"(-?[0-9]{4,})(.*)", re.DOTALL)
_MOMENT = re.compile(r"(-?[0-9]+)-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9.]+)(Z|[+-][0-9]{2}:[0-9]{2})")
_EXTREMES = {
    "datetime": ("1990-01-01", "2000-01-01", "2010-01-01", "date"),
    "float": ("10.0", "50.0", "90.0", "float"),
    "int": ("10", "50", "90", "integer"),
}
"""The smaller, the chosen and the larger value of a superlative, by what its literal's class ends with."""


def witness_world(
    query: GraphQuery,
    answers: Sequence[Term],
    profile: Profile,
    *,
    decoys: bool = False,
    semantics: str = SETS,
) -> list[Fact]:
    """The facts under which a query has exactly these answers, sorted; a count has so many things to count.

    A date of the query stands there as the query has it, in the semantics of GrailQA's published queries also in their
    time zone. A query that no such facts can be found for, such as one that its own entities answer, is a `FormError`.
    """
    return _Maker(query, profile, semantics).world(answers, decoys=decoys)


class _Values(NamedTuple):
    """The values of a literal: those that fit, one that does not, and of a superlative one that would exceed them."""

    right: tuple[Term, ...]
    wrong: Term | None
    beyond: Term | None = None


@dataclass
class _Walk:
    """The query as a tree from the node asked for: the places in order, and how each is come to."""

    order: list[int] = field(default_factory=list)
    edge: dict[int, GraphEdge] = field(default_factory=dict)
    parent: dict[int, int] = field(default_factory=dict)

    def path(self, place: int) -> list[int]:
        """The places from the root to one."""
        path = [place]
        while path[-1] in self.parent:
            path.append(self.parent[path[-1]])
        return path[::-1]


class _Maker:
    def __init__(self, query: GraphQuery, profile: Profile, semantics: str) -> None:
        self._query, self._profile, self._semantics = query, profile, semantics
        predicates = profile.predicates("type")
        if not predicates:
            raise FormError(f"the profile {profile.name!r} has no predicate of classes", 'give it type = ["…"]')
        self._type = predicates[0]
        self._walk = _walked(query)
        self._taken = {node.value for node in query.nodes if node.value is not None}
        self._fresh = 0
        self._values = {place: self._values_of(query.nodes[place]) for place in self._literals()}
        self._facts: set[Fact] = set()

    def _literals(self) -> Iterator[int]:
        return (place for place, node in enumerate(self._query.nodes) if node.kind == "literal")

    # -- the world -----------------------------------------------------------------------------------------------------

    def world(self, answers: Sequence[Term], *, decoys: bool) -> list[Fact]:
        """The facts of the world."""
        if self._query.nodes[self._query.asked].function == COUNT:
            answers = self._counted(answers)
        self._taken |= set(answers)
        if not answers:
            return []
        self._shared = {place: self._instance(place) for place in self._walk.order[1:]}
        for answer in answers:
            self._say({**self._shared, self._query.asked: (answer,)})
        if self._found() != set(answers):
            raise FormError("no facts have these answers alone", "say a class of what is asked for")
        for place in self._walk.order if decoys else ():
            self._say_decoys(place)
        if self._found() != set(answers):
            raise FormError("what is nearly an answer is one", "ask for the world without decoys")
        return sorted(self._facts, key=lambda fact: [term.key for term in fact])

    def _counted(self, answers: Sequence[Term]) -> list[Term]:
        if len(answers) != 1 or not answers[0].text.isdigit():
            raise FormError("a count has other answers than one number", "give a number")
        return [self._new() for _ in range(int(answers[0].text))]

    def _instance(self, place: int) -> tuple[Term, ...]:
        """What stands for a node besides the one asked for."""
        node = self._query.nodes[place]
        if node.kind == "literal":
            return self._values[place].right
        return (self._new(),) if node.kind == "class" or node.value is None else (node.value,)

    def _new(self) -> Term:
        while True:
            self._fresh += 1
            term = Term.name(f"m.w{self._fresh}")
            if term not in self._taken:
                self._taken.add(term)
                return term

    def _say(self, terms: dict[int, tuple[Term, ...]], *, untyped: int = -1, turned: int = -1) -> None:
        """Add the facts of a query whose nodes are some terms, one of them without its class or its edge turned."""
        for place, node in enumerate(self._query.nodes):
            if node.kind == "class" and node.value is not None:
                class_ = OTHER_CLASS if place == untyped else node.value
                self._facts |= {(term, self._type, class_) for term in terms[place]}
        for place, edge in self._walk.edge.items():
            for start in terms[edge.start]:
                for end in terms[edge.end]:
                    self._facts.add((end, edge.relation, start) if place == turned else (start, edge.relation, end))

    # -- what is nearly an answer --------------------------------------------------------------------------------------

    def _say_decoys(self, place: int) -> None:
        """Add what would be an answer but for one thing at a node: its class, its value or entity, or its edge."""
        node, path = self._query.nodes[place], self._walk.path(place)
        if any(self._query.nodes[each].kind != "class" for each in path[:-1]):
            return
        if node.kind == "class" and place == self._query.asked and node.value is not None:
            self._try(self._copied(path), untyped=place)
        if node.kind == "literal":
            wrong = self._values[place].wrong
            if wrong is not None:
                self._try({**self._copied(path[:-1]), place: (wrong,)})
            return
        if node.kind == "entity":
            self._try({**self._copied(path[:-1]), place: (self._new(),)})
        if place != self._query.asked:
            self._try(self._copied(path[:-1]), turned=place)

    def _copied(self, path: Iterable[int]) -> dict[int, tuple[Term, ...]]:
        """The terms of a world in which the nodes of a path are fresh, with values beyond those of answers."""
        terms = dict(self._shared)
        for place in path:
            terms[place] = (self._new(),)
            for other, parent in self._walk.parent.items():
                beyond = self._values[other].beyond if parent == place and other in self._values else None
                if beyond is not None:
                    terms[other] = (beyond,)
        return terms

    def _try(self, terms: dict[int, tuple[Term, ...]], *, untyped: int = -1, turned: int = -1) -> None:
        """Add facts, but not where they give another answer, as where the query says a thing twice."""
        before, found = set(self._facts), self._found()
        self._say(terms, untyped=untyped, turned=turned)
        if self._found() != found:
            self._facts = before

    # -- what the facts answer -----------------------------------------------------------------------------------------

    def _found(self) -> set[Term]:
        """The answers of the query, with no classes in the middle, as its S-expression says none."""
        best: dict[int, set[Term]] = {}
        for place, node in enumerate(self._query.nodes):
            if node.function in _SUPERLATIVES:
                values = self._narrowed(place, -1, best) or set()
                most = max if node.function == ARGMAX else min
                families = {_ordered(value)[0] for value in values}
                largest = {most(each for each in map(_ordered, values) if each[0] == family) for family in families}
                best[place] = {value for value in values if _ordered(value) in largest}
        return self._narrowed(self._query.asked, -1, best) or set()

    def _narrowed(self, place: int, parent: int, best: dict[int, set[Term]]) -> set[Term] | None:
        """What a node can be, given what lies behind it as it is come to from another; none is anything."""
        fits = best[place] if place in best else self._fits(place)
        for edge in self._query.edges:
            if place not in (edge.start, edge.end):
                continue
            other = edge.end if edge.start == place else edge.start
            if other != parent:
                reached = self._reached(edge, place, self._narrowed(other, place, best))
                fits = reached if fits is None else fits & reached
        return fits

    def _fits(self, place: int) -> set[Term] | None:
        """What a node can be by itself."""
        node = self._query.nodes[place]
        if node.kind == "literal":
            literals = {other for _, _, other in self._facts if other.kind == LITERAL}
            if node.function in _SUPERLATIVES or node.value is None:
                return literals
            return {term for term in literals if self._compares(term, place)}
        if node.kind == "entity":
            return {node.value} if node.value is not None else None
        if place != self._query.asked or node.value is None:
            return None
        return {one for one, relation, other in self._facts if relation == self._type and other == node.value}

    def _compares(self, term: Term, place: int) -> bool:
        if term in self._values[place].right:
            return True
        node = self._query.nodes[place]
        own, bound = _ordered(term), _ordered(node.value) if node.value is not None else ("", 0)
        if own[0] != bound[0]:
            return False
        less, same = own < bound, own == bound
        return {"<": less, "<=": less or same, ">": not less and not same, ">=": not less}.get(node.function, same)

    def _reached(self, edge: GraphEdge, place: int, ends: set[Term] | None) -> set[Term]:
        """What a node can be by an edge to another, which is one of some terms or anything."""
        pairs = ((one, other) for one, relation, other in self._facts if relation == edge.relation)
        own = ((one, other) if edge.start == place else (other, one) for one, other in pairs)
        return {here for here, there in own if ends is None or there in ends}

    # -- values --------------------------------------------------------------------------------------------------------

    def _values_of(self, node: GraphNode) -> _Values:
        if node.function in _SUPERLATIVES:
            return _superlative(node)
        if node.value is None:
            return _Values((Term.literal("0", datatype=XSD + "integer"),), None)
        if node.function in COMPARISONS:
            below, above = _beside(node.value)
            return _Values((below,), above) if node.function in ("<", "<=") else _Values((above,), below)
        published = zoned(node.value) if self._semantics == GRAILQA else node.value
        right = (node.value,) if published == node.value else (node.value, published)
        return _Values(right, _other(node.value))


def _walked(query: GraphQuery) -> _Walk:
    """The query as a tree; one that is none is refused."""
    walk, waiting = _Walk(), [query.asked]
    while waiting:
        place = waiting.pop()
        walk.order.append(place)
        for edge in query.edges:
            if place not in (edge.start, edge.end) or edge is walk.edge.get(place):
                continue
            other = edge.end if edge.start == place else edge.start
            if other in walk.edge or other == query.asked:
                raise FormError("a query with a cycle", "no witness is made of it")
            walk.edge[other], walk.parent[other] = edge, place
            waiting.append(other)
    if len(walk.order) < len(query.nodes):
        raise FormError("a part of it is not connected with what is asked for", "connect it, or leave it out")
    return walk


def _superlative(node: GraphNode) -> _Values:
    name = "" if node.of_class is None else node.of_class.text.rpartition(".")[2]
    small, chosen, large, kind = _EXTREMES.get(name, _EXTREMES["int"])
    terms = [Term.literal(text, datatype=XSD + kind) for text in (small, chosen, large)]
    return _Values((terms[1],), *((terms[0], terms[2]) if node.function == ARGMAX else (terms[2], terms[0])))


def _beside(value: Term) -> tuple[Term, Term]:
    """A value clearly below another, and one clearly above it."""
    family = value_family(value)
    if family == NUMBER:
        number = Decimal(value.text.strip().replace("INF", "Infinity"))
        if number.is_finite():
            away = max(abs(number), Decimal(1))
            return _number(number - away, value), _number(number + away, value)
    if family == MOMENT:
        return _years_later(value, -1), _years_later(value, 1)
    if family == TEXT and value.text:
        return Term.literal(""), Term.literal(value.text + "z")
    raise FormError(f"{value.text!r} has no values beside it", "compare with a number, a date or a text")


def _ordered(value: Term) -> tuple[str, Any]:
    """The family of a literal, and what orders it there; its key where it has no order."""
    family = value_family(value)
    if family == NUMBER and not value.text.strip().endswith("INF"):
        return family, Decimal(value.text.strip())
    if family == MOMENT and (match := _MOMENT.fullmatch(utc_moment(value))):
        year, month, day, hours, minutes, seconds = (Decimal(part) for part in match.groups()[:6])
        zone = 0 if match[7] == "Z" else int(match[7][0] + "1") * (int(match[7][1:3]) * 60 + int(match[7][4:]))
        # 400 years are a whole number of weeks, and of days; a year of four digits is what dates of Python can have.
        eras, year_of_era = divmod(int(year), 400)
        days = date(year_of_era + 400, int(month), int(day)).toordinal() + eras * 146_097
        return family, ((days * 24 + hours) * 60 + minutes - zone) * 60 + seconds
    return f"{family} of its own" if family != TEXT else family, value.key


def _number(number: Decimal, like: Term) -> Term:
    whole = number == number.to_integral_value()
    integers = like.datatype not in (XSD + "float", XSD + "double", XSD + "decimal")
    text = str(int(number)) if integers else f"{number:f}" if not whole else f"{int(number)}.0"
    return Term.literal(text, datatype=XSD + "integer" if integers else like.datatype)


def _years_later(value: Term, years: int) -> Term:
    match = _YEAR.fullmatch(value.text.strip())
    if match is None:
        raise FormError(f"{value.text!r} has no year", "compare with a date")
    year = int(match[1]) + years
    text = f"{'-' if year < 0 else ''}{abs(year):04d}" + match[2].replace("-02-29", "-02-28", 1)
    return Term.literal(text, datatype=value.datatype)


def _other(value: Term) -> Term | None:
    """Another value than a literal has, of its type."""
    if value.kind != LITERAL or value_family(value) not in (NUMBER, MOMENT, TEXT):
        return None
    return _beside(value)[1] if value.text else Term.literal("z")
