"""Indexes of facts: the same for the same facts, small and odd ones, and what becomes of a build that ends early."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from facts_of import PLAIN, batches, names, number, store_of

from recombine.errors import KnowledgeBaseError, OutputFileError
from recombine.kb.base_names import iri_of_name
from recombine.kb.embedded import whole_folder
from recombine.kb.embedded.build_index import build_index
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.profiles.profile import Profile
from recombine.kb.store import Step
from recombine.kb.term import Term

NAME = Term.name
FACTS = names("a p b\na p c\nb q c\nc p a\na q a")


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_an_index_of_no_facts(tmp_path: Path) -> None:
    store = store_of([], tmp_path / "index")
    assert (len(store), store.count(), list(store.ids([NAME("a")]))) == (0, 0, [-1])
    assert (store.neighbours(NAME("a")), store.relations(NAME("a")), store.follow([], [])) == ([], {}, [])
    assert store.follow([NAME("a")], [Step(NAME("p"))]) == store.follow([NAME("a")], []) == []
    assert (list(store.iter_triples()), store.paths(NAME("a"), NAME("b")), store.near(NAME("a"))) == ([], [], [])


def test_an_index_of_one_fact(tmp_path: Path) -> None:
    store = store_of(names("a p b"), tmp_path / "index")
    assert store.terms(store.ids([NAME("b"), NAME("p"), NAME("a")])) == [NAME("b"), NAME("p"), NAME("a")]
    assert (store.follow([NAME("a")], [Step(NAME("p"))]), store.follow([NAME("a")], [])) == ([NAME("b")], [NAME("a")])
    assert store.follow([NAME("b")], [Step(NAME("p"), inverse=True)]) == [NAME("a")]
    assert [batch.to_pydict() for batch in store.iter_triples()] == [
        {"subject": ["=a"], "relation": ["=p"], "target": ["=b"]}
    ]


def test_repeats_are_kept_once_and_counted(tmp_path: Path) -> None:
    built = build_index(batches([*FACTS, *FACTS[:2], FACTS[0]]), tmp_path / "index", profile=PLAIN)
    assert (built.facts, built.repeats, built.terms, built.relations) == (5, 3, 5, 2)
    assert EmbeddedStore.open(tmp_path / "index").count(NAME("a"), NAME("p")) == 2


def test_order_and_parts_do_not_matter(tmp_path: Path) -> None:
    digests = set()
    for place, (facts, rows) in enumerate([(FACTS, 2), (FACTS[::-1], 5), ([*FACTS[2:], *FACTS], 1)]):
        digests.add(build_index(batches(facts, rows), tmp_path / f"{place}", profile=PLAIN).digest)
    assert len(digests) == 1
    assert content(tmp_path / "0") == content(tmp_path / "1")
    others = [names("a p b"), names("a p c"), names("b p a"), names("a b p"), [(NAME("a"), NAME("p"), number("1"))]]
    for place, facts in enumerate(others):
        digests.add(build_index(batches(facts), tmp_path / f"other{place}", profile=PLAIN).digest)
    assert len(digests) == 6


def test_odd_names_are_kept_whole(tmp_path: Path) -> None:
    texts = [
        'say "x"',
        "{brace}",
        "new\nline",
        "tab\t",
        "a\\b",
        "<x>",
        "é 漢字 😀",
        "",
        " ",
        "50%",
        "%20",
        "_:b",
        "=",
        '"',
    ]
    facts = [(NAME(text), NAME("p"), NAME(text + "!")) for text in texts]
    facts += [(NAME("a"), NAME("p"), Term.literal(text, language="en-GB")) for text in texts]
    store = store_of(facts, tmp_path / "index")
    for text in texts:
        for given in (NAME(text), Term.iri(iri_of_name(text, PLAIN.base))):
            assert store.neighbours(given) == [NAME(text + "!")]
    assert sorted(term.text for term in store.neighbours(NAME("a"))) == sorted(texts)
    assert store.neighbours(Term.literal('say "x"', language="en-gb"), inverse=True) == [NAME("a")]
    assert store.id(Term.name("\ud800")) == -1  # no text in UTF-8 has it


@pytest.mark.parametrize(
    ("iri", "key"),
    [
        ("http://example.org/Ang%20Lee", "=Ang Lee"),
        ("http://example.org/50%25", "=50%"),
        ("http://example.org/", "="),
        ("http://example.org/a/b#c", "<http://example.org/a/b#c"),
        ("http://example.org/%C3%A9", "<http://example.org/%C3%A9"),  # é stands as it is in the IRI of a name
        ("http://example.org/%7e", "<http://example.org/%7e"),
        ("http://example.org/%2", "<http://example.org/%2"),
        ("http://example.org/%zz", "<http://example.org/%zz"),
        ("http://example.org/é", "=é"),
        ("http://example.or", "<http://example.or"),
        ("http://other.org/x", "<http://other.org/x"),
    ],
)
def test_resources_under_the_base_are_kept_by_their_names(iri: str, key: str, tmp_path: Path) -> None:
    store = store_of([(Term.iri(iri), NAME("p"), NAME("x"))], tmp_path / "index")
    assert [term.key for term in store.neighbours(NAME("x"), inverse=True)] == [key]
    assert store.neighbours(Term.iri(iri)) == store.neighbours(Term.of_key(key)) == [NAME("x")]


def test_the_profile_comes_back(tmp_path: Path) -> None:
    profile = Profile("own", "http://x/", {"a": "http://a/"}, "m\\..*", ("type", "a:type"), label=("rdfs:label",))
    assert store_of(FACTS, tmp_path / "index", profile=profile).profile == profile


def test_many_batches_and_terms(tmp_path: Path) -> None:
    """The table of terms grows many times, also in the middle of the stream."""
    facts = [(NAME(f"e{n}"), NAME("p"), NAME(f"e{n * 7 % 1000}")) for n in range(1000)]
    build_index(batches(facts, 64), tmp_path / "index", profile=PLAIN)
    store = EmbeddedStore.open(tmp_path / "index")
    assert (len(store), len(store.table)) == (1000, 1001)
    keys = [store.term(number).key for number in range(1001)]
    assert keys == sorted(keys)
    for n in range(0, 1000, 37):
        assert store.neighbours(NAME(f"e{n}")) == [NAME(f"e{n * 7 % 1000}")]


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pa.array(["=a", None], pa.large_string()), "a fact without a subject, relation or target"),
        (pa.array([b"=a", b"=\xff"], pa.large_binary()), "a key that is no text in UTF-8"),
    ],
)
def test_a_broken_stream_leaves_nothing(column: Any, message: str, tmp_path: Path) -> None:
    good = pa.array(["=a", "=b"], pa.large_string())
    stream = [pa.RecordBatch.from_arrays([good, good, column], ["subject", "relation", "target"])]
    with pytest.raises(KnowledgeBaseError, match=message):
        build_index(stream, tmp_path / "index", profile=PLAIN)
    assert list(tmp_path.iterdir()) == []


# -- what is in its place --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("exchange", [True, False])
def test_an_index_is_replaced(exchange: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not exchange:
        monkeypatch.setattr(whole_folder, "_exchange", lambda *_: False)
    old = store_of(names("a p b"), tmp_path / "index")
    new = store_of(FACTS, tmp_path / "index")
    assert (len(old), len(new), old.neighbours(NAME("a"))) == (1, 5, [NAME("b")])  # the old one is still read
    assert [path.name for path in tmp_path.iterdir()] == ["index"]
    assert not (tmp_path / "index" / whole_folder.LOCK).exists()


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "index").mkdir()
    assert len(store_of(FACTS, tmp_path / "index")) == 5


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"notes.txt": "mine"}, "holds notes.txt, which recombine kb build did not make; choose another place"),
        ({"kb.json": "{}"}, "holds files that recombine kb build did not make"),
        ({"terms.bin": "x"}, "holds files that recombine kb build did not make"),
    ],
)
def test_what_is_not_ours_stays(files: dict[str, str], message: str, tmp_path: Path) -> None:
    (tmp_path / "index").mkdir()
    for name, text in files.items():
        (tmp_path / "index" / name).write_text(text)

    def never() -> Iterator[pa.RecordBatch]:
        raise AssertionError("nothing is read in vain")
        yield

    with pytest.raises(KnowledgeBaseError, match=message):
        build_index(never(), tmp_path / "index", profile=PLAIN)
    assert content(tmp_path / "index") == {name: text.encode() for name, text in files.items()}


def test_a_file_of_ones_own_in_an_index_stays(tmp_path: Path) -> None:
    store_of(FACTS, tmp_path / "index")
    (tmp_path / "index" / "notes.txt").write_text("mine")
    with pytest.raises(KnowledgeBaseError, match=r"holds notes\.txt"):
        store_of(FACTS, tmp_path / "index")
    assert (tmp_path / "index" / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("kind", ["file", "link"])
def test_a_file_or_link_in_the_place_stays(kind: str, tmp_path: Path) -> None:
    store_of(FACTS, tmp_path / "other")
    place = tmp_path / "index"
    if kind == "file":
        place.write_text("mine")
    else:
        place.symlink_to(tmp_path / "other")
    with pytest.raises(KnowledgeBaseError, match="is there already and is no folder of an index"):
        store_of(FACTS, place)
    assert place.is_symlink() or place.read_text() == "mine"


def test_no_folder_to_be_in(tmp_path: Path) -> None:
    with pytest.raises(OutputFileError, match="does not exist; make it first"):
        store_of(FACTS, tmp_path / "none" / "index")


# -- builds that end early -------------------------------------------------------------------------------------------

BUILD = """
import sys, time
from facts_of import PLAIN, batches, names
from recombine.kb.embedded.build_index import build_index
from recombine.kb.embedded import build_index as module

