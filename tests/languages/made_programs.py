"""Made-up values and calls, drawn from a seed, for the readers of people's own data."""

from __future__ import annotations

import json
import random
from typing import Any

from recombine.errors import ProgramError
from recombine.languages.language import Language
from recombine.tree import Tree

FUNCTIONS = ("get_weather", "book.table", "send mail", "search", "Größe")
KEYS = ("city", "date", "n", "a.b", "with blank", "größe", "", "name", "arguments", "[]", 'q"uote')
WORDS = ("Rome", "new york", "", 'a "b"', "tab\there", "ok()", "{}", "5", "null", "é", "\U0001f600")


def drawing(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311


def read_or_refusal(language: Language, text: str) -> Tree | ProgramError:
    """The tree of a text, which must read back, or the error, which must be one line with a place in the text."""
    try:
        tree = language.parse(text)
    except ProgramError as error:
        found = error
    else:
        assert language.parse(language.render(tree)) == tree, text
        normal = language.normalise(tree)
        assert language.normalise(normal) == normal, text
        assert language.render(language.anonymise(normal)), text
        return tree
    assert 0 <= found.position <= len(text), text
    assert found.remedy
    assert "\n" not in str(found)
    return found


def some_number(draw: random.Random) -> Any:
    return draw.choice([0, 1, -3, 2.5, 1e30, 10**25, -0.0, 1.5e-9, draw.randrange(10**6), draw.random()])


def some_value(draw: random.Random, depth: int = 3) -> Any:
    """A value of JSON, with calls here and there."""
    kind = draw.randrange(9 if depth else 4)
    if kind < 2:
        return draw.choice(WORDS)
    if kind == 2:
        return some_number(draw)
    if kind == 3:
        return draw.choice([True, False, None])
    if kind < 6:
        return [some_value(draw, depth - 1) for _ in range(draw.randrange(4))]
    if kind < 8:
        return {key: some_value(draw, depth - 1) for key in draw.sample(KEYS, draw.randrange(4))}
    return some_call(draw, depth - 1)


def some_call(draw: random.Random, depth: int = 2) -> dict[str, Any]:
    arguments = {key: some_value(draw, depth) for key in draw.sample(KEYS, draw.randrange(4))}
    return {"name": draw.choice(FUNCTIONS), "arguments": arguments}


def shuffled(value: Any, draw: random.Random) -> Any:
    """The same value with the keys of every object in another order."""
    if isinstance(value, list):
        return [shuffled(item, draw) for item in value]
    if isinstance(value, dict):
        items = [(key, shuffled(item, draw)) for key, item in value.items()]
        draw.shuffle(items)
        return dict(items)
    return value


def fuzzed(text: str, draw: random.Random, signs: str) -> str:
    """The text with one to three of its characters dropped, doubled, exchanged or put in."""
    for _ in range(draw.randint(1, 3)):
        at = draw.randrange(len(text) + 1)
        what = draw.randrange(4)
        if what == 0:
            text = text[:at] + text[at + 1 :]
        elif what == 1:
            text = text[:at] + draw.choice(signs) + text[at:]
        elif what == 2:
            text = text[:at] + draw.choice(signs) + text[at + 1 :]
        else:
            text = text[: at + draw.randrange(6)] + text[at:]
    return text


def spellings(name: str, arguments: dict[str, Any]) -> list[Any]:
    """One call as the common interfaces spell it."""
    text = json.dumps(arguments)
    return [
        {"name": name, "arguments": arguments},
        {"arguments": text, "name": name},
        {"name": name, "parameters": arguments},
        {"type": "tool_use", "id": "toolu_01", "name": name, "input": arguments},
        {"id": "call_1", "type": "function", "function": {"name": name, "arguments": text}},
        {"function_call": {"name": name, "arguments": text}},
        {"functionCall": {"name": name, "args": arguments}},
        {"name": name, "args": arguments, "id": "x", "type": "tool_call"},
        {"type": "function_call", "call_id": "call_9", "id": "fc_1", "name": name, "arguments": text},
        {"function": name, "parameters": arguments},
        {"tool": name, "tool_input": arguments},
        {"index": 0, "id": "call_1", "type": "function", "function": {"name": name, "arguments": text}},
    ]


def some_python(draw: random.Random, depth: int = 3, *, order: random.Random | None = None) -> str:
    """An expression; with `order`, the same one with keyword arguments and keys in an order of that generator."""

    def inner() -> str:
        return some_python(draw, depth - 1, order=order)

    def arranged(parts: list[str]) -> list[str]:
        if order is not None:
            order.shuffle(parts)
        return parts

    kind = draw.randrange(12 if depth else 3)
    if kind == 0:
        return draw.choice(["x", "df", "größe", "True", "None"])
    if kind == 1:
        return draw.choice(["0", "7", "-3", "2.5", "1e999", "0x1F", "-2j", "1_000"])
    if kind == 2:
        return repr(draw.choice(WORDS))
    names = draw.sample(["city", "n", "date", "to"], draw.randrange(4))
    if kind < 6:
        parts = [inner() for _ in range(draw.randrange(3))]
        named = arranged([f"{name}={inner()}" for name in names])
        return f"{draw.choice(['f', '(x).get', 'a.b.c', '(f)'])}({', '.join([*parts, *named])})"
    if kind == 6:
        return f"({inner()}).{draw.choice(['head', 'sum'])}({inner()})[{inner()}]"
    if kind == 7:
        return f"({inner()} {draw.choice(['+', '**', 'and', '<', 'not in', 'is not'])} {inner()})"
    if kind == 8:
        return f"({draw.choice(['-', 'not ', '~'])}{inner()})"
    if kind == 9:
        return "{" + ", ".join(arranged([f"{name!r}: {inner()}" for name in names])) + "}"
    if kind == 10:
        return f"[{inner()}, *{inner()}, ({inner()},), ({inner()})[:{inner()}]]"
    return f"[{inner()} for x in {inner()} if {inner()}]"
