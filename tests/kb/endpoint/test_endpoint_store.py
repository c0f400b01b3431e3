"""Endpoints that are down, slow, cut or broken: one clear error in bounded time and memory, and never an empty set."""

from __future__ import annotations

import gzip
import re
import socket
import subprocess
import sys
import time
import zlib
from typing import Any

import orjson
import pyoxigraph
import pytest
from broken_endpoint import JSON, Behaviour, Handler, endpoint

from recombine.errors import AnswerError, KnowledgeBaseError, OptionError
from recombine.kb.endpoint.endpoint_store import EndpointStore
from recombine.kb.endpoint.retries import Retries
from recombine.kb.oxigraph.oxigraph_store import OxigraphStore
from recombine.kb.profiles.profile import Profile
from recombine.kb.store import Step, Table
from recombine.kb.term import Term

BASE = "http://example.org/"
PROFILE = Profile("mine", BASE, {"ns": BASE})
QUERY = "SELECT ?x { ?x ?r ?y }"
ONE = Table(("x",), [(Term.name("a"),)])
WHOLE = orjson.dumps({"head": {"vars": ["x"]}, "results": {"bindings": [{"x": {"type": "uri", "value": f"{BASE}a"}}]}})
EMPTY = b'{"head": {"vars": ["x"]}, "results": {"bindings": []}}'


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA_CACHE", "off")
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def store_at(address: str, **options: Any) -> EndpointStore:
    return EndpointStore(address, PROFILE, **{"time_out": 5.0, "retries": Retries(0), **options})


def answering(content: bytes, **said: Any) -> Behaviour:
    return lambda handler, _: handler.answer(content, **said)


def _no_wait(_: float) -> None:
    """Go on at once."""


def row(**value: Any) -> bytes:
    return orjson.dumps({"head": {"vars": ["x"]}, "results": {"bindings": [{"x": value}]}})


def test_a_whole_answer() -> None:
    with endpoint(answering(WHOLE)) as server:
        assert store_at(server.address, graph="http://g/").select(QUERY) == ONE
    assert server.asked == [{"query": f"PREFIX ns: <{BASE}> {QUERY}", "default-graph-uri": "http://g/"}]


def test_an_answer_that_is_empty_and_whole_is_empty() -> None:
    with endpoint(answering(EMPTY)) as server:
        assert store_at(server.address).select(QUERY) == Table(("x",), [])


@pytest.mark.parametrize(
    ("content", "said", "problem"),
    [
        (b"<html><body>Welcome</body></html>", {"kind": "text/html; charset=UTF-8"}, "text/html, and not with JSON"),
        (b"<html>Welcome</html>", {}, "no whole JSON"),
        (WHOLE, {"kind": "application/sparql-results+xml"}, "sparql-results.xml, and not with JSON"),
        (WHOLE, {"kind": None}, "no content type"),
        (WHOLE[:-9], {}, "no whole JSON"),
        (b"", {}, "no whole JSON"),
        (b"[]", {}, "the whole is list, and should be dict"),
        (b"{}", {}, "head is NoneType"),
        (b'{"head": {"vars": ["x"]}}', {}, "results is NoneType"),
        (b'{"head": {"vars": ["x"]}, "results": {}}', {}, "results.bindings is NoneType"),
        (b'{"head": {}, "results": {"bindings": []}}', {}, "head.vars is NoneType"),
        (b'{"head": {"vars": ["x", "x"]}, "results": {"bindings": []}}', {}, "stands twice"),
        (b'{"head": {}, "boolean": "true"}', {}, "boolean is str"),
        (b'{"head": {"vars": ["y"]}, "results": {"bindings": [{"x": {}}]}}', {}, "row 1 binds 'x'"),
        (row(type="uri"), {}, "x of row 1 has no text"),
        (row(type="uri", value=""), {}, "empty IRI"),
        (row(type="triple", value={}), {}, "of type 'triple'"),
        (row(type="typed-literal", value="1"), {}, "typed literal without a type"),
        (row(type="literal", value=1), {}, "no text for its value"),
        (row(type="literal", value="1", cut=True), {}, "of type 'literal' with cut"),
        (WHOLE, {"X_SPARQL_MaxRows": "1"}, "cuts answers at 1 rows"),
        (EMPTY, {"X_SQL_State": "S1TAT", "X_SQL_Message": "RC...: Returning incomplete results"}, "S1TAT: RC"),
        (b"Error SP030: syntax error", {"status": 400, "kind": "text/plain"}, "status 400: Error SP030: syntax error"),
        (b"", {"status": 206}, "status 206"),
        (b"", {"status": 302, "Location": "http://elsewhere/"}, "status 302 to http://elsewhere/"),
        (b"busy", {"status": 503, "kind": "text/plain"}, "status 503: busy"),
        (WHOLE + b" " * 100_000, {}, "larger than 50,000 bytes"),
    ],
)
def test_what_is_no_whole_answer_is_an_error(content: bytes, said: dict[str, Any], problem: str) -> None:
    with endpoint(answering(content, **said)) as server, pytest.raises(AnswerError, match=problem) as caught:
        store_at(server.address, max_bytes=50_000).select(QUERY)
    assert server.address in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_the_connection_breaks_off() -> None:
    def behaviour(handler: Handler, fields: dict[str, str]) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", JSON)
        handler.send_header("Content-Length", str(len(WHOLE)))
        handler.end_headers()
        handler.wfile.write(WHOLE[:-20])
        handler.close_connection = True

    with endpoint(behaviour) as server, pytest.raises(AnswerError, match="broke off"):
        store_at(server.address).select(QUERY)


