"""The verbs of `recombine study`: what they print, write and refuse."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import orjson
import pytest

from small_study import STUDY, TINY, Study

pytest.importorskip("torch", reason="needs torch")

import typer

from recombine.cli.verbs.studies.study import app
from recombine.errors import RecombineError

WILD = STUDY + f'[[model]]\nname = "wild"\n{TINY}\nrate = 1e30\n'
PAPER = '[[paper]]\nmodel = "tiny"\nsplits = ["random"]\nmean = 98.7\ninterval = 0.4\nsource = "a <paper>"\n'


def call(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> tuple[str, str]:
    found = typer.main.get_command(app).main(args=list(arguments), prog_name="study", standalone_mode=False)
    assert (found or 0) == code
    printed = capsys.readouterr()
    return printed.out, printed.err


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    out, err = call(capsys, *arguments, "--json", "--quiet", code=code)
    assert err == ""
    value: dict[str, Any] = orjson.loads(out)
    return value


def test_a_study_from_status_to_report(study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(study(WILD + PAPER))
    value = as_json(capsys, "status", path)
    assert (value["cells"], value["done"], value["to_do"]) == (4, 0, 4)
    out, err = call(capsys, "run", path, code=1)
    assert "failed: cell wild/random/0: the loss is not a number at step 10" in out
    assert "4 cells run, 0 were there, 2 failed" in out
    assert re.search(r"tiny/random/0: [\d.]+ %", err)
    assert err.startswith("loading letters\nmaking the split random of letters\n")
    value = as_json(capsys, "run", path, code=1)
    assert (value["done"], value["failed"], value["ran"], value["skipped"]) == (2, 2, 0, 4)
    assert value["results"] == str(tmp_path / "results" / "letters")
    mean = value["table"][0]["models"]["tiny"]
    assert (mean["n"], mean["paper"]) == (2, [98.7, 0.4])
    assert (mean["interval_kind"], mean["paper_interval_kind"]) == ("within", None)
    assert value["paper_sources"] == ["a <paper>"]
    out, _ = call(capsys, "status", path)
    assert re.search(r"wild +± *\n", out)
    assert re.search(r"within *\n.*98\.7 ± 0\.4.*paper \?", out, re.DOTALL)
    assert "paper ?: the study file does not say of what kind the paper's interval is" in out
    assert "± within: half of a 95 % interval by Student's t, the mean of the half-widths of each split" in out
    assert "paper: a <paper>" in out
    value = as_json(capsys, "report", path, "-o", str(tmp_path / "page.html"))
    page = (tmp_path / "page.html").read_text()
    assert value["bytes"] == len(page.encode())
    assert re.search(r'<span class="note">within, 2 cells</span>', page)
    assert "published: 98.7 ± 0.4, kind not known" in page
    assert "<em>within</em>, the mean of the half-widths of each split" in page
    assert "a &lt;paper&gt;" in page


def test_every_point_and_line_of_the_page_opens_its_cell(
    study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(study(WILD))
    call(capsys, "run", path, "--quiet", code=1)
    call(capsys, "report", path, "-o", str(tmp_path / "page.html"), "--quiet")
    page = (tmp_path / "page.html").read_text()
    cells = set(re.findall(r'<article class="card cell" id="(cell-[0-9a-f]{32})"', page))
    links = re.findall(r'href="#(cell-[0-9a-f]{32})"', page)
    assert len(cells) == 4
    assert set(links) == cells
    assert len(links) >= 6  # the list, and the curves
    assert "the loss is not a number at step 10" in page
    assert "<script" not in page
    assert not re.search(r"""(src|href)=["']https?:""", page)


def test_export_and_collect(study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from recombine.models.seq2seq import run as elsewhere

    path, folder = str(study()), str(tmp_path / "folder")
    out, _ = call(capsys, "export", path, "-o", folder)
    command = re.search(r"recombine\.models\.seq2seq\.run (.*)", out)
    assert command
    assert elsewhere.main([*command.group(1).split(), "--device", "cpu"]) == 0
    capsys.readouterr()
    value = as_json(capsys, "collect", path, folder)
    assert (value["stored"], value["done"], value["unknown"]) == (2, 2, [])
    out, _ = call(capsys, "collect", path, folder)
    assert "0 cells stored, 2 were there" in out


def test_bad_input_is_one_line(study: Study, tmp_path: Path) -> None:
    command = typer.main.get_command(app)
    for arguments, message in (
        (["run", str(tmp_path / "none.toml")], "none.toml: no such file"),
        (["run", str(study(STUDY.replace("seeds", "seads"), name="typo.toml"))], "did you mean 'seeds'"),
        (["report", str(study()), "-o", str(tmp_path)], "is a directory"),
    ):
        with pytest.raises(RecombineError, match=message):
            command.main(args=arguments, standalone_mode=False)
