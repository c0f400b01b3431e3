from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass

import plain_answers
import pytest

from recombine.errors import OptionError
from recombine.languages.scenes import SCENES
from recombine.scenes.programs.execute import execute
from recombine.scenes.programs.no_answer import Reason
from recombine.scenes.questions import rejected as reasons
from recombine.scenes.questions.make_questions import QuestionMaker, make_questions, without_repeats
from recombine.scenes.questions.question import Question
from recombine.scenes.related.exclusion import DifferentNames, DoesNotExclude, OntologyExclusion
from recombine.scenes.related.related_images import RelatedImages
from recombine.scenes.related.truth_verifier import TruthVerifier
from recombine.scenes.scene import Scene, SceneObject, Scenes
from recombine.scenes.subgraph import Subgraph
from recombine.scenes.subgraphs.instances import instances
from recombine.scenes.subgraphs.simple_subgraphs import simple_subgraphs
from recombine.scenes.subgraphs.words import words_of
from recombine.scenes.synthetic.ontology import find_ontology
from recombine.scenes.synthetic.world import make_world
from recombine.scenes.templates.read_templates import find_templates, templates_of

NAMES = {each.name for each in find_templates()}
IMAGES = {each.form: each.images for each in find_templates()}
WORDS = words_of(find_ontology())


@dataclass
class Made:
    """A small world and its questions."""

    scenes: Scenes
    related: RelatedImages
    questions: list[Question]
    rejected: Counter[tuple[str, str]]

    def of(self, question: Question) -> list[Scene]:
        return [self.scenes.by_id[each] for each in question.images]

    def pairs(self) -> list[tuple[Question, Question]]:
        by_pair: dict[int, list[Question]] = {}
        for each in self.questions:
            if each.pair is not None:
                by_pair.setdefault(each.pair, []).append(each)
        return [(first, second) for first, second in by_pair.values()]


@pytest.fixture(scope="module")
def made() -> Made:
    scenes, _ = make_world(250, seed=1)
    related = RelatedImages(scenes, OntologyExclusion(find_ontology()))
    rejected: Counter[tuple[str, str]] = Counter()
    questions = list(make_questions(related, scenes, seed=3, words=WORDS, sources=range(40), rejected=rejected))
    return Made(scenes, related, questions, rejected)


def test_all_templates_have_questions_of_several_programs(made: Made) -> None:
    programs: dict[str, set[object]] = {}
    for each in made.questions:
        programs.setdefault(each.template, set()).add(SCENES.anonymise(SCENES.parse(each.target)))
    assert set(programs) == NAMES
    assert min(map(len, programs.values())) >= 3
    assert len(set().union(*programs.values())) > 200
    assert {each.form for each in made.questions} == set(IMAGES)


def test_every_answer_is_what_the_program_gives(made: Made) -> None:
    for each in made.questions:
        assert execute(SCENES.parse(each.target), made.of(each), made.scenes.attribute_types).value == each.answer


