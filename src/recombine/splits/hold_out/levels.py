"""The split by levels of generalization: i.i.d., compositional and zero-shot test examples (GrailQA, section 5.1).

Dev and test each have three kinds of examples: of domains that train does not have, of templates that train does not
have, and drawn at random from what train has. All schema items of the last two are in train. What cannot be placed
stays unused: examples of held-out domains and templates that are more than wanted, those with domains of both dev and
test, and programs that cannot be read. The rest is train's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from recombine.errors import InfeasibleError, OptionError
from recombine.measures.levels.level_definition import level_definition
from recombine.measures.levels.level_features import level_features
from recombine.measures.levels.wanted_levels import WantedLevels, wanted_levels
from recombine.options import option
from recombine.splits.hold_out.held_out_domains import find_held_out_domains
from recombine.splits.hold_out.level_parts import OWNERS, LevelPool
from recombine.splits.sizes import Size, test_count
from recombine.splits.splitter import Splitter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from recombine.measures.levels.level_definition import LevelDefinition
    from recombine.measures.levels.level_features import LevelFeatures
    from recombine.records.dataset import Dataset
    from recombine.records.split import Split
    from recombine.splits.hold_out.level_parts import LevelParts

TRIES = 3
"""How many orders of templates are tried with each way to hold out domains."""
PAPER = (86, 5, 10)
"""The domains of GrailQA, and how many of them are held out for dev and for test."""
FEW = 200
"""The share of the data, one in so many, that may stay unused without a look for a better way."""


@dataclass(frozen=True, kw_only=True)
class LevelsSplitter(Splitter):
    """Dev and test with a share of each level; train has what is left.

    `profile` says what the domain of a schema item is; `ontology`, a folder, is what templates are told by. Numbers of
    domains that are none are as in the paper, of 86 domains 5 and 10; where there is no domain to hold out, no example
    is zero-shot.

    >>> from recombine.workbench import load
    >>> forms = [f"(JOIN d{n}.c.r{r} m.0{e})" for n in range(6) for r in range(3) for e in range(4)]
    >>> forms += [f"(AND d{n}.c (JOIN d{n}.c.r{r} m.0{e}))" for n in range(6) for r in range(2) for e in range(3)]
    >>> data = load([(form, form) for form in forms], language="sexpression")
    >>> LevelsSplitter(dev_domains=1, test_domains=1, max_unused=0.2, seed=1).split(data).sizes()
    {'train': 56, 'dev': 11, 'test': 22}
    """

    dev: Size = 0.1
    test: Size = 0.2
    zero_shot: float = option(0.5, "the share of dev and of test that has domains which train lacks")
    compositional: float = option(0.25, "the share of dev and of test that has templates which train lacks")
    dev_domains: int | None = option(5, "how many domains are held out for dev; with 0 there is no dev")
    test_domains: int | None = option(10, "how many domains are held out for test")
    max_unused: float = option(0.1, "the largest share of the data that may stay unused where train has what is left")
    profile: str = option("", "the profile that says what a domain is; without it, that of the data's language")
    ontology: str = option("", "the folder of the ontology by which templates are told", metavar="DIR")
    constructs: bool = option(False, "count SPARQL's constructs as schema items")
    merge_reverses: bool = option(False, "count a relation and its reverse as one schema item")

    by: ClassVar[str] = "levels"

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("zero_shot", "compositional", "max_unused"):
            if not 0 <= getattr(self, name) <= 1:
                raise OptionError(f"--{_flag(name)} is {getattr(self, name)}", "give a share from 0 to 1")
        if self.zero_shot + self.compositional > 1 + 1e-9:
            raise OptionError(
                f"--zero-shot {self.zero_shot:g} and --compositional {self.compositional:g} are together more than 1",
                "lower them; what they leave is i.i.d.",
            )
        for name, least in (("dev_domains", 0), ("test_domains", int(self.zero_shot > 0))):
            if getattr(self, name) is not None and getattr(self, name) < least:
                raise OptionError(f"--{_flag(name)} is {getattr(self, name)}", f"give a count of {least} or more")

    def choose(
        self, dataset: Dataset, counts: dict[str, int | None], generator: np.random.Generator
    ) -> tuple[dict[str, list[int]], dict[str, object]]:
        """Hold out domains, then templates, then draw; of several ways, the one that misses least."""
        definition, _ = level_definition(
            dataset,
            profile=self.profile or None,
            ontology=self.ontology or None,
            constructs=self.constructs,
            merge_reverses=self.merge_reverses,
        )
        features = level_features(dataset, definition)
        fitted = self._fitted(len({name for name in features.domains if name}))
        return fitted._chosen(dataset, features, definition, counts, generator)

    def _fitted(self, domains: int) -> LevelsSplitter:
        """The same with numbers of domains to hold out; without zero-shot examples where all would be held out."""
        if self.dev_domains is not None and self.test_domains is not None:
            return self
        dev = _scaled(domains, PAPER[1]) if self.dev_domains is None else self.dev_domains
        test = _scaled(domains, PAPER[2]) if self.test_domains is None else self.test_domains
        if domains <= 1:
            return replace(self, zero_shot=0.0, dev_domains=max(dev, 1), test_domains=test)
        if dev + test >= domains and self.dev_domains is None:
            dev = max(0, domains - test - 1)
        return replace(self, dev_domains=dev, test_domains=test)

    def _chosen(
        self,
        dataset: Dataset,
        features: LevelFeatures,
        definition: LevelDefinition,
        counts: dict[str, int | None],
        generator: np.random.Generator,
    ) -> tuple[dict[str, list[int]], dict[str, object]]:
        pool = LevelPool(features, self._wanted(counts, len(dataset)), counts["train"])
        ways = find_held_out_domains(pool.sets, self._numbers(pool, dataset, definition), pool.pools, generator)
        few = len(dataset) // FEW
        best: tuple[tuple[int, int], NDArray[np.int8], LevelParts] | None = None
        for way in [way for way in ways for _ in range(TRIES)]:
            parts = pool.parts(way.owners, generator)
            cost = sum(parts.missing.values()), pool.unused(parts)
            if best is None or cost < best[0]:
                best = cost, way.owners, parts
            if best[0] <= (0, few):
                break
        if best is None:
            raise AssertionError("the search gives a way for each of its starts")
        _, owners, parts = best
        extra = self._extra(pool, owners, parts, definition)
        unused = pool.unused(parts) / len(dataset)
        if not parts.missing and self.train is None and unused > self.max_unused:
            raise InfeasibleError(
                f"{pool.unused(parts)} of {len(dataset)} examples would stay unused, as the held-out domains have more "
                "than dev and test are to have",
                "hold out fewer domains with --dev-domains or --test-domains, ask for a larger dev or test, or raise "
                f"--max-unused to {unused + 0.005:.2f}",
                best=self.assemble(dataset, parts.rows, extra),
            )
        if parts.missing:
            problem, remedy = self._missed(parts, pool)
            raise InfeasibleError(problem, remedy, best=self.assemble(dataset, parts.rows, extra))
        return parts.rows, extra

    def notes(self, split: Split) -> tuple[str, ...]:
        """That there was nothing to hold out, though zero-shot examples are asked for."""
        if not self.zero_shot:
            return ()
        if not float(split.signature.get("zero_shot")):
            return (f"{split.data} has no two domains, so none is held out and no example is zero-shot",)
        if self.dev_domains is None and "dev" not in split.parts:
            return (f"{split.data} has two domains, of which one is held out for test, so there is no dev",)
        return ()

    def _wanted(self, counts: dict[str, int | None], total: int) -> dict[str, WantedLevels]:
        """How many examples of each level the parts are to have."""
        sizes = {"dev": counts["dev"] or 0, "test": test_count(counts, total)}
        if self.dev_domains == 0:
            del sizes["dev"]
        return {
            name: wanted_levels(size, zero_shot=self.zero_shot, compositional=self.compositional)
            for name, size in sizes.items()
            if size
        }

    def _numbers(self, pool: LevelPool, dataset: Dataset, definition: LevelDefinition) -> tuple[int, int]:
        """How many domains are held out for dev and for test."""
        if not self.zero_shot:
            return 0, 0
        if self.dev_domains is None or self.test_domains is None:
            raise AssertionError("the numbers of domains are fitted to the data")
        dev = self.dev_domains if "dev" in pool.wanted else 0
        have = len(pool.domains)
        if not have:
            named = "" if definition.profile is None else f" by the profile {definition.profile.name}"
            raise OptionError(
                f"no schema item of {dataset.name} has a domain{named}",
                "give --profile FILE with a schema_domain, or --zero-shot 0",
            )
        if dev + self.test_domains >= have:
            raise InfeasibleError(
                f"{dataset.name} has {have} domains, and {dev + self.test_domains} are to be held out, which leaves "
                "none for train",
                "lower --dev-domains or --test-domains",
            )
        return dev, self.test_domains

    def _extra(
        self, pool: LevelPool, owners: NDArray[np.int8], parts: LevelParts, definition: LevelDefinition
    ) -> dict[str, object]:
        """What the signature says: the wishes, what is held out, and what is unused."""
        names = list(pool.wanted)
        held = {f"held_out_{name}": _names(pool.domains, owners == OWNERS[name]) for name in names}
        unreadable = len(pool.features.unreadable)
        return {
            "zero_shot": float(self.zero_shot),
            "compositional": float(self.compositional),
            **{name: text for name, text in held.items() if text},
            "held_out_templates": ",".join(f"{name}={parts.templates[name]}" for name in names),
            **definition.fields(),
            "unused": pool.unused(parts),
            "unreadable": unreadable or None,
        }

    def _missed(self, parts: LevelParts, pool: LevelPool) -> tuple[str, str]:
        """What is missing, and what to change."""
        said, changes = [], dict[str, None]()
        for (name, level), count in parts.missing.items():
            if name == "train":
                said.append(f"train has {count} examples less than asked for")
                changes["ask for a smaller train"] = None
                continue
            wanted = pool.wanted[name]
            of = {"zero-shot": wanted.zero_shot, "compositional": wanted.compositional, "i.i.d.": wanted.iid}[level]
            said.append(f"{name} has {of - count} of {of} {level} examples")
            changes[_CHANGES[level].format(name=name, share=(of - count) / sum(wanted))] = None
        return (
            f"the best of {len(pool.domains)} domains and {len(pool.features.template_texts)} templates: "
            + "; ".join(said),
            "; ".join([*changes, "or take it with --best-effort"]),
        )


_CHANGES = {
    "zero-shot": "hold out more domains with --{name}-domains, or ask for a smaller {name}",
    "compositional": "few templates have all their schema items in other templates too: lower --compositional to "
    "{share:.2g} or less",
    "i.i.d.": "few templates have several examples: raise --zero-shot or --compositional, or ask for a smaller {name}",
}


def _scaled(domains: int, held_out: int) -> int:
    """How many of so many domains are held out where the paper holds out so many."""
    return max(1, int(domains * held_out / PAPER[0] + 0.5))


def _names(domains: list[str], mask: NDArray[np.bool_]) -> str:
    return ",".join(name for name, there in zip(domains, mask, strict=True) if there)


def _flag(name: str) -> str:
    return name.replace("_", "-")
