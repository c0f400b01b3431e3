"""One piece of work for a person, as a line of JSON: what is shown, and what is asked (GrailQA, section 3.1).

`form`: is this a form that somebody would ask for? `canonical`: write its question. `paraphrase`: say the question in
other words, what is in brackets as it is. `judgement`: do two questions mean the same, and is the new one natural?
`surface_forms`: which of these names does an entity have? The rules of who is asked how often are not here.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

FORM, CANONICAL, PARAPHRASE, JUDGEMENT, SURFACE_FORMS = "form", "canonical", "paraphrase", "judgement", "surface_forms"
TASKS = {
    FORM: "Could we expect somebody to ask this? Answer true or false.",
    CANONICAL: "Write the question that this graph asks. Keep the names of entities and values in [brackets].",
    PARAPHRASE: "Ask the same in other, natural words. Keep what is in [brackets] exactly as it is.",
    JUDGEMENT: "Does the new question mean the same, and is it natural English? "
    'Answer {"same_meaning": true or false, "natural": true or false}.',
    SURFACE_FORMS: "Which of these names are really used for this? Answer a list; leave out what you are not sure of.",
}
"""The tasks, and what each asks."""
FIELDS = ("item", "task", "parent", "author", "show", "ask")
_BRACKETED = re.compile(r"\[([^\[\]]*)\]")


class TaskLine(NamedTuple):
    """A line that goes out. What comes back has the same `item`, an `author`, and an `answer`."""

    item: str
    """The name of this piece of work, its own."""
    task: str
    parent: str
    """The item whose result this is about; empty for the first of a row."""
    author: str
    """Who made what is shown, who may not judge it; empty where that is this program."""
    show: dict[str, Any]
    ask: str

    def to_dict(self) -> dict[str, Any]:
        """The object of the line."""
        return dict(zip(FIELDS, self, strict=True))


def bracketed(text: str) -> list[str] | None:
    """What stands in brackets, sorted; none where brackets do not come in pairs.

    >>> bracketed("who is the writer of [Jaws] and [ET]?"), bracketed("who wrote [Jaws?")
    (['ET', 'Jaws'], None)
    """
    rest = _BRACKETED.sub("", text)
    return None if "[" in rest or "]" in rest else sorted(_BRACKETED.findall(text))
