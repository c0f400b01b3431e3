"""The verifier: pairs, folds, training in a moment, thresholds, folders, and questions that it filters."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("PIL")

import recombine
from recombine.errors import InputFileError, InputWarning, OptionError, RecombineError
from recombine.models.pictures.making.scene_pictures import drawn
from recombine.models.pictures.nets.detector import Detector
from recombine.models.pictures.picture_settings import PictureSettings
from recombine.models.pictures.verifier.candidate_pairs import CandidatePairs, simple_of
from recombine.models.pictures.verifier.make_verifier_arrays import PairSettings, make_verifier_arrays
from recombine.models.pictures.verifier.picture_verifier import open_verifier
from recombine.models.pictures.verifier.save_trained import save_trained
from recombine.models.pictures.verifier.simple_text import simple_text
from recombine.models.pictures.verifier.train_verifier import TrainedFolds, fold_replicas, train_verifier
from recombine.models.pictures.verifier.verifier_arrays import (
    JUDGED,
    LABELLED,
    LEARNED,
    VerifierArrays,
    fold_of,
    read_verifier_arrays,
)
from recombine.models.pictures.verifier.verifier_folder import read_verifier_folder, verifier_name
from recombine.models.pictures.verifier.verifier_program import likelihood
from recombine.models.pictures.verifier.verifier_quality import adjusted, qualities, quality
from recombine.scenes.related.exclusion import OntologyExclusion
from recombine.scenes.related.related_images import RelatedImages
from recombine.scenes.related.truth_verifier import TruthVerifier
from recombine.scenes.related.verifier import BatchVerifier, Thresholds
from recombine.scenes.scene import Scenes
from recombine.scenes.subgraph import Subgraph, SubModifier, SubRelation
from recombine.scenes.subgraphs.instances import holds
from recombine.scenes.synthetic.ontology import find_ontology
from recombine.scenes.synthetic.world import make_world

SETTINGS = PictureSettings(
    width=16, heads=2, text_layers=1, region_layers=1, filter_width=16, features=8, crop=8,
    grounding_steps=4, grounding_batch=8, curve=2, warmup=1,
)  # fmt: skip
EXCLUSION = OntologyExclusion(find_ontology())


@pytest.fixture(scope="module")
def world() -> tuple[Scenes, Scenes]:
    return make_world(80, seed=0, noise=0.3)


@pytest.fixture(scope="module")
def arrays(world: tuple[Scenes, Scenes]) -> VerifierArrays:
    annotated, truth = world
    with pytest.warns(InputWarning, match=r"\d+ of 36 labelled pairs were not found"):
        return make_verifier_arrays(
            annotated,
            truth,
            drawn(),
            exclusion=EXCLUSION,
            knows=TruthVerifier(truth, find_ontology()),
            seed=0,
            settings=PairSettings(per_scene=8, labelled=36, judged=200),
        )


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector(SETTINGS, ["a"], ["b"]).eval()


@pytest.fixture(scope="module")
def trained(arrays: VerifierArrays, detector: Detector) -> TrainedFolds:
    made = train_verifier(detector.features(arrays.pictures), arrays, settings=SETTINGS)
    assert made is not None
    return made


@pytest.fixture(scope="module")
def folder(
    trained: TrainedFolds, arrays: VerifierArrays, detector: Detector, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    path = tmp_path_factory.mktemp("verifier") / "v"
    save_trained(path, trained, detector, arrays, trained.judge(arrays), settings=SETTINGS, device="cpu", seconds=1.0)
    return path


# -- pairs --------------------------------------------------------------------------------------------------------


def text_of(arrays: VerifierArrays, row: int) -> str:
    return " ".join(arrays.words[number] for number in arrays.texts.tokens[row] if number)


def test_simple_sub_graphs_in_words() -> None:
    rope = SubRelation("pulling:_with", Subgraph("rope"))
    assert (
        " ".join(simple_text(Subgraph("boy", "tall", (rope,))).words)
        == "a tall boy that is pulling a thing with a rope"
    )
    assert simple_text(Subgraph("boy", "tall", (rope,))).nouns == (2, 7, 10)


def test_which_sub_graphs_are_judged() -> None:
    cap = SubRelation("wearing", Subgraph("cap", "red"))
    assert simple_of(Subgraph("boy", None, (cap,))) == Subgraph("boy", None, (cap,))
    assert simple_of(Subgraph("boy", "tall", (cap,))) is None  # two attributes
    assert simple_of(Subgraph("boy", None, (cap, cap))) is None
    mod = (SubModifier("with", Subgraph("rope")),)
    pulling = Subgraph("boy", None, (SubRelation("pulling", Subgraph("cart"), mod),))
    assert simple_of(pulling) == Subgraph("boy", None, (SubRelation("pulling:_with", Subgraph("rope")),))


def test_negatives_lack_the_sub_graph_by_their_annotation(world: tuple[Scenes, Scenes]) -> None:
    annotated, _ = world
    pairs = CandidatePairs(RelatedImages(annotated, EXCLUSION))
    draws = np.random.default_rng(0)
    drawn_pairs = [pairs.negative(graph, draws) for place in range(20) for graph in pairs.of_scene(place)]
    some = [each for each in drawn_pairs if each is not None]
    assert len(some) > 50
    assert not any(holds(annotated[each.place], each.simple) for each in some)


def test_pairs_as_arrays(arrays: VerifierArrays, world: tuple[Scenes, Scenes]) -> None:
    annotated, truth = world
    part, present, means = arrays.pairs.part, arrays.texts.present, arrays.texts.means
    learned = part == LEARNED
    assert (present[learned].reshape(-1, 2) == [1, 0]).all()  # a positive, then a negative of the same words
    tokens = arrays.texts.tokens[learned].reshape(-1, 2, arrays.texts.tokens.shape[1])
    assert (tokens[:, 0] == tokens[:, 1]).all()
    assert (means[learned & (present == 1)][:, 0] != 0).all()
    assert (means[present == 0] == 0).all()
    # labelled pairs are labelled by the truth, a third of each type, half of them there
    rows = arrays.rows(LABELLED)
    knows = TruthVerifier(truth, find_ontology())
    assert np.bincount(arrays.pairs.type[rows], minlength=3).max() <= 12
    assert 0 < present[rows].sum() <= 18
    assert not arrays.pictures.names
    bare = [row for row in arrays.rows(JUDGED) if re.fullmatch(r"an? \w+", text_of(arrays, row))]
    for row in bare[:40]:
        noun = text_of(arrays, row).split()[1]
        said = knows.score(annotated[arrays.texts.picture[row]].id, Subgraph(noun))
        assert said == present[row]


def test_nouns_mean_the_regions_of_annotated_objects(arrays: VerifierArrays, world: tuple[Scenes, Scenes]) -> None:
    """Worked out from boxes: the region that a bare noun means lies on an object that may be called so."""
    annotated, _ = world
    checked = 0
    for row in np.flatnonzero((arrays.pairs.part == LEARNED) & (arrays.texts.present == 1)).tolist():
        words = text_of(arrays, row).split()
        if len(words) != 2 or words[0] not in ("a", "an"):
            continue
        scene = annotated[arrays.texts.picture[row]]
        fitting = [each for each in scene.objects if not EXCLUSION.noun(words[1], each.name)]
        bits = int(arrays.texts.means[row, 0])
        assert bits.bit_count() == len(fitting)
        for region in (at for at in range(32) if bits >> at & 1):
            box = arrays.pictures.boxes[arrays.texts.picture[row], region]
            middle = (box[:2] + box[2:]) * 64
            assert any(
                each.box is not None
                and each.box.x - 9 <= middle[0] <= each.box.x + each.box.width + 9
                and each.box.y - 9 <= middle[1] <= each.box.y + each.box.height + 9
                for each in fitting
            )
            checked += 1
    assert checked > 20


def test_arrays_are_written_and_read(arrays: VerifierArrays, tmp_path: Path) -> None:
    arrays.write(tmp_path / "a")
    again = read_verifier_arrays(tmp_path / "a")
    assert again.words == arrays.words
    assert np.array_equal(again.texts.means, arrays.texts.means)
    assert np.array_equal(again.pairs.part, arrays.pairs.part)
    (tmp_path / "a" / "words.json").write_text('{"words": ["", "x"], "region_seed": 0}')
    with pytest.raises(InputFileError, match="fewer words"):
        read_verifier_arrays(tmp_path / "a")
    (tmp_path / "a" / "words.json").write_text("[]")
    with pytest.raises(InputFileError, match="holds no arrays of a verifier"):
        read_verifier_arrays(tmp_path / "a")


def test_scenes_of_another_order_are_refused(world: tuple[Scenes, Scenes]) -> None:
    with pytest.raises(OptionError, match="not those of the truth"):
        make_verifier_arrays(
            world[0], make_world(79, seed=0)[0], drawn(), exclusion=EXCLUSION, knows=TruthVerifier(world[1]), seed=0
        )


# -- folds --------------------------------------------------------------------------------------------------------


def test_a_reader_never_sees_pictures_of_its_fold(arrays: VerifierArrays) -> None:
    replicas = fold_replicas(arrays, seed=0)
    folds = np.array([fold_of(each) for each in arrays.pictures.ids])
    for fold, replica in enumerate(replicas):
        assert not (folds[arrays.texts.picture[replica.train]] == fold).any()
        assert (folds[arrays.texts.picture[replica.dev]] == fold).all()
        assert (arrays.pairs.part[replica.train] == LEARNED).all()
        assert (arrays.pairs.part[replica.dev] == LABELLED).all()
    assert np.bincount(folds, minlength=5).min() > 5


def test_pairs_are_judged_by_the_fold_that_did_not_see_them(
    trained: TrainedFolds, arrays: VerifierArrays, folder: Path, world: tuple[Scenes, Scenes]
) -> None:
    """What training judged, and what the folder's verifier says of the same pictures and words, are the same."""
    presence = trained.judge(arrays)
    verifier = open_verifier(folder, world[1], None)
    assert isinstance(verifier, BatchVerifier)
    for row in arrays.rows(JUDGED)[:300]:
        words = text_of(arrays, row).split()
        if len(words) == 2 and words[0] in ("a", "an"):
            given = verifier.score(arrays.pictures.ids[arrays.texts.picture[row]], Subgraph(words[1]))
            assert given == pytest.approx(presence[row], abs=1e-5)


