"""`recombine predict`: what a trained parser gives for a part of a split, alone or with a fallback."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recombine.cli.shared.console import note, print_result, print_signature, tracked, working
from recombine.cli.shared.options import Data, Json, Language, Out, Quiet, Seed, Source, SplitName, Target
from recombine.cli.shared.split_argument import data_and_split
from recombine.cli.verbs.judge.score import AllowMissing, Match, MatchOn, PredictionField

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console
    from rich.table import Table

    from recombine.evaluation.score import Score
    from recombine.models.parser import TextParser
    from recombine.records.dataset import Dataset
    from recombine.records.split import Split

BATCH = 200
"""Sources between two looks at the progress bar."""


def predict(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A parser that `recombine train` made.")],
    data: Data,
    split: SplitName,
    part: Annotated[str, typer.Option(help="The part of the split to predict.")] = "test",
    strict: Annotated[
        bool, typer.Option("--strict", help="nqg: abstain where the best derivation's target is not valid.")
    ] = False,
    fallback: Annotated[
        Path | None, typer.Option(metavar="FILE|FOLDER", help="Where the parser abstains: predictions or a parser.")
    ] = None,
    match: Match = None,
    match_on: MatchOn = "id",
    prediction: PredictionField = "prediction",
    model: Annotated[str | None, typer.Option(help="Whose predictions to take from a fallback of several.")] = None,
    allow_missing: AllowMissing = False,
    device: Annotated[str, typer.Option(help="Where torch computes, for models that need it: cpu or cuda.")] = "",
    out: Out = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Predict a part of a split, and score what comes out."""
    from recombine.files import check_writable, write_whole
    from recombine.models.nqg.hybrid import combine
    from recombine.seeds import check_seed

    start = time.perf_counter()
    check_seed(seed)
    if out is not None:
        check_writable(out)
    parser = _load(folder, strict=strict, device=device)
    other = _load_fallback(fallback, device, match_on=match_on, prediction=prediction, model=model)
    with working(f"loading {data}", quiet=quiet):
        dataset, loaded = data_and_split(data, split, source=source, target=target, language=language, quiet=quiet)
        ids = _ids(dataset, loaded, part)
    began = time.perf_counter()
    own = _predict(parser, dataset, ids, quiet=quiet)
    seconds = {"parser_seconds": time.perf_counter() - began}
    outputs, second = own, None
    if fallback is not None:
        began = time.perf_counter()
        second = _fallback_outputs(other, dataset, ids, part, allow_missing=allow_missing, quiet=quiet)
        seconds["fallback_seconds"] = time.perf_counter() - began
        mixed = combine([own[key] for key in ids], [second[key] for key in ids])
        outputs = dict(zip(ids, mixed, strict=True))
    if out is not None:
        write_whole(out, to_lines(outputs))
    systems = {folder.name: own}
    if fallback is not None and second is not None:
        systems |= {f"{fallback.name} (fallback)": second, "hybrid": outputs}
    scores = _score(dataset, loaded, systems, part, match, quiet=quiet)
    seconds["seconds"] = time.perf_counter() - start
    value = _value(scores, own, seconds, out, seed)
    if "signature" in value:
        value["signature"] = _signed(value["signature"], folder, strict=getattr(parser, "strict", None))

    def show(console: Console) -> None:
        _show(console, scores, value, f"{part} of {split}", own)

    print_result(value, show, as_json=as_json)
    if out is None:
        note("nothing was written; give -o FILE to keep the predictions", quiet=quiet)


def to_lines(outputs: dict[str, str | None]) -> bytes:
    """Predictions as `score` reads them; an abstention is an empty text."""
    import orjson

    return b"".join(orjson.dumps({"id": key, "prediction": text or ""}) + b"\n" for key, text in outputs.items())


# -- predicting ---------------------------------------------------------------------------------------------------


def _load(folder: Path, *, strict: bool, device: str) -> TextParser:
    from recombine.errors import OptionError
    from recombine.models.load_parser import load_parser
    from recombine.models.nqg.model import Nqg

    parser = load_parser(folder, device=device)
    if strict:
        if not isinstance(parser, Nqg):
            raise OptionError(f"{folder} is no NQG parser, so --strict has no meaning", "leave it out")
        parser.strict = True
    return parser


def _load_fallback(path: Path | None, device: str, **options: Any) -> Any:
    """Predictions of a file, or a parser of a folder; none where no fallback was named."""
    from recombine.evaluation.predictions import read_predictions
    from recombine.models.load_parser import load_parser

    if path is None:
        return None
    return load_parser(path, device=device) if path.is_dir() else read_predictions(path, **options)


def _ids(dataset: Dataset, split: Split, part: str) -> list[str]:
    """The ids of a part, each once."""
    from recombine.errors import SplitError

    split.positions(dataset, part)  # refuses ids that are not in the data
    ids = list(dict.fromkeys(split.part(part)))
    if not ids:
        raise SplitError(f"the {part} part is empty, so there is nothing to predict", "choose another part")
    return ids


def _predict(parser: TextParser, dataset: Dataset, ids: Sequence[str], *, quiet: bool) -> dict[str, str | None]:
    """The parser's outputs by id."""
    sources = list(dict.fromkeys(dataset[key].source for key in ids))
    batches = [sources[start : start + BATCH] for start in range(0, len(sources), BATCH)]
    by_source: dict[str, str | None] = {}
    for batch in tracked(batches, "predicting", total=len(batches), quiet=quiet):
        by_source.update(zip(batch, parser.predict(batch), strict=True))
    return {key: by_source[dataset[key].source] for key in ids}


