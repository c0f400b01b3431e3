"""`recombine kbqa`: what questions over a knowledge base are like, and what parsers make of them, on pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import print_result
from recombine.cli.shared.options import Data, Json, Language, Quiet, Seed, Source, Target, help_without_verb
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from rich.console import Console

    from recombine.pages.kbqa.kbqa_tables import KbqaTables
    from recombine.pages.kbqa_results.result_tables import Spread
    from recombine.workbench.kbqa_info import KbqaInfo
    from recombine.workbench.kbqa_results import KbqaResults

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    help="Say what questions over a knowledge base are like, beside what the paper says of GrailQA, and show them.",
)
Split = Annotated[
    str | None, typer.Argument(help="A split of the data, which gives levels; default: one that lies beside the file.")
]
Canonical = Annotated[
    str | None, typer.Option(metavar="FIELD", help="The field of the canonical question; default: one that is known.")
]
Profile = Annotated[
    str | None, typer.Option(metavar="NAME|FILE", help="What names look like; default: as the programs use them.")
]
Ontology = Annotated[
    Path | None, typer.Option(metavar="DIR", help="An ontology; default: for Freebase that of the data directory.")
]
_WIDE = 38


@app.callback(invoke_without_command=True)
def _kbqa(context: typer.Context) -> None:
    help_without_verb(context)


@app.command("info")
def info(
    data: Data,
    split: Split = None,
    canonical: Canonical = None,
    ontology: Ontology = None,
    profile: Profile = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say what questions are like: forms, relations, functions, answers, wordings and levels, beside the paper's."""
    from recombine import workbench

    with terminal(quiet=quiet):
        result = workbench.kbqa_info(
            data,
            split,
            canonical=canonical,
            ontology=ontology,
            profile=profile,
            source=source,
            target=target,
            language=language,
            seed=seed,
        )

    def show(console: Console) -> None:
        _show(console, result)

    print_result(result.to_dict(), show, as_json=as_json)


def _show(console: Console, result: KbqaInfo) -> None:
    from recombine.pages.kbqa.kbqa_tables import AXES, TABLE_1
    from recombine.pages.kbqa.paper_figures import paper_figures

    tables, paper = result.tables, paper_figures()["table"]
    console.print(str(result), soft_wrap=True)
    console.print(f"\n{'Table 1':{_WIDE}}{'here':>12}{'GrailQA':>12}")
    for key, label in TABLE_1.items():
        console.print(f"{label:{_WIDE}}{_number(tables.row[key]):>12}{_number(int(paper[key])):>12}")
    for axis, title in AXES.items():
        console.print(f"\n{f'by {title}':{_WIDE}}{'here':>12}{'':>9}{'GrailQA':>12}")
        for each in tables.shares[axis]:
            here = f"{each.count:>12,}{100 * each.share:>7.1f} %"
            there = f"{'–':>12}" if each.paper_share is None else f"{each.paper:>12,}{100 * each.paper_share:>7.1f} %"
            console.print(f"{each.label:{_WIDE}}{here}{there}")
    _show_wordings(console, tables)
    _show_levels(console, tables)
    for text in tables.missing.values():
        console.print(f"not told: {text}", soft_wrap=True)
    for text in tables.notes:
        console.print(f"note: {text}", soft_wrap=True)


def _show_wordings(console: Console, tables: KbqaTables) -> None:
    from recombine.pages.kbqa.kbqa_tables import wording_rows

    said = tables.wordings
    console.print(f"\n{said.wordings:,} wordings; {said.several:,} forms have two or more")
    heads = "".join(f"{name:>10}" for name in ("unigrams", "bigrams", "edits", "words"))
    console.print(f"{'how alike they are':{_WIDE}}{heads}{'characters':>12}{'pairs':>10}")
    for row in wording_rows(tables):
        *values, last = row.texts
        numbers = "".join(f"{text:>10}" for text in values)
        console.print(f"{row.label:{_WIDE}}{numbers}{last:>12}{row.pairs:>10}".rstrip())
    for row in wording_rows(tables):
        if row.drawn:
            console.print(f"{row.label}: {row.drawn}", soft_wrap=True)


