"""Whether outputs go wrong where train has never shown the next symbol in its context (NQG paper, §6.2).

A trigram model without smoothing is fitted to the targets of train: two start symbols stand before each target and an
end symbol after it, symbols are as in `first_error.output_tokens`, and the probability of a symbol after two others is
its share among what follows these two in train. It is zero exactly where train lacks the trigram; after two symbols
that train never shows side by side, it is taken as zero too.

Of a wrong output the first wrong symbol is looked at. Up to there output and gold program are the same, so the context
is that of either. What counts is the probability of the gold symbol at this place, not of the one that was given: the
end symbol where the output goes on after the whole gold program, and where the output ends too early the gold symbol
that should have followed. Empty outputs are abstentions and counted apart; so are wrong outputs that have all symbols
of the gold program.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from recombine.evaluation.errors.first_error import first_difference, output_tokens

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

START, END = "<s>", "</s>"
Trigram = tuple[str, str, str]


def iter_trigrams(tokens: Sequence[str]) -> Iterator[Trigram]:
    """The trigrams that end at each token and at the end symbol, in order.

    >>> list(iter_trigrams(["walk"]))
    [('<s>', '<s>', 'walk'), ('<s>', 'walk', '</s>')]
    """
    padded = [START, START, *tokens, END]
    yield from zip(padded, padded[1:], padded[2:], strict=False)


def fit_trigrams(targets: Iterable[str]) -> frozenset[Trigram]:
    """The trigrams of targets: those that do not have zero probability."""
    distinct = dict.fromkeys(targets)
    return frozenset(trigram for target in distinct for trigram in iter_trigrams(output_tokens(target)))


@dataclass(frozen=True)
class ZeroProbability:
    """Counts over outputs."""

    outputs: int
    abstained: int
    wrong: int
    """Wrong outputs; abstentions are not among them."""
    same_tokens: int
    """Wrong outputs with the very symbols of the gold program, which have no first wrong symbol."""
    at_first_error: int
    """Wrong outputs for which the gold symbol has zero probability at the first wrong one."""
    wrong_with: int
    """Wrong outputs whose gold program has a symbol of zero probability anywhere."""
    right_with: int
    """Right outputs of such gold programs: what is unseen need not be missed."""
    trigrams: int
    """The number of different trigrams in train."""

    @property
    def share(self) -> float | None:
        """The share of wrong outputs whose first wrong symbol has zero probability."""
        return self.at_first_error / self.wrong if self.wrong else None

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {**asdict(self), "share": self.share}


def zero_probability(train: Iterable[str], outputs: Iterable[tuple[str, str, bool]]) -> ZeroProbability:
    """The counts over outputs, each with its gold program before it and whether it is correct after it.

    >>> train = ["f ( a , g ( b ) )", "f ( a , a )"]
    >>> zero_probability(train, [("f ( a , b )", "f ( a , g ( b ) )", False)]).share
    1.0
    """
    seen = fit_trigrams(train)
    n = abstained = wrong = same = first = wrong_with = right_with = 0
    for gold, output, correct in outputs:
        n += 1
        wanted, given = output_tokens(gold), output_tokens(output)
        if not given:
            abstained += 1
            continue
        anywhere = has_zero(wanted, seen)
        if correct:
            right_with += anywhere
            continue
        wrong += 1
        wrong_with += anywhere
        place = first_difference(wanted, given)
        same += place is None
        first += place is not None and is_zero(wanted, place, seen)
    return ZeroProbability(n, abstained, wrong, same, first, wrong_with, right_with, len(seen))


def has_zero(gold: Sequence[str], seen: Collection[Trigram]) -> bool:
    """Whether a symbol of a program, or its end, has zero probability."""
    return any(trigram not in seen for trigram in iter_trigrams(gold))


def is_zero(gold: Sequence[str], place: int, seen: Collection[Trigram]) -> bool:
    """Whether the symbol at a place of a program, or its end, has zero probability after the two before it."""
    return list(iter_trigrams(gold))[place] not in seen
