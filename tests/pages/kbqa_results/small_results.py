"""A study of seven questions over three films, whose outputs stand here: everything on its page can be counted."""

from __future__ import annotations

from pathlib import Path

import orjson

from recombine.models.task import CellOutcome
from recombine.studies.cells.plan import make_plan
from recombine.studies.cells.results import store_outcome

FILMS = Path(__file__).parents[3] / "docs" / "examples" / "films.ttl"
QUESTIONS = {
    "t1": ("who directed Tin Boat?", "(JOIN (R directed_by) Tin_Boat)", {"Tin_Boat": "Tin Boat"}),
    "t2": ("which films did Bo Else direct?", "(JOIN directed_by Bo_Else)", {"Bo_Else": "Bo Else"}),
    "a": ("who directed Red Kite?", "(JOIN (R directed_by) Red_Kite)", {"Red_Kite": "Red Kite"}),
    "b": ("who directed Long Day?", "(JOIN (R directed_by) Long_Day)", {"Long_Day": "Long Day"}),
    "c": ("which films did Ann Other direct?", "(JOIN directed_by Ann_Other)", {"Ann_Other": "Ann Other"}),
    "d": ("how many films did Ann Other direct?", "(COUNT (JOIN directed_by Ann_Other))", {"Ann_Other": "Ann Other"}),
    "e": ("when was <b>Long Day</b> released?", "(JOIN (R released) Long_Day)", {"Long_Day": "Long Day"}),
    "f": ("what is the sequel of Red Kite?", "(JOIN sequel_of Red_Kite)", {"Red_Kite": "Red Kite"}),
    "g": (
        "who directed a film of Ann Other?",
        "(JOIN (R directed_by) (JOIN directed_by Ann_Other))",
        {"Ann_Other": "Ann Other"},
    ),
}
"""Two to learn from; of the others a, b and c are i.i.d., g is compositional, and d, e and f are zero-shot."""
TEST = "abcdefg"
STUDY = """
name = "films"
description = "Films & <forms>"
seeds = [0, 1]
[[data]]
file = "films.jsonl"
language = "sexpression"
world = "films.ttl"
measure = false
[[split]]
name = "three levels"
file = "films.split.json"
[[model]]
name = "ranks"
preset = "kbqa:small"
[[model]]
name = "ranks-gold"
preset = "kbqa:small"
links = "gold"
[[model]]
name = "writes"
preset = "kbqa:small"
inference = "transduction"
[[model]]
name = "writes-all"
preset = "kbqa:small"
inference = "transduction"
vocabulary = "whole"
[[model]]
preset = "kbqa-overlap"
seeds = [0]
"""
WRONG = {
    "ranks/three levels/0": {
        "b": "(JOIN (R sequel_of) Long_Day)",
        "d": "(JOIN directed_by Ann_Other)",
        "f": "",
    },
    "ranks/three levels/1": {"f": "(JOIN sequel_of"},
    "ranks-gold/three levels/0": {},
    "writes/three levels/0": {},
    "writes/three levels/1": {"a": "(JOIN (R directed_by) Tin_Boat)"},
    "writes-all/three levels/0": dict.fromkeys(TEST, ""),
    "kbqa-overlap/three levels/0": {"a": "", "g": ""},
}
"""The cells that are done, by what they have wrong; all else is their gold form."""


def write_study(folder: Path) -> Path:
    """The study with its data and results in a folder."""
    rows = [
        {"id": key, "source": source, "target": target, "topic_entity": names}
        for key, (source, target, names) in QUESTIONS.items()
    ]
    (folder / "films.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    (folder / "films.ttl").write_bytes(FILMS.read_bytes())
    (folder / "films.split.json").write_bytes(orjson.dumps({"train": [0, 1], "test": [*range(2, 9)]}))
    path = folder / "films.toml"
    path.write_text(STUDY)
    plan = make_plan(path)
    for cell in plan.cells:
        if cell.name in WRONG:
            outputs = tuple(WRONG[cell.name].get(key, QUESTIONS[key][1]) for key in TEST)
            store_outcome(plan.results, cell, plan.datasets[cell.data], CellOutcome(outputs))
    return path
