"""Search for a train/test split of the highest, lowest or a wanted compound divergence.

The search rests on three ideas. Train's exponent starts at 0.5 and falls to its true value: 0.1 is nearly a presence
test, which leaves single exchanges no slope to follow. The atom divergence has a price besides its hard cap, since a
search that runs along the cap finds almost every improving exchange blocked. Restarts choose the basins; then each of
the best few, since the best start does not often lead to the best end, is reheated (exponent up and down again) and has
single compounds evicted from a side. Where the test pool is large, the restarts look for a smaller core that is then
grown. Every second start, and each where there are few moves per example, is first dealt out in batches by the slopes
of the divergences: either kind finds basins that the other misses. Where the budget would give a descent only a move or
two for each example, it is spent on fewer starts and basins instead.

The budget counts moves, never seconds, and all randomness comes from the seed, so equal calls give equal splits. With
`patience` below 1, the starts end, and the improvements of each basin end, after that share of their moves without a
rise of their best D_C by `RISE`. With `until`, all ends at the first split of the full size that breaks nothing and has
that D_C.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recombine.splits.search import batches
from recombine.splits.search import exchange_kernels as kernels
from recombine.splits.search.exchange_kernels import FeatureArrays, State
from recombine.structures.definition import ATOM_ALPHA, COMPOUND_ALPHA

Matrix = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]
Kept = tuple[tuple[float, float], NDArray[np.int64]]  # a score, and the order that has it
Progress = Callable[[int, int, float], None]

TABLE_LIMIT = 1 << 24  # powers of larger sums are computed rather than looked up
FIXED_POINT_LIMIT = 1 << 22  # largest column sum of fixed-point weights, so that a table takes 32 MB at most
ENTRIES_PER_CHUNK = 15_000_000  # matrix entries touched between two calls of progress: some 0.3 s
START_EXPONENT, REHEAT_EXPONENT = 0.5, 0.35
PRICE_START, PRICE_END = 1.25, 1.0  # of the atom divergence, in units of the compound divergence
STARTS, BASINS = 28, 4  # starts, and the best of them that are improved
REHEATS, EVICTIONS = 1, 40  # of each basin
EVICTION_MOVES = 0.1  # of a descent, for the exchanges after an eviction
IMPROVING = REHEATS / 3 + 2 * EVICTIONS * EVICTION_MOVES  # descents that the improvements of one basin amount to
CORE = 0.125  # of train: under a cap restarts look for such a test pool at most, as larger ones end in worse basins
FREE_CORE = 0.5  # the same without a cap
PASSES, ASSIGN_PRICE = 8, 5.0  # of the batch assignment, and the price of the atom divergence in it
LEAST_PER_EXAMPLE, LEAST_STARTS = 2.0, 2  # moves of a descent; where the budget gives fewer, starts are given up
ENOUGH_MOVES = 5  # per example in one descent; with fewer, every start is by batch assignment
LARGEST_EVICTION, FEW_EVICTED = 0.05, 12  # share of a side's examples; in a small train at least so many
ACCEPT_WORSE = 0.0003  # of D_C, by a reheat or an eviction
LEAST_MOVES = 10_000
RISE = 0.0005  # of D_C, for which a patient search goes on
TARGET_TOLERANCE = 0.0005
BATCH_STARTS = 16  # of a search over several kinds, each dealt out in batches
CAP_PRICE, LAST_CAP_PRICE = 2.0, 64.0  # of the atom divergence, while it is brought below its cap
LENGTH_MARGIN = 1e-9  # keeps a ratio on its bound from failing a check that divides in another order


class Enough(Exception):  # noqa: N818  # no error: it carries the search out of its loops
    """A split as good as wanted stands."""


@dataclass
class SearchResult:
    """A split (0 unused, 1 train, 2 test pool), its divergences and the constraints it breaks, in words."""

    sides: NDArray[np.int8]
    d_c: float
    d_a: float
    moves: int
    problems: list[str] = field(default_factory=list)
    interrupted: bool = False


def fixed_point(matrix: Matrix) -> NDArray[np.int32]:
    """Return the weights as integers: unchanged where they are whole, else times a power of two."""
    _, indices, data = matrix
    if np.array_equal(data, np.rint(data)):
        return np.rint(data).astype(np.int32)
    largest = float(np.bincount(indices, data).max())
    scale = 2.0 ** np.floor(np.log2(FIXED_POINT_LIMIT / largest))
    weights: NDArray[np.int32] = np.maximum(np.rint(data * min(max(scale, 16.0), 65536.0)), data > 0).astype(np.int32)
    return weights


def power_tables(largest: int, alpha: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the powers alpha and 1 - alpha of 0, 1, ..., largest."""
    base = np.arange(min(largest + 1, TABLE_LIMIT), dtype=np.float64)
    tables = base**alpha, base ** (1.0 - alpha)
    for table in tables:
        table[0] = 0.0  # an absent column adds nothing, also at an exponent of 0
    return tables


