"""Trees of a notation as text, so that the reader gives the same tree back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.languages.notation.notation import LOOSEST
from recombine.languages.notation.scanner import SIGN, next_token

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.languages.notation.notation import Bracket, Notation, Operator
    from recombine.tree import Tree


def write_program(notation: Notation, tree: Tree) -> str:
    """The text of a program."""
    if notation.sequence and tree.label == notation.sequence and len(tree.children) > 1:
        end = notation.statement_ends[0]
        return (end if end == "\n" else f" {end} " if notation.spaced else f"{end} ").join(
            _statement(notation, each) for each in tree.children
        )
    return _statement(notation, tree)


def _statement(notation: Notation, tree: Tree) -> str:
    plain = tree.children and notation.command and _operator(notation, tree) is None
    if not plain or notation.word.fullmatch(tree.label) is None:
        return _expression(notation, tree, LOOSEST)
    if any(is_named(notation, child) for child in tree.children):
        return _expression(notation, tree, LOOSEST)
    between = f" {notation.separators[0]} " if notation.spaced else f"{notation.separators[0]} "
    first, *more = (_expression(notation, child, LOOSEST) for child in tree.children)
    return f"{tree.label} {between.join([_apart(notation, first), *more])}"


def _apart(notation: Notation, text: str) -> str:
    """The text of a part that stands after another with a blank between: not to be taken for an operator of both."""
    after, alone = (next_token(notation, text, 0, value=value, inside=True) for value in (False, True))
    operator = after.kind == SIGN and (after.text in notation.infix or after.text in notation.postfix)
    return _grouped(notation, text) if operator or after != alone else text


def _grouped(notation: Notation, text: str) -> str:
    group = notation.group
    return text if group is None else _within(notation, group, [text])


def _operator(notation: Notation, tree: Tree) -> Operator | None:
    """The operator that a node is of."""
    if len(tree.children) == 2:
        return notation.infix.get(tree.label)
    return (notation.prefix.get(tree.label) or notation.postfix.get(tree.label)) if len(tree.children) == 1 else None


def _expression(notation: Notation, tree: Tree, binds: int) -> str:
    """The text of a tree where something that binds so tightly is around it."""
    operator = _operator(notation, tree)
    if operator is not None:
        text = _operation(notation, tree, operator)
        return _grouped(notation, text) if operator.binds < binds else text
    if not tree.children:
        return _leaf(notation, tree.label)
    listed = next((each for each in notation.brackets if each.alone and each.pair == tree.label), None)
    if listed is not None:
        return _within(notation, listed, _parts(notation, tree.children, listed))
    return _call(notation, tree)


def _operation(notation: Notation, tree: Tree, operator: Operator) -> str:
    tighter = operator.binds + 1
    if len(tree.children) == 2:
        left = operator.binds if operator.associates == "left" else tighter
        right = operator.binds if operator.associates == "right" else tighter
        first, second = tree.children
        return f"{_expression(notation, first, left)} {tree.label} {_expression(notation, second, right)}"
    inner = _expression(notation, tree.children[0], operator.binds)
    return f"{tree.label} {inner}" if tree.label in notation.prefix else f"{inner} {tree.label}"


def _call(notation: Notation, tree: Tree) -> str:
    label = tree.label
    for bracket in notation.brackets:
        if bracket.after_name == "call" and bracket.mark and label.endswith(bracket.mark):
            return _called(notation, label.removesuffix(bracket.mark), bracket, tree)
        if bracket.head_mark and label.endswith(bracket.head_mark):
            return _headed(notation, label.removesuffix(bracket.head_mark), bracket, tree)
    calls, heads = notation.calls, notation.heads
    if calls is not None or heads is None:
        return _called(notation, label, calls or notation.group, tree)
    return _headed(notation, label, heads, tree)


def _called(notation: Notation, label: str, bracket: Bracket | None, tree: Tree) -> str:
    if bracket is None:  # no text gives such a tree
        return " ".join([label, *(_expression(notation, child, LOOSEST) for child in tree.children)])
    blank = " " if notation.spaced and not notation.touching else ""
    return f"{_leaf(notation, label)}{blank}{_within(notation, bracket, _parts(notation, tree.children, bracket))}"


def _headed(notation: Notation, label: str, bracket: Bracket, tree: Tree) -> str:
    parts = _parts(notation, tree.children, bracket)
    if not bracket.separators:
        parts[0] = _apart(notation, parts[0])
    return _within(notation, bracket, [label, *parts])


def is_named(notation: Notation, tree: Tree) -> bool:
    """Whether a node is an argument with its name."""
    return len(tree.children) == 1 and tree.label.endswith(notation.named or ("\0",))


def _parts(notation: Notation, children: Sequence[Tree], bracket: Bracket) -> list[str]:
    """The texts of what stands between brackets."""
    parts = []
    for child in children:
        if is_named(notation, child):
            sign = next(sign for sign in notation.named if child.label.endswith(sign))
            blank = " " if notation.spaced else ""
            value = _expression(notation, child.children[0], LOOSEST)
            parts.append(f"{child.label.removesuffix(sign)}{blank}{sign} {value}")
        else:
            parts.append(_expression(notation, child, LOOSEST))
    return parts if bracket.separators else [*parts[:1], *(_apart(notation, part) for part in parts[1:])]


def _within(notation: Notation, bracket: Bracket, parts: Sequence[str]) -> str:
    blank = " " if notation.spaced else ""
    between = f"{blank}{bracket.separators[0]} " if bracket.separators else " "
    return f"{bracket.open}{blank}{between.join(parts)}{blank}{bracket.close}"


def _leaf(notation: Notation, label: str) -> str:
    """A label, with blanks around the brackets in it where tokens are spaced."""
    if not notation.spaced or notation.touching or any(label.startswith(opening) for opening, _ in notation.quoted):
        return label
    for bracket in notation.brackets:
        if label.endswith(bracket.pair):
            name = label.removesuffix(bracket.pair)
            return f"{_leaf(notation, name)} {bracket.open} {bracket.close}".lstrip()
        if bracket.after_name == "index" and label.endswith(bracket.close):
            name, _, index = label.removesuffix(bracket.close).partition(bracket.open)
            return f"{name} {bracket.open} {index} {bracket.close}"
    return label
