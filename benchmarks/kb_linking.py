"""Linking of real and of made questions: recall, precision and F1 by each way to find mentions; speed and memory.

    python benchmarks/kb_linking.py                                    # GrailQA's 600 items, MetaQA, a million names
    python benchmarks/kb_linking.py --only grailqa
    python benchmarks/kb_linking.py --data FILE --kb PLACE             # data with the fields of GrailQA's release
    python benchmarks/kb_linking.py --data FILE --kb PLACE --keep generated

GrailQA's facts are not here. Its dictionary is made of the items themselves: all entities of their graph queries and
answers, some 7,000 of Freebase's 45 million, so that few names are shared and few words are names. `as_asked` has each
entity under the name by which a question calls it too, which stands there verbatim; this is easier than what the paper
measured (77.0, 68.0, 72.2 with BERT; 77.8, 9.7, 17.2 with Aqqu). `by_name` has the names of Freebase alone, so that a
mention by another name is found only by likeness. Popularity is the number of facts in FB15k-237, 0 for most.

The tagger is never tested on what it was trained on: questions are cut into five folds by template (the first seven
digits of a `qid`), else by the question without what it mentions, and each fold is tagged by a tagger of the other
four. MetaQA's questions that it is tested on share neither pattern nor topic with those that it was trained on; the
other ways are measured on the same questions. MetaQA has its own names for entities, so that only names that differ in
case alone are shared. The result is kept in results/kb_linking.json.
"""

from __future__ import annotations

import argparse
import gzip
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import orjson

import recombine
from recombine.data_directory import data_file
from recombine.errors import RecombineError
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.linking.context_words import ContextWords
from recombine.kb.linking.gold_links import GoldLinks, gold_links
from recombine.kb.linking.linker import Linker
from recombine.kb.linking.read_surface_forms import read_surface_forms
from recombine.kb.linking.score_links import score_links
from recombine.kb.linking.store_forms import store_forms
from recombine.kb.linking.surface_forms import SurfaceForms
from recombine.kb.linking.train_tagger import TaggedQuestion, train_tagger
from recombine.kb.linking.words import split_words
from recombine.kb.open_store import open_store
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.profiles.profile import Profile
from recombine.kb.term import Term
from recombine.records.dataset import Dataset
from recombine.records.example import Example

RESULT = Path(__file__).parent / "results" / "kb_linking.json"
FOLDS, SEED = 5, 0
TRAINED, TESTED = 3_000, 2_000
"""How many of MetaQA's questions of each number of hops a tagger is trained and tested on."""
MILLION = 1_000_000
Around = Callable[[Term], frozenset[str]] | None


def row(gold: Sequence[GoldLinks], links: Sequence[Any], seconds: float) -> dict[str, Any]:
    """The scores of some questions, in per cent as the paper has them."""
    scores = score_links(gold, links)
    entities, literals = scores.entities, scores.literals

    def percent(share: float | None) -> float | None:
        return None if share is None else round(100 * share, 1)

    return {
        "questions": scores.questions,
        "without_gold": scores.without_gold,
        "recall": percent(entities.recall),
        "precision": percent(entities.precision),
        "f1": percent(entities.f1),
        "gold": entities.gold,
        "linked": entities.linked,
        "right": entities.right,
        "among_candidates": percent(scores.among_candidates / entities.gold) if entities.gold else None,
        "exact_questions": percent(scores.exact / scores.questions),
        "literals": {"gold": literals.gold, "linked": literals.linked, "right": literals.right},
        "unplaced": scores.unplaced,
        "questions_a_second": round(len(gold) / seconds),
    }


def linked(linker: Linker, gold: Sequence[GoldLinks]) -> tuple[list[Any], float]:
    """The links of some questions, and the CPU seconds that they took."""
    begun = time.process_time()
    links = [linker.link(each.text) for each in gold]
    return links, time.process_time() - begun


def tagged(gold: GoldLinks) -> TaggedQuestion:
    """A question to train on."""
    return TaggedQuestion(split_words(gold.text).texts, gold.spans)


def by_folds(
    gold: Sequence[GoldLinks], groups: Sequence[str], forms: SurfaceForms, *, dictionary: bool, **options: Any
) -> dict[str, Any]:
    """The scores of a tagger, each question tagged by one that saw no question of its group."""
    names = sorted(set(groups))
    order = np.random.default_rng(SEED).permutation(len(names)).tolist()
    fold = {name: order[place] % FOLDS for place, name in enumerate(names)}
    links: list[Any] = [None] * len(gold)
    seconds = 0.0
    for number in range(FOLDS):
        here = [place for place, group in enumerate(groups) if fold[group] == number]
        others = [tagged(gold[place]) for place, group in enumerate(groups) if fold[group] != number]
        tagger = train_tagger(others, forms=forms if dictionary else None, seed=SEED)
        found, took = linked(
            Linker(forms, mentions="tagger", tagger=tagger, **options), [gold[place] for place in here]
        )
        seconds += took
        for place, own in zip(here, found, strict=True):
            links[place] = own
    return row(gold, links, seconds)


