"""A checkpoint that takes several pictures and a text at once, with a classifier over all answers at its last token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torch import Tensor, nn

if TYPE_CHECKING:
    from collections.abc import Mapping


class ChatNet(nn.Module):
    """What a processor makes of pictures and a question -> scores of answers."""

    def __init__(self, model: Any, answers: int) -> None:
        super().__init__()
        self.model = model
        text = getattr(model.config, "text_config", model.config)
        self.answer = nn.Linear(text.hidden_size, answers)

    def forward(self, given: Mapping[str, Tensor]) -> Tensor:
        """The scores of answers (B, A); texts are padded on the left, so that the last token is each text's own."""
        read = self.model(**given, output_hidden_states=True, use_cache=False)
        scores: Tensor = self.answer(read.hidden_states[-1][:, -1].float())
        return scores
