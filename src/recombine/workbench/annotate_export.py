"""What comes out of a campaign, as files: examples, answers, verdicts, or open items, also for Label Studio."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from recombine.errors import UnknownNameError
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.annotation.campaign.campaign import Campaign
    from recombine.annotation.exchange.label_studio.label_studio_tasks import LabelStudioTask
    from recombine.records.dataset import Dataset

EXAMPLES, RESPONSES, VERDICTS, ANSWERS, ITEMS = "examples", "responses", "verdicts", "answers", "items"
LABEL_STUDIO = "label-studio"
FORMATS = (EXAMPLES, RESPONSES, VERDICTS, ANSWERS, ITEMS, LABEL_STUDIO)


@dataclass(frozen=True, repr=False, eq=False)
class AnnotateExport(Result):
    """What is written: a data set, lines, or projects of Label Studio."""

    campaign: str
    format: str
    count: int
    signature: str
    examples: Dataset | None = field(default=None, repr=False)
    lines: tuple[dict[str, Any], ...] = field(default=(), repr=False)
    projects: tuple[LabelStudioTask, ...] = field(default=(), repr=False)

    def to_dict(self) -> dict[str, Any]:
        """What `recombine annotate export --json` prints."""
        value = {"campaign": self.campaign, "format": self.format, "count": self.count, "file": None}
        if self.format == LABEL_STUDIO:
            value["tasks"] = {project.task: len(project.tasks) for project in self.projects}
        return value | {"signature": self.signature}

    def __str__(self) -> str:
        what = "open items" if self.format in (ITEMS, LABEL_STUDIO) else self.format
        return f"{self.campaign}: {self.count:,} {what}"

    def write(self, path: Path | str) -> None:
        """Write a file, whole or not at all; of Label Studio a folder with TASK.json and TASK.xml for each task."""
        import orjson

        from recombine.datasets.files.tables import write_table
        from recombine.files import make_folder, write_whole

        if self.examples is not None:
            write_table(self.examples, path)
        elif self.format == LABEL_STUDIO:
            folder = make_folder(path)
            for project in self.projects:
                tasks = orjson.dumps(list(project.tasks), option=orjson.OPT_INDENT_2)
                write_whole(folder / f"{project.task}.json", tasks + b"\n")
                write_whole(folder / f"{project.task}.xml", project.config.encode())
        else:
            write_whole(path, b"".join(orjson.dumps(line) + b"\n" for line in self.lines))


@verb
def annotate_export(store: Path | str, *, format: str = EXAMPLES) -> AnnotateExport:  # noqa: A002
    """What a campaign has: accepted answers as `examples`, all `responses`, `verdicts`, or open `items`.

    As `answers`, what became of items of a file is for the verb that wrote them. Open items also go out in the files of
    Label Studio. The same store gives the same bytes.
    """
    from recombine.progress import working
    from recombine.workbench.given.open_campaign import open_campaign

    if format not in FORMATS:
        raise UnknownNameError("format", format, FORMATS)
    with open_campaign(store) as campaign, working("reading the campaign"):
        return _exported(campaign, format)


def _exported(campaign: Campaign, kind: str) -> AnnotateExport:
    from recombine.annotation.exchange.answer_rows import iter_answer_rows
    from recombine.annotation.exchange.examples import examples_of
    from recombine.annotation.exchange.item_rows import iter_item_rows
    from recombine.annotation.exchange.label_studio.label_studio_tasks import label_studio_tasks
    from recombine.annotation.exchange.response_rows import iter_response_rows, iter_verdict_rows

    if kind == EXAMPLES:
        data = examples_of(campaign)
        return AnnotateExport(campaign.name, kind, len(data), campaign.signature, examples=data)
    if kind == LABEL_STUDIO:
        projects = tuple(label_studio_tasks(campaign))
        count = sum(len(project.tasks) for project in projects)
        return AnnotateExport(campaign.name, kind, count, campaign.signature, projects=projects)
    rows = {
        RESPONSES: iter_response_rows,
        VERDICTS: iter_verdict_rows,
        ANSWERS: iter_answer_rows,
        ITEMS: iter_item_rows,
    }
    lines = tuple(rows[kind](campaign))
    return AnnotateExport(campaign.name, kind, len(lines), campaign.signature, lines=lines)
