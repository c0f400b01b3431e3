"""Trees of SPARQL queries for hypothesis: everything that a tree can hold, or small ones over few names."""

from __future__ import annotations

from hypothesis import strategies as st

from recombine.languages.sparql.tokens import functions, quoted
from recombine.tree import Tree

Trees = st.SearchStrategy[Tree]


def node(label: str, *children: Tree | str) -> Tree:
    return Tree(label, tuple(child if isinstance(child, Tree) else Tree(child) for child in children))


def _list(label: str, parts: Trees, least: int, most: int = 3) -> Trees:
    return st.lists(parts, min_size=least, max_size=most).map(lambda found: Tree(label, tuple(found)))


def _pair(label: str, *parts: Trees) -> Trees:
    return st.tuples(*parts).map(lambda found: Tree(label, found))


VARIABLES = st.sampled_from(["?x", "?y", "?z", "?été", "?a1"]).map(Tree)
IRIS = st.sampled_from(["<http://a.example/p>", "<http://a.example/é#(q)>", "<urn:x:a,b'c%20>", "<k:film.film.x>"]).map(
    Tree
)
_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6).map(quoted)
LITERALS = st.one_of(
    _TEXTS,
    st.tuples(_TEXTS, st.sampled_from(["@en", "@de-AT", "^^<urn:type>"])).map("".join),
    st.sampled_from(["5", "-5", "+5", "5.0", ".5", "-.5", "5e3", "5.e-3", "+1.5E+3", "true", "false"]),
).map(Tree)
BLANKS = st.sampled_from(["_:b0", "_:b1", "_:b2"]).map(Tree)
TERMS = st.one_of(VARIABLES, IRIS, LITERALS)
PATHS = st.recursive(
    IRIS,
    lambda inner: st.one_of(
        _list("/", inner, 2),
        _list("|", inner, 2),
        *(_pair(label, inner) for label in "^*+?"),
        _list("!", st.one_of(IRIS, _pair("^", IRIS)), 0),
    ),
    max_leaves=6,
)


