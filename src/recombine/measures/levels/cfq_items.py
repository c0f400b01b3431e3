"""The schema items and the template of a query in CFQ's SPARQL.

Items are relations, the classes that `a` leads to, and `COUNT`; with `constructs` also SELECT DISTINCT, FILTER and the
signs of paths. The template is the query in one form (clauses as a sorted set, variables renamed) with entities masked
after that: two clauses that then look alike stay two.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from recombine.kb.term import Term
from recombine.languages.sparql.sparql import normalise, render_clause
from recombine.measures.levels.items import Items
from recombine.tree import Tree

if TYPE_CHECKING:
    from recombine.kb.profiles.profile import Profile

ENTITY = "ENTITY"
_ENTITY = re.compile(r"M\d+|(?:ns:)?[mg][._][0-9a-z_]+")


def cfq_items(tree: Tree, profile: Profile, *, constructs: bool = False) -> Items:
    """The schema items of a query.

    >>> from recombine.kb.profiles.find_profile import find_profile
    >>> from recombine.languages.sparql.sparql import parse
    >>> query = parse("SELECT count(*) WHERE { M0 a ns:film.actor . M0 film.actor.film M1 }")
    >>> sorted(cfq_items(query, find_profile("freebase")).all)
    ['COUNT', 'film.actor', 'film.actor.film']
    """
    names, functions = set[str](), {"COUNT"} if tree.label == "select_count" else set[str]()
    for clause in tree.children[-1].children:
        if clause.label == "!=":
            functions.update(("FILTER", "!=") if constructs else ())
            continue
        _, path, target = clause.children
        if path.label == "a" and not path.children:
            if not target.label.startswith("?"):
                names.add(target.label)
            continue
        for node in path.iter_nodes():
            if not node.children:
                names.add(node.label)
            elif constructs:
                functions.add(f"path {node.label}")
    if constructs:
        functions.add("SELECT" if tree.label == "select_count" else "SELECT DISTINCT")
    shown = frozenset(profile.show(Term.name(name.removeprefix("ns:"))) for name in names)
    return Items(shown, frozenset(functions))


def cfq_template(tree: Tree) -> str:
    """The template of a query, a text that all queries of it share.

    >>> from recombine.languages.sparql.sparql import parse
    >>> one = parse("SELECT count(*) WHERE { M0 film.actor.film ?x0 . M1 film.actor.film ?x0 }")
    >>> cfq_template(one)
    'SELECT count ( * ) WHERE { ENTITY film.actor.film ?x0 . ENTITY film.actor.film ?x0 }'
    """
    *heads, where = normalise(tree).children
    counted = Counter(Tree(clause.label, tuple(map(_masked, clause.children))) for clause in where.children)
    told = normalise(Tree(tree.label, (*heads, Tree("where", tuple(map(_with_count, counted, counted.values()))))))
    *heads, where = told.children
    clauses = [text for clause in where.children for text in _repeated(clause)]
    asked = "count ( * )" if told.label == "select_count" else f"DISTINCT {' '.join(head.label for head in heads)}"
    return f"SELECT {asked} WHERE {{ {' . '.join(clauses)} }}"


def _masked(tree: Tree) -> Tree:
    return Tree(ENTITY) if not tree.children and _ENTITY.fullmatch(tree.label) else tree


def _with_count(clause: Tree, count: int) -> Tree:
    """A clause that says in its path how often it stands there, so that it is one when clauses become a set."""
    if count == 1:
        return clause
    if clause.label == "!=":
        return Tree("clause", (clause.children[0], Tree(f"!={count}"), clause.children[1]))
    subject, path, target = clause.children
    return Tree("clause", (subject, Tree(f"*{count}", (path,)), target))


def _repeated(clause: Tree) -> list[str]:
    """The text of a clause as often as it stands there."""
    if clause.label != "clause":
        return [render_clause(clause)]
    subject, path, target = clause.children
    if path.label.startswith("!="):
        return [render_clause(Tree("!=", (subject, target)))] * int(path.label[2:])
    if path.children and path.label.startswith("*"):
        return [render_clause(Tree("clause", (subject, path.children[0], target)))] * int(path.label[1:])
    return [render_clause(clause)]
