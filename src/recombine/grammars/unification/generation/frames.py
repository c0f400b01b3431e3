"""The kinds of sentences that questions are told apart by: a file beside the rules.

    [[frame]]
    name = "Did DESC VP"
    rule = "YNQ=DID_DP_VP_INDIRECT"
    parts = { 1 = ["DP=A_NP", "DP=DP_*"] }      # the rules of its first part

The rule of a question is the first from the top that has a part beside another part or a word. The frame is the first
in the file that fits; where none does, or there is no file, it is the name of that rule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import RecordError
from recombine.grammars.unification.generation.beside_rules import chosen_rules, read_settings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from recombine.grammars.unification.generation.draw_tree import Tree
    from recombine.grammars.unification.rules.rule import GrammarRule


class _Frame(NamedTuple):
    name: str
    rules: frozenset[int]
    parts: tuple[tuple[int, frozenset[int]], ...]


class Frames:
    """The frames of a set of rules."""

    def __init__(self, rules: Sequence[GrammarRule], path: Path | str | None = None) -> None:
        self.names = [rule.name for rule in rules]
        self.plain = [len(rule.right) == 1 for rule in rules]
        self.frames = [] if path is None else _read(path, rules)

    def frame(self, tree: Tree) -> str:
        """The frame of a tree."""
        while self.plain[tree[0]] and tree[1]:
            (tree,) = tree[1]
        number, parts = tree
        for name, rules, wanted in self.frames:
            if number in rules and all(part < len(parts) and parts[part][0] in some for part, some in wanted):
                return name
        return self.names[number]


def _read(path: Path | str, rules: Sequence[GrammarRule]) -> list[_Frame]:
    frames = []
    for count, table in enumerate(read_settings(path, ("frame",)).get("frame", ()), start=1):
        record = f"frame {count}"
        if not isinstance(table, dict) or not {"name", "rule"} <= set(table) <= {"name", "rule", "parts"}:
            raise RecordError(path, record, "a frame has a name, a rule and parts", "mend it")
        parts = []
        for number, some in dict(table.get("parts", {})).items():
            if not number.isdecimal() or int(number) < 1:
                raise RecordError(path, record, f"{number!r} is no part", "count parts from 1")
            parts.append((int(number) - 1, chosen_rules(some, rules, path, record)))
        frames.append(_Frame(str(table["name"]), chosen_rules(table["rule"], rules, path, record), tuple(parts)))
    return frames
