"""Data of logical forms as a verb takes it, with what they are compared under."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.progress import note

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.evaluation.match.form_setting import FormSetting
    from recombine.records.dataset import Dataset


def data_and_setting(
    dataset: Dataset,
    *,
    ontology: Path | str | None = None,
    profile: Path | str | None = None,
    by_world: bool = False,
) -> tuple[Dataset, FormSetting | None]:
    """The data, read with the prefixes of the setting, and the setting; none where its targets are no logical forms.

    A note says so where there is no ontology. `by_world` says that names are those of the knowledge base that the data
    is about, where no profile is named.
    """
    from recombine.evaluation.match.form_setting import form_setting, with_prefixes

    setting = form_setting(dataset, ontology=ontology, profile=profile)
    if setting is None:
        for option, value in (("--ontology", ontology), ("--profile", profile)):
            if value is not None:
                raise OptionError(
                    f"{option} is for logical forms, S-expressions and SPARQL, and {dataset.name} has none",
                    f"name their language with --language sexpression or sparql11, or leave out {option}",
                )
        return dataset, None
    world: Any = dataset.opened_world if by_world and profile is None else None
    if world is not None and world.kind == "kb":
        setting = replace(setting, profile=world.profile)
    if setting.ontology is None:
        note("logical forms are compared without an ontology, by their syntax alone; give one with --ontology DIR")
    return with_prefixes(dataset, setting), setting
