"""A tiny world in CFQ's properties, questions over it, and the same world behind an address."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pyoxigraph
from broken_endpoint import Handler, endpoint
from small_store import as_oxigraph, turtle_store

from recombine.grammars.unification.generation.made_question import MadeQuestion
from recombine.grammars.unification.queries.query_text import QueryText
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.endpoint.endpoint_store import EndpointStore
from recombine.kb.endpoint.retries import Retries
from recombine.kb.grounding.query_sparql import asking_query
from recombine.kb.oxigraph.oxigraph_store import OxigraphStore

DIRECT, DIRECTED, WRITE, EDIT = "film.director.film", "film.film.directed_by", "film.writer.film", "film.editor.film"
SPOUSE = (
    "people.person.spouse_s/ns:people.marriage.spouse|ns:fictional_universe.fictional_character.married_to/"
    "ns:fictional_universe.marriage_of_fictional_characters.spouses"
)
GENDER, FEMALE = "people.person.gender", "m_02zsn"
PEOPLE, FILMS = 12, 15


def tiny_facts(seed: int = 3) -> str:
    """Some people who direct, write and edit films and marry; two of them have the same name, and one has none."""
    chance = np.random.default_rng(seed)
    lines = []
    for number in range(PEOPLE):
        name = "Ann Other" if number in (0, 1) else f"Person {number}"
        lines.append(
            f":m.0p{number} a :people.person ; :people.person.gender :m.{'02zsn' if number % 3 else '05zppz'} ."
        )
        if number != 2:
            lines.append(f':m.0p{number} :type.object.name "{name}"@en .')
        if number % 2:
            lines.append(f":m.0p{number} a :film.actor .")
    for number in range(FILMS):
        lines.append(f':m.0f{number} a :film.film ; :type.object.name "Film {number}"@en .')
        for path, back in ((DIRECT, f":{DIRECTED}"), (WRITE, ""), (EDIT, "")):
            for person in chance.choice(PEOPLE, int(chance.integers(1, 4)), replace=False):
                lines.append(f":m.0p{person} :{path} :m.0f{number} .")
                if back:
                    lines.append(f":m.0f{number} {back} :m.0p{person} .")
    for number in range(0, PEOPLE, 2):
        pair = (f":m.0p{number}", f":m.0p{number + 1}")
        for one in pair:
            lines.append(f"{one} :people.person.spouse_s :m.0marriage{number} .")
            lines.append(f":m.0marriage{number} :people.marriage.spouse {one} .")
    return "\n".join(lines)


def tiny_store(folder: Path, facts: str | None = None) -> EmbeddedStore:
    """The world as an index."""
    return turtle_store(folder, "freebase", tiny_facts() if facts is None else facts)


def made(*clauses: str, asks: str = "") -> MadeQuestion:
    """A question of some clauses: closed, or one that asks for a variable."""
    head = f"SELECT DISTINCT {asks} WHERE" if asks else "SELECT count(*) WHERE"
    return MadeQuestion(" ".join(clauses), QueryText(head, [clause.split() for clause in clauses]), "any", "", {})


def recomputed(store: OxigraphStore, question: MadeQuestion, entities: dict[str, str]) -> tuple[str, ...]:
    """The answers that pyoxigraph gives, in the order of keys."""
    query = asking_query(question.query, {m: store.profile.term(id_) for m, id_ in entities.items()}, store.profile)
    if question.closed:
        return ("Yes" if store.ask(query) else "No",)
    return tuple(term.text for term in sorted({row[0] for row in store.select(query).rows}, key=lambda t: t.key))


@contextmanager
def at_address(store: EmbeddedStore, **options: Any) -> Iterator[EndpointStore]:
    """The same facts behind an address on loopback, answered by pyoxigraph."""
    facts = as_oxigraph(store)

    def behaviour(handler: Handler, fields: dict[str, str]) -> None:
        handler.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # a request takes 40 ms without
        results = facts._store.query(fields["query"])
        handler.answer(results.serialize(format=pyoxigraph.QueryResultsFormat.JSON))

    with endpoint(behaviour) as server:
        yield EndpointStore(server.address, store.profile, **{"time_out": 5.0, "retries": Retries(0), **options})


def rows_json(*rows: dict[str, str]) -> bytes:
    """Rows of resources as an endpoint gives them."""
    bindings = [{name: {"type": "uri", "value": value} for name, value in row.items()} for row in rows]
    return orjson.dumps({"head": {"vars": sorted({n for row in rows for n in row})}, "results": {"bindings": bindings}})
