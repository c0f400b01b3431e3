"""The score of predictions on one part of a split: exact match and what else its language can be matched by."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import ProgramError, SplitError
from recombine.evaluation.match.exact_match import default_form, make_reader
from recombine.evaluation.match.judge import Tally, Verdict, judge, unsupported_golds
from recombine.evaluation.match.matchers import EXACT, Matcher, further_matchers
from recombine.evaluation.predictions import Predictions, assign
from recombine.evaluation.statistics.intervals import LEVEL

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from recombine.evaluation.match.judge import Unsupported
    from recombine.evaluation.predictions import Assigned
    from recombine.records.dataset import Dataset
    from recombine.records.signature import Signature
    from recombine.records.split import Split


@dataclass(frozen=True)
class Score:
    """What the matchers say of the predictions for one part, entry by entry, repeats counted."""

    part: str
    ids: tuple[str, ...]
    assigned: Assigned
    verdicts: Mapping[str, tuple[Verdict, ...]]
    """By metric; `main` is always there."""
    reads_programs: bool
    """Whether the language is known, so that malformed outputs are."""
    signature: Signature
    gold_unsupported: Mapping[str, tuple[Unsupported, ...]] = field(default_factory=dict)
    """By each metric that compares logical forms: the examples for whose gold programs it has nothing."""
    leniencies: Mapping[str, int] | None = None
    """What had to be let pass to read outputs, with the number of outputs; none for languages that let nothing pass."""
    main: str = EXACT
    """The metric that says what is correct."""

    @property
    def tallies(self) -> dict[str, Tally]:
        """The verdicts of each metric, counted."""
        return {metric: Tally.of(verdicts) for metric, verdicts in self.verdicts.items()}

    @property
    def n(self) -> int:
        """The number of entries."""
        return len(self.ids)

    @property
    def exact_match(self) -> float:
        """The share of entries that match exactly."""
        return self.tallies[EXACT].accuracy

    @property
    def tally(self) -> Tally:
        """The verdicts of the main metric, counted."""
        return self.tallies[self.main]

    @property
    def is_right(self) -> list[bool]:
        """Whether each entry is right."""
        return [verdict is Verdict.RIGHT for verdict in self.verdicts[self.main]]

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the share that is right."""
        return self.tally.interval

    @property
    def coverage(self) -> float:
        """The share of entries with an output."""
        return self.tally.coverage

    @property
    def precision(self) -> float | None:
        """The share of outputs that are right; none where there is no output."""
        return self.tally.precision

    @property
    def malformed(self) -> int | None:
        """The number of outputs that are not of the language; none where it is not known."""
        return self.tally.malformed if self.reads_programs else None

    @property
    def unsupported(self) -> int | None:
        """The number of outputs of a kind that the language has and that is not read; none where it is not known."""
        return self.tally.unsupported if self.reads_programs else None

    @property
    def stated_correct(self) -> float | None:
        """The share of entries that the file itself says are correct; none where it does not say."""
        stated = self.assigned.stated
        return sum(stated.get(key, False) for key in self.ids) / self.n if stated else None

    @property
    def disputed(self) -> int | None:
        """Where the file says what is correct, the number of entries for which the main metric says otherwise."""
        stated = self.assigned.stated
        if not stated:
            return None
        return sum(stated.get(key, False) != is_right for key, is_right in zip(self.ids, self.is_right, strict=True))

    def to_record(self) -> dict[str, Any]:
        """The score as one JSON object; every metric is in it by its name."""
        tallies = self.tallies
        return {
            **{metric: tally.accuracy for metric, tally in tallies.items()},
            "n": self.n,
            "interval": list(self.interval),
            "intervals": {metric: list(tally.interval) for metric, tally in tallies.items()},
            "coverage": self.coverage,
            "precision": self.precision,
            "malformed" if self.main == EXACT else "unreadable": self.malformed,
            **({"unsupported": self.unsupported} if self.unsupported else {}),
            "abstained": self.tally.abstained,
            "missing": self.assigned.missing,
            "elsewhere": self.assigned.elsewhere,
            "shared": self.assigned.shared,
            "stated_correct": self.stated_correct,
            "disputed": self.disputed,
            "part": self.part,
            "signature": str(self.signature),
            **self._of_forms(),
        }

    def _of_forms(self) -> dict[str, Any]:
        """What is told apart where logical forms are compared; nothing elsewhere."""
        if not self.gold_unsupported:
            return {}
        return {
            "verdicts": {metric: tally.to_record() for metric, tally in self.tallies.items()},
            "gold_unsupported": {metric: len(found) for metric, found in self.gold_unsupported.items()},
            "leniencies": None if self.leniencies is None else dict(self.leniencies),
        }

    def to_lines(self) -> bytes:
        """The predictions again as JSON lines, one for each example, with what the main metric says of them.

        Where answers or logical forms are compared, with verdicts too.
        """
        places = {key: place for place, key in enumerate(self.ids)}
        return b"".join(orjson.dumps(self._row(key, place)) + b"\n" for key, place in places.items())

    def _row(self, key: str, place: int) -> dict[str, Any]:
        verdict = self.verdicts[self.main][place]
        output = self.assigned.outputs.get(key, "")
        row: dict[str, Any] = {"id": key, "prediction": output, "correct": verdict is Verdict.RIGHT}
        if self.main != EXACT:
            row["verdict"] = "unreadable" if verdict is Verdict.MALFORMED else str(verdict)
        if self.gold_unsupported:
            row["verdicts"] = {metric: str(verdicts[place]) for metric, verdicts in self.verdicts.items()}
        return row


