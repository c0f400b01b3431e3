"""What `prompt` gives: prompts for a language model, and what they show, lack and leave out."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING, Any

from recombine.pages.drawing.number_texts import plural
from recombine.workbench.results.result import Result

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from recombine.records.signature import Signature
    from recombine.selection.prompts.fit_prompt import Fitted
    from recombine.selection.prompts.kb_known import KbCounts


@dataclass(frozen=True, repr=False, eq=False)
class PromptResult(Result):
    """Prompts for the questions of a part."""

    data: str
    part: str
    shown_from: str
    by: str
    k: int
    prompts: tuple[Fitted, ...] = field(repr=False)
    answers: str
    """The language of answers; empty where it is not known."""
    fewer: int
    """Prompts for which fewer than `k` examples were to be had, before anything was cut."""
    same_question: int
    """Prompts that show an example with the text of the question itself."""
    in_both: int
    """Examples of the pool that are in the part as well, and are never shown."""
    unconverted: Mapping[str, str]
    """Examples that the notation of answers has nothing for, and are never shown, each with why."""
    without_program: Mapping[str, str]
    """Questions whose program to cover is not there or cannot be read, each with why; they show similar examples."""
    links: str
    """How entities are linked; empty where prompts have none."""
    kb: KbCounts | None
    schema: int
    """How many relations, and how many classes, are listed at most."""
    signature: Signature

    def lines(self) -> Iterator[dict[str, Any]]:
        """The prompts as JSON has them: `{id, shown, messages}`."""
        return (fitted.prompt.line() for fitted in self.prompts)

    def write(self, path: Path | str) -> None:
        """Write the prompts as JSON lines, whole or not at all."""
        import orjson

        from recombine.files import writing_whole

        with writing_whole(path) as stream:
            for line in self.lines():
                stream.write(orjson.dumps(line) + b"\n")

    @property
    def shown_ids(self) -> tuple[str, ...]:
        """The ids of all examples that are shown, each once."""
        return tuple(dict.fromkeys(each.id for fitted in self.prompts for each in fitted.prompt.shown))

    def to_dict(self) -> dict[str, Any]:
        """What `recombine prompt --json` prints."""
        lengths = [fitted.prompt.length() for fitted in self.prompts]
        return {
            "data": self.data,
            "part": self.part,
            "from": self.shown_from,
            "by": self.by,
            "k": self.k,
            "prompts": len(self.prompts),
            "examples": len(self.shown_ids),
            "answers": self.answers or None,
            "characters": {"median": median(lengths), "most": max(lengths), "total": sum(lengths)},
            "cut": {
                "prompts": sum(bool(each.examples_cut or each.items_cut) for each in self.prompts),
                "examples": sum(each.examples_cut for each in self.prompts),
                "schema_items": sum(each.items_cut for each in self.prompts),
            },
            "fewer": self.fewer,
            "same_question": self.same_question,
            "in_both": self.in_both,
            "unconverted": dict(self.unconverted),
            "without_program": dict(self.without_program),
            "links": self.links or None,
            "schema": None if self.kb is None else self._schema(self.kb),
            "signature": str(self.signature),
            "file": None,
        }

    def _schema(self, counts: KbCounts) -> dict[str, Any]:
        return {
            "most": self.schema,
            "without_link": list(counts.without_link),
            "unpruned": list(counts.unpruned),
            "unknown_links": dict(counts.unknown),
            "cut": counts.cut,
            "items_cut": counts.items_cut,
            "covered": counts.covered,
            "comparable": counts.comparable,
        }

    def notes(self) -> Iterator[str]:
        """What the prompts lack or leave out, a sentence each."""
        value, kb = self.to_dict(), self.kb
        cut = value["cut"]
        if cut["prompts"]:
            yield (
                f"{plural(cut['prompts'], 'prompt')} cut to fit: {plural(cut['examples'], 'example')} and "
                f"{plural(cut['schema_items'], 'schema item')} left out"
            )
        if self.fewer:
            yield f"{plural(self.fewer, 'prompt')} with fewer than {self.k} examples: no more were to be had"
        if self.same_question:
            yield f"{plural(self.same_question, 'prompt')} with an example that has the text of the question itself"
        if self.in_both:
            yield f"{plural(self.in_both, 'example')} of {self.shown_from} not shown: in {self.part} as well"
        yield from _first("example", "not shown, which cannot be written so", self.unconverted)
        yield from _first("question", "without a program to cover, with similar examples", self.without_program)
        if kb is not None and kb.without_link:
            yield f"{plural(len(kb.without_link), 'question')} without a link, the first {kb.without_link[0]}"
        if kb is not None and kb.unpruned:
            yield f"{plural(len(kb.unpruned), 'question')} without an entity to prune by: from the whole schema"
        if kb is not None:
            yield from _first("question", "with links to what no fact has", kb.unknown)

    def __str__(self) -> str:
        shown = f"{plural(self.k, 'example')} each by {self.by}" if self.k else "no examples"
        return f"{plural(len(self.prompts), 'prompt')} for {self.part} of {self.data}, {shown}"


def _first(kind: str, what: str, reasons: Mapping[str, str]) -> Iterator[str]:
    """How many there are, and the first with its reason; nothing where there is none."""
    if reasons:
        key, why = next(iter(reasons.items()))
        yield f"{plural(len(reasons), kind)} {what}, the first {key}: {why}"
