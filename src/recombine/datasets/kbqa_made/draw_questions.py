"""Questions drawn from the groundings and wordings of a template, what was drawn becoming less likely (section 3.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from recombine.datasets.kbqa_made.controlled_pool import ControlledPool

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

    from recombine.datasets.kbqa_made.made_template import MadeTemplate


_IN_VAIN = 64
"""So many draws one after the other bring nothing new, before what is left is looked through."""


class Drawn(NamedTuple):
    """A grounding and a wording of a template, each by its place."""

    grounding: int
    wording: int


def draw_questions(
    template: MadeTemplate, number: int, rng: np.random.Generator, *, divide_forms: float, divide_wordings: float
) -> Iterator[Drawn]:
    """So many questions, no two the same: what comes a second time is drawn again, and its weights stay divided.

    After many draws in vain the rest is drawn evenly from what is left.
    """
    forms = ControlledPool(len(template.groundings), divide_forms)
    wordings = ControlledPool(len(template.skeletons), divide_wordings)
    number = min(number, template.most)
    seen: set[Drawn] = set()
    in_vain = 0
    while len(seen) < number and in_vain < _IN_VAIN:
        drawn = Drawn(forms.draw(rng), wordings.draw(rng))
        in_vain = in_vain + 1 if drawn in seen else 0
        if not in_vain:
            seen.add(drawn)
            yield drawn
    left = [
        drawn
        for form in range(len(template.groundings) if len(seen) < number else 0)
        for wording in range(len(template.skeletons))
        if (drawn := Drawn(form, wording)) not in seen
    ]
    for place in rng.permutation(len(left))[: number - len(seen)].tolist():
        yield left[place]
