"""Examples made lot by lot: each once, in parts that a broken run goes on with, until nothing new comes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from recombine.datasets.parts import kept_parts
from recombine.datasets.parts import make_parts as module
from recombine.datasets.parts.content_hash import content_hash
from recombine.datasets.parts.kept_parts import KeptParts, other_folders, parts_folder
from recombine.datasets.parts.made_lot import MadeLot, TextRow
from recombine.datasets.parts.make_parts import check_number, make_parts
from recombine.datasets.parts.part_file import part_path
from recombine.datasets.parts.write_parts import to_example, write_parts
from recombine.errors import InputFileError, InputWarning, OptionError, OutputFileError, RecombineError, SizeError
from recombine.records.dataset import Dataset
from recombine.records.example import content_id


def row(number: int) -> TextRow:
    """The example of a number."""
    source, target = f"say {number} “é”", str(number)
    return TextRow(content_id(source, target), source, target, '[["number"],["digit",0,1]]', f'{{"half":{number / 2}}}')


class Numbers:
    """Ten numbers a lot, of which lot after lot has two that came before, and one that is dropped."""

    size = 10

    def __init__(self, most: int = 1 << 30, fails_at: int = -1) -> None:
        self.most, self.fails_at = most, fails_at
        self.made: list[int] = []

    def iter_lots(self, first: int, number: int) -> Iterator[MadeLot]:
        """So many lots from this one on."""
        for lot in range(first, first + number):
            if lot == self.fails_at:
                raise RecombineError(f"lot {lot} cannot be made", "mend it")
            self.made.append(lot)
            numbers = [min(each, self.most) for each in range(8 * lot, 8 * lot + 10)]
            kinds = [("even" if each % 2 == 0 else "odd", "yes" if each % 4 == 0 else "") for each in numbers]
            yield MadeLot([row(each) for each in numbers], kinds, Counter({("", "dull"): 1}))


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOTS", 3)


def sources(parts: KeptParts) -> list[str]:
    return [each.source for each in parts.iter_rows()]


def test_each_once_and_as_many_as_are_asked_for() -> None:
    parts = KeptParts()
    progress = make_parts(Numbers(), parts, 55)
    assert sources(parts) == [f"say {number} “é”" for number in range(55)]
    assert (progress.kept, progress.lots) == (55, 7)
    assert (parts.number, len(parts.rest)) == (2, 5), "the third part is not whole"
    assert progress.counts == {
        ("", "dull"): 7,
        ("even", "kept"): 28,
        ("odd", "kept"): 27,
        ("even", "yes"): 14,
        ("even", "same_pattern"): 6,
        ("odd", "same_pattern"): 6,
    }
    folder = parts.folder
    assert folder is not None
    assert folder.is_dir()
    parts.remove()
    assert not folder.exists()


def test_few_are_in_memory(tmp_path: Path) -> None:
    parts = KeptParts(tmp_path / "parts")
    make_parts(Numbers(), parts, 20)
    assert (parts.number, len(parts.rest), list(tmp_path.iterdir())) == (0, 20, [])


def test_more_gives_the_same_first() -> None:
    few, many = KeptParts(), KeptParts()
    make_parts(Numbers(), few, 33)
    make_parts(Numbers(), many, 90)
    assert sources(many)[:33] == sources(few)


def test_a_broken_run_goes_on_after_its_last_whole_part(tmp_path: Path) -> None:
    whole = KeptParts()
    expected = make_parts(Numbers(), whole, 100)
    place = tmp_path / "parts"
    with pytest.raises(
        RecombineError, match="lot 7 cannot be made; mend it; 2 finished parts with 50 examples kept in"
    ):
        make_parts(Numbers(fails_at=7), KeptParts(place), 100)
    assert sorted(each.name for each in place.iterdir()) == ["lock", "part-00000.parquet", "part-00001.parquet"]
    again, parts = Numbers(), KeptParts(place)
    with pytest.warns(InputWarning, match="2 finished parts with 50 examples kept in .*; it goes on from there"):
        progress = make_parts(again, parts, 100)
    assert again.made[0] == 6, "what is there is not made again"
    assert list(parts.iter_rows()) == list(whole.iter_rows())
    assert progress == expected
    assert content_hash(parts, 100) == content_hash(whole, 100)


def test_what_is_damaged_is_made_again(tmp_path: Path) -> None:
    place = tmp_path / "parts"
    make_parts(Numbers(), KeptParts(place), 100)
    second = part_path(place, 1)
    second.write_bytes(second.read_bytes()[:-100])
    (place / ".part-00003.parquet.writing").write_bytes(b"half")
    whole, parts, again = KeptParts(), KeptParts(place), Numbers()
    make_parts(Numbers(), whole, 100)
    with pytest.warns(InputWarning, match="is no whole part|1 finished part with"):
        make_parts(again, parts, 100)
    assert again.made[0] == 3
    assert list(parts.iter_rows()) == list(whole.iter_rows())


def test_a_changed_byte_is_seen(tmp_path: Path) -> None:
    place = tmp_path / "parts"
    parts = KeptParts(place)
    make_parts(Numbers(), parts, 60)
    data = bytearray(part_path(place, 0).read_bytes())
    data[100] ^= 1
    part_path(place, 0).write_bytes(data)
    with pytest.raises(InputFileError, match=r"part-00000\.parquet: is damaged"):
        list(parts.iter_rows())


def test_one_process_at_a_time(tmp_path: Path) -> None:
    place = tmp_path / "parts"
    first = KeptParts(place)
    make_parts(Numbers(), first, 60)
    with pytest.raises(OutputFileError, match="another process is making the same file"):
        make_parts(Numbers(), KeptParts(place), 60)
    first.close()
    with pytest.warns(InputWarning, match="finished parts"):
        make_parts(Numbers(), KeptParts(place), 60)


def test_nothing_new_is_an_end_that_says_how_far_it_came(tmp_path: Path) -> None:
    with pytest.raises(SizeError) as said:
        make_parts(Numbers(most=29), KeptParts(tmp_path / "parts"), 1000)
    assert "30 examples were reached, not 1,000: the last 80 draws gave 0 new ones" in str(said.value)
    assert "same_pattern" in str(said.value)
    assert "ask for fewer" in str(said.value)
    assert "finished parts with 30 examples kept in" in str(said.value)
    assert said.value.exit_code == 2


def test_a_failure_before_the_first_part_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(RecombineError, match=r"lot 1 cannot be made; mend it$"):
        make_parts(Numbers(fails_at=1), KeptParts(tmp_path / "parts"), 100)
    assert list(tmp_path.iterdir()) == []


def test_a_first_part_that_cannot_be_written_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*given: object) -> None:
        raise OutputFileError("there is no room", "make some")

    monkeypatch.setattr(kept_parts, "write_part", full)
    with pytest.raises(OutputFileError, match=r"there is no room; make some$"):
        make_parts(Numbers(), KeptParts(tmp_path / "parts"), 100)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("number", "said"), [(None, "say how many with -n"), (0, "cannot make 0"), (-1, "cannot make -1")]
)
def test_numbers_that_cannot_be(number: int | None, said: str) -> None:
    with pytest.raises(OptionError, match=said):
        check_number(number)


def test_the_hash_is_that_of_the_data_set() -> None:
    parts = KeptParts()
    make_parts(Numbers(), parts, 200)
    data = Dataset.of("numbers", map(to_example, parts.iter_rows()))
    for together in (1 << 18, 70, 50, 7):
        assert content_hash(parts, 200, together=together) == data.hash


def test_folders_of_other_settings(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    mine, other = parts_folder(path, "a" * 32), parts_folder(path, "b" * 32)
    for each in (mine, other, parts_folder(tmp_path / "other.jsonl", "b" * 32)):
        each.mkdir()
    assert other_folders(path, "a" * 32) == [other]


@pytest.mark.parametrize(("name", "form"), [("q.jsonl", "ours"), ("q.jsonl.gz", "ours"), ("q.parquet", "ours")])
def test_files_are_those_of_a_data_set(tmp_path: Path, name: str, form: str) -> None:
    from recombine.datasets.files.tables import read_table
    from recombine.datasets.write_data import write_data

    parts = KeptParts()
    make_parts(Numbers(), parts, 70)
    data = Dataset.of("q", map(to_example, parts.iter_rows()))
    write_parts(parts, tmp_path / name, form, made={"n": 70})
    assert orjson.loads((tmp_path / f"{name}.meta.json").read_bytes())["made"] == {"n": 70}
    loaded = read_table(tmp_path / name)
    assert [(each.id, each.source, each.target, each.derivation) for each in loaded] == [
        (each.id, each.source, each.target, each.derivation) for each in data
    ]
    assert loaded[3].tags == {"half": 1.5, "line": 4}
    (tmp_path / "other").mkdir()
    write_data(data, tmp_path / "other" / name, form)
    if name.endswith("jsonl"):
        assert (tmp_path / name).read_bytes() == (tmp_path / "other" / name).read_bytes()


def test_a_part_of_them(tmp_path: Path) -> None:
    parts = KeptParts()
    make_parts(Numbers(), parts, 70)
    write_parts(parts, tmp_path / "q.jsonl", "ours", made={}, chosen=[3, 60])
    assert [orjson.loads(line)["target"] for line in (tmp_path / "q.jsonl").read_bytes().splitlines()] == ["3", "60"]


KILLED = """
import os, signal, sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from test_make_parts import Numbers
from recombine.datasets.parts import make_parts, kept_parts, part_file

make_parts.LOTS = 3
class Killing(Numbers):
    def iter_lots(self, first, number):
        for lot in super().iter_lots(first, number):
            if self.made[-1] == 7:
                os.kill(os.getpid(), signal.SIGKILL)
            yield lot

make_parts.make_parts(Killing(), kept_parts.KeptParts(Path(sys.argv[2])), 100)
"""


def test_killed_it_leaves_whole_parts(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", KILLED, str(Path(__file__).parent), str(tmp_path / "parts")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    assert ended.returncode == -9
    whole, parts = KeptParts(), KeptParts(tmp_path / "parts")
    make_parts(Numbers(), whole, 100)
    with pytest.warns(InputWarning, match="2 finished parts with 50 examples"):
        make_parts(Numbers(), parts, 100)
    assert list(parts.iter_rows()) == list(whole.iter_rows())
