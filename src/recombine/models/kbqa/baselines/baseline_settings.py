"""What baselines have in common with parsers: how questions are linked, and which candidates they have."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from recombine.errors import UnknownNameError
from recombine.models.kbqa.kbqa_settings import KbqaSettings
from recombine.options import option, options_of

if TYPE_CHECKING:
    from recombine.options import Option

UNIFORM, TEMPLATE, NEAREST, OVERLAP = CHOICES = ("uniform", "template", "nearest", "overlap")
_OF_PARSERS: dict[str, Option] = {each.name: each for each in options_of(KbqaSettings)}


def _same(name: str) -> Any:
    """An option as parsers have it."""
    declared = _OF_PARSERS[name]
    return option(declared.default, declared.help)


@dataclass(frozen=True, kw_only=True)
class BaselineSettings:
    """The settings of a baseline, each as a parser has it.

    >>> BaselineSettings(links="gold").of_parser.links
    'gold'
    """

    choice: str = option(
        UNIFORM,
        "What is chosen: a uniform draw, or by template, nearest question or overlap of words.",
        choices=CHOICES,
    )
    train_links: str = _same("train_links")
    links: str = _same("links")
    names: str = _same("names")
    hops: int = _same("hops")
    answer_class: bool = _same("answer_class")
    beyond: str = _same("beyond")

    def __post_init__(self) -> None:
        if self.choice not in CHOICES:
            raise UnknownNameError("choice", self.choice, CHOICES)
        self.of_parser  # noqa: B018  # refuses what parsers refuse

    @property
    def of_parser(self) -> KbqaSettings:
        """The settings of a parser with the same links and candidates."""
        return KbqaSettings(**{name: value for name, value in asdict(self).items() if name != "choice"})
