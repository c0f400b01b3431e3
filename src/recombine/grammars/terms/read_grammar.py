"""Reading a grammar file: statements become a grammar, or an error that says where they cannot.

Refused with line and column: undefined or unreachable symbols, symbols that never end, two rules of one name,
interpretation phrases that the grammar does not make or makes in two ways.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from recombine.errors import GrammarError
from recombine.files import read_text
from recombine.grammars.terms.chart import Open
from recombine.grammars.terms.grammar import Grammar
from recombine.grammars.terms.interpret import Interpreter, overlap
from recombine.grammars.terms.notation import (
    InterpretationStatement,
    RuleStatement,
    Statements,
    Symbol,
    read_statements,
)
from recombine.grammars.terms.rule import Interpretation, Ref, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recombine.grammars.terms.notation import Written
    from recombine.grammars.terms.rule import Application, Element, Fragment, Side


def read_grammar(path: Path | str) -> Grammar:
    """The grammar in a file."""
    return parse_grammar(read_text(path), path=path)


def packaged_grammar(name: str) -> Grammar:
    """A grammar that comes with the package, such as `scan`."""
    return read_grammar(Path(__file__).parent.parent / "library" / f"{name}.grammar")


def parse_grammar(text: str, *, path: Path | str = "<grammar>") -> Grammar:
    """The grammar in a text."""
    return _Assembly(read_statements(text, path)).grammar()


class _Assembly:
    """Statements become a grammar, or an error that says where they cannot."""

    def __init__(self, statements: Statements) -> None:
        self.statements = statements
        self.parts: dict[str, int] = {}
        self.lines: dict[str, tuple[int, int]] = {}

    def grammar(self) -> Grammar:
        rules = self._rules()
        start = self.statements.start
        if start is None:
            raise GrammarError(self.statements.path, 1, 1, "no start symbol", "add a line such as %start <S>")
        self._defined(start)
        if self.parts[start.name] > 1:
            self._fail(start, f"<{start.name}> has more than one part", "start from a symbol with one")
        self._check_reachable(rules, start)
        self._check_productive(rules)
        bare = Grammar(Path(self.statements.path).stem, start.name, rules, (), self.parts)
        interpretations = self._interpretations(bare)
        return Grammar(bare.name, bare.start, rules, interpretations, self.parts)

    def _fail(self, at: Symbol | RuleStatement | InterpretationStatement, problem: str, remedy: str = "") -> None:
        raise GrammarError(self.statements.path, at.line, at.column, problem, remedy)

    def _defined(self, symbol: Symbol) -> None:
        if symbol.name not in self.parts:
            self._fail(symbol, f"undefined symbol <{symbol.name}>", f"add a rule `name: <{symbol.name}> -> …`")

    # -- rules ----------------------------------------------------------------------------------------------------

    def _rules(self) -> dict[str, Rule]:
        statements = self.statements
        if not statements.rules:
            raise GrammarError(statements.path, 1, 1, "no rules", "add lines such as `name: <S> -> words => words`")
        for statement in statements.rules:
            known = self.parts.setdefault(statement.lhs.name, len(statement.source))
            if known != len(statement.source):
                self._fail(statement.lhs, f"<{statement.lhs.name}> has {known} parts in another rule", "use as many ~")
        rules: dict[str, Rule] = {}
        for statement in statements.rules:
            if statement.name in rules:
                self._fail(statement, f"a second rule named {statement.name!r}", "give it another name")
            if statement.weight <= 0:
                self._fail(statement, "a weight of 0", "leave the rule out, or give it a weight above 0")
            rules[statement.name] = self._rule(statement)
            self.lines[statement.name] = (statement.line, statement.column)
        return rules

    def _rule(self, statement: RuleStatement) -> Rule:
        children: dict[tuple[str, int], int] = {}
        source = tuple(tuple(self._source_part(part, children)) for part in statement.source)
        used = [element for part in source for element in part if isinstance(element, Ref)]
        if len(set(used)) < len(used):
            self._fail(statement, "a symbol stands twice in the source", "number them: <S:1> … <S:2>")
        for (name, _), child in children.items():
            missing = [part for part in range(self.parts[name]) if Ref(child, part) not in used]
            if missing:
                self._fail(statement, f"part {missing[0] + 1} of <{name}> is not placed", "use every part once")
        has_target = statement.target is not None
        if has_target == bool(self.statements.interpretations):
            problem = "a target beside an interpretation" if has_target else "no target"
            self._fail(statement, problem, "give targets with `=>` in every rule, or with an interpretation")
        target: Side | None = None
        if statement.target is not None:
            target = tuple(tuple(self._target_part(part, children)) for part in statement.target)
            if len(target) > 1:
                self._fail(statement, "a divided target", "targets have one part")
        symbols = tuple(name for name, _ in children)
        return Rule(statement.name, statement.lhs.name, symbols, source, target, statement.weight)

    def _source_part(self, part: Sequence[Written], children: dict[tuple[str, int], int]) -> Iterator[Element]:
        for written in part:
            if isinstance(written, str):
                yield written
                continue
            self._defined(written)
            child = children.setdefault((written.name, written.number), len(children))
            if written.part > self.parts[written.name]:
                self._fail(written, f"<{written.name}> has {self.parts[written.name]} part(s)", "lower the number")
            chosen = range(self.parts[written.name]) if written.part == 0 else (written.part - 1,)
            for number in chosen:
                yield Ref(child, number)

    def _target_part(self, part: Sequence[Written], children: dict[tuple[str, int], int]) -> Iterator[Element]:
        for written in part:
            if isinstance(written, str):
                yield written
                continue
            self._defined(written)
            key = (written.name, written.number)
            if key not in children:
                self._fail(written, f"<{written.name}> is not in the source", "targets use symbols of the source")
            if written.part:
                self._fail(written, "a part number in a target", "targets have one part")
            yield Ref(children[key], 0)

    def _check_reachable(self, rules: dict[str, Rule], start: Symbol) -> None:
        reached, queue = {start.name}, [start.name]
        while queue:
            symbol = queue.pop()
            for rule in rules.values():
                if rule.lhs == symbol:
                    new = [child for child in rule.children if child not in reached]
                    reached.update(new)
                    queue.extend(new)
        for rule in rules.values():
            if rule.lhs not in reached:
                line, column = self.lines[rule.name]
                raise GrammarError(
                    self.statements.path,
                    line,
                    column,
                    f"<{rule.lhs}> is never reached from <{start.name}>",
                    "use it in a rule, or remove it",
                )

    def _check_productive(self, rules: dict[str, Rule]) -> None:
        ends: set[str] = set()
        size = -1
        while size < len(ends):
            size = len(ends)
            ends.update(rule.lhs for rule in rules.values() if ends.issuperset(rule.children))
        for rule in rules.values():
            if rule.lhs not in ends:
                line, column = self.lines[rule.name]
                raise GrammarError(
                    self.statements.path, line, column, f"<{rule.lhs}> never ends in words", "add a rule that does"
                )

    # -- interpretation -------------------------------------------------------------------------------------------

    def _interpretations(self, bare: Grammar) -> tuple[Interpretation, ...]:
        patterns: list[_Pattern] = []
        for statement in self.statements.interpretations:
            variables: dict[tuple[str, int], int] = {}
            lhs, pattern = self._phrase(statement, statement.phrase, variables, bare, new=True)
            name = "[[" + " ".join(w if isinstance(w, str) else w.name for w in statement.phrase) + "]]"
            if any(name == earlier[0] for earlier in patterns):
                self._fail(statement, f"a second interpretation of {name}", "keep one")
            patterns.append((name, lhs, pattern, variables, statement))
        self._check_overlaps(patterns)
        # A phrase on the right may use rules further down, so outputs are worked out once all patterns are known.
        done: dict[str, Interpretation] = {}
        for row in patterns:
            self._interpretation(row, patterns, bare, done, [])
        return tuple(done[name] for name, *_ in patterns)

    def _check_overlaps(self, patterns: Sequence[_Pattern]) -> None:
        for position, (name, _, pattern, _, statement) in enumerate(patterns):
            for earlier, _, earlier_pattern, _, _ in patterns[:position]:
                if overlap(pattern, earlier_pattern):
                    self._fail(statement, f"{name} and {earlier} interpret the same phrase", "make them differ")

    def _interpretation(
        self,
        row: _Pattern,
        patterns: Sequence[_Pattern],
        bare: Grammar,
        done: dict[str, Interpretation],
        pending: list[str],
    ) -> None:
        name, lhs, pattern, variables, statement = row
        if name in done:
            return
        if name in pending:
            self._fail(statement, f"{name} is interpreted by itself", "break the circle")
        output: list[str | int] = []
        calls: dict[Application | int, None] = {}
        for element in statement.output:
            if isinstance(element, str):
                output.append(element)
            elif len(element) == 1 and isinstance(element[0], Symbol):
                number = self._variable(element[0], variables)
                output.append(number)
                calls[number] = None
            else:
                _, phrase = self._phrase(statement, element, variables, bare, new=False)
                for candidate in patterns:
                    if overlap(candidate[2], phrase):
                        self._interpretation(candidate, patterns, bare, done, [*pending, name])
                interpreter = Interpreter(bare.rules, list(done.values()))
                output.extend(interpreter.words(phrase, {}))
                calls[interpreter.application(phrase)] = None
        symbols = tuple(symbol for symbol, _ in variables)
        done[name] = Interpretation(name, lhs, pattern, symbols, tuple(output), tuple(calls))

    def _variable(self, symbol: Symbol, variables: dict[tuple[str, int], int]) -> int:
        key = (symbol.name, symbol.number)
        if key not in variables:
            self._fail(symbol, f"<{symbol.name}> is not in the phrase", "use symbols of the left side")
        return variables[key]

    def _phrase(
        self,
        statement: InterpretationStatement,
        phrase: Sequence[Written],
        variables: dict[tuple[str, int], int],
        bare: Grammar,
        *,
        new: bool,
    ) -> tuple[str, Fragment]:
        """The one fragment of the grammar that makes a phrase, its root not a rule that only renames."""
        words: list[str | Open] = []
        for written in phrase:
            if isinstance(written, str):
                words.append(written)
                continue
            self._defined(written)
            key = (written.name, written.number)
            if new:
                if key in variables:
                    self._fail(written, f"<{written.name}> stands twice in the phrase", "number them")
                variables[key] = len(variables)
            words.append(Open(written.name, self._variable(written, variables)))
        readings: list[tuple[str, Fragment]] = []
        for symbol in bare.by_lhs:
            for fragment in bare.source_parser.parse(words, symbol).iter_fragments():
                if not isinstance(fragment, int) and not bare.rules[fragment[0]].renames():
                    readings.append((symbol, fragment))
        text = " ".join(w if isinstance(w, str) else f"<{w.name}>" for w in phrase)
        if not readings:
            self._fail(statement, f"the grammar does not make the phrase [[{text}]]", "write a phrase it makes")
        if len(readings) > 1:
            self._fail(statement, f"the grammar makes the phrase [[{text}]] in {len(readings)} ways", "make it unique")
        return readings[0]


_Pattern = tuple[str, str, "Fragment", dict[tuple[str, int], int], InterpretationStatement]
