"""The cookie that says who a browser works for: the secret of the join link, read on every request.

It is kept from scripts, and from forms of other sites (`SameSite=Lax`; `Strict` would keep it from the page that a
join link in a mail leads to). Where the app is reached over TLS its name starts with `__Host-`, which ties it to this
host and to TLS.
"""

from __future__ import annotations

import re

DAYS = 90
SECRET = re.compile(r"[A-Za-z0-9_-]{16,128}")


def cookie_name(*, secure: bool) -> str:
    """The cookie's name."""
    return "__Host-worker" if secure else "worker"


def write_cookie(secret: str, *, secure: bool) -> str:
    """The header that sets it.

    >>> write_cookie("s", secure=False)
    'worker=s; Max-Age=7776000; Path=/; HttpOnly; SameSite=Lax'
    """
    ends = "; Secure" if secure else ""
    return f"{cookie_name(secure=secure)}={secret}; Max-Age={DAYS * 86_400}; Path=/; HttpOnly; SameSite=Lax{ends}"


def read_cookie(header: str, *, secure: bool) -> str:
    """The secret in a request's cookies; empty where there is none that could be one.

    >>> read_cookie("a=b; worker=0123456789abcdef", secure=False)
    '0123456789abcdef'
    >>> read_cookie("worker=<script>", secure=False)
    ''
    """
    name = cookie_name(secure=secure)
    for pair in header.split(";"):
        key, _, value = pair.strip().partition("=")
        if key == name:
            return value if SECRET.fullmatch(value) else ""
    return ""
