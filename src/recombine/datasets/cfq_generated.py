"""Questions as CFQ has them, generated: with their queries, every rule application, and answers (CFQ paper, 3 and K).

Without a knowledge base of one's own they are about a made-up world of films, which needs no download.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from recombine.datasets.cfq.counted import counted, counted_lines
from recombine.datasets.cfq.lot_setting import LOT, SHORT, SPELLINGS, LotSetting, check_spelling, rules_digest
from recombine.datasets.parts.make_parts import check_number
from recombine.datasets.parts.parts_generator import PartsGenerator, PartsRun
from recombine.errors import OptionError, SizeError
from recombine.grammars.unification.rules.notation import SUFFIX
from recombine.grammars.unification.rules.rule_set import packaged_rule_sets
from recombine.languages.known import find_language
from recombine.options import option
from recombine.progress import note, working
from recombine.seeds import check_seed
from recombine.structures.definition import RULE_STRUCTURES

if TYPE_CHECKING:
    from recombine.grammars.unification.rules.rule_set import RuleSet
    from recombine.kb.store import Store

NAME = "cfq"


@dataclass(frozen=True, kw_only=True)
class CfqGenerator(PartsGenerator):
    """Makes questions by unification rules, one of each pattern, and grounds them on a knowledge base.

    >>> made = CfqGenerator(grounding=False, max_level=12).generate(2, seed=1)
    >>> [example.target.split()[0] for example in made], made.rules
    (['SELECT', 'SELECT'], 396)
    """

    rules: str = option(NAME, "The rules: a packaged set, a folder, or a file.", metavar="NAME|DIR")
    weights: str | None = option(None, "A file of weights of rules; default: that beside the rules.", metavar="FILE")
    filters: str | None = option(None, "A file of filters; default: that beside the rules.", metavar="FILE")
    max_level: int | None = option(None, "The most rule applications of a question; default: as the weights say.")
    grounding: bool = option(True, "Put entities of a knowledge base in place of M0, M1 …, and answer.")
    kb: str | None = option(
        None, "A knowledge base: an index, a file, FB15k-237, an address; default: a made-up world.", metavar="PLACE"
    )
    profile: str | None = option(
        None, "What names look like in a file or at an address; default: freebase.", metavar="NAME|FILE"
    )
    world_size: int | None = option(None, "About how many facts the made-up world has.", metavar="N")
    time_out: float | None = option(None, "The most seconds that a query of an endpoint may take.", metavar="SECONDS")
    spelling: str = option(
        SHORT, "How pairs are spelled: short as in cfq/mcd1, long as in the release.", choices=SPELLINGS
    )
    subsample: int | None = option(
        None, "Take so many of them in the end, in which rules are combined in most ways.", metavar="N"
    )
    processes: int = option(1, "How many processes make questions; the result is the same.")

    name: ClassVar[str] = NAME
    description: ClassVar[str] = "questions about films with queries, answers and every rule application"

    def run(self, n: int, *, seed: int) -> PartsRun:
        """What is to be made; rules and knowledge base are read, and their faults said."""
        check_seed(seed)
        check_number(n)
        self._check(n)
        from recombine.datasets.cfq.lots import Lots, Workshop, open_kb
        from recombine.grammars.unification.rules.rule_set import read_rule_set

        rules = read_rule_set(self.rules)
        if self.rules not in packaged_rule_sets():
            _check_rules(rules, self.rules)
        setting, store = self._setting(seed), None
        if self.grounding:
            with working("making the world" if self.kb is None else f"opening {self.kb}"):
                store = open_kb(setting)
                setting = replace(setting, unused=_unused(store, rules, self.kb))
        with working("reading rules"):
            workshop = Workshop(setting, store)
        workshop.maker.check_number(n)
        maker = Lots(workshop, self.processes)
        digest = "" if store is None else store.digest
        return PartsRun(
            name=data_name(self.rules),
            n=n,
            maker=maker,
            key=setting.key(n, digest),
            rules=len(rules.rules),
            structures=RULE_STRUCTURES,
            language=find_language("sparql"),
            about=self._about(n, seed, digest),
            counted=counted,
            lines=counted_lines,
            subsample=self.subsample,
        )

    def _setting(self, seed: int) -> LotSetting:
        return LotSetting(
            rules=self.rules,
            weights=self.weights,
            filters=self.filters,
            max_level=self.max_level,
            grounding=self.grounding,
            kb=self.kb,
            profile=self.profile,
            world_size=self.world_size,
            time_out=self.time_out,
            spelling=self.spelling,
            seed=seed,
            size=LOT,
        )

    def _about(self, n: int, seed: int, digest: str) -> dict[str, Any]:
        """How the data is made, but for the number of processes."""
        given = {
            each.name: getattr(self, each.name) for each in fields(self) if each.name not in ("processes", "time_out")
        }
        said = {"generator": NAME, "n": n, "seed": seed, **given}
        said |= {"rules_hash": rules_digest(self.rules), "facts": digest or None}
        return {name: value for name, value in said.items() if value is not None}

    def _check(self, n: int) -> None:
        """Refuse options that cannot be, before rules are read."""
        check_spelling(self.spelling)
        if self.max_level is not None and self.max_level < 1:
            raise OptionError(f"the highest level is {self.max_level}", "give a whole number of 1 or more")
        if self.subsample is not None and self.subsample < 1:
            raise OptionError(f"cannot take {self.subsample} examples", "give a count of 1 or more")
        if self.subsample is not None and self.subsample > n:
            raise SizeError(f"cannot take {self.subsample:,} of {n:,} examples", "make more with -n, or take fewer")
        for name, value in (("--kb", self.kb), ("--world-size", self.world_size)):
            if value is not None and not self.grounding:
                raise OptionError(f"{name} is for grounding, which is switched off", "leave one of them out")
        if self.profile is not None and self.kb is None:
            raise OptionError("--profile is of a knowledge base of your own, and none is given", "name it with --kb")
        if self.kb is not None and self.world_size is not None:
            raise OptionError("--world-size is of the made-up world, and --kb names another", "leave one of them out")


def data_name(rules: str) -> str:
    """What data of some rules is called: as the packaged set, the folder, or the file is.

    >>> data_name("cfq"), data_name("docs/examples/recipes/"), data_name("mine/trains.rules")
    ('cfq', 'recipes', 'trains')
    """
    if rules in packaged_rule_sets():
        return rules
    path = Path(rules).resolve()
    return (path.stem if path.is_file() or path.suffix == SUFFIX else path.name) or NAME


def _check_rules(rules: RuleSet, name: str) -> None:
    """Say what is wrong with rules of one's own; those that give no question a query are refused."""
    from recombine.grammars.unification.check_rules import check_rules
    from recombine.kb.cfq_stores.unmapped_words import unmapped_words

    problems = [*check_rules(rules), *unmapped_words(rules)]
    if not problems:
        return
    if {start.function for start in rules.starts}.isdisjoint(rule.left.op for rule in rules.resolution):
        raise problems[0]
    counted = "a problem" if len(problems) == 1 else f"{len(problems)} problems, the first"
    note(f"{name}: {counted}: {problems[0].problem}; `recombine rules check {name}` says what to do")


def _unused(store: Store, rules: RuleSet, place: str | None) -> tuple[str, ...]:
    """The grammar rules that a knowledge base has nothing for; what it lacks is said, or refused."""
    from recombine.kb.cfq_stores.usable_rules import check_usable, usable_rules

    kb = place or "the made-up world of films"
    usable = check_usable(usable_rules(store, rules, kb), kb)
    if usable.lacking:
        number = len(usable.unusable)
        rules_that = "rule that needs it is" if number == 1 else "rules that need them are"
        note(f"{usable.said(kb)}; the {number} {rules_that} not used")
    return tuple(sorted(usable.unusable))