def test_many_pictures_as_one_by_one(folder: Path, world: tuple[Scenes, Scenes]) -> None:
    verifier, other = (open_verifier(folder, world[1][:30], None) for _ in range(2))
    simple = Subgraph("boy", None, (SubRelation("holding", Subgraph("ball", "red")),))
    ids = [scene.id for scene in world[1][:30]]
    together = verifier.scores([*ids, ids[0]], simple)
    assert together == pytest.approx([other.score(each, simple) for each in [*ids, ids[0]]], abs=1e-5)
    assert len(set(np.round(together, 6))) > 5
    with pytest.raises(InputFileError, match="no picture of scene 'x'"):
        verifier.scores(["x"], simple)


# -- thresholds ---------------------------------------------------------------------------------------------------


def test_quality_by_hand() -> None:
    scores, there = np.array([0.9, 0.6, 0.3, 0.2], dtype=np.float32), np.array([True, False, True, False])
    made = quality(scores, there, 0.25)
    assert (made.pairs, made.missing, made.refused, made.found) == (4, 2, 3, 2)
    assert made.precision == pytest.approx(2 / 3)
    assert made.recall == 1.0
    assert quality(scores, there, 1.0).precision == 0.0
    by_type = qualities(scores, there, np.array([0, 0, 1, 2], dtype=np.int8), Thresholds(0.7, 0.1, 0.5))
    assert by_type["noun"].found == 1
    assert by_type["relation"].recall == 1.0
    assert by_type["attribute"].missing == 0


