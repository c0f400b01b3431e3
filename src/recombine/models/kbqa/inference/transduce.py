"""Forms written word by word with a beam: TRANSDUCTION (GrailQA, section 4.4), free or well-formed forms alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch

from recombine.models.kbqa.arrays.codes import END
from recombine.models.kbqa.arrays.ragged import Ragged
from recombine.models.kbqa.inference.answers import Answers
from recombine.models.kbqa.inference.form_automaton import accepts, word_kinds
from recombine.models.kbqa.inference.in_parts import in_parts
from recombine.models.kbqa.inference.open_forms import FormRules, OpenForms
from recombine.models.kbqa.nets.batch import Batch
from recombine.models.kbqa.nets.kbqa_net import State

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray
    from torch import Tensor

    from recombine.models.kbqa.kbqa_settings import KbqaSettings
    from recombine.models.kbqa.nets.kbqa_net import KbqaNet
    from recombine.models.kbqa.nets.prepared import Prepared

MOST = 64
"""The most questions of a batch."""


def transduce(net: KbqaNet, prepared: Prepared, settings: KbqaSettings, *, written: Callable[[int], None]) -> Answers:
    """The likeliest form of the beam for each question. `written` gets counts of questions."""
    questions = prepared.questions
    forms: list[list[int]] = [[] for _ in range(len(questions))]
    scores, malformed = np.full(len(questions), -np.inf), np.zeros(len(questions), np.bool_)
    beams: list[tuple[tuple[int, ...], ...]] = [()] * len(questions)

    def take(rows: NDArray[np.int64]) -> None:
        for row, made in zip(rows.tolist(), write_forms(net, prepared, rows, settings), strict=True):
            forms[row], scores[row], malformed[row], beams[row] = made
        written(len(rows))

    whole = settings.vocabulary == "whole"
    order = np.argsort(questions.vocabulary.sizes if not whole else prepared.question_pieces.sizes, kind="stable")
    for low in range(0, len(order), MOST):
        in_parts(order[low : low + MOST], take)
    return Answers(Ragged.of(forms), scores, malformed, tuple(beams) if settings.asks_for_beams else ())


class Written(NamedTuple):
    """What was written of a question."""

    codes: list[int]
    """The form; empty where there is none."""
    score: float
    malformed: bool
    beam: tuple[tuple[int, ...], ...]
    """All forms of the beam that ended, the likeliest first."""


def write_forms(net: KbqaNet, prepared: Prepared, rows: NDArray[np.int64], settings: KbqaSettings) -> list[Written]:
    """What is written of rows."""
    everything = np.arange(len(prepared.schema))
    shown = [everything if settings.vocabulary == "whole" else prepared.questions.vocabulary[int(row)] for row in rows]
    batch = Batch.of(prepared, rows, shown)
    kinds = word_kinds(batch)
    with torch.inference_mode():
        beams = _beam(net, batch, kinds, settings)
    return [_written(beam, codes, own) for beam, codes, own in zip(beams, batch.codes, kinds, strict=True)]


def _written(beam: Sequence[_Path], codes: NDArray[np.int64], kinds: NDArray[np.int64]) -> Written:
    """What a beam has written over a table of words with these codes and kinds."""
    finished = [path for path in beam if path.ended and np.isfinite(path.score)]
    best = finished[0] if finished else beam[0]
    there = bool(np.isfinite(best.score))
    return Written(
        [int(code) for code in codes[best.places]] if there else [],
        best.score,
        there and not (best.ended and accepts(kinds[best.places].tolist())),
        tuple(tuple(codes[path.places].tolist()) for path in finished),
    )


class _Path(NamedTuple):
    """The places of a form's words without the end, its score, and whether it ended."""

    places: list[int]
    score: float
    ended: bool


def _beam(net: KbqaNet, batch: Batch, kinds: NDArray[np.int64], settings: KbqaSettings) -> list[list[_Path]]:
    """The beam of each question, the likeliest first; it is over when the likeliest has ended, or all are asked for."""
    device = net.device
    forms = OpenForms(FormRules.of(kinds, device), settings.longest) if settings.forms == "well-formed" else None
    encoded = net.encode(batch)
    scores, state = net.start(encoded)
    totals = torch.zeros((len(batch), 1), device=device)
    if forms is not None:
        totals = totals.masked_fill(~forms.possible()[:, None], -torch.inf)
    ended = torch.zeros((len(batch), 1), dtype=torch.bool, device=device)
    paths = torch.zeros((len(batch), 1, 0), dtype=torch.int64, device=device)
    questions = torch.arange(len(batch), device=device)[:, None]
    for _ in range(settings.longest + 1):
        following = _following(totals, scores, ended, forms)
        width = scores.shape[2]
        totals, best = following.flatten(1).topk(min(settings.beam, following[0].numel()), dim=1)
        parents, places = best // width, best % width
        ended = ended[questions, parents] | (places == END)
        paths = torch.cat([paths[questions, parents], places[:, :, None]], dim=2)
        over = ended | ~totals.isfinite()
        if bool((over if settings.asks_for_beams else over[:, 0]).all()):
            break  # what is not over yet is less likely already, and only gets less likely
        if forms is not None:
            forms.follow(parents, places)
        at = parents[:, :, None].expand(-1, -1, net.width)
        scores, state = net.step(encoded, State(state.hidden.gather(1, at), state.cell.gather(1, at)), places)
    each = zip(paths.tolist(), totals.tolist(), ended.tolist(), strict=True)
    return [[_path(*path) for path in zip(*beam, strict=True)] for beam in each]


def _path(places: list[int], score: float, ended: bool) -> _Path:
    return _Path(places[: places.index(END)] if ended else places, score, ended)


def _following(totals: Tensor, scores: Tensor, ended: Tensor, forms: OpenForms | None) -> Tensor:
    """The scores of all beginnings with a word more (B, M, V); what is over goes on with ends that cost nothing."""
    if forms is not None:
        scores = scores.masked_fill(~forms.allowed(), -torch.inf)
    stay = torch.full_like(scores[0, 0], -torch.inf)
    stay[END] = 0.0
    return totals[:, :, None] + torch.where(ended[:, :, None], stay, scores)
