"""A data set in the form of the release's `dataset.json`, written item by item.

Tags and contexts are fields, complexity measures inside of theirs; a derivation is the rule tree, and beside it the
derivation as it is where a tree cannot say everything (`rule_trees.py`). Texts are written as they are, under the names
that they were read from or else those of the release; data that is not known to be SPARQL keeps `source` and `target`.
Ids are written where they are not those of the content. What is written is read back as the same examples, but that
measures that were one tag together are a tag each.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from recombine.datasets.files.sidecar import check_sidecar_writable, sidecar_bytes, sidecar_path
from recombine.datasets.release.release_fields import (
    COMPLEXITY,
    DERIVATION,
    MARKS,
    MEASURES,
    OURS,
    RULES,
    RULES_IN_PAPER,
    SOURCE,
    TARGET,
    TEXTS,
    TREE,
)
from recombine.datasets.release.rule_trees import RuleTreeWriter
from recombine.errors import DerivationError, OptionError, OutputFileError
from recombine.files import check_writable, write_whole
from recombine.pieces import write_pieces
from recombine.records.example import identity_text, iter_ids, thawed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from recombine.records.dataset import Dataset
    from recombine.records.example import Example

_RESERVED = frozenset({"id", COMPLEXITY, TREE, RULES_IN_PAPER, DERIVATION})
"""The fields that are made here, and that no tag or context can have the name of."""


def check_release_writable(path: Path | str) -> Path:
    """The path, when a file of this form and its sidecar can be written there; called before long work."""
    path = Path(path)
    if Path(path.name.removesuffix(".gz")).suffix != ".json":
        raise OptionError(f"{path}: the form cfq is that of a .json file", "name it dataset.json, or .json.gz")
    check_writable(path)
    check_sidecar_writable(path)
    return path


def write_release(dataset: Dataset, path: Path | str) -> None:
    """Write a data set in the release's form, whole or not at all."""
    path = check_release_writable(path)
    context = tuple(dict.fromkeys(name for example in dataset for name in example.context))
    writer = _Writer(path, context, _field_names(dataset), gives_ids=not _has_content_ids(dataset))
    sidecar = sidecar_bytes(path, context, dataset.identity, dataset.world)
    if sidecar is None:
        sidecar_path(path).unlink(missing_ok=True)
    else:
        write_whole(sidecar_path(path), sidecar)
    write_pieces(path, writer.pieces(dataset))


def iter_release(examples: Iterable[Example], path: Path | str) -> Iterator[bytes]:
    """A file of the release's form, an item at a time: of queries of SPARQL, with content ids and without contexts."""
    return _Writer(Path(path), (), (SOURCE, TARGET), gives_ids=False).pieces(examples)


class _Writer:
    """The items of a data set as JSON."""

    def __init__(self, path: Path, context: tuple[str, ...], names: tuple[str, str], *, gives_ids: bool) -> None:
        self.path, self.context = path, context
        self._source, self._target = names
        # Where they are among the fields, these are what would be read as source and target.
        self._reserved = _RESERVED.union((SOURCE, TARGET) if names == OURS else ())
        self._gives_ids = gives_ids
        self._trees = RuleTreeWriter()

    def pieces(self, examples: Iterable[Example]) -> Iterator[bytes]:
        """The file, an item at a time."""
        before = b"[\n"
        for example in examples:
            yield before + self._item(example)
            before = b",\n"
        yield b"\n]\n"

    def _item(self, example: Example) -> bytes:
        try:
            return self._json(example)
        except (TypeError, RecursionError) as error:
            raise self._fault(example, f"cannot be written as JSON ({error})", "mend its tags") from None
        except DerivationError as error:
            raise self._fault(example, error.problem, error.remedy) from None

    def _json(self, example: Example) -> bytes:
        fields = self._fields(example)
        rules = fields.pop(RULES, None)
        last: list[tuple[str, bytes]] = []
        derivation = example.derivation
        if derivation is not None:
            rules = list(derivation.rules) if rules is None else rules
        if rules is not None:
            last.append((RULES, b"[" + b",".join(map(self._trees.spell_rule, self._texts(example, rules))) + b"]"))
        tree, whole = (None, True) if derivation is None else self._trees.write(derivation)
        if tree is not None or not any(mark in fields for mark in MARKS):
            last.append((TREE, tree or b"null"))
        if derivation is not None and not whole:
            last.append((DERIVATION, orjson.dumps(derivation.to_rows())))
        ending = b"".join(b',"%s":%s' % (name.encode(), value) for name, value in last)
        return orjson.dumps(fields)[:-1] + ending + b"}"

    def _fields(self, example: Example) -> dict[str, Any]:
        """The fields of an item but for its derivation: texts as the paper orders them, measures in theirs."""
        given: dict[str, Any] = {self._source: example.source, self._target: example.target}
        missing = next((name for name in self.context if name not in example.context), None)
        if missing is not None:
            raise self._fault(example, f"has no {missing!r} in its context, though others have", "give it to all")
        tags: dict[str, Any] = {name: value for name, value in example.tags.items() if name != "line"}
        measured = tags.pop(COMPLEXITY) if isinstance(tags.get(COMPLEXITY), Mapping) else {}
        context = {name: thawed(value) for name, value in example.context.items()}
        for name, value in chain(tags.items(), measured.items(), context.items()):
            if name in self._reserved or name in given:
                raise self._fault(example, f"has a tag or context {name!r}, which the form has already", "rename it")
            given[name] = value
        fields = {"id": example.id} if self._gives_ids else {}
        fields |= {name: given.pop(name) for name in TEXTS if name in given and name not in MEASURES}
        held = (self._source, self._target, *self.context)
        measures = {name: given.pop(name) for name in MEASURES if name in given and name not in held}
        return {**fields, **given, **({COMPLEXITY: measures} if measures else {})}

    def _texts(self, example: Example, rules: Any) -> list[str]:
        if not isinstance(rules, list | tuple) or not all(isinstance(rule, str) for rule in rules):
            raise self._fault(example, f"has a tag {RULES!r} that is not a list of names of rules", "mend it")
        return list(rules)

    def _fault(self, example: Example, problem: str, remedy: str) -> OutputFileError:
        return OutputFileError(f"{self.path}: the example {example.id} {problem}", remedy)


def _field_names(dataset: Dataset) -> tuple[str, str]:
    """The names under which sources and targets are written."""
    if dataset.fields is not None and all(name in TEXTS for name in dataset.fields):
        return dataset.fields
    return (SOURCE, TARGET) if dataset.language is not None and dataset.language.name == "sparql" else OURS


def _has_content_ids(dataset: Dataset) -> bool:
    """Whether the ids are those that reading the texts again would give."""
    pairs = ((example.source, example.target) for example in dataset)
    identities = (identity_text(example.context, dataset.identity) for example in dataset)
    return all(example.id == key for example, key in zip(dataset, iter_ids(pairs, identities), strict=True))
