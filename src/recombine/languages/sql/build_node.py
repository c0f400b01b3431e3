"""sqlglot's nodes that have no rules of their own to trees, as `slots.py` says; `build_tree.py` has the others."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, NoReturn

from recombine.errors import NotReadError, ProgramError
from recombine.languages.sql.labels import SET_OPERATIONS, label_of_class
from recombine.languages.sql.slots import FALSE_COUNTS, NAME_SLOTS, RAW_QUERIES, is_part, positions
from recombine.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from recombine.languages.sql.dialect import SqlDialect

WORD = re.compile(r"[^\W\d][\w$#]*")
"""A name that needs no quotes, and a function's."""
_CONSTANTS = frozenset({"null", "true", "false"})


class NodeBuilder(ABC):
    """Builds the trees of nodes in a dialect; `plain` where all of them have rules of their own."""

    def __init__(self, dialect: SqlDialect, language: str, known: dict[str, Any]) -> None:
        self._dialect, self._language, self._known = dialect, language, known
        self.plain = True

    @abstractmethod
    def query(self, node: Any) -> Tree:
        """A whole query, whatever brackets are around it."""

    @abstractmethod
    def expression(self, node: Any) -> Tree:
        """Any node where a column may stand."""

    def refuse(self, node: Any, problem: str, remedy: str = "correct the query, or leave the example out") -> NoReturn:
        """Refuse a part of a query at the first name in it whose position is known."""
        raise ProgramError(self._language, place_of(node), problem, remedy)

    def iter_rest(self, node: Any, known: Iterable[str]) -> Iterator[Tree]:
        """The arguments of a node that have no place of their own, by their names and in sqlglot's order."""
        args = node.args
        for name, value in args.items():
            if name not in known and (value or value is False or value == 0):
                break
        else:
            return
        notes = self._dialect.notes.get(type(node).__name__, {})
        names = [*type(node).arg_types, *sorted(set(args) - set(type(node).arg_types))]
        for name in names:
            value = args.get(name)
            if name in known or value in ("", []) or (isinstance(value, str) and value == notes.get(name)):
                continue
            if value is None or isinstance(value, bool):
                same = bool(value) == bool(notes.get(name))
                if same and not (value is False and name in FALSE_COUNTS):
                    continue
            self.plain = False
            yield from self._argument(node, name, value)

    def _argument(self, node: Any, name: str, value: Any) -> Iterator[Tree]:
        """An argument by its name."""
        kind: Any = type(node)
        if value is None or isinstance(value, bool):
            yield Tree(f"{name}={str(bool(value)).lower()}")
        elif isinstance(value, (int, float)):
            yield Tree(f"{name}={value}")
        elif isinstance(value, str):
            if value:  # the bounds of a window are words, and stand as they are written
                yield Tree(f"{name}={quoted(value.upper() if kind.__name__ == 'WindowSpec' else value)}")
        elif isinstance(value, list):
            if value:
                yield Tree(f"{name}:", tuple(self._listed(node, name, item) for item in value))
        elif not hasattr(value, "args"):
            self._not_read(node, f"`{name.strip('_')}` in {node.key.upper()} is not supported")
        elif is_part(kind, name, type(value).__name__):
            yield self.expression(value)
        else:
            yield Tree(f"{name}=", (self.slot(kind, name, value),))

    def _listed(self, node: Any, name: str, item: Any) -> Tree:
        if isinstance(item, str):
            return Tree(f"={quoted(item)}")
        if not hasattr(item, "args"):
            self._not_read(node, f"`{name.strip('_')}` in {node.key.upper()} is not supported")
        return self.slot(type(node), name, item)

    def _not_read(self, node: Any, problem: str) -> NoReturn:
        remedy = "write the query another way, or leave the example out"
        raise NotReadError(self._language, place_of(node), problem, remedy)

    def slot(self, kind: Any, name: str, value: Any) -> Tree:
        """A node as an argument, where it may be a name and where it may be a column."""
        value_kind, is_name = type(value).__name__, name in NAME_SLOTS or kind.__name__ == "TableAlias"
        if value_kind == "Identifier":
            leaf = self.name(value)
            return leaf if is_name or leaf.children else Tree("identifier", (leaf,))
        raw = (kind.__name__, name) in RAW_QUERIES
        if value_kind == "Subquery" and raw and has_only(value, ("this",)):
            return Tree("subquery", (self.query(value.this),))
        tree = self.expression(value)
        if not raw and (value_kind == "Select" or value_kind in SET_OPERATIONS):
            return Tree("raw", (tree,))
        return Tree("column", (tree,)) if is_name and value_kind == "Column" and not tree.children else tree

    def general(self, node: Any, done: tuple[str, ...]) -> Tree:
        """A node under the label of its class, less the arguments that are done with."""
        name = type(node).__name__
        label = label_of_class(name)
        if name == "Command":
            self._not_read(node, f"{str(node.this).upper()} is not read")
        if self._known.get(label) is not type(node):
            self._not_read(node, f"{node.key.upper()} is not read")
        if self._dialect.is_sqlite and (name == "Aliases" or (name == "Tuple" and not _is_row(node))):
            self.refuse(node, "brackets in the wrong place")
        self.plain = False
        children, placed = self._placed(node, done)
        children += self.iter_rest(node, (*done, *placed))
        return Tree(label, tuple(children)) if children else Tree(f"{label}()")

    def _placed(self, node: Any, done: tuple[str, ...]) -> tuple[list[Tree], list[str]]:
        """The arguments that need no name, and which they are."""
        children: list[Tree] = []
        placed: list[str] = []
        kind: Any = type(node)
        for name in positions(kind):
            value = node.args.get(name)
            if name in done or not value or isinstance(value, (str, bool)):
                break
            if isinstance(value, list):
                if name != "expressions" or not all(hasattr(item, "args") for item in value):
                    break
                children += [self.slot(type(node), name, item) for item in value]
            elif hasattr(value, "args") and name != "expressions":
                children.append(self.slot(type(node), name, value))
            else:
                break
            placed.append(name)
        return children, placed

    def name(self, node: Any) -> Tree:
        if type(node).__name__ != "Identifier":
            self.refuse(node, "a name is needed here")
        text = node.this
        if len(node.args) > 2 and not has_only(node, ("this", "quoted")):
            return self.general(node, ())
        if node.args.get("quoted"):
            return Tree(f"`{text}`")
        if not WORD.fullmatch(text) or text.lower() in _CONSTANTS:
            self.plain = False
            return Tree("identifier", (Tree(f"this={quoted(text)}"),))
        return Tree(text)


def place_of(node: Any) -> int:
    """The position of the first name in a node whose position is known."""
    return min((inner.meta["start"] for inner in node.walk() if "start" in inner.meta), default=0)


def has_only(node: Any, names: tuple[str, ...]) -> bool:
    """Whether a node has no arguments but these."""
    for name, value in node.args.items():  # noqa: SIM110  a loop is quicker, and this is asked of most nodes
        if value and name not in names:
            return False
    return True


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _is_row(node: Any) -> bool:
    """Whether a pair of brackets holds values."""
    return bool(node.expressions) and not any(type(item).__name__ == "Alias" for item in node.expressions)
