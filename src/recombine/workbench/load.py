"""Data and splits as the verbs take them.

Data may be given by name, by path, as a `Dataset`, as plain records, or as a table of another library; splits by id, by
path, or as a `Split`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from recombine.datasets import catalogue
from recombine.datasets.files.faults import Faults
from recombine.datasets.files.field_path import MISSING, find_field
from recombine.datasets.files.rows import PlacedRecord, dataset_of_rows
from recombine.datasets.files.table_object import is_table, iter_table_rows
from recombine.errors import OptionError, RecombineError, RecordError
from recombine.languages.known import as_language
from recombine.languages.language import Language
from recombine.records.dataset import Dataset
from recombine.records.example import NOTHING, Example, frozen_context, identity_text, iter_ids
from recombine.records.reading import Reading
from recombine.records.remembered_language import remembered_language
from recombine.records.skipping import skipping, skips
from recombine.structures.definition import derivation_structures
from recombine.structures.own_structures import own_structures
from recombine.structures.programs.unread_programs import refusal, unread_reason
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from recombine.records.split import Split
    from recombine.records.world import World, WorldReference

    WorldLike = str | Path | World | WorldReference | None

Records = Iterable[tuple[str, str] | Mapping[str, Any] | Example]


class ArrowTable(Protocol):
    """What gives an Arrow stream: a table of pandas, polars, DuckDB, pyarrow, …"""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The stream, as Arrow's C interface has it."""


Data = str | Path | Dataset | Records | ArrowTable
LanguageLike = str | Path | Language
RECORDS = "records"
"""The name of data that is from Python."""


@verb
def load(
    data: Data,
    *,
    source: str | None = None,
    target: str | None = None,
    language: LanguageLike | None = None,
    world: WorldLike = None,
    identity: Sequence[str] = (),
) -> Dataset:
    """A data set by name or path, from plain records (pairs, dictionaries or examples), or from a table.

    A table is what gives an Arrow stream or a data frame for interchange, as those of pandas, polars, DuckDB, pyarrow
    and `datasets` do, or a mapping of names of parts to such tables. `language` is the language of the targets of a
    file, of records or of a table: a name such as `funql`, the path of a language file, `MODULE:NAME`, or a `Language`.
    `source` and `target` name the fields to read, which are `source` and `target` by default. A dictionary may have a
    `context`, a mapping of JSON values; `identity` names those of its fields, or the columns of a table, that tell
    records of equal texts apart. `world` is what the data is about: a path, where it was opened the world itself, or a
    reference to it.

    >>> load([("jump", "I_JUMP"), ("jump twice", "I_JUMP I_JUMP")])[1].source
    'jump twice'
    >>> asked = [{"source": "how many", "target": "count", "context": {"scene": scene}} for scene in (1, 2)]
    >>> [example.id for example in load(asked, identity=["scene"])]
    ['d0112ae031df213e', '67235ef2af59c112']
    >>> import pyarrow
    >>> table = pyarrow.table({"question": ["jump"], "call": [{"name": "go", "arguments": {"times": 2}}]})
    >>> load(table, source="question", target="call.arguments")[0].target
    '{"times":2}'
    """
    if identity and isinstance(data, Dataset | str | Path):
        raise OptionError("identity is for records from Python", "name it in the FILE.meta.json of a file")
    if isinstance(data, Dataset):
        return catalogue.in_world(_read_already(data, source, target, language), world)
    if isinstance(data, str | Path):
        return catalogue.load(data, source=source, target=target, language=language, world=world)
    fields = (source or "source", target or "target")
    known = None if language is None else as_language(language)
    if is_table(data):
        return catalogue.in_world(_from_table(data, fields, known, tuple(identity)), world)
    dataset = _from_records(cast("Records", data), fields, known, tuple(identity))
    return catalogue.in_world(dataset if known is None else _in_language(dataset, known), world)


