"""What is wrong with a set of rules, each with file, line and column.

Found are: features and values that are not declared, categories without rules, variables without a value, names that
two rules share, rules that cannot be reached from the start, rules that can never fire (no part has the features they
ask for, no fact meets their condition, nothing makes what they match, or an earlier rule is always taken), categories
that are made of themselves alone, and inference that never ends. The last is found by applying the rules to what each
of them matches; inference that goes on for ever from other forms only is found when it happens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from recombine.errors import DerivationError, GrammarError
from recombine.grammars.unification.forms.logical_form import (
    EXISTS,
    HOLE,
    MEET,
    TEXT,
    TOP,
    Term,
    Terms,
    holes,
    iter_terms,
)
from recombine.grammars.unification.forms.matching import FactTable, Matcher, most_said_first
from recombine.grammars.unification.inference.inference import Application, Inference
from recombine.grammars.unification.parsing.feature_tables import FeatureTables
from recombine.grammars.unification.queries.resolution import NEW
from recombine.grammars.unification.rules.rule import (
    NONE,
    Constituent,
    GrammarRule,
    ImpliedRule,
    InferenceRule,
    KnowledgeRule,
    ResolutionRule,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from recombine.grammars.unification.rules.rule import FeatureSpec, Place, Rule
    from recombine.grammars.unification.rules.rule_set import RuleSet

AnyRule = TypeVar("AnyRule", bound="Rule")
MOST_STEPS = 300
"""So many applications to one form are taken for inference without end."""


def check_rules(rules: RuleSet) -> list[GrammarError]:
    """All problems of a set of rules, in the order of its files."""
    problems = [
        *_names(rules),
        *_features(rules),
        *_variables(rules),
        *_categories(rules),
        *_knowledge(rules),
        *_conditions(rules),
        *_resolution(rules),
    ]
    if not problems:  # what follows applies the rules
        problems = [*_never_fitting(rules), *_never_made(rules), *_endless(rules)]
    return problems


def _own(rules: RuleSet, some: Iterable[AnyRule]) -> Iterator[AnyRule]:
    """Those of some rules that are not borrowed: of a borrowed file not every rule needs to be needed."""
    return (rule for rule in some if (rule.kind, rule.name) not in rules.borrowed)


def _names(rules: RuleSet) -> Iterator[GrammarError]:
    first: dict[tuple[str, str], Place] = {}
    for rule in rules.rules:
        known = first.setdefault((rule.kind, rule.name), rule.place)
        if known is not rule.place:
            where = f"{known.path}, line {known.line}"
            yield rule.place.error(f"another {rule.kind} rule is {rule.name} ({where})", "add ~ and a word to one name")


# -- features ----------------------------------------------------------------------------------------------------------


def _specs(rules: RuleSet) -> Iterator[FeatureSpec]:
    for start in rules.starts:
        yield from start.constituent.features
    for rule in rules.grammar:
        yield from rule.left.features
        for part in rule.right:
            if isinstance(part, Constituent):
                yield from part.features


def _features(rules: RuleSet) -> Iterator[GrammarError]:
    for spec in _specs(rules):
        if spec.attribute not in rules.features:
            known = ", ".join(sorted(rules.features)) or "none"
            yield spec.place.error(f"unknown feature {spec.attribute!r}", f"declare it with %feature; known: {known}")
            continue
        values = rules.features[spec.attribute]
        for value in spec.values:
            if value != NONE and values is not None and value not in values:
                yield spec.place.error(
                    f"unknown value {value!r} of the feature {spec.attribute}", f"known: {', '.join(values)}"
                )


def _never_fitting(rules: RuleSet) -> Iterator[GrammarError]:
    """Grammar rules for which no parts with fitting features exist."""
    tables = FeatureTables(rules.grammar, rules.starts, rules.features)
    made: dict[str, set[int]] = {}
    fired: set[str] = set()
    changed = True
    while changed:
        changed = False
        for rule in rules.grammar:
            states = {0}
            for part in rule.right:
                if isinstance(part, Constituent):
                    known = made.get(part.category, set())
                    states = {tables.step(rule, part, state, one) for state in states for one in known} - {-1}
            new = {tables.done(rule, state) for state in states} - made.setdefault(rule.left.category, set())
            if states:
                fired.add(rule.name)
            if new:
                made[rule.left.category] |= new
                changed = True
    for rule in _own(rules, rules.grammar):
        if rule.name not in fired:
            yield rule.place.error(
                f"the rule {rule.name} can never fire: nothing has the features that its parts ask for",
                "compare them with the rules of those categories",
            )


# -- variables ---------------------------------------------------------------------------------------------------------


def _variables(rules: RuleSet) -> Iterator[GrammarError]:
    for rule in rules.grammar:
        yield from _grammar_variables(rule)
    for inference in rules.inference:
        known = _all_holes([inference.left, *inference.conditions, *([inference.within] if inference.within else [])])
        yield from _unbound(inference, holes(inference.right) - known)
    for implied in rules.implied:
        yield from _unbound(implied, holes(implied.fact) - _all_holes(implied.conditions))
    for resolution in rules.resolution:
        known = _all_holes([resolution.left, *resolution.conditions])
        for item in resolution.right:
            known |= set(_new(item))
        yield from _unbound(resolution, _all_holes(resolution.right) - known)


def _grammar_variables(rule: GrammarRule) -> Iterator[GrammarError]:
    parts = [part for part in rule.right if isinstance(part, Constituent)]
    known = {part.variable for part in parts if part.variable is not None} | set(_new(rule.form))
    yield from _unbound(rule, holes(rule.form) - known)
    if rule.head is not None and rule.head not in known:
        yield rule.place.error(f"the head {rule.head} of {rule.name} is none of its parts", "name one of them")
    bound = {spec.variable for part in parts for spec in part.features}
    for spec in rule.left.features:
        if spec.variable is not None and spec.variable not in bound:
            yield spec.place.error(f"the variable {spec.variable} has no value", "use it on the right of the arrow too")


def _unbound(rule: Rule, names: Iterable[str]) -> Iterator[GrammarError]:
    for name in sorted(names):
        yield rule.place.error(f"the variable {name} of {rule.name} has no value", "bind it on the other side")


def _all_holes(terms: Iterable[Term]) -> set[str]:
    return {name for term in terms for name in holes(term)}


def _new(term: Term) -> list[str]:
    return [part.args[0].name for part in iter_terms(term) if part.op == NEW and part.args]


# -- reaching every rule -----------------------------------------------------------------------------------------------


def _categories(rules: RuleSet) -> Iterator[GrammarError]:
    made = {rule.left.category for rule in rules.grammar}
    if not rules.starts and rules.grammar:
        yield rules.grammar[0].place.error("nothing says what a text is", "write %start S: function")
    functions = {rule.left.op for rule in rules.resolution}
    for start in rules.starts:
        if start.constituent.category not in made:
            yield start.constituent.place.error(f"no rule makes {start.constituent.category}", "add one")
        if start.function not in functions:
            yield start.constituent.place.error(
                f"no rule of resolution is for {start.function}", "add one, or %use a file that has it"
            )
    below: dict[str, set[str]] = {}
    for rule in rules.grammar:
        for part in rule.right:
            if isinstance(part, Constituent):
                below.setdefault(rule.left.category, set()).add(part.category)
                if part.category not in made:
                    yield part.place.error(f"no rule makes {part.category}", "add one, or mend the name")
    reached = _closure({start.constituent.category for start in rules.starts}, below)
    for rule in _own(rules, rules.grammar):
        if rules.starts and rule.left.category not in reached:
            yield rule.place.error(
                f"the rule {rule.name} is never reached: no text holds {rule.left.category}", "use it, or remove it"
            )
    alone: dict[str, set[str]] = {}
    for rule in rules.grammar:
        only = rule.right[0]
        if len(rule.right) == 1 and isinstance(only, Constituent):
            alone.setdefault(rule.left.category, set()).add(only.category)
    for rule in rules.grammar:
        only = rule.right[0]
        if len(rule.right) == 1 and isinstance(only, Constituent):
            category = rule.left.category
            if category in _closure({only.category}, alone):
                yield rule.place.error(f"{category} is made of itself alone, for ever", "break the circle of rules")


def _closure(start: set[str], below: dict[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = sorted(start)
    while waiting:
        here = waiting.pop()
        if here not in reached:
            reached.add(here)
            waiting += sorted(below.get(here, ()))
    return reached


# -- facts and conditions ----------------------------------------------------------------------------------------------


def _knowledge(rules: RuleSet) -> Iterator[GrammarError]:
    for rule in rules.rules:
        if isinstance(rule, KnowledgeRule) and holes(rule.fact):
            yield rule.place.error(f"the fact {rule.name} has a variable", "facts have none")


def _conditions(rules: RuleSet) -> Iterator[GrammarError]:
    terms = Terms()
    facts = FactTable([terms.again(rule.fact) for rule in rules.knowledge])
    matcher = Matcher(terms, facts, backwards=False)
    conditional: list[ImpliedRule | InferenceRule | ResolutionRule]
    conditional = [*rules.implied, *rules.inference, *rules.resolution]
    for rule in _own(rules, conditional):
        for condition in rule.conditions:
            pattern = terms.again(condition)
            if not any(True for fact in facts.of(pattern.op) for _ in matcher.iter_matches(pattern, fact, {})):
                yield rule.place.error(
                    f"the rule {rule.name} can never fire: no fact is {condition}", "add one, or mend the condition"
                )


def _resolution(rules: RuleSet) -> Iterator[GrammarError]:
    functions = {rule.left.op for rule in rules.resolution}
    called = {start.function for start in rules.starts}
    for rule in rules.resolution:
        for item in rule.right:
            for part in iter_terms(item):
                if part.op in functions:
                    called.add(part.op)
                elif part.op[:1].islower() and part.op != NEW:
                    yield rule.place.error(f"no rule of resolution is for {part.op}", "add one, or mend the name")
    terms = Terms()
    matcher = Matcher(terms, FactTable([]), backwards=False)
    for place, rule in enumerate(rules.resolution):
        if rules.starts and rule.left.op not in called and (rule.kind, rule.name) not in rules.borrowed:
            yield rule.place.error(f"the rule {rule.name} is never reached: nothing calls {rule.left.op}", "remove it")
        whole = _frozen(terms.again(rule.left), terms)
        for earlier in rules.resolution[:place]:
            pattern = most_said_first(terms.again(earlier.left), terms)
            if not earlier.conditions and any(True for _ in matcher.iter_matches(pattern, whole, {})):
                yield rule.place.error(
                    f"the rule {rule.name} can never fire: {earlier.name} is always taken before it", "put it first"
                )


def _frozen(term: Term, terms: Terms) -> Term:
    """A pattern as a term: its variables are constants of their own."""
    if term.op is HOLE:
        return terms.make(f"any {term.name}")
    if not term.args:
        return term
    args = tuple(_frozen(arg, terms) for arg in term.args)
    return terms.meet(args) if term.op is MEET else terms.make(term.op, args, term.name)


# -- inference ---------------------------------------------------------------------------------------------------------


def _never_made(rules: RuleSet) -> Iterator[GrammarError]:
    """Rules of inference that match what no rule makes."""
    if not rules.grammar:
        return
    made = {EXISTS, MEET, TEXT, TOP, HOLE}
    for rule in rules.grammar:
        made.update(part.op for part in iter_terms(rule.form))
    for inference in rules.inference:
        made.update(part.op for part in iter_terms(inference.right))
    for fact in rules.knowledge:
        made.update(part.op for part in iter_terms(fact.fact))
    for inference in _own(rules, rules.inference):
        for part in iter_terms(inference.left):
            if part.op not in made:
                yield inference.place.error(
                    f"the rule {inference.name} can never fire: nothing makes {part.op}", "make it, or mend the name"
                )
                break


def _endless(rules: RuleSet) -> Iterator[GrammarError]:
    terms = Terms()
    facts = FactTable([terms.again(rule.fact) for rule in rules.knowledge])
    inference = Inference(rules.inference, facts, terms, {}, most=MOST_STEPS)
    for rule in rules.inference:
        left = terms.again(rule.left)
        if rule.within is not None:
            left = terms.make(EXISTS, (terms.again(rule.within), left))
        for values, _ in inference.matcher.iter_known(tuple(map(terms.again, rule.conditions)), {}):
            left = terms.filled(left, values)
            break
        try:
            inference.applied(_frozen(left, terms), {}, Application("", (), ()))
        except DerivationError:
            yield rule.place.error(
                f"inference never ends once {rule.name} applies", "let its right side be smaller, or what it matches"
            )
