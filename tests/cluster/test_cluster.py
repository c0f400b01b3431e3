"""Verbs on a cluster of two workers: as in one process, for any parts, and whatever befalls a worker."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import recombine
from recombine.cluster import content_hash, folder_data, search_sample, session, text_ranks
from recombine.cluster.column_sums import merged, ordered
from recombine.cluster.generate_parts import block_seed, generate_parts
from recombine.cluster.measure_parts import NO_FLOOR
from recombine.errors import (
    ClusterError,
    InfeasibleError,
    InputFileError,
    OptionError,
    OutputFileError,
    RecombineError,
    RecordError,
    SizeError,
    SplitError,
)
from recombine.measures.expected.expected_accuracy import NOT_ON_A_CLUSTER
from recombine.measures.patterns import variety, variety_of_sizes
from recombine.records.split_folder import HEAD, read_split_head

distributed = pytest.importorskip("distributed", reason="needs dask[distributed]")
pytestmark = pytest.mark.filterwarnings("default")  # dask's own
ROWS = 900
LANGUAGE = {"language": "covr"}
METHODS: dict[str, dict[str, Any]] = {
    "random": {"by": "random", "train": 500, "dev": 100, "test": 0.25},
    "no duplicates": {"by": "random", "no_duplicates": True},
    "length": {"by": "length:target"},
    "pattern": {"by": "pattern:source", "test": 200},
    "template": {"by": "template", "k_train": 4, "k_test": 2},
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The scheduler of two workers."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", memory_limit="2GB", silence_logs=50
    ) as cluster:
        yield cluster.scheduler_address


@pytest.fixture(scope="module")
def table() -> pa.Table:
    """Pairs of COVR with ids and derivations."""
    made = recombine.generate("covr", n=ROWS, seed=5).dataset
    columns = {"id": [e.id for e in made], "source": [e.source for e in made], "target": [e.target for e in made]}
    derivations = [orjson.dumps(e.derivation.to_rows()).decode() for e in made if e.derivation is not None]
    return pa.table({**columns, "derivation": derivations})


def written(table: pa.Table, folder: Path, parts: int) -> Path:
    """The rows as parts of unequal sizes."""
    folder.mkdir(parents=True)
    cuts = [0, *(table.num_rows * (number + 1) // parts - 7 * number for number in range(parts - 1)), table.num_rows]
    for number, (low, high) in enumerate(pairwise(cuts)):
        pq.write_table(table.slice(low, high - low), folder / f"part-{number:02d}.parquet", row_group_size=100)
    return folder


@pytest.fixture(scope="module")
def covr(table: pa.Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pairs in three parts."""
    return written(table, tmp_path_factory.mktemp("three") / "covr", 3)


