"""The groups of `--help` are the folders of the verbs."""

from __future__ import annotations

import pytest
import typer

from recombine.cli.app import app
from recombine.cli.main import run
from recombine.cli.shared.verb_groups import FOLDERS, iter_verbs, verb_names


def test_every_module_of_a_folder_is_a_verb() -> None:
    wanted = ["list", "show", "generate", "parse", "rules", "cfq", "kb", "kbqa", "scenes", "demo", "download", "cache"]
    wanted += ["warm-up"]
    assert verb_names("data") == wanted
    assert verb_names("split") == ["split", "measure", "check"]
    assert len(dict(iter_verbs())) == 30
    assert all(
        isinstance(dict(iter_verbs())[name], typer.Typer)
        for name in ("study", "cache", "kb", "scenes", "cfq", "annotate")
    )


def test_help_lists_every_verb_once_under_its_heading(capsys: pytest.CaptureFixture[str]) -> None:
    verbs = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    assert sorted(verbs) == sorted(name for folder in FOLDERS.values() for name in verb_names(folder))
    with pytest.raises(SystemExit):
        run(["--help"])
    lines = capsys.readouterr().out.splitlines()
    for title, folder in FOLDERS.items():
        names, start = verb_names(folder), lines.index(f"{title}:")
        assert [line.split()[0] for line in lines[start + 1 : start + 1 + len(names)]] == names
