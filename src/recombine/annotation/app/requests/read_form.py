"""A form as a browser sends it: names and values, checked against the cookie's word before anything else is read."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from recombine.annotation.app.requests.csrf import FIELD, is_csrf_word
from recombine.annotation.app.requests.guard import RefusedError

if TYPE_CHECKING:
    from starlette.requests import Request

KIND = "application/x-www-form-urlencoded"
MOST_FIELDS = 500


class Form:
    """What a form holds; a name may come several times."""

    def __init__(self, pairs: list[tuple[str, str]]) -> None:
        self._pairs = pairs

    def one(self, name: str) -> str:
        """The value of a name; empty where it does not come, refused where it comes twice.

        >>> Form([("a", "1")]).one("a"), Form([]).one("a")
        ('1', '')
        """
        values = self.all(name)
        if len(values) > 1:
            raise RefusedError(400, "The form holds a field twice.")
        return values[0] if values else ""

    def all(self, name: str) -> list[str]:
        """Every value of a name, in the form's order."""
        return [value for key, value in self._pairs if key == name]


async def read_form(request: Request, secret: str) -> Form:
    """The form of a request by whoever has the cookie; refused where it was not made for that cookie."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != KIND:
        raise RefusedError(415, "A form is sent as a browser sends it.")
    form = parse_form(await request.body())
    if not is_csrf_word(secret, form.one(FIELD)):
        raise RefusedError(403, "This form is not from a page that this site made for you. Go back and load it again.")
    return form


def parse_form(body: bytes) -> Form:
    """Names and values of a body.

    >>> parse_form(b"a=1&a=%C3%A4+b&c=").all("a")
    ['1', 'ä b']
    """
    try:
        pairs = parse_qsl(body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
    except ValueError as error:
        raise RefusedError(400, "The form cannot be read.") from error
    if any("\0" in name or "\0" in value for name, value in pairs):
        raise RefusedError(400, "The form holds a character that is no text.")
    # Browsers end lines of a text area with two characters; a text has one.
    return Form([(name, value.replace("\r\n", "\n").replace("\r", "\n")) for name, value in pairs])
