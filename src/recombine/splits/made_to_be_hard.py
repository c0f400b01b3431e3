"""Whether a split was made to be hard: by a method that aims at divergence, and at no value that was wanted instead."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.splits.methods import SPLITTERS

if TYPE_CHECKING:
    from recombine.records.signature import Signature

_METHOD = re.compile("[a-z-]+")


def made_to_be_hard(signature: Signature) -> bool:
    """Whether the method aims at divergence; that of a published split is what its name begins with.

    The only split of a data set may be named `published`; then the name of the data counts, such as `cfq/mcd1`.

    >>> from recombine.records.signature import Signature
    >>> made_to_be_hard(Signature.of(by="tmcd")), made_to_be_hard(Signature.of(by="mcd", divergence="0.1"))
    (True, False)
    >>> made_to_be_hard(Signature.of(by="predefined", split="tmcd_1")), made_to_be_hard(Signature.of(by="random"))
    (True, False)
    >>> made_to_be_hard(Signature.of(data="cfq/mcd1@3cc5", by="predefined", split="published"))
    True
    """
    by = signature.get("by")
    if by == "predefined":
        named = _METHOD.match(_published_name(signature))
        by = "" if named is None else named[0]
    method = SPLITTERS.get(by)
    return method is not None and method.aims_at_divergence and signature.get("divergence", "max") == "max"


def _published_name(signature: Signature) -> str:
    name = signature.get("split").rpartition("/")[2]
    return name if name != "published" else signature.get("data").partition("@")[0].rpartition("/")[2]
