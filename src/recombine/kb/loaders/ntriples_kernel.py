"""The kernel that reads lines of N-Triples into keys.

It follows the grammar of RDF 1.1 N-Triples (<https://www.w3.org/TR/n-triples/>), with IRIs whole and no character in
them that no IRI has, also when it is written as an escape. Language tags are put in lower case, and the type of plain
strings is left out, as in every key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.kernels.kernel import kernel, part

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]
    Integers = NDArray[np.int64]

FAULTS = (
    "",
    "an IRI in `<…>` or a blank node `_:…` is needed as the subject",
    "an IRI in `<…>` is needed as the relation",
    "an IRI, a blank node or a literal in quotes is needed as the target",
    "a `.` is needed after the target",
    "nothing but a comment may follow the `.`",
    "the IRI does not end",
    "the IRI has a character that no IRI has",
    "the IRI is not whole: it does not begin with a scheme such as `http:`",
    "the escape is not one of this place",
    "the escape is no character",
    "the literal does not end on its line",
    "the language tag is not one",
    "an IRI in `<…>` is needed as the type of the literal",
    "the label of the blank node is not one",
)
"""What each number says that the kernel gives for a fault."""


@part
def is_space(byte: int) -> bool:
    """Whether a byte stands between terms."""
    return byte == 32 or byte == 9


@part
def is_letter(byte: int) -> bool:
    """Whether a byte is a letter of ASCII."""
    return 65 <= byte <= 90 or 97 <= byte <= 122


@part
def is_digit(byte: int) -> bool:
    """Whether a byte is a digit."""
    return 48 <= byte <= 57


@part
def is_of_iri(byte: int) -> bool:
    """Whether a byte may stand in an IRI: none of space, controls, and `<>"{}|^` with the two strokes."""
    if byte <= 32 or byte == 127:
        return False
    return not (
        byte == 34
        or byte == 60
        or byte == 62
        or byte == 92
        or byte == 94
        or byte == 96
        or byte == 123
        or byte == 124
        or byte == 125
    )


@part
def read_hexadecimal(text: Bytes, at: int, digits: int) -> int:
    """The number that some digits say, or -1."""
    value = 0
    for i in range(at, at + digits):
        byte = text[i]
        if is_digit(byte):
            value = value * 16 + byte - 48
        elif 65 <= byte <= 70:
            value = value * 16 + byte - 55
        elif 97 <= byte <= 102:
            value = value * 16 + byte - 87
        else:
            return -1
    return value


@part
def write_character(value: int, out: Bytes, to: int) -> int:
    """Write a character in UTF-8; gives the place after it."""
    if value < 0x80:
        out[to] = value
        return to + 1
    if value < 0x800:
        out[to] = 0xC0 | (value >> 6)
        out[to + 1] = 0x80 | (value & 0x3F)
        return to + 2
    if value < 0x10000:
        out[to] = 0xE0 | (value >> 12)
        out[to + 1] = 0x80 | ((value >> 6) & 0x3F)
        out[to + 2] = 0x80 | (value & 0x3F)
        return to + 3
    out[to] = 0xF0 | (value >> 18)
    out[to + 1] = 0x80 | ((value >> 12) & 0x3F)
    out[to + 2] = 0x80 | ((value >> 6) & 0x3F)
    out[to + 3] = 0x80 | (value & 0x3F)
    return to + 4


@part
def read_escape(text: Bytes, at: int) -> tuple[int, int]:
    """The character that `\\u` or `\\U` at a place says and the place after it; a fault is below 0."""
    digits = 4 if text[at + 1] == 117 else 8
    if at + 2 + digits >= len(text):
        return -10, at
    value = read_hexadecimal(text, at + 2, digits)
    if value < 0 or value > 0x10FFFF or 0xD800 <= value <= 0xDFFF:
        return -10, at
    return value, at + 2 + digits


@part
def read_iri(text: Bytes, at: int, out: Bytes, to: int) -> tuple[int, int]:
    """Read `<…>` and write what is in it; gives the places after both, or minus the fault and its place."""
    start, at = at, at + 1
    colon, scheme = False, True
    while True:
        byte = text[at]
        if byte == 62:
            break
        if byte == 10:
            return -6, start
        if byte == 92:
            if text[at + 1] != 117 and text[at + 1] != 85:
                return -9, at
            value, after = read_escape(text, at)
            if value < 0:
                return value, at
            if value < 128 and not is_of_iri(value):
                return -7, at
            scheme = scheme and colon
            to = write_character(value, out, to)
            at = after
            continue
        if not is_of_iri(byte):
            return -7, at
        if not colon:
            if byte == 58:
                colon = True
                scheme = scheme and at > start + 1
            elif not is_letter(byte) and (
                at == start + 1 or not (is_digit(byte) or byte == 43 or byte == 45 or byte == 46)
            ):
                scheme = False
        out[to] = byte
        to += 1
        at += 1
    if not (colon and scheme):
        return -8, start
    return at + 1, to


@part
def read_blank(text: Bytes, at: int, prefix: Bytes, out: Bytes, to: int) -> tuple[int, int]:
    """Read `_:…` and write its key, the label after a prefix; gives the places after both, or minus the fault."""
    start = at
    at += 2
    first = at
    while True:
        byte = text[at]
        inner = byte == 45 or byte == 46 or byte == 58
        if not (is_letter(byte) or is_digit(byte) or byte == 95 or byte >= 128 or (inner and at > first)):
            break
        at += 1
    while at > first and text[at - 1] == 46:  # a dot at its end is the end of the triple
        at -= 1
    if at == first:
        return -14, start
    out[to] = 95
    to += 1
    for i in range(len(prefix)):
        out[to] = prefix[i]
        to += 1
    for i in range(first, at):
        out[to] = text[i]
        to += 1
    return at, to


@part
def read_quoted(text: Bytes, at: int, out: Bytes, to: int) -> tuple[int, int]:
    """Read the text of a literal in its quotes; gives the places after both, or minus the fault and its place."""
    start, at = at, at + 1
    while True:
        byte = text[at]
        if byte == 34:
            return at + 1, to
        if byte == 10 or byte == 13:
            return -11, start
        if byte != 92:
            out[to] = byte
            to += 1
            at += 1
            continue
        escape = text[at + 1]
        if escape == 117 or escape == 85:
            value, after = read_escape(text, at)
            if value < 0:
                return value, at
            to = write_character(value, out, to)
            at = after
            continue
        if escape == 116:
            plain = 9
        elif escape == 98:
            plain = 8
        elif escape == 110:
            plain = 10
        elif escape == 114:
            plain = 13
        elif escape == 102:
            plain = 12
        elif escape == 34 or escape == 39 or escape == 92:
            plain = escape
        else:
            return -9, at
        out[to] = plain
        to += 1
        at += 2


@part
def read_language(text: Bytes, at: int, out: Bytes, to: int) -> tuple[int, int]:
    """Read `@…` and write it in lower case; gives the places after both, or minus the fault and its place."""
    start = at
    out[to] = 64
    to += 1
    at += 1
    length, first = 0, True
    while True:
        byte = text[at]
        if is_letter(byte) or (is_digit(byte) and not first):
            out[to] = byte + 32 if 65 <= byte <= 90 else byte
            length += 1
        elif byte == 45 and length > 0:
            out[to] = 45
            length, first = 0, False
        else:
            break
        to += 1
        at += 1
    if length == 0:
        return -12, start
    return at, to


@part
def read_literal(text: Bytes, at: int, string_type: Bytes, out: Bytes, to: int) -> tuple[int, int]:
    """Read a literal and write its key; gives the places after both, or minus the fault and its place."""
    out[to] = 34
    at, to = read_quoted(text, at, out, to + 1)
    if at < 0:
        return at, to
    out[to] = 0
    to += 1
    if text[at] == 64:
        at, to = read_language(text, at, out, to)
        return at, to
    if text[at] != 94:
        return at, to
    if text[at + 1] != 94 or text[at + 2] != 60:
        return -13, at
    start = to
    at, to = read_iri(text, at + 2, out, to)
    if at >= 0 and to - start == len(string_type):
        same = True
        for i in range(len(string_type)):
            same = same and out[start + i] == string_type[i]
        if same:
            to = start
    return at, to


@part
def skip_spaces(text: Bytes, at: int) -> int:
    """The next place that is not between terms."""
    while is_space(text[at]):
        at += 1
    return at


@kernel
def read_triples(
    text: Bytes,
    prefix: Bytes,
    string_type: Bytes,
    subjects: Bytes,
    subject_starts: Integers,
    relations: Bytes,
    relation_starts: Integers,
    targets: Bytes,
    target_starts: Integers,
) -> tuple[int, int, int]:
    """Read whole lines of triples and write their keys, labels of blank nodes after a prefix.

    Gives the rows written, and of the first fault its number and its place.
    """
    rows, at, size = 0, 0, len(text)
    subject_at, relation_at, target_at = 0, 0, 0
    while at < size:
        at = skip_spaces(text, at)
        if text[at] != 10 and text[at] != 13 and text[at] != 35:
            start = at
            if text[at] == 60:
                subjects[subject_at] = 60
                at, subject_at = read_iri(text, at, subjects, subject_at + 1)
            elif text[at] == 95 and text[at + 1] == 58:
                at, subject_at = read_blank(text, at, prefix, subjects, subject_at)
            else:
                at, subject_at = -1, start
            if at < 0:
                return rows, -at, subject_at
            at = skip_spaces(text, at)
            if text[at] != 60:
                return rows, 2, at
            relations[relation_at] = 60
            at, relation_at = read_iri(text, at, relations, relation_at + 1)
            if at < 0:
                return rows, -at, relation_at
            at = skip_spaces(text, at)
            start = at
            if text[at] == 60:
                targets[target_at] = 60
                at, target_at = read_iri(text, at, targets, target_at + 1)
            elif text[at] == 34:
                at, target_at = read_literal(text, at, string_type, targets, target_at)
            elif text[at] == 95 and text[at + 1] == 58:
                at, target_at = read_blank(text, at, prefix, targets, target_at)
            else:
                at, target_at = -3, start
            if at < 0:
                return rows, -at, target_at
            at = skip_spaces(text, at)
            if text[at] != 46:
                return rows, 4, at
            at = skip_spaces(text, at + 1)
            rows += 1
            subject_starts[rows] = subject_at
            relation_starts[rows] = relation_at
            target_starts[rows] = target_at
        if text[at] == 35:
            while text[at] != 10:
                at += 1
        if text[at] == 13:
            at += 1
        if text[at] != 10:
            return rows, 5, at
        at += 1
    return rows, 0, 0
