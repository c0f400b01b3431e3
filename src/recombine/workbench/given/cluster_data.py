"""A folder of parts and its split, as verbs on a cluster take them."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, SplitError
from recombine.languages.known import find_language
from recombine.records.reading import Reading
from recombine.records.remembered_language import remembered_language
from recombine.records.signature import Signature
from recombine.records.skipping import skips
from recombine.records.split import FORM, Split, read_split_file
from recombine.records.split_folder import read_split_head

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.cluster.folder_data import FolderData
    from recombine.cluster.session import Session
    from recombine.cluster.sides import Sides
    from recombine.workbench.given.data_and_split import SplitLike
    from recombine.workbench.load import Data


@contextmanager
def cluster_data(
    cluster: str, data: Data, *, world: object = None, **reading: str | None
) -> Iterator[tuple[Session, FolderData]]:
    """A session on a cluster and the folder to work on, with ids for all its rows."""
    from recombine.cluster.content_hash import with_numbered_repeats
    from recombine.cluster.folder_data import survey_folder
    from recombine.cluster.session import open_session

    if not isinstance(data, str | Path):
        raise OptionError("a cluster works on a folder of Parquet parts", "write the data there, and name the folder")
    if world is not None:
        raise OptionError("--world is not for a cluster", "leave out one of them")
    if skips():
        raise OptionError("--skip-unreadable is not for a cluster", "leave out one of them")
    if reading.get("language") is not None:
        reading["language"] = find_language(str(reading["language"])).place  # as every worker finds it
    with open_session(cluster) as session:
        yield session, with_numbered_repeats(session, survey_folder(session, data, **reading))


class ClusterSplit:
    """A split file or folder, of which a cluster need not hold the ids."""

    def __init__(self, split: SplitLike) -> None:
        self.name = "the split" if isinstance(split, Split) else str(split)
        self.split = split
        self.head: dict[str, Any] = {}
        if isinstance(split, Split):
            self.ids: dict[str, Any] = dict(split.parts)
            self.signature, self.hash, self.data = split.signature, split.data_hash, split.data
            self.reading, self.sizes = split.reading, split.sizes()
            return
        if not Path(split).exists():
            raise SplitError(f"{split}: there is no such split", "name a split file or a split folder")
        self.head = read_split_head(split) if Path(split).is_dir() else {}
        record = self.head or read_split_file(split)
        if not self.head and record.get("form") != FORM:
            raise SplitError(f"{split}: names lines by number, which a cluster cannot", "give a file of our own form")
        self.ids = {} if self.head else record["parts"]
        self.signature = Signature.parse(str(record["signature"]))
        self.hash, self.data = str(record["data_hash"]), str(record["data"])
        self.reading = Reading.from_record(record, split)
        self.sizes = dict(record["parts"]) if self.head else {name: len(ids) for name, ids in record["parts"].items()}

    def joined(self, **given: str | None) -> dict[str, str | None]:
        """How to read the data: as the options say, else as the split remembers."""
        own = None if given["language"] is None else find_language(given["language"])
        wanted = Reading(None if own is None else own.remembered, given["source"], given["target"])
        wanted = wanted if self.reading is None else wanted.joined(self.reading, self.name)
        if wanted.skip_unreadable:
            raise SplitError(
                f"{self.name}: was made of what could be read, which a cluster does not tell", "leave out --cluster"
            )
        if own is None and wanted.language is not None:
            own = remembered_language(wanted.language, self.name, [Path(self.name).parent])
        return {"language": None if own is None else own.place, "source": wanted.source, "target": wanted.target}

    def sides(self, session: Session, data: FolderData, against: str) -> list[Sides]:
        """The sides of each part of the data, which must be that of the split."""
        from recombine.cluster.content_hash import content_hash
        from recombine.cluster.sides import rows_of_ids, sides_of_folder, sides_of_rows

        have = content_hash(session, data)
        if have != self.hash:
            raise SplitError(
                f"{self.name}: was made for {self.data} with content {self.hash}, not for {data.name} with content "
                f"{have}",
                "give the data the split was made for",
            )
        for name in ("train", against):
            if name not in self.sizes:
                raise SplitError(f"the split has no part {name!r}", f"its parts are {', '.join(self.sizes)}")
        if self.head:
            aligned = sides_of_folder(data, str(self.split), self.head, against)
            if aligned is not None:
                return aligned
            self.ids = read_split_file(str(self.split))["parts"]
        rows = rows_of_ids(session, data, {name: self.ids[name] for name in ("train", against)})
        return sides_of_rows(data, rows["train"], rows[against])
