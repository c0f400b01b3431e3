"""What a knowledge base answers: the terms at the end of a path from some names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.store import Step
    from recombine.kb.term import Term


@dataclass(frozen=True, repr=False, eq=False)
class KbAnswers(Result):
    """The answers, in the order of their keys; fewer are shown where a limit or the count alone was asked for."""

    terms: tuple[Term, ...]
    profile: Profile
    digest: str
    shown: int

    def to_dict(self) -> dict[str, Any]:
        """What `recombine kb query --json` prints."""
        return {
            "count": len(self.terms),
            "shown": self.shown,
            "answers": [self.profile.show(term) for term in self.terms[: self.shown]],
            "digest": self.digest,
        }

    def __str__(self) -> str:
        answers = "answer" if len(self.terms) == 1 else "answers"
        return f"{len(self.terms):,} {answers}" + (f", {self.shown:,} shown" if self.shown < len(self.terms) else "")


@verb
def kb_query(
    place: Path | str,
    *,
    from_: str | Iterable[str] = (),
    path: str | None = None,
    count: bool = False,
    limit: int | None = None,
) -> KbAnswers:
    """What is at the end of a path such as `directed_by / ^directed_by` from a name, or from any of several.

    All answers are found whatever is shown of them: `limit` of them, or with `count` none.
    """
    from recombine.errors import OptionError
    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.read_term import read_path

    names = [from_] if isinstance(from_, str) else list(from_)
    if not names or path is None:
        raise OptionError("nothing is asked", 'give --from NAME and --path "relation / ^relation"')
    if limit is not None and limit < 0:
        raise OptionError(f"a limit of {limit}", "give 0 or more")
    store = EmbeddedStore.open(place)
    steps = read_path(path, store.profile)
    starts = [store.profile.term(name) for name in names]
    _check_known(store, place, starts, steps)
    answers = tuple(store.follow(starts, steps))
    shown = 0 if count else len(answers) if limit is None else min(limit, len(answers))
    return KbAnswers(answers, store.profile, store.digest, shown)


def _check_known(store: EmbeddedStore, place: Path | str, starts: Sequence[Term], steps: Sequence[Step]) -> None:
    """Raise for a name that no fact has: it is more likely mistyped than asked for."""
    from recombine.errors import KnowledgeBaseError, UnknownNameError

    show = store.profile.show
    for start in starts:
        if store.id(start) < 0:
            near = [show(term) for term in store.near(start)]
            remedy = f"check its spelling; beside it there are {' and '.join(near)}" if near else "it holds no facts"
            raise KnowledgeBaseError(f"{place}: no fact has {show(start)}", remedy)
    for relation, _ in steps:
        if store.id(relation) not in store.relation_counts:
            known = [show(store.term(number)) for number in store.relation_counts]
            raise UnknownNameError(f"relation in {place}", show(relation), known)
