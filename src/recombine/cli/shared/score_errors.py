"""The errors of a score as tables, for `recombine score --errors`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from recombine.evaluation.errors.breakdown import Breakdown
    from recombine.evaluation.errors.lengths import LengthGroup, Lengths
    from recombine.evaluation.errors.rare_atoms import RareAtoms
    from recombine.evaluation.errors.sparql_errors import SparqlErrors
    from recombine.evaluation.errors.zero_probability import ZeroProbability

NONE = "–"


def error_tables(found: Breakdown) -> Iterator[Table]:
    """The tables that there is something to put into."""
    yield length_table(found.lengths)
    yield error_table(found)
    if found.sparql is not None:
        yield clause_table(found.sparql)
        yield outcome_table(found.sparql)


def length_table(found: Lengths) -> Table:
    """Accuracy and lengths of wrong outputs by the length of the gold program."""
    table = _table("symbols of the gold program", "n", "accuracy", "wrong", "its gold", "its output", "length")
    for group in found.groups:
        table.add_row(*_group_row(group))
    table.add_section()
    table.add_row("all", *_group_row(found.whole)[1:])
    return table


def _group_row(group: LengthGroup) -> list[str]:
    lengths = str(group.shortest) if group.shortest == group.longest else f"{group.shortest} to {group.longest}"
    means = [NONE if mean is None else f"{mean:.1f}" for mean in (group.gold_of_wrong, group.wrong_output)]
    return [lengths, f"{group.n:,}", f"{group.accuracy:.3f}", f"{group.wrong:,}", *means, _difference(group.too_short)]


def error_table(found: Breakdown) -> Table:
    """How long wrong outputs are, and what of their gold programs train does not show."""
    table = _table("wrong outputs and train", "value", "count")
    lengths = found.lengths
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
    if found.zero_probability is not None:
        _add_zero(table, found.zero_probability)
    if found.rare_atoms is not None:
        _add_atoms(table, found.rare_atoms)
    return table


def _add_zero(table: Table, found: ZeroProbability) -> None:
    right = found.outputs - found.abstained - found.wrong
    table.add_row(
        "first wrong symbol: gold has zero probability",
        _value(found.share),
        f"{found.at_first_error:,} of {found.wrong:,} wrong",
    )
    for name, part, whole in (("wrong", found.wrong_with, found.wrong), ("right", found.right_with, right)):
        share = part / whole if whole else None
        table.add_row(f"zero probability anywhere in gold, of {name}", _value(share), f"{part:,} of {whole:,} {name}")


def _add_atoms(table: Table, found: RareAtoms) -> None:
    rows = {"accuracy with an unseen atom": found.unseen, "accuracy without": found.no_unseen}
    for name, subset in rows.items():
        table.add_row(name, _value(subset.accuracy), f"{subset.right:,} of {subset.n:,}")
    errors = found.once.wrong + found.no_once.wrong
    count = f"{found.once.wrong:,} of {errors:,} errors"
    table.add_row("gold has an atom of one train example", _value(found.errors_with_once), count)
    entries = found.once.n + found.no_once.n
    table.add_row("the same, of all", _value(found.once.n / entries), f"{found.once.n:,} of {entries:,}")


def clause_table(found: SparqlErrors) -> Table:
    """Table 7 of the CFQ paper: examples with an error of each kind, in per cent."""
    table = _table(
        "with an error, %", "clause", "ins", "del", "prop", "node", "both", "filter", "ins", "del", "sub", "malformed"
    )
    table.add_row(f"of all {found.n:,}", *_clause_row(found.table(found.n)))
    if found.errors:
        table.add_row(f"of {found.errors:,} errors", *_clause_row(found.table(found.errors)))
    table.add_row("per gold clause", *_clause_row(found.per_clause()))
    return table


def _clause_row(values: dict[str, Any]) -> list[str]:
    clause, filters = values["clause"], values["filter"]
    cells = [clause["sum"], clause["insertion"], clause["deletion"], *clause["substitution"].values()]
    cells += [filters["sum"], filters["insertion"], filters["deletion"], filters["substitution"]]
    return ["" if cell is None else f"{100 * cell:.1f}" for cell in [*cells, values.get("malformed")]]


def outcome_table(found: SparqlErrors) -> Table:
    """What became of the outputs, as one outcome each."""
    table = _table("query", "%", "count")
    for outcome, count in found.outcomes.items():
        table.add_row(_OUTCOMES[outcome.value], f"{100 * count / found.n:.1f}", f"{count:,}")
    return table


_OUTCOMES = {
    "right": "the gold text",
    "same clauses": "same clauses, in another order or repeated",
    "renamed": "equal but for names of variables",
    "other head": "same clauses under another SELECT",
    "clauses": "other clauses or filters",
    "malformed": "malformed",
    "abstained": "no output",
}


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
