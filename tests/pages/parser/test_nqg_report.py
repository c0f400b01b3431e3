"""The page on a parser: its numbers, its pictures, and text that stays text."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from recombine.errors import OptionError
from recombine.evaluation.match.judge import Tally, Verdict
from recombine.languages.functional import FUNCTIONAL
from recombine.models.nqg.forest.kbest import Derivation
from recombine.models.nqg.grammar import Qcfg
from recombine.models.nqg.induction.uses import with_uses
from recombine.models.nqg.model import Nqg
from recombine.models.nqg.rule import QcfgRule
from recombine.pages.parser.derivation_figure import LONGEST, MOST, derivation_figure
from recombine.pages.parser.nqg_data import NqgData, OutcomeGroup, build_nqg_data, iter_nodes
from recombine.pages.parser.nqg_page import RULES, render_nqg
from recombine.pages.parser.outcome_figure import outcome_figure
from recombine.records.dataset import Dataset
from recombine.records.example import Example
from recombine.records.signature import Signature
from recombine.records.split import Split

MARKUP = "<b>hop</b>"
TRAIN = [("jump", "J"), ("walk", "W"), ("jump twice", "J J"), ("walk and jump", "W J"), (MARKUP, "</script>")]
TEST = [("walk twice", "W W"), ("jump and walk", "W J"), ("skip", "S"), (f"{MARKUP} twice", "</script> </script>")]
RULES_TEXT = f"""jump ### J
walk ### W
{MARKUP} ### </script>
NT_1 twice ### NT_1 NT_1
NT_1 and NT_2 ### NT_1 NT_2
"""


def make_data(examples: int = 200, *, language: bool = False) -> NqgData:
    rows = tuple(Example(f"e{place}", *pair) for place, pair in enumerate([*TRAIN, *TEST]))
    dataset = Dataset("tiny", rows, language=FUNCTIONAL if language else None)
    ids = [row.id for row in rows]
    parts = {"train": tuple(ids[: len(TRAIN)]), "test": tuple(ids[len(TRAIN) :])}
    split = Split(parts, dataset.name, dataset.hash, Signature.of(data=dataset, by="hand"))
    parser = Nqg(grammar=with_uses(Qcfg.parse(RULES_TEXT), TRAIN)).fit_scorer(TRAIN)
    return build_nqg_data(dataset, split, parser, examples=examples, name="mine", signature="model:mine")


@pytest.fixture(scope="module")
def data() -> NqgData:
    return make_data()


def test_numbers(data: NqgData) -> None:
    # Right: the first and the last. Wrong: the gold of "jump and walk" is not what the rules give. "skip" is no word.
    assert data.tally == Tally(right=2, wrong=1, malformed=0, abstained=1)
    assert [entry.derives_gold for entry in data.tested] == [True, False, False, True]
    assert data.oracle == 0.5
    uses = {str(row.rule): (row.train, row.test, row.right) for row in data.rules}
    assert uses == {
        "jump ### J": (3, 1, 0),
        "walk ### W": (2, 2, 1),
        f"{MARKUP} ### </script>": (1, 1, 1),
        "NT_1 twice ### NT_1 NT_1": (1, 2, 2),
        "NT_1 and NT_2 ### NT_1 NT_2": (1, 1, 0),
    }
    assert str(data.rules[0].rule) == "jump ### J"
    assert [(group.label, group.tally.n) for group in data.lengths] == [("1", 1), ("2", 2), ("3", 1)]
    assert (data.easiness, data.unseen) == ((), ())
    assert data.no_structures.startswith("the language of the targets is not known")


def test_groups_by_local_structure() -> None:
    rows = [("a", "f ( x )"), ("b", "f ( y )"), ("c", "g ( x )"), ("d", "g ( y )"), ("b", "f ( y )")]
    examples = tuple(Example(f"e{place}", *pair) for place, pair in enumerate(rows))
    dataset = Dataset("tiny", examples, language=FUNCTIONAL)
    parts = {"train": ("e0", "e1", "e2"), "test": ("e3", "e4")}
    split = Split(parts, dataset.name, dataset.hash, Signature.of(data=dataset, by="hand"))
    parser = Nqg().fit([(row.source, row.target) for row in examples[:3]])
    found = build_nqg_data(dataset, split, parser)
    # `g > y` is unseen; every structure of the other is in train.
    assert [(group.label, group.tally.abstained, group.tally.right) for group in found.unseen] == [
        ("none", 0, 1),
        ("1", 1, 0),
    ]
    assert found.easiness[-1].label == "1"
    assert found.no_structures == ""
    assert "By unseen structures" in render_nqg(found).decode()


def test_the_examples_kept_are_of_every_kind() -> None:
    assert [make_data(number).kept for number in (1, 200)] == [(1,), (0, 1, 2, 3)]
    found = make_data(3)
    assert {found.tested[place].verdict for place in found.kept} == {Verdict.RIGHT, Verdict.WRONG, Verdict.ABSTAINED}
    page = render_nqg(found).decode()
    assert "This page keeps 3 examples of 4, drawn in turn from wrong, abstained and right ones." in page
    with pytest.raises(OptionError, match="the number of examples is 0"):
        make_data(0)


def test_data_is_text_and_nothing_is_fetched(data: NqgData) -> None:
    page = render_nqg(data).decode()
    assert MARKUP not in page
    assert "&lt;b&gt;hop&lt;/b&gt;" in page
    assert page.count("</script>") == 2
    assert not re.search(r'(src|href)="(https?:|//)', page)
    assert " style=" not in page
    assert "default-src &#39;none&#39;" in page
    assert render_nqg(make_data()).decode() == page


def test_many_rules_are_cut_and_said(data: NqgData) -> None:
    many = "".join(f"word{number} ### W{number}\n" for number in range(RULES + 1))
    parser = Nqg(grammar=Qcfg.parse(many)).fit_scorer([])
    split = Split({"test": ("e0",)}, "tiny", data.dataset.hash, Signature.of(by="hand"))
    page = render_nqg(build_nqg_data(data.dataset, split, parser)).decode()
    assert f"Listed are the {RULES} most used of {RULES + 1} rules." in page
    assert page.count("<tr data-slots=") == RULES
    assert "uses in train" not in page


# -- pictures -----------------------------------------------------------------------------------------------------


def texts(drawn: str, look: str) -> list[str]:
    root = ET.fromstring(drawn)  # noqa: S314  # made here
    return ["".join(found.itertext()) for found in root.iter("text") if found.get("class") == look]


def test_two_trees_of_the_same_rules() -> None:
    rules = [QcfgRule.parse(text) for text in ("NT_1 after NT_2 ### NT_2 NT_1 NT_2", "jump ### J", "walk ### W")]
    derivation = Derivation(0, (Derivation(1, (), 0.0), Derivation(2, (), 0.0)), 0.0)
    trees = derivation_figure(derivation, rules)
    assert trees is not None
    source, target = map(str, trees)
    assert texts(source, "words") == ["[2] after [3]", "jump", "walk"]
    assert texts(target, "words") == ["[3] [2] [3]", "J", "W"]
    assert re.findall(r'data-node="(\d)"', source) == re.findall(r'data-node="(\d)"', target) == ["1", "2", "3"]
    assert 'aria-label="2: jump ### J"' in source
    # In the target tree the rule in the second slot stands first.
    left = [float(x) for x in re.findall(r'<rect x="([\d.]+)"', target)]
    assert left[2] < left[1]


def test_no_two_boxes_overlap_and_long_labels_keep_their_slots() -> None:
    long = " ".join(["word"] * 30)
    rules = [
        QcfgRule.parse(f"NT_1 {long} NT_2 ### NT_1 NT_2"),
        QcfgRule.parse("NT_1 x ### NT_1"),
        QcfgRule.parse("a ### A"),
    ]
    leaf = Derivation(2, (), 0.0)
    trees = derivation_figure(Derivation(0, (Derivation(1, (leaf,), 0.0), leaf), 0.0), rules)
    assert trees is not None
    label = texts(str(trees[0]), "words")[0]
    assert label.startswith("[2] word")
    assert label.endswith("word [4]")
    assert "…" in label
    assert len(label) <= LONGEST
    for tree in map(str, trees):
        boxes = [
            tuple(map(float, box)) for box in re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"', tree)
        ]
        for place, (x, y, width) in enumerate(boxes):
            for other, top, _ in boxes[place + 1 :]:
                assert top != y or other >= x + width or other < x


def test_a_derivation_of_too_many_rules_is_not_drawn() -> None:
    rules = [QcfgRule.parse("a ### A"), QcfgRule.parse("NT_1 b ### NT_1 B")]
    deep = Derivation(0, (), 0.0)
    for _ in range(MOST - 1):
        deep = Derivation(1, (deep,), 0.0)
    assert len(iter_nodes(deep)) == MOST
    assert derivation_figure(deep, rules) is not None
    assert derivation_figure(Derivation(1, (deep,), 0.0), rules) is None


def test_bars_are_parted_by_shares() -> None:
    groups = [
        OutcomeGroup("<1>", Tally(right=1, wrong=1, malformed=1, abstained=1)),
        OutcomeGroup("2", Tally(2, 0, 0, 0)),
    ]
    drawn = str(outcome_figure(groups, name="n", title="t", across="x"))
    bars = re.findall(r'height="([\d.]+)" class="(\w+)-fill"><title>', drawn)
    assert bars == [("47.5", "train"), ("95", "test"), ("47.5", "none"), ("190", "train")]
    assert "&lt;1&gt;: coverage 75%, accuracy 25% of 4" in drawn
