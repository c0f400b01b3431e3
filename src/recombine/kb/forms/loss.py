"""What a form says that another notation cannot, as a sentence of a kind."""

from __future__ import annotations

CLASS = "class in the middle"
PERHAPS_CLASS = "class in the middle, perhaps implied"
SHARED = "shared node"
ONE_VALUE = "one value for all comparisons"
REPEATS = "repeats counted"
ONE_ANSWER = "one answer of several"
DIFFERENT = "nodes that are different"
LANGUAGE = "language of answers"
LOOK = "entity that looks like a class"


class Loss(str):
    """A sentence, and its kind.

    >>> loss = Loss(SHARED, "the node 1 is one for the set and for the path")
    >>> loss, loss.kind
    ('the node 1 is one for the set and for the path', 'shared node')
    """

    __slots__ = ("kind",)
    kind: str

    def __new__(cls, kind: str, sentence: str) -> Loss:
        """The sentence."""
        loss = super().__new__(cls, sentence)
        loss.kind = kind
        return loss
