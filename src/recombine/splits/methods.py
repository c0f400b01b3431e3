"""The one list of all splitters, by the name that `--by` takes; plug-ins add to it."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TypeVar

import numpy as np

from recombine.errors import OptionError
from recombine.options import Option, options_of
from recombine.plugins import Registry
from recombine.splits.hold_out.grammar import GrammarSplitter
from recombine.splits.hold_out.levels import LevelsSplitter
from recombine.splits.hold_out.local_structure import LocalStructureSplitter
from recombine.splits.hold_out.phrase import SourcePhraseSplitter, TargetPhraseSplitter
from recombine.splits.hold_out.property import PropertySplitter
from recombine.splits.search.mcd import MCDSplitter
from recombine.splits.search.tmcd import TMCDSplitter
from recombine.splits.simple.length import SourceLengthSplitter, TargetLengthSplitter
from recombine.splits.simple.pattern import SourcePatternSplitter, TargetPatternSplitter
from recombine.splits.simple.predefined import PredefinedSplitter
from recombine.splits.simple.random import RandomSplitter
from recombine.splits.simple.tag import TagLengthSplitter, TagPatternSplitter
from recombine.splits.simple.template import TemplateSplitter
from recombine.splits.splitter import Splitter

S = TypeVar("S", bound=type[Splitter])
COMMON = ("train", "dev", "test", "seed")
"""The fields that all splitters have, which are no options of a method."""
TAKEN = frozenset(
    {
        *(
            "data",
            "by",
            "structures",
            "literals",
            "names",
            "best_effort",
            "out",
            "format",
            "source",
            "target",
            "language",
            "world",
            "kb",
        ),
        *("json", "quiet", "verbose", "help", "plugin", "max_unpacked", "no_cache"),
        *("file", "seeds", "part", "train_sizes", "train_by", "train_seeds", "over", "models"),
    }
)
"""What is meant for the verb `split`, or for a `[[split]]` of a study, whatever the method."""

_PACKAGED: tuple[type[Splitter], ...] = (
    RandomSplitter,
    SourceLengthSplitter,
    TargetLengthSplitter,
    TagLengthSplitter,
    SourcePatternSplitter,
    TargetPatternSplitter,
    TagPatternSplitter,
    TemplateSplitter,
    GrammarSplitter,
    LocalStructureSplitter,
    LevelsSplitter,
    PropertySplitter,
    SourcePhraseSplitter,
    TargetPhraseSplitter,
    MCDSplitter,
    TMCDSplitter,
    PredefinedSplitter,
)
SPLITTERS: Registry[type[Splitter]] = Registry("method", {splitter.by: splitter for splitter in _PACKAGED})


def register_splitter(splitter: S) -> S:
    """Add a split method: a data class that inherits `Splitter`, with its name in `by` and options made by `option`.

    It works by its name in `split`, in studies and in Python, and `list` shows it; serves as a decorator.
    """
    if not (isinstance(splitter, type) and issubclass(splitter, Splitter) and is_dataclass(splitter)):
        raise OptionError(f"{splitter!r} is no split method", "give a data class that inherits Splitter")
    _check_declared(splitter)
    SPLITTERS.register(splitter.by, splitter)
    return splitter


def _check_declared(splitter: type[Splitter]) -> None:
    """Refuse an option whose name is taken, or which another method has with another type."""
    others: dict[str, tuple[str, Option]] = {}
    for by, known in SPLITTERS.items():
        for each in options_of(known) if by != splitter.by else ():
            others.setdefault(each.name, (by, each))
    for declared in options_of(splitter):
        if declared.name in TAKEN or declared.name in COMMON:
            raise OptionError(
                f"the method {splitter.by!r} has an option {declared.name!r}, which `split` has already",
                "give it another name",
            )
        by, other = others.get(declared.name, (splitter.by, declared))
        if other.type is not declared.type:
            raise OptionError(
                f"the option {declared.name!r} of the method {splitter.by!r} is of the type {declared.type.__name__}, "
                f"but {by!r} has it with {other.type.__name__}",
                "give it another name",
            )


def option_names(splitter: type[Splitter]) -> tuple[str, ...]:
    """What a method takes: sizes, seed, its options, and structures where it searches by them."""
    own = tuple(each.name for each in options_of(splitter))
    return (*COMMON, *own, *(("structures",) if splitter.needs_features else ()))


def make_splitter(by: str, **options: object) -> Splitter:
    """The splitter of a method; options that are none are left at their defaults.

    >>> make_splitter("length:target", max_length=22, seed=1)
    TargetLengthSplitter(train=None, dev=None, test=None, seed=1, max_length=22)
    """
    splitter = SPLITTERS.find(by)
    known, fields_of_it = option_names(splitter), {field.name for field in fields(splitter)}
    given = {name: _plain(value) for name, value in options.items() if value is not None}
    declared = {each.name: each for each in options_of(splitter)}
    for name, value in given.items():
        if name not in fields_of_it:
            flag = "--" + name.replace("_", "-")
            raise OptionError(f"the method {by!r} has no option {flag}", f"it takes {', '.join(sorted(known))}")
        if name in declared:
            declared[name].check(value)
    return splitter(**given)  # type: ignore[arg-type]


def _plain(value: object) -> object:
    """A number of an array as Python has it."""
    return value.item() if isinstance(value, np.generic) else value
