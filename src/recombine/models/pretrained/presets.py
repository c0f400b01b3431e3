"""The papers' settings by name. The name says which checkpoint they are for; which one is used is up to its directory.

`local-structures:*` (§3 of that paper): 64 epochs, rate 3e-5 with polynomial decay, batches of 8 to 28 by the size of
model and data. The paper says no more; its authors' published configuration has AdamW with β 0.9/0.999, ε 1e-8 and no
weight decay, gradients of norm 1 at most, a straight line to 0 with no warm-up, batches of 28, sources in lower case
and of 512 tokens at most, 200 decoding steps and two beams, and asks for smaller batches with T5-large without saying
how small: 8, the least of the paper, is taken here. The paper stops early on the test set; that is not done here.

`local-structures:bert-lstm` (§5.3): BERT-base as encoder and an LSTM decoder that copies; nothing else is stated, nor
is it in the published configuration. Epochs, the encoder's rate, schedule, batch and decoding are those above; the
decoder's size, dropout and its rate of 1e-3 are choices made here.

`nqg:t5-*` (App. B.1, B.2): rate 1e-4, 3,000 steps on GeoQuery and 10,000 on Spider (`…-spider`), sources cut at 512
tokens, otherwise T5's defaults for fine-tuning. The paper does not spell these out; the notes of its published code do:
Adafactor, a constant rate, 1,048,576 tokens a step, targets and predictions of 256 tokens at most, greedy decoding, and
`semanticparse: ` before each source. These tokens make 2,048 sequences of 512; T5's code packs several short pairs
into a sequence, ours has one pair in each, so on GeoQuery a step is the whole train part here and repeats it there.
Dropout is the checkpoint's. The paper's numbers for SCAN are another paper's. The 3B model has the same settings; only
the parts that a step is computed in are smaller, which changes the memory and not the result.

`pretrained` is for any other checkpoint: ten epochs at a constant 3e-5, after no paper.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from recombine.errors import UnknownNameError
from recombine.models.pretrained.settings import FineTuningSettings

_LOCAL = FineTuningSettings(
    kind="seq2seq",
    epochs=64,
    batch=28,
    rate=3e-5,
    schedule="polynomial",
    clip=1.0,
    lower_source=True,
    max_source=512,
    max_target=200,
    beams=2,
    predict_batch=24,
)
_NQG = FineTuningSettings(
    kind="seq2seq",
    steps=3000,
    batch=2048,
    accumulate=64,
    rate=1e-4,
    optimiser="adafactor",
    prefix="semanticparse: ",
    max_source=512,
    long_sources="cut",
    max_target=256,
)

PRESETS = {
    "local-structures:bart-base": _LOCAL,
    "local-structures:bart-large": _LOCAL,
    "local-structures:t5-base": _LOCAL,
    "local-structures:t5-large": replace(_LOCAL, batch=8),
    "local-structures:bert-lstm": replace(_LOCAL, kind="copying", decoder_rate=1e-3),
    "nqg:t5-base": _NQG,
    "nqg:t5-base-spider": replace(_NQG, steps=10000),
    "nqg:t5-3b": replace(_NQG, accumulate=512),
    "nqg:t5-3b-spider": replace(_NQG, steps=10000, accumulate=512),
    "pretrained": FineTuningSettings(epochs=10),
}


def find_preset(name: str, **changes: Any) -> FineTuningSettings:
    """The settings of a preset, with changes; giving steps to one that has epochs, or the other way, replaces them.

    >>> find_preset("local-structures:t5-large").batch
    8
    >>> find_preset("pretrained", steps=100).epochs
    0
    """
    if name not in PRESETS:
        raise UnknownNameError("preset", name, PRESETS)
    values = PRESETS[name].to_dict()
    for given, replaced in (("steps", "epochs"), ("epochs", "steps")):
        if changes.get(given) and replaced not in changes:
            values[replaced] = 0
    return FineTuningSettings.from_dict({**values, **changes})
