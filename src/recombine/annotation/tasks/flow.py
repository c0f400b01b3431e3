"""A flow as data: its tasks, which feed each other, the consent text, and a survey if there is one."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from recombine.annotation.tasks.task import Table, Task
from recombine.errors import UnknownNameError


class SurveyQuestion(Table):
    """One question of the anonymous survey, of which totals alone are kept."""

    name: str
    label: str
    options: tuple[str, ...] = Field(min_length=2)


class Flow(Table):
    """Tasks that belong together; the first ones in the file come first where a worker could do several."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_-]*$")
    title: str
    about: str
    consent: str
    """What a worker agrees to, in paragraphs that blank lines part."""
    thanks: str = "Thank you. There is nothing more to do for now."
    open_enrolment: bool = False
    """Whether anybody who comes with an outer platform's worker id may take part."""
    complete_after: int = Field(default=10, ge=1)
    """How many answers bring the completion code."""
    survey: tuple[SurveyQuestion, ...] = ()
    task: tuple[Task, ...] = Field(min_length=1)

    def of(self, name: str) -> Task:
        """A task by its name."""
        for each in self.task:
            if each.name == name:
                return each
        raise UnknownNameError("task", name, [each.name for each in self.task])

    @property
    def qualifications(self) -> tuple[str, ...]:
        """What its tasks want of workers, and `lead`."""
        return tuple(sorted({each.qualification for each in self.task if each.qualification} | {"lead"}))

    @model_validator(mode="after")
    def _names_fit(self) -> Self:
        """Check that tasks which are named are there."""
        names = [each.name for each in self.task]
        if len(set(names)) < len(names):
            raise ValueError("two tasks have one name")
        for each in self.task:
            for feed in (*each.feeds, *([each.judged_by] if each.judged_by else [])):
                if feed.task not in names:
                    raise ValueError(f"{each.name} feeds {feed.task!r}, which is no task")
            if each.judged_by and self.of(each.judged_by.task).makes:
                raise ValueError(f"{each.name} is judged by {each.judged_by.task}, which is not voted on")
        return self
