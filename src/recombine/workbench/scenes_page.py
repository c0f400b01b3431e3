"""One page on questions about scenes: pictures with boxes, the steps of programs, twins side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.files import write_whole
from recombine.progress import working
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, repr=False, eq=False)
class ScenesPage(Result):
    """The page, and how much of the data it shows."""

    file: str
    page: bytes
    shown: int
    questions: int

    def to_dict(self) -> dict[str, Any]:
        """What `recombine scenes page --json` prints."""
        return {"data": self.file, "questions": self.questions, "shown": self.shown, "file": None}

    def __str__(self) -> str:
        return f"{self.file}: {self.shown:,} of {self.questions:,} questions on a page of {len(self.page) / 1e6:.1f} MB"

    def write(self, path: Path | str) -> None:
        """Write the page, whole or not at all."""
        write_whole(path, self.page)


@verb
def scenes_page(file: Path | str, *, examples: int = 60, world: Path | str | None = None, seed: int = 0) -> ScenesPage:
    """A page on the questions of a file; `examples` with their twins are drawn from all templates in turn."""
    from recombine.datasets.scenes_questions import read_questions
    from recombine.pages.scenes.scenes_data import build_scenes_data
    from recombine.pages.scenes.scenes_page import render_scenes
    from recombine.seeds import check_seed

    check_seed(seed)
    with working("reading questions"):
        read = read_questions(file, world=world)
    with working("drawing the page"):
        data = build_scenes_data(read, examples=examples, seed=seed)
        page = render_scenes(data)
    return ScenesPage(str(file), page, sum(map(len, data.groups)), len(read.questions))