def test_thresholds_are_lowered_until_enough_is_found() -> None:
    scores = np.linspace(0.01, 1.0, 100, dtype=np.float32)
    there, types = np.ones(100, dtype=bool), np.full(100, 2, dtype=np.int8)
    made = adjusted(scores, there, types)
    assert (made.noun, made.relation) == (0.05, 0.1)  # of these there are no labels
    assert (scores > made.attribute).mean() == pytest.approx(0.95)
    assert adjusted(scores + 1, there, types).attribute == 0.5  # never raised


def test_likelihood_weighs_both_labels_the_same() -> None:
    given = np.array([0.8, 0.5, 0.5, 0.5], dtype=np.float32)
    assert likelihood(given, np.array([1, 0, 0, 0])) == pytest.approx(np.sqrt(0.8 * 0.5))
    assert likelihood(given[:0], np.zeros(0, dtype=np.int64)) == 0


# -- folders and questions ----------------------------------------------------------------------------------------


def test_folders(folder: Path, tmp_path: Path) -> None:
    saved = read_verifier_folder(folder)
    assert len(saved.readers) == 5
    assert set(saved.notes["quality"]["judged, paper"]) == {"noun", "relation", "attribute"}
    assert verifier_name(folder).startswith("looks@")
    with pytest.raises(InputFileError, match=r"has no verifier\.json"):
        read_verifier_folder(tmp_path)
    said = json.loads((folder / "verifier.json").read_text())
    (tmp_path / "verifier.json").write_text(json.dumps({**said, "form": "other/1"}))
    with pytest.raises(InputFileError, match="other/1"):
        read_verifier_folder(tmp_path)


