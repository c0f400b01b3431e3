"""The tables of the page: means over runs, by level and in groups; bounds; errors; what differences are worth."""

from __future__ import annotations

import statistics
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from recombine.evaluation.compare import mcnemar
from recombine.evaluation.errors.kbqa_errors import CLASSES
from recombine.evaluation.groups.axes import ANSWERS, FUNCTION, LEVELS, ORDERS, RELATIONS
from recombine.evaluation.groups.robustness import bounds
from recombine.evaluation.statistics.paired_means import PairedMeans, paired_means
from recombine.pages.kbqa_results.known_system import GOLD, LINKERS, RANKING, TRANSDUCTION

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recombine.pages.kbqa_results.judged_cell import JudgedCell
    from recombine.pages.kbqa_results.question_facts import QuestionFacts
    from recombine.pages.kbqa_results.study_systems import Section, System

ALL = "all"
AXES = {RELATIONS: "number of relations", FUNCTION: "function", ANSWERS: "answers"}
GROUPINGS = ("paraphrase", "template")


class Spread(NamedTuple):
    """A mean over runs with its standard deviation; none of it for a single run."""

    mean: float
    sd: float | None
    runs: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """The spread of the values of runs.

        >>> Spread.of([0.25, 0.75]).mean
        0.5
        """
        sd = statistics.stdev(values) if len(values) > 1 else None
        return cls(statistics.fmean(values), sd, len(values))

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return self._asdict()


def places_by(labels: Sequence[str], order: Sequence[str]) -> dict[str, list[int]]:
    """The places of each label, those of an order first; labels without a place are left out."""
    found: dict[str, list[int]] = {}
    for place, label in enumerate(labels):
        found.setdefault(label, []).append(place)
    return {label: found[label] for label in [*order, *sorted(found.keys() - set(order))] if label in found}


def level_places(facts: QuestionFacts) -> dict[str, list[int]]:
    """The places of all questions, and of each level."""
    return {ALL: list(range(len(facts.ids))), **places_by(facts.levels, LEVELS)}


def exact(run: JudgedCell) -> Sequence[float]:
    """Whether each question is right, as numbers."""
    return [float(each) for each in run.right]


def answered(run: JudgedCell) -> Sequence[float] | None:
    """The answer F1 of each question."""
    return run.f1


def spread(
    system: System, values: Callable[[JudgedCell], Sequence[float] | None], places: Sequence[int]
) -> Spread | None:
    """The spread over runs of a mean over some questions; none where there are no values."""
    means = []
    for run in system.runs:
        own = values(run)
        if own is None or not places:
            return None
        means.append(statistics.fmean(own[place] for place in places))
    return Spread.of(means) if means else None


# -- Table 3 and Figure 4 ----------------------------------------------------------------------------------------------


class ScoreRow(NamedTuple):
    """A system with exact match and F1 by label."""

    system: System
    em: dict[str, Spread | None]
    f1: dict[str, Spread | None]


def score_rows(systems: Sequence[System], places: dict[str, list[int]]) -> list[ScoreRow]:
    """A row for each system."""
    return [
        ScoreRow(
            system,
            {label: spread(system, exact, own) for label, own in places.items()},
            {label: spread(system, answered, own) for label, own in places.items()},
        )
        for system in systems
    ]


def chance_row(section: Section, links: str) -> dict[str, float] | None:
    """The expected accuracy of a uniform draw, by level: the mean share of candidates that are right."""
    recall = section.facts.recall(links, section.names, *_candidates_of(section, links))
    if recall is None:
        return None
    chances = recall.chances()
    values = [chances[key] for key in section.facts.ids]
    return {
        label: statistics.fmean(values[place] for place in own) for label, own in level_places(section.facts).items()
    }


def _candidates_of(section: Section, links: str) -> tuple[int, tuple[str, ...]]:
    """The hops and kinds of candidates that most rankers with these links have; the paper's where there is none."""
    used = [
        (system.known.hops, system.known.beyond)
        for system in section.systems
        if system.known.kind in (RANKING, "baseline") and system.known.links == links
    ]
    return Counter(used).most_common(1)[0][0] if used else (2, ())


def figure4(section: Section, links: str) -> dict[str, list[ScoreRow]]:
    """Scores by number of relations, function and answers."""
    systems = [system for system in section.of(links) if system.known.kind in (RANKING, TRANSDUCTION)]
    return {axis: score_rows(systems, places_by(section.facts.labels(axis), ORDERS[axis])) for axis in AXES}


# -- Figure 5 ----------------------------------------------------------------------------------------------------------


class BoundsRow(NamedTuple):
    """A system's bounds at one level, means over runs."""

    system: System
    grouping: str
    level: str
    lower: float
    accuracy: float
    upper: float
    groups: int


