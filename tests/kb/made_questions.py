"""Questions over a made-up knowledge base in Freebase's manner, with an ontology of many domains.

Each domain has three classes, the second below the first, relations among them, one with a reverse, one that leads into
another domain, and a number. Programs are S-expressions of eight shapes; the questions of one template differ in their
entities and literals. `write_ontology` writes the three files that `read_commons` reads.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

DOMAINS = (
    *("aviation", "biology", "book", "boats", "chess", "cricket", "film", "food", "law", "music", "opera", "people"),
    *("rail", "radio", "soccer", "tennis", "travel", "wine", "boxing", "theater", "games", "tv", "physics", "time"),
)
FLOAT = "http://www.w3.org/2001/XMLSchema#float"
LIMITS = ("1.5", "2.0", "10.0")


def domain_names(number: int) -> list[str]:
    """So many names of domains."""
    return [DOMAINS[n] if n < len(DOMAINS) else f"domain{n}" for n in range(number)]


def write_ontology(folder: Path, *, domains: int = 24) -> Path:
    """Write the ontology into a folder, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    names = domain_names(domains)
    roles, types, reverses = [], [], []
    for place, name in enumerate(names):
        other = names[(place + 1) % len(names)]
        roles += [
            f"{name}.thing {name}.thing.maker {name}.maker",
            f"{name}.maker {name}.maker.things {name}.thing",
            f"{name}.thing {name}.thing.kind {name}.thing_kind",
            f"{name}.thing {name}.thing.size type.float",
            f"{name}.small_thing {name}.small_thing.used_in {other}.thing",
        ]
        types += [
            f"{name}.small_thing meta.subclassOf {name}.thing .",
            f"{name}.maker meta.subclassOf {name}.maker .",
            f"{name}.thing_kind meta.subclassOf {name}.thing_kind .",
        ]
        reverses += [
            f"{name}.thing.maker\t{name}.maker.things",
            f"{name}.maker.things\t{name}.thing.maker",
        ]
    for file, lines in (("fb_roles", roles), ("fb_types", types), ("reverse_properties", reverses)):
        (folder / file).write_text("".join(f"{line}\n" for line in lines))
    return folder


def shapes(name: str, other: str) -> list[str]:
    """The templates of a domain; `{e}` and `{f}` are entities, `{v}` is a literal."""
    small = f"(AND {name}.small_thing "
    return [
        f"(AND {name}.thing (JOIN {name}.thing.maker {{e}}))",
        f"(AND {name}.thing (JOIN {name}.thing.kind {{e}}))",
        f"(AND {name}.maker (JOIN (R {name}.thing.maker) (JOIN {name}.thing.kind {{e}})))",
        f"(AND {name}.thing (AND (JOIN {name}.thing.maker {{e}}) (JOIN {name}.thing.kind {{f}})))",
        f"(COUNT (AND {name}.thing (JOIN {name}.thing.kind {{e}})))",
        f"(AND {name}.thing (lt {name}.thing.size {{v}}))",
        f"(ARGMAX {name}.thing {name}.thing.size)",
        f"{small}(JOIN {name}.small_thing.used_in (JOIN {other}.thing.maker {{e}})))",
        f"{small}(JOIN {name}.thing.kind {{e}}))",
        f"(COUNT (AND {name}.thing (JOIN {name}.thing.maker {{e}})))",
        f"{small}(JOIN {name}.thing.maker {{e}}))",
        f"(AND {name}.thing_kind (JOIN (R {name}.thing.kind) (JOIN {name}.thing.maker {{e}})))",
    ]


def made_questions(seed: int, *, domains: int = 24, questions: int = 900) -> list[dict[str, Any]]:
    """So many questions, each with an id, its template's number as `template`, and a program.

    A third of the domains has most of the questions; each of the others has a hundredth, so that a split by levels can
    hold fifteen of them out.
    """
    chance = np.random.default_rng(seed)
    names = domain_names(domains)
    large = domains // 3
    templates, weights = list[str](), list[float]()
    for place, name in enumerate(names):
        own = shapes(name, names[(place + 1) % len(names)])[: None if place < large else 6]
        templates += own
        weights += [(0.84 / large if place < large else 0.16 / (domains - large)) / len(own)] * len(own)
    rows = []
    for number, place in enumerate(chance.choice(len(templates), size=questions, p=np.array(weights)).tolist()):
        one, two = (f"m.0{n:x}" for n in chance.integers(16**5, size=2))
        limit = f"{LIMITS[int(chance.integers(len(LIMITS)))]}^^{FLOAT}"
        program = templates[place].format(e=one, f=two, v=limit)
        rows.append({"id": f"q{number}", "source": f"question {number}?", "target": program, "template": place})
    return rows
