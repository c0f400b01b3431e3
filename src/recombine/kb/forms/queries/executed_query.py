"""A pattern as the SPARQL by which a store executes it, with values compared as an embedded index compares them.

SPARQL alone leaves open, or an error, what people write: a date with a time zone beside one without, a year beside a
date, the largest of numbers and texts, 5 beside 5.0 at the end of a fact. So every comparison is of keys that are
computed in the query: a number as a double, a moment as the date-time of its beginning, in UTC where it names no time
zone. Values of different families do not compare, and of a superlative the largest of each family counts.

The query says the same as the one in the semantics `sets`, and is longer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import FormError
from recombine.kb.forms.form import ARGMAX
from recombine.kb.forms.queries.sparql_leaves import leaf_of_term
from recombine.kb.forms.queries.value_family import (
    BEGINS,
    BOOLEAN,
    DAY,
    MOMENT,
    NUMBER,
    TEXT,
    TIME,
    XSD,
    is_unreadable,
    ordered_family,
    utc_moment,
    value_family,
)
from recombine.kb.term import LITERAL, Term

if TYPE_CHECKING:
    from recombine.kb.forms.pattern import Pattern, PatternNode
    from recombine.kb.profiles.profile import Profile

_ZONE = "(Z|[+-][0-9][0-9]:[0-9][0-9])$"
_MOMENTS = ", ".join(f"<{XSD}{name}>" for name in ("dateTime", "date", "gYear", "gYearMonth", "dateTimeStamp"))
_FAMILIES = {NUMBER: 1, MOMENT: 2, TIME: 3, BOOLEAN: 4, TEXT: 5}


def executed_query(pattern: Pattern, profile: Profile) -> str:
    """The text of the query: its one column has the answers, or their number."""
    return _Writer(profile).question(pattern)


class _Writer:
    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._scopes = 0

    def question(self, pattern: Pattern, answer: str | None = None) -> str:
        """A query for what a pattern asks; in a sub-select, `answer` is the variable that gets it."""
        scope = self._scope()
        leaves = self._leaves(pattern, scope, None if pattern.count else answer)
        asked, where = leaves[pattern.asked], self._where(pattern, leaves, scope)
        if pattern.count:
            return f"SELECT (COUNT(DISTINCT {asked}) AS {answer or '?value'}) WHERE {{ {where} }}"
        return f"SELECT DISTINCT {asked} WHERE {{ {where} }}"

    def _scope(self) -> str:
        self._scopes += 1
        return f"s{self._scopes}_"

    def _leaves(self, pattern: Pattern, scope: str, answer: str | None = None) -> list[str]:
        """What stands for each node in triples: its constant, or a variable."""
        leaves = []
        for place, node in enumerate(pattern.nodes):
            inline = len(node.constants) == 1 and place != pattern.asked and not (node.comparisons or node.extreme)
            inline = inline and not node.inner and self._is_one_term(node.constants[0])
            leaves.append(self._written(node.constants[0]) if inline else f"?{scope}{place}")
        if answer is not None:
            leaves[pattern.asked] = answer
        return leaves

    def _is_one_term(self, term: Term) -> bool:
        """Whether a constant is nothing but itself; of a literal there may be others of its value."""
        return term.kind != LITERAL

    def _where(self, pattern: Pattern, leaves: list[str], scope: str) -> str:
        elements = self._elements(pattern, leaves, scope)
        extreme = pattern.extreme
        if extreme is None:
            return " ".join(elements)
        inner_scope = self._scope()
        inner = self._leaves(pattern, inner_scope)
        most = "MAX" if pattern.nodes[extreme].extreme == ARGMAX else "MIN"
        family, key, best, of = (f"?{inner_scope}{name}" for name in ("family", "key", "best", "of"))
        keyed = [*self._elements(pattern, inner, inner_scope), *_bound(inner[extreme], family, key)]
        select = f"SELECT ({family} AS {of}) ({most}({key}) AS {best}) WHERE {{ {' '.join(keyed)} }} GROUP BY {family}"
        outer = [f"?{scope}{name}" for name in ("family", "key")]
        elements += _bound(leaves[extreme], *outer)
        return " ".join([*elements, f"{{ {select} }} FILTER({outer[0]} = {of} && {outer[1]} = {best})"])

    def _elements(self, pattern: Pattern, leaves: list[str], scope: str) -> list[str]:
        elements = []
        for edge in pattern.edges:
            elements.append(f"{leaves[edge.start]} {self._written(edge.relation)} {leaves[edge.end]} .")
        for place, node in enumerate(pattern.nodes):
            touched = any(place in (edge.start, edge.end) for edge in pattern.edges)
            elements += self._said(node, leaves[place], touched=touched, scope=f"{scope}{place}_")
        if not any(leaves[pattern.asked] in element for element in elements):
            raise FormError("it asks for anything at all", "say a class, an entity or a fact")
        return elements

    def _said(self, node: PatternNode, leaf: str, *, touched: bool, scope: str) -> list[str]:
        """What is said of a node apart from its edges."""
        elements = []
        if node.classes and not self._profile.type:
            raise FormError(f"the profile {self._profile.name!r} has no predicate of classes", 'give it type = ["…"]')
        types = "|".join(self._written(predicate) for predicate in self._profile.predicates("type"))
        for name in node.classes:
            elements.append(f"{leaf} ({types}) {self._written(name)} .")
        if leaf.startswith("?"):
            for term in node.constants:
                if touched and value_family(term) is not None:
                    elements.append(f"FILTER({self._compared('=', leaf, term)})")
                elif touched and is_unreadable(term):
                    # A server may refuse a query that has it; what facts have of it is told by its text.
                    text = self._written(Term.literal(term.text))
                    elements.append(f"FILTER(DATATYPE({leaf}) = <{term.datatype}> && STR({leaf}) = {text})")
                else:
                    elements.append(f"VALUES {leaf} {{ {self._written(term)} }}")
        for sign, value in node.comparisons:
            elements.append(f"FILTER({self._compared(sign, leaf, value)})")
        for number, inner in enumerate(node.inner):
            if inner.count:
                count = f"?{scope}count{number}"
                same = f"<{XSD}double>({leaf}) = <{XSD}double>({count})"
                elements.append(f"{{ {self.question(inner, count)} }} FILTER({_if_of(leaf, NUMBER, same)})")
            else:
                elements.append(f"{{ {self.question(inner, leaf)} }}")
        return elements

    def _compared(self, sign: str, leaf: str, value: Term) -> str:
        family = ordered_family(value, self._profile)
        return _if_of(leaf, family, f"{_key(leaf, family)} {sign} {self._value_key(value, family)}")

    def _value_key(self, value: Term, family: str) -> str:
        if family in (MOMENT, TIME):
            return f'"{utc_moment(value)}"^^<{XSD}dateTime>'
        if family == BOOLEAN:
            return "1" if value.text.strip() in ("true", "1") else "0"
        return self._written(value) if family == TEXT else f"<{XSD}double>({self._written(value)})"

    def _written(self, term: Term) -> str:
        return leaf_of_term(term, self._profile).label


def _if_of(leaf: str, family: str, condition: str) -> str:
    """Whether a value is of a family and meets a condition, which Virtuoso must not try on others, as `&&` lets it."""
    return f"IF({_of_family(leaf, family)}, {condition}, false)"


def _of_family(leaf: str, family: str) -> str:
    """Whether a value is of a family; Virtuoso takes truth values for numbers."""
    if family == NUMBER:
        return f"DATATYPE({leaf}) != <{XSD}boolean> && isNumeric({leaf})"
    if family == MOMENT:
        return f"DATATYPE({leaf}) IN ({_MOMENTS})"
    names = {TIME: "time", BOOLEAN: "boolean", TEXT: "string"}
    return f"DATATYPE({leaf}) = <{XSD}{names[family]}>"


def _key(leaf: str, family: str) -> str:
    """What a value of a family is compared by."""
    if family == NUMBER:
        return f"<{XSD}double>({leaf})"
    if family == BOOLEAN:
        return f"<{XSD}integer>({leaf})"
    if family == TEXT:
        return f"STR({leaf})"
    body = f'REPLACE(STR({leaf}), "{_ZONE}", "")'
    zone = f'IF(REGEX(STR({leaf}), "{_ZONE}"), REPLACE(STR({leaf}), "^.*{_ZONE}", "$1"), "Z")'
    if family == TIME:
        return f'<{XSD}dateTime>(CONCAT("{DAY}", {body}, {zone}))'
    begin = '""'
    for datatype, text in BEGINS.items():
        begin = f'IF(DATATYPE({leaf}) = <{datatype}>, "{text}", {begin})'
    return f"<{XSD}dateTime>(CONCAT({body}, {begin}, {zone}))"


def _bound(leaf: str, family: str, key: str) -> list[str]:
    """The family and the key of a value as variables; what has none, NaN too, is left out."""
    families, keys = "0", f"STR({leaf})"
    for name in (TEXT, TIME, MOMENT, NUMBER, BOOLEAN):
        families = f"IF({_of_family(leaf, name)}, {_FAMILIES[name]}, {families})"
        if name != TEXT:
            keys = f"IF({_of_family(leaf, name)}, {_key(leaf, name)}, {keys})"
    return [f"BIND({families} AS {family})", f"BIND({keys} AS {key})", f"FILTER({family} > 0 && {key} = {key})"]
