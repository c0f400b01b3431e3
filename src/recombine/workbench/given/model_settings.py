"""The settings of a model from what `train` is given: `set`, and the options that are short forms of settings.

`steps` is a setting of most models. The other short forms are of NQG, of which `preset` chooses the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, UnknownNameError
from recombine.models.known import find_model
from recombine.workbench.given.short_forms import (
    OF_INDUCTION,
    SHORT_FORMS,
    SWITCHED,
    given_forms,
    model_forms,
)

if TYPE_CHECKING:
    from recombine.models.family import Family

Settings = Mapping[str, Any] | Iterable[str] | str | None
"""Settings by name, or as `key=value`."""


def find_settings(model: str, given: Settings, options: Mapping[str, Any]) -> tuple[Family, str, Mapping[str, Any]]:
    """The family of a model, its preset and all settings; a wrong name or value is refused.

    `options` are short forms by name; one that is none or false is not given.
    """
    short = given_forms(options, model_forms())
    steps, preset = short.pop("steps", None), short.pop("preset", "default")
    if steps is not None and steps < 1:
        raise OptionError(f"the number of steps is {steps}", "give 1 or more")
    family, name = find_model(model)
    if family.name != "nqg":
        of_nqg = (["preset"] if preset != "default" else []) + list(short)
        if of_nqg:
            raise OptionError(f"the model {model} has no option --{_flag(of_nqg[0])}", "it is for --model nqg")
    else:
        _check_flags(short, preset)
        name = _preset(model, name, preset)
    changes = read_settings(family, name, given)
    forms = {SHORT_FORMS[key]: SWITCHED.get(key, str(v) if key.endswith("grammar") else v) for key, v in short.items()}
    neural = next((key for key in ("neural_preset", "encoder") if key in short), None)
    if neural is not None and {**changes, **forms}.get("scorer") != "neural":
        raise OptionError(f"--{_flag(neural)} is for the neural scorer", "give --scorer neural")
    if steps is not None:
        forms |= {_steps_setting(family, name, {**forms, **changes}): steps}
    repeated = next((key for key in forms if key in changes and forms[key] != changes[key]), None)
    if repeated is not None:
        raise OptionError(
            f"{repeated} is given twice, as {changes[repeated]!r} and {forms[repeated]!r}", "give it once"
        )
    family.check()
    return family, name, family.settings(name, {**changes, **forms})


def _check_flags(short: Mapping[str, Any], preset: str) -> None:
    """Refuse options of which one leaves another without meaning, by the names that they have as options."""
    named = (["preset"] if preset != "default" else []) + [name for name in (*OF_INDUCTION, "members") if name in short]
    if "grammar" in short and named:
        raise OptionError(f"--{_flag(named[0])} is for an induction, but there is --grammar", "give one of them")
    if "target_grammar" in short and "any_target" in short:
        raise OptionError("both --target-grammar and --any-target are given", "give one of them")


def _flag(name: str) -> str:
    return name.replace("_", "-")


def _preset(model: str, name: str, preset: str) -> str:
    from recombine.models.nqg.induction.induction_settings import PRESETS

    if preset not in PRESETS:
        raise UnknownNameError("preset", preset, PRESETS)
    if preset == "default":
        return name
    if model not in ("nqg", preset):
        raise OptionError(f"the model {model} and the preset {preset} are both given", "give one of them")
    return preset


def read_settings(family: Family, preset: str, given: Settings) -> dict[str, Any]:
    """The settings in `set`, which may stand there once each."""
    if given is None or isinstance(given, Mapping):
        return dict(given or {})
    read: dict[str, Any] = {}
    for text in [given] if isinstance(given, str) else given:
        name, value = family.read_setting(preset, text)
        if name in read:
            raise OptionError(f"{name} is set twice", "set it once")
        read[name] = value
    return read


def _steps_setting(family: Family, preset: str, changes: Mapping[str, Any]) -> str:
    """The setting that `steps` stands for."""
    if family.name == "nqg":
        return "neural_steps" if changes.get("scorer") == "neural" else "steps"
    if "steps" not in {option.name for option in family.options_of(preset)}:
        raise OptionError(f"the model {preset} has no option --steps", "leave it out")
    return "steps"