def stream():
    yield from batches(names("x p y"))
    if sys.argv[1] == "reading":
        print("begun", flush=True)
        time.sleep(60)

def sleep(*_):
    print("begun", flush=True)
    time.sleep(60)

if sys.argv[1] == "writing":
    module.write_description = sleep
build_index(stream(), "index", profile=PLAIN)
"""


def process_of(code: str, folder: Path, *words: str, **named: Any) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    return subprocess.Popen(
        [sys.executable, "-c", code, *words],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **named,
    )


@pytest.mark.parametrize("when", ["reading", "writing"])
def test_a_killed_build_leaves_the_old_index(when: str, tmp_path: Path) -> None:
    store_of(FACTS, tmp_path / "index")
    before = content(tmp_path / "index")
    with process_of(BUILD, tmp_path, when) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=60)
    assert content(tmp_path / "index") == before
    assert len(EmbeddedStore.open(tmp_path / "index")) == 5
    assert len(list(tmp_path.iterdir())) == 2  # what it had written so far
    store_of(names("a p b"), tmp_path / "index")
    assert [path.name for path in tmp_path.iterdir()] == ["index"]  # the next one clears up


def test_a_build_beside_this_one_is_let_be(tmp_path: Path) -> None:
    with process_of(BUILD, tmp_path, "reading") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        store_of(FACTS, tmp_path / "index")
        assert len(list(tmp_path.iterdir())) == 2
        process.kill()
        process.wait(timeout=60)


def test_what_was_replaced_and_not_removed_is_cleared_up(tmp_path: Path) -> None:
    store_of(FACTS, tmp_path / "index")
    (tmp_path / "index").rename(tmp_path / ".index.building-left")
    store_of(FACTS, tmp_path / "index")
    assert [path.name for path in tmp_path.iterdir()] == ["index"]


def _small_disk() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))


def test_a_full_disk(tmp_path: Path) -> None:
    """No file may grow beyond a limit, which fails in the middle of writing as a full disk does."""
    store_of(FACTS, tmp_path / "index")
    before = content(tmp_path / "index")
    code = BUILD.replace('names("x p y")', 'names("\\n".join(f"e{n} p e{n}" for n in range(400)))')
    with process_of(code, tmp_path, "whole", preexec_fn=_small_disk) as process:
        _, error = process.communicate(timeout=120)
    assert b"OutputFileError" in error
    assert b"index: cannot be written (File too large); choose another place" in error
    assert content(tmp_path / "index") == before
    assert [path.name for path in tmp_path.iterdir()] == ["index"]


def test_two_hash_seeds_give_the_same_bytes(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom facts_of import store_of, names, number\nfrom recombine.kb.term import Term\n"
        "from pathlib import Path\n"
        "facts = [(Term.name(f's{n % 9}'), Term.name(f'p{n % 4}'), Term.name(f't{n % 11}')) for n in range(99)]\n"
        "facts += [(Term.name('s'), Term.name('v'), number(str(n % 7))) for n in range(20)]\n"
        "store_of({*facts}, Path(sys.argv[1]))\n"
    )
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        environment["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), *sys.path])
        subprocess.run([sys.executable, "-c", code, seed], cwd=tmp_path, env=environment, check=True)
    assert content(tmp_path / "1") == content(tmp_path / "2")
    assert json.loads((tmp_path / "1" / "kb.json").read_text())["facts"] > 90
