from __future__ import annotations

import pytest

import recombine
from recombine.errors import MissingDataError, OptionError
from recombine.evaluation.answers.geoquery_answers import geoquery_answers
from recombine.evaluation.score import score


@pytest.mark.shared_data
def test_answers_forgive_what_exact_match_does_not(data_dir: object) -> None:
    data = recombine.load("geoquery/funql")
    split = recombine.load_split(data, "tmcd_1")
    gold = {key: data[key].target for key in split.test}
    # largest(state) is largest_one(area_1, state): another program with the same answer.
    other = "answer ( largest_one ( area_1 , state ) )"
    changed = [key for key in gold if gold[key] == "answer ( largest ( state ) )"]
    assert changed
    found = score(data, split, {**gold, **dict.fromkeys(changed, other)}, matchers={"d": geoquery_answers(data)})
    assert found.tallies["d"].accuracy == 1.0
    assert found.exact_match == 1 - len(changed) / 440
    with pytest.raises(OptionError, match="GeoQuery's programs only"):
        geoquery_answers(recombine.load([("a", "answer ( city )")], language="funql"))


def test_the_files_are_wanted(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    with pytest.raises(MissingDataError, match=r"corpus\.xml"):
        geoquery_answers(recombine.load([("a", "answer ( city )")], language="funql"))