def test_nobody_listens() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/sparql"
        waits: list[float] = []
        with pytest.raises(AnswerError, match="cannot be reached"):
            store_at(address, retries=Retries(3, 0.5), sleep=waits.append).select(QUERY)
    assert waits == [0.5, 1.0, 2.0]


@pytest.mark.parametrize("address", ["http:///sparql", "gopher://x/", "http://127.0.0.1:99999/", "http://exa mple/"])
def test_an_address_that_is_none(address: str) -> None:
    with pytest.raises(AnswerError, match=re.escape(address)):
        store_at(address).select(QUERY)


def drip(handler: Handler, head: bytes, piece: bytes) -> None:
    """Send a piece every 20 ms for twenty seconds, so that no single step is ever late."""
    handler.wfile.write(head)
    for _ in range(1000):
        if handler.server.stopping.wait(0.02):
            return
        handler.wfile.write(piece)
        handler.wfile.flush()


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/sparql-results+json\r\n"


@pytest.mark.parametrize(
    "behaviour",
    [
        lambda handler, _: handler.server.stopping.wait(20),
        lambda handler, _: drip(handler, b"HTTP/1.1 200 OK\r\nX-Slow: ", b"a"),
        lambda handler, _: drip(handler, HEAD + b"\r\n", b" "),
        lambda handler, _: drip(handler, HEAD + b"Content-Length: 1000000\r\n\r\n", b" "),
    ],
    ids=["silent", "slow headers", "slow content", "slow content of a length"],
)
def test_a_slow_server_is_given_up_in_time(behaviour: Behaviour) -> None:
    with endpoint(behaviour) as server:
        begin = time.monotonic()
        with pytest.raises(AnswerError, match=r"no whole answer within 0\.5 s"):
            store_at(server.address, time_out=0.5).select(QUERY)
        assert time.monotonic() - begin < 3
    assert len(server.asked) == 1  # what is slow is not asked again


def test_after_a_slow_answer_the_next_one_comes() -> None:
    def behaviour(handler: Handler, fields: dict[str, str]) -> None:
        if len(handler.server.asked) == 2:
            handler.server.stopping.wait(20)
        handler.answer(WHOLE)

    with endpoint(behaviour) as server:
        store = store_at(server.address, time_out=0.7)
        assert store.select(QUERY) == ONE
        with pytest.raises(AnswerError, match="no whole answer within"):
            store.select(QUERY)
        assert store.select(QUERY) == ONE


MEMORY = """
import resource, sys
from recombine.errors import AnswerError
from recombine.kb.endpoint.endpoint_store import EndpointStore
from recombine.kb.profiles.profile import Profile
store = EndpointStore(sys.argv[1], Profile("p", "http://x/"), max_bytes=1_000_000)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    store.select("SELECT * {}")
except AnswerError as error:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, error)
"""


