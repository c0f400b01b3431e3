"""What `report` gives: a page to write, and the numbers on it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from recombine.files import write_whole
from recombine.pages.drawing.number_texts import percent, plural
from recombine.workbench.results.plain import plain
from recombine.workbench.results.result import Result

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.pages.parser.nqg_data import NqgData
    from recombine.pages.splits.report_data import ReportData, SplitData


@dataclass(frozen=True, repr=False, eq=False)
class _Report(Result):
    """A page."""

    page: bytes
    """The HTML file, which asks for nothing from outside."""

    def write(self, path: str | Path) -> None:
        """Write the page to a file, whole or not at all."""
        write_whole(path, self.page)


@dataclass(frozen=True, repr=False, eq=False)
class ReportResult(_Report):
    """The page on splits, and what was measured."""

    data: ReportData
    """The numbers on the page."""
    figures: tuple[str, ...]
    """The files for a paper that were written."""

    @property
    def not_measured(self) -> list[str]:
        """Warnings, and why values are missing."""
        from recombine.pages.splits.not_measured import not_measured

        return not_measured(self.data.splits)

    def to_dict(self) -> dict[str, Any]:
        """What `--json` prints, but for the file."""
        splits = [{"split": split.name, **split.measured, **_subqueries(split)} for split in self.data.splits]
        value: dict[str, Any] = plain(
            {"bytes": len(self.page), "splits": splits, "figures": self.figures},
        )
        return value

    def __str__(self) -> str:
        what = plural(len(self.data.splits), "split")
        return f"a page on {what} of {self.data.dataset.name} ({len(self.page) / 1e6:.1f} MB)"

    def _repr_html_(self) -> str:
        """The table of measures; the page is for `write`."""
        from recombine.pages.splits.measures_html import measures_html

        measured = {split.name: split.measured for split in self.data.splits}
        return measures_html(measured, against=self.data.against, caption=str(self))


def _subqueries(split: SplitData) -> dict[str, Any]:
    """The tables of subqueries, where some were asked for."""
    return {"subqueries": [asdict(table) for table in split.subqueries]} if split.subqueries else {}


@dataclass(frozen=True, repr=False, eq=False)
class ParserReportResult(_Report):
    """The page on a parser, and how it did."""

    data: NqgData
    """The numbers on the page."""

    def to_dict(self) -> dict[str, Any]:
        """What `--json` prints, but for the file."""
        value: dict[str, Any] = plain(
            {
                "bytes": len(self.page),
                **self.data.score.to_record(),
                "oracle": self.data.oracle,
                "rules": len(self.data.grammar),
                "kept": len(self.data.kept),
            }
        )
        return value

    def __str__(self) -> str:
        accuracy, n = percent(self.data.tally.accuracy), plural(self.data.score.n, "example")
        return f"a page on a parser of {plural(len(self.data.grammar), 'rule')}: {accuracy} of {n} right"