def load_for(
    data: Data,
    splits: Sequence[str | Path | Split],
    *,
    source: str | None = None,
    target: str | None = None,
    language: LanguageLike | None = None,
    world: WorldLike = None,
) -> Dataset:
    """The data, read as its splits remember: language and fields that are not given are taken from them.

    What is given and what a split says must not differ, nor the world of the data and that of a split. Data of the
    catalogue has fields of its own, whatever a split says that was made from a file of the same content.
    """
    own = None if language is None else as_language(language)
    if isinstance(data, Dataset):
        data = _read_already(data, source, target, own)
    named = None if own is None else own.remembered
    asked = Reading(named, source, target, skip_unreadable=skips())
    given = data.reading if isinstance(data, Dataset) else asked
    wanted = given
    for split in splits:
        remembered = catalogue.remembered(split)
        if remembered is not None:
            if isinstance(data, str | Path) and str(data) in catalogue.CATALOGUE:
                remembered = replace(remembered, source=None, target=None, skip_unreadable=False)
            name = str(split) if isinstance(split, str | Path) else "the split"
            wanted = wanted.joined(remembered, name)
            if given.language is None and own is None and wanted.language is not None:
                places = [Path(each).parent for each in (split, data) if isinstance(each, str | Path)]
                own = remembered_language(wanted.language, name, places)
    if not isinstance(data, Dataset):
        with skipping(wanted.skip_unreadable):
            return load(data, source=wanted.source, target=wanted.target, language=own, world=world)
    data = catalogue.in_world(data, world)
    return data if own is None or wanted.language == given.language else _in_language(data, own)


def _read_already(dataset: Dataset, source: str | None, target: str | None, language: LanguageLike | None) -> Dataset:
    """The data with the language of its targets named; other fields than those it was read from are refused."""
    for name, given, had in zip(("source", "target"), (source, target), dataset.fields or (None, None), strict=True):
        if given is not None and given != had:
            raise OptionError(
                f"{dataset.name} is read already, and its {name}s are not from the field {given!r}",
                f"leave out {name}, or give the file",
            )
    known = dataset.language
    if language is None or known is language or (known is not None and known.name == language):
        return dataset
    return _in_language(dataset, language)


def _in_language(dataset: Dataset, language: LanguageLike) -> Dataset:
    """The data with the language of its targets named."""
    known = as_language(language)
    return replace(dataset, language=known, structures=dataset.structures or own_structures(known))


def load_split(data: Data, split: str | Path | Split, *, world: WorldLike = None) -> Split:
    """A split of the data: by id (`mcd1`, `scan/mcd1`), from a file of any known form, or checked as it is."""
    return catalogue.load_split(load_for(data, [split], world=world), split)


def _from_table(data: Any, fields: tuple[str, str], language: Language | None, identity: tuple[str, ...]) -> Dataset:
    """The data set of a table, read as a file of columns is."""
    loaded = dataset_of_rows(
        iter_table_rows(data, name=RECORDS),
        name=RECORDS,
        source=fields[0],
        target=fields[1],
        language=language,
        context=identity,
        identity=identity,
        faults=Faults(RECORDS),
    )
    structures = loaded.structures if language is None else own_structures(language)
    return replace(loaded, fields=fields, structures=structures)


def _from_records(
    data: Iterable[Any], fields: tuple[str, str], language: Language | None, identity: tuple[str, ...]
) -> Dataset:
    records, (source, target) = list(data), fields
    faults = Faults(RECORDS)
    if records and all(isinstance(record, Example) for record in records):
        examples = list(records)
        for number, example in enumerate(examples):
            _want_identity(example.context, number, identity)
        examples = [each for number, each in enumerate(examples) if _is_read(each.target, language, number, faults)]
    else:
        records, pairs = _pairs(records, fields, language, faults)
        contexts = [_context(record, number, identity) for number, record in enumerate(records)]
        ids = _given_ids(records) or iter_ids(pairs, (identity_text(context, identity) for context in contexts))
        tags = [_tags(record, source, target) for record in records]
        rows = zip(ids, pairs, tags, contexts, strict=True)
        examples = [Example(key, *pair, tags=more, context=context) for key, pair, more, context in rows]
    unreadable = faults.finish(len(examples))
    derived = bool(examples) and all(example.derivation is not None for example in examples)
    named = fields if any(isinstance(record, Mapping) for record in records) else None
    structures = derivation_structures(examples[0].derivation) if derived else ""
    return Dataset.of(RECORDS, examples, structures=structures, fields=named, identity=identity, unreadable=unreadable)


