"""Generated questions as files and as queries: the same bytes anywhere, and answers that separate code finds again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from shorter_forms import iter_shorter_forms

from recombine.datasets.kbqa_generated import KbqaGenerator
from recombine.kb.forms.convert import convert
from recombine.kb.forms.form import GRAILQA, SPARQL
from recombine.kb.forms.read_form import read_form
from recombine.kb.forms.write_form import write_form
from recombine.kb.many_domains.many_domains import many_domains_store
from recombine.kb.oxigraph.embedded_sparql import select
from recombine.kb.term import LITERAL

SIZE = 12_000


def test_every_query_is_answered_by_pyoxigraph_as_stored_and_needs_all_its_branches() -> None:
    store = many_domains_store(SIZE)
    profile = store.profile
    shares = {"relation_shares": "4,4,2,1", "function_shares": "none:4,count:2,superlative:2,comparative:2"}
    examples = list(KbqaGenerator(world_size=SIZE, **shares).generate(100, seed=3).dataset())  # type: ignore[arg-type]
    filtered = 0

    def answers(text: str) -> list[str]:
        terms = [term for row in select(store, text).rows for term in row if term is not None]
        return sorted(each.text if each.kind == LITERAL else profile.show(each) for each in terms)

    for example in {each.target: each for each in examples}.values():
        wanted = sorted(each["answer_argument"] for each in example.tags["answer"])
        assert wanted
        assert answers(example.tags["sparql_query"]) == wanted, example.target
        form = read_form(example.tags["graph_query"], "graph", profile)
        for shorter in iter_shorter_forms(form):
            text = write_form(convert(shorter, SPARQL, profile=profile).form, profile)
            assert answers(text) != wanted, example.target
        published = convert(form, SPARQL, profile=profile, semantics=GRAILQA).form
        filtered += answers(write_form(published, profile)) != wanted
    assert filtered  # the FILTERs of the published queries would lose answers


@pytest.mark.slow
def test_the_same_bytes_under_two_hash_seeds_and_with_two_processes(tmp_path: Path) -> None:
    found: dict[str, set[bytes]] = {}
    for seed, processes in (("1", "1"), ("2", "2")):
        folder = tmp_path / seed
        folder.mkdir()
        words = ["generate", "kbqa", "-n", "40", "--seed", "3", "--world-size", str(SIZE), "--processes", processes]
        ended = subprocess.run(
            [sys.executable, "-m", "recombine", *words, "-o", "q.jsonl"],
            cwd=folder,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode == 0, ended.stderr
        for each in folder.iterdir():
            found.setdefault(each.name, set()).add(each.read_bytes())
    assert set(found) >= {"q.jsonl", "q.jsonl.meta.json"}
    assert {name: len(contents) for name, contents in found.items()} == dict.fromkeys(found, 1)
