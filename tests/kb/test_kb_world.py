"""A knowledge base is the world of data: an index by its own digest, a file by its bytes, others by their address."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import orjson
import pytest

import recombine
from recombine.cli.main import run
from recombine.data_cache import stored_files
from recombine.errors import InputFileError, KnowledgeBaseError, RecombineError
from recombine.kb import kb_world
from recombine.kb.embedded.build_index import build_index
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.endpoint.endpoint_store import EndpointStore
from recombine.kb.film_world.film_world import film_world_store
from recombine.kb.loaders.open_triples import open_triples
from recombine.kb.many_domains.many_domains import many_domains_store
from recombine.kb.open_store import open_store
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.store import Step, Store
from recombine.kb.term import Term
from recombine.records.world import WorldKind, WorldReference, make_reference, world_digest

FACTS = "Tin Boat|directed_by|Ann\nRed Kite|directed_by|Ann\nRed Kite|has_genre|Drama\n"
ADDRESS = "http://127.0.0.1:1/sparql?graph=toys"


def write_facts(path: Path, text: str = FACTS) -> Path:
    path.write_text(text)
    return path


def build(folder: Path, *files: Path) -> Path:
    profile = find_profile("plain")
    build_index(open_triples(files, profile=profile), folder, profile=profile)
    return folder


def films_by(world: object) -> list[str]:
    store: Store = world  # type: ignore[assignment]
    return [term.text for term in store.follow([Term.name("Ann")], [Step(Term.name("directed_by"), inverse=True)])]


def data_file(folder: Path, **world: str) -> Path:
    path = folder / "mine.jsonl"
    path.write_bytes(orjson.dumps({"source": "films by Ann", "target": "Red Kite|Tin Boat"}))
    if world:
        (folder / "mine.jsonl.meta.json").write_bytes(orjson.dumps({"world": world}))
    return path


def test_an_index_is_a_world_by_the_digest_of_its_facts(tmp_path: Path) -> None:
    one = build(tmp_path / "one.kb", write_facts(tmp_path / "a.txt"))
    turned = "".join(f"{line}\n" for line in reversed(FACTS.splitlines()))
    two = build(tmp_path / "two.kb", write_facts(tmp_path / "b.txt", turned))
    reference = make_reference(one)
    assert reference == WorldReference("kb", str(one), EmbeddedStore.open(one).digest)
    assert make_reference(two).sha256 == reference.sha256  # the same facts in another order
    world = reference.open()
    assert (world.kind, world.digest) == ("kb", reference.sha256)
    assert films_by(world) == ["Red Kite", "Tin Boat"]
    other = build(tmp_path / "other.kb", write_facts(tmp_path / "c.txt", FACTS.replace("Tin", "Lead")))
    with pytest.raises(InputFileError, match=r"other.kb: the kb there has the digest \w{16}…, not"):
        WorldReference("kb", str(other), reference.sha256).open()


def test_the_digest_of_an_index_is_read_and_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = build(tmp_path / "one.kb", write_facts(tmp_path / "a.txt"))

    def refuse(path: object) -> str:
        raise AssertionError(path)

    monkeypatch.setattr("recombine.records.world.world_digest", refuse)
    assert make_reference(folder).open().digest == make_reference(folder).sha256


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b'{"digest": 5}'])
def test_a_description_that_says_no_digest(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "kb.json").write_bytes(content)
    with pytest.raises(KnowledgeBaseError, match=r"kb.json: does not say the digest of the facts; build the index"):
        make_reference(tmp_path)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", ["facts.nt", "facts.ttl", "facts.tsv", "facts.txt"])
def test_a_file_of_triples_is_a_world_by_its_bytes(tmp_path: Path, name: str, packed: bool) -> None:
    lines = {
        ".nt": "<urn:Ann> <urn:knows> <urn:Bob> .\n",
        ".ttl": "@prefix x: <urn:> .\nx:Ann x:knows x:Bob .\n",
        ".tsv": "Ann\tknows\tBob\n",
        ".txt": "Ann|knows|Bob\n",
    }
    path = write_facts(tmp_path / name, lines[Path(name).suffix])
    if packed:
        path = tmp_path / f"{name}.gz"
        path.write_bytes(gzip.compress((tmp_path / name).read_bytes()))
    reference = make_reference(path)
    assert (reference.kind, reference.sha256) == ("kb", world_digest(tmp_path / name))


@pytest.mark.parametrize("content", ["blue", "a b c", "", "a\tb"])
def test_a_text_that_holds_no_triples_is_none(tmp_path: Path, content: str) -> None:
    with pytest.raises(InputFileError, match="recognised by none of geoquery, kb"):
        make_reference(write_facts(tmp_path / "facts.txt", content))


def test_a_file_opens_as_a_store_under_its_digest(tmp_path: Path) -> None:
    reference = make_reference(write_facts(tmp_path / "facts.txt"))
    world = reference.open()
    assert world.digest == reference.sha256
    assert films_by(world) == ["Red Kite", "Tin Boat"]


# -- endpoints --------------------------------------------------------------------------------------------------------


def test_an_endpoint_is_a_world_by_its_address(tmp_path: Path) -> None:
    reference = make_reference(ADDRESS)
    assert (reference.kind, reference.path) == ("kb", ADDRESS)
    assert make_reference(f"{ADDRESS}2").sha256 != reference.sha256
    world = reference.open()
    assert isinstance(world, EndpointStore)
    assert (world.address, world.digest) == (ADDRESS, reference.sha256)
    data = recombine.load(data_file(tmp_path), world=ADDRESS)
    assert data.world == reference


def test_only_knowledge_bases_have_addresses(toy_kind: WorldKind) -> None:
    with pytest.raises(InputFileError, match="a world of the kind 'toy' has no address; give the path of a file"):
        make_reference(ADDRESS, toy_kind.name)


def test_an_address_with_a_password_is_not_kept() -> None:
    with pytest.raises(InputFileError, match=r"^http://127.0.0.1:1/sparql: is given with a user name") as caught:
        make_reference("http://ann:secret@127.0.0.1:1/sparql")
    assert "secret" not in str(caught.value)


def test_a_sidecar_names_an_address(tmp_path: Path) -> None:
    data = recombine.load(data_file(tmp_path, kind="kb", path=ADDRESS))
    assert isinstance(data.world, WorldReference)
    assert data.world.path == ADDRESS
    (tmp_path / "else").mkdir()
    recombine.show(data).write(tmp_path / "else" / "written.jsonl")
    said = orjson.loads((tmp_path / "else" / "written.jsonl.meta.json").read_bytes())["world"]
    assert said == {"kind": "kb", "path": ADDRESS, "sha256": data.world.sha256}
    assert recombine.load(tmp_path / "else" / "written.jsonl").world == data.world


def test_a_study_names_an_address(tmp_path: Path) -> None:
    from recombine.studies.cells.load_data import load_data
    from recombine.studies.file.study_file import DataTable
    from recombine.studies.running.run_study import _world

    data_file(tmp_path)
    data = load_data(DataTable(file="mine.jsonl", world=ADDRESS), tmp_path)
    assert data.world == make_reference(ADDRESS)
    assert _world(data) == data.world


# -- the command line -------------------------------------------------------------------------------------------------


def call(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        run([*words])
    printed = capsys.readouterr()
    return int(ended.value.code or 0), printed.out, printed.err


@pytest.mark.parametrize("flag", ["--kb", "--world"])
def test_a_split_remembers_the_knowledge_base(
    tmp_path: Path, flag: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [{"source": f"q{n}", "target": str(n)} for n in range(4)]
    Path("mine.jsonl").write_bytes(b"\n".join(map(orjson.dumps, rows)))
    build(Path("one.kb"), write_facts(Path("a.txt")))
    build(Path("two.kb"), write_facts(Path("b.txt"), FACTS.replace("Ann", "Bob")))
    made = call(capsys, "split", "mine.jsonl", "--by", "random", "--test", "1", flag, "one.kb", "-o", "s.json")
    assert made[0] == 0
    remembered = orjson.loads(Path("s.json").read_bytes())["world"]
    assert remembered == {"kind": "kb", "sha256": make_reference("one.kb").sha256}
    assert call(capsys, "check", "mine.jsonl", "s.json", flag, "one.kb")[0] == 0
    code, _, told = call(capsys, "measure", "mine.jsonl", "s.json", flag, "two.kb")
    assert code == 2
    assert "s.json: was made over the world kb@" in told
    code, _, told = call(capsys, "measure", "mine.jsonl", "s.json", flag, ADDRESS)
    assert code == 2
    assert "s.json: was made over the world kb@" in told
    code, _, told = call(capsys, "show", "mine.jsonl", flag, "nowhere.kb")
    assert code == 2
    assert told == "error: nowhere.kb: there is no such world; name the file or folder with --world PATH\n"


# -- MetaQA's facts ---------------------------------------------------------------------------------------------------


def test_an_index_is_known_by_the_file_it_is_built_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write_facts(tmp_path / "facts.txt")
    folder = build(tmp_path / "facts.kb", file)
    own = make_reference(folder).sha256
    data = recombine.load(data_file(tmp_path, kind="kb", path="facts.txt", sha256=world_digest(file)))
    with pytest.raises(RecombineError, match=r"facts.kb: mine is about the world kb@"):
        recombine.load(data, world=folder)
    monkeypatch.setitem(kb_world.SAME, own, world_digest(file))
    moved = recombine.load(data, world=folder)
    assert moved.world == WorldReference("kb", str(folder), world_digest(file))
    assert moved.opened_world is not None
    assert moved.opened_world.digest == world_digest(file)
    assert films_by(moved.opened_world) == ["Red Kite", "Tin Boat"]
    assert make_reference(folder).sha256 == own  # who asks for nothing is told of its facts
    assert recombine.load(data_file(tmp_path, sha256=world_digest(file), path="facts.kb")).world == moved.world


@pytest.mark.shared_data
def test_the_index_of_metaqas_facts_is_the_world_of_its_data(data_dir: Path, tmp_path: Path) -> None:
    folder = build(tmp_path / "metaqa.kb", data_dir / kb_world.METAQA_FILE)
    data = recombine.load("metaqa/1hop", world=folder)
    assert isinstance(data.world, WorldReference)
    assert (data.world.path, data.world.sha256) == (str(folder), kb_world.METAQA)
    store = data.opened_world
    first = data[0]
    reached = store.follow(  # type: ignore[union-attr]
        [Term.name(str(first.tags["topic"]))], [Step(Term.name("starred_actors"), inverse=True)]
    )
    assert {term.text for term in reached} == {*first.tags["answers"]}  # type: ignore[misc]


@pytest.mark.shared_data
def test_metaqas_facts_are_found_in_the_data_directory(data_dir: Path, tmp_path: Path) -> None:
    path = data_file(tmp_path, kind="kb", sha256=kb_world.METAQA)
    data = recombine.load(path)
    assert isinstance(data.world, WorldReference)
    assert Path(data.world.path) == data_dir / kb_world.METAQA_FILE


def test_a_made_up_world_is_found_by_the_digest_of_its_facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = film_world_store(5_000, seed=2)  # among the indexes in the cache
    digests = [small.digest, film_world_store().digest, many_domains_store().digest]
    monkeypatch.setenv("RECOMBINE_DATA_CACHE", str(tmp_path / "empty"))
    film_world_store(5_000, seed=2)
    for digest in digests:
        data = tmp_path / f"{digest[:8]}.jsonl"
        data.write_text('{"source": "Who directed M0", "target": "SELECT count ( * ) WHERE { M0 a film.film }"}\n')
        world = {"kind": "kb", "sha256": digest}
        Path(f"{data}.meta.json").write_bytes(orjson.dumps({"world": world}))
        store = recombine.load(data).opened_world
        assert store is not None
        assert store.digest == digest


def test_a_world_that_is_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA_CACHE", "off")
    data = tmp_path / "data.jsonl"
    data.write_text('{"source": "a", "target": "b"}\n')
    Path(f"{data}.meta.json").write_bytes(orjson.dumps({"world": {"kind": "kb", "sha256": "0" * 64}}))
    with pytest.raises(InputFileError, match="says no path of its world"):
        recombine.load(data)


def test_of_one_file_read_by_two_profiles_the_last_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA_CACHE", str(tmp_path / "cache"))
    facts = write_facts(tmp_path / "facts.txt")
    other = tmp_path / "other.toml"
    other.write_text('name = "other"\nlike = "plain"\nschema_domain = "([^_]+)_.+"\n')
    for profile in ("plain", other, "plain"):
        store = open_store(facts, profile=profile)
        assert isinstance(store, EmbeddedStore)
        for each in stored_files():  # as if some time had passed
            os.utime(each.path, (each.used - 10, each.used - 10))
        assert isinstance(open_store(facts, profile=profile), EmbeddedStore)
        found = WorldReference("kb", str(kb_world.KB.find(store.facts_digest)), store.facts_digest).open()
        assert isinstance(found, EmbeddedStore)
        assert found.profile.name == store.profile.name
