"""A family of models: all that `train`, `predict` and studies need to know of it.

A family has presets, declared settings, and a way to make a parser of them. Parsers are fitted and predict by
themselves (see `parser`). `save` writes a parser to a folder whose `model.json` names the family's form, and `load`
reads it back (see `model_file`).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, RecombineError, UnknownNameError
from recombine.models.check_settings import check_settings
from recombine.models.parser import TextsAlone
from recombine.models.task import CellOutcome
from recombine.records.world import opened

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from recombine.models.parser import Parser
    from recombine.models.task import Task, TaskCell
    from recombine.options import Option
    from recombine.records.example import Example, Query
    from recombine.records.world import World


def _nothing() -> None:
    """Nothing is needed."""


@dataclass(frozen=True, kw_only=True)
class Family:
    """A family of models by name; what is left out has a plain way of its own.

    >>> from recombine.options import Option
    >>> class Echo:
    ...     def __init__(self, upper): self.upper = upper
    ...     def fit(self, pairs): return self
    ...     def predict(self, sources): return [text.upper() if self.upper else text for text in sources]
    >>> option = Option("upper", bool, True, "Whether answers are in capitals.")
    >>> echo = Family(name="echo", options=(option,), make=lambda settings, seed, device: Echo(settings["upper"]))
    >>> echo.settings("echo", {"upper": False})
    {'upper': False}
    """

    name: str
    make: Callable[[Mapping[str, Any], int, str], Any]
    """A parser of all settings, a seed and a device; one that learned nothing yet."""
    options: Sequence[Option] | Callable[[str], Sequence[Option]] = ()
    """The settings: name, type, default and help of each; or those of a preset, with its defaults."""
    presets: Callable[[], Sequence[str]] | None = None
    """The names of models; where none are given, the family's own."""
    accepts: Callable[[str], bool] = lambda name: False  # noqa: ARG005
    """Whether a name that is no preset is a model of the family all the same."""
    complete: Callable[[str, Mapping[str, Any]], Mapping[str, Any]] | None = None
    """All settings of a preset with changes, where there is more to say than that their names and types are right."""
    for_language: Callable[[Mapping[str, Any], str], Mapping[str, Any]] | None = None
    """The settings for data whose targets are in a language; its name is empty where it is not known."""
    texts_alone: bool = True
    """Whether parsers want texts (`TextParser`), or examples and a world (`Parser`)."""
    check: Callable[[], None] = _nothing
    """Refuses, with what to install, where the family cannot be trained on this machine."""
    fit: Callable[[Any, Sequence[Example], World | None], Any] | None = None
    """Fits a parser, where there is more to it than its `fit`."""
    fit_with_dev: Callable[[Any, Sequence[Example], Sequence[Example], World | None], Any] | None = None
    """Fits a parser that stops on other examples than it learns from; those are none where a split has no dev part."""
    before_saving: Callable[[Any, Sequence[Example]], None] | None = None
    """What is added to a fitted parser that is kept, from the examples that it was fitted with."""
    save: Callable[[Any, Path, str], None] | None = None
    """Writes a parser and its signature to a folder."""
    load: Callable[[Path, str], Any] | None = None
    """The parser in a folder, on a device."""
    form: str = ""
    """What `form` in `model.json` says before the number of its version; where nothing is given, the name."""
    signature: Callable[[Any, str, Mapping[str, Any], int], Mapping[str, Any]] | None = None
    """What a signature says of a fitted parser, from its preset, settings and seed."""
    facts: Callable[[Any], Mapping[str, Any]] | None = None
    """What is worth knowing of a fitted parser, as JSON values."""
    describe: Callable[[Mapping[str, Any]], str] | None = None
    """The same for a person, from the facts and the number of `examples`."""
    noted: Callable[[Any], Mapping[str, Any]] | None = None
    """What of a fitted parser belongs in the result of a cell of a study, as JSON values that stay the same."""
    run_task: Callable[[Task], list[CellOutcome]] | None = None
    """Trains the cells of a study's task; where it is left out, each is fitted by itself."""
    stops_on_dev: bool = False
    """Whether training looks at the dev part, so that it decides the result; a study gives its rows along."""
    stacked: bool = False
    """Whether cells are trained together; else each is a task of its own."""
    revision: int = 1
    """To be raised by one when a change makes equal settings give other results; it is in the keys of cells."""
    title: str = ""
    """What kind of model it is, in a few words."""
    any_world: bool = False
    """Whether a parser serves for other worlds than the one that it was fitted over, as one that looks at pictures."""
    in_folder: Callable[[Mapping[str, Any], Path], Mapping[str, Any]] | None = None
    """Settings of a study file in a folder, with the paths in them read from there."""
    deciding: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    """The settings as keys and records of cells have them: content in the place of paths."""
    check_files: Callable[[Mapping[str, Any]], None] | None = None
    """Refuses settings whose files are not on this machine, with what to get; called before cells are trained."""
    after_training: Sequence[str] = ()
    """Settings that may change after training: how a parser answers."""
    with_settings: Callable[[Any, Mapping[str, Any]], Any] | None = None
    """A parser with other settings of answering."""
    query_of: Callable[[Any, Example, str, World | None], Query] | None = None
    """What a parser is asked of an example, whose target is in a language that may be empty; where left out, its
    `query`."""
    at_once: bool = False
    """Whether queries are to be asked all at once, since there is much to prepare."""
    resumes: bool = False
    """Whether parsers have a `work`, a folder for checkpoints from which a training that was ended goes on."""
    counted: Callable[[Any], Mapping[str, int]] | None = None
    """What there is to count of what a parser was asked so far, by what each is called."""
    abstains: bool = False
    """Whether its parsers give no output where nothing that they know fits. Where they always give one, an output that
    is empty is a wrong one like others, and its models are none that abstain."""
    answers: Callable[[Any], bool] | None = None
    """Whether what a parser gives are answers in words, to be compared with the field `answer`; else they are
    programs. Such a parser may have `guesses(queries)`: the answers of equal chance that each of its own is one of."""

    # -- names and settings ---------------------------------------------------------------------------------------

    def names(self) -> list[str]:
        """The names of its models."""
        return [self.name] if self.presets is None else list(self.presets())

    def options_of(self, preset: str) -> tuple[Option, ...]:
        """The declared settings of a preset with its defaults."""
        return tuple(self.options(preset) if callable(self.options) else self.options)

    def settings(self, preset: str, changes: Mapping[str, Any]) -> Mapping[str, Any]:
        """All settings of a preset with changes; a wrong name or value is refused."""
        if self.complete is not None:
            return self.complete(preset, changes)
        usual = {option.name: option.default for option in self.options_of(preset)}
        check_settings(changes, usual)
        return {**usual, **changes}

    def read_setting(self, preset: str, text: str) -> tuple[str, Any]:
        """The name and value of `key=value`.

        >>> from recombine.models.known import find_model
        >>> find_model("cfq:lstm")[0].read_setting("cfq:lstm", "dropout=1e-1")
        ('dropout', 0.1)
        """
        name, equals, value = text.partition("=")
        if not equals:
            raise RecombineError(f"the setting {text!r} has no value", "write KEY=VALUE")
        known = {option.name: option for option in self.options_of(preset)}
        if name not in known:
            raise UnknownNameError("setting", name, known)
        return name, known[name].read(value)

    def in_language(self, settings: Mapping[str, Any], language: str) -> Mapping[str, Any]:
        """The settings for data whose targets are in a language."""
        return settings if self.for_language is None else self.for_language(settings, language)

    # -- parsers --------------------------------------------------------------------------------------------------

    def adapted(self, parser: Any) -> Parser:
        """One of its parsers as one of examples and a world."""
        return TextsAlone(parser) if self.texts_alone else parser

    def fit_parser(
        self, parser: Any, examples: Sequence[Example], world: World | None, dev: Sequence[Example] = ()
    ) -> None:
        """Let a parser learn; `dev` is for families that stop on other examples than they learn from."""
        if self.fit_with_dev is not None:
            self.fit_with_dev(parser, examples, dev, world)
        elif self.fit is not None:
            self.fit(parser, examples, world)
        else:
            self.adapted(parser).fit(examples, world)

    def query(self, parser: Any, example: Example, language: str, world: World | None) -> Query:
        """What a parser is asked of an example."""
        return example.query if self.query_of is None else self.query_of(parser, example, language, world)

    def decided_by(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        """The settings as keys and records of cells have them."""
        return settings if self.deciding is None else self.deciding(settings)

    def changed_after(self, parser: Any, changes: Mapping[str, Any]) -> Any:
        """A parser that was trained, with other settings of answering."""
        wrong = next((name for name in changes if name not in self.after_training), None)
        if wrong is None and self.with_settings is not None:
            return self.with_settings(parser, changes)
        if self.with_settings is None:
            problem = f"parsers of the family {self.name} have no settings that change after training"
            raise OptionError(problem, "leave out --set")
        problem = f"the setting {wrong} does not change after training"
        raise OptionError(problem, f"train again; of a trained parser change {', '.join(self.after_training)}")

    def train_cells(self, task: Task) -> list[CellOutcome]:
        """The outcomes of a task's cells."""
        if self.run_task is not None:
            return self.run_task(task)
        return [self.plain_outcome(task, cell) for cell in task.cells]

    def plain_outcome(self, task: Task, cell: TaskCell) -> CellOutcome:
        """The outcome of a cell whose parser is fitted and asked by itself."""
        began = time.monotonic()
        try:
            world = None if self.texts_alone else opened(task.world)
            parser = self.make(self.in_language(task.settings, task.language), cell.seed, task.device)
            dev = [task.examples[row] for row in cell.dev]
            self.fit_parser(parser, [task.examples[row] for row in cell.train], world, dev)
            asked = [self.query(parser, task.examples[row], task.language, world) for row in cell.test]
            outputs = self.adapted(parser).predict(asked, world)
        except RecombineError as error:
            return CellOutcome(error=f"cell {cell.name}: {error}")
        notes = {} if self.noted is None else self.noted(parser)
        return CellOutcome(tuple(output or "" for output in outputs), (), notes, time.monotonic() - began)

    def signature_fields(self, parser: Any, preset: str, settings: Mapping[str, Any], seed: int) -> Mapping[str, Any]:
        """What a signature says of a fitted parser: model, changed settings and seed."""
        if self.signature is not None:
            return self.signature(parser, preset, settings, seed)
        return {"model": preset, **self.changed(preset, settings), "model_seed": seed}

    def changed(self, preset: str, settings: Mapping[str, Any], *, leave_out: Sequence[str] = ()) -> dict[str, str]:
        """The settings that differ from the preset's, as one field of a signature; empty where none do."""
        usual = {option.name: option.default for option in self.options_of(preset) if option.name not in leave_out}
        texts = [f"{name}={settings[name]}" for name in usual if name in settings and settings[name] != usual[name]]
        return {"settings": ",".join(texts)} if texts else {}
