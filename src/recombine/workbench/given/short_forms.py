"""Which settings of models have a short form among the options of `train` and `induce`, and these as options.

Names alone stand here. What a short form means, its type and its default come from the declaration of its setting.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from recombine.errors import UnknownNameError
from recombine.options import Option, options_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

OF_INDUCTION: Mapping[str, str] = {
    **{name: name for name in ("restarts", "sample", "terminal_bits", "search_terminal_bits", "effort")},
    "no_repeated_targets": "repeated_targets",
    "no_balance_parentheses": "balance_parentheses",
}
"""Options of `induce` by the settings of an induction that they stand for; `train` has them too."""
SHORT_FORMS: Mapping[str, str] = {
    "grammar": "grammar",
    **OF_INDUCTION,
    "members": "members",
    "prior": "prior",
    "scorer": "scorer",
    "neural_preset": "neural_preset",
    "encoder": "neural_encoder",
    "target_grammar": "target_grammar",
    "any_target": "targets",
    "strict": "strict",
}
"""Options of `train` by the settings of NQG that they stand for."""
SWITCHED: Mapping[str, Any] = {"no_repeated_targets": False, "no_balance_parentheses": False, "any_target": "any"}
"""What switches that are not named as their settings stand for."""
STEPS = ("steps", "neural_steps")
"""The settings that `steps` may stand for, whichever the model has; it is a short form for every family."""


def induction_forms() -> list[Option]:
    """The options of `induce` that are of an induction: its preset, and changes to it.

    >>> next(each.help for each in induction_forms() if each.name == "restarts")
    'Starts of the search; the grammar of the lowest L is kept; default 2.'
    """
    return [_told(each) for each in _of_induction()]


def induction_table() -> str:
    """The same as a table of the documentation; `docs/nqg.md` holds it."""
    rows = [f"| `{each.flag}` | {each.default_text} | {_continued(each.whole_help)} |" for each in _of_induction()]
    return "\n".join(["| option | default | meaning |", "| --- | --- | --- |", *rows])


def _of_induction() -> list[Option]:
    from recombine.models.nqg.induction.induction_settings import PRESET, InductionSettings

    declared = {each.name: each for each in options_of(InductionSettings)}
    return [PRESET, *(_short(name, declared[setting]) for name, setting in OF_INDUCTION.items())]


def model_forms() -> list[Option]:
    """The options of `train` that are short forms of settings.

    >>> next(each.help for each in model_forms() if each.name == "members")
    'nqg: the starts whose rules are joined; default 2.'
    """
    from recombine.models.known import MODELS
    from recombine.models.nqg.induction.induction_settings import PRESET

    nqg = MODELS.find("nqg")
    declared = {each.name: each for each in nqg.options_of(nqg.name)}
    forms = [PRESET, *(_short(name, declared[setting]) for name, setting in SHORT_FORMS.items())]
    return [_steps(), *(replace(each, help=f"{nqg.name}: {_continued(_told(each).help)}.") for each in forms)]


def given_forms(options: Mapping[str, Any], forms: Iterable[Option]) -> dict[str, Any]:
    """What is given, in the order of the forms; a name that is none of them is refused, and a value of another type.

    None, and a switch that is off, are as if they were left out. Texts are left to the model: files may be paths, and
    a model has its own words for a choice that it lacks.
    """
    known = {each.name: each for each in forms}
    unknown = next((name for name in options if name not in known), None)
    if unknown is not None:
        raise UnknownNameError("option", unknown, known)
    given = {name: options[name] for name in known if options.get(name) is not None}
    for name, value in given.items():
        if known[name].type is not str:
            known[name].check(value)
    return {name: value for name, value in given.items() if known[name].type is not bool or value}


def _short(name: str, setting: Option) -> Option:
    """A setting as an option of this name; one that stands for a value of the setting is a switch."""
    if name not in SWITCHED:
        return replace(setting, name=name)
    value = SWITCHED[name]
    text = "no" if value is False else value
    return Option(name, bool, False, f"{setting.name}={text} ({_continued(setting.help)}).")


def _told(option: Option) -> Option:
    """An option whose help tells its choices and its default."""
    default = option.default_text
    told = option.whole_help.rstrip(".") + (f"; default {default}" if default not in ("", "default") else "")
    return replace(option, help=f"{told}.")


def _steps() -> Option:
    """`steps` as the families declare it, each in its words; its default is left to the model."""
    declared = list(_iter_steps())
    by_text: dict[str, list[str]] = {}
    for family, option in declared:
        # What follows is on values of the setting, such as 0, that the short form has not.
        by_text.setdefault(_continued(option.help.partition(";")[0]), []).append(family)
    told = "; ".join(f"{', '.join(families)}: {text}" for text, families in by_text.items())
    return replace(declared[0][1], name="steps", default=None, help=f"{told}.")


def _iter_steps() -> Iterator[tuple[str, Option]]:
    from recombine.models.known import iter_families

    for family in iter_families():
        declared = {each.name: each for each in family.options_of((family.names() or [family.name])[0])}
        yield from ((family.name, declared[name]) for name in STEPS if name in declared)


def _continued(text: str) -> str:
    """A sentence as a part of another."""
    return text[0].lower() + text[1:].rstrip(".")
