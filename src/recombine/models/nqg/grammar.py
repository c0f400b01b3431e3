"""A grammar of NQG rules and its file: one rule a line, `source ### target`, in a form a person can read.

A line may end in a third field, the number of training examples whose derivations can use the rule. Lines that begin
with `#` and hold no lone `###` are comments; a comment `# signature: …` says how the grammar was made.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from recombine.errors import GrammarError, RecombineError
from recombine.files import read_text, write_whole
from recombine.models.nqg.rule import MARK, QcfgRule, split_fields

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_SIGNATURE = "# signature: "


@dataclass(frozen=True)
class Qcfg:
    """Rules in a fixed order, no rule twice.

    >>> grammar = Qcfg.parse("jump ### I_JUMP\\nNT_1 twice ### NT_1 NT_1\\n")
    >>> len(grammar), str(grammar.rules[0])
    (2, 'jump ### I_JUMP')
    """

    rules: tuple[QcfgRule, ...]
    signature: str = ""
    """How the grammar was made."""
    uses: Mapping[QcfgRule, int] = field(default_factory=dict, compare=False)
    """For each rule, how many training examples have a derivation with it."""

    def __post_init__(self) -> None:
        if len(set(self.rules)) != len(self.rules):
            raise RecombineError("a rule stands twice in the grammar", "remove the copy")

    def symbols(self) -> tuple[int, int]:
        """How many slots and how many tokens the rules have, both sides counted: C_N and C_T.

        >>> Qcfg.parse("jump ### I_JUMP\\nNT_1 twice ### NT_1 NT_1").symbols()
        (3, 3)
        """
        symbols = [symbol for rule in self.rules for side in (rule.source, rule.target) for symbol in side]
        slots = sum(isinstance(symbol, int) for symbol in symbols)
        return slots, len(symbols) - slots

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[QcfgRule]:
        return iter(self.rules)

    def __str__(self) -> str:
        lines = [f"{_SIGNATURE}{self.signature}"] if self.signature else []
        for rule in self.rules:
            lines.append(f"{rule} {MARK} {self.uses[rule]}" if rule in self.uses else str(rule))
        return "\n".join(lines) + "\n"

    @classmethod
    def parse(cls, text: str, path: Path | str = "grammar") -> Qcfg:
        """Read what `str` wrote; an error names the line."""
        rules: dict[QcfgRule, int] = {}
        uses: dict[QcfgRule, int] = {}
        signature = ""
        for number, line in enumerate(text.split("\n"), start=1):
            fields = split_fields(line)
            if len(fields) == 1 and (line.startswith("#") or not line.strip()):
                signature = line.removeprefix(_SIGNATURE) if line.startswith(_SIGNATURE) else signature
                continue
            try:
                rule = QcfgRule.parse(f" {MARK} ".join(" ".join(side) for side in fields[:2]))
            except RecombineError as error:
                raise GrammarError(path, number, 1, error.problem, error.remedy) from None
            if rule in rules:
                raise GrammarError(path, number, 1, f"the rule stands already in line {rules[rule]}", "remove one")
            rules[rule] = number
            if len(fields) > 2:
                uses[rule] = _uses(fields[2:], path, number)
        return cls(tuple(rules), signature, uses)

    @classmethod
    def read(cls, path: Path | str) -> Qcfg:
        """The grammar in a file."""
        return cls.parse(read_text(path), path)

    def write(self, path: Path | str) -> None:
        """Write the grammar to a file, whole or not at all."""
        write_whole(path, str(self).encode())


def _uses(fields: list[list[str]], path: Path | str, line: int) -> int:
    if len(fields) > 1 or len(fields[0]) != 1 or not fields[0][0].isdecimal():
        raise GrammarError(path, line, 1, "what follows the target is not a count", "write `source ### target ### 12`")
    return int(fields[0][0])
