"""The values of the literals that a form is grounded in, as a question may say them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.kb.forms.form import GraphQuery

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.kb.forms.form import Form
    from recombine.tree import Tree

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"(?:\^\^.*|@[\w-]+)?', re.DOTALL)
_TYPED = re.compile(r"(.+?)\^\^.+", re.DOTALL)
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?")
_OF_THE_ANSWER = ("limit", "offset", "order_by", "separator", "project")
_OF_LANGUAGES = ("LANG", "LANGMATCHES")


def form_literals(form: Form) -> tuple[str, ...]:
    """The values, each once and in order; not those that say how many answers, or in which language labels are.

    >>> from recombine.kb.forms.form import SExpression
    >>> from recombine.languages.sexpression import parse_sexpression
    >>> form_literals(SExpression(parse_sexpression('(AND (JOIN a.b "Ann Lee") (GT a.c 5.0^^xsd:float))')))
    ('Ann Lee', '5.0')
    """
    if isinstance(form, GraphQuery):
        literals = (node.value for node in form.nodes if node.kind == "literal" and node.value is not None)
        return tuple(dict.fromkeys(value.text for value in literals))
    return tuple(dict.fromkeys(value for label in _leaves(form.tree) if (value := _value(label))))


def _leaves(tree: Tree) -> Iterator[str]:
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if not node.children:
            yield node.label
        elif not _is_aside(node):
            waiting += reversed(node.children)


def _is_aside(node: Tree) -> bool:
    return node.label in _OF_THE_ANSWER or any(
        child.label in _OF_LANGUAGES and child.children for child in node.children
    )


def _value(label: str) -> str:
    """The value of a literal; nothing for what is none."""
    if quoted := _QUOTED.fullmatch(label):
        return quoted[1].replace('\\"', '"').replace("\\\\", "\\")
    if not label.startswith(("<", "?", "_:")) and (typed := _TYPED.fullmatch(label)):
        return typed[1]
    return label if _NUMBER.fullmatch(label) else ""
