"""Programs without derivations are drawn: in the example browser, and as held-out compounds."""

from __future__ import annotations

import recombine
from recombine.pages.splits.example_browser import TITLES, browser_data
from recombine.pages.splits.report_data import build_data

PAIRS = [
    ("oldest", "select name from dogs order by age limit 1"),
    ("all", "select age from dogs"),
    ("pugs", "select name from dogs where breed = 'a:pug'"),
    ("cats", "select name from cats where age = 3"),
    ("old cats", "select name from cats order by age"),
]


def test_the_tree_of_a_program_is_in_the_page() -> None:
    data = recombine.load(PAIRS, language="sql")
    split = recombine.split(data, by="random", test=2, seed=1, structures="tmcd:spider")
    found = build_data(data, {"one": split}, recombine.features(data, "tmcd:spider"))
    page = browser_data(found)
    pugs = next(example for example in page["examples"] if example[1] == "pugs")
    grammar, interpretation, program = pugs[3]
    assert (grammar, interpretation) == (None, None)
    labels = [page["rules"][rule] for rule in program[0]]
    assert labels[0] == "query"
    assert "\"'a:pug'\"" in labels  # quoted, as in the names of compounds
    assert len(program[1]) == 3 * (len(labels) - 1)
    assert page["titles"][2] == TITLES[2] == "Tree of the program"


def test_held_out_compounds_of_symbols_that_are_no_tokens_are_read() -> None:
    data = recombine.load(PAIRS, language="sql")
    features = recombine.features(data, "tmcd:spider")
    split = recombine.split(data, by="random", test=2, seed=1, structures=features)
    (one,) = build_data(data, {"one": split}, features).splits
    assert one.held_out.chosen
    assert all(held.graph is not None for held in one.held_out.chosen)
