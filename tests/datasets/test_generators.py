"""The one list of generators: streams of examples, with options that are declared once, and others' beside ours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from typing import ClassVar

import pytest

from recombine.datasets import covr_generated, generators
from recombine.datasets.cfq_generated import CfqGenerator
from recombine.datasets.files.tables import read_table, write_table
from recombine.datasets.generator import Generated, Generator
from recombine.datasets.generators import GENERATORS, declared_options, find_generator, register_generator
from recombine.datasets.grammar_generator import GrammarGenerator
from recombine.datasets.kbqa_generated import KbqaGenerator
from recombine.datasets.scenes_generated import ScenesGenerator
from recombine.errors import OptionError, SizeError, UnknownNameError
from recombine.languages.covr import COVR
from recombine.options import option, options_of
from recombine.records.dataset import Dataset
from recombine.records.example import Example
from recombine.records.world import WorldReference
from recombine.structures.definition import PROGRAM_STRUCTURES, STRUCTURES

TWICE = "%start <S>\na: <S> -> x => y\nb: <S> -> x => y\nc: <S> -> z => y\n"
WORLD = WorldReference("facts", "facts.json", "0" * 64)


@dataclass(frozen=True, kw_only=True)
class Counting(Generator):
    """Numbers and their doubles, without end where no number is asked for."""

    step: int = option(1, "How far one number is from the next.")

    name: ClassVar[str] = "counting"
    description: ClassVar[str] = "numbers and their doubles"

    def generate(self, n: int | None, *, seed: int) -> Generated:
        numbers = (seed + self.step * place for place in (count() if n is None else range(n)))
        return Generated("counting", (Example.of(str(k), str(2 * k)) for k in numbers), total=n, world=WORLD)


def names_of(kind: type[Generator]) -> set[str]:
    """The names of a generator's options."""
    return {each.name for each in options_of(kind)}


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> type[Generator]:
    """A generator that is registered for the test alone."""
    monkeypatch.setattr(GENERATORS, "_things", dict(GENERATORS._things))
    monkeypatch.setattr(GENERATORS, "_origins", dict(GENERATORS._origins))
    return register_generator(Counting)


def test_the_list() -> None:
    assert list(GENERATORS) == ["scan", "cfq", "covr", "kbqa", "scenes"]
    assert [GENERATORS[name].name for name in GENERATORS] == list(GENERATORS)
    assert all(GENERATORS[name].description for name in GENERATORS)


def test_scan_is_the_data_of_the_catalogue(scan: Dataset) -> None:
    made = find_generator("scan").generate(None, seed=0)
    assert (made.total, made.rules) == (20910, 38)
    data = made.dataset()
    assert data == scan
    assert (data.patterns, data.structures) == (scan.patterns, STRUCTURES)
    assert made.same_pair_dropped == 0


def test_covr_knows_its_language() -> None:
    data = find_generator("covr").generate(5, seed=2).dataset()
    assert data.language is COVR
    assert data.structures == PROGRAM_STRUCTURES
    assert data == covr_generated.generate(5, seed=2)


def test_examples_come_one_by_one() -> None:
    asked: list[int] = []

    def examples() -> Iterator[Example]:
        for number in range(100):
            asked.append(number)
            yield Example.of(str(number), "x")

    made = Generated("numbers", examples())
    assert next(made).source == "0"
    assert asked == [0], "what is not asked for is not made"
    assert [example.source for example in islice(made, 2)] == ["1", "2"], "a stream goes on where it was"
    assert len(made.dataset()) == 97


def test_a_grammar_gives_a_stream(tmp_path: Path) -> None:
    (tmp_path / "mine.scfg").write_text(TWICE)
    made = find_generator(tmp_path / "mine.scfg").generate(3, seed=1)
    assert {example.source for example in islice(made, 2)} == {"x", "z"}
    with pytest.raises(SizeError, match="150 draws gave 2 distinct examples, not 3"):
        next(made)
    drawn = list(islice(find_generator("covr").generate(20, seed=1), 3))
    assert drawn == list(covr_generated.generate(3, seed=1))


def test_a_file_of_either_notation(tmp_path: Path) -> None:
    for name, terms in (("mine.grammar", TWICE), ("mine.scfg", TWICE)):
        (tmp_path / name).write_text(terms)
        made = find_generator(tmp_path / name).generate(None, seed=0)
        data = made.dataset()
        assert [(e.source, e.target, e.derivation.rules) for e in data if e.derivation] == [
            ("x", "y", ("a",)),
            ("z", "y", ("c",)),
        ], "of two derivations of one pair the first is kept"
        assert (made.same_pair_dropped, made.total, made.rules) == (1, 3, 3)
        assert (data.name, data.language, data.structures) == ("mine", None, STRUCTURES)


