"""The verbs of `recombine --help`, in groups with a heading each: the folders of `cli/verbs`.

A module in one of the folders is a verb, which has `-` where the module has `_`. Its command is the function of the
module's name, with `_` after it where Python has a function of that name, or the `app` of a verb with its own verbs.
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
    "People": "people",
}
"""The headings with their folders."""
FIRST = (
    *(
        "list",
        "show",
        "generate",
        "parse",
        "rules",
        "cfq",
        "kb",
        "kbqa",
        "scenes",
        "demo",
        "download",
        "cache",
        "split",
        "measure",
        "check",
    ),
    *("difficulty", "levels", "select", "prompt", "sample", "report", "induce", "train", "predict", "score", "compare"),
    *("generalization", "study", "annotate"),
)
"""The order within a group; verbs that are not named come after these."""
_PLACE = Path(__file__).parent.parent / "verbs"


def verb_names(folder: str) -> list[str]:
    """The verbs of a folder, in order."""
    names = sorted(module.name.replace("_", "-") for module in iter_modules([str(_PLACE / folder)]))
    return sorted(names, key=lambda name: FIRST.index(name) if name in FIRST else len(FIRST))


def known_verb(name: str) -> str | None:
    """The name, where it is that of a verb.

    >>> known_verb("show"), known_verb("shw")
    ('show', None)
    """
    return name if any(name in verb_names(folder) for folder in FOLDERS.values()) else None


def iter_verbs(*, only: str | None = None) -> Iterator[tuple[str, Any]]:
    """Every verb, or only one, by name with its function, or with its app where it has verbs of its own."""
    for folder in FOLDERS.values():
        for name in verb_names(folder):
            if only not in (None, name):
                continue
            function = name.replace("-", "_")
            module = import_module(f"recombine.cli.verbs.{folder}.{function}")
            places = (function, f"{function}_", "app")
            yield name, next(getattr(module, each) for each in places if hasattr(module, each))


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
