"""Questions asked with the pictures of others: what is still right then was not read off the pictures."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.models.pictures.training.question_program import QuestionProgram


@contextmanager
def shuffled_pictures(program: QuestionProgram, seed: int = 0) -> Iterator[None]:
    """Every picture stands for another one of all, while the block runs; a missing one stays missing."""
    from recombine.seeds import make_generator

    places = program.pictures
    missing = program.tables.missing
    others = torch.from_numpy(make_generator(seed).permutation(missing)).to(places.device)
    others = torch.cat([others, torch.tensor([missing], device=places.device)])
    program.pictures = others[places]
    try:
        yield
    finally:
        program.pictures = places
