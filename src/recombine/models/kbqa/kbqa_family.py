"""Parsers of questions over a knowledge base as a family.

`encoder` names a file or directory. In a study file its path is from the folder of that file, and keys of cells have
the digest of what lies there in its place; where a study gives that as `encoder_digest`, the files are needed only to
train.
"""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, RecombineError
from recombine.models.check_settings import check_settings
from recombine.models.family import Family
from recombine.models.kbqa.asked_query import asked_query
from recombine.models.kbqa.encoder_files import check_encoder, encoder_digest
from recombine.models.kbqa.kbqa_settings import AFTER_TRAINING, PRETRAINED, SCRATCH, WAYS, KbqaSettings
from recombine.models.kbqa.presets import NAME, NEEDED, PRESETS
from recombine.models.kbqa.training_key import REVISION as TRAINING_REVISION
from recombine.models.kbqa.training_key import deciding_settings
from recombine.models.study_path import study_path
from recombine.options import options_of
from recombine.records.world import world_digest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.models.kbqa.parser import KbqaParser
    from recombine.models.task import CellOutcome, Task
    from recombine.options import Option

LANGUAGE = "language"
"""What is told of the data beside the settings: the language of its targets."""
FILES = ("links", "train_links", "names")
"""Settings that may name a file."""
FORM = "recombine-kbqa-parser/1"
ANSWERING_REVISION = 1
"""To be raised by one when a change makes equal trainings answer otherwise; that of trainings is beside their key."""


def check_installed() -> None:
    """Refuse where torch is not installed."""
    if importlib.util.find_spec("torch") is None:
        raise RecombineError(
            "parsers over knowledge bases need torch, which is not installed", "install recombine[neural]"
        )


# -- settings -----------------------------------------------------------------------------------------------------


def options(preset: str) -> list[Option]:
    """The declared settings with the defaults of a preset."""
    own = PRESETS[preset]
    return [replace(each, default=own.get(each.name, each.default)) for each in options_of(KbqaSettings)]


def settings_of(preset: str, changes: Mapping[str, Any]) -> Mapping[str, Any]:
    """All settings of a preset with changes, the digest of the encoder's files among them."""
    usual = {option.name: option.default for option in options(preset)}
    check_settings(changes, usual)
    settings = KbqaSettings.from_dict({**usual, **changes})
    if preset in NEEDED and settings.encoder_kind != NEEDED[preset].partition(":")[0]:
        raise OptionError(f"the preset {preset} has no encoder", f"give encoder={NEEDED[preset]}")
    if settings.encoder_kind == SCRATCH and settings.encoder_digest:
        raise OptionError("encoder_digest is given, and the encoder is scratch", "leave one of them out")
    if not settings.encoder_digest:
        settings = replace(settings, encoder_digest=encoder_digest(settings))
    return settings.to_dict()


def in_folder(changes: Mapping[str, Any], folder: Path) -> Mapping[str, Any]:
    """The settings of a study file in a folder, with the places of encoders and links from there."""
    placed = dict(changes)
    kind, colon, path = str(changes.get("encoder", "")).partition(":")
    if colon and path:
        placed["encoder"] = f"{kind}:{study_path(folder, path)}"
    for name in FILES:
        if isinstance(changes.get(name), str) and changes[name] not in ("", *WAYS):
            placed[name] = str(study_path(folder, changes[name]))
    return placed


