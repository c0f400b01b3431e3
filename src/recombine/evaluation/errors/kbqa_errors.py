"""Why answers over a knowledge base are wrong: the classes of GrailQA, section 5.4, the first that applies.

coverage    the gold form is not among the candidates of what the question mentions, so that no ranking has it
linking     something that the gold form names is not linked in the question, or the output names something else;
            literals count by their values, and one of another type where all else is as in the gold form
no output   there is none, or an empty one
unreadable  the output is no logical form
relation    its relations, each with the way that it is gone, are not those of the gold form
type        its classes are not, beside those that relations imply
function    its functions are not: count, superlative, comparative
other       all these are the same, and it still says another thing

A wrong output has exactly one class. Coverage can be told where candidates are known, and what is linked where links
are; without them these two checks are not made, and `unchecked` says so.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from recombine.errors import FormError, ProgramError
from recombine.evaluation.errors.form_parts import FormParts, form_parts
from recombine.evaluation.match.form_matchers import canonical_keys
from recombine.kb.matching.words import constant_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence

    from recombine.evaluation.match.form_setting import FormSetting
    from recombine.kb.term import Term

COVERAGE, LINKING, NO_OUTPUT, UNREADABLE, RELATION, TYPE, FUNCTION, OTHER = CLASSES = (
    "coverage",
    "linking",
    "no output",
    "unreadable",
    "relation",
    "type",
    "function",
    "other",
)
NO_CANDIDATES = "coverage: no candidates are known"
NO_LINKS = "linking: what was linked is not known; only outputs that name something else count"


@dataclass(frozen=True)
class KbqaErrors:
    """The classes of the wrong outputs among some."""

    n: int
    of: Mapping[str, str]
    """The class of each wrong output, by id."""
    unchecked: tuple[str, ...] = ()
    """Checks that could not be made, and why."""

    @property
    def counts(self) -> dict[str, int]:
        """How many wrong outputs each class has, in the order of the checks."""
        counted = Counter(self.of.values())
        return {name: counted[name] for name in CLASSES}

    @property
    def errors(self) -> int:
        """How many outputs are wrong."""
        return len(self.of)

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        counts = self.counts
        shares = {name: count / self.errors if self.errors else None for name, count in counts.items()}
        return {
            "n": self.n,
            "errors": self.errors,
            "counts": counts,
            "shares": shares,
            "unchecked": list(self.unchecked),
        }


def kbqa_errors(
    pairs: Mapping[str, tuple[str, str]],
    setting: FormSetting,
    *,
    covered: Collection[str] | None = None,
    linked: Mapping[str, Sequence[Term]] | None = None,
) -> KbqaErrors:
    """The classes of wrong outputs; `pairs` are gold forms and outputs by id.

    `covered` are the ids of questions whose gold form is among the candidates of its own entities and literals;
    `linked` is what was linked in each question.

    >>> from recombine.evaluation.match.form_setting import usual_setting
    >>> pairs = {"1": ("(JOIN a.b m.0)", "(JOIN a.c m.0)"), "2": ("(JOIN a.b m.0)", "(COUNT (JOIN a.b m.0))")}
    >>> dict(kbqa_errors(pairs, usual_setting("sexpression")).of)
    {'1': 'relation', '2': 'function'}
    """
    classify = ErrorClassifier(setting)
    of = {}
    for key, (gold, output) in pairs.items():
        found = classify(
            gold,
            output,
            covered=None if covered is None else key in covered,
            linked=None if linked is None else linked.get(key, ()),
        )
        if found:
            of[key] = found
    unchecked = [NO_CANDIDATES] * (covered is None) + [NO_LINKS] * (linked is None)
    return KbqaErrors(len(pairs), of, tuple(unchecked))


@dataclass
class ErrorClassifier:
    """Says the class of one output after the other; each form is read once."""

    setting: FormSetting
    _key_of: Callable[[str], Hashable] = field(init=False, repr=False)
    _read: dict[str, tuple[Hashable | None, FormParts | None]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self._key_of = canonical_keys(self.setting)[0]

    def key(self, text: str) -> Hashable | None:
        """The canonical form of a text; none where it cannot be read."""
        return self._parts(text)[0]

    def same(self, gold: str, output: str) -> bool:
        """Whether an output says the same as the gold form."""
        key = self.key(output)
        return bool(output.strip()) and key is not None and key == self.key(gold)

    def __call__(
        self, gold: str, output: str, *, covered: bool | None = None, linked: Sequence[Term] | None = None
    ) -> str:
        """The class of an output; empty where it is right."""
        if self.same(gold, output):
            return ""
        wanted = self._parts(gold)[1]
        if covered is False:
            return COVERAGE
        if linked is not None and wanted is not None and _values(wanted.named) - _values(map(constant_text, linked)):
            return LINKING
        if not output.strip():
            return NO_OUTPUT
        key, given = self._parts(output)
        if key is None:
            return UNREADABLE
        return OTHER if wanted is None or given is None else _difference(wanted, given)

    def _parts(self, text: str) -> tuple[Hashable | None, FormParts | None]:
        if text not in self._read:
            try:
                key = self._key_of(text)
                self._read[text] = key, form_parts(str(key))
            except (FormError, ProgramError):
                self._read[text] = None, None
        return self._read[text]


def _difference(wanted: FormParts, given: FormParts) -> str:
    if _values(given.named) - _values(wanted.named):
        return LINKING
    if given.relations != wanted.relations:
        return RELATION
    if given.classes != wanted.classes:
        return TYPE
    if given.functions != wanted.functions:
        return FUNCTION
    return LINKING if given.named != wanted.named else OTHER


def _values(named: Iterable[str]) -> frozenset[str]:
    """Entities, and literals without their types: a linker reads `51` in all types that it can be of."""
    return frozenset(text.partition('"^^')[0].removesuffix(".0") if text.startswith('"') else text for text in named)
