"""`generate kbqa` writes a split by levels beside the questions, and the level of each among its tags."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import orjson
import pytest
from strangers import write_strangers

import recombine
from recombine.cli.main import run
from recombine.datasets.kbqa.write_grailqa import FIELDS
from recombine.errors import InputWarning, OptionError, OutputFileError, SizeError
from recombine.workbench.generate import GenerateResult

pytestmark = pytest.mark.filterwarnings("ignore::recombine.errors.InputWarning")
N, DOMAINS = 400, 16
Make = Callable[..., GenerateResult]
SHARES = {"function_shares": "none:9,count:1", "relation_shares": "7,3"}


def graph(path: Path, lines: list[str]) -> str:
    path.write_text("".join(f"{line}\n" for line in lines))
    return str(path)


def books(path: Path, *, domains: int = 1, writers: int = 8) -> str:
    """Books with writers, genres and pages in so many domains; names that are paths."""
    rows = []
    for number in range(domains):
        for book in range(40):
            rows.append(f"/m/{number}b{book}\t/d{number}/book/writer\t/m/{number}p{book % writers}")
            rows.append(f"/m/{number}b{book}\t/d{number}/book/genre\t/m/{number}g{book % 3}")
            rows.append(f"/m/{number}p{book % writers}\t/d{number}/writer/born_in\t/m/{number}t{book % 4}")
    return graph(path, rows)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., GenerateResult]:
    """Makes questions over many domains, each kind of them once."""
    kb = books(tmp_path_factory.mktemp("kb") / "facts.tsv", domains=DOMAINS)
    return cache(lambda **options: recombine.generate("kbqa", n=N, kb=kb, seed=1, **SHARES, **options))


def ask(kb: str, n: int, **options: Any) -> tuple[GenerateResult, str]:
    """What is made, and what is said of it."""
    given = {**SHARES, **options}
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", InputWarning)
        result = recombine.generate("kbqa", n=n, kb=kb, seed=1, **given)
    return result, " | ".join(str(each.message) for each in said)


def test_the_split_is_that_of_the_verb(tmp_path: Path, made: Make) -> None:
    file = tmp_path / "q.jsonl"
    made().write(file)
    written = orjson.loads((tmp_path / "q.split.json").read_bytes())
    split = recombine.split(
        file, by="levels", language="sexpression", dev_domains=1, test_domains=2, max_unused=1, seed=1
    )
    assert written["parts"] == {name: list(ids) for name, ids in split.parts.items()}
    assert (written["data"], written["data_hash"]) == (split.data, split.data_hash)
    assert written["signature"].split("|")[:9] == str(split.signature).split("|")[:9]
    checked = recombine.check(file, tmp_path / "q.split.json")
    assert (checked.problems, checked.not_checked) == ([], [])


def test_the_level_of_each_question_is_that_of_the_verb(tmp_path: Path, made: Make) -> None:
    file = tmp_path / "q.jsonl"
    made().write(file)
    tags = {example.id: example.tags.get("level") for example in recombine.load(file, language="sexpression")}
    levels = recombine.levels(file, tmp_path / "q.split.json")
    for record in levels.iter_records():
        assert tags[record["id"]] == record["level"]
    split = made().split
    assert split is not None
    assert not any(tags[key] for key in split.train)
    assert Counter(tags.values()) == {None: 280, "zero-shot": 60, "compositional": 30, "i.i.d.": 30}
    assert made().to_dict()["levels"]["test"] == {"i.i.d.": 20, "compositional": 20, "zero-shot": 40}


def test_options_and_no_split(tmp_path: Path, made: Make) -> None:
    other = made(test="60", dev="30", zero_shot=0.5, compositional=0.1, dev_domains=2, test_domains=4)
    assert other.split is not None
    assert {name: other.split.sizes()[name] for name in ("dev", "test")} == {"dev": 30, "test": 60}
    assert len(other.split.signature.get("held_out_test").split(",")) == 4
    without = made(no_split=True)
    without.write(tmp_path / "q.jsonl")
    assert without.split is None
    assert "levels" not in without.to_dict()
    assert not (tmp_path / "q.split.json").exists()
    assert without.dataset.hash == made().dataset.hash
    assert not any("level" in example.tags for example in without.dataset)
    with pytest.raises(OptionError, match="--zero-shot is 2"):
        made(zero_shot=2.0)


def test_the_release_s_own_form_is_read_back_and_scored(tmp_path: Path, made: Make) -> None:
    file = tmp_path / "q.json"
    result = made(format="grailqa")
    result.write(file)
    items = orjson.loads(file.read_bytes())
    assert isinstance(items, list)
    with_level = next(item for item in items if "level" in item)
    assert tuple(with_level) == FIELDS
    assert all(tuple(item) == tuple(name for name in FIELDS if name in item) for item in items)
    dataset = recombine.load(file)
    assert (dataset.hash, dataset.ids) == (result.dataset.hash, [str(item["qid"]) for item in items])
    assert [example.target for example in dataset] == [item["s_expression"] for item in items]
    assert result.split is not None
    gold = {key: dataset[key].target for key in result.split.test}
    done = recombine.score(dataset, tmp_path / "q.split.json", gold, metric="isomorphic", by="level", levels="level")
    assert (done["exact_match"], done["isomorphic"]) == (1.0, 1.0)
    assert [(row["group"], row["n"]) for row in done["by"]["level"]] == [
        *(("i.i.d.", 20), ("compositional", 20), ("zero-shot", 40))
    ]
    with pytest.raises(OptionError, match="the form grailqa is that of"):
        result.write(tmp_path / "q.jsonl")


def test_other_data_is_no_grailqa(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="no items of GrailQA"):
        recombine.generate("scan", n=3, format="grailqa")
    from recombine.datasets.write_data import write_data

    with pytest.raises(OutputFileError, match="has no 'qid'"):
        write_data(recombine.load([("a", "b")]), tmp_path / "q.json", "grailqa")


@pytest.mark.parametrize(
    ("name", "profile"), [("wiki.ttl", "wikidata"), ("company.ttl", "acme.toml"), ("company.ttl", "")]
)
def test_a_stranger_s_graph_from_file_to_check(tmp_path: Path, name: str, profile: str) -> None:
    write_strangers(tmp_path, 4)
    given = str(tmp_path / profile) if profile.endswith(".toml") else profile or None
    result, _ = ask(str(tmp_path / name), 300, profile=given, function_shares="none:8,count:1,superlative:1")
    result.write(tmp_path / "q.jsonl")
    assert result.split is not None
    assert result.split.sizes().keys() == {"train", "dev", "test"}
    assert all(all(counts.values()) for counts in result.to_dict()["levels"].values())
    checked = recombine.check(tmp_path / "q.jsonl", tmp_path / "q.split.json")
    assert (checked.problems, checked.not_checked) == ([], [])


def test_paths_have_domains_without_a_profile(tmp_path: Path, made: Make) -> None:
    made().write(tmp_path / "q.jsonl")
    (tmp_path / "q.jsonl.meta.json").unlink()  # the names alone tell it
    dataset = recombine.load(tmp_path / "q.jsonl", language="sexpression")
    split = recombine.split(dataset, by="levels", dev_domains=1, test_domains=2, max_unused=1, seed=1)
    own = made().split
    assert own is not None
    assert split.parts == own.parts
    assert split.signature.get("held_out_dev").startswith("d")
    assert recombine.check(dataset, split).problems == []


def test_one_domain_has_no_zero_shot_questions(tmp_path: Path) -> None:
    result, said = ask(books(tmp_path / "facts.tsv"), 100)
    assert "no two domains, so none is held out and no example is zero-shot" in said
    assert result.to_dict()["levels"]["test"]["zero-shot"] == 0
    result.write(tmp_path / "q.jsonl")
    assert recombine.check(tmp_path / "q.jsonl", tmp_path / "q.split.json").problems == []


def test_two_domains_leave_no_dev(tmp_path: Path) -> None:
    result, said = ask(books(tmp_path / "facts.tsv", domains=2), 150)
    assert "one is held out for test, so there is no dev" in said
    assert result.split is not None
    assert result.split.sizes().keys() == {"train", "test"}


def test_what_cannot_be_split_is_written_all_the_same(tmp_path: Path) -> None:
    kb = books(tmp_path / "facts.tsv", domains=3)
    result, said = ask(kb, 60, test_domains=9)
    assert "the questions are not split: facts has 3 domains, and 9 are to be held out" in said
    assert "`recombine split FILE --by levels" in said
    assert (result.size, result.split) == (60, None)
    assert "3 domains" in result.to_dict()["problem"]
    result.write(tmp_path / "q.jsonl")
    assert len(recombine.load(tmp_path / "q.jsonl")) == 60
    assert not (tmp_path / "q.split.json").exists()


def test_a_graph_without_types_and_with_one_relation(tmp_path: Path) -> None:
    kb = graph(tmp_path / "facts.tsv", [f"b{n}\twritten_by\tp{n % 4}" for n in range(30)])
    result, said = ask(kb, 20, relation_shares="1")
    assert result.size == 20
    assert "no two domains" in said
    with pytest.raises(SizeError, match=r"of 5,000 questions can be made"):
        ask(kb, 5_000)


def test_the_command_says_levels_and_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kb, file = books(tmp_path / "facts.tsv", domains=DOMAINS), tmp_path / "q.jsonl"
    flags = [f"--{name.replace('_', '-')}={value}" for name, value in SHARES.items()]
    written = []
    for more in ((), ("--json",)):
        with pytest.raises(SystemExit) as ended:
            run(["generate", "kbqa", "-n", str(N), "--kb", kb, "--seed", "1", *flags, "-o", str(file), *more])
        assert ended.value.code == 0
        printed = capsys.readouterr().out
        written.append((file.read_bytes(), (tmp_path / "q.split.json").read_bytes()))
        if more:
            value = orjson.loads(printed)
            assert {"examples", "seconds"} <= value.keys()
            assert (value["split"], value["parts"]["test"]) == (str(tmp_path / "q.split.json"), 80)
            assert value["levels"]["dev"]["zero-shot"] == 20
        else:
            assert "test: 20 i.i.d., 20 compositional, 40 zero-shot; held out: d" in printed
            assert "q.split.json" in printed
    assert written[0] == written[1]


@pytest.mark.slow
@pytest.mark.shared_data
def test_fb15k_237_from_its_folder_to_check(tmp_path: Path, data_dir: Path) -> None:
    result, said = ask(str(data_dir / "kb" / "fb15k237"), 3_000, relation_shares="69,26,5,0.2")
    assert "names of entities are read from" in said
    assert "identifier" not in said
    result.write(tmp_path / "q.jsonl")
    assert result.split is not None
    domains = {domain for example in result.dataset for domain in example.tags["domains"]}
    held = {name for part in ("dev", "test") for name in result.split.signature.get(f"held_out_{part}").split(",")}
    assert 25 <= len(domains) <= 35
    assert held <= domains
    checked = recombine.check(tmp_path / "q.jsonl", tmp_path / "q.split.json")
    assert (checked.problems, checked.not_checked) == ([], [])
