"""`recombine scenes`: questions about pictures, looked at and handed to models and to people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import print_result
from recombine.cli.shared.options import Json, Quiet, Seed, World, help_without_verb
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from rich.console import Console

    from recombine.workbench.scenes_exclusion import ScenesExclusion
    from recombine.workbench.scenes_info import ScenesInfo

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    help="Look at questions about scenes, show them on a page, and hand them to models, or to people and back.",
)
File = Annotated[
    str, typer.Argument(metavar="FILE", help="Questions that generate scenes made, .jsonl, .tsv or .parquet.")
]
_BAR = 40
_WORST = 3


@app.callback(invoke_without_command=True)
def _scenes(context: typer.Context) -> None:
    help_without_verb(context)


@app.command("info")
def info(file: File, world: World = None, as_json: Json = False, quiet: Quiet = False) -> None:
    """Say what questions are like, beside those of the paper, what was rejected, and how far answers can be guessed."""
    from recombine import workbench

    with terminal(quiet=quiet):
        result = workbench.scenes_info(file, world=world)

    def show(console: Console) -> None:
        console.print(str(result), soft_wrap=True)
        _show_table(console, result)
        _show_answers(console, result)
        _show_leaks(console, result)
        _show_counted(console, result)

    print_result(result.to_dict(), show, as_json=as_json)


def _show_table(console: Console, result: ScenesInfo) -> None:
    """The rows of Table 3, beside the paper's."""
    from recombine.scenes.balance.statistics import PAPER

    console.print(f"\n{'':24}{'train':>10}{'dev+test':>10}{'paper: train':>16}{'test':>10}")
    for row, (train, test) in PAPER.items():
        cells = (result.train[row], result.test[row], train, test)
        texts = [f"{cell:,.1f}" if isinstance(train, float) else f"{cell:,.0f}" for cell in cells]
        console.print(f"{row:24}{texts[0]:>10}{texts[1]:>10}{texts[2]:>16}{texts[3]:>10}")
    counts = result.templates.values()
    console.print(f"{len(counts)} templates, {min(counts):,} to {max(counts):,} questions each")


def _show_answers(console: Console, result: ScenesInfo) -> None:
    """The most frequent answers as bars."""
    if not result.answers:
        return
    console.print(f"\nThe {len(result.answers)} most frequent answers of train but for true and false")
    most = max(result.answers.values())
    for answer, count in result.answers.items():
        console.print(f"  {answer:18}{count:>8,}  {'█' * max(1, round(_BAR * count / most))}")


def _show_leaks(console: Console, result: ScenesInfo) -> None:
    """How far answers can be guessed without a picture, and where most beyond the template, three templates at most."""
    console.print("\nAnswers guessed without a picture, fitted on train, judged on dev and test")
    base = result.leaks[0]
    console.print(f"{'':24}{'overall':>10}   most above the template alone")
    for line in result.leaks:
        gains = sorted(((base.by_template[name] - share, name) for name, share in line.by_template.items()))
        above = [f"{-less:+.1%} in {name}" for less, name in gains if less < 0]
        console.print(f"{line.by:24}{line.overall:>10.1%}   {', '.join(above[:_WORST])}", soft_wrap=True)


def _show_counted(console: Console, result: ScenesInfo) -> None:
    """What was rejected, and what the truth says."""
    value = result.to_dict()
    if value["rejected"]:
        console.print(f"\nRejected while a pool of {value['pool']:,} was made")
        for reason, count in sorted(value["rejected"].items(), key=lambda pair: -pair[1]):
            console.print(f"{count:>12,}  {reason}")
    if value["refused_images"]:
        console.print("Images refused as distractors")
        for reason, count in sorted(value["refused_images"].items(), key=lambda pair: -pair[1]):
            console.print(f"{count:>12,}  {reason}")
    if not result.counted:
        console.print("\nWhat was rejected is not known: there is no .split.json beside the file")
    if result.truth is not None:
        share, without = result.truth.share, value["truth"]["no_answer"]
        console.print(
            f"\n{share:.1%} of answers differ on the truth graph ({without:.1%} have none there); the paper found 20%"
        )


