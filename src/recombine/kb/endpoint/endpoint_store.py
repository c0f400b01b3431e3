"""A knowledge base behind a SPARQL endpoint: whole answers over HTTP, or errors.

What says that an answer is not whole, whatever its status: Virtuoso's `X-SPARQL-MaxRows` (its limit was reached) and
`X-SQL-State` (`S1TAT`: its time was over), another content type than JSON results, JSON that ends early, a length or a
time that is over. A server that cuts and says nothing cannot be told from one that does not: `max_rows` says its limit,
or `page` asks in pages until one is empty.
"""

from __future__ import annotations

import hashlib
import time
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from recombine.errors import AnswerError, LateAnswerError, OptionError, RefusedQueryError
from recombine.kb.answers.kept_answers import kept_answer
from recombine.kb.endpoint.paged_query import paged_query
from recombine.kb.endpoint.read_results import NotResultsError, read_results
from recombine.kb.endpoint.retries import Retries, asked_again
from recombine.kb.endpoint.whole_request import Requester, Response
from recombine.kb.store import Step, Table
from recombine.kb.term import BLANK, LITERAL, Term
from recombine.kb.written_term import written_term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from recombine.kb.forms.form import Form
    from recombine.kb.profiles.profile import Profile

Answer = TypeVar("Answer", Table, bool)
TIME_OUT = 60.0
MAX_BYTES = 64 << 20
_DAY = 24 * 3600.0
"""For so long an answer is kept where nothing says which version of the facts the endpoint has."""
_STARTS = 200
"""So many terms stand in one query."""
_JSON = ("application/sparql-results+json", "application/json")


