"""Declared options are flags of a verb, and are asked for only where the verb is."""

from __future__ import annotations

from typing import Any

import pytest
import typer

from recombine.cli.shared.declared_options import DeclaredCommand, given_options, with_options
from recombine.options import Option

OPTIONS = (
    Option("max_length", int, None, "The greatest length."),
    Option("rate", float, 0.1, "The rate."),
    Option("bounds", str, None, "Two bounds.", (), "LO:HI"),
    Option("solvable", bool, False, "Whether it can be solved."),
    Option("balanced", bool, True, "Whether it is balanced."),
)


@pytest.fixture
def seen() -> dict[str, Any]:
    """How often declarations were asked for, what they are, and what the verb got."""
    return {"asked": 0, "options": OPTIONS, "got": None}


@pytest.fixture
def command(seen: dict[str, Any]) -> Any:
    """A command line of two verbs, one of them with declared options."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None)

    def declared() -> tuple[Option, ...]:
        seen["asked"] += 1
        options: tuple[Option, ...] = seen["options"]
        return options

    @with_options(declared, after="size")
    def split(context: typer.Context, data: str, size: int = 3, seed: int = 0) -> None:
        """Split."""
        seen["got"] = (data, size, seed, given_options(context))

    def other(data: str = "") -> None:
        """Something else."""
        seen["got"] = data

    app.command("split", cls=DeclaredCommand)(split)
    app.command("other", cls=DeclaredCommand)(other)
    return typer.main.get_command(app)


def run(command: Any, *arguments: str) -> Any:
    return command.main(args=list(arguments), prog_name="x", standalone_mode=False)


def test_values_come_by_the_context_and_what_is_not_given_is_left_out(command: Any, seen: dict[str, Any]) -> None:
    run(command, "split", "d", "--rate", "2", "--max-length", "4", "--solvable", "--no-balanced", "--bounds", "1:2")
    given = {"max_length": 4, "rate": 2.0, "bounds": "1:2", "solvable": True, "balanced": False}
    assert seen["got"] == ("d", 3, 0, given)
    run(command, "split", "d", "--seed", "5")
    assert seen["got"] == ("d", 3, 5, {})


@pytest.mark.parametrize(("flag", "text"), [("--rate", "much"), ("--max-length", "1.5")])
def test_a_value_of_another_type_is_refused(flag: str, text: str, command: Any) -> None:
    with pytest.raises(typer.TyperException) as error:
        run(command, "split", "d", flag, text)
    assert f"Invalid value for '{flag}'" in error.value.format_message()


def test_an_option_that_nobody_declares_is_refused(command: Any) -> None:
    with pytest.raises(typer.TyperException) as error:
        run(command, "split", "d", "--ratio", "1")
    assert "No such option: --ratio" in error.value.format_message()


def test_help_shows_them_in_their_place(command: Any, capsys: pytest.CaptureFixture[str]) -> None:
    run(command, "split", "--help")
    shown = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line.startswith("  --")]
    flags = ["--size", "--max-length", "--rate", "--bounds", "--solvable", "--balanced", "--seed", "--help"]
    assert shown == flags
    run(command, "split", "--help")
    shown_text = capsys.readouterr().out
    assert "--bounds LO:HI" in shown_text
    assert "--rate <float>" in shown_text
    assert "The greatest length." in shown_text


def test_only_the_verb_itself_asks_for_declarations(
    command: Any, seen: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    run(command, "--help")
    run(command, "other", "--data", "x")
    run(command, "other", "--help")
    assert "--rate" not in capsys.readouterr().out
    assert seen == {"asked": 0, "options": OPTIONS, "got": "x"}
    run(command, "split", "d")
    assert seen["asked"] > 0


def test_inspection_sees_what_is_declared_now(command: Any, seen: dict[str, Any]) -> None:
    split = command.commands["split"]
    context = split.context_class(split)
    names = [each.name for each in split.get_params(context)]
    declared = [each.name for each in OPTIONS]
    assert names == ["data", "size", *declared, "seed", "help"]
    assert [id(each) for each in split.get_params(context)] == [id(each) for each in split.get_params(context)]
    seen["options"] = (*OPTIONS, Option("new", str, None, "From a plug-in."))
    assert "new" in [each.name for each in split.get_params(context)]
