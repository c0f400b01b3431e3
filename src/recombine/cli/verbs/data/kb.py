"""`recombine kb`: knowledge bases without a server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import note, print_result
from recombine.cli.shared.options import Data, Json, Language, Quiet, Seed, Source, Target, help_without_verb
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from rich.console import Console

    from recombine.workbench.kb_build import KbBuilt
    from recombine.workbench.kb_query import KbTable

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    help="Build the index of a knowledge base, ask it, check it against data; convert and match logical forms.",
)
Place = Annotated[str, typer.Argument(metavar="PLACE", help="The folder of an index that kb build made.")]


@app.callback(invoke_without_command=True)
def _kb(context: typer.Context) -> None:
    help_without_verb(context)


@app.command("build")
def build(
    files: Annotated[list[str], typer.Argument(metavar="FILE…", help="Files of triples, gzipped or not.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to build; there whole or not at all.")],
    profile: Annotated[
        str, typer.Option("--profile", help="freebase, wikidata, dbpedia or plain, or the path of your own.")
    ] = "plain",
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            help="ntriples, turtle, tsv or bars; default: as a file's name or first line says.",
        ),
    ] = None,
    joined: Annotated[
        str, typer.Option("--joined", help="What becomes of relations such as a./b: keep, or split by a made-up node.")
    ] = "keep",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Build an index from files of triples; one that is there already is replaced when the new one is whole."""
    from recombine import workbench

    with terminal(quiet=quiet):
        result = workbench.kb_build(files, out, profile=profile, format=form, joined=joined)
    _print_built(result, as_json=as_json)


def _print_built(result: KbBuilt, *, as_json: bool) -> None:
    def show(console: Console) -> None:
        console.print(str(result), soft_wrap=True)
        console.print(f"digest {result.built.digest}", style="dim", soft_wrap=True)

    print_result(result.to_dict(), show, as_json=as_json)


