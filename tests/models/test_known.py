"""The one list of models."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from recombine.errors import OptionError, RecombineError, UnknownNameError
from recombine.models.family import Family
from recombine.models.known import MODELS, find_form, find_model, iter_families, model_names, register_model
from recombine.models.nqg.induction.induction_settings import PRESETS as NQG_PRESETS
from recombine.models.pretrained.presets import PRESETS as PRETRAINED_PRESETS
from recombine.models.seq2seq.presets import PRESETS as SEQ2SEQ_PRESETS
from recombine.models.settings_table import render_tables


def test_every_model_of_today_is_in_the_list() -> None:
    assert list(MODELS)[:4] == ["nqg", "seq2seq", "pretrained", "hybrid"]
    for names, family in (
        (("nqg", *(name for name in NQG_PRESETS if name != "default")), "nqg"),
        (SEQ2SEQ_PRESETS, "seq2seq"),
        (PRETRAINED_PRESETS, "pretrained"),
        (("hybrid",), "hybrid"),
    ):
        for name in names:
            found, preset = find_model(name)
            assert (found.name, preset) == (family, name)
    assert len(model_names()) == len(set(model_names()))


def test_families_that_abstain_say_so() -> None:
    """The grammar, the nearest source, parsers of questions over a knowledge base, and two models as one."""
    abstaining = {family.name for family in iter_families() if family.abstains}
    assert abstaining == {"nqg", "hybrid", "nearest", "kbqa", "kbqa-baselines"}


def test_a_checkpoint_by_its_path_is_a_model() -> None:
    family, preset = find_model("pretrained:some/place")
    assert family.name == "pretrained"
    usual = {option.name: option.default for option in family.options_of(preset)}
    assert (usual["checkpoint"], usual["epochs"]) == ("some/place", 10)
    for unknown in ("pretrained:", "cfq:gru"):
        with pytest.raises(UnknownNameError, match="unknown model"):
            find_model(unknown)


@pytest.mark.parametrize("family", list(iter_families()), ids=lambda family: family.name)
def test_every_setting_is_declared_with_type_default_and_help(family: Family) -> None:
    assert family.title
    for name in family.names():
        options = {option.name: option for option in family.options_of(name)}
        for option in options.values():
            assert option.help.endswith("."), option.name
            assert isinstance(option.default, option.type), option.name
            option.check(option.default)
        if family.name in ("nqg", "seq2seq"):
            # A setting that is declared is one that is taken, and the other way round.
            assert family.settings(name, {}).keys() <= options.keys()


def test_forms_are_apart() -> None:
    forms = [family.form or family.name for family in iter_families()]
    assert len(forms) == len(set(forms))
    assert find_form("recombine-nqg") is MODELS["nqg"]
    assert find_form("other") is None


def test_one_s_own_family_is_added_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MODELS, "_things", dict(MODELS._things))
    own = register_model(Family(name="own", make=lambda *_: None))
    assert find_model("own") == (own, "own")
    with pytest.raises(OptionError, match="there is a family of models 'nqg' already, of the package"):
        register_model(Family(name="nqg", make=lambda *_: None))


def test_the_list_is_light() -> None:
    code = "import sys; import recombine.models.known; "
    code += "heavy = {'torch', 'numba', 'scipy', 'transformers'} & {*sys.modules}; assert not heavy, heavy"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("model", "text", "value"),
    [
        ("nqg", "restarts=3", 3),
        ("nqg", "targets=any", "any"),
        ("nqg", "neural_dropout=0", 0.0),
        ("cfq:lstm", "decay=yes", True),
        ("pretrained", "prefix=a=b", "a=b"),
        ("hybrid", "allow_missing=true", True),
    ],
)
def test_settings_as_text(model: str, text: str, value: Any) -> None:
    family, preset = find_model(model)
    name, read = family.read_setting(preset, text)
    assert (name, read) == (text.partition("=")[0], value)
    assert type(read) is type(value)


def test_settings_that_are_no_settings() -> None:
    family, preset = find_model("cfq:lstm")
    for text, told in (
        ("stepz=3", "unknown setting 'stepz'; did you mean 'steps'"),
        ("steps=many", "steps is 'many'; give a whole number, such as 35000"),
        ("steps", "the setting 'steps' has no value; write KEY=VALUE"),
    ):
        with pytest.raises(RecombineError, match=told):
            family.read_setting(preset, text)


def test_the_page_has_the_tables_of_the_declarations() -> None:
    page = (Path(__file__).parents[2] / "docs" / "models.md").read_text()
    assert page.endswith("\n\n" + render_tables()), "run `python -m recombine.models.settings_table`"
