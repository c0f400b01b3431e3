"""The parts of a split by property: train lacks it but for a few, test and `dev_held` have it, dev lacks it.

Examples that say their part stay in it, and what does not belong there is filtered. Others are divided: questions about
pictures by their scenes, so that none is on two sides, and those whose scenes are on several are left out; anything
else by what it has, all of it used where no size is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import OptionError, SizeError, SplitError
from recombine.measures.properties.sides import shared_scene, torn_twins, twin_numbers
from recombine.scenes.balance.scene_parts import PARTS, scene_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from recombine.measures.properties.example_fields import ExampleFields
    from recombine.records.dataset import Dataset

    Mask = NDArray[np.bool_]
    Rows = NDArray[np.int64]

FIELD, SIZES = "field", "sizes"
TRAIN, DEV, TEST = PARTS
HELD = "dev_held"
NOWHERE = -1


@dataclass(frozen=True)
class PropertyParts:
    """The places of the examples of each part, and what was counted."""

    rows: dict[str, Rows]
    filtered: int
    """Those that train lacks for having it."""
    of: int
    """Those that train would have without."""
    few: int
    """Those that train has all the same."""
    one_of_two: int
    """Twins of which one has it and the other does not."""
    left_out: int = 0
    """Those whose scenes, or whose twin's, are on several sides."""


