"""A question as a prompt asks it: its text, and what is known of it beside the text."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Known:
    """Some things that are known of a question, one a line, the most useful first."""

    title: str
    items: tuple[str, ...]
    total: int
    """How many there are, of which these are the first."""
    fixed: bool = False
    """Whether none may be left out for want of room."""

    @classmethod
    def of(cls, title: str, items: tuple[str, ...], most: int | None = None) -> Known:
        """The first of some things; all of them, which then stay, where there is no limit."""
        return cls(title, items if most is None else items[:most], len(items), fixed=most is None)

    def shorter(self) -> Known:
        """The same without the last."""
        return replace(self, items=self.items[:-1])

    def text(self) -> str:
        """As it stands in a prompt; where some are left out, with how many there are.

        >>> print(Known.of("Classes", ("Film", "Person", "Place"), 2).text())
        Classes (2 of 3):
        - Film
        - Person
        """
        of = f" ({len(self.items):,} of {self.total:,})" if len(self.items) < self.total else ""
        if not self.items:
            return f"{self.title}{of}: none"
        return "\n".join([f"{self.title}{of}:", *(f"- {item}" for item in self.items)])


@dataclass(frozen=True, slots=True)
class Question:
    """A question by its id; the question of an example has its answer too."""

    id: str
    text: str
    known: tuple[Known, ...] = ()
    answer: str = ""

    def block(self) -> str:
        """The question with what is known of it, as it stands in a prompt.

        >>> print(Question("q1", "who made Jaws?", (Known.of("Entities", ("Jaws: m.0",)),)).block())
        Question: who made Jaws?
        Entities:
        - Jaws: m.0
        """
        return "\n".join([f"Question: {self.text}", *(known.text() for known in self.known)])
