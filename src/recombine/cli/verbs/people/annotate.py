"""`recombine annotate`: questions checked, written, paraphrased and judged by people, under rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import note, print_result, print_signature
from recombine.cli.shared.options import Json, Language, Quiet, Seed, Source, Target, help_without_verb
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from rich.console import Console

    from recombine.annotation.exchange.agreement import CampaignAgreement
    from recombine.workbench.annotate_import import AnnotateImport
    from recombine.workbench.annotate_status import AnnotateStatus
    from recombine.workbench.annotate_workers import AnnotateWorkers

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    help="Have people check, write, paraphrase and judge questions, under the papers' rules.",
)
Store = Annotated[
    str,
    typer.Argument(
        metavar="STORE", help="A campaign: its folder, a .sqlite or .db file, or postgresql://… of Postgres."
    ),
]
_NAMED = 5


@app.callback(invoke_without_command=True)
def _annotate(context: typer.Context) -> None:
    help_without_verb(context)


@app.command("new")
def new(
    store: Store,
    flow: Annotated[str, typer.Option("--flow", help="grailqa, covr, audit, or a flow of your own as FILE.toml.")],
    items: Annotated[
        str | None, typer.Option(metavar="FILE", help="Lines {item, task, parent, author, show, ask}.")
    ] = None,
    data: Annotated[str | None, typer.Option(metavar="DATA", help="Data whose examples become items.")] = None,
    task: Annotated[
        str | None, typer.Option(help="The task of items of --data; default: the first that makes examples.")
    ] = None,
    n: Annotated[int | None, typer.Option("-n", help="How many examples are drawn; default: all.")] = None,
    controls: Annotated[
        str | None, typer.Option(metavar="FILE", help="Items with known answers, lines {task, show, answer}.")
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="TASK.OPTION=VALUE", help="Another value in the flow, such as check.workers=2."),
    ] = None,
    name: Annotated[str | None, typer.Option(help="What the campaign is called; default: as its store.")] = None,
    enrol: Annotated[
        bool, typer.Option("--enrol", help="Let join who comes by /enrol?worker=ID, from a crowd platform.")
    ] = False,
    code_after: Annotated[
        int | None, typer.Option(help="The answers after which such a worker gets the platform's code; default: 10.")
    ] = None,
    profile: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="How a knowledge base of forms is written.")
    ] = "freebase",
    ontology: Annotated[
        str | None, typer.Option(metavar="DIR", help="An ontology of forms; default: Freebase's in the data directory.")
    ] = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make a campaign: a flow of tasks, and items of a file or of data."""
    from recombine import workbench

    with terminal(quiet=quiet):
        result = workbench.annotate_new(
            store,
            flow=flow,
            items=items,
            data=data,
            task=task,
            n=n,
            controls=controls,
            set=set_,
            name=name,
            enrol=enrol,
            code_after=code_after,
            profile=profile,
            ontology=ontology,
            source=source,
            target=target,
            language=language,
            seed=seed,
        )
    for lacking in result.lacks_controls:
        how = f"add some with `annotate import {result.store} FILE --format controls`"
        note(f"{lacking} has hidden controls, and there is none: nobody gets any of it; {how}", quiet=quiet)

    def show(console: Console) -> None:
        console.print(str(result), soft_wrap=True)
        print_signature(console, result.signature)

    print_result(result.to_dict(), show, as_json=as_json)


