"""The score of pairs of a gold program and an output, by one matcher or several."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import OptionError, UnknownNameError
from recombine.evaluation.match.exact_match import FORMS, default_form, make_reader
from recombine.evaluation.match.matchers import EXACT, MATCHERS, Matcher, further_matchers
from recombine.evaluation.match.spider.read_schemas import published_schemas
from recombine.evaluation.pairs.judge_pairs import check_databases, judge_pairs
from recombine.evaluation.predictions import Assigned
from recombine.evaluation.score import Score
from recombine.evaluation.statistics.intervals import LEVEL
from recombine.records.signature import Signature

if TYPE_CHECKING:
    from collections.abc import Collection

    from recombine.evaluation.match.judge import Tally
    from recombine.evaluation.match.spider.read_schemas import Schemas
    from recombine.evaluation.pairs.pair_file import PairFile
    from recombine.languages.language import Language

SQL_METRICS = ("set_match", "spider")
"""What compares SQL, whatever language is named or not."""
_OUTCOMES = {"malformed": "unreadable", "unsupported": "gold_unreadable"}


@dataclass(frozen=True)
class PairScore:
    """The score of a file of pairs, as any other score has it, with the numbers of the pairs."""

    score: Score
    numbers: tuple[int | str, ...]

    def further(self) -> dict[str, Any]:
        """What stands in JSON besides what other scores have."""
        tally = self.score.tally
        return {"accuracy": tally.accuracy, "unreadable": tally.malformed, "outcomes": outcomes(tally)}

    def to_lines(self) -> bytes:
        """JSON lines `{"n", "match"}`, one for each pair."""
        rows = zip(self.numbers, self.score.is_right, strict=True)
        return b"".join(orjson.dumps({"n": n, "match": is_right}) + b"\n" for n, is_right in rows)


def score_pairs(
    file: PairFile,
    *,
    match: str | None = None,
    metrics: Collection[str] = (),
    language: Language | None = None,
    schemas: Schemas | None = None,
) -> PairScore:
    """Score pairs by `match`, a form of exact match or the name of a matcher, and by further matchers."""
    form = str(default_form(language) if match in (None, EXACT) else match)
    if form not in FORMS and form not in MATCHERS:
        raise UnknownNameError("way to match", form, [*FORMS, EXACT, *MATCHERS])
    main = EXACT if form in FORMS else form
    judges = _judges(form, metrics, language, schemas)
    if schemas is not None and not set(SQL_METRICS) & set(judges):
        raise OptionError("schemas are for set_match and spider", "choose one with --match, or leave out --schemas")
    if schemas is None and "spider" in judges:
        schemas = published_schemas()
    if schemas is not None:
        check_databases(file, schemas)
    verdicts = {name: judge_pairs(file, matcher) for name, matcher in judges.items()}
    signature = Signature.of(
        pairs=f"{file.name}@{file.digest}",
        metric=",".join(judges),
        match=form if main == EXACT else None,
        language="unknown" if language is None else language.name,
        interval=f"wilson,{LEVEL}",
        **{key: value for matcher in judges.values() for key, value in matcher.fields},
    )
    ids = tuple(str(pair.n) for pair in file.pairs)
    outputs = {pair.where: pair.output for pair in file.pairs}
    score = Score("pairs", ids, Assigned(outputs, 0, 0, 0), verdicts, True, signature, main=main)
    return PairScore(score, tuple(pair.n for pair in file.pairs))


def _judges(
    form: str, metrics: Collection[str], language: Language | None, schemas: Schemas | None
) -> dict[str, Matcher]:
    """The matchers by name, the main one first."""
    asked = dict.fromkeys([*(() if form in FORMS else (form,)), *(name for name in metrics if name != EXACT)])
    found = further_matchers(language, tuple(asked), schemas=schemas) if asked else {}
    judges = {EXACT: Matcher.of(form, make_reader(language, form))} if form in FORMS else {}
    return judges | {name: found[name] for name in asked}


def outcomes(tally: Tally) -> dict[str, int]:
    """What became of pairs, counted; of outputs and gold programs that cannot be read neither is right.

    >>> from recombine.evaluation.match.judge import Tally
    >>> outcomes(Tally(right=3, wrong=1, malformed=1, abstained=0, unsupported=2))
    {'right': 3, 'wrong': 1, 'unreadable': 1, 'abstained': 0, 'gold_unreadable': 2}
    """
    counts = tally.to_record()
    return {_OUTCOMES.get(name, name): number for name, number in counts.items()}
