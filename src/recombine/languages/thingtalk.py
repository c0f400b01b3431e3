"""ThingTalk after the steps of `local_structures`, appendix A.3: `filter ( Person ) ( count ( award ) >= NUMBER_VAL )`.

`parse` reads the original form of the paper's table 8, too, and takes the steps itself: `now =>` and `=> notify` go,
`@org.schema.Person.Person` is `Person`, `param:award:Array (String)` is `award`, `( Person ) filter` is
`filter ( Person )`, numbers and strings are `NUMBER_VAL` and `STR_VAL`, comparisons get brackets. What is preprocessed
has them, and none that are needless.

The tree: `filter` over a table and a condition; `and`, `or` and `!` over conditions, where `and` binds tighter; an
operator over a field, or `count` over a field, and a value; `[]` over the values of a list; `fields` over fields and
last their query, `aggregate` over its function, its field if any, and its query, `sort` over field, direction and
query, `compute` over a function of a field and a query, each with `of` in the text; `at` over a query and how many of
its rows are taken, `( … ) [ NUMBER_VAL ]` in the text. Dates, units, places and joins are not read.

`normalise` sorts and flattens `and` and `or`, and removes a `compute count` whose query has counted the same field.
"""

from __future__ import annotations

import re

from recombine.errors import ProgramError
from recombine.languages.anonymised import placeholders
from recombine.languages.language import Language
from recombine.languages.literals import no_literals
from recombine.languages.too_deep import refuse_too_deep, too_deep
from recombine.tree import MAX_DEPTH, Tree

NAME = "ThingTalk"
NUMBER, STRING = "NUMBER_VAL", "STR_VAL"
OPERATORS = ("==", ">=", "<=", "!=", "=~", "=", ">", "<", "contains~", "contains", "in_array~", "in_array")
_TOKEN = re.compile(
    r"""\s*(?:(?P<string>(?:"+[^"]*"+|QUOTED_\w+)(?:\s*\^\^[\w.:]+)?)
    |@[\w.]*?(?P<scope>\w+)(?=[\s)]|$)
    |param:(?P<field>[\w.]+)(?::\w+(?:\s*\((?:[^()]|\([^()]*\))*\))?)?
    |(?P<number>-?\d+(?:\.\d+)?|NUMBER_\d+)(?=[\s)\],]|$)
    |enum:(?P<enum>\w+)
    |(?P<sign>=>|==|>=|<=|!=|=~|[=<>!()\[\],])
    |(?P<word>[A-Za-z_][\w.]*~?))""",
    re.VERBOSE,
)
_VALUE_OF_COLUMN = re.compile(r'param:(\w+)|"+\s*([^"]+?)\s*"+')


class _Reader:
    """The tokens of one program and how far they are read."""

    def __init__(self, text: str) -> None:
        tokens: list[tuple[str, int]] = []
        self.original = False
        at, end = 0, len(text.rstrip())
        while at < end:
            match = _TOKEN.match(text, at)
            if match is None or match.lastgroup is None:
                at += len(text[at:]) - len(text[at:].lstrip())
                raise ProgramError(NAME, at, f"{text[at]!r} is of no use here", "remove it, or close its quotes")
            kind = match.lastgroup
            token = {"string": STRING, "number": NUMBER}.get(kind, match[kind])
            tokens.append((token, match.start(kind)))
            self.original |= kind in ("scope", "field")
            at = match.end()
        words = [token for token, _ in tokens]
        tokens = tokens[2:] if words[:2] == ["now", "=>"] else tokens
        tokens = tokens[:-2] if words[-2:] == ["=>", "notify"] else tokens
        if not tokens:
            raise ProgramError(NAME, 0, "an empty program", "leave the example out")
        self.tokens = [*tokens, ("", end)]
        self.next = 0
        self.inside = 0

    def enter(self) -> None:
        """Go into brackets or under a negation; the callers of `leave` come out again."""
        self.inside += 1
        if self.inside >= MAX_DEPTH:
            raise too_deep(NAME, self.tokens[self.next][1])

    def leave(self) -> None:
        self.inside -= 1

    def peek(self) -> str:
        return self.tokens[self.next][0]

    def take(self, wanted: str) -> bool:
        """Whether the next token is this; it is then read."""
        if self.peek() != wanted:
            return False
        self.next += 1
        return True

    def must_take(self, wanted: str) -> None:
        if not self.take(wanted):
            raise self.fault(repr(wanted))

    def word(self, what: str) -> str:
        token = self.peek()
        if not (token[:1].isalpha() or token[:1] == "_") or token in ("and", "or", "of", "filter"):
            raise self.fault(what)
        self.next += 1
        return token

    def fault(self, wanted: str) -> ProgramError:
        """What to raise where something else is wanted."""
        token, place = self.tokens[self.next]
        instead = f"{token!r} stands" if token else "the program ends"
        return ProgramError(NAME, place, f"{instead} where {wanted} belongs", "write it, or move the bracket")


