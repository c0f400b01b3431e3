"""A set of rules: what the files of a folder hold together."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from recombine.errors import InputFileError
from recombine.grammars.unification.forms.logical_form import Terms, written
from recombine.grammars.unification.forms.matching import FactTable, Matcher
from recombine.grammars.unification.rules.notation import SUFFIX, read_rules
from recombine.grammars.unification.rules.rule import (
    GrammarRule,
    ImpliedRule,
    InferenceRule,
    KnowledgeRule,
    ResolutionRule,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recombine.grammars.unification.rules.rule import Place, Rule, RuleFile, StartRule

LIBRARY = Path(__file__).parents[2] / "library"
MOST_ROUNDS = 50
"""Facts that follow from facts that follow, so many times over, are taken to be without end."""


@dataclass(frozen=True)
class RuleSet:
    """All rules, the features they use, and what a text is at the top."""

    name: str
    rules: tuple[Rule, ...]
    features: dict[str, tuple[str, ...] | None] = field(default_factory=dict)
    starts: tuple[StartRule, ...] = ()
    templates: frozenset[str] = frozenset()
    """The categories that stand for their words in the template of a text."""
    borrowed: frozenset[tuple[str, str]] = frozenset()
    """Kind and name of the rules of files that are there because others use them; not all of them need to be needed."""

    @cached_property
    def grammar(self) -> tuple[GrammarRule, ...]:
        """The grammar rules, in file order."""
        return tuple(rule for rule in self.rules if isinstance(rule, GrammarRule))

    @cached_property
    def inference(self) -> tuple[InferenceRule, ...]:
        """The rules of inference, in file order."""
        return tuple(rule for rule in self.rules if isinstance(rule, InferenceRule))

    @cached_property
    def resolution(self) -> tuple[ResolutionRule, ...]:
        """The rules of resolution, in file order."""
        return tuple(rule for rule in self.rules if isinstance(rule, ResolutionRule))

    @cached_property
    def implied(self) -> tuple[ImpliedRule, ...]:
        """The rules by which facts follow from facts, in file order."""
        return tuple(rule for rule in self.rules if isinstance(rule, ImpliedRule))

    @cached_property
    def knowledge(self) -> tuple[KnowledgeRule, ...]:
        """The facts, in file order, then those that follow from them."""
        said = [rule for rule in self.rules if isinstance(rule, KnowledgeRule)]
        return (*said, *_following(said, self.implied)) if self.implied else tuple(said)

    @classmethod
    def of(cls, name: str, files: Iterable[RuleFile]) -> RuleSet:
        """What some files hold together."""
        rules: list[Rule] = []
        features: dict[str, tuple[str, ...] | None] = {}
        starts: list[StartRule] = []
        templates: list[str] = []
        borrowed: list[tuple[str, str]] = []
        for file in files:
            rules += file.rules
            features.update(file.features)
            starts += file.starts
            templates += file.templates
            borrowed += [(rule.kind, rule.name) for rule in file.rules if file.borrowed]
        return cls(name, tuple(rules), features, tuple(starts), frozenset(templates), frozenset(borrowed))


def _following(said: Sequence[KnowledgeRule], implied: Sequence[ImpliedRule]) -> list[KnowledgeRule]:
    """The facts that follow from others, each once, until there is no further one."""
    terms = Terms()
    known = {terms.again(rule.fact): None for rule in said}
    patterns = [(rule, tuple(map(terms.again, rule.conditions)), terms.again(rule.fact)) for rule in implied]
    new: list[KnowledgeRule] = []
    for _ in range(MOST_ROUNDS):
        grown = False
        matcher = Matcher(terms, FactTable(list(known)), backwards=False)
        for rule, conditions, fact in patterns:
            for values, _ in matcher.iter_known(conditions, {}):
                made = terms.filled(fact, values)
                if made not in known:
                    known[made], grown = None, True
                    new.append(KnowledgeRule(written(made), rule.place, made))
        if not grown:
            return new
    raise new[-1].place.error("facts follow from facts without end", "let none follow from itself")


def packaged_rule_sets() -> dict[str, Path]:
    """The sets of rules that come with the package.

    >>> list(packaged_rule_sets())
    ['cfq']
    """
    return {path.name: path for path in sorted(LIBRARY.iterdir()) if path.is_dir() and any(path.glob(f"*{SUFFIX}"))}


def rule_files(name: Path | str) -> list[Path]:
    """The rule files of a packaged set, of a folder, sorted by name, or the one file of a path."""
    path = packaged_rule_sets().get(str(name), Path(name))
    if path.is_file():
        return [path]
    files = sorted(path.glob(f"*{SUFFIX}")) if path.is_dir() else []
    if not files:
        raise InputFileError(f"{path}: no {SUFFIX} files there", "give a folder of rule files, or one such file")
    return files


def read_files(paths: Iterable[Path]) -> dict[Path, RuleFile]:
    """What some files hold, and the files that they use: each once, a file after those that it uses."""
    own = {path.resolve(): path for path in paths}
    files: dict[Path, RuleFile] = {}
    begun: set[Path] = set()

    def read(path: Path) -> None:
        whole = path.resolve()
        if whole in begun:
            return
        begun.add(whole)
        file = read_rules(path)
        file.borrowed = whole not in own
        for name, place in file.uses:
            read(_used(name, path, place))
        files[path] = file

    for path in own.values():
        read(path)
    return files


def _used(name: str, path: Path, place: Place) -> Path:
    """The file that another one uses: beside it, or in a packaged set."""
    for used in (path.parent / name, LIBRARY / name):
        if used.is_file():
            return used
    packaged = (f"{rules}/{used.name}" for rules, folder in packaged_rule_sets().items() for used in rule_files(folder))
    known = ", ".join(packaged)
    raise place.error(f"no file {name!r} beside this one or in the package", f"known there: {known}")


def read_rule_set(name: Path | str) -> RuleSet:
    """The rules of a packaged set, a folder or a file."""
    return RuleSet.of(Path(name).stem, read_files(rule_files(name)).values())
