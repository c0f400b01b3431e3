"""Reading a flow, one that ships or a file: a wrong key, type or name is one line that says where it is."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from recombine.annotation.tasks.flow import Flow
from recombine.errors import FlowError, UnknownNameError
from recombine.files import read_text

if TYPE_CHECKING:
    from collections.abc import Mapping

FLOWS = Path(__file__).parent / "flows"
"""The flows that ship."""


def known_flows() -> tuple[str, ...]:
    """The names of the flows that ship.

    >>> known_flows()
    ('audit', 'covr', 'grailqa')
    """
    return tuple(sorted(path.stem for path in FLOWS.glob("*.toml")))


def read_flow(name: Path | str, *, changes: Mapping[str, Any] | None = None) -> Flow:
    """A flow by its name or from a file; `changes` are options by their places, such as `check.batch.size`.

    >>> read_flow("grailqa", changes={"check.workers": 3}).of("check").workers
    3
    """
    path = FLOWS / f"{name}.toml" if str(name) in known_flows() else Path(name)
    if path.suffix != ".toml":
        raise UnknownNameError("flow", str(name), [*known_flows(), "FILE.toml"])
    try:
        values = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise FlowError(f"{path}: not TOML ({error})", "mend it") from None
    for place, value in (changes or {}).items():
        _change(values, place, value, path)
    return check_flow(values, path)


def check_flow(values: Mapping[str, Any], path: Path | str) -> Flow:
    """The flow that a table says; the path is for errors."""
    try:
        return Flow.model_validate(values)
    except ValidationError as error:
        raise _translated(path, error, values) from None


def _change(values: dict[str, Any], place: str, value: Any, path: Path) -> None:
    """Set an option of a task."""
    name, *inner = place.split(".")
    tasks = {task.get("name"): task for task in values.get("task", ()) if isinstance(task, dict)}
    if name not in tasks or not inner:
        raise UnknownNameError(f"task of {path.name} to change", name, [str(each) for each in tasks])
    table = tasks[name]
    for key in inner[:-1]:
        table = table.setdefault(key, {})
        if not isinstance(table, dict):
            raise FlowError(f"{place}: {key!r} is no table of options", "name an option, such as check.batch.size")
    table[inner[-1]] = value


def _translated(path: Path | str, error: ValidationError, values: Mapping[str, Any]) -> FlowError:
    """The first thing wrong, with its place; a key that is spelled wrong says more than one that is missing."""
    problems = error.errors(include_url=False)
    first = next((each for each in problems if each["type"] == "extra_forbidden"), problems[0])
    where = f"{path}, {_where(first['loc'], values)}"
    if first["type"] == "extra_forbidden":
        return FlowError(f"{where}: unknown key {first['loc'][-1]!r}", "remove it, or see its spelling")
    if first["type"] == "missing":
        return FlowError(f"{where}: the key {first['loc'][-1]!r} is missing", "add it")
    if first["type"] == "value_error":
        return FlowError(f"{where}: {first['ctx']['error']}", "mend it")
    return FlowError(f"{where}: {first['loc'][-1] if first['loc'] else 'it'} is {first['input']!r}", str(first["msg"]))


def _where(places: tuple[int | str, ...], values: Mapping[str, Any]) -> str:
    """The task and the table in it."""
    if len(places) < 2 or places[0] != "task" or not isinstance(places[1], int):
        return "at the top"
    task = values["task"][places[1]]
    name = task.get("name", f"number {places[1] + 1}") if isinstance(task, dict) else f"number {places[1] + 1}"
    inner = [f"{each + 1}" if isinstance(each, int) else str(each) for each in places[2:-1]]
    return " ".join([f"task {name}", *inner])
