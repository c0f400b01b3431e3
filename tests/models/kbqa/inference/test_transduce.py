"""Forms written word by word: always readable where that is asked for, and the likeliest that there is."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tests.models.kbqa.few_questions import SCHEMA, few_questions, uneven_questions  # noqa: E402

from recombine.errors import ProgramError  # noqa: E402
from recombine.languages.sexpression import parse_sexpression  # noqa: E402
from recombine.models.kbqa.arrays.codes import END  # noqa: E402
from recombine.models.kbqa.arrays.ragged import Ragged  # noqa: E402
from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays  # noqa: E402
from recombine.models.kbqa.arrays.tries import Tries  # noqa: E402
from recombine.models.kbqa.inference.form_automaton import accepts, word_kinds  # noqa: E402
from recombine.models.kbqa.inference.open_forms import FormRules, OpenForms  # noqa: E402
from recombine.models.kbqa.inference.rank import score_candidates  # noqa: E402
from recombine.models.kbqa.inference.transduce import transduce, write_forms  # noqa: E402
from recombine.models.kbqa.kbqa_settings import KbqaSettings  # noqa: E402
from recombine.models.kbqa.nets.batch import Batch  # noqa: E402
from recombine.models.kbqa.nets.kbqa_net import KbqaNet  # noqa: E402
from recombine.models.kbqa.nets.scratch_encoder import ScratchEncoder  # noqa: E402

SETTINGS = KbqaSettings(width=12, word_width=8, inference="transduction", beam=3, longest=30)


def _net(seed: int, scale: float = 3.0) -> KbqaNet:
    torch.manual_seed(seed)
    made = KbqaNet(ScratchEncoder(("film", "book", "by"), 8), SETTINGS)
    with torch.no_grad():
        for weight in made.parameters():
            weight.mul_(scale)
    return made.eval()


@pytest.mark.parametrize(("seed", "longest"), [(0, 4), (1, 5), (2, 9), (3, 30), (4, 30)])
@pytest.mark.parametrize("vocabulary", ["pruned", "whole"])
def test_constrained_forms_can_be_read_and_are_no_longer_than_allowed(seed: int, longest: int, vocabulary: str) -> None:
    net, questions = _net(seed), uneven_questions()
    settings = replace(SETTINGS, longest=longest, vocabulary=vocabulary)
    answers = transduce(net, net.prepare(SCHEMA, questions), settings, written=lambda _: None)
    assert not answers.malformed.any()
    for row in range(len(questions)):
        codes = answers.codes[row]
        assert 0 < len(codes) <= longest
        parse_sexpression(questions.text(row, codes, SCHEMA))


def test_a_question_without_any_form_has_no_answer() -> None:
    """The second question has a relation and an entity alone: its shortest form, `(COUNT m.dune)`, has 4 words."""
    net, questions = _net(0), uneven_questions()
    prepared = net.prepare(SCHEMA, questions)
    answers = transduce(net, prepared, replace(SETTINGS, longest=3), written=lambda _: None)
    assert answers.codes.sizes.tolist() == [0, 0, 0, 0]
    assert np.isneginf(answers.scores).all()
    assert not answers.malformed.any()


def test_free_words_are_counted_where_they_are_no_form() -> None:
    net, questions = _net(1), uneven_questions()
    answers = transduce(net, net.prepare(SCHEMA, questions), replace(SETTINGS, forms="any"), written=lambda _: None)
    for row in range(len(questions)):
        try:
            parse_sexpression(questions.text(row, answers.codes[row], SCHEMA))
        except ProgramError:
            assert answers.malformed[row]
    assert answers.malformed.any()


def test_a_wide_beam_finds_the_likeliest_form() -> None:
    """All forms of up to five words over one relation and one entity, each scored as a candidate."""
    questions = uneven_questions().take([1])
    words = [1, 2, *range(3, 13), 13 + 1, 13 + len(SCHEMA)]  # symbols, the relation and the link
    net = _net(2, 1.5)
    prepared = net.prepare(SCHEMA, questions)
    batch = Batch.of(prepared, [0], [questions.vocabulary[0]])
    kinds = word_kinds(batch)[0]
    place = {code: int(batch.places(np.array([0]), np.array([code]))[0]) for code in words}
    forms = [
        [*form, END]
        for size in range(3, 6)
        for form in itertools.product(words, repeat=size)
        if form[0] == 1 and form[-1] == 2 and accepts(int(kinds[place[code]]) for code in form)
    ]
    assert len(forms) > 3
    listed = replace(questions, candidates=Tries.of([forms]))
    prepared = net.prepare(SCHEMA, listed)
    scores = score_candidates(net, prepared, np.array([0]))[0]
    leaves = listed.candidates.leaves(0)
    best = int(leaves[np.argmax(scores[leaves])])
    settings = replace(SETTINGS, longest=5, beam=200)
    made = write_forms(net, prepared, np.array([0]), settings)[0]
    assert made.codes == listed.candidates.path(0, best)[:-1]
    assert made.score == pytest.approx(scores[best], abs=1e-5)
    assert not made.malformed
    # Where all are asked for, these are all forms that there are, the likeliest first.
    by_score = sorted(leaves.tolist(), key=lambda leaf: -scores[leaf])
    several = write_forms(net, prepared, np.array([0]), replace(settings, chosen="answered"))[0]
    assert several.beam == tuple(tuple(listed.candidates.path(0, leaf)[:-1]) for leaf in by_score)
    assert several[:3] == made[:3]


@pytest.mark.parametrize("seed", range(3))
def test_all_forms_of_a_beam_are_written_to_their_end(seed: int) -> None:
    """There are far more than eight forms of up to nine words; when the likeliest has ended, longer ones are open."""
    questions, net = uneven_questions().take([1]), _net(seed)
    prepared, settings = net.prepare(SCHEMA, questions), replace(SETTINGS, longest=9, beam=8)
    made = write_forms(net, prepared, np.array([0]), replace(settings, chosen="answered"))[0]
    assert len(set(made.beam)) == 8
    assert made.codes == list(made.beam[0]) == write_forms(net, prepared, np.array([0]), settings)[0].codes
    for form in made.beam:
        parse_sexpression(questions.text(0, form, SCHEMA))


def test_one_free_form_is_what_the_likeliest_words_write() -> None:
    net, questions = _net(4), few_questions(range(4))
    prepared = net.prepare(SCHEMA, questions)
    made = write_forms(net, prepared, np.arange(4), replace(SETTINGS, forms="any", beam=1, longest=6))
    batch = Batch.of(prepared, np.arange(4), [questions.vocabulary[row] for row in range(4)])
    with torch.inference_mode():
        encoded = net.encode(batch)
        path = torch.zeros((4, 0), dtype=torch.int64)
        total = torch.zeros(4)
        for _ in range(7):
            scores = net.follow(encoded, path)[:, -1]
            over = (path == END).any(1)
            path = torch.cat([path, scores.argmax(1)[:, None]], dim=1)
            total += torch.where(over, 0.0, scores.max(1).values)
    codes = batch.codes
    for row in range(4):
        words = path[row].tolist()
        words = words[: words.index(END)] if END in words else words
        assert made[row].codes == [int(codes[row, place]) for place in words]
        assert made[row].score == pytest.approx(float(total[row]), abs=1e-4)


def test_every_target_is_allowed() -> None:
    questions = few_questions(range(48))
    prepared = _net(0).prepare(SCHEMA, questions)
    batch = Batch.of(prepared, np.arange(48), [questions.vocabulary[row] for row in range(48)])
    places, sizes = batch.targets(questions.targets)
    longest = int(sizes.max())
    forms = OpenForms(FormRules.of(word_kinds(batch), torch.device("cpu")), longest)
    assert bool(forms.possible().all())
    places = np.concatenate([np.where(places < 0, END, places), np.full((48, 1), END)], axis=1)
    for step in range(longest + 1):
        here = torch.from_numpy(places[:, step : step + 1])
        assert bool(forms.allowed().gather(2, here[:, :, None]).all())
        forms.follow(torch.zeros_like(here), here)


def test_a_schema_without_classes_and_a_question_without_links() -> None:
    """Nothing can stand for a set, so that there is no form."""
    schema = SchemaArrays(SCHEMA.words[:6], SCHEMA.texts[:6], SCHEMA.kinds[:6])
    questions = replace(uneven_questions().take([2]), vocabulary=Ragged.of([list(range(6))]))
    net = _net(0)
    answers = transduce(net, net.prepare(schema, questions), SETTINGS, written=lambda _: None)
    assert answers.codes.sizes.tolist() == [0]
