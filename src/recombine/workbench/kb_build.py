"""Building the index of a knowledge base from files of triples."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recombine.kb.embedded.build_index import Built


@dataclass(frozen=True, repr=False, eq=False)
class KbBuilt(Result):
    """Where an index is, and what it holds."""

    folder: Path
    built: Built
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """What `recombine kb build --json` prints."""
        return {"folder": str(self.folder), **self.built._asdict(), "seconds": round(self.seconds, 3)}

    def __str__(self) -> str:
        built = self.built
        repeats = f", {built.repeats:,} repeats left out" if built.repeats else ""
        unread = f", {built.unreadable_literals:,} literals without a value" if built.unreadable_literals else ""
        return (
            f"{self.folder}: {built.facts:,} facts, {built.terms:,} terms ({built.literals:,} literals), "
            f"{built.relations:,} relations{repeats}{unread}"
        )


@verb
def kb_build(
    files: Path | str | Iterable[Path | str],
    folder: Path | str,
    *,
    profile: Path | str = "plain",
    format: str | None = None,  # noqa: A002
    joined: str = "keep",
) -> KbBuilt:
    """Build the index of the facts in some files, in a folder that is there whole or not at all.

    `profile` is one of the package's or the path of one's own; `format` is the form of the files where their names do
    not say it; with `joined="split"`, relations such as `a./b` become two, with a made-up node between them.
    """
    from recombine.kb.embedded.build_index import build_index
    from recombine.kb.loaders.open_triples import open_triples
    from recombine.kb.profiles.find_profile import find_profile

    began = time.perf_counter()
    paths = [files] if isinstance(files, str | PurePath) else list(files)
    known = find_profile(profile)
    built = build_index(open_triples(paths, form=format, profile=known, joined=joined), folder, profile=known)
    return KbBuilt(Path(folder), built, time.perf_counter() - began)
