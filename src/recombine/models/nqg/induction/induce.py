"""Grammar induction: the grammar of lowest codelength that several seeded starts find (NQG-T5 paper, §4.1.1, App. A.2).

Each start runs the greedy search on the shortest examples and refines what it finds; of all starts the grammar with the
lowest exact codelength on those examples is kept. Every other start also begins with rules for aligned tokens, and the
third and fourth of every four starts search with the bits of the codelength itself. Then longer examples that the
grammar does not derive become rules themselves, so that it derives all training examples. Equal pairs and settings give
equal grammars, whatever the hash seed. An interrupt gives the best grammar so far.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import RecordError
from recombine.models.nqg.forest import chart_kernels as kernels
from recombine.models.nqg.forest.chart import ChartParser, Counts
from recombine.models.nqg.forest.rule_index import RuleIndex
from recombine.models.nqg.grammar import Qcfg
from recombine.models.nqg.induction.induction_settings import InductionSettings
from recombine.models.nqg.induction.initial_rules import aligned_rules, identity_rules
from recombine.models.nqg.induction.refine import refine
from recombine.models.nqg.induction.search import GrammarSearch
from recombine.models.nqg.rule import QcfgRule, is_regular, tokens
from recombine.models.nqg.sql_tokens import cut_pairs
from recombine.records.signature import Signature
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Pair = tuple[str, str]


class Progress(NamedTuple):
    """How far an induction is."""

    start: int
    """The start under way, from 1."""
    starts: int
    rules: int
    codelength: float
    """The lowest of the starts that are done; inf before."""
    seconds: float


@dataclass(frozen=True)
class Start:
    """The rules that one start found, and their exact codelength on the examples that the search saw."""

    codelength: float
    rules: tuple[QcfgRule, ...]


@dataclass(frozen=True)
class Induced:
    """A grammar and how it was found."""

    grammar: Qcfg
    codelength: float
    """The exact codelength on the examples that the search saw, without rules for the other examples."""
    starts: tuple[Start, ...]
    """What each start found that was not cut short."""
    searched: int
    """Distinct examples that the search saw."""
    added: int
    """Longer examples that became rules themselves."""
    seconds: float
    interrupted: bool = False
    pairs: tuple[Pair, ...] = ()
    """The distinct pairs that it was induced from."""
    counts: Counts | None = None
    """Their derivations, without those of sources; none where they were not counted with the final grammar."""

    def joined(self, members: int) -> Qcfg:
        """The rules of the starts of lowest codelength in one grammar, with those added for longer examples."""
        chosen = sorted(self.starts, key=lambda start: start.codelength)[:members]
        rules = {*self.grammar.rules, *(rule for start in chosen for rule in start.rules)}
        signature = str(Signature.parse(self.grammar.signature).with_fields(members=members))
        return Qcfg(tuple(sorted(rules, key=_order)), signature)


@dataclass
class _Best:
    """The best grammar so far."""

    rules: list[QcfgRule] = field(default_factory=list)
    codelength: float = float("inf")
    starts: list[Start] = field(default_factory=list)


def induce(
    pairs: Iterable[tuple[str, str]],
    settings: InductionSettings | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Induced:
    """A grammar that derives every pair of source and target.

    >>> pairs = [("jump", "J"), ("walk", "W"), ("jump twice", "J J"), ("walk twice", "W W")]
    >>> for rule in induce(pairs).grammar:
    ...     print(rule)
    jump ### J
    walk ### W
    NT_1 twice ### NT_1 NT_1
    """
    began = time.perf_counter()
    settings = settings or InductionSettings()
    distinct = distinct_pairs(cut_pairs(pairs, settings.tokens))
    signature = Signature.of(model="nqg", settings=settings, examples=f"{len(distinct)}@{_digest(distinct)}")
    # A stable sort: examples of one length stay in their order.
    ordered = sorted(distinct, key=lambda pair: pair[0].count(" "))
    fitting = [pair for pair in ordered if not settings.largest or _area(pair) <= settings.largest]
    seen = fitting[: settings.sample or None]
    best, interrupted = _Best(), False
    try:
        _search([(tokens(source), tokens(target)) for source, target in seen], settings, best, progress, began)
    except KeyboardInterrupt:
        interrupted = True
        signature = signature.with_fields(interrupted=True)
    if settings.all_identities:
        best.rules = [*best.rules, *identity_rules([(tokens(source), tokens(target)) for source, target in distinct])]
    grammar = Qcfg(tuple(sorted({*best.rules}, key=_order)), str(signature))
    counts = ChartParser(grammar).count_all(distinct, sources=False)
    underived = {pair for pair, own in zip(distinct, counts.own, strict=True) if not own}
    leftover = _leftover(best.rules, [pair for pair in ordered if pair in underived])
    if leftover:
        grammar = replace(grammar, rules=tuple(sorted({*grammar.rules, *leftover}, key=_order)))
    return Induced(
        grammar,
        best.codelength,
        tuple(best.starts),
        len(seen),
        len(leftover),
        time.perf_counter() - began,
        interrupted,
        tuple(distinct),
        None if leftover else counts,
    )


def _search(
    pairs: Sequence[tuple[tuple[str, ...], tuple[str, ...]]],
    settings: InductionSettings,
    best: _Best,
    progress: Callable[[Progress], None] | None,
    began: float,
) -> None:
    """Run all starts and keep the best grammar in `best`, also when interrupted."""
    best.rules = [QcfgRule(*pair) for pair in pairs]
    if not pairs:
        return
    generator = make_generator(settings.seed)
    plain = identity_rules(pairs)
    aligned = [rule for rule in aligned_rules(pairs) if rule not in set(plain)] if settings.align_tokens else []
    for start in range(1, settings.restarts + 1):
        search = GrammarSearch(
            pairs, [*plain, *aligned] if start % 2 == 0 else plain, settings.at_start(start), generator
        )

        def report(_: float = 0.0, search: GrammarSearch = search, start: int = start) -> None:
            if progress is not None:
                seconds = time.perf_counter() - began
                progress(Progress(start, settings.restarts, len(search.kept), best.codelength, seconds))

        try:
            search.run(report, keep=True)
            refine(search, settings.rounds(len(search.kept)), report)
            best.starts.append(Start(search.codelength(), tuple(search.rules())))
        finally:
            # After an interrupt too: the rules kept last derive all examples.
            reached = kept_codelength(search)
            if reached < best.codelength:
                best.rules, best.codelength = search.rules(), reached


def kept_codelength(search: GrammarSearch) -> float:
    """The exact codelength of the rules that a search fell back on."""
    search.use_only(search.kept)
    return search.codelength()


def _leftover(rules: Sequence[QcfgRule], pairs: Sequence[Pair]) -> list[QcfgRule]:
    """Rules for pairs that the rules do not derive, but for those that the pairs added before them derive."""
    index = RuleIndex(rules if pairs else ())
    added = []
    for pair in pairs:
        rule = QcfgRule(*map(tokens, pair))
        source, target = index.encode(rule)
        if not kernels.count(source, target, index.arrays):
            index.add(source, target)
            added.append(rule)
    return added


def _order(rule: QcfgRule) -> tuple[int, int, str]:
    return rule.arity, len(rule.source), str(rule)


def distinct_pairs(pairs: Iterable[tuple[str, str]]) -> list[Pair]:
    """The pairs, each once, in the order they came, with single blanks; what cannot be a rule is refused.

    >>> distinct_pairs([("jump  twice", "J J"), ("jump twice", "J J ")])
    [('jump twice', 'J J')]
    """
    pairs = list(pairs)
    if pairs and is_regular([text for pair in pairs for text in pair]):
        return list(dict.fromkeys(pairs))
    distinct: dict[Pair, None] = {}
    for number, pair in enumerate(dict.fromkeys(pairs), start=1):
        for side, text in zip(("source", "target"), pair, strict=True):
            if "\n" in text or not text.strip(" "):
                problem = f"the {side} has a line break" if "\n" in text else f"the {side} is empty"
                raise RecordError("training pairs", f"distinct pair {number}", problem, "mend it or leave it out")
        distinct[_spaced(pair[0]), _spaced(pair[1])] = None
    return list(distinct)


def _area(pair: Pair) -> int:
    return (pair[0].count(" ") + 1) * (pair[1].count(" ") + 1)


def _spaced(text: str) -> str:
    regular = "  " not in text and text[0] != " " and text[-1] != " "
    return text if regular else " ".join(tokens(text))


def _digest(pairs: Sequence[Pair]) -> str:
    digest = hashlib.blake2b(digest_size=4)
    digest.update("\n".join(text for pair in pairs for text in pair).encode())
    return digest.hexdigest()
