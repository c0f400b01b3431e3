"""Why a question is not made."""

from __future__ import annotations

TOO_FEW_IMAGES = "too few images"
NO_OTHER_IMAGE = "no image to compare with"
SOURCE_DOES_NOT_FIT = "the source image does not fit"
SAME_ANSWER = "second set with the same answer"
NO_SECOND_SET = "no second set with another answer"
NO_NUMBER = "no number tells the two sets apart"
SEEN_BEFORE = "asked before of the same images"


class Rejected(Exception):  # noqa: N818
    """A question that is not made, with the reason."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)
