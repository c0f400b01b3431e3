"""Reads files of rules in the paper's notation (CFQ paper, Appendices I, J and M).

```
%feature form: infinitive past past_participle     # a feature and its values; `*` is any name
%start S(answer:truth): get_set_truth              # what a text is, and the function that makes its query
%template VP_SIMPLE NP_SIMPLE                      # the categories that stand for their words in a template
%use 'cfq/inference.rules'                         # rules of another file: beside this one, or of a packaged set

%grammar                                           # the kind of the rules that follow
ACTIVE_VP=VP_SIMPLE:
    ACTIVE_VP(number:singular)[_head]/_head → VP_SIMPLE(form:past)/_head

%inference
IGNORE_DEPENDENCY_DROPPING:
    DropDependency($X) → $X

%resolution
TYPE_MAPPING:
    FreebaseTypeMapping($X, $F): type2sparql($X) → $F

%knowledge
→ FreebaseTypeMapping(Person, 'ns:people.person')
Verb($P, $A, $U): → Role($A, $P)                   # a fact that follows from others
```

A rule begins in the first column with its name and a colon, and may go over several indented lines; a fact begins with
its arrow. What follows `~` in a name tells rules of one name apart. `->` may stand for `→`, `&` for `⊓`, `exists` for
`∃`. What follows `#` is a comment. A rule of inference may have a context after its conditions, `within
∃RolePair($Q, Predicate):`, which says that it applies to what stands there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from recombine.files import read_text
from recombine.grammars.unification.forms.logical_form import EXISTS, HOLE, TEXT, TOP, Term, Terms, written
from recombine.grammars.unification.rules.rule import (
    GRAMMAR,
    INFERENCE,
    KINDS,
    KNOWLEDGE,
    Constituent,
    FeatureSpec,
    GrammarRule,
    ImpliedRule,
    InferenceRule,
    KnowledgeRule,
    Literal,
    Place,
    ResolutionRule,
    RuleFile,
    StartRule,
)

if TYPE_CHECKING:
    from pathlib import Path

SUFFIX = ".rules"
_TOKEN = re.compile(
    r"""(?P<space>[ \t\r]+|\#[^\n]*)|(?P<newline>\n)|(?P<text>'(?:[^'\n\\]|\\.)*')|(?P<arrow>→|->)|(?P<meet>⊓|&)
    |(?P<exists>∃|exists\b)|(?P<hole>\$\w+)|(?P<name>[^\W\d]\w*(?:=[\w\[\]=]+)?(?:~\w+)?)
    |(?P<directive>%\w+)|(?P<top>⊤)|(?P<mark>[()\[\],:|/.\-*])""",
    re.VERBOSE,
)


class _Token(NamedTuple):
    kind: str
    text: str
    line: int
    column: int


def read_rules(path: Path) -> RuleFile:
    """The rules of a file."""
    return parse_rules(read_text(path), path.name)


def parse_rules(text: str, path: str = "rules") -> RuleFile:
    """The rules of a text; `path` is what errors name.

    >>> file = parse_rules("%grammar\\nS=HI:\\n  S/Greeting → 'hi'\\n")
    >>> file.rules[0].name, file.rules[0].form
    ('S=HI', Greeting)
    """
    return _Reader(path, _tokens(text, path)).file()


def _tokens(text: str, path: str) -> list[_Token]:
    tokens: list[_Token] = []
    at, line, start = 0, 1, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            problem = f"cannot read {text[at]!r}"
            raise Place(path, line, at - start + 1).error(problem, "see the notation in docs/cfq.md")
        kind = match.lastgroup or ""
        if kind == "newline":
            line, start = line + 1, match.end()
        elif kind != "space":
            tokens.append(_Token(kind, match.group(), line, at - start + 1))
        at = match.end()
    tokens.append(_Token("end", "the end of the file", line, max(1, at - start + 1)))
    return tokens


class _Reader:
    """Reads tokens one after the other."""

    def __init__(self, path: str, tokens: list[_Token]) -> None:
        self.path, self.tokens, self.at = path, tokens, 0
        self.terms = Terms()

    # -- tokens ----------------------------------------------------------------------------------------------------

    @property
    def here(self) -> _Token:
        return self.tokens[self.at]

    def place(self) -> Place:
        return Place(self.path, self.here.line, self.here.column)

    def next(self) -> _Token:
        token = self.here
        self.at += token.kind != "end"
        return token

    def is_mark(self, text: str) -> bool:
        return self.here.kind == "mark" and self.here.text == text

    def taken(self, text: str) -> bool:
        """Whether a mark stands here; if so, go on after it."""
        found = self.is_mark(text)
        self.at += found
        return found

    def expect(self, kind: str, what: str, remedy: str = "") -> _Token:
        if self.here.kind != kind and not (self.here.kind == "mark" and self.here.text == kind):
            raise self.place().error(f"{self.here.text!r} where {what} is needed", remedy)
        return self.next()

    # -- the file --------------------------------------------------------------------------------------------------

    def file(self) -> RuleFile:
        file = RuleFile()
        kind = ""
        while self.here.kind != "end":
            token = self.here
            if token.column != 1:
                raise self.place().error(f"{token.text!r} does not begin a rule", "begin rules in the first column")
            if token.kind == "directive":
                kind = self._directive(file) or kind
            elif not kind:
                raise self.place().error("a rule of no kind", f"write one of %{', %'.join(KINDS)} above it")
            elif kind == KNOWLEDGE:
                file.rules.append(self._knowledge())
            else:
                file.rules.append(self._named(kind))
        return file

    def _named(self, kind: str) -> GrammarRule | InferenceRule | ResolutionRule:
        place, name = self.place(), self._name()
        if kind == GRAMMAR:
            return self._grammar(name, place)
        return self._inference(name, place) if kind == INFERENCE else self._resolution(name, place)

    def _name(self) -> str:
        token = self.expect("name", "the name of a rule")
        self.expect(":", "a colon after the name of the rule")
        return token.text

    def _directive(self, file: RuleFile) -> str | None:
        place, word = self.place(), self.next().text[1:]
        if word in KINDS:
            return word
        if word == "feature":
            attribute = self.expect("name", "the name of a feature").text
            self.expect(":", "a colon after the feature")
            values = []
            while self.here.kind == "name" and self.here.column > 1:
                values.append(self.next().text)
            if not values:
                self.expect("*", "a value of the feature, or *")
            if attribute in file.features:
                raise place.error(f"the feature {attribute} is declared twice", "keep one of them")
            file.features[attribute] = tuple(values) if values else None
        elif word == "start":
            constituent = self._constituent()
            self.expect(":", "a colon before the function")
            file.starts.append(StartRule(constituent, self.expect("name", "the name of a function").text))
        elif word == "template":
            while self.here.kind == "name" and self.here.column > 1:
                file.templates.append(self.next().text)
        elif word == "use":
            token = self.expect("text", "the name of a file in quotes", "write %use 'cfq/inference.rules'")
            file.uses.append((_unquoted(token.text), Place(self.path, token.line, token.column)))
        else:
            raise place.error(
                f"unknown directive %{word}", f"write one of %feature, %start, %template, %use, %{', %'.join(KINDS)}"
            )
        return None

    # -- the four kinds --------------------------------------------------------------------------------------------

    def _knowledge(self) -> KnowledgeRule | ImpliedRule:
        place, begin = self.place(), self.at
        conditions: list[Term] = []
        if self.here.kind == "name":
            conditions.append(self._meet())
            while self.taken(","):
                conditions.append(self._meet())
            if not self.taken(":"):
                self.at = begin
        self.expect("arrow", "the arrow of a fact", "write → before it")
        fact = self._meet()
        if not conditions:
            return KnowledgeRule(written(fact), place, fact)
        name = f"{', '.join(map(written, conditions))}: → {written(fact)}"
        return ImpliedRule(name, place, tuple(conditions), fact)

    def _grammar(self, name: str, place: Place) -> GrammarRule:
        left, head = self._left()
        form = self.terms.top
        if self.taken("/"):
            form = self._meet()
        self.expect("arrow", "the arrow of the rule")
        right: list[Constituent | Literal] = []
        while self.here.column > 1 and self.here.kind in ("name", "text"):
            if self.here.kind == "text":
                literal = Place(self.path, self.here.line, self.here.column)
                right.append(Literal(_unquoted(self.next().text), literal))
            else:
                right.append(self._constituent())
        if not right:
            raise self.place().error(f"the rule {name} has nothing after its arrow", "write categories or 'words'")
        return GrammarRule(name, place, left, head, form, tuple(right))

    def _left(self) -> tuple[Constituent, str | None]:
        place = self.place()
        category = self.expect("name", "a category").text
        features = self._features()
        head = None
        if self.taken("["):
            head = self.expect("name", "the variable of the head").text
            self.expect("]", "a closing bracket")
        return Constituent(category, features, None, place), head

    def _constituent(self) -> Constituent:
        place = self.place()
        category = self.expect("name", "a category").text
        features = self._features()
        variable = self.expect("name", "a variable such as _head").text if self.taken("/") else None
        return Constituent(category, features, variable, place)

    def _features(self) -> tuple[FeatureSpec, ...]:
        specs: list[FeatureSpec] = []
        if not self.taken("("):
            return ()
        while not self.taken(")"):
            if specs:
                self.expect(",", "a comma or a closing bracket")
            place = self.place()
            negated = self.taken("-")
            attribute = self.expect("name", "the name of a feature").text
            self.expect(":", "a colon after the feature")
            if self.here.kind == "hole":
                specs.append(FeatureSpec(attribute, (), self.next().text, negated, place))
                continue
            values = [self.expect("name", "a value of the feature").text]
            while self.taken("|"):
                values.append(self.expect("name", "a value of the feature").text)
            specs.append(FeatureSpec(attribute, tuple(values), None, negated, place))
        # What is fixed comes first, so that a variable takes what is left of the values, in whichever order they stand.
        return tuple(sorted(specs, key=lambda spec: spec.variable is not None))

    def _inference(self, name: str, place: Place) -> InferenceRule:
        conditions, within, left = self._conditions()
        self.expect("arrow", "the arrow of the rule")
        return InferenceRule(name, place, conditions, within, left, self._meet())

    def _resolution(self, name: str, place: Place) -> ResolutionRule:
        conditions, _, left = self._conditions()
        self.expect("arrow", "the arrow of the rule")
        right = []
        while self.here.column > 1 and self.here.kind in ("name", "text", "hole"):
            right.append(self._primary())
        if not right:
            raise self.place().error(f"the rule {name} has nothing after its arrow", "write '' for no text")
        return ResolutionRule(name, place, conditions, left, tuple(right))

    def _conditions(self) -> tuple[tuple[Term, ...], Term | None, Term]:
        """What stands before the arrow: facts, a context, and the left side."""
        conditions: list[Term] = []
        within = None
        while True:
            if self.here.kind == "name" and self.here.text == "within":
                self.next()
                within = self._context()
                self.expect(":", "a colon after the context")
                continue
            read = [self._meet()]
            while self.taken(","):
                read.append(self._meet())
            if self.taken(":"):
                conditions += read
                continue
            if len(read) > 1:
                raise self.place().error("several left sides", "write a colon after the conditions")
            return tuple(conditions), within, read[0]

    def _context(self) -> Term:
        """The role that a conjunction must stand under."""
        self.expect("exists", "∃ in the context of a rule")
        return self._primary()

    # -- logical forms ---------------------------------------------------------------------------------------------

    def _meet(self) -> Term:
        parts = [self._primary()]
        while self.here.kind == "meet":
            self.next()
            parts.append(self._primary())
        return self.terms.meet(parts) if len(parts) > 1 else parts[0]

    def _primary(self) -> Term:
        token = self.next()
        if token.kind == "exists":
            role = self._primary()
            self.expect(".", "a full stop after the role")
            return self.terms.make(EXISTS, (role, self._primary()))
        if token.kind == "hole":
            return self.terms.make(HOLE, (), token.text)
        if token.kind == "text":
            return self.terms.make(TEXT, (), _unquoted(token.text))
        if token.kind == "top":
            return self.terms.make(TOP)
        if token.kind == "mark" and token.text == "(":
            inner = self._meet()
            self.expect(")", "a closing bracket")
            return inner
        if token.kind != "name":
            self.at -= token.kind != "end"
            raise self.place().error(f"{token.text!r} where a logical form is needed", "")
        if token.text.startswith("_"):
            return self.terms.make(HOLE, (), token.text)
        args: list[Term] = []
        if self.taken("("):
            while not self.taken(")"):
                if args:
                    self.expect(",", "a comma or a closing bracket")
                args.append(self._meet())
        return self.terms.make(token.text, tuple(args))


def _unquoted(text: str) -> str:
    return text[1:-1].replace("\\'", "'").replace("\\\\", "\\")