@app.command("world")
def world(
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to make; there whole or not at all.")],
    facts: Annotated[int | None, typer.Option("--facts", help="About how many facts; default: 200,000.")] = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make an index of the made-up world of films that CFQ's questions are grounded in by default."""
    from recombine import workbench

    with terminal(quiet=quiet):
        result = workbench.kb_world(out, facts=facts, seed=seed)
    _print_built(result, as_json=as_json)


@app.command("info")
def info(place: Place, as_json: Json = False, quiet: Quiet = False) -> None:
    """Say what an index holds; every file of it is compared with its check sum."""
    from recombine import workbench

    with terminal(quiet=quiet):
        result = workbench.kb_info(place)

    def show(console: Console) -> None:
        console.print(str(result), soft_wrap=True)
        console.print(f"profile {result.profile}, names under {result.base}", soft_wrap=True)
        values = ", ".join(f"{count:,} of {name}" for name, count in result.values_of.items() if count)
        console.print(f"{result.counts['literals']:,} literals" + (f", with values {values}" if values else ""))
        if unread := result.counts["unreadable_literals"]:
            console.print(f"{unread:,} literals are not written as their type wants, and have no value")
        for relation, count in result.most_frequent.items():
            console.print(f"{count:>12,}  {relation}", soft_wrap=True)
        if (more := result.counts["relations"] - len(result.most_frequent)) > 0:
            console.print(f"              and {more:,} relations more")
        console.print(f"{result.bytes / 1e6:,.1f} MB, digest {result.digest}", style="dim", soft_wrap=True)

    print_result(result.to_dict(), show, as_json=as_json)


@app.command("query")
def query(
    place: Annotated[
        str,
        typer.Argument(
            metavar="PLACE",
            help="An index, a file of triples, a folder of pyoxigraph's, or an endpoint's http address.",
        ),
    ],
    query: Annotated[
        str | None, typer.Argument(metavar="[SPARQL]", help="A query in SPARQL, SELECT or ASK.", show_default=False)
    ] = None,
    start: Annotated[
        list[str] | None,
        typer.Option(
            "--from", metavar="NAME", help='Where to begin: a name, <IRI>, prefix:name or "literal"; one or more.'
        ),
    ] = None,
    path: Annotated[
        str | None,
        typer.Option(
            "--path", metavar="PATH", help='Relations with " / " between them, ^ before one that is gone against.'
        ),
    ] = None,
    sparql: Annotated[
        str | None,
        typer.Option("--sparql", metavar="FILE", help="A file with a query in SPARQL, - for standard input."),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option("--form", metavar="FORM", help="A logical form: an S-expression, or a graph query as JSON."),
    ] = None,
    count: Annotated[bool, typer.Option("--count", help="Say how many answers there are, and none of them.")] = False,
    limit: Annotated[
        int | None, typer.Option("--limit", help="Show so many answers, and say how many there are; default: all.")
    ] = None,
    profile: Annotated[
        str | None,
        typer.Option("--profile", help="For a file or an endpoint: a profile's name or path; default: plain."),
    ] = None,
    graph: Annotated[str | None, typer.Option("--graph", help="For an endpoint: the IRI of the graph to ask.")] = None,
    kb_version: Annotated[
        str,
        typer.Option("--kb-version", help="For an endpoint: which facts it has; answers are kept for that version."),
    ] = "",
    time_out: Annotated[
        float | None,
        typer.Option("--time-out", help="Seconds for a query by SPARQL; default: 60 for an endpoint, else no limit."),
    ] = None,
    page: Annotated[int | None, typer.Option("--page", help="For an endpoint: ask in pages of so many rows.")] = None,
    max_rows: Annotated[
        int | None, typer.Option("--max-rows", help="For an endpoint: rows at which it is known to cut answers.")
    ] = None,
    max_answer: Annotated[
        str | None,
        typer.Option("--max-answer", metavar="SIZE", help="For an endpoint: the largest answer; default: 64M."),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Ask for the end of a path or by a form, one answer a line, or in SPARQL; an answer is whole or an error."""
    from recombine import workbench
    from recombine.workbench.kb_query import KbTable, KbTruth

    with terminal(quiet=quiet):
        result = workbench.kb_query(
            place,
            query,
            from_=start or (),
            path=path,
            sparql=sparql,
            form=form,
            count=count,
            limit=limit,
            profile=profile,
            graph=graph,
            kb_version=kb_version,
            time_out=time_out,
            page=page,
            max_rows=max_rows,
            max_answer=max_answer,
        )

    def show(console: Console) -> None:
        if isinstance(result, KbTruth):
            console.print(str(result))
            return
        if count:
            console.print(str(result["count"]))
            return
        if isinstance(result, KbTable):
            _show_table(console, result)
        else:
            for answer in result.to_dict()["answers"]:
                console.print(answer, soft_wrap=True)
        note(str(result), quiet=quiet)

    print_result(result.to_dict(), show, as_json=as_json)


@app.command("check")
def check(
    place: Annotated[
        str, typer.Argument(metavar="PLACE", help="A knowledge base: an index, a file of triples, or an address.")
    ],
    data: Data,
    profile: Annotated[
        str | None, typer.Option("--profile", help="The profile of a file or an address; that of an index is its own.")
    ] = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say what a knowledge base lacks for a data set, and which questions stay answerable; exit code 1 if not all."""
    from recombine import workbench
    from recombine.workbench.kb_check import ONE, SHOWN

    with terminal(quiet=quiet):
        result = workbench.kb_check(place, data, profile=profile, source=source, target=target, language=language)

    def show(console: Console) -> None:
        coverage = result.coverage
        for kind, named in coverage.named.items():
            lacking = len(coverage.lacking[kind])
            of = f"{named:,} {ONE[kind] if named == 1 else kind} named"
            if not lacking:
                if named:
                    console.print(f"{of}, none lacking")
                continue
            questions = coverage.questions_lacking[kind]
            console.print(f"{of}, {lacking:,} lacking in {questions:,} question{'s' * (questions != 1)}")
            for name, count in result.lacking(kind, SHOWN).items():
                console.print(f"{count:>12,}  {name}", soft_wrap=True)
            if lacking > SHOWN:
                console.print(f"              and {lacking - SHOWN:,} more; --json lists all")
        if coverage.placeholders:
            console.print(f"placeholders such as M0 are not looked up, in {coverage.placeholders:,} questions")
        if result.unreadable:
            key, why = next(iter(result.unreadable.items()))
            many = len(result.unreadable) > 1
            text = f"{len(result.unreadable):,} question{'s' * many} cannot be read{', the first' * many}: {key}: {why}"
            console.print(text, style="yellow", soft_wrap=True)
        console.print(str(result), style="green" if result.passed else "")

    print_result(result.to_dict(), show, as_json=as_json)
    if not result.passed:
        raise typer.Exit(1)


@app.command("convert")
def convert(
    file: Annotated[str, typer.Argument(metavar="FILE", help="JSON lines with qid or id, and a form in each.")],
    from_: Annotated[
        str,
        typer.Option(
            "--from",
            help="graph (field graph_query), sexpression (s_expression) or sparql (sparql_query); or in form.",
        ),
    ],
    to: Annotated[str, typer.Option("--to", help="graph, sexpression or sparql.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write JSON lines {id, form, losses}; default: to the screen.")
    ] = None,
    semantics: Annotated[
        str | None,
        typer.Option("--semantics", help="Of SPARQL to write: sets, or grailqa; default: as the record says, or sets."),
    ] = None,
    profile: Annotated[
        str, typer.Option("--profile", help="freebase, wikidata, dbpedia or plain, or the path of your own.")
    ] = "freebase",
    ontology: Annotated[
        str | None,
        typer.Option(
            "--ontology",
            metavar="DIR",
            help="Tells implied classes from lost ones; default: that of the data directory, for Freebase.",
        ),
    ] = None,
    keep_classes: Annotated[
        bool, typer.Option("--keep-classes", help="Say classes in the middle too, which GrailQA's S-expressions omit.")
    ] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write logical forms in another notation, and say of each what the other notation cannot say."""
    from recombine import workbench
    from recombine.files import check_writable
    from recombine.workbench.kb_convert import SHOWN

    if out is not None:
        check_writable(out)
    with terminal(quiet=quiet):
        result = workbench.kb_convert(
            file,
            from_=from_,
            to=to,
            semantics=semantics,
            profile=profile,
            ontology=ontology,
            keep_classes=keep_classes,
        )
    if out is not None:
        result.write(out)

    def show(console: Console) -> None:
        if out is None:
            for row in result.rows:
                form = row["form"]
                text = form if isinstance(form, str) else json.dumps(form) if form else f"– {row['error']}"
                console.print(f"{row['id']}  {text}", soft_wrap=True, markup=False, highlight=False)
                for loss in row.get("losses", ()):
                    console.print(f"    lost: {loss}", soft_wrap=True, style="yellow", markup=False, highlight=False)
        console.print(str(result), soft_wrap=True)
        values = result.to_dict()
        for name, count in values["leniencies"].items():
            console.print(f"{count:>12,}  let pass: {name}", soft_wrap=True)
        if out is None:
            return  # each form has had its losses or its reason
        for kind, count in values["losses"].items():
            console.print(f"{count:>12,}  lost: {kind}", soft_wrap=True)
        for reason, count in list(values["reasons"].items())[:SHOWN]:
            console.print(f"{count:>12,}  {reason}", soft_wrap=True, markup=False, highlight=False)
        if (more := len(values["reasons"]) - SHOWN) > 0:
            console.print(f"              and {more:,} reasons more; --json lists all")

    print_result({**result.to_dict(), "file": None if out is None else str(out)}, show, as_json=as_json)


@app.command("match")
def match(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON lines with forms a and b, and an id if wanted.")],
    ontology: Annotated[
        Path | None,
        typer.Option("--ontology", metavar="DIR", help="Freebase's ontology; default: that of the data directory."),
    ] = None,
    profile: Annotated[
        str, typer.Option("--profile", help="How names are told: freebase, wikidata, dbpedia, plain, or a path.")
    ] = "freebase",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="Write JSON lines of verdicts, each with the pair's id; default: to the screen."
        ),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say whether pairs of logical forms match: under an ontology, as graphs, and by GrailQA's scorer."""
    from recombine import workbench
    from recombine.files import check_writable
    from recombine.workbench.kb_match import SHOWN

    with terminal(quiet=quiet):
        if out is not None:
            check_writable(out)
        result = workbench.kb_match(file, ontology=ontology, profile=profile)
        if out is not None:
            result.write(out)

    def show(console: Console) -> None:
        from rich.box import SIMPLE_HEAD
        from rich.markup import escape
        from rich.table import Table

        if out is None:
            rows = Table("id", *result.counts, box=SIMPLE_HEAD, pad_edge=False)
            for number, row in enumerate(result.rows, 1):
                rows.add_row(escape(str(row.get("id", number))), *(str(row[way]).lower() for way in result.counts))
            console.print(rows)
        verdicts = [name for name in result.counts["strict"] if any(row[name] for row in result.counts.values())]
        table = Table(f"{len(result.rows):,} pairs", box=SIMPLE_HEAD, pad_edge=False)
        for name in verdicts:
            table.add_column(name, justify="right")
        for way, counted in result.counts.items():
            table.add_row(way, *(f"{counted[name]:,}" for name in verdicts))
        console.print(table)
        for why, count in list(result.reasons.items())[:SHOWN]:
            console.print(f"{count:>12,}  {why}", soft_wrap=True, markup=False, highlight=False)
        if (more := len(result.reasons) - SHOWN) > 0:
            console.print(f"              and {more:,} reasons more; --json lists all")
        if result.unknown:
            shown = ", ".join(list(result.unknown)[:SHOWN]) + (", …" if len(result.unknown) > SHOWN else "")
            names = "name is" if len(result.unknown) == 1 else "names are"
            text = f"{len(result.unknown):,} {names} not in the ontology: {shown}"
            console.print(text, soft_wrap=True, markup=False, highlight=False)

    print_result({**result.to_dict(), "file": None if out is None else str(out)}, show, as_json=as_json)


def _show_table(console: Console, result: KbTable) -> None:
    """The rows under their variables; a cell that is too long goes on in the next line, so that nothing is cut."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    values = result.to_dict()
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for variable in values["variables"]:
        table.add_column(f"?{variable}", overflow="fold")
    for row in values["rows"]:
        table.add_row(*("–" if text is None else text for text in row))
    console.print(table)


@app.command("table")
def table(
    data: Annotated[
        list[str] | None,
        typer.Argument(metavar="[DATA…]", help="Data sets; default: those of the catalogue about a knowledge base."),
    ] = None,
    ontology: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="The folder of an ontology; default: that of the data directory for Freebase."
        ),
    ] = None,
    profile: Annotated[
        str | None, typer.Option(help="A profile's name, or the path of your own; default: as the programs.")
    ] = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Count what the forms of data sets name: canonical forms, domains, relations, classes, entities, literals."""
    from recombine import workbench
    from recombine.workbench.kb_table import COUNTS

    with terminal(quiet=quiet):
        result = workbench.kb_table(
            data or None, ontology=ontology, profile=profile, source=source, target=target, language=language
        )

    def show(console: Console) -> None:
        from rich.box import SIMPLE_HEAD
        from rich.table import Table

        shown = Table(box=SIMPLE_HEAD, pad_edge=False)
        shown.add_column("data", overflow="fold")
        for name in COUNTS:
            shown.add_column(name.replace("_", " "), justify="right")
        for row in result.rows:
            shown.add_row(row["data"], *("–" if row[name] is None else f"{row[name]:,}" for name in COUNTS))
        console.print(shown)
        for row in result.rows:
            rule = [f"classes {row['classes_rule']}"] if row["classes_rule"] else []
            console.print(f"{row['data']}: {'; '.join([*rule, *row['notes']])}", soft_wrap=True)

    print_result(result.to_dict(), show, as_json=as_json)


@app.command("tasks")
def tasks(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON lines of forms, of answers, or of names.")],
    task: Annotated[
        str, typer.Option("--task", help="form, canonical, paraphrase, judgement or surface_forms.", show_default=False)
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The file of lines to hand out.")],
    number: Annotated[int, typer.Option("--number", help="How many people to ask for a paraphrase or judgement.")] = 1,
    profile: Annotated[
        str, typer.Option("--profile", help="How names are told: freebase, wikidata, dbpedia, plain, or a path.")
    ] = "freebase",
    ontology: Annotated[
        Path | None,
        typer.Option("--ontology", metavar="DIR", help="Freebase's ontology; default: that of the data directory."),
    ] = None,
    grammar: Annotated[
        Path | None, typer.Option("--grammar", metavar="FILE", help="Words of your own for classes and relations.")
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make work for people: forms to approve, questions to write, to say otherwise or to judge, names to choose."""
    from recombine import workbench
    from recombine.files import check_writable

    with terminal(quiet=quiet):
        check_writable(out)
        result = workbench.kb_tasks(file, task=task, number=number, profile=profile, ontology=ontology, grammar=grammar)
        result.write(out)
    print_result({**result.to_dict(), "file": str(out)}, lambda console: console.print(str(result)), as_json=as_json)


@app.command("answers")
def answers(
    sent: Annotated[Path, typer.Argument(metavar="SENT", help="The lines that kb tasks wrote.")],
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Files of answers, earlier work first.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write the answers that were taken.")] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check what people answered; what is dropped is counted by its reason, and earlier work is kept."""
    from recombine import workbench
    from recombine.files import check_writable

    with terminal(quiet=quiet):
        if out is not None:
            check_writable(out)
        result = workbench.kb_answers(sent, files)
        if out is not None:
            result.write(out)

    def show(console: Console) -> None:
        console.print(str(result), soft_wrap=True)
        for reason, count in result.read.dropped.items():
            first = result.read.first_dropped[reason]
            console.print(f"{count:>12,}  {reason}, the first: {first}", soft_wrap=True, markup=False, highlight=False)

    print_result({**result.to_dict(), "file": None if out is None else str(out)}, show, as_json=as_json)
