"""A campaign: the one object that the app and the command line call.

Every method that changes something returns after the store has committed it, so that what is acknowledged is there. All
methods may be called from several threads, and from several processes on one store; of two that want the same slot, one
gets it. Errors are those of `recombine.errors`: what a worker may not do raises `CampaignError` or one of its kinds,
and stores nothing but, of an answer refused at entry, that it was.
"""

from __future__ import annotations

import time
from collections import Counter
from functools import partial
from secrets import token_bytes
from typing import TYPE_CHECKING, Any, Self

import orjson
from sqlalchemy import select

from recombine.annotation.campaign.intake.add_items import add_controls, add_items
from recombine.annotation.campaign.intake.take_in import ADDED, REPEATED, TOGETHER, take_rows_in
from recombine.annotation.campaign.lead.adjudicate import adjudicate
from recombine.annotation.campaign.lead.disputes import read_disputes
from recombine.annotation.campaign.people.survey_rows import add_survey, read_survey
from recombine.annotation.campaign.people.worker_rows import (
    PAUSED,
    add_workers,
    all_rows,
    as_worker,
    enrol_worker,
    forget_person,
    named_row,
    renew_token,
    set_worker,
    token_row,
    worker_row,
)
from recombine.annotation.campaign.reading.read_status import read_status
from recombine.annotation.campaign.reading.recompute import recompute
from recombine.annotation.campaign.reading.rows import (
    as_item,
    iter_batches,
    iter_controls,
    iter_items,
    iter_log,
    iter_responses,
    iter_valid_answers,
    iter_verdicts,
    one_verdict,
)
from recombine.annotation.campaign.reading.verify_log import verify_log
from recombine.annotation.campaign.records import PERSON, Broken, NoWork, TakenIn, Work
from recombine.annotation.campaign.rules import Rules
from recombine.annotation.campaign.work.claim_work import claim_work
from recombine.annotation.campaign.work.end_batch import expire_batches
from recombine.annotation.campaign.work.held_work import give_back, resume_worker, save_draft
from recombine.annotation.campaign.work.read_work import read_work
from recombine.annotation.campaign.work.submit_answers import Refused, submit_answers
from recombine.annotation.store import schema
from recombine.annotation.store.canonical import canonical, content_id
from recombine.annotation.store.store import Store, create_store
from recombine.annotation.tasks.read_flow import check_flow
from recombine.errors import CampaignError, OptionError, UnknownWorkerError

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
        Receipt,
        ResponseRow,
        Status,
        SurveyTotals,
        ValidAnswer,
        Verdict,
        Worker,
    )
    from recombine.annotation.store.turn import Turn
    from recombine.annotation.tasks.flow import Flow