@pytest.fixture(scope="module")
def stranger(table: pa.Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stranger's parts: columns of other names, no ids, and pairs that come again within a part and in others."""
    again = pa.concat_tables([table, table.slice(0, 40), table.slice(20, 40)])
    columns = {"question": again["source"], "program": again["target"], "source": ["no"] * again.num_rows}
    return written(pa.table(columns), tmp_path_factory.mktemp("stranger") / "covr", 4)


STRANGER = {"source": "question", "target": "program", "language": "covr"}


WITHOUT = ("random_compound_divergence", "warnings", "expected_accuracy")


def values(result: Any) -> dict[str, Any]:
    return {key: value for key, value in result.to_dict().items() if key not in ("seconds", "file", "notes")}


def on_a_cluster(result: Any) -> Any:
    """What one process gives, as a cluster does: without the floor of D_C, its warning, and the expected accuracy."""
    measured = result if isinstance(result, dict) else result.measured
    if "random_compound_divergence" not in measured:
        return result
    said = f"D_C of random splits was not measured: {NO_FLOOR}"
    fewer = {key: value for key, value in measured.items() if key not in WITHOUT}
    if kept := [sentence for sentence in measured.get("warnings", ()) if "of random splits" not in sentence]:
        fewer["warnings"] = kept
    others = [sentence for sentence in fewer["not_measured"] if "the expected accuracy" not in sentence]
    fewer["not_measured"] = [said, *others, NOT_ON_A_CLUSTER]
    return fewer if isinstance(result, dict) else replace(result, measured=fewer)


# -- the same as in one process ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_a_split_is_that_of_one_process(method: str, covr: Path, address: str) -> None:
    alone = recombine.split(covr, **METHODS[method], **LANGUAGE, seed=3)
    shared = recombine.split(covr, **METHODS[method], **LANGUAGE, seed=3, cluster=address)
    assert shared == on_a_cluster(alone)
    assert values(shared) == values(on_a_cluster(alone))
    assert shared.sizes() == alone.sizes()


@pytest.mark.parametrize("by", ["random", "pattern:target", "template"])
def test_a_strangers_columns_without_ids(by: str, stranger: Path, address: str) -> None:
    alone = recombine.split(stranger, by=by, **STRANGER, seed=1)
    shared = recombine.split(stranger, by=by, **STRANGER, seed=1, cluster=address)
    assert any("#3" in key for key in (*alone.train, *alone.test)), "some pairs come three times"
    assert shared == on_a_cluster(alone)
    assert values(shared) == values(on_a_cluster(alone))
    assert by != "random" or alone.measured["duplicates"]["pairs"] > 0


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"structures": "atoms=rules,presence;compounds=dag:2-2,counts,top=40"},
        {"structures": "atoms=symbols,counts;compounds=tree:2-3,presence,top=90"},
        {"structures": "local:3", "against": "dev", "atom_alpha": 0.3},
        {"structures": "atoms=tokens,presence;compounds=subtree:1-2,counts,alpha=0.5", "compound_alpha": 0.2},
    ],
)
def test_measures_are_those_of_one_process(options: dict[str, Any], covr: Path, address: str, tmp_path: Path) -> None:
    split = recombine.split(covr, by="length:source", dev=100, test=150, **LANGUAGE, seed=2)
    split.write(tmp_path / "split.json")
    alone = recombine.measure(covr, tmp_path / "split.json", **options)
    assert recombine.measure(covr, tmp_path / "split.json", **options, cluster=address).to_dict() == on_a_cluster(
        alone.to_dict()
    )
    assert recombine.measure(covr, split, **options, cluster=address).to_dict() == on_a_cluster(alone.to_dict())


@pytest.mark.parametrize(
    ("structures", "train", "test", "words"),
    [
        ("dag:2-3,counts", slice(300, None), slice(0, 1), "test holds 16 of the 435 compounds"),
        ("dag:2-3,counts", slice(0, 300), slice(700, None), "test is longer than train"),
        ("dag:4-5,counts,top=4", slice(0, 150), slice(300, 400), "of train .* hold no compound.*no top=4"),
    ],
)
def test_warnings_but_that_of_the_floor(
    structures: str, train: slice, test: slice, words: str, covr: Path, address: str
) -> None:
    data = recombine.load(covr, **LANGUAGE)
    order = sorted(data.ids, key=lambda key: len(data[key].target.split()))
    parts = {"train": tuple(order[train]), "test": (tuple(order[test]) * 200)[:200]}
    hard = recombine.Split(parts, data.name, data.hash, recombine.Signature.of(by="tmcd"), {}, data.reading)
    shared = recombine.measure(covr, hard, structures=structures, **LANGUAGE, cluster=address)
    alone = recombine.measure(covr, hard, structures=structures, **LANGUAGE)
    assert shared.to_dict() == on_a_cluster(alone.to_dict())
    assert any(re.search(words, said) for said in shared["warnings"])


def test_data_without_structures_and_unseen_atoms(covr: Path, stranger: Path, address: str) -> None:
    fields = {"source": "question", "target": "program"}
    alone = recombine.split(stranger, by="length:target", **fields)
    assert values(recombine.split(stranger, by="length:target", **fields, cluster=address)) == values(alone)
    assert "has no derivations" in alone.measured["not_measured"][0]
    data = recombine.load(covr, **LANGUAGE)
    without = [example.id for example in data if "mouse" not in example.target.split()]
    held = [example.id for example in data if "mouse" in example.target.split()][:50]
    split = recombine.split(data, test=50)
    parts = {"train": (*without[:200], without[0]), "test": (*held, held[3], without[0])}
    unseen = recombine.Split(parts, split.data, split.data_hash, split.signature, {}, split.reading)
    shared = recombine.measure(covr, unseen, **LANGUAGE, cluster=address)
    assert shared.to_dict() == on_a_cluster(recombine.measure(covr, unseen, **LANGUAGE).to_dict())
    assert (shared["unseen_atom_examples"], shared["unseen_atoms"]) == (51, ["mouse"])
    assert shared["duplicates"]["ids"] == 1


