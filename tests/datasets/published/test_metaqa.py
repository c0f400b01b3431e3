from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import recombine
from recombine.datasets.published.metaqa import METAQA, without_topic
from recombine.errors import InputFileError, MissingDataError, RecordError
from recombine.kb.kb_world import METAQA as FACTS
from recombine.records.world import WorldReference

# The first, middle and last lines of the files, and how many there are.
LINES = {
    "metaqa/1hop": (9992, ["ea3a9f6a25bdaf8d", "1d998fc8b09ac40b", "c880267c798e9839"]),
    "metaqa/2hop": (14872, ["530bd3f3ce4840ac", "46ee94835a935e25", "1d78d14b6608c4dd"]),
    "metaqa/3hop": (14274, ["886ffb222701f495", "804a893c853a6c84", "c92ca9c4fb0d1fb5"]),
}


@pytest.mark.shared_data
@pytest.mark.parametrize("name", LINES)
def test_count_first_middle_last(name: str, data_dir: Path) -> None:
    data = recombine.load(name)
    count, ids = LINES[name]
    assert len(data) == count
    assert [data[row].id for row in (0, count // 2, count - 1)] == ids
    assert data.language is None
    for example in data:
        assert f"[{example.tags['topic']}]" in example.source
        assert "|".join(example.tags["answers"]) == example.target  # type: ignore[arg-type]


@pytest.mark.shared_data
def test_the_first_question(data_dir: Path) -> None:
    example = recombine.load("metaqa/1hop")[0]
    assert example.source == "what movies did [Temuera Morrison] act in"
    assert example.tags == {
        "topic": "Temuera Morrison",
        "answers": ["Once Were Warriors", "Tracker", "River Queen"],
        "line": 1,
    }


@pytest.mark.shared_data
def test_its_world_is_pinned(data_dir: Path, tmp_path: Path) -> None:
    data = recombine.load("metaqa/2hop")
    world = data.world
    assert isinstance(world, WorldReference)
    assert (world.kind, world.sha256, data.world_is_implied) == ("kb", FACTS, True)
    assert world.check() is world
    (tmp_path / "other.nt").write_text("<http://a> <http://b> <http://c> .\n")
    with pytest.raises(InputFileError, match=r"other.nt: metaqa/2hop is about the world kb@e77720ca420696"):
        recombine.load("metaqa/2hop", world=tmp_path / "other.nt")


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    (tmp_path / "kb" / "metaqa").mkdir(parents=True)
    return tmp_path / "kb" / "metaqa"


def test_small_files(small: Path) -> None:
    with pytest.raises(MissingDataError, match=r"metaqa/1hop needs the file kb/metaqa/1hop_dev.txt.gz"):
        METAQA[0].load()
    lines = ["who made [Tin Boat]\tAnn|Bob", "who made [Red Kite]\tAnn", "when did [Tin Boat] open\t1999"]
    (small / "1hop_dev.txt").write_text("\n".join(lines) + "\n")
    data = METAQA[0].load()
    assert [(e.tags["topic"], e.tags["answers"]) for e in data] == [
        ("Tin Boat", ["Ann", "Bob"]),
        ("Red Kite", ["Ann"]),
        ("Tin Boat", ["1999"]),
    ]
    patterns = Counter(data.pattern("source").collapse(e.source) for e in data)
    assert patterns == {"who made []": 2, "when did [] open": 1}
    # Facts that are not there are missed when they are wanted, and not before.
    with pytest.raises(InputFileError, match=r"kb.txt.gz: there is no such world"):
        data.world.check()  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("who made Tin Boat\tAnn", "line 2: 0 topics in brackets where 1 belongs"),
        ("who made [A] or [B]\tAnn", "line 2: 2 topics in brackets where 1 belongs"),
        ("who made [A]", "line 2: 1 fields where 2 are expected"),
    ],
)
def test_lines_that_are_not_of_the_form(small: Path, line: str, problem: str) -> None:
    (small / "2hop_dev.txt").write_text(f"who made [Tin Boat]\tAnn\n{line}\n")
    with pytest.raises(RecordError, match=problem):
        METAQA[1].load()


def test_questions_without_topics() -> None:
    assert without_topic("no topic") == "no topic"