@dataclass(frozen=True)
class PropertyDivision:
    """Examples that have a property or not, to be divided."""

    dataset: Dataset
    fields: ExampleFields
    held: Mask
    why: str
    """What is held out, for errors."""
    few_shot: int
    generator: np.random.Generator = field(repr=False)
    seed: int = 0

    def by_field(self) -> PropertyParts:
        """The parts that examples say they are of."""
        return self._of_parts(self._said())

    def by_scenes(self, counts: Mapping[str, int | None]) -> PropertyParts:
        """Parts of scenes that are drawn, with so many examples of each."""
        images = self.fields.needed("images", "--parts-from sizes")
        scenes = sorted({image for each in images for image in each})
        of_scene: dict[str, int] = {}
        for number, places in enumerate(scene_parts(len(scenes), seed=self.seed).values()):
            of_scene.update((scenes[place], number) for place in places)
        parts = np.array([_common(of_scene[image] for image in each) for each in images], np.int64)
        twins = twin_numbers(self.fields)
        parts[np.isin(twins, twins[parts != parts[twins]])] = NOWHERE
        return self._of_parts(parts, counts)

    def by_sizes(self, counts: Mapping[str, int | None]) -> PropertyParts:
        """Train and dev of what lacks it, test of what has it; dev has as large a share of both."""
        lacking, having = (self.generator.permutation(np.flatnonzero(mask)) for mask in (~self.held, self.held))
        self._check_few(len(having))
        few, having = having[: self.few_shot], having[self.few_shot :]
        dev = counts[DEV] or 0
        held = max(1, round(len(having) * dev / max(len(lacking), 1))) if dev and len(having) > 1 else 0
        self._check_room(TRAIN, len(lacking), dev + (counts[TRAIN] or 1), "lack")
        self._check_room(TEST, len(having), held + (counts[TEST] or 1), "have")
        train, test = counts[TRAIN], counts[TEST]
        parts = {
            TRAIN: np.concatenate((lacking[dev : None if train is None else dev + train], few)),
            DEV: lacking[:dev],
            HELD: having[:held],
            TEST: having[held : None if test is None else held + test],
        }
        rows = {name: np.sort(places) for name, places in parts.items() if len(places)}
        return PropertyParts(rows, int(self.held.sum()), len(self.held), self.few_shot, 0)

    def _of_parts(self, parts: Rows, counts: Mapping[str, int | None] | None = None) -> PropertyParts:
        """What belongs in each part of the examples that are of it."""
        train = parts == PARTS.index(TRAIN)
        candidates = np.flatnonzero(train & self.held)
        self._check_few(len(candidates))
        twins = twin_numbers(self.fields)
        few = self._drawn_few(candidates, twins)
        chosen = {
            TRAIN: np.flatnonzero(train & ~self.held),
            DEV: np.flatnonzero((parts == PARTS.index(DEV)) & ~self.held),
            HELD: np.flatnonzero((parts == PARTS.index(DEV)) & self.held),
            TEST: np.flatnonzero((parts == PARTS.index(TEST)) & self.held),
        }
        wanted = {name: size for name, size in (counts or {}).items() if size}
        for name, size in {TRAIN: 1, TEST: 1, **wanted}.items():
            self._check_room(name, len(chosen[name]), size, "have" if name == TEST else "lack")
        for name, size in wanted.items():
            chosen[name] = np.sort(self.generator.permutation(chosen[name])[:size])
        chosen[TRAIN] = np.sort(np.concatenate((chosen[TRAIN], few)))
        differ = self.held != self.held[twins]
        return PropertyParts(
            {name: rows for name, rows in chosen.items() if len(rows)},
            len(candidates),
            int(train.sum()),
            len(few),
            len(set(twins[differ].tolist())),
            int(np.count_nonzero(parts == NOWHERE)),
        )

    def _said(self) -> Rows:
        """The number of the part that each example says it is of; no scene or twins may be on two sides."""
        values = self.fields.needed("part", "--parts-from field")
        known = {part: number for number, part in enumerate(PARTS)}
        for place, value in enumerate(values):
            if value not in known:
                raise OptionError(
                    f"the field 'part' of the example {self.dataset.ids[place]} of {self.dataset.name} is {value!r}",
                    f"known: {', '.join(PARTS)}; --parts-from sizes does not look at it",
                )
        parts = np.array([known[value] for value in values], np.int64)
        rows = {part: np.flatnonzero(parts == number).tolist() for part, number in known.items()}
        self._check_sides(rows)
        return parts

    def _check_sides(self, rows: Mapping[str, Sequence[int]]) -> None:
        torn = list(torn_twins(self.fields, rows))
        if torn:
            one, other = (self.dataset.ids[place] for place in torn[0])
            raise SplitError(
                f"{len(torn)} twins of {self.dataset.name} are torn apart by their field 'part', such as {one} of "
                f"train and {other}",
                "give twins one part, or divide them anew with --parts-from sizes",
            )
        number, scene = shared_scene(self.fields, rows)
        if number:
            raise SplitError(
                f"{number} scenes of {self.dataset.name} are both in train and in dev or test, such as {scene}",
                "give their questions one part, or divide them anew with --parts-from sizes",
            )

    def _check_few(self, have: int) -> None:
        if self.few_shot > have:
            raise SizeError(
                f"--few-shot asks for {self.few_shot} examples with {self.why}, and train could have {have}",
                f"ask for {have} or fewer",
            )

    def _check_room(self, name: str, have: int, wanted: int, what: str) -> None:
        """Refuse a part that would be empty, or smaller than is asked for."""
        if not have:
            verb = {"have": "has", "lack": "lacks"}[what]
            raise SizeError(f"{name} would be empty: no example that it could have {verb} {self.why}")
        if have < wanted:
            dev = " with dev" if name != DEV else ""
            raise SizeError(f"{name}{dev} asks for {wanted} examples, and {have} {what} {self.why}", "ask for fewer")

    def _drawn_few(self, candidates: Rows, twins: Rows) -> Rows:
        """So many examples at random; twins that both have the property come together."""
        units: dict[int, list[int]] = {}
        for place in self.generator.permutation(candidates).tolist():
            units.setdefault(int(twins[place]), []).append(place)
        taken: list[list[int]] = []
        room, waiting = self.few_shot, None
        for unit in units.values():
            if not room:
                break
            if len(unit) > room:
                waiting = waiting or unit
                continue
            taken.append(unit)
            room -= len(unit)
        if room and waiting is not None:  # one for one: a single example makes room for two
            single = next((unit for unit in taken if len(unit) + room == len(waiting)), None)
            if single is None:
                raise SizeError(
                    f"--few-shot asks for {self.few_shot} examples, and twins that both have {self.why} stay together",
                    f"ask for {self.few_shot - room} or {self.few_shot - room + len(waiting)}",
                )
            taken = [unit for unit in taken if unit is not single] + [waiting]
        return np.array(sorted(place for unit in taken for place in unit), np.int64)


def _common(parts: Iterable[int]) -> int:
    """The one part of several, or nowhere."""
    distinct = set(parts)
    return distinct.pop() if len(distinct) == 1 else NOWHERE