@app.command("workers")
def workers(
    action: Annotated[str, typer.Argument(metavar="add|list|pause|resume", help="What to do.")],
    store: Store,
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAMES]...", help="Names, or ids of workers.")] = None,
    n: Annotated[int | None, typer.Option("-n", help="Add so many without names.")] = None,
    qualification: Annotated[
        list[str] | None,
        typer.Option(help="What those who are added may do: expert, lead, or what the flow names. Repeatable."),
    ] = None,
    kind: Annotated[str, typer.Option(help="What kind of worker is added.")] = "person",
    url: Annotated[
        str, typer.Option(metavar="URL", help="What links start with: where the campaign is served.")
    ] = "http://127.0.0.1:8000",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Add workers, each with a link that is shown this once; list, pause or resume them."""
    from recombine import workbench

    with terminal(quiet=quiet):
        result = workbench.annotate_workers(
            action, store, names or (), n=n, qualification=qualification or (), kind=kind, url=url
        )
    print_result(result.to_dict(), lambda console: _show_workers(console, result), as_json=as_json)


def _show_workers(console: Console, result: AnnotateWorkers) -> None:
    console.print(str(result), soft_wrap=True)
    links = result.links or ("",) * len(result.workers)
    wide = max([len(worker.name or "(forgotten)") for worker in result.workers], default=0)
    for worker, link in zip(result.workers, links, strict=True):
        about = link or f"{worker.state:8}{worker.answered:>8,} answers  {worker.set_aside} batches set aside"
        may = f"  {', '.join(worker.qualifications)}" if worker.qualifications and not link else ""
        console.print(f"  {worker.name or '(forgotten)':{wide}}  {worker.id}  {about}{may}", soft_wrap=True)


@app.command("serve")
def serve(
    store: Store,
    host: Annotated[str, typer.Option(help="Where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 for any that is free.")] = 8000,
    certificate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A certificate for TLS, needed off this machine, in PEM.")
    ] = None,
    key: Annotated[Path | None, typer.Option(metavar="FILE", help="The key of the certificate.")] = None,
    public_url: Annotated[
        str | None, typer.Option(metavar="URL", help="How browsers reach it, where it is not by host and port.")
    ] = None,
    behind_proxy: Annotated[
        bool, typer.Option("--behind-proxy", help="A proxy before it sees to TLS; needs --public-url.")
    ] = False,
    pictures: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The folder of pictures; default: the campaign's.")
    ] = None,
    processes: Annotated[int, typer.Option(help="How many processes share the port; several over Postgres only.")] = 1,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Serve a campaign to browsers, until Ctrl-C."""
    from recombine import workbench

    with terminal(quiet=quiet):
        result = workbench.annotate_serve(
            store,
            host=host,
            port=port,
            certificate=certificate,
            key=key,
            public_url=public_url,
            behind_proxy=behind_proxy,
            pictures=pictures,
            processes=processes,
        )
    print_result(result.to_dict(), lambda console: console.print(str(result), soft_wrap=True), as_json=as_json)


