"""What a trained parser gives for a part of a split, alone or with a fallback, and how right it is."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, RecordError, SplitError
from recombine.progress import note, tracked
from recombine.workbench.results.result import Result
from recombine.workbench.train import Trained
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.evaluation.answer_score import AnswerScore
    from recombine.evaluation.predictions import Predictions
    from recombine.evaluation.score import Score
    from recombine.models.family import Family
    from recombine.records.dataset import Dataset
    from recombine.records.example import Query
    from recombine.records.split import Split
    from recombine.workbench.given.data_and_split import SplitLike
    from recombine.workbench.given.model_settings import Settings
    from recombine.workbench.given.told import Told
    from recombine.workbench.load import Data

BATCH = 200
"""Queries between two looks at the progress bar."""
HYBRID, ANSWER = "hybrid", "answer"
Outputs = dict[str, str | None]
"""Outputs by the ids of examples; none where a parser abstains."""


@dataclass(frozen=True)
class Source:
    """A parser that outputs come from, with what is known of it."""

    name: str
    family: Family
    parser: Any
    signature: str

    def outputs(self, dataset: Dataset, ids: Sequence[str]) -> Outputs:
        """The parser's outputs by id; those that want texts alone answer equal sources once."""
        world = None if self.family.texts_alone else dataset.opened_world
        parser = self.family.adapted(self.parser)
        queries = self._queries(dataset, ids)
        asked = queries
        if self.family.texts_alone:
            first: dict[str, Query] = {}
            for query in queries:
                first.setdefault(query.source, query)
            asked = list(first.values())
        size = len(asked) if self.family.at_once else BATCH
        batches = [asked[start : start + size] for start in range(0, len(asked), size)]
        found: Outputs = {}
        for batch in batches if self.family.at_once else tracked(batches, "predicting", total=len(batches)):
            found.update(zip((query.id for query in batch), parser.predict(batch, world), strict=True))
        if not self.family.texts_alone:
            return found
        by_source = {query.source: found[query.id] for query in asked}
        return {query.id: by_source[query.source] for query in queries}

    def _queries(self, dataset: Dataset, ids: Sequence[str]) -> list[Query]:
        """What the parser is asked, with what it was told; who answers in words gets all fields, tags too."""
        examples, told = list(map(dataset.__getitem__, ids)), self.told
        if told.tell:
            examples = [replace(each, source=told.source(dataset, each)) for each in examples]
        if not self.answers:
            language = "" if dataset.language is None else dataset.language.name
            world = None if self.family.texts_alone else dataset.opened_world
            return [self.family.query(self.parser, each, language, world) for each in examples]
        return [replace(e.query, context={**e.tags, **e.context}) for e in examples]

    @property
    def told(self) -> Told:
        """What it was told and learned to give."""
        from recombine.workbench.given.told import Told

        return Told.of_signature(self.signature)

    @property
    def answers(self) -> bool:
        """Whether outputs are answers in words."""
        of_family = self.family.answers is not None and self.family.answers(self.parser)
        return of_family or self.told.on == ANSWER

    def guesses(self, dataset: Dataset, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The answers that each output was drawn from, where there were several."""
        if not self.answers or not hasattr(self.parser, "guesses"):
            return {}
        found = self.parser.guesses(self._queries(dataset, ids))
        return {key: tuple(guesses) for key, guesses in zip(ids, found, strict=True) if len(guesses) > 1}

    def check(self, dataset: Dataset) -> None:
        """Refuse data over another world than the one that the parser was fitted over."""
        from recombine.models.load_parser import check_world, signature_world

        if not self.family.any_world:
            check_world(self.name, signature_world(self.signature), dataset.world)


@dataclass(repr=False, eq=False)
class Predicted(Result):
    """Outputs for the examples of a part, with their scores; `write` keeps them as `score` reads them."""

    outputs: Mapping[str, str | None]
    """By id: of the parser, or of the parser and its fallback."""
    own: Mapping[str, str | None]
    """Of the parser alone."""
    scores: Mapping[str, Score]
    """By name: of the parser, its fallback and both together; empty where gold programs cannot be read."""
    parser: str
    """The name and digest of the parser."""
    strict: bool | None
    seconds: Mapping[str, float]
    seed: int
    file: Path | None = field(default=None)
    """Where the outputs were written."""
    guesses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The answers that an output was drawn from, by id, where there were several."""
    words: Mapping[str, AnswerScore] = field(default_factory=dict)
    """What else there is of each score, where outputs are answers in words."""
    counted: Mapping[str, int] = field(default_factory=dict)
    """What the parser counted of what it was asked, by what each is called."""
    set: str = ""
    """The settings that were changed after training."""

    def write(self, path: str | Path) -> Path:
        """Write the outputs as lines of JSON; an abstention is an empty text."""
        from recombine.files import write_whole

        write_whole(path, to_lines(self.outputs, self.guesses))
        self.file = Path(path)
        return self.file

    @property
    def covered(self) -> int:
        """How many examples the parser alone has an output for."""
        return sum(text is not None for text in self.own.values())

    def to_dict(self) -> dict[str, Any]:
        """What `predict --json` prints: of the outputs, and of each system by its role."""
        from recombine.evaluation.compare import compare
        from recombine.records.signature import Signature

        roles = dict(zip(("parser", "fallback", "hybrid"), self.scores.values(), strict=False))
        records: dict[str, Any] = {role: score.to_record() for role, score in roles.items()}
        for role, words in zip(roles, self.words.values(), strict=False):
            records[role] |= words.further()
        alone = {"n": len(self.own), "coverage": self.covered / len(self.own)}
        last = records[list(records)[-1]] if records else alone
        value = {**last, "parser": None, "fallback": None, "hybrid": None, "contrast": None, **records}
        if "hybrid" in roles:
            comparison = compare(roles["fallback"], roles["hybrid"], seed=self.seed)
            value["contrast"] = comparison.contrasts[roles["hybrid"].main].to_record()
            value["signature"] = str(comparison.signature)
        if "signature" in value:
            signature = Signature.parse(value["signature"])
            told = {"parser": self.parser, "strict": self.strict, "set": self.set or None}
            value["signature"] = str(signature.with_fields(**told))
        times = {"parser_seconds": None, "fallback_seconds": None}
        return {
            **value,
            **times,
            **{key: round(took, 3) for key, took in self.seconds.items()},
            **({"counted": dict(self.counted)} if self.counted else {}),
            "file": None if self.file is None else str(self.file),
        }

    def __str__(self) -> str:
        scored = "".join(f", {name} {score.tally.accuracy:.3f}" for name, score in self.scores.items())
        return f"{self.parser}: {self.covered:,} of {len(self.own):,} examples have an output{scored}"


def outputs_of(given: Any) -> Any:
    """What `predict` gave, as verbs take predictions: outputs by id, or records; all else as it is."""
    if not isinstance(given, Predicted):
        return given
    if not given.guesses:
        return given.outputs
    return [{"id": key, "prediction": text or "", **_drawn(key, given.guesses)} for key, text in given.outputs.items()]


def _drawn(key: str, guesses: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
    return {"guesses": list(guesses[key])} if key in guesses else {}


@verb
def predict(
    folder: str | Path | Trained,
    data: Data,
    split: SplitLike,
    *,
    part: str = "test",
    strict: bool = False,
    fallback: str | Path | Trained | None = None,
    match: str | None = None,
    match_on: str = "id",
    prediction: str = "prediction",
    model: str | None = None,
    allow_missing: bool = False,
    set: Settings = None,  # noqa: A002
    device: str = "",
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
    world: str | Path | None = None,
    seed: int = 0,
) -> Predicted:
    """Predict a part of a split with a parser that `train` made, and score what comes out.

    `fallback` is a file of predictions, or another parser, for where the parser abstains. `set` holds settings that may
    change after training, of models that have some, by name or as `key=value`.
    """
    from recombine.models.hybrid import combine
    from recombine.seeds import check_seed
    from recombine.workbench.given.data_and_split import data_and_split

    start = time.perf_counter()
    check_seed(seed)
    parser = _load(folder, strict=strict, allow_missing=allow_missing, device=device)
    parser, changed = _changed(parser, set)
    other = _load_fallback(fallback, device, match_on=match_on, prediction=prediction, model=model)
    dataset, loaded = data_and_split(data, split, source=source, target=target, language=language, world=world)
    ids = _ids(dataset, loaded, part)
    _check_match(dataset, match)
    for each in (parser, other):
        if isinstance(each, Source):
            each.check(dataset)
    began = time.perf_counter()
    own = parser.outputs(dataset, ids)
    seconds = {"parser_seconds": time.perf_counter() - began}
    # The outputs of both are called `hybrid`, as a folder may be.
    systems, outputs = {f"{parser.name} (parser)" if other and parser.name == HYBRID else parser.name: own}, own
    if other is not None:
        began = time.perf_counter()
        second = _fallback_outputs(other, dataset, ids, part, allow_missing=allow_missing)
        seconds["fallback_seconds"] = time.perf_counter() - began
        mixed = combine([own[key] for key in ids], [second[key] for key in ids])
        outputs = dict(zip(ids, mixed, strict=True))
        systems |= {f"{other.name} (fallback)": second, HYBRID: outputs}
    guesses, words = parser.guesses(dataset, ids) if other is None else {}, {}
    if parser.answers:
        words = _score_answers(dataset, loaded, systems, guesses, part)
        scores = {name: each.score for name, each in words.items()}
    else:
        scores = _score(dataset, loaded, systems, part, match)
    seconds["seconds"] = time.perf_counter() - start
    strict_too = getattr(parser.parser, "strict", None)
    counted = {} if parser.family.counted is None else parser.family.counted(parser.parser)
    return Predicted(
        outputs,
        own,
        scores,
        _named(parser),
        strict_too,
        seconds,
        seed,
        guesses=guesses,
        words=words,
        counted=counted,
        set=changed,
    )


def to_lines(outputs: Mapping[str, str | None], guesses: Mapping[str, tuple[str, ...]] | None = None) -> bytes:
    """Predictions as `score` reads them; an abstention is an empty text."""
    import orjson

    drawn = guesses or {}
    rows = ({"id": key, "prediction": text or "", **_drawn(key, drawn)} for key, text in outputs.items())
    return b"".join(orjson.dumps(row) + b"\n" for row in rows)


# -- parsers ------------------------------------------------------------------------------------------------------


def _load(folder: str | Path | Trained, *, strict: bool, allow_missing: bool, device: str) -> Source:
    from recombine.models.hybrid import HybridParser, OutputsById

    loaded = _load_source(folder, device)
    parser = loaded.parser
    if strict:
        from recombine.models.nqg.model import Nqg

        if not isinstance(parser, Nqg):
            raise OptionError(f"{folder} is no NQG parser, so --strict has no meaning", "leave it out")
        parser = replace(parser, strict=True)
    if allow_missing and isinstance(parser, HybridParser) and isinstance(parser.fallback, OutputsById):
        parser = replace(parser, fallback=replace(parser.fallback, allow_missing=True))
    return replace(loaded, parser=parser)


def _changed(parser: Source, given: Settings) -> tuple[Source, str]:
    """A parser with other settings of answering, and what a signature says of them."""
    from recombine.workbench.given.model_settings import read_settings

    family = parser.family
    if given and family.with_settings is None:
        family.changed_after(parser.parser, {})  # refuses: it has none
    changes = read_settings(family, family.names()[0], given)
    if not changes:
        return parser, ""
    made = replace(parser, parser=family.changed_after(parser.parser, changes))
    return made, ",".join(f"{name}={_said(value)}" for name, value in sorted(changes.items()))


def _said(value: Any) -> str:
    """A setting as a signature says it: of a file its content."""
    from recombine.records.world import world_digest

    is_file = isinstance(value, str) and bool(value) and Path(value).is_file()
    return f"file@{world_digest(value)[:8]}" if is_file else str(value)


def _load_source(folder: str | Path | Trained, device: str) -> Source:
    from recombine.models.load_parser import find_saved_family, load_parser, read_record

    if isinstance(folder, Trained):
        return Source(folder.model, folder.family, folder.parser, folder.signature)
    path = Path(folder)
    family = find_saved_family(path)
    parser = load_parser(path, device=device)
    return Source(path.name, family, parser, str(read_record(path).get("signature") or ""))


def _named(parser: Source) -> str:
    from recombine.models.load_parser import signature_digest

    return f"{parser.name}@{signature_digest(parser.signature)}"


def _load_fallback(path: str | Path | Trained | None, device: str, **options: Any) -> Source | Predictions | None:
    """Predictions of a file, or a parser of a folder; none where no fallback was named."""
    from recombine.evaluation.predictions import read_predictions

    if path is None:
        return None
    if isinstance(path, Trained) or Path(path).is_dir():
        return _load_source(path, device)
    return read_predictions(path, **options)


def _ids(dataset: Dataset, split: Split, part: str) -> list[str]:
    """The ids of a part, each once."""
    split.positions(dataset, part)  # refuses ids that are not in the data
    ids = list(dict.fromkeys(split.part(part)))
    if not ids:
        raise SplitError(f"the {part} part is empty, so there is nothing to predict", "choose another part")
    return ids


def _fallback_outputs(
    other: Source | Predictions, dataset: Dataset, ids: Sequence[str], part: str, *, allow_missing: bool
) -> Outputs:
    """The fallback's outputs for all examples, also where they are not needed: it is scored too."""
    from recombine.evaluation.predictions import assign

    if isinstance(other, Source):
        return other.outputs(dataset, ids)
    outputs = assign(other, dataset, ids, part=part, allow_missing=allow_missing).outputs
    return {key: outputs.get(key) or None for key in ids}


# -- scoring ------------------------------------------------------------------------------------------------------


def _check_match(dataset: Dataset, match: str | None) -> None:
    """Refuse a form of exact match that there is not, before hours of predicting."""
    from recombine.evaluation.match.exact_match import make_reader

    if match is not None:
        make_reader(dataset.language, match)


def _score_answers(
    dataset: Dataset,
    split: Split,
    systems: Mapping[str, Outputs],
    guesses: Mapping[str, tuple[str, ...]],
    part: str,
) -> dict[str, AnswerScore]:
    """The score of each system that answers in words."""
    from recombine.evaluation.answer_score import score_answers
    from recombine.evaluation.answers.answer_table import usual_table
    from recombine.evaluation.predictions import PredictionRecord, Predictions

    return {
        name: score_answers(
            dataset,
            split,
            Predictions(
                name,
                tuple(
                    PredictionRecord(f"id {key}", key, text or "", guesses=guesses.get(key, ()))
                    for key, text in outputs.items()
                ),
            ),
            usual_table(),
            part=part,
        )
        for name, outputs in systems.items()
    }


def _score(
    dataset: Dataset, split: Split, systems: Mapping[str, Outputs], part: str, match: str | None
) -> dict[str, Score]:
    """The score of each system; empty, and said, where the gold programs cannot be read."""
    from recombine.evaluation.predictions import Predictions
    from recombine.evaluation.score import score

    scores = {}
    try:
        for name, outputs in systems.items():
            texts = Predictions.of({key: text or "" for key, text in outputs.items()}, name)
            scores[name] = score(dataset, split, texts, part=part, match=match, matchers={})
    except RecordError as error:
        note(f"not scored: {error}")
        return {}
    return scores
