"""Questions made from scenes: for each scene its sub-graphs, for each of them the templates that fit.

Everything about one scene comes from one generator, so that questions depend on the seed and the scene alone. The
number of images is drawn first and is the same for both sets of images, so that it says nothing of the answer. The
answer is what the program gives.
"""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b
from typing import TYPE_CHECKING

from recombine.errors import OptionError
from recombine.scenes.programs.execute import LARGEST_ANSWER, Executor
from recombine.scenes.programs.no_answer import NoAnswer
from recombine.scenes.programs.relaxed_executor import RelaxedExecutor
from recombine.scenes.questions.filling import excludes_both_ways, fill, leaves_for, meets_needs
from recombine.scenes.questions.image_sets import ImageSets, pick_other
from recombine.scenes.questions.phrases import Number, Word
from recombine.scenes.questions.question import Question
from recombine.scenes.questions.rejected import (
    NO_NUMBER,
    NO_OTHER_IMAGE,
    NO_SECOND_SET,
    SAME_ANSWER,
    SEEN_BEFORE,
    SOURCE_DOES_NOT_FIT,
    Rejected,
)
from recombine.scenes.questions.related_to import RelatedTo
from recombine.scenes.subgraphs.words import find_words
from recombine.scenes.synthetic.draws import scene_draws
from recombine.scenes.templates.read_templates import find_templates
from recombine.seeds import check_seed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from recombine.scenes.programs.execute import Value
    from recombine.scenes.questions.filling import Filling
    from recombine.scenes.questions.image_sets import ImageSet
    from recombine.scenes.related.related_images import RelatedImages
    from recombine.scenes.scene import Scenes
    from recombine.scenes.subgraph import Subgraph
    from recombine.scenes.subgraphs.words import Words
    from recombine.scenes.synthetic.draws import Draws
    from recombine.scenes.templates.template import NumberSlot, Template
    from recombine.tree import Tree

_PURPOSE = 2
"""What the draws of a scene are for; the synthetic world uses the numbers before."""
_SHARES = {1: 1, 2: 3, 3: 5, 4: 5, 5: 5}
"""How often a question has so many images: 3.8 on average, as in COVR."""
_FIRST_TRIES, _SECOND_TRIES = 3, 8
_PAIRS_OF_A_SCENE = 10_000
_REMEMBERED = 4096
"""The number of sub-graphs whose images are kept."""


