"""The paper's rows make the scores that its tables draw, and fit the presets that stand for them."""

from __future__ import annotations

import pytest

from recombine.evaluation.generalization.covr_paper import covr_paper
from recombine.measures.properties.property_table import property_table

# Computed by hand from Tables 7 and 8; none where the paper draws that the model is below the text-only one. Section 4
# says 97 for HAS-NUM-3, 34 for HAS-NUM-3-ANS-3 and 76 for HAS-LOGIC-AND.
SCORES = {
    "covr:has-quant": 40,
    "covr:has-quant-all": 61,
    "covr:has-quant-comp": 65,
    "covr:has-compar": 7,
    "covr:has-compar-more": 74,
    "covr:has-groupby": 78,
    "covr:has-logic": 84,
    "covr:has-logic-and": 76,
    "covr:has-num-3": 97,
    "covr:has-num-3-ans-3": 34,
    "covr:rm/v": 68,
    "covr:ans-num": 20,
    "covr:has-quant-comp+has-quant-all": None,
    "covr:has-count+has-attr": 100,
    "covr:has-count+rm/v": 90,
    "covr:has-sameattr-color": 100,
    "covr:tpl-chooseobject": None,
    "covr:tpl-verifyquantattr": None,
    "covr:tpl-verifyattr": None,
    "covr:tpl-verifycount-or-verifycountgroupby": 7,
    "covr:program": 64,
    "covr:lexical": 99,
}


def test_the_22_scores_of_the_paper() -> None:
    found = {name: row.generated.score for name, row in covr_paper().setups.items()}
    assert len(found) == 22
    assert {name: None if score is None or score < 0 else round(100 * score) for name, score in found.items()} == SCORES
    assert all(score is not None for score in found.values())


def test_under_75_in_8_of_12() -> None:
    # Section 4 says 7 of the set-ups with few examples. By the accuracies it prints it is 8: HAS-COMPAR-MORE has 74.2.
    few = [row.generated.score for row in covr_paper().setups.values() if row.tables == (7, 14)]
    assert (len(few), sum(score is not None and score < 0.75 for score in few)) == (12, 8)


def test_paraphrased_questions_are_harder_on_average() -> None:
    # Section 4: "generalization scores are lower" there.
    rows = covr_paper().setups.values()
    pairs = [(row.generated.score, row.paraphrased.score) for row in rows]
    assert sum(other for _, other in pairs if other is not None) < sum(one for one, _ in pairs if one is not None)


@pytest.mark.parametrize("name", SCORES)
def test_a_row_filters_what_its_preset_says(name: str) -> None:
    row, preset = covr_paper().setups[name], property_table().presets[name]
    assert preset.paper == pytest.approx(row.share)
    assert (preset.few_shot == 500) == (row.tables == (7, 14))


def test_the_text_only_row_of_a_template_is_that_of_its_set_up() -> None:
    # A model that is trained once on everything has one accuracy on a template, wherever it is printed.
    paper = covr_paper()
    for template in ("CHOOSEOBJECT", "VERIFYQUANTATTR", "VERIFYATTR"):
        row = paper.setups[f"covr:tpl-{template.lower()}"]
        assert paper.templates[template][:2] == (row.generated.text, row.generated.iid)
        assert paper.templates[template][2:] == (row.paraphrased.text, row.paraphrased.iid)
    assert len(paper.templates) == 15


def test_the_systems_of_table_6() -> None:
    assert covr_paper().systems["text"] == (46.6, 41.0)
    assert covr_paper().systems["people"] == (None, 93.1)
