"""The errors of a score as tables, for `recombine score --errors`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from recombine.evaluation.errors.breakdown import Breakdown
    from recombine.evaluation.errors.lengths import LengthGroup, Lengths
    from recombine.evaluation.errors.rare_atoms import RareAtoms
    from recombine.evaluation.errors.zero_probability import ZeroProbability

NONE = "–"


def error_tables(errors: Breakdown) -> Iterator[Table]:
    """The tables that there is something to put into."""
    yield length_table(errors.lengths)
    yield error_table(errors)
    for columns, rows in errors.language_tables:
        table = _table(*columns)
        for row in rows:
            table.add_row(*row)
        yield table


def length_table(lengths: Lengths) -> Table:
    """Accuracy and lengths of wrong outputs by the length of the gold program."""
    table = _table("symbols of the gold program", "n", "accuracy", "wrong", "its gold", "its output", "length")
    for group in lengths.groups:
        table.add_row(*_group_row(group))
    table.add_section()
    table.add_row("all", *_group_row(lengths.whole)[1:])
    return table


def _group_row(group: LengthGroup) -> list[str]:
    lengths = str(group.shortest) if group.shortest == group.longest else f"{group.shortest} to {group.longest}"
    means = [NONE if mean is None else f"{mean:.1f}" for mean in (group.gold_of_wrong, group.wrong_output)]
    return [lengths, f"{group.n:,}", f"{group.accuracy:.3f}", f"{group.wrong:,}", *means, _difference(group.too_short)]


def error_table(errors: Breakdown) -> Table:
    """How long wrong outputs are, and what of their gold programs train does not show."""
    table = _table("wrong outputs and train", "value", "count")
    lengths = errors.lengths
    counts = f"{lengths.shorter:,} / {lengths.same:,} / {lengths.longer:,}"
    table.add_row("wrong: shorter / as long / longer than gold", "", counts)
    table.add_row("their length over gold's, median", _value(lengths.median_ratio), f"{lengths.whole.wrong:,} wrong")
    if lengths.longest_train is not None:
        table.add_row(
            "longest program of train / longest output", "", f"{lengths.longest_train} / {lengths.longest_output}"
        )
        table.add_row(
            "longer than all of train: gold / outputs",
            "",
            f"{lengths.gold_beyond_train:,} / {lengths.output_beyond_train:,}",
        )
    if errors.zero_probability is not None:
        _add_zero(table, errors.zero_probability)
    if errors.first_errors is not None:
        first = errors.first_errors
        table.add_row(
            "first wrong token completes a structure new to train",
            _value(first.share),
            f"{first.completed:,} of {first.asked:,} wrong with one",
        )
    if errors.rare_atoms is not None:
        _add_atoms(table, errors.rare_atoms)
    return table


def _add_zero(table: Table, zero: ZeroProbability) -> None:
    right = zero.outputs - zero.abstained - zero.wrong
    table.add_row(
        "first wrong symbol: gold has zero probability",
        _value(zero.share),
        f"{zero.at_first_error:,} of {zero.wrong:,} wrong",
    )
    for name, part, whole in (("wrong", zero.wrong_with, zero.wrong), ("right", zero.right_with, right)):
        share = part / whole if whole else None
        table.add_row(f"zero probability anywhere in gold, of {name}", _value(share), f"{part:,} of {whole:,} {name}")


def _add_atoms(table: Table, atoms: RareAtoms) -> None:
    rows = {"accuracy with an unseen atom": atoms.unseen, "accuracy without": atoms.no_unseen}
    for name, subset in rows.items():
        table.add_row(name, _value(subset.accuracy), f"{subset.right:,} of {subset.n:,}")
    errors = atoms.once.wrong + atoms.no_once.wrong
    count = f"{atoms.once.wrong:,} of {errors:,} errors"
    table.add_row("gold has an atom of one train example", _value(atoms.errors_with_once), count)
    entries = atoms.once.n + atoms.no_once.n
    table.add_row("the same, of all", _value(atoms.once.n / entries), f"{atoms.once.n:,} of {entries:,}")


def _table(first: str, *others: str) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(first)
    for name in others:
        table.add_column(name, justify="right")
    return table


def _value(share: float | None) -> str:
    return NONE if share is None else f"{share:.3f}"


def _difference(too_short: float | None) -> str:
    """By what share of gold's length wrong outputs differ from it, in words: they may be many times as long."""
    if too_short is None:
        return NONE
    word = "too short" if too_short > 0 else "too long" if too_short < 0 else "off"
    return f"{100 * abs(too_short):.1f} % {word}"
