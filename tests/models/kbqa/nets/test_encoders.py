"""The three encoders: what their vectors depend on, what is kept of them, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from tests.models.kbqa.few_questions import SCHEMA, few_questions, uneven_questions  # noqa: E402

from recombine.errors import InputFileError, OptionError  # noqa: E402
from recombine.models.kbqa.arrays.ragged import Ragged  # noqa: E402
from recombine.models.kbqa.kbqa_settings import KbqaSettings  # noqa: E402
from recombine.models.kbqa.nets.batch import Batch  # noqa: E402
from recombine.models.kbqa.nets.kbqa_net import WORDS, KbqaNet  # noqa: E402
from recombine.models.kbqa.nets.make_encoder import make_encoder  # noqa: E402
from recombine.models.kbqa.nets.pretrained_encoder import PretrainedEncoder  # noqa: E402
from recombine.models.kbqa.nets.scratch_encoder import ScratchEncoder, known_words  # noqa: E402
from recombine.models.kbqa.nets.vectors_encoder import VectorsEncoder  # noqa: E402
from recombine.models.kbqa.training.train import train  # noqa: E402

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789?"


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of one layer whose pieces are letters, and `[SEP]` and `;`."""
    folder = tmp_path_factory.mktemp("bert")
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ";", *LETTERS, *(f"##{letter}" for letter in LETTERS)]
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    transformers.BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=160,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        initializer_range=0.5,
    )
    transformers.BertModel(config).save_pretrained(folder)
    return folder


def _batch(encoder: object, rows: list[int]) -> Batch:
    prepared = KbqaNet(encoder, KbqaSettings(width=8)).prepare(SCHEMA, uneven_questions())
    return Batch.of(prepared, rows, [prepared.questions.vocabulary[row] for row in rows])


