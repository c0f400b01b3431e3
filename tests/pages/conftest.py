"""Hand-sized data for the report: commands of one verb, with a source that looks like markup."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recombine.records.dataset import Dataset
from recombine.records.derivation import Derivation
from recombine.records.example import Example
from recombine.records.signature import Signature
from recombine.records.split import Split
from recombine.structures.dataset_features import DatasetFeatures, extract_features
from recombine.structures.definition import Structures

MARKUP = "<script>alert(1)</script>"
ONCE_WALK: Any = ("once", [("walk", [])])
ONCE_JUMP: Any = ("once", [("jump", [])])
TWICE_WALK: Any = ("twice", [("walk", [])])
TWICE_JUMP: Any = ("twice", [("jump", [])])


def make_dataset(*rows: tuple[str, Any]) -> Dataset:
    """Examples from sources and nested derivations; the target is the source in capitals."""
    examples = tuple(Example.of(source, source.upper(), Derivation.tree(nested)) for source, nested in rows)
    return Dataset("tiny", examples, {}, "dag:2-3,counts")


def make_split(dataset: Dataset, train: list[int], test: list[int]) -> Split:
    """A split by positions."""
    parts = {name: tuple(dataset[row].id for row in rows) for name, rows in (("train", train), ("test", test))}
    return Split(parts, dataset.name, dataset.hash, Signature.of(data=dataset, by="hand"))


def make_features(dataset: Dataset) -> DatasetFeatures:
    """The features of the data under its own definition."""
    return extract_features(dataset, Structures.parse(dataset.structures))


@pytest.fixture
def make() -> dict[str, Any]:
    """The makers and the derivations, for tests that need data of their own."""
    return {"dataset": make_dataset, "split": make_split, "features": make_features}


@pytest.fixture(scope="session")
def tiny() -> Dataset:
    """Five examples; the last is made like the first."""
    return make_dataset(
        ("walk", ONCE_WALK),
        ("jump", ONCE_JUMP),
        ("walk twice", TWICE_WALK),
        ("jump twice", TWICE_JUMP),
        ("please walk", ONCE_WALK),
    )


@pytest.fixture(scope="session")
def tiny_split(tiny: Dataset) -> Split:
    """Train: walk, jump, walk twice. Test: jump twice, please walk."""
    return make_split(tiny, [0, 1, 2], [3, 4])


@pytest.fixture(scope="session")
def tiny_features(tiny: Dataset) -> DatasetFeatures:
    """Its rules and pairs of rules."""
    return make_features(tiny)


@pytest.fixture(scope="session")
def unsafe() -> Dataset:
    """Data whose every text would do harm if it were taken for markup."""
    nested: Any = ("<i>U</i>", [("</script><img src=x>", []), ('"&"', [])])
    return make_dataset(
        (MARKUP, nested),
        ("</script><b>bold</b>", ("<i>U</i>", [('"&"', [])])),
        ("walk", ONCE_WALK),
        ("jump twice", TWICE_JUMP),
    )


@pytest.fixture(scope="session")
def unsafe_split(unsafe: Dataset) -> Split:
    """The first and the last example are tested."""
    return make_split(unsafe, [1, 2], [0, 3])


# -- pages in a browser; a module of tests says where its page is, as the fixture `address` ---------------------------

SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def _find_chromium() -> str | None:
    spec = importlib.util.spec_from_file_location("find_chromium", Path(__file__).parent.parent / "find_chromium.py")
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: str | None = module.find_chromium()
    return found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A Chromium; without one the test skips and says what is missing."""
    from playwright import sync_api

    chromium = _find_chromium()
    if chromium is None:
        pytest.skip("no Chromium: install one, or name it in RECOMBINE_CHROMIUM")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=list(SWITCHES))
        yield started
        started.close()


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    """The page, opened offline; whatever it complains of, asks for or pops up fails the test."""
    context = browser.new_context(
        color_scheme="light", viewport={"width": 1280, "height": 900}, reduced_motion="reduce"
    )
    context.set_offline(True)
    faults: list[str] = []
    context.route("**/*", lambda route: route.continue_() if route.request.url == address else _refuse(route, faults))
    opened = context.new_page()
    opened.on("console", lambda message: faults.append(f"{message.type}: {message.text}"))
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on("dialog", lambda dialog: (faults.append(dialog.message), dialog.dismiss()))
    opened.goto(address)
    yield opened
    context.close()
    assert faults == []


def _refuse(route: Any, faults: list[str]) -> None:
    faults.append(f"asked for {route.request.url}")
    route.abort()
