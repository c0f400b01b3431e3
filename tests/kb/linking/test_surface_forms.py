"""The dictionary against one that is plainly right, and what it does with names that several entities share."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recombine.errors import KnowledgeBaseError
from recombine.kb.linking.surface_forms import SurfaceForms
from recombine.kb.term import Term

A, B, C = (Term.name(name) for name in "abc")
WORDS = st.lists(st.sampled_from(["x", "y", "z", "u"]), min_size=1, max_size=4)
ENTRIES = st.lists(st.tuples(WORDS, st.sampled_from([A, B, C]), st.integers(0, 5)), min_size=1, max_size=20)


def found(forms: SurfaceForms, words: list[str]) -> list[tuple[int, int, list[tuple[Term, int]]]]:
    """All spans with their owners."""
    return [
        (first, last, [(forms.term(number), times) for number, times in forms.owners(form)])
        for first, last, form in forms.spans(words)
    ]


def slowly(
    entries: list[tuple[list[str], Term, int]], words: list[str], *, add: bool
) -> list[tuple[int, int, list[tuple[Term, int]]]]:
    known: dict[tuple[str, ...], dict[Term, int]] = {}
    for own, term, times in entries:
        owners = known.setdefault(tuple(own), {})
        owners[term] = owners.get(term, 0) + times if add else max(owners.get(term, 0), times)
    runs = [(first, last) for first in range(len(words)) for last in range(first + 1, len(words) + 1)]
    return [
        (first, last, sorted(known[run].items(), key=lambda pair: (-pair[1], pair[0].key)))
        for first, last in runs
        if (run := tuple(words[first:last])) in known
    ]


@settings(deadline=None)
@given(ENTRIES, st.lists(st.sampled_from(["x", "y", "z", "u", "unknown"]), max_size=8), st.booleans(), st.randoms())
def test_spans_and_owners_are_those_of_a_slow_dictionary(
    entries: list[tuple[list[str], Term, int]], words: list[str], add: bool, order: object
) -> None:
    shuffled = list(entries)
    order.shuffle(shuffled)  # type: ignore[attr-defined]
    for given_entries in (entries, shuffled):
        forms = SurfaceForms.of([(" ".join(own), term, times) for own, term, times in given_entries], add=add)
        assert found(forms, words) == slowly(entries, words, add=add)
    assert len(forms) == len({tuple(own) for own, _, _ in entries})


def test_forms_that_share_a_hash_are_told_apart() -> None:
    # With a factor of 1 the hash is a sum, the same for "x y" and "y x": the next factor is taken.
    texts, numbers = ["x y", "y x", "x"], [0, 1, 2]
    forms = SurfaceForms(texts, numbers, [1, 1, 1], lambda number: Term.name(str(number)), factors=(1, 3))
    assert [forms.owners(forms.form(text.split()))[0].number for text in texts] == numbers
    with pytest.raises(KnowledgeBaseError, match="share hashes"):
        SurfaceForms(texts, numbers, [1, 1, 1], lambda number: Term.name(str(number)), factors=(1, 1))


def test_a_run_that_only_shares_a_hash_is_no_form() -> None:
    # Under the factor 1 the hash is a sum: "x y" has that of "y x", which is a form.
    forms = SurfaceForms(["y x", "x"], [0, 1], [1, 1], lambda number: Term.name(str(number)), factors=(1,))
    assert forms.form(["x", "y"]) == -1
    assert [(span.first, span.last) for span in forms.spans(["x", "y", "x"])] == [(0, 1), (1, 3), (2, 3)]
    assert forms.form(["y", "x"]) >= 0


def test_what_has_no_words_is_counted_and_nothing_is_refused() -> None:
    forms = SurfaceForms.of([("Jaws", A, 1), ("  ", B, 1), ("", C, 1)])
    assert (len(forms), forms.unusable, forms.entities, forms.shared) == (1, 2, 1, 0)
    for entries in ([], [("", A, 1)]):
        with pytest.raises(KnowledgeBaseError, match="the dictionary of names is empty; give names of entities"):
            SurfaceForms.of(entries)


def test_names_that_several_share() -> None:
    forms = SurfaceForms.of([("Mo", B, 2), ("MO", A, 2), ("mo", C, 7), ("Moe", C, 1)])
    assert (len(forms), forms.entities, forms.shared, forms.most_counted) == (2, 3, 1, 7)
    assert [forms.term(number) for number, _ in forms.owners(forms.form(["mo"]))] == [C, A, B]


def test_many_names_are_found() -> None:
    rng = np.random.default_rng(0)
    names = sorted({" ".join(f"w{n}" for n in rng.integers(0, 3000, rng.integers(1, 6))) for _ in range(3_000)})
    forms = SurfaceForms(
        names, np.arange(len(names)), np.ones(len(names), int), lambda number: Term.name(names[number])
    )
    assert len(forms) == len(names)
    for place in rng.integers(0, len(names), 200).tolist():
        assert [owner.number for owner in forms.owners(forms.form(names[place].split()))] == [place]
