"""Questions, pairs and data, by rules."""

from __future__ import annotations

import gzip
import re
import resource
import signal
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

import recombine
from recombine.cli.main import run
from recombine.errors import InputWarning, OptionError, RecombineError
from recombine.grammars.unification import parse_many
from recombine.pieces import _nameless_file
from recombine.workbench.parse import ParsedData, ParsedPairs, ParsedQuestion

PAIRS = [
    ("Who directed M0", "SELECT DISTINCT ?x0 WHERE { ?x0 a people.person . ?x0 film.director.film M0 }"),
    # The same but for variables, in the release's spelling.
    (
        "Did a film 's writer marry M1",
        "SELECT count(*) WHERE {\n?x1 ns:film.writer.film ?x0 .\n?x0 a ns:film.film .\n?x1 ns:people.person.spouse_s/"
        "ns:people.marriage.spouse|ns:fictional_universe.fictional_character.married_to/"
        "ns:fictional_universe.marriage_of_fictional_characters.spouses M1 .\nFILTER ( ?x1 != M1 )\n}",
    ),
    ("Was M0 a actor", "SELECT count ( * ) WHERE { M0 a film.director }"),
    ("Was M0 a actress", "SELECT count ( * ) WHERE { M0 a film.actor }"),
    # Of two readings the one inside the relative clause, which is not preferred.
    (
        "Who influenced a film producer that edited M3 and influenced M1",
        "SELECT DISTINCT ?x0 WHERE { ?x0 a people.person . ?x0 influence.influence_node.influenced ?x1 . "
        "?x1 a film.producer . ?x1 film.editor.film M3 . ?x1 influence.influence_node.influenced M1 }",
    ),
]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def written(path: Path, *, fields: tuple[str, str] = ("source", "target")) -> Path:
    rows = [dict(zip(fields, pair, strict=True)) for pair in PAIRS]
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    return path


def test_a_question() -> None:
    result = recombine.parse("cfq", "Did [Ann]'s spouse edit [Film]?", spelling="long")
    assert isinstance(result, ParsedQuestion)
    assert result.query.startswith("SELECT count(*) WHERE {\n?x0 ns:film.editor.film M1 .\n")
    assert result.item["questionPatternModEntities"] == "Did M0 's spouse edit M1"
    assert result.to_dict()["derivation"][0] == ["JOIN_BY_LOGICAL_FORM"]


@pytest.mark.parametrize("fields", [("source", "target"), ("question", "query")])
def test_pairs_are_counted(tmp_path: Path, fields: tuple[str, str]) -> None:
    result = recombine.parse("cfq", pairs=written(tmp_path / "pairs.jsonl", fields=fields))
    assert isinstance(result, ParsedPairs)
    counts = {key: value for key, value in result.to_dict().items() if key not in ("per_second", "different")}
    assert counts == {"pairs": 5, "parsed": 4, "equivalent": 2, "exact": 1, "ambiguous": 1, "among_readings": 1}
    assert [pair["question"] for pair in result.different] == [PAIRS[2][0], PAIRS[3][0], PAIRS[4][0]]
    assert "'actress', word 4" in result.different[1]["problem"]


