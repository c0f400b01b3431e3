"""The reader of N-Triples against pyoxigraph's, on triples made at random and on broken lines."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recombine.errors import RecombineError
from recombine.kb.loaders.line_blocks import LineBlock
from recombine.kb.loaders.ntriples import ntriples_batch
from recombine.kb.term import Term

CHARACTERS = st.characters(exclude_categories=["Cs"])
TEXTS = st.text(CHARACTERS, max_size=12)
NAMES = st.text("abzAZ09_.~-/#?éß日", max_size=8)
IRIS = st.builds(lambda scheme, name: f"{scheme}:{name}", st.sampled_from(["http", "a", "x+y.z-1"]), NAMES)
LABELS = st.from_regex(r"[A-Za-z0-9_é]([A-Za-z0-9_é.-]{0,4}[A-Za-z0-9_é-])?", fullmatch=True)
LANGUAGES = st.from_regex(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8}){0,2}", fullmatch=True)
RESOURCES = st.builds(Term.iri, IRIS) | st.builds(Term.blank, LABELS)
LITERALS = (
    st.builds(Term.literal, TEXTS)
    | st.builds(lambda text, language: Term.literal(text, language=language), TEXTS, LANGUAGES)
    | st.builds(lambda text, datatype: Term.literal(text, datatype=datatype), TEXTS, IRIS)
)
ESCAPES = {"\t": "\\t", "\b": "\\b", "\n": "\\n", "\r": "\\r", "\f": "\\f", '"': '\\"', "\\": "\\\\", "\0": "\\u0000"}


def read(text: str) -> list[tuple[str, ...]]:
    """The keys of some lines."""
    batch = ntriples_batch(Path("a.nt"), LineBlock(text.encode() + b"\n", 1))
    return [tuple(key.decode() for key in row.values()) for row in batch.to_pylist()]


def line(subject: Term, relation: str, target: Term, written: list[bool], space: str) -> str:
    """A triple as a line, some characters of its literal as escapes by number."""
    choice = iter(written)

    def literal(character: str) -> str:
        if next(choice, False) and character != "\0":
            return f"\\u{ord(character):04x}" if ord(character) < 0x10000 else f"\\U{ord(character):08X}"
        return ESCAPES.get(character, character)

    def text(term: Term) -> str:
        if term.kind == "<":
            return f"<{term.text}>"
        if term.kind == "_":
            return f"_:{term.text}"
        quoted = '"' + "".join(map(literal, term.text)) + '"'
        if term.language:
            return f"{quoted}@{term.language}"
        return f"{quoted}^^<{term.datatype}>" if term.datatype else quoted

    return f"{text(subject)} <{relation}>{space}{text(target)} ."


@settings(deadline=None)  # the first call may compile
@given(
    st.lists(st.tuples(RESOURCES, IRIS, RESOURCES | LITERALS, st.lists(st.booleans()), st.sampled_from(["", " \t"])))
)
def test_what_is_written_is_read(triples: list[tuple[Term, str, Term, list[bool], str]]) -> None:
    text = "\n".join(line(*triple) for triple in triples)
    expected = [(subject.key, f"<{relation}", target.key) for subject, relation, target, _, _ in triples]
    assert read(text) == expected


@settings(deadline=None)  # the first call may compile
@given(st.lists(st.sampled_from([*'<>"\\:.@^_ #au0', "<a:b>", '"x"', "_:b", "\\u00e9", "^^<a:c>", "@en", " .", "\n"])))
def test_a_text_is_taken_where_another_reader_takes_it(parts: list[str]) -> None:
    text = "".join(parts)
    try:
        theirs = [
            (triple.subject, triple.predicate, triple.object)
            for triple in pyoxigraph.parse(text.encode(), format=pyoxigraph.RdfFormat.N_TRIPLES)
        ]
    except (SyntaxError, ValueError):
        theirs = None
    try:
        ours = read(text)
    except RecombineError:
        ours = None
    assert (ours is None) == (theirs is None), (ours, theirs)
    if ours is not None and theirs is not None:
        assert [row[2][0] for row in ours] == [
            {"NamedNode": "<", "BlankNode": "_", "Literal": '"'}[type(target).__name__] for _, _, target in theirs
        ]


FAULTS = {
    "<a:b> <a:c> <a:d>": "line 2, column 18: a `.` is needed after the target",
    "<a:b> <a:c> <a:d> <a:g> .": "column 19: a `.` is needed",
    "<a:b> <a:c> <a:d> . x": "column 21: nothing but a comment",
    "<a:b> <a:c>": "column 12: an IRI, a blank node or a literal",
    "<a:b> _:c <a:d> .": "column 7: an IRI in `<…>` is needed as the relation",
    '"b" <a:c> <a:d> .': "column 1: an IRI in `<…>` or a blank node",
    "<a:b> <a:c> <a:d .": "column 17: the IRI has a character",
    "<a:b> <a:c> <a:d": "column 13: the IRI does not end",
    "<a:{b}> <a:c> <a:d> .": "column 4: the IRI has a character",
    "<a:\\u0020b> <a:c> <a:d> .": "column 4: the IRI has a character",
    "<a:\\n> <a:c> <a:d> .": "column 4: the escape is not one of this place",
    "<b> <a:c> <a:d> .": "column 1: the IRI is not whole",
    "<1a:b> <a:c> <a:d> .": "column 1: the IRI is not whole",
    "<é:b> <a:c> <a:d> .": "column 1: the IRI is not whole",
    '<a:é> <a:c> "d\\x" .': "column 15: the escape is not one of this place",
    '<a:b> <a:c> "\\uD800" .': "column 14: the escape is no character",
    '<a:b> <a:c> "\\U00110000" .': "column 14: the escape is no character",
    '<a:b> <a:c> "\\u00g0" .': "column 14: the escape is no character",
    '<a:b> <a:c> "d .': "column 13: the literal does not end on its line",
    '<a:b> <a:c> "d"@ .': "column 16: the language tag is not one",
    '<a:b> <a:c> "d"@en- .': "column 16: the language tag is not one",
    '<a:b> <a:c> "d"^^xsd:int .': "column 16: an IRI in `<…>` is needed as the type",
    "_: <a:c> <a:d> .": "column 1: the label of the blank node",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_said_with_its_line_and_column(fault: str) -> None:
    with pytest.raises(RecombineError) as raised:
        read(f"<a:a> <a:a> <a:a> .\n{fault}\n<a:a> <a:a> <a:a> .")
    assert str(raised.value).startswith("a.nt, line 2, column ")
    assert FAULTS[fault] in str(raised.value)
