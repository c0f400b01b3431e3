"""Answers in odd spellings, read as a table made by hand says (`odd_answers.tsv`)."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recombine.errors import InputFileError, RecordError, UnknownNameError
from recombine.evaluation.answers.answer_matcher import answer_matcher
from recombine.evaluation.answers.answer_reader import AnswerReader, Asked, Kind
from recombine.evaluation.answers.answer_table import KEYS, read_answer_table, usual_table
from recombine.evaluation.answers.asked_answers import options_of
from recombine.evaluation.match.judge import judge
from recombine.records.dataset import Dataset
from recombine.records.example import Example
from recombine.workbench import load

ODD = Path(__file__).with_name("odd_answers.tsv")
LINES = [line.split("\t") for line in ODD.read_text(encoding="utf-8").splitlines()[1:]]
SHIPPED = Path(usual_table.__wrapped__.__code__.co_filename).with_name("answers.toml")


def verdict(question: str, options: str, gold: object, answer: str, path: Path | None = None) -> str:
    """What is said of one answer."""
    context = {"answer": gold, **({"options": options.split("|")} if options else {})}
    data = Dataset.of("made", [Example("x", question, "", context=context)])
    table = usual_table() if path is None else read_answer_table(path)
    said = judge(data, ["x"], {"x": answer}, answer_matcher(data, table))[0]
    return "unreadable" if said == "malformed" else str(said)


@pytest.mark.parametrize(("question", "options", "gold", "answer", "wanted"), LINES)
def test_odd_spellings(question: str, options: str, gold: str, answer: str, wanted: str) -> None:
    assert verdict(question, options, gold, answer) == wanted


def test_the_table_made_by_hand_has_enough_of_everything() -> None:
    counts = Counter(line[4] for line in LINES)
    assert len(LINES) >= 100
    assert min(counts[kind] for kind in ("right", "wrong", "unreadable")) >= 20
    assert counts["abstained"] >= 4


@pytest.mark.parametrize(
    ("gold", "answer", "wanted"),
    [
        (True, "yes", "right"),
        (False, "yes", "wrong"),
        (1, "one", "right"),
        (1, "yes", "unreadable"),
        (2.5, "2.5", "right"),
        (["sofa", "couch"], "a couch", "right"),
        (["sofa", "couch"], "chair", "wrong"),
        (["3", "many"], "three", "right"),
    ],
)
def test_gold_answers_may_be_values_and_lists(gold: object, answer: str, wanted: str) -> None:
    assert verdict("?", "", gold, answer) == wanted


def test_every_gold_answer_is_right_to_itself(pytestconfig: pytest.Config) -> None:
    for question, options, gold, _, _ in LINES:
        assert verdict(question, options, gold, gold) == "right", gold


def test_options_of_programs_and_fields() -> None:
    program = 'choose_rel ( next to , "on (top)" , unique ( find ( cat ) ) , find ( box ) )'
    assert options_of(Example.of("?", program)) == ("next to", "on (top)")
    assert options_of(Example.of("?", "choose_rel ( broken")) == ()
    assert options_of(Example.of("?", "count ( find ( cat ) )")) == ()
    assert options_of(Example.of("?", "", context={"choices": ["x", "y"]})) == ("x", "y")


def test_the_kind_is_said_by_the_gold_answer() -> None:
    reader = AnswerReader(usual_table())
    kinds = {gold: asked.kind for gold in ("yes", "4", "four", "red") if (asked := reader.gold(gold)) is not None}
    assert kinds == {"yes": Kind.TRUTH, "4": Kind.NUMBER, "four": Kind.NUMBER, "red": Kind.OPEN}
    assert reader.gold("Red", ["blue", "red"]) == Asked(Kind.CHOICE, 1, ("blue", "red"))
    assert reader.gold("none").kind is Kind.OPEN  # type: ignore[union-attr]  # a word that may be a name
    assert reader.gold("right").kind is Kind.OPEN  # type: ignore[union-attr]  # of left and right
    assert reader.gold("…") is None


# -- a table of one's own -----------------------------------------------------------------------------------------


def own_table(tmp_path: Path, old: str, new: str) -> Path:
    """The table of the package with one change."""
    text = SHIPPED.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path = tmp_path / "own.toml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path


def test_frames_are_taken_off_only_where_the_table_says_so(tmp_path: Path) -> None:
    own = own_table(tmp_path, '"it is", "it\'s", "that is"', '"it\'s", "that is"')
    assert verdict("What color?", "", "grey", "It is grey") == "right"
    assert verdict("What color?", "", "grey", "It is grey", own) == "wrong"


def test_words_of_ones_own(tmp_path: Path) -> None:
    own = own_table(tmp_path, 'true = ["true", "yes"]', 'true = ["true", "yes", "oui", "jawohl, mein Herr"]')
    assert verdict("?", "", True, "Oui.") == "unreadable"
    assert verdict("?", "", True, "Oui.", own) == "right"
    assert verdict("?", "", True, "jawohl mein herr!", own) == "right"


def test_numbers_among_words_only_where_the_table_says_so(tmp_path: Path) -> None:
    text = SHIPPED.read_text(encoding="utf-8").replace("among_words = true", "among_words = false")
    (tmp_path / "own.toml").write_text(text, encoding="utf-8")
    assert verdict("How many?", "", 3, "three dogs", tmp_path / "own.toml") == "unreadable"
    assert verdict("How many?", "", 3, "three", tmp_path / "own.toml") == "right"
    assert verdict("Red or blue?", "red|blue", "red", "the red cup", tmp_path / "own.toml") == "unreadable"


def test_lists_may_be_empty(tmp_path: Path) -> None:
    text = re.sub(r"= \[[^]=]*\]\n", "= []\n", SHIPPED.read_text(encoding="utf-8"))
    text = re.sub(r"endings = \[.*\]\n", "endings = []\n", text)
    (tmp_path / "own.toml").write_text(text, encoding="utf-8")
    own = tmp_path / "own.toml"
    assert verdict("Red or blue?", "red|blue", "red", "A", own) == "unreadable"
    assert verdict("Red or blue?", "red|blue", "red", "red", own) == "right"
    assert verdict("What?", "", "dog", "dogs", own) == "wrong"
    assert verdict("What?", "", "dog", "I don't know", own) == "wrong"
    assert verdict("How many?", "", 3, "three", own) == "right"


def test_a_table_names_itself_by_what_it_says(tmp_path: Path) -> None:
    same = own_table(tmp_path, "# Left out wherever they stand.", "# Never kept.")
    assert read_answer_table(same).name.partition("@")[2] == usual_table().name.partition("@")[2]
    other = own_table(tmp_path, "more_words = 3", "more_words = 4")
    assert read_answer_table(other).name.partition("@")[2] != usual_table().name.partition("@")[2]


@pytest.mark.parametrize(
    ("old", "new", "error", "said"),
    [
        ("[truth]", "[truht]", UnknownNameError, "unknown section in .*own.toml 'truht'; did you mean 'truth'"),
        ("more_words = 3", "more_word = 3", UnknownNameError, "did you mean 'more_words'"),
        ("more_words = 3\n", "", InputFileError, r"has no key of \[open\] 'more_words'"),
        ("more_words = 3", "more_words = -1", InputFileError, "open.more_words is not a whole number"),
        ('articles = ["a", "an", "the"]', "articles = 3", InputFileError, "text.articles is not a list of texts"),
        ("[open]", "[open", InputFileError, "broken TOML"),
    ],
)
def test_what_is_wrong_in_a_table_is_said(
    tmp_path: Path, old: str, new: str, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        read_answer_table(own_table(tmp_path, old, new))


def test_the_table_has_each_key_that_is_read() -> None:
    assert {section: set(keys) for section, keys in usual_table().rules.items()} == {
        section: set(keys) for section, keys in KEYS.items()
    }


def test_an_example_without_an_answer_is_named() -> None:
    data = load([{"id": "q7", "question": "How many?", "program": "count"}], source="question", target="program")
    with pytest.raises(RecordError, match="example q7: has no field 'answer'"):
        judge(data, ["q7"], {"q7": "3"}, answer_matcher(data, usual_table()))


def test_an_answer_that_says_nothing_is_named() -> None:
    data = load([{"id": "q7", "question": "How many?", "answer": " "}], source="question", target="answer")
    with pytest.raises(RecordError, match="example q7: its answer"):
        judge(data, ["q7"], {"q7": "3"}, answer_matcher(data, usual_table()))


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="aA1٣½²-.,():'*\n ßİyesnoB²", max_size=20) | st.text(max_size=20), st.sampled_from(LINES))
def test_any_text_is_read_or_refused(text: str, line: list[str]) -> None:
    question, options, gold, _, _ = line
    said = verdict(question, options, gold, text)
    assert said in ("right", "wrong", "unreadable", "abstained")
    assert verdict(question, options, gold, f"  {text}\n") == said
