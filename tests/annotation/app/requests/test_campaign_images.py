"""Pictures come from the folder and from nowhere else, and are pictures."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from recombine.annotation.app.requests.campaign_images import NoPictureError, read_image

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 8
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a picture and a sub-folder, beside a picture that is nobody's business."""
    inside = tmp_path / "campaign"
    (inside / "deep").mkdir(parents=True)
    (inside / "a.png").write_bytes(PNG)
    (inside / "deep" / "b.png").write_bytes(PNG + b"b")
    (tmp_path / "secret.png").write_bytes(PNG + b"secret")
    return inside


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0abc", "image/jpeg"),
        (b"GIF87a..", "image/gif"),
        (b"GIF89a..", "image/gif"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "image/webp"),
    ],
)
def test_the_first_bytes_say_what_it_is(folder: Path, start: bytes, kind: str) -> None:
    (folder / "x.bin").write_bytes(start)
    assert read_image(folder, "x.bin") == (start, kind)


def test_pictures_may_lie_deeper(folder: Path) -> None:
    assert read_image(folder, "deep/b.png")[0] == PNG + b"b"
    assert read_image(folder, "./a.png")[0] == PNG


@pytest.mark.parametrize(
    "name",
    ["../secret.png", "deep/../../secret.png", "deep/../a.png", "/etc/passwd", "", ".", "deep", "a.png/x", "none.png",
     "..\\secret.png", "a.png\0.svg"],
)  # fmt: skip
def test_names_that_lead_elsewhere_are_refused(folder: Path, name: str) -> None:
    with pytest.raises(NoPictureError):
        read_image(folder, name)


def test_the_absolute_path_of_a_picture_is_refused(folder: Path) -> None:
    with pytest.raises(NoPictureError):
        read_image(folder, str(folder / "a.png"))


def test_links_are_refused_wherever_they_stand(folder: Path) -> None:
    (folder / "link.png").symlink_to(folder.parent / "secret.png")
    (folder / "inside.png").symlink_to(folder / "a.png")
    (folder / "way").symlink_to(folder / "deep")
    for name in ("link.png", "inside.png", "way/b.png"):
        with pytest.raises(NoPictureError, match="link"):
            read_image(folder, name)


@pytest.mark.parametrize(
    "data", [SVG, b"\xef\xbb\xbf" + SVG, b"<?xml version='1.0'?>" + SVG, b"<html>", b"", b"RIFFxxxxWAVE"]
)
def test_what_is_no_picture_is_refused_whatever_its_name(folder: Path, data: bytes) -> None:
    (folder / "x.png").write_bytes(data)
    with pytest.raises(NoPictureError, match="PNG"):
        read_image(folder, "x.png")


def test_a_pipe_is_no_picture_and_is_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "pipe.png")
    with pytest.raises(NoPictureError, match="no file"):
        read_image(folder, "pipe.png")


def test_no_descriptor_is_left_open(folder: Path) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for name in ("a.png", "deep/b.png", "deep/none.png", "none/none.png", "deep"):
        try:
            read_image(folder, name)
        except NoPictureError:
            continue
    assert len(list(Path("/proc/self/fd").iterdir())) == before
