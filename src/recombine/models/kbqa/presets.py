"""Presets of parsers of questions over a knowledge base, after App. D of the GrailQA paper.

`kbqa` has the defaults. `kbqa:bert` is the paper's model with BERT, whose encoder is still to be named by a directory:
one question at a time and sixteen accumulated there is a batch of 16 here. `kbqa:glove` is that with fixed vectors,
which prunes no vocabulary in training. `kbqa:small` is for a CPU and for small data, and not from the paper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "kbqa"
PRESETS: Mapping[str, Mapping[str, Any]] = {
    NAME: {},
    f"{NAME}:bert": {"batch": 16, "prune_training": True},
    f"{NAME}:glove": {"batch": 32, "prune_training": False},
    f"{NAME}:small": {"width": 128, "word_width": 64, "batch": 16, "rate": 2e-3, "patience": 5},
}
"""Models by name, with what they differ in from the defaults."""
NEEDED = {f"{NAME}:bert": "pretrained:DIR", f"{NAME}:glove": "vectors:FILE"}
"""What a preset wants as its encoder."""
