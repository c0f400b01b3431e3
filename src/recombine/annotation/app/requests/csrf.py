"""The word a form carries to show that this app made it for this browser.

It is made from the cookie's own secret, so that every server process can check it and none has to keep it; a page of
another site can make a browser send the cookie, but cannot read it, and so cannot make the word.
"""

from __future__ import annotations

import base64
import hashlib
import hmac

FIELD = "_csrf"


def csrf_word(secret: str) -> str:
    """The word that belongs to a cookie.

    >>> csrf_word("a") == csrf_word("a"), csrf_word("a") == csrf_word("b"), len(csrf_word("a"))
    (True, False, 43)
    """
    digest = hmac.new(secret.encode(), b"recombine annotation form", hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def is_csrf_word(secret: str, word: str) -> bool:
    """Whether a form's word belongs to the cookie, in a time that does not depend on where they differ."""
    return hmac.compare_digest(csrf_word(secret).encode(), word.encode())
