"""Rooms import only from rooms above them."""

from __future__ import annotations

import ast
from pathlib import Path

import recombine

PACKAGE = Path(recombine.__file__).parent
# From the top of the house down.
ROOMS = (
    "version",
    "errors",
    "max_unpacked",
    "files",
    "seeds",
    "tree",
    "languages",
    "records",
    "grammars",
    "datasets",
    "structures",
    "measures",
    "difficulty",
    "splits",
    "selection",
    "models",
    "evaluation",
    "studies",
    "workbench",
    "report",
    "cli",
    "__main__",
)


def imported_rooms(text: str) -> set[str]:
    """The rooms a module imports, wherever in it the import stands."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, "relative imports hide the room"
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return {name.split(".")[1] for name in names if name.startswith("recombine.")}


def wrong_imports(room: str, text: str) -> list[str]:
    """The imports of a module that point down."""
    return [other for other in imported_rooms(text) if ROOMS.index(other) > ROOMS.index(room)]


def test_every_import_points_up() -> None:
    for path in sorted(PACKAGE.rglob("*.py")):
        room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if room != "__init__":
            assert wrong_imports(room, path.read_text()) == [], path


def test_an_import_that_points_down_is_found() -> None:
    assert wrong_imports("records", "from recombine.cli.main import run") == ["cli"]
    assert wrong_imports("records", "def f():\n    from recombine import splits") == ["splits"]


def test_every_room_is_listed() -> None:
    found = {path.name.removesuffix(".py") for path in PACKAGE.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert found - {"__init__", "__pycache__", "py.typed"} == set(ROOMS)
