"""Console sessions in the documentation print what they show; Python examples there are run as doctests."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parent / "processes"))  # where pytest does not see to it
from forked_processes import ForkedProcesses

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
SECONDS = re.compile(r"\b[0-9.]+ s\b")
LONG = ("kb.md", "kbqa.md", "kbqa_parsers.md", "new_domain.md", "nqg.md", "pictures.md", "scenes.md", "scoring.md")
"""Pages whose sessions take more than ten seconds or so: `make test-all` runs them."""


def with_mark(page: Path) -> Any:
    """A page as a parameter; long ones are proofs."""
    return pytest.param(page, marks=pytest.mark.slow if page.name in LONG else ())


def prepare(folder: Path) -> None:
    """Put the files of one's own that the sessions use where they run; those of `docs/extend.md` stand in the page."""
    shutil.copytree(ROOT / "docs" / "examples", folder, dirs_exist_ok=True)
    page = (ROOT / "docs" / "extend.md").read_text()
    (folder / "towers.py").write_text("\n\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL)))
    (folder / "towers.toml").write_text(re.findall(r"```toml\n(.*?)```", page, re.DOTALL)[0])


def run(command: str, folder: Path, processes: ForkedProcesses) -> str:
    """What a command of a session prints on standard output, in a terminal of 100 columns."""
    name, *words = shlex.split(command)
    assert name == "recombine"
    return processes.run(*words, cwd=folder, COLUMNS="100").stdout


def tidy(text: str) -> str:
    """Text without what may differ: seconds, and blanks at the ends of lines."""
    lines = [line.rstrip() for line in SECONDS.sub("N s", text).strip("\n").split("\n")]
    return "\n".join(line for line in lines if line)


@pytest.mark.parametrize("page", [with_mark(page) for page in PAGES], ids=lambda page: page.name)
def test_sessions_are_true(
    page: Path, tmp_path: Path, processes: ForkedProcesses, request: pytest.FixtureRequest
) -> None:
    prepare(tmp_path)
    for block in BLOCK.findall(page.read_text()):
        if re.search(r"scan/[a-z]+_|scan/mcd|covr/text", block):
            request.getfixturevalue("data_dir")
        for session in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = session.partition("\n")
            assert tidy(run(command, tmp_path, processes)) == tidy(shown), command


def rewrite(page: Path, folder: Path, processes: ForkedProcesses) -> None:
    """Put the true output into a page: `python tests/test_documentation.py`."""

    def block(match: re.Match[str]) -> str:
        commands = re.findall(r"^\$ (.*)$", match.group(1), flags=re.MULTILINE)
        rows = [
            f"$ {c}\n" + "\n".join(x.rstrip() for x in run(c, folder, processes).strip("\n").split("\n") if x.strip())
            for c in commands
        ]
        return "```console\n" + "\n".join(rows) + "\n```"

    page.write_text(BLOCK.sub(block, page.read_text()))


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as name, closing(ForkedProcesses()) as forked:
        prepare(Path(name))
        for path in PAGES if len(sys.argv) == 1 else map(Path, sys.argv[1:]):
            rewrite(path, Path(name), forked)
