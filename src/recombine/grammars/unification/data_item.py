"""The fields of a CFQ data item (CFQ paper, Appendix A), from a reading of its question.

`parseTreeLeafCount` counts what rules have in quotation marks, so a noun of several words is one leaf and
`executive produce` two. `parseTreeRuleCount` and `recursionDepth` count grammar rules and the join. Constraints are
clauses without FILTERs; the chain length is the most terms on a way from subject to object; the degree is the most
clauses that one term takes part in. Inference has no type name in the paper; here it is `INFERENCE_RULE`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.grammars.unification.parsing.chart import PLACEHOLDER
from recombine.grammars.unification.queries.query_text import FILTER, QueryText
from recombine.grammars.unification.rule_graph import JOIN
from recombine.grammars.unification.rules.rule import Literal
from recombine.records.derivation import rule_kind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.grammars.unification.inference.derive import Derived
    from recombine.grammars.unification.question_parser import QuestionParser, Reading
    from recombine.grammars.unification.rules.rule_set import RuleSet
    from recombine.records.derivation import Derivation

TYPES = {
    "grammar": "GRAMMAR_RULE",
    "inference": "INFERENCE_RULE",
    "resolution": "SPARQL_GENERATION",
    "knowledge": "KNOWLEDGE",
}
"""The types of rules in the release's files, by kind."""


def data_item(
    parser: QuestionParser,
    reading: Reading,
    *,
    mids: Mapping[str, str] | None = None,
    answer: str | None = None,
) -> dict[str, Any]:
    """All fields; `mids` are the machine ids of entities by the names that the question has.

    Fields that need what is not given, the answer or the ids, are left out.
    """
    graph = parser.graph(reading)
    words = reading.words
    patterns = question_words(parser.rules, reading.derived)
    fields: dict[str, Any] = {}
    if any(name.startswith("[") for name in words.given):
        fields["question"] = _sentence(patterns, [name.strip("[]") for name in words.given])
        fields["questionWithBrackets"] = _sentence(patterns, words.given)
    if mids is not None:
        by_pattern = {m: mids[name.strip("[]")] for m, name in zip(words.entities, words.given, strict=True)}
        fields["questionWithMids"] = _sentence(patterns, [by_pattern[m] for m in words.entities])
    fields["questionPatternModEntities"] = _sentence(patterns, words.entities)
    fields["questionTemplate"] = question_template(parser.rules, reading.derived)
    if answer is not None:
        fields["expectedResponse"] = answer
    if mids is not None:
        fields["sparql"] = reading.query.long(by_pattern)
    fields["sparqlPatternModEntities"] = reading.query.long()
    fields["sparqlPattern"] = reading.query.pattern()
    fields["complexityMeasures"] = complexity_measures(parser.rules, reading)
    fields["aggregatedRuleInfo"] = {"ruleId": [_rule_id(rule) for rule in dict.fromkeys(graph.rules)]}
    fields["ruleTree"] = rule_tree(graph)
    return fields


def item_tags(rules: RuleSet, reading: Reading) -> dict[str, str | int]:
    """The fields that splits and measures go by, as the release's file names them."""
    return {
        "questionTemplate": question_template(rules, reading.derived),
        "sparqlPattern": reading.query.pattern(),
        **complexity_measures(rules, reading),
    }


def grounded_fields(
    pattern: str,
    query: QueryText,
    *,
    mids: Mapping[str, str],
    names: Mapping[str, str],
    answers: Sequence[str],
    answer_names: Sequence[str],
    written: Mapping[str, str] | None = None,
) -> dict[str, str | list[str]]:
    """The fields of a question whose placeholders stand for entities, given their ids and names by placeholder.

    The answer is `Yes` or `No`, or the list of what is asked for, by name and by id. `written` are the entities as
    queries write them; without, Freebase's ids are written as the release does.

    >>> query = QueryText("SELECT count(*) WHERE", [["M0", "film.editor.film", "M1"]])
    >>> mids, names = {"M0": "m.04lhs01", "M1": "m.0gx0plf"}, {"M0": "Ann", "M1": "Deadfall"}
    >>> made = grounded_fields("Did M0 edit M1", query, mids=mids, names=names, answers=["No"], answer_names=["No"])
    >>> made["questionWithBrackets"], made["questionWithMids"], made["expectedResponse"]
    ('Did [Ann] edit [Deadfall]', 'Did m.04lhs01 edit m.0gx0plf', 'No')
    """
    words = pattern.replace(" ' s", " 's").split()
    closed = "count" in query.head
    return {
        "question": " ".join(names.get(word, word) for word in words),
        "questionWithBrackets": " ".join(f"[{names[word]}]" if word in names else word for word in words),
        "questionWithMids": " ".join(mids.get(word, word) for word in words),
        "expectedResponse": answer_names[0] if closed else list(answer_names),
        "expectedResponseWithMids": answers[0] if closed else list(answers),
        "sparql": query.long(mids if written is None else written),
    }


