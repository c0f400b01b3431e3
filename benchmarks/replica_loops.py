"""One Transformer at a time, the usual ways: what `replicas.py` measures stacks against.

`plain` is the loop that a user would write in PyTorch (bf16 autocast, scaled_dot_product_attention, fused Adam);
`compile` the same under torch.compile; `graph` the same with each whole step captured as a CUDA graph; `trainer` is
Hugging Face's Trainer on a T5 of the same sizes. All see the very batches of one replica, padding included, laid ready
on the device before the clock starts, so no loop pays for its data.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from recombine.models.seq2seq.architectures import layers
from recombine.models.seq2seq.architectures.architecture import END
from recombine.models.seq2seq.export import Study
from recombine.models.seq2seq.settings import Seq2SeqSettings
from recombine.models.seq2seq.training.train import Stack

Note = Callable[[int], bool]
"""Called after some steps with their number; whether to go on."""


class Runner(Protocol):
    """Something that trains: it goes up to each mark in turn and calls `note` there."""

    @property
    def step(self) -> int:
        """Steps done, from which it goes on."""

    def run(self, marks: Sequence[int], note: Note) -> None:
        """Train to the last mark, or until `note` says no."""

    def accuracies(self, study: Study, rows: np.ndarray[Any, Any]) -> list[float]:
        """Shares of exact predictions, one for each model in training."""


class Batches:
    """The batches of the first replica of a stack, ready on the device: bucket, source (B, S), target (B, T)."""

    def __init__(self, feed: Stack) -> None:
        self.feed, self.shapes, self.device = feed, feed.shapes, feed.device
        self.ready: list[tuple[int, Tensor, Tensor]] = []

    def prepare(self, until: int) -> None:
        """Make all batches up to this step; an empty example gets an end as its source, so that no mask is empty."""
        feed = self.feed
        while len(self.ready) < until:
            cycle, place = divmod(feed.step, len(feed.shapes))
            if cycle not in feed._uploaded:
                feed._upload(cycle)
            bucket = int(feed._order[cycle - feed._uploaded.start, place])
            source, target = (x[0] for x in feed._batch(bucket))
            source[:, 0].clamp_(min=END)
            self.ready.append((bucket, source, target))
            feed.step += 1
            feed._step += 1


class StackRunner:
    """A stack of replicas here."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack

    @property
    def step(self) -> int:
        return self.stack.step

    def run(self, marks: Sequence[int], note: Note) -> None:
        for mark in marks:
            self.stack.train(mark)
            if not note(mark):
                return

    def accuracies(self, study: Study, rows: np.ndarray[Any, Any]) -> list[float]:
        found = self.stack.predict([rows] * len(self.stack.replicas), study.target.shape[1])
        return [float((f == study.target[rows]).all(1).mean()) for f in found]


# -- the plain loop ---------------------------------------------------------------------------------------------------


class Attention(nn.Module):
    """Multi-head attention over torch's own fused function."""

    def __init__(self, settings: Seq2SeqSettings) -> None:
        super().__init__()
        d = settings.width
        self.heads, self.dropout = settings.heads, settings.dropout
        self.q, self.kv, self.out = nn.Linear(d, d, False), nn.Linear(d, 2 * d, False), nn.Linear(d, d, False)
        for part in (self.q.weight, *self.kv.weight.split(d), self.out.weight):
            nn.init.xavier_uniform_(part)

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor | None) -> Tensor:
        q, k, v = (
            y.unflatten(-1, (self.heads, -1)).transpose(1, 2) for y in (self.q(x), *self.kv(memory).chunk(2, -1))
        )
        rate = self.dropout if self.training else 0.0
        y = functional.scaled_dot_product_attention(q, k, v, mask, rate, is_causal=mask is None)
        return self.out(y.transpose(1, 2).flatten(2))


class Layer(nn.Module):
    """A layer of the plain loop's Transformer."""

    def __init__(self, settings: Seq2SeqSettings, cross: bool) -> None:
        super().__init__()
        d, f, p = settings.width, settings.filter_width, settings.dropout
        self.attention = Attention(settings)
        self.cross = Attention(settings) if cross else None
        self.wide = nn.Sequential(nn.Linear(d, f), nn.ReLU(), nn.Dropout(p), nn.Linear(f, d))
        for linear in (self.wide[0], self.wide[3]):
            nn.init.xavier_uniform_(linear.weight)
            nn.init.zeros_(linear.bias)
        self.norms = nn.ModuleList(nn.LayerNorm(d, eps=1e-6) for _ in range(3))
        self.drop = nn.Dropout(p)

    def forward(self, x: Tensor, mask: Tensor | None, memory: Tensor | None, seen: Tensor | None) -> Tensor:
        n = self.norms[0](x)
        x = x + self.drop(self.attention(n, n, mask))
        if self.cross is not None and memory is not None:
            x = x + self.drop(self.cross(self.norms[1](x), memory, seen))
        return x + self.drop(self.wide(self.norms[2](x)))


