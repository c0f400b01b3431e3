"""The cache of data: found by content, whole or not there, never larger than it may be, and never in the way."""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from recombine import data_cache
from recombine.data_cache import (
    cache_folder,
    clear_cache,
    content_key,
    drop_stored_folder,
    read_stored,
    store,
    stored_files,
    stored_folder,
)
from recombine.errors import InputWarning, OptionError

TABLE = pa.table({"id": pa.array(["a", "b"]), "size": pa.array([1, 2])})
KEY, OTHER = content_key([b"one"]), content_key([b"other"])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    monkeypatch.setenv(data_cache.VARIABLE, str(tmp_path / "cache" / "data"))
    return tmp_path / "cache" / "data"


def file_of(key: str) -> Path:
    place = cache_folder()
    assert place is not None
    return place / f"{key}.data.arrow"


def test_what_is_stored_is_read_back(folder: Path) -> None:
    assert read_stored(KEY) is None
    store(KEY, TABLE)
    table = read_stored(KEY)
    assert table is not None
    assert table.equals(TABLE)
    assert [path.name for path in folder.iterdir()] == [f"{KEY}.data.arrow"]
    assert read_stored(OTHER) is None


def test_a_mapped_table_outlives_its_file(folder: Path) -> None:
    store(KEY, TABLE)
    table = read_stored(KEY)
    clear_cache()
    assert table is not None
    assert table.equals(TABLE)