@pytest.mark.parametrize("packed", [False, True])
def test_an_endless_answer_takes_little_memory(packed: bool) -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, wbits=31)
    first = packer.compress(b" " * (1 << 20)) + packer.flush(zlib.Z_SYNC_FLUSH) if packed else b""
    # The same piece again and again is fifty megabytes more each time.
    piece = packer.compress(b" " * (50 << 20)) + packer.flush(zlib.Z_SYNC_FLUSH) if packed else b" " * (1 << 20)

    def behaviour(handler: Handler, fields: dict[str, str]) -> None:
        handler.wfile.write(HEAD + (b"Content-Encoding: gzip\r\n" if packed else b"") + b"\r\n" + first)
        for _ in range(200):
            handler.wfile.write(piece)

    with endpoint(behaviour) as server:
        done = subprocess.run(
            [sys.executable, "-c", MEMORY, server.address], capture_output=True, text=True, check=True, timeout=60
        )
    kilobytes, said = done.stdout.split(maxsplit=1)
    assert "larger than 1,000,000 bytes" in said
    assert int(kilobytes) < 40_000


def test_packed_answers() -> None:
    packed = gzip.compress(WHOLE)
    with endpoint(answering(packed, Content_Encoding="gzip")) as server:
        assert store_at(server.address).select(QUERY) == ONE
        server.behaviour = answering(packed[:-12], Content_Encoding="gzip")
        with pytest.raises(AnswerError, match="broke off"):
            store_at(server.address).select(QUERY)
        server.behaviour = answering(WHOLE, Content_Encoding="gzip")
        with pytest.raises(AnswerError, match="broke off"):
            store_at(server.address).select(QUERY)
        server.behaviour = answering(WHOLE, Content_Encoding="zstd")
        with pytest.raises(AnswerError, match="packed as 'zstd'"):
            store_at(server.address).select(QUERY)


# -- asking again ----------------------------------------------------------------------------------------------------


def after(times: int, status: int, **headers: str) -> Behaviour:
    """Answer so many times with a status, and then well."""

    def behaviour(handler: Handler, fields: dict[str, str]) -> None:
        if len(handler.server.asked) <= times:
            handler.answer(b"", status=status, **headers)
        else:
            handler.answer(WHOLE)

    return behaviour


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_what_may_pass_is_asked_again(status: int) -> None:
    waits: list[float] = []
    with endpoint(after(3, status)) as server:
        assert store_at(server.address, retries=Retries(3, 0.25), sleep=waits.append).select(QUERY) == ONE
    assert waits == [0.25, 0.5, 1.0]


@pytest.mark.parametrize("status", [400, 404, 500, 206])
def test_what_will_not_pass_is_asked_once(status: int) -> None:
    with endpoint(after(1, status)) as server, pytest.raises(AnswerError, match=f"status {status}"):
        store_at(server.address, retries=Retries(3), sleep=_no_wait).select(QUERY)
    assert len(server.asked) == 1


def test_the_server_says_when() -> None:
    waits: list[float] = []
    with endpoint(after(1, 503, Retry_After="7")) as server:
        assert store_at(server.address, retries=Retries(3), sleep=waits.append).select(QUERY) == ONE
    assert waits == [7.0]


def test_the_server_names_a_date() -> None:
    from email.utils import formatdate

    waits: list[float] = []
    with endpoint(after(1, 429, Retry_After=formatdate(time.time() + 20, usegmt=True))) as server:
        assert store_at(server.address, retries=Retries(3), sleep=waits.append).select(QUERY) == ONE
    assert 15 < waits[0] <= 20


def test_a_wait_that_is_too_long_is_an_error() -> None:
    late = after(1, 503, Retry_After="3600")
    with endpoint(late) as server, pytest.raises(AnswerError, match="wants to be asked again in 3,600 s"):
        store_at(server.address, retries=Retries(3), sleep=_no_wait).select(QUERY)


# -- terms -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "term"),
    [
        ({"type": "uri", "value": f"{BASE}a%20b"}, Term.name("a b")),
        ({"type": "uri", "value": "http://other/a"}, Term.iri("http://other/a")),
        ({"type": "bnode", "value": "nodeID://b1"}, Term.blank("nodeID://b1")),
        ({"type": "literal", "value": "x"}, Term.literal("x")),
        ({"type": "literal", "value": "x", "xml:lang": "en-GB"}, Term.literal("x", language="en-gb")),
        ({"type": "typed-literal", "value": "1", "datatype": "http://d"}, Term.literal("1", datatype="http://d")),
        ({"type": "literal", "value": "1", "datatype": "http://d"}, Term.literal("1", datatype="http://d")),
    ],
)
def test_terms_of_answers(value: dict[str, str], term: Term) -> None:
    with endpoint(answering(row(**value))) as server:
        assert store_at(server.address).select(QUERY).rows == [(term,)]


