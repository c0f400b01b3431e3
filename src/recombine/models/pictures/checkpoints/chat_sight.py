"""What a checkpoint of several pictures is given: its own processor's form of pictures and a question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray


@dataclass
class ChatSight:
    """Questions with the files of their pictures."""

    processor: Any
    texts: Sequence[str]
    images: Sequence[Sequence[Path]]
    cut: int = 0

    def batch(self, rows: NDArray[np.int64], device: str) -> tuple[Any, ...]:
        """What the net takes of some questions."""
        from PIL import Image

        texts, pictures = [], []
        for row in rows.tolist():
            opened = []
            for path in self.images[row]:
                try:
                    with Image.open(path) as image:
                        opened.append(image.convert("RGB"))
                except (OSError, SyntaxError, ValueError) as error:
                    why = " ".join(str(error).split())
                    raise InputFileError(
                        f"{path}: is no picture that can be read ({why})", "put a whole one there"
                    ) from error
            pictures.append(opened)
            texts.append(self._text(self.texts[row], len(opened)))
        made = self.processor(text=texts, images=pictures, padding=True, padding_side="left", return_tensors="pt")
        return ({name: value.to(device) for name, value in made.items()},)

    def _text(self, question: str, images: int) -> str:
        """The question as the checkpoint's own chat template has it, or after a mark for each picture."""
        if getattr(self.processor, "chat_template", None):
            content = [*({"type": "image"} for _ in range(images)), {"type": "text", "text": question}]
            messages = [{"role": "user", "content": content}]
            return str(self.processor.apply_chat_template(messages, add_generation_prompt=True))
        mark = getattr(self.processor, "image_token", "<image>")
        return f"{mark * images} {question}"
