"""Python: expressions and chains of calls, read through `ast` and never run.

`f(x, city="Rome")` is `f()` over `x` and `city=` over `'Rome'`; keyword arguments are sorted by name, after those
without one, so that their order does not matter, and neither does that of a dict whose keys are all distinct strings.
(What an argument does beside its value, such as printing, is taken not to matter.) `a.b` is `.b` over `a`, and a method
is its call: `df.head(3).sum()` is `.sum()` over `.head()` over `df` and `3`; a call of anything else is `()`, an index
is `.[]`. Operators are their own labels, a chain of comparisons has one (`<, <=`). Strings, numbers and names are
leaves; `0x10` and `1_6` are `16`, while `1` and `1.0` differ as in Python. `[]`, `(,)`, `{}` and `{:}` are list, tuple,
set and dict; `[for]`, `(for)`, `{for}` and `{:for}` their comprehensions.

Statements, f-strings, `:=`, `await`, `yield` and defaults of a lambda's parameters are Python and are not read.
`render` puts brackets around every operand that has operands itself.
"""

from __future__ import annotations

import ast
import re
import warnings
from typing import TYPE_CHECKING

from recombine.errors import NotReadError, ProgramError
from recombine.languages.language import Language
from recombine.languages.literals import BOOLEAN, NUMBER, STRING, leaves_typed, literal_kind
from recombine.languages.too_deep import too_deep
from recombine.tree import MAX_DEPTH, Tree

if TYPE_CHECKING:
    from collections.abc import Iterable

NAME = "Python"
_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.MatMult: "@",
    ast.Div: "/",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.BitAnd: "&",
    ast.FloorDiv: "//",
    ast.And: "and",
    ast.Or: "or",
    ast.Not: "not",
    ast.Invert: "~",
    ast.UAdd: "+",
    ast.USub: "-",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}
_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in"})
_DISPLAYS = {ast.List: "[]", ast.Tuple: "(,)", ast.Set: "{}"}
_COMPREHENSIONS = {ast.ListComp: "[for]", ast.SetComp: "{for}", ast.GeneratorExp: "(for)"}
_OTHERS = {
    ast.JoinedStr: "an f-string",
    ast.NamedExpr: "an assignment",
    ast.Await: "await",
    ast.Yield: "yield",
    ast.YieldFrom: "yield",
}
_MOST_BITS = 10_000
_INFINITE = re.compile(r"\binf(?=j?$)")
_LINE_END = re.compile(r"\r\n|\r|\n")
_NUMBER = re.compile(r"-?[0-9.]")
_STRING = re.compile(r"b?['\"]")
_SLICE = re.compile(r"a?:b?(:c)?")


