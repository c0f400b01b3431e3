"""The domain of docs/new_domain.md: rules and a knowledge base of another field, with names and a prefix of its own."""

from __future__ import annotations

import re
import runpy
import shutil
import socket
from pathlib import Path
from typing import Any

import orjson
import pyoxigraph
import pytest
from broken_endpoint import Handler, endpoint
from small_store import as_oxigraph

import recombine
from recombine.cli import main as cli
from recombine.datasets import cfq_generated
from recombine.datasets.cfq.lot_setting import LotSetting, rules_digest
from recombine.datasets.parts import make_parts
from recombine.errors import DerivationError, InputWarning, KnowledgeBaseError, OptionError
from recombine.grammars.unification.queries.query_spelling import short_spelling
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.oxigraph.oxigraph_store import OxigraphStore
from recombine.records.dataset import Dataset

RECIPES = Path(__file__).parents[2] / "docs" / "examples" / "recipes"
NUMBER = 150


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("food") / "food.kb"
    recombine.kb_build(RECIPES / "food.ttl", folder=place, profile=RECIPES / "food.toml")
    return place


def generated(**options: Any) -> Dataset:
    return recombine.generate("cfq", n=NUMBER, seed=1, rules=str(RECIPES), **options).dataset


@pytest.fixture(scope="module")
def data(index: Path) -> Dataset:
    return generated(kb=str(index))


@pytest.fixture(scope="module")
def facts(index: Path) -> OxigraphStore:
    return as_oxigraph(EmbeddedStore.open(index))


def test_the_facts_are_those_of_the_script() -> None:
    names = runpy.run_path(str(RECIPES / "make_food.py"))
    assert names["turtle"](names["made"]()) == (RECIPES / "food.ttl").read_text()


def test_data_is_named_after_its_rules(data: Dataset, index: Path, tmp_path: Path) -> None:
    assert data.name == "recipes"
    made = recombine.generate("cfq", n=20, seed=1, rules=str(RECIPES), kb=str(index))
    made.write(tmp_path / "food.jsonl")
    assert made.data_name == f"recipes@{made['hash'][:8]}"
    said = orjson.loads((tmp_path / "food.jsonl.meta.json").read_bytes())["made"]
    assert (said["generator"], said["rules"], said["rules_hash"]) == ("cfq", str(RECIPES), rules_digest(str(RECIPES)))
    shutil.copytree(RECIPES, tmp_path / "soups")
    assert rules_digest(str(tmp_path / "soups")) == said["rules_hash"], "the place decides nothing"
    with (tmp_path / "soups" / "food.ttl").open("a") as facts:
        facts.write("# more\n")
    assert rules_digest(str(tmp_path / "soups")) == said["rules_hash"], "facts have a digest of their own"
    hashes = {said["rules_hash"]}
    for name in ("words.rules", "filters.toml"):
        with (tmp_path / "soups" / name).open("a") as rules:
            rules.write("# more\n")
        hashes.add(rules_digest(str(tmp_path / "soups")))
    assert len(hashes) == 3


