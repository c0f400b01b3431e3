"""`recombine kb link`: the entities and literals that questions mention."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import print_result
from recombine.cli.shared.options import Json, Language, Quiet, Seed, Source, Target
from recombine.cli.shared.terminal import terminal
from recombine.cli.verbs.data.kb.kb_app import app

if TYPE_CHECKING:
    from rich.console import Console

    from recombine.workbench.kb_link import KbLinks


@app.command("link")
def link(
    text: Annotated[
        str | None, typer.Argument(metavar="[TEXT]", help="A question; or --data.", show_default=False)
    ] = None,
    kb: Annotated[
        str | None,
        typer.Option("--kb", metavar="PLACE", help="An index or a file of triples; default: the world of the data."),
    ] = None,
    names: Annotated[
        str | None,
        typer.Option(
            "--names",
            metavar="FILE",
            help="Surface forms: a form, an entity and a count, with tabs between; default: the labels in the facts.",
        ),
    ] = None,
    data: Annotated[
        str | None, typer.Option("--data", metavar="DATA", help="A data set whose questions are to be linked.")
    ] = None,
    split: Annotated[
        str | None, typer.Option("--split", metavar="SPLIT", help="Of the data, the part test, or with --fit train.")
    ] = None,
    part: Annotated[str | None, typer.Option("--part", help="Another part of the split.")] = None,
    gold: Annotated[bool, typer.Option("--gold", help="Score against what the data says.")] = False,
    mentions: Annotated[
        str, typer.Option("--mentions", help="How mentions are found: dictionary, ngrams or tagger.")
    ] = "dictionary",
    choice: Annotated[
        str, typer.Option("--choice", help="How one of several entities is chosen: popularity or context.")
    ] = "popularity",
    tagger: Annotated[
        str | None, typer.Option("--tagger", metavar="FILE", help="A tagger that --fit wrote, for --mentions tagger.")
    ] = None,
    fit: Annotated[
        str | None, typer.Option("--fit", metavar="FILE", help="Train a tagger on the questions, and write it.")
    ] = None,
    literals: Annotated[bool, typer.Option("--literals/--no-literals", help="Look for numbers and dates too.")] = True,
    most: Annotated[int, typer.Option("--most", help="The most candidates to keep of a mention.")] = 10,
    profile: Annotated[
        str | None, typer.Option("--profile", help="The profile of a file of triples or names; default: plain.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Write JSON lines of questions and links; default: to the screen."),
    ] = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say which entities, numbers and dates questions mention; score that, or train a tagger of mentions."""
    from recombine import workbench
    from recombine.files import check_writable
    from recombine.workbench.kb_link import KbLinks

    if out is not None:
        check_writable(out)
    with terminal(quiet=quiet):
        result = workbench.kb_link(
            text,
            kb=kb,
            names=names,
            data=data,
            split=split,
            part=part,
            gold=gold,
            mentions=mentions,
            choice=choice,
            tagger=tagger,
            fit=fit,
            literals=literals,
            most=most,
            profile=profile,
            source=source,
            target=target,
            language=language,
            seed=seed,
        )
    if out is not None and isinstance(result, KbLinks):
        result.write(out)

    def show(console: Console) -> None:
        if isinstance(result, KbLinks):
            _show_links(console, result, rows=out is None and not gold)
        console.print(str(result), soft_wrap=True, markup=False, highlight=False)

    print_result({**result.to_dict(), "file": None if out is None else str(out)}, show, as_json=as_json)


def _show_links(console: Console, result: KbLinks, *, rows: bool) -> None:
    """The links of each question, and what was counted besides."""

    def line(text: str) -> None:
        console.print(text, soft_wrap=True, markup=False, highlight=False)

    for number in range(len(result.rows) if rows else 0):
        row = result.row(number)
        if "id" in row:
            line(f"{row['id']}  {row['question']}")
        for link in row["links"]:
            several = len(link["candidates"]) - len(link["linked"])
            more = f", and {several} candidate{'s' * (several != 1)} more" if several else ""
            line(f"  {link['text']}  {link['kind']}  {', '.join(link['linked']) or '–'}{more}")
    values = result.to_dict()
    if result.scores is not None:
        for kind in ("entities", "literals"):
            counts = values["scores"][kind]
            line(f"{kind}: {counts['gold']:,} gold, {counts['linked']:,} linked, {counts['right']:,} right")
        line(f"gold entities among the candidates: {result.scores.among_candidates:,}")
        line(f"questions linked to exactly their gold entities: {result.scores.exact:,} of {result.scores.questions:,}")
        if result.scores.unplaced:
            line(f"gold entities that stand in their question by no name of the data: {result.scores.unplaced:,}")
    if result.unreadable:
        key, why = next(iter(result.unreadable.items()))
        line(f"questions without gold, which are not scored: {len(result.unreadable):,}, the first: {key}: {why}")
    for name, count in (
        ("questions without a word, which have no links", len(result.empty)),
        ("mentions that nothing in the dictionary is called by", values["without_candidates"]),
        ("mentions linked to several entities that fit equally", values["linked_to_several"]),
        ("runs of words too common to be looked up by likeness", values["too_common"]),
    ):
        if count:
            line(f"{name}: {count:,}")
    sizes = values["dictionary"]
    shared = f", {sizes['shared']:,} of them shared" if sizes["shared"] else ""
    line(f"dictionary: {sizes['entities']:,} entities under {sizes['surface_forms']:,} surface forms{shared}")
