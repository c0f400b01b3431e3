"""Training: it learns, stops, goes on as if it had never stopped, and reads in parts where memory is short."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tests.models.kbqa.few_questions import SCHEMA, few_questions  # noqa: E402

from recombine.errors import InputFileError, OptionError  # noqa: E402
from recombine.models.kbqa.arrays.ragged import Ragged  # noqa: E402
from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays  # noqa: E402
from recombine.models.kbqa.inference.answer import answer  # noqa: E402
from recombine.models.kbqa.inference.transduce import write_forms  # noqa: E402
from recombine.models.kbqa.kbqa_settings import KbqaSettings  # noqa: E402
from recombine.models.kbqa.nets.kbqa_net import KbqaNet  # noqa: E402
from recombine.models.kbqa.training import trainer as trainer_module  # noqa: E402
from recombine.models.kbqa.training.exact_share import exact_share  # noqa: E402
from recombine.models.kbqa.training.train import BEFORE, CHECKPOINT, Trained, train  # noqa: E402
from recombine.models.kbqa.training.training_vocabulary import TrainingVocabulary  # noqa: E402

if TYPE_CHECKING:
    from torch import Tensor

SETTINGS = KbqaSettings(width=32, word_width=16, batch=8, rate=1e-2, dropout=0.1, epochs=30, patience=8)
QUICK = replace(SETTINGS, width=8, word_width=8, epochs=3)
TRAIN, DEV = few_questions(range(48)), few_questions(range(0, 48, 5))


class KilledError(Exception):
    """The process is gone."""


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def trained() -> Trained:
    made = train(SCHEMA, TRAIN, DEV, SETTINGS, 0, "cpu")
    assert made is not None
    return made


def _run(settings: KbqaSettings = QUICK, seed: int = 0, **options: object) -> Trained | None:
    return train(SCHEMA, TRAIN, DEV, settings, seed, "cpu", **options)  # type: ignore[arg-type]


def _same(one: Mapping[str, Tensor], other: Mapping[str, Tensor]) -> bool:
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


def test_it_learns_a_small_set(trained: Trained) -> None:
    assert max(exact for _, _, exact in trained.curve) >= 0.9
    assert trained.curve[trained.best_epoch - 1][2] == max(exact for _, _, exact in trained.curve)
    for settings in (SETTINGS, replace(SETTINGS, inference="transduction")):
        answers = answer(trained.net, SCHEMA, TRAIN, settings, "cpu")
        right = sum(answers.codes[row].tolist() == TRAIN.targets[row].tolist() for row in range(len(TRAIN)))
        assert right >= 0.9 * len(TRAIN)


def test_dev_is_what_the_likeliest_words_would_write(trained: Trained) -> None:
    prepared = trained.net.prepare(SCHEMA, DEV)
    forms = write_forms(
        trained.net, prepared, np.arange(len(DEV)), replace(SETTINGS, forms="any", beam=1, inference="transduction")
    )
    right = sum(form.codes == DEV.targets[row].tolist() for row, form in enumerate(forms))
    assert exact_share(trained.net, prepared, batch=3) == right / len(DEV)


def test_what_dev_cannot_write_is_wrong() -> None:
    made = _run()
    assert made is not None
    blank = replace(DEV, vocabulary=Ragged.of([[]] * len(DEV)))
    assert exact_share(made.net, made.net.prepare(SCHEMA, blank), batch=4) == 0.0
    nothing = replace(DEV, targets=Ragged.of([[]] * len(DEV)))
    assert exact_share(made.net, made.net.prepare(SCHEMA, nothing), batch=4) == 0.0


def test_it_answers_over_another_schema(trained: Trained) -> None:
    """Items have other numbers there, and there are more of them."""
    order = [8, 3, 5, 1, 0, 7, 2, 4, 6]
    wider = SchemaArrays(
        (*(SCHEMA.words[at] for at in order), "music.song.singer"),
        (*(SCHEMA.texts[at] for at in order), "music song singer"),
        np.append(SCHEMA.kinds[order], SCHEMA.kinds[0]),
    )
    back = np.argsort(order)
    moved = replace(TRAIN, vocabulary=Ragged.of([sorted(back[TRAIN.vocabulary[row]]) for row in range(len(TRAIN))]))
    settings = replace(SETTINGS, inference="transduction")
    here, there = (
        [questions.text(row, answers.codes[row], schema) for row in range(len(questions))]
        for schema, questions in ((SCHEMA, TRAIN), (wider, moved))
        for answers in [answer(trained.net, schema, questions, settings, "cpu")]
    )
    assert here == there


def test_same_seed_same_bytes_and_another_seed_others() -> None:
    one, two, other = (_run(seed=seed) for seed in (0, 0, 1))
    assert one is not None
    assert two is not None
    assert other is not None
    assert _same(one.net.state(), two.net.state())
    assert not _same(one.net.state(), other.net.state())


@pytest.mark.parametrize("changes", [{}, {"decay": "linear", "renamed": 0.5}], ids=["steady", "falling"])
def test_a_killed_training_goes_on_as_if_it_never_was(tmp_path: Path, changes: dict[str, Any]) -> None:
    settings = replace(QUICK, **changes)
    whole = _run(settings)
    assert whole is not None

    def kill(epoch: int, step: int, _: int) -> None:
        if (epoch, step) in {(1, 4), (3, 2)}:
            raise KilledError

    for _ in range(2):
        with pytest.raises(KilledError):
            _run(settings, work=tmp_path, pause=0.0, stepped=kill)
    (tmp_path / CHECKPOINT).write_bytes(b"half a file")  # the one before counts then
    assert (tmp_path / BEFORE).exists()
    said: list[str] = []
    last = _run(settings, work=tmp_path, pause=0.0, say=said.append)
    assert last is not None
    assert said[0].startswith("going on from step")
    assert _same(whole.net.state(), last.net.state())
    assert whole.curve == last.curve


def test_rates_fall_in_a_line_to_nothing_over_all_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    rates: list[float] = []
    plain = torch.optim.Adam.step

    def step(self: Any, *given: Any) -> Any:
        rates.append(self.param_groups[0]["lr"])
        return plain(self, *given)

    monkeypatch.setattr(torch.optim.Adam, "step", step)
    made = _run(replace(QUICK, decay="linear", patience=1, epochs=4))
    assert made is not None
    assert len(made.curve) == 4  # however little dev gains
    assert rates == pytest.approx([QUICK.rate * (1 - number / 24) for number in range(24)])  # six steps a pass
    rates.clear()
    _run()
    assert set(rates) == {QUICK.rate}


def test_a_deadline_stops_it_and_the_same_call_goes_on(tmp_path: Path) -> None:
    whole = _run()
    assert whole is not None
    assert _run(work=tmp_path, deadline=time.monotonic() - 1) is None
    for _ in range(3):
        _run(work=tmp_path, deadline=time.monotonic() + 0.1, stepped=lambda *_: time.sleep(0.03))
    last = _run(work=tmp_path)
    assert last is not None
    assert _same(whole.net.state(), last.net.state())


def test_a_checkpoint_of_another_training_is_refused(tmp_path: Path) -> None:
    assert _run(work=tmp_path, deadline=time.monotonic() - 1) is None
    with pytest.raises(OptionError, match="is of another training"):
        _run(seed=1, work=tmp_path)
    # How it will answer is no part of the training.
    made = _run(replace(QUICK, inference="transduction", beam=2), work=tmp_path)
    assert made is not None
    (tmp_path / CHECKPOINT).write_bytes(b"broken")
    (tmp_path / BEFORE).unlink(missing_ok=True)
    with pytest.raises(InputFileError, match="not a whole checkpoint"):
        _run(work=tmp_path)


def test_it_starts_from_weights(trained: Trained) -> None:
    state = trained.net.state()
    made = train(SCHEMA, TRAIN, DEV, replace(SETTINGS, epochs=1, rate=1e-7), 1, "cpu", start=state)
    assert made is not None
    assert made.curve[0][2] >= 0.9
    with pytest.raises(InputFileError, match="do not fit the settings"):
        train(SCHEMA, TRAIN, DEV, QUICK, 1, "cpu", start=state)


def test_weights_come_back_whole(trained: Trained) -> None:
    state = trained.net.state()
    again = KbqaNet.load(state, SETTINGS).eval()
    assert _same(again.state(), state)
    one, two = (answer(net, SCHEMA, DEV, SETTINGS, "cpu") for net in (trained.net, again))
    np.testing.assert_array_equal(one.codes.values, two.codes.values)
    np.testing.assert_array_equal(one.scores, two.scores)


def test_short_memory_halves_the_step_and_changes_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = replace(QUICK, dropout=0.0, epochs=1)
    whole = _run(settings)
    plain = trainer_module.form_loss

    def short(net: KbqaNet, batch: object) -> Tensor:
        if len(batch) > 2:  # type: ignore[arg-type]
            raise MemoryError
        return plain(net, batch)  # type: ignore[arg-type]

    monkeypatch.setattr(trainer_module, "form_loss", short)
    said: list[str] = []
    parts = _run(settings, say=said.append)
    assert whole is not None
    assert parts is not None
    assert (whole.parts, parts.parts) == (1, 4)
    assert "in 4 parts" in said[1]
    for name, value in whole.net.state().items():
        torch.testing.assert_close(parts.net.state()[name], value, rtol=1e-3, atol=1e-4)

    def never(_: KbqaNet, __: object) -> Tensor:
        raise MemoryError

    monkeypatch.setattr(trainer_module, "form_loss", never)
    with pytest.raises(MemoryError):
        _run(settings)


def test_what_is_left_out_and_added_is_counted() -> None:
    targets = Ragged.of([[] if row % 4 == 0 else TRAIN.targets[row] for row in range(len(TRAIN))])
    near = Ragged.of([[1, 2]] * len(TRAIN))
    some = replace(TRAIN, targets=targets, vocabulary=near)
    made = train(SCHEMA, some, DEV, replace(QUICK, epochs=1, prune_training=True), 0, "cpu")
    assert made is not None
    assert made.left_out == 12
    own = [int((set(range(6)) & {int(code) - 13 for code in targets[row]}).pop()) for row in range(48) if row % 4]
    assert made.added_items == sum(item not in (1, 2) for item in own)
    with pytest.raises(OptionError, match="no training question has a form"):
        train(SCHEMA, replace(TRAIN, targets=Ragged.of([[]] * 48)), DEV, QUICK, 0, "cpu")


def test_without_dev_all_passes_are_made_and_the_last_counts() -> None:
    made = train(SCHEMA, TRAIN, DEV.take([]), QUICK, 0, "cpu")
    assert made is not None
    assert [epoch for epoch, _, _ in made.curve] == [1, 2, 3]
    assert made.best_epoch == 3


def test_shown_items_hold_the_targets_and_the_likest() -> None:
    vocabulary = TrainingVocabulary(SCHEMA, TRAIN, replace(QUICK, train_items=5))
    generator = np.random.default_rng(0)
    drawn = [vocabulary.shown(0, generator) for _ in range(40)]
    own = vocabulary.own(0).tolist()
    assert own == [0]  # directed by
    for shown in drawn:
        assert len(shown) == 5
        assert shown.tolist() == sorted(set(shown.tolist()))
        # written by shares film and by, two of four words; nothing else shares as much.
        assert {0, 1} <= set(shown.tolist())
    assert len({tuple(shown.tolist()) for shown in drawn}) > 5
    everything = TrainingVocabulary(SCHEMA, TRAIN, QUICK).shown(0, generator)
    assert everything.tolist() == list(range(len(SCHEMA)))
