"""A grammar by name or path, of either notation: `.grammar` files and synchronous `.scfg` files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from recombine.errors import UnknownNameError
from recombine.grammars.synchronous.notation import SUFFIX, read_synchronous
from recombine.grammars.terms.read_grammar import read_grammar

if TYPE_CHECKING:
    from recombine.grammars.synchronous.synchronous_grammar import SynchronousGrammar
    from recombine.grammars.terms.grammar import Grammar


def packaged_names() -> dict[str, Path]:
    """The grammars that come with the package.

    >>> {"covr", "scan"} <= set(packaged_names())
    True
    """
    files = sorted((Path(__file__).parent / "library").iterdir())
    return {path.stem: path for path in files if path.suffix in (".grammar", SUFFIX)}


def find_grammar(name: Path | str) -> Grammar | SynchronousGrammar:
    """The grammar of a name, such as `covr`, or in a file; a file ending in `.scfg` is a synchronous one.

    >>> find_grammar("covr").name, find_grammar("scan").name
    ('covr', 'scan')
    """
    known = packaged_names()
    path = known.get(str(name), Path(name))
    if str(name) not in known and not path.exists() and "." not in path.name:
        raise UnknownNameError("grammar", str(name), known)
    return read_synchronous(path) if path.suffix == SUFFIX else read_grammar(path)
