"""The one text of a JSON value: keys sorted, no blanks, every number in its one form, texts as they are.

Two values that the language `json` calls equal have one text, but for calls, whose spellings it knows to be the same.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

from recombine.languages.json_values import one_form

_NUMBER = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:e([-+]?[0-9]+))?")
_HALF = re.compile("[\ud800-\udfff]")


def canonical_json(value: Any) -> str:
    """The text of a value of dictionaries, lists, texts, numbers, truths and nothing; all else is a `ValueError`.

    >>> canonical_json({"unit": "C", "city": "Köln", "days": [3.0, 1e2, None, True]})
    '{"city":"Köln","days":[3,100,null,true],"unit":"C"}'
    """
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise ValueError("a key is not text")
        return "{" + ",".join(f"{_text(key)}:{canonical_json(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(canonical_json, value)) + "]"
    if isinstance(value, str):
        return _text(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int | float) and math.isfinite(value):
        match = _NUMBER.fullmatch(repr(value))
        assert match is not None  # noqa: S101  # Python writes numbers so
        sign, whole, part, exponent = match.groups("")
        return one_form(sign, whole + part, int(exponent or 0) - len(part))
    raise ValueError(f"{value!r} is no JSON value")


def _text(text: str) -> str:
    return _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", json.dumps(text, ensure_ascii=False))
