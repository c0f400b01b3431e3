"""A campaign: the one object that the app and the command line call.

Every method that changes something returns after the store has committed it, so that what is acknowledged is there. All
methods may be called from several threads, and from several processes on one store; of two that want the same slot, one
gets it. Errors are those of `recombine.errors`: what a worker may not do raises `CampaignError` or one of its kinds, and
stores nothing but, of an answer refused at entry, that it was.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Self

from recombine.annotation.campaign.records import PERSON

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from recombine.annotation.campaign.records import (
        Added,
        BatchRow,
        Control,
        ItemRow,
        LogEntry,
        LogReport,
        NewWorker,
        NoWork,
        Receipt,
        ResponseRow,
        Status,
        SurveyTotals,
        TakenIn,
        ValidAnswer,
        Verdict,
        Work,
        Worker,
    )
    from recombine.annotation.tasks.flow import Flow


class Campaign:
    """A flow, its items, its workers, and what they answered.

    `place` is a path of a SQLite file or a URL of a Postgres database. `clock` gives the time in seconds.
    """

    name: str
    flow: Flow
    signature: str
    """The flow and the campaign's name, as exported with every example."""

    @classmethod
    def create(
        cls,
        place: Path | str,
        flow: Flow,
        *,
        name: str,
        key: bytes | None = None,
        clock: Callable[[], float] = time.time,
    ) -> Campaign:
        """A new campaign at a place where there is none; `key` is its secret, made up where none is given."""
        raise NotImplementedError

    @classmethod
    def open(cls, place: Path | str, *, clock: Callable[[], float] = time.time) -> Campaign:
        """The campaign at a place; `StoreError` where there is none, or one that is damaged or of another version."""
        raise NotImplementedError

    def close(self) -> None:
        """End the writer and the connections; what waits is written first."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What it is made of.

    def add_items(self, lines: Iterable[Mapping[str, Any]], *, file: Path | str = "items") -> Added:
        """Take lines `{item, task, parent, author, show, ask}` in; all of them, or none and a `RecordError`."""
        raise NotImplementedError

    def add_controls(self, lines: Iterable[Mapping[str, Any]], *, file: Path | str = "controls") -> Added:
        """Take lines `{task, show, answer}` in as controls, where `answer` is what must be answered."""
        raise NotImplementedError

    # Who works.

    def add_workers(
        self, names: Iterable[str], *, qualifications: Iterable[str] = (), kind: str = PERSON
    ) -> list[NewWorker]:
        """Add workers, each with a token that is not stored and cannot be shown again."""
        raise NotImplementedError

    def enrol(self, name: str, *, kind: str = PERSON) -> NewWorker:
        """The worker of an outer platform's id, added where there is none, with a further token."""
        raise NotImplementedError

    def new_token(self, worker: str) -> str:
        """A further token for a worker who lost theirs; those before it end."""
        raise NotImplementedError

    def worker_of(self, token: str) -> Worker:
        """The worker of a token; `UnknownTokenError` where it is nobody's."""
        raise NotImplementedError

    def worker(self, worker: str) -> Worker:
        """A worker by id; `UnknownWorkerError` where there is none."""
        raise NotImplementedError

    def workers(self) -> list[Worker]:
        """All workers in the order they were added."""
        raise NotImplementedError

    def consent(self, worker: str) -> None:
        """Note that a worker agreed to the consent text as it is in the flow."""
        raise NotImplementedError

    def survey(self, worker: str, answers: Mapping[str, str] | None) -> None:
        """Add a worker's answers to the totals, once; none where the worker passes over the survey."""
        raise NotImplementedError

    def survey_totals(self) -> SurveyTotals:
        """The totals of the survey, options under five together."""
        raise NotImplementedError

    def completion_code(self, worker: str) -> str:
        """The code that a worker gives back to an outer platform; the same whenever it is asked for."""
        raise NotImplementedError

    def pause(self, worker: str) -> None:
        """Give a worker no more work; what is kept for them returns."""
        raise NotImplementedError

    def resume(self, worker: str) -> None:
        """Let a paused worker go on, with no batch held against them."""
        raise NotImplementedError

    def forget(self, worker: str) -> None:
        """Remove the person: name, tokens, drafts; the votes stay under an id that says nothing."""
        raise NotImplementedError

    # The work.

    def claim(self, worker: str, *, task: str | None = None) -> Work | NoWork:
        """The work that is kept for a worker, else new work, of one task or of any; the same again until it is done.

        `ConsentError` where the worker has not agreed.
        """
        raise NotImplementedError

    def work(self, worker: str) -> Work | None:
        """The work that is kept for a worker, if any; nothing is claimed."""
        raise NotImplementedError

    def submit(self, worker: str, batch: str, item: str, answer: Mapping[str, Any], *, round: int = 1) -> Receipt:  # noqa: A002
        """Store an answer to an item of a batch.

        `RefusedAnswerError` where it is refused at entry; `NotYoursError` where the item is not kept for this worker;
        `AlreadyAnsweredError` where the item is answered otherwise in this round. The same answer again is repeated.
        """
        raise NotImplementedError

    def save_draft(self, worker: str, batch: str, item: str, draft: Mapping[str, Any]) -> None:
        """Keep what is written so far; an answer removes it."""
        raise NotImplementedError

    def give_back(self, worker: str) -> int:
        """Return what is kept for a worker and not answered; how many items."""
        raise NotImplementedError

    # The lead.

    def disputes(self) -> list[ItemRow]:
        """Items that a lead may want to look at: decided with judges apart, or exhausted; none twice."""
        raise NotImplementedError

    def adjudicate(self, lead: str, item: str, *, accepted: bool, note: str = "") -> Verdict:
        """Decide an item that is voted on, above its votes; `AdjudicationError` where it cannot be so decided."""
        raise NotImplementedError

    # Reading.

    def status(self) -> Status:
        """Where the campaign stands."""
        raise NotImplementedError

    def items(self, *, task: str | None = None) -> Iterator[ItemRow]:
        """The items in the order they came, controls from a file among them."""
        raise NotImplementedError

    def item(self, item: str) -> ItemRow:
        """An item by its id."""
        raise NotImplementedError

    def responses(self) -> Iterator[ResponseRow]:
        """The answers in the order they came."""
        raise NotImplementedError

    def verdicts(self) -> Iterator[Verdict]:
        """What was decided, in the order of items."""
        raise NotImplementedError

    def valid_answers(self, *, task: str | None = None) -> Iterator[ValidAnswer]:
        """Answers that were accepted, in the order they came, of tasks that make something."""
        raise NotImplementedError

    def controls(self) -> Iterator[Control]:
        """The controls in the order they came."""
        raise NotImplementedError

    def batches(self) -> Iterator[BatchRow]:
        """The batches in the order they were claimed."""
        raise NotImplementedError

    def recompute(self) -> list[str]:
        """What differs between what is stored and what follows from the responses; nothing where all is right."""
        raise NotImplementedError

    def log(self) -> Iterator[LogEntry]:
        """The entries of the log in order."""
        raise NotImplementedError

    def verify_log(self) -> LogReport:
        """Whether every entry hashes the one before, and every response is as the log has it."""
        raise NotImplementedError

    # Out and in.

    def pseudonym(self, worker: str) -> str:
        """What a worker is called in exports: keyed by the campaign's secret, so that none can be traced without it."""
        raise NotImplementedError

    def take_in(self, rows: Sequence[Mapping[str, Any]], *, file: Path | str = "responses") -> TakenIn:
        """Take answers in that were given elsewhere, rows as `responses` gives them, under the rules.

        Of a row `item`, `worker` and `answer` are needed. Rows that are there already change nothing; those that break
        a rule are left out, named and counted. A worker who is not known is added.
        """
        raise NotImplementedError

    def backup(self, path: Path | str) -> None:
        """Write a copy of a SQLite store as it is at one moment, while others work; whole or not at all."""
        raise NotImplementedError
