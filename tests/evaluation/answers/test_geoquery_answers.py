"""Answers over the world of the data, with the entities of its contexts."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import orjson
import pytest
from toy_world import write_toy

import recombine
from recombine.cli.main import run
from recombine.errors import MissingDataError, OptionError, RecordError
from recombine.evaluation.answers.geoquery_answers import geoquery_answers
from recombine.evaluation.score import score

FACTS = "river('red', 1638, ['texas']).\nriver('pecos', 805, ['texas', 'utah']).\nriver('green', 1175, ['utah']).\n"
RIVERS = "answer ( longest ( intersection ( river , traverse_2 ( m0 ) ) ) )"


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


@pytest.mark.shared_data
def test_what_is_missing_of_geoquery_is_named(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "geoquery" / "splits").mkdir(parents=True)
    for name in ("geo_dataset.tsv", "splits/tmcd_1.json"):
        shutil.copy(data_dir / "geoquery" / name, tmp_path / "geoquery" / name)
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    with pytest.raises(MissingDataError, match=r"running GeoQuery's programs needs the file geoquery/geobase\.pl"):
        geoquery_answers(recombine.load("geoquery/funql"))
    shutil.copy(data_dir / "geoquery" / "geobase.pl", tmp_path / "geoquery")
    with pytest.raises(MissingDataError, match=r"programs needs the file geoquery/corpus\.xml\.gz, which is not in"):
        geoquery_answers(recombine.load("geoquery/funql"))
    (tmp_path / "none.jsonl").write_text('{"id": "x", "prediction": ""}\n')
    with pytest.raises(SystemExit):
        run(["score", "geoquery/funql", "tmcd_1", str(tmp_path / "none.jsonl"), "--answers"])
    assert "corpus.xml.gz" in (told := capsys.readouterr().err)
    assert len(told.strip().splitlines()) == 1


def test_data_of_ones_own_is_answered_over_its_world(tmp_path: Path) -> None:
    """The same program is right for one example and wrong for another: the entities of placeholders differ."""
    (tmp_path / "facts.pl.gz").write_bytes(gzip.compress(FACTS.encode()))
    places = ("texas", "utah")
    rows = [{"source": "q", "target": RIVERS, "entities": {"m0": f"stateid('{place}')"}} for place in places]
    (tmp_path / "own.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    meta = {"context": ["entities"], "identity": ["entities"]}
    (tmp_path / "own.jsonl.meta.json").write_bytes(orjson.dumps(meta))
    data = recombine.load(tmp_path / "own.jsonl", language="funql", world=tmp_path / "facts.pl.gz")
    answers = geoquery_answers(data)
    output = "answer ( riverid ( 'red' ) )"
    counts = answers.accuracy(data, {example.id: output for example in data})
    assert counts is not None
    assert (counts.pairs, counts.matched) == (2, 1)
    matcher = answers.matcher()
    assert [matcher.same(e.target, output, e, None) for e in data] == [True, False]


def test_programs_that_name_their_entities_need_no_context(tmp_path: Path) -> None:
    (tmp_path / "facts.pl").write_text(FACTS)
    program = "answer(longest(river(traverse_2(stateid('texas')))))"
    data = recombine.load([("q", program)], language="funql", world=tmp_path / "facts.pl")
    counts = geoquery_answers(data).accuracy(data, {data[0].id: "answer(riverid('red'))"})
    assert counts is not None
    assert counts.matched == 1


@pytest.mark.usefixtures("toy_kind")
def test_data_without_these_facts_is_refused(tmp_path: Path) -> None:
    data = recombine.load([("a", "answer ( city )")], language="funql")
    with pytest.raises(OptionError, match="over GeoQuery's facts only, and records has no world; give its facts with"):
        geoquery_answers(data)
    other = recombine.load(data, world=write_toy(tmp_path / "x.toy.json"))
    with pytest.raises(OptionError, match="records has a world of the kind 'toy'"):
        geoquery_answers(other)
    (tmp_path / "facts.pl").write_text(FACTS)
    for entities in ("texas", {"m0": 1}, [1]):
        rows = [{"source": "a", "target": "answer ( m0 )", "context": {"entities": entities}}]
        with pytest.raises(
            RecordError, match=r"records, example \w+: the context 'entities' is not an entity for each"
        ):
            geoquery_answers(recombine.load(rows, language="funql", world=tmp_path / "facts.pl"))
