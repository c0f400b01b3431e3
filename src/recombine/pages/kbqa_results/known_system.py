"""What a model of a study is to the page: a row of Table 3, a baseline, or another parser; told by its settings.

Names of models say nothing: a study may call them as it likes. The paper's BERT is any pretrained transformer here, and
its GloVe any fixed vectors; a parser that learns its words from scratch has no row in the paper.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.models.known import find_family

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from recombine.studies.cells.cell import StudyModel

PARSERS, BASELINES = "kbqa", "kbqa-baselines"
"""The families of parsers and of baselines."""
RANKING, TRANSDUCTION = "ranking", "transduction"
TAGGER, LINKER, GOLD = "tagger", "linker", "gold"
LINKERS = (TAGGER, LINKER)
"""The ways to link by names, that of the paper first: a tagger marks what is then looked up."""
_LESS = {"pretrained": "", "vectors": " – BERT", "scratch": ", from scratch"}
_TITLES = {
    "kbqa-uniform": "uniform draw",
    "kbqa-template": "most frequent template",
    "kbqa-nearest": "nearest neighbour",
    "kbqa-overlap": "word overlap",
}
ORDER = tuple(
    f"{kind.upper()}{' – VP' * whole}{less}"
    for kind in (TRANSDUCTION, RANKING)
    for less in _LESS.values()
    for whole in ((False, True) if kind == TRANSDUCTION else (False,))
)
"""The titles of parsers in the order of rows."""


@dataclass(frozen=True)
class KnownSystem:
    """A model of a study."""

    name: str
    """What the study calls it."""
    title: str
    """Its row of Table 3, a baseline, or its name."""
    kind: str
    """`ranking`, `transduction`, `baseline` or `other`."""
    encoder: str
    """`pretrained`, `vectors`, `scratch`, or empty."""
    pruned: bool
    links: str
    """`linker`, `gold`, or the name of a file."""
    hops: int
    beyond: tuple[str, ...]
    extra: str
    """What else of its settings is not as in Table 3, in words; empty for a row of it."""
    preset: str = ""
    names: str = ""
    """The file of names for the linker; empty where facts have them."""
    width: int = 0
    """Of a parser's network."""

    @property
    def in_table3(self) -> bool:
        """Whether it is as the paper has it, so that the paper's numbers may stand beside it."""
        return not self.extra and self.kind in (RANKING, TRANSDUCTION) and self.links in LINKERS

    @property
    def place(self) -> tuple[int, str, str]:
        """Where it stands among rows."""
        if self.title in ORDER:
            return ORDER.index(self.title), self.extra, self.name
        if self.preset in _TITLES:
            return len(ORDER) + list(_TITLES).index(self.preset), self.extra, self.name
        return len(ORDER) + len(_TITLES), self.extra, self.name


def known_system(model: StudyModel) -> KnownSystem:
    """What a model is, by its settings."""
    family, settings = find_family(model.preset).name, model.settings
    links, hops = str(settings.get("links", "")), int(settings.get("hops", 0))
    names = str(settings.get("names", ""))
    beyond = tuple(part.strip() for part in str(settings.get("beyond", "")).split(",") if part.strip())
    if family == BASELINES:
        title = _TITLES[model.preset]
        extra = _extra(hops, beyond, None)
        return KnownSystem(model.name, title, "baseline", "", True, links, hops, beyond, extra, model.preset, names)
    if family != PARSERS:
        return KnownSystem(model.name, model.name, "other", "", True, links, hops, beyond, "", model.preset, names)
    kind, encoder = str(settings["inference"]), str(settings["encoder"]).partition(":")[0]
    pruned = kind == RANKING or settings["vocabulary"] == "pruned"
    title = f"{kind.upper()}{'' if pruned else ' – VP'}{_LESS[encoder]}"
    extra = ", ".join(
        filter(None, (*_of_network(settings), _extra(hops, beyond, settings if kind == TRANSDUCTION else None)))
    )
    width = int(settings.get("width", 0))
    return KnownSystem(model.name, title, kind, encoder, pruned, links, hops, beyond, extra, model.preset, names, width)


def _of_network(settings: Mapping[str, Any]) -> Iterator[str]:
    """What of the network and of ranking is not the paper's."""
    if settings.get("shared_words"):
        yield "shared words"
    if settings["inference"] == RANKING and settings.get("overlap"):
        yield f"overlap {settings['overlap']:g}"


def _extra(hops: int, beyond: tuple[str, ...], transduction: Mapping[str, Any] | None) -> str:
    """What is not as usual: of candidates, and of what transduction may write."""
    said = [] if hops in (0, 2) else [f"{hops} hop"]
    if transduction is None:
        said += [f"with {name}" for name in beyond]
    else:
        said += ["any words"] * (transduction.get("forms") == "any")
        said += ["answered"] * (transduction.get("chosen") == "answered")
    return ", ".join(said)
