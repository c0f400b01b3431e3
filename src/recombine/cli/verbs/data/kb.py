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
    from recombine.workbench.kb_candidates import KbCandidateRecall
    from recombine.workbench.kb_link import KbLinks
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
    kind: Annotated[
        str, typer.Option("--kind", help="films, as CFQ's questions need it, or domains, a world of many domains.")
    ] = "films",
    facts: Annotated[int | None, typer.Option("--facts", help="About how many facts; default: 200,000.")] = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make an index of a made-up world; CFQ's questions are grounded in that of films by default."""
    from recombine import workbench

    with terminal(quiet=quiet):
        result = workbench.kb_world(out, kind=kind, facts=facts, seed=seed)
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


@app.command("candidates")
def candidates(
    place: Annotated[str, typer.Argument(metavar="PLACE", help="A knowledge base: an index, or a file of triples.")],
    entity: Annotated[
        list[str] | None,
        typer.Option(
            "--entity", metavar="NAME", help='What is linked in the question: a name, <IRI> or "literal"; one or more.'
        ),
    ] = None,
    data: Annotated[
        str | None,
        typer.Option("--data", metavar="DATA", help="Say how many forms of a data set are among the candidates."),
    ] = None,
    links: Annotated[
        str | None,
        typer.Option(
            "--links",
            metavar="FILE",
            help="For --data: JSON lines {id, entities} of what is linked; default: what each form names.",
        ),
    ] = None,
    hops: Annotated[int, typer.Option("--hops", help="Relations from an entity to what is asked for: 1 or 2.")] = 2,
    count: Annotated[bool, typer.Option("--count/--no-count", help="Each form also with COUNT.")] = True,
    beyond: Annotated[
        list[str] | None,
        typer.Option("--beyond", metavar="NAME", help="Beyond the paper: classes, superlatives, comparatives."),
    ] = None,
    vocabulary: Annotated[
        bool, typer.Option("--vocabulary", help="The words that a form may be written with, in place of forms.")
    ] = False,
    limit: Annotated[
        int | None, typer.Option("--limit", help="Show so many, and say how many there are; default: all.")
    ] = None,
    ontology: Annotated[
        str | None,
        typer.Option(
            "--ontology",
            metavar="DIR",
            help="By which a class is implied; default: as facts state, else Freebase's commons, else as facts show.",
        ),
    ] = None,
    profile: Annotated[
        str | None, typer.Option("--profile", help="The profile of a file of triples; that of an index is its own.")
    ] = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List the logical forms within two hops of what is linked in a question, or say how many gold forms they hold."""
    from recombine import workbench
    from recombine.workbench.kb_candidates import KbCandidateRecall

    with terminal(quiet=quiet):
        result = workbench.kb_candidates(
            place,
            entity=entity or (),
            data=data,
            links=links,
            hops=hops,
            count=count,
            beyond=beyond or (),
            vocabulary=vocabulary,
            limit=limit,
            ontology=ontology,
            profile=profile,
            source=source,
            target=target,
            language=language,
        )

    def show(console: Console) -> None:
        if isinstance(result, KbCandidateRecall):
            _show_recall(console, result)
            return
        for text in result.words() if result.vocabulary is not None else result.texts():
            shown = text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)
            console.print(shown, soft_wrap=True, markup=False, highlight=False)
        for said in (*result.candidates.notes, str(result), result.signature):
            note(said, quiet=quiet)

    print_result(result.to_dict(), show, as_json=as_json)


def _show_recall(console: Console, result: KbCandidateRecall) -> None:
    """The share that is covered, and why the rest is not."""
    values = result.to_dict()
    console.print(str(result), soft_wrap=True)
    for outcome, number in values["outcomes"].items():
        if outcome != "covered":
            console.print(f"{number:>12,}  not covered: {outcome}")
    if values["questions"]:
        console.print(
            f"by answers {values['recall_by_answers']:.1%}; candidates: median {values['median_candidates']:g}, "
            f"most {values['most_candidates']:,}; links: {result.links}",
            soft_wrap=True,
        )
    for key, why in list(result.unreadable.items())[:1]:
        console.print(f"the first that cannot be read: {key}: {why}", soft_wrap=True, markup=False, highlight=False)
    if unknown := values["unknown_links"]:
        links = "link is" if unknown == 1 else "links are"
        console.print(f"{unknown:,} {links} to nothing that has a fact, or to no entity")
    console.print(f"{values['signature']}, digest {values['digest']}", style="dim", soft_wrap=True)


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
