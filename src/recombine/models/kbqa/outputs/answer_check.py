"""Whether a form has an answer over a store: any member of its set, a count above zero, a truth.

How much a form may touch is bounded by numbers of facts and never by time, so that what is given does not depend on the
machine: those of its relations, those that say its classes, and the literals where it compares. What is larger, and
what a store refuses, is not executed, and that is said; a store that is asked by SPARQL has limits of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import ProgramError, RecombineError
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.forms.form import SEXPRESSION
from recombine.kb.forms.form_of_text import form_of_text
from recombine.kb.forms.sexpression_words import is_literal_word, read_word
from recombine.kb.term import LITERAL
from recombine.models.kbqa.outputs.literal_types import COMPARING

if TYPE_CHECKING:
    from recombine.kb.forms.form import Form
    from recombine.kb.store import Store
    from recombine.kb.term import Term

MOST_FACTS = 50_000_000
"""The most facts that a form may touch."""
_NOTHING = frozenset({"0", "false"})


class AnswerCheck:
    """What has an answer over one store."""

    def __init__(self, store: Store, *, most_facts: int = MOST_FACTS) -> None:
        self._store, self._most = store, most_facts
        self._known: dict[str, bool | None] = {}

    def __call__(self, text: str) -> bool | None:
        """Whether an S-expression has an answer, which one that cannot be read has not; none where it is not executed.

        >>> from recombine.kb.open_store import open_store
        >>> check = AnswerCheck(open_store("docs/examples/films.ttl"))
        >>> check("(JOIN directed_by Ann_Other)"), check("(COUNT (JOIN directed_by Film))"), check("(JOIN")
        (True, False, False)
        """
        if text not in self._known:
            self._known[text] = self._checked(text)
        return self._known[text]

    def _checked(self, text: str) -> bool | None:
        try:
            form = form_of_text(text, self._store.profile, SEXPRESSION)
            if self._facts(form) > self._most:
                return None
            answers = self._store.execute(form)
        except ProgramError:
            return False
        except RecombineError:
            return None
        return any(answer.kind != LITERAL or answer.text not in _NOTHING for answer in answers)

    def _facts(self, form: Form) -> int:
        """The most facts and literals that a form may touch in an index."""
        store, tree = self._store, getattr(form, "tree", None)
        if tree is None or not isinstance(store, EmbeddedStore):
            return 0
        nodes = list(tree.iter_nodes())
        words = {node.label for node in nodes if not node.children and not is_literal_word(node.label)}
        compared = sum(node.label in COMPARING for node in nodes)
        terms = [read_word(word, store.profile) for word in sorted(words)]
        return sum(_facts_of(store, term) for term in terms) + compared * len(store.literals.families)


def _facts_of(store: EmbeddedStore, term: Term) -> int:
    """How many facts have a relation, or say that something is of a class."""
    types = store.profile.predicates("type")
    return store.count(relation=term) + sum(store.count(relation=type_, target=term) for type_ in types)