def _fallback_outputs(
    other: Any, dataset: Dataset, ids: Sequence[str], part: str, *, allow_missing: bool, quiet: bool
) -> dict[str, str | None]:
    """The fallback's outputs for all examples, also where they are not needed: it is scored too."""
    from recombine.evaluation.predictions import Predictions, assign

    if not isinstance(other, Predictions):
        return _predict(other, dataset, ids, quiet=quiet)
    outputs = assign(other, dataset, ids, part=part, allow_missing=allow_missing).outputs
    return {key: outputs.get(key) or None for key in ids}


# -- scoring ------------------------------------------------------------------------------------------------------


def _score(
    dataset: Dataset,
    split: Split,
    systems: dict[str, dict[str, str | None]],
    part: str,
    match: str | None,
    *,
    quiet: bool,
) -> dict[str, Score]:
    """The score of each system; empty, and said, where the gold programs cannot be read."""
    from recombine.errors import RecordError
    from recombine.evaluation.predictions import Predictions
    from recombine.evaluation.score import score

    scores = {}
    try:
        for name, outputs in systems.items():
            texts = Predictions.of({key: text or "" for key, text in outputs.items()}, name)
            scores[name] = score(dataset, split, texts, part=part, match=match, matchers={})
    except RecordError as error:
        note(f"not scored: {error}", quiet=quiet)
        return {}
    return scores


def _value(
    scores: dict[str, Score], own: dict[str, str | None], seconds: dict[str, float], out: Path | None, seed: int
) -> dict[str, Any]:
    """The result as JSON: of what was written, and of each system by its role."""
    from recombine.evaluation.compare import compare

    roles = dict(zip(("parser", "fallback", "hybrid"), scores.values(), strict=False))
    records: dict[str, Any] = {role: score.to_record() for role, score in roles.items()}
    last = records[list(records)[-1]] if records else {"n": len(own), "coverage": _covered(own) / len(own)}
    value = {**last, "parser": None, "fallback": None, "hybrid": None, "contrast": None, **records}
    if "hybrid" in roles:
        comparison = compare(roles["fallback"], roles["hybrid"], seed=seed)
        value["contrast"] = comparison.contrasts["exact_match"].to_record()
        value["signature"] = str(comparison.signature)
    times = {"parser_seconds": None, "fallback_seconds": None, **{key: round(took, 3) for key, took in seconds.items()}}
    return {**value, **times, "file": None if out is None else str(out)}


def _signed(signature: str, folder: Path, *, strict: bool | None) -> str:
    """The signature of a score with that of the parser in short."""
    from recombine.models.load_parser import digest
    from recombine.records.signature import Signature

    return str(Signature.parse(signature).with_fields(parser=f"{folder.name}@{digest(folder)}", strict=strict))


def _covered(outputs: dict[str, str | None]) -> int:
    return sum(text is not None for text in outputs.values())


def _show(
    console: Console, scores: dict[str, Score], value: dict[str, Any], title: str, own: dict[str, str | None]
) -> None:
    speed = f"{len(own):,} examples in {value['seconds']:.1f} s"
    if value["fallback_seconds"] is not None:
        speed += f" (parser {value['parser_seconds']:.1f} s, fallback {value['fallback_seconds']:.1f} s)"
    if not scores:
        console.print(f"{title}: {_covered(own):,} of {speed} have an output")
    else:
        console.print(_table(scores, title))
    if value["contrast"] is not None:
        _show_contrast(console, value["contrast"], list(scores.values())[:2])
    console.print(speed + (f", written to {value['file']}" if value["file"] else ""), soft_wrap=True)
    if "signature" in value:
        print_signature(console, value["signature"])


def _table(scores: dict[str, Score], title: str) -> Table:
    """Coverage, precision and accuracy, as in Table 5 of the NQG-T5 paper."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(title)
    for name in ("coverage", "precision", "accuracy", "95 % interval", "right"):
        table.add_column(name, justify="right")
    for name, score in scores.items():
        tally = score.tallies["exact_match"]
        precision = "–" if tally.precision is None else f"{tally.precision:.3f}"
        low, high = tally.interval
        shares = (f"{tally.coverage:.3f}", precision, f"{tally.accuracy:.3f}", f"{low:.3f} to {high:.3f}")
        table.add_row(name, *shares, f"{tally.right:,}")
    return table


def _show_contrast(console: Console, contrast: dict[str, Any], both: Sequence[Score]) -> None:
    from recombine.evaluation.match.judge import Verdict

    own, other = (score.verdicts["exact_match"] for score in both)
    rows = [(one, two) for one, two in zip(own, other, strict=True) if one is not Verdict.ABSTAINED]
    if rows:
        rights = [sum(row[place] is Verdict.RIGHT for row in rows) / len(rows) for place in (0, 1)]
        console.print(
            f"where the parser has an output, it is right in {rights[0]:.3f}, the fallback in {rights[1]:.3f}"
        )
    low, high = contrast["interval"]
    console.print(
        f"hybrid less fallback {contrast['difference']:+.3f} ({low:+.3f} to {high:+.3f}): {contrast['only_second']:,} "
        f"gained, {contrast['only_first']:,} lost; McNemar's exact test p = {contrast['p_value']:.3g}",
        soft_wrap=True,
    )