@pytest.mark.slow
def test_an_endpoint_that_goes_down_in_the_middle(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Finished parts are kept, and the same command goes on from there, to the bytes of an unbroken run."""
    monkeypatch.setattr(cfq_generated, "LOT", 10)
    monkeypatch.setattr(make_parts, "LOTS", 1)
    facts = as_oxigraph(EmbeddedStore.open(index))
    is_up: list[bool] = []

    def behaviour(handler: Handler, fields: dict[str, str]) -> None:
        if not is_up and any(tmp_path.glob(".q.jsonl.parts-*/part-00001.parquet")):
            handler.answer(b"gone", status=500)
            return
        handler.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        results = facts._store.query(fields["query"])
        handler.answer(results.serialize(format=pyoxigraph.QueryResultsFormat.JSON))

    def ended(name: str) -> object:
        with pytest.raises(SystemExit) as end:
            cli.run(
                [
                    *("generate", "cfq", "-n", "30", "--seed", "1", "--rules", str(RECIPES), "--kb", server.address),
                    *("--profile", str(RECIPES / "food.toml"), "-o", str(tmp_path / name)),
                ]
            )
        return end.value.code

    with endpoint(behaviour) as server:
        assert ended("q.jsonl") == 2
        (error,) = capsys.readouterr().err.splitlines()
        assert re.search(r"status 500: gone; .*2 finished parts with \d+ examples kept in .*; the same command", error)
        assert not (tmp_path / "q.jsonl").exists()
        is_up.append(True)
        assert ended("q.jsonl") == 0
        assert "2 finished parts" in capsys.readouterr().err
        assert ended("whole.jsonl") == 0
    for name in ("", ".meta.json"):
        assert (tmp_path / f"q.jsonl{name}").read_bytes() == (tmp_path / f"whole.jsonl{name}").read_bytes()


def test_the_rules_have_no_problems() -> None:
    checked = recombine.rules_check(RECIPES)
    assert checked.problems == ()
    assert checked.rules["grammar"] == 55


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("Who invented and cooked M0", "?x0 a food:Cook . ?x0 food:cooked M0 . ?x0 food:invented M0"),
        ("Was M0 served by a Thai restaurant", "?x0 a food:Restaurant . ?x0 food:region food:Thailand . M0 SERVED ?x0"),
        (
            "Which spicy soup that M0 ' s teacher invented contained M1 and M2",
            "?x0 ^food:invented ?x1 . ?x0 a food:Soup . ?x0 food:contains M1 . ?x0 food:contains M2 . "
            "?x0 food:taste food:Spicy . ?x1 food:taught M0",
        ),
        ("Was M0 a cake that was cooked by M1 and contained a sweet ingredient", None),
    ],
)
def test_questions_are_read(question: str, query: str | None) -> None:
    read = recombine.parse("cfq", question, rules=str(RECIPES))["query"]
    if query is None:
        query = (
            "?x0 a food:Ingredient . ?x0 food:taste food:Sweet . M0 ^food:cooked M1 . M0 a food:Cake . "
            "M0 food:contains ?x0"
        )
    assert query.replace("SERVED", "^food:serves|^food:serves/^food:owns") == read.split("{ ")[1].removesuffix(" }")


# "was taught M0" is no passive: a word that is past or participle is past there, in whichever order features stand.
@pytest.mark.parametrize("question", ["Which cook was taught M0", "Who served a cook", "Did M0 invented M1"])
def test_what_is_no_question_is_refused(question: str) -> None:
    with pytest.raises(DerivationError):
        recombine.parse("cfq", question, rules=str(RECIPES))


def test_every_query_can_be_asked_as_it_stands(data: Dataset, facts: OxigraphStore) -> None:
    kinds = set()
    for example in data:
        rows = facts.select(example.tags["sparql"]).rows
        answer = example.tags["expectedResponseWithMids"]
        kinds.add(type(answer))
        if isinstance(answer, list):
            assert sorted(row[0].text for row in rows) == sorted(answer)
        else:
            assert (int(rows[0][0].text) > 0) == (answer == "Yes")
    assert kinds == {str, list}


def test_queries_with_placeholders_are_the_pairs(data: Dataset) -> None:
    for example in data:
        asked = short_spelling(example.tags["sparql"])
        words = zip(example.target.split(), asked.split(), strict=True)
        assert all(one == other or (one[0] == "M" and other.startswith("food:")) for one, other in words)


def test_a_file_with_its_profile_is_as_good_as_an_index(data: Dataset) -> None:
    assert generated(kb=str(RECIPES / "food.ttl"), profile=str(RECIPES / "food.toml")).hash == data.hash


def test_the_release_form_is_read_back(tmp_path: Path, index: Path, data: Dataset) -> None:
    made = recombine.generate("cfq", n=NUMBER, seed=1, rules=str(RECIPES), kb=str(index), format="cfq", spelling="long")
    made.write(tmp_path / "food.json")
    read = recombine.load(tmp_path / "food.json")
    assert [example.target for example in read] == [example.target for example in made.dataset]
    assert [short_spelling(example.target) for example in read] == [example.target for example in data]


def test_a_profile_without_the_prefix_is_named() -> None:
    with pytest.raises(
        KnowledgeBaseError, match=r"food\.ttl: the rules ask for food:invented.*freebase.*prefix 'food'"
    ):
        generated(kb=str(RECIPES / "food.ttl"))
    with pytest.raises(KnowledgeBaseError, match=r"the made-up world of films: the rules ask for food:invented"):
        generated()


def test_names_that_are_looked_for_elsewhere_are_said_with_the_place(index: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match=r"lacks 39 of 39.*under http://example.org/food/ \(profile food\)"):
        recombine.generate("cfq", n=5, kb=str(index))


def test_a_profile_needs_a_knowledge_base() -> None:
    with pytest.raises(OptionError, match="--profile is of a knowledge base of your own"):
        generated(profile="plain")


def test_rules_whose_properties_are_lacking_are_not_used(tmp_path: Path) -> None:
    facts = (RECIPES / "food.ttl").read_text().replace(":taste ", ":flavour ")
    (tmp_path / "food.ttl").write_text(facts)
    shutil.copy(RECIPES / "food.toml", tmp_path)
    with pytest.warns(InputWarning, match=r"lacks 2 of 16 .*: food:taste, \^food:taste; the 2 rules that need them"):
        made = generated(kb=str(tmp_path / "food.ttl"), profile=str(tmp_path / "food.toml"))
    assert not any(word in example.source for example in made for word in ("sweet", "spicy"))


def test_the_key_has_all_that_decides(tmp_path: Path) -> None:
    rules = tmp_path / "recipes"
    shutil.copytree(RECIPES, rules)
    (tmp_path / "more.rules").write_text("%knowledge\n→ More(One)\n")
    with (rules / "words.rules").open("a") as stream:
        stream.write("%use '../more.rules'\n")
    setting = LotSetting(rules=str(rules), profile=str(rules / "food.toml"))
    keys = [setting.key(10, "world")]
    (tmp_path / "more.rules").write_text("%knowledge\n→ More(Two)\n")
    keys.append(setting.key(10, "world"))
    (tmp_path / "food.toml").write_text('name = "food"\nlike = "plain"\n')
    keys.append(LotSetting(rules=str(rules), profile=str(tmp_path / "food.toml")).key(10, "world"))
    assert len(set(keys)) == 3
    assert setting.key(10, "world") == keys[1]
