"""Languages that are in no list: a language file, `FILE.toml`, or a value of a module, `MODULE:NAME` or `FILE.py:NAME`.

A name may end in `@` and a digest, as split files and other processes have it: then what is there must be the same.
A module is imported, which runs it, only where a person names it: a split file, which is data, cannot make it so.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from pathlib import Path

from recombine.errors import InputFileError, OptionError
from recombine.languages.language import Language, Origin
from recombine.plugins import load_plugin, plugin_module

_FILE = re.compile(r"(?P<shown>.+\.toml)(?:@(?P<digest>[0-9a-f]{16}))?", re.DOTALL)
_MODULE = re.compile(r"(?P<shown>(?P<module>[^:\s]+):(?P<attribute>[A-Za-z_]\w*))(?:@(?P<digest>[0-9a-f]{16}))?")
_FOUND: dict[str, Language] = {}
"""The languages of this process, by what they are called elsewhere."""
_MADE: dict[Origin, Language] = {}
"""The same, as they were typed."""


def is_own_language(name: str) -> bool:
    """Whether a name is that of a file or of a value in a module.

    >>> [is_own_language(name) for name in ("funql", "my/robots.toml", "towers:TOWERS", "towers.py:TOWERS")]
    [False, True, True, True]
    """
    return bool(_FILE.fullmatch(name) or _MODULE.fullmatch(name))


def own_language(name: str, *, folder: Path | str = ".", import_modules: bool = True) -> Language:
    """The language of a file or a module; paths are relative to a folder.

    Without `import_modules` a module's language is found only if it was named in this process before.
    """
    if name in _FOUND and ("@" in name or not import_modules):
        return _FOUND[name]
    file, module = _FILE.fullmatch(name), _MODULE.fullmatch(name)
    if file is not None:
        found, wanted = _of_file(file["shown"], Path(folder)), file["digest"]
    elif module is None:
        raise OptionError(f"{name!r} is no language", "name one of the list, FILE.toml, or MODULE:NAME")
    elif not import_modules:
        raise OptionError(f"the language {module['shown']} is of a module", f"name it: --language {module['shown']}")
    else:
        found, wanted = _of_module(module["shown"], module["module"], module["attribute"], folder), module["digest"]
    if wanted is not None and found.origin is not None and found.origin.digest != wanted:
        raise InputFileError(
            f"{found.origin.shown}: is not as it was: its digest is {found.origin.digest}, not {wanted}",
            "restore it, or name the other one with --language",
        )
    return found


def is_as_named(language: Language) -> bool:
    """Whether a language of a file is the one that its name says, and not a changed one; its name has its digest."""
    return language.origin is not None and language.origin.is_file and _MADE.get(language.origin) is language


def _kept(language: Language) -> Language:
    """The language, or the same one of before."""
    if language.origin is None:
        return language
    language = _MADE.setdefault(language.origin, language)
    for name in (language.name, language.place):
        _FOUND.setdefault(name, language)
    _FOUND[language.remembered] = language  # of a module that has changed, the last one
    return language


def _of_file(shown: str, folder: Path) -> Language:
    from recombine.languages.notation.read_notation import read_notation

    return _kept(read_notation(folder / shown, shown))


def _of_module(shown: str, module: str, attribute: str, folder: Path | str) -> Language:
    plugin = load_plugin(module, folder=folder, kind="module")
    try:
        found = getattr(plugin_module(plugin), attribute)
    except AttributeError:
        raise OptionError(f"the module {module} has no {attribute!r}", "name a Language that it has") from None
    if not isinstance(found, Language):
        what = f"{attribute} in the module {module} is of the type {type(found).__name__}"
        raise OptionError(f"{what}, and no Language", "name a value that is recombine.extend.Language(…)")
    digest = hashlib.blake2b(plugin.identity.encode(), digest_size=8).hexdigest()
    named = f"{plugin.name}:{attribute}@{digest}"
    return _kept(replace(found, name=named, origin=Origin(shown, f"{plugin.place}:{attribute}", digest)))
