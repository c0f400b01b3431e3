"""Texts to token ids and back, counting all that is lost.

Text that looks like a special token (`</s>`) is written as text where the tokenizer can do that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.models.pretrained.texts.spelling import Spelling

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence

    from recombine.models.pretrained.settings import FineTuningSettings


def check_lengths(lengths: Sequence[int], limit: int, cut: bool, counted: Counter[str]) -> None:
    """Refuse sources that are too long, or count those that will be cut."""
    over = sum(length > limit for length in lengths)
    if over and not cut:
        problem = f"{over} of {len(lengths)} sources have more than {limit} tokens, the longest {max(lengths)}"
        raise OptionError(
            problem, "raise max_source as far as the model goes, or let them be cut: long_sources = 'cut'"
        )
    counted["sources_cut"] += over


class Text:
    """The texts of a tokenizer.

    `ends` says whether targets carry the special tokens that the tokenizer adds.
    """

    def __init__(
        self, tokenizer: Any, settings: FineTuningSettings, *, ends: bool, positions: int | None = None
    ) -> None:
        self.tokenizer, self.settings, self._ends = tokenizer, settings, ends
        self.limit = min(settings.max_source, positions or settings.max_source)
        self.positions = positions
        self.spelling = Spelling(lambda texts: [self._decode(ids) for ids in self.ids(texts, ends=ends)])

    def ids(self, texts: Sequence[str], *, ends: bool) -> list[list[int]]:
        """Token ids of texts as they are."""
        if not texts:
            return []
        options = {"add_special_tokens": ends, "split_special_tokens": True, "verbose": False}
        rows: list[list[int]] = self.tokenizer(list(texts), **options).input_ids
        return rows

    def prepared(self, sources: Sequence[str]) -> list[str]:
        """Sources with the prefix, in lower case where that is wanted, spelled for the tokenizer."""
        lower = self.settings.lower_source
        return self.spelling.spell([self.settings.prefix + (text.lower() if lower else text) for text in sources])

    def sources(self, texts: Sequence[str], counted: Counter[str], *, ends: bool, room: int = 0) -> list[list[int]]:
        """Token ids of sources, `room` tokens less than the limit at most."""
        limit = self.limit - room
        rows = self.ids(self.prepared(texts), ends=ends)
        check_lengths([len(row) + room for row in rows], self.limit, self.settings.long_sources == "cut", counted)
        unknown = self.tokenizer.unk_token_id
        counted["sources_with_unknown"] += sum(unknown in row for row in rows) if unknown is not None else 0
        # The last token stays where it is the tokenizer's own end.
        own = ends and bool(rows) and bool(rows[0]) and rows[0][-1] in self.tokenizer.all_special_ids
        return [row if len(row) <= limit else row[: limit - own] + row[len(row) - own :] for row in rows]

    def targets(self, texts: Sequence[str], counted: Counter[str]) -> list[list[int]]:
        """Token ids of targets; those that do not come back exactly, and those over the limit, are counted."""
        checked = self.spelling.spell_checked(texts)
        counted["targets_not_exact"] += sum(not exact for _, exact in checked)
        rows = self.ids([text for text, _ in checked], ends=self._ends)
        longest = max(map(len, rows), default=0)
        if self.positions is not None and longest > self.positions:
            raise OptionError(
                f"a target has {longest} tokens, the model goes to {self.positions}",
                "leave such pairs out, or take another model",
            )
        counted["targets_over_limit"] += sum(len(row) > self.settings.max_target for row in rows)
        return rows

    def read(self, ids: Sequence[int]) -> str:
        """The text of predicted ids."""
        return self.spelling.read(self._decode(ids))

    def _decode(self, ids: Sequence[int]) -> str:
        text: str = self.tokenizer.decode(ids, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        return text


def end_of(tokenizer: Any) -> int:
    """The token that ends a target."""
    if tokenizer.eos_token_id is None:
        raise OptionError("the tokenizer has no token for the end of a text", "give it an eos_token")
    return int(tokenizer.eos_token_id)
