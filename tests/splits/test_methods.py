"""Methods of splitting are declared once, and others can add to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import orjson
import pytest

import recombine
from recombine.cli.main import run
from recombine.errors import InfeasibleError, OptionError, SizeError
from recombine.options import option
from recombine.plugins import load_plugin
from recombine.records.dataset import Dataset
from recombine.splits.make_split import make_split
from recombine.splits.method_options import method_options, options_table
from recombine.splits.methods import SPLITTERS, make_splitter, option_names, register_splitter
from recombine.splits.simple.random import RandomSplitter
from recombine.splits.splitter import Splitter

DOCS = Path(__file__).parents[2] / "docs" / "splits.md"
PACKAGED = tuple(SPLITTERS)
PLUGIN = '''
from dataclasses import dataclass
from typing import ClassVar

from recombine.options import option
from recombine.splits.methods import register_splitter
from recombine.splits.sizes import draw_parts
from recombine.splits.splitter import Splitter


@register_splitter
@dataclass(frozen=True, kw_only=True)
class WordSplitter(Splitter):
    """Examples whose source has the word are for testing."""

    word: str = option("", "the word that train never shows")
    max_length: int | None = option(None, "only sources of so many words are for testing")
    by: ClassVar[str] = "word"

    def choose(self, dataset, counts, generator):
        has_word = [self.word in example.source.split() for example in dataset]
        train, test = ([row for row, there in enumerate(has_word) if there is side] for side in (False, True))
        return draw_parts(train, test, counts, generator, "the word"), {"word": self.word}
'''
PAIRS = [(f"{verb} {word}", f"{verb.upper()} {word.upper()}") for verb in ("jump", "run") for word in ("a", "b", "c")]


@pytest.fixture
def no_more_methods() -> Iterator[None]:
    """Methods that a test registers are gone after it."""
    before = dict(SPLITTERS._things), dict(SPLITTERS._origins)
    yield
    SPLITTERS._things, SPLITTERS._origins = before


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_more_methods: None) -> Path:
    """A folder, made the current one, with data; a method `word` is registered."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words.py").write_text(PLUGIN)
    load_plugin(str(tmp_path / "words.py"))
    rows = (orjson.dumps({"source": source, "target": target}) for source, target in PAIRS)
    (tmp_path / "data.jsonl").write_bytes(b"\n".join(rows) + b"\n")
    return tmp_path


