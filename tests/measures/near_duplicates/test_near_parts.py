"""Near duplicates in what `measure`, `check` and `report` say."""

from __future__ import annotations

import pytest

from recombine import workbench
from recombine.errors import OptionError
from recombine.records.signature import Signature
from recombine.records.split import Split
from recombine.workbench import load

PAIRS = [
    ("show rivers of <b>texas</b>", "f ( texas )"),
    ("rivers of <b>texas</b> show", "f ( texas )"),
    ("how many states are there", "g ( all )"),
    ("name the capital", "h ( ohio )"),
]


@pytest.fixture(scope="module")
def made() -> tuple[object, Split]:
    data = load(PAIRS)
    ids = [example.id for example in data]
    parts = {"train": (ids[0], ids[2]), "test": (ids[1], ids[3])}
    return data, Split(parts, data.name, data.hash, Signature.of(by="hand"))


def test_measure_counts_them_where_a_threshold_is_given(made: tuple[object, Split]) -> None:
    data, split = made
    said = workbench.measure(data, split, near_duplicates=0.75).to_dict()
    near = said["near_duplicates"]
    assert {key: near[key] for key in ("threshold", "examples", "pairs", "found_by")} == {
        "threshold": 0.75,
        "examples": 1,
        "pairs": 1,
        "found_by": "all pairs",
    }
    assert "|near_duplicates:0.75,words+tokens,all-pairs|" in said["signature"]
    plain = workbench.measure(data, split).to_dict()
    assert "near_duplicates" not in plain
    assert "near_duplicates" not in plain["signature"]


def test_check_counts_them_in_every_part_and_calls_them_no_fault(made: tuple[object, Split]) -> None:
    data, split = made
    report = workbench.check(data, split, near_duplicates=0.8)
    assert report.problems == []
    assert {name: near["examples"] for name, near in report.to_dict()["near_duplicates"].items()} == {"test": 1}
    assert "near_duplicates" not in workbench.check(data, split).to_dict()


def test_the_page_shows_the_nearest_pair_escaped(made: tuple[object, Split]) -> None:
    data, split = made
    page = workbench.report({"mine": split}, data=data, near_duplicates=0.8).page.decode()
    section = page[page.index('<section id="near"') : page.index("</section>", page.index('<section id="near"'))]
    assert "1 example of test, in 1 pair of texts" in section
    assert "rivers of &lt;b&gt;texas&lt;/b&gt; show" in section
    assert "<b>" not in section
    assert '<section id="near"' not in workbench.report({"mine": split}, data=data).page.decode()


def test_a_threshold_that_is_none_is_refused_by_each(made: tuple[object, Split]) -> None:
    data, split = made
    for verb in (workbench.measure, workbench.check):
        with pytest.raises(OptionError, match=r"threshold of near duplicates is 1\.5"):
            verb(data, split, near_duplicates=1.5)
    with pytest.raises(OptionError, match="not counted on a cluster"):
        workbench.measure(data, split, near_duplicates=0.8, cluster="local")