@app.command("page")
def page(
    file: File,
    out: Annotated[Path, typer.Option("--out", "-o", help="The HTML file to write; written whole or not at all.")],
    examples: Annotated[int, typer.Option(help="How many examples the page keeps, each with its twin.")] = 60,
    world: World = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show questions on one HTML page: pictures with boxes, the steps of programs, twins side by side."""
    from recombine import workbench
    from recombine.files import check_writable

    check_writable(out)
    with terminal(quiet=quiet):
        result = workbench.scenes_page(file, examples=examples, world=world, seed=seed)
    result.write(out)

    def show(console: Console) -> None:
        console.print(f"{result} → {out}", soft_wrap=True)

    print_result({**result.to_dict(), "file": str(out)}, show, as_json=as_json)


@app.command("prompts")
def prompts(
    file: File,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The lines {id, images, messages} to write.")] = None,
    split: Annotated[
        str | None, typer.Option(metavar="SPLIT", help="A split whose part is asked; default: the field part.")
    ] = None,
    part: Annotated[str, typer.Option(help="The part whose questions are asked, or all.")] = "test",
    wording: Annotated[str, typer.Option(help="What is asked: generated, paraphrase or both.")] = "generated",
    pictures: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The folder of the pictures, where it is not beside the data.")
    ] = None,
    world: World = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write prompts for a model that looks at pictures; `score --on answer` reads what it answers."""
    from recombine import workbench
    from recombine.files import check_writable

    if out is not None:
        check_writable(out)
    with terminal(quiet=quiet):
        result = workbench.scenes_prompts(file, split=split, part=part, wording=wording, pictures=pictures, world=world)
        if out is not None:
            result.write(out)

    def show(console: Console) -> None:
        console.print(f"{result}{f' → {out}' if out is not None else ''}", soft_wrap=True)

    print_result({**result.to_dict(), "file": None if out is None else str(out)}, show, as_json=as_json)


@app.command("hand-off")
def hand_off(
    file: File,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The items to write, or with --answers the data that is kept.")
    ] = None,
    part: Annotated[str, typer.Option(help="The part whose questions people look at, or all.")] = "test",
    answers: Annotated[
        str | None, typer.Option(metavar="FILE", help="What came back: lines {item, verdict} and {item, paraphrase}.")
    ] = None,
    world: World = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write items for people to validate and paraphrase, or read back what they said of them."""
    from recombine import workbench
    from recombine.files import check_writable

    if out is not None:
        check_writable(out)
    with terminal(quiet=quiet):
        result = workbench.scenes_hand_off(file, part=part, answers=answers, world=world)
        if out is not None:
            result.write(out)

    def show(console: Console) -> None:
        console.print(f"{result}{f' → {out}' if out is not None else ''}", soft_wrap=True)

    print_result({**result.to_dict(), "file": None if out is None else str(out)}, show, as_json=as_json)


@app.command("name-pairs")
def name_pairs(
    origin: Annotated[
        str, typer.Argument(metavar="ontology|DIR", help="The synthetic world's ontology, or GQA's two hierarchies.")
    ],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The CSV file to write.")] = None,
    most: Annotated[int, typer.Option(help="The most pairs of nouns, and of attributes.")] = 6000,
    ratio: Annotated[
        float, typer.Option(help="How many pairs of the more frequent answer for one of the rarer.")
    ] = 1.0,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write labelled pairs of names, from what is known of them, for `scenes exclusion` to learn from."""
    from recombine import workbench
    from recombine.files import check_writable

    if out is not None:
        check_writable(out)
    with terminal(quiet=quiet):
        result = workbench.scenes_name_pairs(origin, most=most, ratio=ratio, seed=seed)
    if out is not None:
        result.write(out)

    def show(console: Console) -> None:
        console.print(f"{result}{f' → {out}' if out is not None else ''}", soft_wrap=True)

    print_result({**result.to_dict(), "file": None if out is None else str(out)}, show, as_json=as_json)


@app.command("exclusion")
def exclusion(
    pairs: Annotated[
        str, typer.Argument(metavar="PAIRS.csv", help="Labelled pairs: columns kind, asked, seen, excludes.")
    ],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The folder to write, for generate scenes --exclusion.")
    ] = None,
    encoder: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A local directory of transformers that encodes names.")
    ] = None,
    held_out: Annotated[float, typer.Option(help="The share of pairs, and of names, that figures are from.")] = 0.2,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Learn which names exclude each other, and say how well pairs that were held out are told."""
    from recombine import workbench
    from recombine.files import check_writable

    if out is not None:
        check_writable(out / "exclusion.json" if out.is_dir() else out)
    with terminal(quiet=quiet):
        result = workbench.scenes_exclusion(pairs, encoder=encoder, held_out=held_out, seed=seed)
    if out is not None:
        result.write(out)

    def show(console: Console) -> None:
        _show_exclusion(console, result)
        if out is not None:
            console.print(f"written to {out}", soft_wrap=True)
        console.print(str(result.signature), soft_wrap=True)

    print_result({**result.to_dict(), "folder": None if out is None else str(out)}, show, as_json=as_json)


def _show_exclusion(console: Console, result: ScenesExclusion) -> None:
    """How well held-out pairs are told, beside the more frequent answer and the paper."""
    from recombine.workbench.scenes_exclusion import PAPER

    console.print(f"{'held out':12}{'learned':>9}{'pairs':>8}{'right':>8}{'majority':>10}{'paper':>8}", end="")
    console.print(f"{'name unseen':>14}{'right':>8}{'majority':>10}")
    for each in result.held_out:
        console.print(
            f"{each.kind + 's':12}{each.learned:>9,}{each.pairs:>8,}{each.accuracy:>8.1%}{each.majority:>10.1%}"
            f"{PAPER[each.kind]:>8.1%}{each.unseen_pairs:>14,}{each.unseen_accuracy:>8.1%}{each.unseen_majority:>10.1%}"
        )
