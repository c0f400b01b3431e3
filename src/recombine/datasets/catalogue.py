"""The catalogue: what `DATA` and `SPLIT` can name, and how a name becomes data.

A data id is a path-like name (`scan`, `spider/ssp`); a split id is `DATA/NAME` (`scan/mcd1`, `covr/text/grammar/3`), or
just `NAME` beside its data. Both can be files instead, and data can be on the Hugging Face hub (`hub:OWNER/NAME`).

A source is a module of this room with NAME, DESCRIPTION, HASH and `load`. Where it has FILES, it reads these from the
data directory. Its published splits are lists of line numbers in files (`split_files`) or follow from tags of the
examples (`splits`); `line_order` says what the line numbers count, where that is not the order of the data. Where it
has `inputs`, these files alone decide what it loads, and that is kept in the user's cache.

A module can also hold several sources (`METAQA`, `QALD`), as values with name, description, hash, files and `load`.

A plug-in adds an entry with `register_dataset`; its hash may be none, and then nothing is verified. The world of an
entry is pinned by its digest, as its content is: `--world` can give another place for it, not another world.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.data_directory import data_directory, missing_files, remedy_for_missing
from recombine.datasets import scan
from recombine.datasets.files.read_parts import parts_by_tag
from recombine.datasets.files.rows import PART
from recombine.datasets.load_cached import load_cached
from recombine.datasets.load_file import load_file
from recombine.datasets.published import (
    atis,
    cfq_mcd1,
    cogs,
    covr_text,
    geoquery,
    grailqa,
    metaqa,
    overnight,
    qald,
    schema2qa,
    spider_ssp,
    spider_xsp,
)
from recombine.datasets.published.digests import order_digest, published, split_digest
from recombine.errors import (
    InputFileError,
    MissingDataError,
    OptionError,
    RecombineError,
    SplitError,
    UnknownNameError,
)
from recombine.languages.known import as_language
from recombine.plugins import Registry
from recombine.records.reading import Reading, path_hint
from recombine.records.signature import Signature
from recombine.records.skipping import skips
from recombine.records.split import FORM, Split, parse_split, read_split_file, sizes_text
from recombine.records.world import WorldReference, make_reference, world_name
from recombine.structures.own_structures import own_structures

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from recombine.datasets.files.read_parts import PartRule
    from recombine.datasets.published.metaqa import MetaQa
    from recombine.datasets.published.qald import Qald
    from recombine.languages.language import Language
    from recombine.records.dataset import Dataset, Pattern
    from recombine.records.world import World

HUB = "hub:"
ALL = "all"
"""The name of the split that has every example in test."""


def _nothing() -> dict[str, Any]:
    return {}


def _file_order(dataset: Dataset) -> list[str]:
    return list(dataset.index)


@dataclass(frozen=True)
class Entry:
    """One data set of the catalogue."""

    name: str
    description: str
    hash: str | None
    """The content hash that it must have; none where it is not pinned."""
    load: Callable[[], Dataset]
    files: tuple[str, ...] = ()
    split_files: Callable[[], Mapping[str, Path]] = _nothing
    splits: Callable[[], Mapping[str, PartRule]] = _nothing
    order: Callable[[Dataset], list[str]] = _file_order
    inputs: Callable[[], Sequence[Path]] | None = None
    """The files that alone decide what is loaded; none where it is loaded anew every time."""
    patterns: Mapping[str, Pattern] = field(default_factory=dict)
    """The patterns of what is loaded, where it is kept in the cache."""

    @classmethod
    def of(cls, source: Any) -> Entry:
        """The entry of a module of this room."""
        names = ("split_files", "splits", "inputs")
        given = {name: getattr(source, name) for name in names if hasattr(source, name)}
        return cls(
            source.NAME,
            source.DESCRIPTION,
            source.HASH,
            source.load,
            getattr(source, "FILES", ()),
            order=getattr(source, "line_order", _file_order),
            patterns=getattr(source, "PATTERNS", {}),
            **given,
        )

    @classmethod
    def of_one(cls, source: MetaQa | Qald) -> Entry:
        """The entry of one of several sources in a module."""
        inputs = getattr(source, "inputs", None)
        return cls(source.name, source.description, source.hash, source.load, source.files, inputs=inputs)

    def split_names(self) -> list[str]:
        """The splits that are on this machine or follow from the data."""
        return [*self.split_files(), *self.splits()]

    def missing_splits(self) -> list[str]:
        """The published splits whose files are not in the data directory."""
        available = self.split_names()
        return [name for name in published(self.name).splits if name not in available]

    def missing(self) -> list[str]:
        """The files that are wanted and not in the data directory."""
        return missing_files(self.files)


_SOURCES = (scan, geoquery, spider_ssp, spider_xsp, cfq_mcd1, cogs, atis, overnight, schema2qa, covr_text)
_ENTRIES = (
    *map(Entry.of, _SOURCES),
    *map(Entry.of_one, metaqa.METAQA),
    *map(Entry.of_one, qald.QALD),
    Entry.of(grailqa),
)
CATALOGUE: Registry[Entry] = Registry("data set", {entry.name: entry for entry in _ENTRIES})
"""The data sets by name."""


def register_dataset(entry: Entry) -> Entry:
    """Add a data set to those that `DATA` can name."""
    return CATALOGUE.register(entry.name, entry)


def load(
    data: str | Path,
    *,
    source: str | None = None,
    target: str | None = None,
    language: str | Path | Language | None = None,
    world: str | Path | World | WorldReference | None = None,
) -> Dataset:
    """A data set by its name in the catalogue, from the hub, or from a file; `language` is that of its targets.

    `source` and `target` name the fields to read, which are `source` and `target` where nothing else is said. `world`
    is the path of what the data is about, in place of the one that a file's sidecar names.

    >>> len(load("scan"))
    20910
    """
    name = str(data)
    target_language = None if language is None else as_language(language)
    fields = (source or "source", target or "target")
    if name in CATALOGUE:
        if fields != ("source", "target"):
            raise OptionError(
                f"{name} has its own sources and targets", "leave out --source and --target, or give a file"
            )
        if skips():
            raise OptionError(f"{name} is published, and read whole", "leave out --skip-unreadable, or give a file")
        return in_world(_load_entry(CATALOGUE[name], target_language), world)
    if name.startswith(HUB):
        from recombine.datasets.files.hub import load_from_hub

        loaded = load_from_hub(name, source=fields[0], target=fields[1], language=target_language)
        return in_world(replace(loaded, fields=fields, path=name), world)
    if Path(name).exists() or "." in Path(name).name or isinstance(data, Path):
        loaded = _load_path(name, fields, target_language, world)
        return replace(loaded, fields=loaded.fields or fields, path=path_hint(name))
    raise UnknownNameError("data set", name, CATALOGUE)


def _load_path(
    path: str,
    fields: tuple[str, str],
    language: Language | None,
    world: str | Path | World | WorldReference | None,
) -> Dataset:
    """The data in a file: of the form of a release, where it is one, or a table."""
    from recombine.datasets.kbqa.known import find_form
    from recombine.datasets.release.read_release import is_release, read_release

    if is_release(path):
        if skips():
            raise OptionError(f"{path}: a release of CFQ is read whole", "leave out --skip-unreadable")
        return read_release(path, source=fields[0], target=fields[1], language=language, world=world)
    form = find_form(path)
    if form is not None:
        from recombine.datasets.kbqa.read_form import read_form

        return read_form(path, form, source=fields[0], target=fields[1], language=language, world=world)
    loaded = load_file(path, fields=fields, language=language, world=world)
    return loaded if language is None else replace(loaded, structures=own_structures(language))


def in_world(dataset: Dataset, world: str | Path | World | WorldReference | None) -> Dataset:
    """The data about a world that is given by path, reference or itself; one that it has may only lie elsewhere."""
    if world is None:
        return dataset
    known = None if dataset.world is None else world_name(dataset.world)
    if isinstance(world, str | Path):
        wanted = (None, None) if known is None else known
        world = make_reference(world, wanted[0], wanted=wanted[1])
    if known is not None and known != world_name(world):
        where = f"{world.path}: " if isinstance(world, WorldReference) else ""
        raise InputFileError(
            f"{where}{dataset.name} is about the world {known}, not about {world_name(world)}",
            "give the world that the data was made for",
        )
    return replace(dataset, world=world)


def data_of_split(split: str) -> str | None:
    """The data set of the catalogue that a split id names; none where it names none.

    >>> data_of_split("covr/text/grammar/3"), data_of_split("mcd1")
    ('covr/text', None)
    """
    return max((name for name in CATALOGUE if split.startswith(f"{name}/")), key=len, default=None)


def _load_entry(entry: Entry, language: Language | None) -> Dataset:
    """The data of an entry, when it is what was published."""
    dataset = (
        entry.load()
        if entry.inputs is None or entry.missing()
        else load_cached(entry.load, entry.name, entry.inputs(), entry.patterns)
    )
    origin = f"{', '.join(entry.files)} in {data_directory()}" if entry.files else entry.name
    remedy = "use the published files" if entry.files else "install the package again"
    if entry.hash is not None and dataset.hash != entry.hash:
        raise RecombineError(
            f"{entry.name} has the content hash {dataset.hash}, not {entry.hash} (from {origin})", remedy
        )
    pinned = published(entry.name).order
    if entry.files and pinned and order_digest(_file_order(dataset)) != pinned:
        raise RecombineError(f"{entry.name} has its lines in another order than published (from {origin})", remedy)
    if dataset.name != entry.name:  # splits are looked up by this name
        dataset = replace(dataset, name=entry.name)
    return dataset if language is None or language is dataset.language else replace(dataset, language=language)


def line_order(dataset: Dataset) -> list[str]:
    """The ids of a data set by the line numbers that index files use."""
    entry = entry_of(dataset)
    return _file_order(dataset) if entry is None else entry.order(dataset)


def load_split(dataset: Dataset, split: str | Path | Split, *, verify: bool = True) -> Split:
    """A split of a data set: by id (`scan/mcd1` or `mcd1`), from a file of any known form, or as it is.

    `all` is the split that has every example in test, for data that comes without one.
    With `verify`, a split that was made for other content is refused. One that was made for data in another language,
    or from other fields, is refused always.
    """
    if isinstance(split, Split):
        _agree(split, dataset, "the split")
        return _checked(split, dataset, "the split") if verify else split
    name = str(split)
    if name == ALL and not Path(name).exists():
        return _whole(dataset)
    if not _is_file(name):
        return _named_split(dataset, name.removeprefix(f"{dataset.name}/"))
    record = read_split_file(name)
    order = [] if record.get("form") == FORM else line_order(dataset)
    parsed = parse_split(record, name, dataset, order)
    _agree(parsed, dataset, name)
    if record.get("form") != FORM and not _knows_lines(dataset, order):
        parsed = replace(parsed, signature=parsed.signature.with_fields(verified=False))
    return _checked(parsed, dataset, name) if verify else parsed


def _whole(dataset: Dataset) -> Split:
    """Every example in test."""
    parts = {"test": tuple(dataset.ids)}
    signature = Signature.of(data=dataset, by=ALL, parts=sizes_text(parts))
    return Split(parts, dataset.name, dataset.hash, signature, reading=dataset.reading)


def remembered(split: str | Path | Split) -> Reading | None:
    """How the data of a split was read; nothing where the split is named, is an index form, or does not say."""
    if isinstance(split, Split):
        return split.reading
    if not _is_file(str(split)):
        return None
    record = read_split_file(split)
    return Reading.from_record(record, split) if record.get("form") == FORM else None


def _is_file(split: str) -> bool:
    return Path(split).exists() or bool(Path(split).suffix)


def _agree(split: Split, dataset: Dataset, name: str) -> None:
    """Refuse a split that was made for data read in another way."""
    if split.reading is None:
        return
    dataset.reading.joined(split.reading, name)
    if split.reading.world is not None and dataset.world is None:
        raise SplitError(
            f"{name}: was made over the world {split.reading.world}, and {dataset.name} has none",
            "give that world with --world",
        )


def _named_split(dataset: Dataset, name: str) -> Split:
    """The published split of this name."""
    entry = entry_of(dataset)
    if entry is None:
        if name == "published" and any(
            PART in fields for kind in ("context", "tags") for fields in dataset.iter_plain(kind)
        ):
            return _split_of_parts(dataset, name, parts_by_tag(dataset))
        raise SplitError(f"{dataset.name} has no published split {name!r}, nor is there such a file", "check the name")
    files, rules, known = entry.split_files(), entry.splits(), published(entry.name).splits
    if name in rules:
        split = _split_of_parts(dataset, name, rules[name](dataset))
    elif name in files:
        order = entry.order(dataset)
        split = parse_split(read_split_file(files[name]), files[name], dataset, order)
        split = replace(split, signature=split.signature.with_fields(split=name))
        if name not in known:
            return replace(split, signature=split.signature.with_fields(verified=False))
    elif name in known:
        file = f"{entry.name.split('/')[0]}/splits/{name}.json"
        raise MissingDataError(
            f"the split {entry.name}/{name} needs the file {file}, which is not in {data_directory()}",
            remedy_for_missing([file], entry.name),
        )
    elif not (files or rules or known):
        raise SplitError(f"{entry.name} has no published splits", "make one with `recombine split`")
    else:
        raise UnknownNameError(f"split of {entry.name}", name, {*files, *rules, *known})
    if name in known and split_digest(split.parts) != known[name]:
        raise SplitError(
            f"{files.get(name, entry.name)}: does not give the published split {entry.name}/{name}",
            "use the published files",
        )
    return split


def _split_of_parts(dataset: Dataset, name: str, parts: Mapping[str, tuple[str, ...]]) -> Split:
    signature = Signature.of(data=dataset, by="predefined", form="tags", parts=sizes_text(parts), split=name)
    return Split(parts, dataset.name, dataset.hash, signature, reading=dataset.reading)


def _checked(split: Split, dataset: Dataset, name: str) -> Split:
    if not split.fits(dataset):
        hint = split.reading.path if split.reading is not None else None
        raise SplitError(
            f"{name}: was made for {split.data} with content {split.data_hash}, not for {dataset.name} with content "
            f"{dataset.hash}",
            "give the data the split was made for" + (f", once at {hint}" if hint else ""),
        )
    return split


def entry_of(dataset: Dataset) -> Entry | None:
    """The catalogue entry that the data is of: by its content, or where that is not pinned, by its name."""
    if dataset.name not in CATALOGUE:
        return None
    entry = CATALOGUE[dataset.name]
    unpinned = entry.hash is None and dataset.path is None  # a file may have the name of an entry
    return entry if unpinned or entry.hash == dataset.hash else None


def is_verified(dataset: Dataset) -> bool:
    """Whether the content is pinned by its catalogue entry, and is that."""
    entry = entry_of(dataset)
    return entry is not None and entry.hash is not None


def _knows_lines(dataset: Dataset, order: list[str]) -> bool:
    """Whether line numbers can be trusted: the content and its order are those of the catalogue entry."""
    return is_verified(dataset) and order_digest(order) == published(CATALOGUE[dataset.name].name).order
