"""How many questions a network would answer exactly, writing the likeliest word each time.

With the right words before it, a form's words are all the likeliest ones exactly if writing the likeliest word each
time writes that form. So one pass over the forms measures it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from recombine.models.kbqa.arrays.codes import END
from recombine.models.kbqa.nets.batch import ABSENT, Batch
from recombine.models.kbqa.nets.to_device import to_device

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from recombine.models.kbqa.nets.kbqa_net import KbqaNet
    from recombine.models.kbqa.nets.prepared import Prepared


def exact_share(net: KbqaNet, prepared: Prepared, *, batch: int) -> float:
    """The share of questions answered exactly with their own vocabularies; one without a target counts as not."""
    questions = prepared.questions
    if not len(questions):
        return 0.0
    order = np.argsort(prepared.question_pieces.sizes, kind="stable")
    right = 0
    was = net.training
    net.eval()
    with torch.inference_mode():
        for low in range(0, len(order), batch):
            rows = order[low : low + batch]
            right += int(_exact(net, prepared, rows[questions.targets.sizes[rows] > 0]).sum())
    net.train(was)
    return right / len(questions)


def _exact(net: KbqaNet, prepared: Prepared, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    if not len(rows):
        return np.zeros(0, np.bool_)
    batch = Batch.of(prepared, rows, [prepared.questions.vocabulary[int(row)] for row in rows])
    places, sizes = batch.targets(prepared.questions.targets)
    scores = net.follow(net.encode(batch), to_device(np.maximum(places, 0), net.device))
    likeliest = scores.argmax(-1).cpu().numpy()
    steps = np.arange(places.shape[1] + 1)
    wanted = np.concatenate([places, np.full((len(rows), 1), ABSENT)], axis=1)
    wanted[np.arange(len(rows)), sizes] = END
    used = steps <= sizes[:, None]
    exact: NDArray[np.bool_] = ((likeliest == wanted) | ~used).all(axis=1)
    return exact
