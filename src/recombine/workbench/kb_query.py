"""What a knowledge base answers: to a path from some names, to a query in SPARQL, or to a logical form."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.kb.term import LITERAL
from recombine.max_unpacked import parse_size
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.store import Step, Store, Table
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


@dataclass(frozen=True, repr=False, eq=False)
class KbTable(Result):
    """The rows of a SELECT; fewer are shown where a limit or the count alone was asked for."""

    table: Table
    profile: Profile
    digest: str
    shown: int

    def to_dict(self) -> dict[str, Any]:
        """What `recombine kb query --json` prints; a variable that is not bound is null."""
        return {
            "count": len(self.table.rows),
            "shown": self.shown,
            "variables": list(self.table.variables),
            "rows": [
                [None if term is None else self.profile.show(term) for term in row]
                for row in self.table.rows[: self.shown]
            ],
            "digest": self.digest,
        }

    def __str__(self) -> str:
        rows = "row" if len(self.table.rows) == 1 else "rows"
        return f"{len(self.table.rows):,} {rows}" + (
            f", {self.shown:,} shown" if self.shown < len(self.table.rows) else ""
        )


@dataclass(frozen=True, repr=False, eq=False)
class KbTruth(Result):
    """The answer to an ASK."""

    truth: bool
    digest: str

    def to_dict(self) -> dict[str, Any]:
        """What `recombine kb query --json` prints."""
        return {"answer": self.truth, "digest": self.digest}

    def __str__(self) -> str:
        return "yes" if self.truth else "no"


@verb
def kb_query(
    place: Path | str,
    query: str | None = None,
    *,
    from_: str | Iterable[str] = (),
    path: str | None = None,
    sparql: Path | str | None = None,
    form: str | None = None,
    count: bool = False,
    limit: int | None = None,
    profile: str | None = None,
    graph: str | None = None,
    kb_version: str = "",
    time_out: float | None = None,
    page: int | None = None,
    max_rows: int | None = None,
    max_answer: str | None = None,
) -> KbAnswers | KbTable | KbTruth:
    """What is at the end of a path such as `directed_by / ^directed_by` from a name, or from any of several.

    In its place, a query in SPARQL, or with `sparql` the name of a file that has one, `-` for standard input; or with
    `form` a logical form: an S-expression, a graph query as JSON, or SPARQL of one column. All answers are found
    whatever is shown of them: `limit` of them, or with `count` none. A place is an index, a file of triples, a folder
    of pyoxigraph's or the address of an endpoint, for which `graph`, `kb_version`, `page`, `max_rows` and `max_answer`
    are; `time_out` is the most seconds that a query by SPARQL, or a request, may take.
    """
    from recombine.errors import OptionError
    from recombine.kb.open_store import is_address, open_store

    names = [from_] if isinstance(from_, str) else list(from_)
    text = _query_text(query, sparql)
    asked = [text is not None, form is not None, bool(names) or path is not None]
    if sum(asked) != 1 or (asked[2] and (not names or path is None)):
        remedy = 'give a query in SPARQL, --form "(JOIN …)", or --from NAME and --path "relation / ^relation"'
        raise OptionError("nothing is asked, or two things at once", remedy)
    if limit is not None and limit < 0:
        raise OptionError(f"a limit of {limit}", "give 0 or more")
    if time_out is not None and not time_out > 0:
        raise OptionError(f"a time-out of {time_out:g} s", "give seconds above 0")
    said: dict[str, Any] = {"graph": graph, "version": kb_version, "page": page, "max_rows": max_rows}
    options = {name: value for name, value in said.items() if value not in (None, "")}
    if max_answer is not None:
        options["max_bytes"] = parse_size(max_answer, "max_answer")
    address = is_address(place)
    if options and not address:
        raise OptionError(f"{place}: {sorted(options)[0]} is for an endpoint", "leave it out, or give an address")
    store = open_store(place, profile=profile, time_out=time_out, **options)
    if form is not None:
        return _by_form(store, place, form, count=count, limit=limit)
    if text is not None:
        return _by_sparql(store, text, count=count, limit=limit)
    return _by_hops(store, place, names, path or "", count=count, limit=limit)


def _query_text(query: str | None, file: Path | str | None) -> str | None:
    """The query that is given, as such or in a file."""
    from recombine.errors import OptionError
    from recombine.files import read_text

    if query is not None and file is not None:
        raise OptionError("two queries", "give the query itself, or the file that has it")
    if file is None:
        return query
    return sys.stdin.read() if str(file) == "-" else read_text(file)


def _by_sparql(store: Store, query: str, *, count: bool, limit: int | None) -> KbTable | KbTruth:
    from recombine.kb.sparql_tokens import iter_tokens

    form = next((token for token in iter_tokens(query) if token.is_word("SELECT", "ASK")), None)
    if form is not None and form.is_word("ASK"):
        return KbTruth(store.ask(query), store.digest)
    table = store.select(query)
    return KbTable(table, store.profile, store.digest, _shown(len(table.rows), count=count, limit=limit))


def _by_form(store: Store, place: Path | str, text: str, *, count: bool, limit: int | None) -> KbAnswers:
    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.forms.form import SparqlQuery
    from recombine.kb.forms.form_of_text import form_of_text
    from recombine.kb.forms.patterns.pattern_of import pattern_of
    from recombine.kb.store import Step

    form = form_of_text(text, store.profile)
    if isinstance(store, EmbeddedStore) and not isinstance(form, SparqlQuery):
        patterns = [pattern_of(form, store.profile).pattern]
        for pattern in patterns:
            patterns += (inner for node in pattern.nodes for inner in node.inner)
            named = [term for node in pattern.nodes for term in (*node.constants, *node.classes)]
            steps = [Step(edge.relation) for edge in pattern.edges]
            _check_known(store, place, [term for term in named if term.kind != LITERAL], steps)
    answers = tuple(store.execute(form))
    return KbAnswers(answers, store.profile, store.digest, _shown(len(answers), count=count, limit=limit))


def _by_hops(
    store: Store, place: Path | str, names: Sequence[str], path: str, *, count: bool, limit: int | None
) -> KbAnswers:
    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.read_path import read_path

    steps = read_path(path, store.profile)
    starts = [store.profile.term(name) for name in names]
    if isinstance(store, EmbeddedStore):
        _check_known(store, place, starts, steps)
    answers = tuple(store.follow(starts, steps))
    return KbAnswers(answers, store.profile, store.digest, _shown(len(answers), count=count, limit=limit))


def _shown(answers: int, *, count: bool, limit: int | None) -> int:
    return 0 if count else answers if limit is None else min(limit, answers)


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
