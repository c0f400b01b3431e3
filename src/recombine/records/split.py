"""A split: named parts, each an ordered list of example ids.

Ids may repeat within a part (some published train lists repeat lines on purpose) and parts need not cover the data. A
split knows the hash of its data, the signature of how it was made, what was measured on it, and how its data was read.

Three file forms are read and written: our own (ids), that of the CFQ release (`{"trainIdxs": …}`) and that of NQG
(`{"train": …, "test": …}`), the last two with 0-based line numbers of the data file.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import OptionError, SplitError
from recombine.files import read_bytes, write_whole
from recombine.records.reading import Reading
from recombine.records.signature import Signature
from recombine.records.split_folder import read_split_folder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence, Sized

    from recombine.records.dataset import Dataset

FORM = "recombine-split/1"
FORMATS = ("ours", "cfq", "nqg")
_CFQ_KEYS = {"trainIdxs": "train", "devIdxs": "dev", "testIdxs": "test"}


@dataclass(frozen=True, repr=False)
class Split:
    """Which examples are for training and which for testing."""

    parts: Mapping[str, tuple[str, ...]]
    data: str
    data_hash: str
    signature: Signature
    measured: Mapping[str, Any] = field(default_factory=dict)
    reading: Reading | None = field(default=None, compare=False)
    """How the data was read; none where an old file does not say."""

    def __str__(self) -> str:
        by = self.signature.get("by")
        sizes = ", ".join(f"{name} {size:,}" for name, size in self.sizes().items())
        return f"{self.data}{f' by {by}' if by else ''}: {sizes}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self}>"  # not the ids, of which there are thousands

    @property
    def train(self) -> tuple[str, ...]:
        """The ids to train on."""
        return self.part("train")

    @property
    def test(self) -> tuple[str, ...]:
        """The ids to test on."""
        return self.part("test")

    def part(self, name: str) -> tuple[str, ...]:
        """The ids of one part."""
        if name not in self.parts:
            raise SplitError(f"the split has no part {name!r}", f"its parts are {', '.join(self.parts)}")
        return self.parts[name]

    def sizes(self) -> dict[str, int]:
        """Entries per part, repeats counted."""
        return {name: len(ids) for name, ids in self.parts.items()}

    def positions(self, dataset: Dataset, part: str) -> list[int]:
        """Where the ids of a part are in the data set, in the order of the split."""
        try:
            return [dataset.index[key] for key in self.part(part)]
        except KeyError as error:
            raise SplitError(
                f"the split's {part} part names {error.args[0]!r}, which is not in {dataset.name}",
                "give the data the split was made for",
            ) from None

    def indices(self, dataset: Dataset) -> tuple[list[int], list[int]]:
        """Train and test positions, as scikit-learn's splitters give them."""
        return self.positions(dataset, "train"), self.positions(dataset, "test")

    def with_measured(self, measured: Mapping[str, Any]) -> Split:
        """The same split with measured values kept in it."""
        return replace(self, measured=dict(measured))

    def fits(self, dataset: Dataset) -> bool:
        """Whether this split was made for this very content."""
        return self.data_hash == dataset.hash

    # -- files ----------------------------------------------------------------------------------------------------

    def to_bytes(self, *, form: str = "ours", order: Sequence[str] = ()) -> bytes:
        """The split as a file; index forms need the ids of the data in file order."""
        if form == "ours":
            record = {
                "form": FORM,
                "data": self.data,
                "data_hash": self.data_hash,
                **(self.reading.to_record() if self.reading is not None else {}),
                "signature": str(self.signature),
                "measured": dict(self.measured),
                "parts": {name: list(ids) for name, ids in self.parts.items()},
            }
            return orjson.dumps(record, option=orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY) + b"\n"
        line = {key: position for position, key in enumerate(order)}
        rows = {name: [line[key] for key in ids] for name, ids in self.parts.items()}
        if form == "cfq":
            known = _CFQ_KEYS.values()
            _only(rows, known, form)
            return orjson.dumps({key: rows.get(name, []) for key, name in _CFQ_KEYS.items()}) + b"\n"
        if form == "nqg":
            _only(rows, ("train", "test"), form)
            return orjson.dumps(rows) + b"\n"
        raise OptionError(f"unknown split format {form!r}", f"known: {', '.join(FORMATS)}")

    def write(self, path: Path | str, *, form: str = "ours", order: Sequence[str] = ()) -> None:
        """Write the split to a file, whole or not at all."""
        write_whole(path, self.to_bytes(form=form, order=order))


