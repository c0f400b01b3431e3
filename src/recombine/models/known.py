"""The one list of models, by family: `train`, `predict` and studies ask it.

A family is imported when it is asked for; importing this needs neither torch nor numba. `register_model` adds one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import UnknownNameError
from recombine.plugins import Registry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.models.family import Family

MODELS: Registry[Family] = Registry(
    "family of models",
    {
        "nqg": "recombine.models.nqg.nqg_family:FAMILY",
        "seq2seq": "recombine.models.seq2seq.seq2seq_family:FAMILY",
        "pretrained": "recombine.models.pretrained.pretrained_family:FAMILY",
        "hybrid": "recombine.models.hybrid:FAMILY",
        "majority": "recombine.models.majority:FAMILY",
        "nearest": "recombine.models.nearest:FAMILY",
        "pictures": "recombine.models.pictures.pictures_family:FAMILY",
        "kbqa": "recombine.models.kbqa.kbqa_family:FAMILY",
        "kbqa-baselines": "recombine.models.kbqa.baselines.baselines_family:FAMILY",
    },
    lazy=True,
)
"""The families of models by name."""


def register_model(family: Family) -> Family:
    """Add a family to those that `train`, `predict` and studies can name."""
    return MODELS.register(family.name, family)


def iter_families() -> Iterator[Family]:
    """All families."""
    return (MODELS.find(name) for name in MODELS)


def model_names() -> list[str]:
    """The names of all models."""
    return [name for family in iter_families() for name in family.names()]


def find_model(name: str, *, kind: str = "model") -> tuple[Family, str]:
    """The family that a name of a model is of, and the preset; an unknown one is refused as a `kind`.

    >>> family, preset = find_model("cfq:lstm")
    >>> family.name, preset
    ('seq2seq', 'cfq:lstm')
    """
    families = list(iter_families())
    for family in families:
        if name in family.names():
            return family, name
    for family in families:
        if family.accepts(name):
            return family, name
    raise UnknownNameError(kind, name, model_names())


def find_family(preset: str) -> Family:
    """The family of a preset, as study files name them.

    >>> find_family("nqg:scan").name
    'nqg'
    """
    return find_model(preset, kind="preset")[0]


def find_form(form: str) -> Family | None:
    """The family whose saved parsers say this form; none where it is of no family."""
    return next((family for family in iter_families() if form == (family.form or family.name)), None)