def test_where_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(data_cache.VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "recombine" / "data"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "recombine" / "data"
    for value in ("off", "OFF"):
        monkeypatch.setenv(data_cache.VARIABLE, value)
        assert cache_folder() is None
        store(KEY, TABLE)
        assert (read_stored(KEY), stored_files(), clear_cache()) == (None, [], [])
    assert list(tmp_path.iterdir()) == []


def damage(path: Path, how: str) -> None:
    data = bytearray(path.read_bytes())
    if how == "cut":
        data = data[:-1]
    elif how == "grown":
        data += b"\0"
    elif how == "empty":
        data = bytearray()
    elif how == "other form":
        data[:4] = b"RECO"
    elif how == "digest":
        data[20] ^= 1
    else:
        data[-9] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("how", ["cut", "grown", "empty", "other form", "digest", "one bit"])
def test_a_damaged_file_is_noticed_and_made_again(how: str, folder: Path) -> None:
    store(KEY, TABLE)
    damage(file_of(KEY), how)
    with pytest.warns(InputWarning, match=r"is damaged \(.+\), so that it is not used and made again"):
        assert read_stored(KEY) is None
    store(KEY, TABLE)
    assert read_stored(KEY) is not None


def test_a_file_under_the_key_of_another_is_noticed(folder: Path) -> None:
    store(KEY, TABLE)
    file_of(KEY).rename(file_of(OTHER))
    with pytest.warns(InputWarning, match="its digest is another"):
        assert read_stored(OTHER) is None


def test_a_folder_in_place_of_a_file(folder: Path) -> None:
    file_of(KEY).mkdir(parents=True)
    with pytest.warns(InputWarning, match="is damaged"):
        assert read_stored(KEY) is None
    with pytest.warns(InputWarning, match="is not kept"):
        store(KEY, TABLE)
    assert clear_cache() == []


def test_what_was_used_longest_ago_is_removed_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [content_key([bytes([number])]) for number in range(3)]
    for age, key in enumerate(keys):
        store(key, TABLE)
        os.utime(file_of(key), (1000 + age, 1000 + age))
    assert read_stored(keys[0]) is not None  # used now, so that the second is the oldest
    size = stored_files()[0].size
    monkeypatch.setenv(data_cache.SIZE_VARIABLE, str(3 * size))
    store(KEY, TABLE)
    assert {each.path for each in stored_files()} == {file_of(keys[0]), file_of(keys[2]), file_of(KEY)}
    monkeypatch.setenv(data_cache.SIZE_VARIABLE, str(size - 1))
    store(OTHER, TABLE)
    assert len(stored_files()) == 3, "what is too large alone drives nothing out"
    monkeypatch.setenv(data_cache.SIZE_VARIABLE, "much")
    with pytest.raises(OptionError, match=r"RECOMBINE_DATA_CACHE_SIZE is 'much'"):
        store(OTHER, TABLE)


def test_only_our_own_files_are_removed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store(KEY, TABLE)
    others = ["notes.txt", "x.data.arrow", f"{KEY}.data.arrow.bak", f"{KEY.upper()}.data.arrow", f".{KEY}.data.arrow"]
    for name in others:
        (folder / name).write_text("mine")
    (folder / f"{OTHER}.data.arrow").symlink_to(folder / "notes.txt")
    unfinished = folder / f".{KEY}.data.arrow.a1b2c3d_"
    unfinished.write_text("half")
    monkeypatch.setenv(data_cache.SIZE_VARIABLE, str(file_of(KEY).stat().st_size))
    third = content_key([b"third"])
    store(third, TABLE)
    assert not file_of(KEY).exists()
    assert unfinished.exists(), "another process may be writing it"
    os.utime(unfinished, (1000, 1000))
    store(third, TABLE)
    assert not unfinished.exists()
    unfinished.write_text("half")
    assert {each.path.name for each in clear_cache()} == {f"{third}.data.arrow", unfinished.name}
    assert sorted(path.name for path in folder.iterdir()) == sorted([*others, f"{OTHER}.data.arrow"])


def test_a_folder_that_cannot_be_made_is_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv(data_cache.VARIABLE, str(tmp_path / "file" / "data"))
    with pytest.warns(InputWarning, match=r"is not kept for the next command \(.*Not a directory\); RECOMBINE_DATA_"):
        store(KEY, TABLE)
    assert (read_stored(KEY), stored_files(), clear_cache()) == (None, [], [])


def test_a_full_disk_is_a_note(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("recombine.files.os.fdopen", full)
    with pytest.warns(InputWarning, match=r"is not kept for the next command \(.*No space left on device"):
        store(KEY, TABLE)
    monkeypatch.undo()
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_the_system_says_that_the_disk_is_full(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fdopen

    def onto_a_full_disk(handle: int, mode: str) -> Any:
        os.close(handle)
        return real(os.open("/dev/full", os.O_WRONLY), mode)

    monkeypatch.setattr("recombine.files.os.fdopen", onto_a_full_disk)
    with pytest.warns(InputWarning, match="No space left on device"):
        store(KEY, TABLE)
    assert list(folder.iterdir()) == []


def fill(number: int) -> int:
    """Store and read the same keys over and over; give how often what was read was whole."""
    whole = 0
    for turn in range(60):
        key = content_key([bytes([turn % 3])])
        large = pa.table({"id": pa.array([f"{turn % 3}"] * 20_000)})
        store(key, large)
        table = read_stored(key)
        whole += table is None or table.equals(large)
    return whole


def test_processes_fill_it_at_once(folder: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(fill, [1, 2], chunksize=1) == [60, 60]
    assert len(stored_files()) == 3
    assert len(list(folder.iterdir())) == 3


def test_other_code_is_another_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, text in (("a.py", "x = 1"), ("b.txt", "no code")):
        (tmp_path / "room").mkdir(exist_ok=True)
        (tmp_path / "room" / name).write_text(text)
    monkeypatch.setattr(data_cache, "__file__", str(tmp_path / "data_cache.py"))
    digests = []
    for name, text in (("b.txt", "other"), ("a.py", "x = 2"), ("c.py", "")):
        data_cache.code_digest.cache_clear()
        digests.append(data_cache.code_digest(("room",)))
        (tmp_path / "room" / name).write_text(text)
    data_cache.code_digest.cache_clear()
    digests.append(data_cache.code_digest(("room",)))
    data_cache.code_digest.cache_clear()
    assert digests[0] == digests[1] != digests[2]


def test_with_tables_any_file_beside_the_code_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Rooms and files are named; what Python compiles there is none of them."""
    for name in ("room/a.py", "room/words/b.toml", "room/__pycache__/a.pyc", "one.py", "two.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x = 1")
    monkeypatch.setattr(data_cache, "__file__", str(tmp_path / "data_cache.py"))

    def digest(*, tables: bool) -> bytes:
        data_cache.code_digest.cache_clear()
        return data_cache.code_digest(("room", "one.py"), tables=tables)

    changed = {}
    for name in ("room/a.py", "room/words/b.toml", "room/__pycache__/a.pyc", "one.py", "two.py"):
        before = digest(tables=True), digest(tables=False)
        (tmp_path / name).write_text("x = 2")
        changed[name] = [
            now != then for now, then in zip((digest(tables=True), digest(tables=False)), before, strict=True)
        ]
    data_cache.code_digest.cache_clear()
    assert changed == {
        "room/a.py": [True, True],
        "room/words/b.toml": [True, False],
        "room/__pycache__/a.pyc": [False, False],
        "one.py": [True, True],
        "two.py": [False, False],
    }


# -- folders ----------------------------------------------------------------------------------------------------------


def make_two(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "one.bin").write_bytes(b"1" * 1000)
    (folder / "two.bin").write_bytes(b"2" * 500)


def fail(folder: Path) -> None:
    make_two(folder)
    raise ValueError("it failed")


def test_a_folder_is_made_once(folder: Path) -> None:
    place = stored_folder(KEY, make_two)
    assert place == folder / f"{KEY}.folder"
    assert (place / "sub" / "one.bin").read_bytes() == b"1" * 1000
    assert stored_folder(KEY, fail) == place
    assert [file.path for file in stored_files()] == [place]
    assert stored_files()[0].size == 1500
    assert [file.path for file in clear_cache()] == [place]
    assert list(folder.iterdir()) == []


def test_a_folder_that_fails_is_not_there(folder: Path) -> None:
    with pytest.raises(ValueError, match="it failed"):
        stored_folder(KEY, fail)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("name", ["sub/one.bin", "two.bin", "files.json"])
def test_a_damaged_folder_is_made_again(folder: Path, name: str) -> None:
    place = stored_folder(KEY, make_two)
    assert place is not None
    (place / name).write_bytes(b"x")
    with pytest.warns(InputWarning, match="is damaged"):
        assert stored_folder(KEY, make_two) == place
    assert (place / "two.bin").read_bytes() == b"2" * 500
    drop_stored_folder(KEY)
    assert not place.exists()


def test_folders_count_for_the_cap(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(data_cache.SIZE_VARIABLE, "4K")
    keys = [content_key([bytes([number])]) for number in range(5)]
    for number, key in enumerate(keys):
        place = stored_folder(key, make_two)
        assert place is not None
        os.utime(place, (number, number))
    assert [file.path.name for file in stored_files()] == sorted(f"{key}.folder" for key in keys[-2:])
    monkeypatch.setenv(data_cache.SIZE_VARIABLE, "1K")
    with pytest.warns(InputWarning, match="larger than RECOMBINE_DATA_CACHE_SIZE"):
        assert stored_folder(KEY, make_two) is None
    monkeypatch.setenv(data_cache.VARIABLE, "off")
    assert stored_folder(KEY, fail) is None
