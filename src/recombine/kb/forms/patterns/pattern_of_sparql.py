"""What a SPARQL query says, where it is a pattern: facts that all hold, of things that are named or of a class.

Queries as `sets_query` and GrailQA write them are read, and such as people write: one variable asked for or counted,
triples and paths of steps, constants by VALUES, BIND or FILTER, comparisons with literals, the largest value by a
sub-select or by ORDER BY and LIMIT 1, sets by sub-selects. Whatever else a query has, UNION, OPTIONAL, other aggregates
and so on, has no other notation, and is a `FormError` that says so.

Whether all nodes are different, as in GrailQA's queries, is a matter of semantics: the pattern keeps it (`distinct`),
and dates lose the time zone that those queries give them. What else a query says and other notations cannot say is
named among the losses.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NoReturn

from recombine.errors import FormError
from recombine.kb.forms.form import ARGMAX, ARGMIN, COMPARISONS
from recombine.kb.forms.loss import DIFFERENT, LANGUAGE, ONE_ANSWER, REPEATS, Loss
from recombine.kb.forms.pattern import Pattern, PatternEdge, PatternNode
from recombine.kb.forms.patterns.named_classes import named_classes
from recombine.kb.forms.patterns.same_pattern import same_pattern
from recombine.kb.forms.queries.published_query import without_zone
from recombine.kb.forms.queries.sparql_leaves import is_variable, term_of_leaf
from recombine.kb.term import LITERAL
from recombine.languages.sparql.language_filter import is_language_filter
from recombine.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recombine.kb.profiles.profile import Profile
    from recombine.kb.term import Term

MOST_NODES = 1_000
"""The most nodes of a pattern; GrailQA's have five."""
_STAYS = "keep it as SPARQL"
_SELECTS = ("select", "select_distinct", "select_reduced")
_MOST = {"MAX": ARGMAX, "MIN": ARGMIN}
_ORDERS = {"desc": ARGMAX, "asc": ARGMIN}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_ELEMENTS = {
    "optional": "OPTIONAL",
    "union": "UNION",
    "minus": "MINUS",
    "graph": "GRAPH",
    "service": "SERVICE",
    "service_silent": "SERVICE",
}
_TAILS = {
    "group_by": "GROUP BY",
    "having": "HAVING",
    "offset": "OFFSET",
    "values": "VALUES after the query",
    "from": "FROM",
    "from_named": "FROM NAMED",
}


def pattern_of_sparql(tree: Tree, profile: Profile) -> tuple[Pattern, tuple[Loss, ...]]:
    """The pattern of a query, and what a query says that patterns do not."""
    losses: list[Loss] = []
    pattern = _Question(tree, profile, losses).read()
    return pattern, tuple(dict.fromkeys(losses))


def _refuse(problem: str) -> NoReturn:
    raise FormError(f"{problem} has no other notation", _STAYS)


