"""Likeness of surface forms and runs of words, against one that is plainly right."""

from __future__ import annotations

from math import log1p

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recombine.kb.linking import partial_matches
from recombine.kb.linking.partial_matches import PartialMatches
from recombine.kb.linking.surface_forms import SurfaceForms
from recombine.kb.term import Term

NAMES = st.lists(
    st.lists(st.sampled_from(["kindle", "amazon", "the", "book"]), min_size=1, max_size=4).map(" ".join),
    min_size=1,
    max_size=8,
    unique=True,
)


def forms_of(names: list[str]) -> SurfaceForms:
    return SurfaceForms.of([(name, Term.name(name), 1) for name in names])


def slowly(names: list[str], run: list[str]) -> dict[str, float]:
    """The likeness of every name that has the rarest telling word of the run; a function word weighs a tenth."""
    having = {word: sum(word in name.split() for name in names) for word in [*run, *" ".join(names).split()]}
    weight = {w: log1p(len(names) / max(n, 1)) * (0.1 if w == "the" else 1) for w, n in having.items()}
    telling = [word for word in dict.fromkeys(run) if having[word] and word != "the"]
    if not telling:
        return {}
    least = min(having[word] for word in telling)
    rarest = {word for word in telling if having[word] == least}
    likeness = {}
    for name in names:
        shared, both = set(run) & set(name.split()), set(run) | set(name.split())
        if rarest & shared:
            likeness[name] = sum(weight[word] for word in shared) / sum(weight[word] for word in both)
    return likeness


@settings(deadline=None)
@given(NAMES, st.lists(st.sampled_from(["kindle", "amazon", "the", "book", "new"]), min_size=1, max_size=4))
def test_likeness_is_shared_weight_over_all_weight(names: list[str], run: list[str]) -> None:
    forms, wanted = forms_of(names), slowly(names, run)
    found = PartialMatches(forms).find(run, least=0.0, most=100)
    likeness = {forms.term(forms.owners(form)[0].number).text: like for form, like in found}
    # Of several rarest words one is taken; the forms of that one are found, and those with the wanted likeness.
    assert set(likeness) <= set(wanted)
    assert bool(likeness) == bool(wanted)
    for name, like in likeness.items():
        assert like == pytest.approx(wanted[name])
    assert [like for _, like in found] == sorted((like for _, like in found), reverse=True)


def test_a_part_of_a_name_and_a_name_with_more(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["Amazon Kindle", "Amazon River", "Kindle Fire HD", "New York"]
    matches = PartialMatches(forms_of(names))
    # Of 4 forms, kindle and amazon are in 2 each and weigh log 3 = 1.10; fire, hd and the unknown books log 5 = 1.61.
    # Amazon Kindle: 1.10 / (1.10 + 1.61 + 1.10); Kindle Fire HD: 1.10 / (1.10 + 1.61 + 1.61 + 1.61).
    assert [round(like, 3) for _, like in matches.find(["kindle", "books"], least=0.0)] == [0.289, 0.185]
    assert matches.find(["which"], least=0.0) == matches.find(["unknown"], least=0.0) == []
    assert len(matches.find(["kindle"], least=0.0, most=1)) == 1
    monkeypatch.setattr(partial_matches, "MOST_FORMS", 1)
    assert matches.find(["kindle"], least=0.0) == []
    assert matches.too_common == 1
