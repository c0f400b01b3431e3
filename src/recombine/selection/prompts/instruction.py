"""What a prompt asks for: the language of the answer, and how to answer."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from recombine.errors import OptionError
from recombine.files import read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_TABLE = Path(__file__).parent / "answer_languages.toml"


def instruction(language: str | None, answers: Iterable[str], *, listed: Sequence[str] = ()) -> str:
    """The instruction for answers in a language, or in that of the examples, whose answers are given.

    Answers are to stand on one line where those of all examples do. `listed` are the titles of what is listed below a
    question.

    >>> print(instruction("funql", ["answer ( city ( all ) )"]))
    Translate the last question into a FunQL program.
    Answer with the program alone, on one line: no explanation, no quotes and no code fence.
    """
    shown = list(answers)
    if language is None and not shown:
        raise OptionError(
            "nothing says in which language to answer: none is named and no example is shown",
            "name it with --language, show examples with -k, or write an --instruction FILE",
        )
    said = _said(language)
    lines = [f"Translate the last question into {said['name']}.", *said.get("about", "").strip().splitlines()]
    if listed:
        names = [name.lower() for name in listed]
        what = f"{', '.join(names[:-1])} and {names[-1]}" if names[1:] else names[0]
        lines.append(f"Use the {what} that are listed below the question, as they stand there.")
    where = ", on one line" if all(len(answer.splitlines()) < 2 for answer in shown) else ""
    lines.append(f"Answer with the program alone{where}: no explanation, no quotes and no code fence.")
    return "\n".join(lines)


def read_instruction(path: Path | str) -> str:
    """The instruction of a file, which must say something."""
    text = read_text(path).strip()
    if not text:
        raise OptionError(f"{path}: says nothing", "write the instruction in it, or leave out --instruction")
    return text


def _said(language: str | None) -> Mapping[str, str]:
    if language is None:
        return {"name": "the language of the answers before it"}
    table = _languages()
    return table.get(language) or table.get(language.partition(":")[0]) or {"name": f"a program in {language}"}


@lru_cache(maxsize=1)
def _languages() -> dict[str, dict[str, str]]:
    return tomllib.loads(_TABLE.read_text(encoding="utf-8"))
