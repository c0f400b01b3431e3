"""Models that look at pictures as a family; in a study, cells of equal settings are trained as one stack."""

from __future__ import annotations

import importlib.util
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from recombine.errors import OptionError, RecombineError, UnknownNameError
from recombine.models.check_settings import check_settings
from recombine.models.family import Family
from recombine.models.model_file import read_model_file
from recombine.models.pictures.picture_data import PictureData
from recombine.models.pictures.picture_settings import PictureSettings
from recombine.models.task import CellOutcome, Task
from recombine.options import options_of
from recombine.records.world import world_digest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.models.pictures.checkpoints.checkpoint_parser import CheckpointParser
    from recombine.models.pictures.parser import PictureParser
    from recombine.options import Option

NAME = "pictures"
SMALL: Mapping[str, Any] = {
    "width": 64,
    "heads": 4,
    "text_layers": 2,
    "region_layers": 2,
    "image_layers": 1,
    "filter_width": 128,
    "features": 64,
    "crop": 20,
    "detector_steps": 200,
    "detector_batch": 512,
    "grounding_steps": 600,
    "grounding_batch": 64,
    "steps": 600,
    "batch": 32,
    "warmup": 50,
    "curve": 100,
    "other_scenes": 600,
    "descriptions": 30_000,
}
PRESETS: Mapping[str, Mapping[str, Any]] = {NAME: {}, f"{NAME}:small": SMALL}
"""Models by name, with what they differ in from the defaults: the usual one wants a GPU, the small one is for a CPU."""
FORM = "recombine-pictures-parser/1"
_FILES = ("other", "randneg")
"""Settings that name files: a signature has a digest of what they hold."""


def check_installed() -> None:
    """Refuse where torch or Pillow is not installed."""
    for module, extra in (("torch", "neural"), ("PIL", "pictures")):
        if importlib.util.find_spec(module) is None:
            called = "Pillow" if module == "PIL" else module
            raise RecombineError(f"picture models need {called}, which is not installed", f"install recombine[{extra}]")


# -- settings -----------------------------------------------------------------------------------------------------


def options(preset: str) -> list[Option]:
    """The declared settings of the network, and of what it learns from, with the defaults of a preset."""
    own = PRESETS[preset]
    declared = [*options_of(PictureSettings), *options_of(PictureData)]
    return [replace(option, default=own.get(option.name, option.default)) for option in declared]


def settings_of(preset: str, changes: Mapping[str, Any]) -> Mapping[str, Any]:
    """All settings with changes; wrong names, types and values are refused."""
    usual = {option.name: option.default for option in options(preset)}
    for name in changes:
        if name not in usual:
            raise UnknownNameError("setting", name, usual)
    check_settings(changes, usual)
    settings = {**usual, **changes}
    network, data = split_settings(settings)
    return {**network.to_dict(), **data.to_dict()}


def split_settings(settings: Mapping[str, Any]) -> tuple[PictureSettings, PictureData]:
    """The settings of the network, and of what it learns from."""
    known = {each.name for each in fields(PictureSettings)}
    return (
        PictureSettings.from_dict({name: value for name, value in settings.items() if name in known}),
        PictureData.of(settings),
    )


# -- one parser ---------------------------------------------------------------------------------------------------


def make(settings: Mapping[str, Any], seed: int, device: str) -> PictureParser | CheckpointParser:
    """A parser of these settings."""
    check_installed()
    network, data = split_settings(settings)
    if network.tunes:
        from recombine.models.pictures.checkpoints.checkpoint_parser import CheckpointParser

        return CheckpointParser(network, data, seed, device)
    from recombine.models.pictures.parser import PictureParser

    return PictureParser(network, data, seed, device)


def save(parser: PictureParser | CheckpointParser, folder: Path, signature: str) -> None:
    """Write a parser to a folder."""
    if parser.settings.tunes:
        from recombine.models.pictures.checkpoints.checkpoint_store import save as write_tuned

        write_tuned(cast("CheckpointParser", parser), folder, FORM, signature)
        return
    from recombine.models.pictures.store import save as write

    write(cast("PictureParser", parser), folder, signature)


def load(folder: Path, device: str) -> PictureParser | CheckpointParser:
    """The parser in a folder."""
    check_installed()
    if "checkpoint" in read_model_file(folder):
        from recombine.models.pictures.checkpoints.checkpoint_store import load as read_tuned

        return read_tuned(folder, device)
    from recombine.models.pictures.store import load as read

    return read(folder, device)


def _signature(
    parser: PictureParser | CheckpointParser, preset: str, settings: Mapping[str, Any], seed: int
) -> dict[str, Any]:
    files = {name: world_digest(settings[name])[:8] for name in _FILES if settings.get(name)}
    changed = FAMILY.changed(preset, settings, leave_out=["variant", "steps", "pictures", *_FILES])
    return {
        "model": preset,
        "variant": _variant(parser.settings),
        "on": "answer",
        "steps": parser.settings.steps,
        **changed,
        **files,
        "model_seed": seed,
    }


def _variant(settings: PictureSettings) -> str:
    """The variant; of a checkpoint its kind, the name of its directory and a digest of what is there."""
    if not settings.tunes:
        return settings.variant
    from recombine.models.pretrained.local_checkpoint import checkpoint_digest

    kind, _, folder = settings.variant.partition(":")
    return f"{kind}:{Path(folder).name}@{checkpoint_digest(folder)[:8]}"


def _facts(parser: PictureParser | CheckpointParser) -> dict[str, Any]:
    words = getattr(parser, "words", None)
    return {
        "variant": _variant(parser.settings),
        "steps": parser.settings.steps,
        "learned": parser.learned,
        "words": None if words is None else len(words),
        "answers": len(parser.answers),
        "used_again": list(getattr(parser, "used_again", ())),
    }


def _describe(value: Mapping[str, Any]) -> str:
    told = f"{value['variant']}: {value['steps']:,} steps on {value['learned']:,} questions, "
    if value["words"] is not None:  # a checkpoint has words of its own
        told += f"{value['words']:,} words, "
    told += f"{value['answers']:,} answers"
    again = value["used_again"]
    return f"{told}; {' and '.join(again)} from the cache" if again else told


# -- cells of a study ---------------------------------------------------------------------------------------------


def run_task(task: Task) -> list[CellOutcome]:
    """The outcomes of a task; where memory is short, halves go on alone."""
    if task.match != "answer":
        problem = 'a picture model gives answers: say match = "answer" in the study'
        return [CellOutcome(error=f"cell {cell.name}: {problem}") for cell in task.cells]
    from recombine.models.pictures.run_task import run_cells

    network, data = split_settings(task.settings)
    if network.tunes:
        problem = "a pretrained checkpoint is trained by `recombine train`, not in a study"
        return [CellOutcome(error=f"cell {cell.name}: {problem}") for cell in task.cells]
    try:
        return run_cells(task, network, data)
    except OptionError as error:
        return [CellOutcome(error=f"cell {cell.name}: {error}") for cell in task.cells]


FAMILY = Family(
    name=NAME,
    title="models that look at several pictures and answer a question",
    presets=lambda: list(PRESETS),
    options=options,
    complete=settings_of,
    texts_alone=False,
    any_world=True,
    check=check_installed,
    make=make,
    save=save,
    load=load,
    form=FORM.partition("/")[0],
    signature=_signature,
    facts=_facts,
    describe=_describe,
    run_task=run_task,
    stacked=True,
    stops_on_dev=True,
    answers=lambda parser: True,  # noqa: ARG005
    revision=1,
)
