"""Every gold form of generated questions is one that transduction may write."""

from __future__ import annotations

import pytest

from recombine.models.kbqa.arrays.codes import SYMBOLS, first_link
from recombine.models.kbqa.arrays.question_arrays import LITERAL
from recombine.models.kbqa.arrays.schema_arrays import CLASS
from recombine.models.kbqa.inference.form_automaton import (
    CLASS_KIND,
    ENTITY_KIND,
    LITERAL_KIND,
    RELATION_KIND,
    accepts,
)
from recombine.models.kbqa.kbqa_settings import KbqaSettings
from recombine.models.kbqa.making.make_arrays import make_arrays
from recombine.workbench import generate


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::recombine.errors.InputWarning")
def test_generated_targets_are_allowed() -> None:
    dataset = generate("kbqa", n=300, seed=5).dataset
    schema, questions, *_ = make_arrays(dataset, list(dataset), "gold", KbqaSettings(), candidates_of=())
    links = first_link(len(schema))
    for row in range(len(questions)):
        own = questions.link_kinds[questions.links(row)]
        kinds = [
            int(code)
            if code < len(SYMBOLS)
            else (CLASS_KIND if schema.kinds[code - len(SYMBOLS)] == CLASS else RELATION_KIND)
            if code < links
            else (LITERAL_KIND if own[code - links] == LITERAL else ENTITY_KIND)
            for code in questions.targets[row]
        ]
        assert kinds
        assert accepts(kinds), questions.text(row, questions.targets[row], schema)
