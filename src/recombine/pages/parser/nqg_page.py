"""The page on a parser with a grammar: its rules, how it does, and derivations of test examples as linked trees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.evaluation.match.judge import Verdict
from recombine.models.nqg.rule import render
from recombine.pages.drawing.number_texts import percent
from recombine.pages.drawing.page import render_page
from recombine.pages.parser.derivation_figure import MOST, derivation_figure
from recombine.pages.parser.nqg_data import KINDS, kind_of
from recombine.pages.parser.outcome_figure import outcome_figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.models.nqg.rule import Symbol
    from recombine.pages.parser.nqg_data import NqgData, Tested

RULES = 500
"""The most rules that the table lists, the most used first."""


def render_nqg(data: NqgData) -> bytes:
    """The page as a file."""
    return render_page(
        "nqg.html",
        styles=("report.css", "nqg.css"),
        script="nqg.js",
        browser={},
        filters={"side": _side},
        title=f"{data.dataset.name}: a grammar, and what it parses",
        data=data,
        tiles=_tiles(data),
        figures=_figures(data),
        rules=data.rules[:RULES],
        counted=bool(data.grammar.uses),
        examples=[_example(data.tested[place], data) for place in data.kept],
        kinds=list(KINDS),
        most=MOST,
    )


def _tiles(data: NqgData) -> list[dict[str, str]]:
    tally = data.tally
    precision = "–" if tally.precision is None else percent(tally.precision)
    return [
        {"value": percent(tally.coverage), "label": "coverage: examples with an output"},
        {"value": precision, "label": "precision: right outputs among outputs"},
        {"value": percent(tally.accuracy), "label": "accuracy: examples with a right output"},
        {"value": percent(data.oracle), "label": "oracle: examples whose gold target the grammar derives"},
    ]


def _figures(data: NqgData) -> list[dict[str, Any]]:
    """The pictures by length and by local structure, each with its numbers."""
    groupings = [
        (data.lengths, "length", "By length", "words of the source"),
        (data.easiness, "easiness", "By easiness", "easiness of the gold program"),
        (data.unseen, "unseen", "By unseen structures", "local structures of the gold program that train lacks"),
    ]
    return [
        {
            "title": title,
            "across": across,
            "groups": groups,
            "picture": outcome_figure(groups, name=name, title=title, across=across),
        }
        for groups, name, title, across in groupings
        if groups
    ]


def _side(symbols: Sequence[Symbol]) -> list[tuple[str, int]]:
    """The words of one side of a rule, each with the number of its slot, 0 for a token."""
    return [(render([symbol]), symbol if isinstance(symbol, int) else 0) for symbol in symbols]


def _example(entry: Tested, data: NqgData) -> dict[str, Any]:
    """What the template needs of one example."""
    decoded = entry.decoded
    drawn = None if decoded.derivation is None else derivation_figure(decoded.derivation, data.grammar.rules)
    return {
        "id": entry.example.id,
        "source": entry.example.source,
        "gold": entry.example.target,
        "output": decoded.target,
        "kind": kind_of(entry.verdict),
        "outcome": _outcome(entry),
        "derived": decoded.derivation is not None,
        "trees": drawn,
    }


def _outcome(entry: Tested) -> str:
    """What became of an example, in a sentence."""
    tried, derives = entry.decoded.tried, "derives" if entry.derives_gold else "does not derive"
    gold = f"The grammar {derives} the gold target."
    if entry.verdict is Verdict.RIGHT:
        return "Right." if tried == 1 else f"Right: the first of {tried:,} derivations, by score, with a valid target."
    if entry.verdict is Verdict.ABSTAINED:
        if tried == 0:
            return "Abstained: the grammar has no derivation of this source."
        return f"Abstained: of {tried:,} derivations tried, none has a valid target. {gold}"
    return f"{'Malformed' if entry.verdict is Verdict.MALFORMED else 'Wrong'}. {gold}"
