"""A tagger of the training questions: links by it, and the same one for any order of them."""

from __future__ import annotations

import pytest

from recombine.errors import OptionError
from recombine.kb.open_store import open_store
from recombine.models.kbqa.kbqa_settings import KbqaSettings
from recombine.models.kbqa.linked_examples import linked_examples, trained_tagger
from recombine.models.kbqa.run_task import make_all
from recombine.records.example import Example

STORE = open_store("docs/examples/films.ttl")
NAMES = {"Ann_Other": "Ann Other", "Bo_Else": "Bo Else", "Tin_Boat": "Tin Boat", "Red_Kite": "Red Kite"}
WORDINGS = ("what did {} make?", "which films are by {}?", "who is {} of the films?", "count what {} made", "about {}")


def question(number: int, name: str) -> Example:
    """A question that mentions an entity by its name."""
    text = WORDINGS[number % len(WORDINGS)].format(NAMES[name])
    return Example(id=f"{number}/{name}", source=text, target=f"(JOIN directed_by {name})")


TRAIN = [question(number, name) for number in range(5) for name in NAMES]


def test_the_order_of_questions_does_not_matter() -> None:
    one = trained_tagger(TRAIN, STORE, "", "sexpression")
    other = trained_tagger(TRAIN[::-1], STORE, "", "sexpression")
    assert (one.weights == other.weights).all()
    assert (one.following == other.following).all()
    assert one.weights.any()


def test_links_are_of_what_it_marks() -> None:
    tagger = trained_tagger(TRAIN, STORE, "", "sexpression")
    asked = [Example(id="1", source="what did Bo Else make?", target=""), Example(id="2", source=" ", target="")]
    linked, way = linked_examples(asked, "tagger", STORE, tagger=tagger)
    nodes = [example.context["graph_query"]["nodes"] for example in linked]
    assert ([[(node["id"], node["friendly_name"]) for node in each] for each in nodes], way) == (
        [[("Bo_Else", "Bo Else")], []],
        "gold",
    )


def test_arrays_by_a_tagger() -> None:
    given = (TRAIN[:4], "sexpression", STORE, "tagger", KbqaSettings(links="tagger"))
    made = make_all(*given, candidates_of={TRAIN[0].id}, learned=TRAIN)
    assert made.questions.link_words == tuple(NAMES)
    assert made.counts.targets["covered"] == 2  # nothing is directed by a film


def test_without_mentions_there_is_none() -> None:
    with pytest.raises(OptionError, match="no tagger of mentions can be trained"):
        trained_tagger([Example(id="1", source="?", target="(broken")], STORE, "", "sexpression")
