"""The verbs of `recombine --help`, in groups with a heading each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typer.core import TyperGroup

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

GROUPS: Mapping[str, Sequence[str]] = {
    "Data": ("list", "show", "generate", "demo"),
    "Splits": ("split", "measure", "check"),
    "Explain and select": ("difficulty", "select", "report"),
    "Parsers": ("induce", "train", "predict"),
    "Judge": ("score", "compare"),
    "Studies": ("study",),
}
"""As the folders of `cli/verbs`; a verb that is in none stands under the last heading, `Others`."""


class VerbGroups(TyperGroup):
    """A group of commands that lists them under headings."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the verbs, each with the first sentence of its help."""
        names = [name for name in self.list_commands(ctx) if not self.commands[name].hidden]
        width = max(map(len, names))
        grouped = {name for listed in GROUPS.values() for name in listed}
        groups = {**GROUPS, "Others": [name for name in names if name not in grouped]}
        for title, listed in groups.items():
            rows = [
                (name.ljust(width), self.commands[name].get_short_help_str(formatter.width - 6 - width))
                for name in listed
                if name in names
            ]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)
