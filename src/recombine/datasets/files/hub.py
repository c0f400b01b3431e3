"""Data of the Hugging Face hub: `hub:OWNER/NAME`, `hub:OWNER/NAME:CONFIG`, `hub:OWNER/NAME:CONFIG@SPLIT`.

Needs the package `datasets` (the extra `hub`) and a network or a filled cache. Without `@SPLIT` all splits are read as
one data set; then each example's tag `part` names its split, and the split `published` is made of them. Ids are content
ids; the hub's own columns `id`, `tags` and `derivation` become the tags `hub_id`, `hub_tags` and `hub_derivation`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from recombine.datasets.files.faults import Faults
from recombine.datasets.files.rows import OWN_FIELDS, PART, PlacedRecord, dataset_of_rows
from recombine.errors import MissingDataError, OptionError
from recombine.structures.own_structures import own_structures

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.languages.language import Language
    from recombine.records.dataset import Dataset

_ID = re.compile(r"hub:(?P<path>[^:@\s]+)(?::(?P<config>[^:@\s]+))?(?:@(?P<split>\S+))?")


def load_from_hub(
    name: str, *, source: str = "source", target: str = "target", language: Language | None = None
) -> Dataset:
    """The data set of a hub id; `source` and `target` name its columns."""
    match = _ID.fullmatch(name)
    if match is None:
        raise OptionError(f"cannot read the hub id {name!r}", "write hub:OWNER/NAME, with :CONFIG and @SPLIT if wanted")
    fetched = _fetch(name, match["path"], match["config"], match["split"])
    parts: Mapping[str, Any] = {match["split"]: fetched} if match["split"] else dict(fetched)
    rows = [
        PlacedRecord(name, "row", number, _record(record, part))
        for part, table in parts.items()
        for number, record in enumerate(table, start=1)
    ]
    if not rows:
        raise MissingDataError(f"{name}: has no rows", "choose another split")
    faults = Faults(name)
    loaded = dataset_of_rows(rows, name=name, source=source, target=target, language=language, faults=faults)
    return loaded if language is None else replace(loaded, structures=own_structures(language))


def _fetch(name: str, path: str, config: str | None, split: str | None) -> Any:
    try:
        load = import_module("datasets").load_dataset
    except (ImportError, AttributeError):  # a folder named `datasets` beside the user imports as an empty package
        raise MissingDataError(
            f"{name} needs the package datasets, which is not installed", "pip install 'recombine[hub]'"
        ) from None
    try:
        return load(path, config, split=split)
    except ConnectionError as error:
        raise MissingDataError(
            f"{name}: the hub cannot be reached ({_first_line(error)})",
            "with no network, download the data elsewhere and give a .jsonl, .tsv or .parquet file",
        ) from error
    except Exception as error:  # the package and what it calls share no base of their errors
        raise MissingDataError(
            f"{name}: the hub gave no data ({type(error).__name__}: {_first_line(error)})",
            "check the id, the configuration, the split and the network, or give a file",
        ) from error


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "no message")


def _record(record: Mapping[str, Any], part: str) -> dict[str, Any]:
    own = {f"hub_{key}" if key in OWN_FIELDS else key: value for key, value in record.items()}
    return {**own, PART: part}
