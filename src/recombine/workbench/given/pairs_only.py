"""What has no meaning where a file of pairs is scored."""

from __future__ import annotations

from typing import Any

from recombine.errors import OptionError

_PLACES = ("data", "split", "predictions")
_DEFAULTS = {"part": "test", "on": "target", "match_on": "id", "gold_answers": "executed"}


def pairs_only(**given: Any) -> None:
    """Refuse what was given besides pairs: values other than those that the options have by themselves.

    >>> pairs_only(part="test", errors=False, by=())
    >>> pairs_only(match_on="source")
    Traceback (most recent call last):
    recombine.errors.OptionError: --match-on has no meaning with --pairs; leave it out
    """
    for name, value in given.items():
        if (isinstance(value, bool | str | tuple) or value is None) and (value == _DEFAULTS.get(name) or not value):
            continue
        if name in _PLACES:
            raise OptionError(f"{name.upper()} has no meaning with --pairs", "leave out one of the two")
        raise OptionError(f"--{name.replace('_', '-')} has no meaning with --pairs", "leave it out")
