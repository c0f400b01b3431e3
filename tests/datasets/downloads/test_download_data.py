"""Downloads from a server that cuts, stalls and lies: one line, nothing half-written, and the next attempt succeeds."""

from __future__ import annotations

import gzip
import json
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from odd_server import Served, odd_server
from small_sources import FILES, NOTES, PAIRS, git_blob, sha256, small_sources

import recombine
from recombine.datasets.downloads import fetch_original
from recombine.datasets.downloads.download_data import Manner, SetOutcome, download_data
from recombine.datasets.downloads.sources import Sources, read_sources
from recombine.errors import DownloadError, OptionError, RecombineError
from recombine.files import read_bytes


def get(served: Served, directory: Path, *names: str, retries: int = 0, **further: object) -> list[SetOutcome]:
    manner = Manner(served.address, timeout=0.3, retries=retries, **further)  # type: ignore[arg-type]
    return download_data(names or ("toy",), small_sources(), directory, manner)


def files_of(directory: Path) -> list[str]:
    """The files below a directory, without those that a download works with."""
    paths = (path for path in directory.rglob("*") if path.is_file())
    return sorted(str(path.relative_to(directory)) for path in paths if ".recombine-download" not in path.parts)


def check_whole(directory: Path) -> None:
    assert files_of(directory) == ["downloads.json", "toy/notes.txt", "toy/pairs.tsv.gz"]
    assert gzip.decompress((directory / "toy/pairs.tsv.gz").read_bytes()) == PAIRS
    assert (directory / "toy/notes.txt").read_bytes() == NOTES
    assert not (directory / ".recombine-download").exists()


def test_all_is_well(served: Served, directory: Path) -> None:
    (outcome,) = get(served, directory)
    assert [(file.source.file, file.state, file.fetched) for file in outcome.files] == [
        ("toy/pairs.tsv.gz", "written", len(PAIRS)),
        ("toy/notes.txt", "written", len(NOTES)),
    ]
    assert outcome.licences == ["MIT", "none stated"]
    check_whole(directory)


def test_what_is_there_is_not_fetched_again(served: Served, directory: Path) -> None:
    get(served, directory)
    served.asked.clear()
    (outcome,) = get(served, directory)
    assert [file.state for file in outcome.files] == ["there", "there"]
    (directory / "toy/pairs.tsv").write_bytes(PAIRS)  # not packed
    (directory / "toy/pairs.tsv.gz").unlink()
    get(served, directory)
    assert served.asked == []
    (directory / "toy/pairs.tsv").unlink()
    assert [file.state for file in get(served, directory)[0].files] == ["written", "there"]
    assert [asked["path"] for asked in served.asked] == [f"/{path}" for path in FILES if "pairs" in path]


def test_another_file_of_the_name_is_replaced_on_demand(served: Served, directory: Path) -> None:
    get(served, directory)
    half = gzip.compress(PAIRS)[:1000]
    changed = (("notes.txt", NOTES + b"three\n"), ("pairs.tsv.gz", gzip.compress(b"mine\n")), ("pairs.tsv.gz", half))
    for name, content in ((f"toy/{file}", content) for file, content in changed):
        (directory / name).write_bytes(content)
        with pytest.raises(
            DownloadError, match=f"^{name} in .*: is there with another content than toy has; remove it"
        ):
            get(served, directory)
        assert (directory / name).read_bytes() == content
        get(served, directory, overwrite=True)
        check_whole(directory)


