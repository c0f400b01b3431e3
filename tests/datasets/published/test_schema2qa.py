from __future__ import annotations

from pathlib import Path

import pytest

import recombine
from recombine.cli.main import run
from recombine.datasets.published.schema2qa import with_columns
from recombine.errors import OptionError, SplitError


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


def test_values_become_columns() -> None:
    program = '(@org.schema.Person.Person) filter param:worksFor:Entity contains "crossbars"'
    pairs = [("people that work for crossbars ?", program), ("all people", "(@org.schema.Person.Person)")]
    data = recombine.load(pairs, language="thingtalk")
    columns, changed = with_columns(data)
    assert [example.source for example in columns] == ["people that work for worksFor ?", "all people"]
    assert changed == 1
    assert [example.id for example in columns] == [example.id for example in data]
    with pytest.raises(OptionError, match="not known to be ThingTalk"):
        with_columns(recombine.load(pairs))


def test_show_writes_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = 'source\ttarget\nwho works for acme\tfilter param:worksFor:Entity contains "acme"\n'
    (tmp_path / "people.tsv").write_text(rows)
    out = tmp_path / "o.jsonl"
    with pytest.raises(SystemExit) as ended:
        run(["show", str(tmp_path / "people.tsv"), "--language", "thingtalk", "--columns", "-o", str(out)])
    assert ended.value.code == 0
    assert "replaced by their columns in 1 of 1 sources" in capsys.readouterr().err
    assert recombine.load(out)[0].source == "who works for worksFor"
