"""Grammars of one's own: what they add, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from graph_queries import entity, graph, thing

from recombine.errors import OptionError
from recombine.kb.wording.word_grammar import WordGrammar
from recombine.kb.wording.wordings import Wordings


def _file(folder: Path, text: str) -> Path:
    path = folder / "own.toml"
    path.write_text(text)
    return path


def test_words_of_ones_own_go_before(tmp_path: Path) -> None:
    own = """
    [classes]
    "ex.Co" = "firm"
    [relations."ex.emp"]
    of = "employer"
    subject = ["employs {}"]
    object = ["is employed by {}"]
    [words]
    verbs = ["frobs"]
    [questions.plain]
    tell = "tell me the {class} {rel}."
    """
    wordings = Wordings(None, None, _file(tmp_path, own))
    forward = [each.text for each in wordings.questions(graph([thing("ex.Co"), entity("Ann")], (0, "ex.emp", 1)))]
    assert "which firm employs [Ann]?" in forward
    assert "which firm is the employer of [Ann]?" in forward
    assert "tell me the firm that employs [Ann]." in forward
    backward = [each.text for each in wordings.questions(graph([thing("ex.P"), entity("Co")], (1, "ex.emp", 0)))]
    assert "which P is employed by [Co]?" in backward or "which p is employed by [Co]?" in backward
    assert not any("employs" in text for text in backward)
    assert wordings.questions(graph([thing("ex.Co"), entity("B")], (0, "frobs", 1)))[0].text == "which firm frobs [B]?"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[relation]", "unknown table 'relation'"),
        ("relations = 1", "'relations' is no table"),
        ("[relations.a]\nverb = 'x'", "unknown key 'verb'"),
        ("[relations.a]\nsubject = ['wrote']", "give verb phrases with one"),
        ("[relations.a]\nsubject = 'wrote {}'", "give verb phrases with one"),
        ("[relations.a]\nplural = 'yes'", "give true or false"),
        ("[relations]\na = 1", "has no words"),
        ("[classes]\na = 1", "has no noun"),
        ("[words]\nverb = ['x']", "unknown key of words 'verb'"),
        ("[words]\nverbs = 'x'", "no list of words"),
        ("[words.agents]\nbaker = 1", "no table of words"),
        ("[questions.plain]\nmine = 'which {clas}?'", "unknown slot 'clas'"),
        ("[questions.plain]\nmine = 'which {class?'", "close each"),
        ("[questions.plain]\nmine = 'which [x] {class}?'", "has a bracket"),
        ("[questions.odd]\nmine = 'x'", "unknown kind of question"),
        ("[questions", "is no TOML"),
    ],
)
def test_a_grammar_that_is_not_right(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(OptionError, match=r"own\.toml") as raised:
        WordGrammar(_file(tmp_path, text))
    assert problem in str(raised.value)
