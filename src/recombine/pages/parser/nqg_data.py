"""The numbers of a page on a parser with a grammar, built apart from the page that shows them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from recombine.errors import OptionError, RecombineError
from recombine.evaluation.match.judge import Tally, Verdict
from recombine.evaluation.match.matchers import EXACT
from recombine.evaluation.predictions import Predictions
from recombine.evaluation.score import score
from recombine.models.nqg.rule import tokens
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recombine.evaluation.score import Score
    from recombine.models.nqg.decoding import Decoded
    from recombine.models.nqg.forest.kbest import Derivation
    from recombine.models.nqg.grammar import Qcfg
    from recombine.models.nqg.model import Nqg
    from recombine.models.nqg.rule import QcfgRule
    from recombine.records.dataset import Dataset
    from recombine.records.example import Example
    from recombine.records.split import Split

EXAMPLES = 200
"""How many examples a page keeps for browsing."""
GROUPS = 12
"""The most groups of lengths."""


@dataclass(frozen=True)
class Tested:
    """One entry of the part, with what the parser made of it."""

    example: Example
    decoded: Decoded
    verdict: Verdict
    derives_gold: bool
    """Whether the grammar derives the gold target at all."""


@dataclass(frozen=True)
class RuleUse:
    """A rule with its uses."""

    rule: QcfgRule
    train: int | None
    """Training examples that have a derivation with it; none where the grammar does not say."""
    test: int
    """Outputs whose derivation has it."""
    right: int
    """Right ones among them."""


@dataclass(frozen=True)
class OutcomeGroup:
    """Entries that have something in common."""

    label: str
    tally: Tally


@dataclass(frozen=True)
class NqgData:
    """What the page says."""

    dataset: Dataset
    grammar: Qcfg
    score: Score
    tested: tuple[Tested, ...]
    rules: tuple[RuleUse, ...]
    """The most used first."""
    lengths: tuple[OutcomeGroup, ...]
    easiness: tuple[OutcomeGroup, ...]
    """By easiness and by unseen local structures; empty where there are no programs to look at."""
    unseen: tuple[OutcomeGroup, ...]
    no_structures: str
    """Why there are none."""
    kept: tuple[int, ...]
    """The entries for browsing."""
    signature: str
    """How the parser was made."""

    @cached_property
    def tally(self) -> Tally:
        """All verdicts."""
        return self.score.tallies[EXACT]

    @property
    def oracle(self) -> float:
        """The share of entries whose gold target the grammar derives."""
        return sum(entry.derives_gold for entry in self.tested) / len(self.tested)


def build_nqg_data(
    dataset: Dataset,
    split: Split,
    parser: Nqg,
    *,
    part: str = "test",
    examples: int = EXAMPLES,
    seed: int = 0,
    name: str = "parser",
    signature: str = "",
) -> NqgData:
    """The numbers of a page on one part of a split; `name` and `signature` are the parser's."""
    if examples < 1:
        raise OptionError(f"the number of examples is {examples}", "give a whole number of 1 or more")
    decoder = parser.decoder()
    ids = split.part(part)
    decoded = {key: decoder.decode(dataset[key].source) for key in dict.fromkeys(ids)}
    outputs = Predictions.of({key: output.target or "" for key, output in decoded.items()}, name)
    scored = score(dataset, split, outputs, part=part, matchers={})
    derived = {key: decoder.derives(dataset[key].source, dataset[key].target) for key in decoded}
    tested = tuple(
        Tested(dataset[key], decoded[key], verdict, derived[key])
        for key, verdict in zip(scored.ids, scored.verdicts[EXACT], strict=True)
    )
    easiness, unseen, why = _structures(dataset, split, part, tested)
    grammar = parser.grammar
    if grammar is None:
        raise RecombineError("the parser has no grammar", "train it first")
    return NqgData(
        dataset,
        grammar,
        scored,
        tested,
        _rule_uses(grammar, tested),
        _by_length(tested),
        easiness,
        unseen,
        why,
        _kept(tested, examples, seed),
        signature or grammar.signature,
    )


def iter_nodes(derivation: Derivation) -> list[Derivation]:
    """All rules of a derivation from the top down, those of the first slot before those of the second."""
    nodes, waiting = [], [derivation]
    while waiting:
        node = waiting.pop()
        nodes.append(node)
        waiting.extend(reversed(node.children))
    return nodes


