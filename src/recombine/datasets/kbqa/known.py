"""The forms of releases, and which of them a file is of."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import orjson

from recombine.datasets.kbqa.complex_web_questions import COMPLEX_WEB_QUESTIONS
from recombine.datasets.kbqa.grailqa import GRAILQA, GRAPH_QUESTIONS
from recombine.datasets.kbqa.lc_quad import LC_QUAD_1, LC_QUAD_2
from recombine.datasets.kbqa.simple_questions import COLUMNS, SIMPLE_QUESTIONS, STEM
from recombine.datasets.kbqa.webqsp import QUESTIONS, WEBQSP
from recombine.datasets.release.json_array import object_spans
from recombine.files import check_file
from recombine.pieces import open_pieces

if TYPE_CHECKING:
    from recombine.datasets.kbqa.form import Form

ARRAYS = (GRAILQA, GRAPH_QUESTIONS, COMPLEX_WEB_QUESTIONS, LC_QUAD_1, LC_QUAD_2)
"""The forms that are one array of items."""
FORMS = (*ARRAYS, WEBQSP, SIMPLE_QUESTIONS)
_HEAD, _LONGEST = 1 << 18, 1 << 24
"""The bytes that are looked at to tell the form of a file, and the most where its first item is longer."""
_QUESTIONS = re.compile(rb'"%s"\s*:\s*\[\s*' % QUESTIONS.encode())


def find_form(path: Path | str) -> Form | None:
    """The form of release that a file is of; none where it is of no such form."""
    if Path(path).is_dir():
        return None
    path = check_file(path)
    suffix = Path(path.name.removesuffix(".gz")).suffix
    if suffix not in (".json", ".txt", ".tsv") or not path.is_file():  # a pipe is read once
        return None
    with open_pieces(path) as stream:
        head = stream.read(_HEAD).removeprefix(b"\xef\xbb\xbf").lstrip()
        if suffix != ".json":
            return SIMPLE_QUESTIONS if _is_annotated_line(head) else None
        if head.startswith(b"["):
            return _form_of(_first_item(head, stream), ARRAYS)
        questions = _QUESTIONS.search(head) if head.startswith(b"{") else None
        return None if questions is None else _form_of(_first_item(head[questions.end() :], stream), (WEBQSP,))


def _is_annotated_line(head: bytes) -> bool:
    fields = head.partition(b"\n")[0].split(b"\t")
    return len(fields) == len(COLUMNS) and all(field.startswith(STEM.encode()) for field in fields[:3])


def _first_item(text: bytes, stream: BinaryIO) -> bytes:
    """The first object of a text that a stream goes on with; nothing where it is too long."""
    while not (spans := object_spans(text)) and len(text) < _LONGEST and (more := stream.read(len(text))):
        text += more
    return text[slice(*spans[0])] if spans else b""


def _form_of(text: bytes, forms: tuple[Form, ...]) -> Form | None:
    try:
        item: Any = orjson.loads(text) if text else {}
    except orjson.JSONDecodeError:
        return None
    return next((form for form in forms if form.is_item(item)), None)
