"""Which runs of words of a question are mentions, by the dictionary alone.

Either the longest surface forms that do not overlap, or every one of them, as a first step of Aqqu. A surface form of
function words and marks alone (*Who*, *It*, *Name*) is no mention.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.kb.linking.function_words import names_something

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.kb.linking.surface_forms import Span, SurfaceForms


def all_mentions(forms: SurfaceForms, words: Sequence[str]) -> list[Span]:
    """Every run of words that is a surface form."""
    return [span for span in forms.spans(words) if names_something(words[span.first : span.last])]


def longest_mentions(forms: SurfaceForms, words: Sequence[str]) -> list[Span]:
    """Surface forms that do not overlap, the longest taken first and of equal ones the first; by where they begin.

    >>> from recombine.kb.linking.surface_forms import SurfaceForms
    >>> from recombine.kb.term import Term
    >>> forms = SurfaceForms.of([(name, Term.name(name), 1) for name in ("New York", "York", "New York Times", "Who")])
    >>> [(span.first, span.last) for span in longest_mentions(forms, "who reads the new york times in york".split())]
    [(3, 6), (7, 8)]
    """
    taken = [False] * len(words)
    chosen = []
    for span in sorted(all_mentions(forms, words), key=lambda span: (span.first - span.last, span.first)):
        if not any(taken[span.first : span.last]):
            taken[span.first : span.last] = [True] * (span.last - span.first)
            chosen.append(span)
    return sorted(chosen)
