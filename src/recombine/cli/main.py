"""The entry point: however a command ends, it prints one line of error or none, and gives an exit code.

Nothing heavy is imported here, so that an interrupt while the verbs are imported finds this file at work.
"""

from __future__ import annotations

import os
import sys

from recombine.cli.shared.exit_codes import BAD_INPUT, INTERRUPTED, READER_GONE

_OBJECTS_BETWEEN_COLLECTIONS = 10_000
TYPE_CHECKING = False  # the module `typing` takes longer to import than all the rest of this file
if TYPE_CHECKING:
    from typing import Any, NoReturn


def run(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0 done, 1 checked and found wanting, 2 bad input, 130 interrupted.

    Without arguments it takes those of the process, and sees to its signals and standard streams.
    """
    if arguments is not None:
        sys.exit(_run(arguments))
    try:
        code = _run_process()
    except KeyboardInterrupt:  # before the handler was set, or a second one while the first was handled
        _leave()
    sys.exit(code)


def _run_process() -> int:
    """The exit code of the command that this process is for."""
    import gc
    import signal

    from recombine.cli.shared.standard_streams import guard_streams

    # Imports make many objects and no garbage, which a collector that comes often looks through again and again.
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    # Arrow's own allocator keeps what was freed: 974 MB rather than 888 for a million examples, in no less time.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")

    # A shell starts jobs in the background with interrupts ignored, and that is left as it is.
    interruptible = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if interruptible:
        signal.signal(signal.SIGINT, _leave)
    guard_streams()
    import recombine.cli.app  # noqa: F401  # the longest part of the start

    interrupts: list[int] = []

    def interrupt(number: int, _: Any) -> NoReturn:
        interrupts.append(number)
        raise KeyboardInterrupt

    if interruptible:
        signal.signal(signal.SIGINT, interrupt)
    try:
        code = _run(sys.argv[1:])
    except Exception:  # a compiled module that is interrupted while it is imported raises an error of its own
        if interrupts:
            _leave()
        raise
    if interruptible:
        signal.signal(signal.SIGINT, _leave)  # all is done but the interpreter's own end
    gc.freeze()  # the interpreter's last collections would look through all modules, and free what ends with it anyway
    return code


def _run(arguments: list[str]) -> int:
    """The exit code of a command."""
    import typer

    from recombine.cli.app import make_app
    from recombine.cli.shared.console import warnings_as_notes
    from recombine.cli.shared.every_verb import PLUGIN, add_to_every_verb, load_named_plugins
    from recombine.cli.shared.standard_streams import OutputLost
    from recombine.errors import RecombineError
    from recombine.records.skipping import nothing_asked

    command = typer.main.get_command(make_app(arguments))
    add_to_every_verb(command)
    try:
        with warnings_as_notes(), nothing_asked():
            if any(argument.startswith(PLUGIN) for argument in arguments):
                load_named_plugins(arguments)
            code = command.main(args=arguments, prog_name="recombine", standalone_mode=False)
        sys.stdout.flush()
    except RecombineError as error:
        return _fail(str(error), error.exit_code)
    except typer.TyperException as error:
        return _fail(f"{error.format_message().rstrip('.')}; `recombine --help` lists verbs and options", BAD_INPUT)
    except (KeyboardInterrupt, typer.Abort):
        return _fail("interrupted", INTERRUPTED)
    except OutputLost as lost:
        if lost.reader_gone:  # `recombine list | head`: nothing is wrong, and nothing more can be said
            return READER_GONE
        return _fail(f"standard output cannot be written ({lost.reason})", BAD_INPUT)
    if code == INTERRUPTED:
        return _fail("interrupted", INTERRUPTED)
    return code if isinstance(code, int) else 0


def _fail(message: str, code: int) -> int:
    sys.stderr.write(f"error: {' '.join(message.split())}\n")
    return code


def _leave(*_: Any) -> NoReturn:
    """End at once, from wherever the process is: in the middle of imports a traceback would help nobody."""
    try:
        os.write(2, b"error: interrupted\n")
    finally:
        os._exit(INTERRUPTED)
