"""The page on questions about scenes as a file."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from recombine.pages.drawing.number_texts import percent
from recombine.pages.drawing.page import render_page
from recombine.scenes.balance.statistics import share_with_twin

if TYPE_CHECKING:
    from recombine.pages.scenes.scenes_data import ScenesData


def render_scenes(data: ScenesData) -> bytes:
    """The page as a file."""
    questions = data.read.questions
    shown = sum(map(len, data.groups))
    return render_page(
        "scenes.html",
        styles=("report.css", "scenes.css"),
        script="scenes.js",
        browser={},
        title=f"{data.read.path.name}: questions about pictures",
        data=data,
        shown=shown,
        questions=len(questions),
        parts=Counter(question.part for question in questions),
        twins=percent(share_with_twin(questions)),
    )
