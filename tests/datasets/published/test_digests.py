from __future__ import annotations

from recombine.datasets.catalogue import CATALOGUE
from recombine.datasets.published.digests import Published, order_digest, published, split_digest


def test_every_data_set_with_files_has_its_digests() -> None:
    for name, entry in CATALOGUE.items():
        assert len(published(name).order) == 16
        assert set(entry.splits()) <= set(published(name).splits)
    assert published("mine") == Published()


def test_digests_tell_apart() -> None:
    assert order_digest(["ab", "c"]) != order_digest(["a", "bc"])
    base = split_digest({"train": ["a", "b"], "test": ["c"]})
    assert base == split_digest({"train": ("a", "b"), "test": ("c",)})
    others = [
        {"train": ["b", "a"], "test": ["c"]},
        {"train": ["a"], "test": ["b", "c"]},
        {"train": ["a", "b"], "dev": ["c"]},
        {"train": ["a", "b", "c"]},
    ]
    assert base not in {split_digest(parts) for parts in others}