ODD = {
    "cut": ("cut", r"broke off after \d+,\d+ of 634,\d+ bytes"),
    "stall": ("stall", "sent nothing for 0.3 s"),
    "other content": ("other", r"has not the content that is pinned \(sha256 "),
    "shorter": ("shorter", "has 634,263 bytes and not the 634,264 that are pinned"),
    "longer": ("longer", "has 634,268 bytes and not the 634,264 that are pinned"),
    "longer than said": ("longer unsaid", "sends more than 634,264 bytes"),
    "shorter than said": ("shorter unsaid", "broke off after 634,263 of 634,264 bytes"),
    "not there": ("404", "answers 404 Not Found; give a mirror that has it"),
    "broken server": ("500", "answers 500 Internal Server Error"),
    "forbidden": ("403", "answers 403 Forbidden"),
    "packed": ("packed", "is sent packed as gzip"),
    "a file of this machine": ("to file:///etc/passwd", "answers 302 .* .file:///etc/passwd. is not allowed"),
    "another protocol": ("to ftp://127.0.0.1/x", "leads to ftp://127.0.0.1/x, which is not followed"),
    "nobody there": ("to http://127.0.0.1:1/x", "cannot be reached"),
}


@pytest.mark.parametrize("name", ODD)
def test_a_server_that_misbehaves(name: str, served: Served, directory: Path) -> None:
    assert len(PAIRS) == 634_264
    manner, problem = ODD[name]
    served.manners.append(manner)
    with pytest.raises(DownloadError, match=problem) as caught:
        get(served, directory)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2
    assert files_of(directory) == []
    get(served, directory)
    check_whole(directory)


@pytest.mark.parametrize("manner", ["cut", "stall", "500", "503", "429"])
def test_what_may_be_better_a_little_later_is_tried_again(manner: str, served: Served, directory: Path) -> None:
    served.manners += [manner, manner]
    get(served, directory, retries=2)
    check_whole(directory)
    served.manners += [manner] * 3
    (directory / "toy/pairs.tsv.gz").unlink()
    with pytest.raises(DownloadError, match=r"\(2 attempts\); run the command again, which goes on from there"):
        get(served, directory, retries=1)


@pytest.mark.parametrize("manner", ["404", "other", "shorter"])
def test_what_will_not_be_better_is_not_tried_again(manner: str, served: Served, directory: Path) -> None:
    served.manners.append(manner)
    with pytest.raises(DownloadError):
        get(served, directory, retries=5)
    assert len(served.asked) == 1


def test_a_second_attempt_goes_on(served: Served, directory: Path) -> None:
    served.manners.append("cut")
    with pytest.raises(DownloadError):
        get(served, directory)
    came = len(PAIRS) // 2
    assert (directory / ".recombine-download" / f"{sha256(PAIRS)}.part").read_bytes() == PAIRS[:came]
    get(served, directory)
    assert [(asked["range"], asked["if_range"]) for asked in served.asked[:2]] == [
        (None, None),
        (f"bytes={came}-", '"1"'),
    ]
    check_whole(directory)