def test_items_are_read_beside_their_question(checkpoint: Path) -> None:
    encoder = PretrainedEncoder.read(checkpoint, 20).eval()
    batch = _batch(encoder, [3, 0])
    with torch.no_grad():
        pieces, entries = encoder(batch)
    assert pieces.shape == (2, batch.pieces.shape[1], 16)
    assert entries.shape == (2, 2 + 4, 16)
    # By hand for the second: all in one chunk, and the mean over the tokens of `film film directed by`.
    tokenizer = encoder._tokenizer
    text = "which films by Alien have 3 pages?"
    parts = ["Alien", "3", "film film directed by", "book book pages", "film film"]
    cut = [tokenizer(part, add_special_tokens=False)["input_ids"] for part in (text, *parts)]
    cls, sep, between = tokenizer.cls_token_id, tokenizer.sep_token_id, tokenizer.convert_tokens_to_ids(";")
    tokens = [cls, *cut[0], sep]
    second = len(tokens)
    for number, part in enumerate(cut[1:]):
        begin = len(tokens)
        tokens += [*part, sep if number == len(parts) - 1 else between]
        if number == 2:
            item = slice(begin, begin + len(part))
    kinds = [0] * second + [1] * (len(tokens) - second)
    with torch.no_grad():
        states = encoder.model(
            input_ids=torch.tensor([tokens]), token_type_ids=torch.tensor([kinds])
        ).last_hidden_state[0]
    torch.testing.assert_close(entries[1, 2], states[item].mean(0), rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(pieces[1, : len(cut[0])], states[1 : 1 + len(cut[0])], rtol=1e-4, atol=1e-5)


def test_chunks_are_apart_and_the_first_gives_the_question(checkpoint: Path) -> None:
    encoder = PretrainedEncoder.read(checkpoint, 2).eval()
    prepared = KbqaNet(encoder, KbqaSettings(width=8)).prepare(SCHEMA, uneven_questions())
    with torch.no_grad():
        few, _ = encoder(Batch.of(prepared, [0], [np.array([0])]))
        many, rows = encoder(Batch.of(prepared, [0], [np.array([0, 5, 6])]))
        _, others = encoder(Batch.of(prepared, [0], [np.array([0, 5, 7])]))
    torch.testing.assert_close(few, many)  # two links fill the first chunk
    torch.testing.assert_close(rows[0, :4], others[0, :4])
    assert not torch.allclose(rows[0, 4], others[0, 4])


def test_a_pretrained_network_is_trained_and_kept(checkpoint: Path) -> None:
    settings = KbqaSettings(
        encoder=f"pretrained:{checkpoint}", width=8, batch=8, epochs=1, prune_training=True, pretrained_rate=1e-3
    )
    questions = few_questions(range(16))
    made = train(SCHEMA, questions, questions, settings, 0, "cpu")
    assert made is not None
    before = PretrainedEncoder.read(checkpoint, 20)
    name = "model.embeddings.word_embeddings.weight"
    assert not torch.equal(made.net.state()[f"encoder.{name}"], before.state_dict()[name])
    again = KbqaNet.load(made.net.state(), settings)
    assert all(torch.equal(value, again.state()[key]) for key, value in made.net.state().items())


def test_checkpoints_that_are_missing_or_of_another_form(checkpoint: Path, tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="no such directory"):
        PretrainedEncoder.read(tmp_path / "none", 20)
    other = tmp_path / "pickled"
    other.mkdir()
    for file in checkpoint.iterdir():
        if file.suffix != ".safetensors":
            (other / file.name).write_bytes(file.read_bytes())
    (other / "pytorch_model.bin").write_bytes(b"code")
    with pytest.raises(InputFileError, match=r"has no \*\.safetensors"):
        PretrainedEncoder.read(other, 20)
    (other / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(InputFileError, match="cannot be loaded"):
        PretrainedEncoder.read(other, 20)


def test_texts_that_are_too_long_are_counted(checkpoint: Path) -> None:
    encoder = PretrainedEncoder.read(checkpoint, 20)
    pieces = encoder.pieces(["a" * 79, "b c", ""])
    assert [len(each) for each in pieces] == [76, 2, 1]
    assert encoder.cut == 1


def test_fixed_vectors(tmp_path: Path) -> None:
    path = tmp_path / "glove.txt"
    path.write_text("film 1 2 3\nby 4 5 6\ndirected 7 8 9\n", encoding="utf-8")
    settings = KbqaSettings(encoder=f"vectors:{path}", width=8)
    encoder = make_encoder(settings)
    assert isinstance(encoder, VectorsEncoder)
    with torch.no_grad():
        encoder.unknown.copy_(torch.tensor([0.5, 0.5, 0.5]))
        _, entries = encoder(_batch(encoder, [0]))
    # film film directed by; the links Alien and 3 are unknown.
    torch.testing.assert_close(entries[0, 2], torch.tensor([13.0, 17.0, 21.0]) / 4)
    torch.testing.assert_close(entries[0, :2], torch.full((2, 3), 0.5))
    assert "alien" in encoder.missing
    assert "film" not in encoder.missing
    state = KbqaNet(encoder, settings).state()
    assert [name for name in state if name.startswith("encoder.")] == ["encoder.unknown"]
    moved = tmp_path / "moved.txt"
    path.rename(moved)
    with pytest.raises(InputFileError, match="no such file"):
        KbqaNet.load(state, settings)
    KbqaNet.load(state, settings, encoder_files=moved)


def test_words_from_scratch() -> None:
    assert known_words(["who directed it", "who wrote it", "who? WHO?"]) == ("it", "who")
    encoder = ScratchEncoder(("film", "who"), 4)
    first, second = encoder.pieces(["who zorba zorba", "!"])
    assert first[1] == first[2] != first[0]
    assert len(second) == 1
    net = KbqaNet(encoder, KbqaSettings(width=8, word_width=4))
    assert bytes(net.state()[WORDS].to(torch.uint8).tolist()) == b"film\nwho"
    assert KbqaNet.load(net.state(), KbqaSettings(width=8, word_width=4)).encoder.words == ("film", "who")
    vectors = encoder._vectors(np.array([*first[:2], *encoder.pieces(["zorbas"])[0]]))
    # Unknown words differ by their parts, and are alike where they share them.
    near, far = (vectors[1] - vectors[2]).norm(), (vectors[1] - vectors[0]).norm()
    assert 0 < near < far


def test_words_without_texts_are_read_too() -> None:
    encoder = ScratchEncoder((), 4)
    questions = uneven_questions().take([2])
    prepared = KbqaNet(encoder, KbqaSettings(width=8, word_width=4)).prepare(SCHEMA, questions)
    pieces, entries = encoder(Batch.of(prepared, [0], [np.array([], np.int64)]))
    assert (pieces.shape, entries.shape) == ((1, 1, 4), (1, 0, 4))
    assert isinstance(prepared.link_pieces, Ragged)


def test_a_tokenizer_without_a_separator_is_refused(checkpoint: Path) -> None:
    encoder = PretrainedEncoder.read(checkpoint, 20)
    encoder._tokenizer.sep_token = None
    with pytest.raises(OptionError, match="lacks"):
        PretrainedEncoder(encoder.model, encoder._tokenizer, 20)
