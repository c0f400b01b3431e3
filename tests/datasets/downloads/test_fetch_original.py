"""However a transfer is cut into attempts, what comes out is the original or nothing."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.request import Request

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_sources import git_blob, sha256

from recombine.datasets.downloads.fetch_original import fetch_original, has_digest
from recombine.datasets.downloads.mirror import Interrupted, Opened, _WebRedirects, find_mirror
from recombine.datasets.downloads.sources import Original
from recombine.errors import DownloadError

CONTENT = bytes(range(256)) * 4
ORIGINAL = Original("owner/toy", "c" * 40, "data/bytes", "MIT", sha256(CONTENT), len(CONTENT))


@dataclass
class Scripted:
    """A mirror that sends so many bytes at each attempt, from where it was asked or from the beginning."""

    script: list[tuple[int, bool, bool]]
    """For each attempt: the number of bytes, whether it goes on where it was asked to, whether the bytes are right."""
    marks: list[str] = field(default_factory=list)

    def place(self, original: Original) -> str:
        return original.path

    @contextmanager
    def open(self, original: Original, *, start: int, mark: str) -> Iterator[Opened]:
        assert original == ORIGINAL
        self.marks.append(mark)
        count, goes_on, right = self.script.pop(0) if self.script else (len(CONTENT), True, True)
        begin = start if goes_on else 0
        content = CONTENT if right else bytes(len(CONTENT))
        yield Opened(io.BytesIO(content[begin : begin + count]), begin, len(CONTENT), '"1"')


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(CONTENT)), st.booleans(), st.booleans()), max_size=6))
def test_the_original_or_nothing(script: list[tuple[int, bool, bool]]) -> None:
    mirror = Scripted(script)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for _ in range(len(script) + 2):
            try:
                path = fetch_original(ORIGINAL, mirror, folder, retries=0, report=lambda _: None)
            except DownloadError:
                assert not (folder / f"{ORIGINAL.digest}.original").exists()
                continue
            assert path.read_bytes() == CONTENT
            assert [each.name for each in folder.iterdir()] == [path.name]
            return
    raise AssertionError("never came whole")


def test_git_has_an_id_for_content(tmp_path: Path) -> None:
    # `printf 'hello\n' | git hash-object --stdin`
    (tmp_path / "hello").write_bytes(b"hello\n")
    original = replace(ORIGINAL, sha256="", bytes=None, git_blob="ce013625030ba8dba906f756967f9e9ca394464a")
    assert git_blob(b"hello\n") == original.digest
    assert has_digest(tmp_path / "hello", original)
    assert not has_digest(tmp_path / "hello", replace(original, git_blob="0" * 40))
    assert not has_digest(tmp_path / "hello", replace(ORIGINAL, sha256=sha256(b"hello\n"), bytes=5))


def test_nothing_leads_from_an_encrypted_address_to_one_that_is_not() -> None:
    request, handler = Request("https://host.invalid/a"), _WebRedirects()
    assert handler.redirect_request(request, io.BytesIO(), 302, "", {}, "https://host.invalid/b") is not None
    with pytest.raises(DownloadError, match=r"leads to http://host.invalid/a, which is not followed"):
        handler.redirect_request(request, io.BytesIO(), 302, "", {}, "http://host.invalid/a")


def test_the_public_address() -> None:
    place = find_mirror(None, timeout=1).place(replace(ORIGINAL, path="a b/ü.txt"))
    assert place == f"https://raw.githubusercontent.com/owner/toy/{'c' * 40}/a%20b/%C3%BC.txt"


def test_attempts_pause_ever_longer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("recombine.datasets.downloads.fetch_original.time.sleep", pauses.append)

    class Away(Scripted):
        def open(self, *_: object, **__: object) -> Iterator[Opened]:  # type: ignore[override]
            raise Interrupted("gone")

    with pytest.raises(DownloadError, match=r"^gone \(4 attempts\); run the command again"):
        fetch_original(ORIGINAL, Away([]), tmp_path, retries=3, report=lambda _: None)
    assert pauses == [0.5, 1.0, 2.0]
