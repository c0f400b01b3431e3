"""Names for the variables of a query that do not depend on the names it came with.

Variables are told apart by what the query says about them (colour refinement, as in graph isomorphism); where some
stay alike, each is tried as the first of them and the smallest query wins. So two queries get one form exactly when one
is the other with its variables renamed. Where more than 5,040 orders would be tried (8 variables that all look alike;
real CFQ queries have at most 6 variables), only the first is: then equal queries may keep two forms, and unequal ones
never share one.
"""

from __future__ import annotations

from math import factorial, prod
from typing import TYPE_CHECKING

from recombine.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MOST_ORDERS = 5040
Colours = dict[str, int]
Facts = list[tuple[str, tuple[str, ...]]]


def renumbered(tree: Tree, *, order: Callable[[Tree], Tree]) -> Tree:
    """The query with canonical variables ?x0, ?x1, …; those asked for come first. `order` sorts its clauses.

    >>> leaf = Tree
    >>> where = Tree("where", (Tree("clause", (leaf("?y"), leaf("a"), leaf("film.film"))),))
    >>> renumbered(Tree("select_count", (where,)), order=lambda tree: tree).children[0].children[0].children[0].label
    '?x0'
    """
    *heads, where = tree.children
    asked = list(dict.fromkeys(head.label for head in heads))
    facts = [_fact(clause) for clause in where.children]
    variables = list(dict.fromkeys([*asked, *(term for _, terms in facts for term in terms if term[0] == "?")]))
    if len(variables) <= 1:
        return order(_renamed(tree, dict.fromkeys(variables, "?x0")))
    start = {name: asked.index(name) if name in asked else len(asked) for name in variables}
    colours = _refined(start, facts)
    sizes = [list(colours.values()).count(colour) for colour in set(colours.values())]
    every = prod(map(factorial, sizes)) <= MOST_ORDERS
    candidates = (
        order(_renamed(tree, {name: f"?x{number}" for name, number in numbers.items()}))
        for numbers in _iter_numberings(colours, facts, every=every)
    )
    return min(candidates, key=_key)


def _fact(clause: Tree) -> tuple[str, tuple[str, ...]]:
    """What a clause says, and of which terms; the two terms of a FILTER have no order."""
    if clause.label == "!=":
        return "!=", tuple(sorted(term.label for term in clause.children))
    subject, path, target = clause.children
    return repr(path), (subject.label, target.label)


def _refined(colours: Colours, facts: Facts) -> Colours:
    """Colours split by what is said of each variable until nothing more is told apart; numbers are 0, 1, … in order."""
    facts = sorted(set(facts))
    while True:
        said: dict[str, list[tuple[str, int, str]]] = {name: [] for name in colours}
        for what, (left, right) in facts:
            if left in said:
                said[left].append((what, 0, _seen(right, left, colours)))
            if right in said:
                said[right].append((what, 0 if what == "!=" else 1, _seen(left, right, colours)))
        marks = {name: (colours[name], tuple(sorted(said[name]))) for name in colours}
        ranks = {mark: rank for rank, mark in enumerate(sorted(set(marks.values())))}
        new = {name: ranks[mark] for name, mark in marks.items()}
        if len(ranks) == len(set(colours.values())):
            return new
        colours = new


def _seen(term: str, other: str, colours: Colours) -> str:
    if term == other:
        return "?itself"
    return f"?{colours[term]:06d}" if term in colours else term


def _iter_numberings(colours: Colours, facts: Facts, *, every: bool) -> Iterator[Colours]:
    """Colourings that tell all variables apart, one for each choice among variables that look alike."""
    cells: dict[int, list[str]] = {}
    for name, colour in colours.items():
        cells.setdefault(colour, []).append(name)
    alike = next((cells[colour] for colour in sorted(cells) if len(cells[colour]) > 1), None)
    if alike is None:
        yield colours
        return
    for chosen in alike if every else alike[:1]:
        split = {name: 2 * colour + (name != chosen and name in alike) for name, colour in colours.items()}
        yield from _iter_numberings(_refined(split, facts), facts, every=every)


def _renamed(tree: Tree, names: dict[str, str]) -> Tree:
    leaves = {old: Tree(new) for old, new in names.items()}

    def rename(node: Tree) -> Tree:
        if not node.children:
            return leaves.get(node.label, node)
        return Tree(node.label, tuple(map(rename, node.children)))

    return rename(tree)


def _key(tree: Tree) -> list[str]:
    return [node.label for node in tree.iter_nodes()]
