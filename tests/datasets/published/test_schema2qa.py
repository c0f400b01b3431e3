from __future__ import annotations

import pytest

import recombine
from recombine.errors import SplitError


def test_count_first_middle_last() -> None:
    data = recombine.load("schema2qa")
    assert len(data) == 8
    assert data[0].target == "filter ( Person ) ( jobTitle == STR_VAL )"
    assert data[4].target == "filter ( Person ) ( faxNumber == STR_VAL )"
    assert data[7].target == "filter ( Person ) ( count ( award ) >= NUMBER_VAL ) and ( jobTitle == STR_VAL )"


def test_programs_are_in_the_published_form() -> None:
    data = recombine.load("schema2qa")
    assert data.language is not None
    for example in data:
        assert data.language.render(data.language.parse(example.target)) == example.target
    # The two programs of the local-structures paper, tables 1 and 8.
    targets = {example.target for example in data}
    assert "filter ( Person ) ( worksFor contains STR_VAL )" in targets
    assert "filter ( Person ) ( count ( award ) >= NUMBER_VAL )" in targets


def test_there_are_no_splits() -> None:
    with pytest.raises(SplitError, match="schema2qa has no published splits"):
        recombine.load_split("schema2qa", "published")
