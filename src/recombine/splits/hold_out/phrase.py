"""The split by phrase: train lacks some words, or has a few examples of them; test has them (CFQ paper, appendix G).

The experiments on SCAN that Figure 7 of the paper has are of this kind: a primitive that train has alone, or along with
some combinations (Lake and Baroni, 2018), a template that train lacks, and few examples of one with other words in it
(Loula et al., 2018). The published lists are what this method gives, but for what was drawn. It asks for words, not for
programs (`property` does that), and measures nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from recombine.errors import OptionError, SizeError
from recombine.measures.phrases.phrases import Phrases
from recombine.options import option
from recombine.splits.sizes import draw_rows
from recombine.splits.splitter import Splitter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.records.dataset import Dataset
    from recombine.records.split import Split

    Mask = NDArray[np.bool_]
    Rows = NDArray[np.int64]

PHRASES = ("held_out", "tested", "left_out", "drawn_from", "drawn_without")
"""The options that are phrases."""


@dataclass(frozen=True, kw_only=True)
class PhraseSplitter(Splitter):
    """Train has no example with the words but those that are shown to it; test has only examples with them.

    >>> from recombine.datasets.catalogue import load
    >>> split = SourcePhraseSplitter(held_out="jump", alone=True, few_shot=4, shown_share=0.1).split(load("scan"))
    >>> split.sizes(), split.signature.get("shown")
    ({'train': 14668, 'test': 7702}, '5x293')
    """

    held_out: str = option(
        "", "the words that train lacks, in their order; several phrases with a vertical bar between them"
    )
    tested: str = option("", "the words of which a tested example has some, besides those held out; default: any")
    left_out: str = option("", "the words of examples that are in no part")
    alone: bool = option(False, "train has the examples that are the held-out words and nothing else")
    few_shot: int | None = option(None, "how many examples with the words are drawn for train, and not tested")
    drawn_from: str = option("", "the words that such drawn examples have; default: any held out")
    drawn_without: str = option("", "the words that such drawn examples do not have")
    shown_share: float | None = option(
        None, "the share of train that these few make up, each as often as the others; default: each is there once"
    )
    side: ClassVar[str] = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.held_out.strip():
            raise OptionError(
                f"the method {self.by!r} needs to know which words train lacks", "give --held-out, such as 'jump'"
            )
        if self.few_shot is not None and self.few_shot < 0:
            raise OptionError(f"--few-shot is {self.few_shot}", "give a count of 0 or more")
        if not self.few_shot and (self.drawn_from or self.drawn_without):
            raise OptionError("--drawn-from and --drawn-without choose from nothing", "give --few-shot with them")
        if self.shown_share is not None and not 0 < self.shown_share < 1:
            raise OptionError(f"--shown-share is {self.shown_share}", "give a share between 0 and 1")
        if self.shown_share is not None and not (self.few_shot or self.alone):
            raise OptionError("--shown-share repeats nothing", "give --alone or --few-shot with it")

    def choose(
        self, dataset: Dataset, counts: dict[str, int | None], generator: np.random.Generator
    ) -> tuple[dict[str, list[int]], dict[str, object]]:
        """Ask every text for the words, draw what is shown, and divide the others."""
        texts = dataset.texts(self.side)
        used = ~self._having("left_out", texts, everywhere=False)
        held = self._having("held_out", texts)
        shown = np.sort(np.concatenate((self._alone(texts, used), self._drawn(texts, used & held, generator))))
        lacking, tested = used & ~held, used & held & self._having("tested", texts)
        tested[shown] = False
        times = self._times(len(shown), int(lacking.sum()), counts["train"])
        rest = {**counts, "train": self._rest(counts["train"], len(shown) * times)}
        why = f"{self.held_out!r} in the {self.side}"
        parts = draw_rows(np.flatnonzero(lacking), np.flatnonzero(tested), rest, generator, why)
        parts["train"] = np.sort(np.concatenate((parts["train"], np.repeat(shown, times))))
        return {name: rows.tolist() for name, rows in parts.items()}, self._extra(held, len(shown), times)

    def _having(self, name: str, texts: Sequence[str], *, everywhere: bool = True) -> Mask:
        """Whether each text has the words of an option, `everywhere` where it is not given.

        Words that no text has are refused.
        """
        if not getattr(self, name):
            return np.full(len(texts), everywhere)
        phrases = Phrases.parse(getattr(self, name))
        having = phrases.held_by(texts)
        if not having.any():
            flag, near = "--" + name.replace("_", "-"), phrases.unknown_words(texts)
            raise OptionError(
                f"no {self.side} has {str(phrases)!r}" + (f": {near}" if near else ""),
                f"give {flag} words that are there",
            )
        return having

    def _alone(self, texts: Sequence[str], used: Mask) -> Rows:
        """The examples that are a held-out phrase and nothing else."""
        phrases = Phrases.parse(self.held_out) if self.alone else Phrases(())
        for phrase in phrases.each:
            if not (Phrases((phrase,)).equal_to(texts) & used).any():
                raise OptionError(f"no {self.side} is {phrase!r} and nothing else", "leave out --alone")
        return np.flatnonzero(phrases.equal_to(texts) & used)

    def _drawn(self, texts: Sequence[str], held: Mask, generator: np.random.Generator) -> Rows:
        """The examples with the words that are drawn for train."""
        if not self.few_shot:
            return np.empty(0, np.int64)
        pool = held & self._having("drawn_from", texts)
        pool &= ~self._having("drawn_without", texts, everywhere=False)
        pool[self._alone(texts, held)] = False
        rows = np.flatnonzero(pool)
        if self.few_shot > len(rows):
            raise SizeError(
                f"--few-shot asks for {self.few_shot} examples, and {len(rows)} can be drawn",
                f"ask for {len(rows)} or fewer",
            )
        return generator.permutation(rows)[: self.few_shot]

    def _times(self, shown: int, lacking: int, train: int | None) -> int:
        """How often train has each of the few."""
        if self.shown_share is None or not shown:
            return 1
        wanted = lacking * self.shown_share / (1 - self.shown_share) if train is None else train * self.shown_share
        return max(1, int(wanted / shown + 0.5))

    def _rest(self, train: int | None, few: int) -> int | None:
        """How many others train has besides the few, where its size is asked for."""
        if train is not None and train <= few:
            raise SizeError(
                f"train asks for {train} examples, and {few} are shown to it", "ask for more, or show fewer"
            )
        return None if train is None else train - few

    def _extra(self, held: Mask, shown: int, times: int) -> dict[str, object]:
        """What the signature says."""
        phrases = {name: str(Phrases.parse(text)) if (text := getattr(self, name)) else None for name in PHRASES}
        return {
            **phrases,
            "alone": "yes" if self.alone else None,
            "few_shot": self.few_shot or None,
            "shown_share": self.shown_share,
            "shown": f"{shown}x{times}",
            "having": f"{int(held.sum())}/{len(held)}",
        }

    def notes(self, split: Split) -> tuple[str, ...]:
        """How many examples have the words, how many of them train has, and how many examples nobody has."""
        having, of = (int(number) for number in split.signature.get("having").split("/"))
        shown, times = (int(number) for number in split.signature.get("shown").split("x"))
        train = len(split.train)
        often = f", each {times:,} times, {shown * times / train:.1%} of it" if times > 1 else ""
        kept = f"train has {shown:,} of them{often}" if shown else "train has none of them"
        said = [f"{having:,} of {of:,} examples ({having / of:.1%}) have {split.signature.get('held_out')!r}; {kept}"]
        unused = of - len(set().union(*split.parts.values()))
        if unused:
            said.append(f"{unused:,} examples are in no part")
        return tuple(said)


@dataclass(frozen=True, kw_only=True)
class SourcePhraseSplitter(PhraseSplitter):
    """By words of the source."""

    by: ClassVar[str] = "phrase:source"
    side: ClassVar[str] = "source"


@dataclass(frozen=True, kw_only=True)
class TargetPhraseSplitter(PhraseSplitter):
    """By words of the target."""

    by: ClassVar[str] = "phrase:target"
    side: ClassVar[str] = "target"
