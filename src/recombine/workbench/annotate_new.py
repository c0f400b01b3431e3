"""A new campaign of work for people: a flow of tasks, and the items that go into it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.annotation.campaign.campaign import Campaign
    from recombine.annotation.tasks.flow import Flow
    from recombine.records.dataset import Dataset
    from recombine.records.example import Example
    from recombine.workbench.load import Data, LanguageLike

Changes = Mapping[str, Any] | Iterable[str] | str | None
"""Options of tasks by their places, or as `check.workers=2`."""


@dataclass(frozen=True, repr=False, eq=False)
class AnnotateNew(Result):
    """A campaign that was made."""

    store: str
    name: str
    flow: str
    counts: dict[str, int]
    """How many there are of each task."""
    controls: int
    qualifications: tuple[str, ...]
    """What some tasks want of workers."""
    lacks_controls: tuple[str, ...]
    """Tasks whose batches have a hidden control, and for which there is none."""
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """What `recombine annotate new --json` prints."""
        return {
            "store": self.store,
            "campaign": self.name,
            "flow": self.flow,
            "items": dict(self.counts),
            "controls": self.controls,
            "qualifications": list(self.qualifications),
            "lacks_controls": list(self.lacks_controls),
            "signature": self.signature,
        }

    def __str__(self) -> str:
        counts = ", ".join(f"{count:,} of {task}" for task, count in self.counts.items())
        made = f"{self.store}: the campaign {self.name} of the flow {self.flow}"
        return f"{made}, items: {counts}; {self.controls:,} controls"


@verb
def annotate_new(
    store: Path | str,
    *,
    flow: Path | str,
    items: Path | str | None = None,
    data: Data | None = None,
    task: str | None = None,
    n: int | None = None,
    controls: Path | str | None = None,
    set: Changes = None,  # noqa: A002
    name: str | None = None,
    enrol: bool = False,
    code_after: int | None = None,
    profile: Path | str = "freebase",
    ontology: Path | str | None = None,
    source: str | None = None,
    target: str | None = None,
    language: LanguageLike | None = None,
    seed: int = 0,
) -> AnnotateNew:
    """Make a campaign at a place where there is none: a folder, a SQLite file or a URL of Postgres.

    `flow` is one that ships (`grailqa`, `covr`, `audit`) or a TOML file; `set` changes options of its tasks, such as
    `check.workers=2`. Items are those of a file, or examples of `data` as items of one `task`, of which `n` are drawn.
    `controls` is a file of lines `{task, show, answer}`. With `enrol`, who comes with a platform's id in the link
    joins, and gets a code for the platform after `code_after` answers. Of forms over a knowledge base, `profile` and
    `ontology` are those that `kb tasks` takes.
    """
    from recombine.workbench.given.open_campaign import check_installed

    check_installed()
    from recombine.annotation.campaign.campaign import Campaign
    from recombine.annotation.exchange.read_items import read_controls
    from recombine.annotation.exchange.store_place import is_url, store_place
    from recombine.annotation.tasks.read_flow import read_flow
    from recombine.files import make_folder

    if (items is None) == (data is None):
        raise OptionError("a campaign needs items, of a file or of data", "give --items FILE or --data DATA")
    if items is not None and (task is not None or n is not None):
        raise OptionError("--task and -n are for --data", "the file says which items there are")
    chosen = _enrolling(read_flow(flow, changes=_changes(set)), enrol, code_after)
    lines = _lines(chosen, items, data, task, n, seed, (source, target, language), (profile, ontology))
    hidden = [] if controls is None else read_controls(controls)
    place = store_place(store)
    if not is_url(store):
        make_folder(Path(place).parent)
    called = name or (Path(store).stem if not is_url(store) else chosen.name)
    with _removed_where_it_fails(place), Campaign.create(place, chosen, name=called) as campaign:
        campaign.add_items(lines, file="items" if items is None else items)
        if hidden:
            campaign.add_controls(hidden, file=str(controls))
        return _result(store, campaign)


def _enrolling(flow: Flow, enrol: bool, code_after: int | None) -> Flow:
    """The flow, open to whom a crowd platform sends."""
    if code_after is not None and code_after < 1:
        raise OptionError(f"a code after {code_after} answers", "give 1 or more")
    if code_after is not None and not (enrol or flow.open_enrolment):
        raise OptionError("a code is for workers who enrol", "give --enrol too")
    changes = {"open_enrolment": True} if enrol else {}
    return flow.model_copy(update=changes | ({} if code_after is None else {"complete_after": code_after}))


def _lines(
    flow: Flow,
    items: Path | str | None,
    data: Data | None,
    task: str | None,
    n: int | None,
    seed: int,
    reading: tuple[str | None, str | None, LanguageLike | None],
    forms: tuple[Path | str, Path | str | None],
) -> list[dict[str, Any]]:
    """The items, of a file or of data."""
    from recombine.annotation.exchange.items_of_data import items_of_data
    from recombine.annotation.exchange.read_items import read_items
    from recombine.workbench.load import load

    if items is not None:
        return read_items(items)
    assert data is not None  # noqa: S101  # one of the two is given
    source, target, language = reading
    dataset = load(data, source=source, target=target, language=language)
    chosen = flow.of(task) if task is not None else next((each for each in flow.task if each.export), flow.task[0])
    shows = _shows_of_forms(dataset, chosen.name, forms)
    return items_of_data(dataset, flow, chosen.name, n=n, seed=seed, shows=shows)


def _shows_of_forms(dataset: Dataset, task: str, forms: tuple[Path | str, Path | str | None]) -> Any:
    """What shows a form of a knowledge base as `kb tasks` does; none for other data and tasks."""
    from recombine.records.example import thawed
    from recombine.workbench.given.form_lines import TASKS, form_lines

    if (
        task not in TASKS
        or not all("graph_query" in tags for tags in dataset.iter_mappings("tags"))
        or not len(dataset)
    ):
        return None
    made = form_lines(dataset.name, task, 1, *forms, None)

    def shows(example: Example) -> dict[str, Any]:
        record = {**thawed(example.tags), "qid": example.id, "question": example.source}
        return dict(made(f"example {example.id}", record)[0].show)

    return shows


def _changes(given: Changes) -> dict[str, Any]:
    """Options of tasks by place; a value is as TOML has it, and a text where it is none."""
    if given is None or isinstance(given, Mapping):
        return dict(given or {})
    read: dict[str, Any] = {}
    for text in [given] if isinstance(given, str) else given:
        place, equals, value = text.partition("=")
        if not equals or "." not in place:
            raise OptionError(f"cannot read the option {text!r}", "write TASK.OPTION=VALUE, such as check.workers=2")
        if place in read:
            raise OptionError(f"{place} is set twice", "set it once")
        try:
            read[place] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            read[place] = value
    return read


@contextmanager
def _removed_where_it_fails(place: Path | str) -> Iterator[None]:
    """Leave no half of a campaign: what was made at a place is removed where an error ends the making."""
    path = None if isinstance(place, str) else place
    there = path is not None and path.exists()
    try:
        yield
    except BaseException:
        if path is not None and not there:
            for ending in ("", "-wal", "-shm", "-journal"):
                path.with_name(path.name + ending).unlink(missing_ok=True)
        raise


def _result(store: Path | str, campaign: Campaign) -> AnnotateNew:
    from recombine.annotation.exchange.store_place import shown_place

    counts: dict[str, int] = {}
    for item in campaign.items():
        if not item.control:
            counts[item.task] = counts.get(item.task, 0) + 1
    controls = list(campaign.controls())
    lacks = [
        task.name
        for task in campaign.flow.task
        if task.controlled and not any(control.task == task.name for control in controls)
    ]
    flow = campaign.flow
    about = (flow.name, counts, len(controls), flow.qualifications, tuple(lacks), campaign.signature)
    return AnnotateNew(shown_place(store), campaign.name, *about)