@pytest.mark.parametrize(
    ("content", "truth"),
    [
        (b'{"head": {}, "boolean": false}', False),
        (b'{"head": {}, "boolean": true}', True),
        # As Virtuoso 7.2 answers to a form.
        (b'{"head": {"vars": ["__ASK_RETVAL"]}, "results": {"bindings": []}}', False),
        (
            b'{"head": {"link": [], "vars": ["__ASK_RETVAL"]}, "results": {"bindings": [{"__ASK_RETVAL": {"type": '
            b'"typed-literal", "datatype": "http://www.w3.org/2001/XMLSchema#integer", "value": "1"}}]}}',
            True,
        ),
    ],
)
def test_ask(content: bytes, truth: bool) -> None:
    with endpoint(answering(content)) as server:
        assert store_at(server.address).ask("ASK {}") is truth
        with pytest.raises(AnswerError, match="no SELECT"):
            store_at(server.address).select("ASK {}")


def test_an_ask_that_has_rows() -> None:
    with endpoint(answering(WHOLE)) as server, pytest.raises(AnswerError, match="no ASK"):
        store_at(server.address).ask(QUERY)


# -- an endpoint that answers from facts ------------------------------------------------------------------------------

BAD_NAME = "quote \" brace {} } new\nline back\\slash <tag> 'x' %41 [é]#"
FACTS = [
    ("=a", "=r", "=b"),
    ("=a", "=r", "=c"),
    ("=b", "=s", f"={BAD_NAME}"),
    ("=c", "=s", f"={BAD_NAME}"),
    (f"={BAD_NAME}", "=label", '"say \\" {"\n\0@en'),
    ("=a", "=size", '"5\0http://www.w3.org/2001/XMLSchema#integer'),
    ("<http://other/x", "=r", "=a"),
]
LOCAL = OxigraphStore.of_keys(FACTS, PROFILE)


def from_facts(cut: int | None = None) -> Behaviour:
    """Answer as pyoxigraph does, cut at some rows without a word."""

    def behaviour(handler: Handler, fields: dict[str, str]) -> None:
        results = LOCAL._store.query(fields["query"])
        content = orjson.loads(results.serialize(format=pyoxigraph.QueryResultsFormat.JSON))
        if cut is not None:
            content["results"]["bindings"] = content["results"]["bindings"][:cut]
        handler.answer(orjson.dumps(content))

    return behaviour


def test_hops_are_those_of_a_local_store() -> None:
    terms = [Term.of_key(key) for key in sorted({key for fact in FACTS for key in fact})]
    relations = [Term.name("r"), Term.name("s"), Term.name("label")]
    paths = [[], *([Step(relation, way)] for relation in relations for way in (False, True))]
    paths += [[Step(Term.name("r")), Step(Term.name("s"))], [Step(Term.name("s"), True), Step(Term.name("r"), True)]]
    with endpoint(from_facts()) as server:
        store = store_at(server.address)
        for inverse in (False, True):
            for term in terms:
                assert store.relations(term, inverse=inverse) == LOCAL.relations(term, inverse=inverse)
                for relation in (None, *relations):
                    there = LOCAL.neighbours(term, relation, inverse=inverse)
                    assert store.neighbours(term, relation, inverse=inverse) == there
        for path in paths:
            assert store.follow(terms, path) == LOCAL.follow(terms, path)
        assert store.count() == len(FACTS)
        assert store.count(target=Term.name(BAD_NAME)) == 2
        assert store.count(Term.name("a"), Term.name("r")) == 2
        assert store.count(Term.literal("5")) == 0


def test_many_starts_are_asked_in_turns() -> None:
    starts = [Term.name(f"n{number}") for number in range(450)] + [Term.name("a")]
    with endpoint(from_facts()) as server:
        assert store_at(server.address).follow(starts, [Step(Term.name("r"))]) == [Term.name("b"), Term.name("c")]
    assert len(server.asked) == 3


@pytest.mark.parametrize("term", [Term.blank("b1"), Term.iri("a> ?p ?o . ?x <b"), Term.iri("no scheme")])
def test_a_term_that_no_query_can_name(term: Term) -> None:
    with endpoint(from_facts()) as server, pytest.raises(AnswerError, match=r"no name|is no"):
        store_at(server.address).neighbours(term)
    assert server.asked == []


