"""Files of triples, in any of their forms, as one stream of batches of keys.

A batch has three columns of keys (see `term`), `subject`, `relation` and `target`: names as they stand in tables, and
IRIs as they stand in N-Triples and Turtle. What is held is a block of lines and its batch. Triples come in the order of
the files and of their lines, repeats and all.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.files import check_file
from recombine.kb.loaders.delimited import iter_delimited
from recombine.kb.loaders.forms import form_of
from recombine.kb.loaders.joined import check_joined, split_joined
from recombine.kb.loaders.line_blocks import MAX_LINE
from recombine.kb.loaders.ntriples import iter_ntriples

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from recombine.kb.profiles.profile import Profile


def open_triples(
    paths: Path | str | Iterable[Path | str],
    *,
    form: str | None = None,
    profile: Profile,
    joined: str = "keep",
    max_line: int = MAX_LINE,
) -> Iterator[Any]:
    """The triples of some files as record batches; each file is looked at before the first is read.

    `form` is the form of all of them, or None to find out that of each; `joined` says what becomes of relations such as
    `a./b`: `keep`, or `split` by a made-up node. The base of the profile is that of relative IRIs in Turtle.
    """
    places = [Path(paths)] if isinstance(paths, str | Path) else [Path(path) for path in paths]
    if not places:
        raise OptionError("no file of triples is given", "name one or more")
    check_joined(joined)
    forms = [form_of(check_file(path), form) for path in places]
    return _iter_batches(places, forms, profile=profile, joined=joined, max_line=max_line)


def _iter_batches(
    paths: list[Path], forms: list[str], *, profile: Profile, joined: str, max_line: int
) -> Iterator[Any]:
    for number, (path, form) in enumerate(zip(paths, forms, strict=True), 1):
        # A label of a blank node counts within its file.
        prefix = f"f{number}." if len(paths) > 1 else ""
        for batch in _iter_file(path, form, profile=profile, blank_prefix=prefix, max_line=max_line):
            if batch.num_rows:
                yield split_joined(batch) if joined == "split" else batch


def _iter_file(path: Path, form: str, *, profile: Profile, blank_prefix: str, max_line: int) -> Iterator[Any]:
    if form == "ntriples":
        return iter_ntriples(path, blank_prefix=blank_prefix, max_line=max_line)
    if form == "turtle":
        from recombine.kb.loaders.turtle import iter_turtle

        return iter_turtle(path, base=profile.base, blank_prefix=blank_prefix)
    return iter_delimited(path, form, max_line=max_line)
