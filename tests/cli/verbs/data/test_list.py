"""`recombine list` says what there is and what is missing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from recombine.cli.main import run
from recombine.datasets.catalogue import CATALOGUE


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        run(["list", *arguments])
    assert ended.value.code == 0
    return capsys.readouterr().out


def rows(capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, Any]]:
    return {row["data"]: row for row in orjson.loads(call(capsys, "--json"))["datasets"]}


def test_nothing_is_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    out = call(capsys)
    assert "files missing: cfq/mcd1_train.tsv.gz, cfq/mcd1_dev.tsv.gz" in out
    assert "needs no files; no splits" in out  # schema2qa
    assert "\n`recombine download NAME` fetches what is missing\n" in out
    assert "0 splits; missing: length_1 random_1 template_1 tmcd_1" in out
    assert max(len(line.rstrip()) for line in out.split("\n")) <= 100
    found = rows(capsys)
    assert list(found) == list(CATALOGUE)
    assert (found["scan"]["files"], found["scan"]["missing"], found["scan"]["splits"]) == ([], [], [])
    assert "mcd1" in found["scan"]["missing_splits"]
    assert found["atis"]["missing"] == ["atis/atis.jsonl.gz"]


def test_names_stand_below_their_title(capsys: pytest.CaptureFixture[str]) -> None:
    models = call(capsys).partition("\nmodels\n")[2].partition("\nworlds\n")[0]
    assert "cfq:transformer" in models
    assert len(models.split("\n")) > 2, "so many that they need more than a line"
    assert all(line.startswith("  ") for line in models.split("\n"))


def test_a_part_is_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    (tmp_path / "spider" / "splits").mkdir(parents=True)
    (tmp_path / "spider" / "spider_ssp.tsv").touch()
    (tmp_path / "spider" / "splits" / "tmcd_1.json").touch()
    (tmp_path / "spider" / "dev.json.gz").touch()
    found = rows(capsys)
    assert found["spider/ssp"]["missing"] == []
    assert found["spider/ssp"]["splits"] == ["tmcd_1"]
    assert found["spider/ssp"]["missing_splits"] == ["length_1", "random_1", "template_1"]
    assert found["spider/xsp"]["missing"] == ["spider/train_spider.json.gz"]
    assert "files here; 1 split: tmcd_1; missing: length_1 random_1 template_1" in call(capsys)


@pytest.mark.shared_data
def test_all_is_here(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(capsys)
    assert all(not row["missing"] and not row["missing_splits"] for row in found.values())
    numbers = {name: len(row["splits"]) for name, row in found.items()}
    assert (numbers["scan"], numbers["spider/ssp"], numbers["cogs"], numbers["covr/text"]) == (14, 4, 1, 83)
    assert "83 splits: grammar/0 grammar/1 … grammar/123" in call(capsys)