def score(
    dataset: Dataset,
    split: Split,
    predictions: Predictions | Mapping[str, str],
    *,
    part: str = "test",
    match: str | None = None,
    matchers: Mapping[str, Matcher] | None = None,
    allow_missing: bool = False,
    main: Matcher | None = None,
    ids: Sequence[str] | None = None,
) -> Score:
    """Score predictions, given as read from a file or by id, on a part of a split.

    `match` is the form of exact match; `main` stands in its place where outputs are no programs. `matchers` are the
    further metrics by name; where none are given, those of the language of the data. A matcher that needs the world of
    the data is given it. `ids` are the entries to score, where they are not all of the part.

    >>> from recombine.workbench import load
    >>> from recombine.splits.simple.random import RandomSplitter
    >>> data = load([("jump", "I_JUMP"), ("run", "I_RUN"), ("walk", "I_WALK")], language="actions")
    >>> split = RandomSplitter(train=1, test=2).split(data)
    >>> scored = score(data, split, {split.test[0]: data[split.test[0]].target, split.test[1]: "I_LOOK"})
    >>> scored.n, scored.exact_match, scored.coverage, scored.malformed
    (2, 0.5, 1.0, 0)
    """
    form = None if main is not None else match or default_form(dataset.language)
    exact = main or Matcher.of(str(form), make_reader(dataset.language, str(form)))
    if not isinstance(predictions, Predictions):
        predictions = Predictions.of(predictions)
    ids = split.part(part) if ids is None else tuple(ids)
    if not ids:
        raise SplitError(f"the {part} part is empty, so there is nothing to score", "choose another part")
    split.positions(dataset, part)  # refuses ids that are not in the data
    further = dict(matchers) if matchers is not None else {} if main is not None else _matchers_of(dataset)
    assigned = assign(predictions, dataset, ids, part=part, allow_missing=allow_missing)
    name = EXACT if main is None else main.name
    judges = {name: exact, **further}
    verdicts = {metric: judge(dataset, ids, assigned.outputs, matcher) for metric, matcher in judges.items()}
    golds = {
        metric: tuple(unsupported_golds(dataset, ids, matcher))
        for metric, matcher in judges.items()
        if matcher.tells_unsupported
    }
    signature = split.signature.with_fields(
        part=part,
        outputs=f"{predictions.name}@{assigned.digest}",
        match_on=predictions.match_on,
        missing="abstained" if allow_missing else "refused",
        metric=",".join(judges),
        world=_world(dataset, judges.values()),
        match=form,
        language="unknown" if dataset.language is None else dataset.language.name,
        interval=f"wilson,{LEVEL}",
        repeats="counted",
        **{key: value for matcher in judges.values() for key, value in matcher.fields},
    )
    leniencies = _leniencies(judges.values(), assigned.outputs.values())
    reads = main is not None or dataset.language is not None
    return Score(part, ids, assigned, verdicts, reads, signature, golds, leniencies, name)


def _leniencies(matchers: Iterable[Matcher], outputs: Iterable[str]) -> dict[str, int] | None:
    """What had to be let pass to read outputs, the most frequent first; none where no reader lets anything pass."""
    let_pass = next((matcher.let_pass for matcher in matchers if matcher.let_pass is not None), None)
    if let_pass is None:
        return None
    counts: Counter[str] = Counter()
    for output in outputs:
        with suppress(ProgramError):  # what cannot be read is counted as that
            counts.update(let_pass(output))
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def _matchers_of(dataset: Dataset) -> dict[str, Matcher]:
    """The further metrics of the language of a data set."""
    from recombine.evaluation.match.form_setting import form_setting

    return further_matchers(dataset.language, setting=form_setting(dataset))


def _world(dataset: Dataset, matchers: Iterable[Matcher]) -> str | None:
    """The world that verdicts depend on; none where no matcher asks for one."""
    world = dataset.opened_world if any(matcher.needs_world for matcher in matchers) else None
    return None if world is None else f"{world.kind}@{world.digest[:16]}"
