"""The three baselines of the CFQ paper (§5.1, Table 6), and two models made for SCAN, of the NQG-T5 paper's Table 2.

The baselines stand over the defaults of the framework the CFQ paper used.

The paper names its hyper-parameter sets and lists what it changed. Table 6 gives the universal transformer six hidden
layers, but the set it names fixes the number of recurrent steps to eight on its own, so changing the layers has no
effect there: `cfq:universal-transformer` takes eight steps, `cfq:universal-transformer-6` six.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from recombine.errors import UnknownNameError
from recombine.models.seq2seq.settings import Seq2SeqSettings

_UNIVERSAL = Seq2SeqSettings(
    architecture="universal-transformer",
    width=256,
    layers=8,
    heads=4,
    filter_width=512,
    rate=0.14,
    warmup=8000,
    batch_tokens=2048,
)

_PLAIN: dict[str, Any] = {
    "layers": 1,
    "heads": 1,
    "label_smoothing": 0.0,
    "warmup": 1,
    "decay": False,
    "beta2": 0.999,
    "epsilon": 1e-8,
}
"""What the two models for SCAN share: one layer, one head, Adam as its paper has it."""

PRESETS = {
    "cfq:lstm": Seq2SeqSettings(
        architecture="lstm",
        width=512,
        layers=2,
        heads=4,
        attention_width=128,
        dropout=0.4,
        rate=0.03 * 0.002,
        warmup=100,
        decay=False,
        beta1=0.85,
        epsilon=1e-6,
        clip=2.0,
        batch_tokens=2048,
    ),
    "cfq:transformer": Seq2SeqSettings(architecture="transformer"),
    "cfq:universal-transformer": _UNIVERSAL,
    "cfq:universal-transformer-6": replace(_UNIVERSAL, layers=6),
    "syntactic-attention": Seq2SeqSettings(
        architecture="syntactic-attention",
        width=200,
        meaning_width=120,
        dropout=0.5,
        rate=0.001,
        clip=5.0,
        batch_tokens=256,
        steps=20_000,
        **_PLAIN,
    ),
    "cgps": Seq2SeqSettings(
        architecture="cgps",
        width=64,
        meaning_width=16,
        function_width=8,
        dropout=0.0,
        noise=1.0,
        norm_cost=0.1,
        summed=True,
        rate=0.01,
        fall=0.96,
        fall_steps=100,
        clip=1.0,
        batch_tokens=200_000,
        buckets=1,
        steps=5000,
        **_PLAIN,
    ),
}


def find_preset(name: str, **changes: Any) -> Seq2SeqSettings:
    """The settings of a preset, with changes.

    >>> find_preset("cfq:transformer", steps=100).steps
    100
    """
    if name not in PRESETS:
        raise UnknownNameError("preset", name, PRESETS)
    return Seq2SeqSettings.from_dict({**PRESETS[name].to_dict(), **changes})
