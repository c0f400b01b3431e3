"""The key of a cell: a digest of all that decides its result.

That is the data with its language and what is measured on it, the method, signature and ids of the split, the family
of the model with its revision, all settings, the seed, what becomes of symbols that train lacks, and the plug-ins that
the study names with their versions or digests; where answers are compared, that they are, and where a metric stands in
the place of exact match, its name and what its verdicts depend on; and for families that stop
on dev, the ids of dev; for a tuned model its grid, the share of train that was held back, the seeds, and what was
chosen. Not in it are the version of the package, names, and how a study is run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.studies.cells.digest import content_key, ids_digest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.records.split import Split

FORM = "recombine-cell/2"
OLDER = ("recombine-cell/1",)
"""Forms that can be brought over; see `migrate_records`."""


def model_content(
    *,
    family: str,
    revision: int,
    settings: Mapping[str, Any],
    seed: int,
    unseen: str,
    plugins: Mapping[str, str] | None = None,
    match: str = "target",
    metric: Mapping[str, str] | None = None,
    tuned: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """What decides a result besides the data and the split; `plugins` are those of the study with their identities.

    `tuned` is what the settings of a tuned model were chosen by, and the choice.
    """
    return {
        **({"tuned": dict(tuned)} if tuned is not None else {}),
        **({"plugins": dict(plugins)} if plugins else {}),
        **({"match": match} if match != "target" else {}),
        **({"metric": dict(metric)} if metric else {}),
        "family": family,
        "revision": revision,
        "settings": dict(settings),
        "seed": seed,
        "unseen": unseen,
    }


def cell_key(
    split: Split,
    part: str,
    *,
    data: Mapping[str, Any],
    revision: int,
    model: Mapping[str, Any],
    stops_on_dev: bool = False,
) -> str:
    """The key of a cell whose split is at hand; `revision` is that of the split's method."""
    return content_key(
        {
            "form": FORM,
            "data": dict(data),
            "split": str(split.signature.without("version")),
            "method_revision": revision,
            "ids": ids_digest(split.parts.get("train", ()), split.parts.get(part, ())),
            "part": part,
            **({"dev": ids_digest(split.parts.get("dev", ()))} if stops_on_dev else {}),
            **model,
        }
    )


def key_by_recipe(recipe_key: str, model: Mapping[str, Any]) -> str:
    """The key of a cell by the key of its split's recipe: one recipe makes one split, and so one result.

    >>> model = model_content(family="seq2seq", revision=1, settings={}, seed=0, unseen="fail")
    >>> key_by_recipe("a", model) == key_by_recipe("a", {**model, "seed": 1})
    False
    """
    return content_key({"form": FORM, "recipe": recipe_key, **model})
