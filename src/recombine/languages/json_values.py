"""JSON: any value, and tool calls in the spellings of the common interfaces.

An object is `{}` over its members, an array is `[]` over its items, every other value is a leaf: a string in quotes, a
number in its one form (`1`, `1.0` and `10e-1` are `1`), `true`, `false`, `null`. A member is a node with the path of
its key, `order.size` or `orders[].size`, over its value; members are sorted by their keys, so that their order does not
matter. A part of a path that is no plain word is quoted.

An object of a name and arguments is a call: `get_weather()` over its arguments, with paths such as `arguments.city`,
which begin anew in every call. A call is known by its shape, see `_call`; whatever its spelling was, it is written
`{"name": …, "arguments": {…}}`. Its own id and type, which are of one message, are left out.

A key that stands twice, NaN, infinity and a byte order mark are refused: their meaning differs between programs. More
than `MAX_DEPTH` brackets inside each other are refused.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NoReturn

from recombine.errors import ProgramError
from recombine.languages.language import Language
from recombine.languages.literals import BOOLEAN, leaves_typed, literal_kind
from recombine.languages.too_deep import refuse_too_deep, too_deep
from recombine.tree import MAX_DEPTH, Tree

if TYPE_CHECKING:
    from collections.abc import Iterable

NAME = "JSON"
NAMES = ("name", "function", "tool", "tool_name")
"""The keys under which the name of a call may stand."""
ARGUMENTS = ("arguments", "parameters", "input", "args", "tool_input")
"""The keys under which the arguments of a call may stand."""
WRAPPERS = ("function", "function_call", "functionCall", "tool_call")
"""The keys under which a whole call may stand."""
LISTS = ("tool_calls", "function_calls")
"""The keys under which a list of calls may stand."""
KINDS = ("function", "function_call", "tool_call", "tool_use")
"""The types that say of an object that it is a call."""
_IDS = ("id", "call_id", "tool_call_id")
_OBJECT, _ARRAY, _CALL, _PLACE = "{}", "[]", "()", "arguments"

_BLANKS = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([-+]?[0-9]+))?(?![\w.+-])")
_WORD = re.compile(r"[-+]?[\w.+-]+|.", re.DOTALL)
_PLAIN_KEY = re.compile(r"[^\s\x00-\x1f\ud800-\udfff.\"\\\[\](){}]+")
_HALF = re.compile("[\ud800-\udfff]")
_STRINGS = json.JSONDecoder()
_MOST_ZEROS, _LARGEST_EXPONENT = 20, 999_999

Member = tuple[str, "Value", int]


class Value:
    """A value with where it begins: a leaf with its text, or an object or array with its parts."""

    __slots__ = ("items", "kind", "members", "position", "text")

    def __init__(
        self, kind: str, position: int, text: str = "", items: Iterable[Value] = (), members: Iterable[Member] = ()
    ) -> None:
        self.kind, self.position, self.text = kind, position, text
        self.items, self.members = list(items), {key: value for key, value, _ in members}


class _Reader:
    """Reads one text from its beginning to its end."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.levels = text, 0, 0

    def refuse(self, problem: str, remedy: str, position: int | None = None) -> NoReturn:
        raise ProgramError(NAME, self.at if position is None else position, problem, remedy)

    def next_character(self) -> str:
        """The next character that is no blank, or nothing at the end."""
        match = _BLANKS.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.text[self.at : self.at + 1]

    def whole(self) -> Value:
        if self.text.startswith("\ufeff"):
            self.refuse("a byte order mark", "remove it, or read the file as utf-8-sig")
        if not self.next_character():
            self.refuse("an empty program", "leave the example out", 0)
        value = self.value()
        if self.next_character():
            self.refuse(f"{self.word()!r} after the end of the value", "remove it, or put several values in an array")
        return value

    def word(self) -> str:
        match = _WORD.match(self.text, self.at)
        return match[0][:40] if match else ""

    def value(self) -> Value:
        character, start = self.next_character(), self.at
        if character == '"':
            return Value('"', start, self.string())
        if character in ("{", "["):
            self.levels += 1
            if self.levels > MAX_DEPTH:
                raise too_deep(NAME, start)
            value = self.object() if character == "{" else self.array()
            self.levels -= 1
            return value
        if character == "":
            self.refuse("a value is missing", "write it, or close the brackets before it", min(start, len(self.text)))
        return Value("", start, self.plain())

    def string(self) -> str:
        try:
            found, self.at = _STRINGS.raw_decode(self.text, self.at)
        except json.JSONDecodeError as error:
            if error.msg.startswith("Unterminated"):
                self.refuse("a string that does not end", "close its quotes")
            if error.msg.startswith("Invalid control"):
                self.refuse("a control character in a string", r"write it as \n, \t or \u00XX", error.pos)
            self.refuse("a backslash before what it cannot stand before", "double it, or mend it", error.pos)
        text = str(found)
        if _HALF.search(text):  # two halves of one character, one of them escaped, are that character
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        return text

    def plain(self) -> str:
        """A number in its one form, or one of the three words."""
        match = _NUMBER.match(self.text, self.at)
        if match:
            sign, whole, part, exponent = match.groups("")
            power = int(exponent[:20] or 0) - len(part)
            number = one_form(sign, whole + part, power)
            if abs(int(number.partition("e")[2] or 0)) > _LARGEST_EXPONENT:
                self.refuse(f"a number with the exponent {exponent[:20]}", "write a smaller one, or a string")
            self.at = match.end()
            return number
        word = self.word()
        if word not in ("true", "false", "null"):
            if word.lstrip("+-") in ("NaN", "Infinity"):
                self.refuse(f"{word} is no JSON value", "write null, or a string")
            if word in ("True", "False", "None", "'"):
                self.refuse(f"{word} is Python's, not JSON's", "write JSON, or use the language python")
            self.refuse(f"{word!r} is no JSON value", "put a string in double quotes")
        self.at += len(word)
        return word

    def array(self) -> Value:
        start, items = self.at, []
        self.at += 1
        if self.next_character() == "]":
            self.at += 1
            return Value("[", start)
        while True:
            items.append(self.value())
            if self.ends("]", start):
                return Value("[", start, items=items)

    def object(self) -> Value:
        start = self.at
        members: list[Member] = []
        seen: set[str] = set()
        self.at += 1
        if self.next_character() == "}":
            self.at += 1
            return Value("{", start)
        while True:
            if self.next_character() != '"':
                self.refuse("a key is missing", "write a key in double quotes before each value")
            place = self.at
            key = self.string()
            if key in seen:
                self.refuse(f"the key {_quoted(key)} stands twice", "remove one of them", place)
            seen.add(key)
            if self.next_character() != ":":
                self.refuse(f"no colon after the key {_quoted(key)}", "put one there")
            self.at += 1
            members.append((key, self.value(), place))
            if self.ends("}", start):
                return Value("{", start, members=members)

    def ends(self, bracket: str, start: int) -> bool:
        """Whether the object or array ends here; else the comma before what follows is passed."""
        character = self.next_character()
        if character == "":
            self.refuse("a bracket that is not closed", "close it", start)
        if character not in (bracket, ","):
            self.refuse(f"{self.word()!r} after a value", f"put a comma or {bracket} before it")
        self.at += 1
        if character == bracket:
            return True
        if self.next_character() == bracket:
            self.refuse("a comma with nothing after it", "remove it", self.at - 1)
        return False


