"""From a question to links: mentions, candidates for each, and the choice among them (GrailQA, section 4.3).

Mentions come by one of three ways:

- `dictionary`: the longest surface forms that do not overlap;
- `ngrams`, in the manner of Aqqu: every run of words that is a surface form or much like one, each with all entities
  that are good enough by popularity and overlap; mentions may overlap, recall is high and precision low;
- `tagger`: what a trained tagger marks. A marked run that is no surface form is taken for the longest form around it,
  else looked up by the longest form within it, else by the forms most like it.

The choice is the most popular entity, or entities where several are equally so, as in the paper; or by context: how
many of the question's other words are words of the entity's relations and classes, besides its popularity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from recombine.errors import KnowledgeBaseError, OptionError, UnknownNameError
from recombine.kb.linking.context_words import stems_of
from recombine.kb.linking.find_literals import find_literals
from recombine.kb.linking.function_words import function_words, names_something
from recombine.kb.linking.link import Link, ScoredTerm
from recombine.kb.linking.mentions import all_mentions, longest_mentions
from recombine.kb.linking.partial_matches import PartialMatches
from recombine.kb.linking.words import split_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recombine.kb.linking.surface_forms import Span, SurfaceForms
    from recombine.kb.linking.tagger import Tagger
    from recombine.kb.linking.words import Words
    from recombine.kb.term import Term

DICTIONARY, NGRAMS, TAGGER = MENTIONS = ("dictionary", "ngrams", "tagger")
POPULARITY, CONTEXT = CHOICES = ("popularity", "context")
MOST = 10
"""How many candidates of a mention are kept, those of the highest score."""
CONTEXT_WEIGHT = 0.75
"""The share of the context in the score of a choice by context; the rest is that of popularity."""
OVERLAP, POPULAR, SHARE, RARITY = 0.4, 0.2, 0.2, 0.2
"""The weights of the features of `ngrams`: likeness of the run and the form, log popularity, the entity's share of the
form's mentions, and the run's share of what the words of the question tell."""
LEAST_LIKE, LEAST_SCORE = 0.5, 0.5
"""The least likeness of a run and a form, and the least score that is good enough, in `ngrams`."""
LONGEST_PARTIAL = 6
"""The longest run of words, in `ngrams`, that is looked up by forms that are only like it."""


class _Candidate(NamedTuple):
    number: int
    times: int
    likeness: float
    share: float
    """The share of the form's mentions that are of this entity."""