@pytest.mark.parametrize(
    "options",
    [{}, {"order": 4}, {"similarity": "relations", "tokenisation": "published"}, {"structures": "ngram:2", "n": 0}],
)
def test_difficulty_is_that_of_one_process(options: dict[str, Any], covr: Path, address: str, tmp_path: Path) -> None:
    split = recombine.split(covr, by="length:target", test=100, **LANGUAGE, seed=1, cluster=address)
    split.write(tmp_path / "split")
    alone = recombine.difficulty(covr, tmp_path / "split", **options)
    shared = recombine.difficulty(covr, tmp_path / "split", **options, cluster=address)
    assert shared.to_dict() == rated_on_a_cluster(alone)
    assert shared.hardest() == [
        hard._replace(example=hard.example.__class__(hard.example.id, hard.example.source, hard.example.target))
        for hard in _with_rows(alone, shared)
    ]
    assert str(shared) == str(alone)
    assert alone["unobserved_examples"] > 0


def rated_on_a_cluster(result: Any) -> dict[str, Any]:
    """What one process gives, without the expected accuracy."""
    kept = {key: value for key, value in result.to_dict().items() if key != "expected_accuracy"}
    return {**kept, "not_measured": [NOT_ON_A_CLUSTER]}


def _with_rows(alone: Any, shared: Any) -> list[Any]:
    """The hardest of one process, whose reasons number train rows where those of a cluster number rows of the data."""
    return [
        one._replace(reason=other.reason) if str(one.reason) == str(other.reason) else one
        for one, other in zip(alone.hardest(), shared.hardest(), strict=True)
    ]


def test_symbols_that_train_lacks(covr: Path, address: str) -> None:
    data = recombine.load(covr, **LANGUAGE)
    without = [example.id for example in data if "mouse" not in example.target.split()]
    held = [example.id for example in data if "mouse" in example.target.split()]
    split = recombine.split(data, test=50)
    parts = {"train": tuple(without), "test": tuple(held)}
    unseen = recombine.Split(parts, split.data, split.data_hash, split.signature, {}, split.reading)
    shared = recombine.difficulty(covr, unseen, **LANGUAGE, cluster=address)
    assert shared.to_dict() == rated_on_a_cluster(recombine.difficulty(covr, unseen, **LANGUAGE))
    assert shared["unseen_symbol_examples"] == len(held)


# -- any number of parts, workers and blocks --------------------------------------------------------------------------


@pytest.mark.parametrize("parts", [1, 7])
def test_parts_do_not_matter(parts: int, table: pa.Table, covr: Path, address: str, tmp_path: Path) -> None:
    other = written(table, tmp_path / "covr", parts)
    split = recombine.split(covr, by="template", **LANGUAGE, seed=4, cluster=address)
    again = recombine.split(other, by="template", **LANGUAGE, seed=4, cluster=address)
    assert again == split
    assert values(again) == values(split)
    split.write(tmp_path / "split")
    assert recombine.measure(other, tmp_path / "split", cluster=address).to_dict() == split.measured


