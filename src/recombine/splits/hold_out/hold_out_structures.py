"""Which examples to hold out so that a structure, and all that is like it, is missing from train.

After §6.1 of the `local_structures` paper. From a structure s and a threshold t, the structures with a similarity to s
above t are held out: every example with one of them is for testing, the others are for training. A low t makes a hard
split, but one that may take too much: symbols of test that train never shows, or too many templates. So the lowest t is
taken that does neither. Different structures often lead to the same split; such are one, with all their structures.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from recombine.easiness.easiness import EasinessRule
from recombine.easiness.structure_similarity import similarities
from recombine.easiness.symbol_similarity import SymbolSimilarity, symbol_similarity
from recombine.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from recombine.structures.local_structures import LocalStructures
    from recombine.structures.programs.program_arrays import ProgramArrays


@dataclass(frozen=True)
class HeldOutStructure:
    """A division of the programs, and where it comes from."""

    seeds: tuple[str, ...]
    """The structures that lead to this division."""
    structures: tuple[str, ...]
    """The structures held out, from the first seed."""
    threshold: float
    template_share: float
    easiness: float
    test: NDArray[np.bool_] = field(repr=False)


@dataclass(frozen=True)
class Discarded:
    """A structure, or a division from several, that makes no split, and the reason."""

    seeds: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class Candidates:
    """Programs with their structures and templates, ready to be divided."""

    arrays: ProgramArrays
    structures: LocalStructures
    templates: Sequence[str]
    similarity: str
    max_templates: float

    def __post_init__(self) -> None:
        if not 0 < self.max_templates <= 1:
            raise OptionError(f"the share of templates is {self.max_templates}", "give a number above 0, such as 0.3")
        if self.similarity == "none":
            raise OptionError("structures are held out by their similarity", "give contexts or relations")

    @cached_property
    def rule(self) -> EasinessRule:
        """The rule that judges divisions."""
        return EasinessRule(self.structures, self.similarity)

    @cached_property
    def template(self) -> NDArray[np.int64]:
        """A number for each program's template."""
        number: dict[str, int] = {}
        return np.array([number.setdefault(text, len(number)) for text in self.templates], np.int64)

    @cached_property
    def symbols(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """The program and the symbol of every distinct pair of both, and how many programs have each symbol."""
        width = len(self.arrays.symbols)
        owner = np.repeat(np.arange(len(self.arrays)), np.diff(self.arrays.starts))
        program, symbol = np.divmod(np.unique(owner * width + self.arrays.labels), width)
        return program, symbol, np.bincount(symbol, minlength=width)

    @cached_property
    def symbol_similarity(self) -> SymbolSimilarity:
        """The similarity of symbols, with the contexts of all programs."""
        everything = np.ones(self.structures.shape[1], bool)
        return symbol_similarity(self.structures, everything, average=self.similarity)

    def similar_to(self, column: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The columns with a similarity above 0 to this one, itself first, and their similarities."""
        near = self.rule.neighbours.near(column)
        scores = similarities(self.structures, self.symbol_similarity, column, near)
        similar = scores > 0
        return np.append(column, near[similar]), np.append(1.0, scores[similar])

    def test_mask(self, columns: NDArray[np.int64]) -> NDArray[np.bool_]:
        """The programs that hold one of these structures."""
        mask = np.zeros(len(self.arrays), bool)
        for column in columns:
            mask[self.structures.programs_with(int(column))] = True
        return mask

    def template_share(self, mask: NDArray[np.bool_]) -> float:
        """The share of templates that test has."""
        # Templates are numbered without gaps, so the last number tells how many there are.
        return int(np.count_nonzero(np.bincount(self.template[mask]))) / (int(self.template.max()) + 1)

    def fault(self, mask: NDArray[np.bool_]) -> str | None:
        """Why a division makes no fair split; none where it does."""
        share = self.template_share(mask)
        if share > self.max_templates:
            return f"test has {share:.3f} of the templates, more than {self.max_templates}"
        program, symbol, totals = self.symbols
        held = np.bincount(symbol[mask[program]], minlength=len(totals))
        unseen = np.flatnonzero((held == totals) & (totals > 0))
        if len(unseen):
            return f"train would lack the symbol {self.arrays.symbols[int(unseen[0])]!r}" + (
                f" and {len(unseen) - 1} more" if len(unseen) > 1 else ""
            )
        return None

    def hold_out(self, column: int) -> tuple[float, NDArray[np.int64]] | str:
        """The lowest threshold that makes a fair split, with the structures above it, or the fault of the highest."""
        columns, scores = self.similar_to(column)
        fault = ""
        for threshold in np.unique(np.append(0.0, scores[scores < 1.0])):
            chosen = columns[scores > threshold]
            reason = self.fault(self.test_mask(chosen))
            if reason is None:
                return float(threshold), chosen
            fault = f"with t = {threshold:.3f}, the highest, {reason}"
        return fault

    def easiness(self, mask: NDArray[np.bool_]) -> float:
        """The mean easiness of test for those who know train."""
        return self.rule.fit(np.flatnonzero(~mask)).predict(np.flatnonzero(mask)).mean()

    def iter_held_out(self, generator: np.random.Generator | None = None) -> Iterator[HeldOutStructure | Discarded]:
        """Divisions from every structure, equal ones merged; with a generator, a random half of the similar ones."""
        divisions: dict[bytes, tuple[list[str], float, NDArray[np.int64], NDArray[np.bool_]]] = {}
        for column in range(self.structures.shape[1]):
            name = self.structures.name(column)
            outcome = self.hold_out(column)
            if isinstance(outcome, str):
                yield Discarded((name,), outcome)
                continue
            threshold, chosen = outcome
            mask = self.test_mask(chosen)
            divisions.setdefault(mask.tobytes(), ([], threshold, chosen, mask))[0].append(name)
        if generator is not None:
            divisions = self._halves(divisions, generator)
        for seeds, threshold, chosen, mask in divisions.values():
            names = tuple(self.structures.name(int(column)) for column in chosen)
            share = self.template_share(mask)
            yield HeldOutStructure(tuple(seeds), names, threshold, share, self.easiness(mask), mask)

    def _halves(
        self,
        divisions: dict[bytes, tuple[list[str], float, NDArray[np.int64], NDArray[np.bool_]]],
        generator: np.random.Generator,
    ) -> dict[bytes, tuple[list[str], float, NDArray[np.int64], NDArray[np.bool_]]]:
        """The divisions with a random half, rounded up, of their structures held out; what was fair stays so."""
        halves: dict[bytes, tuple[list[str], float, NDArray[np.int64], NDArray[np.bool_]]] = {}
        for seeds, threshold, chosen, _ in divisions.values():
            kept = np.sort(generator.permutation(chosen)[: (len(chosen) + 1) // 2])
            mask = self.test_mask(kept)
            halves.setdefault(mask.tobytes(), ([], threshold, kept, mask))[0].extend(seeds)
        return halves