def test_data_gets_the_derivation_of_its_query(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    result = recombine.parse("cfq", data=written(tmp_path / "data.jsonl"))
    assert isinstance(result, ParsedData)
    with pytest.warns(InputWarning) as told:
        result.write(out)
    assert "'actress', word 4" in str(told[0].message)
    assert [str(each.message)[:10] for each in told[1:]] == ["1 examples", "1 examples"]
    assert result.counts == {"annotated": 4, "other_query": 1, "left_out": 1}
    data = recombine.load(out)
    assert [example.source for example in data] == [PAIRS[place][0] for place in (0, 1, 2, 4)]
    assert all(example.derivation is not None for example in data)
    # The reading is that of the query, not the preferred one: the relative clause holds two phrases.
    graph = data[3].derivation
    assert graph is not None
    phrases = graph.rules.index("VP_INDIRECT=PHRASES_AND")
    above = {graph.rules[parent] for parent, child, _ in graph.edges if child == phrases}
    assert "RELATIVE=THAT_VP_INDIRECT" in above


@pytest.mark.parametrize("fields", [("source", "target"), ("question", "query")])
def test_the_command_writes_whole_or_not_at_all(
    tmp_path: Path, fields: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    data, out = written(tmp_path / "data.jsonl", fields=fields), tmp_path / "out.jsonl.gz"
    with pytest.raises(SystemExit) as ended:
        run(["parse", "cfq", "--data", str(data), "-o", str(out), "--json", "--quiet"])
    assert ended.value.code == 0
    assert orjson.loads(capsys.readouterr().out)["annotated"] == 4
    assert gzip.decompress(out.read_bytes()).count(b"\n") == 4
    assert names(tmp_path) == ["data.jsonl", "out.jsonl.gz"]


def test_nothing_is_left_where_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from recombine.grammars.unification.question_parser import QuestionParser

    result = recombine.parse("cfq", data=written(tmp_path / "data.jsonl"))
    assert isinstance(result, ParsedData)

    def full(self: object, reading: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(QuestionParser, "graph", full)
    with pytest.raises(RecombineError, match="No space left on device"):
        result.write(tmp_path / "out.jsonl")
    assert names(tmp_path) == ["data.jsonl"]


# The command itself, but for waiting after the third question.
SLOW = """
import sys, time
from recombine.cli.main import run
from recombine.grammars.unification.question_parser import QuestionParser
graph, made = QuestionParser.graph, []
def slow(parser, reading):
    made.append(reading)
    if len(made) == 3:
        print("begun", flush=True)
        time.sleep(60)
    return graph(parser, reading)
QuestionParser.graph = slow
run()
"""


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_process_that_is_ended_while_it_parses(tmp_path: Path, ending: signal.Signals) -> None:
    if _nameless_file(tmp_path) is None:
        pytest.skip("this file system has no files without a name")
    data, out = written(tmp_path / "data.jsonl"), tmp_path / "out.jsonl"
    out.write_text("old")
    words = ["parse", "cfq", "--data", str(data), "-o", str(out), "--quiet"]
    with subprocess.Popen([sys.executable, "-c", SLOW, *words], stdout=subprocess.PIPE, stderr=-1) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        process.send_signal(ending)
        _, error = process.communicate(timeout=60)
    interrupted = ending is signal.SIGINT
    assert (process.returncode, error) == ((130, b"error: interrupted\n") if interrupted else (-ending, b""))
    assert out.read_text() == "old"
    assert names(tmp_path) == ["data.jsonl", "out.jsonl"]


def _small_disk() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))


def test_a_full_disk(tmp_path: Path) -> None:
    """No file may grow beyond a limit, which fails in the middle of writing as a full disk does."""
    data, out = written(tmp_path / "data.jsonl"), tmp_path / "out.jsonl"
    out.write_text("old")
    words = ["parse", "cfq", "--data", data.name, "-o", out.name, "--quiet", "--no-cache"]
    done = subprocess.run(
        [sys.executable, "-m", "recombine", *words],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
        preexec_fn=_small_disk,
        check=False,
    )
    assert done.stderr.splitlines()[-1] == "error: out.jsonl: cannot be written (File too large); choose another place"
    assert (done.returncode, done.stdout) == (2, "")
    assert out.read_text() == "old"
    assert names(tmp_path) == ["data.jsonl", "out.jsonl"]


def test_the_same_in_two_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("joblib")
    monkeypatch.setattr(parse_many, "TOGETHER", 2)
    data = written(tmp_path / "data.jsonl")
    counted = [recombine.parse("cfq", pairs=data, processes=number).to_dict() for number in (1, 2)]
    assert {**counted[0], "per_second": 0} == {**counted[1], "per_second": 0}
    for number in (1, 2):
        result = recombine.parse("cfq", data=data, processes=number)
        assert isinstance(result, ParsedData)
        with pytest.warns(InputWarning):
            result.write(tmp_path / f"{number}.jsonl")
        assert result.counts == {"annotated": 4, "other_query": 1, "left_out": 1}
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()


def test_answers_come_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("joblib")
    monkeypatch.setattr(parse_many, "TOGETHER", 1)
    names = " , ".join(f"M{n}" for n in range(90))
    pairs = [(f"Did {names} , and M90 marry a person 's" + " spouse 's" * 30 + " child", "")]
    pairs += [(f"Who {verb} M{n}", "") for n in range(8) for verb in ("directed", "edited", "wrote")]
    one, two = (list(parse_many.iter_answers("cfq", pairs, processes=number)) for number in (1, 2))
    assert one == two
    assert len(set(one)) == len(pairs)


def test_contexts_and_worlds_are_kept(tmp_path: Path) -> None:
    data, out = tmp_path / "data.jsonl", tmp_path / "out.jsonl"
    data.write_bytes(orjson.dumps({"source": "Was M0 a film", "target": "x", "place": "here"}) + b"\n")
    (tmp_path / "data.jsonl.meta.json").write_text('{"context": ["place"], "identity": ["place"]}')
    result = recombine.parse("cfq", data=data)
    assert isinstance(result, ParsedData)
    with pytest.warns(InputWarning, match="1 examples have a query that no reading gives"):
        result.write(out)
    again = recombine.load(out)
    assert (again[0].context, again.identity) == ({"place": "here"}, ("place",))
    assert again[0].id == recombine.load(data)[0].id


def test_a_text_that_is_no_query_is_another_one() -> None:
    result = recombine.parse("cfq", pairs=[("Was M0 a film", "no query ( at all"), ("Was M0 a film", "")])
    assert isinstance(result, ParsedPairs)
    assert (result.parsed, result.equivalent) == (2, 0)


def test_pairs_that_differ_end_with_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(["parse", "cfq", "--pairs", str(written(tmp_path / "pairs.jsonl")), "--quiet"])
    assert ended.value.code == 1
    assert re.search(r"^equivalent +2 +40.00 %$", capsys.readouterr().out, re.MULTILINE)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["cfq"], "nothing, or several things, to parse"),
        (["cqf", "Who directed M0"], "unknown rule set 'cqf'; did you mean 'cfq'?"),
        (["cfq", "Who directed M0", "--spelling", "odd"], "unknown spelling 'odd'"),
        (["cfq", "Who directed M0", "-o", "x.jsonl"], "data is annotated to a file"),
        (["cfq", "--data", "data.jsonl", "-o", "x.tsv"], "x.tsv: is written while it is made, as JSON lines"),
        (["cfq", "Who directed M0", "--rules", "nowhere"], "nowhere: no .rules files there"),
        (["cfq", "Who derected M0"], "did you mean 'directed'"),
        (["cfq", "Who directed M0", "--rules", "bad.rules"], "bad.rules, line 2, column 6: '→' where"),
        (["cfq", "Who directed M0", "--rules", "endless.rules"], "inference never ends"),
        (["cfq", "--pairs", "data.jsonl", "--processes", "0"], "cannot work in 0 processes"),
        (["cfq", "Who " + "directed " * 300 + "M0"], "a question of 302 words"),
        (["cfq", ""], "an empty question"),
    ],
)
def test_bad_input(
    words: list[str], problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "data.jsonl")
    Path("bad.rules").write_text("%grammar\nS=X: → 'hi'\n")
    Path("endless.rules").write_text(
        "%start S: say\n%grammar\nS=WHO: S/Hi → 'who' 'directed' '[entity]'\n"
        "%inference\nGROW: Hi → Hi ⊓ Hi\n%resolution\nSAY: say($X) → 'HI'\n"
    )
    before = names(tmp_path)
    with pytest.raises(SystemExit) as ended:
        run(["parse", *words])
    assert ended.value.code == 2
    error = capsys.readouterr().err
    assert problem in error
    assert error.count("\n") == 1
    assert names(tmp_path) == before


