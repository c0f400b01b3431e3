"""The store of FB15k-237 for CFQ's rules: its facts under the names that the rules ask for, both ways, with classes.

`fb15k237.toml` says which relation is which. A joined relation goes over a node of its own for each triple. Names come
from `mid2name.tsv`, with blanks for underscores; a name that two entities have is left out for both.
"""

from __future__ import annotations

import tomllib
import warnings
from collections import Counter
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from recombine.errors import InputWarning, KnowledgeBaseError, RecordError
from recombine.files import check_file, read_text
from recombine.kb.film_schema.tie import film_classes, film_ties, ties_text
from recombine.kb.loaders.open_triples import open_triples
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.term import Term
from recombine.progress import note

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.film_schema.tie import Tie

TRIPLES, NAMES = "triples.tsv", "mid2name.tsv"
PROFILE, LANGUAGE = "freebase", "en"
_TYPE = Term.iri("http://www.w3.org/1999/02/22-rdf-syntax-ns#type").key
_LABEL = Term.name("type.object.name").key
_NODE = "g.1w"
"""What the made-up nodes in the middle begin with; ids of FB15k-237 begin with `m.`."""
_ROWS = 1 << 17


class Mapping(NamedTuple):
    """What a relation of FB15k-237 is: a tie, from subject to target or turned round."""

    tie: Tie
    turned: bool


def is_fb15k237(folder: Path) -> bool:
    """Whether a folder holds the triples and the names of FB15k-237."""
    return _find(folder, TRIPLES) is not None and _find(folder, NAMES) is not None


def fb15k237_files(place: Path) -> tuple[Path, Path] | None:
    """The files of triples and of names, where a place is the folder of both, or the file of triples in it."""
    folder = place if place.is_dir() else place.parent
    triples, names = _find(folder, TRIPLES), _find(folder, NAMES)
    if triples is None or names is None or place not in (folder, triples):
        return None
    return triples, names


def fb15k237_store(folder: Path | str) -> EmbeddedStore:
    """The store of the files in a folder, from the cache of data or made now."""
    from recombine.kb.embedded.cached_index import cached_index

    triples, names = (_file(Path(folder), name) for name in (TRIPLES, NAMES))
    said = (triples.read_bytes(), names.read_bytes(), _text().encode(), ties_text().encode())
    return cached_index([b"fb15k237", *said], lambda: iter_facts(triples, names), profile=find_profile(PROFILE))


def iter_facts(triples: Path, names: Path) -> Iterator[pa.RecordBatch]:
    """The facts for CFQ's rules as batches of keys."""
    facts: list[tuple[str, str, str]] = []
    classes: set[tuple[str, str]] = set()
    entities: set[str] = set()
    mappings, targets, wanted, nodes = _mappings(), _tables()["targets"], _wanted_classes(), 0
    for subject, relation, target in _iter_triples(triples):
        one, other = _key(subject), _key(target)
        entities |= {one, other}
        own = ".".join(relation.split("/")[1:3])
        if own in wanted:
            classes.add((one, own))
        if relation in targets:
            classes.add((other, targets[relation]))
        if relation in mappings:
            tie, turned = mappings[relation]
            first, second = (other, one) if turned else (one, other)
            nodes += 1
            facts += _facts_of(tie, first, second, Term.name(f"{_NODE}{nodes:06d}").key)
            if tie.agent:
                classes.add((first, tie.agent))
    facts += [(key, _TYPE, Term.name(each).key) for key, each in sorted(classes)]
    facts += [(key, _LABEL, Term.literal(name, language=LANGUAGE).key) for key, name in _own_names(names, entities)]
    return _iter_batches(facts)


def _facts_of(tie: Tie, first: str, second: str, node: str) -> list[tuple[str, str, str]]:
    facts = []
    for path, start, end in ((tie.there, first, second), (tie.back, second, first)):
        stops = [start, *[node] * (len(path) - 1), end]
        facts += [(stops[at], Term.name(relation).key, stops[at + 1]) for at, relation in enumerate(path)]
    return facts


def _own_names(path: Path, entities: set[str]) -> list[tuple[str, str]]:
    """The names that one of some entities has alone."""
    rows = []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        cells = line.split("\t")
        if len(cells) != 2 or not all(cells):
            raise RecordError(path, f"line {number}", f"has {len(cells)} columns", "give an id, a tab and a name")
        if (key := _key(cells[0])) in entities:
            rows.append((key, " ".join(cells[1].replace("_", " ").split())))
    times = Counter(name for _, name in rows)
    own = [(key, name) for key, name in rows if times[name] == 1]
    if len(own) < len(rows):
        note(f"{path}: {len(rows) - len(own):,} of {len(rows):,} entities share their name and are left without one")
    return own


def _iter_triples(path: Path) -> Iterator[tuple[str, str, str]]:
    with warnings.catch_warnings():
        # The fourth column is the part of a split for link prediction; facts of all parts are facts.
        warnings.simplefilter("ignore", InputWarning)
        for batch in open_triples(path, form="tsv", profile=find_profile(PROFILE)):
            rows = zip(*(column.to_pylist() for column in batch.columns), strict=True)
            for subject, relation, target in rows:
                yield subject[1:].decode(), relation[1:].decode(), target[1:].decode()


def _iter_batches(facts: list[tuple[str, str, str]]) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    for start in range(0, len(facts), _ROWS):
        columns = [pa.array(column, pa.large_string()) for column in zip(*facts[start : start + _ROWS], strict=True)]
        yield pa.RecordBatch.from_arrays(columns, ["subject", "relation", "target"])


def _key(name: str) -> str:
    """The key of an entity: `/m/027rn` is `m.027rn`."""
    return Term.name(name.removeprefix("/").replace("/", ".")).key


def _mappings() -> dict[str, Mapping]:
    ties = film_ties()
    return {
        relation: Mapping(ties[said["tie"]], said.get("turned", False))
        for relation, said in _tables()["relations"].items()
    }


def _wanted_classes() -> frozenset[str]:
    return frozenset([*(tie.agent for tie in film_ties().values() if tie.agent), *film_classes().values()])


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads(_text())


def _text() -> str:
    return (files("recombine.kb.fb15k237") / "fb15k237.toml").read_text(encoding="utf-8")


def _find(folder: Path, name: str) -> Path | None:
    return next((path for path in (folder / name, folder / f"{name}.gz") if path.is_file()), None)


def _file(folder: Path, name: str) -> Path:
    path = _find(folder, name)
    if path is None:
        raise KnowledgeBaseError(f"{folder}: has no {name} or {name}.gz", "give the folder of FB15k-237")
    return check_file(path)
