"""Whether a split by levels is what its signature says, told from the data alone.

Schema items and templates are read anew. Then train must have no item of a held-out domain, dev none of those held out
for test, and test none of those held out for dev; every zero-shot example must have an item of a domain held out for
its part; and the numbers of zero-shot, compositional and i.i.d. examples must be the shares stated. That an example is
i.i.d. or compositional says that train has all its items.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import OptionError, RecombineError, SplitError
from recombine.kb.profiles.find_profile import PROFILES
from recombine.measures.levels.level_definition import level_definition
from recombine.measures.levels.level_features import level_features
from recombine.measures.levels.levels import COMPOSITIONAL, LEVELS, ZERO_SHOT, level_numbers
from recombine.measures.levels.wanted_levels import wanted_levels

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from recombine.measures.held_out_verdict import HeldOutVerdict
    from recombine.measures.levels.level_definition import LevelDefinition
    from recombine.measures.levels.level_features import LevelFeatures
    from recombine.records.dataset import Dataset
    from recombine.records.signature import Signature
    from recombine.records.split import Split


def check_levels(
    dataset: Dataset,
    split: Split,
    rows: Mapping[str, Sequence[int]],
    verdict: HeldOutVerdict,
    *,
    profile: str | None = None,
    ontology: str | None = None,
) -> None:
    """Add to a verdict what holds and what does not; `rows` are those of the parts that have examples."""
    stated = split.signature
    try:
        definition = _definition(dataset, stated, profile, ontology)
    except RecombineError as error:
        verdict.not_checked.append(f"the levels of the split were not checked: {error}")
        return
    features = level_features(dataset, definition)
    verdict.details_may_be_new = True
    verdict.details_of = _details(dataset, definition)
    domains = {name: _domains(stated, name) for name in rows if name != "train"}
    _check_domains(features, rows, domains, verdict)
    for name, part in rows.items():
        if name == "train":
            continue
        numbers = level_numbers(features, rows["train"], part)
        zero_shot = [row for row, number in zip(part, numbers, strict=True) if number == LEVELS.index(ZERO_SHOT)]
        verdict.rows[name] = frozenset(_holding(features, zero_shot, domains[name]))
        _check_shares(name, numbers, stated, verdict)
        if other := len(zero_shot) - len(verdict.rows[name]):
            verdict.problems.append(
                f"{other} examples of {name} have schema items that train lacks, and none of a domain held out for it"
            )
        _say_what_is_held_out(features, name, part, numbers, rows["train"], domains[name], verdict)


def _definition(dataset: Dataset, stated: Signature, profile: str | None, ontology: str | None) -> LevelDefinition:
    """The definition by which the split was made, found again."""
    given: dict[str, Any] = {
        "ontology": ontology,
        "constructs": stated.get("constructs") == "yes",
        "merge_reverses": stated.get("merge_reverses") == "yes",
    }
    definition, _ = level_definition(dataset, profile=profile, **given)
    named = stated.get("profile")
    if profile is None and named in PROFILES and definition.fields()["profile"] != named:
        definition, _ = level_definition(dataset, profile=named, **given)
    for name, value in definition.fields().items():
        if (stated.get(name) or None) != (None if value is None else "yes" if value is True else str(value)):
            raise OptionError(
                f"the split was made by {name} {stated.get(name) or 'none'}, and that of here is {value or 'none'}",
                f"give the one it was made by with --{name}",
            )
    return definition


def _details(dataset: Dataset, definition: LevelDefinition) -> Callable[[str], frozenset[str]] | None:
    """What tells the words of S-expressions that are no schema items, by the profile and not by Freebase's looks."""
    profile = definition.profile
    if profile is None or dataset.language is None or dataset.language.name != "sexpression":
        return None
    from recombine.measures.levels.sexpression_items import other_words

    return lambda text: other_words(text, profile)


def _domains(stated: Signature, part: str) -> frozenset[str]:
    return frozenset(filter(None, stated.get(f"held_out_{part}").split(",")))


def _holding(features: LevelFeatures, rows: Sequence[int], domains: frozenset[str]) -> list[int]:
    """Which of some examples have an item of some domains."""
    wanted = np.array([name in domains for name in features.domains], np.bool_)
    at, owner = features.entries(rows)
    return [rows[int(place)] for place in np.unique(owner[wanted[features.items[at]]])]


def _check_domains(
    features: LevelFeatures,
    rows: Mapping[str, Sequence[int]],
    domains: Mapping[str, frozenset[str]],
    verdict: HeldOutVerdict,
) -> None:
    """No part has domains that are held out for another."""
    for name, held in domains.items():
        for other, others in domains.items():
            if name < other and held & others:
                shared = ", ".join(sorted(held & others))
                verdict.problems.append(f"the domains {shared} are held out for both {name} and {other}")
        for part, places in rows.items():
            if part != name and (wrong := _holding(features, places, held)):
                verdict.problems.append(f"{len(wrong)} examples of {part} have domains that are held out for {name}")


def _check_shares(name: str, numbers: NDArray[np.int8], stated: Signature, verdict: HeldOutVerdict) -> None:
    """A part has the stated share of each level."""
    wanted = wanted_levels(
        len(numbers), zero_shot=_share(stated, "zero_shot"), compositional=_share(stated, "compositional")
    )
    for number, (level, want) in enumerate(zip(LEVELS, wanted, strict=True)):
        have = int(np.count_nonzero(numbers == number))
        if have != want:
            verdict.problems.append(f"{have} of {len(numbers)} examples of {name} are {level}, not {want} as stated")


def _share(stated: Signature, name: str) -> float:
    try:
        return float(stated.get(name))
    except ValueError:
        text = stated.get(name)
        raise SplitError(f"the split's signature states {name}:{text}, which cannot be read", "make it anew") from None


def _say_what_is_held_out(
    features: LevelFeatures,
    name: str,
    part: Sequence[int],
    numbers: NDArray[np.int8],
    train: Sequence[int],
    domains: frozenset[str],
    verdict: HeldOutVerdict,
) -> None:
    unseen = features.seen_items(part) & ~features.seen_items(train)
    zero_shot = int(np.count_nonzero(numbers == LEVELS.index(ZERO_SHOT)))
    if domains:
        verdict.held_out.append(
            f"{len(domains)} domains for {name}, {', '.join(sorted(domains))}: {zero_shot:,} examples with "
            f"{int(unseen.sum()):,} schema items that train lacks"
        )
    composed = features.templates[np.asarray(part)[numbers == LEVELS.index(COMPOSITIONAL)]]
    if len(composed):
        verdict.held_out.append(
            f"{len(set(composed.tolist())):,} templates for {name}: {len(composed):,} examples whose schema items are "
            "all in train"
        )
