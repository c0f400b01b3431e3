from __future__ import annotations

from pathlib import Path

import pytest

from recombine.errors import OptionError, RecordError, UnknownNameError
from recombine.scenes.templates.choose_templates import choose_templates, templates_in, templates_text
from recombine.scenes.templates.read_templates import find_templates

OWN = """
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


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own.toml"
    path.write_text(OWN, encoding="utf-8")
    return path


def test_templates_are_named_or_added(own: Path) -> None:
    assert choose_templates("all") == find_templates()
    assert [each.name for each in choose_templates(f"COUNT, {own}")] == ["COUNT", "COUNT", "EXISTS"]
    assert [each.form for each in choose_templates(f"all,{own}")][-2:] == ["CHOOSEREL", "EXISTS"]


def test_files_are_found_in_a_folder(own: Path) -> None:
    assert templates_in(own.parent, "COUNT,own.toml") == f"COUNT,{own}"


def test_a_signature_says_what_a_file_holds(own: Path) -> None:
    first = templates_text(f"COUNT,{own}")
    assert first.startswith("COUNT,own.toml@")
    own.write_text(OWN.replace("[2, 3]", "[2, 4]"), encoding="utf-8")
    assert templates_text(f"COUNT,{own}") != first


def test_wrong_lists_are_refused(own: Path) -> None:
    with pytest.raises(UnknownNameError, match="unknown template 'COUNTS'; did you mean 'COUNT'"):
        choose_templates("COUNTS")
    with pytest.raises(OptionError, match="has an empty place"):
        choose_templates("COUNT,")
    with pytest.raises(RecordError, match="template 'COUNT objects': stands there twice"):
        choose_templates("all,COUNT")
    own.write_text(OWN.replace("{a G}?", "{a H}?"), encoding="utf-8")
    with pytest.raises(RecordError, match=r"own.toml, template 'EXISTS': has the unknown slot 'H'"):
        choose_templates(str(own))
