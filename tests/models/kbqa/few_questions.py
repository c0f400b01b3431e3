"""Some questions over a schema of six relations and three classes, with vocabularies, targets and candidates."""

from __future__ import annotations

import numpy as np

from recombine.models.kbqa.arrays.codes import END, SYMBOLS, first_link
from recombine.models.kbqa.arrays.question_arrays import ENTITY, LITERAL, QuestionArrays
from recombine.models.kbqa.arrays.ragged import Ragged
from recombine.models.kbqa.arrays.schema_arrays import CLASS, RELATION, SchemaArrays
from recombine.models.kbqa.arrays.tries import Tries

RELATIONS = (
    "film.film.directed_by",
    "film.film.written_by",
    "film.film.starring",
    "book.book.author",
    "book.book.publisher",
    "book.book.pages",
)
CLASSES = ("film.film", "book.book", "people.person")
NAMES = ("Alien", "Dune", "Emma", "Solaris", "Stalker", "Ulysses", "Walden", "Zorba")
VERBS = ("directed by", "written by", "starring", "author", "publisher", "pages")
SCHEMA = SchemaArrays(
    (*RELATIONS, *CLASSES),
    tuple(word.replace(".", " ").replace("_", " ") for word in (*RELATIONS, *CLASSES)),
    np.array([RELATION] * len(RELATIONS) + [CLASS] * len(CLASSES), np.uint8),
)
LINK = first_link(len(SCHEMA))


def coded(*words: str) -> list[int]:
    """The codes of words; `#0` is the first link."""
    known = {word: code for code, word in enumerate((*SYMBOLS, *SCHEMA.words))}
    return [LINK + int(word[1:]) if word.startswith("#") else known[word] for word in words]


def turned(relation: str) -> list[int]:
    """`(JOIN (R relation) #0)`."""
    return coded("(", "JOIN", "(", "R", relation, ")", "#0", ")")


def straight(relation: str) -> list[int]:
    """`(JOIN relation #0)`."""
    return coded("(", "JOIN", relation, "#0", ")")


def one_question(number: int) -> tuple[str, str, list[int], list[str]]:
    """A question's text, what it links, its target, and the relations near it."""
    name, at = NAMES[number % len(NAMES)], number // len(NAMES) % len(VERBS)
    if number % 3 == 0:
        return f"what has {VERBS[at]} {name}?", name, straight(RELATIONS[at]), list(RELATIONS)
    return f"{VERBS[at]} of {name}?", name, turned(RELATIONS[at]), list(RELATIONS)


def few_questions(numbers: range) -> QuestionArrays:
    """The questions of these numbers. All relations are near, and candidates have one or both directions."""
    made = [one_question(number) for number in numbers]
    forms = [[[*make(relation), END] for relation in near for make in (straight, turned)] for _, _, _, near in made]
    counted = [[[*coded("(", "COUNT"), *form[:-1], *coded(")"), END] for form in some] for some in forms]
    return QuestionArrays(
        ids=tuple(f"q{number}" for number in numbers),
        texts=tuple(text for text, _, _, _ in made),
        link_begins=np.arange(len(made) + 1, dtype=np.int64),
        link_words=tuple(f"m.{name.lower()}" for _, name, _, _ in made),
        link_texts=tuple(name for _, name, _, _ in made),
        link_kinds=np.full(len(made), ENTITY, np.uint8),
        vocabulary=Ragged.of([list(range(len(RELATIONS)))] * len(made)),
        pruned=np.ones(len(made), np.bool_),
        targets=Ragged.of([target for _, _, target, _ in made]),
        candidates=Tries.of([some + more for some, more in zip(forms, counted, strict=True)]),
    )


def uneven_questions() -> QuestionArrays:
    """Four questions that differ in everything: links, vocabularies, candidates; the third has none of them."""
    return QuestionArrays(
        ids=("a", "b", "c", "d"),
        texts=("which films by Alien have 3 pages?", "Dune?", "", "who is the author of Emma and Solaris today?"),
        link_begins=np.array([0, 2, 3, 3, 5]),
        link_words=("m.alien", "3^^xsd:integer", "m.dune", "m.emma", "m.solaris"),
        link_texts=("Alien", "3", "Dune", "Emma", "Solaris"),
        link_kinds=np.array([ENTITY, LITERAL, ENTITY, ENTITY, ENTITY], np.uint8),
        vocabulary=Ragged.of([[0, 5, 6], [1], list(range(len(SCHEMA))), [3, 4, 7, 8]]),
        pruned=np.array([True, True, False, True]),
        targets=Ragged.of([straight(RELATIONS[0]), turned(RELATIONS[1]), [], straight(RELATIONS[3])]),
        candidates=Tries.of(
            [
                [
                    [*coded("(", "AND", "film.film", "(", "JOIN", RELATIONS[0], "#0", ")", ")"), END],
                    [*coded("(", "AND", "film.film", "(", "ge", RELATIONS[5], "#1", ")", ")"), END],
                    [*straight(RELATIONS[0]), END],
                ],
                [[*turned(RELATIONS[1]), END]],
                [],
                [[*make(relation), END] for relation in RELATIONS[2:5] for make in (straight, turned)],
            ]
        ),
    )
