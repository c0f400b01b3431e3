"""Each conversion on small made-up originals, and on real ones where the data directory lets these be made again."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path

import pytest

from recombine.datasets.downloads.conversions.known import find_conversion
from recombine.datasets.downloads.originals import Originals
from recombine.errors import InputFileError, RecombineError, RecordError


@pytest.fixture
def made(tmp_path: Path) -> type[Originals]:
    """Makes originals of texts by role."""

    def make(texts: dict[str, str | bytes], **further: object) -> Originals:
        paths = {}
        for number, (role, text) in enumerate(texts.items()):
            paths[role] = tmp_path / f"{number}.original"
            paths[role].write_bytes(text.encode() if isinstance(text, str) else text)
        called = {role: role or "it" for role in texts}
        return Originals(paths, called, **further)  # type: ignore[arg-type]

    return make  # type: ignore[return-value]


def converted(name: str, originals: Originals) -> str:
    return find_conversion(name)(originals).decode()


def test_identical(made: type[Originals]) -> None:
    assert find_conversion("identical")(made({"": b"\x00a\r\n"})) == b"\x00a\r\n"  # type: ignore[arg-type]


TASKS = "IN: jump OUT: I_JUMP\nIN: walk OUT: I_WALK\nIN: run OUT: I_RUN\n"


def test_scan_split(made: type[Originals]) -> None:
    train, test = "IN: run OUT: I_RUN\nIN: jump OUT: I_JUMP\nIN: run OUT: I_RUN\n", "IN: walk OUT: I_WALK\n"
    originals = made({"tasks": TASKS, "train": train, "test": test})  # type: ignore[arg-type]
    assert converted("scan_split", originals) == '{"trainIdxs": [2, 0, 2], "devIdxs": [], "testIdxs": [1]}'
    originals = made({"tasks": TASKS, "train": train, "test": "IN: hop OUT: I_HOP\n"})  # type: ignore[arg-type]
    with pytest.raises(RecordError, match=r"test, line 1: is no line of tasks\.txt"):
        converted("scan_split", originals)


@pytest.mark.shared_data
def test_scan_splits_as_published(made: type[Originals], data_dir: Path) -> None:
    tasks = gzip.decompress((data_dir / "scan/tasks.txt.gz").read_bytes()).decode()
    lines = tasks.splitlines()
    for name in ("addprim_jump", "length"):
        file = data_dir / f"scan/splits/{name}.json"
        split = json.loads(file.read_text())
        parts = {part: "".join(f"{lines[n]}\n" for n in split[f"{part}Idxs"]) for part in ("train", "test")}
        assert converted("scan_split", made({"tasks": tasks, **parts})) == file.read_text()  # type: ignore[arg-type]


def archive(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as stream:
        for name, content in members.items():
            stream.writestr(name, content)
    return path


MEMBERS = ("data/encode.txt", "data/decode.txt")


def test_paired_members(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = {"../../escaped.txt": b"out", "/absolute.txt": b"out", "bomb": bytes(10_000_000)}
    path = archive(tmp_path / "a.zip", {MEMBERS[0]: b"who a\nwho b\n", MEMBERS[1]: "X\nÜ".encode(), **odd})
    originals = Originals({"": path}, {"": "a.zip"}, MEMBERS)
    monkeypatch.setenv("RECOMBINE_MAX_UNPACKED", "1000")
    assert converted("paired_members", originals) == "who a\tX\nwho b\tÜ\n"
    assert [each.name for each in tmp_path.iterdir()] == ["a.zip"]
    assert not (tmp_path.parent.parent / "escaped.txt").exists()


@pytest.mark.parametrize(
    ("members", "problem"),
    [
        ({MEMBERS[0]: b"a\nb\n", MEMBERS[1]: b"c\n"}, "have 2 and 1 lines"),
        ({MEMBERS[0]: b"a\n"}, "has no one readable member data/decode.txt"),
        ({MEMBERS[0]: bytes(2_000_000), MEMBERS[1]: b""}, r"data/encode\.txt: unpacks to more than 1,000,000 bytes"),
        ({MEMBERS[0]: b"\xff\n", MEMBERS[1]: b"c\n"}, "is not UTF-8 text"),
    ],
)
def test_archives_that_cannot_be_used(
    members: dict[str, bytes], problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RECOMBINE_MAX_UNPACKED", "1000000")
    originals = Originals({"": archive(tmp_path / "a.zip", members)}, {"": "a.zip"}, MEMBERS)
    with pytest.raises(InputFileError, match=problem):
        converted("paired_members", originals)


def test_no_archive(made: type[Originals]) -> None:
    with pytest.raises(InputFileError, match="it: is no whole zip archive"):
        converted("paired_members", made({"": "PK"}, members=MEMBERS))  # type: ignore[arg-type, call-arg]


CORPUS = """<examples>
<example id="0"><nl lang="en">
How many people live in Austin Texas ?
</nl><mrl lang="geo-funql">
answer(population_1(cityid('austin', 'tx')))
</mrl></example>
<example id="1"><nl lang="en">Name the rivers of Utah in the US.</nl>
<mrl lang="geo-funql">answer(intersection(river(loc_2(stateid('utah'))),loc_2(countryid('usa'))))</mrl></example>
</examples>"""
GEOBASE = "state('texas','tx','austin',14229000,266.8e+3,28,'houston','dallas','san antonio','el paso').\n"


def test_geoquery_pairs(made: type[Originals]) -> None:
    originals = made({"corpus": CORPUS, "geobase": GEOBASE})  # type: ignore[arg-type]
    # By hand: the name of the state comes from the facts; `utah` is longer than `usa`, so it is m0.
    assert converted("geoquery_pairs", originals) == (
        "how many people live in m0\tanswer ( population_1 ( m0 ) )\n"
        "name the rivers of m0 in the m1\t"
        "answer ( intersection ( intersection ( river , loc_2 ( m0 ) ) , loc_2 ( m1 ) ) )\n"
    )
    originals = made({"corpus": CORPUS.replace("Utah", "Ohio"), "geobase": GEOBASE})  # type: ignore[arg-type]
    with pytest.raises(RecordError, match=r"corpus, example '1': the question mentions stateid\('utah'\) in no way"):
        converted("geoquery_pairs", originals)


@pytest.mark.shared_data
def test_geoquery_as_published(made: type[Originals], data_dir: Path) -> None:
    corpus = gzip.decompress((data_dir / "geoquery/corpus.xml.gz").read_bytes())
    facts = (data_dir / "geoquery/geobase.pl").read_bytes()
    text = converted("geoquery_pairs", made({"corpus": corpus, "geobase": facts}))  # type: ignore[arg-type]
    assert text == (data_dir / "geoquery/geo_dataset.tsv").read_text()


def test_spider_pairs(made: type[Originals]) -> None:
    many = [{"db_id": "Dogs", "question": f"Which {n}?", "query": f"SELECT  {n}\n WHERE t"} for n in range(50)]
    few = [{"db_id": "cats", "question": "Who?", "query": "SELECT 1"}] * 49
    lines = converted("spider_pairs", made({"": json.dumps(few + many)})).splitlines()  # type: ignore[arg-type]
    assert (len(lines), lines[7]) == (50, "dogs: which 7?\tselect 7 where t")


@pytest.mark.shared_data
def test_spider_as_published(made: type[Originals], data_dir: Path) -> None:
    train = gzip.decompress((data_dir / "spider/train_spider.json.gz").read_bytes())
    published = gzip.decompress((data_dir / "spider/spider_ssp.tsv.gz").read_bytes()).decode()
    assert converted("spider_pairs", made({"": train})) == published  # type: ignore[arg-type]


def test_set_match_pairs(made: type[Originals]) -> None:
    golds, predictions = "SELECT 1\tdogs\n\nSELECT  2\tcats\n", "select 1 \tdogs\n\nselect 3\n"
    lines = converted("set_match_pairs", made({"gold": golds, "prediction": predictions}))  # type: ignore[arg-type]
    assert lines == (
        '{"n": 0, "db_id": "dogs", "gold": "SELECT 1", "prediction": "select 1 "}\n'
        '{"n": 2, "db_id": "cats", "gold": "SELECT  2", "prediction": "select 3"}\n'
    )
    with pytest.raises(InputFileError, match="prediction: has 1 lines where gold has 3"):
        converted("set_match_pairs", made({"gold": golds, "prediction": "a"}))  # type: ignore[arg-type]
    with pytest.raises(RecordError, match="gold, line 1: names no database"):
        converted("set_match_pairs", made({"gold": "a", "prediction": "a"}))  # type: ignore[arg-type]


def test_atis_lines(made: type[Originals]) -> None:
    texts = {"train": "to boston\t( _lambda $1 e ( _to $1 boston:_ci ) )\n", "dev": "iah\tiah:_ap\n"}
    texts["test"] = "who\t( _= ( _airline:_e $2 ) $0 )\n"
    lines = [json.loads(line) for line in converted("atis_lines", made(texts)).splitlines()]  # type: ignore[arg-type]
    assert lines[0] == {
        "qid": "atis_0",
        "source": "to boston",
        "target": "( _lambda $0 e ( _to $0 boston:_ci ) )",
        "orig_split": "train",
        "anonymized": "( _lambda $0 e ( _to $0 value:_ci ) )",
    }
    assert [line["orig_split"] for line in lines] == ["train", "dev", "test"]
    assert (lines[1]["anonymized"], lines[2]["anonymized"]) == ("value:_ap", "( _= ( value:_e $0 ) $1 )")
    with pytest.raises(RecordError, match="dev, line 1: has 1 columns where 2 belong"):
        converted("atis_lines", made({**texts, "dev": "iah\n"}))  # type: ignore[arg-type]


def test_overnight_lines(made: type[Originals]) -> None:
    texts = {"train": "für a\t( call SW.listValue ( string x ) )\n", "dev": "b\t( call SW.size ( call SW.f y ) )\n"}
    text = converted("overnight_lines", made(texts))  # type: ignore[arg-type]
    assert text == (
        '{"qid": "ov_0", "source_de": "f\\u00fcr a", "target": "( call listValue ( string x ) )", '
        '"orig_split": "train"}\n'
        '{"qid": "ov_1", "source_de": "b", "target": "( call size ( call f y ) )", "orig_split": "dev"}\n'
    )


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("conversion", "file", "source", "scope"),
    [
        ("atis_lines", "atis/atis.jsonl.gz", "source", ""),
        ("overnight_lines", "overnight/overnight_lf.jsonl.gz", "source_de", "SW."),
    ],
)
def test_originals_made_again_give_the_published_file(
    conversion: str, file: str, source: str, scope: str, made: type[Originals], data_dir: Path
) -> None:
    published = gzip.decompress((data_dir / file).read_bytes()).decode()
    texts: dict[str, str] = {}
    for line in published.splitlines():
        row = json.loads(line)
        target = row["target"].replace("call ", f"call {scope}") if scope else row["target"]
        texts[row["orig_split"]] = texts.get(row["orig_split"], "") + f"{row[source]}\t{target}\n"
    assert converted(conversion, made(texts)) == published  # type: ignore[arg-type]


def test_json_items(made: type[Originals]) -> None:
    text = converted("json_items", made({"": '[{"qid": 1, "x": 1.50, "y": "\\u00fc"}, {"qid": 2}]'}))  # type: ignore[arg-type]
    assert text == '{"qid": 1, "x": 1.5, "y": "\\u00fc"}\n{"qid": 2}\n'
    for bad, problem in (("{}", "is no JSON array"), ("[1]", "item 0: is no JSON object"), ("[", "is no JSON")):
        with pytest.raises(RecombineError, match=problem):
            converted("json_items", made({"": bad}))  # type: ignore[arg-type]


def test_json_items_of_a_sample(made: type[Originals], monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = ["3", "1"]
    monkeypatch.setattr("recombine.datasets.downloads.conversions.json_items.read_sample", lambda _: wanted)
    originals = made({"": '[{"qid": 1}, {"qid": 2}, {"qid": "3"}]'}, sample="toys")  # type: ignore[arg-type, call-arg]
    assert converted("json_items", originals) == '{"qid": "3"}\n{"qid": 1}\n'
    wanted.append("9")
    with pytest.raises(InputFileError, match="lacks 1 of the 3 items that are wanted, such as '9'"):
        converted("json_items", originals)


def test_fb15k237_triples(made: type[Originals]) -> None:
    texts = {
        "entity2id": "2\n/m/a\t0\n/m/b\t1\n",
        "relation2id": "1\n/film/by\t0\n",
        "train2id": "1\n0 1 0\n",
        "valid2id": "1\n1 0 0\n",
        "test2id": "1\n1\t1\t0\n",
    }
    assert converted("fb15k237_triples", made(texts)) == (  # type: ignore[arg-type]
        "/m/a\t/film/by\t/m/b\ttrain\n/m/b\t/film/by\t/m/a\tvalid\n/m/b\t/film/by\t/m/b\ttest\n"
    )
    with pytest.raises(RecordError, match="valid2id, line 2: has a number without a name"):
        converted("fb15k237_triples", made({**texts, "valid2id": "1\n1 7 0\n"}))  # type: ignore[arg-type]


def test_metaqa_facts(made: type[Originals]) -> None:
    texts = {
        "entity2text": "0\tJaws\n1\tAnn B.\n",
        "relation2text": "0\tdirected by\n",
        "train": "0\t0\t1\n1\t0\t0\n",
        "dev": "0\t0\t1\n",
        "test": "0\t0\t9\n",
    }
    assert converted("metaqa_facts", made(texts)) == "Ann B.|directed_by|Jaws\nJaws|directed_by|Ann B.\n"  # type: ignore[arg-type]


def test_qald_lines(made: type[Originals]) -> None:
    def question(key: object, answers: list[object], *words: tuple[str, str]) -> dict[str, object]:
        said = [{"language": language, "string": text} for language, text in words]
        return {"id": key, "question": said, "query": {"sparql": "ASK {}"}, "answers": answers}

    bound = {"results": {"bindings": [{"x": {"value": "ü"}}, {"x": {"value": "2"}}]}}
    nine = [question("99", [bound], ("de", "Was?"), ("en", "What?"), ("en", "Which?"))]
    ten = [question(1, [{"head": {}, "boolean": True}], ("en", "Is it?")), question(2, [], ("en", "None?"))]
    texts = {"qald-9-plus": json.dumps({"questions": nine}), "qald-10": json.dumps({"questions": ten})}
    lines = converted("qald_lines", made(texts)).splitlines()  # type: ignore[arg-type]
    assert lines[0] == (
        '{"id": "qald-9-plus/99", "set": "qald-9-plus test", "kb": "dbpedia", "question": "What?", '
        '"sparql": "ASK {}", "answers": ["ü", "2"]}'
    )
    assert [json.loads(line)["answers"] for line in lines[1:]] == [[True], []]
    texts["qald-10"] = json.dumps({"questions": [question(7, [], ("de", "Wer?"))]})
    with pytest.raises(RecordError, match="qald-10, question 7: has no English question"):
        converted("qald_lines", made(texts))  # type: ignore[arg-type]


def numbered(names: list[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(dict.fromkeys(names))}


@pytest.mark.shared_data
def test_fb15k237_made_again(made: type[Originals], data_dir: Path) -> None:
    published = gzip.decompress((data_dir / "kb/fb15k237/triples.tsv.gz").read_bytes()).decode()
    rows = [line.split("\t") for line in published.splitlines()]
    entities, relations = numbered([name for row in rows for name in (row[0], row[2])]), numbered([r[1] for r in rows])
    texts = {
        f"{part}2id": "0\n"
        + "".join(f"{entities[h]} {entities[t]} {relations[r]}\n" for h, r, t, p in rows if p == part)
        for part in ("train", "valid", "test")
    }
    for role, names in (("entity2id", entities), ("relation2id", relations)):
        texts[role] = f"{len(names)}\n" + "".join(f"{name}\t{number}\n" for name, number in names.items())
    assert converted("fb15k237_triples", made(texts)) == published  # type: ignore[arg-type]


@pytest.mark.shared_data
def test_metaqa_made_again(made: type[Originals], data_dir: Path) -> None:
    published = gzip.decompress((data_dir / "kb/metaqa/kb.txt.gz").read_bytes()).decode()
    rows = [line.split("|") for line in published.splitlines()]
    entities, relations = numbered([name for row in rows for name in (row[0], row[2])]), numbered([r[1] for r in rows])
    triples = [f"{entities[head]}\t{relations[relation]}\t{entities[tail]}\n" for head, relation, tail in rows]
    texts = {
        "train": "".join(triples[1000:]),
        "dev": "".join(triples[:1500]),  # some of them twice
        "test": "999999\t0\t0\n",
        "entity2text": "".join(f"{number}\t{name}\n" for name, number in entities.items()),
        "relation2text": "".join(f"{number}\t{name.replace('_', ' ')}\n" for name, number in relations.items()),
    }
    assert converted("metaqa_facts", made(texts)) == published  # type: ignore[arg-type]


@pytest.mark.shared_data
def test_qald_made_again(made: type[Originals], data_dir: Path) -> None:
    published = gzip.decompress((data_dir / "kb/qald.jsonl.gz").read_bytes()).decode()
    items: dict[str, list[object]] = {"qald-9-plus": [], "qald-10": []}
    for row in map(json.loads, published.splitlines()):
        role, _, key = row["id"].rpartition("/")
        values = [{"x": {"value": value}} for value in row["answers"] if not isinstance(value, bool)]
        truths = [{"boolean": value} for value in row["answers"] if isinstance(value, bool)]
        said = [{"language": "de", "string": "?"}, {"language": "en", "string": row["question"]}]
        answers = truths or [{"results": {"bindings": values}}]
        items[role].append({"id": key, "question": said, "query": {"sparql": row["sparql"]}, "answers": answers})
    texts = {role: json.dumps({"questions": questions}) for role, questions in items.items()}
    assert converted("qald_lines", made(texts)) == published  # type: ignore[arg-type]


@pytest.mark.shared_data
def test_cfq_made_again(data_dir: Path, tmp_path: Path) -> None:
    published = gzip.decompress((data_dir / "cfq/mcd1_dev.tsv.gz").read_bytes()).decode()
    sides = zip(*(line.split("\t") for line in published.splitlines()), strict=True)
    members = {name: "".join(f"{line}\n" for line in side).encode() for name, side in zip(MEMBERS, sides, strict=True)}
    path = archive(tmp_path / "cfq.zip", members)
    assert converted("paired_members", Originals({"": path}, {}, MEMBERS)) == published


@pytest.mark.shared_data
@pytest.mark.parametrize(("file", "sample"), [("items", "grailqa_items"), ("kg_sexpr", "kg_sexpr")])
def test_grailqa_made_again(file: str, sample: str, made: type[Originals], data_dir: Path) -> None:
    published = gzip.decompress((data_dir / f"grailqa/{file}.jsonl.gz").read_bytes()).decode()
    items = [*reversed([json.loads(line) for line in published.splitlines()]), {"qid": "another"}]
    text = json.dumps(items, ensure_ascii=False, indent=2)
    assert converted("json_items", made({"": text}, sample=sample)) == published  # type: ignore[arg-type, call-arg]
