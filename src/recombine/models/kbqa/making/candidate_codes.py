"""The candidates of a question as codes, straight from the numbers of their paths.

They are the words of `Candidate.text`. With `answer_class`, a path also says the class of its answers, as the forms of
GrailQA do: the class that the ontology has at the end of its last relation, where facts are of that class. Strict
matching holds such a form and the one without the class for the same, so that there are as many candidates as before.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import FormError, UnknownNameError
from recombine.kb.candidates.candidates import Paths, Values
from recombine.kb.forms.form import ARGMAX, ARGMIN, COMPARISONS, COUNT
from recombine.kb.forms.sexpression_words import is_entity_word
from recombine.models.kbqa.arrays.codes import CLOSE, END, OPEN, SYMBOLS
from recombine.models.kbqa.arrays.form_columns import HOLE, stacked, without_holes
from recombine.models.kbqa.making.schema_codes import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from recombine.kb.candidates.candidate import Candidate
    from recombine.kb.candidates.candidates import Candidates
    from recombine.kb.candidates.search_space import SearchSpace
    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.store import Step
    from recombine.kb.term import Term
    from recombine.models.kbqa.making.schema_codes import SchemaCodes

    Columns = NDArray[np.int32]

AND, JOIN, REVERSED, COUNTED = (SYMBOLS.index(word) for word in ("AND", "JOIN", "R", "COUNT"))
_WIDE = 5
"""The most codes of a relation or a class: `( JOIN type Q5 )`."""


class CandidateCodes:
    """Candidates of a search space as codes of a schema."""

    def __init__(
        self, space: SearchSpace, codes: SchemaCodes, ontology: Ontology | None = None, *, answer_class: bool = False
    ) -> None:
        self._space, self._codes, self._ontology = space, codes, ontology
        self._answer_class = answer_class and ontology is not None
        self._classes: dict[int, list[int]] = {}

    # -- of a question -------------------------------------------------------------------------------------------------

    def of(self, candidates: Candidates, links: Mapping[Term, int]) -> Columns:
        """The candidates of a question, a row each, in their order; `links` has the code of each linked term."""
        blocks = [
            self._paths(block, links) if isinstance(block, Paths) else self._values(block, links)
            for block in candidates.blocks
        ]
        return stacked([without_holes(columns) for columns in blocks])

    def of_one(self, candidate: Candidate, links: Mapping[Term, int]) -> list[int]:
        """The codes of one candidate, without `END`."""
        store, steps = self._space.store, self._space.steps
        first, second = (*(steps.place(step) for step in candidate.steps), HOLE)[:2]
        class_ = HOLE if candidate.class_ is None else store.id(candidate.class_)
        rows = np.array([[first, second, class_]], np.int32)
        if candidate.anchor is None:
            row = self._values(Values(class_, rows, (candidate.function,), candidate.value), links)[0]
        else:
            row = self._paths(Paths(candidate.anchor, rows, counted=True), links)[int(candidate.function == COUNT)]
        return [int(code) for code in row if code not in (HOLE, END)]

    # -- paths from an anchor ------------------------------------------------------------------------------------------

    def _paths(self, block: Paths, links: Mapping[Term, int]) -> Columns:
        """`(COUNT (AND class (JOIN second (JOIN first anchor))))`, each part where a row has it."""
        first, second, class_ = block.rows[:, 0], block.rows[:, 1], block.rows[:, 2]
        rows, two = len(first), second >= 0
        classes = self._class_columns(np.where(two, second, first), class_)
        classed = classes[:, 0] != HOLE
        plain = np.concatenate(
            [
                _where(classed, OPEN, AND),
                classes,
                _where(two, OPEN, JOIN),
                np.where(two[:, None], self._sets[second], np.int32(HOLE)),
                _all(rows, OPEN, JOIN),
                self._sets[first],
                _all(rows, links[block.anchor], CLOSE),
                _where(two, CLOSE),
                _where(classed, CLOSE),
            ],
            axis=1,
        )
        made = _framed(plain, rows, ())
        if not block.counted:
            return made
        counted = _framed(plain, rows, (OPEN, COUNTED))
        both = np.empty((2 * rows, made.shape[1]), np.int32)
        both[0::2], both[1::2] = made, counted
        return both

    def _class_columns(self, last: NDArray[np.int32], class_: NDArray[np.int32]) -> Columns:
        """The codes of the class of each row: its own, else that at the end of its last step."""
        columns = self._ends[last] if self._answer_class else np.full((len(last), _WIDE), HOLE, np.int32)
        for number in np.unique(class_[class_ >= 0]).tolist():
            columns[class_ == number] = _wide(self._class(number))
        return columns

    @cached_property
    def _sets(self) -> Columns:
        """The pairs of each step as seen from what it leads to: with `R` where the facts lead there."""
        return self._step_columns(towards=False)

    @cached_property
    def _ends(self) -> Columns:
        """The class at the end of each step, where the ontology has one that facts are of."""
        return np.array([_wide(self._end(step)) for step in self._space.steps.all()], np.int32).reshape(-1, _WIDE)

    def _end(self, step: Step) -> list[int]:
        ontology = self._ontology
        if ontology is None:
            return []
        try:
            names = ontology.range(step.relation, inverse=step.inverse)
        except UnknownNameError:
            return []
        implied = (name for name in names if ontology.implies(step.relation, name, inverse=not step.inverse))
        numbers = (number for number in map(self._space.store.id, implied) if number in self._used_classes)
        return next(map(self._class, numbers), [])

    @cached_property
    def _used_classes(self) -> frozenset[int]:
        each = [self._space.store.along(int(relation), inverse=True) for relation in self._space.types]
        return frozenset(number for ids in each for number in ids.tolist())

    # -- paths to a value ----------------------------------------------------------------------------------------------

    def _values(self, block: Values, links: Mapping[Term, int]) -> Columns:
        """`(ARGMAX class pairs)`, or `(AND class (JOIN first (lt second value)))`."""
        first, second = block.rows[:, 0], block.rows[:, 1]
        made = [self._valued(first, second, block, function, links) for function in block.functions]
        columns = np.empty((len(made) * len(first), made[0].shape[1]), np.int32)
        for place, each in enumerate(made):
            columns[place :: len(made)] = each
        return columns

    def _valued(
        self, first: Columns, second: Columns, block: Values, function: str, links: Mapping[Term, int]
    ) -> Columns:
        rows, two = len(first), second >= 0
        class_ = _all(rows, *_wide(self._class(block.class_)))
        far = np.where(two[:, None], self._pairs[second], np.int32(HOLE))
        if function in (ARGMAX, ARGMIN):
            head, joined = SYMBOLS.index(function.upper()), _where(two, OPEN, JOIN)
            parts = [_all(rows, OPEN, head), class_, joined, self._pairs[first], far, _where(two, CLOSE)]
            return _framed(np.concatenate(parts, axis=1), rows, (), _all(rows, CLOSE))
        sign = SYMBOLS.index(COMPARISONS[function].lower())
        value = links[block.value] if block.value is not None else UNKNOWN
        near = np.where(two[:, None], self._pairs[first], np.int32(HOLE))
        last = np.where(two[:, None], far, self._pairs[first])
        parts = [
            _all(rows, OPEN, AND),
            class_,
            _where(two, OPEN, JOIN),
            near,
            _all(rows, OPEN, sign),
            last,
            _all(rows, value, CLOSE),
            _where(two, CLOSE),
        ]
        return _framed(np.concatenate(parts, axis=1), rows, (), _all(rows, CLOSE))

    @cached_property
    def _pairs(self) -> Columns:
        """The pairs of each step as seen from where it starts."""
        return self._step_columns(towards=True)

    # -- words ---------------------------------------------------------------------------------------------------------

    def _step_columns(self, *, towards: bool) -> Columns:
        columns = []
        for step in self._space.steps.all():
            code = self._known(self._codes.relation(step.relation), step.relation)
            columns.append(_wide([code] if step.inverse != towards else [OPEN, REVERSED, code, CLOSE]))
        return np.array(columns, np.int32).reshape(-1, _WIDE)

    def _class(self, number: int) -> list[int]:
        """The codes of a class by its id: its word, or where that looks like an entity what is of it by type."""
        if number not in self._classes:
            name, profile = self._space.store.term(number), self._codes.profile
            code = self._known(self._codes.class_(name), name)
            self._classes[number] = [code]
            if is_entity_word(name, profile, at_end=False):
                types = profile.predicates("type")
                if not types:
                    problem = f"the profile {profile.name!r} has no predicate of classes"
                    raise FormError(problem, 'give it type = ["…"]')
                type_ = self._known(self._codes.relation(types[0]), types[0])
                self._classes[number] = [OPEN, JOIN, type_, code, CLOSE]
        return self._classes[number]

    def _known(self, code: int, term: Term) -> int:
        if code == UNKNOWN:
            shown = self._codes.profile.show(term)
            raise FormError(f"the schema has no item {shown}, which candidates name", "make the schema of this store")
        return code


def _framed(plain: Columns, rows: int, head: tuple[int, ...], tail: Columns | None = None) -> Columns:
    """Forms with what stands around all of them, and their end; with and without it they have one width."""
    before = _all(rows, *head) if head else _all(rows, HOLE, HOLE)
    after = tail if tail is not None else _all(rows, CLOSE if head else HOLE)
    return np.concatenate([before, plain, after, _all(rows, END)], axis=1)


def _wide(codes: list[int]) -> list[int]:
    return codes + [HOLE] * (_WIDE - len(codes))


def _all(rows: int, *codes: int) -> Columns:
    return np.tile(np.array(codes, np.int32), (rows, 1))


def _where(rows: NDArray[np.bool_], *codes: int) -> Columns:
    return np.where(rows[:, None], np.array(codes, np.int32), np.int32(HOLE))
