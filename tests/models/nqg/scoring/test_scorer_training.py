"""A training that was ended goes on to the same weights; one of something else is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from recombine.errors import InputFileError
from recombine.models.nqg.grammar import Qcfg
from recombine.models.nqg.induction.induction_settings import InductionSettings
from recombine.models.nqg.model import SCORER, Nqg
from recombine.models.nqg.scoring.neural_settings import NeuralSettings

torch = pytest.importorskip("torch")

GRAMMAR = Qcfg.parse("a ### A\nb ### B\nNT_1 twice ### NT_1 NT_1\nNT_1 and NT_2 ### NT_1 NT_2")
PAIRS = [("a and b twice", "A B B"), ("b and a twice", "B A A"), ("a twice", "A A"), ("a and b", "A B")]
SMALL = NeuralSettings(width=8, heads=2, hidden=8, layers=1, steps=6, rate=1e-2, dropout=0.3, batch=3)


@pytest.fixture(autouse=True)
def _one_thread():  # type: ignore[no-untyped-def]
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def parser(work: Path | None, **changes: object) -> Nqg:
    settings = replace(SMALL, **changes)  # type: ignore[arg-type]
    return Nqg(InductionSettings(seed=2), grammar=GRAMMAR, scorer="neural", neural=settings, work=work, pause=0.0)


def weights(made: Nqg) -> list[list[float]]:
    scorer = made.fitted_scorer
    return [
        *(part.flatten().tolist() for part in scorer.network.state_dict().values()),  # type: ignore[union-attr]
        scorer.terms.rules.tolist(),  # type: ignore[union-attr]
        scorer.terms.weights.tolist(),  # type: ignore[union-attr]
    ]


class KilledError(Exception):
    """The process ends here."""


@pytest.mark.parametrize("features", [(), ("pairs",)])
def test_a_killed_training_ends_with_the_same_weights(tmp_path: Path, features: tuple[str, ...]) -> None:
    whole = parser(None, features=features).fit_scorer(PAIRS)
    done: list[int] = []

    def die(step: int) -> None:
        done.append(step)
        if step == 4:
            raise KilledError

    killed = parser(tmp_path / "work", features=features)
    killed.stepped = die
    with pytest.raises(KilledError):
        killed.fit_scorer(PAIRS)
    assert (tmp_path / "work" / SCORER).is_file()
    again = parser(tmp_path / "work", features=features)
    again.stepped = done.append
    again.fit_scorer(PAIRS)
    assert done == [1, 2, 3, 4, 5, 6]  # it went on after the fourth step
    assert weights(again) == weights(whole)
    # Once more from the end: nothing is left to train.
    assert weights(parser(tmp_path / "work", features=features).fit_scorer(PAIRS)) == weights(whole)


def test_a_checkpoint_of_another_training_is_refused(tmp_path: Path) -> None:
    parser(tmp_path).fit_scorer(PAIRS)
    for other, pairs in ((parser(tmp_path, rate=2e-2), PAIRS), (parser(tmp_path), PAIRS[:3])):
        with pytest.raises(InputFileError, match=f"{SCORER}: is of another training; remove it"):
            other.fit_scorer(pairs)
    seed = parser(tmp_path)
    seed.settings = InductionSettings(seed=3)
    with pytest.raises(InputFileError, match="is of another training"):
        seed.fit_scorer(PAIRS)
