"""The models and their settings as tables of Markdown, from the declarations; `docs/models.md` holds them.

python -m recombine.models.settings_table
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.models.known import iter_families

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.models.family import Family
    from recombine.options import Option

PLAIN = {"seq2seq": "cfq:transformer", "pretrained": "pretrained"}
"""The models whose defaults stand in the table of a family, where it is not the first."""


def render_tables() -> str:
    """A table of all models, and one of settings for each family."""
    lines = ["| model | family | settings that differ |", "| --- | --- | --- |"]
    for family in iter_families():
        lines += [f"| `{name}` | {family.name} | {_differences(family, name)} |" for name in family.names()]
    for family in iter_families():
        lines += ["", *_settings_of(family)]
    return "\n".join(lines) + "\n"


def _plain(family: Family) -> str:
    return PLAIN.get(family.name, family.names()[0])


def _differences(family: Family, name: str) -> str:
    usual = {option.name: option.default for option in family.options_of(_plain(family))}
    changed = [o for o in family.options_of(name) if o.default != usual[o.name]]
    return ", ".join(f"`{option.name}={_text(option.default)}`" for option in changed)


def _settings_of(family: Family) -> Iterator[str]:
    plain = _plain(family)
    yield f"### {family.name}: {family.title}"
    yield ""
    yield f"| setting | default of `{plain}` | what it is |"
    yield "| --- | --- | --- |"
    for option in family.options_of(plain):
        yield f"| `{option.name}` | {_default(option)} | {option.whole_help} |"


def _default(option: Option) -> str:
    return f"`{_text(option.default)}`" if option.default != "" else ""


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return repr(value)[1:-1] if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    print(render_tables(), end="")
