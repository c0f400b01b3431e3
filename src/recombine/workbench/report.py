"""One page on what splits hold out, or on a parser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.progress import working
from recombine.workbench.features import find_features
from recombine.workbench.given.counted_structures import check_typing, counted_structures
from recombine.workbench.given.data_and_split import find_split
from recombine.workbench.given.data_of_splits import data_of_splits
from recombine.workbench.given.named_splits import listed_splits, named_splits
from recombine.workbench.load import load_for
from recombine.workbench.results.report_result import ParserReportResult, ReportResult
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.structures.dataset_features import DatasetFeatures
    from recombine.workbench.features import DefinitionLike
    from recombine.workbench.given.named_splits import Splits
    from recombine.workbench.load import Data


@verb
def report(
    splits: Splits,
    *,
    data: Data | None = None,
    structures: DefinitionLike | DatasetFeatures = None,
    literals: str | None = None,
    names: str | None = None,
    against: str = "test",
    examples: int = 200,
    figures: str | Path | None = None,
    parser: str | Path | None = None,
    subqueries: str | Path | None = None,
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
    world: str | Path | None = None,
    near_duplicates: float | None = None,
    seed: int = 0,
) -> ReportResult | ParserReportResult:
    """One page on what splits of one data set hold out; with the folder of an NQG parser, a page on that.

    `literals` and `names` say how those of programs are counted, as for `measure`.
    `data` may be left out where the splits say it. `figures` is a directory for the figures and tables of a paper;
    `near_duplicates` a threshold at which examples that are nearly in train are counted and the nearest shown;
    `subqueries` a file of subqueries to count, or `cfq` for those of the CFQ paper's Tables 8 and 9.

    >>> from recombine.workbench import load, split
    >>> data = load([("jump", "J"), ("run", "R"), ("walk", "W")])
    >>> made = report({"mine": split(data, train=2, test=1)}, data=data)
    >>> made.page[:15], made["splits"][0]["train"]
    (b'<!doctype html>', 2)
    """
    from recombine.measures.near_duplicates.near_duplicates import check_threshold
    from recombine.measures.subqueries import read_subqueries
    from recombine.pages.splits.report_data import check_options

    check_options(against=against, examples=examples, seed=seed)
    near = None if near_duplicates is None else check_threshold(near_duplicates)
    named = {"source": source, "target": target, "language": language, "world": world}
    if parser is not None:
        return _on_parser(parser, splits, data, named, part=against, examples=examples, seed=seed)
    typing = {"literals": literals, "names": names}
    check_typing(structures, **typing)
    directory = None if figures is None else Path(figures)
    tables = () if subqueries is None else read_subqueries(subqueries)
    options = {"against": against, "examples": examples, "subqueries": tables, "near": near, "seed": seed}
    return _on_splits(splits, data, named, structures, typing, directory, **options)


def _on_splits(
    splits: Splits,
    data: Data | None,
    named: Mapping[str, Any],
    structures: DefinitionLike | DatasetFeatures,
    typing: Mapping[str, str | None],
    directory: Path | None,
    **options: Any,
) -> ReportResult:
    from recombine.pages.splits.figure_files import check_figures, figure_files, write_figures
    from recombine.pages.splits.report_data import build_data
    from recombine.pages.splits.report_html import render_html

    if directory is not None:
        check_figures(directory)
    by_name = named_splits(splits)
    given = list(by_name.values())
    with working("loading the data"):
        dataset = load_for(data_of_splits(given) if data is None else data, given, **named)
        loaded = {name: find_split(dataset, split) for name, split in by_name.items()}
    with working("finding atoms and compounds (the first run compiles)"):
        features = find_features(dataset, counted_structures(dataset, structures, **typing))
    with working("writing the report"):
        built = build_data(dataset, loaded, features, **options)
        page = render_html(built)
        written = [] if directory is None else write_figures(directory, figure_files(built))
    return ReportResult(page, built, tuple(written))


def _on_parser(
    folder: str | Path, splits: Splits, data: Data | None, named: Mapping[str, Any], **options: Any
) -> ParserReportResult:
    from recombine.pages.parser.build_parser_report import build_parser_report, load_grammar_parser

    given = listed_splits(splits)
    found = data_of_splits(given) if data is None else data
    if len(given) != 1:
        raise OptionError(f"a page on a parser is for one split, not {len(given)}", "name one")
    loaded_parser = load_grammar_parser(folder)
    with working("loading the data"):
        dataset = load_for(found, given, **named)
        split = find_split(dataset, given[0])
    with working("predicting"):
        built, page = build_parser_report(dataset, split, loaded_parser, folder, **options)
    return ParserReportResult(page, built)
