"""Values that are read here are what typer reads, and what is wrong is refused in its words."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import pytest
import typer

from recombine.cli.shared import quick_values
from recombine.cli.shared.quick_values import read_command_quickly

VALUES = (
    *("7", "-3", "007", "0", "-0", "1_000", "1e3", "0.5", "-0.25", ".5", "5.", "inf", "nan", "x", "", " 7", "7 ", "+7"),
    *("9" * 18, "9" * 30, "٣", "true", "no", "a/b", "/", "~", "ä", "\udcff"),
)
KINDS: tuple[Any, ...] = (str, int, float, Path)


def made(annotation: Any, *, quick: bool, default: Any = None) -> tuple[Any, list[Any]]:
    """A command with one option of this type, and the values that its function is given."""
    given: list[Any] = []
    app = typer.Typer(add_completion=False)

    def verb(value: Any = default) -> None:
        given.append(value)

    verb.__annotations__ = {"value": annotation}
    app.command()(verb)
    command = typer.main.get_command(app)
    if quick:
        read_command_quickly(command)
    return command, given


def outcome(annotation: Any, words: list[str], *, quick: bool, default: Any = None) -> Any:
    command, given = made(annotation, quick=quick, default=default)
    try:
        command.main(args=words, prog_name="x", standalone_mode=False)
    except typer.TyperException as error:
        return type(error), error.format_message()
    return [(type(value), repr(value)) for value in given]


@pytest.mark.parametrize("kind", KINDS)
def test_values_are_those_of_typer(kind: Any) -> None:
    annotation = Annotated[kind | None, typer.Option("--value")]
    for value in VALUES:
        words = [f"--value={value}"]
        assert outcome(annotation, words, quick=True) == outcome(annotation, words, quick=False), value
    assert outcome(annotation, [], quick=True) == outcome(annotation, [], quick=False) == [(type(None), "None")]


def test_lists_switches_and_conditions_are_those_of_typer(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("x")
    there = str(tmp_path / "there")
    for annotation, default, lines in (
        (Annotated[list[str] | None, typer.Option("--value")], None, [[], ["--value", "a", "--value", "b"]]),
        (Annotated[list[int] | None, typer.Option("--value")], None, [[], ["--value", "1"], ["--value", "x"]]),
        (Annotated[bool, typer.Option("--value")], False, [[], ["--value"]]),
        (Annotated[int, typer.Option("--value", min=1, max=5)], 3, [[], ["--value", "5"], ["--value", "6"]]),
        (Annotated[int, typer.Option("--value", max=0)], 0, [[], ["--value", "5"]]),
        (
            Annotated[Path | None, typer.Option("--value", exists=True)],
            None,
            [["--value", there], ["--value", "n"]],
        ),
        (Annotated[Path | None, typer.Option("--value", dir_okay=False)], None, [["--value", str(tmp_path)]]),
        (Annotated[str, typer.Option("--value", parser=str.upper)], "a", [["--value", "b"]]),
        (Annotated[int, typer.Option("--value")], 4, [[], ["--value", "x"], ["--value"]]),
        (Annotated[str, typer.Argument()], ..., [[], ["a"]]),
    ):
        for words in lines:
            quick = outcome(annotation, words, quick=True, default=default)
            assert quick == outcome(annotation, words, quick=False, default=default), (annotation, words)


def test_plain_values_do_not_ask_typer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else nothing would be gained."""
    asked: list[Any] = []
    monkeypatch.setattr("typer.core.build_runtime_param", lambda described: asked.append(described))
    for kind, value in ((str, "a"), (int, "-12"), (float, "0.5"), (Path, "a/b")):
        assert outcome(Annotated[kind, typer.Option("--value")], ["--value", value], quick=True, default=...) == [
            (type(kind(value)), repr(kind(value)))
        ]
    assert asked == []


def test_a_typer_of_another_make_is_left_alone() -> None:
    class Param:
        pass

    quick_values.read_quickly([Param(), None])
    assert not vars(Param()).get("_runtime_param")
