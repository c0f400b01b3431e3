"""What becomes of each rule of `sparql11.lark`: the parts of the tree, children first.

The parser calls the method that bears the name of a rule or alias with what its parts have become: a `Tree`, a token,
or a small helper of this file. Lists of properties, blank nodes in brackets and collections are spelled out as triples.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.errors import ProgramError
from recombine.languages.sparql.language_filter import is_language_filter
from recombine.languages.sparql.reading import CURRENT
from recombine.languages.sparql.tokens import NAME, Token, functions
from recombine.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_FIRST, _REST, _NIL = (Tree(f"<{_RDF}{name}>") for name in ("first", "rest", "nil"))
AGGREGATES = frozenset({"COUNT", "SUM", "MIN", "MAX", "AVG", "SAMPLE", "GROUP_CONCAT"})
SELECTS = ("select", "select_distinct", "select_reduced")
_LAST = ("group_by", "having", "order_by", "limit", "offset", "values", "from", "from_named")
"""What comes after `where`, in this order."""


class _Where:
    """The elements between a pair of braces."""

    __slots__ = ("elements", "sub_select")

    def __init__(self, elements: tuple[Tree, ...], *, sub_select: bool = False) -> None:
        self.elements, self.sub_select = elements, sub_select


class _SubSelect:
    """A query within braces, where elements could stand."""

    __slots__ = ("select",)

    def __init__(self, select: Tree) -> None:
        self.select = select


class _Node:
    """A blank node with the triples that say what it is; the node is the first's subject."""

    __slots__ = ("term", "triples")

    def __init__(self, term: Tree, triples: list[Tree]) -> None:
        self.term, self.triples = term, triples


_Objects = list[tuple[Tree, list[Any]]]
"""Paths, each with its objects: what a list of properties says."""


def _ordered(children: list[Any]) -> list[Tree]:
    """`where` and what comes after it, in the order in which trees have them."""
    where = next(child for child in children if type(child) is _Where)
    last = sorted((child for child in children if child is not where), key=lambda child: _LAST.index(child.label))
    return [Tree("where", where.elements), *last]


def _grouped(project: Tree, parts: list[Tree]) -> list[Tree]:
    """The parts of a query with the GROUP BY that an aggregate beside a plain variable needs, where it has none."""
    plain = tuple(child for child in project.children if child.label[0] == "?")
    if not plain or any(part.label == "group_by" for part in parts):
        return parts
    if not any(_has_aggregate(part) for part in (project, *parts) if part.label in ("project", "having", "order_by")):
        return parts
    CURRENT.reading.lenient("implicit_group")
    return [parts[0], Tree("group_by", plain), *parts[1:]]


def _apart(project: Tree) -> Tree:
    """The projection with a new name for what is named as a variable within it: `(COUNT(?x) AS ?x)`."""
    return Tree("project", tuple(_apart_item(child) if child.children else child for child in project.children))


def _apart_item(item: Tree) -> Tree:
    value, variable = item.children
    if not any(node == variable for node in value.iter_nodes()):
        return item
    CURRENT.reading.lenient("same_name")
    return Tree("as", (value, Tree(CURRENT.reading.new_variable())))


