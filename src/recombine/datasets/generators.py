"""The one list of generators: what `generate` and `[[data]] generate = …` of a study can name.

A name is that of a generator, or the path of a grammar file of any notation. A plug-in adds a generator by
`register_generator`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from recombine.datasets.generator import Generator
from recombine.datasets.grammar_generator import GrammarGenerator
from recombine.errors import OptionError, UnknownNameError
from recombine.grammars.find_grammar import is_path
from recombine.options import check_options, options_of
from recombine.plugins import Registry

if TYPE_CHECKING:
    from typing import Any

    from recombine.options import Option

GENERATORS: Registry[type[Generator]] = Registry(
    "generator",
    {
        "scan": "recombine.datasets.scan:ScanGenerator",
        "cfq": "recombine.datasets.cfq_generated:CfqGenerator",
        "covr": "recombine.datasets.covr_generated:CovrGenerator",
        "kbqa": "recombine.datasets.kbqa_generated:KbqaGenerator",
        "scenes": "recombine.datasets.scenes_generated:ScenesGenerator",
    },
    lazy=True,
)
"""The generators by name; each is a data class whose fields are its options."""
COMMAND_NAMES = {
    *(
        "cluster",
        "format",
        "json",
        "max_unpacked",
        "n",
        "no_cache",
        "out",
        "plugin",
        "quiet",
        "seed",
        "verbose",
        "what",
    ),
}
DATA_NAMES = {
    "append_schema",
    "schemas",
    "file",
    "generate",
    "id",
    "language",
    "measure",
    "name",
    "schema_limit",
    "skip_unreadable",
    "source",
    "structures",
    "target",
    "world",
}
"""Names that no option of a generator can have: the command, or `[[data]]` of a study file, has them already."""


def register_generator(generator: type[Generator]) -> type[Generator]:
    """Add a generator to those that can be named; it is a data class under its `name`."""
    if not (isinstance(generator, type) and issubclass(generator, Generator)):
        raise OptionError(f"{generator!r} is no generator", "register a data class that inherits Generator")
    known = {each.name: each for each in declared_options()}
    for each in options_of(generator):
        if each.name in COMMAND_NAMES | DATA_NAMES:
            raise OptionError(
                f"the generator {generator.name!r} has an option {each.name!r}, which means something else everywhere",
                "give the option another name",
            )
        if each.name in known and known[each.name].type is not each.type:
            raise OptionError(
                f"the generator {generator.name!r} has an option {each.name!r} of another type than other generators",
                "give the option another name",
            )
    return GENERATORS.register(generator.name, generator)


def declared_options() -> tuple[Option, ...]:
    """The options of all generators, each name once: the flags that `generate` has.

    >>> "--max-depth" in [option.flag for option in declared_options()]
    True
    """
    kinds: list[type[Generator]] = [GrammarGenerator, *GENERATORS.values()]
    return tuple({each.name: each for kind in reversed(kinds) for each in options_of(kind)}.values())


def find_generator(what: Path | str, *, folder: Path | str = "", **options: Any) -> Generator:
    """The generator of a name, or of a grammar file, with these options; a path is relative to the folder.

    >>> find_generator("covr").name
    'covr'
    """
    kind = generator_kind(what)
    check_options(options, options_of(kind), kind=f"option of {what}")
    if kind is GrammarGenerator:
        return kind(grammar=str(Path(folder) / what), **options)
    return kind(**options).in_folder(Path(folder))


def generator_kind(what: Path | str) -> type[Generator]:
    """The generator of a name; what looks like a path is a grammar."""
    if isinstance(what, str) and what in GENERATORS:
        return GENERATORS[what]
    if not is_path(what):
        raise UnknownNameError("generator", str(what), GENERATORS)
    return GrammarGenerator
