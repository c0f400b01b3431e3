"""Noun phrases, verb phrases and relative clauses for the parts of a query's tree, in one style.

Leaves stand as marks, `mark(place)`, for which names are put in later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from recombine.kb.wording.predicate import (
    GAP,
    NOUN,
    PASSIVE,
    POSSESSIVE,
    VERB,
    VP,
    WHOSE,
    Predicate,
    is_short,
    relative,
)
from recombine.kb.wording.query_tree import DATE, NUMBER, TEXT

if TYPE_CHECKING:
    from recombine.kb.wording.inflection import Inflection
    from recombine.kb.wording.query_tree import Branch, TreeNode
    from recombine.kb.wording.relation_words import RelationReader
    from recombine.kb.wording.word_grammar import WordGrammar

OPEN, CLOSE = "\x00", "\x01"
THING = "thing"


class Role(NamedTuple):
    """A noun, what links it to the other side, the other side, and whether there may be several."""

    noun: str
    link: str
    other: str
    several: bool


def mark(place: int) -> str:
    """What stands for a leaf."""
    return f"{OPEN}{place}{CLOSE}"


class Phrases:
    """The phrases of one style; `used` holds the styles that phrases were really in."""

    def __init__(self, reader: RelationReader, grammar: WordGrammar, style: str) -> None:
        self.reader, self.english, self.grammar, self.style = reader, reader.english, grammar, style
        self.used: set[str] = set()

    english: Inflection

    def verb_phrase(self, branches: list[Branch], *, many: bool = False) -> str | None:
        """What the branches say of their node, as verb phrases; none where one cannot be said so."""
        groups = _alike(branches)
        chosen = [self._chosen(group) for group in groups]
        if any(predicate.form != VP for predicate in chosen):
            return None
        said = [self._filled(each, group, many=many) for each, group in zip(chosen, groups, strict=True)]
        return self._joined(said, groups)

    def clause(self, branches: list[Branch], *, many: bool = False) -> str:
        """What the branches say of their node, as relative clauses: all short, or none."""
        groups = _alike(branches)
        chosen = [self._chosen(group, clause=True) for group in groups]
        said = [self._filled(each, group, many=many) for each, group in zip(chosen, groups, strict=True)]
        short = all(is_short(each, text) for each, text in zip(chosen, said, strict=True))
        return self._joined(
            [relative(each, text, short=short) for each, text in zip(chosen, said, strict=True)], groups
        )

    def asked(self, branches: list[Branch]) -> str | None:
        """What asks for the node by the gap that it leaves in what is said of one entity: "does Ann work for"."""
        if len(branches) != 1 or not branches[0].child.leaf or self.style == NOUN:
            return None
        predicate = self._chosen(_alike(branches)[0], clause=True)
        return predicate.asked.replace("{}", self.noun_phrase(branches[0].child)) or None

    def noun_phrase(self, node: TreeNode, *, called: str = "") -> str:
        """A node and what hangs on it; `called` is a noun to use for that of its class."""
        if node.leaf:
            return mark(node.place)
        if not called and len(node.branches) == 1 and (role := self.role(node.branches[0], reverse=False)):
            self.used.add(NOUN)
            article = self.english.article(role.noun) if role.several else "the"
            return f"{article} {role.noun} {role.link} {role.other}"
        noun = called or node.noun or THING
        if not node.branches:
            return f"any {noun}"
        article = "the" if any(branch.child.superlative for branch in node.branches) else self.english.article(noun)
        return f"{article} {noun} {self.clause(node.branches)}"

    def role(self, branch: Branch, *, reverse: bool = True) -> Role | None:
        """A noun that says both the class of the upper node and its tie to the lower.

        None where the noun is that of the lower node, or says too little.
        """
        for words in (branch.words, branch.reverse if reverse else None):
            if words is None or not words.noun or branch.child.kind == "literal":
                continue
            if words.noun_of_subject == branch.subject and branch.implied_above:
                kind = words.link.partition(" the ")[2]
                if kind and not branch.child.leaf:
                    return Role(words.noun, "of", self.noun_phrase(branch.child, called=kind), words.several)
                return Role(words.noun, words.link, self.noun_phrase(branch.child), words.several)
        return None

    def _chosen(self, group: list[Branch], *, clause: bool = False) -> Predicate:
        """The predicate of the style, else the first that is a verb phrase."""
        branch = group[0]
        single = branch.child.leaf and len(group) == 1
        if branch.child.kind == "literal":
            chosen = self._value(branch)
        else:
            known = list(branch.words.said_of(subject=branch.subject))
            if branch.reverse is not None and self.style != NOUN:
                known += branch.reverse.said_of(subject=branch.subject)
            usable = [each for each in known if (single or "{}'s" not in each.one) and (single or each.form != GAP)]
            of_style = (each for each in usable if each.style == self.style)
            chosen = next(of_style, None) or next(each for each in usable if each.form == VP)
            if clause and single and " that {}" in chosen.one:
                chosen = next((each for each in known if each.form == GAP), chosen)
        self.used.add(chosen.style)
        return chosen

    def _filled(self, predicate: Predicate, group: list[Branch], *, many: bool) -> str:
        text, branch = predicate.many if many else predicate.one, group[0]
        child, apposed = branch.child, f"the {predicate.named} {{}}"
        if len(group) > 1:
            names = " and ".join(mark(each.child.place) for each in group)
            if predicate.named:
                return text.replace(apposed, f"the {self.english.plural(predicate.named)} {names}")
            return text.replace("{}", f"both {names}")
        if (same := self._same(predicate, branch, text)) is not None:
            return same
        if child.leaf or not predicate.named or apposed not in text:
            return text.replace("{}", self.noun_phrase(child))
        if branch.implied_below or _same_head(predicate.named, child.noun):
            return text.replace(apposed, self.noun_phrase(child, called=predicate.named))
        phrase = self.noun_phrase(child, called=child.noun)
        verb = text.split(" ")[0]
        if text == f"{verb} {apposed}" and verb in ("has", "have"):
            return f"{verb} as {self.english.with_article(predicate.named)} {phrase}"
        return text.replace(apposed, phrase)

    def _same(self, predicate: Predicate, branch: Branch, text: str) -> str | None:
        """ "has the same owner as", where what the lower node is to the upper, it is to one entity too."""
        child, noun = branch.child, predicate.named
        if not noun or not text.endswith(f" the {noun} {{}}") or len(child.branches) != 1 or not branch.implied_below:
            return None
        if text.split(" ")[0] not in ("has", "have") or not child.branches[0].child.leaf:
            return None
        role = self.role(child.branches[0])
        if role is None or role.noun != noun or role.link != "of":
            return None
        return text.replace(f"the {noun} {{}}", f"the same {noun} as {role.other}")

    def _value(self, branch: Branch) -> Predicate:
        """What is said of a thing by one of its values."""
        child, words = branch.child, branch.words
        function, way = child.function, 1 if self.style == POSSESSIVE else 0
        noun = words.noun or (words.moment.partition(" ")[2] + " date" if words.moment else "value")
        if words.several and words.noun and child.value == NUMBER:
            noun = f"number of {self.english.plural(noun)}"
        values = self.grammar.values
        table = values["date" if child.value == DATE else "number"]
        if function in ("argmax", "argmin"):
            if words.moment and child.value == DATE and self.style in (VERB, PASSIVE):
                said = f"{words.moment} {values['moment'][function][way]}"
                return Predicate(self.style, VP, said, self.reader.of_many(said))
            said = f"has the {table[function][way]} {noun}"
            return Predicate(NOUN, VP, said, self.reader.of_many(said))
        compared = "" if function == "none" else table[function][way] + " "
        if words.moment and child.value == DATE and self.style in (VERB, PASSIVE):
            said = f"{words.moment} {compared or 'on '}{{}}"
            return Predicate(PASSIVE, VP, said, self.reader.of_many(said))
        if self.style == POSSESSIVE:
            return Predicate(POSSESSIVE, WHOSE, *[f"whose {noun} is {compared}{{}}"] * 2)
        if child.value == TEXT and not compared:
            return Predicate(NOUN, VP, f"has the {noun} {{}}", f"have the {noun} {{}}")
        link = "" if child.value == DATE and compared else "of "
        said = f"has {self.english.with_article(noun)} {link}{compared}{{}}"
        return Predicate(NOUN, VP, said, self.reader.of_many(said))

    def _joined(self, said: list[str], groups: list[list[Branch]]) -> str:
        """Conditions on one node; a comma after one with conditions within, so that the next is not read into it."""
        text = said[0]
        for before, each in zip(groups, said[1:], strict=False):
            text += (", and " if before[0].child.branches else " and ") + each
        return text


def _alike(branches: list[Branch]) -> list[list[Branch]]:
    """The branches, those to single entities by one relation together."""
    groups: list[list[Branch]] = []
    for branch in branches:
        first = groups[-1][0] if groups else None
        if (
            first is not None
            and branch.child.kind == first.child.kind == "entity"
            and not branch.child.branches
            and not first.child.branches
            and (branch.relation, branch.subject, branch.words) == (first.relation, first.subject, first.words)
        ):
            groups[-1].append(branch)
        else:
            groups.append([branch])
    return groups


def _same_head(noun: str, other: str) -> bool:
    return bool(other) and noun.split(" ")[-1] == other.split(" ")[-1]