def _pairs(
    records: list[Any], fields: tuple[str, str], language: Language | None, faults: Faults
) -> tuple[list[Any], list[tuple[str, str]]]:
    """The records that can be read, and their sources and targets; `faults` is told of the others."""
    good, pairs = [], []
    for number, record in enumerate(records):
        try:
            pair = _pair(record, number, fields, any_value=language is not None and language.name == "json")
        except RecordError as error:
            faults.add(error, record)
            continue
        if _is_read(pair[1], language, number, faults):
            good.append(record)
            pairs.append(pair)
    return good, pairs


def _is_read(target: str, language: Language | None, number: int, faults: Faults) -> bool:
    """Whether a target is read by its language, where what is not is left out."""
    error = None if language is None or not faults.skip else refusal(language, target)
    if error is not None:
        fault = RecordError(RECORDS, f"record {number}", error.problem, error.remedy, reason=unread_reason(error))
        faults.add(fault, target)
    return error is None


def _given_ids(records: list[Any]) -> list[str]:
    """The ids that records have, as those of a file do: all or none of them."""
    given = [record["id"] for record in records if isinstance(record, Mapping) and "id" in record]
    if not given:
        return []
    if len(given) != len(records):
        raise RecombineError("some records have an id and others have none", "give ids to all records or to none")
    for number, key in enumerate(given):
        if not isinstance(key, str | int) or isinstance(key, bool) or key == "":
            raise RecombineError(f"the id of record {number} is neither text nor a whole number", "mend it")
    return list(map(str, given))


def _tags(record: Any, source: str, target: str) -> Mapping[str, Any]:
    """The further fields of a record, as those of a file are kept."""
    used = (source, target, "id", "context")
    return {name: value for name, value in record.items() if name not in used} if isinstance(record, Mapping) else {}


def _context(record: Any, number: int, identity: tuple[str, ...]) -> Mapping[str, Any]:
    context = record.get("context", NOTHING) if isinstance(record, Mapping) else NOTHING
    if not isinstance(context, Mapping):
        raise RecombineError(f"the context of record {number} is not a mapping", "give JSON values by name")
    _want_identity(context, number, identity)
    try:
        return frozen_context(context)
    except TypeError as error:
        raise RecombineError(f"the context of record {number}: {error}", "give what JSON can hold") from None


def _want_identity(context: Mapping[str, Any], number: int, identity: tuple[str, ...]) -> None:
    missing = next((name for name in identity if name not in context), None)
    if missing is not None:
        raise RecombineError(f"record {number} has no {missing!r} in its context, which is identity", "give it")


def _pair(record: Any, number: int, fields: tuple[str, str], *, any_value: bool) -> tuple[str, str]:
    row = PlacedRecord(RECORDS, "record", number, record if isinstance(record, Mapping) else {})  # type: ignore[arg-type]
    if isinstance(record, Mapping) and all(find_field(record, field) is not MISSING for field in fields):
        return row.text(fields[0]), row.program(fields[1], any_value=any_value)
    texts = () if isinstance(record, Mapping | str) else tuple(record)
    if len(texts) != 2 or not all(isinstance(text, str) for text in texts):
        source, target = fields
        raise RecordError(
            RECORDS,
            f"record {number}",
            "is not a pair of texts",
            f"give (source, target) pairs or {{{source!r}: …, {target!r}: …}}",
            reason="missing_field" if isinstance(record, Mapping) else "wrong_type",
        )
    return texts[0], texts[1]