class Campaign:
    """A flow, its items, its workers, and what they answered.

    `place` is a path of a SQLite file or a URL of a Postgres database. `clock` gives the time in seconds.
    """

    def __init__(self, place: Path | str, clock: Callable[[], float]) -> None:
        """Open the store; `create` and `open` are the ways to make one."""
        self.place = place
        self._clock = clock
        self._store = Store(place, clock=clock, first=lambda turn: expire_batches(turn, self._rules))
        self.name: str = self._store.meta["name"]
        self.flow: Flow = check_flow(orjson.loads(self._store.meta["flow"]), self._store.shown)
        self._rules = Rules(self.flow, bytes.fromhex(self._store.meta["key"]))
        self.signature = f"campaign({self.name},flow={self.flow.name}:{content_id(self._store.meta['flow'])[:10]})"
        """The campaign and its flow, options and all, as exported with every example."""

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
        if not name.strip() or not name.isprintable():
            raise OptionError(f"the campaign's name is {name!r}", "give a printable one")
        values = {"name": name, "flow": canonical(flow.model_dump(mode="json")), "key": (key or token_bytes(32)).hex()}
        create_store(place, values)
        return cls.open(place, clock=clock)

    @classmethod
    def open(cls, place: Path | str, *, clock: Callable[[], float] = time.time) -> Campaign:
        """The campaign at a place; `StoreError` where there is none, or one that is damaged or of another version."""
        return cls(place, clock)

    def close(self) -> None:
        """End the writer and the connections; what waits is written first."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What it is made of.

    def add_items(self, lines: Iterable[Mapping[str, Any]], *, file: Path | str = "items") -> Added:
        """Take lines `{item, task, parent, author, show, ask}` in; all of them, or none and a `RecordError`."""
        rows = list(lines)
        return self._store.write(lambda turn: add_items(turn, self._rules, rows, file))

    def add_controls(self, lines: Iterable[Mapping[str, Any]], *, file: Path | str = "controls") -> Added:
        """Take lines `{task, show, answer}` in as controls, where `answer` is what must be answered."""
        rows = list(lines)
        return self._store.write(lambda turn: add_controls(turn, self._rules, rows, file))

    # Who works.

    def add_workers(
        self, names: Iterable[str], *, qualifications: Iterable[str] = (), kind: str = PERSON
    ) -> list[NewWorker]:
        """Add workers, each with a token that is not stored and cannot be shown again."""
        given, wanted = list(names), list(qualifications)
        return self._store.write(lambda turn: add_workers(turn, self._rules, given, wanted, kind))

    def enrol(self, name: str, *, kind: str = PERSON) -> NewWorker:
        """The worker of an outer platform's id, added as `outer:ID` where there is none, with a further token."""
        return self._store.write(lambda turn: enrol_worker(turn, self._rules, name, kind))

    def new_token(self, worker: str) -> str:
        """A further token for a worker who lost theirs; those before it end."""
        return self._store.write(lambda turn: renew_token(turn, worker))

    def worker_of(self, token: str) -> Worker:
        """The worker of a token; `UnknownTokenError` where it is nobody's."""
        with self._store.read(whole=False) as connection:
            return as_worker(token_row(connection.execute, token))

    def worker(self, worker: str) -> Worker:
        """A worker by id; `UnknownWorkerError` where there is none."""
        with self._store.read(whole=False) as connection:
            return as_worker(worker_row(connection.execute, worker))

    def worker_named(self, name: str) -> Worker:
        """A worker by name; `UnknownWorkerError` where there is none."""
        with self._store.read(whole=False) as connection:
            row = named_row(connection.execute, name)
        if row is None:
            raise UnknownWorkerError(f"there is no worker called {name[:60]!r}", "see `recombine annotate workers`")
        return as_worker(row)

    def workers(self) -> list[Worker]:
        """All workers in the order they were added."""
        with self._store.read() as connection:
            return [as_worker(row) for row in all_rows(connection.execute)]

    def consent(self, worker: str) -> None:
        """Note that a worker agreed to the consent text as it is in the flow."""
        self._store.write(lambda turn: set_worker(turn, worker, "consented", consented=True))

    def survey(self, worker: str, answers: Mapping[str, str] | None) -> None:
        """Add a worker's answers to the totals, once; none where the worker passes over the survey."""
        self._store.write(lambda turn: add_survey(turn, self._rules, worker, answers))

    def survey_totals(self) -> SurveyTotals:
        """The totals of the survey, options under five together."""
        with self._store.read() as connection:
            return read_survey(connection)

    def completion_code(self, worker: str) -> str | None:
        """The code that a worker gives back to an outer platform, once enough is answered; the same every time."""
        if self.worker(worker).answered < self.flow.complete_after:
            return None
        return self._rules.keyed("completion", worker)[:10].upper()

    def pause(self, worker: str) -> None:
        """Give a worker no more work; what is kept for them returns."""
        self._store.write(lambda turn: self._leave(turn, worker, "paused", state=PAUSED))

    def resume(self, worker: str) -> None:
        """Let a paused worker go on, with no batch held against them."""
        self._store.write(lambda turn: resume_worker(turn, worker))

    def forget(self, worker: str) -> None:
        """Remove the person: name, tokens, drafts; the votes stay under an id that says nothing."""

        def operation(turn: Turn) -> None:
            give_back(turn, self._rules, worker)
            forget_person(turn, worker)

        self._store.write(operation)

    # The work.

    def claim(self, worker: str, *, task: str | None = None) -> Work | NoWork:
        """The work that is kept for a worker, else new work, of one task or of any; the same again until it is done.

        `ConsentError` where the worker has not agreed.
        """
        if task is None and (held := self.work(worker)) is not None:
            return held

        def operation(turn: Turn) -> Work | NoWork:
            claimed = claim_work(turn, self._rules, worker, task)
            if isinstance(claimed, NoWork):
                return claimed
            work = read_work(turn.read, self.flow, worker, turn.now)
            assert work is not None, "what was claimed is kept"  # noqa: S101
            return work

        return self._store.write(operation)

    def work(self, worker: str) -> Work | None:
        """The work that is kept for a worker, if any; nothing is claimed."""
        with self._store.read(whole=False) as connection:
            return read_work(connection.execute, self.flow, worker, self._clock())

    def submit(self, worker: str, batch: str, item: str, answer: Mapping[str, Any], *, round: int = 1) -> Receipt:  # noqa: A002
        """Store an answer to an item of a batch.

        `RefusedAnswerError` where it is refused at entry; `NotYoursError` where the item is not kept for this worker;
        `AlreadyAnsweredError` where the item is answered otherwise in this round. The same answer again is repeated.
        """
        return self.submit_all(worker, batch, {item: answer}, round=round)

    def submit_all(
        self,
        worker: str,
        batch: str,
        answers: Mapping[str, Mapping[str, Any]],
        *,
        round: int = 1,  # noqa: A002
    ) -> Receipt:
        """Store answers to several items of a batch, all or none; the receipt of the last."""
        done = self._store.write(lambda turn: submit_answers(turn, self._rules, worker, batch, answers, round))
        if isinstance(done, Refused):
            raise done.error
        return done

    def save_draft(self, worker: str, batch: str, item: str, draft: Mapping[str, Any]) -> None:
        """Keep what is written so far; an answer removes it."""
        self._store.write(lambda turn: save_draft(turn, self._rules, worker, batch, item, draft))

    def give_back(self, worker: str) -> int:
        """Return what is kept for a worker and not answered; how many items."""
        return self._store.write(lambda turn: give_back(turn, self._rules, worker))

    # The lead.

    def disputes(self) -> list[ItemRow]:
        """Items that a lead may want to look at: decided with judges apart, or exhausted; none twice."""
        with self._store.read() as connection:
            return read_disputes(connection, self.flow)

    def adjudicate(self, lead: str, item: str, *, accepted: bool, note: str = "") -> Verdict:
        """Decide an item that is voted on, above its votes; `AdjudicationError` where it cannot be so decided."""
        self._store.write(lambda turn: adjudicate(turn, self._rules, lead, item, accepted, note))
        with self._store.read() as connection:
            return one_verdict(connection, item)

    # Reading.

    def status(self) -> Status:
        """Where the campaign stands."""
        with self._store.read() as connection:
            return read_status(connection, self.flow, self.name, self.signature)

    def items(self, *, task: str | None = None) -> Iterator[ItemRow]:
        """The items in the order they came, controls from a file among them."""
        with self._store.read() as connection:
            yield from iter_items(connection, task)

    def item(self, item: str) -> ItemRow:
        """An item by its id."""
        with self._store.read() as connection:
            row = connection.execute(select(schema.items).where(schema.items.c.id == item)).one_or_none()
        if row is None:
            raise CampaignError(f"there is no item {item[:60]!r}", "give the id of an item")
        return as_item(row)

    def responses(self) -> Iterator[ResponseRow]:
        """The answers in the order they came."""
        with self._store.read() as connection:
            yield from iter_responses(connection)

    def responses_of(self, item: str) -> list[ResponseRow]:
        """The answers to an item in the order they came."""
        with self._store.read() as connection:
            return list(iter_responses(connection, item))

    def verdicts(self) -> Iterator[Verdict]:
        """What was decided, in the order of items."""
        with self._store.read() as connection:
            yield from iter_verdicts(connection)

    def valid_answers(self, *, task: str | None = None) -> Iterator[ValidAnswer]:
        """Answers that were accepted, in the order they came, of tasks that make something."""
        with self._store.read() as connection:
            yield from iter_valid_answers(connection, task)

    def controls(self) -> Iterator[Control]:
        """The controls in the order they came."""
        with self._store.read() as connection:
            yield from iter_controls(connection)

    def batches(self) -> Iterator[BatchRow]:
        """The batches in the order they were claimed."""
        with self._store.read() as connection:
            yield from iter_batches(connection)

    def recompute(self) -> list[str]:
        """What differs between what is stored and what follows from the responses; nothing where all is right."""
        with self._store.read() as connection:
            return recompute(connection, self.flow)

    def log(self) -> Iterator[LogEntry]:
        """The entries of the log in order."""
        with self._store.read() as connection:
            yield from iter_log(connection)

    def verify_log(self) -> LogReport:
        """Whether every entry hashes the one before, and every response is as the log has it."""
        with self._store.read() as connection:
            return verify_log(connection)

    # Out and in.

    def pseudonym(self, worker: str) -> str:
        """What a worker is called in exports: keyed by the campaign's secret, so that none can be traced without it."""
        return f"p{self._rules.keyed('pseudonym', worker)[:12]}"

    def take_in(self, rows: Sequence[Mapping[str, Any]], *, file: Path | str = "responses") -> TakenIn:
        """Take answers in that were given elsewhere, rows as `responses` gives them, under the rules.

        Of a row `item`, `worker` and `answer` are needed. Rows that are there already change nothing; those that break
        a rule are left out, named and counted. A worker who is not known is added.
        """
        pseudonyms = {self.pseudonym(worker.id): worker.id for worker in self.workers()}
        numbered = [(f"{file}, row {number}", row) for number, row in enumerate(rows, start=1)]
        done: list[str | Broken] = []
        for start in range(0, len(numbered), TOGETHER):
            some = numbered[start : start + TOGETHER]
            done += self._store.write(partial(take_rows_in, rules=self._rules, rows=some, pseudonyms=pseudonyms))
        counts = Counter(each for each in done if isinstance(each, str))
        broken = [each for each in done if isinstance(each, Broken)]
        reasons = Counter(each.reason for each in broken)
        return TakenIn(counts[ADDED], counts[REPEATED], tuple(broken), dict(sorted(reasons.items())))

    def backup(self, path: Path | str) -> None:
        """Write a copy of a SQLite store as it is at one moment, while others work; whole or not at all."""
        self._store.backup(path)

    def _leave(self, turn: Turn, worker: str, what: str, **values: Any) -> None:
        """Take a worker's work back, and change the worker."""
        give_back(turn, self._rules, worker)
        set_worker(turn, worker, what, **values)
