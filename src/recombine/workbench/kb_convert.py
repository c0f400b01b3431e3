"""Logical forms of a file in another notation."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.errors import RecordError, UnknownNameError
from recombine.workbench.given.form_records import iter_form_records
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from pathlib import Path

FIELDS = {
    "graph": ("graph_query", "form", "target"),
    "sexpression": ("s_expression", "form", "target"),
    "sparql": ("sparql_query", "sparql", "form", "target"),
}
"""The fields that may hold a form of a notation, the first that a record has: GrailQA's, our own, those of data."""
IDS = ("qid", "id")
SHOWN = 5
"""How many reasons are shown of those why forms were not converted."""


@dataclass(frozen=True, repr=False, eq=False)
class KbConverted(Result):
    """What became of each form, in the order of the file, and the counts."""

    file: str
    notations: tuple[str, str]
    rows: tuple[dict[str, Any], ...]
    """The lines to write: `id`, `form` and `losses`; `error` where there is no form."""
    kinds: dict[str, int]
    """How often something of a kind was lost."""
    leniencies: dict[str, int]
    """How many queries of SPARQL needed something to be let pass, by what."""
    ontology: str | None
    """Where the ontology is from by which implied classes are told."""
    seconds: float
    keep: bool = False
    """Whether the lines to write are a data set, so that a question without a form is left out."""

    def count(self, outcome: str) -> int:
        """How many forms are `malformed` or `unsupported`."""
        return sum(row.get("outcome") == outcome for row in self.rows)

    @property
    def reasons(self) -> dict[str, int]:
        """Why forms were not converted, the most frequent first."""
        counted = Counter(row["error"] for row in self.rows if "error" in row)
        return dict(sorted(counted.items(), key=lambda pair: (-pair[1], pair[0])))

    def to_dict(self) -> dict[str, Any]:
        """What `recombine kb convert --json` prints."""
        malformed, unsupported = self.count("malformed"), self.count("unsupported")
        return {
            "from": self.notations[0],
            "to": self.notations[1],
            "forms": len(self.rows),
            "converted": len(self.rows) - malformed - unsupported,
            "with_losses": sum(bool(row.get("losses")) for row in self.rows),
            "losses": self.kinds,
            "malformed": malformed,
            "unsupported": unsupported,
            "reasons": self.reasons,
            "leniencies": self.leniencies,
            "ontology": self.ontology,
            "seconds": round(self.seconds, 3),
        }

    def __str__(self) -> str:
        values = self.to_dict()
        text = f"{values['converted']:,} of {values['forms']:,} forms converted from {values['from']} to {values['to']}"
        if values["with_losses"]:
            text += f", {values['with_losses']:,} with losses"
        for outcome in ("malformed", "unsupported"):
            if values[outcome]:
                text += f", {values[outcome]:,} {outcome}"
        return text

    def write(self, path: Path | str) -> None:
        """Write the forms as JSON lines; the file is there whole or not at all."""
        import orjson

        from recombine.files import writing_whole

        with writing_whole(path) as stream:
            for row in self.rows:
                if not self.keep or "error" not in row:
                    stream.write(orjson.dumps(row) + b"\n")


