"""`recombine kb build`, `info` and `query` by hops: what they print, and what they refuse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import recombine
from recombine.cli.main import run
from recombine.errors import InputWarning, KnowledgeBaseError, OptionError, UnknownNameError
from recombine.kb.many_domains.many_domains import many_domains_store

FILMS = "Jaws|directed_by|Steven Spielberg\nDuel|directed_by|Steven Spielberg\nJaws|release_year|1975\n"


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("films.txt").write_text(FILMS)
    recombine.kb_build("films.txt", "films")
    return "films"


def printed(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> tuple[str, str]:
    with pytest.raises(SystemExit) as ended:
        run(["kb", *words])
    out = capsys.readouterr()
    assert ended.value.code == code, out.err
    return out.out, out.err


def test_from_a_file_to_an_answer(index: str, capsys: pytest.CaptureFixture[str]) -> None:
    built, _ = printed(capsys, "build", "films.txt", "films.txt", "-o", "twice")
    assert built.splitlines()[0] == "twice: 3 facts, 6 terms (0 literals), 2 relations, 3 repeats left out"
    out, err = printed(capsys, "query", index, "--from", "Jaws", "--path", "directed_by / ^directed_by")
    assert (out, err) == ("Duel\nJaws\n", "2 answers\n")
    out, err = printed(capsys, "query", index, "--from", "Jaws", "--from", "Duel", "--path", "directed_by")
    assert (out, err) == ("Steven Spielberg\n", "1 answer\n")


def test_nothing_is_cut_in_silence(index: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("query", index, "--from", "Steven Spielberg", "--path", "^directed_by")
    out, err = printed(capsys, *words, "--limit", "1")
    assert (out, err) == ("Duel\n", "2 answers, 1 shown\n")
    out, err = printed(capsys, *words, "--count")
    assert (out, err) == ("2\n", "")
    out, _ = printed(capsys, *words, "--limit", "1", "--json")
    assert {key: value for key, value in json.loads(out).items() if key != "digest"} == {
        "count": 2,
        "shown": 1,
        "answers": ["Duel"],
    }
    assert json.loads(printed(capsys, *words, "--count", "--json")[0])["count"] == 2
    assert recombine.kb_query(index, from_="Jaws", path="^directed_by").to_dict()["answers"] == []


def test_info(index: str, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = printed(capsys, "info", index)
    lines = out.splitlines()
    assert lines[:3] == [
        "films: 3 facts, 6 terms, 2 relations",
        "profile plain, names under http://example.org/",
        "0 literals",
    ]
    assert lines[3:5] == ["           2  directed_by", "           1  release_year"]
    said = json.loads(printed(capsys, "info", index, "--json")[0])
    assert (said["facts"], said["most_frequent"]) == (3, {"directed_by": 2, "release_year": 1})
    assert said["digest"] == recombine.kb_build("films.txt", "again").built.digest


def test_values_are_counted_and_those_without_one_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    xsd, name = "http://www.w3.org/2001/XMLSchema#", "<http://example.org/a> <http://example.org/p>"
    lines = [f'{name} "{n}"^^<{xsd}integer> .' for n in (1, 2, "x")] + [f'{name} "1999-01-01"^^<{xsd}date> .']
    Path("facts.nt").write_text("\n".join(lines) + "\n")
    built, _ = printed(capsys, "build", "facts.nt", "-o", "facts")
    assert built.splitlines()[0].endswith("1 relations, 1 literals without a value")
    out, _ = printed(capsys, "info", "facts")
    assert "4 literals, with values 2 of number, 1 of moment" in out
    assert "1 literals are not written as their type wants, and have no value" in out
    out, _ = printed(capsys, "query", "facts", "--from", '"1999-01-01"^^xsd:date', "--path", "^p")
    assert out == "a\n"


def test_names_that_no_fact_has(index: str) -> None:
    with pytest.raises(KnowledgeBaseError) as caught:
        recombine.kb_query(index, from_="Jawz", path="directed_by")
    assert (
        str(caught.value)
        == "films: no fact has Jawz; check its spelling; beside it there are Jaws and Steven Spielberg"
    )
    with pytest.raises(UnknownNameError, match="unknown relation in films 'direct_by'; did you mean 'directed_by'"):
        recombine.kb_query(index, from_="Jaws", path="direct_by")
    with pytest.raises(UnknownNameError, match="unknown relation in films 'Jaws'"):
        recombine.kb_query(index, from_="Jaws", path="Jaws")


def test_what_is_not_asked(index: str) -> None:
    for named in ({}, {"from_": "Jaws"}, {"path": "directed_by"}):
        with pytest.raises(OptionError, match="nothing is asked"):
            recombine.kb_query(index, **named)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="a limit of -1; give 0 or more"):
        recombine.kb_query(index, from_="Jaws", path="directed_by", limit=-1)


def test_a_place_that_is_no_index(index: str, capsys: pytest.CaptureFixture[str]) -> None:
    del index
    _, err = printed(capsys, "info", "films.txt", code=2)
    assert err.startswith("error: films.txt: is no index of a knowledge base")
    _, err = printed(capsys, "build", "films.txt", "-o", "films.txt", code=2)
    assert (
        err
        == "error: films.txt: is there already and is no folder of an index; choose another place, or remove it first\n"
    )


@pytest.mark.shared_data
def test_fb15k_237(data_dir: Path, tmp_path: Path) -> None:
    """Toutanova and Chen (2015): 14,541 entities, 237 relations, 310,116 triples; terms are entities and relations."""
    with pytest.warns(InputWarning, match="column 4 is not read"):
        built = recombine.kb_build(data_dir / "kb" / "fb15k237" / "triples.tsv.gz", tmp_path / "fb").built
    assert (built.facts, built.repeats, built.relations, built.terms) == (310_116, 0, 237, 14_541 + 237)


def test_a_made_up_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    out, _ = printed(capsys, "world", "--facts", "5000", "--seed", "3", "-o", "world", "--json")
    made = json.loads(out)
    assert made["folder"] == "world"
    assert made["digest"] == recombine.kb_world("again", facts=5000, seed=3).built.digest
    out, _ = printed(capsys, "query", "world", "--from", "m.05zppz", "--path", "type.object.name")
    assert out == '"male"@en\n'
    _, err = printed(capsys, "world", "--facts", "10", "-o", "small", code=2)
    assert err == "error: a world of 10 facts; give a whole number of 3000 or more\n"
    assert not Path("small").exists()


def test_a_made_up_world_of_many_domains(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    out, _ = printed(capsys, "world", "--kind", "domains", "--facts", "12000", "--seed", "3", "-o", "world", "--json")
    made = json.loads(out)
    assert (made["repeats"], made["unreadable_literals"]) == (0, 0)
    assert made["digest"] == many_domains_store(12_000, seed=3).digest
    out, _ = printed(capsys, "query", "world", "--form", "(COUNT (JOIN type.object.type books.book))")
    assert int(out.split('"')[1]) > 2
    _, err = printed(capsys, "world", "--kind", "film", "-o", "other", code=2)
    assert err == "error: unknown kind of world 'film'; did you mean 'films'? known: domains, films\n"
