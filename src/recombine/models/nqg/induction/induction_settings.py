"""The settings of an induction: one default for all data, and the paper's own as named presets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from typing import Any

from recombine.errors import OptionError, UnknownNameError
from recombine.models.nqg.preset_text import preset_text
from recombine.models.nqg.sql_tokens import BLANKS, SQL, TOKENS
from recombine.options import Option, option
from recombine.seeds import check_seed


@dataclass(frozen=True)
class InductionSettings:
    """The settings of an induction.

    >>> InductionSettings.of("nqg:scan", restarts=3).terminal_bits
    32.0
    >>> print(InductionSettings())
    default
    >>> print(InductionSettings.of("nqg:geoquery", seed=4))
    nqg:geoquery,seed=4
    """

    sample: int = option(500, "The search sees this many of the shortest examples; 0: all.")
    """Of the distinct ones, the shortest sources first."""
    largest: int = option(
        1600, "The search sees no example whose source has more tokens times those of its target; 0: no limit."
    )
    terminal_bits: float = option(8.0, "Bits of a token in L (l_T), which decides between starts.")
    slot_bits: float = option(1.0, "Bits of a slot in L (l_N).")
    search_terminal_bits: float = option(16.0, "Bits of a token while searching.")
    """In two of every four starts. More of them than in the codelength weigh ambiguity less: a trained scorer needs far
    fewer bits to choose than the uniform choice among derivations that the codelength assumes."""
    search_slot_bits: float = option(4.0, "Bits of a slot while searching.")
    """In these starts. At one bit, rules of slots alone are nearly free and displace better ones."""
    estimate: int = option(5, "The examples from which a candidate's cost is estimated.")
    repeated_targets: bool = option(True, "Whether a slot may stand more than once on the target side of a rule.")
    balance_parentheses: bool = option(True, "Whether both sides of a proposed rule must have balanced parentheses.")
    align_tokens: bool = option(
        True, "Whether every other start also begins with rules for tokens that stand in exactly the same examples."
    )
    tokens: str = option(
        BLANKS,
        "How texts are cut: at blanks, or as sql, punctuation of questions and signs of SQL apart.",
        choices=TOKENS,
    )
    all_identities: bool = option(
        False, "Whether strings that source and target share are rules also where the search does not see the example."
    )
    restarts: int = option(2, "Starts of the search; the grammar of the lowest L is kept.")
    effort: float = option(1.0, "A factor on the rounds of refinement; 0 is the greedy search.")
    """Of a start: eight, and two for every five rules."""
    seed: int = 0

    def __post_init__(self) -> None:
        check_seed(self.seed)
        for name, least in (("sample", 0), ("largest", 0), ("estimate", 1), ("restarts", 1), ("effort", 0)):
            if not getattr(self, name) >= least:
                raise OptionError(f"{name} is {getattr(self, name)}", f"give {least} or more")
        if self.tokens not in TOKENS:
            raise UnknownNameError("way to cut texts into tokens", self.tokens, TOKENS)
        for name in ("terminal_bits", "slot_bits", "search_terminal_bits", "search_slot_bits"):
            if not 0 < getattr(self, name) < float("inf"):
                raise OptionError(f"{name} is {getattr(self, name)}", "give a number above 0")

    @classmethod
    def of(cls, preset: str = "default", **changes: object) -> InductionSettings:
        """The settings of a preset with some of them changed."""
        if preset not in PRESETS:
            raise UnknownNameError("preset", preset, PRESETS)
        unknown = next((name for name in changes if name not in cls.__dataclass_fields__), None)
        if unknown is not None:
            raise UnknownNameError("setting", unknown, cls.__dataclass_fields__)
        return replace(PRESETS[preset], **changes)  # type: ignore[arg-type]

    def at_start(self, start: int) -> InductionSettings:
        """What a start, from 1, searches with: the third and fourth of every four take the bits of the codelength.

        >>> [InductionSettings().at_start(start).search_terminal_bits for start in range(1, 6)]
        [16.0, 16.0, 8.0, 8.0, 16.0]
        """
        if (start - 1) % 4 < 2:
            return self
        return replace(self, search_terminal_bits=self.terminal_bits, search_slot_bits=self.slot_bits)

    def rounds(self, rules: int) -> int:
        """The rounds of refinement of a start that has found this many rules."""
        return ceil(self.effort * (8 + 0.4 * rules))

    def __str__(self) -> str:
        """The preset that needs the fewest changes, and the changes: what a signature says."""
        return preset_text(self, PRESETS)


_PAPER: dict[str, Any] = {"search_slot_bits": 1.0, "estimate": 10, "align_tokens": False, "restarts": 1, "effort": 0.0}
PRESETS = {
    "default": InductionSettings(),
    # App. A.2: one greedy search; 500 examples of SCAN, all of GeoQuery's; l_T 32 and 8.
    "nqg:scan": InductionSettings(terminal_bits=32.0, search_terminal_bits=32.0, **_PAPER),
    "nqg:geoquery": InductionSettings(sample=0, search_terminal_bits=8.0, repeated_targets=False, **_PAPER),
    # Table 1: signs are tokens; App. B.4: identity rules of all examples.
    "nqg:spider": InductionSettings(sample=1000, search_terminal_bits=8.0, tokens=SQL, all_identities=True, **_PAPER),
}
"""Settings by name; those after the paper run its plain greedy search, and leave scoring and decoding as they are."""
PRESET = Option(
    "preset",
    str,
    "default",
    "default, or the paper's settings of the induction, and of nothing else: "
    f"{', '.join(name for name in PRESETS if name != 'default')}.",
    tuple(PRESETS),
)
"""The choice among them, as an option."""
