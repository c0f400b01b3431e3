"""Maximum compound divergence splits (CFQ paper, §2.1 and §4).

Train and test get exact sizes, D_A stays under a cap, every test atom is in train, and D_C is as high as can be found,
or as near as can be to a wanted value. The search is in `exchange.py`; this file says what to search for, cuts dev from
test, and checks what came out. An example that holds no compound is not tested: it would ask for nothing that D_C is
about, and a search would fill test with such examples to keep D_A low. A constraint that cannot be met is an
`InfeasibleError` that names it and carries the best split found. With `published`, the greedy procedure of the paper is
followed instead (`mcd_published.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from recombine.errors import InfeasibleError, OptionError
from recombine.measures.divergence import divergence, joined_divergence
from recombine.measures.held_compounds import held_compounds
from recombine.measures.length_bounds import SIDES, parse_ratio
from recombine.measures.unseen_atoms import unseen_atoms
from recombine.options import option
from recombine.seeds import make_generator
from recombine.splits.search.restarts import Outcome, run_length, runs_of, try_runs, unspent
from recombine.splits.sizes import test_count
from recombine.splits.splitter import Splitter
from recombine.structures.dataset_features import DatasetFeatures, extract_features
from recombine.structures.definition import ATOM_ALPHA, Structures
from recombine.structures.joined_definition import check_one_kind
from recombine.structures.programs.templates import equal_programs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from recombine.records.dataset import Dataset
    from recombine.records.split import Split
    from recombine.splits.search.restarts import Run
    from recombine.structures.features import Features

TOLERANCE = 0.01
"""How far from a wanted divergence a split may be."""
ATOM_TOLERANCE = 0.005
"""How far from a wanted atom divergence a split may be."""
ROUNDING = 1e-8
NO_BOUND = 0.99995
"""A bound on D_C that says nothing."""
CUTS = 64
PATIENCE = 0.4
RESTARTS = "restarts"
"""The measured value that says how far the runs of a search lie apart."""
BOUND = "bound"
"""The measured value that says how high D_C can be."""
_SEARCHED = (
    "quota",
    "quota_side",
    "distinct",
    "min_compounds",
    "length_ratio",
    "no_duplicates",
    "effort",
    "patience",
    "until",
    "bound",
)
"""Options that the published procedure does not have."""


@dataclass(frozen=True, kw_only=True)
class MCDSplitter(Splitter):
    """A split of maximum, or of a wanted, compound divergence.

    `divergence` is the wanted D_C (0 asks for the lowest); without it the highest is sought. `quota` is the most test
    examples of one pattern, `distinct` the fewest patterns in test, `length_ratio` bounds mean length in train over
    mean length in test (`0.8:1.25` for both sides, `source=0.9:1.1` for one), `min_atom_count` is how often train must
    have an atom of test, `min_compounds` how many different compounds an example must hold to be tested, and
    `no_duplicates` keeps equal programs on one side. `effort` is the budget, which counts moves: below 1 it shortens
    the search, above 1 it buys several runs (`restarts.py`), of which the best is taken. `patience` is the share of a
    stage's moves without a rise of D_C after which that stage ends (1: it never does), and with `until` the search
    stops at the first split with that D_C. `bound` finds out how high D_C can be (`highest.py`).
    `atom_divergence` is the wanted D_A, where the cap bounds it.
    """

    revision: ClassVar[int] = 2

    divergence: float | None = option(None, "the wanted D_C, 0 for the lowest; without it the highest is sought")
    max_atom_divergence: float = option(0.02, "the cap on D_A; 1 is none")
    atom_divergence: float | None = option(None, "the wanted D_A, instead of a cap on it")
    quota: int | None = option(None, "the most test examples of one pattern")
    quota_side: str = option("source", "whose patterns the quota and the distinct ones are")
    distinct: int | None = option(None, "the fewest distinct patterns in test")
    min_atom_count: int = option(1, "how often train must have every atom of test")
    min_compounds: int = option(1, "how many compounds every example of dev and test must hold; 0 is no condition")
    length_ratio: str | None = option(
        None, "bounds on mean train length over mean test length, or source=LO:HI", metavar="LO:HI"
    )
    no_duplicates: bool = option(False, "equal programs stay on one side")
    effort: float = option(
        1.0, "the search's budget, which counts moves; above 1 it buys several runs, of which the best is taken"
    )
    patience: float = option(
        PATIENCE, "the share of its moves without a rise of D_C after which a stage ends; 1 is never"
    )
    until: float | None = option(None, "the D_C at which to stop; the highest is sought until then")
    bound: bool = option(False, "say how high the D_C of any split of these sizes can be; for small data")
    published: bool = option(False, "the greedy procedure of the paper instead of the search")
    structures: str = ""
    features: DatasetFeatures | None = field(default=None, repr=False, compare=False)
    progress: Callable[[int, int, float], None] | None = field(default=None, repr=False, compare=False)

    by: ClassVar[str] = "mcd"
    aims_at_divergence: ClassVar[bool] = True
    needs_features: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.divergence is not None and not 0 <= self.divergence <= 1:
            raise OptionError(f"the wanted divergence is {self.divergence}", "give a number from 0 to 1")
        if not 0 < self.max_atom_divergence <= 1:
            raise OptionError(f"the cap on D_A is {self.max_atom_divergence}", "give a number above 0, such as 0.02")
        if self.quota is not None and self.quota < 1:
            raise OptionError(f"the quota is {self.quota}", "give a count of 1 or more")
        if self.distinct is not None and self.distinct < 1:
            raise OptionError(f"the number of distinct patterns is {self.distinct}", "give a count of 1 or more")
        if self.min_atom_count < 1:
            raise OptionError(f"the least count of an atom is {self.min_atom_count}", "give a count of 1 or more")
        if self.min_compounds < 0:
            raise OptionError(f"the least number of compounds is {self.min_compounds}", "give a count of 0 or more")
        if self.no_duplicates and self.quota is not None:
            raise OptionError(
                "a quota parts examples of one pattern, which --no-duplicates keeps together", "leave out one of them"
            )
        if self.quota_side not in SIDES:
            raise OptionError(f"the quota is on {self.quota_side!r}", "give source or target")
        if not 0 < self.effort <= 1000:
            raise OptionError(f"the effort is {self.effort}", "give a number above 0; 1 is the default budget")
        parse_ratio(self.length_ratio)
        self._check_stops()
        self._check_bound()
        self._check_atom_divergence()
        self._check_published()

    def _check_stops(self) -> None:
        if not 0 < self.patience <= 1:
            raise OptionError(f"the patience is {self.patience}", "give a share above 0; 1 never stops")
        if self.until is None:
            return
        if not 0 < self.until <= 1:
            raise OptionError(f"the search is to stop at a D_C of {self.until}", "give a number above 0, up to 1")
        if self.divergence is not None:
            raise OptionError("--until stops on the way to the highest D_C, --divergence wants one", "leave out one")
        if self.no_duplicates:
            raise OptionError(
                "--until cannot tell the D_C of groups before they have their exact sizes",
                "leave out --until or --no-duplicates",
            )

    def _check_bound(self) -> None:
        if self.bound and self.divergence is not None:
            raise OptionError("--bound is on the highest D_C, --divergence wants another", "leave out one")

    def _check_atom_divergence(self) -> None:
        if self.atom_divergence is None:
            return
        if not 0 <= self.atom_divergence < 1:
            raise OptionError(f"the wanted D_A is {self.atom_divergence}", "give a number from 0, below 1")
        if self.max_atom_divergence != _default(self, "max_atom_divergence"):
            raise OptionError("a wanted D_A and a cap on it are given", "leave out one of them")

    def _check_published(self) -> None:
        changed = [name for name in self._searched() if getattr(self, name) != _default(self, name)]
        if self.published and changed:
            flag = "--" + changed[0].replace("_", "-")
            raise OptionError(f"the published procedure has no option {flag}", "leave out --published, or that option")

    def _searched(self) -> tuple[str, ...]:
        """The options that the published procedure does not have."""
        return _SEARCHED

    def choose(
        self, dataset: Dataset, counts: dict[str, int | None], generator: np.random.Generator
    ) -> tuple[dict[str, list[int]], dict[str, object]]:
        """Search, or follow the published procedure; cut dev from test, and check."""
        features = self.extracted(dataset)
        test, dev = test_count(counts, len(dataset)), counts["dev"] or 0
        train = len(dataset) - test - dev if counts["train"] is None else counts["train"]
        problem = _Problem(self, dataset, features, dev, test)
        self._check_testable(problem.barred, dev + test)
        if self.published:
            sides = self._greedy(problem, train, dev + test, generator)
            parts = problem.cut(np.flatnonzero(sides == 1), np.flatnonzero(sides == 2), generator)
            problems, extra = problem.broken(parts), self._published_signature(features)
        else:
            tried = try_runs(
                runs_of(self.effort, self.seed),
                lambda run, progress: self._outcome(dataset, problem, train, run, progress, generator),
                aim=1.0 if self.divergence is None else self.divergence,
                progress=self.progress,
            )
            parts, problems = tried.best.found
            found: dict[str, object] = {RESTARTS: tried.spread()} if self.effort > 1 else {}
            interrupted = tried.interrupted
            if self.bound and not interrupted:
                try:
                    found[BOUND] = self._bound(problem, parts, met=not problems)
                except KeyboardInterrupt:
                    interrupted = True  # the split stands
            extra = {**self._signature(problem, interrupted), **found}
        if problems:
            raise InfeasibleError(
                "; ".join(problems),
                "leave out --published: search instead, or take what it gives with --best-effort"
                if self.published
                else "loosen the constraint, raise --effort, or take the best found with --best-effort",
                best=self.assemble(dataset, parts, {**extra, "problems": len(problems)}),
            )
        return parts, extra

    def assemble(self, dataset: Dataset, rows: dict[str, list[int]], extra: dict[str, object]) -> Split:
        """The split of these positions; what is known of its search is a measured value, no part of the signature."""
        found = {key: extra[key] for key in (RESTARTS, BOUND) if key in extra}
        split = super().assemble(dataset, rows, {key: value for key, value in extra.items() if key not in found})
        return split.with_measured(found) if found else split

    @classmethod
    def revision_of(cls, options: Mapping[str, object]) -> int:
        """One more where an effort above 1 buys several runs, which it once did not."""
        effort = options.get("effort")
        return cls.revision + (isinstance(effort, int | float) and effort > 1)

    def _outcome(
        self,
        dataset: Dataset,
        problem: _Problem,
        train: int,
        run: Run,
        progress: Callable[[int, int, float], None] | None,
        generator: np.random.Generator,
    ) -> Outcome[tuple[dict[str, list[int]], list[str]]]:
        """The parts that one run of the search gives with the constraints they break, and how good they are."""
        from recombine.splits.search.exchange import TARGET_TOLERANCE

        if run.seed != self.seed:
            generator = make_generator(run.seed)
        alone = replace(self, effort=run.length, seed=run.seed, progress=progress)
        sides, interrupted, impossible, violation = alone._sides(
            dataset, problem, train, problem.dev + problem.test, generator
        )
        parts = problem.cut(np.flatnonzero(sides == 1), np.flatnonzero(sides == 2), generator)
        found = parts, impossible or problem.broken(parts)
        if self.effort <= 1:
            return Outcome(found, (), 0.0, interrupted=interrupted)  # one run is compared with none
        d_c, unmet = problem.divergence(parts, "test"), len(found[1])
        distance = abs(d_c - (1.0 if self.divergence is None else self.divergence))
        near = distance <= TARGET_TOLERANCE if self.until is None else d_c >= self.until
        return Outcome(
            found,
            (unmet, violation if unmet else 0.0, distance),
            d_c,
            unmet,
            enough=bool(impossible) or (not unmet and near),
            interrupted=interrupted,
        )

    def _bound(self, problem: _Problem, parts: dict[str, list[int]], *, met: bool) -> dict[str, object] | None:
        """How high the D_C of any split of these sizes can be, and whether one has it; none where nothing is known."""
        from recombine.splits.search.highest import Rules, highest_divergence

        features, wanted = problem.features, self.atom_divergence
        between = (0.0, self.max_atom_divergence)
        if wanted is not None:
            between = (wanted - ATOM_TOLERANCE, wanted + ATOM_TOLERANCE)
        rules = Rules(
            len(parts["train"]),
            len(parts["test"]),
            (ATOM_ALPHA, features.structures.compounds.alpha),
            self.min_atom_count,
            between,
            problem.barred,
        )
        reached = problem.divergence(parts, "test")
        found = [
            highest_divergence(features.atoms, features.compounds.kind(kind), rules, reached=reached if met else None)
            for kind in range(len(features.compounds.kinds))
        ]
        known = [highest for highest in found if highest is not None]
        if not known:
            return None
        if not all(highest.possible for highest in known):
            return {"possible": False}
        bounds = [1.0 if highest is None else highest.d_c for highest in found]
        bound = joined_divergence(bounds)
        gap = bound - reached
        if met and gap < ROUNDING:
            return {"d_c": reached, "exact": True, "gap": 0.0}
        return {"d_c": bound, "exact": known[0].exact and len(found) == 1, "gap": gap}

    def _greedy(self, problem: _Problem, train: int, pool: int, generator: np.random.Generator) -> NDArray[np.int8]:
        """The side of every example by the published procedure."""
        from recombine.splits.search.mcd_published import add_greedily

        features = problem.features
        self._check_one_kind(features)
        return add_greedily(
            (_matrix(features.atoms), _matrix(features.compounds)),
            (ATOM_ALPHA, features.structures.compounds.alpha),
            train,
            pool,
            wanted=1.0 if self.divergence is None else self.divergence,
            atoms_between=(problem.floor, problem.cap),
            generator=generator,
            progress=self.progress,
        )

    def _check_one_kind(self, features: DatasetFeatures) -> None:
        """Refuse compounds of several kinds, which the published procedures know nothing of."""
        check_one_kind(features.structures.compounds, "the published procedure", way=", or leave out --published")

    def _sides(
        self, dataset: Dataset, problem: _Problem, train: int, pool: int, generator: np.random.Generator
    ) -> tuple[NDArray[np.int8], bool, list[str], float]:
        """The side of every example, whether the search was interrupted, what no split can meet, and the violation."""
        from recombine.splits.search.exchange import SplitSearch

        features = problem.features
        options: dict[str, Any] = {
            "atom_cap": problem.cap,
            "atom_floor": problem.floor,
            "compound_alpha": features.structures.compounds.alpha,
            "atom_alpha": ATOM_ALPHA,
            "least_atoms": self.min_atom_count,
            "barred": problem.barred,
            "seed": self.seed,
            "effort": self.effort,
            "patience": self.patience,
            "until": self.until,
            "progress": self.progress,
        }
        matrices = _matrix(features.atoms), _matrices(features.compounds)
        if self.no_duplicates:
            from recombine.splits.search.search_groups import Groups, search_groups

            sides, interrupted = search_groups(
                Groups.named(equal_programs(dataset)),
                matrices,
                train,
                pool,
                lengths=problem.bounds,
                distinct=problem.pool_distinct,
                target=self.divergence,
                generator=generator,
                **options,
            )
            return sides, interrupted, [], 0.0
        search = SplitSearch(
            *matrices,
            train,
            pool,
            pattern=problem.patterns,
            quota=problem.pool_quota,
            least_distinct=problem.pool_distinct,
            lengths=problem.bounds,
            **options,
        )
        result = search.run(self.divergence)
        return result.sides, result.interrupted, search.impossible(), search.best_score[0]

    def _check_testable(self, barred: NDArray[np.bool_], pool: int) -> None:
        """Refuse sizes for which too few examples hold compounds, before the search."""
        number, testable = int(barred.sum()), int((~barred).sum())
        if testable < pool and not self.published:
            raise InfeasibleError(
                f"{number:,} of {len(barred):,} examples hold {self._too_few}, so {testable:,} can be tested, and "
                f"{pool:,} are to be",
                "ask for fewer, name other --structures, or let all be tested with --min-compounds 0",
            )

    @property
    def _too_few(self) -> str:
        return "no compound" if self.min_compounds == 1 else f"fewer compounds than {self.min_compounds}"

    def notes(self, split: Split) -> tuple[str, ...]:
        """How many examples were not tested because they hold too few compounds, and how far runs lie apart."""
        return (*self._untested(split), *self._runs_in_words(split), *self._bound_in_words(split))

    def _untested(self, split: Split) -> tuple[str, ...]:
        least = split.signature.get("min_compounds")
        if self.features is None or not least or least == "0":
            return ()
        barred, number = int(too_few_compounds(self.features, self.min_compounds).sum()), self.features.atoms.shape[0]
        which = f"{barred:,} of {number:,} examples hold {self._too_few}"
        return (f"{which} and are not tested (--min-compounds 0 lets them be)",)

    def _runs_in_words(self, split: Split) -> tuple[str, ...]:
        spread = split.measured.get(RESTARTS)
        if spread is None:
            return ()
        number, planned = spread["n"], runs_of(self.effort, self.seed)
        texts = []
        if number > 1:
            unmet = f"; {spread['unmet']} of them break a constraint" if spread.get("unmet") else ""
            values = f"{spread['best']:.4f}, {spread['median']:.4f} in the median and {spread['worst']:.4f} at worst"
            texts.append(f"this is the best of {number:,} runs of the search, with D_C {values}{unmet}")
        left = unspent(self.effort)
        if left > 0 and number == len(planned):
            texts.append(
                f"{left:g} of the effort of {self.effort:g} is not spent: the next run takes {run_length(number + 1)}"
            )
        return tuple(texts)

    def _bound_in_words(self, split: Split) -> tuple[str, ...]:
        if BOUND not in split.measured:
            return ()
        found = split.measured[BOUND]
        if found is None:
            return ("how high D_C can be is not known: there are too many different examples",)
        if not found.get("possible", True):
            return ("no split of these sizes meets the constraints: all were looked at",)
        if found["d_c"] > NO_BOUND and not found["exact"]:
            return ("how high D_C can be is not known: no bound below 1 was found",)
        most = f"no split that meets the constraints has a D_C above {found['d_c']:.4f}"
        gap = "this one has it" if found["gap"] == 0 else f"this one is {found['gap']:.4f} below"
        return (most if split.signature.get("problems") else f"{most}; {gap}",)

    def extracted(self, dataset: Dataset) -> DatasetFeatures:
        """The features to split by."""
        return self.features or extract_features(dataset, Structures.parse(self.structures or dataset.structures))

    def _signature(self, problem: _Problem, interrupted: bool) -> dict[str, object]:
        """Every option that decides the split; an interrupted search cannot be repeated, so that is said too."""
        stated = self.min_compounds != _default(self, "min_compounds") or problem.barred.any()
        return {
            "revision": self.revision_of({"effort": self.effort}),
            **self._aims(problem.features),
            "quota": None if self.quota is None else f"{self.quota_side}={self.quota}",
            "distinct": None if self.distinct is None else f"{self.quota_side}={self.distinct}",
            "min_atom_count": None if self.min_atom_count == 1 else self.min_atom_count,
            "min_compounds": self.min_compounds if stated else None,
            "length_ratio": self.length_ratio,
            "no_duplicates": self.no_duplicates or None,
            "effort": self.effort,
            "patience": self.patience,
            "until": self.until,
            "interrupted": True if interrupted else None,
        }

    def _aims(self, features: DatasetFeatures) -> dict[str, object]:
        return {
            "optimised": features.structures,
            "divergence": "max" if self.divergence is None else repr(self.divergence),
            "max_atom_divergence": self.max_atom_divergence if self.atom_divergence is None else None,
            "atom_divergence": self.atom_divergence,
        }

    def _published_signature(self, features: DatasetFeatures) -> dict[str, object]:
        least = None if self.min_atom_count == 1 else self.min_atom_count
        return {**self._aims(features), "published": True, "min_atom_count": least}


def _default(splitter: MCDSplitter, name: str) -> object:
    return next(field.default for field in fields(splitter) if field.name == name)


def too_few_compounds(features: DatasetFeatures, least: int) -> NDArray[np.bool_]:
    """Whether each example holds fewer compounds than it must to be tested."""
    return np.asarray(held_compounds(features.compounds) < least)


def _matrix(features: Features) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    return features.indptr, features.indices, features.data


def _matrices(features: Features) -> list[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]]:
    """The matrix of each kind."""
    return [_matrix(features.kind(number)) for number in range(len(features.kinds))]


class _Problem:
    """The constraints of one split, as the search takes them and as the result is checked."""

    def __init__(self, splitter: MCDSplitter, dataset: Dataset, features: DatasetFeatures, dev: int, test: int) -> None:
        self.splitter, self.features, self.dev, self.test = splitter, features, dev, test
        # With dev in the pool, test is only most of it: a little room is left for the cut.
        room = 0.97 if dev else 1.0
        self.cap, self.floor = splitter.max_atom_divergence * room, 0.0
        if splitter.atom_divergence is not None:
            reach = ATOM_TOLERANCE * (0.25 if dev else 0.9)
            self.cap, self.floor = splitter.atom_divergence + reach, max(0.0, splitter.atom_divergence - reach)
        self.lengths = {side: np.array([len(getattr(e, side).split()) for e in dataset], np.int64) for side in SIDES}
        self.ratios = parse_ratio(splitter.length_ratio)
        slack = 0.003 if dev else 0.0
        self.bounds = {
            side: (self.lengths[side], low + slack, high - slack) for side, (low, high) in self.ratios.items()
        }
        collapse = dataset.pattern(splitter.quota_side).collapse
        texts = [collapse(getattr(example, splitter.quota_side)) for example in dataset]
        number = {text: place for place, text in enumerate(sorted(set(texts)))}
        self.patterns = np.array([number[text] for text in texts], np.int64)
        self.pool_quota = None if splitter.quota is None else splitter.quota * (dev + test) // test
        self.barred = too_few_compounds(features, splitter.min_compounds)
        # Test gets its share of each pattern, so the rarest of the pool may be missing from it.
        self.pool_distinct = -(-(splitter.distinct or 0) * (dev + test) // test)

    def cut(
        self, train: NDArray[np.int64], pool: NDArray[np.int64], generator: np.random.Generator
    ) -> dict[str, list[int]]:
        """Cut dev and test from the pool: of several cuts that keep the rules, the one with the closest D_C."""
        rows = {"train": train.tolist()}
        if not self.dev:
            return {**rows, "test": pool.tolist()}
        best: tuple[tuple[int, float], dict[str, list[int]]] | None = None
        for _ in range(CUTS):
            # Test takes examples at even intervals, in the order of patterns: each is shared out in proportion.
            shuffled = generator.permutation(pool)
            ordered = shuffled[np.argsort(self.patterns[shuffled], kind="stable")]
            share = np.floor(np.arange(1, len(pool) + 1) * self.test / len(pool) + 1e-9)
            chosen = np.diff(share, prepend=0.0) > 0
            parts = {**rows, "dev": sorted(ordered[~chosen].tolist()), "test": sorted(ordered[chosen].tolist())}
            gap = abs(self.divergence(parts, "test") - self.divergence(parts, "dev"))
            key = (len(self.broken(parts)), gap)
            if best is None or key < best[0]:
                best = (key, parts)
        assert best is not None  # noqa: S101  # CUTS is above 0
        return best[1]

    def divergence(self, parts: dict[str, list[int]], part: str) -> float:
        alpha = self.features.structures.compounds.alpha
        return divergence(self.features.compounds, parts["train"], parts[part], alpha=alpha)

    def broken(self, parts: dict[str, list[int]]) -> list[str]:
        """The constraints that the parts break, in words."""
        splitter, problems = self.splitter, []
        for part in [name for name in ("dev", "test") if name in parts]:
            atoms = divergence(self.features.atoms, parts["train"], parts[part], alpha=ATOM_ALPHA)
            aimed = splitter.atom_divergence
            if aimed is not None and abs(atoms - aimed) > ATOM_TOLERANCE:
                problems.append(f"D_A of {part} is {atoms:.4f}, more than {ATOM_TOLERANCE} from {aimed}")
            if aimed is None and atoms > splitter.max_atom_divergence:
                problems.append(f"D_A of {part} is {atoms:.4f}, above the cap of {splitter.max_atom_divergence}")
            rows, names = unseen_atoms(self.features.atoms, parts["train"], parts[part], least=splitter.min_atom_count)
            if rows:
                rare = "" if splitter.min_atom_count == 1 else f" {splitter.min_atom_count} times"
                problems.append(f"{len(rows)} examples of {part} hold atoms unseen{rare} in train ({', '.join(names)})")
            lacking = 0 if splitter.published else int(self.barred[parts[part]].sum())
            if lacking:
                problems.append(f"{lacking} examples of {part} hold fewer compounds than {splitter.min_compounds}")
        counts = np.bincount(self.patterns[parts["test"]])
        most, distinct = int(counts.max()), int((counts > 0).sum())
        if splitter.distinct is not None and distinct < splitter.distinct:
            problems.append(f"test has {distinct} distinct patterns, fewer than {splitter.distinct}")
        if splitter.quota is not None and most > splitter.quota:
            problems.append(f"a pattern has {most} test examples, above the quota of {splitter.quota}")
        for side, (low, high) in self.ratios.items():
            ratio = self.lengths[side][parts["train"]].mean() / self.lengths[side][parts["test"]].mean()
            if not low <= ratio <= high:
                problems.append(f"the {side} length ratio is {ratio:.4f}, outside {low:g}:{high:g}")
        wanted = splitter.divergence
        if wanted:
            reached = self.divergence(parts, "test")
            if abs(reached - wanted) > TOLERANCE:
                problems.append(f"the nearest D_C found is {reached:.4f}, more than {TOLERANCE} from {wanted}")
        return problems
