"""Questions and items in the chunks that a transformer reads: `[CLS] question [SEP] item ; item [SEP]`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from tests.models.kbqa.few_questions import SCHEMA, uneven_questions

from recombine.models.kbqa.nets.batch import Batch
from recombine.models.kbqa.nets.chunks import NOBODY, Chunks, make_chunks
from recombine.models.kbqa.nets.prepared import Prepared

CLS, SEP, BETWEEN = -1, -2, -3


class _Words:
    """A piece a word: its place in a list of all words."""

    def __init__(self) -> None:
        self.words = [""]

    def pieces(self, texts: Sequence[str]) -> list[list[int]]:
        for word in " ".join(texts).split():
            if word not in self.words:
                self.words.append(word)
        return [[self.words.index(word) for word in text.split()] or [0] for text in texts]


def _chunks(rows: list[int], most: int, longest: int = 100) -> tuple[Chunks, Batch, list[str]]:
    words = _Words()
    prepared = Prepared.of(SCHEMA, uneven_questions(), words)
    batch = Batch.of(prepared, rows, [prepared.questions.vocabulary[row] for row in rows])
    chunks = make_chunks(batch, (CLS, SEP, BETWEEN), most, longest)
    names = {CLS: "[CLS]", SEP: "[SEP]", BETWEEN: ";"}
    texts = [names.get(token, words.words[token]) for token in chunks.tokens.tolist()]
    return (
        chunks,
        batch,
        [" ".join(texts[low:high]) for low, high in zip(chunks.begins[:-1], chunks.begins[1:], strict=True)],
    )


def test_figure_3_with_two_items_a_chunk() -> None:
    _, _, texts = _chunks([0, 1], most=2)
    question = "which films by Alien have 3 pages?"
    assert texts == [
        f"[CLS] {question} [SEP] Alien ; 3 [SEP]",
        f"[CLS] {question} [SEP] film film directed by ; book book pages [SEP]",
        f"[CLS] {question} [SEP] film film [SEP]",
        "[CLS] Dune? [SEP] Dune ; film film written by [SEP]",
    ]


def test_owners_and_questions_are_where_their_tokens_are() -> None:
    chunks, batch, _ = _chunks([1, 0], most=2)
    width = batch.links.shape[1] + batch.items.shape[1]  # two links, three items
    # Of question 1 (place 0) the link and the item, of question 0 (place 1) two links and three items.
    assert sorted(set(chunks.owners.tolist()) - {NOBODY}) == [0, 2, *range(width, width + 5)]
    assert (chunks.owners == 2).sum() == 4  # film film written by
    size = batch.pieces.shape[1]
    asked = np.flatnonzero(chunks.asked != NOBODY)
    flat = batch.pieces.reshape(-1)
    np.testing.assert_array_equal(chunks.tokens[asked], flat[chunks.asked[asked]])
    # Each piece of a question once, from its first chunk.
    assert sorted(chunks.asked[asked].tolist()) == [0, *range(size, size + 7)]
    assert chunks.second[:8].tolist() == [0, 0, 0, 1, 1, 1, 1, 1]


def test_no_chunk_is_longer_than_the_transformer_reads() -> None:
    for longest in (15, 16, 20):
        chunks, batch, _ = _chunks([0, 3], most=20, longest=longest)
        assert np.diff(chunks.begins).max() <= longest
        assert len(set(chunks.owners.tolist()) - {NOBODY}) == (batch.known[:, 13:]).sum()


@pytest.mark.parametrize("most", [1, 3, 20])
def test_a_question_with_nothing_linked_is_read_too(most: int) -> None:
    chunks, batch, texts = _chunks([2], most=most)
    assert texts[0].startswith("[CLS]  [SEP] film film directed by")
    assert (chunks.asked != NOBODY).sum() == batch.pieces.size == 1
