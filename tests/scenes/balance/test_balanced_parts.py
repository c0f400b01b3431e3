"""Parts of generated questions: no scene on two sides, no words in dev and test, and what is said where scenes end."""

from __future__ import annotations

from collections import Counter

import pytest

from recombine.errors import OptionError, SizeError
from recombine.languages.scenes import SCENES
from recombine.scenes.balance.answer_class import operators_of
from recombine.scenes.balance.balanced_parts import BalancedParts, _number_pairs, make_balanced_parts
from recombine.scenes.balance.question_pool import Pool, PoolSetting
from recombine.scenes.balance.scene_parts import read_shares
from recombine.scenes.programs.execute import execute
from recombine.scenes.questions.question import Question
from recombine.scenes.scene import Scenes
from recombine.scenes.subgraph import Subgraph
from recombine.scenes.synthetic.world import make_world
from recombine.scenes.templates.read_templates import find_templates


@pytest.fixture(scope="module")
def scenes() -> Scenes:
    return make_world(120, seed=3)[0]


@pytest.fixture(scope="module")
def made(scenes: Scenes) -> BalancedParts:
    return make_balanced_parts(PoolSetting(scenes, 3), 150)


def test_templates_are_equal_in_every_part(made: BalancedParts) -> None:
    assert {part: len(questions) for part, questions in made.questions.items()} == {"train": 120, "dev": 15, "test": 15}
    for part, each in (("train", 8), ("dev", 1), ("test", 1)):
        assert set(Counter(question.template for question in made.questions[part]).values()) == {each}
        assert len({question.template for question in made.questions[part]}) == 15


def test_no_scene_is_on_two_sides(made: BalancedParts) -> None:
    images = [{image for question in made.questions[part] for image in question.images} for part in made.questions]
    assert all(images)
    assert not images[0] & images[1]
    assert not images[0] & images[2]
    assert not images[1] & images[2]


def test_dev_and_test_share_no_words(made: BalancedParts) -> None:
    assert not {each.source for each in made.questions["dev"]} & {each.source for each in made.questions["test"]}


def test_every_answer_is_what_the_program_gives(made: BalancedParts, scenes: Scenes) -> None:
    for questions in made.questions.values():
        for each in questions:
            shown = [scenes.by_id[image] for image in each.images]
            assert execute(SCENES.parse(each.target), shown, scenes.attribute_types).value == each.answer


def test_pairs_of_two_parts_have_two_numbers(made: BalancedParts) -> None:
    one = made.questions["train"][0]
    parts = {part: [one._replace(pair=7), one._replace(pair=7), one._replace(pair=9)] for part in ("train", "dev")}
    _number_pairs(parts)
    assert [each.pair for some in parts.values() for each in some] == [0, 0, None, 1, 1, None]


def test_pairs_are_numbered_and_whole(made: BalancedParts) -> None:
    questions = [each for some in made.questions.values() for each in some]
    pairs = Counter(each.pair for each in questions if each.pair is not None)
    assert set(pairs.values()) == {2}
    assert sorted(pairs) == list(range(len(pairs)))
    for number in pairs:
        first, second = (each for each in questions if each.pair == number)
        assert first.source == second.source
        assert first.answer != second.answer
        assert len(first.images) == len(second.images)


def test_what_was_rejected_is_counted(made: BalancedParts) -> None:
    assert made.pool.total() >= 450
    assert made.rejected.total() > 0
    assert made.refused.total() > 0


def test_test_asks_nothing_that_dev_asks_though_its_pool_does(scenes: Scenes, monkeypatch: pytest.MonkeyPatch) -> None:
    names = sorted({template.name for template in find_templates()})

    def same_words(setting: PoolSetting, *_: object, **__: object) -> Pool:
        image = setting.scenes[0].id
        return Pool(
            [
                Question(
                    f"{name} {number}?",
                    "exists ( scene ( ) )",
                    True,
                    (image,),
                    ("holds",),
                    name,
                    name,
                    Subgraph("dog"),
                    None,
                    image,
                )
                for name in names
                for number in range(160)
            ]
        )

    monkeypatch.setattr("recombine.scenes.balance.balanced_parts.make_pool", same_words)
    made = make_balanced_parts(PoolSetting(scenes, 0), 3000)
    dev, test = ({each.source for each in made.questions[part]} for part in ("dev", "test"))
    assert len(dev) == len(test) == 300
    assert not dev & test
    assert made.same_text == 300


def test_where_scenes_end_the_template_and_the_number_are_said(scenes: Scenes) -> None:
    few = Scenes(scenes[:10], "few", scenes.attribute_types)
    with pytest.raises(
        SizeError, match=r"10 scenes give no 6,000 balanced questions: [A-Z]+ ran dry at \d+ of \d+"
    ) as said:
        make_balanced_parts(PoolSetting(few, 0), 6000)
    assert "in all" in str(said.value)


@pytest.mark.parametrize(("n", "pool"), [(0, None), (-3, None), (100, 50)])
def test_sizes_that_make_no_sense_are_refused(scenes: Scenes, n: int, pool: int | None) -> None:
    with pytest.raises(OptionError):
        make_balanced_parts(PoolSetting(scenes, 0), n, pool=pool)


def test_the_form_of_a_counting_question_tells_hardly_more_than_its_template(scenes: Scenes) -> None:
    names = ("COUNT", "COUNTGROUPBY")
    templates = tuple(template for template in find_templates() if template.name in names)
    questions = make_balanced_parts(PoolSetting(scenes, 3, templates=templates), 200).questions["train"]
    for name in names:
        by_form: dict[str, Counter[object]] = {}
        for each in questions:
            if each.template == name:
                by_form.setdefault(operators_of(SCENES.parse(each.target)), Counter())[each.answer] += 1
        number = sum(counts.total() for counts in by_form.values())
        guessed = sum(max(counts.values()) for counts in by_form.values()) / number
        in_all: Counter[object] = sum(by_form.values(), Counter())
        assert guessed - max(in_all.values()) / number <= 0.04, name
        assert len(by_form) >= 2


@pytest.mark.slow
def test_shares_of_parts(scenes: Scenes) -> None:
    made = make_balanced_parts(PoolSetting(scenes, 3), 60, pool=90, shares=read_shares("50,25,25"))
    assert {part: len(questions) for part, questions in made.questions.items()} == {"train": 30, "dev": 15, "test": 15}


@pytest.mark.parametrize("text", ["", "80,20", "80,10,5", "90,20,-10", "a,b,c", "40,30,20,10"])
def test_shares_that_cannot_be(text: str) -> None:
    with pytest.raises(OptionError, match="give three that make 100, such as 80,10,10"):
        read_shares(text)