def sizes(forms: SurfaceForms) -> dict[str, int]:
    """How large a dictionary is."""
    return {"surface_forms": len(forms), "entities": forms.entities, "shared_forms": forms.shared}


def ways(gold: Sequence[GoldLinks], groups: Sequence[str], forms: SurfaceForms, around: Around) -> dict[str, Any]:
    """The scores by each way to find mentions and, where there are facts, by each choice."""
    rows: dict[str, Any] = {"dictionary_of": sizes(forms)}
    for choice in ("popularity", "context") if around is not None else ("popularity",):
        options: dict[str, Any] = {"choice": choice, "around": around}
        for mentions in ("dictionary", "ngrams") if choice == "popularity" else ("dictionary",):
            rows[f"{mentions}, {choice}"] = row(gold, *linked(Linker(forms, mentions=mentions, **options), gold))
        rows[f"tagger, {choice}"] = by_folds(gold, groups, forms, dictionary=True, **options)
    rows["tagger that sees no dictionary, popularity"] = by_folds(gold, groups, forms, dictionary=False)
    return rows


def gold_of(dataset: Dataset, profile: Profile) -> tuple[list[Example], list[GoldLinks], int]:
    """The questions whose entities can be told, these, and how many were left out."""
    language = None if dataset.language is None else dataset.language.name
    kept: list[Example] = []
    gold: list[GoldLinks] = []
    for example in dataset:
        try:
            own = gold_links(example, language, profile)
        except RecombineError:
            continue
        if own.text.strip():
            kept.append(example)
            gold.append(own)
    return kept, gold, len(dataset) - len(kept)


def groups_of(examples: Sequence[Example], gold: Sequence[GoldLinks]) -> list[str]:
    """What folds are cut by: the template of a `qid`, else the question without what it mentions."""
    if all(example.id.isdigit() and len(example.id) > 7 for example in examples):
        return [example.id[:7] for example in examples]
    return [pattern(each) for each in gold]


def pattern(gold: GoldLinks) -> str:
    """A question without what it mentions."""
    words = list(split_words(gold.text).texts)
    for first, last in sorted(gold.spans, reverse=True):
        words[first:last] = ["[]"]
    return " ".join(words)


def grailqa() -> dict[str, Any]:
    """GrailQA's 600 items under two dictionaries."""
    dataset = recombine.load("grailqa")
    examples, gold, left_out = gold_of(dataset, find_profile("freebase"))
    facts: Counter[str] = Counter()
    with gzip.open(data_file("kb/fb15k237/triples.tsv.gz", "popularity"), "rt", encoding="utf-8") as stream:
        for line in stream:
            subject, _, target, *_ = line.rstrip("\n").split("\t")
            facts.update(name.removeprefix("/").replace("/", ".") for name in (subject, target))
    result: dict[str, Any] = {"left_out": left_out}
    for name, asked in (("as_asked", True), ("by_name", False)):
        entries = [(form, Term.name(key), facts[key]) for form, key in _item_names(examples, asked=asked)]
        result[name] = ways(gold, groups_of(examples, gold), SurfaceForms.of(entries), None)
    return result


def _item_names(examples: Sequence[Example], *, asked: bool) -> list[tuple[str, str]]:
    names: list[tuple[str, str]] = []
    for example in examples:
        tags: Any = example.tags
        names += [(form, key) for key, form in tags["topic_entity"].items()]
        names += [(each["entity_name"], each["answer_argument"]) for each in tags["answer"] if each.get("entity_name")]
        nodes = tags["graph_query"]["nodes"] if asked else ()
        names += [(node["friendly_name"], node["id"]) for node in nodes if node["node_type"] == "entity"]
    return names


