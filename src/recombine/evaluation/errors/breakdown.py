"""A score's errors taken apart: by length, by what train does not show, and by the categories of the language."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from recombine.evaluation.errors.known import ALWAYS, find_analysis
from recombine.evaluation.errors.lengths import lengths
from recombine.evaluation.errors.rare_atoms import rare_atoms
from recombine.evaluation.errors.zero_probability import zero_probability
from recombine.evaluation.match.judge import Verdict
from recombine.evaluation.match.matchers import EXACT
from recombine.structures.dataset_features import extract_atoms
from recombine.structures.definition import AtomDefinition, Structures

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.evaluation.errors.first_error import FirstErrors
    from recombine.evaluation.errors.known import ErrorAnalysis, ErrorTable
    from recombine.evaluation.errors.lengths import Lengths
    from recombine.evaluation.errors.rare_atoms import RareAtoms
    from recombine.evaluation.errors.sparql_errors import SparqlErrors
    from recombine.evaluation.errors.sql_parts import SqlParts
    from recombine.evaluation.errors.zero_probability import ZeroProbability
    from recombine.evaluation.score import Score
    from recombine.records.dataset import Dataset
    from recombine.records.signature import Signature
    from recombine.records.split import Split
    from recombine.structures.kinds import Definition


@dataclass(frozen=True)
class Breakdown:
    """The errors of one score; what needs train is none where the split has no train part."""

    lengths: Lengths
    zero_probability: ZeroProbability | None
    rare_atoms: RareAtoms | None
    first_errors: FirstErrors | None
    """Where the symbols of programs are tokens: whether first wrong ones complete structures that train lacks."""
    by_language: Mapping[str, Any]
    """What the analyses of languages found, by their names; none under those of other languages."""
    language_tables: Sequence[ErrorTable]
    """The same for people."""
    signature: Signature

    @property
    def sparql(self) -> SparqlErrors | None:
        """Where the language is SPARQL: what is wrong with clauses and filters."""
        errors: SparqlErrors | None = self.by_language["sparql"]
        return errors

    @property
    def sql_parts(self) -> SqlParts | None:
        """Where the language is SQL: the parts of queries that are wrong."""
        parts: SqlParts | None = self.by_language["sql_parts"]
        return parts

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        names = ("zero_probability", "rare_atoms", "first_errors")
        parts = {**{name: getattr(self, name) for name in names}, **self.by_language}
        records = {name: None if part is None else part.to_record() for name, part in parts.items()}
        return {"lengths": self.lengths.to_record(), **records, "signature": str(self.signature)}


def breakdown(dataset: Dataset, split: Split, scored: Score) -> Breakdown:
    """Take the errors of a score apart; what is right is what its exact match says.

    >>> from recombine.evaluation.score import score
    >>> from recombine.splits.simple.random import RandomSplitter
    >>> from recombine.workbench import load
    >>> data = load([("jump", "I_JUMP"), ("jump twice", "I_JUMP I_JUMP"), ("run twice", "I_RUN I_RUN")])
    >>> split = RandomSplitter(train=1, test=2).split(data)
    >>> errors = breakdown(data, split, score(data, split, dict.fromkeys(split.test, "I_RUN")))
    >>> errors.lengths.whole.wrong, errors.zero_probability.wrong, errors.sparql
    (2, 2, None)
    """
    correct = [verdict is Verdict.RIGHT for verdict in scored.verdicts[EXACT]]
    pairs = [(dataset[key].target, scored.assigned.outputs.get(key, "")) for key in scored.ids]
    outputs = [(gold, output, right) for (gold, output), right in zip(pairs, correct, strict=True)]
    rows = split.positions(dataset, "train") if "train" in split.parts else []
    train = [dataset[row].target for row in rows]
    definition = atom_definition(dataset)
    analysis = find_analysis(dataset.language)
    test_rows = split.positions(dataset, scored.part)
    atoms = extract_atoms(dataset, definition) if rows else None
    by_language = None if analysis is None else _analysed(analysis, dataset, scored, pairs)
    return Breakdown(
        lengths(outputs, train=train or None),
        zero_probability(train, outputs) if rows else None,
        None if atoms is None else rare_atoms(atoms, rows, test_rows, correct),
        _first_errors(dataset, rows, test_rows, outputs) if rows and dataset.language else None,
        dict.fromkeys(ALWAYS) | ({} if analysis is None else {analysis.name: by_language}),
        () if analysis is None else analysis.shown(by_language),
        scored.signature.with_fields(
            lengths="symbols",
            trigrams="symbols,start=2,end=1" if rows else None,
            atoms=definition if rows else None,
            **({} if analysis is None else analysis.signature),
        ),
    )


def _analysed(analysis: ErrorAnalysis, dataset: Dataset, scored: Score, pairs: Sequence[tuple[str, str]]) -> Any:
    if analysis.of_data is None:
        return analysis.analyse(pairs)
    return analysis.of_data(dataset, {key: scored.assigned.outputs.get(key, "") for key in scored.ids})


def atom_definition(dataset: Dataset) -> Definition:
    """The data set's own atoms, by presence; the tokens of its targets where it has no definition."""
    if not dataset.structures:
        return AtomDefinition(kind="tokens")
    own: Any = Structures.parse(dataset.structures).atoms
    by_presence: Definition = replace(own, value="presence")
    return by_presence


def _first_errors(
    dataset: Dataset, train: list[int], test: list[int], outputs: list[tuple[str, str, bool]]
) -> FirstErrors | None:
    """After `local_structures`, §5.1, with structures of two nodes; none where symbols are not tokens."""
    from recombine.evaluation.errors.first_error import first_errors, unobserved_pairs_of

    pairs = unobserved_pairs_of(dataset, train, test)
    if pairs is None:
        return None
    return first_errors((*output, unobserved) for output, unobserved in zip(outputs, pairs, strict=True))
