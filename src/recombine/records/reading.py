"""How a data set was read: the language of its targets, the fields of its sources and targets, and its path.

A split file of our own form keeps this of the data it was made for, so that later verbs read the same data alike. None
of it is part of a hash, a signature or a key: whether data fits is decided by its content hash alone, and the path is a
hint for people.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import SplitError

if TYPE_CHECKING:
    from collections.abc import Mapping

_KEYS = {"language": "language", "source": "source", "target": "target", "data_path": "path"}
"""The keys of a split file and the names of the values here."""


@dataclass(frozen=True)
class Reading:
    """Each value is none where nothing is known of it: pairs from Python have no fields."""

    language: str | None = None
    source: str | None = None
    target: str | None = None
    path: str | None = None

    @classmethod
    def from_record(cls, record: Mapping[str, Any], path: Path | str) -> Reading | None:
        """What a split file says; nothing where it was written before files kept this."""
        if not any(key in record for key in _KEYS):
            return None
        for key in _KEYS:
            if not isinstance(record.get(key), str | None):
                raise SplitError(f"{path}: the key {key!r} is not text", "write the split again")
        return cls(**{name: record.get(key) for key, name in _KEYS.items()})

    def to_record(self) -> dict[str, str | None]:
        """The keys of a split file."""
        return {key: getattr(self, name) for key, name in _KEYS.items()}

    def joined(self, said: Reading, split: str) -> Reading:
        """These values, and where there are none those that a split says; two that differ are refused.

        >>> Reading(source="q").joined(Reading("sql", target="query"), "split.json")
        Reading(language='sql', source='q', target='query', path=None)
        """
        made_for = {
            "language": "for targets in the language {!r}, not in {!r}",
            "source": "with sources from the field {!r}, not from {!r}",
            "target": "with targets from the field {!r}, not from {!r}",
        }
        values: dict[str, str | None] = {"path": self.path or said.path}
        for key, words in made_for.items():
            given, recorded = getattr(self, key), getattr(said, key)
            if given is not None and recorded is not None and given != recorded:
                raise SplitError(
                    f"{split}: was made {words.format(recorded, given)}",
                    f"leave out --{key}, or give a split that was made so",
                )
            values[key] = given if given is not None else recorded
        return Reading(**values)


def path_hint(typed: Path | str) -> str:
    """The path of data as it was typed; of an absolute one the last name, for the rest is of one machine only.

    >>> path_hint("data/mine.jsonl"), path_hint("/home/me/mine.jsonl")
    ('data/mine.jsonl', 'mine.jsonl')
    """
    return Path(typed).name if Path(typed).is_absolute() else str(typed)
