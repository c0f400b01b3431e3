"""Examples with how they were made, or with the trees of their programs; and data as a file."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, ProgramError
from recombine.progress import note, working
from recombine.records.example import thawed
from recombine.workbench.given.data_and_split import loading
from recombine.workbench.load import load
from recombine.workbench.results.plain import plain
from recombine.workbench.results.result import Result, result_table
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.records.dataset import Dataset
    from recombine.records.example import Example
    from recombine.tree import Tree
    from recombine.workbench.load import Data


@dataclass(frozen=True, repr=False, eq=False)
class ShowResult(Result):
    """Some examples of a data set, and all of it to be written."""

    dataset: Dataset
    examples: tuple[Example, ...]
    """Those that are shown."""
    schemas: dict[str, Any] | None = None
    """What appending schemas did; none where none were wanted."""
    form: str = "ours"
    """The form of its file."""

    def to_dict(self) -> dict[str, Any]:
        """What `recombine show --json` prints."""
        printed: dict[str, Any] = plain(
            {
                "data": self.dataset.name,
                "hash": self.dataset.hash,
                "size": len(self.dataset),
                "examples": [_record(example, self.dataset) for example in self.examples],
                "schemas": self.schemas,
                "file": None,
            }
        )
        return printed

    def write(self, path: Path | str) -> None:
        """Write all of the data, whole or not at all; the name says which kind, or the form asked for."""
        from recombine.datasets.write_data import write_data

        write_data(self.dataset, path, self.form)

    def __str__(self) -> str:
        return f"{self.dataset}: {len(self.dataset):,} examples"

    def _repr_html_(self) -> str:
        """A table for each example that is shown."""
        tables = (
            result_table(example.id, {"source": example.source, "target": example.target, **besides_texts(example)})
            for example in self.examples
        )
        return "".join(tables) + f"<p>{escape(str(self))}</p>"


@verb
def show(
    data: Data,
    *,
    n: int = 3,
    id: str | None = None,  # noqa: A002
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
    world: str | Path | None = None,
    append_schema: bool = False,
    schema_limit: int | None = None,
    columns: bool = False,
    format: str = "ours",  # noqa: A002
    seed: int = 0,
) -> ShowResult:
    """Examples of a data set: `n` of them drawn by the seed, or the one of an id; `write` keeps all of the data.

    `append_schema` appends the schema of its database to each source (Spider), cut to `schema_limit` tokens, and
    `columns` replaces string values in sources by their columns (Schema2QA). `format` is the form that `write` gives
    the file: `ours`, or `cfq` for that of the CFQ release.

    >>> [example.source for example in show([("jump", "JUMP"), ("walk", "WALK")], n=1, seed=1).examples]
    ['jump']
    """
    from recombine.datasets.write_data import check_data_format
    from recombine.seeds import make_generator

    generator = make_generator(seed)
    check_data_format(format)
    if n < 1:
        raise OptionError(f"cannot show {n} examples", "give a count of 1 or more")
    if schema_limit is not None and not append_schema:
        raise OptionError("a limit for schemas is given, but no schemas are wanted", "add --append-schema")
    with working(loading(data)):
        dataset = load(data, source=source, target=target, language=language, world=world)
    schemas: dict[str, Any] | None = None
    if append_schema:
        dataset, schemas = _with_schemas(dataset, schema_limit)
    if columns:
        dataset = _with_columns(dataset)
    if id is not None:
        return ShowResult(dataset, (dataset[id],), schemas, format)
    rows = generator.permutation(len(dataset))[:n]
    return ShowResult(dataset, tuple(dataset[int(row)] for row in sorted(rows)), schemas, format)


def read_program(example: Example, dataset: Dataset) -> tuple[Tree | None, str | None]:
    """The tree of the target, or why it cannot be read; neither where the language is not known."""
    if dataset.language is None:
        return None, None
    try:
        return dataset.language.parse(example.target), None
    except ProgramError as error:
        return None, str(error)


def _with_schemas(dataset: Dataset, limit: int | None) -> tuple[Dataset, dict[str, Any]]:
    from recombine.datasets.published.append_schema import LIMIT, append_schema

    dataset, report = append_schema(dataset, limit=LIMIT if limit is None else limit)
    note(str(report))
    return dataset, asdict(report)


def _with_columns(dataset: Dataset) -> Dataset:
    from recombine.datasets.published.schema2qa import with_columns

    dataset, changed = with_columns(dataset)
    note(f"string values replaced by their columns in {changed:,} of {len(dataset):,} sources")
    return dataset


def _record(example: Example, dataset: Dataset) -> dict[str, Any]:
    rows = None if example.derivation is None else example.derivation.to_rows()
    tree, problem = read_program(example, dataset)
    context = {"context": thawed(example.context)} if example.context else {}
    return {
        "id": example.id,
        "source": example.source,
        "target": example.target,
        "derivation": rows,
        "program": None if tree is None else _nested(tree),
        "program_error": problem,
        **context,
        "tags": dict(example.tags),
    }


def besides_texts(example: Example) -> dict[str, Any]:
    """What an example has besides its texts by name, first the fields of its context, as `context.scene`."""
    tags = {key: value for key, value in example.tags.items() if key != "line"}
    return {**{f"context.{key}": thawed(value) for key, value in example.context.items()}, **tags}


def _nested(tree: Tree) -> list[Any] | str:
    """A tree as JSON has it: a leaf is its label, another node a list of its label and its children."""
    return [tree.label, *map(_nested, tree.children)] if tree.children else tree.label
