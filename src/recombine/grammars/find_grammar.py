"""A grammar by name or path, of any notation; the ending of its file says which."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from recombine.errors import OptionError, UnknownNameError
from recombine.grammars.formalism import Formalism
from recombine.plugins import Registry

Reader = Callable[[Path], Formalism]
DEFAULT = ".grammar"
"""The notation of a file whose ending says nothing."""
NOTATIONS: Registry[Reader] = Registry(
    "notation",
    {
        DEFAULT: "recombine.grammars.terms.read_grammar:read_grammar",
        ".scfg": "recombine.grammars.synchronous.notation:read_synchronous",
    },
    lazy=True,
)
"""What reads a grammar file, by the ending of its name."""


def register_notation(suffix: str, reader: Reader) -> Reader:
    """Let files of an ending, such as `.rules`, be read as grammars."""
    if not suffix or Path(f"x{suffix}").suffix != suffix:
        raise OptionError(f"the ending of a notation is {suffix!r}", "give one such as .rules")
    return NOTATIONS.register(suffix, reader)


def packaged_names() -> dict[str, Path]:
    """The grammars that come with the package.

    >>> {"covr", "scan"} <= set(packaged_names())
    True
    """
    # A folder of rules has no ending, and a notation that is not known would be looked for among installed plug-ins.
    paths = sorted((Path(__file__).parent / "library").iterdir())
    return {path.stem: path for path in paths if path.suffix and path.suffix in NOTATIONS}


def find_grammar(name: Path | str) -> Formalism:
    """The grammar of a name, such as `covr`, or in a file; what its ending does not tell is read as a `.grammar` file.

    >>> find_grammar("covr").name, find_grammar("scan").name
    ('covr', 'scan')
    """
    known = packaged_names()
    path = known.get(str(name), Path(name))
    if str(name) not in known and not is_path(name):
        raise UnknownNameError("grammar", str(name), known)
    return NOTATIONS[path.suffix if path.suffix in NOTATIONS else DEFAULT](path)


def is_path(name: Path | str) -> bool:
    """Whether a text names a file rather than a thing: there is one, or the name has a dot."""
    path = Path(name)
    return path.exists() or "." in path.name
