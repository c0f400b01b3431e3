"""The rules of a campaign: who gets which item, what counts, what is decided, and what that brings about."""

from __future__ import annotations

from importlib.util import find_spec

from recombine.errors import OptionError

if find_spec("sqlalchemy") is None:
    raise OptionError(
        "a campaign needs the package sqlalchemy, which is not installed", "pip install 'recombine[annotate]'"
    )
