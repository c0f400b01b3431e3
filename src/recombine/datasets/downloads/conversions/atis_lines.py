"""ATIS: questions and λ-calculus of three files in one, variables by number, and a form without names."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recombine.datasets.downloads.originals import Originals

PARTS = ("train", "dev", "test")
_VARIABLE = re.compile(r"\$\w+")
_NAMED = re.compile(r"[^\s()]+(?=:_)")


def atis_lines(originals: Originals) -> bytes:
    """A JSON object for each pair: train, dev, test in this order."""
    lines: list[str] = []
    for part in PARTS:
        for source, program in originals.rows(part, 2):
            target = numbered_variables(program)
            record = {"qid": f"atis_{len(lines)}", "source": source, "target": target, "orig_split": part}
            lines.append(json.dumps({**record, "anonymized": _NAMED.sub("value", target)}) + "\n")
    return "".join(lines).encode()


def numbered_variables(program: str) -> str:
    """The program with its variables called $0, $1, … as they come.

    >>> numbered_variables("( _lambda $1 e ( _from $1 $x ) )")
    '( _lambda $0 e ( _from $0 $1 ) )'
    """
    numbers: dict[str, str] = {}
    return _VARIABLE.sub(lambda match: numbers.setdefault(match[0], f"${len(numbers)}"), program)
