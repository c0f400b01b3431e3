"""Plug-ins: what they register is found by name and is theirs; one that fails leaves nothing behind."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from recombine import plugins
from recombine.errors import InputFileError, InputWarning, OptionError, UnknownNameError
from recombine.plugins import LOADED, Plugin, Registry, forget_plugin, load_plugin, load_same

COLOURS: Registry[int] = Registry("colour", {"red": 1})
REGISTER = "from plugin_colours import COLOURS\nCOLOURS.register({name!r}, {value})\n"


@pytest.fixture(autouse=True)
def _colours(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The list above under a name that plug-ins can import; what they add is removed again."""
    monkeypatch.setitem(sys.modules, "plugin_colours", sys.modules[__name__])
    before = set(LOADED)
    yield
    for place in set(LOADED) - before:
        forget_plugin(place)


def write(path: Path, **colours: int) -> str:
    path.write_text("".join(REGISTER.format(name=name, value=value) for name, value in colours.items()))
    return str(path)


def test_a_file_registers_and_is_the_owner(tmp_path: Path) -> None:
    loaded = load_plugin(write(tmp_path / "mine.py", blue=2))
    assert COLOURS["blue"] == 2
    assert list(COLOURS) == ["red", "blue"]
    assert COLOURS.origin("blue") == loaded.place == str(tmp_path / "mine.py")
    assert COLOURS.origin("red") == ""
    assert loaded.name == "mine.py"
    assert loaded.identity.startswith("digest ")


def test_a_file_is_loaded_once_and_anew_when_it_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = load_plugin(write(tmp_path / "mine.py", blue=2, green=3))
    monkeypatch.chdir(tmp_path)
    assert load_plugin("mine.py") is first
    write(tmp_path / "mine.py", blue=4)
    again = load_plugin("mine.py")
    assert again.identity != first.identity
    assert COLOURS["blue"] == 4
    assert "green" not in COLOURS


def test_a_name_of_another_is_refused(tmp_path: Path) -> None:
    load_plugin(write(tmp_path / "mine.py", blue=2))
    with pytest.raises(OptionError, match=r"there is a colour 'blue' already, of mine.py; give it another name"):
        load_plugin(write(tmp_path / "yours.py", violet=1, blue=5))
    with pytest.raises(OptionError, match="there is a colour 'red' already, of the package"):
        load_plugin(write(tmp_path / "theirs.py", red=5))
    assert "violet" not in COLOURS, "a plug-in that fails leaves nothing behind"
    assert COLOURS["blue"] == 2


def test_what_fails_says_so_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(REGISTER.format(name="pink", value=1) + "1 / 0\n")
    with pytest.raises(OptionError, match=r"the plug-in .*broken.py fails: ZeroDivisionError: division by zero"):
        load_plugin(str(tmp_path / "broken.py"))
    assert "pink" not in COLOURS
    with pytest.raises(OptionError, match="no such file"):
        load_plugin(str(tmp_path / "absent.py"))
    with pytest.raises(OptionError, match="there is no module 'no_such_module'"):
        load_plugin("no_such_module")


@pytest.mark.parametrize("name", ["", ".", "..towers"])
def test_what_names_no_module_is_refused(name: str) -> None:
    with pytest.raises(OptionError, match="is no plug-in; name a module, or its file"):
        load_plugin(name)


def test_a_plugin_cannot_end_the_process(tmp_path: Path) -> None:
    (tmp_path / "quits.py").write_text(REGISTER.format(name="pink", value=1) + "raise SystemExit('bye')\n")
    with pytest.raises(OptionError, match=r"the plug-in .*quits.py fails: SystemExit: bye"):
        load_plugin(str(tmp_path / "quits.py"))
    assert "pink" not in COLOURS


def test_a_missing_import_of_a_plugin_is_not_a_missing_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wanting_plugin.py").write_text("import no_such_module\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(OptionError, match=r"wanting_plugin fails: ModuleNotFoundError: .*no_such_module"):
        load_plugin("wanting_plugin")


@pytest.mark.filterwarnings("ignore:the plug-in .* registers nothing")
def test_a_module_says_its_version_else_its_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "versioned_plugin.py").write_text("__version__ = '2.1'\n")
    assert load_plugin("versioned_plugin") == Plugin("versioned_plugin", "version 2.1", "versioned_plugin")
    package = tmp_path / "packed_plugin"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "inner.py").write_text("A = 1\n")
    first = load_plugin("packed_plugin").identity
    forget_plugin("packed_plugin")
    (package / "inner.py").write_text("A = 2\n")
    assert load_plugin("packed_plugin").identity != first, "files below the package count"


def test_a_module_that_was_imported_before_owns_what_it_registered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    write(tmp_path / "early_plugin.py", amber=7)
    __import__("early_plugin")
    assert COLOURS.origin("amber") == "early_plugin"
    load_plugin("early_plugin")
    assert COLOURS.origin("amber") == "early_plugin"
    assert COLOURS["amber"] == 7


def test_one_that_registers_nothing_is_noted(tmp_path: Path) -> None:
    with pytest.warns(InputWarning, match=r"the plug-in .*idle.py registers nothing"):
        load_plugin(write(tmp_path / "idle.py"))


def test_another_process_must_have_the_same(tmp_path: Path) -> None:
    loaded = load_plugin(write(tmp_path / "mine.py", blue=2))
    load_same(loaded)
    with pytest.raises(OptionError, match=r"the plug-in mine.py is of digest \w+ here, not of digest 0"):
        load_same(Plugin("mine.py", "digest 0", loaded.place))


def test_installed_plugins_are_loaded_when_a_name_is_not_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    write(tmp_path / "installed_plugin.py", indigo=9)
    information = tmp_path / "installed_plugin-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: installed-plugin\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[recombine]\ncolours = installed_plugin\n")
    monkeypatch.setattr(plugins, "_INSTALLED", [])
    assert COLOURS["red"] == 1
    assert not plugins._INSTALLED, "a known name needs none of them"
    assert COLOURS["indigo"] == 9
    with pytest.raises(UnknownNameError, match="unknown colour 'infra'"):
        COLOURS.find("infra")


def test_an_installed_plugin_that_fails_does_so_every_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "failing_plugin.py").write_text("1 / 0\n")
    information = tmp_path / "failing_plugin-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: failing-plugin\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[recombine]\ncolours = failing_plugin\n")
    monkeypatch.setattr(plugins, "_INSTALLED", [])
    for _ in range(2):
        with pytest.raises(OptionError, match="the plug-in failing_plugin fails: ZeroDivisionError"):
            COLOURS.find("mauve")


def test_things_of_the_package_can_wait() -> None:
    lazy: Registry[type] = Registry("error", {"file": "recombine.errors:InputFileError"}, lazy=True)
    assert lazy["file"] is InputFileError
