"""The templates that questions are made of, chosen by their names or added from files of one's own."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from recombine.errors import OptionError, RecordError, UnknownNameError
from recombine.files import read_text
from recombine.scenes.templates.read_templates import find_templates, templates_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.scenes.templates.template import Template

ALL, SUFFIX = "all", ".toml"


def choose_templates(listed: str) -> tuple[Template, ...]:
    """The templates of a list with commas between: names, `all` for those of the package, or files that end in .toml.

    >>> [each.form for each in choose_templates("COUNT,VERIFYATTR")]
    ['COUNT objects', 'COUNT images', 'VERIFYATTR']
    """
    chosen: list[Template] = []
    for each in _listed(listed):
        if each.endswith(SUFFIX):
            chosen += templates_of(read_text(Path(each)), each)
        else:
            known = {template.name for template in find_templates()}
            if each not in {ALL, *known}:
                raise UnknownNameError("template", each, {ALL, *known, f"FILE{SUFFIX}"})
            chosen += [template for template in find_templates() if each in (ALL, template.name)]
    forms = [each.form for each in chosen]
    for form in forms:
        if forms.count(form) > 1:
            raise RecordError("--templates", f"template {form!r}", "stands there twice", "give each form its own name")
    return tuple(chosen)


def templates_text(listed: str) -> str:
    """The list as a signature says it: a file by its name and what it holds, so that another one is another list."""
    texts = []
    for each in _listed(listed):
        digest = hashlib.sha256(read_text(Path(each)).encode()).hexdigest()[:8] if each.endswith(SUFFIX) else ""
        texts.append(f"{Path(each).name}@{digest}" if digest else each)
    return ",".join(texts)


def templates_in(folder: Path, listed: str) -> str:
    """The list with its files read from a folder."""
    return ",".join(str(folder / each) if each.endswith(SUFFIX) else each for each in _listed(listed))


def _listed(listed: str) -> Iterator[str]:
    parts = [each.strip() for each in listed.split(",")]
    if not all(parts):
        raise OptionError(f"the list of templates {listed!r} has an empty place", "write COUNT,VERIFYATTR or all,FILE")
    return iter(parts)
