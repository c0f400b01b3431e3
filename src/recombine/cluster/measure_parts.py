"""Everything measurable about a split of a folder of parts: the values of `measure_split`, from sums.

A part is read once. What comes of it are the sums of its columns, counts of texts by words, and digests of its texts
in eight bytes, which meet by ranges so that duplicates and patterns can be counted; only where train lacks an atom of
test, parts are read again to count the examples that hold it. All of these are whole numbers, so that the values do not
depend on the number of workers or parts. Two texts with one digest would be taken for one; of 10 million, that has a
chance of 1 in 300,000. Warnings are those of one process, but for that of the floor.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.cluster.column_sums import merged, ordered, sums_of_block, tree_of
from recombine.cluster.folder_data import iter_blocks
from recombine.cluster.sides import read_sides
from recombine.errors import OptionError, SplitError
from recombine.measures.divergence import chernoff
from recombine.measures.expected.expected_accuracy import NOT_ON_A_CLUSTER
from recombine.measures.held_compounds import held_compounds
from recombine.measures.known import MEASURES
from recombine.measures.length_ratio import ratio_of_lengths
from recombine.measures.measure_split import SIDES, measure_signature, not_measured
from recombine.measures.no_structures import no_structures_text
from recombine.measures.patterns import variety_of_sizes
from recombine.measures.split_warnings import HeldCompounds, split_warnings
from recombine.records.dataset import EXACT
from recombine.splits.made_to_be_hard import made_to_be_hard
from recombine.structures.dataset_derivations import dataset_derivations
from recombine.structures.dataset_features import (
    extract_atoms,
    extract_features,
    extract_with_vocabulary,
    rules_digest,
)
from recombine.structures.definition import Structures
from recombine.structures.joined_definition import check_one_kind
from recombine.structures.kinds import STRUCTURE_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from recombine.cluster.folder_data import Block, FolderData
    from recombine.cluster.session import Session
    from recombine.cluster.sides import Sides
    from recombine.records.signature import Signature

TEXTS_PER_RANGE = 500_000
NO_FLOOR = "a cluster has the sums of parts alone; leave out --cluster"
"""Why there is no floor beside a divergence."""
_KINDS = ("pairs", "sources", "targets")


def measure_parts(
    session: Session,
    data: FolderData,
    sides: Sequence[Sides],
    *,
    sizes: Mapping[str, int],
    made: Signature,
    structures: Structures | None,
    against: str,
    atom_alpha: float,
    compound_alpha: float | None,
) -> dict[str, Any]:
    """The measured values by name, as `measure_split` gives them; `made` is the signature of the split."""
    for name in ("train", against):
        if name not in sizes:
            raise SplitError(f"the split has no part {name!r}", f"its parts are {', '.join(sizes)}")
        if not sizes[name]:
            raise SplitError(f"the {name} part is empty, so there is nothing to measure", "choose another part")
    text = None if structures is None else str(_added(structures))
    ranges = 1 << max(0, (len(data) // TEXTS_PER_RANGE - 1).bit_length())
    tasks = list(zip(data.tasks(), sides, strict=True))
    futures = [session.submit("measure_parts:measure_part", *task, text, ranges) for task in tasks]
    counted = session.results("measuring", [session.submit("measure_parts:counts_of", each) for each in futures])
    values: dict[str, Any] = {**sizes, "against": against}
    rules: str = ""
    held: tuple[HeldCompounds, ...] = ()
    if structures is not None:
        compound_alpha = structures.compounds.alpha if compound_alpha is None else compound_alpha
        halves = []
        for half, top in (("atoms", _top(structures.atoms)), ("compounds", _top(structures.compounds))):
            tables = [session.submit("measure_parts:table_of", each, half) for each in futures]
            (table,) = session.results("adding", [tree_of(tables, session.submit)])
            halves.append(ordered(table, top))
        rules = rules_digest(set().union(*(each["vocabulary"] for each in counted)))
        unseen = _unseen(session, tasks, halves[0], str(structures))
        for name, table, alpha in zip(("atom", "compound"), halves, (atom_alpha, compound_alpha), strict=True):
            values[f"{name}_divergence"] = 1.0 - chernoff(*_sides(table), alpha)
        values["unseen_atom_examples"], values["unseen_atoms"] = unseen
        bare = np.sum([each["bare"] for each in counted], axis=0)
        if _top(structures.compounds) is not None:
            kept = [(*task, text, halves[1]["names"]) for task in tasks]
            bare = np.sum(session.map("counting compounds", "measure_parts:bare_rows", kept), axis=0)
        tested, holders = halves[1]["sums"][1], halves[1]["sums"][3]
        held = (HeldCompounds(structures.compounds, holders, int(np.count_nonzero(tested)), len(data)),)
        if bare.any():
            values["without_compounds"] = dict(zip(("train", against), bare.tolist(), strict=True))
    joined = _joined(session, futures, ranges)
    del futures
    total = {key: sum(each[key] for each in counted) for key in ("train", "test", "ids")}
    values["pattern_coverage"], values["length_ratio"], values["patterns"] = {}, {}, {}
    lengths = {}
    for number, side in enumerate(SIDES):
        texts = joined[f"{side}s"]
        values["pattern_coverage"][side] = texts["covered"] / texts["distinct"]
        values["patterns"][side] = asdict(variety_of_sizes(texts["sizes"]))
        shown, asked = added([each["lengths"][number] for each in counted])
        lengths[side] = shown, asked
        values["length_ratio"][side] = ratio_of_lengths(*lengths[side])
    values["duplicates"] = {"ids": total["ids"], **{kind: joined[kind]["repeated"] for kind in _KINDS}}
    warnings = split_warnings(values, lengths, held)
    if warnings and made_to_be_hard(made):
        values["warnings"] = warnings
    knows = data.language is not None
    values["not_measured"] = not_measured(
        values,
        lambda: no_structures_text(data.name, data.lacking, len(data), knows_language=knows),
        NO_FLOOR,
        NOT_ON_A_CLUSTER,
    )
    if len(MEASURES):
        names = ", ".join(sorted(MEASURES))
        values["not_measured"].append(f"{names} were not measured: they want whole parts; leave out --cluster")
    patterns = dict.fromkeys(SIDES, EXACT.name)
    by = None if structures is None else (rules, str(structures.with_atoms()))
    values["signature"] = str(measure_signature(made, patterns, by, atom_alpha, compound_alpha, against))
    return values


def _sides(table: Mapping[str, Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    train, test = table["sums"][:2].astype(np.float64)
    return train, test


def _top(definition: Any) -> int | None:
    return getattr(definition, "top", None)


def _added(structures: Structures) -> Structures:
    """The definition whose values can be added; the highest sums are chosen when all are known."""
    for definition in (structures.atoms, structures.compounds):
        check_one_kind(definition, "a cluster", way=", or leave out --cluster")
        if definition.value == "weighted":
            raise OptionError(
                f"the weights of {definition} depend on all examples at once",
                "use counts or presence, or leave out --cluster",
            )
    halves: dict[str, Any] = {
        role: replace(definition, top=None)  # type: ignore[type-var]
        for role, definition in (("atoms", structures.atoms), ("compounds", structures.compounds))
        if _top(definition) is not None
    }
    return replace(structures.with_atoms(), **halves)


def wants_derivations(structures: Structures) -> bool:
    """Whether derivations must be read; a plug-in's function may look at them too."""
    kinds = [each.kind for each in (structures.atoms, structures.compounds)]
    return any(
        STRUCTURE_KINDS.find(kind).graphs is dataset_derivations or STRUCTURE_KINDS.origin(kind) for kind in kinds
    )


