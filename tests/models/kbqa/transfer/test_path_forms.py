"""Forms by paths: those that lead to just the answers; of several, the one that the wording has most often."""

from __future__ import annotations

from pathlib import Path

import pytest

from recombine.kb.embedded.build_index import build_index
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.loaders.open_triples import open_triples
from recombine.kb.profiles.profile import Profile
from recombine.models.kbqa.transfer.path_forms import path_forms
from recombine.records.example import Example

# A and B flew both red kites and were built by one; C's builder and flyer differ.
FACTS = """A|flown_by|Ann
A|built_by|Ann
B|flown_by|Bo
B|built_by|Bo
C|flown_by|Ann
C|built_by|Cy
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedStore:
    folder: Path = tmp_path_factory.mktemp("kites")
    profile = Profile("plain", "urn:name:")
    (folder / "kb.txt").write_text(FACTS)
    build_index(open_triples(folder / "kb.txt", profile=profile), folder / "kites.kb", profile=profile)
    return EmbeddedStore.open(folder / "kites.kb")


def asked(source: str, topic: str, *answers: str) -> Example:
    return Example.of(source, "|".join(answers), tags={"topic": topic, "answers": list(answers)})  # type: ignore[dict-item]


def test_several_paths_are_told_apart_by_the_same_wording(store: EmbeddedStore) -> None:
    questions = [
        asked("who built [A]", "A", "Ann"),  # flown_by leads there too
        asked("who built [C]", "C", "Cy"),  # and here it does not
        asked("who flew [B]", "B", "Bo"),
        asked("who flew [C]", "C", "Ann"),
    ]
    made = path_forms(store, questions, 1)
    assert [each.target for each in made.questions] == [
        "(JOIN (R built_by) A)",
        "(JOIN (R built_by) C)",
        "(JOIN (R flown_by) B)",
        "(JOIN (R flown_by) C)",
    ]
    assert made.counts == {"one path": 2, "several paths": 2, "no path": 0}
    assert [each.tags["hops"] for each in made.questions] == [1] * 4


def test_without_another_wording_the_first_relation_is_taken(store: EmbeddedStore) -> None:
    made = path_forms(store, [asked("who is behind [A]", "A", "Ann")], 1)
    assert [each.target for each in made.questions] == ["(JOIN (R built_by) A)"]


def test_questions_without_a_path_are_counted_and_left_out(store: EmbeddedStore) -> None:
    questions = [asked("who built [A]", "A", "Bo"), asked("who built [Z]", "Z", "Bo"), asked("who flew [B]", "B", "Bo")]
    made = path_forms(store, questions, 1)
    assert [each.source for each in made.questions] == ["who flew [B]"]
    assert made.counts == {"one path": 0, "several paths": 1, "no path": 2}


def test_two_hops_leave_the_topic_out(store: EmbeddedStore) -> None:
    # Ann flew A and C; from A, the kites that its flyer flew are A and C, of which A is the topic
    made = path_forms(store, [asked("what else did the flyer of [A] fly", "A", "C")], 2)
    assert [each.target for each in made.questions] == ["(JOIN flown_by (JOIN (R built_by) A))"]
    assert made.counts["several paths"] == 1
