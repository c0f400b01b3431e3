"""Whether a split by phrase is what its signature says, told from the data alone.

The stated words are asked of every text anew. Then train has the stated number of examples with them, each as often as
stated, and of the kind that may be shown; the other parts have nothing else; nobody has what is left out. What is wrong
names an example.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import OptionError, RecombineError
from recombine.measures.phrases.phrases import Phrases

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from recombine.measures.held_out_verdict import HeldOutVerdict
    from recombine.records.dataset import Dataset
    from recombine.records.signature import Signature
    from recombine.records.split import Split

    Mask = NDArray[np.bool_]
    Rows = Mapping[str, Sequence[int]]

TRAIN = "train"


def check_phrases(dataset: Dataset, split: Split, side: str, rows: Rows, verdict: HeldOutVerdict) -> None:
    """Add to a verdict what holds and what does not; `rows` are those of the parts that have examples."""
    try:
        asked = _Asked(dataset.texts(side), split.signature)
        shown, times = asked.shown()
    except RecombineError as error:
        verdict.not_checked.append(f"what the split holds out was not checked: {error}")
        return
    said = split.signature.get("held_out")
    for name, part in rows.items():
        places = np.asarray(part, np.int64)
        problems = {f"have {split.signature.get('left_out')!r}, which no part has": asked.left_out}
        if name == TRAIN:
            problems |= {f"have {said!r} and may not be shown": asked.held & ~asked.may_be_shown}
        else:
            problems |= {f"do not have {said!r}": ~asked.held}
            problems |= {f"do not have {split.signature.get('tested')!r}": ~asked.tested} if asked.some_tested else {}
        for what, wrong in problems.items():
            _say(dataset, name, what, places[wrong[places]], verdict)
    _check_shown(np.asarray(rows[TRAIN], np.int64), asked.held, shown, times, verdict)
    verdict.held = asked.held
    for name, part in rows.items():
        if name != TRAIN:
            often = f" of them, each {times:,} times" if times > 1 else ""
            of_train = f"train has {shown:,}{often}" if shown else "train has none"
            verdict.held_out.append(f"{said!r} in the {side}: {len(part):,} examples of {name} have it, {of_train}")


class _Asked:
    """What each text has of the words that a signature states."""

    def __init__(self, texts: Sequence[str], stated: Signature) -> None:
        self._texts, self._stated = texts, stated
        self.held = self._having("held_out")
        self.some_tested = bool(stated.get("tested"))
        self.tested = self._having("tested")
        self.left_out = self._having("left_out", everywhere=False)

    def _having(self, name: str, *, everywhere: bool = True) -> Mask:
        text = self._stated.get(name)
        return Phrases.parse(text).held_by(self._texts) if text else np.full(len(self._texts), everywhere)

    @property
    def may_be_shown(self) -> Mask:
        """Whether train may have each text though it has the words."""
        shown = np.zeros(len(self._texts), np.bool_)
        if self._stated.get("few_shot"):
            shown |= self._having("drawn_from") & ~self._having("drawn_without", everywhere=False)
        if self._stated.get("alone") == "yes":
            shown |= Phrases.parse(self._stated.get("held_out")).equal_to(self._texts)
        return shown

    def shown(self) -> tuple[int, int]:
        """How many examples with the words train is said to have, and how often each."""
        number, _, times = self._stated.get("shown").partition("x")
        if not (number.isascii() and number.isdecimal() and times.isascii() and times.isdecimal()):
            raise OptionError(
                f"the split's signature states shown:{self._stated.get('shown')}, which cannot be read", "make it anew"
            )
        return int(number), int(times)


def _check_shown(train: NDArray[np.int64], held: Mask, shown: int, times: int, verdict: HeldOutVerdict) -> None:
    """Train has as many examples with the words as stated, each as often."""
    places, often = np.unique(train[held[train]], return_counts=True)
    if len(places) != shown:
        verdict.problems.append(f"train has {len(places)} examples with what is held out, not {shown} as stated")
    if (wrong := int(np.count_nonzero(often != times))) and shown:
        verdict.problems.append(f"train has {wrong} of the examples that are shown to it not {times} times, as stated")


def _say(dataset: Dataset, name: str, what: str, places: NDArray[np.int64], verdict: HeldOutVerdict) -> None:
    if len(places):
        verdict.problems.append(f"{len(places)} examples of {name} {what}, such as {dataset.ids[int(places[0])]}")
