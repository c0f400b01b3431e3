"""Two graphs as others keep them: a part of something like Wikidata, and what a company knows of itself."""

from __future__ import annotations

from pathlib import Path

_WIKIDATA_PREFIXES = """
@prefix wd: <http://www.wikidata.org/entity/> . @prefix wds: <http://www.wikidata.org/entity/statement/> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> . @prefix p: <http://www.wikidata.org/prop/> .
@prefix ps: <http://www.wikidata.org/prop/statement/> . @prefix pq: <http://www.wikidata.org/prop/qualifier/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix wikibase: <http://wikiba.se/ontology#> .
"""
CLUBS, PLAYERS, TOWNS = 6, 24, 4
_NUMBERS = {"club": 100, "player": 200, "town": 300}


def wikidata_turtle(size: int = 1) -> str:
    """Players, who were in clubs from a date on and with a number on their shirts, by statements with qualifiers."""
    towns, clubs, players = TOWNS * size, CLUBS * size, PLAYERS * size
    lines = [
        _WIKIDATA_PREFIXES,
        'wd:Q5 rdfs:label "human"@en . wd:Q9001 rdfs:label "football club"@en ; wdt:P279 wd:Q9000 .',
        'wd:Q9000 rdfs:label "organization"@en . wd:Q9002 rdfs:label "town"@en .',
        'wd:P54 a wikibase:Property ; rdfs:label "member of sports team"@en ; wikibase:directClaim wdt:P54 .',
    ]
    for number in range(towns):
        lines.append(
            f'wd:Q{_NUMBERS["town"] + number} wdt:P31 wd:Q9002 ; rdfs:label "Town {number}"@en, "Ort {number}"@de ;'
        )
        lines.append(f"  wdt:P1082 {1000 * number + 500} .")
    for number in range(clubs):
        lines.append(f'wd:Q{_NUMBERS["club"] + number} wdt:P31 wd:Q9001 ; rdfs:label "Club {number}"@en ;')
        lines.append(f'  skos:altLabel "The Reds"@en ; wdt:P159 wd:Q{_NUMBERS["town"] + number % towns} .')
    for number in range(players):
        player, node = f"wd:Q{_NUMBERS['player'] + number}", f"wds:Q{_NUMBERS['player'] + number}-a"
        club = f"wd:Q{_NUMBERS['club'] + number * number % clubs}"
        lines.append(f'{player} wdt:P31 wd:Q5 ; rdfs:label "Player {number}"@en ; wdt:P54 {club} ; p:P54 {node} ;')
        lines.append(f'  wdt:P569 "{1970 + number}-05-01T00:00:00Z"^^xsd:dateTime .')
        lines.append(f"{node} a wikibase:Statement ; ps:P54 {club} ; pq:P1618 {number % 11 + 1} ;")
        lines.append(f'  pq:P580 "{1990 + number}-01-01T00:00:00Z"^^xsd:dateTime .')
    return "\n".join((*lines, *(_films_and_rivers(size) if size > 1 else ()))) + "\n"


def _films_and_rivers(size: int) -> list[str]:
    """Two more domains, for splits that hold some out: films by players, and rivers through towns."""
    lines = ['wd:Q9003 rdfs:label "river"@en . wd:Q9004 rdfs:label "film"@en .']
    for number in range(8 * size):
        lines.append(f'wd:Q{400 + number} wdt:P31 wd:Q9004 ; rdfs:label "Film {number}"@en ;')
        lines.append(
            f"  wdt:P57 wd:Q{_NUMBERS['player'] + number * 3 % (PLAYERS * size)} ; wdt:P2047 {80 + number * 7 % 60} ;"
        )
        lines.append(f'  wdt:P577 "{1980 + number}-03-02T00:00:00Z"^^xsd:dateTime .')
        lines.append(f'wd:Q{600 + number} wdt:P31 wd:Q9003 ; rdfs:label "River {number}"@en ;')
        lines.append(f"  wdt:P2043 {10 + 9 * number} ; wdt:P206 wd:Q{600 + number // 2} .")
    return lines


COMPANY = """
@prefix hr: <https://kb.acme.example/hr/> . @prefix sales: <https://kb.acme.example/sales/> .
@prefix id: <https://kb.acme.example/id/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
hr:Manager rdfs:subClassOf hr:Employee . hr:worksIn rdfs:domain hr:Employee ; owl:inverseOf hr:staff .
sales:Contract rdfs:label "contract"@en . hr:hired rdfs:domain hr:Employee .
"""
COMPANY_PROFILE = """
name = "acme"
like = "plain"
base = "https://kb.acme.example/"
entity = "id/.+"
schema_domain = "([^/]+)/.+"
"""


def company_turtle(size: int = 1) -> str:
    """Employees, some of them managers, in departments, who signed contracts with customers."""
    lines = [COMPANY]
    few = 3 * size
    for number in range(few):
        lines.append(f'id:d{number} a hr:Department ; rdfs:label "Department {number}" ; hr:floor {number + 1} .')
        lines.append(f'id:c{number} a sales:Customer ; rdfs:label "Customer {number}" ; sales:rating {number}.5 .')
    for number in range(12 * size):
        kinds = "hr:Employee, hr:Manager" if number < few else "hr:Employee"
        lines.append(f'id:e{number} a {kinds} ; rdfs:label "Worker {number}" ; hr:worksIn id:d{number % few} ;')
        lines.append(f'  hr:reportsTo id:e{number % few} ; hr:hired "20{number + 10}-02-01"^^xsd:date .')
        lines.append(f"id:d{number % few} hr:staff id:e{number} .")
        lines.append(f"id:k{number} a sales:Contract ; sales:signedBy id:e{number} ; sales:with id:c{number % few} ;")
        lines.append(f"  sales:worth {number * 1000} .")
    return "\n".join((*lines, *(_machines_and_trips(size) if size > 1 else ()))) + "\n"


def _machines_and_trips(size: int) -> list[str]:
    """Two more domains, for splits that hold some out."""
    lines = ["@prefix it: <https://kb.acme.example/it/> . @prefix travel: <https://kb.acme.example/travel/> ."]
    for number in range(6 * size):
        lines.append(f'id:m{number} a it:Machine ; rdfs:label "Machine {number}" ; it:usedBy id:e{number} ;')
        lines.append(
            f"  it:price {400 + 50 * number} ; it:madeIn {2000 + number % 7} ; it:replaces id:m{number // 2} ."
        )
        lines.append(f'id:t{number} a travel:Trip ; rdfs:label "Trip {number}" ; travel:takenBy id:e{number * 2} ;')
        lines.append(f"  travel:cost {90 + 10 * number} ; travel:after id:t{number // 2} .")
    return lines


def write_strangers(folder: Path, size: int = 1) -> tuple[Path, Path, Path]:
    """The files of the two, so many times as large, and that of the company's profile."""
    texts = {"wiki.ttl": wikidata_turtle(size), "company.ttl": company_turtle(size), "acme.toml": COMPANY_PROFILE}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    wiki, company, profile = (folder / name for name in texts)
    return wiki, company, profile
