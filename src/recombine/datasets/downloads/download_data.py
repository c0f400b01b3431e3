"""Downloads data sets one after the other; one that fails keeps none of the others back."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from recombine.datasets.downloads.convert_own import convert_own
from recombine.datasets.downloads.download_files import FileOutcome, download_files
from recombine.datasets.downloads.mirror import find_mirror
from recombine.datasets.downloads.work_folder import work_folder
from recombine.errors import DownloadError, OptionError, RecombineError
from recombine.progress import stage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from recombine.datasets.downloads.sources import Source, Sources


@dataclass(frozen=True)
class SetOutcome:
    """What became of a data set: its files, or the records that were converted of raw files."""

    name: str
    files: tuple[FileOutcome, ...] = ()
    own: str = ""
    """The file that raw files were converted to."""
    language: str = ""
    records: int = 0
    left_out: Mapping[str, int] = field(default_factory=Counter)
    first_left_out: Mapping[str, str] = field(default_factory=dict)

    @property
    def licences(self) -> list[str]:
        """The licences of the originals, each once."""
        return licences_of(outcome.source for outcome in self.files)


@dataclass(frozen=True)
class Manner:
    """How to download: from where, and how patiently."""

    from_: str | None = None
    timeout: float = 30.0
    retries: int = 3
    overwrite: bool = False


def licences_of(sources: Iterable[Source]) -> list[str]:
    """The licences of the originals of files, each once."""
    return [*dict.fromkeys(licence for source in sources for licence in source.licences)]


def download_data(names: Sequence[str], sources: Sources, directory: Path, manner: Manner) -> list[SetOutcome]:
    """See to it that data sets are in a directory; where some cannot be had, the error comes after the others."""
    if manner.retries < 0:
        raise OptionError(f"{manner.retries} further attempts", "give 0 or more")
    outcomes: list[SetOutcome] = []
    failed: dict[str, RecombineError] = {}
    with ExitStack() as stack:
        opened: list[Path] = []

        def folder() -> Path:
            """The place to work in, locked when it is first wanted."""
            if not opened:
                opened.append(stack.enter_context(work_folder(directory)))
            return opened[0]

        for place, name in enumerate(names):
            try:
                outcomes.append(_download_one(name, sources, directory, manner, folder))
            except RecombineError as error:
                failed[name] = error
                if len(names) > 1:
                    stage(f"{name}: failed")
                continue
            if opened:
                _remove_originals(opened[0], sources, name, [*names[place + 1 :], *failed])
    if failed:
        raise _failure(failed, len(names))
    return outcomes


def _download_one(
    name: str, sources: Sources, directory: Path, manner: Manner, folder: Callable[[], Path]
) -> SetOutcome:
    unpinned = next((each for each in sources.unpinned if each.name == name), None)
    if unpinned is not None:
        converted = convert_own(unpinned, manner.from_, directory, overwrite=manner.overwrite)
        own, language = unpinned.file, unpinned.language
        return SetOutcome(name, (), own, language, len(converted.records), converted.left_out, converted.first)
    mirror, wanted = find_mirror(manner.from_, timeout=manner.timeout), sources.of(name)
    stage(f"{name}: licence {'; '.join(licences_of(wanted))}")
    files = download_files(name, wanted, mirror, directory, folder, retries=manner.retries, overwrite=manner.overwrite)
    return SetOutcome(name, tuple(files))


def _remove_originals(folder: Path, sources: Sources, name: str, later: Iterable[str]) -> None:
    """Remove the originals of a data set that is in place, but for those that others still want."""
    wanted = {original.digest for each in later for source in sources.of(each) for _, original in source.originals}
    for source in sources.of(name):
        for _, original in source.originals:
            if original.digest not in wanted:
                (folder / f"{original.digest}.original").unlink(missing_ok=True)


def _failure(failed: Mapping[str, RecombineError], asked: int) -> RecombineError:
    """One error for all data sets that failed: the first, and which others did."""
    name, first = next(iter(failed.items()))
    if asked == 1:
        return first
    others = [each for each in failed if each != name]
    also = f", and so did {', '.join(others)}" if others else ""
    return DownloadError(f"{name} of {asked} data sets failed{also}: {first.problem}", first.remedy)