class _Question:
    """One query or sub-select, as it is read."""

    def __init__(self, tree: Tree, profile: Profile, losses: list[Loss]) -> None:
        self._tree, self._profile, self._losses = tree, profile, losses
        self._type_predicates = frozenset(profile.predicates("type"))
        self._pattern = Pattern()
        self._places: dict[str, int] = {}
        """The place of each variable's node."""
        self._extremes: list[tuple[str, str, Pattern]] = []
        """The variables that get a largest value, each with the function and the pattern that asks for it."""
        self._apart: set[frozenset[int]] = set()
        """The pairs of nodes that are said to be different."""
        self._waiting: list[tuple[str, Tree, Tree]] = []
        """Equalities of variables and differences, which are looked at when all nodes are known."""
        self._readers = {
            "triple": self._triple,
            "filter": self._filter,
            "bind": self._bind,
            "values": self._values,
            "group": self._group,
            **dict.fromkeys(_SELECTS, self._sub_select),
        }

    def read(self) -> Pattern:
        """The pattern, when all of the query was understood."""
        tree = self._tree
        if tree.label == "ask":
            _refuse("ASK")
        project, where, *tail = tree.children
        variable, self._pattern.count = self._asked(project, where)
        self._tail(tail)
        inner = _only_select(where)
        if inner is not None and not tail:
            return self._of_inner(inner, variable)
        self._elements(where.children)
        self._differ_and_equal()
        self._pattern.asked = self._asked_place(variable)
        self._order(tail)
        return self._whole()

    def _of_inner(self, inner: Tree, variable: str) -> Pattern:
        """The pattern of a query whose whole pattern is a sub-select for the same variable."""
        question = _Question(inner, self._profile, self._losses)
        pattern = question.read()
        if _projected(inner) != variable:
            _refuse(f"a query for {variable} around one for {_projected(inner)}")
        if self._pattern.count:
            if pattern.count:
                return Pattern([PatternNode(inner=[pattern])], count=True)
            pattern.count = True
        return pattern

    def _asked(self, project: Tree, where: Tree) -> tuple[str, bool]:
        """The variable that is asked for, and whether it is counted."""
        if len(project.children) != 1:
            _refuse(f"a query for {len(project.children)} variables")
        item = project.children[0]
        if item.label == "as" and item.children:
            item = item.children[0]
        if item.label == "*":
            names = sorted({leaf.label for leaf in where.iter_nodes() if leaf.label.startswith("?")})
            if len(names) != 1:
                _refuse(f"a query for all of {len(names)} variables")
            return names[0], False
        if is_variable(item):
            return item.label, False
        if item.label != "COUNT":
            _refuse(f"{item.label}" if item.children else f"the constant {item.label} as the answer")
        return self._counted(item.children[0], where), True

    def _counted(self, counted: Tree, where: Tree) -> str:
        distinct = counted.label == "distinct" and bool(counted.children)
        if distinct:
            counted = counted.children[0]
        names = {leaf.label for leaf in where.iter_nodes() if is_variable(leaf)}
        if counted.label == "*" and len(names) == 1:
            return next(iter(names))
        if not is_variable(counted):
            _refuse(f"COUNT({counted.label})")
        inner = _only_select(where)
        once = distinct or len(names) == 1 or (inner is not None and inner.label == "select_distinct")
        if not once:
            sentence = f"{counted.label} is counted once for each match, not once for each thing"
            self._losses.append(Loss(REPEATS, sentence))
        return counted.label

    def _tail(self, tail: list[Tree]) -> None:
        for part in tail:
            if part.label in _TAILS:
                if part.label == "offset" and part.children[0].label == "0":
                    continue
                _refuse(_TAILS[part.label])

    def _order(self, tail: list[Tree]) -> None:
        """Take ORDER BY and LIMIT 1 for a superlative."""
        parts = {part.label: part for part in tail}
        if "limit" not in parts:
            return  # the order alone says nothing of a set
        limit = parts["limit"].children[0].label
        if "order_by" not in parts or limit != "1" or self._pattern.count or self._extremes:
            _refuse(f"LIMIT {limit}")
        orders = parts["order_by"].children
        if len(orders) != 1 or not is_variable(orders[0].children[0]):
            _refuse("ORDER BY an expression, or several")
        variable = orders[0].children[0].label
        place = self._places.get(variable)
        if place is None or place == self._pattern.asked:
            _refuse(f"ORDER BY {variable} with LIMIT")
        self._pattern.nodes[place].extreme = _ORDERS[orders[0].label]
        sentence = "LIMIT 1 gives one answer where several share the largest or smallest value"
        self._losses.append(Loss(ONE_ANSWER, sentence))

    def _asked_place(self, variable: str) -> int:
        if variable not in self._places:
            raise FormError(f"{variable} is asked for and nothing is said of it", "name it in the pattern")
        return self._places[variable]

    def _whole(self) -> Pattern:
        """The pattern with its superlative, its differences and its order of nodes."""
        self._differences()
        extremes = [
            (self._pattern.nodes[self._places[name]], function, inner) for name, function, inner in self._extremes
        ]
        pattern = _joined(named_classes(self._pattern, self._profile))
        if len(extremes) + (pattern.extreme is not None) > 1:
            _refuse("a query with two superlatives")
        for node, function, inner in extremes:
            node.extreme = inner.nodes[inner.asked].extreme = function
            if inner.distinct != pattern.distinct or not same_pattern(pattern, inner):
                _refuse(f"{'MAX' if function == ARGMAX else 'MIN'} over another pattern than that of the query")
        return _asked_first(pattern)

    def _differences(self) -> None:
        pattern = self._pattern
        every = {frozenset(pair) for pair in combinations(range(len(pattern.nodes)), 2)}
        needless = {pair for pair in every - self._apart if _by_name(pattern, pair)}
        if self._apart and self._apart | needless >= every:
            pattern.distinct = True
            for name in sorted({name for pair in self._apart for name in _one_name(pattern, pair)}):
                sentence = f"{self._profile.show(name)} is different from itself, which nothing meets"
                self._losses.append(Loss(DIFFERENT, sentence))
            for node in pattern.nodes:
                node.constants = [without_zone(term) for term in node.constants]
                node.comparisons = [(sign, without_zone(term)) for sign, term in node.comparisons]
            return
        for pair in sorted(map(sorted, self._apart)):
            one, other = (self._name(place) for place in pair)
            self._losses.append(Loss(DIFFERENT, f"{one} and {other} are different"))

    def _name(self, place: int) -> str:
        names = [name for name, other in self._places.items() if other == place]
        return names[0] if names else self._profile.show(self._pattern.nodes[place].constants[0])

    def _elements(self, elements: Iterable[Tree]) -> None:
        for element in elements:
            if element.label not in self._readers:
                _refuse(_ELEMENTS.get(element.label, element.label))
            self._readers[element.label](element)
            if len(self._pattern.nodes) > MOST_NODES:
                raise FormError(f"it has more than {MOST_NODES:,} nodes", _STAYS)

    def _group(self, element: Tree) -> None:
        self._elements(element.children)

    def _triple(self, element: Tree) -> None:
        subject, path, target = element.children
        steps = _steps(path)
        last, inverse = steps[-1]
        class_ = term_of_leaf(target, self._profile)
        place = self._place(subject)
        if not inverse and class_ is not None and self._is_class(self._relation(last), class_):
            place = self._along(place, steps[:-1])
            self._pattern.nodes[place].classes.append(class_)
            return
        place = self._along(place, steps[:-1])
        self._step(place, steps[-1], self._place(target))

    def _is_class(self, relation: Term, name: Term) -> bool:
        if relation not in self._type_predicates or name.kind == LITERAL:
            return False
        return not (self._profile.tells_entities and self._profile.is_entity(name))

    def _along(self, place: int, steps: list[tuple[Tree, bool]]) -> int:
        for step in steps:
            other = self._pattern.add()
            self._step(place, step, other)
            place = other
        return place

    def _step(self, place: int, step: tuple[Tree, bool], other: int) -> None:
        relation, inverse = step
        start, end = (other, place) if inverse else (place, other)
        self._pattern.edges.append(PatternEdge(start, end, self._relation(relation)))

    def _relation(self, leaf: Tree) -> Term:
        relation = term_of_leaf(leaf, self._profile)
        if relation is None:
            _refuse(f"a relation that is the variable {leaf.label}")
        return relation

    def _place(self, leaf: Tree) -> int:
        """The node of a variable, or a new one of a constant."""
        if is_variable(leaf):
            if leaf.label not in self._places:
                self._places[leaf.label] = self._pattern.add()
            return self._places[leaf.label]
        term = term_of_leaf(leaf, self._profile)
        if term is None:
            _refuse(f"{leaf.label} in a triple")
        return self._pattern.add(PatternNode(constants=[term]))

    def _values(self, element: Tree) -> None:
        variables, *rows = element.children
        if len(variables.children) != 1 or len(rows) != 1:
            _refuse("VALUES with several variables or rows")
        self._is(variables.children[0], rows[0].children[0])

    def _bind(self, element: Tree) -> None:
        value, variable = element.children
        self._is(variable, value)

    def _is(self, variable: Tree, value: Tree) -> None:
        """Say that a variable is a constant."""
        term = term_of_leaf(value, self._profile)
        if term is None:
            _refuse(f"{variable.label} as an expression ({value.label})")
        self._pattern.nodes[self._place(variable)].constants.append(term)

    def _filter(self, element: Tree) -> None:
        waiting = [element.children[0]]
        while waiting:
            condition = waiting.pop()
            if condition.label == "&&":
                waiting.extend(reversed(condition.children))
            else:
                self._condition(condition)

    def _condition(self, condition: Tree) -> None:
        if is_language_filter(condition):
            language = condition.children[2].children[1].label.strip('"')
            self._losses.append(Loss(LANGUAGE, f"texts in a language other than {language} are no answers"))
            return
        if condition.label not in ("=", "!=", *COMPARISONS) or len(condition.children) != 2:
            _refuse(f"FILTER with {condition.label if condition.children else 'a value alone'}")
        one, other = condition.children
        sign = condition.label
        if not is_variable(one):
            one, other, sign = other, one, _MIRRORED.get(sign, sign)
        if not is_variable(one):
            _refuse(f"FILTER with {sign} of no variable")
        if sign == "!=" or is_variable(other):
            self._place(one)
            self._waiting.append((sign, one, other))
        elif sign == "=":
            self._is(one, other)
        else:
            self._compare(one, sign, other)

    def _differ_and_equal(self) -> None:
        for sign, one, other in self._waiting:
            if sign != "!=":
                self._same(one, other, sign)
        for sign, one, other in self._waiting:
            if sign == "!=":
                pair = frozenset((self._place(one), self._known_place(other)))
                if len(pair) == 1:
                    _refuse(f"{one.label} != {other.label}, which nothing meets,")
                self._apart.add(pair)

    def _compare(self, variable: Tree, sign: str, value: Tree) -> None:
        term = term_of_leaf(value, self._profile)
        if term is None or term.kind != LITERAL:
            _refuse(f"{sign} with {value.label}")
        self._pattern.nodes[self._place(variable)].comparisons.append((sign, term))

    def _known_place(self, leaf: Tree) -> int:
        """The node of a variable, or the one that already has a constant."""
        term = term_of_leaf(leaf, self._profile)
        if term is not None:
            for place, node in enumerate(self._pattern.nodes):
                if node.constants == [term]:
                    return place
            _refuse(f"FILTER with != of {leaf.label}, which is in no triple,")
        if not is_variable(leaf):
            _refuse(f"!= with {leaf.label}")
        return self._place(leaf)

    def _same(self, one: Tree, other: Tree, sign: str) -> None:
        """Two variables that are equal: one of them is the largest value that a sub-select gives."""
        names = {variable for variable, *_ in self._extremes}
        if sign != "=" or (one.label in names) == (other.label in names):
            _refuse(f"{one.label} {sign} {other.label}")
        most, value = (one, other) if one.label in names else (other, one)
        gone, kept = self._places.pop(most.label), self._place(value)
        self._extremes = [
            (value.label if name == most.label else name, function, inner) for name, function, inner in self._extremes
        ]
        places = self._pattern.merge(gone, kept)
        self._places = {name: places[place] for name, place in self._places.items()}

    def _sub_select(self, element: Tree) -> None:
        project = element.children[0]
        item = project.children[0]
        if len(project.children) == 1 and item.label == "as" and item.children and item.children[0].label in _MOST:
            self._extreme(element, item)
            return
        name = _projected(element)
        inner = _Question(element, self._profile, self._losses).read()
        place = self._place(Tree(name))
        if inner.distinct:
            self._losses.append(Loss(DIFFERENT, "the nodes of a sub-select are different from each other"))
        if inner.count or inner.extreme is not None:
            self._pattern.nodes[place].inner.append(inner)
        else:
            self._pattern.splice(place, inner)

    def _extreme(self, element: Tree, item: Tree) -> None:
        """The largest value of the pattern of a sub-select."""
        function, variable = item.children
        value = function.children[0]
        if value.label == "distinct" and value.children:
            value = value.children[0]
        if not is_variable(value) or len(element.children) > 2:
            _refuse(f"{function.label} of an expression or of groups")
        project = Tree("project", (value,))
        asked = _Question(Tree("select", (project, element.children[1])), self._profile, self._losses).read()
        self._place(variable)
        self._extremes.append((variable.label, _MOST[function.label], asked))