def parse_thingtalk(text: str) -> Tree:
    """The tree of a program, original or preprocessed.

    >>> parse_thingtalk("now => (@org.schema.Person.Person) filter param:age:Number >= 8 => notify").children[1]
    Tree(label='>=', children=(Tree(label='age', children=()), Tree(label='NUMBER_VAL', children=())))
    """
    reader = _Reader(text)
    alone = len(reader.tokens) == 4 and reader.peek() == "("
    tree = _bracketed_query(reader) if alone else _query(reader)
    if reader.peek():
        raise reader.fault("the end")
    refuse_too_deep(tree, language=NAME)
    return tree


def _query(reader: _Reader) -> Tree:
    if reader.take("filter"):
        return Tree("filter", (_bracketed_query(reader), _condition(reader)))
    if reader.peek() == "(":
        return _query_in_brackets(reader)
    if reader.peek() == "[" or reader.peek() == "fields":
        closing = "]" if reader.take("[") else ")"
        if closing == ")":
            reader.must_take("fields")
            reader.must_take("(")
        before = _separated_fields(reader)
        reader.must_take(closing)
        return Tree("fields", (*before, _query_of(reader)))
    if reader.take("aggregate"):
        function = Tree(reader.word("a function"))
        field = () if reader.peek() == "of" else (Tree(reader.word("a field")),)
        return Tree("aggregate", (function, *field, _query_of(reader)))
    if reader.take("compute"):
        computed = reader.word("a function")
        reader.must_take("(")
        fields = _separated_fields(reader)
        reader.must_take(")")
        return Tree("compute", (Tree(computed, tuple(fields)), _query_of(reader)))
    if reader.take("sort"):
        field = (Tree(reader.word("a field")),)
        if reader.peek() not in ("asc", "desc"):
            raise reader.fault("'asc' or 'desc'")
        return Tree("sort", (*field, Tree(reader.word("a direction")), _query_of(reader)))
    return Tree(reader.word("a table"))


def _query_in_brackets(reader: _Reader) -> Tree:
    """What begins with brackets: rows that are taken of a query, and in the original form a query with a filter."""
    opened = reader.next
    inner = _bracketed_query(reader)
    if reader.take("["):
        rows = _value(reader)
        reader.must_take("]")
        return Tree("at", (inner, rows))
    if reader.original:
        return Tree("filter", (inner, _condition(reader))) if reader.take("filter") else inner
    reader.next = opened
    raise reader.fault("a table")


def _separated_fields(reader: _Reader) -> list[Tree]:
    fields = [Tree(reader.word("a field"))]
    while reader.take(","):
        fields.append(Tree(reader.word("a field")))
    return fields


def _query_of(reader: _Reader) -> Tree:
    reader.must_take("of")
    return _bracketed_query(reader)


def _bracketed_query(reader: _Reader) -> Tree:
    reader.enter()
    reader.must_take("(")
    tree = _query(reader)
    reader.must_take(")")
    reader.leave()
    return tree


def _condition(reader: _Reader) -> Tree:
    members = [_conjunction(reader)]
    while reader.take("or"):
        members.append(_conjunction(reader))
    return members[0] if len(members) == 1 else Tree("or", tuple(members))


def _conjunction(reader: _Reader) -> Tree:
    members = [_atom(reader)]
    while reader.take("and"):
        members.append(_atom(reader))
    return members[0] if len(members) == 1 else Tree("and", tuple(members))


def _atom(reader: _Reader) -> Tree:
    if reader.original and reader.peek() not in ("(", "!"):
        return _comparison(reader)
    reader.enter()
    opened = reader.next
    if reader.take("!"):
        negated = Tree("!", (_atom(reader),))
        reader.leave()
        return negated
    reader.must_take("(")
    nested = reader.original or reader.peek() in ("(", "!")
    tree = _condition(reader) if nested else _comparison(reader)
    reader.must_take(")")
    reader.leave()
    if nested and not reader.original and tree.label not in ("and", "or"):
        raise ProgramError(NAME, reader.tokens[opened][1], "brackets around one condition", "remove them")
    return tree


def _comparison(reader: _Reader) -> Tree:
    field = Tree(reader.word("a field"))
    if reader.take("("):
        field = Tree(field.label, (Tree(reader.word("a field")),))
        reader.must_take(")")
    operator = reader.peek()
    if operator not in OPERATORS:
        raise reader.fault("an operator")
    reader.next += 1
    return Tree(operator, (field, _value(reader)))


def _value(reader: _Reader) -> Tree:
    if not reader.take("["):
        return Tree(reader.word("a value"))
    values = [Tree(reader.word("a value"))]
    while reader.take(","):
        values.append(Tree(reader.word("a value")))
    reader.must_take("]")
    return Tree("[]", tuple(values))


def render_thingtalk(tree: Tree) -> str:
    """The preprocessed text of a tree.

    >>> original = "now => (@org.schema.Person.Person) filter count (param:award:Array (String)) >= 8 => notify"
    >>> render_thingtalk(parse_thingtalk(original))
    'filter ( Person ) ( count ( award ) >= NUMBER_VAL )'
    """
    label, children = tree.label, tree.children
    if label == "filter":
        return f"filter ( {render_thingtalk(children[0])} ) {_render_condition(children[1])}"
    if not children:
        return label
    if label == "at":
        return f"( {render_thingtalk(children[0])} ) [ {children[1].label} ]"
    if label == "compute":
        fields = " , ".join(child.label for child in children[0].children)
        return f"compute {children[0].label} ( {fields} ) of ( {render_thingtalk(children[1])} )"
    before = f"{' , ' if label == 'fields' else ' '}".join(child.label for child in children[:-1])
    return f"{label} {f'( {before} )' if label == 'fields' else before} of ( {render_thingtalk(children[-1])} )"


