"""What decides a trained network: the key that cells which differ in how they answer share.

Two models are trained for Table 3 of the GrailQA paper (App. D.2): RANKING, TRANSDUCTION and TRANSDUCTION without
pruning answer with the same weights. Needs numpy and the standard library alone.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from recombine.models.kbqa.kbqa_settings import AFTER_TRAINING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

REVISION = 1
"""To be raised by one when a change makes equal settings give other trainings."""


def deciding_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings without the place of the encoder, whose files the digest stands for.

    >>> deciding_settings({"encoder": "pretrained:/models/bert", "encoder_digest": "3fa2", "width": 768})
    {'encoder': 'pretrained', 'encoder_digest': '3fa2', 'width': 768}
    """
    return {**settings, "encoder": str(settings["encoder"]).partition(":")[0]}


def training_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that decide what is learned.

    >>> training_settings({"encoder": "scratch", "encoder_digest": "", "width": 768, "inference": "ranking"})
    {'encoder': 'scratch', 'encoder_digest': '', 'width': 768}
    """
    return {name: value for name, value in deciding_settings(settings).items() if name not in AFTER_TRAINING}


def training_key(
    settings: Mapping[str, Any], *, seed: int, train: Sequence[str], dev: Sequence[str], data: str = ""
) -> str:
    """The key of a training on the questions of these ids, in their order; `data` says which data and world it is."""
    content = {
        "revision": REVISION,
        "settings": training_settings(settings),
        "seed": seed,
        "train": _digest(train),
        "dev": _digest(dev),
        "data": data,
    }
    return hashlib.blake2b(json.dumps(content, sort_keys=True).encode(), digest_size=16).hexdigest()


def _digest(ids: Sequence[str]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for each in ids:
        digest.update(f"{len(each)} {each}".encode())
    return digest.hexdigest()
