"""Generated data with files of its own beside it, made once and kept in the user's cache of data, files and all.

A study names the generator with its options; what it makes is written to a folder under the key of these, as `generate
-o` writes it, and read there by the next command. Where the cache is off or full, it is made in memory each time, and
has no files.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import orjson

from recombine.data_cache import code_digest, content_key, stored_folder
from recombine.files import read_bytes
from recombine.progress import working

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.datasets.generator import Generator
    from recombine.records.dataset import Dataset

ROOMS = ("languages", "records", "grammars", "datasets", "scenes")
"""The rooms whose code and tables decide what is made of the same options."""
SAME_RESULT = ("processes",)
"""Options that do not change what is made."""


def kept_with_files(generator: Generator, n: int | None, *, seed: int) -> Dataset:
    """So many examples with their files, from the cache where they are there, and kept there where they are not."""
    from recombine.datasets import catalogue

    def make(folder: Path) -> None:
        with working(f"making {n or 'all'} examples of {generator.name}"):
            made = generator.generate(n, seed=seed)
            dataset = made.dataset()
            if made.files is not None:
                made.files.write(dataset, folder / _file(generator), "ours")

    folder = stored_folder(files_key(generator, n, seed=seed), make)
    if folder is None:
        return generator.generate(n, seed=seed).dataset()
    loaded = catalogue.load(folder / _file(generator), language=generator.name)
    return replace(loaded, name=generator.name, path=None)


def _file(generator: Generator) -> str:
    return f"{generator.name}.jsonl"


def files_key(generator: Generator, n: int | None, *, seed: int) -> str:
    """The key of what a generator makes: its options with the content of files that they name, and the package's."""
    given = {each.name: getattr(generator, each.name) for each in fields(generator) if each.name not in SAME_RESULT}
    asked = {"generator": generator.name, "n": n, "seed": seed, "options": given}
    contents = [_content(value) for _, value in sorted(given.items())]
    return content_key([orjson.dumps(asked, option=orjson.OPT_SORT_KEYS), code_digest(ROOMS, tables=True), *contents])


def _content(value: Any) -> bytes:
    """What stands in the file of a name; nothing where it names none."""
    from pathlib import Path

    return read_bytes(Path(value)) if isinstance(value, str) and Path(value).is_file() else b""
