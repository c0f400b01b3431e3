"""A form without what it is about: slots in the place of entities and literals, filled again by those of a question.

Slots are numbered for each kind by where they first stand, so that two of one entity are one slot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.models.kbqa.arrays.codes import END, SYMBOLS, first_link
from recombine.models.kbqa.arrays.question_arrays import ENTITY, LITERAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays

Template = tuple[str, ...]
"""Words of a form, in which `<entity 0>`, `<literal 0>` are slots."""
_NAMES = {ENTITY: "<entity {}>", LITERAL: "<literal {}>"}
_SLOTS = {name.format(number): (kind, number) for kind, name in _NAMES.items() for number in range(64)}


def form_template(codes: Iterable[int], schema: SchemaArrays, kinds: Sequence[int]) -> Template:
    """The template of a form by its codes; `kinds` are those of the question's links.

    >>> import numpy as np
    >>> from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays
    >>> schema = SchemaArrays(("film.director",), ("film director",), np.zeros(1, np.uint8))
    >>> " ".join(form_template([1, 7, 13, 15, 2, 0], schema, [ENTITY, ENTITY]))
    '( JOIN film.director <entity 0> )'
    """
    links = first_link(len(schema))
    slots: dict[int, str] = {}
    used = {ENTITY: 0, LITERAL: 0}
    words = []
    for code in codes:
        if code == END:
            break
        if code >= links:
            kind = int(kinds[code - links])
            if code not in slots:
                slots[code] = _NAMES[kind].format(used[kind])
                used[kind] += 1
            words.append(slots[code])
        else:
            words.append(SYMBOLS[code] if code < len(SYMBOLS) else schema.words[code - len(SYMBOLS)])
    return tuple(words)


def slots_of(template: Template) -> dict[int, int]:
    """How many entities and literals a template needs."""
    needed = {ENTITY: 0, LITERAL: 0}
    for word in template:
        if word in _SLOTS:
            kind, number = _SLOTS[word]
            needed[kind] = max(needed[kind], number + 1)
    return needed


def fits(needed: Mapping[int, int], kinds: Sequence[int]) -> bool:
    """Whether a question with links of these kinds has enough for a template."""
    return all(list(kinds).count(kind) >= number for kind, number in needed.items())


def grounded(template: Template, kinds: Sequence[int], links: Sequence[str]) -> list[str]:
    """The words of a template with the links of a question in its slots, in their order.

    >>> grounded(("(", "JOIN", "r", "<entity 0>", ")"), [LITERAL, ENTITY], ["12", "m.0"])
    ['(', 'JOIN', 'r', 'm.0', ')']
    """
    of_kind = {kind: [link for link, its in zip(links, kinds, strict=True) if its == kind] for kind in _NAMES}
    return [of_kind[_SLOTS[word][0]][_SLOTS[word][1]] if word in _SLOTS else word for word in template]