def expressions(elements: Trees | None = None) -> Trees:
    """Expressions without aggregates; with EXISTS where elements are given."""

    def wider(inner: Trees) -> Trees:
        kinds = [
            *(_list(label, inner, 2) for label in ("||", "&&")),
            *(_pair(label, inner, inner) for label in ("=", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/")),
            *(_pair(label, inner) for label in ("!", "negative")),
            *(_list(label, inner, 1) for label in ("in", "not_in")),
            st.sampled_from(sorted(functions())).flatmap(lambda name: _called(name, inner)),
            st.tuples(IRIS, st.lists(inner, max_size=2)).map(lambda found: Tree("call", (found[0], *found[1]))),
            st.tuples(IRIS, _pair("distinct", inner)).map(lambda found: Tree("call", found)),
        ]
        if elements is not None:
            kinds += [_list(label, elements, 0, 2) for label in ("exists", "not_exists")]
        return st.one_of(kinds)

    return st.recursive(TERMS, wider, max_leaves=5)


def _called(name: str, inner: Trees) -> Trees:
    least, most = functions()[name]
    return _list(name, VARIABLES if name == "BOUND" else inner, least, most if most >= 0 else 3)


_VALUES = st.integers(0, 3).flatmap(
    lambda width: st.tuples(
        st.permutations(["?x", "?y", "?z"]).map(lambda names: node("variables", *names[:width])),
        st.lists(_list("row", st.one_of(IRIS, LITERALS, st.just(Tree("UNDEF"))), width, width), max_size=3),
    ).map(lambda found: Tree("values", (found[0], *found[1])))
)


def _aggregates() -> Trees:
    value = expressions()
    distinct = st.one_of(value, _pair("distinct", value))
    star = st.sampled_from([node("COUNT", "*"), node("COUNT", node("distinct", "*"))])
    separator = _TEXTS.map(lambda text: node("separator", text))
    names = st.sampled_from(["COUNT", "SUM", "MIN", "MAX", "AVG", "SAMPLE", "GROUP_CONCAT"])
    plain = st.tuples(names, distinct).map(lambda found: Tree(found[0], (found[1],)))
    return st.one_of(star, plain, _pair("GROUP_CONCAT", distinct, separator))


def _narrow() -> Trees:
    """Elements that hold no other."""
    ends = st.one_of(TERMS, BLANKS)
    return st.one_of(
        _pair("triple", ends, st.one_of(VARIABLES, PATHS), ends),
        _pair("filter", expressions()),
        _pair("bind", expressions(), VARIABLES),
        _VALUES,
    )


def _wide(inner: Trees) -> Trees:
    group = _list("group", inner, 0)
    place = st.one_of(IRIS, VARIABLES)
    return st.one_of(
        *(_list(label, inner, 0) for label in ("optional", "minus", "group")),
        _list("union", group, 2),
        _pair("filter", expressions(inner)),
        *(
            st.tuples(place, st.lists(inner, max_size=2)).map(
                lambda found, label=label: Tree(label, (found[0], *found[1]))
            )
            for label in ("graph", "service", "service_silent")
        ),
        selects(inner),
    )


def _tail(elements: Trees, *, grouped: bool) -> st.SearchStrategy[list[Tree]]:
    value = st.one_of(expressions(), _aggregates()) if grouped else expressions()
    key = st.one_of(VARIABLES, expressions(), _pair("as", expressions(), st.just(Tree("?key"))))
    number = st.sampled_from(["0", "7", "10"])
    maybe = [
        _list("having", value, 1, 2),
        _list("order_by", st.one_of(_pair("asc", value), _pair("desc", value)), 1, 2),
        number.map(lambda text: node("limit", text)),
        number.map(lambda text: node("offset", text)),
        _VALUES,
    ]
    parts = [_list("where", elements, 0), _list("group_by", key, 1, 2) if grouped else st.none()]
    return st.tuples(*parts, *(st.one_of(st.none(), part) for part in maybe)).map(
        lambda found: [part for part in found if part is not None]
    )


def selects(elements: Trees) -> Trees:
    """SELECT queries: plain, grouped, or for everything."""
    labels = st.sampled_from(["select", "select_distinct", "select_reduced"])
    named = _pair("as", expressions(), st.just(Tree("?new")))
    counted = _pair("as", _aggregates(), st.just(Tree("?counted")))
    plain = st.one_of(st.just(node("project", "*")), _list("project", st.one_of(VARIABLES, named), 1))
    grouped = _list("project", st.one_of(VARIABLES, named, counted), 1)
    return st.one_of(
        st.tuples(labels, plain, _tail(elements, grouped=False)),
        st.tuples(labels, grouped, _tail(elements, grouped=True)),
    ).map(lambda found: Tree(found[0], (found[1], *found[2])))


_ELEMENTS = st.recursive(_narrow(), _wide, max_leaves=6)
_FROMS = st.lists(st.tuples(st.sampled_from(["from", "from_named"]), IRIS), max_size=2).map(
    lambda found: tuple(Tree(label, (iri,)) for label, iri in sorted(found, key=lambda pair: pair[0]))
)
_ASKS = _tail(_ELEMENTS, grouped=False).map(lambda tail: Tree("ask", tuple(tail)))


def numbered(tree: Tree) -> Tree:
    """The tree with its blank nodes numbered as they come."""
    labels: dict[str, Tree] = {}
    for part in tree.iter_nodes():
        if part.label.startswith("_:"):
            labels.setdefault(part.label, Tree(f"_:b{len(labels)}"))
    return tree.mapped(lambda part: labels.get(part.label, part))


QUERIES = st.tuples(st.one_of(selects(_ELEMENTS), _ASKS), _FROMS).map(
    lambda found: numbered(Tree(found[0].label, (*found[0].children, *found[1])))
)
"""Queries that hold whatever a tree can hold."""

_SMALL = ["<http://a.example/p>", "<http://a.example/q>"]
_SMALL_TERMS = st.sampled_from(["?x", "?y", "?z", "<http://a.example/p>", "1"]).map(Tree)
_SMALL_PATHS = st.one_of(
    st.sampled_from([*_SMALL, "?z"]).map(Tree), st.permutations(_SMALL).map(lambda pair: node("|", *pair))
)
_SMALL_TRIPLES = _pair("triple", st.sampled_from(["?x", "?y"]).map(Tree), _SMALL_PATHS, _SMALL_TERMS)
_SMALL_CONDITIONS = st.recursive(
    _pair("=", _SMALL_TERMS, _SMALL_TERMS) | _pair("<", _SMALL_TERMS, _SMALL_TERMS) | _list("in", _SMALL_TERMS, 2),
    lambda inner: _list("&&", inner, 2, 2) | _list("||", inner, 2, 2) | _pair("!", inner),
    max_leaves=3,
)
_SMALL_ELEMENTS = st.recursive(
    st.one_of(
        _SMALL_TRIPLES,
        _SMALL_TRIPLES,
        _pair("filter", _SMALL_CONDITIONS),
        st.lists(st.sampled_from(["1", "2", "<http://a.example/p>", "UNDEF"]), min_size=1, max_size=3).map(
            lambda values: node("values", node("variables", "?x"), *(node("row", value) for value in values))
        ),
        st.sampled_from(["1", "?y"]).map(lambda value: node("bind", value, "?new")),
    ),
    lambda inner: st.one_of(
        _list("optional", inner, 1, 2),
        _list("minus", inner, 1, 2),
        _list("union", _list("group", inner, 1, 2), 2, 2),
        _list("group", inner, 1, 2),
        _pair("filter", _list("exists", inner, 1, 2)),
        _pair("select_distinct", st.just(node("project", "?y")), _list("where", inner, 1, 2)),
    ),
    max_leaves=4,
)
SMALL_QUERIES = st.tuples(
    st.sampled_from(["select", "select_distinct"]),
    st.permutations(["?x", "?y"]).map(lambda names: node("project", *names)),
    _list("where", _SMALL_ELEMENTS, 1, 4),
).map(lambda found: Tree(found[0], found[1:]))
"""Queries over so few names that some of them mean the same."""
