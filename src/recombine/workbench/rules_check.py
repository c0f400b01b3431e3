"""Whether files of rules say what they should."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


@dataclass(frozen=True, repr=False, eq=False)
class RulesCheckResult(Result):
    """How many rules there are of each kind, and what is wrong with them."""

    rules: dict[str, int]
    problems: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """What `rules check --json` prints."""
        return {"rules": dict(self.rules), "problems": list(self.problems)}

    def __str__(self) -> str:
        kinds = ", ".join(f"{count} {kind}" for kind, count in self.rules.items())
        return f"{sum(self.rules.values())} rules ({kinds}), {len(self.problems)} problems"


@verb
def rules_check(files: Path | str | Iterable[Path | str]) -> RulesCheckResult:
    """Check rule files together: one or several of a packaged set such as `cfq`, folders, and files.

    >>> rules_check("cfq").problems
    ()
    """
    from recombine.errors import OptionError
    from recombine.grammars.unification.check_rules import check_rules
    from recombine.grammars.unification.rules.rule import KINDS
    from recombine.grammars.unification.rules.rule_set import RuleSet, read_files, rule_files
    from recombine.kb.cfq_stores.unmapped_words import unmapped_words

    named = [files] if isinstance(files, str | PurePath) else list(files)
    if not named:
        raise OptionError("no files to check", "give rule files, a folder of them, or cfq")
    paths = [path for name in named for path in rule_files(name)]
    rules = RuleSet.of("rules", read_files(paths).values())
    counts = {kind: sum(rule.kind == kind for rule in rules.rules) for kind in KINDS}
    return RulesCheckResult(counts, tuple(map(str, [*check_rules(rules), *unmapped_words(rules)])))
