"""Which examples of a pool each prompt shows, the best first.

For each question: `similar`, whose questions have words in common with it, and `coverage`, which together hold the
structures of its program, a first guess or the gold one. The same for all: `local-structure`, `template` and `random`,
as `select` takes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import OptionError, UnknownNameError
from recombine.selection.select_examples import select_examples, select_prompts
from recombine.selection.selected import check_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.records.dataset import Dataset
    from recombine.records.example import Example

SIMILAR, COVERAGE = OF_EACH = ("similar", "coverage")
OF_ALL = ("local-structure", "template", "random")
METHODS = (*OF_EACH, *OF_ALL)
BY_STRUCTURES = (COVERAGE, "local-structure")
"""The methods for which structures can be named."""


class Chosen(NamedTuple):
    """The ids of examples for each question by its id, the best first."""

    ids: Mapping[str, tuple[str, ...]]
    fields: Mapping[str, str]
    """What the choice depends on, as a signature names it."""
    without_program: Mapping[str, str] = {}
    """Questions whose program is not there or cannot be read, with why; theirs are the similar ones."""


def check_choice(number: int, by: str) -> None:
    """Refuse a number or a way to choose that cannot be."""
    if by not in METHODS:
        raise UnknownNameError("way to choose examples", by, METHODS)
    if isinstance(number, bool) or number < 0:
        raise OptionError(f"cannot show {number} examples", "give a count of 0 or more")


def choose_examples(
    pool: Dataset,
    questions: Sequence[Example],
    number: int,
    *,
    by: str = SIMILAR,
    programs: Mapping[str, str] | None = None,
    structures: str | None = None,
    seed: int = 0,
) -> Chosen:
    """`number` examples of the pool for each question; none where none are asked for.

    `programs`, by the ids of questions, are what `coverage` covers.
    """
    check_choice(number, by)
    if not number:
        return Chosen({question.id: () for question in questions}, {})
    check_number(number, len(pool))
    if by == SIMILAR:
        return Chosen(_similar(pool, questions, number), {})
    if by == COVERAGE:
        return _covering(pool, questions, programs or {}, number, structures, seed)
    selection = select_examples(pool, number, by=by, structures=structures, seed=seed)
    return Chosen({question.id: selection.ids for question in questions}, _further(dict(selection.signature.fields)))


def _similar(pool: Dataset, questions: Sequence[Example], number: int) -> dict[str, tuple[str, ...]]:
    from recombine.selection.prompts.similar_sources import SimilarSources

    sources = SimilarSources(list(pool.texts("source")))
    ids = pool.ids
    return {each.id: tuple(ids[place] for place in sources.nearest(each.source, number)) for each in questions}


def _covering(
    pool: Dataset,
    questions: Sequence[Example],
    programs: Mapping[str, str],
    number: int,
    structures: str | None,
    seed: int,
) -> Chosen:
    wanted = {each.id: programs[each.id] for each in questions if programs.get(each.id, "").strip()}
    if not wanted:
        raise OptionError("no question has a program to cover", "give --predictions FILE, or --gold for their own")
    covering = select_prompts(pool, wanted, number, structures=structures, seed=seed)
    without = {each.id: "it has none" for each in questions if each.id not in wanted} | dict(covering.unparsable)
    similar = _similar(pool, [each for each in questions if each.id in without], number)
    ids = {each.id: similar[each.id] if each.id in without else covering.selections[each.id].ids for each in questions}
    signature = next((dict(each.signature.fields) for each in covering.selections.values()), {})
    return Chosen(ids, _further(signature), without)


def _further(signature: Mapping[str, str]) -> dict[str, str]:
    """What a signature of `select` says beside data, method, number, seed and version."""
    return {name: value for name, value in signature.items() if name not in ("data", "by", "k", "seed", "version")}
