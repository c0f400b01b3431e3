"""Figures and tables of a report as files for a paper: SVG on white, and CSV in full precision."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

from recombine.errors import OutputFileError
from recombine.files import check_writable, make_folder, write_whole
from recombine.pages.drawing.svg import standalone
from recombine.pages.splits.frequency_figure import frequency_figure
from recombine.pages.splits.graph_figure import graph_figure
from recombine.pages.splits.measures_table import table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from recombine.pages.splits.report_data import ReportData, SplitData


def figure_files(data: ReportData) -> dict[str, bytes]:
    """The files by name: tables first, then the pictures of each split."""
    files = {"table.csv": _csv(_table_rows(data))}
    for kind in ("atoms", "compounds"):
        if any(getattr(split, kind) is not None for split in data.splits):
            files[f"{kind}.csv"] = _csv(_frequency_rows(data, kind))
    for split, slug in zip(data.splits, slugs([split.name for split in data.splits]), strict=True):
        files |= dict(_pictures(split, slug, data.against))
    return files


def write_figures(directory: Path, files: Mapping[str, bytes]) -> list[str]:
    """Write files into a directory, made where it is missing, and give their paths."""
    make_folder(directory)
    for name, content in files.items():
        write_whole(directory / name, content)
    return [str(directory / name) for name in files]


def check_figures(directory: Path) -> None:
    """Refuse a directory that cannot be made or written to, before anything is computed in vain."""
    if directory.is_dir():
        check_writable(directory / "table.csv")
    elif directory.exists():
        raise OutputFileError(f"{directory}: is a file", "give a directory for the figures")
    else:
        check_writable(directory)


def slugs(names: Sequence[str]) -> list[str]:
    """Names that can stand in file names, no two alike.

    >>> slugs(["scan/mcd1", "scan mcd1", "é"])
    ['scan-mcd1', 'scan-mcd1-2', 'split']
    """
    unique: list[str] = []
    for name in names:
        plain = re.sub(r"[^A-Za-z0-9_]+", "-", name).strip("-") or "split"
        slug, copy = plain, 2
        while slug in unique:
            slug, copy = f"{plain}-{copy}", copy + 1
        unique.append(slug)
    return unique


def _pictures(split: SplitData, slug: str, against: str) -> Iterator[tuple[str, bytes]]:
    for noun, frequencies in (("atom", split.atoms), ("compound", split.compounds)):
        if frequencies is not None and len(frequencies):
            drawn = frequency_figure(frequencies, noun=noun, name=f"{noun}s", against=against)
            yield f"{noun}s-{slug}.svg", standalone(drawn)
    for place, held in enumerate(split.held_out.chosen, start=1):
        if held.graph is not None:
            yield f"held-out-{slug}-{place:02}.svg", standalone(graph_figure(held.graph, held.known, name="held-out"))


def _table_rows(data: ReportData) -> Iterator[list[object]]:
    yield ["measure", *(split.name for split in data.splits)]
    for group in table([split.measured for split in data.splits], data.against):
        for row in group.rows:
            yield [row.key, *("" if value is None else value for value in row.values)]
    yield ["signature", *(split.measured["signature"] for split in data.splits)]


def _frequency_rows(data: ReportData, kind: str) -> Iterator[list[object]]:
    yield ["split", "name", "train_count", "test_count", "train_frequency", "test_frequency", "contribution"]
    for split in data.splits:
        frequencies = getattr(split, kind)
        if frequencies is not None:
            columns = (
                frequencies.train_counts,
                frequencies.test_counts,
                frequencies.train,
                frequencies.test,
                frequencies.contributions,
            )
            for name, *values in zip(frequencies.names, *(column.tolist() for column in columns), strict=True):
                yield [split.name, name, *values]


def _csv(rows: Iterable[Sequence[object]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()
