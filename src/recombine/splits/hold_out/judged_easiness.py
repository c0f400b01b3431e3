"""What `recombine difficulty --json` said of a rule: the threshold of easiness with the best F1, for new splits.

The rule (structures, similarity, tokenisation) must be the one that the new splits are made by: a threshold of another
says nothing of them. The data may be another sample; the paper chooses one threshold for a rule and a data set.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import InputFileError
from recombine.files import read_bytes
from recombine.records.signature import Signature

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class JudgedEasiness:
    """A threshold, and the file that it is from as a signature names it."""

    threshold: float
    source: str


def read_judged(path: Path | str, rule: Mapping[str, str]) -> JudgedEasiness:
    """The threshold in a file, which must be of this rule."""
    path = Path(path)
    content = read_bytes(path)
    try:
        record = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise InputFileError(f"{path}: not JSON ({error.msg})", _MAKE) from None
    record = record if isinstance(record, dict) else {}
    threshold = record.get("threshold")
    value = threshold.get("easiness") if isinstance(threshold, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        why = "all its examples are right, or all wrong, or it is of each model" if "threshold" in record else "none"
        raise InputFileError(f"{path}: has no threshold of easiness ({why})", _MAKE)
    _check_rule(path, record, rule)
    return JudgedEasiness(float(value), f"{path.name}@{hashlib.blake2b(content, digest_size=4).hexdigest()}")


_MAKE = "make it with `recombine difficulty DATA SPLIT --predictions FILE --json`"


def _check_rule(path: Path, record: Mapping[str, Any], rule: Mapping[str, str]) -> None:
    rows = record.get("splits")
    texts = [row.get("signature") for row in rows] if isinstance(rows, list) else [record.get("signature")]
    for text in texts:
        signature = Signature.parse(text) if isinstance(text, str) else Signature(())
        for name, wanted in rule.items():
            there = signature.get(name)
            if there != wanted:
                raise InputFileError(
                    f"{path}: its threshold is for {name} {there or 'unknown'}, and the split is made by {wanted}",
                    "judge the same structures, similarity and tokenisation as the split has",
                )