def test_ranges_and_blocks_do_not_matter(covr: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA_CACHE", "off")
    with session.open_session(address) as one:
        data = folder_data.survey_folder(one, covr, source=None, target=None, language="covr")
        ranks = text_ranks.text_ranks(one, data, "target")
        assert content_hash.content_hash(one, data) == recombine.load(covr).hash
        for module in (content_hash, text_ranks):
            monkeypatch.setattr(module, "RANGE", 90)
        assert content_hash.content_hash(one, data) == recombine.load(covr).hash
        assert np.array_equal(text_ranks.text_ranks(one, data, "target"), ranks)
    targets = [example.target for example in recombine.load(covr)]
    assert ranks.tolist() == [sorted(set(targets)).index(target) for target in targets]
    monkeypatch.setattr(folder_data, "BLOCK", 64)
    blocks = [len(block) for block in folder_data.iter_blocks(data.task(0))]
    assert max(blocks) <= 64
    assert sum(blocks) == data.sizes[0]


def test_a_local_cluster_of_one_worker(covr: Path, tmp_path: Path) -> None:
    split = recombine.split(covr, by="random", **LANGUAGE, seed=1)
    split.write(tmp_path / "split.json")
    words = ["measure", str(covr), str(tmp_path / "split.json"), "--cluster", "local:1:1GB", "--json"]
    done = subprocess.run([sys.executable, "-m", "recombine", *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert orjson.loads(done.stdout) == on_a_cluster(recombine.measure(covr, split).to_dict())


def test_a_search_on_a_sample(
    covr: Path, table: pa.Table, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_sample, "LEAST", 300)
    options: dict[str, Any] = {"by": "mcd", "test": 0.2, "dev": 50, "effort": 0.05, "seed": 1, **LANGUAGE}
    split = recombine.split(covr, **options, cluster=address, best_effort=True)
    assert split.sizes() == {"train": ROWS * 4 // 5 - 50, "dev": 50, "test": ROWS // 5}
    assert (split.signature.get("by"), split.signature.get("sample")) == ("mcd", "300")
    random = recombine.split(covr, by="random", test=0.2, **LANGUAGE)
    assert split.measured["compound_divergence"] > 2 * random.measured["compound_divergence"]
    other = written(table, tmp_path / "covr", 6)
    assert recombine.split(other, **options, cluster=address, best_effort=True) == split
    with pytest.raises(InfeasibleError, match=r"above the cap of 1e-05; take the best found with --best-effort"):
        recombine.split(covr, **options, max_atom_divergence=0.00001, cluster=address)
    with pytest.raises(OptionError, match="--no-duplicates looks at all examples at once"):
        recombine.split(covr, **options, no_duplicates=True, cluster=address)


@pytest.mark.parametrize("structures", ["line:11-12,counts", "dag:4-5,counts,top=4"])
def test_what_holds_no_compound_is_counted_and_not_tested(
    structures: str, covr: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = recombine.load(covr, **LANGUAGE)
    random = recombine.split(data, by="random", test=0.2, structures=structures)
    shared = recombine.measure(covr, random, structures=structures, cluster=address)
    assert shared["without_compounds"] == random.measured["without_compounds"]
    assert shared["without_compounds"]["test"] > 5
    monkeypatch.setattr(search_sample, "LEAST", 300)
    options: dict[str, Any] = {"by": "mcd", "test": 0.2, "effort": 0.05, "seed": 1, "max_atom_divergence": 0.5}
    split = recombine.split(covr, **options, structures=structures, **LANGUAGE, cluster=address, best_effort=True)
    lacking = split.measured["without_compounds"]["test"]
    if "top" in structures:  # each part has most frequent compounds of its own, so some may be missed, and it is said
        assert lacking < shared["without_compounds"]["test"] / 4
        assert split.missed == (f"{lacking} examples of test hold no compound" if lacking else None)
    else:
        assert (lacking, split.missed) == (0, None)


# -- generate ---------------------------------------------------------------------------------------------------------


def test_generated_data_depends_on_the_seed_alone(address: str, tmp_path: Path) -> None:
    made = {}
    with session.open_session(address) as one:
        for name, part in (("a", 500), ("b", 90)):
            counted = generate_parts(one, "covr", tmp_path / name, n=650, seed=2, options={}, draws=200, part=part)
            made[name] = recombine.load(tmp_path / name)
    assert [e.id for e in made["a"]] == [e.id for e in made["b"]]
    assert (counted.examples, counted.parts, counted.rules, len(made["b"])) == (650, 8, 72, 650)
    streams = [recombine.generate("covr", n=200, seed=block_seed(2, block)).dataset for block in range(6)]
    every = list(dict.fromkeys(e.id for stream in streams for e in stream))
    assert [e.id for e in made["a"]] == every[:650]
    dropped = [e.id for stream in streams for e in stream].index(every[649]) + 1 - 650
    assert counted.same_pair_dropped == dropped > 0
    assert list(tmp_path.glob(".*")) == []


def test_the_first_examples_are_those_of_one_process(address: str, tmp_path: Path) -> None:
    result = recombine.generate("covr", n=300, seed=3, cluster=address)
    assert result.to_dict()["parts"] is None
    result.write(tmp_path / "made")
    alone = recombine.generate("covr", n=300, seed=3)
    assert [*result.dataset] == [
        example.__class__(example.id, example.source, example.target, example.derivation, {"line": line})
        for line, example in enumerate(alone.dataset, start=1)
    ]
    assert result.to_dict()["hash"] == alone.dataset.hash


def test_too_many_examples_are_refused_and_nothing_is_left(address: str, tmp_path: Path) -> None:
    grammar = tmp_path / "small.scfg"
    grammar.write_text("%start <S>\none: <S> -> a => A\ntwo: <S> -> b => B\n")
    with pytest.raises(SizeError, match="not 5"):
        recombine.generate(grammar, n=5, cluster=address).write(tmp_path / "made")
    with pytest.raises(OptionError, match="with -n"):
        recombine.generate(grammar, cluster=address)
    with pytest.raises(OutputFileError, match="no suffix"):
        recombine.generate(grammar, n=1, cluster=address).write(tmp_path / "made.parquet")
    assert [path.name for path in tmp_path.iterdir()] == ["small.scfg"]


# -- what befalls a cluster -------------------------------------------------------------------------------------------


@pytest.fixture
def killed_worker(address: str) -> Iterator[list[int]]:
    """A worker is killed as soon as it works on a task of ours."""
    killed: list[int] = []
    done = threading.Event()
    with distributed.Client(address, set_as_default=False) as client:

        def watch() -> None:
            while not done.is_set() and not killed:
                busy = [worker for worker, tasks in client.processing().items() if len(tasks) > 1]
                if busy:
                    pids = client.run(os.getpid, workers=busy[:1])
                    os.kill(pids[busy[0]], signal.SIGKILL)
                    killed.append(pids[busy[0]])
                time.sleep(0.005)

        thread = threading.Thread(target=watch)
        thread.start()
        yield killed
        done.set()
        thread.join()


def test_a_killed_worker_changes_nothing(
    table: pa.Table, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, killed_worker: list[int]
) -> None:
    monkeypatch.setenv("RECOMBINE_DATA_CACHE", "off")
    many = written(table, tmp_path / "covr", 24)
    shared = recombine.split(many, by="template", **LANGUAGE, seed=2, cluster=address)
    assert len(killed_worker) == 1
    alone = recombine.split(many, by="template", **LANGUAGE, seed=2)
    assert shared == on_a_cluster(alone)
    assert values(shared) == values(on_a_cluster(alone))


@pytest.mark.parametrize(
    ("cluster", "kind", "words"),
    [
        ("tcp://127.0.0.1:9", ClusterError, "no scheduler answers at tcp://127.0.0.1:9"),
        ("tcp://nowhere", ClusterError, "no scheduler answers"),
        ("here", OptionError, "cannot read the cluster 'here'; give the address of a scheduler"),
        ("local:0", OptionError, "cannot read the cluster"),
        ("local:2:lots", OptionError, "cannot read the cluster"),
    ],
)
def test_a_cluster_that_is_not_there(
    cluster: str, kind: type[RecombineError], words: str, covr: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "TIMEOUT", 1)
    with pytest.raises(kind, match=words) as raised:
        recombine.split(covr, by="random", cluster=cluster)
    assert raised.value.exit_code == 2


LOSE_THE_SCHEDULER = """
import threading, time
import dask, distributed
from recombine.cluster import session
from recombine.errors import ClusterError

with dask.config.set({"distributed.comm.timeouts.connect": "1s"}):
    cluster = distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=":0", silence_logs=50)
    try:
        with session.open_session(cluster.scheduler_address) as one:
            future = one.client.submit(time.sleep, 0, resources={"none has": 1})
            threading.Timer(0.5, cluster.close).start()
            one.results("waiting", [future])
    except ClusterError as error:
        print(error)
    finally:
        cluster.close()
"""


def test_a_lost_scheduler_is_one_error() -> None:
    """In a process of its own: what a scheduler that is gone leaves behind must not reach other tests."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", LOSE_THE_SCHEDULER],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "was lost; start it again" in done.stdout, done.stderr


@pytest.mark.parametrize("form", ["cfq", "nqg"])
def test_forms_that_number_lines_are_refused(form: str, covr: Path) -> None:
    with pytest.raises(OptionError, match=f"does not write the {form} format; leave out --format or --cluster"):
        recombine.split(covr, by="random", cluster="local", format=form)


def test_dask_that_is_missing_is_said(covr: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(ClusterError, match=r"install recombine\[cluster\]"):
        recombine.split(covr, by="random", cluster="local")


# -- bad input --------------------------------------------------------------------------------------------------------


def spoiled(table: pa.Table, folder: Path, **parts: pa.Table | bytes) -> Path:
    """Three parts, of which some are others."""
    written(table, folder, 3)
    for name, part in parts.items():
        path = folder / f"{name.replace('_', '-')}.parquet"
        if isinstance(part, bytes):
            path.write_bytes(part)
        else:
            pq.write_table(part, path)
    return folder


TEXTS = {"id": ["a", "b"], "source": ["s", "t"], "target": ["S", "T"]}


@pytest.mark.parametrize(
    ("part", "kind", "words"),
    [
        (
            {**TEXTS, "question": ["s", "t"], "source": None},
            RecordError,
            r"part-01.parquet, row 1: no field 'source'; it",
        ),
        ({**TEXTS, "target": [1, 2]}, RecordError, r"part-01.parquet, row 1: the field 'target' is not text"),
        ({**TEXTS, "source": ["s", None]}, RecordError, r"part-01.parquet, row 2: the field 'source' is not text"),
        ({**TEXTS, "id": ["a", None]}, InputFileError, r"part-01.parquet: 1 records have no id"),
        ({**TEXTS, "id": None}, InputFileError, r"part-01.parquet: has no ids, though .*part-00.parquet has"),
        ({**TEXTS, "id": ["a", ""]}, RecordError, r"part-01.parquet, row 2: the id is neither text"),
        ({**TEXTS, "id": [0.5, 1.5]}, RecordError, r"part-01.parquet, row 1: the id is neither text"),
        ({**TEXTS, "id": ["a", "a"]}, RecordError, r"part-01.parquet, row 2: the id 'a' stands already in row 1"),
        ({**TEXTS, "target": ["find ( dog", "T"]}, RecordError, r"part-01.parquet, line 1: functional program"),
        ({name: cells[:0] for name, cells in TEXTS.items()}, InputFileError, "part-01.parquet: has no records"),
        (b"not parquet", InputFileError, "part-01.parquet: not a Parquet file"),
    ],
)
def test_a_bad_part_is_named(
    part: Any, kind: type[RecombineError], words: str, table: pa.Table, address: str, tmp_path: Path
) -> None:
    bad = part if isinstance(part, bytes) else pa.table({k: v for k, v in part.items() if v is not None})
    folder = spoiled(table.select(["id", "source", "target"]), tmp_path / "covr", part_01=bad)
    with pytest.raises(kind, match=words) as raised:
        recombine.split(folder, by="random", **LANGUAGE, cluster=address)
    assert type(raised.value) is kind
    assert "\n" not in str(raised.value)


def test_an_id_in_two_parts_is_named_with_both(table: pa.Table, address: str, tmp_path: Path) -> None:
    folder = spoiled(table, tmp_path / "covr", part_02=table.slice(0, 5))
    with pytest.raises(RecordError, match=r"part-02.parquet, row \d: .* stands already in .*part-00.parquet, row \d+;"):
        recombine.split(folder, by="random", cluster=address)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ([], "is a directory without .parquet files"),
        (["a.parquet", "notes.txt"], "notes.txt: is no .parquet file"),
        (["a.parquet", "a.parquet.meta.json"], "cannot have a context"),
    ],
)
def test_a_folder_that_is_none(names: Sequence[str], words: str, address: str, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    for name in names:
        (folder / name).write_bytes(b"")
    for cluster in (None, address):
        with pytest.raises(InputFileError, match=words):
            recombine.split(folder, by="random", cluster=cluster)


JOINED = "symbols;tree:2-2&words:2-3"


def test_what_a_cluster_cannot_do_is_said(covr: Path, address: str, tmp_path: Path) -> None:
    split = recombine.split(covr, by="random", **LANGUAGE)
    refused: list[tuple[Any, str]] = [
        (lambda: recombine.split(covr, by="grammar", cluster=address), "cannot split by grammar"),
        (lambda: recombine.split(covr, by="template", solvable=True, cluster=address), "--solvable"),
        (lambda: recombine.split(covr, by="template", cluster=address), "they have no templates"),
        (lambda: recombine.split(covr, by="random", format="cfq", cluster=address), "the cfq format"),
        (lambda: recombine.split([("a", "b")], by="random", cluster=address), "a folder of Parquet parts"),
        (lambda: recombine.split("scan", by="random", cluster=address), "no such folder"),
        (lambda: recombine.split(covr / "part-00.parquet", by="random", cluster=address), "is one file"),
        (lambda: recombine.measure(covr, split, structures="cfq-weighted", cluster=address), "weights of dag"),
        (
            lambda: recombine.measure(covr, split, structures=JOINED, cluster=address),
            "a cluster takes compounds of one",
        ),
        (
            lambda: recombine.split(covr, by="mcd", structures=JOINED, cluster=address, **LANGUAGE),
            "a cluster takes compounds of one kind, and tree:2-2,counts&words:2-3,counts are of 2; name one of them "
            "with --structures, or leave out --cluster",
        ),
        (lambda: recombine.difficulty(covr, split, report="page.html", cluster=address), "--report is not for"),
        (lambda: recombine.measure(covr, split, against="gen", cluster=address), "has no part 'gen'"),
        (lambda: recombine.measure(covr, "none.json", cluster=address), "there is no such split"),
        (lambda: recombine.measure(covr, split, world=tmp_path, cluster=address), "--world is not for a cluster"),
    ]
    for call, words in refused:
        with pytest.raises(RecombineError, match=words):
            call()


def test_a_split_of_other_data_is_refused(table: pa.Table, covr: Path, address: str, tmp_path: Path) -> None:
    other = written(table.slice(0, 600), tmp_path / "other", 3)
    split = recombine.split(other, by="random", **LANGUAGE, cluster=address)
    split.write(tmp_path / "folder")
    split.write(tmp_path / "file.json")
    assert recombine.load_split(recombine.load(other, **LANGUAGE), tmp_path / "folder") == split
    for name in ("folder", "file.json"):
        with pytest.raises(SplitError, match=f"{name}: was made for other with content"):
            recombine.measure(covr, tmp_path / name, cluster=address)
    head = read_split_head(tmp_path / "folder")
    assert head["parts"] == {"train": 480, "test": 120}
    file = tmp_path / "folder" / head["files"][1]["file"]
    moved = pq.read_table(file)
    pq.write_table(moved.take(list(reversed(range(moved.num_rows)))), file)
    with pytest.raises(SplitError, match=r"part-00001.parquet: does not name the ids of .*part-01.parquet"):
        recombine.measure(other, tmp_path / "folder", cluster=address)
    file.write_bytes(b"")
    with pytest.raises(SplitError, match="not a part of a split"):
        recombine.measure(other, tmp_path / "folder")
    (tmp_path / "folder" / HEAD).write_text("{")
    with pytest.raises(SplitError, match=r"split.json: broken JSON"):
        recombine.measure(other, tmp_path / "folder", cluster=address)
    with pytest.raises(OutputFileError, match="is there already"):
        split.write(tmp_path / "folder")
    with pytest.raises(OptionError, match=r"as a folder or as \.json"):
        split.write(tmp_path / "split.parquet")


def test_a_folder_is_data_for_every_verb(covr: Path, table: pa.Table, tmp_path: Path) -> None:
    pq.write_table(table, tmp_path / "covr.parquet")
    assert [*recombine.load(covr)] == [
        example.__class__(example.id, example.source, example.target, example.derivation, {"line": line})
        for example, line in zip(recombine.load(tmp_path / "covr.parquet"), _lines(covr), strict=True)
    ]
    assert recombine.load(covr).hash == recombine.load(tmp_path / "covr.parquet").hash


def _lines(folder: Path) -> list[int]:
    sizes = [pq.read_metadata(path).num_rows for path in sorted(folder.iterdir())]
    return [row for size in sizes for row in range(1, size + 1)]


# -- pieces -----------------------------------------------------------------------------------------------------------


def test_sums_are_merged_by_name_and_cut_by_sum() -> None:
    one = {"names": ["b", "a"], "orders": [(2, "b"), (3, "a")], "sums": np.array([[1, 2], [0, 1], [4, 3], [2, 2]])}
    two = {"names": ["c", "a"], "orders": [(1, "c"), (3, "a")], "sums": np.array([[5, 1], [1, 1], [7, 1], [3, 1]])}
    whole = ordered(merged(one, two))
    assert (whole["names"], whole["sums"].tolist()) == (["c", "b", "a"], [[5, 1, 3], [1, 0, 2], [7, 4, 4], [3, 2, 3]])
    assert ordered(merged(two, one))["sums"].tolist() == whole["sums"].tolist()
    assert ordered(merged(one, two), 2)["names"] == ["c", "b"]


def test_variety_of_sizes_is_that_of_patterns() -> None:
    patterns = list("abbcccdddde") * 3
    assert variety(patterns) == variety_of_sizes({3: 2, 6: 1, 9: 1, 12: 1})


def test_importing_recombine_does_not_import_dask() -> None:
    code = "import sys, recombine, recombine.workbench; print('dask' in sys.modules, 'distributed' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
