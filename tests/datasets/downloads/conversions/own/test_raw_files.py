"""Raw files of Schema2QA and of Overnight, made up in the form that the published ones have."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_sources import small_sources

import recombine
from recombine.datasets.downloads.conversions.own.english_overnight import english_overnight
from recombine.datasets.downloads.conversions.own.schema2qa_pairs import schema2qa_pairs
from recombine.datasets.downloads.download_data import Manner, download_data
from recombine.errors import DownloadError, InputFileError, OptionError, RecordError
from recombine.languages.lambda_dcs import SCOPE

RAW = Path(__file__).parents[5] / "docs" / "examples" / "raw" / "people.tsv"
"""Four programs in the form of the published files; the last is about a place, which is not read."""


def table(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(lines))
    return path


ROWS = RAW.read_text().splitlines(keepends=True)


def test_schema2qa(tmp_path: Path) -> None:
    made = schema2qa_pairs([table(tmp_path / "people.tsv", ROWS)])
    # App. A.3: scope and types go, strings and numbers are constants, questions name columns, no count is repeated.
    assert [(row["source"], row["target"]) for row in made.records] == [
        ("who works for worksFor .", "filter ( Person ) ( worksFor contains STR_VAL )"),
        ("who has won 8 awards or more", "filter ( Person ) ( count ( award ) >= NUMBER_VAL )"),
        (
            "how many awards has the person with the most",
            "( sort count desc of ( compute count ( award ) of ( Person ) ) ) [ NUMBER_VAL ]",
        ),
    ]
    assert [row["line"] for row in made.records] == [1, 2, 3]
    assert dict(made.left_out) == {"':' is of no use here": 1}


def test_schema2qa_in_six_columns(tmp_path: Path) -> None:
    # Two columns before the question, and the program once more with constants after it.
    program = 'now => ( @org.schema.Person.Person ) filter param:jobTitle:String =~ "" animal doctor "" => notify'
    line = f'0\tx\twho is an animal doctor\t"{program}"\tx\t"{program.replace("animal doctor", "QUOTED_VAL")}"\n'
    (tmp_path / "people.tsv").write_text("n\ta\tquestion\tprogram\tb\tanonymised\n" + line)
    (row,) = schema2qa_pairs([tmp_path / "people.tsv"]).records
    assert (row["source"], row["target"]) == ("who is an jobTitle", "filter ( Person ) ( jobTitle =~ STR_VAL )")


@pytest.mark.parametrize(
    ("text", "error", "problem"),
    [
        ("a\tb\n", InputFileError, "no column has programs; give a file with programs that begin `now =>`"),
        ("1\tq\tnow => ( @a.B.B ) => notify\n2\tq\n", RecordError, "line 2: has no program in column 3"),
        ('1\tq\t"now => ( @a.B.B ) => notify\n', RecordError, r"line 1: is no such table \(unexpected end of data\)"),
    ],
)
def test_tables_that_cannot_be_used(text: str, error: type[Exception], problem: str, tmp_path: Path) -> None:
    (tmp_path / "people.tsv").write_text(text)
    with pytest.raises(error, match=problem):
        schema2qa_pairs([tmp_path / "people.tsv"])


TYPED = "(call SCOPE.getProperty (call SCOPE.singleton en.NAME) (string !type))"
WIDE = f"(call SCOPE.filter {TYPED.replace('NAME', 'block')} (string width) (string =) (number 3 en.inch))"
EXAMPLES = f"""(example
  (utterance "which blocks of 3 inches are \\"special\\"")
  (original "block whose width is 3 inches that is special")
  (targetFormula
    (call SCOPE.listValue (call SCOPE.filter {WIDE} (string is_special)))
  )
)
(example
  (utterance "meetings on jan 2")
  (original "meeting whose date is jan 2")
  (targetFormula (call SCOPE.listValue (call SCOPE.filter
    {TYPED.replace("NAME", "meeting")} (string date) (string =) (date 2015 1 2))))
)
""".replace("SCOPE.", SCOPE)


def test_overnight(tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.examples" for name in ("blocks.paraphrases.test", "regex.paraphrases.train")]
    for path in paths:
        path.write_text(EXAMPLES)
    made = english_overnight(paths)
    # App. A.2: scope and declarations of types go; the order of conditions stays.
    assert made.records[0] == {
        "id": "blocks_test_0",
        "source": 'which blocks of 3 inches are "special"',
        "synthetic": "block whose width is 3 inches that is special",
        "target": "( listValue ( filter ( filter ( getProperty ( singleton en.block ) !type ) width = ( 3 en.inch ) ) "
        "is_special ) )",
        "domain": "blocks",
        "part": "test",
    }
    assert made.records[1]["target"] == (
        "( listValue ( filter ( getProperty ( singleton en.meeting ) !type ) date = ( date 2015 1 2 ) ) )"
    )
    assert (len(made.records), dict(made.left_out)) == (2, {"of the domain regex": 2})


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("blocks.examples", EXAMPLES, "is not named DOMAIN.paraphrases.PART.examples"),
        ("a.paraphrases.train.examples", "hello\n", "line 1: stands before the first"),
        ("a.paraphrases.train.examples", '(example\n  (utterance "a")\n)\n', "has no original and no targetFormula"),
    ],
)
def test_examples_that_cannot_be_used(name: str, text: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises((InputFileError, RecordError), match=problem):
        english_overnight([tmp_path / name])


def test_a_program_that_cannot_be_read_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "blocks.paraphrases.train.examples"
    path.write_text(EXAMPLES.replace("(date 2015 1 2)", "(date soon)"))
    made = english_overnight([path])
    assert [row["id"] for row in made.records] == ["blocks_train_0"]
    assert dict(made.left_out) == {"'date' declares 'soon', which is no number": 1}
    assert [*made.first.values()] == ["blocks.paraphrases.train.examples, line 8"]


def test_into_the_data_directory(tmp_path: Path) -> None:
    raw, directory = tmp_path / "raw", tmp_path / "data"
    raw.mkdir()
    manner = Manner(str(raw))
    with pytest.raises(DownloadError, match=r"raw: has no file \*\.tsv; ask its authors for people\.tsv"):
        download_data(["schema2qa"], small_sources(), directory, manner)
    with pytest.raises(OptionError, match="no such folder"):
        download_data(["schema2qa"], small_sources(), directory, Manner("http://127.0.0.1:1"))
    table(raw / "people.tsv", ROWS[3:])
    with pytest.raises(DownloadError, match=r"no record of its files can be converted \(':' is of no use here\)"):
        download_data(["schema2qa"], small_sources(), directory, manner)
    assert not directory.exists()
    table(raw / "people.tsv", ROWS)
    (outcome,) = download_data(["schema2qa"], small_sources(), directory, manner)
    assert (outcome.own, outcome.records, outcome.language) == ("schema2qa/people.jsonl.gz", 3, "thingtalk")
    data = recombine.load(directory / outcome.own, language="thingtalk")
    assert data[1].target == "filter ( Person ) ( count ( award ) >= NUMBER_VAL )"
    with pytest.raises(DownloadError, match="is there already; remove it, or replace it with --overwrite"):
        download_data(["schema2qa"], small_sources(), directory, manner)
    download_data(["schema2qa"], small_sources(), directory, Manner(str(raw), overwrite=True))