def deciding(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """The settings as keys of cells have them: digests in the place of paths."""
    decided = deciding_settings(settings)
    for name in FILES:
        if settings[name] not in ("", *WAYS) and not str(settings[name]).startswith("file@"):
            decided[name] = f"file@{world_digest(settings[name])[:16]}"
    return decided


def check_files(settings: Mapping[str, Any]) -> None:
    """Refuse an encoder whose files are not here, or are others than those of the digest."""
    made = KbqaSettings.from_dict(settings)
    check_encoder(made)
    if made.encoder_kind == PRETRAINED:
        from recombine.models.pretrained.local_checkpoint import check_installed as check_transformers

        check_transformers()


def for_language(settings: Mapping[str, Any], language: str) -> Mapping[str, Any]:
    """The settings, and the language of the targets; one that no S-expression can be made of is refused."""
    from recombine.models.kbqa.sexpression_targets import check_language

    check_language(language)
    return {**settings, LANGUAGE: language}


# -- one parser ---------------------------------------------------------------------------------------------------


def make(settings: Mapping[str, Any], seed: int, device: str) -> KbqaParser:
    """A parser of these settings."""
    from recombine.models.kbqa.parser import KbqaParser

    own = {name: value for name, value in settings.items() if name != LANGUAGE}
    check_files(own)
    return KbqaParser(KbqaSettings.from_dict(own), seed, device, str(settings.get(LANGUAGE, "")))


def save(parser: KbqaParser, folder: Path, signature: str) -> None:
    """Write a parser to a folder."""
    from recombine.models.kbqa.store import save as write

    write(parser, folder, signature)


def load(folder: Path, device: str) -> KbqaParser:
    """The parser in a folder."""
    check_installed()
    from recombine.models.kbqa.store import load as read

    return read(folder, device)


def _signature(parser: KbqaParser, preset: str, settings: Mapping[str, Any], seed: int) -> dict[str, Any]:
    decided = deciding({name: value for name, value in settings.items() if name != LANGUAGE})
    changed = FAMILY.changed(preset, decided, leave_out=("encoder", "encoder_digest"))
    return {"model": preset, "encoder": _encoder(parser.settings), **changed, "model_seed": seed}


def _encoder(settings: KbqaSettings) -> str:
    """The kind of encoder, the name of its file and a digest of what is there."""
    if settings.encoder_kind == SCRATCH:
        return SCRATCH
    return f"{settings.encoder_kind}:{Path(settings.encoder_path).name}@{settings.encoder_digest[:8]}"


def _facts(parser: KbqaParser) -> dict[str, Any]:
    record = parser.record
    assert record is not None  # noqa: S101  # it was fitted
    best = {epoch: share for epoch, _, share in record.curve}.get(record.best_epoch)
    return {
        "encoder": _encoder(parser.settings),
        "learned": parser.learned,
        "left_out": record.left_out,
        "added_items": record.added_items,
        "steps": record.steps,
        "passes": len(record.curve),
        "best_pass": record.best_epoch,
        "dev_exact_match": best,
    }


def _describe(value: Mapping[str, Any]) -> str:
    said = f"{value['encoder']}: {value['passes']} passes over {value['learned']:,} questions"
    if value["dev_exact_match"] is not None:
        said += f", the best of them {value['best_pass']} with {value['dev_exact_match']:.1%} of dev right"
    if value["left_out"]:
        said += f"; {value['left_out']:,} questions left out, whose form this knowledge base or their links do not have"
    if value["added_items"]:
        said += f"; {value['added_items']:,} items of gold forms added to pruned vocabularies"
    return said


def _counted(parser: KbqaParser) -> dict[str, int]:
    from recombine.models.kbqa.answered import COUNTED

    asked = {"questions": parser.counted["questions"]}
    return asked | {said: parser.counted[name] for name, said in COUNTED.items() if name in parser.counted}


def run_task(task: Task) -> list[CellOutcome]:
    """The outcomes of a task's cells; those that answer otherwise with the same training share it."""
    from recombine.models.kbqa.run_task import run_cells

    return run_cells(task)


FAMILY = Family(
    name=NAME,
    title="parsers of questions over a knowledge base, by ranking or transduction",
    presets=lambda: list(PRESETS),
    options=options,
    complete=settings_of,
    for_language=for_language,
    in_folder=in_folder,
    deciding=deciding,
    check_files=check_files,
    texts_alone=False,
    any_world=True,
    at_once=True,
    resumes=True,
    check=check_installed,
    make=make,
    fit_with_dev=lambda parser, examples, dev, world: parser.fit_with_dev(examples, dev, world),
    save=save,
    load=load,
    form=FORM.partition("/")[0],
    signature=_signature,
    facts=_facts,
    describe=_describe,
    after_training=AFTER_TRAINING,
    with_settings=lambda parser, changes: parser.with_settings(**changes),
    query_of=asked_query,
    counted=_counted,
    run_task=run_task,
    stops_on_dev=True,
    abstains=True,
    revision=TRAINING_REVISION + ANSWERING_REVISION,
)
