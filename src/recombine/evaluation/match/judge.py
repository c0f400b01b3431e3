"""Verdicts: what a matcher says of each prediction."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import FormError, NotReadError, OptionError, ProgramError, RecordError
from recombine.evaluation.statistics.intervals import wilson

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from recombine.evaluation.match.matchers import Key, Matcher
    from recombine.records.dataset import Dataset
    from recombine.records.example import Example
    from recombine.records.world import World


class Verdict(StrEnum):
    """What became of one prediction; all but `RIGHT` are wrong."""

    RIGHT = "right"
    WRONG = "wrong"
    MALFORMED = "malformed"
    """The output is not a program of the language."""
    ABSTAINED = "abstained"
    """There is no output, or an empty one."""
    UNSUPPORTED = "unsupported"
    """The output can be read, and the metric has nothing to compare it with; or so it is with the gold program."""


class Unsupported(NamedTuple):
    """A gold program for which a metric has nothing, and why."""

    id: str
    reason: str


def judge(dataset: Dataset, ids: Sequence[str], outputs: Mapping[str, str], matcher: Matcher) -> tuple[Verdict, ...]:
    """The verdict on the output for each id, in order; an id without an output abstains.

    A gold program that cannot be read is an error, since nothing can be scored against it. One that can be read, and
    that the matcher has nothing for, makes its entry unsupported: see `unsupported_golds`.
    """
    world = needed_world(dataset, matcher)
    compare = _comparison(matcher, world)
    return tuple(_verdict(dataset, dataset[key], outputs.get(key, ""), compare) for key in ids)


def unsupported_golds(dataset: Dataset, ids: Sequence[str], matcher: Matcher) -> list[Unsupported]:
    """The examples for whose gold programs a matcher has nothing, each once, with its reason."""
    compare, unsupported = _comparison(matcher, needed_world(dataset, matcher)), []
    for key in dict.fromkeys(ids):
        try:
            compare.check(dataset[key])
        except FormError as error:
            unsupported.append(Unsupported(key, error.problem))
    return unsupported


def _comparison(matcher: Matcher, world: World | None) -> _Whole | _Keys:
    return _Whole(matcher, world) if matcher.key is None else _Keys(matcher.key, matcher, world)


def needed_world(dataset: Dataset, matcher: Matcher) -> World | None:
    """The world for a matcher, opened; none for one that does not need it."""
    if not matcher.needs_world:
        return None
    world = dataset.opened_world
    if world is None:
        raise OptionError(
            f"the metric {matcher.name} needs a world, and {dataset.name} has none", "name it with --world PATH"
        )
    return world


class _Whole:
    """Comparisons by a matcher that looks at both programs."""

    def __init__(self, matcher: Matcher, world: World | None) -> None:
        self.matcher, self._world = matcher, world

    def check(self, example: Example) -> None:
        """Refuse a gold program that cannot be read."""
        self.same(self.matcher.gold(example), example)

    def same(self, output: str, example: Example) -> bool:
        """Whether an output is the example's program."""
        with _deep_is_malformed(self.matcher):
            return self.matcher.same(self.matcher.gold(example), output, example, self._world)


class _Keys:
    """Comparisons by keys; each is computed once for all examples that it is the same for."""

    def __init__(self, key: Key, matcher: Matcher, world: World | None) -> None:
        self._key, self.matcher, self._world = key, matcher, world
        self._keys: dict[Hashable, Hashable] = {}
        self._refused: dict[Hashable, ProgramError | FormError] = {}

    def check(self, example: Example) -> None:
        """Refuse a gold program that cannot be read."""
        self._read(self.matcher.gold(example), example)

    def same(self, output: str, example: Example) -> bool:
        """Whether an output is the example's program."""
        # The output first: where neither can be compared, it is the output that a verdict is on.
        return self._read(output, example) == self._read(self.matcher.gold(example), example)

    def _read(self, program: str, example: Example) -> Hashable:
        place = (program, self.matcher.depends_on(example))
        if place in self._refused:
            raise self._refused[place].with_traceback(None)
        if place not in self._keys:
            try:
                with _deep_is_malformed(self.matcher):
                    self._keys[place] = self._key(program, example, self._world)
            except (ProgramError, FormError) as error:
                self._refused[place] = error
                raise
        return self._keys[place]


def _verdict(dataset: Dataset, example: Example, output: str, compare: _Whole | _Keys) -> Verdict:
    abstains = compare.matcher.abstains
    if not output.strip() or (abstains is not None and abstains(output, example)):
        _check_gold(dataset, example, compare)
        return Verdict.ABSTAINED
    try:
        return Verdict.RIGHT if compare.same(output, example) else Verdict.WRONG
    except ProgramError as error:
        _check_gold(dataset, example, compare)  # which of the two is it that cannot be read?
        return Verdict.UNSUPPORTED if isinstance(error, NotReadError) else Verdict.MALFORMED
    except FormError:
        _check_gold(dataset, example, compare)
        return Verdict.UNSUPPORTED


def _check_gold(dataset: Dataset, example: Example, compare: _Whole | _Keys) -> None:
    try:
        compare.check(example)
    except ProgramError as error:
        problem = f"the gold {compare.matcher.compares} cannot be read: {error.problem}"
        raise RecordError(dataset.name, f"example {example.id}", problem, error.remedy) from None
    except FormError:
        return  # it can be read


@contextmanager
def _deep_is_malformed(matcher: Matcher) -> Iterator[None]:
    try:
        yield
    except RecursionError:
        raise ProgramError(matcher.name, 0, "nested too deeply to be read", "leave the example out") from None


@dataclass(frozen=True)
class Tally:
    """Verdicts, counted.

    >>> tally = Tally.of([Verdict.RIGHT, Verdict.RIGHT, Verdict.WRONG, Verdict.ABSTAINED])
    >>> tally.accuracy, tally.coverage, round(tally.precision, 3)
    (0.5, 0.75, 0.667)
    """

    right: int
    wrong: int
    malformed: int
    abstained: int
    unsupported: int = 0

    @classmethod
    def of(cls, verdicts: Sequence[Verdict]) -> Tally:
        """The counts of these verdicts."""
        counts = Counter(verdicts)
        return cls(*(counts[verdict] for verdict in Verdict))

    @property
    def n(self) -> int:
        """How many verdicts there are."""
        return self.right + self.wrong + self.malformed + self.abstained + self.unsupported

    @property
    def outputs(self) -> int:
        """How many of them are on an output."""
        return self.n - self.abstained

    @property
    def accuracy(self) -> float:
        """The share that is right."""
        return self.right / self.n

    @property
    def coverage(self) -> float:
        """The share that has an output."""
        return self.outputs / self.n

    @property
    def precision(self) -> float | None:
        """The share of outputs that is right; none where there is no output."""
        return self.right / self.outputs if self.outputs else None

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the accuracy."""
        return wilson(self.right, self.n)

    def to_record(self) -> dict[str, int]:
        """The counts by verdict, as they stand in JSON."""
        return asdict(self)
