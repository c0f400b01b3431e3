from __future__ import annotations

import pytest

import recombine
from recombine.errors import OptionError, UnknownNameError
from recombine.languages.funql import FUNQL
from recombine.languages.known import LANGUAGES, find_language, register_language
from recombine.languages.language import Language

pytestmark = pytest.mark.filterwarnings("ignore:literals are kept")  # languages of one's own here do not tell them


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_name_gives_its_language(name: str) -> None:
    assert find_language(name).name == name


def test_an_unknown_language_is_named() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'funql'"):
        find_language("funkl")


def test_a_language_of_ones_own_is_found_by_name() -> None:
    own = Language("calls", FUNQL.parse, FUNQL.render)
    assert register_language(own) is own
    assert find_language("calls") is own
    assert recombine.load([("a", "f ( x )")], language="calls").language is own
    with pytest.raises(OptionError, match="there is a language 'funql' already, of the package"):
        register_language(FUNQL)
    assert list(LANGUAGES)[-1] == "calls"