class QuestionMaker:
    """Makes the questions of scenes and counts what it rejects."""

    def __init__(
        self,
        related: RelatedImages,
        scenes: Scenes,
        *,
        seed: int,
        per_template: int = 2,
        subgraphs: int = 40,
        templates: Sequence[Template] | None = None,
        random_distractors: bool = False,
        words: Words | None = None,
    ) -> None:
        check_seed(seed)
        for name, value in (("questions per template", per_template), ("sub-graphs of a scene", subgraphs)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise OptionError(f"the number of {name} is {value}", "give a whole number of 1 or more")
        self.rejected: Counter[tuple[str, str]] = Counter()
        """How often questions of a template were rejected for a reason."""
        self._related, self._scenes, self._seed = related, scenes, seed
        self._per_template, self._subgraphs = per_template, subgraphs
        self._words = words or find_words()
        self._forms = _by_name(find_templates() if templates is None else templates)
        self._executor = Executor(scenes, scenes.attribute_types)
        self._widely = RelaxedExecutor(scenes, related.exclusion)
        self._everywhere = range(len(scenes)) if random_distractors else None
        self._known: dict[Subgraph, RelatedTo] = {}

    def of_scene(self, place: int) -> list[Question]:
        """The questions whose source is one scene; twins stand one after the other."""
        draws = scene_draws(self._seed, place, _PURPOSE)
        wanted = dict.fromkeys(self._forms, self._per_template)
        made: list[Question] = []
        seen: set[int] = set()
        used = 0
        for graph in _mixed(self._related.subgraphs(place), draws):
            fitting = [name for name, number in wanted.items() if number and self._fitting(name, graph)]
            if not fitting:
                continue
            used += 1
            for name in fitting:
                pair = place * _PAIRS_OF_A_SCENE + len(made)
                try:
                    twins = self._make(draws.one_of(self._fitting(name, graph)), graph, place, pair, draws)
                except Rejected as rejected:
                    self.rejected[name, str(rejected.reason)] += 1
                    continue
                keys = {_key(each) for each in twins}
                if keys & seen:
                    self.rejected[name, SEEN_BEFORE] += 1
                    continue
                seen |= keys
                made += twins
                wanted[name] -= 1
            if used >= self._subgraphs or not any(wanted.values()):
                break
        return made

    def _fitting(self, name: str, graph: Subgraph) -> list[Template]:
        return [
            template
            for template in self._forms[name]
            if meets_needs(template, graph, self._scenes.attribute_types, self._words)
        ]

    def _about(self, graph: Subgraph) -> RelatedTo:
        about = self._known.get(graph)
        if about is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
                self._executor.forget()
                self._widely.forget()
            about = self._known[graph] = RelatedTo(graph, self._related, self._words)
        return about

    def _make(self, template: Template, graph: Subgraph, place: int, pair: int, draws: Draws) -> list[Question]:
        """A question and its twin, or one alone where the template allows that."""
        low, high = template.images
        images = draws.by_share({number: share for number, share in _SHARES.items() if low <= number <= high})
        about = self._about(graph)
        option = draws.one_of(template.options)
        leaves = leaves_for(template, about, self._words)
        if not leaves:
            raise Rejected(NO_OTHER_IMAGE)
        leaf = draws.one_of(leaves)
        filling = fill(template, option, about, leaf, executor=self._executor, widely=self._widely, words=self._words)
        if not filling.fits(place, template.source) or filling.in_doubt(place):
            raise Rejected(SOURCE_DOES_NOT_FIT)
        if template.other:
            pick_other(filling, draws, self._words)
        self._fill_choice(filling, draws)
        sets = ImageSets(filling, place, draws, about=self._about, everywhere=self._everywhere)
        return self._ask(filling, sets, images, place, pair, draws)

    def _fill_choice(self, filling: Filling, draws: Draws) -> None:
        """The two choices in an order that is drawn."""
        if filling.template.choice is None:
            return
        choices = [filling.slots[slot] for slot in filling.template.choice]
        if filling.template.choice == ("REL", "DECOYREL"):
            asked, decoy = (each.name for each in choices if isinstance(each, Word))
            if not excludes_both_ways(self._related.exclusion, asked, decoy):
                raise Rejected(NO_OTHER_IMAGE)
        if draws.chance(0.5):
            choices.reverse()
        filling.slots["FIRST"], filling.slots["SECOND"] = choices

    def _ask(
        self, filling: Filling, sets: ImageSets, images: int, place: int, pair: int, draws: Draws
    ) -> list[Question]:
        option, template = filling.option, filling.template
        for number in template.numbers:
            if number.source == "source":
                filling.slots[number.slot] = Number(self._of_source(filling, number, place, draws))
        measured = next((each for each in template.numbers if each.source == "measure"), None)
        asked = option.measure if measured is not None and option.measure is not None else option.program
        program = asked.fill(filling.slots)
        first, value = self._first(filling, sets, images, program)
        second = self._second(filling, sets, images, program, value)
        if second is None and not template.alone:
            raise Rejected(NO_SECOND_SET)
        if measured is not None:
            if second is None:
                raise Rejected(NO_SECOND_SET)
            filling.slots[measured.slot] = Number(_tells_apart(filling, measured, value, second[1], draws))
            program = option.program.fill(filling.slots)
            answers = [self._executor.value(program, [at for at, _ in each]) for each in (first, second[0])]
            if answers[0] == answers[1]:
                raise Rejected(SAME_ANSWER)
            value, second = answers[0], (second[0], answers[1])
        source, target = option.english.say(filling.slots), option.program.text(filling.slots)
        both = [(first, value)] if second is None else [(first, value), second]
        return [
            Question(
                source,
                target,
                answer,
                tuple(self._scenes[at].id for at, _ in drawn),
                tuple(role for _, role in drawn),
                template.name,
                template.form,
                filling.about.graph,
                pair if second is not None else None,
                self._scenes[place].id,
            )
            for drawn, answer in both
        ]

    def _first(self, filling: Filling, sets: ImageSets, images: int, program: Tree) -> tuple[ImageSet, Value]:
        """A first set with a valid answer."""
        for last in reversed(range(_FIRST_TRIES)):
            try:
                drawn = sets.draw(filling.option.first, images)
                return drawn, self._executor.value(program, [at for at, _ in drawn])
            except (NoAnswer, Rejected) as rejected:
                if not last:
                    raise Rejected(rejected.reason) from None
                self.rejected[filling.template.name, str(rejected.reason)] += 1
        raise AssertionError

    def _second(
        self, filling: Filling, sets: ImageSets, images: int, program: Tree, value: Value
    ) -> tuple[ImageSet, Value] | None:
        """A second set with another answer, if there is one."""
        designs = filling.option.second
        for _ in range(_SECOND_TRIES if designs else 0):
            try:
                drawn = sets.draw(designs, images)
                other = self._executor.value(program, [at for at, _ in drawn])
                if other != value:
                    return drawn, other
                reason = SAME_ANSWER
            except (NoAnswer, Rejected) as rejected:
                reason = str(rejected.reason)
            self.rejected[filling.template.name, reason] += 1
        return None

    @staticmethod
    def _of_source(filling: Filling, number: NumberSlot, place: int, draws: Draws) -> int:
        """A number by how often the sub-graph holds in the source image.

        At most is asked with less than that: few images hold it more often than the source, so that otherwise the
        answer would nearly always be all of them.
        """
        held = filling.counted["G"][place].bit_count()
        match filling.option.words.get(number.by, number.by):
            case "geq":
                return draws.whole(1, held)
            case "leq":
                return draws.whole(1, max(1, held - 1))
        return held


def _tells_apart(filling: Filling, number: NumberSlot, first: Value, second: Value, draws: Draws) -> int:
    """A number that one of two measures meets and the other does not."""
    low, high = sorted((int(first), int(second)))
    match filling.option.words.get(number.by, number.by):
        case "geq":
            if high == LARGEST_ANSWER:
                raise Rejected(NO_NUMBER)
            return draws.whole(low + 1, high)
        case "leq":
            if low == 0:
                raise Rejected(NO_NUMBER)
            return draws.whole(low, high - 1)
    return high if low == 0 else draws.one_of((low, high))


def make_questions(
    related: RelatedImages,
    scenes: Scenes,
    *,
    seed: int,
    per_template: int = 2,
    subgraphs: int = 40,
    templates: Sequence[Template] | None = None,
    random_distractors: bool = False,
    words: Words | None = None,
    sources: Iterable[int] | None = None,
    rejected: Counter[tuple[str, str]] | None = None,
) -> Iterator[Question]:
    """The questions of some scenes, or of all, in their order; what is rejected is added to a counter.

    `per_template` is how many questions with their twins a scene gives for each template, `subgraphs` how many of its
    sub-graphs are tried.
    """
    maker = QuestionMaker(
        related,
        scenes,
        seed=seed,
        per_template=per_template,
        subgraphs=subgraphs,
        templates=templates,
        random_distractors=random_distractors,
        words=words,
    )
    if rejected is not None:
        maker.rejected = rejected
    places = range(len(scenes)) if sources is None else sources
    return without_repeats((maker.of_scene(place) for place in places), maker.rejected)


def without_repeats(questions: Iterable[Iterable[Question]], rejected: Counter[tuple[str, str]]) -> Iterator[Question]:
    """The questions of many scenes without those, and their twins, that were asked before of the same images."""
    seen: set[int] = set()
    for made in questions:
        for twins in _twins(made):
            keys = {_key(each) for each in twins}
            if keys & seen:
                rejected[twins[0].template, SEEN_BEFORE] += 1
                continue
            seen |= keys
            yield from twins


def _twins(questions: Iterable[Question]) -> Iterator[list[Question]]:
    """Questions with their twins, which stand one after the other."""
    waiting: list[Question] = []
    for each in questions:
        if waiting and each.pair != waiting[0].pair:
            yield waiting
            waiting = []
        if each.pair is None:
            yield [each]
        else:
            waiting.append(each)
    if waiting:
        yield waiting


def _key(question: Question) -> int:
    """A number for the words, the answer and the set of images, the same in every process."""
    text = "\n".join((question.source, str(question.answer), *sorted(question.images)))
    return int.from_bytes(blake2b(text.encode(), digest_size=12).digest())


def _by_name(templates: Sequence[Template]) -> Mapping[str, list[Template]]:
    forms: dict[str, list[Template]] = {}
    for template in templates:
        forms.setdefault(template.name, []).append(template)
    return forms


def _mixed(graphs: Sequence[Subgraph], draws: Draws) -> Iterator[Subgraph]:
    """Sub-graphs in a random order in which all sizes and depths come in turn."""
    groups: dict[tuple[int, int, bool], list[Subgraph]] = {}
    for graph in graphs:
        groups.setdefault((graph.size, graph.depth, graph.attribute is None), []).append(graph)
    waiting = list(groups.values())
    while waiting:
        for last in range(len(waiting) - 1, 0, -1):
            at = draws.whole(0, last)
            waiting[last], waiting[at] = waiting[at], waiting[last]
        for group in waiting:
            at = draws.whole(0, len(group) - 1)
            group[at], group[-1] = group[-1], group[at]
            yield group.pop()
        waiting = [group for group in waiting if group]