class _Builder:
    """Makes the tree of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(match.end() for match in _LINE_END.finditer(text))]

    def position(self, line: int, column: int, *, in_bytes: bool) -> int:
        """The place of a line, counted from 1, and a column, counted from 0; never outside of the text."""
        start = self.starts[min(max(line, 1), len(self.starts)) - 1]
        if in_bytes:
            column = len(self.text[start:].encode("utf-8", "surrogatepass")[:column].decode("utf-8", "ignore"))
        return min(max(start + column, 0), len(self.text))

    def at(self, node: ast.AST) -> int:
        return self.position(getattr(node, "lineno", 1), getattr(node, "col_offset", 0), in_bytes=True)

    def not_read(self, node: ast.AST, what: str) -> NotReadError:
        return NotReadError(NAME, self.at(node), f"{what}, which is not read", "leave the example out, or rewrite it")

    def tree(self, node: ast.expr, level: int) -> Tree:
        """The tree of an expression that stands at this level, counted from 1."""
        if level > MAX_DEPTH:
            raise too_deep(NAME, self.at(node))
        match node:
            case ast.Name():
                return Tree(node.id)
            case ast.Constant():
                return Tree(_constant(node.value))
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() | complex() as value)) if (
                not isinstance(value, bool)
            ):
                return Tree(f"-{_constant(value)}")
            case ast.Call():
                return self.call(node, level)
            case ast.Attribute():
                return self.node(f".{node.attr}", [node.value], level)
            case ast.Subscript():
                return self.node(".[]", [node.value, node.slice], level)
            case ast.Slice():
                given = (node.lower, node.upper, node.step)
                label = ("a" if node.lower else "") + ":" + ("b" if node.upper else "") + (":c" if node.step else "")
                return self.node(label, [part for part in given if part is not None], level)
            case ast.Starred():
                return self.node("*", [node.value], level)
            case ast.BinOp():
                return self.node(_OPERATORS[type(node.op)], [node.left, node.right], level)
            case ast.BoolOp():
                return self.node(_OPERATORS[type(node.op)], node.values, level)
            case ast.UnaryOp():
                return self.node(_OPERATORS[type(node.op)], [node.operand], level)
            case ast.Compare():
                label = ", ".join(_OPERATORS[type(op)] for op in node.ops)
                return self.node(label, [node.left, *node.comparators], level)
            case ast.IfExp():
                return self.node("if else", [node.body, node.test, node.orelse], level)
            case ast.List() | ast.Tuple() | ast.Set():
                return self.node(_DISPLAYS[type(node)], node.elts, level)
            case ast.Dict():
                return self.dict(node, level)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                first = self.tree(node.elt, level + 1)
                return Tree(_COMPREHENSIONS[type(node)], (first, *self.loops(node.generators, level + 1)))
            case ast.DictComp():
                pair = self.node("key:", [node.key, node.value], level + 1)
                return Tree("{:for}", (pair, *self.loops(node.generators, level + 1)))
            case ast.Lambda():
                return self.function(node, level)
        raise self.not_read(node, _OTHERS.get(type(node), f"an expression of the kind {type(node).__name__}"))

    def node(self, label: str, parts: Iterable[ast.expr], level: int) -> Tree:
        if level > MAX_DEPTH:
            raise too_deep(NAME)
        return Tree(label, tuple(self.tree(part, level + 1) for part in parts))

    def call(self, node: ast.Call, level: int) -> Tree:
        function, parts = node.func, list(node.args)
        if isinstance(function, ast.Name):
            label = f"{function.id}()"
        elif isinstance(function, ast.Attribute):
            label, parts = f".{function.attr}()", [function.value, *parts]
        else:
            label, parts = "()", [function, *parts]
        named: dict[str, Tree] = {}
        spread: list[Tree] = []
        for keyword in node.keywords:
            if keyword.arg is None:
                spread.append(self.node("**", [keyword.value], level + 1))
            elif keyword.arg in named:
                problem = f"the argument {keyword.arg!r} stands twice"
                raise ProgramError(NAME, self.at(keyword), problem, "remove one of them")
            else:
                named[keyword.arg] = self.node(f"{keyword.arg}=", [keyword.value], level + 1)
        return Tree(
            label, (*(self.tree(part, level + 1) for part in parts), *(named[name] for name in sorted(named)), *spread)
        )

    def dict(self, node: ast.Dict, level: int) -> Tree:
        items = [
            self.node("**", [value], level + 1) if key is None else self.node("key:", [key, value], level + 1)
            for key, value in zip(node.keys, node.values, strict=True)
        ]
        keys = [key.value for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
        if len(set(keys)) == len(items):
            items = [item for _, item in sorted(zip(keys, items, strict=True), key=lambda pair: pair[0])]
        return Tree("{:}", tuple(items))

    def loops(self, generators: Iterable[ast.comprehension], level: int) -> list[Tree]:
        loops = []
        for generator in generators:
            if generator.is_async:
                raise self.not_read(generator.target, "an asynchronous loop")
            loops.append(self.node("for", [generator.target, generator.iter, *generator.ifs], level))
        return loops

    def function(self, node: ast.Lambda, level: int) -> Tree:
        given = node.args
        if given.defaults or any(default is not None for default in given.kw_defaults):
            raise self.not_read(node, "a lambda whose parameters have defaults")
        return self.node(f"lambda {ast.unparse(given)}".rstrip(), [node.body], level)


def _constant(value: object) -> str:
    if value is ...:
        return "..."
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return hex(value)  # Python writes no decimals of more than 4,300 digits
    text = repr(value)
    return _INFINITE.sub("1e999", text) if isinstance(value, float | complex) else text


def parse_python(text: str) -> Tree:
    """The tree of an expression.

    >>> parse_python("f(1, city='Rome')") == parse_python('f( 0x1, city = "Rome" )')
    True
    >>> [node.label for node in parse_python("df.head(3).sum()").iter_nodes()]
    ['.sum()', '.head()', 'df', '3']
    """
    builder = _Builder(text)
    blanks = len(text) - len(text.lstrip(" \t\r\n\f"))
    if not text[blanks:]:
        raise ProgramError(NAME, 0, "an empty program", "leave the example out")
    if text.startswith("\ufeff"):
        raise ProgramError(NAME, 0, "a byte order mark", "remove it, or read the file as utf-8-sig")
    stripped = text[blanks:].rstrip()
    try:
        module = _module(stripped)
    except SyntaxError as error:
        raise _refusal(stripped, error, blanks) from None
    except UnicodeEncodeError as error:
        raise ProgramError(NAME, blanks + error.start, "half of a character", "mend the file") from None
    except ValueError:
        raise ProgramError(NAME, text.find("\0"), "a null character", "remove it") from None
    except (MemoryError, RecursionError):
        raise too_deep(NAME, blanks) from None
    builder = _Builder(stripped)
    statement = module.body[0] if module.body else None
    try:
        if statement is None:
            raise ProgramError(NAME, 0, "a comment and no program", "leave the example out")
        if not isinstance(statement, ast.Expr):
            raise builder.not_read(statement, "a statement")
        if len(module.body) > 1:
            raise builder.not_read(module.body[1], "a second statement")
        return builder.tree(statement.value, 1)
    except ProgramError as error:
        if blanks:
            problem = error.problem.partition(": ")[2]
            raise type(error)(NAME, error.position + blanks, problem, error.remedy) from None
        raise


def _module(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what is strange in a text, such as an unknown escape
        return ast.parse(text)


def _refusal(text: str, error: SyntaxError, blanks: int) -> ProgramError:
    """The error for what is no Python, with Python's own words for it."""
    place = _Builder(text).position(error.lineno or 1, (error.offset or 1) - 1, in_bytes=False)
    problem = error.msg.partition(" (<unknown>")[0]
    if "too many nested" in problem or "too deeply" in problem:
        return too_deep(NAME, blanks + place)
    return ProgramError(NAME, blanks + place, f"no Python: {problem}", "mend it, or leave the example out")