class EndpointStore:
    """The facts of an endpoint, asked by SPARQL alone."""

    kind = "kb"

    def __init__(
        self,
        address: str,
        profile: Profile,
        *,
        graph: str | None = None,
        version: str = "",
        time_out: float = TIME_OUT,
        max_bytes: int = MAX_BYTES,
        max_rows: int | None = None,
        page: int | None = None,
        retries: Retries = Retries(),  # noqa: B008
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`graph` is the graph to ask; `version` says which facts the endpoint has, where that is known.

        `time_out` and `max_bytes` hold for each request; `max_rows` is the limit at which the server is known to cut;
        `page` asks a SELECT in pages of so many rows.
        """
        if (
            time_out <= 0
            or max_bytes <= 0
            or (page is not None and page <= 0)
            or (max_rows is not None and max_rows <= 0)
        ):
            raise OptionError("time-outs, sizes and pages of an endpoint are above 0", "give other numbers")
        self.address = address
        self.profile = profile
        self.graph = graph
        self.version = version
        self.max_rows = max_rows
        self.page = page
        self._retries = retries
        self._sleep = sleep
        self._requester = Requester(address, time_out=time_out, max_bytes=max_bytes)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the address, the graph, and what is said of the version."""
        return self.facts_digest

    @property
    def facts_digest(self) -> str:
        """The same, also where data knows the endpoint by another digest."""
        parts = ("endpoint", self.address, self.graph or "", self.version)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def close(self) -> None:
        """Close the connection."""
        self._requester.close()

    # -- SPARQL --------------------------------------------------------------------------------------------------------

    def select(self, query: str) -> Table:
        """The rows of a SPARQL SELECT."""
        return self._kept("select", query, self._select)

    def ask(self, query: str) -> bool:
        """The truth of a SPARQL ASK."""
        return self._kept("ask", query, self._ask)

    def _kept(self, form: str, query: str, ask: Callable[[str], Answer]) -> Answer:
        asked = (
            form,
            self.facts_digest,
            self.profile.base,
            repr(sorted(self.profile.prefixes.items())),
            repr(self.page),
        )
        return kept_answer(asked, query, lambda: ask(query), max_age=None if self.version else _DAY)

    def _select(self, query: str) -> Table:
        if self.page is not None:
            return self._select_pages(query, self.page)
        return self._table(query, in_pages=False)

    def _select_pages(self, query: str, page: int) -> Table:
        """The rows of all pages; the last one is empty, since a server may cut a page and not say so."""
        query_of = paged_query(query)
        table = self._table(query_of(page, 0), in_pages=True)
        variables, rows, pages = table.variables, table.rows, 1
        while table.rows:
            table = self._table(query_of(page, len(rows)), in_pages=True)
            if table.variables != variables:
                raise AnswerError(f"{self.address}: the columns of a page are others than before", "ask without pages")
            pages += bool(table.rows)
            rows = rows + table.rows
        if pages > 1 and any(term is not None and term.kind == BLANK for row in rows for term in row):
            raise AnswerError(
                f"{self.address}: rows have nodes without names, which have other names on every page",
                "ask without pages",
            )
        return Table(variables, rows)

    def _table(self, query: str, *, in_pages: bool) -> Table:
        answer = self._answer(query, in_pages=in_pages)
        if isinstance(answer, bool):
            raise AnswerError("the query is no SELECT", "ask for rows with SELECT")
        if in_pages and self.page is not None and len(answer.rows) > self.page:
            raise AnswerError(
                f"{self.address}: a page has {len(answer.rows):,} rows, and {self.page:,} were asked for",
                "ask without pages",
            )
        if not in_pages and self.max_rows is not None and len(answer.rows) >= self.max_rows:
            raise _cut(self.address, self.max_rows)
        return answer

    def _ask(self, query: str) -> bool:
        answer = self._answer(query, in_pages=False)
        if not isinstance(answer, bool):
            raise AnswerError("the query is no ASK", "ask for a truth value with ASK")
        return answer

    def _answer(self, query: str, *, in_pages: bool) -> Table | bool:
        fields = {"query": self._with_prefixes(query)}
        if self.graph is not None:
            fields["default-graph-uri"] = self.graph
        response = asked_again(
            lambda: self._requester.post(fields), self._retries, address=self.address, sleep=self._sleep
        )
        _check_whole(response, self.address, in_pages=in_pages)
        try:
            return read_results(response.content, self.profile.base)
        except NotResultsError as error:
            raise AnswerError(f"{self.address}: what it answers is no SPARQL result: {error}", "ask again") from error

    def _with_prefixes(self, query: str) -> str:
        """The query with the prefixes of the profile before it; its own declarations come later and count."""
        lines = (f"PREFIX {name}: <{iri}> " for name, iri in sorted(self.profile.prefixes.items()))
        return "".join(lines) + query

    def execute(self, form: Form) -> list[Term]:
        """The answers of a logical form, which is asked as SPARQL."""
        from recombine.kb.answers.execute_sparql import execute_sparql

        return execute_sparql(self, form)

    # -- hops ----------------------------------------------------------------------------------------------------------

    def neighbours(self, term: Term, relation: Term | None = None, *, inverse: bool = False) -> list[Term]:
        """The distinct terms one hop away, along one relation or all, in the order of their keys."""
        if not inverse and term.kind == LITERAL:
            return []
        along = "?r" if relation is None else self._written(relation)
        fact = f"?x {along} {self._written(term)}" if inverse else f"{self._written(term)} {along} ?x"
        return self._column(f"SELECT DISTINCT ?x WHERE {{ {fact} }}")

    def relations(self, term: Term, *, inverse: bool = False) -> dict[Term, int]:
        """The relations that leave a term (or lead to it) with the number of facts of each, by their keys."""
        if not inverse and term.kind == LITERAL:
            return {}
        fact = f"?x ?r {self._written(term)}" if inverse else f"{self._written(term)} ?r ?x"
        table = self.select(f"SELECT ?r (COUNT(*) AS ?n) WHERE {{ {fact} }} GROUP BY ?r")
        counts = {relation: _number(count) for relation, count in table.rows if relation is not None}
        return {relation: counts[relation] for relation in sorted(counts, key=lambda each: each.key)}

    def follow(self, start: Iterable[Term], path: Sequence[Step]) -> list[Term]:
        """The distinct terms at the end of a path from any of some terms, in the order of their keys."""
        starts = _by_key(start)
        if not path:
            return starts
        facts = []
        for place, (relation, inverse) in enumerate(path):
            ends = (f"?x{place}", f"?x{place + 1}")
            facts.append(f"{ends[inverse]} {self._written(relation)} {ends[not inverse]}")
        reached: set[Term] = set()
        for first in range(0, len(starts), _STARTS):
            values = " ".join(self._written(term) for term in starts[first : first + _STARTS])
            query = f"SELECT DISTINCT ?x{len(path)} WHERE {{ VALUES ?x0 {{ {values} }} {' . '.join(facts)} }}"
            reached.update(self._column(query))
        return _by_key(reached)

    def count(self, subject: Term | None = None, relation: Term | None = None, target: Term | None = None) -> int:
        """How many facts have this subject, relation and target, those that are given."""
        if (subject is not None and subject.kind == LITERAL) or (relation is not None and relation.kind == LITERAL):
            return 0
        terms = zip((subject, relation, target), "srt", strict=True)
        fact = " ".join(f"?{name}" if term is None else self._written(term) for term, name in terms)
        table = self.select(f"SELECT (COUNT(*) AS ?n) WHERE {{ {fact} }}")
        if len(table.rows) != 1:
            raise AnswerError(f"{self.address}: a count has {len(table.rows)} rows", "ask again")
        return _number(table.rows[0][0])

    def _column(self, query: str) -> list[Term]:
        table = self.select(query)
        if len(table.variables) != 1 or any(row[0] is None for row in table.rows):
            raise AnswerError(f"{self.address}: answers with other columns than were asked for", "ask again")
        return _by_key(row[0] for row in table.rows if row[0] is not None)

    def _written(self, term: Term) -> str:
        return written_term(term, self.profile.base)


def _check_whole(response: Response, address: str, *, in_pages: bool) -> None:
    """Raise where the status or a header says that this is no whole answer."""
    headers = response.headers
    if response.status != 200:
        where = f" to {headers['location']}" if "location" in headers else ""
        error = RefusedQueryError if response.status == 400 else AnswerError
        raise error(
            f"{address}: answers with status {response.status}{where}{_said(response.content)}",
            "check the address" if 300 <= response.status < 400 else "mend the query, or ask later",
        )
    if headers.get("x-sql-state", "") not in ("", "00000"):
        message = " ".join(headers.get("x-sql-message", "").split())[:120]
        error = LateAnswerError if headers["x-sql-state"] == "S1TAT" else AnswerError
        raise error(
            f"{address}: gave up before the answer was whole ({headers['x-sql-state']}: {message})",
            "ask for less, or give the server more time",
        )
    if "x-sparql-maxrows" in headers and not in_pages:
        raise _cut(address, headers["x-sparql-maxrows"])
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in _JSON:
        raise AnswerError(
            f"{address}: answers with {kind or 'no content type'}, and not with JSON results{_said(response.content)}",
            "give the address of a SPARQL endpoint",
        )


def _cut(address: str, rows: int | str) -> AnswerError:
    return AnswerError(
        f"{address}: cuts answers at {rows} rows, and this one reached them", "ask for less, or in pages"
    )


def _said(content: bytes) -> str:
    """The beginning of what a server says, in a line."""
    text = " ".join(content[:400].decode("utf-8", "replace").split())
    return f": {text[:120]}" if text else ""


def _number(term: Term | None) -> int:
    if term is None or not (term.text.isascii() and term.text.isdigit()):
        raise AnswerError(f"a count is {None if term is None else term.text!r}", "ask again")
    return int(term.text)


def _by_key(terms: Iterable[Term]) -> list[Term]:
    return sorted(set(terms), key=lambda term: term.key)