# -- on workers -------------------------------------------------------------------------------------------------------


def measure_part(task: Mapping[str, Any], sides: Sides, text: str | None, ranges: int) -> dict[str, Any]:
    """The sums, counts of words and digests of one part."""
    structures = None if text is None else Structures.parse(text)
    train, test = read_sides(task, sides)
    tables: dict[str, list[Any]] = {"atoms": [], "compounds": []}
    vocabulary: set[str] = set()
    lengths: list[list[NDArray[np.int64]]] = [[] for _ in SIDES]
    bare = np.zeros(2, np.int64)
    texts: dict[str, list[NDArray[np.uint64]]] = {kind: [] for kind in _KINDS}
    for block in iter_blocks(task, derivations=structures is not None and wants_derivations(structures)):
        here = slice(block.first, block.first + len(block))
        for number, each in enumerate((block.sources, block.targets)):
            words = np.array([len(text.split()) for text in each], np.int64)
            lengths[number].append(np.array([np.bincount(words, times[here]) for times in (train, test)], np.int64))
        for kind in _KINDS:
            texts[kind].append(_digests(block, kind))
        if structures is not None:
            features, names = extract_with_vocabulary(block.dataset(task), structures)
            vocabulary |= names
            without = held_compounds(features.compounds) == 0
            bare += train[here] @ without, test[here] @ without
            for half in tables:
                tables[half].append(sums_of_block(getattr(features, half), train[here], test[here]))
    return {
        "counts": {
            "train": int(train.sum()),
            "test": int(test.sum()),
            "ids": int(test[train > 0].sum()),
            "lengths": [added(each) for each in lengths],
            "bare": bare,
            "vocabulary": sorted(vocabulary),
        },
        "tables": {half: merged(*blocks) for half, blocks in tables.items()},
        "texts": _cut({kind: np.concatenate(each) for kind, each in texts.items()}, train, test, ranges),
    }


