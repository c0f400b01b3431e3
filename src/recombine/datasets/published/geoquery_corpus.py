"""The original GeoQuery corpus: English questions and FunQL programs that name their entities, from `corpus.xml.gz`.

The examples are in the order of the lines of `geoquery/funql`, whose programs `languages/funql_rewrite.py` makes from
these. Other languages, syntax trees and the Prolog programs of the file are not read.

The file is XML with a document type. Such a file can do harm through the entities that it declares: by growing without
end, or by naming other files. This one declares none, a file that declares any is refused before it is parsed, and the
parser of the standard library never fetches a document type from elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from recombine.data_directory import data_file
from recombine.errors import InputFileError, RecordError
from recombine.files import read_text

if TYPE_CHECKING:
    from pathlib import Path

FILE = "geoquery/corpus.xml.gz"
QUESTION = ("nl", "en")
PROGRAM = ("mrl", "geo-funql")


@dataclass(frozen=True)
class CorpusExample:
    """One example of the corpus: its id there, the English question, the original program."""

    id: str
    question: str
    program: str


def load_geoquery_corpus() -> tuple[CorpusExample, ...]:
    """The corpus of the data directory, in the order of the file."""
    return read_geoquery_corpus(data_file(FILE, "the original GeoQuery corpus"))


def read_geoquery_corpus(path: Path | str) -> tuple[CorpusExample, ...]:
    """The examples of a file in the corpus's form, in order."""
    text = read_text(path)
    if "<!ENTITY" in text:
        raise InputFileError(f"{path}: declares entities, which are not read", "remove the declarations")
    try:
        root = ElementTree.fromstring(text)  # noqa: S314  # no entities: see above
    except ElementTree.ParseError as error:
        raise InputFileError(f"{path}: is not well-formed XML ({error})", "copy it again") from None
    examples: dict[str, CorpusExample] = {}
    for number, node in enumerate(root.findall("example"), start=1):
        key = node.get("id", "")
        where = f"example {number} (id {key!r})"
        if not key or key in examples:
            raise RecordError(path, where, "the id is missing or stands already above", "give every example its own")
        question, program = (_only_text(path, where, node, *wanted) for wanted in (QUESTION, PROGRAM))
        examples[key] = CorpusExample(key, question, program)
    if not examples:
        raise InputFileError(f"{path}: has no examples", "give the corpus.xml of GeoQuery")
    return tuple(examples.values())


def _only_text(path: Path | str, where: str, node: ElementTree.Element, tag: str, language: str) -> str:
    """The text of the one element of a tag and a language, with single blanks."""
    elements = [element for element in node.findall(tag) if element.get("lang") == language]
    text = " ".join((elements[0].text or "").split()) if len(elements) == 1 else ""
    if not text:
        problem = f"{len(elements)} elements <{tag} lang={language!r}> with text where 1 belongs"
        raise RecordError(path, where, problem, "mend the example")
    return text
