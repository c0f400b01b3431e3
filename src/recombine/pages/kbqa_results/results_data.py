"""All that the page of a study over a knowledge base shows, and the same as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from recombine.pages.kbqa_results.known_system import GOLD, LINKER, LINKERS, TAGGER
from recombine.pages.kbqa_results.paper_results import paper_results
from recombine.pages.kbqa_results.result_tables import (
    ALL,
    BoundsRow,
    Contrasted,
    ErrorRow,
    ScoreRow,
    chance_row,
    contrasts,
    error_rows,
    figure4,
    figure5,
    figure_links,
    level_places,
    score_rows,
)
from recombine.pages.kbqa_results.wrong_answers import WrongAnswers, wrong_answers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.kb.linking.score_links import LinkCounts
    from recombine.pages.kbqa_results.result_tables import Spread
    from recombine.pages.kbqa_results.study_systems import Section, System


@dataclass
class SectionData:
    """The tables of one section."""

    section: Section
    seed: int
    each: int

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """The questions of each level."""
        return level_places(self.section.facts)

    @property
    def name(self) -> str:
        """What the section is of."""
        return f"{self.section.data}, {self.section.group}"

    @property
    def ways(self) -> list[str]:
        """The ways of linking that systems have: by names first as in Table 3, then gold, then files."""
        found = {system.known.links for system in self.section.systems}
        return sorted(found, key=lambda way: (way not in LINKERS, way != TAGGER, way != GOLD, way))

    @cached_property
    def scores(self) -> dict[str, list[ScoreRow]]:
        """Rows of Table 3 by way of linking."""
        return {way: score_rows(self.section.of(way), self.places) for way in self.ways if self.section.of(way)}

    @cached_property
    def chances(self) -> dict[str, dict[str, float] | None]:
        """The expected accuracy of a uniform draw, by way of linking and level."""
        return {way: chance_row(self.section, way) for way in self.scores}

    @cached_property
    def drawn_links(self) -> tuple[str, str]:
        """The links of the figures, and what is to be said of them."""
        return figure_links(self.section)

    @cached_property
    def figure4(self) -> dict[str, list[ScoreRow]]:
        """Scores by kinds of questions."""
        return figure4(self.section, self.drawn_links[0])

    @cached_property
    def figure5(self) -> list[BoundsRow]:
        """Bounds."""
        return figure5(self.section, self.drawn_links[0])

    @cached_property
    def errors(self) -> list[ErrorRow]:
        """Errors by class."""
        return error_rows(self.section)

    @cached_property
    def contrasts(self) -> list[Contrasted]:
        """What pruning and pretraining are worth."""
        return contrasts(self.section, seed=self.seed)

    @cached_property
    def wrong(self) -> WrongAnswers:
        """Wrong answers to look at."""
        return wrong_answers(self.section, each=self.each, seed=self.seed)

    @cached_property
    def recalls(self) -> dict[str, dict[str, Any]]:
        """Candidate recall by way of linking, overall and by level."""
        found: dict[str, dict[str, Any]] = {}
        for way in (GOLD, *self.named_ways):
            recall = self.section.facts.recall(way, self.section.names, 2, ())
            if recall is not None:
                covered = [recall.outcomes[key] == "covered" for key in self.section.facts.ids]
                shares = {
                    level: sum(covered[place] for place in own) / len(own) for level, own in self.places.items() if own
                }
                found[way] = {**recall.to_dict(), "levels": shares}
        return found

    @property
    def named_ways(self) -> list[str]:
        """The ways of linking by names that systems have; the dictionary alone where none has any."""
        return [way for way in self.ways if way in LINKERS] or [LINKER]

    @cached_property
    def linking(self) -> dict[str, LinkCounts]:
        """How well each way of linking by names finds the entities of questions, where that can be told."""
        counts = {way: self.section.facts.link_counts(way, self.section.names) for way in self.named_ways}
        return {way: found for way, found in counts.items() if found is not None}

    @property
    def missing(self) -> list[str]:
        """Cells that have no result."""
        return [text for system in self.section.systems for text in system.missing]

    @property
    def unchecked(self) -> list[str]:
        """Checks of errors that could not be made."""
        said = (text for system in self.section.done for text in self.section.judge.unchecked(system.known))
        return list(dict.fromkeys(said))

    @cached_property
    def claims(self) -> list[tuple[str, bool]]:
        """What is expected of parsers beside baselines, and whether it holds."""
        return [claim for way in self.scores for claim in _claims(self.scores[way], self.chances[way], way)]

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        facts = self.section.facts
        return {
            "data": self.section.data,
            "split": self.section.group,
            "part": facts.part,
            "questions": {level: len(own) for level, own in self.places.items()},
            "match": dict(facts.setting.fields),
            "table3": {way: [_score_record(row) for row in rows] for way, rows in self.scores.items()},
            "uniform_expected": self.chances,
            "claims": [{"claim": text, "holds": holds} for text, holds in self.claims],
            "figure4": {axis: [_score_record(row) for row in rows] for axis, rows in self.figure4.items()},
            "figure5": [
                {"model": row.system.known.name, **{k: v for k, v in row._asdict().items() if k != "system"}}
                for row in self.figure5
            ],
            "figure_links": self.drawn_links[0],
            "linking": {way: found.to_dict() for way, found in self.linking.items()},
            "candidates": self.recalls,
            "errors": [
                {
                    "model": row.system.known.name,
                    "errors": row.errors,
                    "counts": row.counts,
                    "unreadable": row.unreadable,
                    "empty": row.empty,
                }
                for row in self.errors
            ],
            "unchecked": self.unchecked,
            "contrasts": [
                {
                    "change": row.change,
                    "without": row.without.known.name,
                    "with": row.with_it.known.name,
                    "level": row.level,
                    **row.means.to_record(),
                    "mcnemar": [{"seed": seed, "p_value": p} for seed, p in row.mcnemar],
                }
                for row in self.contrasts
            ],
            "wrong_answers": {"shown": len(self.wrong.shown), "all": self.wrong.all},
            "missing": self.missing,
        }


@dataclass(frozen=True)
class ResultsData:
    """The page of a study."""

    study: str
    description: str
    sections: tuple[SectionData, ...]
    lacking: tuple[str, ...]
    """What of the study cannot be shown at all."""

    @property
    def missing(self) -> int:
        """How many cells have no result."""
        return sum(len(section.missing) for section in self.sections)

    def to_record(self) -> dict[str, Any]:
        """What `recombine kbqa results --json` prints."""
        return {
            "study": self.study,
            "sections": [section.to_record() for section in self.sections],
            "lacking": list(self.lacking),
            "paper": dict(paper_results().items()),
        }


def _claims(rows: Sequence[ScoreRow], chances: dict[str, float] | None, way: str) -> list[tuple[str, bool]]:
    """Rankers at least twice as good as a uniform draw at every level; the best parser above all baselines."""
    claims = []
    rankers = [row for row in rows if row.system.known.kind == "ranking"]
    parsers = [row for row in rows if row.system.known.kind in ("ranking", "transduction")]
    baselines = [row for row in rows if row.system.known.kind == "baseline"]
    if chances is not None:
        for row in rankers:
            holds = all(_mean(row.em[level]) >= 2 * chance for level, chance in chances.items())
            claims.append((f"{_called(row.system)}, {way} links: at least twice a uniform draw at every level", holds))
    if parsers and baselines:
        for level in parsers[0].em:
            best = max(parsers, key=lambda row: _mean(row.em[level]))
            beaten = max(baselines, key=lambda row: _mean(row.em[level]))
            mine, theirs = _mean(best.em[level]), _mean(beaten.em[level])
            said = "overall" if level == ALL else level
            text = (
                f"{said}, {way} links: the best parser, {_called(best.system)} with {100 * mine:.1f}, is above the "
                f"best baseline, {_called(beaten.system)} with {100 * theirs:.1f}"
            )
            claims.append((text, mine > theirs))
    return claims


def _called(system: System) -> str:
    known = system.known
    return f"{known.title}, {known.extra}" if known.extra else known.title


def _mean(found: Spread | None) -> float:
    return 0.0 if found is None else found.mean


def _score_record(row: ScoreRow) -> dict[str, Any]:
    known = row.system.known
    paper = paper_results()["table3"].get(known.title) if known.in_table3 else None
    return {
        "model": known.name,
        "row": known.title,
        "extra": known.extra,
        "seeds": [run.seed for run in row.system.runs],
        "exact_match": {label: None if found is None else found.to_record() for label, found in row.em.items()},
        "answer_f1": {label: None if found is None else found.to_record() for label, found in row.f1.items()},
        "paper": paper,
    }


def build_results(
    study: str,
    description: str,
    sections: Sequence[Section],
    lacking: Sequence[str],
    *,
    seed: int = 0,
    each: int = 4,
) -> ResultsData:
    """The data of a page; sections without any run are among what cannot be shown."""
    shown = [SectionData(section, seed, each) for section in sections if section.done]
    empty = [
        f"{section.data}, {section.group}: none of its {section.waiting} cells is done"
        for section in sections
        if not section.done
    ]
    return ResultsData(study, description, tuple(shown), (*lacking, *empty))
