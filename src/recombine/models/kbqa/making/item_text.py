"""The words that a relation or a class is read by (GrailQA, section 4.2: "the constituting words of the item")."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.kb.wording.name_words import last_part, split_words

if TYPE_CHECKING:
    from recombine.kb.term import Term


def item_text(term: Term, label: str = "") -> str:
    """All words of a name, in lower case: those of its domain and class too, of an IRI those of its last part; then the
    words of a label, where they are others. A name without a word, such as a number, is its own text.

    >>> from recombine.kb.term import Term
    >>> item_text(Term.name("film.film.directed_by"))
    'film film directed by'
    >>> item_text(Term.name("/film/actor/film./film/performance/film"))
    'film actor film film performance film'
    >>> item_text(Term.name("http://example.org/ns#worksFor"), "employer")
    'works for employer'
    """
    name = last_part(term.text) if "://" in term.text or term.text.startswith("urn:") else term.text
    words = _words(name)
    beside = _words(label)
    return " ".join(words + beside if beside != words else words) or label or term.text


def _words(text: str) -> list[str]:
    return [word.lower() for word in split_words(text)]
