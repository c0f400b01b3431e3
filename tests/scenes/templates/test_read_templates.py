from __future__ import annotations

from pathlib import Path

import pytest

from recombine.errors import InputFileError, RecordError
from recombine.scenes.templates.read_templates import find_templates, read_templates, templates_of

OWN = """
[[template]]
name = "{name}"
english = "Is there {{a G}}?"
program = "exists ( {{G}} )"
images = [2, 4]
pools.yes = {{ from = "holds", where = {{ G = [1, 2] }} }}
pools.rest = {{ from = ["*", "*+*"] }}
first = {{ yes = [1, -1], rest = "rest" }}
second = {{ rest = "rest" }}
""".format(name="EXISTS")


def test_the_package_has_fifteen_templates_in_nineteen_forms() -> None:
    templates = find_templates()
    assert len(templates) == 19
    # the names of table 1 of COVR
    assert {each.name for each in templates} == {
        "VERIFYATTR", "CHOOSEATTR", "QUERYATTR", "COMPARECOUNT", "COUNT", "VERIFYCOUNT", "COUNTGROUPBY",
        "VERIFYCOUNTGROUPBY", "VERIFYLOGIC", "VERIFYQUANT", "VERIFYQUANTATTR", "CHOOSEOBJECT", "QUERYOBJECT",
        "VERIFYSAMEATTR", "CHOOSEREL",
    }  # fmt: skip


def test_a_template_of_ones_own_is_one_entry(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN, encoding="utf-8")
    (template,) = read_templates(path)
    assert (template.name, template.form, template.images) == ("EXISTS", "EXISTS", (2, 4))
    assert template.options[0].first[0][0].bounds(4) == (1, 3)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("{a G}", "{a H}", "unknown slot 'H'; it has: G"),
        ("exists ( {G} )", "exists ( {NOATTR} )", "unknown slot 'NOATTR'"),
        ("{a G}", "{some G}", "the slot {some G} is not of the form"),
        ("{a G}", "{a G", "a brace in 'Is there {a G?' that belongs to no slot"),
        ("where = { G = [1, 2] }", "where = { SUBJECT = 1 }", "unknown slot 'SUBJECT'"),
        ("where = { G = [1, 2] }", "where = { G = [1] }", "where.G is [1]; write a number"),
        ("exists ( {G} )", "count ( exists ( {G} ) )", "its program is wrong: scenes program, column 7"),
        ("exists ( {G} )", "unique ( {G} )", "its program gives one object, which is no answer"),
        ("exists ( {G} )", "exists ( {G}", "its program is wrong"),
        ("exists ( {G} )", "exists ( {g} )", "the program's slot {g} is no name in capitals"),
        ("images = [2, 4]", "images = [2, 6]", "has images = [2, 6]; write two numbers from 1 to 5"),
        ("images = [2, 4]", "needs = ['colour']", "needs has the unknown 'colour'; known: relation"),
        ("images = [2, 4]", "leaf = ['twig']", "leaf has the unknown 'twig'"),
        ("images = [2, 4]", "image = [2, 4]", "has the unknown key 'image'"),
        ("images = [2, 4]", "not_root = 'uncountd'", "names the unknown list 'uncountd'"),
        ("images = [2, 4]", "choice = ['G']", "a choice that is not of two slots"),
        (
            "images = [2, 4]",
            "numbers = [{ slot = 'N', from = 'measure', by = 'eq' }]",
            "a measure that it does not have",
        ),
        ("images = [2, 4]", "numbers = [{ slot = 'N', from = 'source', by = 'gt' }]", "takes 'N' by 'gt'"),
        ("images = [2, 4]", "options = [{ say = 'x' }]", "the option 'say' that is no word for a slot"),
        ('from = ["*", "*+*"]', 'from = ["root_smell"]', "the unknown kind 'root_smell'"),
        ('from = ["*", "*+*"]', 'from = "some"', "has a pool from 'some'"),
        ('second = { rest = "rest" }', 'second = { no = 1, rest = "rest" }', "names the unknown pool 'no'"),
        ('second = { rest = "rest" }', "second = { yes = 1 }", "second has no part that is the rest"),
        ('first = { yes = [1, -1], rest = "rest" }', "", "has no 'first' set of images"),
        ('english = "Is there {a G}?"', "", "has no text 'english'"),
    ],
)
def test_a_wrong_entry_is_named(old: str, new: str, problem: str) -> None:
    assert old in OWN
    with pytest.raises(RecordError) as caught:
        templates_of(OWN.replace(old, new), "own.toml")
    assert str(caught.value).startswith("own.toml, template 'EXISTS': ")
    assert problem in str(caught.value)


def test_a_wrong_file_is_named() -> None:
    with pytest.raises(InputFileError, match=r"own.toml is not TOML: .*line 1"):
        templates_of("[[template]", "own.toml")
    with pytest.raises(InputFileError, match=r"own.toml has no templates"):
        templates_of("a = 1", "own.toml")
    with pytest.raises(RecordError, match="template 'EXISTS': stands there twice"):
        templates_of(OWN + OWN, "own.toml")
