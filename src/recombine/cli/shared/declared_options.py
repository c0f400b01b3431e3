"""Flags that come from declarations: the options of split methods, models and generators on their verbs.

Declarations live on the objects, whose modules are heavy to import. So a command asks for them only when it is parsed,
asked for help or inspected: `recombine --help` and the other verbs never do.
"""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from typer.core import TyperCommand

from recombine.cli.shared.quick_values import read_quickly

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recombine.options import Option

F = TypeVar("F", bound="Callable[..., Any]")
_GIVEN = "recombine.declared_options"


def with_options(declared: Callable[[], Sequence[Option]], *, after: str = "") -> Callable[[F], F]:
    """Give a verb the options that are declared; in its help they stand after the parameter of this name.

    The verb takes a `typer.Context` and asks `given_options` for the values.
    """

    def mark(verb: F) -> F:
        verb.declared, verb.declared_after = declared, after  # type: ignore[attr-defined]
        return verb

    return mark


def given_options(context: typer.Context) -> dict[str, Any]:
    """The declared options that were given, by name; what was not given is left out."""
    given: dict[str, Any] = context.meta.get(_GIVEN, {})
    return dict(given)


class DeclaredCommand(TyperCommand):
    """A command whose verb may have declared options besides its own, see `with_options`."""

    _made: tuple[tuple[Option, ...], list[Any]] = ((), [])

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters of the verb with the declared ones among them."""
        own: list[Any] = super().get_params(ctx)
        declared = self._declared()
        if not declared:
            return own
        after = getattr(self.callback, "declared_after", "")
        place = next((number for number, each in enumerate(own, start=1) if each.name == after), len(self.params))
        return [*own[:place], *declared, *own[place:]]

    def invoke(self, ctx: Any) -> Any:
        """Run the verb; declared values go by the context, since the function has no parameters for them."""
        values = {each.name: ctx.params.pop(each.name, None) for each in self._declared()}
        known = {each.name: each for each in self._made[0]}
        ctx.meta[_GIVEN] = {
            name: known[name].read(value) if _or_word(known[name]) else value
            for name, value in values.items()
            if value is not None
        }
        return super().invoke(ctx)

    def _declared(self) -> list[Any]:
        """The parameters of the declared options; the same objects as long as the declarations are the same."""
        ask = getattr(self.callback, "declared", None)
        options = () if ask is None else tuple(ask())
        if options != self._made[0]:
            self._made = (options, _parameters(options))
        return self._made[1]


def _parameters(options: Sequence[Option]) -> list[Any]:
    """The options as parameters of a command, none of them required; the object checks values, not the command."""

    def pattern() -> None:
        """A verb with nothing but these options."""

    pattern.__signature__ = Signature(  # type: ignore[attr-defined]
        [Parameter(each.name, Parameter.KEYWORD_ONLY, default=None, annotation=_annotation(each)) for each in options]
    )
    app = typer.Typer(add_completion=False)
    app.command()(pattern)
    params = list(typer.main.get_command(app).params)
    read_quickly(params)
    return params


def _annotation(option: Option) -> Any:
    """A flag of its type; a truth is a switch, with a second one to turn off what is on by default."""
    switch = option.type is bool and option.default is True
    names = f"{option.flag}/--no-{option.flag[2:]}" if switch else option.flag
    kind = str if _or_word(option) else option.type
    return Annotated[kind | None, typer.Option(names, help=option.help, metavar=option.metavar or None)]


def _or_word(option: Option) -> bool:
    """Whether a number may also be given as a word, which a flag of numbers would refuse."""
    return option.type is float and bool(option.choices)