# -- pages -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", [None, 2])
@pytest.mark.parametrize("page", [1, 3, 7, 100])
def test_pages_are_the_whole_even_where_the_server_cuts(page: int, cut: int | None) -> None:
    query = "SELECT ?s ?p ?o { ?s ?p ?o } # all"
    with endpoint(from_facts(cut)) as server:
        table = store_at(server.address, page=page).select(query)
    assert len(table.rows) == len(FACTS)
    assert sorted(table.rows, key=str) == sorted(LOCAL.select(query).rows, key=str)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?s { ?s ?p ?o } ORDER BY ?s",
        "SELECT ?s { ?s ?p ?o } limit 5",
        "SELECT ?s { ?s ?p ?o } OFFSET 5",
        "SELECT ?s { ?s ?p ?o } VALUES ?s { <http://x/a> }",
    ],
)
def test_a_query_with_its_own_order_has_no_pages(query: str) -> None:
    with endpoint(from_facts()) as server, pytest.raises(AnswerError, match="column 24: has its own"):
        store_at(server.address, page=2).select(query)
    assert server.asked == []


def test_words_in_strings_and_groups_are_no_order() -> None:
    query = 'SELECT * { { SELECT ?s { ?s ?p ?o } ORDER BY ?s LIMIT 3 } FILTER("LIMIT 5" != "") }'
    with endpoint(from_facts()) as server:
        assert len(store_at(server.address, page=2).select(query).rows) == 3


def test_nodes_without_names_are_not_asked_in_pages() -> None:
    with endpoint(answering(row(type="bnode", value="b"))) as server:
        calls = iter([row(type="bnode", value="b0"), row(type="bnode", value="b0"), EMPTY])
        server.behaviour = lambda handler, _: handler.answer(next(calls))
        with pytest.raises(AnswerError, match="other names on every page"):
            store_at(server.address, page=1).select(QUERY)


def test_a_page_that_is_too_long() -> None:
    with endpoint(from_facts()) as server:
        server.behaviour = answering(orjson.dumps({"head": {"vars": []}, "results": {"bindings": [{}, {}]}}))
        with pytest.raises(AnswerError, match="a page has 2 rows, and 1 were asked for"):
            store_at(server.address, page=1).select(QUERY)


def test_a_known_limit_of_the_server() -> None:
    with endpoint(from_facts(cut=2)) as server:
        with pytest.raises(AnswerError, match="cuts answers at 2 rows"):
            store_at(server.address, max_rows=2).select(QUERY)
        assert store_at(server.address, max_rows=3).count() == len(FACTS)


# -- the cache -------------------------------------------------------------------------------------------------------


@pytest.fixture
def _cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("RECOMBINE_DATA_CACHE", str(tmp_path / "cache"))


@pytest.mark.usefixtures("_cache")
def test_a_whole_answer_is_asked_once() -> None:
    with endpoint(answering(WHOLE)) as server:
        for _ in range(3):
            assert store_at(server.address).select(QUERY) == ONE
        assert len(server.asked) == 1
        store_at(server.address).select(QUERY + " LIMIT 1")
        store_at(server.address, version="2").select(QUERY)
        store_at(server.address, graph="http://g/").select(QUERY)
        assert len(server.asked) == 4


@pytest.mark.usefixtures("_cache")
@pytest.mark.parametrize(
    ("content", "said"),
    [(EMPTY, {"X_SQL_State": "S1TAT"}), (WHOLE, {"X_SPARQL_MaxRows": "1"}), (WHOLE[:-1], {}), (b"", {"status": 500})],
)
def test_what_is_not_whole_is_not_kept(content: bytes, said: dict[str, Any]) -> None:
    with endpoint(answering(content, **said)) as server:
        with pytest.raises(AnswerError):
            store_at(server.address).select(QUERY)
        server.behaviour = answering(WHOLE)
        assert store_at(server.address).select(QUERY) == ONE


@pytest.mark.usefixtures("_cache")
def test_an_old_answer_of_an_unknown_version_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with endpoint(answering(WHOLE)) as server:
        store_at(server.address).select(QUERY)
        store_at(server.address, version="2024-01").select(QUERY)
        now = time.time
        monkeypatch.setattr(time, "time", lambda: now() + 2 * 24 * 3600)
        store_at(server.address, version="2024-01").select(QUERY)
        assert len(server.asked) == 2
        store_at(server.address).select(QUERY)
        assert len(server.asked) == 3


@pytest.mark.parametrize("options", [{"time_out": 0}, {"max_bytes": 0}, {"page": 0}, {"max_rows": -1}])
def test_options_that_cannot_be(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        store_at("http://127.0.0.1:1/", **options)


def test_httpx_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(KnowledgeBaseError, match=r'an endpoint needs httpx; install it: pip install "recombine\[kb\]"'):
        store_at("http://127.0.0.1:1/")
