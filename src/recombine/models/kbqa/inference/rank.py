"""The scores of candidates by the network: RANKING (GrailQA, section 4.4), with each beginning scored once.

The tries of a batch are walked level by level: all nodes of a level go through the decoder together, with the states of
their parents. `score_one_by_one` is the same without tries, and slower.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
import torch

from recombine.models.kbqa.arrays.candidate_paths import candidate_paths
from recombine.models.kbqa.arrays.codes import SYMBOLS, first_link
from recombine.models.kbqa.arrays.ragged import Ragged
from recombine.models.kbqa.inference.answers import Answers
from recombine.models.kbqa.inference.in_parts import in_parts
from recombine.models.kbqa.inference.trie_levels import trie_levels, widest_levels
from recombine.models.kbqa.nets.batch import Batch, padded
from recombine.models.kbqa.nets.kbqa_net import State
from recombine.models.kbqa.nets.to_device import to_device

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray
    from torch import Tensor

    from recombine.models.kbqa.inference.trie_levels import TrieLevel
    from recombine.models.kbqa.nets.kbqa_net import Encoded, KbqaNet
    from recombine.models.kbqa.nets.prepared import Prepared

NUMBERS = {"cpu": 1 << 25, "cuda": 1 << 28}
"""The numbers that the widest level of a batch may take, by device."""
MOST = 128
"""The most questions of a batch."""


def rank(net: KbqaNet, prepared: Prepared, *, overlap: float = 0.0, ranked: Callable[[int], None]) -> Answers:
    """The likeliest candidate of each question, the first of two that are as likely.

    With `overlap`, that times the share of words that a candidate and its question have in common is added to the
    logarithm of the candidate's probability. `ranked` gets the numbers of questions that are done.
    """
    tries = prepared.questions.candidates
    best: list[list[int]] = [[] for _ in range(len(tries))]
    scores = np.full(len(tries), -np.inf)

    def take(rows: NDArray[np.int64]) -> None:
        for row, found in zip(rows, score_candidates(net, prepared, rows), strict=True):
            leaves = tries.leaves(int(row))
            judged = found[leaves] + (overlap * _likeness(prepared, int(row)) if overlap else 0.0)
            leaf = int(leaves[np.argmax(judged)])
            best[int(row)] = tries.path(int(row), leaf)[:-1]
            scores[int(row)] = found[leaf]
        ranked(len(rows))

    for rows in _batches(net, prepared):
        in_parts(rows, take)
    return Answers(Ragged.of(best), scores, np.zeros(len(tries), np.bool_))


def _likeness(prepared: Prepared, row: int) -> NDArray[np.float64]:
    """The share of words that each candidate of a question has in common with it, in the order of ends."""
    first, after = len(SYMBOLS), first_link(len(prepared.schema))
    paths = candidate_paths(prepared.questions.candidates, row)
    items = [frozenset(code - first for code in path if first <= code < after) for path in paths]
    known = {some: prepared.shared.likeness(row, some) for some in set(items)}
    return np.array([known[some] for some in items])


def score_candidates(net: KbqaNet, prepared: Prepared, rows: NDArray[np.int64]) -> list[NDArray[np.float64]]:
    """For each row the logarithms of the probabilities of its trie's nodes: those of ends are the candidates'."""
    batch = ranking_batch(prepared, rows)
    with torch.inference_mode():
        levels, begins = trie_levels(batch, prepared.questions.candidates)
        made = _walk(net, net.encode(batch), levels, int(begins[-1])).cpu().numpy()
    return [made[low:high] for low, high in itertools.pairwise(begins)]


def score_one_by_one(net: KbqaNet, prepared: Prepared, row: int, *, at_once: int = 1) -> NDArray[np.float64]:
    """The logarithms of the probabilities of a row's candidates, in the order of its trie's ends; no trie is used.

    The question is read once, and `at_once` candidates are written at a time.
    """
    tries = prepared.questions.candidates
    forms = [np.array(tries.path(row, int(leaf))) for leaf in tries.leaves(row)]
    batch = ranking_batch(prepared, np.array([row]))
    made = np.zeros(len(forms))
    with torch.inference_mode():
        encoded = net.encode(batch)
        for low in range(0, len(forms), at_once):
            some = forms[low : low + at_once]
            made[low : low + at_once] = _form_scores(net, _repeated(encoded, len(some)), batch, some)
    return made


def ranking_batch(prepared: Prepared, rows: NDArray[np.int64]) -> Batch:
    """Rows with vocabularies that hold the items of their candidates too."""
    questions, links = prepared.questions, first_link(len(prepared.schema))
    vocabularies = []
    for row in rows:
        codes = questions.candidates.codes[int(row)]
        items = codes[(codes >= len(SYMBOLS)) & (codes < links)].astype(np.int64) - len(SYMBOLS)
        vocabularies.append(np.union1d(questions.vocabulary[int(row)], items))
    return Batch.of(prepared, rows, vocabularies)


def _walk(net: KbqaNet, encoded: Encoded, levels: list[TrieLevel], nodes: int) -> Tensor:
    """The scores of all nodes of a batch."""
    device = net.device
    made = torch.zeros(nodes, dtype=torch.float64, device=device)
    scores, state = net.start(encoded)
    before = torch.zeros(scores.shape[:2], dtype=torch.float64, device=device)
    for level in levels:
        question, above, place, going, column = (
            to_device(each, device) for each in (level.question, level.above, level.place, level.going, level.column)
        )
        reached = before[question, above] + scores[question, above, place]
        made[to_device(level.nodes, device)] = reached
        if not len(going):
            break
        owner = question[going]
        shape = (len(encoded.rows), level.columns)
        parents, places = (torch.zeros(shape, dtype=torch.int64, device=device) for _ in range(2))
        before = torch.zeros(shape, dtype=torch.float64, device=device)
        parents[owner, column], places[owner, column] = above[going], place[going]
        before[owner, column] = reached[going]
        at = parents[:, :, None].expand(-1, -1, net.width)
        scores, state = net.step(encoded, State(state.hidden.gather(1, at), state.cell.gather(1, at)), places)
    return made


def _batches(net: KbqaNet, prepared: Prepared) -> list[NDArray[np.int64]]:
    """Rows that have candidates, those of about one width together."""
    questions = prepared.questions
    rows = np.flatnonzero(questions.candidates.codes.sizes > 0)
    widths = widest_levels(questions.candidates, rows)
    order = np.argsort(widths, kind="stable")[::-1]
    limit = NUMBERS.get(net.device.type, NUMBERS["cuda"])
    made, low = [], 0
    while low < len(order):
        row = int(rows[order[low]])
        each = int(widths[order[low]]) * (len(questions.vocabulary[row]) + len(SYMBOLS) + 16 * net.width)
        high = min(low + max(1, limit // max(1, each)), low + MOST)
        made.append(rows[order[low:high]])
        low = high
    return made


def _repeated(encoded: Encoded, times: int) -> Encoded:
    """One question as often as it has candidates at once."""
    from dataclasses import replace

    def again(tensor: Tensor) -> Tensor:
        return tensor.expand(times, *tensor.shape[1:])

    return replace(
        encoded,
        memory=again(encoded.memory),
        unread=again(encoded.unread),
        rows=again(encoded.rows),
        absent=again(encoded.absent),
        shared=None if encoded.shared is None else again(encoded.shared),
        first=State(again(encoded.first.hidden), again(encoded.first.cell)),
    )


def _form_scores(net: KbqaNet, encoded: Encoded, batch: Batch, forms: list[NDArray[np.int64]]) -> NDArray[np.float64]:
    """The scores of whole forms of one question, ends among them."""
    parts = [batch.places(np.zeros(len(form), np.int64), form) for form in forms]
    places = to_device(padded(parts, 0), net.device)
    scores = net.follow(encoded, places[:, :-1])
    picked = scores.gather(2, places[:, :, None])[:, :, 0].double().cpu().numpy()
    used = np.arange(places.shape[1]) < np.array([len(part) for part in parts])[:, None]
    made: NDArray[np.float64] = np.where(used, picked, 0.0).sum(axis=1)
    return made