def _render_condition(tree: Tree) -> str:
    label, children = tree.label, tree.children
    if label in ("and", "or"):
        loose = ("and", "or") if label == "and" else ("or",)
        parts = [_render_condition(child) for child in children]
        bracketed = [f"( {part} )" if c.label in loose else part for c, part in zip(children, parts, strict=True)]
        return f" {label} ".join(bracketed)
    if label == "!":
        inner = _render_condition(children[0])
        return f"! ( {inner} )" if children[0].label in ("and", "or") else f"! {inner}"
    field, value = children
    left = f"{field.label} ( {field.children[0].label} )" if field.children else field.label
    right = f"[ {' , '.join(child.label for child in value.children)} ]" if value.children else value.label
    return f"( {left} {label} {right} )"


def normalise_thingtalk(tree: Tree) -> Tree:
    """The program with the members of `and` and `or` flat and sorted, and no field counted twice.

    >>> text = "filter ( Person ) ( name == STR_VAL ) and ( ( age == STR_VAL ) and ( job == STR_VAL ) )"
    >>> render_thingtalk(normalise_thingtalk(parse_thingtalk(text)))
    'filter ( Person ) ( age == STR_VAL ) and ( job == STR_VAL ) and ( name == STR_VAL )'
    """
    return without_repeated_count(tree).mapped(_sorted_members)


def without_repeated_count(tree: Tree) -> Tree:
    """The program without a `compute count` of a field over rows that were sorted by the count of that field.

    >>> text = "compute count ( award ) of ( ( sort count desc of ( compute count ( award ) of ( Person ) ) ) [ 1 ] )"
    >>> render_thingtalk(without_repeated_count(parse_thingtalk(text)))
    '( sort count desc of ( compute count ( award ) of ( Person ) ) ) [ NUMBER_VAL ]'
    """
    return tree.mapped(_counted_once)


def _counted_once(node: Tree) -> Tree:
    if node.label != "compute" or not node.children:
        return node
    function, rows = node.children
    by_count = rows.label == "at" and rows.children[0].label == "sort" and rows.children[0].children[0].label == "count"
    inner = rows.children[0].children[2] if by_count else rows
    counted = inner.label == "compute" and function.label == "count" and inner.children[0] == function
    return rows if by_count and counted else node


def _sorted_members(node: Tree) -> Tree:
    if node.label not in ("and", "or") or not node.children:
        return node
    flat = [inner for child in node.children for inner in (child.children if child.label == node.label else (child,))]
    return Tree(node.label, tuple(sorted(flat, key=_render_condition)))


def anonymise_thingtalk(tree: Tree) -> Tree:
    """The program with the names of fields and the operators replaced.

    >>> render_thingtalk(anonymise_thingtalk(parse_thingtalk("sort age asc of ( Person )")))
    'sort FIELD OPERATOR of ( Person )'
    """
    return tree.mapped(_anonymous)


def _anonymous(node: Tree) -> Tree:
    label, children = placeholders("schema2qa").of(node.label), node.children
    if label == "OPERATOR" and children:
        field = Tree(children[0].label, (Tree("FIELD"),)) if children[0].children else Tree("FIELD")
        return Tree(label, (field, children[1]))
    if label == "fields" and children:
        return Tree(label, (*(Tree("FIELD") for _ in children[:-1]), children[-1]))
    if label == "sort" and children:
        return Tree(label, (Tree("FIELD"), *children[1:]))
    if label == "compute" and children:
        function = children[0]
        return Tree(label, (Tree(function.label, tuple(Tree("FIELD") for _ in function.children)), children[1]))
    if label == "aggregate" and len(children) == 3:
        return Tree(label, (children[0], Tree("FIELD"), children[2]))
    return Tree(label, children)


def utterance_with_columns(utterance: str, program: str) -> str:
    """The utterance with every string value of its original program replaced by the column it is compared with.

    >>> program = '(@org.schema.Person.Person) filter param:worksFor:Entity contains "crossbars"'
    >>> utterance_with_columns("are there people that works for crossbars ?", program)
    'are there people that works for worksFor ?'
    """
    columns: dict[str, str] = {}
    column = ""
    for match in _VALUE_OF_COLUMN.finditer(program):
        if match[1]:
            column = match[1]
        elif column:
            columns.setdefault(match[2], column)
    for value in sorted(columns, key=len, reverse=True):
        utterance = utterance.replace(value, columns[value])
    return utterance


# The reader itself puts STR_VAL and NUMBER_VAL in the places of literals.
THINGTALK = Language(
    "thingtalk", parse_thingtalk, render_thingtalk, normalise_thingtalk, anonymise_thingtalk, no_literals
)
