"""What a matcher says of pairs of a gold program and an output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import FormError, OptionError, ProgramError, RecordError, UnknownNameError
from recombine.evaluation.match.judge import Verdict
from recombine.records.example import Example

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from recombine.evaluation.match.matchers import Matcher
    from recombine.evaluation.match.spider.read_schemas import Schemas
    from recombine.evaluation.pairs.pair_file import Pair, PairFile


def judge_pairs(file: PairFile, matcher: Matcher) -> tuple[Verdict, ...]:
    """The verdict on each pair, in order.

    An output that cannot be read is malformed, whoever cannot read it. A gold program that the matcher alone has
    nothing for makes its pair unsupported; one that is no program of its language is an error.
    """
    if matcher.needs_world:
        raise OptionError(f"the metric {matcher.name} needs a world, and pairs have none", "name DATA, and its world")
    return tuple(_Judge(file, matcher).verdicts())


class _Judge:
    """Each distinct text is read once for all pairs that it is the same for."""

    def __init__(self, file: PairFile, matcher: Matcher) -> None:
        self.file, self.matcher = file, matcher
        self.keys: dict[Hashable, Hashable] = {}
        self.refused: dict[Hashable, ProgramError | FormError] = {}
        self.examples: dict[tuple[str, str | None], Example] = {}

    def verdicts(self) -> Iterator[Verdict]:
        for pair in self.file.pairs:
            example = self.example(pair)
            try:
                gold = self.read(pair.gold, example)
            except FormError:
                yield Verdict.UNSUPPORTED
                continue
            except ProgramError as error:
                problem = f"the gold program cannot be read: {error.problem}"
                raise RecordError(self.file.path, pair.where, problem, error.remedy) from None
            yield self.verdict(pair, gold, example)

    def verdict(self, pair: Pair, gold: Hashable, example: Example) -> Verdict:
        if not pair.output.strip():
            return Verdict.ABSTAINED
        try:
            if self.matcher.key is None:
                return Verdict.RIGHT if self.matcher.same(pair.gold, pair.output, example, None) else Verdict.WRONG
            return Verdict.RIGHT if self.read(pair.output, example) == gold else Verdict.WRONG
        except (ProgramError, FormError):
            return Verdict.MALFORMED

    def example(self, pair: Pair) -> Example:
        """The pair as a matcher takes it."""
        place = (pair.gold, pair.database)
        if place not in self.examples:
            tags = {} if pair.database is None else {"db_id": pair.database}
            self.examples[place] = Example.of("", pair.gold, tags=tags)
        return self.examples[place]

    def read(self, program: str, example: Example) -> Hashable:
        """What is compared of a program; a matcher without keys has the gold program compared with itself."""
        place = (program, self.matcher.depends_on(example))
        if place in self.keys:
            return self.keys[place]
        if place in self.refused:
            raise self.refused[place].with_traceback(None)
        try:
            if self.matcher.key is None:
                self.keys[place] = self.matcher.same(program, program, example, None)
            else:
                self.keys[place] = self.matcher.key(program, example, None)
        except RecursionError:
            self.refused[place] = ProgramError(self.matcher.name, 0, "nested too deeply to be read", "leave it out")
            raise self.refused[place] from None
        except (ProgramError, FormError) as error:
            self.refused[place] = error
            raise
        return self.keys[place]


def check_databases(file: PairFile, schemas: Schemas) -> None:
    """Refuse a pair that names no database, or one that the schemas do not have."""
    for pair in file.pairs:
        if pair.database is None:
            raise RecordError(file.path, pair.where, "no field 'db_id'", "name the database of each pair")
        try:
            schemas.find(pair.database)
        except UnknownNameError as error:
            raise RecordError(file.path, pair.where, error.problem, error.remedy) from None
