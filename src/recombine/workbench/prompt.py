"""The questions of a part as prompts for a language model, whose answers `score --shown` reads.

A prompt is a line `{id, shown, messages}`: the ids of the examples that it shows are those that levels can be told
against. Examples are of the part `train`, never of the part that is asked. Over a knowledge base, a prompt also has the
entities that are linked in the question and the schema near them (GrailQA, section 4.2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import OptionError
from recombine.progress import note, tracked, working
from recombine.workbench.given.data_and_split import data_and_split
from recombine.workbench.results.prompt_result import PromptResult
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from recombine.records.dataset import Dataset
    from recombine.records.example import Example
    from recombine.records.split import Split
    from recombine.selection.prompts.kb_known import KbKnown
    from recombine.selection.prompts.kb_setting import KbSetting
    from recombine.selection.prompts.prompt import Prompt
    from recombine.selection.prompts.question import Known
    from recombine.workbench.given.data_and_split import SplitLike
    from recombine.workbench.load import Data
    from recombine.workbench.select import Programs

SCHEMA = 50
"""How many relations, and how many classes, are listed where nothing else is said."""


@verb
def prompt(
    data: Data,
    split: SplitLike,
    *,
    k: int,
    by: str = "similar",
    part: str = "test",
    from_: str = "train",
    predictions: Programs | None = None,
    gold: bool = False,
    structures: str | None = None,
    order: str = "best-last",
    style: str = "turns",
    to: str | None = None,
    links: str | Path | None = None,
    schema: int = SCHEMA,
    field: str | Iterable[str] = (),
    instruction: str | Path | None = None,
    max_characters: int | None = None,
    ontology: Path | str | None = None,
    profile: Path | str | None = None,
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
    world: str | Path | None = None,
    seed: int = 0,
) -> PromptResult:
    """Prompts for the questions of a part, with `k` examples of another part each.

    `by` is `similar` or `coverage`, for each question, or `local-structure`, `template` or `random`, the same for all.
    Coverage is of the programs in `predictions`, or with `gold` of the right ones. `to` is the notation of answers that
    are logical forms, `sexpression` or `sparql`. `links` is `linker`, `gold`, `none` or a file; `schema` is how many
    relations and classes are listed; `field` names fields of examples to say. `instruction` is a file.

    >>> pairs = [("jump", "JUMP"), ("run", "RUN"), ("run twice", "RUN RUN"), ("jump twice", "JUMP JUMP")]
    >>> from recombine.workbench import load, split
    >>> data = load(pairs, language="actions")
    >>> made = prompt(data, split(data, by="length:source", test=2), k=1, style="text")
    >>> print(made)
    2 prompts for test of records, 1 example each by similar
    """
    from recombine.selection.prompts.choose_examples import choose_examples
    from recombine.selection.prompts.form_answers import check_notation
    from recombine.selection.prompts.instruction import read_instruction
    from recombine.selection.prompts.kb_setting import kb_setting
    from recombine.selection.prompts.prompt import check_form
    from recombine.selection.prompts.prompts import iter_prompts

    _check(k, by, predictions, structures, schema, max_characters, gold=gold)
    check_form(style, order)
    fields = [field] if isinstance(field, str) else list(field)
    own = None if instruction is None else read_instruction(instruction)
    dataset, loaded = data_and_split(data, split, source=source, target=target, language=language, world=world)
    if to is not None:
        check_notation(dataset, to)
    questions = _questions(dataset, loaded, part)
    setting = kb_setting(dataset, links, ontology=ontology, profile=profile, rewritten=to is not None)
    pool, in_both = _pool(dataset, loaded, from_, part, k)
    answers, unconverted = _answers(pool, to, setting)
    pool = pool.restricted(answers)
    with working("choosing examples"):
        programs = _programs(dataset, questions, predictions, gold=gold)
        chosen = choose_examples(pool, questions, k, by=by, programs=programs, structures=structures, seed=seed)
    written = to or (None if dataset.language is None else dataset.language.name)
    kb = _known(dataset, questions, setting, schema, to)
    fitted = iter_prompts(
        pool,
        tracked(questions, "writing prompts", total=len(questions)),
        chosen.ids,
        instruction=own or _instruction(written, chosen.ids, answers, () if kb is None else kb.titles),
        answers=answers,
        of_example=lambda example: (*_said(example, fields), *(() if kb is None else kb.of_example(example))),
        of_question=lambda example: (*_said(example, fields), *(() if kb is None else kb.of_question(example))),
        style=style,
        order=order,
        most=max_characters,
    )
    prompts = tuple(fitted)
    if kb is not None:
        kb.count_covered(each.prompt.question for each in prompts)
    recipe: dict[str, object] = {
        "part": part,
        "from": from_,
        "by": by,
        "k": k,
        **chosen.fields,
        "covers": None if by != "coverage" else "gold" if gold else "predictions",
        "order": order,
        "style": style,
        "answers": written,
        "links": None if kb is None or setting is None else setting.links,
        "schema": None if kb is None else schema,
        "fields": ",".join(fields) or None,
        "instruction": None if own is None else "own",
        "max_characters": max_characters,
        "seed": seed,
    }
    return PromptResult(
        data=dataset.name,
        part=part,
        shown_from=from_,
        by=by,
        k=k,
        prompts=prompts,
        answers=written or "",
        fewer=sum(len(chosen.ids[question.id]) < k for question in questions),
        same_question=sum(_shows_itself(each.prompt) for each in prompts),
        in_both=in_both,
        unconverted=unconverted,
        without_program=chosen.without_program,
        links="" if kb is None or setting is None else setting.links,
        kb=None if kb is None else kb.counts,
        schema=schema,
        signature=loaded.signature.with_fields(**{f"prompt_{name}": value for name, value in recipe.items()}),
    )


def _check(
    k: int,
    by: str,
    predictions: Programs | None,
    structures: str | None,
    schema: int,
    most: int | None,
    *,
    gold: bool,
) -> None:
    from recombine.selection.prompts.choose_examples import BY_STRUCTURES, COVERAGE, check_choice

    check_choice(k, by)
    given = (predictions is not None) + gold
    if by == COVERAGE and given != 1:
        raise OptionError("it is not clear what to cover", "give --predictions FILE, or --gold for the right programs")
    if by != COVERAGE and given:
        raise OptionError(f"--by {by} covers no program", "leave out --predictions and --gold, or use --by coverage")
    if structures is not None and by not in BY_STRUCTURES:
        raise OptionError(f"--by {by} has no option --structures", f"it is for --by {' and '.join(BY_STRUCTURES)}")
    if schema < 0:
        raise OptionError(f"a schema of {schema} items", "give 0 or more")
    if most is not None and most < 1:
        raise OptionError(f"prompts of at most {most} characters", "give 1 or more")


def _questions(dataset: Dataset, split: Split, part: str) -> list[Example]:
    """The questions that are asked, each once."""
    questions = [dataset[key] for key in dict.fromkeys(split.part(part))]
    if not questions:
        raise OptionError(f"there is no question in {part}", "choose another part with --part")
    return questions


# -- examples ----------------------------------------------------------------------------------------------------------


def _pool(dataset: Dataset, split: Split, from_: str, part: str, k: int) -> tuple[Dataset, int]:
    """The examples that may be shown, and how many of their part may not, being asked too."""
    if not k:
        return dataset.restricted([]), 0
    if not split.parts.get(from_):
        raise OptionError(
            f"the split has no part {from_!r} to take examples from",
            f"name another with --from ({', '.join(split.parts)}), or show none with -k 0",
        )
    asked = set(split.part(part))
    ids = list(dict.fromkeys(split.part(from_)))
    left = [key for key in ids if key not in asked]
    if not left:
        raise OptionError(f"all examples of {from_} are in {part} too", "name another part with --from")
    return dataset.restricted(left), len(ids) - len(left)


def _programs(
    dataset: Dataset, questions: Sequence[Example], predictions: Programs | None, *, gold: bool
) -> dict[str, str]:
    """The programs to cover, by the ids of questions."""
    from recombine.workbench.predict import outputs_of
    from recombine.workbench.select import programs_by_id

    if gold:
        return {question.id: question.target for question in questions}
    return {} if predictions is None else programs_by_id(outputs_of(predictions), dataset)


def _answers(pool: Dataset, to: str | None, setting: KbSetting | None) -> tuple[dict[str, str], Mapping[str, str]]:
    """The answers of the pool by id, in the notation that is asked for, and why some have none."""
    from recombine.selection.prompts.form_answers import form_answers

    if to is None or setting is None or not len(pool):
        return {example.id: example.target for example in pool}, {}
    made = form_answers(pool, to, setting.profile, setting.ontology)
    if not made.texts:
        key, why = next(iter(made.unconverted.items()))
        raise OptionError(f"no example can be written as {to}; the first, {key}: {why}", "leave out --to")
    return dict(made.texts), made.unconverted


def _instruction(
    language: str | None, shown: Mapping[str, Sequence[str]], answers: Mapping[str, str], listed: Sequence[str]
) -> str:
    """The usual instruction for the examples that are shown."""
    from recombine.selection.prompts.instruction import instruction

    texts = [answers[key] for key in dict.fromkeys(key for ids in shown.values() for key in ids)]
    return instruction(language, texts, listed=listed)


def _shows_itself(prompt: Prompt) -> bool:
    """Whether an example has the text of the question."""
    return any(example.text == prompt.question.text for example in prompt.shown)


def _said(example: Example, fields: Sequence[str]) -> tuple[Known, ...]:
    """What fields of an example say."""
    import orjson

    from recombine.records.example import thawed
    from recombine.selection.prompts.question import Known

    beside = {**example.tags, **example.context}
    for name in fields:
        if name not in beside:
            has = ", ".join(sorted(map(str, beside))) or "none"
            raise OptionError(f"example {example.id} has no field {name!r}", f"its fields are: {has}")
    texts = [(name, beside[name]) for name in fields]
    return tuple(
        Known.of(name, (value if isinstance(value, str) else orjson.dumps(thawed(value)).decode(),))
        for name, value in texts
    )


# -- knowledge bases ---------------------------------------------------------------------------------------------------


def _known(
    dataset: Dataset, questions: Sequence[Example], setting: KbSetting | None, schema: int, to: str | None
) -> KbKnown | None:
    """What is said of questions over a knowledge base; nothing of other data."""
    from recombine.kb.forms.form_of_text import NOTATION_OF
    from recombine.selection.prompts.kb_known import KbKnown
    from recombine.selection.prompts.link_questions import link_questions

    if setting is None or not setting.links:
        return None
    language = None if dataset.language is None else dataset.language.name
    notation = to or (None if language is None else NOTATION_OF.get(language))
    near = setting.near_schema() if schema else None
    if near is None and schema:
        note("neither facts nor an ontology are known: prompts list no schema; name them with --kb or --ontology")
    linked = link_questions(dataset, questions, setting)
    return KbKnown(linked, near, setting.profile, language=language, notation=notation, most=schema)