class Linker:
    """Finds what questions mention, by a dictionary of surface forms.

    >>> from recombine.kb.linking.surface_forms import SurfaceForms
    >>> from recombine.kb.term import Term
    >>> forms = SurfaceForms.of([("Mo", Term.name("Missouri"), 9), ("Mo", Term.name("Mo_religion"), 1)])
    >>> [(link.text, link.term.text) for link in Linker(forms).link("What was the belief of Mo in 1802?")]
    [('Mo', 'Missouri'), ('1802', '1802')]
    >>> around = {"Missouri": {"stat"}, "Mo_religion": {"belief"}}
    >>> linker = Linker(forms, choice="context", around=lambda term: around[term.text])
    >>> [link.term.text for link in linker.link("What is the belief of Mo?")]
    ['Mo_religion']
    """

    def __init__(
        self,
        forms: SurfaceForms,
        *,
        mentions: str = DICTIONARY,
        choice: str = POPULARITY,
        tagger: Tagger | None = None,
        around: Callable[[Term], frozenset[str]] | None = None,
        literals: bool = True,
        most: int = MOST,
    ) -> None:
        """`around` gives the stems of what is said around an entity, see `ContextWords`; `most` is the number of
        candidates to keep of a mention.
        """
        for what, value, known in (("way to find mentions", mentions, MENTIONS), ("choice", choice, CHOICES)):
            if value not in known:
                raise UnknownNameError(what, value, known)
        if mentions == TAGGER and tagger is None:
            raise OptionError("mentions by a tagger need one", "train one with kb link --fit, and give it")
        if choice == CONTEXT and around is None:
            raise KnowledgeBaseError(
                "a choice by context needs the facts around entities", "give an index, or choose by popularity"
            )
        if most < 1:
            raise OptionError(f"{most} candidates of a mention", "give 1 or more")
        self.forms, self.mentions, self.choice = forms, mentions, choice
        self._tagger, self._around, self._literals, self._most = tagger, around, literals, most
        self._partial: PartialMatches | None = None

    def link(self, text: str) -> list[Link]:
        """The links of a question, by where they begin."""
        if not text.strip():
            raise OptionError("an empty text mentions nothing", "give a question")
        words = split_words(text)
        links = self._entity_links(text, words)
        literals = find_literals(text) if self._literals else []
        if self.mentions != NGRAMS:
            known = [link for link in links if link.terms]
            literals = [link for link in literals if not _covered(link, known)]
            links = [link for link in links if not _covered(link, literals)]
        return sorted([*links, *literals], key=lambda link: (link.start, link.end))

    @property
    def too_common(self) -> int:
        """How many runs of words were not looked up by likeness, since too many forms share their rarest word."""
        return 0 if self._partial is None else self._partial.too_common

    def _entity_links(self, text: str, words: Words) -> list[Link]:
        if self.mentions == NGRAMS:
            return self._ngram_links(text, words)
        found: dict[tuple[int, int], list[_Candidate]] = {}
        if self.mentions == DICTIONARY or self._tagger is None:
            for first, last, form in longest_mentions(self.forms, words.texts):
                found[first, last] = self._exact(form)
        else:
            known = all_mentions(self.forms, words.texts)
            for run in self._tagger.mentions(words.texts, self.forms):
                span, candidates = self._of_run(words.texts, *run, known)
                found[span] = candidates
        links = []
        for (first, last), candidates in found.items():
            others = [*words.texts[:first], *words.texts[last:]]
            scored, chosen = self._choose(candidates, others)
            start, end = words.starts[first], words.ends[last - 1]
            links.append(Link(start, end, text[start:end], scored, chosen))
        return links

    # -- candidates --------------------------------------------------------------------------------------------------

    def _exact(self, form: int, likeness: float = 1.0) -> list[_Candidate]:
        owners = self.forms.owners(form)
        total = sum(count for _, count in owners)
        even = 1.0 / len(owners)
        return [_Candidate(*owner, likeness, owner.times / total if total else even) for owner in owners]

    def _of_run(
        self, words: Sequence[str], first: int, last: int, known: Sequence[Span]
    ) -> tuple[tuple[int, int], list[_Candidate]]:
        """A marked run and its candidates: those of the form that it is, of the longest around it, which it then is,
        of the longest in it, or of the forms like it.
        """
        around = [span for span in known if span.first <= first and last <= span.last]
        same = [span for span in around if span.last - span.first == last - first]
        for spans in (same, around):
            if spans:
                best = max(spans, key=_length_first)
                return (best.first, best.last), self._exact(best.form)
        within = [span for span in known if first <= span.first and span.last <= last]
        if within:
            return (first, last), self._exact(max(within, key=_length_first).form)
        return (first, last), self._like(words[first:last])

    def _like(self, run: Sequence[str]) -> list[_Candidate]:
        best: dict[int, _Candidate] = {}
        for form, likeness in self.partial.find(run, least=LEAST_LIKE):
            for candidate in self._exact(form, likeness):
                known = best.get(candidate.number)
                if known is None or candidate.likeness > known.likeness:
                    best[candidate.number] = candidate
        return list(best.values())

    @property
    def partial(self) -> PartialMatches:
        """The forms by their words, made when they are first wanted."""
        if self._partial is None:
            self._partial = PartialMatches(self.forms)
        return self._partial

    # -- the choice --------------------------------------------------------------------------------------------------

    def _choose(self, candidates: Sequence[_Candidate], others: Sequence[str]) -> tuple[tuple[ScoredTerm, ...], int]:
        """The candidates with their scores, and how many of the first are chosen: those of the highest score."""
        asked = stems_of(others)
        most = max((candidate.times for candidate in candidates), default=0)
        scored = []
        for candidate in candidates:
            popularity = candidate.likeness * (candidate.times / most if most else 1.0)
            if self._around is None or self.choice == POPULARITY:
                scored.append((popularity, candidate.number))
                continue
            shared = len(asked & self._around(self.forms.term(candidate.number))) / len(asked) if asked else 0.0
            scored.append((CONTEXT_WEIGHT * shared + (1 - CONTEXT_WEIGHT) * popularity, candidate.number))
        return self._kept(scored, None)

    def _kept(self, scored: list[tuple[float, int]], least: float | None) -> tuple[tuple[ScoredTerm, ...], int]:
        scored.sort(key=lambda pair: (-pair[0], pair[1]))
        wanted = least if least is not None else scored[0][0] if scored else 0.0
        chosen = sum(score >= wanted for score, _ in scored)
        # All that are equally good are linked to, so that none of them is cut, however many are kept of the others.
        kept = scored[: max(self._most, chosen if least is None else 0)]
        return tuple(ScoredTerm(self.forms.term(number), score) for score, number in kept), min(chosen, len(kept))

    # -- in the manner of Aqqu ---------------------------------------------------------------------------------------

    def _ngram_links(self, text: str, words: Words) -> list[Link]:
        exact = {(span.first, span.last): span.form for span in all_mentions(self.forms, words.texts)}
        weights = np.array([self.partial.weight(word) for word in words.texts])
        whole = weights.sum() or 1.0
        links = []
        for first, last in self._runs(words.texts):
            run = words.texts[first:last]
            form = exact.get((first, last))
            candidates = self._exact(form) if form is not None else ()
            if form is None and last - first <= LONGEST_PARTIAL:
                candidates = self._like(run)
            scored, chosen = self._kept(self._features(candidates, weights[first:last].sum() / whole), LEAST_SCORE)
            if chosen:
                start, end = words.starts[first], words.ends[last - 1]
                links.append(Link(start, end, text[start:end], scored, chosen))
        return links

    def _runs(self, words: Sequence[str]) -> list[tuple[int, int]]:
        """The runs of words that may be a mention: those with a word that is no function word, or a form as it is."""
        dull = function_words()
        whole = {(span.first, span.last) for span in all_mentions(self.forms, words)}
        ends = [word not in dull for word in words]
        shorter = {
            (first, last)
            for first in range(len(words))
            for last in range(first + 1, min(first + LONGEST_PARTIAL, len(words)) + 1)
            if ends[first] and ends[last - 1] and names_something(words[first:last])
        }
        return sorted(whole | shorter)

    def _features(self, candidates: Sequence[_Candidate], rarity: float) -> list[tuple[float, int]]:
        most = np.log1p(self.forms.most_counted) or 1.0
        return [
            (
                float(
                    OVERLAP * candidate.likeness
                    + POPULAR * np.log1p(candidate.times) / most
                    + SHARE * candidate.share
                    + RARITY * rarity
                ),
                candidate.number,
            )
            for candidate in candidates
        ]


def _length_first(span: Span) -> tuple[int, int]:
    """What is larger for a longer span, and of equal ones for the first."""
    return span.last - span.first, -span.first


def _covered(link: Link, others: Sequence[Link]) -> bool:
    """Whether another link has all characters of a link."""
    return any(other.start <= link.start and link.end <= other.end for other in others)