def render_python(tree: Tree) -> str:
    """The text of a tree.

    >>> render_python(parse_python("a+b *  -c(x=2,* y)"))
    'a + (b * (-c(*y, x=2)))'
    """
    label, parts = tree.label, tree.children
    if label.endswith("()"):
        return _call_text(label, parts)
    if _is_leaf(tree):
        return label
    if label in ("[]", "{}", "(,)", "{:}"):
        inner = ", ".join(map(_item, parts))
        return f"({inner},)" if label == "(,)" and len(parts) == 1 else f"{label[0]}{inner}{label[-1]}"
    if label in ("[for]", "{for}", "(for)", "{:for}"):
        return f"{label[0]}{' '.join([_item(parts[0]), *map(_loop, parts[1:])])}{label[-1]}"
    if label == ".[]":
        return f"{_receiver(parts[0])}[{_index(parts[1])}]"
    if label.startswith("."):
        return f"{_receiver(parts[0])}{label}"
    if label == "if else":
        return f"{_operand(parts[0])} if {_operand(parts[1])} else {_operand(parts[2])}"
    if label == "lambda" or label.startswith("lambda "):
        return f"{label}: {_operand(parts[0])}"
    if len(parts) == 1:
        return f"{label}{' ' if label == 'not' else ''}{_operand(parts[0])}"
    signs = label.split(", ") if label.split(", ")[0] in _COMPARISONS else [label] * (len(parts) - 1)
    text = _operand(parts[0])
    for sign, part in zip(signs, parts[1:], strict=True):
        text += f" {sign} {_operand(part)}"
    return text


