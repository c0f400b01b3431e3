"""Makes examples lot by lot until there are enough, each pattern once, and keeps them in parts.

Which lots make a part, and what is dropped, depends on nothing but the lots and their order. So a run that goes on
after any part gives what one that was never broken gives.
"""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from recombine.datasets.parts.made_lot import KEPT, SAME
from recombine.errors import OptionError, RecombineError, SizeError
from recombine.progress import bar, note
from recombine.records.seen_keys import SeenKeys

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.datasets.parts.kept_parts import KeptParts
    from recombine.datasets.parts.made_lot import MadeLot, TextRow
    from recombine.datasets.parts.part_file import Progress

LOTS = 20
"""So many lots make a part."""
TRIES = 8
"""It is given up when so many lots in a row …"""
SCARCE = 1000
"""… gave less than one new example in so many."""


class MakesLots(Protocol):
    """Makes lots, each from its number alone."""

    @property
    def size(self) -> int:
        """How many examples a lot has at most."""

    def iter_lots(self, first: int, number: int) -> Iterator[MadeLot]:
        """So many lots from this one on, in order."""


def make_parts(maker: MakesLots, parts: KeptParts, n: int) -> Progress:
    """Make what is missing of `n` examples; how far it is then."""
    check_number(n)
    parts.open()
    if parts.said():
        note(f"{parts.said()}; it goes on from there")
    with saying_what_is_kept(parts):
        return _Making(maker, parts, n).run()


def check_number(n: int | None) -> int:
    """The number of examples, which must be said: of questions there is no end."""
    if n is None:
        raise OptionError("there is no end of questions", "say how many with -n")
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise OptionError(f"cannot make {n} examples", "give a count of 1 or more")
    return n


class _Making:
    """One run, from where the parts end."""

    def __init__(self, maker: MakesLots, parts: KeptParts, n: int) -> None:
        self.maker, self.parts, self.n = maker, parts, n
        self.progress = replace(parts.progress, counts=Counter(parts.progress.counts), fresh=list(parts.progress.fresh))
        self.rows: list[TextRow] = []
        self.seen = SeenKeys()
        for table in parts.iter_tables(("id",)):
            for key in table["id"].to_pylist():
                self.seen.add(key.encode())

    def run(self) -> Progress:
        """Make lots until there are enough examples."""
        with bar("making questions", counts="examples") as advance:
            while self.progress.kept < self.n:
                for lot in self.maker.iter_lots(self.progress.lots, self._missing_lots()):
                    self._add(lot)
                    if advance is not None:
                        advance(self.progress.kept, self.n, self._state())
                    if self.progress.lots % LOTS == 0 and self.progress.kept < self.n:
                        self._keep()
        self.parts.rest = self.rows
        return self.progress

    def _missing_lots(self) -> int:
        """About how many more lots are needed; where it was too few, it is asked again, so that none is in vain."""
        progress = self.progress
        share = progress.kept / (progress.lots * self.maker.size) if progress.lots else 1.0
        return max(1, int((self.n - progress.kept) / (self.maker.size * max(share, 0.01))))

    def _keep(self) -> None:
        self.parts.add(self.rows, replace(self.progress, counts=Counter(self.progress.counts)))
        self.rows = []

    def _add(self, lot: MadeLot) -> None:
        progress, before = self.progress, self.progress.kept
        progress.counts.update(lot.counts)
        for row, (kind, answer) in zip(lot.rows, lot.kinds, strict=True):
            if progress.kept == self.n:
                break
            if not self.seen.add(row.id.encode()):
                progress.counts[kind, SAME] += 1
                continue
            progress.counts[kind, KEPT] += 1
            if answer:
                progress.counts[kind, answer] += 1
            progress.kept += 1
            self.rows.append(row)
        progress.lots += 1
        progress.fresh = [*progress.fresh, progress.kept - before][-TRIES:]
        is_dry = len(progress.fresh) == TRIES and sum(progress.fresh) * SCARCE < TRIES * self.maker.size
        if is_dry and progress.kept < self.n:
            raise SizeError(self._dry(), "ask for fewer, or give other rules, weights, filters or levels")

    def _dry(self) -> str:
        progress, drawn = self.progress, TRIES * self.maker.size
        reasons: Counter[str] = Counter()
        for (_, name), count in progress.counts.items():
            if name not in (KEPT, "yes", "no"):
                reasons[name] += count
        said = ", ".join(f"{count:,} {name}" for name, count in reasons.most_common(4))
        return (
            f"{progress.kept:,} examples were reached, not {self.n:,}: the last {drawn:,} draws gave "
            f"{sum(progress.fresh)} new ones" + (f" (dropped in all: {said})" if said else "")
        )

    def _state(self) -> str:
        dropped = sum(count for (_, name), count in self.progress.counts.items() if name not in (KEPT, "yes", "no"))
        return f"{dropped:,} dropped, {self.parts.number} parts kept"


@contextmanager
def saying_what_is_kept(parts: KeptParts) -> Iterator[None]:
    """Say where finished parts are when the work ends in the middle; without any, nothing is left."""
    try:
        yield
    except BaseException as error:
        if not parts.said():
            parts.remove()
            raise
        parts.close()
        goes_on = "" if isinstance(error, SizeError) else "; the same command goes on from there"
        if isinstance(error, RecombineError):
            error.remedy = "; ".join(filter(None, (error.remedy, parts.said()))) + goes_on
            error.args = (f"{error.problem}; {error.remedy}",)
        else:
            note(parts.said() + goes_on)
        raise
