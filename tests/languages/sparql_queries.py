"""SPARQL in the manner of public example pages, data sets and language models, each with what must be let pass."""

from __future__ import annotations

QUERIES: dict[str, tuple[str, set[str]]] = {
    "label service": (
        """#title: Cats, with pictures where there are some
        SELECT ?cat ?catLabel ?picture   # the label is made by the service
        WHERE {
          ?cat wdt:P31 wd:Q146 .
          OPTIONAL { ?cat wdt:P18 ?picture. }
          SERVICE wikibase:label { bd:serviceParam wikibase:language "[AUTO_LANGUAGE],en". }
        }""",
        {"undeclared_prefix"},
    ),
    "statement nodes and qualifiers": (
        """PREFIX wd: <http://www.wikidata.org/entity/> PREFIX p: <http://www.wikidata.org/prop/>
        PREFIX ps: <http://www.wikidata.org/prop/statement/> PREFIX pq: <http://www.wikidata.org/prop/qualifier/>
        SELECT DISTINCT ?mayor (YEAR(?start) AS ?year) WHERE {
          wd:Q64 p:P6 [ ps:P6 ?mayor ; pq:P580 ?start ] .
          FILTER NOT EXISTS { wd:Q64 p:P6 / pq:P582 ?start }
        } ORDER BY DESC(?year) ?mayor LIMIT 10 OFFSET 5""",
        set(),
    ),
    "population with a sub-select and HAVING": (
        """PREFIX wdt: <http://www.wikidata.org/prop/direct/> PREFIX wd: <http://www.wikidata.org/entity/>
        SELECT ?country (SUM(?people) AS ?total) (GROUP_CONCAT(DISTINCT ?name; SEPARATOR=" | ") AS ?names) {
          { SELECT ?city (MAX(?count) AS ?people) WHERE { ?city wdt:P1082 ?count } GROUP BY ?city }
          ?city wdt:P17 ?country ; wdt:P1448 ?name
        }
        GROUP BY ?country
        HAVING (COUNT(?city) >= 3 && SUM(?people) > 1e6) (AVG(?people) < 2.5E7)
        ORDER BY ASC(?total)""",
        set(),
    ),
    "paths of every kind": (
        """PREFIX : <http://zoo.example/>
        SELECT * WHERE {
          ?a :parent+/^:parent* ?b .
          ?b (:eats|:hunts)/:livesIn? ?place .
          ?a !(rdf:type|^:parent|a) ?b .
          ?place !:near/:partOf* :Africa .
          ?a (:x/(:y|^:z)+)? ?c
        }""",
        {"undeclared_prefix"},
    ),
    "union, minus, graph": (
        """BASE <http://zoo.example/>
        PREFIX k: <keeper/>
        SELECT REDUCED ?keeper FROM <facts> FROM NAMED <log> WHERE {
          { ?keeper k:feeds <lion> } UNION { ?keeper k:feeds <tiger> . } UNION { }
          MINUS { ?keeper k:left ?date FILTER (?date < "2020-01-01"^^<http://www.w3.org/2001/XMLSchema#date>) }
          GRAPH <log> { ?keeper k:seen true , false }
        }""",
        set(),
    ),
    "values, bind, if": (
        """prefix : <http://zoo.example/>
        select ?animal ?kind where {
          values (?animal ?legs) { (:bird 2) (:dog +4) (:snake UNDEF) (:fly -6.0) }
          bind ( if ( bound(?legs), concat("legs:", str(?legs)), 'none'@en-GB ) as ?kind )
          filter ( ?legs not in ( 3 , 5 ) && ! ( ?legs = 1 || ?legs-1 > 2*3 ) )
        } values ?kind { "legs:2" '''a "b"''' }""",
        set(),
    ),
    "collections and lists": (
        """PREFIX : <http://zoo.example/>
        ASK { ?list :members ( :a [ :name "b" ] () ) . [] :first _:who . _:who :knows [] ; a :Keeper , :Friend ; . }""",
        set(),
    ),
    "regular expressions and languages": (
        r"""PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
        SELECT DISTINCT ?thing WHERE {
          ?thing rdfs:label ?label .
          FILTER regex(?label, "^caf\u00e9\\s(one|two)$", "i")
          FILTER (langMatches(lang(?label), "*") && !isBlank(?thing))
          FILTER (strlen(str(?label)) * -1 + 5 < - strlen("x") / 2)
        }""",
        set(),
    ),
    "drugs by identifiers": (
        """PREFIX drug: <http://bio2rdf.example/drugbank_vocabulary:>
        PREFIX dct: <http://purl.org/dc/terms/>
        SELECT ?name (COUNT(DISTINCT ?target) AS ?targets)
        WHERE {
          ?d a drug:Drug ; dct:title ?name ; drug:target ?target .
          ?target drug:x-hgnc [ dct:identifier ?id ] .
          FILTER EXISTS { ?d drug:category/dct:title "Enzyme Inhibitors"@en }
        }
        GROUP BY ?name (SUBSTR(?name, 1, 3) AS ?start) HAVING(COUNT(DISTINCT ?target) > 2)""",
        set(),
    ),
    "a question's two properties": (
        "SELECT ?answer WHERE { wd:Q42 wdt:P184 ?X . ?X wdt:P27 ?answer. FILTER(CONTAINS(YEAR(?answer),'1990'))}",
        {"undeclared_prefix"},
    ),
    "two answers with commas": (
        "select ?ans_1, ?ans_2 where { wd:Q1 wdt:P1 ?ans_1 . wd:Q1 wdt:P2 ?ans_2 } order by desc ?ans_1 limit 2;",
        {"undeclared_prefix", "comma", "bare_order", "semicolon"},
    ),
    "boilerplate of Freebase": (
        """#MANUAL SPARQL
        PREFIX ns: <http://rdf.freebase.com/ns/>
        SELECT DISTINCT ?x
        WHERE {
        FILTER (?x != ns:m.0abc1)
        FILTER (!isLiteral(?x) OR lang(?x) = '' OR langMatches(lang(?x), 'en'))
        ns:m.0abc1 ns:film.director.film ?y .
        ?y ns:film.film.initial_release_date ?d .
        FILTER(NOT EXISTS {?y ns:film.film.genre ?g} || EXISTS {?y ns:film.film.x ?z . FILTER(xsd:dateTime(?z) >= 5)})
        ?y ns:film.film.country ?x .
        }
        ORDER BY DESC(xsd:datetime(?d)) LIMIT 1""",
        {"or", "is_literal", "datetime", "dotted_name", "undeclared_prefix"},
    ),
    "count of Virtuoso": (
        "SELECT COUNT(*) WHERE { ?s dbo:birthPlace dbr:Bonn FILTER (?s > 3 AND ?s < 5) }",
        {"bare_count", "and", "undeclared_prefix"},
    ),
    "fence of a language model": (
        "Here is the query you asked for:\n```sparql\nSELECT (COUNT(DISTINCT ?c)) (?x) WHERE { ?c wdt:P31 ?x "
        "FILTER lang(?x) = 'en' FILTER !bound(?y) FILTER (?a) OR FILTER isIRI(?b) }\n```\nIt counts cats.",
        {
            "fence",
            "prose",
            "undeclared_prefix",
            "bare_count",
            "bracketed_variable",
            "bare_filter",
            "implicit_group",
            "or",
        },
    ),
    "poet with most books": (
        "SELECT DISTINCT ?u { ?u dbo:occupation dbr:Poet . ?x dbo:author ?u } ORDER BY DESC(COUNT(?x)) LIMIT 1",
        {"implicit_group", "undeclared_prefix"},
    ),
    "names as people write them": (
        "SELECT ?d { dbr:Avatar_(2009_film) dbo:director ?d . ?d dbo:spouse dbr:Diana,_Princess_of_Wales,dbr:B,_:b ; "
        "dbo:film dbr:Schindler's_List FILTER (xsd:integer(5) != 1) }",
        {"loose_name", "undeclared_prefix"},
    ),
    "names within": (
        "SELECT COUNT(DISTINCT ?y AS ?y) MAX(?d) as ?day SUM(?z AS ?s) WHERE { ?y dbo:d ?d ; dbo:z ?z }",
        {"as_inside", "same_name", "bare_expression", "undeclared_prefix"},
    ),
}
"""By what they show: the query, and the leniencies that it needs."""
