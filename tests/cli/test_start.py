"""A command imports what it needs and little else: the start is what small commands are made of."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from recombine.cli.main import run

LINES = '{"source": "jump", "target": "I_JUMP"}\n{"source": "walk", "target": "I_WALK"}\n'
COMMAND = "import sys; sys.argv = ['recombine', *{0!r}]; from recombine.cli.main import run\ntry:\n    run()\nexcept SystemExit as end:\n    print(end.code, *sorted(sys.modules), file=sys.stderr)"  # noqa: E501


def modules_of(folder: Path, *arguments: str) -> set[str]:
    """What a process has imported that runs a command."""
    done = subprocess.run(
        [sys.executable, "-c", COMMAND.format(list(arguments))], capture_output=True, text=True, check=True, cwd=folder
    )
    code, *modules = done.stderr.split()
    assert code == "0"
    return set(modules)


def test_a_command_imports_its_verb_alone(tmp_path: Path) -> None:
    (tmp_path / "two.jsonl").write_text(LINES)
    modules = modules_of(tmp_path, "show", "two.jsonl", "-n", "1")
    verbs = {each for each in modules if each.startswith("recombine.cli.verbs.") and each.count(".") == 4}
    assert verbs == {"recombine.cli.verbs.data.show"}
    assert "recombine.workbench.show" in modules
    other = ("split", "measure", "difficulty", "select", "study", "train", "predict", "score", "report")
    assert not modules & {f"recombine.workbench.{each}" for each in other}
    heavy = {"pydantic", "numba", "scipy", "torch", "lark", "sklearn", "rich.progress", "pyarrow.parquet", "sqlglot"}
    assert not modules & heavy


def test_data_of_the_catalogue_needs_neither_plug_ins_nor_the_form_of_the_release(tmp_path: Path) -> None:
    modules = modules_of(tmp_path, "show", "scan", "-n", "1", "--json")
    assert "recombine.datasets.scan" in modules
    assert "importlib.metadata" not in modules
    assert not [each for each in modules if each.startswith("recombine.datasets.release")]


def test_help_and_a_wrong_verb_know_all_verbs(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--help"], ["shw"]):
        with pytest.raises(SystemExit):
            run(words)
    printed = capsys.readouterr()
    assert "\n  show " in printed.out
    assert "\n  study " in printed.out
    assert "Did you mean 'show'?" in printed.err


@pytest.mark.parametrize("before", [["--no-cache"], ["--max-unpacked", "1M"]])
def test_options_may_stand_before_the_verb(before: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from recombine import data_cache, max_unpacked

    for variable in (data_cache.VARIABLE, max_unpacked.VARIABLE):  # which the options set for the whole process
        monkeypatch.setenv(variable, "off" if variable == data_cache.VARIABLE else "2G")
    (tmp_path / "two.jsonl").write_text(LINES)
    with pytest.raises(SystemExit) as ended:
        run([*before, "show", str(tmp_path / "two.jsonl"), "-n", "1"])
    assert ended.value.code == 0


def test_the_workbench_imports_a_verb_when_it_is_asked_for() -> None:
    code = (
        "import sys, types, recombine.workbench as workbench\n"
        "assert 'recombine.workbench.show' not in sys.modules\n"
        "assert {'show', 'split', 'load_split'} <= set(dir(workbench)) & set(workbench.__all__)\n"
        "import recombine.workbench.show\n"
        "assert not isinstance(workbench.show, types.ModuleType)\n"
        "from recombine.workbench import list as listed, load_for, show\n"
        "assert show is workbench.show is sys.modules['recombine.workbench.show'].show\n"
        "assert 'recombine.workbench.split' not in sys.modules\n"
        "assert not hasattr(workbench, 'shw')\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
