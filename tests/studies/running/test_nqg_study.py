"""NQG in a study: which targets are valid, and what is in the keys."""

from __future__ import annotations

from pathlib import Path

from recombine.studies.cells.results import read_outputs
from small_study import plan_of, run

PAIRS = [
    ("jump", "J"),
    ("walk", "W"),
    ("look", "L )"),
    ("jump twice", "J J"),
    ("walk twice", "W W"),
    ("look twice", "L"),
]
STUDY = """
name = "talk"

[[data]]
file = "talk.tsv"
language = "actions"
measure = false

[[split]]
file = "split.json"

[[model]]
preset = "nqg"

[[model]]
name = "any"
preset = "nqg"
targets = "any"
"""


def test_only_what_the_data_s_language_parses_is_valid_unless_said_otherwise(tmp_path: Path) -> None:
    (tmp_path / "talk.tsv").write_text("source\ttarget\n" + "".join(f"{s}\t{t}\n" for s, t in PAIRS))
    (tmp_path / "split.json").write_text('{"train": [0, 1, 2, 3, 4], "test": [5]}')
    (tmp_path / "study.toml").write_text(STUDY)
    plan = plan_of(tmp_path / "study.toml", tmp_path / "results")
    assert [cell.model.settings["targets"] for cell in plan.cells] == ["parsable", "any"]
    assert len({cell.key for cell in plan.cells}) == 2
    records = run(tmp_path / "study.toml", tmp_path / "results").records
    assert [record["model"]["revision"] for record in records] == [2, 2]
    outputs = [row["prediction"] for record in records for row in read_outputs(tmp_path / "results", record)]
    assert outputs == ["", "L ) L )"]  # a bracket is in no sequence of actions