def make_features(matrices: Sequence[Matrix], alpha: float) -> FeatureArrays:
    """Return the kernels' view of CSR matrices, one for each kind, with no example on any side yet."""
    kinds = len(matrices)
    widths = [int(indices.max()) + 1 if len(indices) else 1 for _, indices, _ in matrices]
    columns = np.concatenate(([0], np.cumsum(widths))).astype(np.int64)
    sizes = np.stack([np.diff(matrix[0]) for matrix in matrices], axis=1).astype(np.int64)
    indptr = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes.ravel(), dtype=np.int64)))
    indices, data = np.empty(int(indptr[-1]), np.int32), np.empty(int(indptr[-1]), np.int32)
    for kind, matrix in enumerate(matrices):
        starts = np.repeat(indptr[kind:-1:kinds] - matrix[0][:-1], sizes[:, kind])
        places = starts + np.arange(len(matrix[1]))
        indices[places] = matrix[1] + columns[kind]
        data[places] = fixed_point(matrix)
    running = np.concatenate(([0], np.cumsum(data, dtype=np.int64)))
    largest = int(np.bincount(indices, data, int(columns[-1])).max())
    counts, totals = np.zeros((int(columns[-1]), 2), np.int64), np.zeros((kinds, 2), np.int64)
    row_total = (running[indptr[1:]] - running[indptr[:-1]]).reshape(-1, kinds)
    powers = power_tables(largest, alpha)
    return FeatureArrays(indptr, indices, data, row_total, counts, totals, *powers, float(alpha), columns)