@pytest.mark.slow
def test_questions_that_it_filters(folder: Path, tmp_path: Path) -> None:
    """A verifier that finds everything leaves no distractor; one that finds nothing changes nothing."""
    options = {"number_of_scenes": 80, "noise": 0.3, "templates": "COUNT", "pool": 60}
    said = json.loads((folder / "verifier.json").read_text())

    def counted(threshold: float) -> dict[str, int]:
        own = tmp_path / f"v{threshold}"
        own.mkdir()
        for file in folder.iterdir():
            (own / file.name).write_bytes(file.read_bytes())
        values = {"noun": threshold, "relation": threshold, "attribute": threshold}
        (own / "verifier.json").write_text(json.dumps({**said, "thresholds": values}))
        made = recombine.generate("scenes", n=20, filter="verifier", verifier=str(own), **options)
        made.write(tmp_path / f"q{threshold}.jsonl")
        record = json.loads((tmp_path / f"q{threshold}.split.json").read_text())
        assert "verifier:looks@" in json.dumps(record)
        refused: dict[str, int] = record["measured"]["refused_images"]
        return refused

    assert counted(1.0).get("holds the sub-graph by the verifier", 0) == 0
    with pytest.raises(RecombineError, match="balanced questions"):
        counted(0.0)


def test_filter_and_folder_go_together(folder: Path) -> None:
    with pytest.raises(OptionError, match="go together"):
        recombine.generate("scenes", n=4, filter="verifier", number_of_scenes=5)
    with pytest.raises(OptionError, match="go together"):
        recombine.generate("scenes", n=4, verifier=str(folder), number_of_scenes=5)
    with pytest.raises(InputFileError, match=r"holds no verifier"):
        recombine.generate("scenes", n=4, filter="verifier", verifier="nowhere", number_of_scenes=5)


def test_it_learns_what_is_there() -> None:
    """Two words, each of which is there where its own region is: told apart on pictures of other folds."""
    from recombine.models.pictures.arrays.grounding_arrays import GroundingArrays
    from recombine.models.pictures.arrays.picture_arrays import PictureArrays
    from recombine.models.pictures.verifier.verifier_arrays import Pairs

    draws = np.random.default_rng(0)
    number = 120
    shown = draws.integers(2, size=(number, 3))  # three regions of one of two kinds
    features = np.zeros((number, 3, 8), dtype=np.float16)
    np.put_along_axis(features, shown[..., None], 1.0, axis=2)
    boxes = np.tile(np.array([0.1, 0.1, 0.4, 0.4], dtype=np.float32), (number, 3, 1))
    pictures = PictureArrays(
        [f"s{place}" for place in range(number)],
        np.zeros((number, 0, 0, 3), dtype=np.uint8),
        boxes,
        np.full(number, 3, dtype=np.int16),
    )
    picture = np.repeat(np.arange(number, dtype=np.int32), 2)
    kind = np.tile([0, 1], number)
    held = shown[picture] == kind[:, None]
    texts = GroundingArrays(
        tokens=(kind[:, None] + 2).astype(np.int16),
        picture=picture,
        nouns=np.zeros((2 * number, 1), dtype=np.int16),
        means=(held * (1 << np.arange(3))).sum(1)[:, None].astype(np.uint32),
        sides=np.zeros((2 * number, 1), dtype=np.int8),
        present=held.any(1).astype(np.int8),
    )
    part = np.where(picture % 10 == 0, LABELLED, LEARNED).astype(np.int8)
    made = VerifierArrays(["", "<unknown>", "cat", "dog"], pictures, texts, Pairs(part, np.zeros_like(part)))
    settings = PictureSettings.from_dict(
        {**SETTINGS.to_dict(), "grounding_steps": 150, "grounding_batch": 32, "grounding_rate": 0.01, "curve": 50}
    )
    trained = train_verifier(features, made, settings=settings)
    assert trained is not None
    presence = trained.judge(made)
    assert ((presence > 0.5) == (texts.present > 0)).mean() > 0.95
