"""Beginnings of forms in a beam: what may follow each so that it can still become a form of a given length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

from recombine.models.kbqa.inference.form_automaton import (
    FORM,
    KINDS,
    LITERAL_KIND,
    NEVER,
    OVER,
    PUSHED,
    RELATION_KIND,
    STATES,
    fewest_words,
    rules,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class FormRules:
    """The automaton as tables, for the words that each question of a batch has."""

    kinds: Tensor
    """Of the words of each question (B, V); `KINDS` where there is none."""
    fewest: Tensor
    """The fewest words to get rid of a state (B, states)."""
    cost: Tensor
    """The fewest words after a word of a kind, for what it puts on the stack (B, states, kinds + 1)."""
    pushed: Tensor
    """What a word of a kind puts on the stack, the first to come last (states, kinds + 1, 3)."""
    number: Tensor
    """How much that is (states, kinds + 1)."""

    @classmethod
    def of(cls, kinds: NDArray[np.int64], device: torch.device) -> FormRules:
        """The tables of questions with words of these kinds (B, V)."""
        range_ = range(RELATION_KIND, LITERAL_KIND + 1)
        fewest = np.stack([fewest_words(*(bool((own == kind).any()) for kind in range_)) for own in kinds])
        cost = np.full((len(kinds), STATES, KINDS + 1), NEVER, np.int64)
        pushed = np.zeros((STATES, KINDS + 1, PUSHED), np.int64)
        number = np.zeros((STATES, KINDS + 1), np.int64)
        for (top, kind), states in rules().items():
            cost[:, top, kind] = np.minimum(fewest[:, list(states)].sum(axis=1), NEVER)
            pushed[top, kind, : len(states)] = states[::-1]
            number[top, kind] = len(states)
        tables = (np.where(kinds < 0, KINDS, kinds), fewest, cost, pushed, number)
        return cls(*(torch.from_numpy(np.ascontiguousarray(each)).to(device) for each in tables))


class OpenForms:
    """Stacks of the automaton for M beginnings of forms of each question."""

    def __init__(self, rules: FormRules, longest: int) -> None:
        questions, device = len(rules.kinds), rules.kinds.device
        self._rules, self._longest = rules, longest
        # A state on the stack takes at least a word, and the bottom is never taken off.
        self._stack = torch.zeros((questions, 1, longest + PUSHED + 2), dtype=torch.int64, device=device)
        self._stack[:, :, 0], self._stack[:, :, 1] = OVER, FORM
        self._top = torch.ones((questions, 1), dtype=torch.int64, device=device)
        self._owed = rules.fewest[:, FORM][:, None].clone()
        self._written = 0

    def possible(self) -> Tensor:
        """Which questions have any form that is short enough (B)."""
        return self._rules.fewest[:, FORM] <= self._longest

    def _now(self) -> Tensor:
        return self._stack.gather(2, self._top[:, :, None])[:, :, 0]

    def allowed(self) -> Tensor:
        """Which words may follow (B, M, V)."""
        now, rules = self._now(), self._rules
        questions = torch.arange(len(now), device=now.device)[:, None]
        rest = self._owed - rules.fewest[questions, now]
        # An end is no word of the form, and comes where nothing else can.
        ends = (now == OVER)[:, :, None]
        words = torch.where(ends, 0, 1 + rest[:, :, None]) + rules.cost[questions, now]
        fits = words <= self._longest - self._written
        return fits.gather(2, rules.kinds[:, None].expand(-1, now.shape[1], -1))

    def follow(self, parents: Tensor, places: Tensor) -> None:
        """Go on from beginnings (B, M) with words at these places (B, M)."""
        rules = self._rules
        questions = torch.arange(len(places), device=places.device)[:, None]
        stack, top, owed = (
            self._stack[questions, parents],
            self._top[questions, parents],
            self._owed[questions, parents],
        )
        now = stack.gather(2, top[:, :, None])[:, :, 0]
        kinds = rules.kinds[questions, places]
        over = now == OVER
        owed = torch.where(over, 0, owed - rules.fewest[questions, now] + rules.cost[questions, now, kinds])
        pushed, number = rules.pushed[now, kinds], rules.number[now, kinds]
        slots = top[:, :, None] + torch.arange(PUSHED, device=places.device)
        kept = torch.arange(PUSHED, device=places.device) < number[:, :, None]
        slots = slots.clamp(max=stack.shape[2] - 1)
        stack = stack.scatter(2, slots, torch.where(kept & ~over[:, :, None], pushed, stack.gather(2, slots)))
        self._stack, self._owed = stack, owed
        self._top = torch.where(over, top, top - 1 + number).clamp(0, stack.shape[2] - 1)
        self._written += 1
