"""The key of a training: what decides what is learned is in it, and how a parser answers is not."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from recombine.models.kbqa.kbqa_settings import AFTER_TRAINING, KbqaSettings
from recombine.models.kbqa.training_key import training_key

OTHER: dict[str, Any] = {
    "encoder_digest": "3fa2",
    "train_links": "linker",
    "links": "gold",
    "names": "names.tsv",
    "inference": "transduction",
    "vocabulary": "whole",
    "forms": "any",
    "chosen": "answered",
    "decay": "linear",
    "beyond": "classes",
    "hops": 1,
}
"""Another value of each setting whose own cannot be told from its type."""


def key(**changes: Any) -> str:
    return training_key({**KbqaSettings().to_dict(), **changes}, seed=0, train=["a", "b"], dev=["c"])


def other(name: str) -> Any:
    usual = getattr(KbqaSettings(), name)
    return OTHER[name] if name in OTHER else not usual if isinstance(usual, bool) else usual + 1


@pytest.mark.parametrize("name", [each.name for each in fields(KbqaSettings) if each.name != "encoder"])
def test_what_is_learned_is_in_the_key_and_how_is_answered_is_not(name: str) -> None:
    assert (key(**{name: other(name)}) == key()) is (name in AFTER_TRAINING)


def test_the_kind_of_encoder_is_in_the_key_and_its_place_is_not() -> None:
    assert key(encoder="pretrained:here", encoder_digest="1") == key(encoder="pretrained:there", encoder_digest="1")
    assert key(encoder="pretrained:here", encoder_digest="1") != key(encoder="vectors:here", encoder_digest="1")


def test_questions_their_order_seed_and_data_are_in_the_key() -> None:
    settings = KbqaSettings().to_dict()
    keys = [
        training_key(settings, seed=0, train=["a", "b"], dev=["c"]),
        training_key(settings, seed=1, train=["a", "b"], dev=["c"]),
        training_key(settings, seed=0, train=["b", "a"], dev=["c"]),
        training_key(settings, seed=0, train=["ab"], dev=["c"]),
        training_key(settings, seed=0, train=["a", "b", "c"], dev=[]),
        training_key(settings, seed=0, train=["a", "b"], dev=["c"], data="other"),
    ]
    assert len(set(keys)) == len(keys)
