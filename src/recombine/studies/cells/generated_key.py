"""The key of generated data before it is made: of all that decides what it comes out as.

It holds the key that the data has in the user's cache, the table of the study file, numpy's version, and the code and
tables of the rooms that data is made in. Where something decides that none of these holds, there is no key: a generator
or language of a plug-in, a file or folder that an option names, a world or schemas of one's own. Such data is always
made or read.
"""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.data_cache import code_digest, content_key
from recombine.data_directory import data_directory
from recombine.datasets.generators import GENERATORS, find_generator
from recombine.datasets.kept_with_files import files_key
from recombine.datasets.parts.make_parts import check_number
from recombine.datasets.parts.parts_generator import PartsGenerator
from recombine.languages.known import LANGUAGES
from recombine.records.world import is_address

if TYPE_CHECKING:
    from recombine.plugins import Registry
    from recombine.studies.file.study_file import DataTable

ROOMS = ("seeds.py", "tree.py", "languages", "records", "grammars", "kb", "scenes", "datasets")
"""Where data is made."""


def generated_key(table: DataTable, folder: Path) -> str | None:
    """The key of the data that a table of a study file in a folder generates; none where no key holds all of it."""
    if table.generate is None or not _is_packaged(GENERATORS, table.generate):
        return None
    if table.language is not None and not _is_packaged(LANGUAGES, table.language):
        return None
    if table.world is not None or table.append_schema or _names_files(table, folder):
        return None
    generator = find_generator(table.generate, folder=folder, **table.options)
    if isinstance(generator, PartsGenerator):
        made = generator.run(check_number(table.n), seed=table.seed).key
    else:
        made = files_key(generator, table.n, seed=table.seed)
    said = table.model_dump_json(exclude={"name"})
    return content_key([made.encode(), said.encode(), version("numpy").encode(), code_digest(ROOMS, tables=True)])


def _is_packaged(registry: Registry[Any], name: str) -> bool:
    """Whether a name is of the package; what a plug-in adds may change while its version stays."""
    return name in registry and not registry.origin(name)


def _names_files(table: DataTable, folder: Path) -> bool:
    """Whether an option names what lies on this machine, in any of the places where one is looked for, or elsewhere."""
    texts = [text for value in table.options.values() if isinstance(value, str) for text in value.split(",") if text]
    places = (folder, Path(), data_directory())
    return any(is_address(text) or (place / text).exists() for text in texts for place in places)