def test_no_more_is_written_than_is_pinned(served: Served, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[int] = []
    monkeypatch.setattr(fetch_original, "_append", lambda _, piece: written.append(len(piece)))
    served.manners.append("endless")
    with pytest.raises(DownloadError, match="sends more than 634,264 bytes"):
        get(served, directory)
    assert sum(written) <= len(PAIRS)


def test_a_server_without_ranges_sends_all_again(served: Served, directory: Path) -> None:
    served.ranges = False
    served.manners.append("cut")
    get(served, directory, retries=1)
    assert served.asked[1]["range"] is not None
    check_whole(directory)


def test_what_came_of_another_version_is_not_gone_on_with(served: Served, directory: Path) -> None:
    served.files = {path: data.replace(b"question", b"query  n") for path, data in served.files.items()}
    served.manners.append("cut")
    with pytest.raises(DownloadError):
        get(served, directory)
    served.files, served.mark = {path.replace(" ", "%20"): data for path, data in FILES.items()}, '"2"'
    get(served, directory)
    check_whole(directory)


def test_what_does_not_fit_together_is_fetched_anew(served: Served, directory: Path) -> None:
    served.mark = 'W/"1"'  # a weak mark says nothing about bytes, so that the server is not asked to compare it
    served.manners.append("cut")
    with pytest.raises(DownloadError):
        get(served, directory)
    part = directory / ".recombine-download" / f"{sha256(PAIRS)}.part"
    part.write_bytes(b"x" * part.stat().st_size)
    with pytest.raises(DownloadError, match="does not go on from what had come"):
        get(served, directory)
    assert served.asked[1]["if_range"] is None
    get(served, directory)
    check_whole(directory)


@pytest.mark.parametrize("manner", ["416", "another part"])
def test_a_part_that_cannot_be_gone_on_with_is_dropped(manner: str, served: Served, directory: Path) -> None:
    served.manners += ["cut", manner]
    get(served, directory, retries=2)
    assert [bool(asked["range"]) for asked in served.asked[:3]] == [False, True, False]
    check_whole(directory)


def test_redirects_are_followed(served: Served, directory: Path) -> None:
    path = next(path for path in FILES if "pairs" in path)
    served.manners.append(f"to {served.address}/{path}?again")
    get(served, directory)
    check_whole(directory)
    (directory / "toy/pairs.tsv.gz").unlink()
    served.manners += [f"to {served.address}/{path}"] * 20
    with pytest.raises(DownloadError, match="answers 302"):
        get(served, directory)


def test_through_a_proxy(served: Served, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", served.address)
    with odd_server(files=served.files) as other:
        download_data(["toy"], small_sources(), directory, Manner("http://mirror.invalid", timeout=1, retries=0))
        assert all(str(asked["path"]).startswith("http://mirror.invalid/owner/") for asked in served.asked)
        check_whole(directory)
        (directory / "toy/pairs.tsv.gz").unlink()
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        served.asked.clear()
        get(other, directory)
        assert served.asked == []
        assert len(other.asked) == 1


def test_from_a_folder(served: Served, directory: Path, tmp_path: Path) -> None:
    mirror = tmp_path / "mirror"
    manner = Manner(str(mirror), retries=0)
    with pytest.raises(OptionError, match=r"mirror: no such folder; give a folder or an address"):
        download_data(["toy"], small_sources(), directory, manner)
    mirror.mkdir()
    for path, content in FILES.items():
        (mirror / path).parent.mkdir(parents=True)
        (mirror / path).write_bytes(content)
    download_data(["toy"], small_sources(), directory, manner)
    check_whole(directory)
    (directory / "toy/notes.txt").unlink()
    notes = mirror / next(path for path in FILES if "notes" in path)
    notes.write_bytes(b"another\n")
    with pytest.raises(
        DownloadError, match=rf"notes.txt has not the content that is pinned .git id {git_blob(NOTES)[:12]}"
    ):
        download_data(["toy"], small_sources(), directory, Manner(f"file://{mirror}", retries=0))
    notes.unlink()
    with pytest.raises(DownloadError, match=r"notes\.txt: no such file; lay the mirror out as OWNER/REPOSITORY/COMMIT"):
        download_data(["toy"], small_sources(), directory, manner)
    assert files_of(directory) == ["downloads.json", "toy/pairs.tsv.gz"]


def test_a_set_is_there_whole_or_not_at_all(served: Served, directory: Path) -> None:
    served.manners += ["well", "404"]  # the first file of the two would be there
    with pytest.raises(DownloadError, match="404"):
        get(served, directory)
    assert files_of(directory) == []
    served.asked.clear()
    get(served, directory)
    assert ["notes" in str(asked["path"]) for asked in served.asked] == [True]  # the other had come whole
    check_whole(directory)


def test_one_that_fails_keeps_no_other_back(served: Served, directory: Path) -> None:
    with pytest.raises(DownloadError, match=r"^secret of 2 data sets failed: secret: nobody has published it; ask its"):
        get(served, directory, "secret", "toy")
    check_whole(directory)


def test_no_pinned_address(served: Served, directory: Path) -> None:
    with pytest.raises(DownloadError) as caught:
        get(served, directory, "secret")
    place = directory / "secret/all.txt"
    assert str(caught.value) == f"secret: nobody has published it; ask its authors, and put it at {place}"
    with pytest.raises(DownloadError, match="then `recombine download schema2qa --from DIR`, with the folder"):
        download_data(["schema2qa"], small_sources(), directory, Manner())


def test_a_conversion_that_gives_something_else(served: Served, directory: Path) -> None:
    sources = small_sources()
    changed = replace(sources, sources=(replace(sources.sources[0], result="0" * 64), *sources.sources[1:]))
    with pytest.raises(DownloadError, match="the conversion identical gives another file than the published one"):
        download_data(["toy"], changed, directory, Manner(served.address, retries=0))
    assert files_of(directory) == []


def test_originals_that_a_conversion_cannot_read(served: Served, directory: Path) -> None:
    sources = small_sources()
    changed = replace(sources, sources=(replace(sources.sources[1], conversion="qald_lines"),))
    problem = r"toy/notes\.txt: the conversion qald_lines cannot read its originals \(KeyError"
    with pytest.raises(DownloadError, match=problem):
        download_data(["toy"], changed, directory, Manner(served.address, retries=0))
    assert files_of(directory) == []


def test_two_at_once(served: Served, directory: Path) -> None:
    served.manners.append("stall")
    errors: list[RecombineError] = []

    def first() -> None:
        try:
            download_data(["toy"], small_sources(), directory, Manner(served.address, timeout=5, retries=0))
        except RecombineError as error:
            errors.append(error)

    thread = threading.Thread(target=first)
    thread.start()
    while not served.asked:
        thread.join(0.01)
    with pytest.raises(DownloadError, match="another process downloads into"):
        get(served, directory)
    served.stop.set()
    thread.join()
    assert len(errors) == 1
    get(served, directory)
    check_whole(directory)


def test_a_directory_that_cannot_be_written(served: Served, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RecombineError, match=r"cannot be written \(Not a directory\); set RECOMBINE_DATA"):
        get(served, tmp_path / "file")


def test_notes_that_cannot_be_read_are_none(served: Served, directory: Path) -> None:
    get(served, directory, "notes/of_toys")
    assert json.loads((directory / "downloads.json").read_text())["toy/notes.txt"]["sha256"] == sha256(NOTES)
    (directory / "downloads.json").write_text("{")
    with pytest.raises(DownloadError, match="--overwrite"):
        get(served, directory, "notes/of_toys")


@pytest.mark.shared_data
def test_real_sources_from_a_mirror_of_what_is_here(data_dir: Path, directory: Path, tmp_path: Path) -> None:
    sources, names = read_sources(), ["geoquery/funql", "spider/ssp", "spider/xsp", "scenes/gqa", "cfq/release_sample"]
    contents = {sha256(content): content for content in map(read_bytes, _files_of_sets(data_dir, sources, names))}
    for name in names:
        for source in sources.of(name):
            for _, original in source.originals:
                path = tmp_path / "mirror" / original.address
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(contents[original.sha256])
    outcomes = download_data(names, sources, directory, Manner(str(tmp_path / "mirror")))
    assert sum(len(outcome.files) for outcome in outcomes) == 26
    for outcome in outcomes:
        for file in outcome.files:
            assert read_bytes(directory / file.source.file) == read_bytes(data_dir / file.source.file)
    data = recombine.load("geoquery/funql")  # by its content hash, the order of its lines, and each split's digest
    assert len(recombine.load_split(data, "tmcd_1").parts["train"]) == 440
    assert len(recombine.load("spider/ssp")) == 4376


def _files_of_sets(data_dir: Path, sources: Sources, names: list[str]) -> list[Path]:
    return [data_dir / source.file for name in names for source in sources.of(name)]


@pytest.mark.parametrize(
    ("manner", "problem"),
    [
        (Manner("ftp://x/y"), "neither an http address nor a folder"),
        (Manner("http://"), "is no address"),
        (Manner(timeout=0), "a time-out of 0 s"),
        (Manner(retries=-1), "-1 further attempts"),
    ],
)
def test_options_that_cannot_be_used(manner: Manner, problem: str, directory: Path) -> None:
    with pytest.raises(OptionError, match=problem):
        download_data(["toy"], small_sources(), directory, manner)
    assert not directory.exists()
