"""A knowledge base that pyoxigraph keeps, in memory or in a folder: any SPARQL, and hops by its index of facts.

pyoxigraph keeps numbers, dates and truth values by value: `"01"^^xsd:integer` is answered as `1`, `1.50` as `1.5`, and
`xsd:int` as `xsd:integer`. Strings, names and other literals stay as they are.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import AnswerError, KnowledgeBaseError, RefusedQueryError
from recombine.files import make_folder
from recombine.kb.oxigraph.fact_digest import fact_digest
from recombine.kb.oxigraph.in_time import in_time
from recombine.kb.oxigraph.oxigraph_terms import import_pyoxigraph, of_oxigraph, to_oxigraph
from recombine.kb.oxigraph.standard_query import StandardQuery, standard_query
from recombine.kb.store import Step, Table
from recombine.kb.term import BLANK, LITERAL, Term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import pyarrow as pa

    from recombine.kb.forms.form import Form
    from recombine.kb.profiles.profile import Profile

_PLACE = re.compile(r"error at (\d+):(\d+): (.*)", re.DOTALL)
_TERMS_HELD = 1 << 18
"""So many terms are held while facts are loaded, so that a term that returns is not made again."""


class StoreReadError(AnswerError):
    """The files of a store cannot be read, or do not hold what they should."""


class OxigraphStore:
    """A store over one of pyoxigraph's, with the answers in the form of a profile.

    >>> from recombine.kb.profiles.profile import Profile
    >>> store = OxigraphStore.of_keys([("=Jaws", "=directed by", "=Spielberg")], Profile("mine", "http://x/"))
    >>> store.select("SELECT ?who { <http://x/Jaws> ?how ?who }").rows
    [(Term(kind='=', text='Spielberg', datatype='', language=''),)]
    """

    kind = "kb"

    def __init__(
        self, store: Any, profile: Profile, *, digest: str | None = None, time_out: float | None = None
    ) -> None:
        self._store = store
        self.profile = profile
        self.time_out = time_out
        """The most seconds that a query by SPARQL may take; none is no limit."""
        if digest is not None:
            self.digest = digest

    @classmethod
    def of_keys(cls, facts: Iterable[Sequence[str]], profile: Profile, **options: Any) -> OxigraphStore:
        """A store in memory of facts that are given by the keys of their terms."""
        store = import_pyoxigraph().Store()
        add_facts(store, facts, profile)
        return cls(store, profile, **options)

    @classmethod
    def of_batches(cls, batches: Iterable[pa.RecordBatch], profile: Profile, **options: Any) -> OxigraphStore:
        """A store in memory of a stream of triples."""
        return cls.of_keys(iter_keys(batches), profile, **options)

    @classmethod
    def of_files(
        cls, paths: Path | str | Iterable[Path | str], profile: Profile, *, form: str | None = None, **options: Any
    ) -> OxigraphStore:
        """A store in memory of files of triples."""
        from recombine.kb.loaders.open_triples import open_triples

        return cls.of_batches(open_triples(paths, form=form, profile=profile), profile, **options)

    @classmethod
    def build(
        cls, batches: Iterable[pa.RecordBatch], folder: Path | str, profile: Profile, **options: Any
    ) -> OxigraphStore:
        """A store on disk of a stream of triples, in a new folder that is there whole or not at all."""
        place = Path(folder)
        if place.exists():
            raise KnowledgeBaseError(f"{place}: is there already", "choose another place, or remove it first")
        unfinished = Path(tempfile.mkdtemp(dir=make_folder(place.parent), prefix=f".{place.name}."))
        try:
            made = import_pyoxigraph().Store(str(unfinished))
            add_facts(made, iter_keys(batches), profile)
            made.optimize()
            made.flush()
            del made  # closes its files
            unfinished.rename(place)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
        return cls.open(place, profile, **options)

    @classmethod
    def open(cls, folder: Path | str, profile: Profile, **options: Any) -> OxigraphStore:
        """The store in a folder of pyoxigraph's, to be read by any number of processes."""
        try:
            store = import_pyoxigraph().Store.read_only(str(folder))
        except (OSError, RuntimeError) as error:
            raise KnowledgeBaseError(
                f"{folder}: cannot be opened as a store of pyoxigraph ({_one_line(error)})", "build it again"
            ) from error
        if next(iter(store.named_graphs()), None) is not None:
            # Facts would count once for every graph that has them.
            raise KnowledgeBaseError(f"{folder}: has named graphs", "put the facts of one into a store of their own")
        return cls(store, profile, **options)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the facts."""
        return fact_digest(str(quad.triple) for quad in self._quads(None, None, None))

    def __len__(self) -> int:
        return self.count()

    # -- SPARQL --------------------------------------------------------------------------------------------------------

    def select(self, query: str) -> Table:
        """The rows of a SPARQL SELECT."""
        return in_time(lambda wanted: self._rows(query, wanted), self.time_out)

    def _rows(self, query: str, wanted: Callable[[], bool]) -> Table:
        solutions = self._answered(query)
        if type(solutions).__name__ != "QuerySolutions":
            raise AnswerError("the query is no SELECT", "ask for rows with SELECT")
        base = self.profile.base
        rows: list[tuple[Term | None, ...]] = []
        try:
            for solution in solutions:
                if not wanted():
                    break
                rows.append(tuple(None if value is None else of_oxigraph(value, base) for value in solution))
        except (OSError, RuntimeError, SyntaxError) as error:
            raise _broken(error) from error
        return Table(tuple(variable.value for variable in solutions.variables), rows)

    def ask(self, query: str) -> bool:
        """The truth of a SPARQL ASK."""
        answer = in_time(lambda wanted: self._answered(query), self.time_out)  # noqa: ARG005
        if type(answer).__name__ != "QueryBoolean":
            raise AnswerError("the query is no ASK", "ask for a truth value with ASK")
        return bool(answer)

    def _answered(self, query: str) -> Any:
        given = standard_query(query, self.profile.prefixes)
        try:
            return self._store.query(given.text, prefixes=dict(self.profile.prefixes))
        except SyntaxError as error:
            raise _not_sparql(error, given) from error
        except (OSError, RuntimeError, ValueError) as error:
            raise _broken(error) from error

    def execute(self, form: Form) -> list[Term]:
        """The answers of a logical form, which is asked as SPARQL."""
        from recombine.kb.answers.execute_sparql import execute_sparql

        return execute_sparql(self, form)

    # -- hops ----------------------------------------------------------------------------------------------------------

    def neighbours(self, term: Term, relation: Term | None = None, *, inverse: bool = False) -> list[Term]:
        """The distinct terms one hop away, along one relation or all, in the order of their keys."""
        return _by_key(self._iter_hop(term, relation, inverse=inverse))

    def _iter_hop(self, term: Term, relation: Term | None, *, inverse: bool) -> Iterator[Term]:
        if inverse:
            return (self._term(quad.subject) for quad in self._quads(None, relation, term))
        return (self._term(quad.object) for quad in self._quads(term, relation, None))

    def relations(self, term: Term, *, inverse: bool = False) -> dict[Term, int]:
        """The relations that leave a term (or lead to it) with the number of facts of each, by their keys."""
        counts: dict[Term, int] = {}
        for quad in self._quads(None, None, term) if inverse else self._quads(term, None, None):
            relation = self._term(quad.predicate)
            counts[relation] = counts.get(relation, 0) + 1
        return {relation: counts[relation] for relation in _by_key(counts)}

    def follow(self, start: Iterable[Term], path: Sequence[Step]) -> list[Term]:
        """The distinct terms at the end of a path from any of some terms, in the order of their keys."""
        reached = {self._term(self._value(term)) for term in start}
        for step in path:
            reached = {each for term in reached for each in self._iter_hop(term, step.relation, inverse=step.inverse)}
        return _by_key(reached)

    def count(self, subject: Term | None = None, relation: Term | None = None, target: Term | None = None) -> int:
        """How many facts have this subject, relation and target, those that are given."""
        if subject is relation is target is None:
            return len(self._store)
        return sum(1 for _ in self._quads(subject, relation, target))

    def _quads(self, subject: Term | None, relation: Term | None, target: Term | None) -> Iterator[Any]:
        """The facts of a pattern; none where a literal or a node without a name stands where no fact has one."""
        if subject is not None and subject.kind == LITERAL:
            return
        if relation is not None and relation.kind in (LITERAL, BLANK):
            return
        values = (None if term is None else self._value(term) for term in (subject, relation, target))
        try:
            yield from self._store.quads_for_pattern(*values)
        except (OSError, RuntimeError) as error:
            raise _broken(error) from error

    def _value(self, term: Term) -> Any:
        return to_oxigraph(term, self.profile.base)

    def _term(self, value: Any) -> Term:
        return of_oxigraph(value, self.profile.base)


def add_facts(store: Any, facts: Iterable[Sequence[str]], profile: Profile) -> None:
    """Add facts by the keys of their terms to one of pyoxigraph's stores."""
    quad = import_pyoxigraph().Quad

    @lru_cache(maxsize=_TERMS_HELD)
    def value(key: str) -> Any:
        return to_oxigraph(Term.of_key(key), profile.base)

    def iter_quads() -> Iterator[Any]:
        for subject, relation, target in facts:
            try:
                yield quad(value(subject), value(relation), value(target))
            except TypeError as error:
                raise KnowledgeBaseError(
                    f"a fact ({_shown(subject)}, {_shown(relation)}, {_shown(target)}) has a literal for its subject, "
                    "or no resource for its relation",
                    "mend it where it comes from",
                ) from error

    store.bulk_extend(iter_quads())


