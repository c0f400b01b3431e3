"""The LSTM decoder that copies."""

from __future__ import annotations

from itertools import product

import pytest
import torch

from recombine.models.pretrained.kinds.copy_decoder import CopyDecoder, Memory
from recombine.models.pretrained.texts.words import END, PAD, START, UNKNOWN

VOCABULARY = 6  # four special ones and two words
SIZE = 8  # two words of sources besides


@pytest.fixture
def decoder() -> CopyDecoder:
    with torch.random.fork_rng():
        torch.manual_seed(3)
        made = CopyDecoder(5, VOCABULARY, hidden=7, embedding=3, dropout=0.0)
        for weight in made.parameters():
            torch.nn.init.normal_(weight, std=0.7)
    return made.eval()


@pytest.fixture
def memory() -> Memory:
    generator = torch.Generator().manual_seed(1)
    states = torch.randn(2, 3, 5, generator=generator)
    mask = torch.tensor([[True, True, True], [True, False, False]])
    return Memory(states, mask, torch.tensor([[4, 6, 7], [6, UNKNOWN, UNKNOWN]]), SIZE)


def test_probabilities_are_of_what_can_be(decoder: CopyDecoder, memory: Memory) -> None:
    logs, state = decoder.step(memory, decoder.begin(memory), torch.tensor([START, START]))
    shares = logs.exp()
    torch.testing.assert_close(shares.sum(1), torch.ones(2))
    assert float(shares[:, [PAD, START, UNKNOWN]].detach().max()) < 1e-20
    assert float(shares[1, 7].detach()) < 1e-20  # not in the second source
    assert (state.copied[1, 1:] == 0).all()
    # Ways to the same word add up: word 4 is in the vocabulary and at the first place of the first source.
    other = Memory(memory.states, memory.mask, torch.tensor([[6, 6, 7], [6, 3, 3]]), SIZE)
    apart, _ = decoder.step(other, decoder.begin(other), torch.tensor([START, START]))
    moved = shares[0, 4] - apart[0].exp()[4]
    torch.testing.assert_close(moved, state.copied[0, 0])


def test_the_last_word_is_read_where_it_was_copied(decoder: CopyDecoder, memory: Memory) -> None:
    _, state = decoder.step(memory, decoder.begin(memory), torch.tensor([START, START]))
    here, _ = decoder.step(memory, state, torch.tensor([7, 6]))
    changed = Memory(memory.states.clone(), memory.mask, torch.tensor([[4, 7, 6], [6, 3, 3]]), SIZE)
    there, _ = decoder.step(changed, state, torch.tensor([7, 6]))
    assert not torch.allclose(here[0, :4], there[0, :4])
    torch.testing.assert_close(here[1], there[1])


def test_filled_up_places_change_nothing(decoder: CopyDecoder, memory: Memory) -> None:
    target = torch.tensor([[6, 5, END], [6, END, PAD]])
    both = decoder.loss(memory, target)
    first = Memory(memory.states[:1], memory.mask[:1], memory.numbers[:1], SIZE)
    second = Memory(memory.states[1:, :1], memory.mask[1:, :1], memory.numbers[1:, :1], SIZE)
    apart = decoder.loss(first, target[:1]) + decoder.loss(second, target[1:, :2])
    torch.testing.assert_close(both, apart)


@torch.no_grad()
def test_search_finds_the_best(decoder: CopyDecoder, memory: Memory) -> None:
    limit = 3
    found = decoder.search(memory, limit, 200)
    for row in range(2):
        one = Memory(memory.states[row : row + 1], memory.mask[row : row + 1], memory.numbers[row : row + 1], SIZE)
        words = [4, 5, 6, 7]
        every = [[*front, END] for n in range(limit) for front in product(words, repeat=n)]
        every += [list(front) for front in product(words, repeat=limit)]
        scores = [float(-decoder.loss(one, torch.tensor([numbers]))) / len(numbers) for numbers in every]
        best = every[max(range(len(every)), key=scores.__getitem__)]
        assert found[row][: len(best)] == best
        assert set(found[row][len(best) :]) <= {END}


@torch.no_grad()
def test_one_beam_is_greedy(decoder: CopyDecoder, memory: Memory) -> None:
    found = decoder.search(memory, 5, 1)
    state, last = decoder.begin(memory), torch.tensor([START, START])
    for place in range(len(found[0])):
        logs, state = decoder.step(memory, state, last)
        last = logs.argmax(1)
        for row in range(2):
            if END not in found[row][:place]:
                assert found[row][place] == int(last[row])
