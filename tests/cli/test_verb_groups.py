"""The groups of `--help` are the folders of the verbs."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer

import recombine
from recombine.cli.app import app
from recombine.cli.main import run
from recombine.cli.shared.verb_groups import GROUPS

FOLDERS = {
    "Data": "data",
    "Splits": "split",
    "Explain and select": "explain",
    "Parsers": "models",
    "Judge": "judge",
    "Studies": "studies",
}


@pytest.mark.parametrize("title", GROUPS)
def test_a_group_is_a_folder(title: str) -> None:
    folder = Path(recombine.__file__).parent / "cli" / "verbs" / FOLDERS[title]
    assert sorted(GROUPS[title]) == sorted(path.stem for path in folder.glob("*.py") if path.stem != "__init__")


def test_help_lists_every_verb_once_under_its_heading(capsys: pytest.CaptureFixture[str]) -> None:
    verbs = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    assert sorted(verbs) == sorted(name for names in GROUPS.values() for name in names)
    with pytest.raises(SystemExit):
        run(["--help"])
    lines = capsys.readouterr().out.splitlines()
    for title, names in GROUPS.items():
        start = lines.index(f"{title}:")
        assert [line.split()[0] for line in lines[start + 1 : start + 1 + len(names)]] == list(names)
    assert "Others:" not in lines
