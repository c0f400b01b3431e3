"""What `list` and `show` give from Python."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import recombine
from recombine.errors import OptionError
from recombine.languages.known import LANGUAGES
from recombine.splits.methods import SPLITTERS

PAIRS = [("jump", "JUMP"), ("walk", "WALK"), ("<jump> twice", "JUMP JUMP")]


def test_all_that_is_registered_is_listed() -> None:
    listed = recombine.list()
    assert listed.methods == tuple(SPLITTERS)
    assert listed["languages"] == [*LANGUAGES]
    assert [*listed][:4] == ["datasets", "methods", "presets", "data_directory"]
    assert {"worlds", "plugins"} <= {*listed}
    assert f"{len(SPLITTERS)} methods" in str(listed)
    assert ", 1 metric, " in str(replace(listed, registered={**listed.registered, "metrics": ("one",)}))
    assert "error types" in str(listed)


def test_examples_are_shown_and_written(tmp_path: Path) -> None:
    shown = recombine.show(PAIRS, n=2, seed=3)
    assert len(shown.examples) == 2
    assert repr(shown).endswith(": 3 examples>")
    key = recombine.load(PAIRS)[2].id
    one = recombine.show(PAIRS, id=key)
    assert [example["source"] for example in one["examples"]] == ["<jump> twice"]
    assert "&lt;jump&gt; twice" in one._repr_html_()
    shown.write(tmp_path / "all.tsv")
    assert recombine.load(tmp_path / "all.tsv").hash == recombine.load(PAIRS).hash


def test_wrong_options_are_refused_before_data_is_loaded() -> None:
    with pytest.raises(OptionError, match="cannot show 0 examples"):
        recombine.show("no such data", n=0)
    with pytest.raises(OptionError, match="no schemas are wanted"):
        recombine.show("no such data", schema_limit=3)
