"""The questions of a data set: a pool for each part, of which as many of each template are chosen.

Parts share no scene; dev and test share no question either, word for word. Where a template has too few questions it
is said which, and how many there could be in all.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from recombine.errors import OptionError, SizeError
from recombine.scenes.balance.balance_questions import balance_questions, equal_shares
from recombine.scenes.balance.question_pool import PoolSetting, make_pool
from recombine.scenes.balance.scene_parts import QUESTION_SHARES, part_sizes, scene_parts
from recombine.scenes.scene import Scenes
from recombine.scenes.templates.read_templates import find_templates

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from recombine.scenes.balance.question_pool import Pool
    from recombine.scenes.questions.question import Question
    from recombine.scenes.scene import Scene
    from recombine.scenes.templates.template import Template

DEV, TEST = "dev", "test"
POOL_TIMES = 3
"""The size of a pool for each question that is chosen, where no size is given."""
LEAST_POOL = 300
"""The least size of a part's pool."""


@dataclass
class BalancedParts:
    """The chosen questions by part, and what was counted on the way."""

    questions: dict[str, list[Question]] = field(default_factory=dict)
    pool: Counter[str] = field(default_factory=Counter)
    """How many were made, by template."""
    rejected: Counter[tuple[str, str]] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    same_text: int = 0
    """Questions of test that were left out since dev has them word for word."""

    def add(self, pool: Pool) -> None:
        """Count what a pool counted."""
        self.pool.update(question.template for question in pool.questions)
        self.rejected.update(pool.rejected)
        self.refused.update(pool.refused)


def make_balanced_parts(
    setting: PoolSetting,
    n: int,
    *,
    pool: int | None = None,
    processes: int = 1,
    shares: Mapping[str, float] = QUESTION_SHARES,
) -> BalancedParts:
    """So many questions about the scenes of a setting, in three parts of these shares."""
    templates = setting.templates or find_templates()
    names = list(dict.fromkeys(template.name for template in templates))
    _check_sizes(n, pool, len(names))
    _check_types(setting.scenes, templates)
    made, start = BalancedParts(), 0
    sizes = part_sizes(n, shares)
    for part, places in scene_parts(len(setting.scenes), seed=setting.seed).items():
        wanted = equal_shares(names, sizes[part], start=start)
        start = (start + sizes[part]) % len(names)
        if not sizes[part]:
            made.questions[part] = []
            continue
        if not places:
            raise SizeError(f"{len(setting.scenes)} scenes are too few for three parts", "give at least 5 scenes")
        wide = max(LEAST_POOL, round((pool or POOL_TIMES * n) * sizes[part] / n))
        here = make_pool(_of_part(setting, places, part), _spare(wanted, part), wide, processes=processes, what=part)
        made.add(here)
        questions = here.questions
        if part == TEST:
            known = {question.source for question in made.questions[DEV]}
            questions = [question for question in questions if question.source not in known]
            made.same_text = len(here.questions) - len(questions)
        chosen = balance_questions(questions, wanted, seed=setting.seed)
        _check_enough(Counter(questions[place].template for place in chosen), wanted, part, len(setting.scenes), n)
        made.questions[part] = [questions[place] for place in chosen]
    _number_pairs(made.questions)
    return made


def _check_sizes(n: int, pool: int | None, templates: int) -> None:
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise OptionError(f"the number of questions is {n}", "give a whole number of 1 or more with -n")
    if pool is not None and pool < max(n, templates):
        raise OptionError(f"a pool of {pool:,} is too small for {n:,} questions", "give a larger --pool")


def _check_types(scenes: Scenes, templates: Sequence[Template]) -> None:
    """Refuse templates that ask for the type of an attribute where no attribute has one."""
    typed = {template.name for template in templates if "typed attribute" in template.needs}
    if typed and not any(each in scenes.attribute_types for scene in scenes for each in _attributes(scene)):
        raise OptionError(
            f"no attribute of the scenes has a type, such as color, which {', '.join(sorted(typed))} ask for",
            "name a file of types with --attribute-types, or other templates with --templates",
        )


def _attributes(scene: Scene) -> Iterator[str]:
    return (attribute for each in scene.objects for attribute in each.attributes)


def _spare(wanted: Mapping[str, int], part: str) -> dict[str, int]:
    """What a pool is to have of each template: for test twice as many, since some are dev's already."""
    return {name: number * (2 if part == TEST else 1) for name, number in wanted.items()}


def _of_part(setting: PoolSetting, places: Sequence[int], part: str) -> PoolSetting:
    """The setting with the scenes of a part alone."""
    return replace(
        setting,
        scenes=_some(setting.scenes, places, part),
        truth=None if setting.truth is None else _some(setting.truth, places, part),
    )


def _some(scenes: Scenes, places: Sequence[int], part: str) -> Scenes:
    digest = hashlib.sha256(f"{scenes.digest} {part} {len(places)}".encode()).hexdigest()
    return Scenes(tuple(scenes[place] for place in places), digest, scenes.attribute_types)


def _check_enough(chosen: Counter[str], wanted: Mapping[str, int], part: str, scenes: int, n: int) -> None:
    """Refuse a number for which a template has too few questions."""
    dry = [(chosen[name] / number, name) for name, number in wanted.items() if chosen[name] < number]
    if dry:
        share, name = min(dry)
        raise SizeError(
            f"{scenes:,} scenes give no {n:,} balanced questions: {name} ran dry at {chosen[name]:,} of "
            f"{wanted[name]:,} in {part}, which makes about {int(n * share):,} in all",
            "give more scenes (--number-of-scenes, --scenes), a larger --pool, a lower -n, or --templates without it",
        )


def _number_pairs(parts: dict[str, list[Question]]) -> None:
    """Number twins from 0 on; a question whose twin was not chosen has none."""
    number = 0
    for part, questions in parts.items():
        both = Counter(question.pair for question in questions)
        numbers: dict[int, int] = {}
        renumbered = []
        for question in questions:
            if question.pair is None or both[question.pair] < 2:
                renumbered.append(question._replace(pair=None))
                continue
            if question.pair not in numbers:
                numbers[question.pair] = number
                number += 1
            renumbered.append(question._replace(pair=numbers[question.pair]))
        parts[part] = renumbered