class PlainTransformer(nn.Module):
    """What a user would write: the same Transformer for one replica."""

    def __init__(self, settings: Seq2SeqSettings, symbols: int) -> None:
        super().__init__()
        self.settings, self.symbols = settings, symbols
        self.table = nn.Embedding(-(-symbols // 8) * 8, settings.width)
        nn.init.normal_(self.table.weight, std=settings.width**-0.5)
        self.encoder = nn.ModuleList(Layer(settings, False) for _ in range(settings.layers))
        self.decoder = nn.ModuleList(Layer(settings, True) for _ in range(settings.layers))
        self.norms = nn.ModuleList(nn.LayerNorm(settings.width, eps=1e-6) for _ in range(2))
        self.drop = nn.Dropout(settings.dropout)
        self.register_buffer("signal", layers.timing_signal(256, settings.width, torch.device("cpu")))

    def embed(self, ids: Tensor) -> Tensor:
        rows = self.table(ids) * self.settings.width**0.5 * (ids > 0)[..., None]
        return self.drop(rows + self.signal[: ids.shape[1]])

    def logits(self, source: Tensor, target: Tensor) -> Tensor:
        seen = (source > 0)[:, None, None]
        x = self.embed(source)
        for layer in self.encoder:
            x = layer(x, seen, None, None)
        memory = self.norms[0](x)
        y = self.embed(functional.pad(target[:, :-1], (1, 0)))
        for layer in self.decoder:
            y = layer(y, None, memory, seen)
        return self.norms[1](y) @ self.table.weight.T

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        with torch.autocast(source.device.type, torch.bfloat16):
            logits = self.logits(source, target)[..., : self.symbols]
        return functional.cross_entropy(
            logits.float().flatten(0, 1),
            target.flatten(),
            ignore_index=0,
            label_smoothing=self.settings.label_smoothing,
        )


class Loop:
    """The plain loop; `compiled`: its model under torch.compile; `graphs`: a CUDA graph of the step for each bucket."""

    def __init__(
        self, settings: Seq2SeqSettings, symbols: int, batches: Batches, *, compiled: bool, graphs: bool
    ) -> None:
        torch.manual_seed(0)
        self.settings, self.batches, self.step = settings, batches, 0
        self.model = PlainTransformer(settings, symbols).to(batches.device)
        self.call: Any = torch.compile(self.model, dynamic=False) if compiled else self.model
        s = settings
        self.rate: Any = torch.tensor(1.0, device=batches.device) if graphs else 1.0
        self.optimiser = torch.optim.Adam(
            self.model.parameters(), self.rate, betas=(s.beta1, s.beta2), eps=s.epsilon, fused=True, capturable=graphs
        )
        self.rate = self.optimiser.param_groups[0]["lr"]
        self.graphs: dict[int, tuple[torch.cuda.CUDAGraph, Tensor, Tensor]] = {}
        if graphs:
            self._capture()

    def run(self, marks: Sequence[int], note: Note) -> None:
        self.batches.prepare(marks[-1])
        for mark in marks:
            while self.step < mark:
                bucket, source, target = self.batches.ready[self.step]
                self.step += 1
                s = self.settings
                rate = s.rate * min(1, self.step / s.warmup) / max(self.step, s.warmup) ** 0.5
                if self.graphs:
                    graph, held_source, held_target = self.graphs[bucket]
                    self.rate.fill_(rate)
                    held_source.copy_(source)
                    held_target.copy_(target)
                    graph.replay()
                else:
                    self.optimiser.param_groups[0]["lr"] = rate
                    self._compute(source, target)
                    self.optimiser.zero_grad(set_to_none=True)
            if not note(mark):
                return

    def _compute(self, source: Tensor, target: Tensor) -> None:
        self.call(source, target).backward()
        self.optimiser.step()

    def _capture(self) -> None:
        """Capture a step for each bucket; weights and moments start afresh afterwards."""
        self.batches.prepare(len(self.batches.shapes))
        start = [parameter.detach().clone() for parameter in self.model.parameters()]
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(2):
                for _, source, target in self.batches.ready[: len(self.batches.shapes)]:
                    self._compute(source, target)
                    self.optimiser.zero_grad(set_to_none=False)
        torch.cuda.current_stream().wait_stream(stream)
        for bucket, source, target in self.batches.ready[: len(self.batches.shapes)]:
            graph, held = torch.cuda.CUDAGraph(), (source.clone(), target.clone())
            with torch.cuda.graph(graph):
                self.optimiser.zero_grad(set_to_none=False)
                self._compute(*held)
            self.graphs[bucket] = (graph, *held)
        with torch.no_grad():
            for parameter, value in zip(self.model.parameters(), start, strict=True):
                parameter.copy_(value)
                for moment in self.optimiser.state[parameter].values():
                    moment.zero_()

    @torch.no_grad()
    def accuracies(self, study: Study, rows: np.ndarray[Any, Any]) -> list[float]:
        """Decoded by running the whole prefix at every position."""
        self.model.eval()
        source, gold = (torch.from_numpy(x[rows]).to(self.batches.device) for x in (study.source, study.target))
        out = torch.zeros_like(gold)
        for position in range(gold.shape[1]):
            with torch.autocast(source.device.type, torch.bfloat16):
                logits = self.model.logits(source, functional.pad(out[:, :position], (0, 1)))
            out[:, position] = logits[:, -1, 1 : self.model.symbols].argmax(-1) + 1
        self.model.train()
        return [exact(out, gold)]


def exact(out: Tensor, gold: Tensor) -> float:
    """The share of rows that are right up to and with their first end."""
    ended = (out == END).cumsum(1) - (out == END).long() > 0
    return float((out.masked_fill(ended, 0) == gold).all(1).float().mean())


# -- Hugging Face -----------------------------------------------------------------------------------------------------


class T5Trainer:
    """Hugging Face's Trainer on a T5 of the same sizes, with logging, saving, clipping and its check for NaN off."""

    step = 0

    def __init__(self, settings: Seq2SeqSettings, symbols: int, batches: Batches) -> None:
        from transformers import T5Config, T5ForConditionalGeneration

        torch.manual_seed(0)
        s = settings
        self.settings, self.batches = settings, batches
        config = T5Config(
            vocab_size=-(-symbols // 8) * 8, d_model=s.width, d_kv=s.width // s.heads, d_ff=s.filter_width,
            num_layers=s.layers, num_decoder_layers=s.layers, num_heads=s.heads, dropout_rate=s.dropout,
            feed_forward_proj="relu", pad_token_id=0, eos_token_id=END, decoder_start_token_id=0,
            tie_word_embeddings=True,
        )  # fmt: skip
        self.model = T5ForConditionalGeneration._from_config(config, attn_implementation="sdpa").to(batches.device)

    def _items(self, until: int) -> list[dict[str, Tensor]]:
        self.batches.prepare(until)
        return [
            {
                "input_ids": source,
                "attention_mask": (source > 0).long(),
                "decoder_input_ids": functional.pad(target[:, :-1], (1, 0)),
                "labels": target.masked_fill(target == 0, -100),
            }
            for _, source, target in self.batches.ready[:until]
        ]

    def run(self, marks: Sequence[int], note: Note) -> None:
        import transformers

        class Marks(transformers.TrainerCallback):  # type: ignore[misc]
            def on_step_end(self, _args: Any, state: Any, control: Any, **_: Any) -> None:
                if state.global_step in marks and not note(state.global_step):
                    control.should_training_stop = True

        class Trainer(transformers.Trainer):  # type: ignore[misc]
            def get_train_dataloader(self) -> Any:
                return torch.utils.data.DataLoader(self.train_dataset, batch_size=None)

        s = self.settings
        with tempfile.TemporaryDirectory() as folder:
            arguments = transformers.TrainingArguments(
                output_dir=folder, max_steps=marks[-1], bf16=True, optim="adamw_torch_fused", weight_decay=0.0,
                learning_rate=s.rate / s.warmup**0.5, lr_scheduler_type="inverse_sqrt", warmup_steps=s.warmup,
                adam_beta1=s.beta1, adam_beta2=s.beta2, adam_epsilon=s.epsilon, max_grad_norm=0.0,
                label_smoothing_factor=s.label_smoothing, remove_unused_columns=False, dataloader_pin_memory=False,
                save_strategy="no", logging_strategy="no", logging_nan_inf_filter=False, report_to="none",
                disable_tqdm=True, use_cpu=self.batches.device.type == "cpu", seed=0,
            )  # fmt: skip
            Trainer(self.model, arguments, train_dataset=self._items(marks[-1]), callbacks=[Marks()]).train()

    @torch.no_grad()
    def accuracies(self, study: Study, rows: np.ndarray[Any, Any]) -> list[float]:
        self.model.eval()
        source, gold = (torch.from_numpy(x[rows]).to(self.batches.device) for x in (study.source, study.target))
        longest = gold.shape[1]
        with torch.autocast(source.device.type, torch.bfloat16):
            out = self.model.generate(
                source, attention_mask=(source > 0).long(), max_new_tokens=longest, do_sample=False
            )[:, 1:]
        self.model.train()
        return [exact(functional.pad(out, (0, longest - out.shape[1])), gold)]


def make_runner(kind: str, study: Study, settings: Seq2SeqSettings, batches: Batches) -> Runner:
    """A loop by its name: plain, compile, graph, compile-graph or trainer."""
    if kind == "trainer":
        return T5Trainer(settings, len(study.vocabulary), batches)
    named = kind.split("-")
    return Loop(settings, len(study.vocabulary), batches, compiled="compile" in named, graphs="graph" in named)
