"""Overnight with its English questions, from the files of its release, as the local-structures paper has it (App. A.2).

`DOMAIN.paraphrases.PART.examples` has lists `(example (utterance "…") (original "…") (targetFormula …))`: a person's
wording, the generated one, and the program. The scope of names and the declarations of types go; dates keep theirs, as
they would be no other than numbers without them. The paper leaves out the domain `regex`, and so does this; a program
that the language does not read is left out and counted.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.datasets.downloads.conversions.own.converted import Converted
from recombine.errors import InputFileError, ProgramError, RecordError
from recombine.files import read_text
from recombine.languages.brackets import render_lists
from recombine.languages.lambda_dcs import parse_lambda_dcs, without_declarations

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_NAME = re.compile(r"(?P<domain>\w+)\.paraphrases\.(?P<part>\w+)\.examples")
_FIELD = re.compile(r'\((utterance|original) "(.*)"\)\s*')
LEFT_OUT_DOMAIN = "regex"


def english_overnight(paths: Sequence[Path]) -> Converted:
    """Records with `source` (a person's wording), `synthetic`, `target`, `domain` and `part`."""
    converted = Converted()
    for path in paths:
        name = _NAME.fullmatch(path.name)
        if name is None:
            raise InputFileError(f"{path}: is not named DOMAIN.paraphrases.PART.examples", "give it its name back")
        domain, part = name["domain"], name["part"]
        for number, (line, fields) in enumerate(_iter_examples(path)):
            if domain == LEFT_OUT_DOMAIN:
                converted.leave_out(f"of the domain {LEFT_OUT_DOMAIN}", f"{path.name}, line {line}")
                continue
            try:
                tree = parse_lambda_dcs(fields["targetFormula"])
            except ProgramError as error:
                converted.leave_out(error.problem.partition(": ")[2], f"{path.name}, line {line}")
                continue
            record = {"id": f"{domain}_{part}_{number}", "source": fields["utterance"], "synthetic": fields["original"]}
            target = render_lists(without_declarations(tree))
            converted.records.append({**record, "target": target, "domain": domain, "part": part})
    return converted


def _iter_examples(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """The examples of a file, each with the line it begins at."""
    blocks: list[tuple[int, list[str]]] = []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if line.strip() == "(example":
            blocks.append((number, []))
        elif blocks:
            blocks[-1][1].append(line)
        elif line.strip():
            raise RecordError(path, f"line {number}", "stands before the first `(example`", "use the published file")
    for number, lines in blocks:
        yield number, _example(path, number, lines)


def _example(path: Path, number: int, lines: list[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for place, line in enumerate(lines):
        if match := _FIELD.fullmatch(line.strip()):
            fields[match[1]] = match[2].replace('\\"', '"')
        elif line.strip().startswith("(targetFormula"):
            rest = " ".join([line.strip().removeprefix("(targetFormula"), *lines[place + 1 :]]).split()
            fields["targetFormula"] = _balanced(" ".join(rest))
            break
    missing = [name for name in ("utterance", "original", "targetFormula") if not fields.get(name)]
    if missing:
        problem = f"the example has no {' and no '.join(missing)}"
        raise RecordError(path, f"line {number}", problem, "use the published file")
    return fields


def _balanced(text: str) -> str:
    """The list that a text begins with; empty where its brackets are not closed.

    >>> _balanced("(call f (string a))) )")
    '(call f (string a))'
    """
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return text[: place + 1] if sign == ")" else ""
    return ""
