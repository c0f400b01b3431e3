"""Pairs such as people bring: tool calls, Python calls, TOP and SQL, whose texts and numbers hardly come twice."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

Pairs = list[tuple[str, str]]
FUNCTIONS = ("get_weather", "book_table", "send_mail", "find_flight", "play_song", "set_alarm", "convert", "translate")
ARGUMENTS = ("place", "day", "number", "to", "title", "language", "options", "list")


def _text(draw: random.Random) -> str:
    return f"{draw.choice(('Rome', 'Oslo', 'Lima', 'Bonn'))} {draw.randrange(10**6)}"


def _value(draw: random.Random, argument: str) -> Any:
    """A value of the type that an argument has."""
    if argument == "day":
        return f"20{draw.randrange(10, 30)}-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}"
    if argument == "number":
        return draw.choice((draw.randrange(10**6), round(draw.random() * 100, 2)))
    if argument == "options":
        return {name: draw.random() < 0.5 for name in draw.sample(("fast", "cheap", "loud"), draw.randint(1, 2))}
    if argument == "list":
        return [_text(draw) for _ in range(draw.randint(1, 3))]
    return _text(draw)


def _calls(draw: random.Random) -> tuple[str, dict[str, Any]]:
    """A function and the arguments of one call; which arguments a function can have is fixed."""
    function = draw.randrange(len(FUNCTIONS))
    own = [ARGUMENTS[(function + step) % len(ARGUMENTS)] for step in (0, 1, 3, 4, 6)]
    given = draw.sample(own, draw.randint(1, 4))
    return FUNCTIONS[function], {name: _value(draw, name) for name in sorted(given)}


def tool_call(draw: random.Random) -> str:
    function, arguments = _calls(draw)
    return json.dumps({"name": function, "arguments": arguments})


def python_call(draw: random.Random) -> str:
    function, arguments = _calls(draw)
    text = f"api.{function}({', '.join(f'{name}={value!r}' for name, value in arguments.items())})"
    return draw.choice((text, f"{text}.first({draw.randrange(1000)})", f"sorted({text})", f"[{text}, {text}]"))


def top_text(draw: random.Random) -> str:
    function, arguments = _calls(draw)
    slots = [f"[SL:{name.upper()} {_text(draw)} ]" for name in arguments]
    if draw.random() < 0.3:
        slots.insert(0, f"[SL:WHO [IN:GET_CONTACT [SL:NAME {_text(draw)} ] ] ]")
    words = [f"word{draw.randrange(500)} {slot}" for slot in slots]
    return f"[IN:{function.upper()} please {' '.join(words)} ]"


KINDS: dict[str, Callable[[random.Random], str]] = {"json": tool_call, "python": python_call, "top": top_text}


def own_pairs(language: str, number: int, seed: int = 0) -> Pairs:
    """So many pairs whose targets are in a language."""
    draw = random.Random(seed)  # noqa: S311
    return [(f"question {place}", KINDS[language](draw)) for place in range(number)]