def _is_leaf(tree: Tree) -> bool:
    return not tree.children and tree.label not in ("[]", "{}", "(,)", "{:}")


def _call_text(label: str, parts: tuple[Tree, ...]) -> str:
    name = label[:-2]
    if label == "()":
        name, parts = _receiver(parts[0]), parts[1:]
    elif label.startswith("."):
        name, parts = _receiver(parts[0]) + name, parts[1:]
    return f"{name}({', '.join(map(_item, parts))})"


def _item(tree: Tree) -> str:
    """An argument, an item of a list or a dict, or what a comprehension makes."""
    label, parts = tree.label, tree.children
    if label == "key:":
        return f"{_operand(parts[0])}: {_operand(parts[1])}"
    if label.endswith("=") and label[:-1].isidentifier():
        return f"{label}{_operand(parts[0])}"
    return f"{label}{_operand(parts[0])}" if label in ("*", "**") and len(parts) == 1 else _operand(tree)


def _index(tree: Tree) -> str:
    label, parts = tree.label, list(map(_operand, tree.children))
    if label == "(,)" and parts:  # the brackets of a tuple may hold no slices
        return ", ".join(map(_index_part, tree.children)) + ("," if len(parts) == 1 else "")
    return _index_part(tree)


def _index_part(tree: Tree) -> str:
    label = tree.label
    if _SLICE.fullmatch(label) and len(tree.children) == sum(sign in label for sign in "abc"):
        parts = iter(map(_operand, tree.children))
        return "".join(sign if sign == ":" else next(parts) for sign in label)
    return _item(tree)


def _loop(tree: Tree) -> str:
    target, source, *conditions = tree.children
    return " ".join([f"for {_item(target)} in {_operand(source)}", *(f"if {_operand(some)}" for some in conditions)])


def _operand(tree: Tree) -> str:
    """The text of a part, in brackets where it might not hold together."""
    text = render_python(tree)
    label = tree.label
    closed = label[-1] in ")]}" or label in ("[]", "{}") or (label.startswith(".") and label != "...")
    return text if closed or (_is_leaf(tree) and not label.startswith("-")) else f"({text})"


def _receiver(tree: Tree) -> str:
    """The text of what a dot or a bracket follows."""
    text = _operand(tree)
    return f"({text})" if _is_leaf(tree) and _NUMBER.match(tree.label) and not text.startswith("(") else text


def anonymise_python(tree: Tree) -> Tree:
    """The expression with STRING and NUMBER for its strings and numbers; names, True, False and None stay.

    >>> render_python(anonymise_python(parse_python("get(city='Rome', days=[3, True])")))
    'get(city=STRING, days=[NUMBER, True])'
    """
    return tree.mapped(_anonymous)


def _anonymous(node: Tree) -> Tree:
    if not _is_leaf(node) or node.label == "...":
        return node
    if _STRING.match(node.label):
        return Tree("STRING")
    return Tree("NUMBER") if _NUMBER.match(node.label) else node


def _kind(label: str) -> str | None:
    if label in ("True", "False"):
        return BOOLEAN
    if label == "...":
        return None
    return literal_kind(label) or (STRING if _STRING.match(label) else NUMBER if _NUMBER.match(label) else None)


def _name_kind(label: str) -> str | None:
    return "<name>" if label.isidentifier() and label not in ("True", "False", "None") else None


PYTHON = Language(
    "python",
    parse_python,
    render_python,
    anonymise=anonymise_python,
    type_literals=leaves_typed(_kind),
    type_names=leaves_typed(_name_kind),
)
