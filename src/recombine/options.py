"""Options declared once, on the object that they are of: name, type, default and help.

The fields of a data class are its options. `option` makes a field with a help text; `options_of` reads them back, and
from what it gives come the flags of a command, the keywords of a function, the keys of a study file and the tables of
the documentation.
"""

from __future__ import annotations

import sys
from dataclasses import MISSING, dataclass, field, fields
from inspect import get_annotations
from types import NoneType, SimpleNamespace, UnionType
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin, get_type_hints

from recombine.errors import OptionError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

TYPES = (bool, int, float, str)
_WORDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@dataclass(frozen=True)
class Option:
    """One option. A default of none means that what is not given is left to the object."""

    name: str
    type: type
    """One of `TYPES`."""
    default: Any
    help: str
    choices: tuple[str, ...] = ()
    """The values it may have; of a number, words that it may be instead."""
    metavar: str = field(default="", repr=False)
    """What stands for the value in a command's help, such as `LO:HI`; empty: its type."""

    @property
    def flag(self) -> str:
        """What the command line calls it: `--max-length`."""
        return "--" + self.name.replace("_", "-")

    @property
    def default_text(self) -> str:
        """The default as a person reads it; empty where the option is off, empty or left to the object.

        >>> Option("rate", float, 16.0, "The rate.").default_text
        '16'
        """
        if self.default is None or self.default is False or self.default == "":
            return ""
        return f"{self.default:g}" if isinstance(self.default, float) else str(self.default)

    @property
    def whole_help(self) -> str:
        """The help text, with the choices where it does not name them."""
        named = all(choice in self.help for choice in self.choices)
        words = f"Or {', '.join(self.choices)}." if self.type is float else f"One of {', '.join(self.choices)}."
        return self.help if named else f"{self.help} {words}"

    def read(self, text: str) -> Any:
        """The value of a text, as `--set` and flags give it.

        >>> Option("rate", float, 0.1, "The rate.").read("2")
        2.0
        """
        if self.type is float and text in self.choices:
            return text
        try:
            return _TRUTHS[text.strip().lower()] if self.type is bool else self.type(text)
        except (KeyError, ValueError):
            raise OptionError(f"{self.name} is {text!r}", f"give {_WORDS[self.type]}, {self._like()}") from None

    def check(self, value: Any) -> None:
        """Refuse a value of another type, or one that is not among the choices; 1 serves for 1.0."""
        if value is None and self.default is None:
            return
        if self.type is float and isinstance(value, str) and value in self.choices:
            return
        wanted = int | float if self.type is float else self.type
        if isinstance(value, bool) != (self.type is bool) or not isinstance(value, wanted):
            raise OptionError(f"the setting {self.name} is {value!r}", f"give {_WORDS[self.type]}, {self._like()}")
        if self.choices and self.type is not float and value not in self.choices:
            raise UnknownNameError(self.name, str(value), self.choices)

    def _like(self) -> str:
        return f"such as {self.default!r}" if self.default is not None else self.help.rstrip(".")


def option(default: Any, help: str, *, choices: Sequence[str] = (), metavar: str = "", **more: Any) -> Any:  # noqa: A002
    """A field of a data class that is an option; `more` goes to `dataclasses.field`."""
    return field(default=default, metadata={"help": help, "choices": tuple(choices), "metavar": metavar}, **more)


def options_of(kind: type, *, leave_out: Iterable[str] = ()) -> tuple[Option, ...]:
    """The options of a data class: its fields with a help text, in their order.

    >>> @dataclass
    ... class Walk:
    ...     steps: int = option(3, "How many steps.")
    ...     name: str = "not an option"
    >>> options_of(Walk)
    (Option(name='steps', type=<class 'int'>, default=3, help='How many steps.', choices=()),)
    """
    left_out = set(leave_out)
    return tuple(
        Option(
            each.name,
            _plain(_hint(kind, each.name), words=bool(each.metadata.get("choices"))),
            None if each.default is MISSING else each.default,
            each.metadata["help"],
            each.metadata.get("choices", ()),
            each.metadata.get("metavar", ""),
        )
        for each in fields(kind)
        if "help" in each.metadata and each.name not in left_out
    )


def _hint(kind: type, name: str) -> Any:
    """The type of one field; other fields may have types that are known to type checkers alone."""
    owner = next(each for each in kind.__mro__ if name in get_annotations(each))
    one = SimpleNamespace(__annotations__={name: get_annotations(owner)[name]})
    return get_type_hints(one, dict(vars(sys.modules[owner.__module__])), dict(vars(owner)))[name]


def _plain(hint: Any, *, words: bool = False) -> type:
    """The one plain type of an annotation, which may allow none and, where choices name them, words for a number."""
    if get_origin(hint) in (Union, UnionType):
        inner = [part for part in get_args(hint) if part is not NoneType]
        inner = [float] if words and set(inner) == {float, str} else inner
        # A size is a count or a share: a number.
        hint = float if set(inner) == {int, float} else inner[0] if len(inner) == 1 else hint
    if hint not in TYPES:
        raise TypeError(f"{hint} cannot be the type of an option")
    plain: type = hint
    return plain


def check_options(given: Mapping[str, Any], options: Sequence[Option], *, kind: str = "setting") -> None:
    """Refuse a name that is no option, and a value that its option cannot have."""
    known = {each.name: each for each in options}
    for name, value in given.items():
        if name not in known:
            raise UnknownNameError(kind, name, known)
        known[name].check(value)
