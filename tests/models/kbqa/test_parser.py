"""A parser over a knowledge base: it learns, is kept, answers in both ways and over other graphs, and counts."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

from town import ONTO, TINY, entity, question, questions, town

from recombine.errors import InputFileError, InputWarning, OptionError, RecombineError
from recombine.kb.open_store import open_store
from recombine.models.kbqa import kept_training
from recombine.models.kbqa.asked_query import asked_query
from recombine.models.kbqa.kbqa_family import FAMILY, make
from recombine.models.kbqa.kbqa_settings import KbqaSettings
from recombine.models.kbqa.parser import KbqaParser
from recombine.models.kbqa.store import load, save
from recombine.records.example import Example, Query
from recombine.records.world import World

TRAIN, DEV = questions(range(48)), questions(range(48, 64))


def fitted(settings: KbqaSettings, **values: Any) -> KbqaParser:
    return KbqaParser(settings, **values).fit_with_dev(TRAIN, DEV, as_world(town()))


def as_world(store: Any) -> World:
    return store  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def parser() -> KbqaParser:
    """A parser that has learned which of two relations is asked for."""
    return fitted(KbqaSettings(**{**TINY, "width": 32, "epochs": 12, "rate": 1e-2}))


def test_it_ranks_what_it_has_learned(parser: KbqaParser) -> None:
    asked = questions(range(16))
    given = parser.with_settings().predict([each.query for each in asked], as_world(town()))
    right = [form is not None and each.target in form for form, each in zip(given, asked, strict=True)]
    assert sum(right) >= 12
    assert FAMILY.facts is not None
    assert FAMILY.describe is not None
    facts = FAMILY.facts(parser)
    assert (facts["learned"], facts["left_out"], facts["encoder"]) == (48, 0, "scratch")
    assert FAMILY.describe({**facts, "examples": 48}).startswith(f"scratch: {facts['passes']} passes over 48 questions")


def test_a_kept_parser_is_the_same(parser: KbqaParser, tmp_path: Path) -> None:
    save(parser, tmp_path / "kept", "model:kbqa")
    names = sorted(path.name for path in (tmp_path / "kept").iterdir())
    assert names == ["model.json", "tagger.npz", "weights.safetensors"]
    again = load(tmp_path / "kept")
    queries = [each.query for each in questions(range(16))]
    for changes in ({"inference": "ranking"}, {"inference": "transduction"}, {"links": "tagger"}):
        one, two = (each.with_settings(**changes).predict(queries, as_world(town())) for each in (parser, again))
        assert one == two
    assert (again.learned, again.record, again.seed) == (parser.learned, parser.record, parser.seed)
    (tmp_path / "kept" / "weights.safetensors").write_bytes(b"")
    with pytest.raises(InputFileError, match=r"weights\.safetensors: is not the file that model\.json was written"):
        load(tmp_path / "kept")
    (tmp_path / "kept" / "weights.safetensors").unlink()
    with pytest.raises(InputFileError, match=r"weights\.safetensors: is missing"):
        load(tmp_path / "kept")


def test_transduction_answers_without_links_and_ranking_counts_them(parser: KbqaParser) -> None:
    asked = [question(0).query, Query("x", "what is it all about?")]
    ranking = parser.with_settings()
    assert [form is None for form in ranking.predict(asked, as_world(town()))] == [False, True]
    assert FAMILY.counted is not None
    assert FAMILY.counted(ranking) == {
        "questions": 2,
        "without a link": 1,
        "without a candidate": 1,
        "without an answer": 1,
        "malformed": 0,
    }
    free = parser.with_settings(inference="transduction")
    assert all(free.predict(asked, as_world(town())))
    assert FAMILY.counted(free) == {"questions": 2, "without a link": 1, "without an answer": 0, "malformed": 0}


def test_gold_links_reach_it_by_the_query(parser: KbqaParser) -> None:
    hidden = replace(question(0), source="which book has the author, you know whom?")
    gold = parser.with_settings(links="gold")
    assert parser.with_settings().predict([hidden.query], as_world(town())) == [None]
    query = asked_query(gold, hidden, "sexpression", as_world(town()))
    form = gold.predict([query], as_world(town()))[0]
    assert form is not None
    assert entity("Ada_Berg") in form


def test_it_answers_over_another_graph(parser: KbqaParser, tmp_path: Path) -> None:
    (tmp_path / "other.ttl").write_text(
        "@prefix o: <https://o.example/> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        'o:r1 rdfs:label "Red Oak" . o:r2 rdfs:label "Old Elm" . o:r1 o:neighbour o:r2 . o:r1 o:height o:r2 .\n'
    )
    store = as_world(open_store(tmp_path / "other.ttl"))
    asked = [Query("a", "who is the neighbour of Red Oak?")]
    form = parser.with_settings().predict(asked, store)[0]
    assert form is not None
    assert "https://o.example/r1" in form


def test_a_training_that_was_ended_goes_on_to_the_same_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = KbqaSettings(**{**TINY, "epochs": 3})
    whole = fitted(settings)
    real, calls = kept_training.kept_training, []

    def ended(*given: Any, **options: Any) -> Any:
        def stepped(epoch: int, step: int, steps: int) -> None:
            calls.append((epoch, step))
            if len(calls) == 9:
                raise KeyboardInterrupt

        return real(*given, **{**options, "stepped": stepped, "pause": 0.0})

    monkeypatch.setattr(kept_training, "kept_training", ended)
    with pytest.raises(KeyboardInterrupt):
        fitted(settings, work=tmp_path / "work")
    monkeypatch.undo()
    steps: list[int] = []
    monkeypatch.setattr(
        kept_training,
        "kept_training",
        lambda *given, **options: real(*given, **{**options, "stepped": lambda *step: steps.append(step[1])}),
    )
    resumed = fitted(settings, work=tmp_path / "work")
    assert 0 < len(steps) < 18  # of 3 passes of 6 steps
    one, two = whole.net.state(), resumed.net.state()
    assert one.keys() == two.keys()
    assert all(np.array_equal(one[name].numpy(), two[name].numpy()) for name in one)


def test_without_a_dev_part_some_questions_are_kept_aside() -> None:
    small = KbqaParser(KbqaSettings(**{**TINY, "epochs": 1, "dev_share": 0.25}))
    with pytest.warns(InputWarning, match="training stops on 12 of the 48 questions"):
        small.fit(TRAIN, as_world(town()))
    assert small.learned == 36


def test_targets_in_sparql_are_learned_and_given_back() -> None:
    made = [
        Example.of(
            f"which book has the author {name.replace('_', ' ')}?",
            f"SELECT DISTINCT ?x0 WHERE {{ ?x0 <{ONTO}library/author> {entity(name)} . }}",
        )
        for name in ("Ada_Berg", "Dan_Lind", "Gita_Voss", "Jan_Adler")
    ]
    parser = make({**KbqaSettings(**TINY, dev_share=0.0).to_dict(), "language": "sparql"}, 0, "cpu")
    parser.fit(made, as_world(town()))
    assert parser.learned == 4
    given = parser.predict([made[0].query], as_world(town()))[0]
    assert given is not None
    assert given.startswith("SELECT")


@pytest.mark.parametrize(
    ("examples", "settings", "world", "told"),
    [
        (TRAIN, {}, None, "answers over a knowledge base, and the data's world is none; name an index, a file of"),
        ([Example.of("who?", "(JOIN a b)")], {"dev_share": 0.0}, "town", "none of the 1 training questions has a"),
        ([Example.of("who?", "(JOIN")], {"dev_share": 0.0}, "town", "no question says what it mentions"),
        (TRAIN, {"train_links": "gone.jsonl", "dev_share": 0.0}, "town", r"gone\.jsonl: no such file"),
    ],
)
def test_what_cannot_be_learned_is_one_clear_error(
    examples: list[Example], settings: dict[str, Any], world: str | None, told: str
) -> None:
    parser = KbqaParser(KbqaSettings(**{**TINY, **settings}))
    with pytest.raises(RecombineError, match=told):
        parser.fit(examples, None if world is None else as_world(town()))


def test_vectors_of_mixed_widths_are_refused(tmp_path: Path) -> None:
    (tmp_path / "glove.txt").write_text("book 1 2 3\nauthor 1 2\n")
    settings = FAMILY.settings("kbqa:glove", {**TINY, "encoder": f"vectors:{tmp_path / 'glove.txt'}"})
    with pytest.raises(RecombineError, match=r"glove\.txt, .*2: has 2 numbers, and the lines before it have 3"):
        make(settings, 0, "cpu").fit_with_dev(TRAIN, DEV, as_world(town()))


def test_fixed_vectors_are_kept_with_the_parser(tmp_path: Path) -> None:
    (tmp_path / "glove.txt").write_text("book 1 0 0\nauthor 0 1 0\nneighbour 0 0 1\n")
    settings = FAMILY.settings("kbqa:glove", {**TINY, "encoder": f"vectors:{tmp_path / 'glove.txt'}"})
    parser = make(settings, 0, "cpu").fit_with_dev(TRAIN, DEV, as_world(town()))
    save(parser, tmp_path / "kept", "model:kbqa")
    queries = [each.query for each in questions(range(8))]
    before = parser.predict(queries, as_world(town()))
    (tmp_path / "glove.txt").unlink()
    assert load(tmp_path / "kept").predict(queries, as_world(town())) == before
    assert FAMILY.signature is not None
    said = FAMILY.signature(parser, "kbqa:glove", settings, 0)
    assert said["encoder"] == f"vectors:glove.txt@{settings['encoder_digest'][:8]}"
    assert json.loads((tmp_path / "kept" / "model.json").read_text())["files"].keys() >= {"vectors.npy", "vectors.txt"}


def test_a_parser_without_a_tagger_says_so(parser: KbqaParser) -> None:
    without = replace(parser.with_settings(links="tagger"), tagger=None)
    with pytest.raises(OptionError, match="the parser was trained without a tagger of mentions"):
        without.predict([question(0).query], as_world(town()))
