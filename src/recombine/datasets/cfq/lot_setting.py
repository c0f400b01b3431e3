"""Everything that decides the questions of a lot, besides its number, as plain values that go to any process."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

from recombine.data_cache import code_digest, content_key
from recombine.errors import OptionError
from recombine.files import read_bytes
from recombine.grammars.unification.generation.beside_rules import beside_rules
from recombine.grammars.unification.rules.rule_set import read_files, rule_files

LOT = 250
"""The questions of a lot."""
SHORT, LONG = "short", "long"
SPELLINGS = (SHORT, LONG)
BESIDE = ("weights.toml", "filters.toml", "frames.toml")
"""The settings that stand beside rules."""
ROOMS = ("languages", "records", "grammars", "kb", "datasets")
"""The rooms whose code decides what a lot has."""


@dataclass(frozen=True, kw_only=True)
class LotSetting:
    """How questions are made."""

    rules: str
    weights: str | None = None
    filters: str | None = None
    max_level: int | None = None
    grounding: bool = True
    kb: str | None = None
    profile: str | None = None
    """What the names of a file or an endpoint look like; none for the default."""
    world_size: int | None = None
    time_out: float | None = None
    """The most seconds that a query by SPARQL may take; it decides nothing of what is made."""
    unused: tuple[str, ...] = ()
    """The grammar rules for which the knowledge base has nothing."""
    spelling: str = SHORT
    seed: int = 0
    size: int = LOT

    def key(self, n: int, world: str) -> str:
        """The key of the first `n` examples; `world` is the digest of the knowledge base, empty where there is none."""
        said = {**asdict(self), "kb": world, "time_out": None, "n": n, "numpy": version("numpy")}
        said["rules"] = rules_digest(self.rules)
        for name in ("weights", "filters", "profile"):
            path = said[name]
            if path is not None and Path(path).is_file():  # a profile may be a name
                said[name] = content_key([read_bytes(Path(path))])
        return content_key([code_digest(ROOMS), *(f"{name}={value}".encode() for name, value in sorted(said.items()))])


def rules_digest(rules: str) -> str:
    """The digest of some rules wherever they lie: of their files, those that they use, and the settings beside them."""
    beside = (beside_rules(rules, name) for name in BESIDE)
    files = {*read_files(rule_files(rules)), *(path for path in beside if path is not None)}
    named = sorted((each.name, read_bytes(each)) for each in files)
    return content_key([part for name, content in named for part in (name.encode(), content)])


def check_spelling(spelling: str) -> str:
    """The name of a spelling, when it is one."""
    if spelling not in SPELLINGS:
        raise OptionError(f"unknown spelling {spelling!r}", f"give {' or '.join(SPELLINGS)}")
    return spelling