def figure5(section: Section, links: str) -> list[BoundsRow]:
    """The bounds by paraphrase and template, overall and by level; accuracy lies within them in each run."""
    rows = []
    systems = [system for system in section.of(links) if system.known.kind in (RANKING, TRANSDUCTION)]
    for grouping in GROUPINGS:
        groups = section.facts.groups(grouping)
        if groups is None:
            continue
        for level, places in level_places(section.facts).items():
            own = [groups[place] for place in places]
            for system in systems:
                found = [bounds(own, [run.right[place] for place in places]) for run in system.runs]
                if any(not each.lower <= each.accuracy <= each.upper for each in found):
                    raise AssertionError("bounds enclose accuracy")
                low, mean, high = (
                    statistics.fmean(getattr(each, name) for each in found) for name in ("lower", "accuracy", "upper")
                )
                rows.append(BoundsRow(system, grouping, level, low, mean, high, found[0].groups))
    return rows


# -- errors ------------------------------------------------------------------------------------------------------------


class ErrorRow(NamedTuple):
    """A system's errors by class, those of all runs together."""

    system: System
    errors: int
    counts: dict[str, int]
    unreadable: float
    """The share of outputs that cannot be read."""
    empty: float
    """The share of questions without an output."""


def error_rows(section: Section) -> list[ErrorRow]:
    """The errors of each system that has a run."""
    rows = []
    for system in section.done:
        counted = Counter(name for run in system.runs for name in run.classes if name)
        asked = len(system.runs) * len(section.facts.ids)
        wrong = sum(not right for run in system.runs for right in run.right)
        if sum(counted.values()) != wrong:
            raise AssertionError("classes of errors sum to the errors")
        rows.append(
            ErrorRow(
                system,
                wrong,
                {name: counted[name] for name in CLASSES},
                sum(run.unreadable for run in system.runs) / asked,
                sum(run.empty for run in system.runs) / asked,
            )
        )
    return rows


# -- significance ------------------------------------------------------------------------------------------------------


class Contrasted(NamedTuple):
    """What a change is worth at a level: without it, with it, and how sure the difference is."""

    change: str
    without: System
    with_it: System
    level: str
    means: PairedMeans
    mcnemar: tuple[tuple[int, float], ...]
    """The p-value of McNemar's exact test for each seed that both have."""


def contrasts(section: Section, *, seed: int = 0) -> list[Contrasted]:
    """Pruning and pretraining, each with all else equal but what is set for training, overall and by level."""
    rows = []
    for change, one, other in compared_pairs(section.done):
        for level, places in level_places(section.facts).items():
            first = [[float(run.right[place]) for place in places] for run in one.runs]
            second = [[float(run.right[place]) for place in places] for run in other.runs]
            by_seed = {run.seed: values for run, values in zip(one.runs, first, strict=True)}
            tests = [
                (run.seed, _mcnemar(by_seed[run.seed], values))
                for run, values in zip(other.runs, second, strict=True)
                if run.seed in by_seed
            ]
            rows.append(Contrasted(change, one, other, level, paired_means(first, second, seed=seed), tuple(tests)))
    return rows


def _mcnemar(first: Sequence[float], second: Sequence[float]) -> float:
    pairs = list(zip(first, second, strict=True))
    return mcnemar(pairs.count((0.0, 1.0)), pairs.count((1.0, 0.0)))


def compared_pairs(systems: Sequence[System]) -> list[tuple[str, System, System]]:
    """Pairs of systems that differ in one thing: without it, and with it; their networks are of one width."""
    parsers = [each for each in systems if each.known.kind in (RANKING, TRANSDUCTION)]
    found = []
    for one in parsers:
        for other in parsers:
            a, b = one.known, other.known
            if any(
                getattr(a, name) != getattr(b, name) for name in ("kind", "links", "hops", "beyond", "extra", "width")
            ):
                continue
            if a.encoder == b.encoder and not a.pruned and b.pruned:
                found.append(("pruning", one, other))
            elif a.pruned == b.pruned and (a.encoder, b.encoder) in _ENCODERS:
                found.append((_ENCODERS[a.encoder, b.encoder], one, other))
    return sorted(found, key=lambda pair: (pair[2].known.links == GOLD, pair[0] != "pruning"))


_ENCODERS = {
    ("vectors", "pretrained"): "pretraining, beside fixed vectors",
    ("scratch", "pretrained"): "pretraining, beside none",
}


def figure_links(section: Section) -> tuple[str, str]:
    """The links of Figures 4 and 5, gold as in the paper where a parser has them, and what to say where none has."""
    for links in (GOLD, *LINKERS):
        if any(system.known.kind in (RANKING, TRANSDUCTION) for system in section.of(links)):
            said = "" if links == GOLD else "No parser with gold links is done: these are with links by names."
            return links, said
    return GOLD, "No parser is done."