def complexity_measures(rules: RuleSet, reading: Reading) -> dict[str, int]:
    """How large a question and its query are."""
    clauses = [clause for clause in reading.query.clauses if clause[0] != FILTER]
    size, leaves, _ = _counted(rules, reading.derived)
    return {
        "parseTreeLeafCount": leaves,
        "parseTreeRuleCount": size + 1,
        "recursionDepth": size + 1,
        "sparqlMaximumChainLength": _chain_length(clauses),
        "sparqlMaximumDegree": _degree(clauses),
        "sparqlNumConstraints": len(clauses),
        "sparqlNumVariables": len({token for clause in clauses for token in clause if token[0] == "?"}),
    }


def question_words(rules: RuleSet, derived: Derived) -> list[str]:
    """The words of a question; entities are placeholders."""
    return [word for leaf in _leaves(rules, derived) for word in leaf.split()]


def question_template(rules: RuleSet, derived: Derived) -> str:
    """A question with categories for its nouns, verbs, adjectives, roles and entities.

    >>> from recombine.grammars.unification.question_parser import QuestionParser
    >>> from recombine.grammars.unification.rules.rule_set import read_rule_set
    >>> parser = QuestionParser(read_rule_set("cfq"))
    >>> question_template(parser.rules, parser.parse("Did M0 executive produce M1").derived)
    'Did [entity] [VP_SIMPLE] [entity]'
    """
    return _capital(_counted(rules, derived)[2])


def _counted(rules: RuleSet, derived: Derived) -> tuple[int, int, str]:
    """The rules, the leaves and the template of a derivation, which are kept with it: others have it as a part."""
    known = derived.counted
    if known is None:
        rule = rules.grammar[derived.number]
        size, leaves, words = 1, 0, []
        parts = iter(derived.parts)
        for element in rule.right:
            if isinstance(element, Literal):
                leaves += 1
                words.append(element.text)
            else:
                part = _counted(rules, next(parts))
                size, leaves = size + part[0], leaves + part[1]
                words.append(part[2])
        category = rule.left.category
        known = derived.counted = (
            size,
            leaves,
            f"[{category}]" if category in rules.templates else " ".join(words),
        )
    return known


def _leaves(rules: RuleSet, derived: Derived) -> list[str]:
    """The words of rules in their order."""
    grammar = rules.grammar
    leaves: list[str] = []
    waiting: list[Derived | str] = [derived]
    while waiting:
        here = waiting.pop()
        if isinstance(here, str):
            leaves.append(here)
            continue
        place = len(here.parts)
        for element in reversed(grammar[here.number].right):
            if isinstance(element, Literal):
                waiting.append(element.text)
            else:
                place -= 1
                waiting.append(here.parts[place])
    return leaves


def _sentence(words: Sequence[str], names: Sequence[str]) -> str:
    left = iter(names)
    return _capital(" ".join(next(left) if word == PLACEHOLDER else word for word in words))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _chain_length(clauses: Sequence[Sequence[str]]) -> int:
    after: dict[str, list[str]] = {}
    for subject, _, target in clauses:
        after.setdefault(subject, []).append(target)
    known: dict[str, int] = {}

    def longest(term: str, above: frozenset[str]) -> int:
        if term in above:
            return 0
        if term not in known:
            below = [longest(target, above | {term}) for target in after.get(term, ())]
            known[term] = 1 + max(below, default=0)
        return known[term]

    return max((longest(term, frozenset()) for term in after), default=0)


def _degree(clauses: Sequence[Sequence[str]]) -> int:
    counts: dict[str, int] = {}
    for subject, _, target in clauses:
        for term in {subject, target}:
            counts[term] = counts.get(term, 0) + 1
    return max(counts.values(), default=0)


def _rule_id(rule: str) -> dict[str, str]:
    kind = "resolution" if rule == JOIN else rule_kind(rule)
    name = rule.partition("~")[0] if ":" not in rule.partition("(")[0] else rule.partition(":")[2]
    return {"type": TYPES[kind], "stringValue": name}


def rule_tree(graph: Derivation) -> dict[str, Any]:
    """A rule application graph as a tree: an application that several need stands below the last of them."""
    trees: list[dict[str, Any]] = [{"ruleId": _rule_id(rule)} for rule in graph.rules]
    above = {child: parent for parent, child, _ in graph.edges}
    for child, parent in above.items():
        trees[parent].setdefault("subTree", []).append(trees[child])
    return trees[0]
