"""A tagger of mentions, trained on the questions that a parser learns from (GrailQA, section 4.3).

They are taken in the order of their ids and the seed is one for all, so that the same questions give the same tagger in
a parser and in a study, whatever order and seed the parser is trained with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import OptionError, RecombineError
from recombine.kb.linking.gold_links import gold_links
from recombine.kb.linking.train_tagger import TaggedQuestion, train_tagger
from recombine.kb.linking.words import split_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.kb.linking.surface_forms import SurfaceForms
    from recombine.kb.linking.tagger import Tagger
    from recombine.kb.profiles.profile import Profile
    from recombine.records.example import Example


def mention_tagger(examples: Sequence[Example], language: str, profile: Profile, forms: SurfaceForms) -> Tagger:
    """A tagger of what the data says that questions mention; those of which it says nothing teach nothing."""
    tagged = []
    for example in sorted(examples, key=lambda each: each.id):
        try:
            gold = gold_links(example, language or None, profile)
        except RecombineError:
            continue
        tagged.append(TaggedQuestion(split_words(gold.text).texts, gold.spans))
    if not tagged:
        problem = "no training question says what it mentions, so no tagger of mentions can be trained"
        raise OptionError(problem, "link by linker, or by a file of links")
    return train_tagger(tagged, forms=forms)