def _show_levels(console: Console, tables: KbqaTables) -> None:
    levels = tables.levels
    if not levels.told_by:
        return
    names = ("i.i.d.", "compositional", "zero-shot")
    console.print(f"\n{f'levels: {levels.told_by}':{_WIDE}}{''.join(f'{name:>15}' for name in names)}{'all':>12}")
    for part, size in levels.sizes.items():
        counts = levels.parts.get(part, {})
        texts = "".join(f"{f'{counts[name]:,}' if name in counts else '':>15}" for name in names)
        console.print(f"{part:{_WIDE}}{texts}{size:>12,}")
    for part, domains in levels.held_out.items():
        console.print(f"held out for {part}: {', '.join(domains)}", soft_wrap=True)


def _number(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"


@app.command("page")
def page(
    data: Data,
    out: Annotated[Path, typer.Option("--out", "-o", help="The HTML file to write; written whole or not at all.")],
    split: Split = None,
    templates: Annotated[int, typer.Option(help="The most templates that the page shows.")] = 600,
    canonical: Canonical = None,
    ontology: Ontology = None,
    profile: Profile = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show questions on one HTML page: shares beside the paper's, levels, and each template's graph with questions."""
    from recombine import workbench
    from recombine.files import check_writable

    check_writable(out)
    with terminal(quiet=quiet):
        result = workbench.kbqa_page(
            data,
            split,
            templates=templates,
            canonical=canonical,
            ontology=ontology,
            profile=profile,
            source=source,
            target=target,
            language=language,
            seed=seed,
        )
    result.write(out)

    def show(console: Console) -> None:
        console.print(f"{result} → {out}", soft_wrap=True)

    print_result({**result.to_dict(), "file": str(out)}, show, as_json=as_json)


@app.command("results")
def results_page(
    study: Annotated[Path, typer.Argument(metavar="STUDY.toml", help="A study of parsers over a knowledge base.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The HTML file to write; written whole or not at all.")],
    results: Annotated[
        Path | None, typer.Option(help="The folder of results; default: results/NAME beside the study.")
    ] = None,
    examples: Annotated[
        int, typer.Option(help="The most wrong answers of each system and class of errors on the page.")
    ] = 4,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show the stored results of a study on one page: scores by level, robustness, links, errors, wrong answers."""
    from recombine import workbench
    from recombine.files import check_writable

    check_writable(out)
    with terminal(quiet=quiet):
        result = workbench.kbqa_results(study, results=results, examples=examples, seed=seed)
    result.write(out)

    def show(console: Console) -> None:
        _show_results(console, result)
        console.print(f"{result} → {out}", soft_wrap=True)

    print_result({**result.to_dict(), "file": str(out)}, show, as_json=as_json)


def _show_results(console: Console, result: KbqaResults) -> None:
    """Exact match and F1 by level, and what is missing."""
    for part in result.built.sections:
        for way, rows in part.scores.items():
            heads = "".join(f"{'overall' if level == 'all' else level:>15}" for level in part.places)
            title = f"{part.name}, {way} links" if way else part.name
            console.print(f"\n{title:{_WIDE}}{heads}")
            for row in rows:
                known = row.system.known
                name = f"{known.title}, {known.extra}" if known.extra else known.title
                texts = "".join(f"{_scores(row.em[level], row.f1[level]):>15}" for level in part.places)
                console.print(f"{name:{_WIDE}}{texts}")
            chances = part.chances[way]
            if chances is not None:
                texts = "".join(f"{100 * chances[level]:>15.2f}" for level in part.places)
                console.print(f"{'uniform draw, expected':{_WIDE}}{texts}")
    console.print("\nexact match and answer F1, %, means over runs")
    for text in result.built.lacking:
        console.print(f"not shown: {text}", soft_wrap=True)


def _scores(em: Spread | None, f1: Spread | None) -> str:
    return " / ".join("–" if each is None else f"{100 * each.mean:.1f}" for each in (em, f1))
