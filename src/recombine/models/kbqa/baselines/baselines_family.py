"""Baselines of questions over a knowledge base as a family: what `train`, `predict` and studies can name."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError, OptionError, RecombineError
from recombine.files import make_folder
from recombine.models.check_settings import check_settings
from recombine.models.family import Family
from recombine.models.kbqa.asked_query import asked_query
from recombine.models.kbqa.baselines.baseline_settings import CHOICES, BaselineSettings
from recombine.models.kbqa.kbqa_family import FILES, LANGUAGE, for_language, in_folder
from recombine.models.kbqa.kbqa_settings import WAYS
from recombine.models.model_file import MODEL, read_model_file, write_model_file
from recombine.options import options_of
from recombine.records.world import world_digest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from recombine.models.kbqa.baselines.baseline_parser import BaselineParser
    from recombine.options import Option

NAME = "kbqa-baselines"
FORM = "recombine-kbqa-baseline/1"
REVISION = 2
"""To be raised by one when a change makes equal settings give other results."""
TAGGED = "tagger.npz"
"""The file of what marks mentions, where there is one."""


PRESETS = {f"kbqa-{choice}": choice for choice in CHOICES}
"""The names of models, and what each chooses by."""


def options(preset: str) -> list[Option]:
    """The declared settings of a preset."""
    own = {"choice": PRESETS[preset]}
    return [replace(each, default=own.get(each.name, each.default)) for each in options_of(BaselineSettings)]


def settings_of(preset: str, changes: Mapping[str, Any]) -> Mapping[str, Any]:
    """All settings of a preset with changes."""
    usual = {option.name: option.default for option in options(preset)}
    check_settings(changes, usual)
    if changes.get("choice", usual["choice"]) != usual["choice"]:
        raise OptionError(f"{preset} with choice={changes['choice']}", f"name the model kbqa-{changes['choice']}")
    return asdict(BaselineSettings(**{**usual, **changes}))


def deciding(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """The settings as keys of cells have them: digests in the place of files."""
    return {name: _digest(value) if name in FILES else value for name, value in settings.items()}


def _digest(place: str) -> str:
    return place if place in ("", *WAYS) or place.startswith("file@") else f"file@{world_digest(place)[:16]}"


def make(settings: Mapping[str, Any], seed: int, device: str) -> BaselineParser:
    """A parser that has learned nothing yet."""
    from recombine.models.kbqa.baselines.baseline_parser import BaselineParser, make_baseline

    del device
    own = BaselineSettings(**{name: value for name, value in settings.items() if name != LANGUAGE})
    return BaselineParser(own, seed, make_baseline(own.choice, seed), str(settings.get(LANGUAGE, "")))


def save(parser: BaselineParser, folder: Path, signature: str) -> None:
    """Write a parser to a folder."""
    if parser.tagger is not None:
        parser.tagger.save(make_folder(folder) / TAGGED)
    write_model_file(
        folder,
        FORM,
        signature,
        settings=asdict(parser.settings),
        seed=parser.seed,
        language=parser.language,
        learned=parser.baseline.to_dict(),
        tagger=parser.tagger is not None,
    )


def load(folder: Path, device: str) -> BaselineParser:
    """The parser in a folder."""
    from recombine.kb.linking.tagger import Tagger
    from recombine.models.kbqa.baselines.baseline_parser import BaselineParser, read_baseline

    del device
    record = read_model_file(folder)
    try:
        settings, seed = BaselineSettings(**record["settings"]), int(record["seed"])
        baseline = read_baseline(settings.choice, record["learned"], seed)
        tagger = Tagger.load(folder / TAGGED) if record["tagger"] else None
        return BaselineParser(settings, seed, baseline, str(record["language"]), tagger)
    except (KeyError, TypeError, ValueError, RecombineError) as error:
        raise InputFileError(f"{folder / MODEL}: is not whole ({error})", "train it again") from error


def _facts(parser: BaselineParser) -> dict[str, Any]:
    learned = parser.baseline.to_dict()
    return {"choice": parser.settings.choice, **{name: len(kept) for name, kept in learned.items() if name in _KEPT}}


def _describe(value: Mapping[str, Any]) -> str:
    kept = ", ".join(f"{value[name]:,} {name}" for name in _KEPT if name in value)
    return f"{value['examples']:,} examples; {value['choice']}" + (f" of {kept}" if kept else "")


_KEPT = ("templates", "words")
FAMILY = Family(
    name=NAME,
    title="answers over a knowledge base without a network: what parsers have to beat",
    presets=lambda: list(PRESETS),
    options=options,
    complete=settings_of,
    for_language=for_language,
    in_folder=in_folder,
    deciding=deciding,
    texts_alone=False,
    any_world=True,
    at_once=True,
    make=make,
    save=save,
    load=load,
    form=FORM.partition("/")[0],
    facts=_facts,
    describe=_describe,
    after_training=("links", "names", "hops", "answer_class", "beyond"),
    with_settings=lambda parser, changes: parser.with_settings(**changes),
    query_of=asked_query,
    abstains=True,
    revision=REVISION,
)