def added(tables: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """The sum of counts of texts of train and of test by words, some of which end before others."""
    total = np.zeros((2, max(table.shape[1] for table in tables)), np.int64)
    for table in tables:
        total[:, : table.shape[1]] += table
    return total


def _digests(block: Block, kind: str) -> NDArray[np.uint64]:
    """A number of eight bytes for each text, or for each pair of texts."""
    texts: Iterable[str]
    if kind == "pairs":
        texts = (f"{len(s)} {s}{t}" for s, t in zip(block.sources, block.targets, strict=True))
    else:
        texts = block.sources if kind == "sources" else block.targets
    joined = b"".join([hashlib.blake2b(text.encode(), digest_size=8).digest() for text in texts])
    return np.frombuffer(joined, "<u8")


def _cut(
    texts: Mapping[str, NDArray[np.uint64]], train: NDArray[np.int64], test: NDArray[np.int64], ranges: int
) -> list[dict[str, Any]]:
    """By the first bits of the digests: those of train, and those of test with their counts, each once."""
    shift = np.uint64(64 - (ranges - 1).bit_length())
    pieces: list[dict[str, Any]] = [{} for _ in range(ranges)]
    for kind, digests in texts.items():
        shown = np.unique(digests[train > 0])
        asked, places = np.unique(digests[test > 0], return_inverse=True)
        counts = np.bincount(places, test[test > 0], len(asked)).astype(np.int64)
        for number, piece in enumerate(pieces):
            here = [np.ones(len(each), bool) if ranges == 1 else each >> shift == number for each in (shown, asked)]
            piece[kind] = (shown[here[0]], asked[here[1]], counts[here[1]])
    return pieces


def counts_of(measured: Mapping[str, Any]) -> Any:
    """The few numbers of a part."""
    return measured["counts"]


def table_of(measured: Mapping[str, Any], half: str) -> Any:
    """The sums of a part."""
    return measured["tables"][half]


def piece_of(measured: Mapping[str, Any], number: int) -> Any:
    """The digests of a part in a range."""
    return measured["texts"][number]


def joined_texts(*pieces: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Of a range: test entries whose text train has, distinct test texts, how many of them, and sizes of these."""
    values = {}
    for kind in _KINDS:
        shown = np.unique(np.concatenate([piece[kind][0] for piece in pieces]))
        asked, places = np.unique(np.concatenate([piece[kind][1] for piece in pieces]), return_inverse=True)
        counts = np.bincount(places, np.concatenate([piece[kind][2] for piece in pieces]), len(asked)).astype(np.int64)
        seen = np.isin(asked, shown, assume_unique=True)
        sizes = np.unique(counts, return_counts=True)
        values[kind] = {
            "repeated": int(counts[seen].sum()),
            "covered": int(seen.sum()),
            "distinct": len(asked),
            "sizes": dict(zip(sizes[0].tolist(), sizes[1].tolist(), strict=True)),
        }
    return values


def unseen_rows(task: Mapping[str, Any], sides: Sides, text: str, names: Sequence[str]) -> int:
    """How many entries of test hold one of these atoms."""
    structures, lacking = Structures.parse(text), set(names)
    _, test = read_sides(task, sides)
    found = 0
    for block in iter_blocks(task, derivations=wants_derivations(structures)):
        atoms = extract_atoms(block.dataset(task), structures.atoms)
        bad = np.array([name in lacking for name in atoms.names], bool)
        hit = bad[atoms.indices] & (atoms.data > 0)
        rows = np.unique(np.repeat(np.arange(len(block)), np.diff(atoms.indptr))[hit])
        found += int(test[block.first + rows].sum())
    return found


def bare_rows(task: Mapping[str, Any], sides: Sides, text: str, names: Sequence[str]) -> NDArray[np.int64]:
    """How many entries of train and of test hold none of these compounds."""
    structures, kept = Structures.parse(text), set(names)
    train, test = read_sides(task, sides)
    bare = np.zeros(2, np.int64)
    for block in iter_blocks(task, derivations=wants_derivations(structures)):
        here = slice(block.first, block.first + len(block))
        compounds = extract_features(block.dataset(task), structures).compounds
        stays = np.array([name in kept for name in compounds.names] or [False], bool)
        holders = np.repeat(np.arange(len(block)), np.diff(compounds.indptr))[stays[compounds.indices]]
        without = np.bincount(holders, minlength=len(block)) == 0
        bare += train[here] @ without, test[here] @ without
    return bare


# -- where the command runs -------------------------------------------------------------------------------------------


def _joined(session: Session, futures: Sequence[Any], ranges: int) -> dict[str, dict[str, Any]]:
    """What the ranges of digests give together."""
    tasks = [
        session.submit("measure_parts:joined_texts", *(session.submit("measure_parts:piece_of", f, n) for f in futures))
        for n in range(ranges)
    ]
    found = session.results("counting duplicates", tasks)
    total: dict[str, dict[str, Any]] = {}
    for kind in _KINDS:
        each = [one[kind] for one in found]
        sizes: dict[int, int] = {}
        for one in each:
            for size, number in one["sizes"].items():
                sizes[size] = sizes.get(size, 0) + number
        total[kind] = {key: sum(one[key] for one in each) for key in ("repeated", "covered", "distinct")}
        total[kind]["sizes"] = sizes
    return total


def _unseen(
    session: Session, tasks: Sequence[tuple[Any, Any]], atoms: Mapping[str, Any], text: str
) -> tuple[int, list[str]]:
    """How many entries of test hold an atom that train lacks, and those atoms."""
    train, test = atoms["sums"][0], atoms["sums"][1]
    names = [atoms["names"][int(column)] for column in np.flatnonzero((train < 1) & (test > 0))]
    if not names:
        return 0, []
    counts = session.map("counting unseen atoms", "measure_parts:unseen_rows", [(*task, text, names) for task in tasks])
    return sum(counts), names
