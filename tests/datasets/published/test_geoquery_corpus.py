from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from recombine.datasets.published.geoquery_corpus import CorpusExample, load_geoquery_corpus, read_geoquery_corpus
from recombine.errors import InputFileError, MissingDataError, RecordError

HEAD = '<?xml version="1.0"?>\n<!DOCTYPE examples [\n  <!ELEMENT nl (#PCDATA)>\n]>\n'
EXAMPLE = """<example id="{id}">
<nl lang="en">
How big is
  Utah ?
</nl>
<nl lang="de">
Wie gross ist Utah ?
</nl>
<mrl lang="geo-funql">
answer(size(stateid('utah')))
</mrl>
<mrl lang="geo-prolog">
answer(A,(size(B,A),const(B,stateid(utah))))
</mrl>
</example>
"""
TWO = f"<examples>{EXAMPLE.format(id='7')}{EXAMPLE.format(id='8')}</examples>"


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "corpus.xml.gz"
    path.write_bytes(gzip.compress(text.encode()))
    return path


def test_questions_and_programs_in_order(tmp_path: Path) -> None:
    first, second = read_geoquery_corpus(written(tmp_path, HEAD + TWO))
    assert first == CorpusExample("7", "How big is Utah ?", "answer(size(stateid('utah')))")
    assert second.id == "8"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (TWO.replace('id="8"', 'id="7"'), r"example 2 \(id '7'\): the id is missing or stands already above"),
        (TWO.replace(' id="7"', ""), r"example 1 \(id ''\): the id is missing"),
        (TWO.replace('lang="en"', 'lang="es"'), r"example 1 .*: 0 elements <nl lang='en'>"),
        (TWO.replace('lang="de"', 'lang="en"'), r"example 1 .*: 2 elements <nl lang='en'>"),
        (TWO.replace("answer(size(stateid('utah')))", " "), r"example 1 .*<mrl lang='geo-funql'> with text"),
    ],
)
def test_a_broken_example_is_named(text: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=problem):
        read_geoquery_corpus(written(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("<examples/>", "has no examples"),
        (TWO[:-3], "is not well-formed XML"),
        ('<!DOCTYPE examples [<!ENTITY a "b">]><examples>&a;</examples>', "declares entities"),
        ('<!DOCTYPE examples [<!ENTITY a SYSTEM "file:///etc/passwd">]><examples>&a;</examples>', "declares entities"),
    ],
)
def test_a_broken_file_is_refused(text: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=problem):
        read_geoquery_corpus(written(tmp_path, text))


def test_a_missing_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    with pytest.raises(MissingDataError, match=r"geoquery/corpus\.xml\.gz"):
        load_geoquery_corpus()


@pytest.mark.shared_data
def test_count_first_middle_last(data_dir: Path) -> None:
    corpus = load_geoquery_corpus()
    assert [example.id for example in corpus] == [str(number) for number in range(880)]
    assert corpus[0] == CorpusExample(
        "0", "Give me the cities in Virginia .", "answer(city(loc_2(stateid('virginia'))))"
    )
    assert corpus[440].question == "What is the length of the river that runs through the most states ?"
    assert corpus[440].program == "answer(len(most(river(traverse_2(state(all))))))"
    assert corpus[879].program == "answer(largest_one(density_1(city(all))))"
