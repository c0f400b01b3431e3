"""A scorer that was carried away: what it scores is what one that stayed does, source by source."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from recombine.errors import InputFileError, RecombineError
from recombine.models.nqg.forest.chart import ChartParser
from recombine.models.nqg.grammar import Qcfg
from recombine.models.nqg.induction.induction_settings import InductionSettings
from recombine.models.nqg.model import Nqg
from recombine.models.nqg.rule import tokens
from recombine.models.nqg.scoring.loglinear import LogLinear, surroundings
from recombine.models.nqg.scoring.neural_settings import NeuralSettings

torch = pytest.importorskip("torch")

from recombine.models.nqg.scoring.carried_scorer import CarriedScorer  # noqa: E402
from recombine.models.nqg.scoring.level_sums import Levelled  # noqa: E402
from recombine.models.nqg.scoring.neural import Prepared  # noqa: E402
from recombine.models.nqg.scoring.returned_scorer import ReturnedScorer  # noqa: E402
from recombine.models.nqg.scoring.span_scorer import Anchors  # noqa: E402

GRAMMAR = Qcfg.parse("a ### A\nb ### B\nNT_1 twice ### NT_1 NT_1\nNT_1 and NT_2 ### NT_1 NT_2")
PAIRS = [("a and b twice", "A B B"), ("b and a twice", "B A A"), ("a twice", "A A"), ("a and b", "A B")]
ASKED = [tokens(text) for text in ("b", "b and b and a twice", "a twice twice")]
SMALL = NeuralSettings(width=8, heads=2, hidden=8, layers=1, steps=5, rate=1e-2, dropout=0.1)


def carried(settings: NeuralSettings) -> tuple[Nqg, Prepared, CarriedScorer]:
    """A parser, what its scorer learns from, and what is carried away of it."""
    parser = Nqg(InductionSettings(seed=3), grammar=GRAMMAR, scorer="neural", neural=settings)
    prepared, chart = parser.prepare(PAIRS), ChartParser(GRAMMAR)
    anchors = [Anchors.of(chart.parse(source).packed, len(GRAMMAR)) for source in ASKED]  # type: ignore[union-attr]
    parts = [Levelled.of(each) for each in prepared.indexed]
    return parser, prepared, CarriedScorer.of(prepared.material, parts, ASKED, anchors)


@pytest.mark.parametrize("features", [(), ("pairs", "borders")])
def test_it_scores_as_one_that_stayed(features: tuple[str, ...], tmp_path: Path) -> None:
    settings = replace(SMALL, features=features)
    parser, prepared, made = carried(settings)
    made.write(tmp_path / "one.npz")
    back = CarriedScorer.read(tmp_path / "one.npz")
    returned = back.train(settings, seed=3, device="cpu")
    terms = LogLinear(surroundings(GRAMMAR.rules), returned["rules"], prepared.keys, returned["features"][1:])
    scorer = ReturnedScorer(back.scores(returned["scores"]), terms)
    stayed = parser.fit_scorer(PAIRS).fitted_scorer
    assert stayed is not None
    for source in ASKED:
        forest = ChartParser(GRAMMAR).parse(source).packed  # type: ignore[union-attr]
        mine, other = scorer.scores(forest, source), stayed.scores(forest, source)
        for one, two in zip(mine, other, strict=True):
            assert np.allclose(one, two, atol=1e-5)
        assert np.ptp(mine.node) > 0.01 or len(source) == 1


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    _, prepared, made = carried(replace(SMALL, features=()))
    with pytest.raises(InputFileError, match="3 scores came back, and"):
        made.scores(np.zeros(3, np.float32))
    (tmp_path / "cut.npz").write_bytes(b"PK\x03\x04")
    with pytest.raises(InputFileError, match=r"cut\.npz: not a carried scorer"):
        CarriedScorer.read(tmp_path / "cut.npz")
    terms = LogLinear(prepared.around, np.zeros(4), prepared.keys, np.empty(0))
    forest = ChartParser(GRAMMAR).parse(ASKED[0]).packed  # type: ignore[union-attr]
    # Of a source that was not carried, and of one whose derivations were others.
    for anchored in ({}, {tuple(ASKED[0]): np.zeros(9, np.float32)}):
        with pytest.raises(RecombineError, match="no scores for 'b' and its derivations; export and train again"):
            ReturnedScorer(anchored, terms).scores(forest, ASKED[0])