def one_form(sign: str, digits: str, exponent: int) -> str:
    """The one text of a number: no needless zeros, an exponent only where there would be many.

    >>> one_form("", "10", -1), one_form("-", "5", 30), one_form("", "25", -2), one_form("-", "0", 0)
    ('1', '-5e30', '0.25', '0')
    """
    significant = digits.lstrip("0")
    if not significant:
        return "0"
    shortest = significant.rstrip("0")
    exponent += len(significant) - len(shortest)
    point = len(shortest) + exponent  # how many digits stand before the point
    if exponent >= 0 and point <= len(shortest) + _MOST_ZEROS:
        return sign + shortest + "0" * exponent
    if exponent < 0 and point >= -_MOST_ZEROS:
        return sign + (shortest[:point] if point > 0 else "0") + "." + "0" * -min(point, 0) + shortest[max(point, 0) :]
    return f"{sign}{shortest}e{exponent}"


def _quoted(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    return _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", quoted)


def parse_json(text: str) -> Tree:
    """The tree of a value.

    >>> parse_json('{"name": "f", "arguments": {"city": "Rome"}}')
    Tree(label='f()', children=(Tree(label='arguments.city', children=(Tree(label='"Rome"', children=()),)),))
    >>> parse_json('{"function": {"name": "f", "arguments": "{\\\\"city\\\\": \\\\"Rome\\\\"}"}}') == _
    True
    >>> parse_json('[1.0, null]')
    Tree(label='[]', children=(Tree(label='1', children=()), Tree(label='null', children=())))
    """
    tree = _tree(_Reader(text).whole(), "")
    refuse_too_deep(tree, language=NAME)
    return tree


def _tree(value: Value, path: str) -> Tree:
    if value.kind == "[":
        return Tree(_ARRAY, tuple(_tree(item, f"{path}[]") for item in value.items))
    if value.kind == '"':
        return Tree(_quoted(value.text))
    if value.kind == "":
        return Tree(value.text)
    called = _call(value)
    if called is not None:
        name, arguments = called
        return Tree(_call_label(name), _members(arguments, _PLACE))
    calls = _calls(value)
    return Tree(_OBJECT, _members(value, path)) if calls is None else _tree(calls, path)


def _members(value: Value, path: str) -> tuple[Tree, ...]:
    members = value.members
    places = [(_joined(path, key), members[key]) for key in sorted(members)]
    return tuple(Tree(place, (_tree(member, place),)) for place, member in places)


def _joined(path: str, key: str) -> str:
    part = key if _PLAIN_KEY.fullmatch(key) else _quoted(key)
    return f"{path}.{part}" if path else part


def _call_label(name: str) -> str:
    return (name if _PLAIN_KEY.fullmatch(name.replace(".", "_")) else _quoted(name)) + _CALL


def _call(value: Value) -> tuple[str, Value] | None:
    """The name and the arguments of an object that is a call.

    Beside an id and a type of `KINDS` it has a name, one of `NAMES`, with a text, and arguments, one of `ARGUMENTS`,
    with an object or with the text of one; or it has one of `WRAPPERS` with a call.
    """
    members = _without_message(value)
    if len(members) == 1:
        (key, inner), *_ = members.items()
        return _call(inner) if key in WRAPPERS and inner.kind == "{" else None
    name, arguments = _one_of(members, NAMES), _one_of(members, ARGUMENTS)
    if len(members) != 2 or name is None or arguments is None or name.kind != '"':
        return None
    given = _read_text(arguments) if arguments.kind == '"' else arguments
    return (name.text, given) if given is not None and given.kind == "{" else None


def _without_message(value: Value) -> dict[str, Value]:
    """The members of an object but for those that tell one message from another."""
    return {
        key: inner
        for key, inner in value.members.items()
        if not (inner.kind == '"' and (key in _IDS or (key == "type" and inner.text in KINDS)))
        and not (key == "index" and inner.kind == "" and inner.text.isdecimal())
    }


def _one_of(members: dict[str, Value], keys: Iterable[str]) -> Value | None:
    return next((members[key] for key in keys if key in members), None)


def _read_text(value: Value) -> Value | None:
    """The object that a text is the JSON of, or nothing where it does not begin as one."""
    if not value.text.lstrip(" \t\n\r").startswith("{"):
        return None
    try:
        return _Reader(value.text).whole()
    except ProgramError as error:
        where = error.problem.removeprefix(f"{NAME} program, ")
        raise ProgramError(NAME, value.position, f"the text of the arguments, {where}", error.remedy) from None


def _calls(value: Value) -> Value | None:
    """The list of calls of a message that has nothing else to say: no content, and any role."""
    members = {
        key: inner
        for key, inner in value.members.items()
        if not (key == "role" and inner.kind == '"')
        and not (key == "content" and (inner.kind, inner.text) in (('"', ""), ("", "null")))
    }
    calls = _one_of(members, LISTS)
    if len(members) != 1 or calls is None or calls.kind != "[":
        return None
    return calls if all(item.kind == "{" and _call(item) is not None for item in calls.items) else None


def render_json(tree: Tree) -> str:
    """The text of a tree, calls in one spelling.

    >>> render_json(parse_json('{"tool_calls": [{"name": "f", "input": {"b": 1e1, "a": null}}]}'))
    '[{"name": "f", "arguments": {"a": null, "b": 10}}]'
    """
    return _text(tree, "")


def _text(tree: Tree, path: str) -> str:
    label = tree.label
    if label == _ARRAY:
        return f"[{', '.join(_text(item, f'{path}[]') for item in tree.children)}]"
    if label == _OBJECT:
        return _object_text(tree, path)
    if label.endswith(_CALL):  # no other value does: a string ends in its quotes
        name = label.removesuffix(_CALL)
        quoted = name if name.startswith('"') else _quoted(name)
        return f'{{"name": {quoted}, "arguments": {_object_text(tree, _PLACE)}}}'
    return label


def _object_text(tree: Tree, path: str) -> str:
    members = []
    for member in tree.children:
        key = member.label[len(path) + 1 :] if path else member.label
        quoted = key if key.startswith('"') else _quoted(key)
        members.append(f"{quoted}: {_text(member.children[0], member.label)}")
    return f"{{{', '.join(members)}}}"


def anonymise_json(tree: Tree) -> Tree:
    """The value with other strings and numbers in place of its own; names, keys, true, false and null stay.

    >>> render_json(anonymise_json(parse_json('{"city": "Rome", "days": [3, true]}')))
    '{"city": "STRING", "days": ["NUMBER", true]}'
    """
    return tree.mapped(_anonymous)


def _anonymous(node: Tree) -> Tree:
    if node.children or node.label.endswith(_CALL) or node.label in (_OBJECT, _ARRAY, "true", "false", "null"):
        return node
    return Tree('"STRING"' if node.label.startswith('"') else '"NUMBER"')


def _kind(label: str) -> str | None:
    return BOOLEAN if label in ("true", "false") else literal_kind(label)


JSON = Language("json", parse_json, render_json, anonymise=anonymise_json, type_literals=leaves_typed(_kind))