def metaqa() -> dict[str, Any]:
    """MetaQA's questions: each way on the same ones, of patterns and topics that no tagger has seen."""
    store: Any = open_store(data_file("kb/metaqa/kb.txt.gz", "names"))
    forms, around = store_forms(store), ContextWords(store)
    result: dict[str, Any] = {"dictionary_of": sizes(forms)}
    for hops in (1, 2, 3):
        examples, gold, left_out = gold_of(recombine.load(f"metaqa/{hops}hop"), store.profile)
        topics = [str(example.tags["topic"]) for example in examples]
        rng = np.random.default_rng(SEED)
        sides = [_halves(values, rng) for values in (topics, [pattern(each) for each in gold])]
        train = [place for place in range(len(gold)) if not any(side[place] for side in sides)]
        test = [place for place in range(len(gold)) if all(side[place] for side in sides)]
        train, test = (rng.permutation(places)[:most].tolist() for places, most in ((train, TRAINED), (test, TESTED)))
        own = [gold[place] for place in test]
        rows: dict[str, Any] = {"left_out": left_out, "trained_on": len(train)}
        everything, seconds = linked(Linker(forms), gold)
        rows["dictionary, popularity, all questions"] = row(gold, everything, seconds)
        for name, options in (
            ("dictionary, popularity", {}),
            ("dictionary, context", {"choice": "context", "around": around}),
            ("ngrams, popularity", {"mentions": "ngrams"}),
        ):
            rows[name] = row(own, *linked(Linker(forms, **options), own))
        for name, seen in (("tagger", forms), ("tagger that sees no dictionary", None)):
            tagger = train_tagger([tagged(gold[place]) for place in train], forms=seen, seed=SEED)
            for choice in ("popularity", "context") if seen is not None else ("popularity",):
                linker = Linker(forms, mentions="tagger", tagger=tagger, choice=choice, around=around)
                rows[f"{name}, {choice}"] = row(own, *linked(linker, own))
        result[f"{hops}hop"] = rows
    return result


def _halves(values: Sequence[str], rng: np.random.Generator) -> list[bool]:
    """Whether each value is in the second half of the distinct ones, drawn by the generator."""
    known = sorted(set(values))
    second = dict(zip(known, (rng.permutation(len(known)) >= len(known) // 2).tolist(), strict=True))
    return [second[value] for value in values]


def million() -> dict[str, Any]:
    """A dictionary of a million made-up names of one to five words: seconds to build, memory, questions a second."""
    rng = np.random.default_rng(SEED)
    words = np.array([f"{chr(97 + n % 26)}{n:x}" for n in range(200_000)])
    # Words are drawn as in names: few of them often, most of them seldom.
    drawn = words[(len(words) * rng.random((MILLION, 5)) ** 3).astype(int)]
    lengths = rng.integers(1, 6, MILLION)
    names = [" ".join(own[:length]) for own, length in zip(drawn.tolist(), lengths.tolist(), strict=True)]
    del drawn
    before, begun = _resident(), time.process_time()
    counts = rng.integers(0, 1000, MILLION)
    forms = SurfaceForms(names, np.arange(MILLION), counts, lambda number: Term.name(f"m.{number}"))
    built, held = time.process_time() - begun, _resident() - before
    questions = [f"which films were directed by {names[place]} in 1999 ?" for place in rng.integers(0, MILLION, 5_000)]
    linker = Linker(forms)
    begun = time.process_time()
    found = sum(any(link.kind == "entity" for link in linker.link(text)) for text in questions)
    seconds = time.process_time() - begun
    return {
        "names": MILLION,
        **sizes(forms),
        "cpu_seconds_to_build": round(built, 1),
        "megabytes_held": round(held / 1e6),
        "megabytes_at_most": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3),
        "questions_with_a_link": found,
        "questions": len(questions),
        "questions_a_second": round(len(questions) / seconds),
    }


def _resident() -> int:
    """The bytes of memory that the process holds now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()


def of_file(data: str, kb: str | None, names: str | None) -> dict[str, Any]:
    """Data with the fields of GrailQA's release, or any whose questions say what they mention."""
    dataset = recombine.load(data)
    store: Any = open_store(kb) if kb is not None else dataset.opened_world
    profile = find_profile("freebase") if store is None else store.profile
    if names is None and store is None:
        raise SystemExit("give --kb PLACE, or --names FILE")
    forms = store_forms(store) if names is None else read_surface_forms(names, profile)
    examples, gold, left_out = gold_of(dataset, profile)
    around = ContextWords(store) if isinstance(store, EmbeddedStore) else None
    return {"data": dataset.name, "left_out": left_out, **ways(gold, groups_of(examples, gold), forms, around)}


def main() -> int:
    """Measure, print, and keep the result."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--only", choices=["grailqa", "metaqa", "million"], help="measure this alone")
    parser.add_argument("--data", help="a data set or file in the place of the published ones")
    parser.add_argument("--kb", help="the knowledge base of --data; default: its world")
    parser.add_argument("--names", help="a file of surface forms for --data")
    parser.add_argument("--keep", help="the name under which the result of --data is kept")
    given = parser.parse_args()
    result: dict[str, Any] = {}
    if given.data is not None:
        result[given.keep or "data"] = of_file(given.data, given.kb, given.names)
    else:
        for name, measure in (("grailqa", grailqa), ("metaqa", metaqa), ("million", million)):
            if given.only in (None, name):
                result[name] = measure()
    print(orjson.dumps(result, option=orjson.OPT_INDENT_2).decode())
    if given.data is None or given.keep is not None:
        known = orjson.loads(RESULT.read_bytes()) if RESULT.exists() else {}
        RESULT.write_bytes(orjson.dumps({**known, **result}, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS) + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
