"""The table of measured values (after Table 3 of the CFQ paper): rows are measures, columns are splits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.measures.expected.expected_accuracy import expected_text
from recombine.measures.floors.random_floor import floor_text
from recombine.measures.known import measure_names, measure_text
from recombine.pages.drawing.number_texts import Value, value_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


@dataclass(frozen=True)
class MeasureRow:
    """One measure: its name in files, its label and explanation on the page, and one value per split."""

    key: str
    label: str
    explanation: str
    values: tuple[Value | str, ...]
    bar: bool = False
    """Whether the values lie between 0 and 1 and are drawn as bars."""
    digits: int = 3

    def texts(self) -> list[str]:
        """The values as they are shown."""
        return [value if isinstance(value, str) else value_text(value, self.digits) for value in self.values]


@dataclass(frozen=True)
class MeasureGroup:
    """Rows that belong together, under one heading."""

    title: str
    rows: tuple[MeasureRow, ...]


def table(measured: Sequence[Mapping[str, Any]], against: str) -> tuple[MeasureGroup, ...]:
    """The groups of the table for the measured values of one or several splits."""

    def row(key: str, label: str, explanation: str, *, bar: bool = False, digits: int = 3) -> MeasureRow:
        return MeasureRow(key, label, explanation, tuple(_get(values, key) for values in measured), bar, digits)

    parts = list(dict.fromkeys(name for values in measured for name in _parts(values)))
    groups = [MeasureGroup("Examples", tuple(row(name, name, "") for name in parts))]
    without = any("without_compounds" in values for values in measured)
    groups.append(_divergences(row, against, [*_by_kind(measured), *_floors(measured)], without=without))
    sides = (("source", "source"), ("target", "target"))
    covered = f"share of {against}’s distinct patterns that train has"
    ratio = f"mean words in train over mean words in {against}"
    groups += [
        MeasureGroup("Patterns covered", tuple(row(f"pattern_coverage.{s}", t, covered, bar=True) for s, t in sides)),
        MeasureGroup("Length ratio", tuple(row(f"length_ratio.{s}", t, ratio) for s, t in sides)),
        MeasureGroup(
            f"Patterns of {against}",
            tuple(
                row(f"patterns.{side}.{key}", f"{name}: {label}", explanation, digits=digits)
                for side, name in sides
                for key, label, explanation, digits in (
                    ("number", "distinct", "", 0),
                    ("effective", "effective number", "the exponential of the entropy", 1),
                    ("top_share", "top share", "share of the most frequent", 3),
                )
            ),
        ),
        MeasureGroup(
            f"{against.capitalize()} examples verbatim in train",
            tuple(
                row(f"duplicates.{key}", label, "")
                for key, label in (("pairs", "same pair"), ("sources", "same source"), ("targets", "same target"))
            ),
        ),
    ]
    if any("expected_accuracy" in values for values in measured):
        groups.append(_expected(measured))
    if any("near_duplicates" in values for values in measured):
        near = f"almost the words of the source and the tokens of the target; {against} examples, and pairs of texts"
        groups.append(
            MeasureGroup(
                "Near duplicates in train",
                tuple(row(f"near_duplicates.{key}", key, near) for key in ("examples", "pairs")),
            )
        )
    if any("item_fields" in values for values in measured):
        groups.append(_item_fields(row, against))
    further = tuple(
        MeasureRow(f"measures.{name}", name, "", tuple(_further(values, name) for values in measured))
        for name in measure_names(measured)
    )
    return (*groups, MeasureGroup("Further measures", further)) if further else tuple(groups)


def _further(values: Mapping[str, Any], name: str) -> Value | str:
    """The value of a further measure; what is no number as it is written in tables."""
    value: Any = values.get("measures", {}).get(name)
    return value if value is None or type(value) in (int, float) else measure_text(value)


def _expected(measured: Sequence[Mapping[str, Any]]) -> MeasureGroup:
    """The estimate of each split that has one."""
    found = [values.get("expected_accuracy") for values in measured]
    texts = tuple(None if each is None else expected_text(each) for each in found)
    said = "an estimate of exact match for a small Transformer trained from scratch, with its 80 % interval"
    return MeasureGroup("Expected accuracy", (MeasureRow("expected_accuracy", "of a small model", said, texts),))


def _item_fields(row: Callable[..., MeasureRow], against: str) -> MeasureGroup:
    """What CFQ's own fields give, where the examples have them."""
    covered, ratio = f"share of {against}’s that train has", f"mean in train over mean in {against}"
    return MeasureGroup(
        "CFQ’s fields",
        (
            row("item_fields.pattern_coverage.questionTemplate", "question templates", covered, bar=True),
            row("item_fields.pattern_coverage.sparqlPattern", "query patterns", covered, bar=True),
            row("item_fields.length_ratio.parseTreeLeafCount", "leaves of the parse", ratio),
            row("item_fields.length_ratio.sparqlNumConstraints", "constraints of the query", ratio),
        ),
    )


def _by_kind(measured: Sequence[Mapping[str, Any]]) -> list[MeasureRow]:
    """The compound divergence of each kind, where compounds are of several."""
    key = "compound_divergences"
    kinds = dict.fromkeys(kind for values in measured for kind in values.get(key, ()))
    return [
        MeasureRow(f"{key}.{kind}", f"D_C of {kind}", "", tuple(values.get(key, {}).get(kind) for values in measured))
        for kind in kinds
    ]


def _floors(measured: Sequence[Mapping[str, Any]]) -> list[MeasureRow]:
    """The floors of the compound divergences, where there are any."""
    floors = [values.get("random_compound_divergence") for values in measured]
    texts = tuple(None if floor is None else floor_text(floor) for floor in floors)
    number = max((floor["n"] for floor in floors if floor is not None), default=0)
    said = f"mean ± spread of {number} random splits of the same sizes: the floor; the ceiling is 1"
    return [MeasureRow("random_compound_divergence", "D_C of random splits", said, texts)] if number else []


def _divergences(
    row: Callable[..., MeasureRow], against: str, further: Sequence[MeasureRow], *, without: bool
) -> MeasureGroup:
    """The divergences; where some example holds no compound, how many of each part do not."""
    lacking = [
        row(f"without_compounds.{part}", f"without compounds: {part}", f"{part} examples that hold no compound")
        for part in ("train", against)
        if without
    ]
    return MeasureGroup(
        "Divergence",
        (
            row("atom_divergence", "D_A, atoms", "0: rules are used alike; 1: no rule is shared", bar=True),
            row("compound_divergence", "D_C, compounds", "the same for combinations of rules", bar=True),
            *further,
            row("unseen_atom_examples", "unseen atoms", f"{against} examples with a rule that train lacks"),
            *lacking,
        ),
    )


def _parts(values: Mapping[str, Any]) -> list[str]:
    """The names of parts, which come first, before `against`."""
    names = list(values)
    return names[: names.index("against")]


def _get(values: Mapping[str, Any], key: str) -> Value:
    value: Any = values
    for name in key.split("."):
        value = value.get(name) if value is not None else None
    return value  # type: ignore[no-any-return]
