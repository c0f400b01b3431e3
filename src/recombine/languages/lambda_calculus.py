"""λ-calculus as ATIS writes it: `( _lambda $0 e ( _and ( _flight $0 ) ( _to $0 mke:_ap ) ) )`.

The tree is the list's own: the head is the label; `_lambda` has its variable, its type and its body as children,
`_argmax` its variable, its set and its value. A program may be one constant. Logical words take the arguments of
`arities.toml`, bind a variable where they should, and join formulas. A predicate has no formula as its argument; one in
ATIS's own notation, with a leading underscore, has one or two arguments, each a variable, a constant or a term that
binds a variable; comparisons also have functions of one argument. Predicates of other notations are free.

Programs are equal when one renaming of variables makes them the same (`local_structures`, appendix A.4): `$v0` and `$0`
are no different. The order of `_and` and `_or` is kept: sorting would depend on the names of variables. The release's
anonymised ATIS also replaces typed predicates, `( value:_e $1 )` for `( _airline:_e $1 )`; here they stay.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.languages.anonymised import placeholders
from recombine.languages.arities import arities, arity_fault, refuse_first_fault
from recombine.languages.brackets import read_lists, render_lists
from recombine.languages.language import Language
from recombine.languages.literals import ENTITY, NUMBER, leaves_typed, literal_kind
from recombine.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "λ-calculus"
CONNECTIVES = frozenset({"and", "or", "not"})
BINDERS = frozenset({"lambda", "exists", "the", "count", "min", "max", "argmin", "argmax", "sum"})
FORMULAS = CONNECTIVES | {"exists"}
LOGICAL = CONNECTIVES | BINDERS
COMPARISONS = frozenset({"=", "<", ">", "equals", "equals:_t"})
_VARIABLE = re.compile(r"\$\w+")
_BINDABLE = re.compile(r"\$\w+|[a-z]")  # three programs of ATIS bind a bare `x`
_COLON = re.compile(r"\s:\s")
_TYPED_NUMBER = re.compile(r"-?[0-9.]+(?::_?[a-z]+)?")


def parse_lambda_calculus(text: str) -> Tree:
    """Reads a program.

    >>> parse_lambda_calculus("( _lambda $0 e ( _flight $0 ) )").children[2]
    Tree(label='_flight', children=(Tree(label='$0', children=()),))
    """
    tree = read_lists(text, language=NAME)
    if _COLON.search(text):
        tree = tree.mapped(_joined_types)
    refuse_first_fault(text, tree, _fault, language=NAME)
    return tree


def _joined_types(node: Tree) -> Tree:
    """The node with constants in three words, `boston : ci`, as one."""
    children: list[Tree] = []
    waiting = list(node.children)
    while waiting:
        child = waiting.pop(0)
        if child == Tree(":") and children and waiting and not children[-1].children and not waiting[0].children:
            child = Tree(f"{children.pop().label}:{waiting.pop(0).label}")
        children.append(child)
    return Tree(node.label, tuple(children))


def _word(node: Tree) -> str:
    return node.label.removeprefix("_")


def _fault(node: Tree) -> str | None:
    word, children = _word(node), node.children
    if not word or _VARIABLE.fullmatch(word):
        return "brackets that do not begin with the name of a predicate and its arguments"
    wrong = arity_fault(node.label, len(children), arities("lambda_calculus").get(word))
    if wrong is not None:
        return wrong
    if word in BINDERS and (children[0].children or not _BINDABLE.fullmatch(children[0].label)):
        return f"{node.label!r} binds no variable"
    if word in CONNECTIVES and not all(child.children for child in children):
        return f"{node.label!r} joins what is no formula"
    return None if word in LOGICAL else _predicate_fault(node)


def _predicate_fault(node: Tree) -> str | None:
    terms = [_word(child) for child in node.children if child.children]
    if any(term in FORMULAS for term in terms):
        return f"the predicate {node.label!r} has a formula as its argument"
    if not node.label.startswith("_"):
        return None
    if _word(node) in COMPARISONS:
        relations = [child.label for child in node.children if len(child.children) > 1 and _word(child) not in BINDERS]
        return f"{node.label!r} compares {relations[0]!r}, which has no value" if relations else None
    if len(node.children) > 2:
        return f"the predicate {node.label!r} has {len(node.children)} arguments where 1 or 2 belong"
    if any(term not in BINDERS for term in terms):
        return f"the predicate {node.label!r} has a predicate as its argument"
    return None


def normalise_lambda_calculus(tree: Tree) -> Tree:
    """The program with its variables numbered in the order of first use.

    >>> tree = parse_lambda_calculus("( _exists $v3 ( _and ( _flight $v3 ) ( _to $v3 $1 ) ) )")
    >>> render_lists(normalise_lambda_calculus(tree))
    '( _exists $0 ( _and ( _flight $0 ) ( _to $0 $1 ) ) )'
    """
    bound = {node.children[0].label for node in tree.iter_nodes() if node.children and _word(node) in BINDERS}
    numbers: dict[str, Tree] = {}
    for node in tree.iter_nodes():
        if not node.children and (node.label in bound or _VARIABLE.fullmatch(node.label)):
            numbers.setdefault(node.label, Tree(f"${len(numbers)}"))
    return _renamed(tree, numbers) if numbers else tree


def _renamed(node: Tree, numbers: Mapping[str, Tree]) -> Tree:
    if not node.children:
        return numbers.get(node.label, node)
    children = [_renamed(child, numbers) for child in node.children]
    if _word(node) == "lambda":
        children[1] = node.children[1]  # a type, which may look like a bare variable
    return Tree(node.label, tuple(children))


def anonymise_lambda_calculus(tree: Tree) -> Tree:
    """The program with constants replaced by their types and numbers by NUM.

    >>> render_lists(anonymise_lambda_calculus(parse_lambda_calculus("( _to $0 boston:_ci )")))
    '( _to $0 value:_ci )'
    """
    return placeholders("atis").of_leaves(tree)


def _literal_kind(label: str) -> str | None:
    """A number may have a type, as in `900:_ti`."""
    return NUMBER if _TYPED_NUMBER.fullmatch(label) else literal_kind(label)


def _constant_kind(label: str) -> str | None:
    """`<entity>` for a constant with a type, as `boston:_ci`."""
    return ENTITY if ":" in label and not _TYPED_NUMBER.fullmatch(label) else None


LAMBDA_CALCULUS = Language(
    "lambda_calculus",
    parse_lambda_calculus,
    render_lists,
    normalise_lambda_calculus,
    anonymise_lambda_calculus,
    leaves_typed(_literal_kind),
    leaves_typed(_constant_kind),
)
