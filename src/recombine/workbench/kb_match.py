"""Whether pairs of logical forms match, in three ways."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from recombine.errors import RecordError
from recombine.workbench.given.form_records import iter_form_records
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from pathlib import Path

SIDES = ("a", "b")
SHOWN = 5
"""How many reasons are shown of those why forms could not be compared."""


@dataclass(frozen=True, repr=False, eq=False)
class KbMatched(Result):
    """What each way of matching says of each pair, in the order of the file, and the counts."""

    file: str
    rows: tuple[dict[str, Any], ...]
    """The lines to write: `id` where the pair has one, a verdict of each way, and `why` where there was a problem."""
    unknown: dict[str, int]
    """The relations and classes that the ontology does not have, with the number of their forms."""
    ontology: str | None
    """Where the ontology is from."""
    seconds: float

    @cached_property
    def counts(self) -> dict[str, dict[str, int]]:
        """How many pairs have each verdict, in each way."""
        from recombine.kb.matching.verdicts import STATES, WAYS

        counts: dict[str, dict[str, int]] = {}
        for way in WAYS:
            counted = Counter(str(row[way]).lower() for row in self.rows)
            counts[way] = {verdict: counted[verdict] for verdict in ("true", "false", *STATES)}
        return counts

    @property
    def reasons(self) -> dict[str, int]:
        """Why forms could not be compared, the most frequent first."""
        counted = Counter(why for row in self.rows for why in row.get("why", ()))
        return dict(sorted(counted.items(), key=lambda pair: (-pair[1], pair[0])))

    def to_dict(self) -> dict[str, Any]:
        """What `recombine kb match --json` prints."""
        return {
            "pairs": len(self.rows),
            **self.counts,
            "reasons": self.reasons,
            "unknown_names": self.unknown,
            "ontology": self.ontology,
            "seconds": round(self.seconds, 3),
        }

    def __str__(self) -> str:
        matched = ", ".join(f"{counts['true']:,} {way}" for way, counts in self.counts.items())
        return f"{len(self.rows):,} pairs; matches: {matched}"

    def write(self, path: Path | str) -> None:
        """Write the verdicts as JSON lines; the file is there whole or not at all."""
        import orjson

        from recombine.files import writing_whole

        with writing_whole(path) as stream:
            for row in self.rows:
                stream.write(orjson.dumps(row) + b"\n")


@verb
def kb_match(file: Path | str, *, ontology: Path | str | None = None, profile: Path | str = "freebase") -> KbMatched:
    """Say whether pairs of logical forms match: strictly under an ontology, as graphs, and by GrailQA's scorer.

    The file has JSON lines with `a` and `b`, and `id` if wanted; a form is an S-expression, SPARQL, or the object of a
    graph query. `ontology` is a folder with Freebase's files; by default that of the data directory, for Freebase.
    Without one `strict` compares syntax alone, and `grailqa` nothing.
    """
    from recombine.kb.matching.verdicts import FormKeys, Verdicts
    from recombine.kb.ontology.default_ontology import ontology_for
    from recombine.kb.profiles.find_profile import find_profile
    from recombine.progress import note

    began = time.perf_counter()
    names = find_profile(profile)
    known, place = ontology_for(names, ontology)
    if known is None:
        note("without an ontology: strict compares syntax alone, and grailqa nothing; name one with --ontology DIR")
    verdicts = Verdicts(known, names)
    unknown: Counter[str] = Counter()

    def keys(value: Any, line: str, side: str) -> FormKeys:
        if not isinstance(value, str | dict):
            problem = "is missing" if value is None else f"is {value!r:.40}, which is no form"
            raise RecordError(file, line, f"{side!r} {problem}", "give an S-expression, SPARQL or a graph query")
        read = verdicts.keys(value)
        unknown.update(read.unknown)
        return read

    rows = []
    for line, record in iter_form_records(file, "matching"):
        one, other = (keys(record.get(side), line, side) for side in SIDES)
        row = {"id": record["id"]} if "id" in record else {}
        why = list(dict.fromkeys((*one.why, *other.why)))
        rows.append({**row, **verdicts.of(one, other), **({"why": why} if why else {})})
    counted = dict(sorted(unknown.items(), key=lambda pair: (-pair[1], pair[0])))
    return KbMatched(
        str(file), tuple(rows), counted, None if place is None else str(place), time.perf_counter() - began
    )
