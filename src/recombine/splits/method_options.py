"""The options of all split methods in one list, from the declarations on the splitters.

The flags of `recombine split`, its help and the table in `docs/splits.md` come from here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.options import Option, options_of
from recombine.splits.methods import SPLITTERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True)
class MethodOption:
    """One option, as each of the methods that take it declares it."""

    name: str
    declared: Mapping[str, Option]
    """The declaration of each method, in the order of the methods."""

    @property
    def methods(self) -> str:
        """The methods that take it, kinds of one family as one: `length:*`."""
        return methods_text(self.declared)

    @property
    def meaning(self) -> str:
        """The help text; where methods differ in it, each text with its methods."""
        by_text: dict[str, list[str]] = {}
        for by, option in self.declared.items():
            by_text.setdefault(option.help.rstrip("."), []).append(by)
        if len(by_text) == 1:
            return next(iter(by_text))
        return "; ".join(f"{text} ({methods_text(methods)})" for text, methods in by_text.items())

    @property
    def default(self) -> str:
        """The default; where methods differ in it, each with its methods. Empty where nothing is the default."""
        by_text: dict[str, list[str]] = {}
        for by, option in self.declared.items():
            by_text.setdefault(option.default_text, []).append(by)
        if len(by_text) == 1:
            return next(iter(by_text))
        return ", ".join(f"{text or 'none'} for {methods_text(methods)}" for text, methods in by_text.items())

    @property
    def option(self) -> Option:
        """The option as a flag: its help says which methods take it, and its default is left to them."""
        first = next(iter(self.declared.values()))
        defaults = {each.default for each in self.declared.values()}
        default = f"; default {self.default}" if self.default else ""
        return Option(
            self.name,
            first.type,
            first.default if len(defaults) == 1 else None,
            f"{self.methods}: {self.meaning}{default}.",
            first.choices,
            first.metavar,
        )


def method_options() -> list[MethodOption]:
    """The options of all methods, in the order of the methods.

    >>> next(each.option.help for each in method_options() if each.name == "min_atom_count")
    'mcd, tmcd: how often train must have every atom of test; default 1.'
    """
    declared: dict[str, dict[str, Option]] = {}
    for by, splitter in SPLITTERS.items():
        for option in options_of(splitter):
            declared.setdefault(option.name, {})[by] = option
    return [MethodOption(name, by_method) for name, by_method in declared.items()]


def methods_text(methods: Iterable[str]) -> str:
    """Names of methods, those of a family that are all there as one.

    >>> methods_text(["random", "length:source", "length:tag", "length:target", "pattern:source"])
    'random, length:*, pattern:source'
    """
    named = list(methods)
    texts = []
    for by in named:
        family = by.partition(":")[0] + ":"
        members = [other for other in SPLITTERS if other.startswith(family)]
        whole = len(members) > 1 and all(member in named for member in members)
        texts.append(f"{family}*" if whole else by)
    return ", ".join(dict.fromkeys(texts))


def options_table() -> str:
    """The options of all methods as a table of the documentation."""
    rows = [
        f"| `{_flag(each.option)}` | {', '.join(f'`{by}`' for by in each.methods.split(', '))} "
        f"| {each.default or '–'} | {each.meaning} |"
        for each in method_options()
    ]
    return "\n".join(["| option | methods | default | meaning |", "| --- | --- | --- | --- |", *rows])


def _flag(option: Option) -> str:
    words = {int: " N", float: " X", str: " TEXT", bool: ""}
    return option.flag + (f" {option.metavar}" if option.metavar else words[option.type])
