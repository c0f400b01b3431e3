"""The one list of all splitters, by the name that `--by` takes."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from recombine.errors import OptionError, UnknownNameError
from recombine.splits.hold_out.grammar import GrammarSplitter
from recombine.splits.hold_out.local_structure import LocalStructureSplitter
from recombine.splits.search.mcd import MCDSplitter
from recombine.splits.search.tmcd import TMCDSplitter
from recombine.splits.simple.length import SourceLengthSplitter, TargetLengthSplitter
from recombine.splits.simple.pattern import SourcePatternSplitter, TargetPatternSplitter
from recombine.splits.simple.predefined import PredefinedSplitter
from recombine.splits.simple.random import RandomSplitter
from recombine.splits.simple.template import TemplateSplitter

if TYPE_CHECKING:
    from recombine.splits.splitter import Splitter

SPLITTERS: dict[str, type[Splitter]] = {
    splitter.by: splitter
    for splitter in (
        RandomSplitter,
        SourceLengthSplitter,
        TargetLengthSplitter,
        SourcePatternSplitter,
        TargetPatternSplitter,
        TemplateSplitter,
        GrammarSplitter,
        LocalStructureSplitter,
        MCDSplitter,
        TMCDSplitter,
        PredefinedSplitter,
    )
}

REVISIONS: dict[str, int] = {
    "random": 1,
    "length:source": 1,
    "length:target": 1,
    "pattern:source": 1,
    "pattern:target": 1,
    "template": 1,
    "grammar": 1,
    "local-structure": 1,
    "mcd": 1,
    "tmcd": 1,
    "predefined": 1,
}
"""Which splits a method gives for the same wishes and seed: to be raised by one when a change makes it give others.

Studies keep splits and results under keys that hold it, so a changed search is not taken for the old one, and a release
that changes nothing orphans nothing. `tmcd` searches as `mcd` does: a change of the search raises both.
"""


def make_splitter(by: str, **options: object) -> Splitter:
    """The splitter of a method; options that are none are left at their defaults.

    >>> make_splitter("length:target", max_length=22, seed=1)
    TargetLengthSplitter(train=None, dev=None, test=None, seed=1, max_length=22)
    """
    if by not in SPLITTERS:
        raise UnknownNameError("method", by, SPLITTERS)
    splitter = SPLITTERS[by]
    known = {field.name for field in fields(splitter) if field.repr}
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if name not in {field.name for field in fields(splitter)}:
            flag = "--" + name.replace("_", "-")
            raise OptionError(f"the method {by!r} has no option {flag}", f"it takes {', '.join(sorted(known))}")
    return splitter(**given)  # type: ignore[arg-type]
