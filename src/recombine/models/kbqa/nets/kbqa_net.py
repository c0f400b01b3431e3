"""A sequence-to-sequence network whose output words are read from their texts (GrailQA, sections 4.1 and 4.2).

An LSTM reads the vectors of the question's pieces in both directions, and another writes the form. The table W of the
words of a form has learned rows for symbols; the row of a link or a schema item is the mean of the encoder's vectors of
its own words, projected. Its rows are what the decoder is fed with and what its output is compared with. Nothing in the
network depends on how many items a schema has.

The decoder attends to the question's pieces with its state h; what is compared with W is a projection of h and of what
it attended to, plus the latter itself. As the pieces of the question pass through the same projection as the words of
items, a word of an unseen item is recognised where the question has it. With `shared_words`, which the paper does not
have, an item's score has a further term: how many words it has in common with the question, weighed by the state h.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from recombine.errors import InputFileError
from recombine.models.kbqa.arrays.codes import SYMBOLS
from recombine.models.kbqa.nets.make_encoder import make_encoder
from recombine.models.kbqa.nets.prepared import Prepared
from recombine.models.kbqa.nets.shared_words import MEASURES
from recombine.models.kbqa.nets.to_device import to_device

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from recombine.models.kbqa.arrays.question_arrays import QuestionArrays
    from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays
    from recombine.models.kbqa.kbqa_settings import KbqaSettings
    from recombine.models.kbqa.nets.batch import Batch

WORDS = "encoder.words"
"""The name under which the words of an encoder from scratch stand among the weights."""


@dataclass(frozen=True, slots=True)
class State:
    """States of the decoder: (B, M, width) each, for M beginnings of forms of each question."""

    hidden: Tensor
    cell: Tensor


@dataclass(frozen=True, slots=True)
class Encoded:
    """What the decoder knows of a batch."""

    memory: Tensor
    """Of each piece of the question (B, T, width)."""
    unread: Tensor
    """Which pieces are none (B, T)."""
    rows: Tensor
    """The table W of each question (B, V, width)."""
    absent: Tensor
    """Which rows of it are none (B, V)."""
    shared: Tensor | None
    """How many words each row has in common with the question (B, V, measures), where that counts by itself."""
    first: State
    """The state before the first word; M is 1."""


class KbqaNet(nn.Module):
    """The network around an encoder."""

    def __init__(self, encoder: Any, settings: KbqaSettings) -> None:
        super().__init__()
        width = settings.width + settings.width % 2
        self.encoder, self.width = encoder, width
        self.project = nn.Linear(encoder.width, width)
        self.reader = nn.LSTM(width, width // 2, batch_first=True, bidirectional=True)
        self.symbols = nn.Parameter(torch.randn(len(SYMBOLS), width) * 0.3)
        self.begin = nn.Parameter(torch.randn(width) * 0.3)
        self.writer = nn.LSTM(width, width, batch_first=True)
        self.attend = nn.Linear(width, width, bias=False)
        self.compare = nn.Linear(2 * width, width)
        self.dropout = nn.Dropout(settings.dropout)
        self.scale = nn.Parameter(torch.tensor(0.0))
        self.common = nn.Linear(width, MEASURES) if settings.shared_words else None

    # -- reading --------------------------------------------------------------------------------------------------

    def prepare(self, schema: SchemaArrays, questions: QuestionArrays) -> Prepared:
        """Questions cut into pieces."""
        return Prepared.of(schema, questions, self.encoder)

    @property
    def device(self) -> torch.device:
        """Where it computes."""
        return self.begin.device

    def encode(self, batch: Batch) -> Encoded:
        """What the decoder needs of a batch."""
        pieces, entries = self.encoder(batch)
        pieces = self.dropout(self.project(pieces))
        states, first = self._read(pieces, batch.sizes)
        memory = states + pieces
        symbols = self.symbols.expand(len(batch), -1, -1)
        rows = self.dropout(torch.cat([symbols, self.project(entries)], dim=1))
        unread = to_device(np.arange(pieces.shape[1]) >= batch.sizes[:, None], self.device)
        absent = to_device(~batch.known, self.device)
        shared = None if self.common is None else to_device(batch.shared, self.device)
        return Encoded(self.dropout(memory), unread, rows, absent, shared, first)

    def _read(self, pieces: Tensor, sizes: NDArray[np.int64]) -> tuple[Tensor, State]:
        """The states of the reader at each piece (B, T, width), and its last ones in both directions."""
        # Sorted here and not by torch, which would wait for the device.
        order = np.argsort(-sizes, kind="stable")
        there, back = (to_device(each, self.device) for each in (order, np.argsort(order, kind="stable")))
        packed = pack_padded_sequence(pieces[there], torch.from_numpy(sizes[order]), batch_first=True)
        states, last = self.reader(packed)
        padded = pad_packed_sequence(states, batch_first=True, total_length=pieces.shape[1])[0]
        return padded[back], State(*(torch.cat([each[0], each[1]], dim=1)[back][:, None] for each in last))

    # -- writing --------------------------------------------------------------------------------------------------

    def start(self, encoded: Encoded) -> tuple[Tensor, State]:
        """The scores of first words (B, 1, V), and the state that goes with them."""
        fed = self.begin.expand(len(encoded.rows), 1, -1)
        return self._go_on(encoded, fed, encoded.first)

    def step(self, encoded: Encoded, state: State, places: Tensor) -> tuple[Tensor, State]:
        """The scores (B, M, V) of what follows words at these places (B, M), and the states (B, M) after them."""
        fed = encoded.rows.gather(1, places[:, :, None].expand(-1, -1, self.width))
        return self._go_on(encoded, fed, state)

    def _go_on(self, encoded: Encoded, fed: Tensor, state: State) -> tuple[Tensor, State]:
        questions, number = fed.shape[:2]
        flat = [each.reshape(1, questions * number, self.width).contiguous() for each in (state.hidden, state.cell)]
        written, (hidden, cell) = self.writer(fed.reshape(questions * number, 1, self.width), (flat[0], flat[1]))
        after = State(hidden.reshape(questions, number, -1), cell.reshape(questions, number, -1))
        return self.scores(encoded, written.reshape(questions, number, self.width)), after

    def follow(self, encoded: Encoded, places: Tensor) -> Tensor:
        """The scores (B, S + 1, V) of each word of forms (B, S), and of what follows, given the right words before."""
        words = encoded.rows.gather(1, places[:, :, None].expand(-1, -1, self.width))
        fed = torch.cat([self.begin.expand(len(places), 1, -1), words], dim=1)
        first = [each.transpose(0, 1).contiguous() for each in (encoded.first.hidden, encoded.first.cell)]
        return self.scores(encoded, self.writer(fed, (first[0], first[1]))[0])

    def scores(self, encoded: Encoded, written: Tensor) -> Tensor:
        """Logarithms of the probabilities of each word (B, M, V) at states of the decoder (B, M, width)."""
        asked = self.attend(written) @ encoded.memory.transpose(1, 2) / math.sqrt(self.width)
        shares = asked.masked_fill(encoded.unread[:, None], -torch.inf).softmax(-1)
        seen = shares @ encoded.memory
        wanted = self.dropout(torch.tanh(self.compare(torch.cat([written, seen], dim=-1))) + seen)
        # The scale is learned, beginning with that of sums of so many products.
        scores = wanted @ encoded.rows.transpose(1, 2) * (self.scale.exp() / math.sqrt(self.width))
        if self.common is not None and encoded.shared is not None:
            scores = scores + self.common(written) @ encoded.shared.transpose(1, 2)
        likely: Tensor = scores.masked_fill(encoded.absent[:, None], -torch.inf).log_softmax(-1)
        return likely

    # -- keeping --------------------------------------------------------------------------------------------------

    def slow_weights(self) -> list[nn.Parameter]:
        """The weights that have the rate of pretrained ones."""
        return list(self.encoder.slow_weights())

    def state(self) -> dict[str, Tensor]:
        """All that was learned; the words of an encoder from scratch are among it, as their bytes."""
        made = {name: value.detach().cpu().clone() for name, value in self.state_dict().items()}
        words = getattr(self.encoder, "words", None)
        if words is not None:
            made[WORDS] = torch.tensor(list("\n".join(words).encode()), dtype=torch.int32)
        return made

    @classmethod
    def load(
        cls, state: Mapping[str, Tensor], settings: KbqaSettings, *, encoder_files: Path | str | None = None
    ) -> KbqaNet:
        """The network of what was learned. Fixed vectors and a transformer's tokenizer are read from their files."""
        net = cls(make_encoder(settings, files=encoder_files, words=words_in(state)), settings)
        net.take(state, settings)
        return net

    def take(self, state: Mapping[str, Tensor], settings: KbqaSettings) -> None:
        """Take over what another network of the same settings learned."""
        own = self.state_dict()
        given = {name: value for name, value in state.items() if name != WORDS}
        wrong = sorted(own.keys() ^ given.keys()) or [name for name in own if own[name].shape != given[name].shape]
        if wrong:
            problem = f"the weights do not fit the settings (encoder {settings.encoder}): {wrong[0]}"
            raise InputFileError(problem, "give weights of the same encoder and widths")
        self.load_state_dict(given)


def words_in(state: Mapping[str, Tensor] | None) -> tuple[str, ...]:
    """The words of an encoder from scratch among what was learned."""
    if state is None or WORDS not in state or not len(state[WORDS]):
        return ()
    return tuple(bytes(state[WORDS].to(torch.uint8).tolist()).decode().split("\n"))
