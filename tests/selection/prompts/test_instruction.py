"""The instruction of a prompt: language, form of the answer, and what is listed."""

from __future__ import annotations

from pathlib import Path

import pytest

from recombine.errors import InputFileError, OptionError
from recombine.languages.known import LANGUAGES
from recombine.selection.prompts.instruction import _languages, instruction, read_instruction


def test_languages_by_name() -> None:
    assert set(_languages()) <= set(LANGUAGES)
    assert "into an SQL query." in instruction("sql:postgres", [])
    assert "into a program in my.toml." in instruction("my.toml", [])
    assert "into the language of the answers before it." in instruction(None, ["a b"])
    with pytest.raises(OptionError, match="nothing says in which language to answer"):
        instruction(None, [])


def test_answers_of_several_lines_are_not_asked_for_on_one() -> None:
    assert "alone, on one line: no explanation" in instruction("python", ["a", "b\n"])
    assert "alone: no explanation" in instruction("python", ["a", "b\nc"])


def test_what_is_listed_is_said() -> None:
    assert "listed" not in instruction("sexpression", [])
    assert "Use the entities that are listed" in instruction("sexpression", [], listed=["Entities"])
    all_of_it = instruction("sexpression", [], listed=["Entities", "Relations", "Classes"])
    assert "Use the entities, relations and classes that are listed" in all_of_it
    assert "(JOIN (R r) x)" in all_of_it


def test_an_instruction_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "say.txt"
    file.write_text("  Do it.\n")
    assert read_instruction(file) == "Do it."
    file.write_text(" \n")
    with pytest.raises(OptionError, match="says nothing"):
        read_instruction(file)
    with pytest.raises(InputFileError):
        read_instruction(tmp_path / "none.txt")
