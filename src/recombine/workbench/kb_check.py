"""What a knowledge base lacks for a data set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.workbench.load import load
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from recombine.kb.coverage import Coverage
    from recombine.kb.names.named import Named
    from recombine.kb.profiles.profile import Profile
    from recombine.records.dataset import Dataset
    from recombine.workbench.load import Data

SHOWN = 10
"""How many names are shown of those that are lacking."""
ONE = {"entities": "entity", "relations": "relation", "classes": "class"}


@dataclass(frozen=True, repr=False, eq=False)
class KbCoverage(Result):
    """What is lacking, and how many questions stay answerable by the names in their targets."""

    place: str
    data: str
    coverage: Coverage
    unreadable: dict[str, str]
    """The questions whose names could not be told, by id, each with why; they do not count as answerable."""
    profile: Profile
    digest: str

    @property
    def questions(self) -> int:
        """How many questions there are."""
        return self.coverage.questions + len(self.unreadable)

    @property
    def passed(self) -> bool:
        """Whether every question stays answerable."""
        return self.coverage.answerable == self.questions

    def lacking(self, kind: str, most: int | None = None) -> dict[str, int]:
        """The names of a kind that are lacking with the number of their questions, those of most questions first."""
        counted = self.coverage.lacking[kind].items()
        ordered = sorted(counted, key=lambda pair: (-pair[1], pair[0].key))[:most]
        return {self.profile.show(term): count for term, count in ordered}

    def to_dict(self) -> dict[str, Any]:
        """What `recombine kb check --json` prints."""
        coverage = self.coverage
        return {
            "place": self.place,
            "data": self.data,
            "questions": self.questions,
            "answerable": coverage.answerable,
            "named": coverage.named,
            "lacking": {kind: self.lacking(kind) for kind in coverage.lacking},
            "questions_lacking": coverage.questions_lacking,
            "unreadable": self.unreadable,
            "with_placeholders": coverage.placeholders,
            "unanswerable": coverage.unanswerable,
            "digest": self.digest,
        }

    def __str__(self) -> str:
        share = f" ({self.coverage.answerable / self.questions:.1%})" if self.questions else ""
        return f"{self.coverage.answerable:,} of {self.questions:,} questions stay answerable by their names{share}"


@verb
def kb_check(
    place: Path | str,
    data: Data,
    *,
    profile: Path | str | None = None,
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
) -> KbCoverage:
    """What the knowledge base at a place lacks for a data set: entities, relations and classes that its targets name.

    `profile` is that of a file or an endpoint. Names are those of SPARQL or S-expressions, else of the fields `topic`,
    `answers`, `entities`, `relations` and `classes`. A question stays answerable where all its names are there.
    """
    from recombine.kb.coverage import coverage
    from recombine.kb.open_store import open_store
    from recombine.progress import working

    dataset = load(data, source=source, target=target, language=language)
    with working(f"opening {place}"):
        store = open_store(place, profile=profile)
    unreadable: dict[str, str] = {}
    with working(f"checking {len(dataset):,} questions"):
        report = coverage(store, _iter_named(dataset, store.profile, unreadable))
    return KbCoverage(str(place), dataset.name, report, unreadable, store.profile, store.digest)


def _iter_named(dataset: Dataset, profile: Profile, unreadable: dict[str, str]) -> Iterator[tuple[str, Named]]:
    """What each question names; those that cannot be read are put aside with why."""
    from recombine.errors import OptionError, RecombineError
    from recombine.kb.names.names_of import names_of

    language = None if dataset.language is None else dataset.language.name
    for example in dataset:
        try:
            yield example.id, names_of(example.target, language, {**example.tags, **example.context}, profile)
        except RecombineError as error:
            unreadable[example.id] = error.problem
            if len(unreadable) == len(dataset):
                raise OptionError(
                    f"{dataset.name}: no question can be read; {example.id}: {error.problem}", error.remedy
                ) from error
