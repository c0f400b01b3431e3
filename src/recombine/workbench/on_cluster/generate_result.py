"""Data that a cluster makes when it is told where to write it."""

from __future__ import annotations

import time
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.workbench.generate import GenerateResult
from recombine.workbench.load import load

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.records.dataset import Dataset


class ClusterGenerateResult(GenerateResult):
    """Data to be made; `write` makes it as a folder of parts, and what was counted on the way is known after that."""

    def __init__(self, what: str, n: int, seed: int, cluster: str, options: Mapping[str, Any]) -> None:
        self.__dict__.update(what=what, n=n, seed=seed, cluster=cluster, options=options, counted={}, folder=None)
        self.__dict__.update(same_pair_dropped=0, rules=None, seconds=0.0)

    what: str
    n: int
    seed: int
    cluster: str
    options: Mapping[str, Any]
    counted: dict[str, Any]
    folder: Path | None

    @cached_property
    def dataset(self) -> Dataset:
        """The data that was written, read whole."""
        if self.folder is None:
            raise OptionError("a cluster makes data when it is written", "call write(FOLDER) first")
        return load(self.folder)

    def to_dict(self) -> dict[str, Any]:
        """What `generate --json` prints; before it is written, the number of examples alone is known."""
        unknown = dict.fromkeys(("same_pair_dropped", "seconds", "rules", "hash", "parts"))
        return {"examples": self.n, **unknown, **self.counted, "file": None}

    def __str__(self) -> str:
        return f"{self.n:,} examples of {self.what}" + ("" if self.counted else ", not made yet")

    def write(self, path: Path | str) -> None:
        """Make the data as a folder of Parquet parts, whole or not at all."""
        from recombine.cluster.content_hash import content_hash
        from recombine.cluster.folder_data import survey_folder
        from recombine.cluster.generate_parts import check_folder_writable, generate_parts
        from recombine.cluster.session import open_session

        start = time.perf_counter()
        check_folder_writable(path)
        what = str(Path(self.what).resolve()) if Path(self.what).is_file() else self.what
        with open_session(self.cluster) as session:
            made = generate_parts(session, what, path, n=self.n, seed=self.seed, options=self.options)
            folder = survey_folder(session, path, source=None, target=None, language=None)
            counted = {
                "same_pair_dropped": made.same_pair_dropped,
                "seconds": round(time.perf_counter() - start, 3),
                "rules": made.rules,
                "hash": content_hash(session, folder),
                "parts": made.parts,
            }
        named = {key: counted[key] for key in ("same_pair_dropped", "seconds", "rules")}
        self.__dict__.update(counted=counted, folder=Path(path), **named)
