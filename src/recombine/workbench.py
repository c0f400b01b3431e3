"""The workbench: the verbs of the command line as functions, for notebooks and programs.

Data may be given by name, by path, as a `Dataset`, or as plain records; splits by id, by path, or as a `Split`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.datasets import catalogue
from recombine.errors import DerivationError, InfeasibleError, OptionError, RecombineError, SplitError
from recombine.languages.known import LANGUAGES, find_language
from recombine.measures.check_split import check_split
from recombine.measures.measure_split import measure_split
from recombine.records.dataset import Dataset
from recombine.records.example import Example, iter_ids
from recombine.records.reading import Reading
from recombine.splits.methods import make_splitter
from recombine.splits.sizes import Sizes
from recombine.structures.dataset_features import DatasetFeatures, extract_atoms, extract_features
from recombine.structures.definition import ATOM_ALPHA, PROGRAM_STRUCTURES, STRUCTURES, Structures

if TYPE_CHECKING:
    from recombine.records.split import Split
    from recombine.splits.sizes import Size

Records = Iterable[tuple[str, str] | Mapping[str, Any] | Example]
Data = str | Path | Dataset | Records
DefinitionLike = str | Structures | None


def load(data: Data, *, source: str | None = None, target: str | None = None, language: str | None = None) -> Dataset:
    """A data set by name or path, or from plain records: pairs, dictionaries or examples.

    `language` names the language of the targets of a file or of records, such as `funql`; `source` and `target` name
    the fields to read, which are `source` and `target` by default.

    >>> load([("jump", "I_JUMP"), ("jump twice", "I_JUMP I_JUMP")])[1].source
    'jump twice'
    """
    if isinstance(data, Dataset):
        return data
    if isinstance(data, str | Path):
        return catalogue.load(data, source=source, target=target, language=language)
    dataset = _from_records(list(data), source or "source", target or "target")
    return dataset if language is None else _in_language(dataset, language)


def load_for(
    data: Data,
    splits: Sequence[str | Path | Split],
    *,
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
) -> Dataset:
    """The data, read as its splits remember: language and fields that are not given are taken from them.

    What is given and what a split says must not differ. Data of the catalogue has fields of its own, whatever a split
    says that was made from a file of the same content.
    """
    if language is not None:
        find_language(language)
    given = data.reading if isinstance(data, Dataset) else Reading(language, source, target)
    wanted = given
    for split in splits:
        remembered = catalogue.remembered(split)
        if remembered is not None:
            named = isinstance(data, str | Path) and str(data) in catalogue.CATALOGUE
            remembered = replace(remembered, source=None, target=None) if named else remembered
            name = str(split) if isinstance(split, str | Path) else "the split"
            wanted = wanted.joined(remembered, name)
            if wanted.language != given.language and wanted.language not in LANGUAGES:
                raise SplitError(
                    f"{name}: was made for targets in the language {wanted.language!r}, which is not known here",
                    "give a Dataset that has this language, from Python",
                )
    if not isinstance(data, Dataset):
        return load(data, source=wanted.source, target=wanted.target, language=wanted.language)
    return data if wanted.language in (None, given.language) else _in_language(data, wanted.language)


def _in_language(dataset: Dataset, language: str) -> Dataset:
    """The data with the language of its targets named."""
    return replace(dataset, language=find_language(language), structures=dataset.structures or PROGRAM_STRUCTURES)


def load_split(data: Data, split: str | Path | Split) -> Split:
    """A split of the data: by id (`mcd1`, `scan/mcd1`), from a file of any known form, or checked as it is."""
    return catalogue.load_split(load_for(data, [split]), split)


def features(data: Data, structures: DefinitionLike = None) -> DatasetFeatures:
    """The atoms and compounds of a data set; made once, they serve any number of splits.

    >>> features("scan", "dag:2-2,presence").compounds.shape
    (20910, 45)
    """
    dataset = load(data)
    definition = _definition(dataset, structures)
    if definition is None:
        raise DerivationError(
            f"{dataset.name} has neither derivations nor a known language", "name the language of its targets"
        )
    return extract_features(dataset, definition)


def split(
    data: Data,
    *,
    by: str = "random",
    train: Size = None,
    dev: Size = None,
    test: Size = None,
    seed: int = 0,
    structures: DefinitionLike | DatasetFeatures = None,
    **options: object,
) -> Split:
    """Split a data set and measure the split; without derivations there are no divergences among the values.

    >>> s = split("scan", by="length:target", max_length=22, train=8365, test=1045, seed=1)
    >>> round(s.measured["compound_divergence"], 2)
    0.43
    """
    dataset = load(data)
    splitter = make_splitter(by, train=train, dev=dev, test=test, seed=seed, **options)
    Sizes(splitter.train, splitter.dev, splitter.test).counts(len(dataset))  # a wrong size fails before the long work
    dataset_features = _features(dataset, structures)
    if splitter.needs_features and dataset_features is not None:
        splitter = replace(splitter, features=dataset_features, structures=str(dataset_features.structures))  # type: ignore[call-arg]
    try:
        made = splitter.split(dataset)
    except InfeasibleError as error:
        if error.best is not None:
            error.best = error.best.with_measured(measure_split(dataset, error.best, features=dataset_features))
        raise
    return made.with_measured(measure_split(dataset, made, features=dataset_features))


def measure(
    data: Data,
    split: str | Path | Split,
    *,
    structures: DefinitionLike | DatasetFeatures = None,
    atom_alpha: float = ATOM_ALPHA,
    compound_alpha: float | None = None,
    against: str = "test",
) -> dict[str, Any]:
    """Everything measurable about a split: divergences, coverage, ratios, duplicates, and the signature."""
    dataset = load_for(data, [split])
    loaded = catalogue.load_split(dataset, split)
    return measure_split(
        dataset,
        loaded,
        features=_features(dataset, structures),
        atom_alpha=atom_alpha,
        compound_alpha=compound_alpha,
        against=against,
    )


def check(data: Data, split: str | Path | Split, *, sizes: Mapping[str, int] | None = None) -> dict[str, Any]:
    """What is wrong with a split (`problems`), what could not be checked (`not_checked`), and what is worth knowing."""
    dataset = load_for(data, [split])
    loaded = catalogue.load_split(dataset, split, verify=False)
    atoms = None
    if dataset.structures:
        atoms = extract_atoms(dataset, Structures.parse(dataset.structures).atoms)
    return check_split(dataset, loaded, atoms=atoms, sizes=dict(sizes or {}))


def _features(dataset: Dataset, structures: DefinitionLike | DatasetFeatures) -> DatasetFeatures | None:
    """The features to use: as given, or made by the definition; none where there is neither."""
    if not isinstance(structures, DatasetFeatures):
        definition = _definition(dataset, structures)
        return None if definition is None else extract_features(dataset, definition)
    if structures.atoms.shape[0] != len(dataset):
        raise OptionError(
            f"the features are of {structures.atoms.shape[0]} examples, the data has {len(dataset)}",
            "make them from the same data",
        )
    return structures


def _definition(dataset: Dataset, structures: DefinitionLike) -> Structures | None:
    """The definition to use; none where the data has no derivations and none was asked for."""
    if isinstance(structures, Structures):
        return structures
    text = structures or dataset.structures
    return Structures.parse(text) if text else None


def _from_records(records: list[Any], source: str, target: str) -> Dataset:
    if records and all(isinstance(record, Example) for record in records):
        examples = tuple(records)
    else:
        pairs = [_pair(record, number, source, target) for number, record in enumerate(records)]
        examples = tuple(Example(key, *pair) for key, pair in zip(iter_ids(pairs), pairs, strict=True))
    derived = bool(examples) and all(example.derivation is not None for example in examples)
    fields = (source, target) if any(isinstance(record, Mapping) for record in records) else None
    return Dataset("records", examples, {}, STRUCTURES if derived else "", fields=fields)


def _pair(record: Any, number: int, source: str, target: str) -> tuple[str, str]:
    texts = (record.get(source), record.get(target)) if isinstance(record, Mapping) else tuple(record)
    if len(texts) != 2 or not all(isinstance(text, str) for text in texts):
        raise RecombineError(
            f"record {number} is not a pair of texts",
            f"give (source, target) pairs or {{{source!r}: …, {target!r}: …}}",
        )
    return texts[0], texts[1]
