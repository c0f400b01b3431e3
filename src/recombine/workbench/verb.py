"""What all verbs have in common as functions: the options that every command takes."""

from __future__ import annotations

import os
from contextlib import contextmanager
from functools import wraps
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from recombine import data_cache
from recombine.max_unpacked import VARIABLE, parse_size
from recombine.plugins import load_plugin
from recombine.records.skipping import skipping

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

P = ParamSpec("P")
R = TypeVar("R")
COMMON = ("plugin", "max_unpacked", "no_cache")
OF_READERS = ("skip_unreadable", "unreadable")
"""The keywords of verbs that read data: those that take `source`."""


def verb(function: Callable[P, R]) -> Callable[P, R]:
    """The function with the three keywords that every verb takes.

    `plugin` names modules or files to load first; `max_unpacked` is the most that a file may unpack to, such as `500M`.
    With `no_cache`, data is made or read anew, and not kept. One that reads data takes two more: with
    `skip_unreadable`, records that cannot be read are left out and counted; `unreadable` names a file that lists them.
    """

    plain = signature(function)
    reads = "source" in plain.parameters

    @wraps(function)
    def call(
        *given: Any,
        plugin: str | Iterable[str] = (),
        max_unpacked: str | None = None,
        no_cache: bool = False,
        **named: Any,
    ) -> R:
        skip = {key: named.pop(key) for key in OF_READERS if reads and key in named}
        for name in (plugin,) if isinstance(plugin, str) else plugin:
            load_plugin(name)
        if max_unpacked is not None:
            parse_size(max_unpacked, "max_unpacked")
        switched = data_cache.OFF if no_cache else None
        with (
            _set_for_a_while(VARIABLE, max_unpacked),
            _set_for_a_while(data_cache.VARIABLE, switched),
            skipping(bool(skip.get("skip_unreadable")), file=skip.get("unreadable")),
        ):
            return function(*given, **named)

    # What `help` shows and tests inspect: these stand last among the keywords.
    added = [
        Parameter("plugin", Parameter.KEYWORD_ONLY, default=(), annotation="str | Iterable[str]"),
        Parameter("max_unpacked", Parameter.KEYWORD_ONLY, default=None, annotation="str | None"),
        Parameter("no_cache", Parameter.KEYWORD_ONLY, default=False, annotation="bool"),
    ]
    if reads:
        added += [
            Parameter("skip_unreadable", Parameter.KEYWORD_ONLY, default=False, annotation="bool"),
            Parameter("unreadable", Parameter.KEYWORD_ONLY, default=None, annotation="str | Path | None"),
        ]
    own = list(plain.parameters.values())
    rest = [each for each in own if each.kind is Parameter.VAR_KEYWORD]
    call.__signature__ = plain.replace(  # type: ignore[attr-defined]
        parameters=[*(each for each in own if each not in rest), *added, *rest]
    )
    return cast("Callable[P, R]", call)


@contextmanager
def _set_for_a_while(variable: str, value: str | None) -> Iterator[None]:
    """Another value of an environment variable, for a while; none leaves it as it is."""
    if value is None:
        yield
        return
    before = os.environ.get(variable)
    os.environ[variable] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[variable]
        else:
            os.environ[variable] = before
