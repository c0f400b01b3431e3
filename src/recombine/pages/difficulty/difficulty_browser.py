"""The test examples of a page on difficulty in a compact form, for the page's script to list and draw.

Symbols, programs, structures and reasons are numbered once:

    program    [id, source, target, symbols without the root, graph]
    structure  [name, graph, neighbours as a flat list of pairs]
    reason     [structure, nearest structure or -1, symbol, symbol in its place, programs that show it,
                [[program, occurrences], …]]
    row        [program, split, easiness, label, right by model, unobserved structures, unseen symbols, reason or -1,
                occurrences]

Occurrences are lists of nodes. Labels are 1, 0, -1, or null where nothing is known; graphs are those of
`pages.splits.example_browser`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from recombine.pages.difficulty.program_structures import NEIGHBOUR, ProgramStructures
from recombine.pages.drawing.compact_graph import GEOMETRY, compact_graph

if TYPE_CHECKING:
    from recombine.easiness.reason import Reason
    from recombine.pages.difficulty.difficulty_data import DifficultyData
    from recombine.records.example import Example

GAP = 26
"""Between neighbouring nodes, wide enough for the line that may join them."""


def difficulty_browser(data: DifficultyData) -> dict[str, Any]:
    """All that the page's script needs."""
    tables = _Tables.of(data)
    rows = [tables.row(data, split, place) for split, place in data.rows]
    kept = [split for split, _ in data.rows]
    splits = [
        {
            "name": name,
            "tested": len(difficulty.test),
            "kept": kept.count(number),
            "models": [] if data.correctness is None else list(data.correctness[name].models),
        }
        for number, (name, difficulty) in enumerate(data.splits)
    ]
    return {
        "rules": list(tables.symbols),
        "geometry": GEOMETRY,
        "programs": tables.programs,
        "structures": tables.structures,
        "reasons": tables.reasons,
        "splits": splits,
        "rows": rows,
        "undecided": data.undecided,
    }


def cited(data: DifficultyData) -> list[Example]:
    """The distinct examples that the page draws: those kept for browsing, and train's for their reasons."""
    examples: dict[str, Example] = {}
    for split, place in data.rows:
        difficulty = data.splits[split][1]
        reason = difficulty.reasons[place]
        shown = [difficulty.train[row] for row in reason.shown_in] if reason is not None else []
        for example in (difficulty.test[place], *shown):
            examples.setdefault(_key(example), example)
    return list(examples.values())


def _key(example: Example) -> str:
    """Examples of two files may share an id, but not all their texts."""
    return "\0".join((example.id, example.source, example.target))


@dataclass
class _Tables:
    """What is numbered once, and the numbers given so far."""

    places: ProgramStructures
    numbers: dict[str, int]
    programs: list[Any]
    symbols: dict[str, int]
    structures: list[Any] = field(default_factory=list)
    reasons: list[Any] = field(default_factory=list)
    structure_numbers: dict[str, int] = field(default_factory=dict)
    reason_numbers: dict[tuple[int, Reason], int] = field(default_factory=dict)

    @classmethod
    def of(cls, data: DifficultyData) -> _Tables:
        examples = cited(data)
        places = ProgramStructures.of(
            examples,
            data.dataset.language,
            data=data.dataset.name,
            structures=data.structures,
            tokenisation=data.tokenisation,
        )
        symbols: dict[str, int] = {}
        lengths = places.arrays.lengths()
        programs = [
            [
                example.id,
                example.source,
                example.target,
                int(lengths[number]),
                compact_graph(places.graph(number), symbols, gap=GAP),
            ]
            for number, example in enumerate(examples)
        ]
        return cls(places, {_key(example): number for number, example in enumerate(examples)}, programs, symbols)

    def row(self, data: DifficultyData, split: int, place: int) -> list[Any]:
        name, difficulty = data.splits[split]
        program = self.numbers[_key(difficulty.test[place])]
        reason = difficulty.reasons[place]
        right = [] if data.correctness is None else data.correctness[name].correct[place].astype(int).tolist()
        return [
            program,
            split,
            round(float(difficulty.easiness.scores[place]), 6),
            None if data.labels is None else int(data.labels[split][place]),
            right,
            int(difficulty.easiness.unobserved[place]),
            [self.symbols[symbol] for symbol in difficulty.unseen_symbols[place]],
            -1 if reason is None else self.reason(data, split, reason),
            [] if reason is None else self.places.occurrences(program, reason.structure),
        ]

    def reason(self, data: DifficultyData, split: int, reason: Reason) -> int:
        if (split, reason) not in self.reason_numbers:
            self.reason_numbers[split, reason] = len(self.reasons)
            train = data.splits[split][1].train
            shown = [self.numbers[_key(train[row])] for row in reason.shown_in]
            similar = reason.similar
            self.reasons.append(
                [
                    self.structure(reason.structure),
                    -1 if similar is None else self.structure(similar),
                    *(reason.symbols or ("", "")),
                    reason.shown,
                    [] if similar is None else [[number, self.places.occurrences(number, similar)] for number in shown],
                ]
            )
        return self.reason_numbers[split, reason]

    def structure(self, name: str) -> int:
        if name not in self.structure_numbers:
            self.structure_numbers[name] = len(self.structures)
            structure = self.places.structure(name)
            across = [node for pair in structure.pairs(NEIGHBOUR) for node in pair]
            self.structures.append([name, compact_graph(structure.graph(), self.symbols, gap=GAP), across])
        return self.structure_numbers[name]
