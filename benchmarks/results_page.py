"""Writes docs/results.md and studies/results/index.html: every table and figure of the five papers, and ours.

    python benchmarks/results_page.py            # writes both
    python benchmarks/results_page.py --check    # writes nothing; 1 where one is not what it would write

Both are made of docs/results.toml, whose head explains its keys, and of what is stored: numbers of studies are means
over the cells in studies/results/STUDY, so that both are true again once they are written after cells were added. No
model is run and no data is read.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import orjson
from markupsafe import Markup, escape

from recombine.errors import RecombineError
from recombine.files import write_whole
from recombine.pages.drawing.page import render_page
from recombine.studies.tuning.held_back import HELD_BACK

ROOT = Path(__file__).parent.parent
STATES = {
    "reproduced": "the same data and measure, all or nearly all of it",
    "part": "the same, but rows, columns or models are missing or differ, as said",
    "other data": "run on data or with models that are not the paper’s, as said",
    "not run": "why not, and the command that would",
    "not a result": "a drawing, an example, a list or a definition",
}
FIELD = re.compile(r"\{([^{}]+)\}")
CODE = re.compile(r"`([^`]+)`")
HEADING = re.compile(r"#+ (.+)")
NONE = "–"

Made = TypeVar("Made")


class ResultsError(RecombineError):
    """The file of results asks for what is not there, or is not in its form."""


@dataclass(frozen=True)
class Study:
    """A study: how many cells it has, and the seconds on a GPU that one takes."""

    name: str
    cells: int | None = None
    seconds_each: float | None = None

    @property
    def command(self) -> str:
        """What runs the cells that are left."""
        return f"recombine study run studies/{self.name}.toml"


@dataclass(frozen=True)
class Result:
    """A table or figure of a paper, and what became of it."""

    paper: str
    label: str
    shows: str
    state: str
    published: str = ""
    ours: str = ""
    differs: str = ""
    why: str = ""
    command: str = ""
    pages: Sequence[str] = ()
    studies: Sequence[str] = ()
    needs: Sequence[str] = ()
    whole: bool = False


@dataclass(frozen=True)
class Line:
    """A result as it is shown: texts with their numbers, links as (name, path from the root, anchor)."""

    result: Result
    state: str
    ours: str
    notes: Sequence[str]
    links: Sequence[tuple[str, str, str]]


@dataclass(frozen=True)
class Overview:
    """The file of results beside what is stored under a folder."""

    root: Path = ROOT
    _cells: dict[str, list[dict[str, Any]]] = field(default_factory=dict, repr=False)

    @cached_property
    def record(self) -> dict[str, Any]:
        """What the file says."""
        return tomllib.loads((self.root / "docs" / "results.toml").read_text())

    @cached_property
    def results(self) -> list[Result]:
        """All results, in the order of the file; a state that is not known is refused."""
        made = [_made(Result, entry) for entry in self.record["result"]]
        for each in made:
            if each.state not in STATES:
                raise ResultsError(f"{each.paper}, {each.label}: state {each.state!r} is none of {', '.join(STATES)}")
        return made

    @cached_property
    def studies(self) -> dict[str, Study]:
        """The studies by name."""
        return {entry["name"]: _made(Study, entry) for entry in self.record["study"]}

    def cells(self, study: str) -> list[dict[str, Any]]:
        """The records of a study's cells that are done; runs that only choose values are none."""
        if study not in self.studies:
            raise ResultsError(f"the study {study} is used and has no [[study]]")
        if study not in self._cells:
            files = sorted((self.root / "studies" / "results" / study).glob("*.json"))
            records = [orjson.loads(file.read_bytes()) for file in files]
            done = [record for record in records if record.get("state") == "done"]
            self._cells[study] = [record for record in done if record["part"] != HELD_BACK]
        return self._cells[study]

    # -- numbers -------------------------------------------------------------------------------------------------------

    def number(self, asked: str) -> str:
        """What stands for a field: a mean over cells, or a number of a file; a dash where nothing is stored."""
        kind, _, rest = asked.partition(" ")
        if kind == "kept":
            return self._kept(*rest.split(" ", 1))
        study, model, *splits = rest.split()
        values = [
            cell["score"][kind] if kind in cell["score"] else _no_metric(kind, cell)
            for cell in self.cells(study)
            if cell["model"]["name"] == model and any(fnmatchcase(cell["split"]["name"], each) for each in splits)
        ]
        return f"{100 * statistics.fmean(values):.1f}" if values else NONE

    def _kept(self, name: str, path: str) -> str:
        """A number of a file of kept results."""
        if not (self.root / name).exists():
            return NONE
        value = orjson.loads((self.root / name).read_bytes())
        for key in path.split(" > "):
            if not isinstance(value, dict) or key not in value:
                raise ResultsError(f"{name} has no {path!r}: there is no {key!r}")
            value = value[key]
            if value is None:
                return NONE
        return f"{value:.1f}"

    def filled(self, text: str) -> str:
        """A text with its numbers."""
        return FIELD.sub(lambda asked: self.number(asked[1]), text)

    # -- what is shown -------------------------------------------------------------------------------------------------

    def there(self, name: str) -> bool:
        """Whether a study has a stored cell, or a file is there."""
        return bool(self.cells(name)) if name in self.studies else (self.root / name).exists()

    def left(self, study: Study) -> str:
        """What is not stored of a study, with its seconds and command; empty where nothing is left."""
        stored = len(self.cells(study.name))
        if study.cells is None:
            return "" if stored else f"no cell of {study.name} is stored: `{study.command}`"
        rest = study.cells - stored
        if rest <= 0:
            return ""
        if study.seconds_each is None:
            raise ResultsError(f"{study.name} has {rest} cells left and no seconds_each")
        seconds = f"about {_round(rest * study.seconds_each):,} s on one H200, `{study.command}`"
        return f"not run: {rest} of the {study.cells} cells of {study.name}, {seconds}"

    def line(self, result: Result) -> Line:
        """A result as it is shown."""
        run = all(self.there(each) for each in result.needs)
        left = [] if result.whole else [self.left(self.studies[each]) for each in result.studies]
        notes = [self.filled(result.differs), result.why, *left]
        if result.command:
            notes.append(f"`{result.command}`")
        links = [*map(self._page, result.pages), *map(self._study, result.studies)]
        state, ours = (result.state, self.filled(result.ours)) if run else ("not run", "")
        shown = self._told_apart([link for link in links if link])
        return Line(result, state, ours, [note for note in notes if note], shown)

    def _page(self, page: str) -> tuple[str, str, str] | None:
        """A link to a section; an anchor that no heading of the page has is refused."""
        name, _, anchor = page.partition("#")
        link = self._link(name, name.removesuffix(".md"), f"docs/{name}", anchor)
        if link and anchor and anchor not in self._headings(name):
            raise ResultsError(f"docs/{name} has no heading for #{anchor}")
        return link

    def _headings(self, page: str) -> dict[str, str]:
        """The headings of a page of the documentation by their anchors."""
        lines = (self.root / "docs" / page).read_text().splitlines()
        return {slug(found[1]): found[1] for line in lines if (found := HEADING.match(line))}

    def _told_apart(self, links: Sequence[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
        """Links in which sections of one page have their headings as names."""
        often = Counter(path for _, path, _ in links)
        return [
            (self._headings(Path(path).name)[anchor] if often[path] > 1 and anchor else name, path, anchor)
            for name, path, anchor in links
        ]

    def _study(self, name: str) -> tuple[str, str, str] | None:
        page = f"studies/results/{name}.html"
        return self._link(name, name, page if (self.root / page).exists() else f"studies/{name}.toml", "")

    def _link(self, named: str, name: str, path: str, anchor: str) -> tuple[str, str, str] | None:
        """A link; none to what is awaited, and what is not there otherwise is refused."""
        if (self.root / path).exists():
            return name, path, anchor
        if named not in self.record["awaited"]:
            raise ResultsError(f"{path} is named in docs/results.toml and is not there")
        return None

    @cached_property
    def lines(self) -> dict[str, list[Line]]:
        """All lines by paper."""
        papers: dict[str, list[Line]] = {paper["name"]: [] for paper in self.record["paper"]}
        for result in self.results:
            if result.paper not in papers:
                raise ResultsError(f"{result.label}: no [[paper]] is named {result.paper!r}")
            papers[result.paper].append(self.line(result))
        return papers

    def counts(self, paper: str) -> dict[str, int]:
        """How many results of a paper are in each state."""
        found = Counter(line.state for line in self.lines[paper])
        return {state: found[state] for state in STATES}


def _made(kind: Callable[..., Made], entry: Mapping[str, Any]) -> Made:
    """An entry of the file as an object; a key that is not known is refused."""
    try:
        return kind(**entry)
    except TypeError as problem:
        raise ResultsError(f"docs/results.toml, {entry.get('label') or entry.get('name')}: {problem}") from problem


def _no_metric(kind: str, cell: Mapping[str, Any]) -> float:
    raise ResultsError(f"the cell {cell['name']} ({cell['key']}) has no {kind} in its score")


def slug(heading: str) -> str:
    """The anchor of a heading.

    >>> slug("CFQ's MCD1"), slug("Accuracy by training size, Figures 9 and 11")
    ('cfqs-mcd1', 'accuracy-by-training-size-figures-9-and-11')
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _round(seconds: float) -> int:
    """Seconds with two digits that count.

    >>> _round(208), _round(10998)
    (210, 11000)
    """
    return int(float(f"{seconds:.2g}"))


# -- Markdown ----------------------------------------------------------------------------------------------------------

HEAD = """# Results: the five papers, table by table

Every table and figure of the five papers that Recombine is built after, and the results that they print in words alone.
Made by `python benchmarks/results_page.py` from [results.toml](results.toml) and from the stored cells of the
[studies](studies.md), whose means over runs stand here; other numbers are those of the pages beside them. Accuracies
are in percent. [The same as one page](../studies/results/index.html), to be filtered, lies beside the studies' pages.
"""


def markdown(overview: Overview) -> str:
    """The page of the documentation."""
    parts = [HEAD, _markdown_counts(overview), "\n".join(f"- *{state}*: {words}" for state, words in STATES.items())]
    for paper in overview.record["paper"]:
        rows = [_markdown_row(line) for line in overview.lines[paper["name"]]]
        head = ["", "what it shows", "state", "the paper", "here", "what differs, what is left, commands", "where"]
        parts += [f"\n## [{paper['title']}]({paper['link']})", _table([head, ["---"] * len(head), *rows])]
    return "\n\n".join(part.rstrip("\n") for part in parts).replace("\n\n\n", "\n\n") + "\n"


def _markdown_counts(overview: Overview) -> str:
    rows = [[paper["short"], *map(str, overview.counts(paper["name"]).values())] for paper in overview.record["paper"]]
    total = [str(sum(int(row[place]) for row in rows)) for place in range(1, len(STATES) + 1)]
    return _table([["paper", *STATES], ["---", *["---:"] * len(STATES)], *rows, ["all", *total]])


def _markdown_row(line: Line) -> list[str]:
    links = ", ".join(f"[{link[0]}]({_address(link, 'docs')})" for link in line.links)
    result = line.result
    return [result.label, result.shows, line.state, result.published, line.ours, "; ".join(line.notes), links]


def _table(rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows)


def _address(link: tuple[str, str, str], folder: str) -> str:
    """Where a link leads from a folder."""
    _, path, anchor = link
    return _relative(path, folder) + (f"#{anchor}" if anchor else "")


def _relative(path: str, folder: str) -> str:
    """A path from the root as seen from a folder.

    >>> _relative("docs/nqg.md", "docs"), _relative("docs/nqg.md", "studies/results")
    ('nqg.md', '../../docs/nqg.md')
    """
    return path.removeprefix(f"{folder}/") if path.startswith(f"{folder}/") else "../" * (folder.count("/") + 1) + path


# -- HTML --------------------------------------------------------------------------------------------------------------


def page(overview: Overview) -> bytes:
    """The page beside those of the studies."""
    papers = [
        {**paper, "counts": overview.counts(paper["name"]), "lines": overview.lines[paper["name"]]}
        for paper in overview.record["paper"]
    ]
    return render_page(
        "results.html",
        styles=("report.css", "results.css"),
        script="results.js",
        browser={},
        filters={"code": _code, "address": lambda link: _address(link, "studies/results")},
        papers=papers,
        states=STATES,
    )


def _code(text: str) -> Markup:
    """Text whose parts between backticks are code."""
    pieces = [
        Markup("<code>{}</code>").format(each) if n % 2 else escape(each) for n, each in enumerate(CODE.split(text))
    ]
    return Markup("").join(pieces)


def made(overview: Overview) -> dict[Path, bytes]:
    """Both files."""
    root = overview.root
    return {
        root / "docs" / "results.md": markdown(overview).encode(),
        root / "studies" / "results" / "index.html": page(overview),
    }


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Write both files, or say which is not as it would be written."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit with 1 where a file is not as it should be"
    )
    asked = parser.parse_args(arguments)
    try:
        files = made(Overview(root))
    except RecombineError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2
    wrong = [path for path, content in files.items() if not path.exists() or path.read_bytes() != content]
    if asked.check:
        for path in wrong:
            print(f"{path.relative_to(root)} is not what `python benchmarks/results_page.py` writes")
        return bool(wrong)
    for path in wrong:
        write_whole(path, files[path])
        print(f"written: {path.relative_to(root)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
