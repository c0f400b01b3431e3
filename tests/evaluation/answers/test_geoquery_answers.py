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
    answers = geoquery_answers(data)
    outputs = {**gold, **dict.fromkeys(changed, other)}
    scored = score(data, split, outputs, matchers={"d": answers.matcher()})
    assert scored.tallies["d"].accuracy == 1.0
    assert scored.exact_match == 1 - len(changed) / 440
    unusable = {changed[0]: "", split.test[0]: "answer ( states", split.test[1]: "answer ( m7 )"}
    counts = answers.accuracy(data, {**outputs, **unusable})
    assert counts is not None
    assert (counts.pairs, counts.malformed, counts.not_executing) == (439, 1, 1)
    assert counts.matched == 437
    assert answers.accuracy(data, {changed[0]: " "}) is None
    with pytest.raises(OptionError, match="GeoQuery's programs only"):
        geoquery_answers(recombine.load([("a", "answer ( city )")], language="funql"))


def test_the_files_are_wanted(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    with pytest.raises(MissingDataError, match=r"corpus\.xml"):
        geoquery_answers(recombine.load([("a", "answer ( city )")], language="funql"))