def _projected(tree: Tree) -> str:
    """The one variable that a sub-select gives."""
    project = tree.children[0]
    item = project.children[0]
    if len(project.children) != 1 or item.label == "*":
        _refuse("a sub-select for several variables")
    return item.children[1].label if item.label == "as" and item.children else item.label


def _only_select(where: Tree) -> Tree | None:
    """The sub-select that is all of a pattern."""
    while len(where.children) == 1:
        inner = where.children[0]
        if inner.label in _SELECTS:
            item = inner.children[0].children[0]
            most = item.label == "as" and item.children and item.children[0].label in _MOST
            return None if most else inner
        if inner.label != "group":
            return None
        where = inner
    return None


def _steps(path: Tree) -> list[tuple[Tree, bool]]:
    """The steps of a path, each with whether it is gone against."""
    if not path.children:
        return [(path, False)]
    if path.label == "/":
        return [step for part in path.children for step in _steps(part)]
    if path.label == "^":
        return [(relation, not inverse) for relation, inverse in reversed(_steps(path.children[0]))]
    _refuse(f"a path with {path.label}")


def _by_name(pattern: Pattern, pair: frozenset[int]) -> bool:
    """Whether two nodes are named, so that nothing need be said of their being different."""
    return all(pattern.nodes[place].constants for place in pair)