def test_other_rules(tmp_path: Path) -> None:
    (tmp_path / "some.rules").write_text(
        "%start S: say\n%grammar\nS=HI: S/Hi → 'hi'\n%resolution\nSAY: say($X) → 'HI'\n"
    )
    result = recombine.parse("cfq", "Hi", rules=tmp_path)
    assert isinstance(result, ParsedQuestion)
    assert result.query == "HI"
    with pytest.raises(OptionError):
        recombine.parse("cfq", "Hi", rules=tmp_path, pairs=[("a", "b")])


def test_rules_are_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "some.rules"
    file.write_text("%start S: say\n%grammar\nS=HI: S(x:y)/Hi → 'hi'\n%resolution\nSAY: say($X) → 'HI'\n")
    with pytest.raises(SystemExit) as ended:
        run(["rules", "check", str(file)])
    assert ended.value.code == 1
    out = capsys.readouterr().out
    assert "some.rules, line 3, column 9: unknown feature 'x'" in out
    assert "2 rules (1 grammar, 0 inference, 1 resolution, 0 knowledge), 1 problems" in out


def test_many_readings_take_no_long_time() -> None:
    clauses = " and influenced a actor that influenced M0" * 24
    result = recombine.parse("cfq", pairs=[(f"Who influenced a actor that influenced M0{clauses}", "x")])
    assert isinstance(result, ParsedPairs)
    assert (result.parsed, result.ambiguous, result.among_readings) == (1, 1, 0)


# -- the real pairs ----------------------------------------------------------------------------------------------------


@pytest.mark.shared_data
def test_real_pairs_have_their_queries() -> None:
    data = recombine.load("cfq/mcd1")
    some = [(data[row].source, data[row].target) for row in range(0, len(data), 97)]
    result = recombine.parse("cfq", pairs=some)
    assert isinstance(result, ParsedPairs)
    assert (result.pairs, result.parsed, result.equivalent) == (1111, 1111, 1111)
    assert result.exact >= 1080


@pytest.mark.shared_data
def test_items_of_the_release_have_their_queries(data_dir: Path) -> None:
    result = recombine.parse("cfq", pairs=data_dir / "cfq" / "release_sample.json")
    assert isinstance(result, ParsedPairs)
    assert (result.pairs, result.exact) == (10, 10)


@pytest.mark.slow
@pytest.mark.shared_data
def test_all_real_pairs() -> None:
    data = recombine.load("cfq/mcd1")
    result = recombine.parse("cfq", pairs=data)
    assert isinstance(result, ParsedPairs)
    assert result.parsed == result.pairs == 107_711
    assert result.equivalent + result.among_readings == result.pairs
    assert result.equivalent >= 0.9995 * 95_743 + 11_968
    assert result.exact >= 0.975 * result.pairs
