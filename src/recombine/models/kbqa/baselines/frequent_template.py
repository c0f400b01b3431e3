"""The candidate whose template the most training questions have.

A template is a form with slots for entities and literals. Of equally frequent ones the first in the order of codes is
taken. Where no candidate has a template of train, there is no answer: a template that was never seen has no frequency.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Self

from recombine.models.kbqa.arrays.candidate_paths import candidate_paths
from recombine.models.kbqa.baselines.form_template import form_template

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.models.kbqa.arrays.question_arrays import QuestionArrays
    from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays
    from recombine.models.kbqa.baselines.form_template import Template


class FrequentTemplate:
    """Templates with the number of training questions that have each."""

    def __init__(self, counts: Mapping[Template, int] | None = None) -> None:
        self.counts: Counter[Template] = Counter(counts or {})

    def fit(self, schema: SchemaArrays, train: QuestionArrays) -> None:
        """Count templates; questions without a target count for none."""
        self.counts = Counter(
            form_template(target.tolist(), schema, train.link_kinds[train.links(row)].tolist())
            for row in range(len(train))
            if len(target := train.targets[row])
        )

    def answer(self, schema: SchemaArrays, questions: QuestionArrays, row: int) -> str:
        """The candidate of the most frequent template; empty where train has none of them."""
        kinds = questions.link_kinds[questions.links(row)].tolist()
        best, most = None, 0
        for path in candidate_paths(questions.candidates, row):
            count = self.counts[form_template(path, schema, kinds)]
            if count > most:
                best, most = path, count
        return "" if best is None else questions.text(row, best, schema)

    def to_dict(self) -> dict[str, Any]:
        """What is kept of it."""
        return {"templates": [[list(template), count] for template, count in sorted(self.counts.items())]}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any], seed: int) -> Self:
        """As it was kept."""
        del seed
        return cls({tuple(template): int(count) for template, count in record["templates"]})
