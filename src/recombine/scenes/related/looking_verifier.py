"""A trained verifier by its folder, which each process opens for the scenes that it asks about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.errors import InputFileError
from recombine.scenes.related.learned import LEARNED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.scenes.related.verifier import Thresholds, Verifier
    from recombine.scenes.scene import Scene


@dataclass(frozen=True)
class LookingVerifier:
    """The folder of a verifier, and of the pictures; without one they are drawn, as the synthetic world's are."""

    folder: str
    pictures: str | None = None

    @property
    def name(self) -> str:
        """A name that tells it from others: with a digest of its files."""
        return str(LEARNED.find("verifier_name")(self.folder))

    def opened(self, scenes: Sequence[Scene], truth: Sequence[Scene] | None) -> tuple[Verifier, Thresholds]:
        """The verifier for some scenes, whose pictures show the truth where that is known, and its thresholds."""
        shown = scenes
        if truth is not None:
            by_id = {scene.id: scene for scene in truth}
            missing = next((scene.id for scene in scenes if scene.id not in by_id), None)
            if missing is not None:
                raise InputFileError(f"the truth has no scene {missing!r}", "give the truth of the same scenes")
            shown = [by_id[scene.id] for scene in scenes]
        verifier = LEARNED.find("verifier")(self.folder, shown, self.pictures)
        return verifier, verifier.thresholds
