"""The messages of a prompt, their order, and what is cut to make it fit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recombine.errors import OptionError, UnknownNameError
from recombine.selection.prompts.fit_prompt import fit_prompt
from recombine.selection.prompts.prompt import Prompt, check_form
from recombine.selection.prompts.question import Known, Question

BEST, OTHER = Question("e1", "jump twice", answer="J J"), Question("e2", "run", answer="R")
LISTED = (Known.of("Entities", ("Jaws: m.0",)), Known.of("Relations", ("made_by", "year_of_release"), 5))
ASKED = Question("q", "jump")
PROMPT = Prompt("Translate.", (BEST, OTHER), ASKED)


def test_the_best_example_is_next_to_the_question() -> None:
    assert PROMPT.line() == {
        "id": "q",
        "shown": ["e2", "e1"],
        "messages": [
            {"role": "system", "content": "Translate."},
            {"role": "user", "content": "Question: run"},
            {"role": "assistant", "content": "R"},
            {"role": "user", "content": "Question: jump twice"},
            {"role": "assistant", "content": "J J"},
            {"role": "user", "content": "Question: jump"},
        ],
    }
    assert replace(PROMPT, order="best-first").line()["shown"] == ["e1", "e2"]


def test_one_text() -> None:
    (message,) = replace(PROMPT, style="text", order="best-first").messages()
    assert message["role"] == "user"
    assert message["content"] == (
        "Translate.\n\nQuestion: jump twice\nAnswer: J J\n\nQuestion: run\nAnswer: R\n\nQuestion: jump\nAnswer:"
    )


def test_what_is_listed() -> None:
    block = Question("q", "who made Jaws?", LISTED).block()
    assert block == "Question: who made Jaws?\nEntities:\n- Jaws: m.0\nRelations:\n- made_by\n- year_of_release"
    assert Known.of("Classes", ("Film", "Person"), 1).text() == "Classes (1 of 2):\n- Film"
    assert Known.of("Entities", ()).text() == "Entities: none"
    assert Known.of("Classes", ("Film",), 1).shorter().text() == "Classes (0 of 1): none"


def test_unknown_forms_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="style of prompts 'chat'"):
        check_form("chat", "best-last")
    with pytest.raises(UnknownNameError, match="order of examples 'worst'"):
        check_form("turns", "worst")


# By hand: the system's 10 characters, "Question: jump" 14, of OTHER 13 and 1, of BEST 20 and 3.
@pytest.mark.parametrize(("most", "kept"), [(61, ["e1", "e2"]), (60, ["e1"]), (47, ["e1"]), (46, []), (24, [])])
def test_the_least_good_examples_are_cut_first(most: int, kept: list[str]) -> None:
    assert PROMPT.length() == 61
    fitted = fit_prompt(PROMPT, most)
    assert [each.id for each in fitted.prompt.shown] == kept
    assert (fitted.examples_cut, fitted.items_cut) == (2 - len(kept), 0)
    assert fitted.prompt.length() <= most


def test_without_a_limit_nothing_is_cut() -> None:
    assert fit_prompt(PROMPT, None) == (PROMPT, 0, 0)


def test_then_the_schema_is_cut_and_never_the_links() -> None:
    prompt = Prompt("T.", (OTHER,), Question("q", "who made Jaws?", LISTED))
    bare = "Question: who made Jaws?\nEntities:\n- Jaws: m.0\nRelations (1 of 2):\n- made_by"
    fitted = fit_prompt(prompt, len("T." + bare))
    assert fitted.prompt.messages()[-1]["content"] == bare
    assert (fitted.examples_cut, fitted.items_cut) == (1, 1)
    with pytest.raises(OptionError, match=r"the prompt of q has \d+ characters without examples and schema"):
        fit_prompt(prompt, 40)


def test_the_longest_list_is_cut() -> None:
    known = (Known.of("Relations", ("a",), 9), Known.of("Classes", ("b", "c", "d" * 20), 9))
    prompt = Prompt("", (), Question("q", "?", known))
    fitted = fit_prompt(prompt, prompt.length() + len(" (2 of 3)") - len("\n- ") - 20)
    assert [len(each.items) for each in fitted.prompt.question.known] == [1, 2]