def test_a_path_is_relative_to_the_folder(tmp_path: Path) -> None:
    (tmp_path / "mine.grammar").write_text(TWICE)
    assert len(find_generator("mine.grammar", folder=tmp_path).generate(None, seed=0).dataset()) == 2


def test_too_deep_is_a_line_wherever_it_shows(tmp_path: Path) -> None:
    (tmp_path / "list.grammar").write_text("%start <S>\nl: <S> -> a <S> => b <S>\ne: <S> -> a => b\n")
    with pytest.raises(SizeError, match="derivations are too deep: their rules stand in too many others"):
        find_generator(tmp_path / "list.grammar", max_depth=5000).generate(None, seed=0).dataset()

    def deep(level: int = 0) -> Iterator[Example]:
        yield from deep(level + 1)

    with pytest.raises(SizeError, match="too deep"):
        next(Generated("deep", deep()))


@pytest.mark.parametrize(
    ("what", "options", "message"),
    [
        ("scann", {}, "unknown generator 'scann'; did you mean 'scan'? known: cfq, covr, kbqa, scan, scenes"),
        ("scan", {"max_dpeth": 3}, "unknown option of scan 'max_dpeth'; did you mean 'max_depth'?"),
        ("scan", {"max_depth": "3"}, "the setting max_depth is '3'; give a whole number"),
        ("my.grammar", {"step": 3}, "unknown option of my.grammar 'step'"),
    ],
)
def test_what_is_wrong_is_named(what: str, options: dict[str, object], message: str) -> None:
    with pytest.raises((UnknownNameError, OptionError)) as caught:
        find_generator(what, **options)
    assert message in str(caught.value)


def test_another_generator_has_its_name_options_and_world(counting: type[Generator]) -> None:
    assert find_generator("counting", step=3) == Counting(step=3)
    made = find_generator("counting", step=3).generate(3, seed=1)
    data = made.dataset()
    assert [(example.source, example.target) for example in data] == [("1", "2"), ("4", "8"), ("7", "14")]
    assert data.world is WORLD
    assert made.rules is None
    assert list(GENERATORS) == ["scan", "cfq", "covr", "kbqa", "scenes", "counting"]
    own = names_of(CfqGenerator) | names_of(KbqaGenerator) | names_of(ScenesGenerator)
    assert {each.name for each in declared_options()} == {"max_depth", "step", *own}
    with pytest.raises(UnknownNameError, match="unknown option of counting 'max_depth'"):
        find_generator("counting", max_depth=3)
    assert GENERATORS["counting"] is counting


@pytest.mark.usefixtures("counting")
def test_options_that_would_mean_two_things_are_refused() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Seeded(Counting):
        seed: int = option(0, "Another seed.")
        name: ClassVar[str] = "seeded"

    @dataclass(frozen=True, kw_only=True)
    class Typed(GrammarGenerator):
        max_depth: str = option("", "In words.")  # type: ignore[assignment]
        name: ClassVar[str] = "typed"

    with pytest.raises(OptionError, match="'seeded' has an option 'seed', which means something else everywhere"):
        register_generator(Seeded)
    with pytest.raises(OptionError, match="'typed' has an option 'max_depth' of another type"):
        register_generator(Typed)
    with pytest.raises(OptionError, match="is no generator"):
        register_generator(covr_generated)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="there is a generator 'scan' already"):
        register_generator(GENERATORS["scan"])
    assert "seeded" not in GENERATORS


def test_no_option_has_the_name_of_a_key_of_data() -> None:
    from recombine.studies.file.study_file import DataTable

    assert set(DataTable.model_fields) <= generators.COMMAND_NAMES | generators.DATA_NAMES


def test_contexts_of_generated_examples_tell_them_apart_and_come_back(tmp_path: Path) -> None:
    scenes = [Example.of("how many", "count", context={"scene": n}, identity=["scene"]) for n in (1, 2, 1)]
    made = Generated("scenes", scenes, identity=("scene",))
    data = made.dataset()
    assert (len(data), made.same_pair_dropped) == (2, 1)
    write_table(data, tmp_path / "scenes.jsonl")
    back = read_table(tmp_path / "scenes.jsonl")
    assert [(example.id, example.context) for example in back] == [(example.id, example.context) for example in data]
    assert back.identity == ("scene",)
