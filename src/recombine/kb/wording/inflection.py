"""Forms of English words: plurals, articles, and what verbs become. Irregular ones are in the grammar's data."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from recombine.kb.wording.word_grammar import WordGrammar

_VOWELS = "aeiou"
_SPELT_WITH_VOWEL = "AEFHILMNORSX"
_BE = {"is": "are", "was": "were", "has": "have", "does": "do"}


class Deed(NamedTuple):
    """A verb as it is said: of one, of many, and its participle with `is`, or `was` where the deed is done."""

    one: str
    many: str
    participle: str
    be: str
    plain: str = ""
    """The plain form, as after `did`; empty where it is not known."""
    present: bool = True

    def asked(self, adverbs: str, tail: str) -> str:
        """What is asked by a verb whose object is missing: "does {} work for"; empty where it cannot be told."""
        return f"{'does' if self.present else 'did'} {{}} {adverbs}{self.plain}{tail}" if self.plain else ""


class Inflection:
    """The forms of words under a grammar.

    >>> from recombine.kb.wording.word_grammar import WordGrammar
    >>> english = Inflection(WordGrammar())
    >>> english.plural("unit of power"), english.singular("universities"), english.with_article("hour")
    ('units of power', 'university', 'an hour')
    """

    def __init__(self, grammar: WordGrammar) -> None:
        words = grammar.words
        self._plurals: dict[str, str] = dict(words["plurals"])
        self._past: dict[str, list[str]] = dict(words["past"])
        self._prepositions = grammar.word_set("prepositions")
        self._lasting = grammar.word_set("lasting")
        self._deeds = frozenset(words["agents"].values())
        self._no_participles = grammar.word_set("no_participles")
        self._vowels = tuple(words["vowel_sounds"])
        self._consonants = tuple(words["consonant_sounds"])

    def plural(self, noun: str) -> str:
        """A noun of many: the last word before a preposition, or before a participle, is the one that changes."""
        words = noun.split(" ")
        head = self._head(words)
        words[head] = self._plural_word(words[head])
        return " ".join(words)

    def singular(self, noun: str) -> str:
        """A noun of one."""
        words = noun.split(" ")
        head = self._head(words)
        words[head] = self._singular_word(words[head])
        return " ".join(words)

    def is_plural(self, noun: str) -> bool:
        """Whether a noun is that of many."""
        words = noun.split(" ")
        word = words[self._head(words)]
        return self._singular_word(word) != word

    def article(self, text: str) -> str:
        """`a` or `an`."""
        word = text.split(" ")[0]
        if word.isupper():
            return "an" if word[0] in _SPELT_WITH_VOWEL else "a"
        if word.startswith(self._vowels):
            return "an"
        return "an" if word[:1] in tuple(_VOWELS) and not word.startswith(self._consonants) else "a"

    def with_article(self, noun: str) -> str:
        """A noun after `a` or `an`."""
        return f"{self.article(noun)} {noun}"

    def is_participle(self, word: str) -> bool:
        """Whether a word is the participle of a verb: `written`, `released`."""
        if word in self._no_participles:
            return False
        return word in self._participles or (word.endswith("ed") and len(word) > 3)

    def may_be_verb(self, word: str) -> bool:
        """Whether an unknown word can be a verb in the present: `sits`, and not `species`."""
        return self._singular_word(word) != word and word not in self._singulars

    def deed_of_participle(self, word: str) -> Deed:
        """The verb that a participle is of: in the present where the deed lasts, else in the past."""
        lemma = self._participles.get(word) or self._lemma_of_regular(word)
        if lemma is not None:
            return self.deed(lemma)
        return Deed(word, word, word, "was")

    def deed_of_verb(self, word: str) -> Deed:
        """The verb of its present form, `contains`: said in the present."""
        lemma = self._lemma_of_present(word)
        return Deed(word, lemma, self._participle_of(lemma), "is", lemma)

    def deed(self, lemma: str) -> Deed:
        """A verb by its plain form."""
        participle = self._participle_of(lemma)
        if lemma in self._lasting:
            return Deed(self._present(lemma), lemma, participle, "is", lemma)
        past = self._past[lemma][0] if lemma in self._past else participle
        return Deed(past, past, participle, "was", lemma, present=False)

    def many(self, verb: str) -> str:
        """The verb of many of that of one: `are` of `is`, `wrote` of `wrote`."""
        if verb in _BE:
            return _BE[verb]
        if verb in self._pasts or verb.endswith(("ed", "ss")) or not verb.endswith("s"):
            return verb
        return self._lemma_of_present(verb)

    @cached_property
    def _singulars(self) -> dict[str, str]:
        return {many: one for one, many in self._plurals.items()}

    @cached_property
    def _participles(self) -> dict[str, str]:
        return {forms[1]: lemma for lemma, forms in sorted(self._past.items()) if forms[1] != lemma}

    @cached_property
    def _pasts(self) -> set[str]:
        return {forms[0] for forms in self._past.values()}

    def _head(self, words: list[str]) -> int:
        """The place of the noun in a phrase: before the first preposition, else the last; never a participle's."""
        end = next((i for i, word in enumerate(words) if i and word in self._prepositions), len(words))
        while end > 1 and self.is_participle(words[end - 1]):
            end -= 1
        return end - 1

    def _plural_word(self, word: str) -> str:
        if word in self._plurals:
            return self._plurals[word]
        if word in self._singulars:
            return word
        if word[:-1].isupper() and word.endswith("s"):
            return word
        if word.isupper() or word[-1:].isdigit():
            return f"{word}s"
        if self._singular_word(word) != word:
            return word
        if word.endswith("y") and word[-2:-1] not in _VOWELS:
            return f"{word[:-1]}ies"
        if word.endswith(("man", "men")):
            return f"{word[:-3]}men"
        return f"{word}es" if word.endswith(("s", "x", "z", "ch", "sh")) else f"{word}s"

    def _singular_word(self, word: str) -> str:
        if word in self._plurals:
            return word
        if word in self._singulars:
            return self._singulars[word]
        if word.endswith("men") and len(word) > 5:
            return f"{word[:-3]}man"
        if (
            (len(word) < 4 and not word[:-1].isupper())
            or not word.endswith("s")
            or word.endswith(("ss", "us", "is"))
            or word.isupper()
        ):
            return word
        if word[:-1].isupper():
            return word[:-1]
        if word.endswith("ies") and len(word) > 4:
            return f"{word[:-3]}y"
        return word[:-2] if word.endswith(("sses", "xes", "ches", "shes", "zzes")) else word[:-1]

    def _lemma_of_regular(self, word: str) -> str | None:
        """The plain form of a regular participle where the grammar has it."""
        stems = [word[:-2], word[:-1], f"{word[:-3]}y", word[:-3]]
        return next((stem for stem in stems if stem in self._lasting or stem in self._deeds), None)

    def _lemma_of_present(self, word: str) -> str:
        if word == "has":
            return "have"
        if word.endswith("ies"):
            return f"{word[:-3]}y"
        if word.endswith(("sses", "xes", "ches", "shes", "zzes", "oes")):
            return word[:-2]
        return word.removesuffix("s")

    def _participle_of(self, lemma: str) -> str:
        if lemma in self._past:
            return self._past[lemma][1]
        if lemma.endswith("e"):
            return f"{lemma}d"
        if lemma.endswith("y") and lemma[-2:-1] not in _VOWELS:
            return f"{lemma[:-1]}ied"
        return f"{lemma}ed"

    def _present(self, lemma: str) -> str:
        if lemma == "have":
            return "has"
        if lemma.endswith("y") and lemma[-2:-1] not in _VOWELS:
            return f"{lemma[:-1]}ies"
        return f"{lemma}es" if lemma.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{lemma}s"