def _only(rows: Mapping[str, list[int]], known: Any, form: str) -> None:
    extra = [name for name in rows if name not in known]
    if extra:
        raise OptionError(f"the {form} format has no place for the part {extra[0]!r}", "write --format ours")


def read_split_file(path: Path | str) -> dict[str, Any]:
    """The JSON object of a split file of any form, checked for shape; `parse_split` makes a split of it.

    A split folder, as a cluster writes it, is read as a file of our own form.
    """
    if Path(path).is_dir():
        return read_split_folder(path, FORM)
    data = read_bytes(path)
    try:
        record = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise SplitError(
            f"{path}: not a split file (line {error.lineno}, column {error.colno}: {error.msg})",
            "split files are JSON objects",
        ) from error
    if not isinstance(record, dict):
        raise SplitError(f"{path}: not a split file", "a split file is one JSON object with named parts")
    parts = record.get("parts") if record.get("form") == FORM else record
    kind = str if record.get("form") == FORM else int
    if not isinstance(parts, dict) or not parts:
        raise SplitError(f"{path}: the split has no parts", "known forms: ours, the CFQ release's, NQG's")
    for name, rows in parts.items():
        if not isinstance(rows, list) or not all(type(row) is kind for row in rows):
            what = "ids (strings)" if kind is str else "line numbers (integers)"
            raise SplitError(f"{path}: the part {name!r} is not a list of {what}", "check the file")
    return record


def parse_split(record: Mapping[str, Any], path: Path | str, dataset: Dataset, order: Sequence[str]) -> Split:
    """A split from the JSON object of a file.

    `order` lists the data set's ids by line number; index forms are mapped through it and their range is checked.
    """
    if record.get("form") == FORM:
        try:
            split = Split(
                parts={name: tuple(ids) for name, ids in record["parts"].items()},
                data=str(record["data"]),
                data_hash=str(record["data_hash"]),
                signature=Signature.parse(str(record["signature"])),
                measured=dict(record.get("measured", {})),
                reading=Reading.from_record(record, path),
            )
        except KeyError as error:
            raise SplitError(f"{path}: the key {error.args[0]!r} is missing", "write the split again") from None
        return split
    parts: dict[str, tuple[str, ...]] = {}
    for key, rows in record.items():
        name = _CFQ_KEYS.get(key, key)
        bad = next((row for row in rows if not 0 <= row < len(order)), None)
        if bad is not None:
            raise SplitError(
                f"{path}: {key} names line {bad}, but {dataset.name} has lines 0 to {len(order) - 1}",
                "give the data the split was made for",
            )
        parts[name] = tuple(order[row] for row in rows)
    form = "cfq" if any(key in _CFQ_KEYS for key in record) else "nqg"
    signature = Signature.of(data=dataset, by="predefined", form=form, parts=sizes_text(parts))
    return Split(parts, dataset.name, dataset.hash, signature, reading=dataset.reading)


def sizes_text(parts: Mapping[str, Sized]) -> str:
    """The sizes of parts as signatures write them: `train=8365,test=1045`."""
    return ",".join(f"{name}={len(ids)}" for name, ids in parts.items())


def count_repeats(ids: Sequence[str]) -> int:
    """Entries beyond the first of each id."""
    return sum(count - 1 for count in Counter(ids).values())
