"""Virtuoso answers as the embedded index does; where it cuts, or its time is over, that is an error."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from facts_of import store_of
from random_facts import PROFILE, batches_of, random_facts, random_path
from same_answers import same_answers
from valued_facts import PROFILE as VALUED_PROFILE
from valued_facts import FormMaker, valued_facts
from virtuoso_server import Virtuoso, missing_programs, running_virtuoso

from recombine.errors import AnswerError, LateAnswerError, RefusedQueryError
from recombine.kb.embedded.build_index import build_index
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.endpoint.endpoint_store import EndpointStore
from recombine.kb.loaders.open_triples import open_triples
from recombine.kb.oxigraph.oxigraph_store import iter_keys
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.term import Term

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(missing_programs()), reason=f"not installed: {', '.join(missing_programs())}"),
]
MADE_UP, FREEBASE, VALUED = "http://made-up/", "http://fb15k237/", "http://valued/"
MAX_ROWS = 10_000


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA_CACHE", "off")


@pytest.fixture(scope="module")
def virtuoso(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Virtuoso]:
    """A server that cuts at so many rows."""
    with running_virtuoso(tmp_path_factory.mktemp("virtuoso"), max_rows=MAX_ROWS) as server:
        yield server


@pytest.fixture(scope="module")
def made_up(virtuoso: Virtuoso, tmp_path_factory: pytest.TempPathFactory) -> EmbeddedStore:
    """An index of made-up facts, which the server has as well."""
    facts = random_facts(3, facts=3000, nodes=400, relations=12)
    virtuoso.load(facts, MADE_UP, PROFILE.base)
    place = tmp_path_factory.mktemp("index") / "made_up"
    build_index(batches_of(facts), place, profile=PROFILE)
    return EmbeddedStore.open(place)


def equal_answers(index: EmbeddedStore, endpoint: EndpointStore, starts: list[Term], number: int) -> int:
    """Ask both so many random questions, and give how many answers there were."""
    chance = np.random.default_rng(0)
    answers = 0
    for turn in range(number):
        start = starts[int(chance.integers(len(starts)))]
        inverse = bool(turn % 2)
        if turn % 5 == 0:
            assert endpoint.relations(start, inverse=inverse) == index.relations(start, inverse=inverse)
        elif turn % 5 == 1:
            there = index.neighbours(start, inverse=inverse)
            assert endpoint.neighbours(start, inverse=inverse) == there
            assert endpoint.count(*((None, None, start) if inverse else (start,))) >= len(there)
        else:
            path = random_path(index, start, int(chance.integers(1, 3)), chance)
            there = index.follow([start], path)
            assert endpoint.follow([start], path) == there, (start, path)
            answers += len(there)
    return answers


def test_a_thousand_answers_are_those_of_the_index(virtuoso: Virtuoso, made_up: EmbeddedStore) -> None:
    endpoint = EndpointStore(virtuoso.address, PROFILE, graph=MADE_UP, time_out=120)
    assert endpoint.count() == len(made_up)
    starts = [term for number in range(len(made_up.table)) if (term := made_up.term(number)).text[:1] != "r"]
    assert equal_answers(made_up, endpoint, starts, 1000) > 600


def test_a_thousand_forms_have_the_answers_of_the_index(virtuoso: Virtuoso, tmp_path: Path) -> None:
    """Counts, comparisons, superlatives, dates of all zones, numbers of all types, joined relations."""
    facts = valued_facts(3, facts=3000, nodes=400)
    virtuoso.load([tuple(term.key for term in fact) for fact in facts], VALUED, VALUED_PROFILE.base)
    index = store_of(facts, tmp_path / "index", profile=VALUED_PROFILE)
    endpoint = EndpointStore(virtuoso.address, VALUED_PROFILE, graph=VALUED, time_out=120)
    # Of values of one thing that are equal, such as 5 and 5.0, the server keeps one, which changes no answer here.
    assert len(index) - 30 < endpoint.count() < len(index)
    assert same_answers(index, endpoint, FormMaker(facts, 7), 1000) > 700


@pytest.mark.shared_data
@pytest.mark.filterwarnings("ignore:.*column 4 is not read")
def test_fb15k237(virtuoso: Virtuoso, data_dir: Path, tmp_path: Path) -> None:
    profile = find_profile("plain")
    path = data_dir / "kb" / "fb15k237" / "triples.tsv.gz"
    build_index(open_triples(path, profile=profile), tmp_path / "index", profile=profile)
    index = EmbeddedStore.open(tmp_path / "index")
    virtuoso.load(iter_keys(index.iter_triples()), FREEBASE, profile.base)
    endpoint = EndpointStore(virtuoso.address, profile, graph=FREEBASE, time_out=120)
    assert endpoint.count() == len(index)
    numbers = np.random.default_rng(1).integers(len(index.table), size=500)
    starts = [term for number in numbers if (term := index.term(int(number))).text.startswith("/m/")]
    assert equal_answers(index, endpoint, starts, 1000) > 2000
    # Every name may lead to more than the server gives at once: that is an error, and not fewer.
    with pytest.raises(AnswerError, match="cuts answers at 10000 rows"):
        endpoint.select("SELECT ?s ?p ?o { ?s ?p ?o }")


CUT = "SELECT ?a ?b { ?a ns:r1 ?x . ?b ns:r2 ?y }"


def test_its_cut_raises(virtuoso: Virtuoso, made_up: EmbeddedStore) -> None:
    endpoint = EndpointStore(virtuoso.address, PROFILE, graph=MADE_UP, time_out=120)
    with pytest.raises(AnswerError, match="cuts answers at 10000 rows"):
        endpoint.select(CUT)
    assert len(endpoint.select(f"{CUT} LIMIT {MAX_ROWS - 1}").rows) == MAX_ROWS - 1


def test_pages_have_all_rows(virtuoso: Virtuoso, made_up: EmbeddedStore) -> None:
    endpoint = EndpointStore(virtuoso.address, PROFILE, graph=MADE_UP, time_out=120, page=700)
    rows = endpoint.select("SELECT ?s ?p ?o { ?s ?p ?o }").rows
    assert len(rows) == len(set(rows)) == len(made_up)
    facts = {tuple(Term.of_key(key) for key in fact) for fact in iter_keys(made_up.iter_triples())}
    assert set(rows) == facts


def test_its_time_out_raises(virtuoso: Virtuoso, made_up: EmbeddedStore) -> None:
    address = f"{virtuoso.address}?timeout=1000"  # the milliseconds after which it gives what it has
    endpoint = EndpointStore(address, PROFILE, graph=MADE_UP, time_out=120)
    slow = "SELECT (COUNT(*) AS ?n) { ?a ?p ?b . ?c ?p ?d . ?e ?p ?f . ?g ?p ?h FILTER(str(?a) > str(?h)) }"
    with pytest.raises(LateAnswerError, match=r"gave up before the answer was whole .S1TAT"):
        endpoint.select(slow)
    with pytest.raises(LateAnswerError, match=r"no whole answer within 0\.5 s"):
        EndpointStore(virtuoso.address, PROFILE, graph=MADE_UP, time_out=0.5).select(slow)


def test_its_errors_are_told(virtuoso: Virtuoso, made_up: EmbeddedStore) -> None:
    endpoint = EndpointStore(virtuoso.address, PROFILE, graph=MADE_UP, time_out=120)
    with pytest.raises(RefusedQueryError, match=r"status 400: Virtuoso 37000 Error SP030.*syntax error"):
        endpoint.select("SELECT nonsense")
    assert endpoint.ask("ASK { ?s ?p ?o }") is True
    assert endpoint.ask("ASK { <http://not/there> ?p ?o }") is False
