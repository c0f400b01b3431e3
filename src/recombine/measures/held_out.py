"""What the method of a split holds out on purpose, looked for again in the data.

A split by templates, patterns, lengths, levels, a property or a phrase says what train must lack; whether it does is
counted from the parts alone. What a split by grammar or by local structures holds out is taken from its signature. A
split by levels, a property or a phrase may hold out symbols: an unseen atom of any other split is a problem (see
`check_split`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import OptionError
from recombine.measures.held_out_verdict import HeldOutVerdict
from recombine.structures.programs.templates import template_kind, templates

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.records.dataset import Dataset
    from recombine.records.split import Split

    Rows = Mapping[str, Sequence[int]]
_STATED = {"grammar": "pairs of rules", "local-structure": "a structure and all that is like it"}
"""Methods whose signature says what they hold out, and what that is."""


def held_out(
    dataset: Dataset,
    split: Split,
    *,
    profile: str | None = None,
    ontology: str | None = None,
    properties: str | None = None,
) -> HeldOutVerdict:
    """What the split's method holds out.

    `profile` and `ontology` are those of a split by levels, where not usual; `properties` the file of one by property.
    """
    verdict = HeldOutVerdict()
    by = split.signature.get("by")
    whole = split.parts.get("train") and all(key in dataset for ids in split.parts.values() for key in ids)
    if not whole:
        return verdict
    rows = {name: split.positions(dataset, name) for name, ids in split.parts.items() if ids}
    if by == "levels":
        from recombine.measures.levels.check_levels import check_levels

        check_levels(dataset, split, rows, verdict, profile=profile, ontology=ontology)
    elif by == "property":
        from recombine.measures.properties.check_property import check_property

        check_property(dataset, split, rows, verdict, properties=properties)
    elif by in ("phrase:source", "phrase:target"):
        from recombine.measures.phrases.check_phrases import check_phrases

        check_phrases(dataset, split, by.partition(":")[2], rows, verdict)
    elif by == "template":
        _clusters(_templates(dataset), "templates", rows, verdict)
    elif by in ("pattern:source", "pattern:target") and split.data == dataset.name:
        side = by.partition(":")[2]
        collapse = dataset.pattern(side).collapse
        _clusters([collapse(text) for text in dataset.texts(side)], f"{side} patterns", rows, verdict)
    elif by == "pattern:tag":
        tag = split.signature.get("tag")
        _clusters([repr(tags.get(tag)) for tags in dataset.iter_mappings("tags")], f"values of {tag}", rows, verdict)
    elif by in ("length:source", "length:target", "length:tag"):
        _lengths(dataset, split, by.partition(":")[2], rows, verdict)
    elif by in _STATED and split.signature.get("held_out"):
        verdict.held_out.append(f"{_STATED[by]}, as the signature says: {split.signature.get('held_out')}")
    return verdict


def _templates(dataset: Dataset) -> list[str] | None:
    try:
        template_kind(dataset)
    except OptionError:
        return None
    return templates(dataset)


def _clusters(names: Sequence[str] | None, what: str, rows: Rows, verdict: HeldOutVerdict) -> None:
    """What a method says that keeps examples of one name on one side."""
    if names is None:
        verdict.not_checked.append(
            f"whether train lacks the {what} of the other parts was not checked: name --language"
        )
        return
    seen = {names[row] for row in rows["train"]}
    for name, part in rows.items():
        if name == "train":
            continue
        shared = sum(names[row] in seen for row in part)
        if shared:
            verdict.problems.append(
                f"{shared} examples of {name} have {what} that train has, which were to be held out"
            )
        held = len({names[row] for row in part} - seen)
        verdict.held_out.append(f"{held:,} {what} of {name}, of which train has no example")


def _lengths(dataset: Dataset, split: Split, side: str, rows: Rows, verdict: HeldOutVerdict) -> None:
    """What a method says that keeps the long examples from train."""
    limit, tag = split.signature.get("max_length"), split.signature.get("tag")
    if not limit.isdigit():
        return
    lengths: list[int]
    if side == "tag":
        values = [tags.get(tag) for tags in dataset.iter_mappings("tags")]
        lengths = [value if isinstance(value, int) else int(limit) + 1 for value in values]
    else:
        lengths = [len(text.split()) for text in dataset.texts(side)]
    what = f"values of {tag} above {limit}" if side == "tag" else f"{side}s of more than {limit} words"
    verdict.held_out.append(f"{what}, of which train has no example")
    wrong = sum(lengths[row] > int(limit) for row in rows["train"])
    if wrong:
        verdict.held_out.clear()
        verdict.problems.append(f"{wrong} examples of train are {what}, which were to be held out")
