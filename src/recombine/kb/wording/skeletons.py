"""All wordings of a query's tree: every pattern of the grammar that fits it, in every style that its words have."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.kb.wording.phrases import CLOSE, OPEN, THING, Phrases
from recombine.kb.wording.predicate import NOUN, POSSESSIVE, STYLES
from recombine.kb.wording.wording import Skeleton

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.kb.wording.query_tree import TreeNode
    from recombine.kb.wording.vocabulary import Vocabulary

_MARK = re.compile(f"{OPEN}(\\d+){CLOSE}")
_LEAST = 2


def skeletons(root: TreeNode, vocabulary: Vocabulary) -> tuple[Skeleton, ...]:
    """The distinct wordings of a tree, the best first; clumsy ones only where there would be too few."""
    found: dict[str, tuple[str, str, bool]] = {}
    for text, tag, kind, clumsy in _iter_texts(root, vocabulary):
        found.setdefault(text, (tag, kind, clumsy))
    good = {text: said for text, said in found.items() if not said[2]}
    kept = good if len(good) >= _LEAST else found
    return tuple(_skeleton(text, tag, kind) for text, (tag, kind, _) in kept.items())


def _skeleton(text: str, tag: str, kind: str) -> Skeleton:
    parts = _MARK.split(text)
    return Skeleton(tuple(parts[::2]), tuple(int(place) for place in parts[1::2]), tag, kind)


def _iter_texts(root: TreeNode, vocabulary: Vocabulary) -> Iterator[tuple[str, str, str, bool]]:
    first = root.branches[0] if root.branches else None
    own = first is not None and bool(first.words.noun) and first.words.noun_of_subject == first.subject
    roles = list(_iter_role(root, vocabulary, own=own))
    if own:
        yield from roles  # the relation's own noun is the plainest way to ask
    for style in STYLES:
        phrases = Phrases(vocabulary.reader, vocabulary.grammar, style)
        slots, kind_of_question = _slots(root, phrases)
        if style != NOUN and style not in phrases.used:
            continue
        kind = style if style in phrases.used or not phrases.used else min(phrases.used, key=STYLES.index)
        for tag, pattern in vocabulary.grammar.questions[kind_of_question].items():
            filled = _filled(pattern, slots)
            if filled is not None:
                yield filled, f"{tag}:{kind}", kind, _is_clumsy(filled, root)
    if not own:
        yield from roles


def _iter_role(root: TreeNode, vocabulary: Vocabulary, *, own: bool) -> Iterator[tuple[str, str, str, bool]]:
    """Questions in which one noun says both what is asked for and how it is tied."""
    if len(root.branches) != 1:
        return
    role = Phrases(vocabulary.reader, vocabulary.grammar, NOUN).role(root.branches[0])
    if role is None:
        return
    child, english = root.branches[0].child, vocabulary.english
    slots = {
        "what": "who" if root.person else "what",
        "article": english.article(role.noun) if role.several else "the",
        "noun": role.noun,
        "nouns": english.plural(role.noun),
        "of": f"{role.link} {role.other}",
        "owner": role.other if role.link == "of" else None,
    }
    for tag, pattern in vocabulary.grammar.questions["count_role" if root.function == "count" else "role"].items():
        owned = "{owner}" in pattern
        if owned and not (child.leaf and own):
            continue  # an owner with clauses would come apart from what is owned; a museum has a director, he no museum
        if (filled := _filled(pattern, slots)) is not None:
            kind = POSSESSIVE if "{owner}'s" in pattern else NOUN
            yield filled, f"{tag}:{kind}", kind, False


def _slots(root: TreeNode, phrases: Phrases) -> tuple[dict[str, str | None], str]:
    """What patterns put in, and which patterns are to be used."""
    noun, branches = root.noun or THING, root.branches
    slots: dict[str, str | None] = {
        "what": "who" if root.person else "what",
        "class": noun,
        "classes": phrases.english.plural(noun),
    }
    if not branches:
        slots |= dict.fromkeys(("vp", "vps"), "is there") | dict.fromkeys(("rel", "rels"), "there is")
        return slots, "count" if root.function == "count" else "plain"
    if root.function == "count":
        slots |= {"vps": phrases.verb_phrase(branches, many=True), "rels": phrases.clause(branches, many=True)}
        slots["asked"] = phrases.asked(branches)
        return slots, "count"
    extreme = [branch for branch in branches if branch.child.superlative]
    rest = [branch for branch in branches if not branch.child.superlative]
    if extreme and rest:
        slots |= {"rest": phrases.clause(rest), "rests": phrases.clause(rest, many=True)}
        slots["vp"] = phrases.verb_phrase(extreme)
        return slots, "superlative"
    slots |= {"vp": phrases.verb_phrase(branches), "rel": phrases.clause(branches), "asked": phrases.asked(branches)}
    return slots, "plain" if root.noun else "untyped"


def _filled(pattern: str, slots: dict[str, str | None]) -> str | None:
    """A pattern with its slots; none where one of them cannot be said."""
    for name in re.findall(r"\{(\w+)\}", pattern):
        if slots.get(name) is None:
            return None
    return pattern.format_map(slots)


def _is_clumsy(text: str, root: TreeNode) -> bool:
    """Whether a question says its noun twice: "which artist is an artist of"."""
    noun = re.escape(root.noun)
    twice = rf"[^{OPEN}]*?\b{noun}\w* (?:that )?(?:is|are) (?:an? |the )?{noun}\w* (?:of|by)\b"
    return bool(noun) and re.match(twice, text) is not None
