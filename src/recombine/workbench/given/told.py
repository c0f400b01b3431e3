"""What a parser is told of an example and what it learns to give: the source and the target, or more and another.

A parser that answers in words learns the field `answer` in place of the target. Further fields are told behind the
source, each after a bar with its name: `count:images` tells how many images there are, `kind` what kind it is. The
signature of a parser says both, so that it is asked as it was taught.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, RecordError, UnknownNameError
from recombine.evaluation.answers.asked_answers import answer_to_learn, field_of
from recombine.records.signature import Signature

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recombine.records.dataset import Dataset
    from recombine.records.example import Example

TARGET, ANSWER = ON = ("target", "answer")
"""What a parser may learn to give."""
COUNT = "count:"
"""Before the name of a list whose length is told."""


@dataclass(frozen=True)
class Told:
    """What is told behind the source, and what is learned."""

    on: str = TARGET
    tell: tuple[str, ...] = ()

    @classmethod
    def checked(cls, on: str, tell: str | Iterable[str]) -> Told:
        """As a verb is given it; what it cannot mean is refused."""
        if on not in ON:
            raise UnknownNameError("thing to learn", on, ON)
        names = tuple(dict.fromkeys((tell,) if isinstance(tell, str) else tell))
        for name in names:
            if not name.removeprefix(COUNT).strip() or any(mark in name for mark in ",|\n"):
                raise OptionError(
                    f"{name!r} names no field to tell", f"give the name of one, or {COUNT}NAME for a list"
                )
        return cls(on, names)

    @classmethod
    def of_signature(cls, text: str) -> Told:
        """As the signature of a parser says it.

        >>> Told.of_signature("data:q|on:answer|tell:count:images|version:0.1.0")
        Told(on='answer', tell=('count:images',))
        """
        stated = Signature.parse(text) if text else Signature(())
        return cls(stated.get("on") or TARGET, tuple(filter(None, stated.get("tell").split(","))))

    @property
    def fields(self) -> dict[str, str | None]:
        """As a signature says it; nothing where it is source and target alone."""
        return {"on": None if self.on == TARGET else self.on, "tell": ",".join(self.tell) or None}

    def source(self, dataset: Dataset, example: Example) -> str:
        """The source with what is told behind it.

        >>> from recombine.workbench import load
        >>> data = load([{"source": "How many?", "target": "count", "images": ["a", "b"], "kind": "open"}])
        >>> Told(tell=("count:images", "kind")).source(data, data[0])
        'How many? | images 2 | kind open'
        """
        texts = [f"{name.removeprefix(COUNT)} {self._value(dataset, example, name)}" for name in self.tell]
        return " | ".join([example.source, *texts])

    def taught(self, dataset: Dataset, example: Example) -> Example:
        """The example as a parser learns from it."""
        if self == Told():
            return example
        target = answer_to_learn(dataset, example) if self.on == ANSWER else example.target
        return replace(example, source=self.source(dataset, example), target=target)

    def _value(self, dataset: Dataset, example: Example, name: str) -> str:
        field = name.removeprefix(COUNT)
        value: Any = field_of(example, field)
        if name.startswith(COUNT) and isinstance(value, tuple | list):
            return str(len(value))
        if name.startswith(COUNT) or not isinstance(value, bool | int | float | str) or "\n" in str(value):
            wanted = "list" if name.startswith(COUNT) else "value of one line"
            raise RecordError(
                dataset.name, f"example {example.id}", f"its field {field!r} is no {wanted}", "tell another field"
            )
        return str(value).lower() if isinstance(value, bool) else str(value)
