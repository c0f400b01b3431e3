"""A small file in the form of the release, made here: nested trees, fields in either place, other scripts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

Item = dict[str, Any]


def rule(text: str, rule_type: str = "GRAMMAR_RULE") -> dict[str, str]:
    return {"type": rule_type, "stringValue": text}


def tree(text: str, *below: Item, rule_type: str = "GRAMMAR_RULE", key: str = "subTrees") -> Item:
    return {"ruleId": rule(text, rule_type), **({key: list(below)} if below else {})}


# App. A of the CFQ paper: its own names and places, with a tree that has an end where the paper has an ellipsis.
PAPER: Item = {
    "question": "Did Agustin Almodovar executive produce Deadfall",
    "questionWithBrackets": "Did [Agustin Almodovar] executive produce [Deadfall]",
    "questionWithMids": "Did m.04lhs01 executive produce m.0gx0plf",
    "questionPatternModEntities": "Did M0 executive produce M1",
    "questionTemplate": "Did [entity] [VP_SIMPLE] [entity]",
    "expectedResponse": "No",
    "sparql": "SELECT count(*) WHERE {\nns:m.04lhs01 ns:film.producer.films_executive_produced ns:m.0gx0plf\n}",
    "sparqlPatternModEntities": "SELECT count(*) WHERE {\nM0 ns:film.producer.films_executive_produced M1\n}",
    "sparqlPattern": "SELECT count(*) WHERE {\nM0 P0 M1\n}",
    "complexityMeasures": {
        "parseTreeLeafCount": 5,
        "parseTreeRuleCount": 12,
        "sparqlMaximumChainLength": 2,
        "sparqlMaximumDegree": 1,
        "sparqlNumConstraints": 1,
        "sparqlNumVariables": 0,
    },
    "aggregatedRuleInfo": {"ruleId": [rule("ENTITY_MID", "SPARQL_GENERATION"), rule("S=YNQ")]},
    "ruleTree": tree(
        "CONCEPT_TO_SPARQL",
        tree("S=YNQ", tree("YNQ=DID_DP_VP_INDIRECT", key="subTree"), key="subTree"),
        rule_type="SPARQL_GENERATION",
        key="subTree",
    ),
}


def released(number: int) -> Item:
    """An item as the released file has them: `questionTemplate` and `recursionDepth` among the measures."""
    top = tree("JOIN_BY_LOGICAL_FORM", tree("S=WHQ", tree("WHQ=WHO"), tree("VP=V", tree(f"V={number % 3}"))))
    return {
        "complexityMeasures": {
            "parseTreeLeafCount": number,
            "questionTemplate": "Who [VP_SIMPLE] [entity]",
            "recursionDepth": 5,
        },
        "expectedResponse": 'Almodóvar, "東京"\\',
        "question": f"Who edited {{Film}} {number}",
        "questionPatternModEntities": f"Who edited M{number}",
        "ruleIds": [rule(text) for text in ("JOIN_BY_LOGICAL_FORM", "S=WHQ", "WHQ=WHO", "VP=V", f"V={number % 3}")],
        "ruleTree": top,
        "sparqlPatternModEntities": f"SELECT DISTINCT ?x0 WHERE {{\n?x0 ns:film.editor.film M{number}\n}}",
    }


def items(number: int = 3) -> list[Item]:
    return [released(n) for n in range(number)]


def write(path: Path, data: object, *, indent: bool = True) -> Path:
    path.write_bytes(orjson.dumps(data, option=orjson.OPT_INDENT_2 if indent else 0))
    return path
