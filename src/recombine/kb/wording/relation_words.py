"""The words of a relation, read off its name or taken from the grammar.

A name is read by its shape: `written_by`, `ships_built`, `symptom_of`, `member_of_family`, `games_with_this_mode`,
`located_in`, `contains`, `date_founded`, and all else as the noun of what the relation leads to. Which side a verb or
noun is said of is the point of each shape: `symptom_of` is a noun of what the relation leads *from*.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from recombine.kb.wording.inflection import Inflection
from recombine.kb.wording.name_words import split_words
from recombine.kb.wording.predicate import GAP, NOUN, PASSIVE, POSSESSIVE, VERB, VP, WHOSE, Predicate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.kb.wording.word_grammar import WordGrammar

_ADJECTIVE = re.compile(r".*(?:ible|able|ent|ant|ful|ous|ive|al|ic|ary)")
_ASIDE = re.compile(r"\((?!s\))[^)]*\)")
_PASSIVE = re.compile(r"(?:is|was) (?:\w+ )*?\w+(?:ed|en|t|n|d|ld|de) (?:by|in|on|at|for|to|from|with|as|of|under) ")


class RelationWords(NamedTuple):
    """What a relation says of the thing it leads from (`subject`) and of the one it leads to (`object`)."""

    subject: tuple[Predicate, ...]
    object: tuple[Predicate, ...]
    noun: str = ""
    """A noun that one side is to the other: the `producer` of a film; of one."""
    noun_of_subject: bool = False
    """Whether the noun is that of the thing that the relation leads from: the `symptom` of a disease."""
    link: str = "of"
    """What stands between the noun and the other side."""
    several: bool = False
    """Whether there may be several such: a producer, not the producer."""
    moment: str = ""
    """Of a relation to dates: the deed that is dated, "was first released"."""

    def said_of(self, *, subject: bool) -> tuple[Predicate, ...]:
        """What is said of one side."""
        return self.subject if subject else self.object

    def without_deeds(self) -> RelationWords:
        """The words without verbs for nouns of those who do something: of nodes that stand for a fact."""
        if not self.noun or self.link != "of":
            return self
        subject, other = (
            tuple(each for each in side if each.style in (NOUN, POSSESSIVE)) for side in (self.subject, self.object)
        )
        return self._replace(subject=subject, object=other) if subject and other else self

    def turned(self) -> RelationWords:
        """The words of the relation that says the same the other way round."""
        return self._replace(subject=self.object, object=self.subject, noun_of_subject=not self.noun_of_subject)


class RelationReader:
    """Reads the words of relations.

    >>> from recombine.kb.wording.word_grammar import WordGrammar
    >>> reader = RelationReader(WordGrammar())
    >>> words = reader.read(["written", "by"])
    >>> words.subject[0].one, words.object[0].one
    ('was written by {}', 'wrote {}')
    >>> reader.read(["symptom", "of"]).subject[0].one, reader.read(["symptoms"]).object[0].one
    ('is a symptom of {}', 'is a symptom of {}')
    """

    def __init__(self, grammar: WordGrammar) -> None:
        self.grammar = grammar
        self.english = Inflection(grammar)
        words = grammar.words
        self._prepositions = grammar.word_set("prepositions")
        self._adverbs = grammar.word_set("adverbs")
        self._verbs = grammar.word_set("verbs")
        self._nouns_too = grammar.word_set("nouns_too")
        self._intransitive = grammar.word_set("intransitive")
        self._members = grammar.word_set("members")
        self._circumstances: Mapping[str, str] = words["circumstances"]
        self._agents: Mapping[str, str] = words["agents"]
        self._date_nouns = frozenset(grammar.values["words"]["date_nouns"])

    def words_of(self, text: str) -> list[str]:
        """The words of a name's last part, or of a label."""
        whole = _ASIDE.sub(" ", text).strip()
        return split_words(whole or text, self.grammar.words["acronyms"])

    def given(self, said: Mapping[str, Any], default: RelationWords) -> RelationWords:
        """The words that the grammar gives for a relation; what it leaves open is as the name says."""
        words = default
        noun = said.get("noun") or said.get("of")
        if noun:
            words = self._role(noun, several=bool(said.get("plural", False)))
            words = words.turned() if not said.get("noun") else words
        sides = {}
        for side in ("subject", "object"):
            if side in said:
                own = tuple(self._given_phrase(text) for text in said[side])
                kept = getattr(words, side) if noun else ()
                sides[side] = own + tuple(each for each in kept if each.style in (NOUN, POSSESSIVE))
        if len(sides) == 2 and not noun:
            words = words._replace(noun="")  # what is given says all
        return words._replace(subject=sides.get("subject", words.subject), object=sides.get("object", words.object))

    def read(self, words: list[str], *, literal: bool = False) -> RelationWords:
        """The words of a relation whose name has these words; `literal` says that it leads to values."""
        several = len(words) > 1 and words[-1] == "s"
        words = words[:-1] if several else list(words)
        if len(words) > 1 and words[0] in ("has", "is", "was", "are"):
            words = words[1:]
        words = [word for word in words if word != "being"]  # treatment being tested
        if not words:
            return self._role("value" if literal else "relation", several=False)
        for shape in (self._this, self._here, self._by, self._of, self._verb, self._phrase, self._participle):
            read = shape(words, literal=literal)
            if read is not None:
                return read
        return self._role(" ".join(words), several=several)

    # -- shapes --------------------------------------------------------------------------------------------------------

    def _this(self, words: list[str], *, literal: bool) -> RelationWords | None:
        """`games_with_this_mode`: the thing it leads from is the mode of a game."""
        if literal or "this" not in words[1:-1]:
            return None
        return self._role(" ".join(words[words.index("this") + 1 :]), several=False).turned()

    def _here(self, words: list[str], *, literal: bool) -> RelationWords | None:
        """`breeds_originating_here`, `telescopes_based_on_this`: the thing that the relation leads from."""
        if literal or len(words) < 3 or words[-1] not in ("here", "this"):
            return None
        last = next((place for place, word in enumerate(words[:-1]) if self.english.is_plural(word)), 0)
        noun, rest = " ".join(words[: last + 1]), " ".join(words[last + 1 : -1])
        there, of_it = (f"{rest} there", f"{rest} in {{}}") if words[-1] == "here" else (f"{rest} it", f"{rest} {{}}")
        one, many = self.english.singular(noun), self.english.plural(noun)
        return RelationWords(
            (self._vp(VERB, f"has {{}} among the {many} {there}"),),
            (Predicate(NOUN, VP, f"is {self._a(one)} {of_it}", f"are {many} {of_it}"),),
        )

    def _by(self, words: list[str], *, literal: bool) -> RelationWords | None:
        """`written_by`, and `costume_design_by`."""
        if literal or len(words) < 2 or words[-1] != "by":
            return None
        before, last = words[:-2], words[-2]
        if self.english.is_participle(last):
            deed, adverbs = self.english.deed_of_participle(last), "".join(f"{word} " for word in before)
            return RelationWords(
                (self._vp(PASSIVE, f"{deed.be} {adverbs}{deed.participle} by {{}}"),),
                (
                    Predicate(VERB, VP, f"{adverbs}{deed.one} {{}}", f"{adverbs}{deed.many} {{}}"),
                    self._gap(PASSIVE, deed.be, f"{adverbs}{deed.participle} by"),
                ),
            )
        noun = " ".join(words[:-1])
        return RelationWords(
            (self._vp(NOUN, f"has {noun} by {{}}"), Predicate(POSSESSIVE, WHOSE, *[f"whose {noun} is by {{}}"] * 2)),
            (self._vp(NOUN, f"is responsible for the {noun} of {{}}"), self._vp(VERB, f"did the {noun} of {{}}")),
        )

    def _of(self, words: list[str], *, literal: bool) -> RelationWords | None:
        """`symptom_of`, and `member_of_family`: nouns of the thing that the relation leads from."""
        if literal or "of" not in words[1:]:
            return None
        place = words.index("of", 1)
        if self.english.is_participle(words[place - 1]) or words[0] in self._verbs:
            return None
        head = words[:place]
        if words[-1] == "of":
            return self._role(" ".join(words[:-1]), several=True).turned()
        if self.english.singular(head[-1]) in self._members and not self.english.is_plural(head[-1]):
            kind = self.english.singular(" ".join(words[place + 1 :]))
            return self._role(" ".join(head), several=True, kind=kind).turned()
        return None

    def _phrase(self, words: list[str], *, literal: bool) -> RelationWords | None:
        """`located_in`, `portrayed_in_music_videos`, `countries_spoken_in`, `responsible_for`."""
        if words[0] in self._prepositions and len(words) > 1 and not literal:  # from region
            return self._located("is", words[0], self.english.singular(" ".join(words[1:])))
        ends = [place for place, word in enumerate(words) if place and word in self._prepositions]
        if not ends:
            return None
        place = ends[-1]
        before, preposition = words[:place], words[place]
        after = [word for word in words[place + 1 :] if word not in ("this", "these", "the")]
        start = next((i for i, word in enumerate(before) if word not in self._adverbs and word[-2:] != "ly"), 0)
        done = before[start:]
        if len(done) == 1 and self.english.is_participle(done[0]):
            deed = self.english.deed_of_participle(done[0])
            be, phrase, noun = deed.be, " ".join([*before[:start], deed.participle, preposition]), " ".join(after)
            if done[0] in self._intransitive:  # appeared in
                return self._went(phrase, self.english.singular(noun) if noun else "")
            if preposition == "to" and after:  # used to treat
                phrase, noun = f"{phrase} {noun}", ""
        elif not after and len(done) > 1 and self.english.is_participle(done[-1]):
            deed = self.english.deed_of_participle(done[-1])
            be, phrase, noun = deed.be, f"{deed.participle} {preposition}", " ".join(done[:-1])
        elif not after and _ADJECTIVE.fullmatch(done[-1]):
            be, phrase, noun = "is", " ".join([*before, preposition]), ""
        elif not after and self.english.is_plural(" ".join(before)):  # countries within
            return self._here([" ".join(before), preposition, "this"], literal=literal)
        elif not after and not literal and words[0] not in self._verbs:  # successor to
            noun = " ".join(before)
            be, phrase, noun = "is", f"{self._a(noun)} {preposition}", ""
        else:
            return None
        return self._located(be, phrase, self.english.singular(noun) if noun else "", literal=literal)

    def _located(self, be: str, phrase: str, noun: str, *, literal: bool = False) -> RelationWords:
        other = f"the {noun} {{}}" if noun else "{}"
        gap = f"{{}} {be} {phrase}"
        called = self.english.with_article(noun) if noun else "the one"
        many = self.english.plural(noun) if noun else "the ones"
        return RelationWords(
            (self._vp(PASSIVE, f"{be} {phrase} {'{}' if literal else other}", named=noun),),
            (
                Predicate(NOUN, VP, f"is {called} that {gap}", f"are {many} that {gap}"),
                self._gap(PASSIVE, be, phrase),
            ),
            moment=f"{be} {phrase}".rpartition(" ")[0] if literal else "",
        )

    def _went(self, phrase: str, noun: str) -> RelationWords:
        """`appeared_in`, `lived_in`: what the thing that the relation leads from did itself."""
        gap = f"{{}} {phrase}"
        called, many = (self._a(noun), self.english.plural(noun)) if noun else ("the one", "the ones")
        return RelationWords(
            (self._vp(VERB, f"{phrase} the {noun} {{}}" if noun else f"{phrase} {{}}", named=noun),),
            (
                Predicate(NOUN, VP, f"is {called} that {gap}", f"are {many} that {gap}"),
                Predicate(VERB, GAP, gap, gap),
            ),
        )

    def _verb(self, words: list[str], *, literal: bool) -> RelationWords | None:
        """`contains`, `includes_events`, `works_for`, `appears_in_lists`."""
        start = next((i for i, word in enumerate(words) if word not in self._adverbs and word[-2:] != "ly"), 0)
        verb, rest = words[start], words[start + 1 :]
        preposition = " ".join(rest[:1]) if rest and rest[0] in self._prepositions else ""
        known = verb in self._verbs and (verb not in self._nouns_too or bool(preposition))
        if verb == "has" or not (known or (rest == [preposition] and self.english.may_be_verb(verb))):
            return None
        deed, adverbs = self.english.deed_of_verb(verb), "".join(f"{word} " for word in words[:start])
        after = [word for word in rest[bool(preposition) :] if word not in ("this", "these", "the")]
        noun = self.english.singular(" ".join(after)) if after else ""
        tail = f" {preposition}" if preposition else ""
        other = f"the {noun} {{}}" if noun and not literal else "{}"
        one, many_do = (f"{adverbs}{each}{tail} {other}" for each in (deed.one, deed.many))
        said = Predicate(VERB, VP, one, many_do, noun)
        gap = f"{{}} {adverbs}{deed.one}{tail}"
        called, many = ("the one", "the ones") if not noun else (self._a(noun), self.english.plural(noun))
        turned = [
            Predicate(NOUN, VP, f"is {called} that {gap}", f"are {many} that {gap}"),
            Predicate(VERB, GAP, gap, gap, asked=deed.asked(adverbs, tail)),
        ]
        if not preposition:
            turned.insert(0, self._vp(PASSIVE, f"is {adverbs}{deed.participle} by {{}}"))
        return RelationWords((said,), tuple(turned))

    def _participle(self, words: list[str], *, literal: bool) -> RelationWords | None:
        """`ships_built`, `place_founded`, `first_released`, `influenced`."""
        if not self.english.is_participle(words[-1]):
            return None
        deed = self.english.deed_of_participle(words[-1])
        nouns = [word for word in words[:-1] if word not in self._adverbs and word[-2:] != "ly"]
        adverbs = "".join(f"{word} " for word in words[:-1] if word not in nouns)
        if nouns and nouns[-1] in self._circumstances:
            phrase = f"{adverbs}{deed.participle} {self._circumstances[nouns[-1]]}"
            read = self._located("was", phrase, "" if literal else " ".join(nouns))
            return read._replace(
                subject=(self._vp(PASSIVE, f"was {phrase} {{}}"),),
                moment=f"was {adverbs}{deed.participle}",
                noun=" ".join(words) if literal else "",
            )
        if literal:
            noun = " ".join(words) if nouns else f"{' '.join(words)} date"
            role = self._role(noun, several=False)
            return role if nouns else role._replace(moment=f"was {adverbs}{deed.participle}")
        if not nouns:
            said = Predicate(VERB, VP, f"{adverbs}{deed.one} {{}}", f"{adverbs}{deed.many} {{}}")
            gap = f"{{}} {adverbs}{deed.one}"
            return RelationWords(
                (said,),
                (
                    self._vp(PASSIVE, f"{deed.be} {adverbs}{deed.participle} by {{}}"),
                    Predicate(VERB, GAP, gap, gap, asked=deed.asked(adverbs, "")),
                ),
            )
        return self._made(" ".join(nouns), adverbs, words[-1])

    def _made(self, noun: str, adverbs: str, participle: str) -> RelationWords:
        """`ships_built`: the thing that the relation leads from is the one that builds."""
        deed, one, many = self.english.deed_of_participle(participle), self.english.singular(noun), noun
        built = f"{adverbs}{deed.participle}"
        verb = Predicate(VERB, VP, f"{adverbs}{deed.one} the {one} {{}}", f"{adverbs}{deed.many} the {one} {{}}", one)
        whose = [f"whose {self.english.plural(many)} {built} include {{}}"] * 2
        gap = f"{{}} {adverbs}{deed.one}"
        return RelationWords(
            (verb, Predicate(POSSESSIVE, WHOSE, *whose)),
            (
                self._vp(PASSIVE, f"{deed.be} {built} by {{}}"),
                Predicate(
                    NOUN, VP, f"is {self._a(one)} {built} by {{}}", f"are {self.english.plural(one)} {built} by {{}}"
                ),
                Predicate(VERB, GAP, gap, gap, asked=deed.asked(adverbs, "")),
            ),
            noun=f"{one} {built}",
            link="by",
            several=self.english.is_plural(noun),
        )

    def _role(self, noun: str, *, several: bool, kind: str = "") -> RelationWords:
        """A noun that the second thing is to the first, which is of a kind: a member of the family …"""
        other_side = f"the {kind} {{}}" if kind else "{}"
        several = several or self.english.is_plural(noun)
        one = self.english.singular(noun)
        many = self.english.plural(one)
        article = self._a(one) if several else f"the {one}"
        whose = f"whose {many} include {{}}" if several else f"whose {one} is {{}}"
        owned = f"is one of {{}}'s {many}" if several else f"is {{}}'s {one}"
        subject = [
            self._vp(NOUN, f"has the {one} {{}}", named=one),
            Predicate(POSSESSIVE, WHOSE, whose, whose),
        ]
        other = [
            Predicate(NOUN, VP, f"is {article} of {other_side}", f"are {many} of {other_side}", kind),
        ]
        if not kind:
            other.append(Predicate(POSSESSIVE, VP, owned, f"are {{}}'s {many}"))
        if one in self._agents:
            deed = self.english.deed(self._agents[one])
            subject.append(self._vp(PASSIVE, f"{deed.be} {deed.participle} by {{}}"))
            other.append(Predicate(VERB, VP, f"{deed.one} {{}}", f"{deed.many} {{}}"))
        return RelationWords(
            tuple(subject), tuple(other), one, link=f"of the {kind}" if kind else "of", several=several
        )

    # -- phrases -------------------------------------------------------------------------------------------------------

    def _a(self, noun: str) -> str:
        return self.english.with_article(noun)

    def _vp(self, style: str, one: str, *, named: str = "") -> Predicate:
        return Predicate(style, VP, one, self.of_many(one), named)

    def _gap(self, style: str, be: str, phrase: str) -> Predicate:
        gap = f"{{}} {be} {phrase}"
        return Predicate(style, GAP, gap, gap, asked=f"{be} {{}} {phrase}")

    def of_many(self, one: str) -> str:
        """A verb phrase of one thing as it is of many.

        >>> from recombine.kb.wording.word_grammar import WordGrammar
        >>> RelationReader(WordGrammar()).of_many("is the sibling of {}")
        'are siblings of {}'
        """
        verb, _, rest = one.partition(" ")
        if verb in self._adverbs or verb.endswith("ly"):
            return f"{verb} {self.of_many(rest)}"
        many = self.english.many(verb)
        match = re.match(r"(?:an?|the) ([^{]*?)(?= (?:of|by|in|on|at|for|to|from|with|that) )", rest)
        if verb in ("is", "was") and match is not None and match[1] != "one":
            rest = self.english.plural(match[1]) + rest[match.end() :]
        return f"{many} {rest}"

    def _given_phrase(self, text: str) -> Predicate:
        """A phrase of the grammar with its style, by its look."""
        if text.startswith("whose "):
            return Predicate(POSSESSIVE, WHOSE, text, text)
        if text.startswith("{} ") and not text.startswith("{}'s"):
            return Predicate(VERB, GAP, text, text)
        if _PASSIVE.match(text):
            return self._vp(PASSIVE, text)
        noun = re.match(r"(?:has|(?:is|was) (?:an?|the)) ", text) and not re.search(r" (?:which|where|that) ", text)
        style = NOUN if noun else VERB
        return self._vp(style, text)
