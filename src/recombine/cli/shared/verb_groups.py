"""The verbs of `recombine --help`, in groups with a heading each: the folders of `cli/verbs`.

A module in one of the folders is a verb. Its command is the function of its name, with `_` after it where Python has a
function of that name, or the `app` of a verb with verbs of its own.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from typer.core import TyperGroup

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FOLDERS: Mapping[str, str] = {
    "Data": "data",
    "Splits": "split",
    "Explain and select": "explain",
    "Parsers": "models",
    "Judge": "judge",
    "Studies": "studies",
}
"""The headings with their folders."""
FIRST = (
    *("list", "show", "generate", "parse", "rules", "demo", "cache", "split", "measure", "check", "difficulty"),
    *("select", "report", "induce", "train", "predict", "score", "compare", "study"),
)
"""The order within a group; verbs that are not named come after these."""
_PLACE = Path(__file__).parent.parent / "verbs"


def verb_names(folder: str) -> list[str]:
    """The verbs of a folder, in order."""
    names = sorted(module.name for module in iter_modules([str(_PLACE / folder)]))
    return sorted(names, key=lambda name: FIRST.index(name) if name in FIRST else len(FIRST))


def iter_verbs() -> Iterator[tuple[str, Any]]:
    """Every verb by name with its function, or with its app where it has verbs of its own."""
    for folder in FOLDERS.values():
        for name in verb_names(folder):
            module = import_module(f"recombine.cli.verbs.{folder}.{name}")
            yield name, next(getattr(module, each) for each in (name, f"{name}_", "app") if hasattr(module, each))


class VerbGroups(TyperGroup):
    """A group of commands that lists them under headings."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the verbs, each with the first sentence of its help."""
        names = [name for name in self.list_commands(ctx) if not self.commands[name].hidden]
        width = max(map(len, names))
        for title, folder in FOLDERS.items():
            rows = [
                (name.ljust(width), self.commands[name].get_short_help_str(formatter.width - 6 - width))
                for name in verb_names(folder)
                if name in names
            ]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)