def iter_keys(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[str, str, str]]:
    """The keys of the facts in a stream of triples."""
    for batch in batches:
        columns = (batch.column(name).to_pylist() for name in ("subject", "relation", "target"))
        for fact in zip(*columns, strict=True):
            yield tuple(key if isinstance(key, str) else key.decode() for key in fact)  # type: ignore[misc]


def _by_key(terms: Iterable[Term]) -> list[Term]:
    return sorted(set(terms), key=lambda term: term.key)


def _not_sparql(error: SyntaxError, query: StandardQuery) -> AnswerError:
    """What is wrong with the text of a query, and where in the text that was given."""
    match = _PLACE.match(str(error))
    if match is None:
        return RefusedQueryError(f"the query cannot be read ({_one_line(error)})", "mend it")
    line, column = query.given_place(int(match[1]), int(match[2]))
    problem = "a prefix is not declared" if "Prefix not found" in match[3] else _unexpected(query.given, line, column)
    return RefusedQueryError(f"the query, line {line}, column {column}: {problem}", "mend it there, or just before")


def _unexpected(query: str, line: int, column: int) -> str:
    """What stands at a place where SPARQL has something else."""
    rest = query.split("\n")[line - 1][column - 1 :].split()
    return f"SPARQL does not go on with {rest[0][:40]!r}" if rest else "it ends before it is whole"


def _broken(error: Exception) -> AnswerError:
    if isinstance(error, OSError) or "Corruption" in str(error):
        return StoreReadError(f"the store cannot be read ({_one_line(error)})", "build it again")
    return RefusedQueryError(f"the query failed ({_one_line(error)})", "mend the query")


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _shown(key: str) -> str:
    return repr(key if len(key) <= 60 else key[:59] + "…")
