"""The values that a campaign takes and gives: workers, work, receipts, rows, and what became of items."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

PERSON = "person"
LEAD = "lead"
"""The qualification of who adjudicates."""


@dataclass(frozen=True)
class Worker:
    """Who answers. `id` says nothing about the person; `name` is empty once the person is forgotten."""

    id: str
    name: str
    kind: str
    """`person` for people."""
    qualifications: tuple[str, ...]
    state: str
    """`active`, `paused` (by set-aside batches, or by the lead) or `left` (forgotten)."""
    consented: bool
    surveyed: bool
    """Whether the survey was answered or passed over; what was answered is not kept by worker."""
    answered: int
    """How many answers were given, controls and late ones among them."""
    set_aside: int
    """How many batches were set aside since the worker was last resumed."""

    @property
    def leads(self) -> bool:
        """Whether this worker adjudicates."""
        return LEAD in self.qualifications


@dataclass(frozen=True)
class NewWorker:
    """A worker that was added, with the token of the join link, which is given out this once."""

    worker: Worker
    token: str


@dataclass(frozen=True)
class Assignment:
    """One item that a worker is to answer. Nothing here says whether it is a control."""

    item: str
    task: str
    position: int
    """Its place in the batch, from 1."""
    show: Mapping[str, Any]
    answer: Mapping[str, Any] | None
    """What the worker answered in the round before, which is reconsidered, or in this one, if answered."""
    answered: bool
    """Whether it is answered in this round."""
    draft: Mapping[str, Any] | None


@dataclass(frozen=True)
class Work:
    """A batch that is kept for a worker: one item, or several with a control among them."""

    batch: str
    task: str
    round: int
    """1, or more where the batch is to be reconsidered."""
    assignments: tuple[Assignment, ...]
    expires_at: float
    """Until when it is kept, in seconds since 1970; every answer and draft puts it off."""

    @property
    def next(self) -> Assignment:
        """The first item that is not answered in this round."""
        return next(each for each in self.assignments if not each.answered)

    @property
    def done(self) -> int:
        """How many are answered in this round."""
        return sum(each.answered for each in self.assignments)

    @property
    def reconsidered(self) -> bool:
        """Whether the batch is to be reconsidered: the worker is asked to look at all of it again."""
        return self.round > 1


@dataclass(frozen=True)
class NoWork:
    """Why there is nothing to do for a worker.

    `done`: every item of the campaign is decided; `none_for_you`: others may still have something to do, or some will
    come; `no_control`: items are there, but no control that this worker has not seen; `paused`: the worker is paused.
    """

    reason: str
    open_items: int
    """How many items of tasks that this worker may do are not decided."""


@dataclass(frozen=True)
class Receipt:
    """That an answer is stored: it is given after the store committed it."""

    response: str
    """The id of the response."""
    late: bool
    """Whether it came too late: then it is kept, and not counted."""
    repeated: bool
    """Whether the same answer was there already, so that nothing was stored."""
    batch_ended: bool
    """Whether this was the last answer of its batch, in its last round."""
    reconsider: bool
    """Whether the worker is now asked to reconsider the batch."""
    paused: bool
    """Whether the worker is now paused."""


@dataclass(frozen=True)
class Added:
    """How many items or controls were new, and how many were there already."""

    added: int
    repeated: int


@dataclass(frozen=True)
class ItemRow:
    """An item and where it stands."""

    item: str
    """Its content id."""
    name: str
    """What the file that it came from calls it; empty for one that the flow made."""
    task: str
    parent: str
    author: str
    show: Mapping[str, Any]
    keep: Mapping[str, Any]
    """What it keeps unseen, such as the target of its example; handed on to what is made of it."""
    control: bool
    """Whether it was given as a control; items that became controls stay items."""
    state: str
    """`open`, `accepted`, `rejected`; of tasks that make something `open`, `complete` or `exhausted`; `waiting` for the
    verdict on its parent, and `withdrawn` where that was rejected."""
    votes: int
    """Counted votes, or counted attempts."""
    valid: int
    """Valid answers, of tasks that make something."""
    pending: int
    """Answers that wait for their check, of tasks that make something."""
    leased: int
    """How many slots are kept for workers: not answered, or answered in a batch whose control is still to pass."""


@dataclass(frozen=True)
class ResponseRow:
    """One answer, as exported: `item task parent author worker kind batch control answer counted reason at`."""

    response: str
    item: str
    task: str
    parent: str
    author: str
    worker: str
    kind: str
    batch: str
    control: bool
    expected: Mapping[str, Any] | None
    """What must be answered, of a control."""
    answer: Mapping[str, Any]
    counted: bool
    reason: str
    """Why it is not counted: `late`, `control`, `pending`, `set_aside`, `expired`, `revised`; or `adjudication`, which
    is counted, and stands above votes."""
    revision: int
    seconds: float
    """From when the item was first shown, or the answer before it in the batch, to the answer."""
    at: str
    """When it was stored, as `2026-01-31T12:00:00.000Z`."""

    def to_dict(self) -> dict[str, Any]:
        """The row, with its fields in their order."""
        return dict(self.__dict__)


@dataclass(frozen=True)
class Verdict:
    """What was decided on an item."""

    item: str
    task: str
    parent: str
    state: str
    """`accepted` or `rejected`; `complete` or `exhausted` of tasks that make something."""
    votes: int
    shares: Mapping[str, float]
    """The share of answers that each rule of acceptance asks for, by its field."""
    kept: tuple[str, ...] = ()
    """Of a field of `several`: the options that enough workers chose."""
    by: str = ""
    """The lead who decided it; empty where votes did."""


@dataclass(frozen=True)
class ValidAnswer:
    """An answer that was accepted, with the item it answers: what becomes an example."""

    item: str
    name: str
    task: str
    parent: str
    worker: str
    answer: Mapping[str, Any]
    show: Mapping[str, Any]
    keep: Mapping[str, Any]
    check: str
    """The item that judged it."""
    votes: int
    shares: Mapping[str, float]


@dataclass(frozen=True)
class Control:
    """A control: an item with a known answer."""

    item: str
    task: str
    expected: Mapping[str, Any]
    good: bool
    """Whether the answer accepts it."""
    grown: bool
    """Whether it is an item that all its judges agreed on."""


@dataclass(frozen=True)
class BatchRow:
    """A batch: `open`, `reconsider`, `passed`, `set_aside`, `expired` or `given_back`."""

    batch: str
    worker: str
    task: str
    state: str
    round: int
    size: int
    control: str
    """The item of its control; empty where it has none."""
    failures: int
    """How often its control was failed."""


@dataclass(frozen=True)
class TaskStatus:
    """Where one task stands: items by their states, answers, and how many items wait."""

    task: str
    items: int
    states: Mapping[str, int]
    answers: int
    counted: int
    leased: int
    controls: int
    good_controls: int
    batches: Mapping[str, int]
    refused: Mapping[str, int]
    """Answers that were refused at entry, by reason."""
    median_seconds: float | None
    """Of all answers; none where there are none."""


@dataclass(frozen=True)
class Status:
    """Where a campaign stands."""

    campaign: str
    flow: str
    signature: str
    tasks: tuple[TaskStatus, ...]
    workers: Mapping[str, int]
    """Workers by their states."""
    without_control: int
    """Workers who could judge and have seen all controls."""
    log_entries: int
    done: bool


@dataclass(frozen=True)
class LogEntry:
    """An entry of the log; its hash is of the entry and of the hash before it."""

    number: int
    at: str
    what: str
    data: Mapping[str, Any]
    hash: str


@dataclass(frozen=True)
class LogReport:
    """Whether the log holds; `problem` says where it does not."""

    holds: bool
    entries: int
    responses: int
    """How many responses were found to be as the log has them."""
    head: str
    problem: str = ""


@dataclass(frozen=True)
class Broken:
    """A row from outside that breaks a rule."""

    where: str
    reason: str
    message: str


@dataclass(frozen=True)
class TakenIn:
    """What became of rows from outside."""

    added: int
    repeated: int
    broken: tuple[Broken, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    """Rows that break a rule, by reason."""


@dataclass(frozen=True)
class SurveyTotals:
    """Answers of the survey: counts of each question's options; options under five are one, `others together`."""

    workers: int
    counts: Mapping[str, Mapping[str, int]]
