"""Data and splits as the verbs take them.

Data may be given by name, by path, as a `Dataset`, or as plain records; splits by id, by path, or as a `Split`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.datasets import catalogue
from recombine.errors import OptionError, RecombineError
from recombine.languages.known import as_language
from recombine.languages.language import Language
from recombine.records.dataset import Dataset
from recombine.records.example import NOTHING, Example, frozen_context, identity_text, iter_ids
from recombine.records.reading import Reading
from recombine.records.remembered_language import remembered_language
from recombine.structures.definition import PROGRAM_STRUCTURES, derivation_structures
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from recombine.records.split import Split
    from recombine.records.world import World, WorldReference

    WorldLike = str | Path | World | WorldReference | None

Records = Iterable[tuple[str, str] | Mapping[str, Any] | Example]
Data = str | Path | Dataset | Records
LanguageLike = str | Path | Language


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
    """A data set by name or path, or from plain records: pairs, dictionaries or examples.

    `language` is the language of the targets of a file or of records: a name such as `funql`, the path of a language
    file, `MODULE:NAME`, or a `Language`. `source` and `target` name the fields to read, which are `source` and `target`
    by default. A dictionary may have a `context`, a mapping of JSON values; `identity` names those of its fields that
    tell records of equal texts apart. `world` is what the data is about: a path, where it was opened the world itself,
    or a reference to it.

    >>> load([("jump", "I_JUMP"), ("jump twice", "I_JUMP I_JUMP")])[1].source
    'jump twice'
    >>> asked = [{"source": "how many", "target": "count", "context": {"scene": scene}} for scene in (1, 2)]
    >>> [example.id for example in load(asked, identity=["scene"])]
    ['d0112ae031df213e', '67235ef2af59c112']
    """
    if identity and isinstance(data, Dataset | str | Path):
        raise OptionError("identity is for records from Python", "name it in the FILE.meta.json of a file")
    if isinstance(data, Dataset):
        return catalogue.in_world(_read_already(data, source, target, language), world)
    if isinstance(data, str | Path):
        return catalogue.load(data, source=source, target=target, language=language, world=world)
    dataset = _from_records(list(data), source or "source", target or "target", tuple(identity))
    return catalogue.in_world(dataset if language is None else _in_language(dataset, language), world)


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
    given = data.reading if isinstance(data, Dataset) else Reading(named, source, target)
    wanted = given
    for split in splits:
        remembered = catalogue.remembered(split)
        if remembered is not None:
            listed = isinstance(data, str | Path) and str(data) in catalogue.CATALOGUE
            remembered = replace(remembered, source=None, target=None) if listed else remembered
            name = str(split) if isinstance(split, str | Path) else "the split"
            wanted = wanted.joined(remembered, name)
            if given.language is None and own is None and wanted.language is not None:
                places = [Path(each).parent for each in (split, data) if isinstance(each, str | Path)]
                own = remembered_language(wanted.language, name, places)
    if not isinstance(data, Dataset):
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
    return replace(dataset, language=as_language(language), structures=dataset.structures or PROGRAM_STRUCTURES)


def load_split(data: Data, split: str | Path | Split, *, world: WorldLike = None) -> Split:
    """A split of the data: by id (`mcd1`, `scan/mcd1`), from a file of any known form, or checked as it is."""
    return catalogue.load_split(load_for(data, [split], world=world), split)


def _from_records(records: list[Any], source: str, target: str, identity: tuple[str, ...]) -> Dataset:
    if records and all(isinstance(record, Example) for record in records):
        examples = list(records)
        for number, example in enumerate(examples):
            _want_identity(example.context, number, identity)
    else:
        pairs = [_pair(record, number, source, target) for number, record in enumerate(records)]
        contexts = [_context(record, number, identity) for number, record in enumerate(records)]
        ids = _given_ids(records) or iter_ids(pairs, (identity_text(context, identity) for context in contexts))
        tags = [_tags(record, source, target) for record in records]
        rows = zip(ids, pairs, tags, contexts, strict=True)
        examples = [Example(key, *pair, tags=more, context=context) for key, pair, more, context in rows]
    derived = bool(examples) and all(example.derivation is not None for example in examples)
    fields = (source, target) if any(isinstance(record, Mapping) for record in records) else None
    structures = derivation_structures(examples[0].derivation) if derived else ""
    return Dataset.of("records", examples, structures=structures, fields=fields, identity=identity)


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


def _pair(record: Any, number: int, source: str, target: str) -> tuple[str, str]:
    texts = (record.get(source), record.get(target)) if isinstance(record, Mapping) else tuple(record)
    if len(texts) != 2 or not all(isinstance(text, str) for text in texts):
        raise RecombineError(
            f"record {number} is not a pair of texts",
            f"give (source, target) pairs or {{{source!r}: …, {target!r}: …}}",
        )
    return texts[0], texts[1]