@verb
def kb_convert(
    file: Path | str,
    *,
    from_: str,
    to: str,
    semantics: str | None = None,
    profile: Path | str = "freebase",
    ontology: Path | str | None = None,
    keep_classes: bool = False,
    keep: bool = False,
) -> KbConverted:
    """Convert the logical forms of a file of JSON lines from a notation to another: graph, sexpression or sparql.

    The file may also be a release, such as GraphQuestions or WebQSP. With `keep`, what is written is a data set: all of
    each record with the form as its `target`, and without those that have no form there.

    A record has `qid` or `id`, and the form in GrailQA's fields or in `form`. `semantics` is that of the SPARQL to be
    written, `sets` or `grailqa`; by default as the record says, else `sets`. A folder with an `ontology` tells classes
    in the middle that relations imply from those that are lost; by default that of the data directory, for Freebase.
    With `keep_classes`, S-expressions say those classes too, which GrailQA's do not, and none is lost.
    """
    from recombine.kb.forms.form import NOTATIONS, SEMANTICS
    from recombine.kb.ontology.default_ontology import ontology_for
    from recombine.kb.profiles.find_profile import find_profile
    from recombine.progress import note

    for notation in (from_, to):
        if notation not in NOTATIONS:
            raise UnknownNameError("notation", notation, NOTATIONS)
    if semantics is not None and semantics not in SEMANTICS:
        raise UnknownNameError("semantics", semantics, SEMANTICS)
    began = time.perf_counter()
    names = find_profile(profile)
    known, place = None, None
    if to == "sexpression" and not keep_classes:
        known, place = ontology_for(names, ontology)
        if known is None:
            note("without an ontology, classes in the middle that a relation implies are named among the losses too")
    implies = None if known is None else known.implies
    options = {"profile": names, "implies": implies, "keep_classes": keep_classes}
    converter = _Converter(file, (from_, to), semantics, options, keep=keep)
    rows = tuple(converter.row(line, record) for line, record in iter_form_records(file, "converting"))
    seconds = time.perf_counter() - began
    kinds, leniencies = (dict(sorted(each.items())) for each in (converter.kinds, converter.leniencies))
    where = None if place is None else str(place)
    return KbConverted(str(file), (from_, to), rows, kinds, leniencies, where, seconds, keep)


class _Converter:
    def __init__(
        self,
        file: Path | str,
        notations: tuple[str, str],
        semantics: str | None,
        options: dict[str, Any],
        *,
        keep: bool = False,
    ) -> None:
        self._file, self._notations, self._semantics, self._options = file, notations, semantics, options
        self._keep = keep
        self.kinds: Counter[str] = Counter()
        self.leniencies: Counter[str] = Counter()

    def row(self, line: str, record: dict[str, Any]) -> dict[str, Any]:
        """What to write for a record."""
        from recombine.errors import FormError, ProgramError
        from recombine.kb.forms.convert import convert
        from recombine.kb.forms.form import SETS, SPARQL, SparqlQuery
        from recombine.kb.forms.read_form import read_form
        from recombine.kb.forms.write_form import write_form

        from_, to = self._notations
        key, value, said = self._id(line, record), self._value(line, record), self._said_semantics(line, record)
        try:
            form = read_form(value, from_, self._options["profile"])
            if isinstance(form, SparqlQuery):
                self.leniencies.update(form.leniencies)
            done = convert(form, to, semantics=self._semantics or said, **self._options)
            written = write_form(done.form, self._options["profile"])
        except ProgramError as error:
            return {"id": key, "form": None, "error": str(error), "outcome": "malformed"}
        except FormError as error:
            return {"id": key, "form": None, "error": str(error), "outcome": "unsupported"}
        self.kinds.update(loss.kind for loss in done.losses)
        row = {"id": key, "form": written, "losses": list(done.losses)}
        if self._keep:
            row = {**record, "id": key, "target": written, "losses": row["losses"]}
        semantics = done.semantics if SPARQL in self._notations else said or SETS
        return row if semantics == SETS else {**row, "semantics": semantics}

    def _id(self, line: str, record: dict[str, Any]) -> Any:
        for field in IDS:
            if isinstance(record.get(field), str | int):
                return record[field]
        raise RecordError(self._file, line, "it has no qid and no id", "give it one, a text or a number")

    def _value(self, line: str, record: dict[str, Any]) -> Any:
        fields = FIELDS[self._notations[0]]
        for field in fields:
            if field in record:
                return record[field]
        raise RecordError(self._file, line, f"it has no field {', '.join(fields)}", "name what it has with --from")

    def _said_semantics(self, line: str, record: dict[str, Any]) -> str | None:
        from recombine.kb.forms.form import SEMANTICS

        said = record.get("semantics")
        if said is not None and said not in SEMANTICS:
            raise RecordError(self._file, line, f"its semantics is {said!r}", f"give {' or '.join(SEMANTICS)}")
        return said
