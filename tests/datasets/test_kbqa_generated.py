"""Questions over a knowledge base: kinds, forms that are executed again, names, processes and errors."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from strangers import write_strangers

from recombine.datasets.kbqa.write_grailqa import FIELDS
from recombine.datasets.kbqa_generated import KbqaGenerator
from recombine.errors import InputWarning, OptionError, RecordError, SizeError
from recombine.kb.forms.read_form import read_form
from recombine.kb.many_domains.many_domains import many_domains_store
from recombine.kb.term import LITERAL
from recombine.records.dataset import Dataset

SIZE = 12_000


@cache
def made(n: int = 500, seed: int = 1, processes: int = 1, **options: Any) -> list[Any]:
    """The examples; the first use makes the world."""
    return list(_dataset(n, seed, processes, **options))


def _dataset(n: int, seed: int, processes: int, **options: Any) -> Dataset:
    return KbqaGenerator(world_size=SIZE, processes=processes, **options).generate(n, seed=seed).dataset()


def plain(dataset: list[Any]) -> list[Any]:
    return [(example.id, example.source, example.target, str(example.tags)) for example in dataset]


def test_kinds_are_as_asked_for() -> None:
    functions = Counter(
        {"argmax": "superlative", "argmin": "superlative", "none": "none", "count": "count"}.get(
            example.tags["function"], "comparative"
        )
        for example in made()
    )
    relations = Counter(example.tags["num_edge"] for example in made())
    for name, share in {"none": 83.8, "count": 5.05, "superlative": 6.06, "comparative": 5.05}.items():
        assert abs(functions[name] / 5 - share) <= 2
    for number, share in {1: 68.9, 2: 25.9, 3: 5.0, 4: 0.2}.items():
        assert abs(relations[number] / 5 - share) <= 2


def test_every_form_is_executed_to_the_answers_in_three_notations() -> None:
    store = many_domains_store(SIZE)
    for example in made():
        wanted = sorted(each["answer_argument"] for each in example.tags["answer"])
        assert wanted
        for text, notation in ((example.target, "sexpression"), (example.tags["graph_query"], "graph")):
            answers = store.execute(read_form(text, notation, store.profile))
            shown = [each.text if each.kind == LITERAL else store.profile.show(each) for each in answers]
            assert sorted(shown) == wanted, example.target


def test_all_fields_of_the_release_but_level_are_there() -> None:
    own = {"question": "source", "s_expression": "target"}
    for example in made():
        assert set(FIELDS) - set(own) - {"level"} <= set(example.tags)
        for node in example.tags["graph_query"]["nodes"]:
            if node["node_type"] == "entity":
                assert node["friendly_name"] in example.source


def test_templates_have_several_wordings_and_ids_are_apart() -> None:
    assert len({example.tags["wording"] for example in made()}) > 5
    assert len({example.tags["qid"] for example in made()}) == len(made())


def test_a_higher_divisor_gives_more_wordings() -> None:
    def wordings(divisor: float) -> int:
        return len({(each.tags["qid"] // 1_000_000, each.tags["wording"]) for each in made(divide_wordings=divisor)})

    assert wordings(10.0) > wordings(1.0)


def test_the_same_with_any_number_of_processes_and_another_with_another_seed() -> None:
    assert plain(made()) == plain(made(processes=2))
    assert plain(made()) != plain(made(seed=2))


@pytest.mark.parametrize("name", ["wiki.ttl", "company.ttl"])
def test_a_graph_of_a_stranger(tmp_path: Path, name: str) -> None:
    write_strangers(tmp_path)
    generator = KbqaGenerator(kb=str(tmp_path / name), relation_shares="1", function_shares="none:1")
    dataset = generator.generate(5, seed=1).dataset()
    assert len(dataset) == 5
    assert all(example.tags["answer"] for example in dataset)


def test_names_of_a_file_stand_in_questions(tmp_path: Path) -> None:
    facts, names = tmp_path / "facts.tsv", tmp_path / "names.tsv"
    facts.write_text("".join(f"b{n}\twritten_by\tp{n % 4}\n" for n in range(12)))
    names.write_text("".join(f"p{n}\tPerson_{n}\n" for n in range(4)) + "".join(f"b{n}\tBook {n}\n" for n in range(12)))
    generator = KbqaGenerator(kb=str(facts), names=str(names), relation_shares="1", function_shares="none:1")
    dataset = generator.generate(8, seed=1).dataset()
    assert all("Person " in example.source or "Book " in example.source for example in dataset)
    names.write_text("p0 Person\n")
    with pytest.raises(RecordError, match="line 1"):
        generator.generate(8, seed=1)


def test_more_than_there_is_says_how_many_there_are(tmp_path: Path) -> None:
    facts = tmp_path / "facts.tsv"
    facts.write_text("".join(f"b{n}\twritten_by\tp{n % 4}\n" for n in range(12)))
    with pytest.raises(SizeError, match=r"of 5,000 questions can be made"):
        KbqaGenerator(kb=str(facts), function_shares="none:9,count:1").generate(5_000, seed=1)
    with pytest.warns(InputWarning, match="no numbers or dates"), pytest.raises(SizeError):
        KbqaGenerator(kb=str(facts)).generate(5_000, seed=1)


@pytest.mark.parametrize(
    "options",
    [
        {"divide_forms": 0.0},
        {"divide_wordings": -1.0},
        {"per_template": 0},
        {"processes": 0},
        {"profile": "plain"},
        {"relation_shares": "x"},
    ],
)
def test_options_that_cannot_be(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        KbqaGenerator(**options).generate(10, seed=1)


def test_a_graph_without_names_is_asked_by_identifiers_and_said(tmp_path: Path) -> None:
    facts = tmp_path / "facts.tsv"
    facts.write_text("".join(f"b{n}\twritten_by\tp{n % 4}\n" for n in range(12)))
    generated = KbqaGenerator(kb=str(facts), relation_shares="1", function_shares="none:1").generate(8, seed=1)
    with pytest.warns(
        InputWarning, match=r"8 times an entity without a name is called by its identifier, such as [bp]\d"
    ):
        assert len(list(generated)) == 8
    assert generated.counted["unnamed"] == 8
    facts.write_text("".join(f"Book {n}\twritten_by\tP. {'IVXL'[n % 4]}\n" for n in range(12)))
    generated = KbqaGenerator(kb=str(facts), relation_shares="1", function_shares="none:1").generate(8, seed=1)
    assert len(list(generated)) == 8  # what is a name is no identifier
    assert generated.counted["unnamed"] == 0


def test_what_has_no_class_has_no_superlative_and_is_counted(tmp_path: Path) -> None:
    lines = ["@prefix : <http://a.example/> ."]
    lines += [f":Pot{n} a :{'Pan' if n % 2 else 'Pot'} ; :size {n} ; :madeBy :Maker{n % 3} ." for n in range(12)]
    (tmp_path / "a.ttl").write_text("\n".join(lines))
    generator = KbqaGenerator(kb=str(tmp_path / "a.ttl"), relation_shares="1", function_shares="superlative:1")
    with pytest.raises(SizeError, match="0 of 4 questions can be made"):
        generator.generate(4, seed=1)


def test_fb15k_237_has_names_beside_its_triples(tmp_path: Path) -> None:
    (tmp_path / "triples.tsv").write_text("".join(f"/m/b{n}\t/book/book/author\t/m/p{n % 4}\n" for n in range(12)))
    names = [f"/m/p{n}\tPerson_{n}\n" for n in range(4)] + [f"/m/b{n}\tBook_{n}\n" for n in range(12)]
    (tmp_path / "mid2name.tsv").write_text("".join(names))
    for place in (tmp_path, tmp_path / "triples.tsv"):
        generator = KbqaGenerator(kb=str(place), relation_shares="1", function_shares="none:1")
        with pytest.warns(InputWarning, match="names of entities are read from .*mid2name.tsv"):
            dataset = generator.generate(8, seed=1).dataset()
        assert all("Person " in example.source or "Book " in example.source for example in dataset)
        assert all(example.tags["domains"] == ["book"] for example in dataset)
    (tmp_path / "mid2name.tsv").write_text("/m/p0 Person\n")
    own = tmp_path / "own.tsv"
    own.write_text("".join(names))
    dataset = KbqaGenerator(kb=str(tmp_path), names=str(own), relation_shares="1", function_shares="none:1").generate(
        8, seed=1
    )
    assert len(list(dataset)) == 8  # a file of one's own comes first
