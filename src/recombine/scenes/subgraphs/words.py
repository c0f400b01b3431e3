"""English words by rule and by a data file: plurals, articles, pronouns, and verbs that stand without "is"."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.scenes.synthetic.ontology import Ontology

_VOWELS = "aeiou"
_HISSING = ("s", "x", "z", "ch", "sh")
_NOT_PLURAL = ("ss", "us", "is")
_OF = ("of", "with", "for", "in", "on")
"""What is after these words says more of a thing, and not what it is: a pair of scissors is one pair."""


@dataclass(frozen=True)
class Words:
    """The words that rules do not give."""

    plurals: Mapping[str, str] = field(default_factory=dict)
    uncountable: frozenset[str] = frozenset()
    plural_only: frozenset[str] = frozenset()
    singular_in_s: frozenset[str] = frozenset()
    an: tuple[str, ...] = ()
    a: tuple[str, ...] = ()
    an_still: tuple[str, ...] = ()
    pronouns: Mapping[str, str] = field(default_factory=dict)
    after: frozenset[str] = frozenset()
    finite: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def is_uncountable(self, noun: str) -> bool:
        """Whether a noun is a mass, as water is; of several words the last says it, or that before `of`."""
        return noun in self.uncountable or _last(noun) in self.uncountable

    def is_plural(self, noun: str) -> bool:
        """Whether a name is a plural already, as people annotate it: jeans, vases."""
        last = _last(noun)
        if last in self.plural_only:
            return True
        return last.endswith("s") and not last.endswith(_NOT_PLURAL) and last not in self.singular_in_s

    def is_countable(self, noun: str) -> bool:
        """Whether there can be two of it."""
        return not self.is_uncountable(noun) and not self.is_plural(noun)

    def plural(self, noun: str) -> str:
        """The plural of a noun; of a mass, or of what is one, itself.

        >>> [find_words().plural(noun) for noun in ("box", "puppy", "fire truck", "policewoman", "pair of jeans")]
        ['boxes', 'puppies', 'fire trucks', 'policewomen', 'pairs of jeans']
        """
        if noun in self.plurals:
            return self.plurals[noun]
        if not self.is_countable(noun):
            return noun
        said, rest = _phrase(noun)
        *before, last = said.split(" ")
        return " ".join([*before, self._plural_word(last)]) + rest

    def article(self, text: str) -> str:
        """`a` or `an`, by the beginning of a text.

        >>> [find_words().article(text) for text in ("old man", "hour glass", "uniform", "umbrella", "one-way sign")]
        ['an', 'an', 'a', 'an', 'a']
        """
        if text.startswith((*self.an, *self.an_still)):
            return "an"
        if text.startswith(self.a):
            return "a"
        return "an" if text[:1].lower() in _VOWELS else "a"

    def pronoun(self, noun: str, *, plural: bool = False) -> str:
        """What stands for an object that was named."""
        if plural or self.is_plural(noun):
            return "them"
        return self.pronouns.get(noun) or self.pronouns.get(_last(noun), "it")

    def stands_after(self, attribute: str) -> bool:
        """Whether an attribute comes after its noun: one that is listed, or of several words as `looking up`."""
        first, _, rest = attribute.partition(" ")
        return attribute in self.after or (bool(rest) and first.endswith("ing"))

    def _plural_word(self, word: str) -> str:
        if word in self.plurals:
            return self.plurals[word]
        if word.endswith(("man", "child")) and len(word) > 5:
            stem = "man" if word.endswith("man") else "child"
            return word.removesuffix(stem) + {"man": "men", "child": "children"}[stem]
        if word.endswith(_HISSING) or (word.endswith("o") and word[-2:-1] not in _VOWELS):
            return f"{word}es"
        if word.endswith("y") and word[-2:-1] not in _VOWELS:
            return f"{word[:-1]}ies"
        return f"{word}s"


def _last(noun: str) -> str:
    """The word that says what it is: the last one, or that before `of`."""
    return _phrase(noun)[0].rsplit(" ", 1)[-1]


def _phrase(noun: str) -> tuple[str, str]:
    """A name up to the word that says what it is, and the rest: `pair` and ` of scissors`."""
    words = noun.split(" ")
    for place, word in enumerate(words):
        if place and word in _OF:
            return " ".join(words[:place]), " " + " ".join(words[place:])
    return noun, ""


@cache
def find_words() -> Words:
    """The words that come with the package."""
    values = tomllib.loads((files("recombine.scenes.subgraphs") / "words.toml").read_text(encoding="utf-8"))
    nouns, articles = values["nouns"], values["articles"]
    return Words(
        values["plurals"],
        frozenset(nouns["uncountable"]),
        frozenset(nouns["plural_only"]),
        frozenset(nouns["singular_in_s"]),
        tuple(articles["an"]),
        tuple(articles["a"]),
        tuple(articles["an_still"]),
        {noun: pronoun for pronoun, listed in values["pronouns"].items() for noun in listed},
        frozenset(values["attributes"]["after"]),
        {name: (one, many) for name, (one, many) in values["finite"].items()},
    )


def words_of(ontology: Ontology) -> Words:
    """The words of the package with the plurals and masses that an ontology says."""
    words = find_words()
    return replace(
        words,
        plurals={**words.plurals, **{each.name: each.plural for each in ontology.nouns.values() if each.countable}},
        uncountable=words.uncountable | {each.name for each in ontology.nouns.values() if not each.countable},
    )
