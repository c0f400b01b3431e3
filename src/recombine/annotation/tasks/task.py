"""A task as data: what is shown, what is asked, of whom, of how many, when it is accepted, and what it feeds.

There are two kinds. A task with `workers` is voted on: so many distinct workers answer an item, and `accept` decides by
their answers. A task with `until_valid` has something made: each answer is judged as an item of another task
(`judged_by`), until so many are valid, or `attempts` are used up (GrailQA, section 3.1, tasks 1 and 2).
"""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator


class Table(BaseModel):
    """A table of a flow file; keys that it does not know are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Shown(Table):
    """One part of what a worker sees: the value of `name` in an item's `show`."""

    name: str
    label: str = ""
    kind: Literal["text", "images", "list", "tree"] = "text"
    """`images` stand side by side; the nodes of a `tree` open their description and class."""
    optional: bool = False
    """An item may have no such value; then the part is left out."""


class Asked(Table):
    """One field of an answer, which is also the name of its form field.

    Answers are texts: `yes` or `no`, an option, or what was written; of `several` a list of options.
    """

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    label: str
    kind: Literal["yes_no", "choice", "several", "text"]
    options: tuple[str, ...] = ()
    """The options of a choice."""
    options_from: str | None = None
    """The name in `show` of a list of options, where each item has its own."""
    help: str = ""
    longest: int = Field(default=1000, ge=1)
    """The most characters of a text."""
    may_be_empty: bool = False

    def options_of(self, show: dict[str, Any]) -> tuple[str, ...]:
        """What can be chosen for an item."""
        if self.kind == "yes_no":
            return ("yes", "no")
        return tuple(str(each) for each in show.get(self.options_from, ())) if self.options_from else self.options


class WorkedExample(Table):
    """An example in the instructions: an item, its right answer, and the reason."""

    show: dict[str, Any]
    answer: dict[str, Any]
    reason: str = ""


class Accept(Table):
    """A rule of acceptance: at least this share of the answers has this value in this field.

    Of a field of `several`, `at_least` is for each option by itself: those that have it are kept, and the item is
    accepted where any is.
    """

    field: str
    equals: str | None = None
    equals_shown: str | None = None
    """The name in `show` of the right answer, which is not shown."""
    at_least: float = Field(default=1.0, gt=0, le=1)


class Refuse(Table):
    """What is refused at entry of a text field."""

    field: str
    brackets_of: str | None = None
    """The name in `show` of a text whose [bracketed] parts must all come, and no others."""
    brackets: bool = False
    """Brackets must come in pairs, whatever is in them."""
    copies_of: tuple[str, ...] = ()
    """Names in `show` of texts that may not be copied."""
    accepted: bool = False
    """A copy of a text that was accepted for the same item."""
    pending: bool = False
    """A copy of a text that is being judged for the same item."""


class BatchRule(Table):
    """Items come so many at a time, some of them hidden controls (GrailQA, section 3.1, task 2).

    Setting aside and pausing are ours, not the paper's.
    """

    size: int = Field(default=10, ge=2)
    controls: int = Field(default=1, ge=0, le=1)
    reconsider: int = Field(default=1, ge=0)
    """How often who fails the control is asked to reconsider before the batch is set aside."""
    pause_after: int = Field(default=2, ge=0)
    """How many batches set aside pause a worker; 0 for never."""
    bad_share: float = Field(default=0.5, ge=0, le=1)
    """How often the control is one that is to be rejected, as far as there are such."""
    grow: bool = True
    """Items that all judges agree on become controls."""
    smallest: int = Field(default=1, ge=1)
    """The fewest items besides controls; fewer than a whole batch come only where a worker has nothing else to do."""


class Feed(Table):
    """An item of another task that is made: `show` names its values as `show.NAME` or `answer.NAME` of this one.

    Values of this item's `show` that are not named are handed on as they are, and so is what it keeps unseen.
    """

    task: str
    show: dict[str, str] = {}


class Exported(Table):
    """Where the parts of an exported example come from: `answer.NAME`, `show.NAME` or `keep.NAME`."""

    source: str
    target: str


class Task(Table):
    """One task of a flow."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    title: str
    instructions: str
    """Own words, in paragraphs that blank lines part."""
    example: tuple[WorkedExample, ...] = ()
    show: tuple[Shown, ...]
    ask: tuple[Asked, ...] = Field(min_length=1)
    qualification: str | None = None
    """What a worker must have to be asked."""
    not_by: tuple[Literal["author"], ...] = ()
    distinct: bool = True
    """No worker answers an item twice."""
    workers: int | None = Field(default=None, ge=1)
    accept: tuple[Accept, ...] = ()
    until_valid: int | None = Field(default=None, ge=1)
    attempts: int | None = Field(default=None, ge=1)
    judged_by: Feed | None = None
    feeds: tuple[Feed, ...] = ()
    """What an accepted item brings about."""
    refuse: tuple[Refuse, ...] = ()
    batch: BatchRule | None = None
    lease_minutes: float = Field(default=30.0, gt=0)
    """An item is kept for a worker so long; an answer after that is late."""
    export: Exported | None = None
    """How an accepted answer becomes an example."""

    @property
    def makes(self) -> bool:
        """Whether its answers are judged by another task."""
        return self.until_valid is not None

    @property
    def slots(self) -> int:
        """How many answers are wanted: votes, or valid ones."""
        return self.until_valid or self.workers or 1

    @property
    def controlled(self) -> bool:
        """Whether its items come in batches with a control."""
        return self.batch is not None and self.batch.controls > 0

    def asked(self, name: str) -> Asked:
        """A field of the answer by its name."""
        return next(each for each in self.ask if each.name == name)

    @model_validator(mode="after")
    def _is_one_kind(self) -> Self:
        """Check what types alone do not say."""
        if self.makes:
            if self.attempts is None or self.judged_by is None or self.workers or self.accept or self.batch:
                raise ValueError("until_valid wants attempts and judged_by, and no workers, accept or batch")
            if self.attempts < self.slots:
                raise ValueError("attempts are fewer than until_valid")
        elif self.workers is None or not self.accept or self.attempts or self.judged_by:
            raise ValueError("give workers and accept, or until_valid, attempts and judged_by")
        names = [each.name for each in self.ask]
        if len(set(names)) < len(names):
            raise ValueError("two fields of ask have one name")
        for used in [*(rule.field for rule in self.accept), *(rule.field for rule in self.refuse)]:
            if used not in names:
                raise ValueError(f"a rule names the field {used!r}, which is not asked")
        for rule in self.accept:
            several = self.asked(rule.field).kind == "several"
            if (rule.equals is None) + (rule.equals_shown is None) != 1 + several:
                raise ValueError(f"the rule of {rule.field!r} wants one of equals and equals_shown (none of several)")
        return self
