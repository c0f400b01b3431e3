"""A parser from the examples of a part of a split."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.progress import working
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from recombine.models.family import Family
    from recombine.options import Option
    from recombine.records.dataset import Dataset
    from recombine.records.example import Example
    from recombine.records.split import Split
    from recombine.workbench.given.data_and_split import SplitLike
    from recombine.workbench.given.model_settings import Settings
    from recombine.workbench.given.told import Told
    from recombine.workbench.load import Data

DEV = "dev"


@dataclass(repr=False, eq=False)
class Trained(Result):
    """A fitted parser; `write` keeps it in a folder, from which `predict` takes it."""

    model: str
    parser: Any
    """As its family makes them; `Family.adapted` makes it one of examples."""
    family: Family
    examples: int
    """How many it has learned from."""
    facts: Mapping[str, Any]
    """What is worth knowing of it."""
    signature: str
    seconds: float
    folder: Path | None = field(default=None)
    """Where it was written."""

    @property
    def interrupted(self) -> bool:
        """Whether training ended before its time."""
        return bool(self.facts.get("interrupted"))

    @property
    def description(self) -> str:
        """What was trained, for a person."""
        value = {**self.facts, "examples": self.examples}
        return f"{self.examples:,} examples" if self.family.describe is None else self.family.describe(value)

    def write(self, folder: str | Path) -> Path:
        """Keep the parser in a folder, which is made where it is missing."""
        from recombine.models.model_file import check_model_folder

        folder = Path(folder)
        check_model_folder(folder)
        if self.family.save is None:
            raise OptionError(f"parsers of the family {self.family.name} cannot be kept", "give it a way to save")
        self.family.save(self.parser, folder, self.signature)
        self.folder = folder
        return folder

    def to_dict(self) -> dict[str, Any]:
        """What `train --json` prints."""
        return {
            "model": self.model,
            "examples": self.examples,
            **self.facts,
            "signature": self.signature,
            "folder": None if self.folder is None else str(self.folder),
            "seconds": round(self.seconds, 3),
        }

    def __str__(self) -> str:
        return f"{self.model}: {self.description}"


@verb
def train(
    data: Data,
    split: SplitLike | None = None,
    *,
    model: str = "nqg",
    part: str = "train",
    on: str = "target",
    tell: str | Iterable[str] = (),
    set: Settings = None,  # noqa: A002
    device: str = "",
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
    world: str | Path | None = None,
    work: str | Path | None = None,
    seed: int = 0,
    **options: Any,
) -> Trained:
    """Train a parser on one part of a split, or on all the data.

    With `on="answer"` it learns the field `answer` in place of the target; `tell` names fields that it is told behind
    the source, such as `count:images`, the number of them. `set` holds settings of the model by name, or as
    `key=value`; `options` are short forms of settings (`train.declared()` lists them). `work` is a folder for
    checkpoints, for models that have them: the same call goes on from there after a kill. Models that stop early do so
    on the dev part of the split.

    >>> pairs = [("jump", "J"), ("walk", "W"), ("look", "L"), ("jump twice", "J J"), ("walk twice", "W W")]
    >>> train(pairs, set={"restarts": 1}).parser.predict(["look twice"])
    ['L L']
    """
    from recombine.records.signature import Signature
    from recombine.records.world import world_text
    from recombine.seeds import check_seed
    from recombine.workbench.given.data_and_split import find_split, loading
    from recombine.workbench.given.examples_to_learn import examples_to_learn
    from recombine.workbench.given.model_settings import find_settings
    from recombine.workbench.given.told import TARGET, Told
    from recombine.workbench.load import load_for

    began = time.perf_counter()
    check_seed(seed)
    told = Told.checked(on, tell)
    family, name, settings = find_settings(model, set, options)
    with working(loading(data)):
        named = [] if split is None else [split]
        dataset = load_for(data, named, source=source, target=target, language=language, world=world)
        loaded = None if split is None else find_split(dataset, split)
        examples = [told.taught(dataset, example) for example in examples_to_learn(dataset, loaded, part)]
        dev = _dev(dataset, loaded, part) if family.fit_with_dev is not None else []
    language_of = dataset.language if told.on == TARGET else None  # answers are of none
    settings = family.in_language(settings, "" if language_of is None else language_of.remembered)
    about = None if family.texts_alone else dataset.opened_world
    parser = family.make(settings, seed, device)
    if family.resumes and work is not None:
        parser.work = Path(work)
    family.fit_parser(parser, examples, about, dev)
    if family.before_saving is not None:
        family.before_saving(parser, examples)
    made = Signature.of(data=dataset, part="all") if loaded is None else loaded.signature.with_fields(part=part)
    fields = dict(family.signature_fields(parser, name, settings, seed))
    signature = str(made.with_fields(**{**fields, **_given(told)}, world=world_text(about) or None))
    facts = {} if family.facts is None else dict(family.facts(parser))
    return Trained(model, parser, family, len(examples), facts, signature, time.perf_counter() - began)


def _dev(dataset: Dataset, split: Split | None, part: str) -> list[Example]:
    """The examples of the dev part of a split; none where it has none, or is itself learned from."""
    if split is None or part == DEV or not split.parts.get(DEV):
        return []
    return [dataset[row] for row in split.positions(dataset, DEV)]


def _given(told: Told) -> dict[str, str]:
    return {name: value for name, value in told.fields.items() if value is not None}


def declared() -> Sequence[Option]:
    """The settings that have a short form."""
    from recombine.workbench.given.short_forms import model_forms

    return model_forms()


train.declared = declared  # type: ignore[attr-defined]