def test_brute_force_agrees_on_answers(made: Made) -> None:
    asked = made.questions[:: max(1, len(made.questions) // 250)]
    assert len(asked) >= 200
    assert {each.template for each in asked} == NAMES
    for each in asked:
        value = plain_answers.answer(each.target, made.of(each), made.scenes.attribute_types)
        assert (value, type(value)) == (each.answer, type(each.answer)), each


def test_brute_force_agrees_on_roles(made: Made) -> None:
    asked = made.questions[:: max(1, len(made.questions) // 250)]
    roles = Counter(role.count("+") for each in asked for role in each.roles if role != "holds")
    assert set(roles) == {0, 1}
    for each in asked:
        for scene, role in zip(made.of(each), each.roles, strict=True):
            laid = plain_answers.changes(scene, each.subgraph)
            assert (frozenset() in laid) == (role == "holds"), (each, scene.id)
            if role != "holds":
                assert frozenset(role.split("+")) in laid, (each, scene.id, role)


def test_no_distractor_holds_the_subgraph_by_other_names(made: Made) -> None:
    places = {scene.id: place for place, scene in enumerate(made.scenes)}
    for each in made.questions[::5]:
        relaxed = set(made.related.relaxed(each.subgraph).tolist())
        for image, role in zip(each.images, each.roles, strict=True):
            assert (places[image] in relaxed) == (role == "holds")


def test_twins_have_the_same_question_and_number_of_images_but_another_answer(made: Made) -> None:
    pairs = made.pairs()
    assert 2 * len(pairs) / len(made.questions) > 0.9
    for first, second in pairs:
        assert (first.source, first.target, len(first.images)) == (second.source, second.target, len(second.images))
        assert first.answer != second.answer
        assert type(first.answer) is type(second.answer)
    alone = {each.template for each in made.questions if each.pair is None}
    assert not any(type(each.answer) is bool and each.pair is None for each in made.questions)
    # every template has twins, those with one set in the published code among them
    assert {first.template for first, _ in pairs} == NAMES
    assert alone <= NAMES


def test_the_number_of_images_says_nothing_of_true_and_false(made: Made) -> None:
    counts = Counter(
        (each.template, len(each.images), each.answer) for each in made.questions if type(each.answer) is bool
    )
    assert all(counts[name, number, True] == counts[name, number, False] for name, number, _ in counts)
    for each in made.questions:
        low, high = IMAGES[each.form]
        assert low <= len(each.images) <= high
        assert len(set(each.images)) == len(each.images) == len(each.roles)


def test_distractors_are_spread_over_kinds(made: Made) -> None:
    """A kind stands twice only where every kind that does not stand there has no image left."""
    twice = 0
    for each in made.questions:
        if each.template == "COUNT":
            kinds = Counter(role for role in each.roles if role != "holds")
            if max(kinds.values()) > 1:
                twice += 1
                for kind, candidates in made.related.distractors(each.subgraph).items():
                    left = {made.scenes[place].id for place in candidates.places.tolist()} - set(each.images)
                    assert kind in kinds or not left, (each, kind)
    assert twice


def test_a_scene_gives_the_same_questions_whatever_was_made_before(made: Made) -> None:
    alone = QuestionMaker(made.related, made.scenes, seed=3, words=WORDS).of_scene(7)
    assert [each for each in made.questions if each.scene == made.scenes[7].id] == alone
    assert QuestionMaker(made.related, made.scenes, seed=4, words=WORDS).of_scene(7) != alone


def test_questions_are_the_same_under_any_hash_seed() -> None:
    code = (
        "from recombine.scenes.synthetic.world import make_world\n"
        "from recombine.scenes.synthetic.ontology import find_ontology\n"
        "from recombine.scenes.related.exclusion import OntologyExclusion\n"
        "from recombine.scenes.related.related_images import RelatedImages\n"
        "from recombine.scenes.questions.make_questions import make_questions\n"
        "scenes, _ = make_world(60, seed=5)\n"
        "related = RelatedImages(scenes, OntologyExclusion(find_ontology()))\n"
        "for each in make_questions(related, scenes, seed=2, sources=range(6)): print(each)\n"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert outputs[0] == outputs[1]
    assert outputs[0].count(b"\n") > 100


def test_what_is_rejected_is_counted_by_its_reason(made: Made) -> None:
    known = {value for name, value in vars(reasons).items() if name.isupper()} | set(map(str, Reason))
    assert {reason for _, reason in made.rejected} <= known
    assert {name for name, _ in made.rejected} <= NAMES
    assert made.rejected["COUNT", reasons.SAME_ANSWER] > 0


def test_distractors_can_be_random_images(made: Made) -> None:
    maker = QuestionMaker(made.related, made.scenes, seed=3, words=WORDS, random_distractors=True)
    questions = [each for place in range(6) for each in maker.of_scene(place)]
    roles = Counter(role for each in questions for role in each.roles)
    assert roles["random"] > roles["root_name"]
    assert {each.template for each in questions} == NAMES
    places = {scene.id: place for place, scene in enumerate(made.scenes)}
    for each in questions:
        relaxed = set(made.related.relaxed(each.subgraph).tolist())
        assert not any(
            role == "random" and places[image] in relaxed for image, role in zip(each.images, each.roles, strict=True)
        )
        assert execute(SCENES.parse(each.target), made.of(each), made.scenes.attribute_types).value == each.answer


def test_a_template_of_ones_own_makes_questions(made: Made) -> None:
    text = """
    [[template]]
    name = "EXISTS"
    english = "{G:Is|Are} there {a G}?"
    program = "exists ( {G} )"
    images = [2, 3]
    pools.yes = { from = "holds" }
    pools.rest = { from = ["*", "*+*"] }
    first = { yes = [1, -1], rest = "rest" }
    second = { rest = "rest" }
    """
    templates = templates_of(text, "own.toml")
    questions = list(
        make_questions(made.related, made.scenes, seed=1, templates=templates, sources=range(5), words=WORDS)
    )
    assert len(questions) == 20
    assert {each.answer for each in questions} == {True, False}
    assert all(each.source.startswith("Is there a") and each.source.endswith("?") for each in questions)
    assert all(each.target.startswith("exists ( ") for each in questions)


def test_equal_questions_of_two_scenes_are_asked_once(made: Made) -> None:
    first = QuestionMaker(made.related, made.scenes, seed=3, words=WORDS).of_scene(3)
    rejected: Counter[tuple[str, str]] = Counter()
    changed = [each._replace(images=each.images[::-1], roles=each.roles[::-1]) for each in first]
    assert list(without_repeats([first, changed], rejected)) == first
    assert {reason for _, reason in rejected} == {reasons.SEEN_BEFORE}
    pairs = {each.pair for each in first if each.pair is not None}
    assert sum(rejected.values()) == len(pairs) + sum(each.pair is None for each in first)


def test_english_is_well_formed(made: Made) -> None:
    for each in made.questions:
        said = each.source
        assert said[0].isupper()
        assert said[-1] in ".?"
        assert said == " ".join(said.split())
        assert not set(said) & set("{}_|")
        assert (said[-1] == ".") == (
            each.template in {"COMPARECOUNT", "VERIFYCOUNT", "VERIFYCOUNTGROUPBY", "VERIFYQUANT"}
        )
        assert "1 images" not in said
        assert not re.search(r"\b(\w+ing) an? (\w+ )?\w+ and (is|are) \1\b", said), said
        if each.form == "COUNT objects":
            assert re.match(r"How many .* (are|have) .*\?", said)
            assert not said.endswith("are there?")


def test_masses_are_said_as_masses() -> None:
    """Furniture is not many: it is not counted, and its verb is `is`."""
    scenes, _ = make_world(100, seed=1, noise=0.6)
    questions = list(make_questions(RelatedImages(scenes, DifferentNames()), scenes, seed=3, sources=range(40)))
    masses = [each for each in questions if re.search(r"\b(furniture|headgear)\b", each.source)]
    assert len(masses) > 50
    for each in masses:
        assert not re.search(r"\ba (\w+ )?(furniture|headgear)\b|(furniture|headgear)s\b", each.source), each.source
        assert not re.search(r"(furniture|headgear) that are\b", each.source), each.source
        assert not re.search(r"^Do all (furniture|headgear)|^Are there both (furniture|headgear)", each.source)
        if each.form in ("COUNT objects", "COMPARECOUNT objects", "VERIFYCOUNT objects"):
            assert not re.search(r"(many|more|fewer|number of|than|as|[0-9]) (\w+ )?(furniture|headgear)", each.source)


def test_scenes_that_have_nothing_to_ask_give_no_questions() -> None:
    scenes = Scenes((Scene("a", (SceneObject("1", "dog"),)), Scene("b", (SceneObject("1", "dog"),))), "")
    related = RelatedImages(scenes, OntologyExclusion(find_ontology()))
    assert list(make_questions(related, scenes, seed=1)) == []


@pytest.mark.parametrize("options", [{"per_template": 0}, {"subgraphs": -1}, {"seed": -1}])
def test_wrong_numbers_are_refused(made: Made, options: dict[str, int]) -> None:
    with pytest.raises(OptionError):
        list(make_questions(made.related, made.scenes, **{"seed": 1, **options}))  # type: ignore[arg-type]


def test_images_in_which_names_are_in_doubt_are_left_out() -> None:
    """A kid may be a boy: where the annotation says so, a question about boys is not asked of it."""
    ontology = find_ontology()
    scenes, _ = make_world(200, seed=1, noise=0.3)
    related = RelatedImages(scenes, OntologyExclusion(ontology))
    questions = list(make_questions(related, scenes, seed=1, sources=range(12), words=WORDS))
    fits = DoesNotExclude(OntologyExclusion(ontology))
    doubts = 0
    for each in questions:
        for image in each.images:
            scene = scenes.by_id[image]
            assert instances(scene, each.subgraph, fits=fits) == instances(scene, each.subgraph)
            doubts += any(fits.noun(each.subgraph.name, other.name) for other in scene.objects)
    assert doubts


def test_a_verifier_keeps_away_what_must_not_be_there() -> None:
    """Of an image that holds the rest of the sub-graph by the truth, no attribute of it is asked."""
    scenes, truth = make_world(200, seed=1, noise=0.3)
    ontology = find_ontology()
    related = RelatedImages(scenes, OntologyExclusion(ontology), verifier=TruthVerifier(truth, ontology))
    asked = [each for each in find_templates() if each.name == "VERIFYATTR"]
    questions = list(make_questions(related, scenes, seed=1, sources=range(60), templates=asked, words=WORDS))
    assert questions
    verifier = TruthVerifier(truth, ontology)
    for each in questions:
        bare = Subgraph(each.subgraph.name, None, each.subgraph.relations)
        for image, role in zip(each.images, each.roles, strict=True):
            if "+" in role:
                assert not all(verifier.score(image, simple) == 1.0 for simple in simple_subgraphs(bare))
