"""How a process ends: help, closed pipes, full disks, closed streams and Ctrl-C, each with real processes."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

FULL = Path("/dev/full")
MODULE = [sys.executable, "-m", "recombine"]
SCRIPT = [sys.executable, "-c", "import sys; from recombine.cli.main import run; sys.exit(run())"]
"""What pip writes as the script `recombine`."""
VERBS = "list show generate split measure check difficulty select induce train predict score compare report demo study"
STUDY_VERBS = "run status report export collect"


def finish(*arguments: str, entry: list[str] = MODULE, **streams: object) -> subprocess.CompletedProcess[str]:
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    return subprocess.run([*entry, *arguments], text=True, timeout=120, **options)  # type: ignore[call-overload, no-any-return]


# -- help


@pytest.mark.parametrize("entry", [MODULE, SCRIPT], ids=["module", "script"])
def test_no_verb_is_help(entry: list[str]) -> None:
    for arguments in ((), ("study",)):
        bare = finish(*arguments, entry=entry)
        assert (bare.returncode, bare.stderr) == (0, "")
        assert bare.stdout.startswith(f"Usage: recombine {''.join(a + ' ' for a in arguments)}[OPTIONS] COMMAND")
        assert bare.stdout.count("\n") > 10


@pytest.mark.parametrize("verb", ["", *VERBS.split(), *(f"study {verb}" for verb in STUDY_VERBS.split())])
def test_every_verb_has_short_help(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    from recombine.cli.main import run

    shown = []
    for option in ("-h", "--help"):
        with pytest.raises(SystemExit) as ended:
            run([*verb.split(), option])
        assert ended.value.code == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]
    assert shown[0].startswith(f"Usage: recombine {verb}".strip() + " [OPTIONS]")


# -- standard output and standard error


@pytest.mark.parametrize(
    ("arguments", "entry"),
    [("list", MODULE), ("list", SCRIPT), ("list --json", MODULE), ("--help", MODULE), ("--version", MODULE)],
)
def test_a_reader_that_goes_away(arguments: str, entry: list[str]) -> None:
    # The reader is gone before anything is written, so that short outputs meet it as well, at the last flush.
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = finish(*arguments.split(), entry=entry, stdout=writer)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


def test_head_takes_a_line_of_many(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("".join(f'{{"source": "a {n}", "target": "b"}}\n' for n in range(20000)))
    command = [*MODULE, "show", "a.jsonl", "-n", "20000"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().strip()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 141


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
@pytest.mark.parametrize("arguments", [("list",), ("list", "--json"), ()], ids=" ".join)
def test_a_full_disk(arguments: tuple[str, ...]) -> None:
    with FULL.open("wb") as full:
        done = finish(*arguments, stdout=full)
    assert done.returncode == 2
    assert done.stderr == "error: standard output cannot be written (No space left on device)\n"


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
def test_messages_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"source": "a", "target": "b"}\n{"source": "c", "target": "d"}\n')
    with FULL.open("wb") as full:
        assert finish("show", "nothing.jsonl", stderr=full).returncode == 2
        done = finish("split", "a.jsonl", "--by", "random", "--test", "1", stderr=full, cwd=tmp_path)
    assert done.returncode == 0
    assert "|by:random|" in done.stdout


def test_closed_streams(tmp_path: Path) -> None:
    def shell(redirections: str) -> subprocess.CompletedProcess[str]:
        command = f'"$0" -m recombine split a.jsonl --by random --test 1 -o out.json {redirections}'
        return subprocess.run(["sh", "-c", command, sys.executable], cwd=tmp_path, text=True, capture_output=True)

    (tmp_path / "a.jsonl").write_text('{"source": "a", "target": "b"}\n{"source": "c", "target": "d"}\n')
    done = shell(">&-")
    assert done.returncode == 2
    assert done.stderr == "error: standard output cannot be written (it is closed)\n"
    first = (tmp_path / "out.json").read_bytes()
    assert first.startswith(b"{")  # the file took the free number 1, and nothing was printed into it
    done = shell("2>&-")
    assert (done.returncode, done.stderr) == (0, "")
    assert "|by:random|" in done.stdout
    assert shell("<&- >&- 2>&-").returncode == 2
    assert (tmp_path / "out.json").read_bytes() == first


# -- Ctrl-C


def interrupt_after(module: str, *arguments: str, entry: list[str]) -> tuple[int, list[str]]:
    """Interrupt a process as soon as it has imported a module; the exit code, and what it said besides imports."""
    command = [entry[0], "-X", "importtime", *entry[1:], *arguments]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        said = []
        waiting = True
        for line in process.stderr:
            if not line.startswith("import time:"):
                said.append(line)
            elif waiting and line.rsplit("|", 1)[-1].strip() == module:
                process.send_signal(signal.SIGINT)
                waiting = False
        code = process.wait(60)
    assert not waiting, f"{module} was not imported"
    return code, said


@pytest.mark.parametrize("entry", [MODULE, SCRIPT], ids=["module", "script"])
@pytest.mark.parametrize(
    "module", ["recombine.cli.shared.standard_streams", "typer.core", "recombine.cli.shared.terminal", "rich.console"]
)
def test_an_interrupt_at_the_start(module: str, entry: list[str]) -> None:
    # `demo` goes on for a second after the last of these imports.
    code, said = interrupt_after(module, "demo", entry=entry)
    assert (code, said) == (130, ["error: interrupted\n"])


def test_an_interrupt_after_any_delay() -> None:
    for delay in (0.02, 0.06, 0.1, 0.2, 0.5):
        with subprocess.Popen(
            [*MODULE, "demo"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        ) as process:
            time.sleep(delay)
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=60)
        # Before the command line is looked for, Python itself answers: at its own start, or while it reads the
        # package's first file, which no code of ours can guard.
        if process.returncode not in (0, 130):
            assert not re.search(r"recombine/(cli|__main__)", said), delay
        else:
            assert "Traceback" not in said, delay


def test_an_interrupted_search_gives_its_best_and_says_so(tmp_path: Path) -> None:
    sizes = ["--train", "8365", "--test", "1045", "--effort", "1000", "-o", "out.json"]
    command = [*MODULE, "split", "scan", "--by", "mcd", "--structures", "dag:2-2,presence", *sizes]
    # The kernels of the search are the last thing to be loaded before it begins.
    code = (
        "import os, signal, threading; from recombine.splits.search.exchange import SplitSearch; "
        "search = SplitSearch.search; "
        "timer = lambda: threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)); "
        "SplitSearch.search = lambda *a: (timer().start(), search(*a)); "
        f"import sys; sys.argv = ['recombine', *{command[3:]!r}]; from recombine.cli.main import run; run()"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, text=True, capture_output=True, timeout=300)
    assert done.returncode == 130, done.stderr
    assert done.stderr == "the search was interrupted; this is the best it had found\nerror: interrupted\n"
    assert "|interrupted:yes|" in done.stdout
    assert "interrupted:yes" in (tmp_path / "out.json").read_text()


@pytest.mark.parametrize(("signals", "code"), [(1, 130), (0, 1)])
def test_an_interrupt_that_an_import_makes_another_error_of(signals: int, code: int) -> None:
    # numpy's C interface does so: "numpy._core.multiarray failed to import".
    script = (
        "import os, signal, sys; from recombine.cli import app\n"
        "def make_app(arguments):\n"
        "    try:\n"
        f"        [signal.raise_signal(signal.SIGINT) for _ in range({signals})]\n"
        "    except KeyboardInterrupt:\n"
        "        pass\n"
        "    raise ImportError('failed to import')\n"
        "app.make_app = make_app; sys.argv = ['recombine', 'list']\n"
        "from recombine.cli.main import run; run()"
    )
    done = subprocess.run([sys.executable, "-c", script], text=True, capture_output=True, timeout=60)
    assert done.returncode == code, done.stderr
    assert (done.stderr == "error: interrupted\n") is bool(signals)
    assert ("failed to import" in done.stderr) is not bool(signals)


def test_interrupts_stay_ignored_in_the_background() -> None:
    # `sh -c 'recombine … &'` starts with SIGINT ignored: Ctrl-C is not meant for such a process.
    with subprocess.Popen(
        [*MODULE, "list"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    ) as process:
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (0, b"")
    assert b"scan" in out
