"""Languages of a module or a file of one's own: found, told apart, and said what is wrong with."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from made_notations import PIPES

import recombine
from recombine.errors import InputFileError, OptionError, RecombineError, UnknownNameError
from recombine.languages.funql import FUNQL
from recombine.languages.known import as_language, find_language, has_lasting_name
from recombine.languages.language import Language

pytestmark = pytest.mark.filterwarnings("ignore:literals are kept")  # languages of one's own here do not tell them
MODULE = """
from recombine.extend import Language, Tree

CALLS = Language("funql", lambda text: Tree("all", (Tree(text),)), lambda tree: tree.children[0].label)
NUMBER = 3
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "my_calls.py").write_text(MODULE)
    (tmp_path / "broken_calls.py").write_text("import nothing_of_this_name")
    (tmp_path / "own.toml").write_text(PIPES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    sys.modules.pop("my_calls", None)
    return tmp_path


@pytest.mark.parametrize("name", ["my_calls:CALLS", "my_calls.py:CALLS"])
def test_a_value_of_a_module_is_a_language(name: str, folder: Path) -> None:
    language = find_language(name)
    assert language.parse("f ( x )").label == "all"
    assert language.name.startswith(f"{name}@")
    assert language.remembered == name
    assert find_language(language.place) is language is find_language(name)
    assert not has_lasting_name(language)
    assert recombine.load([("a", "f ( x")], language=name).language is language


@pytest.mark.parametrize(
    ("name", "error", "problem"),
    [
        ("no_such_calls:CALLS", OptionError, "there is no module 'no_such_calls'; install it, or name its file"),
        ("my_calls:CALL", OptionError, "the module my_calls has no 'CALL'; name a Language that it has"),
        ("my_calls:NUMBER", OptionError, "NUMBER in the module my_calls is of the type int, and no Language"),
        ("broken_calls:CALLS", OptionError, "the module broken_calls fails: ModuleNotFoundError: No module named"),
        ("none.py:CALLS", OptionError, "none.py: no such file"),
        ("none.toml", InputFileError, "none.toml: no such file; name a language file, FILE.toml, that is there"),
        ("own.toml@0123456789abcdef", InputFileError, "own.toml: is not as it was: its digest is"),
        ("my_calls:CALLS@0123456789abcdef", InputFileError, "my_calls:CALLS: is not as it was"),
        ("funql:CALLS", UnknownNameError, "unknown language 'funql:CALLS'; did you mean 'funql'?"),
        ("my_calls", UnknownNameError, "unknown language 'my_calls'"),
        ("", UnknownNameError, "unknown language ''"),
    ],
)
def test_what_is_wrong_is_one_line(name: str, error: type[RecombineError], problem: str, folder: Path) -> None:
    with pytest.raises(error) as raised:
        find_language(name)
    assert problem in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_module_that_data_names_is_not_imported(folder: Path) -> None:
    (folder / "calls_of_data.py").write_text(MODULE)
    with pytest.raises(OptionError, match="of a module; name it: --language calls_of_data:CALLS"):
        find_language("calls_of_data:CALLS", import_modules=False)
    assert "calls_of_data" not in sys.modules
    found = find_language("calls_of_data:CALLS")
    assert find_language("calls_of_data:CALLS", import_modules=False) is found


def test_a_language_file_is_found_by_its_path_and_by_its_name(folder: Path) -> None:
    language = find_language("own.toml")
    assert language.remembered == language.name == f"own.toml@{language.origin.digest if language.origin else ''}"
    assert find_language(str(folder / "own.toml")).name == language.name
    assert find_language(language.place) is language
    assert has_lasting_name(language)
    below = folder / "below"
    below.mkdir()
    (below / "own.toml").write_text(PIPES)
    assert find_language("below/own.toml").remembered == f"below/{language.name}"
    assert find_language("own.toml", folder=below).name == language.name


def test_what_python_gives_is_taken_or_refused(folder: Path) -> None:
    assert as_language(Path("own.toml")) is find_language("own.toml")
    assert as_language(FUNQL) is FUNQL
    own = Language("mine", FUNQL.parse, FUNQL.render)
    assert as_language(own) is own
    assert recombine.load([("a", "f ( x )")], language=own).language is own
    assert (
        recombine.load([("a", "f(x) |> g")], language=Path("own.toml")).reading.language
        == find_language("own.toml").name
    )
    with pytest.raises(OptionError, match="there is another language 'covr' already; give yours another name"):
        as_language(Language("covr", FUNQL.parse, FUNQL.render))
    with pytest.raises(OptionError, match=r"own.txt: is no language file"):
        as_language(Path("own.txt"))
