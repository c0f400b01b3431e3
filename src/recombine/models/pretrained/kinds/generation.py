"""Decoding with the library's search, and with nothing else that a checkpoint may ask for.

Checkpoints carry settings for generation (minimal lengths, repeated n-grams forbidden, …) that fit their first task and
would spoil programs, so only the ids of special tokens are kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from recombine.models.pretrained.settings import FineTuningSettings


def plain_generation(model: Any, *, end: int, pad: int) -> None:
    """Replace the settings for generation of a model by none but its special tokens."""
    from transformers import GenerationConfig

    start = getattr(model.config, "decoder_start_token_id", None)
    if start is None and model.generation_config is not None:
        start = model.generation_config.decoder_start_token_id
    model.generation_config = GenerationConfig(
        eos_token_id=end, pad_token_id=pad, decoder_start_token_id=start, do_sample=False
    )


def generated(model: Any, settings: FineTuningSettings, limit: int, **inputs: Any) -> list[list[int]]:
    """The ids that the model gives, prompt or start among them; at most `limit` new ones."""
    ids = model.generate(
        **inputs, max_new_tokens=limit, num_beams=settings.beams, do_sample=False, length_penalty=1.0, use_cache=True
    )
    rows: list[list[int]] = ids.tolist()
    return rows


def until(ids: list[int], end: int) -> tuple[list[int], bool]:
    """The ids before the first end, and whether there was one.

    >>> until([5, 6, 1, 0, 0], 1), until([5, 6], 1)
    (([5, 6], True), ([5, 6], False))
    """
    return (ids[: ids.index(end)], True) if end in ids else (ids, False)
