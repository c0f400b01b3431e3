"""Whether settings that someone gave are settings at all, and of their types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping


def check_settings(given: Mapping[str, Any], usual: Mapping[str, Any]) -> None:
    """Refuse a name that the usual settings lack, and a value of another type than the usual one; 1 serves for 1.0.

    >>> check_settings({"rate": 1}, {"rate": 0.1})
    >>> check_settings({"rate": "high"}, {"rate": 0.1})
    Traceback (most recent call last):
    recombine.errors.OptionError: the setting rate is 'high'; give a value like 0.1
    """
    for name, value in given.items():
        if name not in usual:
            raise UnknownNameError("setting", name, usual)
        wanted = int | float if isinstance(usual[name], float) else type(usual[name])
        if isinstance(value, bool) != isinstance(usual[name], bool) or not isinstance(value, wanted):
            raise OptionError(f"the setting {name} is {value!r}", f"give a value like {usual[name]!r}")
