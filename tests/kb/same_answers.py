"""Whether two stores give the same answers to random forms."""

from __future__ import annotations

from valued_facts import FormMaker

from recombine.evaluation.answers.answer_f1 import value_key
from recombine.kb.forms.form import Form, SExpression
from recombine.kb.store import Store


def same_answers(index: Store, other: Store, maker: FormMaker, number: int) -> int:
    """Execute so many forms on both, a third of them graph queries, and give how many had answers.

    Literals are compared by their values: stores keep `1.20E2` as `120`.
    """
    answered = 0
    for turn in range(number):
        form: Form = SExpression(maker.sexpression()) if turn % 3 else maker.graph()
        answers = index.execute(form)
        assert set(map(value_key, other.execute(form))) == set(map(value_key, answers)), form
        answered += bool(answers)
    return answered
