"""Sources of made-up repositories, and the files that these have."""

from __future__ import annotations

import hashlib

from recombine.datasets.downloads.sources import Sources, parse_sources

COMMIT = "c0ffee" * 6 + "c0ff"
PAIRS = "".join(f"question {n}\tprogram {n * n}\n" for n in range(20_000)).encode()
NOTES = b"one\ntwo\n"
FILES = {f"owner/toy/{COMMIT}/data/pairs.tsv": PAIRS, f"owner/more toys/{COMMIT}/notes.txt": NOTES}


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def git_blob(content: bytes) -> str:
    return hashlib.sha1(f"blob {len(content)}\0".encode() + content, usedforsecurity=False).hexdigest()


TEXT = f"""
format = 1
[[file]]
file = "toy/pairs.tsv.gz"
names = ["toy"]
conversion = "identical"
licence = "MIT"
result = "{sha256(PAIRS)}"
repository = "owner/toy"
commit = "{COMMIT}"
originals = [{{ path = "data/pairs.tsv", sha256 = "{sha256(PAIRS)}", bytes = {len(PAIRS)} }}]

[[file]]
file = "toy/notes.txt"
names = ["toy", "notes/of_toys"]
conversion = "identical"
licence = "none stated"
repository = "owner/more toys"
commit = "{COMMIT}"
originals = [{{ path = "notes.txt", git_blob = "{git_blob(NOTES)}" }}]

[[unpinned]]
name = "secret"
file = "secret/all.txt"
reason = "nobody has published it"
remedy = "ask its authors"

[[unpinned]]
name = "schema2qa"
file = "schema2qa/people.jsonl.gz"
conversion = "schema2qa_pairs"
wanted = ["*.tsv"]
reason = "it has no public address"
remedy = "ask its authors for people.tsv"
language = "thingtalk"
"""


def small_sources() -> Sources:
    """The sources of the text."""
    return parse_sources(TEXT)
