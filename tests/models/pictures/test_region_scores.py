"""What a model looked at: a line for each question, the boxes of its pictures and scores of nouns alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from recombine.errors import OptionError
from recombine.models.pictures.answering import Answering
from recombine.models.pictures.parser import PictureParser
from recombine.models.pictures.pictures_family import split_settings
from recombine.models.pictures.region_scores import noun_numbers, region_scores
from recombine.workbench import load


def test_boxes_and_scores_of_nouns(asked: Path, tiny: Mapping[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = load(asked, language="scenes")
    examples, world = list(dataset)[:6], dataset.opened_world
    parser = PictureParser(*split_settings({**tiny, "variant": "regions"}), device="cpu").fit(examples, world)
    assert parser.words is not None
    assert parser.detector is not None
    nouns = set(noun_numbers(parser.detector.names, parser.words.listed).tolist())

    def made_up(self: Answering, features: Any, pictures: Any, tokens: Any, picture: Any) -> Any:
        """Words that are no nouns mean everything; the nth word, if it is a noun, means each region by n / 100."""
        del self, features, picture
        means = np.zeros((*tokens.shape, pictures.boxes.shape[1]), np.float32)
        for row, place in np.ndindex(*tokens.shape):
            means[row, place] = place / 100 if int(tokens[row, place]) in nouns else 1.0
        return means

    monkeypatch.setattr(Answering, "grounding", made_up)
    lines = list(region_scores(parser, [each.query for each in examples], world))
    assert [line["id"] for line in lines] == [each.id for each in examples]
    for line, example in zip(lines, examples, strict=True):
        last = max(n for n, number in enumerate(parser.words.numbers(example.source)) if number in nouns)
        assert set(line["images"]) == set(example.context["images"])
        for regions in line["images"].values():
            assert regions
            assert all(0 <= edge <= 1 for box in regions for edge in box)
            assert [box[4] for box in regions] == pytest.approx([last / 100] * len(regions))


def test_a_model_that_was_not_grounded_is_refused(asked: Path, tiny: Mapping[str, Any]) -> None:
    dataset = load(asked, language="scenes")
    parser = PictureParser(*split_settings({**tiny, "variant": "text"}), device="cpu")
    parser.fit(list(dataset)[:6], dataset.opened_world)
    with pytest.raises(OptionError, match="did not learn what nouns mean"):
        next(region_scores(parser, [dataset[0].query], dataset.opened_world))