@app.command("status")
def status(
    store: Store,
    check: Annotated[
        bool, typer.Option("--check", help="Read the whole log, and work out anew all that was decided.")
    ] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say where a campaign stands; with --check, exit code 1 where its log or its verdicts do not hold."""
    from recombine import workbench

    with terminal(quiet=quiet):
        result = workbench.annotate_status(store, check=check)
    print_result(result.to_dict(), lambda console: _show_status(console, result), as_json=as_json)
    if not result.holds:
        raise typer.Exit(1)


def _show_status(console: Console, result: AnnotateStatus) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    console.print(str(result), soft_wrap=True)
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("task")
    for name in ("items", "answers", "counted", "refused", "controls", "set aside"):
        table.add_column(name, justify="right")
    table.add_column("of the items")
    for task in result.status.tasks:
        if not task.items and not task.answers:
            continue
        counts = (task.items, task.answers, task.counted, sum(task.refused.values()), task.controls)
        aside = task.batches.get("set_aside", 0)
        states = ", ".join(f"{count:,} {state}" for state, count in task.states.items() if count)
        table.add_row(task.task, *(f"{count:,}" for count in (*counts, aside)), states)
    console.print(table)
    people = ", ".join(f"{count:,} {state}" for state, count in result.status.workers.items() if count)
    console.print(f"workers: {people or 'none'}")
    if result.status.without_control:
        console.print(f"{result.status.without_control:,} workers have seen all controls: add some")
    if result.log is not None:
        holds = "holds" if result.log.holds else f"does not hold: {result.log.problem}"
        console.print(f"log: {result.log.entries:,} entries, {result.log.responses:,} answers, {holds}", soft_wrap=True)
        for difference in result.differences:
            console.print(f"differs: {difference}", soft_wrap=True)
    print_signature(console, result.status.signature)


@app.command("agreement")
def agreement(
    store: Store,
    resamples: Annotated[int, typer.Option(help="How often items are drawn anew for the interval of alpha.")] = 1000,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say how far workers agree, how alike their texts are, and how long an item takes."""
    from recombine import workbench

    with terminal(quiet=quiet):
        result = workbench.annotate_agreement(store, seed=seed, resamples=resamples)

    def show(console: Console) -> None:
        console.print(f"{result.campaign}: answers that count, without controls", soft_wrap=True)
        _show_fields(console, result.found)
        _show_diversity(console, result.found)
        for task, seconds in result.found.seconds.items():
            console.print(f"{task}: an answer takes {seconds:.1f} s in the median")
        print_signature(console, result.signature)

    print_result(result.to_dict(), show, as_json=as_json)


def _show_fields(console: Console, found: CampaignAgreement) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("field")
    for name in ("answers", "accept", "95 % interval", "alpha", "95 % interval", "kappa", "majority"):
        table.add_column(name, justify="right")
    for each in found.fields:
        alpha = each.alpha
        share = ("–", "") if each.share is None else (f"{each.share:.3f}", f"{each.low:.3f} to {each.high:.3f}")
        interval = "" if alpha.low is None else f"{alpha.low:.3f} to {alpha.high:.3f}"
        value = "undefined" if alpha.alpha is None else f"{alpha.alpha:.3f}"
        kappa = "" if each.kappa is None else f"{each.kappa:.3f}"
        name = f"{each.task}.{each.field}"
        table.add_row(name, f"{each.answers:,}", *share, value, interval, kappa, f"{each.majority:,}")
    if found.fields:
        console.print(table)
    else:
        console.print("no votes that count")


def _show_diversity(console: Console, found: CampaignAgreement) -> None:
    for each in found.diversity:
        console.print(f"{each.task}: {each.texts:,} accepted texts; shared words, shared pairs of words, edits")
        for title, alike in (("to the question given", each.to_canonical), ("to each other", each.to_each_other)):
            if alike is not None:
                values = (
                    f"{alike.unigrams:.3f}  {alike.bigrams:.3f}  {alike.edits:.1f} of {alike.characters:.1f} characters"
                )
                console.print(f"  {title:22}{values}  ({alike.pairs:,} pairs)")


@app.command("export")
def export(
    store: Store,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The file to write; for label-studio a folder.")
    ] = None,
    format_: Annotated[
        str, typer.Option("--format", help="examples, responses, verdicts, answers, items or label-studio.")
    ] = "examples",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write accepted answers as examples, all answers, what was decided, or open items."""
    from recombine import workbench
    from recombine.files import check_writable

    if out is not None and format_ != "label-studio":
        check_writable(out)
    with terminal(quiet=quiet):
        result = workbench.annotate_export(store, format=format_)
        if out is not None:
            result.write(out)

    def show(console: Console) -> None:
        console.print(f"{result}{f' → {out}' if out is not None else ''}", soft_wrap=True)
        print_signature(console, result.signature)

    print_result({**result.to_dict(), "file": None if out is None else str(out)}, show, as_json=as_json)


@app.command("import")
def import_(
    store: Store,
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="Lines {item, worker, answer}, Label Studio's JSON, or items or controls."),
    ],
    format_: Annotated[str, typer.Option("--format", help="responses, label-studio, items or controls.")] = "responses",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Take in answers that were given elsewhere, under the rules, or further items and controls; twice is as once."""
    from recombine import workbench

    with terminal(quiet=quiet):
        result = workbench.annotate_import(store, file, format=format_)
    print_result(result.to_dict(), lambda console: _show_import(console, result), as_json=as_json)


def _show_import(console: Console, result: AnnotateImport) -> None:
    console.print(str(result), soft_wrap=True)
    for reason, count in result.taken.counts.items():
        first = [each for each in result.taken.broken if each.reason == reason]
        console.print(f"  {count:,} {reason.replace('_', ' ')}")
        for each in first[:_NAMED]:
            console.print(f"    {each.where}: {each.message}", soft_wrap=True)
        if len(first) > _NAMED:
            console.print(f"    … and {len(first) - _NAMED:,} more, which --json names")


@app.command("backup")
def backup(
    store: Store,
    copy: Annotated[Path, typer.Argument(metavar="FILE", help="The copy to write, a .sqlite or .db file.")],
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Copy a SQLite store while it is served; the copy is a campaign like any other. For Postgres use pg_dump."""
    from recombine import workbench

    with terminal(quiet=quiet):
        result = workbench.annotate_backup(store, copy)
    print_result(result.to_dict(), lambda console: console.print(str(result), soft_wrap=True), as_json=as_json)


@app.command("forget")
def forget(
    store: Store,
    worker: Annotated[str, typer.Argument(metavar="WORKER", help="The worker's name or id.")],
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Remove a person: name, links and drafts. The answers stay, under an id that says nothing."""
    from recombine import workbench

    with terminal(quiet=quiet):
        result = workbench.annotate_forget(store, worker)
    print_result(result.to_dict(), lambda console: console.print(str(result), soft_wrap=True), as_json=as_json)
