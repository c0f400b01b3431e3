"""The grammar split: pairs of grammar rules are never seen together in training (local-structures paper, App. B.2).

Train has the examples that hold no held-out pair of rules, test those that hold one. Without `held_out`, one set of
pairs is drawn from all valid ones that leave enough examples for the sizes asked for; the signature says which, out of
how many, and how many sets were invalid or repeated. Rules come from the derivations of the data; where there are none,
programs are parsed with the grammar.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from recombine.errors import DerivationError, InfeasibleError, OptionError, SizeError
from recombine.grammars.find_grammar import find_grammar, packaged_names
from recombine.grammars.rule_pairs import RulePairs
from recombine.options import option
from recombine.records.derivation import rule_kind
from recombine.splits.hold_out.held_out_pairs import HeldOutPairs, RuleOccurrences
from recombine.splits.sizes import draw_parts
from recombine.splits.splitter import Splitter

if TYPE_CHECKING:
    import numpy as np

    from recombine.grammars.formalism import Formalism
    from recombine.grammars.rule_table import RuleTable
    from recombine.records.dataset import Dataset
    from recombine.records.example import Example


@dataclass(frozen=True, kw_only=True)
class GrammarSplitter(Splitter):
    """No training example holds both rules of a held-out pair; every test example does.

    `held_out` names the pairs (`rule1+rule2,rule1+rule3`); `grammar` is a packaged name or a file. Without it the
    grammar is the packaged one of the name of the data's language, else of the data.

    >>> from recombine.datasets.catalogue import load
    >>> split = GrammarSplitter(held_out="and+twice", train=8000, test=1000, seed=1).split(load("scan"))
    >>> split.sizes(), split.signature.get("held_out")
    ({'train': 8000, 'test': 1000}, 'and+twice')
    """

    held_out: str = option("", "the pairs of rules to hold out, rule+rule,…; without it they are drawn")
    grammar: str = option("", "the grammar's name or file; without it, that of the data's language")

    by: ClassVar[str] = "grammar"
    aims_at_divergence: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.held_out:
            RulePairs.parse(self.held_out)

    def choose(
        self, dataset: Dataset, counts: dict[str, int | None], generator: np.random.Generator
    ) -> tuple[dict[str, list[int]], dict[str, object]]:
        """Take the pairs named, or draw a set of pairs; then draw the parts."""
        grammar = grammar_of(dataset, self.grammar)
        table = grammar.rule_table()
        occurrences = RuleOccurrences(table, rule_sets(dataset, grammar), [set(e.target.split()) for e in dataset])
        extra: dict[str, object] = {"grammar": f"{table.name}@{_digest(table)}"}
        if self.held_out:
            pairs = RulePairs.parse(self.held_out)
            pairs.check(table)
            chosen = HeldOutPairs(pairs, occurrences.test(pairs))
        else:
            chosen, numbers = self._draw(occurrences, counts, generator)
            extra |= numbers
        extra["held_out"] = chosen.pairs
        test_pool = [row for row in range(len(dataset)) if chosen.test >> row & 1]
        train_pool = [row for row in range(len(dataset)) if not chosen.test >> row & 1]
        parts = draw_parts(train_pool, test_pool, counts, generator, f"holding out {chosen.pairs}")
        unseen = occurrences.unseen_words(chosen.test)
        if unseen:
            raise InfeasibleError(
                f"holding out {chosen.pairs} leaves no training program with {', '.join(map(repr, unseen[:5]))}",
                "hold out other pairs, or take the split all the same with --best-effort",
                best=self.assemble(dataset, parts, extra),
            )
        return parts, extra

    def _draw(
        self, occurrences: RuleOccurrences, counts: dict[str, int | None], generator: np.random.Generator
    ) -> tuple[HeldOutPairs, dict[str, object]]:
        """One of the sets that leave enough examples, and the numbers of all kinds of sets."""
        choices = occurrences.sets()
        total = occurrences.everything.bit_count()
        train, test = counts["train"] or 1, (counts["dev"] or 0) + (counts["test"] or 1)
        sizes = [held.test.bit_count() for held in choices.sets]
        large = [held for held, size in zip(choices.sets, sizes, strict=True) if test <= size <= total - train]
        if not large:
            most = max(sizes, default=0)
            raise SizeError(
                f"none of {len(choices.sets)} valid sets of rule pairs leaves {train} examples for train and {test} "
                f"for dev and test; the largest test side has {most}",
                "ask for fewer",
            )
        numbers = {
            "sets": f"{len(large)}/{len(choices.sets)}",
            "invalid": choices.invalid,
            "repeated": choices.repeated,
        }
        return large[int(generator.integers(len(large)))], {**numbers}


def grammar_of(dataset: Dataset, name: str = "") -> Formalism:
    """The grammar named, else the packaged one of the name of the data's language, else of the data."""
    if name:
        return find_grammar(name)
    known = packaged_names()
    for candidate in ([dataset.language.name] if dataset.language else []) + [dataset.name]:
        if candidate in known:
            return find_grammar(candidate)
    raise OptionError(f"no grammar is known for {dataset.name}", "name one or give a file: --grammar covr")


def rule_sets(dataset: Dataset, grammar: Formalism) -> list[frozenset[str]]:
    """The rules of each example: of its derivation, or, where it has none, of its program parsed with the grammar."""
    table = grammar.rule_table()
    return [_rule_set(example, grammar, table) for example in dataset]


def _rule_set(example: Example, grammar: Formalism, table: RuleTable) -> frozenset[str]:
    if example.derivation is None:
        return _parsed(example, grammar)
    rules = frozenset(rule for rule in example.derivation.rules if rule_kind(rule) == "grammar")
    unknown = sorted(rules - table.symbol.keys())
    if unknown:
        raise DerivationError(
            f"the example {example.id} uses the rule {unknown[0]!r}, which {table.name} does not have",
            "name the grammar that made the data with --grammar",
        )
    return rules


def _parsed(example: Example, grammar: Formalism) -> frozenset[str]:
    try:
        term = next(grammar.parse_target(example.target)).term
    except DerivationError as error:
        raise DerivationError(f"the example {example.id}: {error.problem}", error.remedy) from None
    return frozenset(rule for rule in grammar.derivation(term).rules if rule_kind(rule) == "grammar")


def _digest(table: RuleTable) -> str:
    rows = [(rule, symbol, sorted(table.asks[rule])) for rule, symbol in table.symbol.items()]
    return hashlib.blake2b(repr((rows, sorted(table.lexical))).encode(), digest_size=4).hexdigest()
