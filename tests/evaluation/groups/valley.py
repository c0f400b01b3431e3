"""A language model's SPARQL over a small graph, made up: questions about a valley, prompts, outputs and what is right.

Every output is one of `WAYS` to write a query, and every prompt one of three choices of examples, so that verdicts,
leniencies and levels are known beforehand: they are written beside each way and each choice.

`docs/examples/valley.*` are what `write_files` writes: `python tests/evaluation/groups/valley.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import orjson

BASE = "http://example.org/"
PREFIX = f"PREFIX v: <{BASE}>"
PROFILE = f"""name = "valley"
like = "plain"
base = "{BASE}"

[prefixes]
v = "{BASE}"
"""
VILLAGES = {"Alder": 420, "Birch": 910, "Cedar": 130, "Dogwood": 640}
PEOPLE = {
    "Ada": ("Alder", 41, ["Ben", "Cleo"]),
    "Ben": ("Alder", 28, ["Ada"]),
    "Cleo": ("Birch", 35, ["Dan"]),
    "Dan": ("Cedar", 62, ["Cleo", "Eve"]),
    "Eve": ("Birch", 19, []),
    "Finn": ("Dogwood", 50, ["Ada", "Eve"]),
}
MILLS = {"Old_Mill": ("Alder", ["Ada"]), "New_Mill": ("Birch", ["Cleo", "Finn"])}


def turtle() -> str:
    """The facts as Turtle."""
    lines = [f"@prefix v: <{BASE}> .", ""]
    lines += [f"v:{name} a v:Village ; v:population {size} ." for name, size in VILLAGES.items()]
    for name, (home, age, known) in PEOPLE.items():
        knows = f" ; v:knows {', '.join(f'v:{other}' for other in known)}" if known else ""
        lines.append(f"v:{name} a v:Person ; v:lives_in v:{home} ; v:age {age}{knows} .")
    lines += [
        f"v:{mill} a v:Mill ; v:stands_in v:{place} ; v:run_by {', '.join(f'v:{name}' for name in names)} ."
        for mill, (place, names) in MILLS.items()
    ]
    return "\n".join(lines) + "\n"


class Kind(NamedTuple):
    """A kind of question: wordings and query with slots, and which other kinds together show its schema items."""

    questions: tuple[str, ...]
    query: str
    fillings: tuple[tuple[str, ...], ...]
    parts: tuple[str, ...]
    relations: str
    function: str = "none"


KINDS = {
    "lives": Kind(
        *(
            ("who lives in {}?", "which people have their home in {}?"),
            "SELECT ?x WHERE {{ ?x v:lives_in v:{} }}",
            (("Alder",), ("Birch",), ("Cedar",)),
        ),
        *((), "1"),
    ),
    "knows": Kind(
        *(
            ("who does {} know?", "whom does {} know?"),
            "SELECT ?x WHERE {{ v:{} v:knows ?x }}",
            (("Ada",), ("Dan",), ("Finn",)),
        ),
        *((), "1"),
    ),
    "runs": Kind(
        *(("who runs {}?",), "SELECT ?x WHERE {{ v:{} v:run_by ?x }}", (("Old_Mill",), ("New_Mill",))),
        *((), "1"),
    ),
    "neighbours": Kind(
        ("who in {} knows {}?", "which people of {} are friends of {}?"),
        "SELECT ?x WHERE {{ ?x v:lives_in v:{} . ?x v:knows v:{} }}",
        (("Alder", "Ada"), ("Cedar", "Cleo"), ("Dogwood", "Eve")),
        ("lives", "knows"),
        "2",
    ),
    "homes": Kind(
        ("where do those live that {} knows?",),
        "SELECT DISTINCT ?y WHERE {{ v:{} v:knows ?x . ?x v:lives_in ?y }}",
        (("Ada",), ("Dan",), ("Finn",)),
        ("lives", "knows"),
        "2",
    ),
    "number": Kind(
        ("how many people live in {}?", "what is the number of people in {}?"),
        "SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE {{ ?x v:lives_in v:{} }}",
        (("Alder",), ("Birch",), ("Cedar",)),
        (),
        "1",
        "count",
    ),
    "older": Kind(
        ("who in {} is older than {}?",),
        "SELECT ?x WHERE {{ ?x v:lives_in v:{} . ?x v:age ?a . FILTER(?a > {}) }}",
        (("Alder", "30"), ("Birch", "20"), ("Cedar", "60")),
        (),
        "2",
        "comparative",
    ),
    "oldest": Kind(
        ("who is the oldest in {}?", "which person of {} is older than all others there?"),
        "SELECT ?x WHERE {{ ?x v:lives_in v:{} . ?x v:age ?a }} ORDER BY DESC(?a) LIMIT 1",
        (("Alder",), ("Birch",), ("Cedar",)),
        (),
        "2",
        "superlative",
    ),
    "friends": Kind(
        ("who in {} and another one there know each other?",),
        "SELECT DISTINCT ?x WHERE {{ ?x v:lives_in v:{0} . ?y v:lives_in v:{0} . ?x v:knows ?y . ?y v:knows ?x }}",
        (("Alder",), ("Birch",)),
        ("lives", "knows"),
        "4+",
    ),
}
"""The last one is a cycle, for which there is no S-expression."""


class Way(NamedTuple):
    """A way in which a model writes a query, with the verdict of `strict` and what has to be let pass."""

    write: Callable[[str], str]
    verdict: str
    leniencies: tuple[str, ...] = ()


def _declared(query: str) -> str:
    return f"{PREFIX}\n{query}"


def _renamed(query: str) -> str:
    return _declared(re.sub(r"\?(\w+)", r"?the_\1", query))


def _turned(query: str) -> str:
    """The triples in another order."""
    inside = re.search(r"\{ (.*) \}", query)
    assert inside is not None
    triples = [part.strip() for part in inside[1].split(" . ")]
    return _declared(query.replace(inside[1], " . ".join(reversed(triples))))


def _whole(query: str) -> str:
    return re.sub(r"v:(\w+)", rf"<{BASE}\1>", query)


def _other_relation(query: str) -> str:
    names = {"lives_in": "born_in", "knows": "admires", "run_by": "owned_by"}
    return _declared(re.sub("|".join(names), lambda match: names[match[0]], query, count=1))


def _group(query: str) -> str:
    return query[query.index("{") : query.rindex("}") + 1]


def _other_question(query: str) -> str:
    return f"{PREFIX}\nASK {_group(query)}"


def _backwards(query: str) -> str:
    """The first triple as a path that is walked against its relation."""
    return _declared(re.sub(r"(\?\w+|v:[A-Z]\w*) (v:[a-z]\w*) (\S+)", r"\3 ^\2 \1", query, count=1))


def _too_much(query: str) -> str:
    """The query with anything in place of the entity that it names first."""
    return _declared(re.sub(r"v:[A-Z]\w*", "?any", query, count=1))


WAYS = {
    "as it is": Way(_declared, "right"),
    "backwards": Way(_backwards, "right"),
    "other names": Way(_renamed, "right"),
    "other order": Way(_turned, "right"),
    "whole names": Way(_whole, "right"),
    "fence": Way(lambda query: f"```sparql\n{_declared(query)}\n```", "right", ("fence",)),
    "fence and prose": Way(
        lambda query: f"Sure! This query should do:\n\n```sparql\n{_declared(query)}\n```\n\nIt asks the graph.",
        *("right", ("fence", "prose")),
    ),
    "prefix not declared": Way(lambda query: query, "right", ("undeclared_prefix",)),
    "prefix of another graph": Way(lambda query: f"PREFIX v: <http://other.example/>\n{query}", "wrong"),
    "too much": Way(_too_much, "wrong"),
    "other relation": Way(_other_relation, "wrong"),
    "other question": Way(_other_question, "wrong"),
    "prefix that nobody knows": Way(lambda query: query.replace("v:", "vly:"), "malformed"),
    "unfinished": Way(lambda query: _declared(query)[: -len(query) // 2], "malformed"),
    "no query": Way(lambda _: "I am sorry, but I cannot answer that from the graph.", "malformed"),
    "DESCRIBE": Way(lambda query: f"{PREFIX}\nDESCRIBE ?x {_group(query)}", "unsupported"),
    "nothing": Way(lambda _: " ", "abstained"),
}
LEVELS = ("i.i.d.", "compositional", "zero-shot")


@dataclass
class Valley:
    """The data, the prompts and the outputs, with what is right beside them."""

    records: list[dict[str, Any]] = field(default_factory=list)
    train: list[int] = field(default_factory=list)
    test: list[int] = field(default_factory=list)
    shown: dict[str, list[str]] = field(default_factory=dict)
    outputs: dict[str, str] = field(default_factory=dict)
    ways: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    wordings: dict[str, str] = field(default_factory=dict)
    levels: dict[str, str] = field(default_factory=dict)

    def verdicts(self) -> dict[str, str]:
        """What `strict` should say."""
        return {key: WAYS[way].verdict for key, way in self.ways.items()}

    def write_files(self, folder: Path) -> None:
        """Write all of it, as a user would have it."""
        outputs = [{"id": key, "prediction": text} for key, text in self.outputs.items()]
        shown = [{"id": key, "shown": ids} for key, ids in self.shown.items()]
        (folder / "valley.ttl").write_text(turtle())
        (folder / "valley.toml").write_text(PROFILE)
        for name, rows in (("valley", self.records), ("valley_outputs", outputs), ("valley_shown", shown)):
            (folder / f"{name}.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
        (folder / "valley_split.json").write_bytes(orjson.dumps({"train": self.train, "test": self.test}))


def valley() -> Valley:
    """The examples to show, one of each filling of each kind but the last, and 60 questions with prompts."""
    made = Valley()
    pool: dict[str, list[str]] = {}
    for kind, (questions, query, fillings, *_) in KINDS.items():
        for filling in fillings[1:]:
            key = f"shown-{kind}-{filling[0]}"
            pool.setdefault(kind, []).append(_add(made, made.train, key, questions[0], query, filling))
    ways, choices = list(WAYS), [(kind, level) for level in LEVELS for kind in KINDS if level in _possible(kind)]
    for number in range(60):
        kind, level = choices[number % len(choices)]
        questions, query, fillings, parts, *_ = KINDS[kind]
        question = questions[number % len(questions)]
        filling = fillings[number // len(choices) % len(fillings)]
        key = _add(made, made.test, f"asked-{number:02d}", question, query, filling)
        way = ways[number * 7 % len(ways)]
        made.shown[key] = _prompt(pool, kind, level, parts)
        made.kinds[key], made.wordings[key], made.levels[key], made.ways[key] = kind, question, level, way
        made.outputs[key] = WAYS[way].write(query.format(*filling))
    return made


def _possible(kind: str) -> tuple[str, ...]:
    """The levels that prompts can make of a kind: without parts it is never compositional."""
    return LEVELS if KINDS[kind].parts else (LEVELS[0], LEVELS[2])


def _prompt(pool: dict[str, list[str]], kind: str, level: str, parts: tuple[str, ...]) -> list[str]:
    if level == "i.i.d.":
        return [pool["runs"][0], pool[kind][0]]
    if level == "compositional":
        return [pool[part][0] for part in parts]
    return [pool["lives" if kind == "runs" else "runs"][0]]


def _add(made: Valley, part: list[int], key: str, question: str, query: str, filling: tuple[str, ...]) -> str:
    names = [name.replace("_", " ") for name in filling if not name.isdigit()]
    part.append(len(made.records))
    made.records.append(
        {
            "id": key,
            "source": question.format(*(name.replace("_", " ") for name in filling)),
            "target": _declared(query.format(*filling)),
            "entities": names,
        }
    )
    return key


if __name__ == "__main__":
    valley().write_files(Path(__file__).parents[3] / "docs" / "examples")