def _has_aggregate(tree: Tree) -> bool:
    """Whether an expression has an aggregate of its own, not of a query within it."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if node.children and node.label in AGGREGATES:
            return True
        if node.label not in ("exists", "not_exists"):
            waiting.extend(node.children)
    return False


def _spell_out(subject: Tree, properties: _Objects, triples: list[Tree]) -> None:
    """Add the triples of a list of properties, each followed by what is said of its object in brackets."""
    for path, objects in properties:
        for value in objects:
            if type(value) is _Node:
                triples.append(Tree("triple", (subject, path, value.term)))
                triples.extend(value.triples)
            else:
                triples.append(Tree("triple", (subject, path, value)))


def _unsigned(tree: Tree) -> tuple[str, Tree]:
    """The sign of the number that a product begins with, and the product without it."""
    above: list[Tree] = []
    while tree.children:
        above.append(tree)
        tree = tree.children[0]
    sign, product = tree.label[0], Tree(tree.label[1:])
    for node in reversed(above):
        product = Tree(node.label, (product, *node.children[1:]))
    return sign, product


def _leaf(children: list[Any]) -> Tree:
    return Tree(children[0].value)


def _same(children: list[Any]) -> Any:
    return children[0]


def _node(label: str) -> Callable[[list[Any]], Tree]:
    return lambda children: Tree(label, tuple(children))


def _of_elements(label: str) -> Callable[[list[Any]], Tree]:
    return lambda children: Tree(label, children[0].elements)


class TreeBuilder:
    """The functions, by the names of rules."""

    same = staticmethod(_same)
    variable = variable_or_iri = value = operand = term = property = staticmethod(_leaf)

    # The query and its parts.

    @staticmethod
    def start(children: list[Any]) -> Tree:
        tree: Tree = children[0]
        return tree

    @staticmethod
    def lenient_end(_: list[Any]) -> None:
        CURRENT.reading.lenient("semicolon")

    @staticmethod
    def select(children: list[Any]) -> Tree:
        label = "select"
        if type(children[0]) is Token:
            label = f"select_{children.pop(0).value.lower()}"
        project = _apart(children.pop(0))
        parts = _ordered(children)
        if CURRENT.reading.aggregates:
            parts = _grouped(project, parts)
        return Tree(label, (project, *parts))

    @staticmethod
    def ask(children: list[Any]) -> Tree:
        return Tree("ask", tuple(_ordered(children)))

    from_default = staticmethod(lambda children: Tree("from", (_leaf(children),)))
    from_named = staticmethod(lambda children: Tree("from_named", (_leaf(children),)))

    @staticmethod
    def project(children: list[Any]) -> Tree:
        if type(children[0]) is Token:
            return Tree("project", (Tree("*"),))
        return Tree("project", tuple(child for child in children if child is not None))

    @staticmethod
    def lenient_comma(_: list[Any]) -> None:
        CURRENT.reading.lenient("comma")

    as_expression = staticmethod(_node("as"))

    @staticmethod
    def lenient_nameless(children: list[Any]) -> Tree:
        if not children[0].children and children[0].label[0] == "?":
            CURRENT.reading.lenient("bracketed_variable")
            variable: Tree = children[0]
            return variable
        return TreeBuilder.lenient_bare(children)

    @staticmethod
    def lenient_bare(children: list[Any]) -> Tree:
        reading = CURRENT.reading
        reading.lenient("bare_count" if children[0].label == "COUNT" else "bare_expression")
        return Tree("as", (children[0], Tree(reading.new_variable())))

    @staticmethod
    def lenient_as_outside(children: list[Any]) -> Tree:
        bare_count = children[0].label == "COUNT" and children[0].children
        CURRENT.reading.lenient("bare_count" if bare_count else "bare_expression")
        return Tree("as", tuple(children))

    @staticmethod
    def lenient_as_inside(children: list[Any]) -> Tree:
        CURRENT.reading.lenient("as_inside")
        *call, variable = children
        return Tree("as", (TreeBuilder.aggregate(call), variable))

    @staticmethod
    def where(children: list[Any]) -> _Where:
        if children and type(children[0]) is _SubSelect:
            return _Where((children[0].select,), sub_select=True)
        elements: list[Tree] = []
        for child in children:
            if type(child) is list:
                elements.extend(child)
            else:
                elements.append(child)
        return _Where(tuple(elements))

    group_by = staticmethod(_node("group_by"))
    having = staticmethod(_node("having"))
    order_by = staticmethod(_node("order_by"))
    ascending = staticmethod(_node("asc"))
    ordered = staticmethod(lambda children: Tree(children[0].value.lower(), (children[1],)))

    @staticmethod
    def lenient_ordered(children: list[Any]) -> Tree:
        CURRENT.reading.lenient("bare_order")
        return TreeBuilder.ordered(children)

    limit = staticmethod(lambda children: Tree("limit", (_leaf(children),)))
    offset = staticmethod(lambda children: Tree("offset", (_leaf(children),)))

    # Graph patterns.

    optional = staticmethod(_of_elements("optional"))
    minus = staticmethod(_of_elements("minus"))
    exists = staticmethod(_of_elements("exists"))
    not_exists = staticmethod(_of_elements("not_exists"))

    @staticmethod
    def filter(children: list[Any]) -> Tree:
        if is_language_filter(children[0]):
            CURRENT.reading.lenient("is_literal")
        return Tree("filter", (children[0],))

    bind = staticmethod(_node("bind"))

    @staticmethod
    def group(children: list[Any]) -> Tree:
        where: _Where = children[0]
        return where.elements[0] if where.sub_select else Tree("group", where.elements)

    @staticmethod
    def sub_select(children: list[Any]) -> _SubSelect:
        return _SubSelect(children[0])

    @staticmethod
    def union(children: list[Any]) -> Tree:
        return Tree("union", tuple(Tree("group", where.elements) for where in children))

    @staticmethod
    def graph(children: list[Any]) -> Tree:
        return Tree("graph", (children[0], *children[1].elements))

    @staticmethod
    def service(children: list[Any]) -> Tree:
        silent = type(children[0]) is Token
        *_, place, where = children
        return Tree("service_silent" if silent else "service", (place, *where.elements))

    variables = staticmethod(_node("variables"))
    row = staticmethod(_node("row"))

    @staticmethod
    def values_of_one(children: list[Any]) -> Tree:
        _, variable, *values = children
        return Tree("values", (Tree("variables", (variable,)), *(Tree("row", (value,)) for value in values)))

    @staticmethod
    def values_of_many(children: list[Any]) -> Tree:
        word, names, *rows = children
        for row in rows:
            if len(row.children) != len(names.children):
                problem = f"a row of {len(row.children)} values for {len(names.children)} variables after VALUES"
                raise ProgramError(NAME, word.start_pos, problem, "give each variable a value, or UNDEF")
        return Tree("values", (names, *rows))

    @staticmethod
    def same_subject(children: list[Any]) -> list[Tree]:
        node = children[0]
        triples = [] if type(node) is Tree else list(node.triples)
        subject = node if type(node) is Tree else node.term
        if len(children) > 1:
            _spell_out(subject, children[1], triples)
        return triples

    @staticmethod
    def property_list(children: list[Any]) -> _Objects:
        return children

    @staticmethod
    def verb_objects(children: list[Any]) -> tuple[Tree, list[Any]]:
        return children[0], children[1:]

    @staticmethod
    def blank_node(children: list[Any]) -> _Node:
        node = _Node(Tree(CURRENT.reading.new_blank()), [])
        _spell_out(node.term, children[0], node.triples)
        return node

    @staticmethod
    def collection(children: list[Any]) -> _Node:
        reading = CURRENT.reading
        nodes = [Tree(reading.new_blank()) for _ in children]
        triples: list[Tree] = []
        for node, rest, child in zip(nodes, [*nodes[1:], _NIL], children, strict=True):
            _spell_out(node, [(_FIRST, [child]), (_REST, [rest])], triples)
        return _Node(nodes[0], triples)

    new_blank_node = staticmethod(lambda _: Tree(CURRENT.reading.new_blank()))
    empty_list = staticmethod(lambda _: _NIL)

    @staticmethod
    def literal(children: list[Any]) -> Tree:
        return Tree("".join([child.value for child in children]))

    @staticmethod
    def literal_of_type(children: list[Any]) -> Tree:
        return Tree(f"{children[0].value}^^{children[1].value}")

    path_alternatives = staticmethod(_node("|"))
    path_steps = staticmethod(lambda children: Tree("/", tuple(children[::2])))
    path_inverse = staticmethod(_node("^"))
    path_repetition = staticmethod(lambda children: Tree(children[1].value, (children[0],)))
    path_negated = staticmethod(_node("!"))
    path_one_inverse = staticmethod(lambda children: Tree("^", (_leaf(children),)))

    # Expressions.

    disjunction = staticmethod(_node("||"))
    conjunction_of = staticmethod(_node("&&"))
    negation = staticmethod(_node("!"))
    is_in = staticmethod(_node("in"))
    is_not_in = staticmethod(_node("not_in"))
    operation = staticmethod(lambda children: Tree(children[1].value, (children[0], children[2])))
    negative = staticmethod(lambda children: Tree("negative", (children[1],)))
    positive = staticmethod(lambda children: children[1])

    @staticmethod
    def signed_operation(children: list[Any]) -> Tree:
        """`?x -5 * 2`, where the sign and the number are one token."""
        left, right = children
        sign, right = _unsigned(right)
        return Tree(sign, (left, right))

    @staticmethod
    def lenient_or(children: list[Any]) -> Tree:
        CURRENT.reading.lenient("bare_filter")
        return Tree("||", tuple(children))

    @staticmethod
    def lenient_and(children: list[Any]) -> Tree:
        CURRENT.reading.lenient("bare_filter")
        return Tree("&&", tuple(children))

    @staticmethod
    def lenient_not(children: list[Any]) -> Tree:
        CURRENT.reading.lenient("bare_filter")
        return Tree("!", tuple(children))

    @staticmethod
    def lenient_comparison(children: list[Any]) -> Tree:
        CURRENT.reading.lenient("bare_filter")
        return TreeBuilder.operation(children)

    @staticmethod
    def built_in(children: list[Any]) -> Tree:
        function, *values = children
        least, most = functions()[function.value]
        if len(values) < least or len(values) > most >= 0:
            number = str(least) if least == most else f"{least} or {most}"
            problem = f"{function.value} has {len(values)} argument{'s' * (len(values) != 1)}"
            raise ProgramError(NAME, function.start_pos, problem, f"it takes {number}")
        if function.value == "BOUND" and values[0].label[0] != "?":
            raise ProgramError(NAME, function.start_pos, "BOUND of what is no variable", "it takes a variable")
        return Tree(function.value, tuple(values))

    @staticmethod
    def call(children: list[Any]) -> Tree:
        return Tree("call", (Tree(children[0].value), *children[1:]))

    @staticmethod
    def call_distinct(children: list[Any]) -> Tree:
        iri, _, first, *rest = children
        return Tree("call", (Tree(iri.value), Tree("distinct", (first,)), *rest))

    @staticmethod
    def aggregate(children: list[Any]) -> Tree:
        value = children[-1]
        if type(value) is Token:
            value = Tree("*")
        if len(children) == 3:
            value = Tree("distinct", (value,))
        return Tree(children[0].value, (value,))

    @staticmethod
    def group_concat(children: list[Any]) -> Tree:
        *call, _, separator = children
        tree = TreeBuilder.aggregate(call)
        return Tree(tree.label, (*tree.children, Tree("separator", (Tree(separator.value),))))