def call(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> tuple[str, str]:
    with pytest.raises(SystemExit) as ended:
        run(list(arguments))
    out = capsys.readouterr()
    assert ended.value.code == code, out.err
    return out.out, out.err


def test_the_table_of_the_documentation_is_declared() -> None:
    lines = DOCS.read_text().splitlines()
    start = lines.index("| option | methods | default | meaning |")
    end = lines.index("", start)
    assert lines[start:end] == options_table().splitlines()


@pytest.mark.parametrize("by", PACKAGED)
def test_every_field_of_a_splitter_is_declared(by: str) -> None:
    """What a splitter shows of itself is what it takes: sizes, seed, structures, and options with a help text."""
    assert set(option_names(SPLITTERS[by])) == {each.name for each in fields(SPLITTERS[by]) if each.repr}
    assert SPLITTERS[by].revision == (2 if by in ("mcd", "tmcd") else 1)


def test_flags_are_those_of_the_declarations(capsys: pytest.CaptureFixture[str]) -> None:
    shown = " ".join(call(capsys, "split", "--help")[0].split())
    for declared in method_options():
        assert declared.option.flag in shown
        assert " ".join(declared.option.help.split()) in shown
    assert "mcd, tmcd: the cap on D_A; 1 is none; default 0.02 for mcd, 1 for tmcd." in shown
    assert "length:*: the greatest length in train" in shown
    assert "random, mcd, tmcd: equal programs stay on one side." in shown


def test_where_methods_differ_the_help_says_how(no_more_methods: None) -> None:
    @register_splitter
    @dataclass(frozen=True, kw_only=True)
    class Other(RandomSplitter):
        """Another one."""

        number: int = option(3, "how many")
        by: ClassVar[str] = "other"

    (number,) = [each for each in method_options() if each.name == "number"]
    assert number.option.help == (
        "local-structure, other: which of the splits, the least easy being 0 (local-structure); how many (other); "
        "default 0 for local-structure, 3 for other."
    )
    assert number.option.default is None


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"quota": "3"}, "the setting quota is '3'; give a whole number"),
        ({"divergence": "high"}, "the setting divergence is 'high'; give a number"),
        ({"no_duplicates": 1}, "the setting no_duplicates is 1; give true or false"),
    ],
)
def test_a_value_of_another_type_is_refused(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(OptionError, match=problem):
        make_splitter("mcd", **options)


def test_numbers_of_arrays_are_numbers() -> None:
    assert make_splitter("mcd", quota=np.int64(3), divergence=np.float32(0.5)) == make_splitter(
        "mcd", quota=3, divergence=0.5
    )


def test_a_registered_method_works_everywhere(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = call(capsys, "split", "data.jsonl", "--by", "word", "--word", "c", "-o", "split.json", "--json", "-q")
    assert (orjson.loads(out)["train"], orjson.loads(out)["test"]) == (4, 2)
    assert recombine.split(PAIRS, by="word", word="c").sizes() == {"train": 4, "test": 2}
    assert "word" in recombine.list()["methods"]
    assert "word: the word that train never shows." in " ".join(call(capsys, "split", "--help")[0].split())
    (plugin / "study.toml").write_text(
        'name = "s"\nplugins = ["words.py"]\n[[data]]\nfile = "data.jsonl"\n[[split]]\nby = "word"\nword = ["b", "c"]\n'
        '[[model]]\npreset = "cfq:lstm"\nsteps = 1\n'
    )
    out, _ = call(capsys, "study", "status", "study.toml", "--json", "-q")
    assert orjson.loads(out)["cells"] == 2
    _, said = call(capsys, "split", "data.jsonl", "--by", "random", "--word", "c", code=2)
    assert "the method 'random' has no option --word; it takes dev, no_duplicates, seed, test, train" in said


@pytest.mark.parametrize(
    ("name", "kind", "problem"),
    [
        ("out", str, "has an option 'out', which `split` has already"),
        ("seeds", int, "has an option 'seeds', which `split` has already"),
        ("quota", str, "the option 'quota' of the method 'wrong' is of the type str, but 'mcd' has it with int"),
    ],
)
def test_an_option_that_clashes_is_refused(name: str, kind: type, problem: str, no_more_methods: None) -> None:
    made = type(
        "Wrong",
        (RandomSplitter,),
        {"__annotations__": {name: kind, "by": ClassVar[str]}, name: option(kind(), "a help"), "by": "wrong"},
    )
    made.__module__ = __name__
    with pytest.raises(OptionError, match=problem):
        register_splitter(dataclass(frozen=True, kw_only=True)(made))
    assert "wrong" not in SPLITTERS


def test_what_is_no_method_is_refused() -> None:
    with pytest.raises(OptionError, match="is no split method"):
        register_splitter(dict)  # type: ignore[type-var]


@dataclass(frozen=True, kw_only=True)
class Searching(Splitter):
    """Finds nothing that is good enough."""

    features: Any = None
    structures: str = ""
    by: ClassVar[str] = "searching"
    needs_features: ClassVar[bool] = True

    def choose(self, dataset: Dataset, counts: Any, generator: Any) -> Any:
        del counts, generator
        rows = {"train": [0, 1], "test": [2]}
        raise InfeasibleError("too easy", "loosen it", best=self.assemble(dataset, rows, {"by_what": self.structures}))


@dataclass
class Given:
    """Features that say what they are of."""

    structures: str = "these"


def test_features_are_asked_for_once_and_only_where_they_are_needed() -> None:
    data, asked = recombine.load(PAIRS), []

    def features() -> Any:
        asked.append(True)
        return Given()

    made = make_split(data, RandomSplitter(test=2), features)
    assert (made.split.sizes(), made.missed, asked) == ({"train": 4, "test": 2}, None, [])
    best = make_split(data, Searching(), features, best_effort=True)
    assert (best.missed, best.split.signature.get("by_what"), asked) == ("too easy", "these", [True])
    with pytest.raises(InfeasibleError):
        make_split(data, Searching(), features)
    with pytest.raises(SizeError):
        make_split(data, Searching(test=99), features)
    assert len(asked) == 2
