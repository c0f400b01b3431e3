"""What a kernel is made of is in its file, or part of the digest by which its compiled form is found."""

from __future__ import annotations

import ast
import builtins
import symtable
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import recombine
from recombine.kernels.signatures import find_kernel, known_signatures, read_types

PACKAGE = Path(recombine.__file__).parent
DECORATORS = {"kernel", "part", "inlined"}
FILES = sorted(
    str(path.relative_to(PACKAGE))
    for path in PACKAGE.rglob("*.py")
    if "recombine.kernels.kernel import" in path.read_text() and path.parent.name != "kernels"
)


@cache
def decorated(text: str) -> set[str]:
    """The kernels and parts of a file."""
    functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    return {each.name for each in functions if DECORATORS & set(map(ast.unparse, each.decorator_list))}


def global_names(text: str) -> set[str]:
    """The names from outside that the kernels and parts of a file use."""
    inner = [
        each for each in symtable.symtable(text, "file", "exec").get_children() if each.get_name() in decorated(text)
    ]
    return {symbol.get_name() for each in inner for symbol in each.get_symbols() if symbol.is_global()}


@cache
def assigned(text: str) -> set[str]:
    """The constants of a file."""
    nodes = [node for node in ast.parse(text).body if isinstance(node, ast.Assign)]
    return {
        each.id
        for node in nodes
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and each.ctx.__class__ is ast.Store
    }


def is_own(name: str, module: ModuleType, text: str) -> bool:
    """Whether a name is of the file, of numpy or Python, or is a tuple, whose fields are in the digest."""
    if name in decorated(text) | assigned(text) or (not hasattr(module, name) and hasattr(builtins, name)):
        return True
    value: Any = getattr(module, name)
    return value is np or (isinstance(value, type) and issubclass(value, tuple))


def test_there_are_such_files() -> None:
    assert len(FILES) > 8


@pytest.mark.parametrize("file", FILES)
def test_a_kernel_and_what_it_calls_are_in_one_file(file: str) -> None:
    text = (PACKAGE / file).read_text()
    module = import_module("recombine." + file.removesuffix(".py").replace("/", "."))
    assert decorated(text)
    assert {name for name in global_names(text) if not is_own(name, module, text)} == set()


@pytest.mark.parametrize("name", sorted(known_signatures()))
def test_the_file_of_a_kernel_names_the_tuples_that_it_takes(name: str) -> None:
    taken = {
        kind.instance_class
        for described in known_signatures()[name]
        for kind in read_types(described)
        if hasattr(kind, "instance_class")
    }
    assert taken <= {
        each for each in vars(import_module(find_kernel(name).__module__)).values() if isinstance(each, type)
    }
