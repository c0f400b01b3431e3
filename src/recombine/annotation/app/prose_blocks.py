"""A text that a campaign's author wrote, as paragraphs, headings and lists. Nothing in it is taken for markup."""

from __future__ import annotations

import re
from dataclasses import dataclass

NUMBER = re.compile(r"\d+[.)] ")


@dataclass(frozen=True)
class Block:
    """A run of lines: `text`, `heading`, `list` or `numbers`."""

    kind: str
    lines: tuple[str, ...]


def prose_blocks(text: str) -> list[Block]:
    """The blocks of a text; they are parted by empty lines, and a list's lines begin with `- ` or `1. `.

    >>> [block.kind for block in prose_blocks("# Rules\\nRead on.\\n\\n- one\\n- two\\n\\n1. first")]
    ['heading', 'text', 'list', 'numbers']
    """
    blocks: list[Block] = []
    fresh = True
    for line in (line.strip() for line in text.strip().splitlines()):
        if line:
            _add(blocks, *_kind(line), fresh)
        fresh = not line
    return blocks


def _add(blocks: list[Block], kind: str, line: str, fresh: bool) -> None:
    last = blocks[-1] if blocks else None
    if last and not fresh and kind == "text" and last.kind in ("list", "numbers"):
        blocks[-1] = Block(last.kind, (*last.lines[:-1], f"{last.lines[-1]} {line}"))
    elif last and last.kind == kind and kind != "heading" and (not fresh or kind != "text"):
        blocks[-1] = Block(kind, (*last.lines, line))
    else:
        blocks.append(Block(kind, (line,)))


def _kind(line: str) -> tuple[str, str]:
    if line.startswith("# "):
        return "heading", line[2:].strip()
    if line.startswith(("- ", "* ")):
        return "list", line[2:].strip()
    if number := NUMBER.match(line):
        return "numbers", line[number.end() :].strip()
    return "text", line
