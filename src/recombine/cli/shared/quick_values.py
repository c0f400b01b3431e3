"""Values of options that are read here, so that typer need not import pydantic for them, which takes longer than many a
command.

What is plain is read as typer reads it: texts, whole and decimal numbers, switches, paths without conditions, and what
was not given. Everything else, and every value that is wrong, goes the way that typer has for it, with its messages.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_origin

if TYPE_CHECKING:
    from collections.abc import Iterable

_WHOLE = re.compile(r"-?[0-9]{1,18}")
_DECIMAL = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?")
_CONDITIONS = ("parser", "min", "max", "clamp", "path_type", "exists", "writable", "resolve_path", "allow_dash")
_ALLOWED = ("file_okay", "dir_okay", "readable")
_UNREAD = object()


class _QuickValue:
    """Stands where typer keeps what reads the values of a parameter, and asks typer where it cannot."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value as the function of the verb takes it."""
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        described = param.type_descriptor
        read = _read(described.annotation, value, described.parameter_info)
        if read is not _UNREAD:
            return read
        param._runtime_param = None
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)


def _read(kind: Any, value: Any, about: Any) -> Any:
    """A plain value of a plain kind."""
    conditions = (getattr(about, each, None) for each in _CONDITIONS)
    if any(each is not None and each is not False for each in conditions):  # a bound can be 0
        return _UNREAD
    if get_origin(kind) is list:
        read = (
            [_read(get_args(kind)[0], each, about) for each in value] if isinstance(value, list | tuple) else [_UNREAD]
        )
        return _UNREAD if _UNREAD in read else read
    if kind in (str, int, float, bool) and type(value) is kind:
        return value
    if not isinstance(value, str):
        return value if kind is Path and isinstance(value, Path) else _UNREAD
    if kind is int and _WHOLE.fullmatch(value):
        return int(value)
    if kind is float and _DECIMAL.fullmatch(value):
        return float(value)
    return _read_path(value) if kind is Path and all(getattr(about, each, False) for each in _ALLOWED) else _UNREAD


def _read_path(value: str) -> Any:
    """A path that can be read, or where nothing is yet."""
    if not value or "\0" in value or (os.path.exists(value) and not os.access(value, os.R_OK)):  # noqa: PTH110
        return _UNREAD
    return Path(value)


def read_quickly(params: Iterable[Any]) -> None:
    """Read the values of these parameters here, where they are plain; with another typer, its own way stays."""
    for param in params:
        if getattr(param, "_runtime_param", _UNREAD) is None and hasattr(param, "type_descriptor"):
            param._runtime_param = _QuickValue()


def read_command_quickly(command: Any) -> None:
    """Read the values of a command's parameters here, that of `--help` among them, which it makes when it is parsed."""
    read_quickly(command.params)
    made = command.get_help_option

    def get_help_option(ctx: Any) -> Any:
        option = made(ctx)
        read_quickly([option])
        return option

    command.get_help_option = get_help_option
