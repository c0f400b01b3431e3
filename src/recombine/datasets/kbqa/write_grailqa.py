"""A data set in the form of GrailQA's release: one JSON list of items under the release's names.

An item has the fields of the release in their order, as far as the example has them, and no others: what is ours alone,
such as the `wording`, is left out. The id of an item is its `qid`.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from recombine.datasets.files.sidecar import check_sidecar_writable, sidecar_bytes, sidecar_path
from recombine.datasets.kbqa.grailqa import GRAILQA
from recombine.errors import OptionError, OutputFileError
from recombine.files import check_writable, write_whole
from recombine.pieces import write_pieces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.records.columns import WrittenExample
    from recombine.records.dataset import Dataset
    from recombine.records.example import Example

FIELDS = (
    *("qid", "question", "answer", "function", "num_node", "num_edge", "graph_query", "sparql_query", "domains"),
    *("level", "s_expression", "topic_entity"),
)
"""The fields of an item of the release."""


def check_grailqa_writable(path: Path | str) -> Path:
    """The path, when a file of this form and its sidecar can be written there; called before long work."""
    path = Path(path)
    if Path(path.name.removesuffix(".gz")).suffix != ".json":
        raise OptionError(f"{path}: the form grailqa is that of a .json file", "name it FILE.json, or .json.gz")
    check_writable(path)
    check_sidecar_writable(path)
    return path


def with_qid(example: Example) -> Example:
    """The example with its `qid` as its id, as it is read from a file of this form."""
    return replace(example, id=str(example.tags[GRAILQA.key]))


def write_grailqa(dataset: Dataset, path: Path | str) -> None:
    """Write a data set in this form, whole or not at all."""
    path = check_grailqa_writable(path)
    sidecar = sidecar_bytes(path, (), dataset.identity, dataset.world)
    write_pieces(path, _pieces(dataset, path))
    if sidecar is None:
        sidecar_path(path).unlink(missing_ok=True)
    else:
        write_whole(sidecar_path(path), sidecar)


def _pieces(dataset: Dataset, path: Path) -> Iterator[bytes]:
    before = b"[\n"
    for example in dataset.iter_written():
        yield before + _item(example, path)
        before = b",\n"
    yield b"\n]\n"


def _item(example: WrittenExample, path: Path) -> bytes:
    fields = {**example.tags, GRAILQA.source: example.source, GRAILQA.target: example.target}
    missing = next((mark for mark in GRAILQA.marks if mark not in fields), None)
    if missing is not None or str(fields[GRAILQA.key]) != example.id:
        what = f"has no {missing!r}" if missing is not None else f"has another {GRAILQA.key!r} than its id"
        raise OutputFileError(
            f"{path}: the example {example.id} {what}, so it is no item of GrailQA's form", "write it as .jsonl"
        )
    return orjson.dumps({name: fields[name] for name in FIELDS if name in fields})
