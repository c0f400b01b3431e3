"""Measured values as a table, one column per split, and below it why some are missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.measures.floors.random_floor import floor_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from rich.console import Console
    from rich.table import Table

Row = tuple[str, "Callable[[Mapping[str, Any]], str]"]


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _sizes(values: Mapping[str, Any]) -> str:
    return " / ".join(f"{values[part]:,}" for part in ("train", "dev", "test", "gen") if part in values)


def _sides(key: str) -> Callable[[Mapping[str, Any]], str]:
    return lambda values: f"{_number(values[key]['source'])} / {_number(values[key]['target'])}"


def _variety(side: str) -> Callable[[Mapping[str, Any]], str]:
    def text(values: Mapping[str, Any]) -> str:
        patterns = values["patterns"][side]
        return f"{patterns['number']} / {patterns['effective']:.1f} / {patterns['top_share']:.3f}"

    return text


def _duplicates(values: Mapping[str, Any]) -> str:
    counts = values["duplicates"]
    return f"{counts['pairs']:,} / {counts['sources']:,} / {counts['targets']:,}"


def _compound_divergence(values: Mapping[str, Any]) -> str:
    """The value, and beside it what random splits of the same sizes have."""
    text, floor = _number(values.get("compound_divergence")), values.get("random_compound_divergence")
    return text if floor is None else f"{text} (random {floor_text(floor)})"


COMPOUND_ROW = "compound divergence D_C"
UNSEEN_ROW = "examples with unseen atoms"
ROWS: tuple[Row, ...] = (
    ("sizes of parts", _sizes),
    ("measured: train against", lambda v: str(v["against"])),
    ("atom divergence D_A", lambda v: _number(v.get("atom_divergence"))),
    (COMPOUND_ROW, _compound_divergence),
    (UNSEEN_ROW, lambda v: f"{v['unseen_atom_examples']:,}" if "unseen_atom_examples" in v else "–"),
    ("patterns covered, source / target", _sides("pattern_coverage")),
    ("length ratio, source / target", _sides("length_ratio")),
    ("source patterns: number / effective / top share", _variety("source")),
    ("target patterns: number / effective / top share", _variety("target")),
    ("in train verbatim: pairs / sources / targets", _duplicates),
)
BY_KIND = "compound_divergences"
"""The values of each kind stand under the row of compounds, where they are of several."""
EXPECTED_ROW = "expected accuracy of a small model"
"""Stands after the rows that every split has, where some split is like those of the calibration."""
WITHOUT_ROW = "examples without compounds, of both parts"
"""Stands after that of unseen atoms, where some example holds no compound."""
ITEM_ROWS = (
    ("covered: question templates / query patterns", "pattern_coverage", "questionTemplate", "sparqlPattern"),
    ("ratio of leaves / of constraints", "length_ratio", "parseTreeLeafCount", "sparqlNumConstraints"),
)
"""What CFQ's own fields give, where examples have them: a label, the kind of value, the fields of both sides."""


NEAR_ROW = "nearly in train: examples / pairs of texts"
"""Where a threshold for near duplicates is given."""


def _expected(values: Mapping[str, Any]) -> str:
    from recombine.measures.expected.expected_accuracy import expected_text

    return expected_text(values["expected_accuracy"]) if "expected_accuracy" in values else "–"


def _near_duplicates(values: Mapping[str, Any]) -> str:
    near = values.get("near_duplicates")
    return "–" if near is None else f"{near['examples']:,} / {near['pairs']:,}"


def _without_compounds(values: Mapping[str, Any]) -> str:
    """How many examples of train and of the part it is compared with hold no compound, and their shares."""
    if "compound_divergence" not in values:
        return "–"
    counts = values.get("without_compounds", {})
    texts = []
    for part in ("train", values["against"]):
        number = counts.get(part, 0)
        texts.append(f"{number:,} ({number / values[part]:.0%})" if number else "0")
    return " / ".join(texts)


def _item_fields(values: Mapping[str, Any], key: str, *names: str) -> str:
    fields = values.get("item_fields", {}).get(key, {})
    return " / ".join(_number(fields.get(name)) for name in names)


def measured_table(columns: Mapping[str, Mapping[str, Any]]) -> Table:
    """A table of measured values, one column per split; further measures stand last."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from recombine.measures.known import measure_names, measure_text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    for name in columns:
        table.add_column(name, justify="right")
    for label, text in ROWS:
        table.add_row(label, *(text(values) for values in columns.values()))
        if label == COMPOUND_ROW:
            kinds = dict.fromkeys(kind for values in columns.values() for kind in values.get(BY_KIND, ()))
            for kind in kinds:
                table.add_row(f"  {kind}", *(_number(values.get(BY_KIND, {}).get(kind)) for values in columns.values()))
        if label == UNSEEN_ROW and any("without_compounds" in values for values in columns.values()):
            table.add_row(WITHOUT_ROW, *(_without_compounds(values) for values in columns.values()))
    if any("expected_accuracy" in values for values in columns.values()):
        table.add_row(EXPECTED_ROW, *map(_expected, columns.values()))
    if any("near_duplicates" in values for values in columns.values()):
        table.add_row(NEAR_ROW, *map(_near_duplicates, columns.values()))
    if any("item_fields" in values for values in columns.values()):
        for label, *path in ITEM_ROWS:
            table.add_row(label, *(_item_fields(values, *path) for values in columns.values()))
    for name in measure_names(list(columns.values())):
        table.add_row(name, *(measure_text(values.get("measures", {}).get(name)) for values in columns.values()))
    return table


def said(measured: Mapping[str, Any]) -> tuple[str, ...]:
    """The sentences that belong to measured values: warnings, then why some are missing."""
    return (*measured.get("warnings", ()), *measured["not_measured"])


def print_sentences(console: Console, sentences: Iterable[str]) -> None:
    """A line under the table for each."""
    for sentence in sentences:
        console.print(sentence, style="yellow", soft_wrap=True)
