"""A page of the report: a template with its style, its script and its data, as one file that asks for nothing."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING, Any

import orjson
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from recombine.pages.drawing.number_texts import percent, plural
from recombine.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def render_page(
    template: str,
    *,
    styles: Sequence[str],
    script: str,
    browser: Any,
    filters: Mapping[str, Callable[..., Any]] | None = None,
    **values: Any,
) -> bytes:
    """The page of a template; styles and script are templates too, `browser` is what the script reads."""
    environment = make_environment()
    environment.filters |= filters or {}
    style = "\n".join(environment.get_template(name).render().strip() for name in styles)
    code = environment.get_template(script).render().strip()
    page = environment.get_template(template).render(
        # The style and the script are files of this package, and script_json escapes what could end the element.
        style=Markup(style),  # noqa: S704
        script=Markup(code),  # noqa: S704
        browser=Markup(script_json(browser)),  # noqa: S704
        policy=_policy(style, code),
        version=__version__,
        **values,
    )
    return page.encode() + b"\n"


def make_environment() -> Environment:
    """The templates of this package, with the filters that all of them may use."""
    environment = Environment(
        loader=PackageLoader("recombine", "pages/templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {"percent": percent, "plural": plural}
    return environment


def script_json(value: Any) -> str:
    """JSON that may stand in a script element: no text in it can end the element or open a comment.

    >>> script_json({"a": "</script><!-- &"})
    '{"a":"\\\\u003c/script\\\\u003e\\\\u003c!-- \\\\u0026"}'
    """
    text = orjson.dumps(value, option=orjson.OPT_SERIALIZE_NUMPY).decode()
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _policy(style: str, script: str) -> str:
    """Nothing may be fetched, and only this style and this script may be used."""
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script)]
    return (
        f"default-src 'none'; style-src 'sha256-{hashes[0]}'; script-src 'sha256-{hashes[1]}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
