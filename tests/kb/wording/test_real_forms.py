"""Wordings of the 600 real forms of GrailQA, and of every relation of FB15k-237 in both directions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from graph_queries import entity, graph, thing

from recombine.files import read_text
from recombine.kb.forms.read_graph import read_graph
from recombine.kb.ontology.default_ontology import default_ontology
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.wording.wordings import Wordings, is_named

if TYPE_CHECKING:
    from recombine.kb.wording.wording import Wording


def _items(data_dir: Path) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in read_text(data_dir / "grailqa/items.jsonl.gz").splitlines()]


@pytest.mark.shared_data
def test_the_real_forms_of_grailqa(data_dir: Path) -> None:
    wordings, profile = Wordings(None, default_ontology(data_dir / "grailqa/ontology")), find_profile("freebase")
    found: dict[int, list[Wording]] = {}
    for item in _items(data_dir):
        query = read_graph(item["graph_query"], profile)
        found[item["qid"]] = made = wordings.questions(query)
        assert len({wording.text for wording in made}) == len(made) >= 2
        names = [wordings.name_of(node) for node in query.nodes if is_named(node)]
        for wording in made:
            assert sorted(wording.text[start:end] for start, end, _ in wording.mentions) == sorted(names)
    assert len(found) == 600
    # what people wrote is beside each; the direction is that of the form
    texts = {qid: [wording.text for wording in made] for qid, made in found.items()}
    # "which ship builder is responsible for having built uss nautilus?"
    assert "which ship builder built the ship [uss nautilus]?" in texts[2103208000000]
    # "which video game designer designed both defense of the ancients and league of legends?"
    designed = "which video game designer designed both [Defense of the Ancients] and [League of Legends]?"
    assert designed in texts[3200206002000]
    # "which meteorite has a mass of less than or equal to 2.3e+06?"
    assert "which meteorite has a meteorite mass of at most [2.3e+06]?" in texts[2104460015000]
    # "what was the most recent browser released by the creators of bps?"
    latest = "which web browser developed by the format creator of [Bps] was first released most recently?"
    assert latest in texts[4301766001000]
    # "which professional sports team has the same owner as washington wizards?"
    assert "which professional sports team is owned by an owner of [Washington Wizards]?" in texts[3203230010000]


@pytest.mark.shared_data
def test_every_relation_of_fb15k237_both_ways(data_dir: Path) -> None:
    lines = read_text(data_dir / "kb/fb15k237/triples.tsv.gz").splitlines()
    relations = sorted({line.split("\t")[1] for line in lines})
    assert len(relations) == 237
    wordings, alike = Wordings(), []
    for name in relations:
        forward = wordings.questions(graph([thing("thing"), entity("X")], (0, name, 1)))
        backward = wordings.questions(graph([thing("thing"), entity("X")], (1, name, 0)))
        assert min(len(forward), len(backward)) >= 2
        if {each.text for each in forward} & {each.text for each in backward}:
            alike.append(name)
    # These hold both ways round, so that they read alike: friends, spouses, those who shared an award, and so on.
    assert len(alike) == 18, alike
