"""The small study of picture models from its file to its page, as a person runs it; on one core under a minute."""

from __future__ import annotations

from pathlib import Path

import pytest

import recombine
from recombine.data_cache import VARIABLE

STUDY = Path(__file__).parents[3] / "studies" / "covr_smoke.toml"


@pytest.mark.slow
def test_from_the_file_to_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    study = recombine.study(STUDY, results=tmp_path / "results")
    ran = study.run(device="cpu")
    assert (ran["ran"], ran["failed"]) == (6, 0)
    assert study.run(device="cpu")["ran"] == 0
    page = recombine.generalization_page(STUDY, results=tmp_path / "results")
    setups = {row["name"]: row for row in page.to_dict()["setups"]}
    assert set(setups) == {"covr:has-compar", "covr:tpl-chooseobject"}
    assert setups["covr:has-compar"]["few_shot"] == 10
    assert setups["covr:has-compar"]["size_matched_from"].startswith("a model of 452 examples")
    assert [row["name"] for row in page.to_dict()["systems"]] == ["regions", "text", "maj-template, seed 0"]
    assert b"data:image/png;base64" in page.page
