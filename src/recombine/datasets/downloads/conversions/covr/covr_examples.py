"""COVR's pairs with the splits in which each was seen, from the pages about splits."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from recombine.datasets.downloads.conversions.covr.covr_markdown import DETAILS, PROMPTS, iter_pairs, split_pages
from recombine.datasets.downloads.samples.read_sample import read_sample
from recombine.errors import InputFileError
from recombine.records.example import content_id

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.datasets.downloads.originals import Originals

DIGITS = 8
"""How much of a content id the list of ids has."""


def covr_examples(originals: Originals) -> bytes:
    """A JSON object for each distinct pair, its question in lower case, in the order of the packaged list.

    Without a list, pairs are in the order in which the pages have them, those of `splits_details` first.
    """
    seen: dict[tuple[str, str], set[str]] = {}
    for folder in (DETAILS, PROMPTS):
        for number, role in split_pages(originals, folder):
            for pair in iter_pairs(originals, role):
                seen.setdefault((pair.source.lower(), pair.target), set()).add(f"{pair.part}:{number}")
    numbered = _listed(originals, seen) if originals.sample else list(enumerate(seen))
    records = (
        {"qid": f"covr_md_{number}", "source": pair[0], "target": pair[1], "seen_in": sorted(seen[pair])}
        for number, pair in numbered
    )
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def _listed(originals: Originals, seen: Mapping[tuple[str, str], object]) -> list[tuple[int, tuple[str, str]]]:
    """The pairs in the order of the list, each with its number there."""
    by_id = {content_id(*pair)[:DIGITS]: pair for pair in seen}
    numbers = numbered_ids(read_sample(originals.sample))
    missing, more = numbers.keys() - by_id.keys(), by_id.keys() - numbers.keys()
    if missing or more:
        problem = f"lack {len(missing):,} of the {len(numbers):,} pairs that are wanted, and have {len(more):,} others"
        raise InputFileError(f"the pages about COVR's splits: {problem}", "use the published files")
    return [(number, by_id[key]) for key, number in numbers.items()]


def numbered_ids(words: list[str]) -> dict[str, int]:
    """Ids with numbers that go on by 1, or from where `=N` says.

    >>> numbered_ids(["aa", "bb", "=7", "cc", "dd"])
    {'aa': 0, 'bb': 1, 'cc': 7, 'dd': 8}
    """
    numbers: dict[str, int] = {}
    following = 0
    for word in words:
        if word.startswith("="):
            following = int(word[1:])
        else:
            numbers[word] = following
            following += 1
    return numbers
