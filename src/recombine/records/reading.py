"""How a data set was read: the language of its targets, the fields of its sources and targets, its path and its world,
and whether records that cannot be read were left out.

A split file of our own form keeps this of the data it was made for, so that later verbs read the same data alike. None
of it is part of a hash or a signature: whether data fits is decided by its content hash and its world, and the path is
a hint for people. The world is kept by its kind and digest, where there is one that the content hash does not imply.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import SplitError
from recombine.records.world import WorldName

if TYPE_CHECKING:
    from collections.abc import Mapping

_KEYS = {"language": "language", "source": "source", "target": "target", "data_path": "path"}
"""The keys of a split file and the names of the values here."""
_WORLD = "world"
_SKIP = "skip_unreadable"


@dataclass(frozen=True)
class Reading:
    """Each value is none where nothing is known of it: pairs from Python have no fields."""

    language: str | None = None
    source: str | None = None
    target: str | None = None
    path: str | None = None
    world: WorldName | None = None
    world_is_implied: bool = field(default=False, compare=False)
    """Whether the content hash says which world it is, as for data of the catalogue; then files do not."""
    skip_unreadable: bool = False
    """Whether records that cannot be read were left out; files say so where they were."""

    @classmethod
    def from_record(cls, record: Mapping[str, Any], path: Path | str) -> Reading | None:
        """What a split file says; nothing where it was written before files kept this."""
        if not any(key in record for key in _KEYS):
            return None
        for key in _KEYS:
            if not isinstance(record.get(key), str | None):
                raise SplitError(f"{path}: the key {key!r} is not text", "write the split again")
        values: dict[str, Any] = {name: record.get(key) for key, name in _KEYS.items()}
        if not isinstance(record.get(_SKIP, False), bool):
            raise SplitError(f"{path}: the key {_SKIP!r} is neither true nor false", "write the split again")
        return cls(**values, world=_world(record, path), skip_unreadable=record.get(_SKIP, False))

    def to_record(self) -> dict[str, Any]:
        """The keys of a split file."""
        values: dict[str, Any] = {key: getattr(self, name) for key, name in _KEYS.items()}
        if self.world is not None and not self.world_is_implied:
            values[_WORLD] = self.world._asdict()
        return {**values, _SKIP: True} if self.skip_unreadable else values

    def joined(self, said: Reading, split: str) -> Reading:
        """These values, and where there are none those that a split says; two that differ are refused.

        >>> Reading(source="q").joined(Reading("sql", target="query"), "split.json").to_record()
        {'language': 'sql', 'source': 'q', 'target': 'query', 'data_path': None}
        """
        made_for = {
            "language": "for targets in the language {!r}, not in {!r}",
            "source": "with sources from the field {!r}, not from {!r}",
            "target": "with targets from the field {!r}, not from {!r}",
        }
        values: dict[str, Any] = {"path": self.path or said.path, "world": self.world or said.world}
        values["skip_unreadable"] = self.skip_unreadable or said.skip_unreadable
        if self.world is not None and said.world is not None and self.world != said.world:
            raise SplitError(
                f"{split}: was made over the world {said.world}, not over {self.world}",
                "give that world with --world, or a split that was made over this one",
            )
        for key, words in made_for.items():
            given, recorded = getattr(self, key), getattr(said, key)
            if key == "language" and _digest(given) and _digest(recorded):
                values[key] = given
                _want_same_file(given, recorded, split)
                continue
            if given is not None and recorded is not None and given != recorded:
                raise SplitError(
                    f"{split}: was made {words.format(recorded, given)}",
                    f"leave out --{key}, or give a split that was made so",
                )
            values[key] = given if given is not None else recorded
        return Reading(**values)


def _digest(language: str | None) -> str:
    """The digest of a language file in what a split calls it: PATH.toml@DIGEST; empty where it is no file."""
    path, _, digest = (language or "").rpartition("@")
    return digest if path.endswith(".toml") else ""


def _want_same_file(given: str, recorded: str, split: str) -> None:
    """Refuse a language file that says something else than the one that a split was made with, wherever it lies."""
    if _digest(given) != _digest(recorded):
        path = recorded.rpartition("@")[0]
        raise SplitError(
            f"{split}: was made with the language file {path} of digest {_digest(recorded)}, not {_digest(given)}: it "
            "is another file, or has changed since",
            "give the file as it was, or make the split again",
        )


def _world(record: Mapping[str, Any], path: Path | str) -> WorldName | None:
    value = record.get(_WORLD)
    if value is None:
        return None
    if not isinstance(value, dict) or sorted(value) != sorted(WorldName._fields):
        raise SplitError(f"{path}: the key 'world' is not {{kind, sha256}}", "write the split again")
    if not all(isinstance(text, str) and text for text in value.values()):
        raise SplitError(f"{path}: the kind or the sha256 of the world is not text", "write the split again")
    return WorldName(**value)


def path_hint(typed: Path | str) -> str:
    """The path of data as it was typed; of an absolute one the last name, for the rest is of one machine only.

    >>> path_hint("data/mine.jsonl"), path_hint("/home/me/mine.jsonl")
    ('data/mine.jsonl', 'mine.jsonl')
    """
    return Path(typed).name if Path(typed).is_absolute() else str(typed)
