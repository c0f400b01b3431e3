"""What `select` gives: examples to train on, or to show in prompts."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.html_table import html_table
from recombine.pages.drawing.number_texts import plural
from recombine.workbench.results.result import Result

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from recombine.records.dataset import Dataset
    from recombine.records.example import Example
    from recombine.selection.select_examples import Prompts, Selection


@dataclass(frozen=True, repr=False, eq=False)
class _Selected(Result):
    """Examples of a pool."""

    pool: Dataset
    """What was selected from."""

    @property
    @abstractmethod
    def ids(self) -> tuple[str, ...]:
        """The ids of the examples, each once, in the order they were taken."""

    @property
    def examples(self) -> tuple[Example, ...]:
        """The examples, in the order they were taken."""
        return tuple(self.pool[key] for key in self.ids)

    def write(self, path: str | Path) -> None:
        """Write the examples, whole or not at all, as JSON lines, TSV or Parquet, as the name ends."""
        from recombine.datasets.files.tables import write_table

        write_table(self.pool.restricted(self.ids), path)


@dataclass(frozen=True, repr=False, eq=False)
class SelectResult(_Selected):
    """Examples, each with the reason why it was taken."""

    selection: Selection

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the examples in the order they were taken."""
        return self.selection.ids

    def to_dict(self) -> dict[str, Any]:
        """What `--json` prints."""
        return self.selection.to_record()

    def __str__(self) -> str:
        note = f"; {self.selection.note}" if self.selection.note else ""
        return f"{plural(len(self.ids), 'example')} of {self.pool.name} by {self.selection.signature.get('by')}{note}"

    def _repr_html_(self) -> str:
        """The examples with their reasons."""
        rows = [
            (example.id, example.source, example.target, reason)
            for example, reason in zip(self.examples, self.selection.reasons, strict=True)
        ]
        return html_table(str(self), ["id", "source", "target", "for"], rows)


@dataclass(frozen=True, repr=False, eq=False)
class SelectPromptsResult(_Selected):
    """Examples for each of several programs, and the programs that cannot be read."""

    prompts: Prompts

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the examples of all prompts, each once."""
        return tuple(dict.fromkeys(key for one in self.prompts.selections.values() for key in one.ids))

    @property
    def unparsable(self) -> Mapping[str, str]:
        """The programs that cannot be read, with what is wrong with them."""
        return self.prompts.unparsable

    def to_dict(self) -> dict[str, Any]:
        """What `--json` prints."""
        selections = self.prompts.selections
        return {
            "ids": list(self.ids),
            "prompts": {key: {"ids": list(one.ids), "note": one.note} for key, one in selections.items()},
            "unparsable": dict(self.unparsable),
            "signature": next((str(one.signature) for one in selections.values()), ""),
        }

    def __str__(self) -> str:
        bad = f"; {plural(len(self.unparsable), 'program')} cannot be read" if self.unparsable else ""
        examples, programs = plural(len(self.ids), "example"), plural(len(self.prompts.selections), "program")
        return f"{examples} of {self.pool.name} for {programs}{bad}"

    def _repr_html_(self) -> str:
        """A row for each program: its examples, or what is wrong with it."""
        rows = [(key, " ".join(one.ids), one.note) for key, one in self.prompts.selections.items()]
        rows += [(key, "", problem) for key, problem in self.unparsable.items()]
        return html_table(str(self), ["program", "examples", "note"], rows)
