"""The fields of an item of the release (CFQ paper, App. A), and where they stand.

An example has them flat, as tags: what `complexityMeasures` holds stands beside the rest, for `questionTemplate` and
`recursionDepth` are in it in the release and outside in the paper. Rules are listed as `ruleIds` in the release and as
`aggregatedRuleInfo` in the paper. They are a tag where they are not simply the rules of the tree in order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.datasets.release.rule_ids import read_rule_id
from recombine.errors import DerivationError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.datasets.files.rows import PlacedRecord

SOURCE, TARGET = "questionPatternModEntities", "sparqlPatternModEntities"
"""The texts that models are given: entities are M0, M1 … (as `question` and `query` on the Hugging Face hub)."""
OURS = ("source", "target")
SOURCES, TARGETS = (SOURCE, OURS[0], "question"), (TARGET, OURS[1], "sparql")
"""The fields to read where none is named: the first that there is."""
TEXTS = (
    *("question", "questionWithBrackets", "questionWithMids", SOURCE, "questionTemplate"),
    *("expectedResponse", "expectedResponseWithMids"),
    *("sparql", TARGET, "sparqlPattern"),
)
MEASURES = (
    *("npAndNestingDepth", "parseTreeLeafCount", "parseTreeRuleCount", "questionTemplate", "recursionDepth"),
    *("sparqlMaximumChainLength", "sparqlMaximumDegree", "sparqlNumConstraints", "sparqlNumVariables"),
)
"""What is written into `complexityMeasures`, as in the released file; any field there is read."""
COMPLEXITY, TREE, RULES, RULES_IN_PAPER = "complexityMeasures", "ruleTree", "ruleIds", "aggregatedRuleInfo"
DERIVATION = "derivation"
MARKS = (SOURCE, TARGET, "questionWithMids", TREE, RULES_IN_PAPER)
"""The fields that tell an item of the release: each is in no other kind of file."""


def is_item(record: Mapping[str, Any]) -> bool:
    """Whether a record is an item of the release, by its fields."""
    return any(mark in record for mark in MARKS)


def flatten(row: PlacedRecord) -> None:
    """Put what the complexity measures hold beside the other fields; what stands in both places must agree."""
    record = row.record
    measures = record.pop(COMPLEXITY, None)
    if measures is None:
        return
    if not isinstance(measures, dict):
        raise row.fault(f"the field {COMPLEXITY!r} is not a JSON object", "write it as {…}")
    for name, value in measures.items():
        if name in (COMPLEXITY, TREE, RULES, RULES_IN_PAPER, DERIVATION):
            raise row.fault(f"the field {name!r} stands inside of {COMPLEXITY}", "put it beside that")
        if name in record and record[name] != value:
            raise row.fault(f"the field {name!r} differs from that inside of {COMPLEXITY}", "leave out one of them")
        record[name] = value


def take_rules(row: PlacedRecord) -> list[str] | None:
    """The rules that an item lists, by name and in order; none where it lists none."""
    listed = row.record.pop(RULES, None)
    info = row.record.get(RULES_IN_PAPER)
    if isinstance(info, dict) and info.keys() == {"ruleId"}:
        del row.record[RULES_IN_PAPER]
        if listed is not None and listed != info["ruleId"]:
            raise row.fault(f"{RULES} and {RULES_IN_PAPER} list different rules", "leave out one of them")
        listed = info["ruleId"]
    if listed is None:
        return None
    if not isinstance(listed, list):
        raise row.fault(f"the field {RULES!r} is not a list", "write it as […]")
    try:
        return [read_rule_id(rule) for rule in listed]
    except DerivationError as error:
        raise row.fault(error.problem, error.remedy) from None
