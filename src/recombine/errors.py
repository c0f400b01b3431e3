"""Every error a user can cause, each with what to do about it.

The text of an error is one line: what is wrong, where, and the remedy. The command line prints it after `error:` and
exits with `exit_code`; from Python it is an ordinary exception.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path


class RecombineError(Exception):
    """The base of all errors that a user can cause and mend."""

    exit_code = 2

    def __init__(self, problem: str, remedy: str = "") -> None:
        self.problem = " ".join(problem.split())
        self.remedy = " ".join(remedy.split())
        super().__init__(f"{self.problem}; {self.remedy}" if self.remedy else self.problem)


class InputWarning(UserWarning):
    """What was taken for granted in reading a file; the command line prints it as a message."""


class InputFileError(RecombineError):
    """A file that is missing, is a directory, is not text, or cannot be read."""


class RecordError(RecombineError):
    """One record of a file is malformed; the message names the file and the record.

    `reason` is the word that such records are counted under, such as `missing_field`.
    """

    def __init__(
        self, path: Path | str, record: str, problem: str, remedy: str = "", *, reason: str = "malformed"
    ) -> None:
        self.path, self.record, self.reason, self.fault = str(path), record, reason, " ".join(problem.split())
        super().__init__(f"{path}, {record}: {problem}", remedy)

    def in_all(self, records: int) -> RecordError:
        """The same of all records."""
        problem = f"{self.fault}, as in all {records:,} records"
        return RecordError(self.path, self.record, problem, self.remedy, reason=self.reason)


class UnreadableError(RecordError):
    """Several records cannot be read: all are counted by their reasons, and the first of them are named."""

    NAMED = 5

    def __init__(self, data: Path | str, first: Iterable[RecordError], counts: Mapping[str, int], records: int) -> None:
        self.counts, self.path, self.record, self.reason = dict(counts), str(data), "", "several"
        wrong = sum(counts.values())
        named = [f"{error.record}: {error.fault}" for error in first][: self.NAMED]
        more = [f"and {wrong - len(named):,} more"] if wrong > len(named) else []
        self.fault = f"{wrong:,} of {records:,} records cannot be read ({reasons_text(counts)})"
        RecombineError.__init__(
            self,
            f"{data}: {self.fault}: {'; '.join(named + more)}",
            "mend them, or leave them out with --skip-unreadable",
        )


def reasons_text(counts: Mapping[str, int]) -> str:
    """Counts by reason, the most frequent first.

    >>> reasons_text({"malformed": 1, "missing_field": 1200})
    '1,200 missing field, 1 malformed'
    """
    ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    return ", ".join(f"{count:,} {reason.replace('_', ' ')}" for reason, count in ordered)


class GrammarError(RecombineError):
    """A grammar file does not say what it should; the message gives line and column."""

    def __init__(self, path: Path | str, line: int, column: int, problem: str, remedy: str = "") -> None:
        self.line, self.column = line, column
        super().__init__(f"{path}, line {line}, column {column}: {problem}", remedy)


class ProgramError(RecombineError):
    """A program that is not of its language; the message gives the column, counted from 1."""

    LONGEST = 200
    """So many characters of what is wrong are shown, whose words may be the program's own."""

    def __init__(self, language: str, position: int, problem: str, remedy: str = "") -> None:
        self.position = position
        if len(problem) > self.LONGEST:
            problem = f"{problem[: self.LONGEST // 2]} … {problem[-self.LONGEST // 2 :]}"
        super().__init__(f"{language} program, column {position + 1}: {problem}", remedy)


class NotReadError(ProgramError):
    """A program of a kind that its language has, and that is not read."""


class GraphQueryError(ProgramError):
    """A graph query that is not as GrailQA writes them; the message names the field."""

    def __init__(self, field: str, problem: str, remedy: str = "") -> None:
        self.position, self.field = 0, field
        RecombineError.__init__(self, f"graph query, {field}: {problem}", remedy)


class UnreadableAnswerError(ProgramError):
    """An answer in words that does not say what its question asks for."""

    def __init__(self, output: str, problem: str, remedy: str = "") -> None:
        self.position = 0
        RecombineError.__init__(self, f"the answer {output[:60]!r} {problem}", remedy)


class FormError(RecombineError):
    """A logical form that can be read, and that another notation, a semantics or a store has nothing for."""


class DerivationError(RecombineError):
    """A derivation does not fit its grammar, or an example has none where one is needed."""


class DefinitionError(RecombineError):
    """The name of a structure definition cannot be read."""


class SplitError(RecombineError):
    """A split file is malformed, or the split is for other data."""


class SizeError(RecombineError):
    """Sizes that the data cannot give."""


class OptionError(RecombineError):
    """An option has a value that cannot be used."""


class InfeasibleError(RecombineError):
    """Constraints that no split found can meet; carries the best split all the same."""

    exit_code = 1

    def __init__(self, problem: str, remedy: str = "", *, best: Any = None) -> None:
        self.best = best
        super().__init__(problem, remedy)


class ClusterError(RecombineError):
    """A cluster that does not answer, was lost, or could not do its work."""


class KnowledgeBaseError(RecombineError):
    """A knowledge base, its profile or its ontology that is missing, damaged, or of another kind or version."""


class AnswerError(RecombineError):
    """An answer of a store that is cut, late, broken or not to be had: never taken for an empty one, never kept."""


class LateAnswerError(AnswerError):
    """An answer that did not come within its time."""


class RefusedQueryError(AnswerError):
    """A query that a store does not take, whatever its facts are."""


class FlowError(RecombineError):
    """A file of a flow of tasks for people that does not say what it should."""


class CampaignError(RecombineError):
    """What the rules of a campaign do not allow."""


class StoreError(CampaignError):
    """A campaign's store that is missing, in the way, damaged, out of reach, or of another version."""


class UnknownTokenError(CampaignError):
    """A token that is nobody's."""


class UnknownWorkerError(CampaignError):
    """A worker who is not of the campaign."""


class ConsentError(CampaignError):
    """Work that is asked for by somebody who has not agreed to the consent text."""


class NotYoursError(CampaignError):
    """An item that is not kept for the worker who answers it."""


class AlreadyAnsweredError(CampaignError):
    """An item that its worker has answered otherwise."""


class AdjudicationError(CampaignError):
    """A decision of a lead that the rules do not allow."""


class RefusedAnswerError(CampaignError):
    """An answer that is refused at entry.

    `reason` is a word to count by: `missing`, `too_long`, `not_an_option`, `unknown_field`, `brackets_lost`,
    `brackets_added`, `brackets_unbalanced`, `copy_of_shown`, `copy_of_accepted` or `copy_of_pending`.
    """

    def __init__(self, field: str, reason: str, problem: str, remedy: str = "") -> None:
        self.field, self.reason = field, reason
        super().__init__(problem, remedy)


class OutputFileError(RecombineError):
    """A path that cannot be written."""


class DownloadError(RecombineError):
    """A file that cannot be fetched whole, is not what was pinned, or has no pinned address."""


class MissingDataError(RecombineError):
    """Files of a catalogue entry are not in the data directory."""


class UnknownNameError(RecombineError):
    """A name that is not in a list; the nearest known one is suggested."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(known)
        near = get_close_matches(name, names, n=1, cutoff=0.5)
        shown = ", ".join(names[:24]) + (", …" if len(names) > 24 else "")
        remedy = f"did you mean {near[0]!r}? known: {shown}" if near else f"known: {shown}"
        super().__init__(f"unknown {kind} {name!r}", remedy)