def _one_name(pattern: Pattern, pair: frozenset[int]) -> list[Term]:
    """The name that two nodes both have, if it is one."""
    one, other = (pattern.nodes[place].constants for place in pair)
    return one[:1] if one[:1] == other[:1] else []


def _joined(pattern: Pattern) -> Pattern:
    """The pattern with a name that stands in two places as one node, where only that connects its parts."""
    while len(reached := pattern.reached()) < len(pattern.nodes):
        named = {term: place for place in sorted(reached) for term in pattern.nodes[place].constants[:1]}
        apart = ((place, node) for place, node in enumerate(pattern.nodes) if place not in reached)
        same = next(((place, node) for place, node in apart if node.constants and node.constants[0] in named), None)
        if same is None:
            break
        place, node = same
        kept = named[node.constants[0]]
        pattern.nodes[kept].classes += node.classes
        pattern.nodes[kept].inner += node.inner
        pattern.merge(place, kept)
    return pattern


def _asked_first(pattern: Pattern) -> Pattern:
    """The pattern with the asked-for node in the first place, the others in their order."""
    asked = pattern.asked
    if asked == 0:
        return pattern
    order = [asked, *(place for place in range(len(pattern.nodes)) if place != asked)]
    places = {old: new for new, old in enumerate(order)}
    pattern.nodes = [pattern.nodes[place] for place in order]
    for edge in pattern.edges:
        edge.start, edge.end = places[edge.start], places[edge.end]
    pattern.asked = 0
    return pattern
