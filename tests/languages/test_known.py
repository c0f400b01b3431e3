from __future__ import annotations

import pytest

from recombine.errors import UnknownNameError
from recombine.languages.known import LANGUAGES, find_language


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_name_gives_its_language(name: str) -> None:
    assert find_language(name).name == name


def test_an_unknown_language_is_named() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'funql'"):
        find_language("funkl")
