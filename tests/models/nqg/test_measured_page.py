"""docs/nqg.md and README.md say what was measured: coverage beside each zero, the default beside the paper."""

from __future__ import annotations

import importlib.util
import json
import re
import statistics
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
GEOQUERY = ("standard", "template_1", "length_1", "tmcd_1")


def page() -> Any:
    """The script that writes the tables."""
    spec = importlib.util.spec_from_file_location("nqg_page", ROOT / "benchmarks" / "nqg_page.py")
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def kept(name: str) -> list[dict[str, Any]]:
    """The rows that a benchmark kept."""
    rows: list[dict[str, Any]] = json.loads((ROOT / "benchmarks" / "results" / f"nqg_{name}.json").read_text())["rows"]
    return rows


def test_a_zero_says_whether_there_was_an_output() -> None:
    made = page()
    wrong = {"split": "a", "accuracy": 0.0, "coverage": 100.0, "precision": 0.0}
    silent = {"split": "b", "accuracy": 0.0, "coverage": 0.0, "precision": 0.0}
    right = {"split": "c", "accuracy": 50.0, "coverage": 100.0, "precision": 50.0}
    assert [made.precision(row) for row in (wrong, silent, right)] == ["0.0", "–", "50.0"]
    assert made.zeros([wrong, silent, right]) == (
        "on `a` every output is wrong (coverage 100.0); on `b` there is no output (coverage 0.0)"
    )


def test_the_page_has_the_tables_of_the_kept_rows() -> None:
    made, text = page(), (ROOT / "docs" / "nqg.md").read_text()
    assert made.scan_table(kept("scan"), kept("margins")) in text
    assert made.preset_table(kept("scan_preset")) in text
    assert made.settings_table(kept("settings")) in text
    assert made.geoquery_table(kept("geoquery")) in text
    # With the paper's settings and with ours, one of these two is covered and wrong, the other not covered.
    for name in ("scan", "scan_preset"):
        zeros = {row["split"]: row["coverage"] for row in kept(name) if row["accuracy"] == 0}
        assert (zeros["template_opposite_right"], zeros["template_right"]) == (100.0, 0.0)
    assert "a margin of 4 bits" in re.sub(r"\s+", " ", text)


def test_the_readme_shows_the_default() -> None:
    rows = [row for row in kept("geoquery") if (row["settings"], row["scorer"]) == ("default", "loglinear")]
    (line,) = [line for line in (ROOT / "README.md").read_text().splitlines() if "NQG alone on GeoQuery" in line]
    for value in ("accuracy", "strict"):
        means = [statistics.mean(row[value] for row in rows if row["split"] == split) for split in GEOQUERY]
        assert " / ".join(f"{mean:.1f}" for mean in means) in line
    assert "two starts joined" in line
    assert "best valid of 200 derivations" in line
    assert rows[0]["restarts"] == rows[0]["members"] == 2