def earlier_equal(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each label how many earlier ones equal it."""
    by_label = np.argsort(labels, kind="stable")
    rank = np.empty(len(labels), np.int64)
    rank[by_label] = np.arange(len(labels)) - np.searchsorted(labels[by_label], labels[by_label])
    return rank


class SplitSearch:
    """A splitting problem and its current state; `run` searches and returns the best split found."""

    def __init__(
        self,
        atoms: Matrix,
        compounds: Matrix | list[Matrix],
        train_size: int,
        test_size: int,
        *,
        atom_cap: float = 0.02,
        atom_floor: float = 0.0,
        compound_alpha: float = COMPOUND_ALPHA,
        atom_alpha: float = ATOM_ALPHA,
        pattern: NDArray[Any] | None = None,
        quota: int | None = None,
        least_distinct: int = 0,
        least_atoms: int = 1,
        barred: NDArray[np.bool_] | None = None,
        lengths: Mapping[str, tuple[NDArray[Any], float, float]] | None = None,
        seed: int = 0,
        effort: float = 1.0,
        patience: float = 1.0,
        until: float | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.n = len(atoms[0]) - 1
        if min(train_size, test_size) < 1 or train_size + test_size > self.n:
            raise ValueError(f"{train_size} + {test_size} examples wanted of {self.n}")
        matrices = compounds if isinstance(compounds, list) else [compounds]
        self.atoms, self.compounds = make_features([atoms], atom_alpha), make_features(matrices, compound_alpha)
        self.seed, self.effort, self.progress = seed, effort, progress
        self.patience, self.until = patience, np.inf if until is None else until
        free = pattern is None or (quota is None and not least_distinct)
        labels = np.zeros(self.n, np.int64) if free else np.asarray(pattern, np.int64)
        lengths = lengths or {}
        self.length_names = tuple(lengths)
        limits = [[low + LENGTH_MARGIN, high - LENGTH_MARGIN] for _, low, high in lengths.values()]
        self.state = State(
            order=np.arange(self.n),
            bounds=np.array([0, train_size, train_size + test_size, self.n]),
            random=np.array([seed], np.uint64),
            pattern=labels,
            pattern_count=np.zeros(int(labels.max()) + 1, np.int64),
            distinct=np.zeros(1, np.int64),
            quota=self.n if free or quota is None else int(quota),
            least_distinct=0 if free else int(least_distinct),
            least_atoms=int(least_atoms),
            lengths=np.array([length for length, _, _ in lengths.values()], np.int64).reshape(len(lengths), self.n),
            length_total=np.zeros((len(lengths), 2), np.int64),
            length_bounds=np.array(limits, np.float64).reshape(len(lengths), 2),
            cap=float(atom_cap),
            floor=float(atom_floor),
            barred=np.zeros(self.n, np.bool_) if barred is None else np.asarray(barred, np.bool_),
        )
        by_column = np.argsort(self.compounds.indices, kind="stable").astype(np.int64)
        holders = np.searchsorted(self.compounds.indptr, by_column, side="right") - 1
        self.holders = (holders // len(matrices)).astype(np.int32)
        column_sizes = np.bincount(self.compounds.indices, minlength=len(self.compounds.counts))
        self.holders_start = np.concatenate(([0], np.cumsum(column_sizes)))
        per_example = max(1.0, (self.compounds.indices.size + self.atoms.indices.size) / self.n)
        segments = np.diff(self.compounds.indptr).reshape(-1, len(matrices))
        self.entries = segments.sum(axis=0) / self.n  # of one example, by kind
        self.chunk = int(max(1000, ENTRIES_PER_CHUNK / per_example))
        self.unit = int(max(LEAST_MOVES, effort * min(10 * self.n, 500_000)))  # moves of one descent
        self.starts, self.basins = STARTS, BASINS
        if self.unit < LEAST_PER_EXAMPLE * self.n:
            self.lengthen()
        self.total, self.moves = self.unit, 0
        self.best_d_c, self.test_end = 0.0, train_size + test_size
        self.nearest: tuple[tuple[float, float], NDArray[np.int64]] | None = None
        self.aim, self.best, self.best_score = 1.0, self.state.order.copy(), (np.inf, np.inf)
        self.stage = self.total  # moves of the part of the search that patience is a share of
        self.rise_score, self.rise_moves = self.best_score, 0  # the best when it last rose, and the moves until then

    def lengthen(self) -> None:
        """Make fewer starts with longer descents in the same number of moves, where descents are short for the data."""
        moves = self.unit * (STARTS + BASINS * IMPROVING)
        fewer = self.unit / (LEAST_PER_EXAMPLE * self.n)
        self.starts, self.basins = max(LEAST_STARTS, round(STARTS * fewer)), max(1, round(BASINS * fewer))
        self.unit = int(moves / (self.starts + self.basins * IMPROVING))

    # state

    def restart(self) -> None:
        """Draw a random split that respects the quota, with no barred example in the test pool."""
        rng = np.random.default_rng([self.seed, int(self.state.random[0])])
        order = rng.permutation(self.n)
        train_size, test_size = int(self.state.bounds[1]), int(self.state.bounds[2] - self.state.bounds[1])
        chosen = self.testable_first(order)[:test_size]
        others = np.delete(order, chosen)
        self.place(np.concatenate((others[:train_size], order[chosen], others[train_size:])))

    def testable_first(self, examples: NDArray[np.int64], tested: NDArray[np.int64] | int = 0) -> NDArray[np.int64]:
        """Places of examples: first those that may be tested, then those over the quota, then those that are barred.

        `tested` says how many of each example's label are in the test pool already.
        """
        over = earlier_equal(self.state.pattern[examples]) + tested >= self.state.quota
        return np.argsort(over + 2 * self.state.barred[examples], kind="stable")

    def place(self, order: NDArray[np.int64]) -> None:
        """Make an order the current state."""
        self.state.order[:] = order
        kernels.recount(self.state, self.atoms)
        kernels.recount(self.state, self.compounds)
        kernels.recount_rest(self.state)

    def grow(self) -> None:
        """Fill the best split's test pool to its full size from what may be tested, and forget the core's scores."""
        order, core_end = self.best.copy(), int(self.state.bounds[2])
        self.place(order)
        rest = order[core_end:]
        order[core_end:] = rest[self.testable_first(rest, self.state.pattern_count[self.state.pattern[rest]])]
        self.state.bounds[2] = self.test_end
        self.place(order)
        self.best_score = (np.inf, np.inf)
        self.keep_best()
        self.repair()

    def measure(self) -> tuple[float, float, float]:
        """Return D_C, D_A and the violation of the current state."""
        _, d_a, _, violation = kernels.measure(self.state, self.atoms)
        return self.measure_kinds()[0], float(d_a), float(violation)

    def measure_kinds(self) -> tuple[float, NDArray[np.float64]]:
        """Return D_C, of several kinds the geometric mean of theirs, and the divergence of each kind."""
        sums, values = np.empty(len(self.compounds.totals)), np.empty(len(self.compounds.totals))
        return float(kernels.measure_kinds(self.compounds, sums, values)), values

    def keep_best(self) -> tuple[float, float]:
        """Return violation and distance from the aim of the current state, and keep the state if none was better."""
        d_c, _, violation = self.measure()
        score = violation, abs(d_c - self.aim)
        if score < self.best_score:
            self.best_score, self.best, self.best_d_c = score, self.state.order.copy(), d_c
        return score

    def is_best(self, d_c: float) -> bool:
        """Whether the best split breaks nothing and has this D_C, where the highest is sought."""
        return self.best_score[0] == 0.0 and self.aim - self.best_score[1] >= d_c

    def begin_stage(self, moves: float) -> None:
        """Count moves without a rise from here on, in a part of the search that has so many."""
        self.stage, self.rise_score, self.rise_moves = int(moves), (np.inf, np.inf), self.moves

    def pays(self, score: tuple[float, float]) -> bool:
        """Whether the best score of this stage has risen within its last moves, as many as patience has."""
        (violation, distance), (old_violation, old_distance) = score, self.rise_score
        if violation < old_violation or distance <= old_distance - RISE:
            self.rise_score, self.rise_moves = score, self.moves
        return self.patience >= 1.0 or self.moves - self.rise_moves < self.patience * self.stage

    # steps

    def exchange(self, moves: int, compounds: FeatureArrays, price: float) -> tuple[float, float]:
        """Try moves in chunks, reporting and keeping the best between them; return the last score."""
        score = (np.inf, np.inf)
        for done in range(0, moves, self.chunk):
            count = min(self.chunk, moves - done)
            # Without a cap the atom divergence has no price either.
            kernels.exchange(self.state, self.atoms, compounds, count, self.aim, price * (self.state.cap < 1.0))
            self.moves += count
            score = self.keep_best()
            if self.progress is not None:
                self.progress(min(self.moves, self.total), self.total, self.best_d_c)
            if self.aim == 1.0 and self.state.bounds[2] == self.test_end and self.is_best(self.until):
                raise Enough
        return score

    def assign(self) -> None:
        """Deal all examples out anew, several times, each to the side where it helps most; noise and smoothing fall."""
        rng = np.random.default_rng([self.seed, int(self.state.random[0]), 1])
        train_size, test_size = (int(size) for size in np.diff(self.state.bounds[:3]))
        for step in range(PASSES):
            part = step / (PASSES - 1)
            alpha = START_EXPONENT + (self.compounds.alpha - START_EXPONENT) * part
            compounds = kernels.slopes(self.compounds._replace(alpha=alpha), 5.5 - 5.0 * part)
            price = ASSIGN_PRICE * (self.state.cap < 1.0)
            cost = (compounds - price * kernels.slopes(self.atoms, 1.0)) * (train_size, test_size)
            cost += rng.normal(size=cost.shape) * cost.std(axis=0) * (1.0 - part) / 2
            order = np.argsort(cost[:, 1] - cost[:, 0], kind="stable")
            chosen = self.testable_first(order)[:test_size]
            others = np.delete(order, chosen)
            others = others[np.argsort(cost[others, 0], kind="stable")]
            self.place(np.concatenate((others[:train_size], order[chosen], others[train_size:])))

    def descend(self, moves: int, exponent: float, prices: tuple[float, float], steps: int) -> tuple[float, float]:
        """Lower train's exponent step by step to the true one, then polish without a price; return the score."""
        true = self.compounds.alpha
        exponent = max(exponent, true)
        for step in range(steps):
            part = step / (steps - 1)
            alpha = exponent + (true - exponent) * part
            tables = power_tables(len(self.compounds.train_power) - 1, alpha)
            compounds = self.compounds._replace(train_power=tables[0], test_power=tables[1], alpha=alpha)
            self.exchange(moves // (steps + 2), compounds, prices[0] + (prices[1] - prices[0]) * part)
        return self.exchange(2 * moves // (steps + 2), self.compounds, 0.0)

    def evict(self, rng: np.random.Generator) -> None:
        """Evict one compound that both sides share from one of them, the likelier the more it costs per example."""
        counts = self.compounds.counts
        shared = np.flatnonzero((counts > 0).all(axis=1))
        product = self.compounds.train_power[counts[shared, 0]] * self.compounds.test_power[counts[shared, 1]]
        kinds = np.searchsorted(self.compounds.columns, shared, side="right") - 1
        largest = max(LARGEST_EVICTION, FEW_EVICTED / int(self.state.bounds[1]))
        small = (
            counts[shared] * self.entries[kinds, None] < largest * self.compounds.totals[kinds]
        )  # larger ones never pay
        if len(self.entries) > 1:
            product = product * self.kind_worths()[kinds]
        weights = (product[:, None] / counts[shared] * small).ravel()
        if weights.sum() == 0:
            return
        column, side = divmod(int(rng.choice(weights.size, p=weights / weights.sum())), 2)
        start = self.holders_start[shared[column] : shared[column] + 2]
        holders = self.holders[start[0] : start[1]]
        arguments = (self.state, self.atoms, self.compounds, holders, side, 16, self.aim, PRICE_END)
        self.moves += int(kernels.evict(*arguments))

    def kind_worths(self) -> NDArray[np.float64]:
        """Return what a product of each kind is worth in D_C: its share, over what the kind's sum is divided by."""
        shares = 1.0 / np.maximum(self.measure_kinds()[1], kernels.LEAST_SHARE)
        totals, alpha = np.maximum(self.compounds.totals, 1).astype(np.float64), self.compounds.alpha
        return np.asarray(shares / (totals[:, 0] ** alpha * totals[:, 1] ** (1.0 - alpha)), np.float64)

    # search

    def repair(self) -> None:
        """Exchange until no constraint is broken, as far as the budget of one descent goes."""
        moves = min(max(1000, self.n // 4), self.chunk, self.unit)  # few: a descent follows
        for _ in range(0, self.unit, moves):
            if self.measure()[2] == 0.0:
                return
            self.exchange(moves, self.compounds, 0.0)

    def maximise(self, enough: float) -> None:
        """Start several times, then improve the best basins one after another, until D_C is enough."""
        rng = np.random.default_rng(self.seed)
        basins = self.start_often(enough)
        if self.state.bounds[2] < self.test_end:
            basins = self.grow_all(basins)
        for score, order in basins:
            self.improve(score, order, enough, rng)

    def grow_all(self, basins: list[Kept]) -> list[Kept]:
        """Return the basins with their test pools filled, the best first, which becomes the best."""
        core_end, grown = int(self.state.bounds[2]), []
        for _, order in basins:
            self.state.bounds[2], self.best = core_end, order
            self.grow()
            grown.append((self.best_score, self.best))
        grown.sort(key=lambda kept: kept[0])
        self.best_score, self.best = grown[0]
        self.best_d_c = self.aim - self.best_score[1]
        return grown

    def improve(
        self, best: tuple[float, float], accepted: NDArray[np.int64], enough: float, rng: np.random.Generator
    ) -> None:
        """Reheat a split, then evict compounds from it, going on from what is hardly worse, until D_C is enough."""
        current = best
        self.begin_stage(self.unit * IMPROVING)
        for step in range(REHEATS + EVICTIONS):
            if self.is_best(enough) or not self.pays(best):
                return
            self.place(accepted)
            if step < REHEATS:
                score = self.descend(self.unit // 3, REHEAT_EXPONENT, (PRICE_END, PRICE_END), 8)
            else:
                self.evict(rng)
                moves = int(self.unit * EVICTION_MOVES)
                self.exchange(moves, self.compounds, PRICE_END / 2)
                score = self.exchange(moves, self.compounds, 0.0)
            best = min(best, score)
            if score[0] <= current[0] and score[1] < current[1] + ACCEPT_WORSE:
                current, accepted = score, self.state.order.copy()

    def start_often(self, enough: float) -> list[Kept]:
        """Descend from several starts, with a small test pool, until D_C is enough; return the best, the best first.

        A search over several kinds keeps the whole test pool, and goes on from batches too; where there are few moves
        per example, from these alone.
        """
        several, few = len(self.entries) > 1, self.unit < ENOUGH_MOVES * self.n
        train_size = int(self.state.bounds[1])
        core = max(1, int(train_size * (CORE if self.state.cap < 1.0 else FREE_CORE)))
        self.state.bounds[2] = self.test_end if several else min(self.test_end, train_size + core)
        self.best_score = (np.inf, np.inf)
        self.begin_stage(self.unit * self.starts)
        ends = self.start_in_batches(enough) if several else {}  # starts with the same end are one basin
        for start in range(0 if several and few else self.starts):
            self.restart()
            if start % 2 or few:
                self.assign()
            self.keep_best()
            self.repair()
            end = self.descend(self.unit, START_EXPONENT, (PRICE_START, PRICE_END), 16)
            ends.setdefault(end, self.state.order.copy())
            if self.is_best(min(enough, self.until)) or not self.pays(self.best_score):
                break
        ends.setdefault(self.best_score, self.best)
        return sorted(ends.items(), key=lambda kept: kept[0])[: self.basins]

    def start_in_batches(self, enough: float) -> dict[tuple[float, float], NDArray[np.int64]]:
        """Deal several starts out in batches and improve the best, until D_C is enough; return where they end."""
        dealt: list[tuple[float, int, NDArray[np.int64]]] = []
        for start in range(BATCH_STARTS):
            self.restart()
            batches.deal(self)
            dealt.append((-batches.worth(self), start, self.state.order.copy()))
        dealt.sort(key=lambda kept: kept[:2])
        found: dict[tuple[float, float], NDArray[np.int64]] = {}
        for _, _, order in dealt[: self.basins + 1]:
            self.place(order)
            batches.keep_within(self)
            self.come_under_cap()
            self.keep_best()
            self.repair()
            self.exchange(self.unit, self.compounds, PRICE_END)
            found.setdefault(self.exchange(self.unit, self.compounds, 0.0), self.state.order.copy())
            if self.is_best(min(enough, self.until)):
                break
        return found

    def come_under_cap(self) -> None:
        """Exchange at a rising price of the atom divergence until it is below its cap, which mending would overdo."""
        price = CAP_PRICE
        while (d_a := self.measure()[1]) > self.state.cap and price <= LAST_CAP_PRICE:
            # The kernel's own view of the state alone has the higher cap, which an interrupt must not leave behind.
            raised = self.state._replace(cap=d_a)
            kernels.exchange(raised, self.atoms, self.compounds, self.unit // 4, self.aim, price)
            self.moves += self.unit // 4
            price *= 2.0

    def approach(self, moves: int) -> None:
        """Exchange under the true exponent until the aim is met closely."""
        self.begin_stage(self.total)
        for _ in range(0, moves, self.chunk):
            violation, distance = self.exchange(min(self.chunk, moves), self.compounds, 0.0)
            if (violation == 0.0 and distance < TARGET_TOLERANCE) or not self.pays(self.best_score):
                return

    def search(self, target: float | None) -> None:
        """Search for the aim; a target that plain exchanges miss is overshot first and then approached from above."""
        descents = self.starts + self.basins * IMPROVING
        self.total = int(self.unit * (descents if target is None else 2 if target <= 0.0 else descents + 2))
        self.aim = 1.0 if target is None else target
        self.restart()
        self.keep_best()
        self.repair()
        if target is None:
            self.maximise(np.inf)
            return
        self.approach(2 * self.unit if target <= 0.0 else self.unit)
        if target <= 0.0 or self.best_score[1] < TARGET_TOLERANCE:
            return
        nearest = self.nearest = self.best_score, self.best
        self.aim, self.best_score = 1.0, (np.inf, np.inf)
        self.maximise(target)
        self.place(self.best)
        self.aim, (self.best_score, self.best) = target, nearest
        self.approach(self.unit)

    def run(self, target: float | None = None) -> SearchResult:
        """Search for the highest D_C, or with a target for the split nearest to it (0: the lowest D_C)."""
        problems = self.impossible()
        if problems:
            self.unit = LEAST_MOVES  # a long search would change nothing
        interrupted = False
        try:
            self.search(target)
        except Enough:
            pass  # the best is what was wanted
        except KeyboardInterrupt:
            interrupted = True
            self.progress = None  # it may raise again while the split is completed
            if self.state.bounds[2] < self.test_end:
                self.grow()
            if target is not None and self.aim != target and self.nearest is not None:
                self.best_score, self.best = self.nearest  # the interrupt came while the target was overshot
        self.place(self.best)
        d_c, d_a, _ = self.measure()
        sides = np.zeros(self.n, np.int8)
        sides[self.best[: self.state.bounds[1]]] = 1
        sides[self.best[self.state.bounds[1] : self.state.bounds[2]]] = 2
        return SearchResult(sides, d_c, d_a, self.moves, problems or self.broken(), interrupted)

    # constraints in words

    def impossible(self) -> list[str]:
        """Return the constraints that no split can meet, found without a search."""
        state, problems = self.state, []
        train_size, test_size = int(state.bounds[1]), int(state.bounds[2] - state.bounds[1])
        room = int(np.minimum(np.bincount(state.pattern), state.quota).sum())
        if room < test_size:
            problems.append(f"a quota of {state.quota} per pattern leaves room for {room} of {test_size} test examples")
        kinds = len(np.unique(state.pattern))
        if state.least_distinct > min(kinds, test_size):
            problems.append(
                f"{state.least_distinct} test patterns are wanted of {min(kinds, test_size)} that can be had"
            )
        barred = int(state.barred.sum())
        if self.n - barred < test_size:
            problems.append(
                f"{barred} of {self.n} examples hold too few compounds to be tested, and {test_size} must be"
            )
        totals = np.bincount(self.atoms.indices, self.atoms.data, len(self.atoms.counts))[self.atoms.indices]
        short = totals - self.atoms.data < state.least_atoms
        rows = np.searchsorted(self.atoms.indptr, np.flatnonzero(short), side="right") - 1
        banned = len(np.unique(rows))
        if self.n - banned < test_size:
            problems.append(
                f"{banned} examples hold an atom that {'no other has' if state.least_atoms == 1 else 'others lack'}, "
                f"so they cannot be tested, and {test_size} must be"
            )
        for kind, (low, high) in enumerate(state.length_bounds):
            ordered = np.sort(state.lengths[kind])
            least = ordered[:train_size].mean() / ordered[-test_size:].mean()
            most = ordered[-train_size:].mean() / ordered[:test_size].mean()
            if low > most or high < least:
                problems.append(
                    f"the {self.length_names[kind]} length ratio lies between {least:.4f} and {most:.4f} in any split"
                )
        return problems

    def broken(self) -> list[str]:
        """Return the constraints that the current state breaks."""
        state, problems = self.state, []
        _, d_a, _, _ = kernels.measure(state, self.atoms)
        uncovered = int(((self.atoms.counts[:, 0] < state.least_atoms) & (self.atoms.counts[:, 1] > 0)).sum())
        if d_a > state.cap:
            problems.append(f"atom divergence: {d_a:.3g} is the lowest found, above the cap of {state.cap}")
        if d_a < state.floor:
            problems.append(f"atom divergence: {d_a:.3g} is the highest found, below {state.floor}")
        if uncovered:
            problems.append(f"atoms: {uncovered} of the test pool do not occur often enough in train")
        barred = int(state.barred[state.order[state.bounds[1] : state.bounds[2]]].sum())
        if barred:
            problems.append(f"compounds: {barred} examples of the test pool hold too few to be tested")
        if state.distinct[0] < state.least_distinct:
            problems.append(f"distinct: test has {state.distinct[0]} patterns, fewer than {state.least_distinct}")
        if state.pattern_count.max() > state.quota:
            problems.append(f"quota: a pattern has {state.pattern_count.max()} test examples, more than {state.quota}")
        for kind, (low, high) in enumerate(state.length_bounds):
            train, test = state.length_total[kind] / np.diff(state.bounds[:3])
            if not low <= train / test <= high:
                problems.append(
                    f"the {self.length_names[kind]} length ratio is {train / test:.4f}, outside {low:.4f} to {high:.4f}"
                )
        return problems
