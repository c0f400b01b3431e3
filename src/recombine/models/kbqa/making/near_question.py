"""What is near what is linked in a question: the vocabulary, the candidates, and the target among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from recombine.kb.forms.form import Form
    from recombine.kb.term import Term
    from recombine.records.example import Example


class NearQuestion(NamedTuple):
    """What is near one question."""

    vocabulary: NDArray[np.int32]
    """Numbers of schema items, rising."""
    pruned: bool
    forms: NDArray[np.int32]
    """The candidates, a row each, with `END` to its end."""
    outcome: str = ""
    """`covered` where the gold form is among the candidates, else why not; empty where no form was given."""
    target: tuple[int, ...] | None = None
    """The codes of the candidate that the gold form is."""
    unknown: int = 0
    """How many of the linked entities no fact has, or nothing says the class of."""


class NearLinks(Protocol):
    """What finds it, by facts or by an ontology."""

    def near(
        self, example: Example, links: Mapping[Term, int], form: Form | None, /, *, listed: bool = True
    ) -> NearQuestion:
        """What is near a question, whose links have these codes, and whose gold form this is.

        Its candidates are left out where they are not to be listed; the target is found among them all the same.
        """