def _rule_uses(grammar: Qcfg, tested: Sequence[Tested]) -> tuple[RuleUse, ...]:
    used: Counter[int] = Counter()
    right: Counter[int] = Counter()
    for entry in tested:
        if entry.decoded.derivation is not None:
            rules = {node.rule for node in iter_nodes(entry.decoded.derivation)}
            used.update(rules)
            if entry.verdict is Verdict.RIGHT:
                right.update(rules)
    rows = [
        RuleUse(rule, grammar.uses.get(rule), used[number], right[number]) for number, rule in enumerate(grammar.rules)
    ]
    return tuple(sorted(rows, key=lambda row: (-(row.train or 0), -row.test)))


# -- groups -------------------------------------------------------------------------------------------------------


def grouped(tested: Sequence[Tested], labels: Sequence[str], order: Sequence[str]) -> tuple[OutcomeGroup, ...]:
    """The entries by their labels, in the order of labels; labels without entries are left out."""
    by_label: dict[str, list[Verdict]] = {label: [] for label in order}
    for entry, label in zip(tested, labels, strict=True):
        by_label[label].append(entry.verdict)
    return tuple(OutcomeGroup(label, Tally.of(verdicts)) for label, verdicts in by_label.items() if verdicts)


def _by_length(tested: Sequence[Tested]) -> tuple[OutcomeGroup, ...]:
    """By words of the source; several lengths share a group where there are many."""
    lengths = [len(tokens(entry.example.source)) for entry in tested]
    low, high = min(lengths), max(lengths)
    width = -(-(high - low + 1) // GROUPS)
    starts = range(low, high + 1, width)
    names = {start: str(start) if width == 1 else f"{start}–{start + width - 1}" for start in starts}
    return grouped(tested, [names[low + (length - low) // width * width] for length in lengths], list(names.values()))


def _structures(
    dataset: Dataset, split: Split, part: str, tested: Sequence[Tested]
) -> tuple[tuple[OutcomeGroup, ...], tuple[OutcomeGroup, ...], str]:
    """Groups by easiness and by unseen local structures, or why there are none."""
    from recombine.easiness.split_difficulty import split_difficulty

    if dataset.language is None:
        return (), (), "the language of the targets is not known, so they have no local structures"
    if not split.parts.get("train"):
        return (), (), "the split has no train part to look at"
    try:
        difficulty = split_difficulty(dataset, split, against=part)
    except RecombineError as error:
        return (), (), f"the programs have no local structures: {error}"
    easy = [_easiness_label(float(value)) for value in difficulty.easiness.scores]
    unseen = [_unseen_label(int(value)) for value in difficulty.easiness.unobserved]
    return (
        grouped(tested, easy, ["0", *_BANDS, "1"]),
        grouped(tested, unseen, ["none", "1", "2–3", "4 or more"]),
        "",
    )


_BANDS = ("under 0.25", "0.25–0.5", "0.5–0.75", "0.75–1")


def _easiness_label(value: float) -> str:
    if value in (0, 1):
        return f"{value:g}"
    return _BANDS[min(int(value * 4), 3)]


def _unseen_label(number: int) -> str:
    return "none" if number == 0 else "1" if number == 1 else "2–3" if number < 4 else "4 or more"


# -- examples -----------------------------------------------------------------------------------------------------

KINDS: dict[str, Callable[[Verdict], bool]] = {
    "wrong": lambda verdict: verdict in (Verdict.WRONG, Verdict.MALFORMED),
    "abstained": lambda verdict: verdict is Verdict.ABSTAINED,
    "right": lambda verdict: verdict is Verdict.RIGHT,
}


def kind_of(verdict: Verdict) -> str:
    """Right, wrong or abstained; what is malformed is wrong."""
    return next(name for name, test in KINDS.items() if test(verdict))


def _kept(tested: Sequence[Tested], examples: int, seed: int) -> tuple[int, ...]:
    """Entries drawn from the wrong, the abstained and the right ones in turn, as many as fit, in their order."""
    order = make_generator(seed).permutation(len(tested)).tolist()
    queues = [[place for place in order if test(tested[place].verdict)] for test in KINDS.values()]
    turns = sorted((rank, kind, place) for kind, queue in enumerate(queues) for rank, place in enumerate(queue))
    return tuple(sorted(place for _, _, place in turns[:examples]))
