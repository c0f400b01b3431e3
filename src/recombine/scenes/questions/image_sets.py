"""Sets of images for a question: so many of each pool, spread evenly over kinds, with the source image first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.scenes.questions.rejected import NO_OTHER_IMAGE, TOO_FEW_IMAGES, Rejected
from recombine.scenes.related.kinds import HOLDS as HOLDS_ROLE
from recombine.scenes.templates.template import HOLDS, HOLDS_SLOT, OTHER_IMAGE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from recombine.scenes.questions.filling import Filling
    from recombine.scenes.questions.related_to import RelatedTo
    from recombine.scenes.subgraph import Subgraph
    from recombine.scenes.subgraphs.words import Words
    from recombine.scenes.synthetic.draws import Draws
    from recombine.scenes.templates.template import Bound, Design, Part, Pool

RANDOM = "random"
_LOOKED_AT = 8
"""How many images of a kind are looked at for one that fits."""
_ROOT_ATTRIBUTE = "root_attr"

ImageSet = list[tuple[int, str]]
"""Places of scenes with their roles, in the order in which they are shown."""
Group = tuple[str, "Sequence[int] | NDArray[np.int32]"]
"""A role and the places of images of it."""


class ImageSets:
    """Draws sets of images for one filling."""

    def __init__(
        self,
        filling: Filling,
        source: int,
        draws: Draws,
        *,
        about: Callable[[Subgraph], RelatedTo],
        everywhere: Sequence[int] | None,
    ) -> None:
        self._filling, self._source, self._draws, self._about = filling, source, draws, about
        self._everywhere = everywhere
        """All places, where distractors are to be any images."""

    def draw(self, designs: Sequence[Design], images: int) -> ImageSet:
        """A set of so many images after one of some designs."""
        design = designs[0] if len(designs) == 1 else self._draws.one_of(designs)
        drawn: ImageSet = []
        for part, number in self._numbers(design, images):
            if number:
                self._add(drawn, self._filling.template.pools[part.pool], number, rest=part.rest)
        return _shuffled(drawn, self._draws)

    def _numbers(self, design: Design, images: int) -> list[tuple[Part, int]]:
        """How many images each part has; the rest comes last."""
        fixed = [part for part in design if not part.rest]
        low = sum(part.bounds(images)[0] for part in fixed)
        if low > images:
            raise Rejected(TOO_FEW_IMAGES)
        left, numbers = images - low, []
        for part in fixed:
            least, most = part.bounds(images)
            more = self._draws.whole(0, min(left, most - least)) if most > least else 0
            numbers.append((part, least + more))
            left -= more
        return [*numbers, *((part, left) for part in design if part.rest)]

    def _add(self, drawn: ImageSet, pool: Pool, number: int, *, rest: bool) -> None:
        """Draw so many more, each from another kind as long as there are some."""
        taken, where = {place for place, _ in drawn}, pool.where
        groups = self._groups(pool, rest=rest)
        if pool.source == (HOLDS,) and self._source not in taken and self._source_fits(where):
            drawn.append((self._source, HOLDS_ROLE))
            taken.add(self._source)
            number -= 1
        while number and groups:
            at = self._draws.whole(0, len(groups) - 1)
            for role, places in groups[at:] + groups[:at]:
                place = self._one_of(places, taken, pool)
                if place is None:
                    groups = [each for each in groups if each[0] != role]
                    continue
                drawn.append((place, role))
                taken.add(place)
                number -= 1
                if not number:
                    break
        if number:
            raise Rejected(TOO_FEW_IMAGES)

    def _source_fits(self, where: Sequence[Bound]) -> bool:
        return self._filling.fits(self._source, where) and not self._filling.in_doubt(self._source)

    def _groups(self, pool: Pool, *, rest: bool) -> list[Group]:
        filling, (first, *_) = self._filling, pool.source
        if first == HOLDS:
            return [(HOLDS_ROLE, filling.about.positives)]
        if first == OTHER_IMAGE:
            return [(filling.other_kind, (filling.other_place,))]
        if first.startswith(HOLDS_SLOT):
            slot = first.removeprefix(HOLDS_SLOT)
            role = filling.other_kind if slot == "OTHER" else _with_root_attribute(filling.other_kind)
            return [(role, self._about(filling.graphs[slot]).positives)]
        if rest and self._everywhere is not None:
            return [(RANDOM, self._everywhere)]
        return [(kind, filling.about.places[kind]) for kind in filling.about.kinds(pool.source, filling.leaf)]

    def _one_of(self, places: Sequence[int] | NDArray[np.int32], taken: set[int], pool: Pool) -> int | None:
        """One of some images that fits and is not taken, by looking at a few in turn from a random one on."""
        filling, size = self._filling, len(places)
        if not size:
            return None
        negative = pool.source != (HOLDS,)
        held, start = filling.counted["G"], self._draws.whole(0, size - 1)
        for step in range(min(size, _LOOKED_AT)):
            place = int(places[(start + step) % size])
            if place in taken or bool(held[place]) is negative:
                continue
            if filling.fits(place, pool.where) and not self._in_doubt(place, pool, negative=negative):
                return place
        return None

    def _in_doubt(self, place: int, pool: Pool, *, negative: bool) -> bool:
        """Whether there may be more in an image than its annotation names, or what must not be there."""
        filling = self._filling
        if filling.in_doubt(place):
            return True
        absent = [slot for slot, _, high in pool.where if high == 0 and slot in filling.graphs]
        if negative and "G" not in absent:
            absent.append("G")
        return any(self._about(filling.graphs[slot]).is_verified(place) for slot in absent)


def pick_other(filling: Filling, draws: Draws, words: Words) -> None:
    """Pick the image that gives the slots of the other sub-graph."""
    counted = "countable" in filling.template.needs
    for pool in filling.template.other:
        kinds = filling.about.kinds(pool.source, filling.leaf)
        for _ in range(min(3, len(kinds))):
            kind = draws.one_of(kinds)
            candidates = filling.about.distractors[kind]
            for _ in range(_LOOKED_AT):
                related = candidates[draws.whole(0, len(candidates) - 1)]
                if counted and not words.is_countable(related.graph.name):
                    continue
                filling.add_other(related.graph, words, related.place, kind)
                if not filling.counted["G"][related.place] and filling.fits(related.place, pool.where):
                    return
    raise Rejected(NO_OTHER_IMAGE)


def _with_root_attribute(kind: str) -> str:
    """The kind that also changes the root's attribute."""
    changes = kind.split("+")
    return kind if _ROOT_ATTRIBUTE in changes else "+".join(sorted([*changes, _ROOT_ATTRIBUTE], key=_order))


def _order(change: str) -> tuple[int, int]:
    number, _, word = change.partition("_")
    return (0 if number == "root" else int(number), ("name", "attr", "rel").index(word))


def _shuffled(drawn: ImageSet, draws: Draws) -> ImageSet:
    for last in range(len(drawn) - 1, 0, -1):
        at = draws.whole(0, last)
        drawn[last], drawn[at] = drawn[at], drawn[last]
    return drawn
