"""The four kinds of rules, as files hold them (CFQ paper, Appendix J)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from recombine.errors import GrammarError

if TYPE_CHECKING:
    from recombine.grammars.unification.forms.logical_form import Term

GRAMMAR, INFERENCE, RESOLUTION, KNOWLEDGE = "grammar", "inference", "resolution", "knowledge"
KINDS = (GRAMMAR, INFERENCE, RESOLUTION, KNOWLEDGE)
NONE = "_none_"
"""The value of a feature that is absent."""


@dataclass(frozen=True)
class Place:
    """Where something stands in a file."""

    path: str
    line: int
    column: int

    def error(self, problem: str, remedy: str = "") -> GrammarError:
        """An error that names the place."""
        return GrammarError(self.path, self.line, self.column, problem, remedy)


@dataclass(frozen=True)
class FeatureSpec:
    """What a rule says of one feature: a variable, or the values it may have; negated, the values it may not."""

    attribute: str
    values: tuple[str, ...]
    variable: str | None
    negated: bool
    place: Place


@dataclass(frozen=True)
class Constituent:
    """A category with features, and the variable of its logical form."""

    category: str
    features: tuple[FeatureSpec, ...]
    variable: str | None
    place: Place


@dataclass(frozen=True)
class Literal:
    """Words as they stand in the text."""

    text: str
    place: Place


@dataclass(frozen=True)
class GrammarRule:
    """`T0(F0)[H]/L0 → T1(F1)/L1 …`."""

    name: str
    place: Place
    left: Constituent
    head: str | None
    form: Term
    right: tuple[Constituent | Literal, ...]
    kind: str = field(default=GRAMMAR, init=False)


@dataclass(frozen=True)
class KnowledgeRule:
    """`→ K`: a fact, which is its own name."""

    name: str
    place: Place
    fact: Term
    kind: str = field(default=KNOWLEDGE, init=False)


@dataclass(frozen=True)
class ImpliedRule:
    """`K: → K0`: a fact for all facts that meet the conditions."""

    name: str
    place: Place
    conditions: tuple[Term, ...]
    fact: Term
    kind: str = field(default=KNOWLEDGE, init=False)


@dataclass(frozen=True)
class InferenceRule:
    """`K: L0 → L1`, within a context where one is given."""

    name: str
    place: Place
    conditions: tuple[Term, ...]
    within: Term | None
    left: Term
    right: Term
    kind: str = field(default=INFERENCE, init=False)


@dataclass(frozen=True)
class ResolutionRule:
    """`K: S0 → S1 … Sn`."""

    name: str
    place: Place
    conditions: tuple[Term, ...]
    left: Term
    right: tuple[Term, ...]
    kind: str = field(default=RESOLUTION, init=False)


Rule = GrammarRule | KnowledgeRule | ImpliedRule | InferenceRule | ResolutionRule


@dataclass(frozen=True)
class StartRule:
    """What a text is at the top, and the function that makes its query."""

    constituent: Constituent
    function: str


@dataclass
class RuleFile:
    """What one file holds."""

    rules: list[Rule] = field(default_factory=list)
    features: dict[str, tuple[str, ...] | None] = field(default_factory=dict)
    """The values of each feature; none where any name is a value."""
    starts: list[StartRule] = field(default_factory=list)
    templates: list[str] = field(default_factory=list)
    uses: list[tuple[str, Place]] = field(default_factory=list)
    """The files whose rules are to be read with these, and where that is said."""
    borrowed: bool = False
    """Whether it is read only because another file uses it."""
