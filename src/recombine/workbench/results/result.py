"""What a verb gives: a value that prints short, shows itself in a notebook, and is a dictionary for programs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from recombine.html_table import LEFT, cut


class Result(Mapping[str, Any], ABC):
    """A result is a mapping of what `--json` prints: `measured["compound_divergence"]`.

    >>> class Count(Result):
    ...     def to_dict(self):
    ...         return {"examples": 3, "names": ["<a>", "b"]}
    ...     def __str__(self):
    ...         return "3 examples"
    >>> Count()
    <Count: 3 examples>
    >>> Count()["examples"]
    3
    >>> "&lt;a&gt;" in Count()._repr_html_()
    True
    """

    __slots__ = ()

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """What the command prints with `--json`; `file` and `seconds` may differ."""

    @abstractmethod
    def __str__(self) -> str:
        """The result in a line."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self}>"

    def _repr_html_(self) -> str:
        """The result as a table; long values are cut."""
        return result_table(str(self), self.to_dict())

    def __getitem__(self, key: str) -> Any:
        return self.to_dict()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.to_dict())

    def __len__(self) -> int:
        return len(self.to_dict())


def result_table(title: str, values: Mapping[str, Any]) -> str:
    """Values by name as an HTML table under a title; text from data is escaped."""
    rows = "".join(
        f"<tr><th {LEFT}>{escape(key)}</th><td {LEFT}>{escape(_short(value))}</td></tr>"
        for key, value in values.items()
    )
    return f"<table><caption>{escape(title)}</caption>{rows}</table>"


def _short(value: Any) -> str:
    if isinstance(value, Mapping):
        text = ", ".join(f"{key}: {_short(inner)}" for key, inner in value.items())
    elif isinstance(value, list | tuple):
        text = ", ".join(map(_short, value[:10])) + (f", … ({len(value):,} in all)" if len(value) > 10 else "")
    else:
        text = "–" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
    return cut(text)
