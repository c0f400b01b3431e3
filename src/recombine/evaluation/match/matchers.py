"""The matchers by name: ways to compare a predicted program with the gold one, each a metric of its own name.

Exact match is always there. A language can have further matchers: `register_matcher` says for which languages a matcher
is a metric, for all, or for those only who ask for it by name.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recombine.errors import OptionError
from recombine.plugins import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable

    from recombine.evaluation.match.form_setting import FormSetting
    from recombine.evaluation.match.spider.read_schemas import Schemas
    from recombine.languages.language import Language
    from recombine.records.example import Example
    from recombine.records.world import World

    Key = Callable[[str, Example, World | None], Hashable]
    Same = Callable[[str, str, Example, World | None], bool]

EXACT = "exact_match"
"""The metric that every score has."""
OWN_KEYS = (
    *("n", "interval", "intervals", "coverage", "precision", "malformed", "abstained", "missing", "elsewhere"),
    *("shared", "stated_correct", "disputed", "part", "signature", "file", "answers", "errors"),
    *("same_outputs", "first", "second"),
    *("verdicts", "unsupported", "gold_unsupported", "leniencies", "by", "robustness", "answer_f1"),
    *("accuracy", "unreadable", "pair_accuracy", "pairs", "expected_accuracy", "paraphrased", "properties", "outcomes"),
)
"""What else stands in the records of scores and comparisons, which no metric can be named."""


def _of_id(example: Example) -> Hashable:
    return example.id


def _of_nothing(example: Example) -> Hashable:
    del example
    return None


def _target(example: Example) -> str:
    return example.target


@dataclass(frozen=True)
class Matcher:
    """A named way to compare programs: `same(gold, predicted, example, world)`.

    What a program means can depend on the example that it is for, and on the world that the data is about. A program
    that cannot be read is a `ProgramError`. Where a key decides, two programs are the same when their keys are equal,
    and the key of a text is computed once for all examples that it `depends_on` in the same way.
    """

    name: str
    same: Same
    key: Key | None = None
    """What is compared of one program, where there is such a thing: `key(program, example, world)`."""
    depends_on: Callable[[Example], Hashable] = _of_id
    """What of an example its key depends on; by default it may be all of it."""
    needs_world: bool = False
    """Whether it is given the world, which is opened for it; none otherwise."""
    fields: tuple[tuple[str, str], ...] = ()
    """What else its verdicts depend on, as the signature of a score names it."""
    tells_unsupported: bool = False
    """Whether it tells what it has nothing for, a `FormError`, from what cannot be read."""
    let_pass: Callable[[str], Iterable[str]] | None = None
    """What had to be let pass to read a program, where its reader takes what is not quite of its language."""
    gold: Callable[[Example], str] = _target
    """The right output of an example."""
    abstains: Callable[[str, Example], bool] | None = None
    """Whether an output says that there is none, where texts can say so; an empty one always does."""
    compares: str = "program"
    """What its outputs are, as errors name it."""

    @classmethod
    def by_key(
        cls, name: str, key: Key, *, depends_on: Callable[[Example], Hashable] = _of_id, needs_world: bool = False
    ) -> Matcher:
        """A matcher for which two programs are the same when their keys are equal."""

        def same(gold: str, predicted: str, example: Example, world: World | None) -> bool:
            return key(gold, example, world) == key(predicted, example, world)

        return cls(name, same, key, depends_on, needs_world)

    @classmethod
    def of(cls, name: str, read: Callable[[str], Hashable]) -> Matcher:
        """A matcher for which a program means the same in every example.

        >>> from recombine.records.example import Example
        >>> Matcher.of("length", len).same("a b", "c d", Example.of("a question", "a b"), None)
        True
        """
        return cls.by_key(name, lambda program, example, world: read(program), depends_on=_of_nothing)  # noqa: ARG005


@dataclass(frozen=True)
class Offered:
    """A matcher with the languages that it is a metric of."""

    make: Callable[[], Matcher]
    """Gives the matcher; what it needs is imported when it is asked for."""
    languages: tuple[str, ...] | None
    """None for all, and for targets of no known language; empty where it must be asked for by name."""
    of_forms: Callable[[FormSetting], Matcher] | None = None
    """Gives the matcher of logical forms under a setting, in place of `make`, for targets that are such forms."""
    of_schemas: Callable[[Schemas], Matcher] | None = None
    """Gives the matcher of SQL under the schemas of databases, in place of `make`, where there are some."""

    def serves(self, language: Language | None) -> bool:
        """Whether scores on targets of this language have it without being asked."""
        return self.languages is None or (language is not None and language.name in self.languages)


def _set_match() -> Matcher:
    from recombine.evaluation.match.set_match import FIELDS, read_components

    return replace(Matcher.of("set_match", read_components), fields=FIELDS)


def _set_match_of(schemas: Schemas) -> Matcher:
    from recombine.evaluation.match.spider.spider_match import set_matcher

    return set_matcher(schemas)


def _spider() -> Matcher:
    from recombine.evaluation.match.spider.read_schemas import published_schemas

    return _spider_of(published_schemas())


def _spider_of(schemas: Schemas) -> Matcher:
    from recombine.evaluation.match.spider.spider_match import spider_matcher

    return spider_matcher(schemas)


def _of_forms(name: str, *languages: str) -> Offered:
    """A matcher of logical forms, which those of other languages are refused."""

    def refuse() -> Matcher:
        raise OptionError(
            f"the metric {name} compares logical forms, and the targets are of no language of such forms",
            "name the language with --language sexpression or sparql11, or leave the metric out",
        )

    def make(setting: FormSetting) -> Matcher:
        from recombine.evaluation.match.form_matchers import form_matcher

        return form_matcher(name, setting)

    return Offered(refuse, languages, make)


MATCHERS: Registry[Offered] = Registry(
    "metric",
    {
        "set_match": Offered(_set_match, ("sql",), of_schemas=_set_match_of),
        "spider": Offered(_spider, (), of_schemas=_spider_of),
        "strict": _of_forms("strict", "sexpression", "sparql11"),
        "isomorphic": _of_forms("isomorphic"),
        "grailqa": _of_forms("grailqa"),
    },
)
"""The matchers besides exact match."""


def register_matcher(matcher: Matcher, *, languages: Iterable[str] | None = ()) -> Matcher:
    """Add a metric: for these languages, for all (none), or where no language is named for those who ask for it.

    What asks for it is `score --metric NAME`.
    """
    if matcher.name == EXACT or matcher.name in OWN_KEYS:
        raise OptionError(f"a metric cannot be named {matcher.name!r}, as a score has that", "give it another name")
    if isinstance(languages, str):
        raise OptionError(f"the languages of {matcher.name} are the text {languages!r}", f"give ({languages!r},)")
    MATCHERS.register(matcher.name, Offered(lambda: matcher, None if languages is None else tuple(languages)))
    return matcher


def further_matchers(
    language: Language | None,
    asked: Collection[str] = (),
    *,
    setting: FormSetting | None = None,
    schemas: Schemas | None = None,
) -> dict[str, Matcher]:
    """The matchers besides exact match: those of a language, then those that are asked for by name.

    `setting` is what logical forms are compared under; where none is given, they are compared by their syntax alone.
    `schemas` are those of the databases that SQL is about; only `spider` needs some, and takes Spider's own.

    >>> list(further_matchers(None)), list(further_matchers(None, ["set_match"]))
    ([], ['set_match'])
    """
    wanted = {name: offered for name, offered in MATCHERS.items() if offered.serves(language)}
    wanted |= {name: MATCHERS.find(name) for name in asked if name != EXACT}
    if setting is None and any(offered.of_forms for offered in wanted.values()):
        setting = _usual_setting(language)
    return {name: _made(offered, setting, schemas) for name, offered in wanted.items()}


def _made(offered: Offered, setting: FormSetting | None, schemas: Schemas | None) -> Matcher:
    if setting is not None and offered.of_forms is not None:
        return offered.of_forms(setting)
    return offered.make() if schemas is None or offered.of_schemas is None else offered.of_schemas(schemas)


def _usual_setting(language: Language | None) -> FormSetting | None:
    """The setting of a language of logical forms; none for others."""
    from recombine.evaluation.match.form_setting import LANGUAGES, usual_setting

    return usual_setting(language.name) if language is not None and language.name in LANGUAGES else None
