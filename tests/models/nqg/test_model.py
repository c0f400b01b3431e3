"""The parser: fit, predict, save, load."""

from __future__ import annotations

from pathlib import Path

import pytest

from recombine.errors import InputFileError, OptionError, RecombineError, UnknownNameError
from recombine.models.nqg.grammar import Qcfg
from recombine.models.nqg.model import Nqg
from recombine.models.nqg.store import load, save
from recombine.workbench import load as load_data
from recombine.workbench import load_split

VERBS, TIMES = ("jump", "walk", "run", "look"), ("", " twice", " thrice")
PAIRS = [(v + t, " ".join([v.upper()] * n)) for v in VERBS for n, t in enumerate(TIMES, start=1)]
PAIRS += [(f"{a} and {b}", f"{x} {y}") for a, x in PAIRS[:7] for b, y in PAIRS[2:9]]
PAIRS += [(f"{a} after {b}", f"{y} {x}") for a, x in PAIRS[:7] for b, y in PAIRS[2:9]]


@pytest.fixture(scope="module")
def fitted() -> Nqg:
    return Nqg().fit(PAIRS)


def test_new_combinations_are_predicted(fitted: Nqg) -> None:
    sources = ["look thrice after run twice", "look twice and run and walk thrice", "hop", "look twice"]
    assert fitted.predict(sources) == [
        "RUN RUN LOOK LOOK LOOK",
        "LOOK LOOK RUN WALK WALK WALK",
        None,
        "LOOK LOOK",
    ]
    assert [found.tried > 0 for found in fitted.decode(sources)] == [True, True, False, True]


def test_a_source_of_two_hundred_words(fitted: Nqg) -> None:
    (found,) = fitted.predict([" and ".join(["jump"] * 100)])
    assert found == " ".join(["JUMP"] * 100)


def test_validity_is_asked_for(fitted: Nqg) -> None:
    fitted.valid = "WALK".__eq__
    assert fitted.predict(["jump", "walk"]) == [None, "WALK"]
    fitted.valid = None


@pytest.mark.parametrize("pairs", [[], [("jump", "JUMP")]])
def test_next_to_nothing(pairs: list[tuple[str, str]]) -> None:
    assert Nqg().fit(pairs).predict(["jump", "walk"]) == [pairs[0][1] if pairs else None, None]


def test_a_parser_must_be_fitted() -> None:
    with pytest.raises(RecombineError, match="has not been fitted"):
        Nqg().predict(["jump"])
    with pytest.raises(RecombineError, match="has no grammar"):
        Nqg().fit_scorer(PAIRS)


def test_a_grammar_of_one_s_own_can_be_used() -> None:
    grammar = Qcfg.parse("jump ### JUMP\nNT_1 twice ### NT_1 NT_1")
    parser = Nqg(grammar=grammar).fit_scorer(PAIRS)  # most pairs have no derivation and teach nothing
    assert parser.predict(["jump twice twice", "walk"]) == ["JUMP JUMP JUMP JUMP", None]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"members": 0}, OptionError),
        ({"prior": 0.0}, OptionError),
        ({"limit": 0}, OptionError),
        ({"features": ("pears",)}, UnknownNameError),
    ],
)
def test_impossible_options_are_refused(options: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        Nqg(**options)  # type: ignore[arg-type]


def test_a_saved_parser_predicts_the_same(fitted: Nqg, tmp_path: Path) -> None:
    sources = [f"{a} after {b} twice" for a in VERBS for b in VERBS]
    for folder in ("one", "two"):
        save(fitted, tmp_path / folder)
    loaded = load(tmp_path / "one")
    assert loaded.predict(sources) == fitted.predict(sources)
    assert loaded.settings == fitted.settings
    assert loaded.grammar == fitted.grammar
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()
    assert load(tmp_path / "one").decode(["jump"])[0].derivation == fitted.decode(["jump"])[0].derivation


def test_validity_is_saved(fitted: Nqg, tmp_path: Path) -> None:
    save(fitted, tmp_path / "m", target_grammar="ROOT => WALK")
    assert load(tmp_path / "m").predict(["walk", "jump"]) == ["WALK", None]
    save(fitted, tmp_path / "m", language="sparql")
    assert load(tmp_path / "m").predict(["walk", "walk twice"]) == [None, None]
    with pytest.raises(OptionError, match="both a language and a grammar"):
        save(fitted, tmp_path / "m", language="funql", target_grammar="ROOT => WALK")


def test_what_is_broken_is_named(fitted: Nqg, tmp_path: Path) -> None:
    with pytest.raises(RecombineError, match="cannot be saved"):
        save(Nqg(), tmp_path / "none")
    folder = tmp_path / "m"
    save(fitted, folder)
    (folder / "grammar.txt").write_text("a ### b\n")
    with pytest.raises(InputFileError, match=r"grammar.txt: is not the file that model.json was written with"):
        load(folder)
    (folder / "model.json").write_text("{")
    with pytest.raises(InputFileError, match="broken JSON"):
        load(folder)
    (folder / "model.json").write_text("{}")
    with pytest.raises(InputFileError, match="is not a saved NQG parser"):
        load(folder)
    with pytest.raises(InputFileError, match="no such file"):
        load(tmp_path / "nowhere")


@pytest.mark.shared_data
@pytest.mark.parametrize("split", ["mcd1", "template_around_right"])
def test_scan_is_solved(split: str, data_dir: Path) -> None:
    data = load_data("scan")
    found = load_split(data, split)
    parser = Nqg().fit((data[key].source, data[key].target) for key in found.train)
    assert parser.induced is not None
    assert len(parser.induced.grammar) <= 21
    test = [data[key] for key in found.test[::10]]
    assert parser.predict([example.source for example in test]) == [example.target for example in test]
