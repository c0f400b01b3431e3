"""The learned exclusion: pairs and their files, features, the network, what is held out, folders and errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from recombine.data_directory import data_directory
from recombine.errors import InputFileError, OptionError, RecordError
from recombine.models.exclusion import pair_net
from recombine.models.exclusion.exclusion_model import ExclusionModel, load_exclusion_model, read_named_exclusion
from recombine.models.exclusion.kind_model import fit_kind_model
from recombine.models.exclusion.known_pairs import KnownPairs
from recombine.models.exclusion.learn_exclusion import _apart, _names_apart, learn_exclusion, majority
from recombine.models.exclusion.name_features import list_parts, name_vectors, overlaps
from recombine.models.exclusion.name_pairs import NamePair, read_name_pairs, write_name_pairs
from recombine.models.exclusion.pair_net import PairNet, Pairs, fit_pair_net
from recombine.models.exclusion.pair_sources import draw_pairs, find_source
from recombine.scenes.related.find_exclusion import find_exclusion
from recombine.scenes.synthetic.world import make_world

COLORS, PEOPLE = ("red", "blue", "green", "black", "white", "brown"), ("man", "guy", "person", "driver", "worker")


@pytest.fixture(scope="module")
def pairs() -> list[NamePair]:
    return draw_pairs(find_source("ontology"), most=200, seed=0)


@pytest.fixture(scope="module")
def learned(pairs: list[NamePair]) -> ExclusionModel:
    return learn_exclusion(pairs, seed=0)[0]


# -- pairs --------------------------------------------------------------------------------------------------------


def test_pairs_of_the_ontology_are_balanced_and_right(pairs: list[NamePair]) -> None:
    by_kind = {kind: [pair for pair in pairs if pair.kind == kind] for kind in ("noun", "attribute", "relation")}
    # 43 pairs of nouns do not exclude each other, 34 of attributes do; there are 15 · 14 ordered pairs of relations
    assert len(by_kind["noun"]) == 86
    assert sum(pair.excludes for pair in by_kind["noun"]) == 43
    assert sum(pair.excludes for pair in by_kind["attribute"]) == 34
    assert len(by_kind["relation"]) == 210
    assert NamePair("noun", "animal", "puppy", False) in pairs
    assert NamePair("relation", "holding", "next to", True) in pairs
    assert NamePair("relation", "next to", "holding", False) in pairs
    assert len({pair.key for pair in by_kind["noun"]}) == 86


def test_names_occur_with_both_answers(pairs: list[NamePair]) -> None:
    kept = {name for pair in pairs if pair.kind == "noun" and not pair.excludes for name in (pair.asked, pair.seen)}
    other = {name for pair in pairs if pair.kind == "noun" and pair.excludes for name in (pair.asked, pair.seen)}
    assert other <= kept


def test_files_of_pairs(pairs: list[NamePair], tmp_path: Path) -> None:
    write_name_pairs(tmp_path / "pairs.csv", pairs)
    assert read_name_pairs(tmp_path / "pairs.csv") == pairs
    assert (tmp_path / "pairs.csv").read_text().splitlines()[0] == "kind,asked,seen,excludes"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no pairs"),
        ("kind,asked,seen\nnoun,a,b\n", "holds no pairs"),
        ("kind,asked,seen,excludes\n", "holds no pairs"),
        ("kind,asked,seen,excludes\nverb,a,b,1\n", "line 2"),
        ("kind,asked,seen,excludes\nnoun,a,b,2\n", "line 2"),
        ("kind,asked,seen,excludes\nnoun,a,,1\n", "line 2"),
        ("kind,asked,seen,excludes\nnoun,a,a,0\n", "with itself"),
        ("kind,asked,seen,excludes\nnoun,a,b,1\nnoun,b,a,0\n", "with 1 and with 0"),
        ("kind,asked,seen,excludes\nnoun,a,b,1,x\n", "line 2"),
    ],
)
def test_what_is_no_file_of_pairs(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text(text)
    with pytest.raises((InputFileError, RecordError), match=said):
        read_name_pairs(tmp_path / "p.csv")


def test_relations_may_differ_by_order(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("kind,asked,seen,excludes\nrelation,riding on,near,1\nrelation,near,riding on,0\n")
    assert len(read_name_pairs(tmp_path / "p.csv")) == 2


# -- features and the network -------------------------------------------------------------------------------------


def test_features() -> None:
    parts = list_parts(["dark blue", "blue", "blues"])
    assert "blue" in parts
    assert "=blue" in parts
    assert "dark" not in parts  # of one name alone
    rows = name_vectors(["blue", "unknown thing"], parts).toarray()
    assert rows[0, parts.index("=blue")] == 1
    assert rows[1].sum() == 0
    assert overlaps("dark blue", "blue")[:3] == (1.0, 0.0, 1.0)


def test_known_pairs_leave_out_the_pair_itself() -> None:
    said = [NamePair("noun", "a", "b", True), NamePair("noun", "a", "c", True), NamePair("noun", "b", "c", True)]
    known = KnownPairs.of(said)
    # a and b both exclude c; each excludes one name beside the other
    assert np.allclose(known.counts("a", "b"), np.log1p([2, 0, 0, 0, 1, 1, 0, 0]))
    other = KnownPairs.of([NamePair("noun", "a", "b", False), *said[1:]])
    assert np.allclose(known.counts("a", "b"), other.counts("a", "b"))
    assert not known.counts("a", "z").any()


def test_gradients() -> None:
    """The gradients are those of differences."""
    from scipy.sparse import csr_matrix

    draws = np.random.default_rng(0)
    names = csr_matrix(draws.random((5, 7)))
    pairs = Pairs(np.array([0, 1, 2]), np.array([3, 4, 0]), draws.random((3, 2)), np.array([1.0, 0.0, 1.0]))
    weigh, kept = np.array([0.2, 0.5, 0.3]), np.ones((5, pair_net.WIDTH))
    for ordered in (False, True):
        net = PairNet(ordered, pair_net._start(7, 2, ordered, draws))

        def loss(net: PairNet = net) -> float:
            vectors = net.vectors(names)
            given = net.probability(vectors[pairs.asked], vectors[pairs.seen], pairs.together)
            right = np.where(pairs.labels > 0, given, 1 - given)
            return float(-(weigh * np.log(right)).sum())

        made = pair_net._gradients(net, names, pairs, weigh, kept)
        for name, at in (("embed", (2, 3)), ("read", (1, 4)), ("bias", (4,)), ("out", (5,)), ("out_bias", (0,))):
            before = net.weights[name][at]
            values = []
            for change in (1e-5, -1e-5):
                net.weights[name][at] = before + change
                values.append(loss())
            net.weights[name][at] = before
            assert made[name][at] == pytest.approx((values[0] - values[1]) / 2e-5, abs=1e-6)


def test_symmetric_kinds_are_symmetric_and_relations_are_not(learned: ExclusionModel) -> None:
    nouns = learned.kinds["noun"].probabilities([("puppy", "cat"), ("cat", "puppy"), ("puppy", "puppy")])
    assert nouns[0] == pytest.approx(nouns[1], abs=1e-12)
    assert nouns[2] == 0
    assert learned.relation("holding", "next to")
    assert not learned.relation("next to", "holding")


def test_it_learns_two_groups() -> None:
    """Colors exclude each other, words for people do not, and the two never meet: pairs that were left out are told."""
    listed = [NamePair("attribute", a, b, True) for a in COLORS for b in COLORS if a < b]
    listed += [NamePair("attribute", a, b, False) for a in PEOPLE for b in PEOPLE if a < b]
    held = [NamePair("attribute", "black", "red", True), NamePair("attribute", "driver", "person", False)]
    model = fit_kind_model("attribute", [pair for pair in listed if pair not in held], seed=0)
    assert model.accuracy(held) == 1.0


def test_same_seed_same_numbers(pairs: list[NamePair]) -> None:
    some = [pair for pair in pairs if pair.kind == "attribute"]
    first, second, third = (fit_kind_model("attribute", some, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(first.net.weights["embed"], second.net.weights["embed"])
    assert not np.array_equal(first.net.weights["embed"], third.net.weights["embed"])


# -- what is held out ---------------------------------------------------------------------------------------------


def test_what_is_held_out(pairs: list[NamePair]) -> None:
    relations = [pair for pair in pairs if pair.kind == "relation"]
    learned, held = _apart(relations, 0.2, 0)
    assert len(held) == 42  # 21 of 105, both ways
    assert not {pair.key for pair in learned} & {pair.key for pair in held}
    known, unseen = _names_apart(relations, 0.2, 0)
    names = {name for pair in known for name in (pair.asked, pair.seen)}
    assert len(names) == 12  # 3 of 15 are held out
    assert all(not names.issuperset((pair.asked, pair.seen)) for pair in unseen)
    assert len(known) + len(unseen) == len(relations)


def test_majority_is_that_of_what_was_learned() -> None:
    yes, no = NamePair("noun", "a", "b", True), NamePair("noun", "a", "c", False)
    assert majority([yes, yes, no], [no, no, yes]) == pytest.approx(1 / 3)


def test_too_few_pairs() -> None:
    with pytest.raises(OptionError, match="3 pairs of nouns are too few"):
        learn_exclusion([NamePair("noun", "a", name, name == "b") for name in "bcd"])
    with pytest.raises(OptionError, match="share held out"):
        learn_exclusion([], held_out=1.0)


# -- folders ------------------------------------------------------------------------------------------------------


def test_a_folder_serves_as_exclusion(learned: ExclusionModel, tmp_path: Path) -> None:
    learned.save(tmp_path / "m")
    again = load_exclusion_model(tmp_path / "m")
    asked = [("riding", "next to"), ("next to", "riding"), ("riding", "nothing known")]
    for kind, model in learned.kinds.items():
        assert np.array_equal(again.kinds[kind].probabilities(asked), model.probabilities(asked))
    named = find_exclusion(str(tmp_path / "m"), make_world(3, seed=0)[0])
    assert named.name.startswith("learned@")
    assert named.exclusion.attribute("red", "blue")
    assert not named.exclusion.attribute("red", "striped")


def test_broken_folders(learned: ExclusionModel, pairs: list[NamePair], tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="holds no exclusion model"):
        load_exclusion_model(tmp_path)
    learned.save(tmp_path / "m")
    said = json.loads((tmp_path / "m" / "exclusion.json").read_text())
    (tmp_path / "m" / "exclusion.json").write_text(json.dumps({**said, "form": "exclusion/9"}))
    with pytest.raises(InputFileError, match="exclusion/9"):
        load_exclusion_model(tmp_path / "m")
    (tmp_path / "m" / "exclusion.json").write_text(json.dumps(said))
    (tmp_path / "m" / "exclusion.npz").write_bytes(b"no arrays")
    with pytest.raises(InputFileError, match="holds no whole exclusion model"):
        load_exclusion_model(tmp_path / "m")
    ExclusionModel({"noun": learned.kinds["noun"]}).save(tmp_path / "nouns")
    with pytest.raises(InputFileError, match="has learned nothing of attributes"):
        read_named_exclusion(tmp_path / "nouns")


# -- an encoder ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny random encoder."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, models, pre_tokenizers

    folder = tmp_path_factory.mktemp("encoder") / "tiny"
    letters = [chr(number) for number in range(97, 123)]
    pieces = ["[PAD]", "[UNK]", *letters, *(f"##{letter}" for letter in letters)]
    made = Tokenizer(models.WordPiece({piece: at for at, piece in enumerate(pieces)}, unk_token="[UNK]"))  # noqa: S106
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    transformers.PreTrainedTokenizerFast(tokenizer_object=made, pad_token="[PAD]", unk_token="[UNK]").save_pretrained(  # noqa: S106
        folder
    )
    torch.manual_seed(0)
    size: dict[str, Any] = {"hidden_size": 16, "num_attention_heads": 2, "intermediate_size": 16}
    transformers.BertModel(
        transformers.BertConfig(vocab_size=len(pieces), num_hidden_layers=1, **size)
    ).save_pretrained(folder)
    return folder


def test_an_encoder_beside_characters(encoder: Path, pairs: list[NamePair], tmp_path: Path) -> None:
    from recombine.models.exclusion.name_encoder import NameEncoder

    reader = NameEncoder.of(encoder)
    vectors = reader.vectors(["red", "dark red", "red"])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    assert np.allclose(vectors[0], vectors[2], atol=1e-6)  # padding does not matter
    assert not np.allclose(vectors[0], vectors[1], atol=1e-2)
    some = [pair for pair in pairs if pair.kind == "attribute"]
    model, outcomes = learn_exclusion(some, seed=0, encoder=reader)
    assert outcomes[0].accuracy > 0.8
    model.save(tmp_path / "m")
    asked = [("red", "blue"), ("red", "crimson")]
    again = load_exclusion_model(tmp_path / "m").kinds["attribute"]
    assert np.allclose(again.probabilities(asked), model.kinds["attribute"].probabilities(asked))
    config = encoder / "config.json"
    text = config.read_text()
    config.write_text(text.replace('"hidden_dropout_prob": 0.1', '"hidden_dropout_prob": 0.2'))
    with pytest.raises(InputFileError, match="another encoder"):
        load_exclusion_model(tmp_path / "m")
    config.write_text(text)


# -- GQA ----------------------------------------------------------------------------------------------------------


@pytest.mark.shared_data
@pytest.mark.slow
def test_held_out_pairs_of_gqa() -> None:
    """The issue's figures: at least 90 % of held-out pairs of nouns and of attributes, and riding on/near both ways."""
    folder = data_directory() / "scenes"
    if not (folder / "gqa_class_hierarchy.json").is_file():
        pytest.skip("GQA's hierarchies are not in the data directory")
    model, outcomes = learn_exclusion(draw_pairs(find_source(folder), most=6000, seed=0), seed=0)
    by_kind = {each.kind: each for each in outcomes}
    assert by_kind["noun"].accuracy >= 0.9
    assert by_kind["attribute"].accuracy >= 0.9
    assert all(each.accuracy > each.majority + 0.2 for each in outcomes)
    assert model.relation("riding on", "near")
    assert not model.relation("near", "riding on")


def test_network_fits_without_a_listener() -> None:
    names = name_vectors(["a", "b"], ["=a", "=b"])
    table = Pairs(np.array([0]), np.array([1]), np.zeros((1, 1)), np.array([1.0]))
    net = fit_pair_net(names, table, ordered=False, seed=0)
    vectors = net.vectors(names)
    assert net.probability(vectors[:1], vectors[1:], np.zeros((1, 1)))[0] > 0.9
