"""The keys of a language file.

    name = "robots"

    [[brackets]]
    open = "("
    close = ")"
    after_name = "call"        # f(a, b) is f over a and b
    alone = "group"            # (a + b) is what is inside

    [[operators]]              # the first table binds tightest
    signs = ["*", "/"]

    [[operators]]
    signs = ["+", "-"]

    [normalise]
    commutative = ["+", "both"]

A key that is not known is an error that names it. `check_notation` says what types alone do not.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

NUMBER = r"[-+]?\d+(\.\d+)?([eE][-+]?\d+)?"


class Table(BaseModel):
    """A table of a language file: its keys are these and no others, and values are of their types as they stand."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class BracketTable(Table):
    """`[[brackets]]`: a pair, and what it means after a name and alone; what is not said is refused."""

    open: str
    close: str
    after_name: Literal["call", "index"] | None = None
    """`call`: f(a) is f over a. `index`: f[a] is one label."""
    alone: Literal["group", "list", "head"] | None = None
    """`group`: (a) is a. `list`: [a] is [] over a. `head`: (f a b) is f over a and b."""
    separators: list[str] | None = None
    """What stands between the parts; empty: blanks alone. Default: those of the file, and blanks for `head`."""


class QuotesTable(Table):
    """`[[quotes]]`: what may hold any characters."""

    open: str
    close: str = ""
    """The same as `open` where it is empty."""
    escape: str = ""
    """What makes the next character an ordinary one."""
    doubled: bool = False
    """Whether the closing quote, twice, is an ordinary one."""
    holds: Literal["string", "name"] = "string"


class CommentTable(Table):
    """`[[comments]]`: what is passed over."""

    open: str
    close: str = "\n"


class OperatorsTable(Table):
    """`[[operators]]`: signs or words that bind alike; the first table binds tightest."""

    signs: list[str]
    position: Literal["infix", "prefix", "postfix"] = "infix"
    associates: Literal["left", "right", "none"] = "left"


class StatementsTable(Table):
    """`[statements]`: a program is a sequence of these."""

    separators: list[str] = [";"]
    command: bool = False
    """Whether `move a, b` is a call of move."""


class NormaliseTable(Table):
    """`[normalise]`: which calls and operators give programs that are equal for trivial reasons."""

    commutative: list[str] = []
    associative: list[str] = []
    idempotent: list[str] = []


class NotationFile(Table):
    """All of a language file."""

    name: str
    separators: list[str] = [","]
    words: Literal["one", "joined"] = "one"
    """Whether words side by side are one label."""
    word_signs: str = ""
    """Characters of operators that belong to a word when they are inside it."""
    case_insensitive: bool = False
    named_arguments: list[str] = []
    """The signs between the name of an argument and its value."""
    spaced: bool = False
    """Whether blanks are written between all tokens."""
    brackets: list[BracketTable] = []
    quotes: list[QuotesTable] = []
    comments: list[CommentTable] = []
    operators: list[OperatorsTable] = []
    statements: StatementsTable | None = None
    functions: dict[str, str] = {}
    """How many arguments each function takes: "2", "2,4" or "2+"; others are refused where any is named."""
    normalise: NormaliseTable = Field(default_factory=NormaliseTable)
    literals: dict[str, list[str]] = {"number": [NUMBER]}
    """The patterns of values, by their kind; strings are what stands in quotes."""
    names: dict[str, list[str]] = {}
    """The patterns of names that the data brings, by their kind."""
