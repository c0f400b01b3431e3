"""Parsers of questions over a knowledge base on real language, and carried over to it (GrailQA, section 5.5).

    python benchmarks/kbqa_real.py baselines                   # candidates, and what needs no training
    python benchmarks/kbqa_real.py export FOLDER --world FILE --tune       # all that a machine with a GPU needs
    python -m recombine.models.kbqa.run FOLDER --out OUT --work WORK --encoder pretrained=DIR     # there
    python benchmarks/kbqa_real.py choose OUT -o CHOSEN        # the rate, by dev alone
    python benchmarks/kbqa_real.py export FOLDER --world FILE --chosen CHOSEN    # and run it
    python benchmarks/kbqa_real.py collect FOLDER OUT          # the tables, kept in results/kbqa_real.json
    python benchmarks/kbqa_real.py show [--json]               # the tables again

FILE is `recombine generate kbqa -n 10000 --seed 1`. Three kinds of questions are answered by ranking, with gold links:

- 406 real questions of GrailQA with one relation and an entity; candidates are the relations at the entity's class,
  with direction, as the ontology has them;
- all 600 real questions, with candidates of one and two relations and counts, of the ontology as well;
- MetaQA's questions, a sample of each number of hops; forms are the paths that lead to their answers, and candidates
  those of the facts within two hops.

Networks are trained on folds of the real questions by template, on a tenth of that, and on none; from the transformer
alone, or after generated questions: over the ontology, with made-up names; over the made-up world of many domains.
Nothing is chosen on what is tested: the learning rate is that of the highest exact match on a part of the generated
questions, and each fold has a part of its training questions, by template, to stop by.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import recombine
from recombine.data_directory import data_file
from recombine.errors import RecombineError
from recombine.files import write_whole
from recombine.kb.candidates.form_chain import form_chain
from recombine.kb.embedded.build_index import build_index
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.forms.form_of_text import form_of_text
from recombine.kb.forms.patterns.pattern_of import pattern_of
from recombine.kb.loaders.open_triples import open_triples
from recombine.kb.matching.canonical_form import Canonical
from recombine.kb.matching.words import name_text
from recombine.kb.ontology.default_ontology import default_ontology
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.profiles.profile import Profile
from recombine.kb.term import Term
from recombine.models.kbqa.arrays.study_folder import KbqaCell, KbqaStudy, read_study, write_study
from recombine.models.kbqa.making.make_schema import make_schema
from recombine.models.kbqa.making.question_maker import QuestionMaker
from recombine.models.kbqa.transfer.joined_arrays import joined_questions, joined_schema
from recombine.models.kbqa.transfer.ontology_questions import OntologyQuestions
from recombine.models.kbqa.transfer.path_forms import path_forms
from recombine.models.kbqa.transfer.template_folds import held_apart, template_folds, template_of
from recombine.records.example import Example
from recombine.selection.prompts.kb_setting import KbSetting, kb_setting
from recombine.selection.prompts.linked import Linked, gold_linked

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from recombine.models.kbqa.arrays.question_arrays import QuestionArrays
    from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays

RESULT = Path(__file__).parent / "results" / "kbqa_real.json"
FOLDS, SEEDS, SEED = 5, (0, 1, 2), 25
DEV_SHARE, FEW = 0.125, 0.1
GENERATED, GENERATED_DEV = 8000, 500
SAMPLE, HOPS = 800, (1, 2, 3)
ENCODER = "pretrained:minilm"
SETTINGS: dict[str, Any] = {
    "encoder": ENCODER,
    "batch": 16,
    "epochs": 25,
    "patience": 6,
    "chunk": 24,
    "train_items": 24,
    "prune_training": True,
    "links": "gold",
    "inference": "ranking",
}
PRE_SETTINGS: dict[str, Any] = {"batch": 32, "epochs": 8, "patience": 3}
FEW_SETTINGS: dict[str, Any] = {"epochs": 15}
RATES: dict[str, dict[str, float]] = {
    "low": {"pretrained_rate": 2e-5},
    "middle": {"pretrained_rate": 1e-4},
    "high": {"pretrained_rate": 3e-4},
}
"""What is tried: the paper's rates, and others for a transformer that is smaller than its own."""
PLAIN, ONTOLOGY, WORLD = "plain", "ontology", "world"
ONE, ALL, FEWER, METAQA = "one", "all", "few", "metaqa"
LEVELS = ("i.i.d.", "compositional", "zero-shot")
Judged = dict[str, dict[int, dict[str, float]]]
"""By the name of a cell and the row of a question, how right the answer is."""


# -- what is asked -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Real:
    """The real questions of GrailQA, and how answers to them are judged."""

    examples: tuple[Example, ...]
    setting: KbSetting

    @classmethod
    def load(cls) -> Real:
        """Those of the data directory."""
        ontology = default_ontology()
        if ontology is None:
            raise RecombineError("the data directory has no ontology", "run: recombine download grailqa")
        return cls(tuple(recombine.load("grailqa")), KbSetting("gold", find_profile("freebase"), ontology))

    @cached_property
    def one(self) -> list[int]:
        """The questions with one relation and an entity."""
        return [row for row, each in enumerate(self.examples) if each.tags["num_edge"] == 1 and _has_entity(each)]

    @cached_property
    def templates(self) -> list[str]:
        """The template of each question."""
        return [template_of(each.tags["qid"]) for each in self.examples]

    @cached_property
    def folds(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The fold of each question."""
        return template_folds(self.templates, FOLDS, seed=SEED)

    @cached_property
    def canonical(self) -> Canonical:
        """Forms under the ontology."""
        return Canonical(self.setting.ontology, self.setting.profile)

    def form(self, text: str) -> str:
        """What a form says, whatever the way it is written; empty where it is none."""
        try:
            return self.canonical.of_text(text) if text else ""
        except RecombineError:
            return ""

    def path(self, text: str) -> tuple[str, ...]:
        """The relations of a form with their directions and its entity, a relation and its reverse being one."""
        try:
            profile = self.setting.profile
            chain = form_chain(pattern_of(form_of_text(text, profile), profile).pattern)
        except RecombineError:
            return ()
        if isinstance(chain, str) or chain.anchor is None:
            return ()
        steps = [self.canonical.tables.step(name_text(step.relation), inverse=step.inverse) for step in chain.steps]
        return (chain.anchor.text, *(step.text for step in steps))

    def judged(self, row: int, text: str) -> dict[str, float]:
        """Whether the relations of an answer are right, and whether its form is."""
        gold = self.examples[row].target
        right = bool(text) and self.form(text) == self.form(gold)
        return {"relation": float(right or self.path(text) == self.path(gold) != ()), "exact": float(right)}

    def arrays(self, schema: SchemaArrays, *, hops: int, count: bool) -> tuple[QuestionArrays, dict[str, Any]]:
        """The questions over a schema, and what became of them."""
        return _made(self.setting, schema, self.examples, hops=hops, count=count)


def _has_entity(example: Example) -> bool:
    graph: Any = example.tags["graph_query"]
    return any(node["node_type"] == "entity" for node in graph["nodes"])


def _made(
    setting: KbSetting,
    schema: SchemaArrays,
    examples: Sequence[Example],
    *,
    listed: bool = True,
    hops: int = 2,
    count: bool = True,
) -> tuple[QuestionArrays, dict[str, Any]]:
    links = {each.id: _links(each, setting.profile) for each in examples}
    maker = QuestionMaker(setting, schema, hops=hops, count=count)
    made = maker.make(examples, links, candidates_of=None if listed else ())
    return made.questions, made.counts.to_dict()


def _links(example: Example, profile: Profile) -> Linked:
    """What the data says that a question mentions; MetaQA names a topic."""
    if "topic" in example.tags:
        return Linked(((_topic(example), str(example.tags["topic"])),))
    return gold_linked(example, "sexpression", profile)


@dataclass(frozen=True)
class MetaQa:
    """A sample of MetaQA's questions, and its facts."""

    store: EmbeddedStore
    examples: tuple[Example, ...]
    counts: Mapping[str, Any]

    @classmethod
    def load(cls, folder: Path) -> MetaQa:
        """The dev questions of the data directory; the index of the facts is made in a folder."""
        profile = Profile("plain", "urn:name:")
        file = data_file("kb/metaqa/kb.txt.gz", "this benchmark")
        build_index(open_triples(file, profile=profile), folder / "metaqa.kb", profile=profile)
        store = EmbeddedStore.open(folder / "metaqa.kb")
        examples: list[Example] = []
        counts: dict[str, Any] = {}
        for hops in HOPS:
            data = list(recombine.load(f"metaqa/{hops}hop"))
            if hops <= 2:
                formed = path_forms(store, data, hops)
                counts[f"{hops}hop"] = {"questions": len(data), **formed.counts}
                data = list(formed.questions)
            else:
                counts[f"{hops}hop"] = {"questions": len(data)}
            data = [each for each in data if store.id(_topic(each)) >= 0]
            rows = np.random.default_rng([SEED, hops]).choice(len(data), SAMPLE, replace=False)
            examples += [_with_tag(data[row], hops) for row in np.sort(rows).tolist()]
        return cls(store, tuple(examples), counts)

    @cached_property
    def setting(self) -> KbSetting:
        """Its facts, without an ontology."""
        return KbSetting("gold", self.store.profile, None, self.store)

    @cached_property
    def canonical(self) -> Canonical:
        """Forms by their syntax."""
        return Canonical(None, self.store.profile)

    def judged(self, row: int, text: str) -> dict[str, float]:
        """Whether the form of an answer is right, and how right what it leads to is."""
        example = self.examples[row]
        if not text:
            return {"exact": 0.0, "f1": 0.0}
        exact = example.tags["hops"] in (1, 2) and self.canonical.of_text(text) == self.canonical.of_text(
            example.target
        )
        found = {term.text for term in self.store.execute(form_of_text(text, self.store.profile))}
        return {"exact": float(exact), "f1": _f1(found - {example.tags["topic"]}, set(example.tags["answers"]))}  # type: ignore[arg-type]


def _topic(example: Example) -> Term:
    return Term.name(str(example.tags["topic"]))


def _with_tag(example: Example, hops: int) -> Example:
    return Example(f"{hops}/{example.id}", example.source, example.target, None, {**example.tags, "hops": hops})


def _f1(found: set[str], wanted: set[str]) -> float:
    both = len(found & wanted)
    return 2 * both / (len(found) + len(wanted)) if both else 0.0


# -- without training --------------------------------------------------------------------------------------------------


def baselines(real: Real) -> dict[str, Any]:
    """Candidates of the 406, and what is right without training: by chance, and by the words that questions share."""
    schema = make_schema(real.setting)
    questions, counts = real.arrays(schema, hops=1, count=False)
    sizes, found, chance = [], 0, 0.0
    totals: dict[str, float] = defaultdict(float)
    for row in real.one:
        texts = [
            questions.text(row, questions.candidates.path(row, int(leaf)), schema)
            for leaf in questions.candidates.leaves(row)
        ]
        right = [real.path(text) == real.path(real.examples[row].target) for text in texts]
        sizes.append(len(texts))
        found += any(right)
        chance += 1 / len(texts) if texts else 0.0
        totals["any candidate"] += sum(right) / len(right) if right else 0.0
        for name, words in OVERLAPS.items():
            totals[name] += _by_overlap(real.examples[row].source, [words(text) for text in texts], right)
    number = len(real.one)
    return {
        "questions": number,
        "candidates": {"median": float(np.median(sizes)), "most": max(sizes), "none": sizes.count(0)},
        "recall": {"relation": _percent(found, number), "form": _percent(counts["outcomes"]["covered"], number)},
        "one candidate of all": _percent(chance, number),
        "right": {name: _percent(value, number) for name, value in totals.items()},
    }


def _by_overlap(question: str, candidates: Sequence[Sequence[str]], right: Sequence[bool]) -> float:
    """The chance to be right when the candidates are taken of whose words the question has the largest share."""
    if not candidates:
        return 0.0
    asked = set(_stems(question.split()))
    shares = [len(asked & set(words)) / max(len(set(words)), 1) for words in candidates]
    best = [good for good, share in zip(right, shares, strict=True) if share == max(shares)]
    return sum(best) / len(best)


def _stems(words: Iterable[str]) -> list[str]:
    """Words in lower case, without marks and without the s of plurals."""
    plain = ["".join(mark for mark in word.lower() if mark.isalnum()) for word in words]
    return [word[:-1] if word.endswith("s") and len(word) > 3 else word for word in plain if word]


def _names(text: str) -> tuple[str, str]:
    """The class and the relation of a candidate of one relation."""
    words = text.replace("(", " ").replace(")", " ").split()
    names = [word for word in words if word not in ("AND", "JOIN", "R", "COUNT")]
    return (names[0], names[1]) if words[0] == "AND" else ("", names[0])


def _last(name: str) -> list[str]:
    return _stems(name.rpartition(".")[2].split("_"))


def _whole(name: str) -> list[str]:
    return _stems(name.replace(".", "_").split("_"))


OVERLAPS = {
    "relation's name": lambda text: _last(_names(text)[1]),
    "answer class": lambda text: _last(_names(text)[0]),
    "answer class and relation's name": lambda text: [*_last(_names(text)[0]), *_last(_names(text)[1])],
    "all words of the relation": lambda text: _whole(_names(text)[1]),
}


def _percent(part: float, whole: float) -> float:
    return round(100 * part / whole, 1)


# -- what is trained ---------------------------------------------------------------------------------------------------


class Export:
    """Arrays, rows and cells of all trainings."""

    def __init__(self, real: Real, metaqa: MetaQa, world_file: Path) -> None:
        self.real, self.metaqa = real, metaqa
        world = recombine.load(world_file, language="sexpression")
        parts = recombine.load_split(world, world_file.with_suffix(".split.json"))
        world_setting = kb_setting(world, "gold")
        if world_setting is None:
            raise RecombineError(f"{world_file}: names no world", "generate it with recombine generate kbqa")
        schemas = [make_schema(each) for each in (real.setting, world_setting, metaqa.setting)]
        self.schema = joined_schema(schemas)
        self.questions: dict[str, QuestionArrays] = {}
        self.rows: dict[str, Any] = {}
        self.notes: dict[str, Any] = {"metaqa": dict(metaqa.counts)}
        self._add_generated()
        examples = [world[each] for name in ("train", "dev") for each in parts.parts[name]]
        made, self.notes[WORLD] = _made(world_setting, self.schema, examples, listed=False)
        first, linked = len(parts.parts["train"]), np.flatnonzero(made.pruned)  # as all that is asked later
        self.questions[WORLD] = made
        self.rows["world/train"], self.rows["world/dev"] = linked[linked < first], linked[linked >= first]
        self._add_real()
        self._add_metaqa()

    def _add_generated(self) -> None:
        """Questions over the ontology; a half of those with one relation is shown its own hop alone."""
        setting = self.real.setting
        if setting.ontology is None:
            raise RecombineError("no ontology", "run: recombine download grailqa")
        drawn = OntologyQuestions(setting.ontology, setting.profile).draw(GENERATED, seed=SEED)
        near = [place % 2 == 0 and each.tags["num_edge"] == 1 for place, each in enumerate(drawn)]
        parts = []
        for hops in (1, 2):
            own = [each for each, close in zip(drawn, near, strict=True) if close == (hops == 1)]
            made, self.notes[f"{ONTOLOGY}/{hops}"] = _made(setting, self.schema, own, listed=False, hops=hops)
            parts.append(made)
        self.questions[ONTOLOGY] = joined_questions(parts)
        dev = np.random.default_rng(SEED).permutation(len(drawn)) < GENERATED_DEV
        self.rows["ontology/train"], self.rows["ontology/dev"] = np.flatnonzero(~dev), np.flatnonzero(dev)

    def _add_real(self) -> None:
        real = self.real
        for name, hops in ((ONE, 1), (ALL, 2)):
            self.questions[name], self.notes[name] = real.arrays(self.schema, hops=hops, count=hops == 2)
        self.rows["one/all"], self.rows["all/all"] = np.array(real.one), np.arange(len(real.examples))
        for fold in range(FOLDS):
            rest = np.flatnonzero(real.folds != fold)
            apart = held_apart([real.templates[row] for row in rest], DEV_SHARE, seed=SEED + fold)
            few = np.random.default_rng([SEED, fold]).choice(rest, round(FEW * len(rest)), replace=False)
            self.rows[f"all/{fold}/train"], self.rows[f"all/{fold}/dev"] = rest[~apart], rest[apart]
            self.rows[f"all/{fold}/test"] = np.flatnonzero(real.folds == fold)
            self.rows[f"few/{fold}/train"] = np.sort(few)
            for part in ("train", "dev", "test"):
                self.rows[f"one/{fold}/{part}"] = np.intersect1d(self.rows[f"all/{fold}/{part}"], real.one)

    def _add_metaqa(self) -> None:
        made, self.notes["metaqa/arrays"] = _made(self.metaqa.setting, self.schema, self.metaqa.examples)
        self.questions[METAQA] = made
        order = np.random.default_rng(SEED).permutation(len(made))
        first, second = round(0.7 * len(made)), round(0.8 * len(made))
        for name, rows in (("train", order[:first]), ("dev", order[first:second]), ("test", order[second:])):
            self.rows[f"metaqa/{name}"] = np.sort(rows)
        self.rows["metaqa/few"] = np.sort(order[: round(FEW * second)])

    # -- cells ---------------------------------------------------------------------------------------------------------

    def tuning(self) -> list[KbqaCell]:
        """Cells whose dev shows which rates to take; what they answer is not looked at."""
        cells = []
        for name, rates in RATES.items():
            cells.append(self._generated(f"tune/{ONTOLOGY}/{name}", ONTOLOGY, 0, "ontology/dev", ONTOLOGY, rates))
            for fold in range(FOLDS):
                cells.append(self._fold(f"tune/{PLAIN}/{name}/{fold}", ONE, fold, 0, rates, part="dev"))
        for name, rates in RATES.items():
            for fold in range(FOLDS):
                start = f"tune/{ONTOLOGY}/middle"
                cells.append(self._fold(f"tune/after/{name}/{fold}", ONE, fold, 0, rates, start, part="dev"))
        return cells

    def final(self, chosen: Mapping[str, Any]) -> list[KbqaCell]:
        """All cells of the tables."""
        cells, rates = [], chosen["rates"]
        for seed in SEEDS:
            for source in (ONTOLOGY, WORLD):
                for test, questions in (("one/all", ONE), ("all/all", ALL), ("metaqa/test", METAQA)):
                    name = f"zero/{source}/{questions}/{seed}"
                    cells.append(self._generated(name, source, seed, test, questions, rates))
        for seed in SEEDS:
            for before in (PLAIN, ONTOLOGY):
                start = "" if before == PLAIN else f"zero/{ONTOLOGY}/{ONE}/{seed}"
                for fold in range(FOLDS):
                    for part in (ONE, ALL, FEWER):
                        name = f"{part}/{before}/{fold}/{seed}"
                        cells.append(self._fold(name, part, fold, seed, rates, start))
                for part in ("train", "few"):
                    name = f"metaqa-{part}/{before}/{seed}"
                    cells.append(self._metaqa(name, part, seed, rates, start))
        return cells

    def _generated(
        self, name: str, source: str, seed: int, test: str, questions: str, rates: Mapping[str, float]
    ) -> KbqaCell:
        settings = {**PRE_SETTINGS, **rates}
        return KbqaCell(name, seed, f"{source}/train", f"{source}/dev", test, source, questions, settings)

    def _fold(
        self,
        name: str,
        kind: str,
        fold: int,
        seed: int,
        rates: Mapping[str, float],
        start: str = "",
        part: str = "test",
    ) -> KbqaCell:
        of = ONE if kind == ONE else ALL
        settings = {**rates, **(FEW_SETTINGS if kind == FEWER else {})}
        dev = "" if kind == FEWER else f"{kind}/{fold}/dev"
        return KbqaCell(name, seed, f"{kind}/{fold}/train", dev, f"{of}/{fold}/{part}", of, of, settings, start)

    def _metaqa(self, name: str, part: str, seed: int, rates: Mapping[str, float], start: str) -> KbqaCell:
        settings = {**rates, **(FEW_SETTINGS if part == "few" else {})}
        dev = "" if part == "few" else "metaqa/dev"
        return KbqaCell(name, seed, f"metaqa/{part}", dev, "metaqa/test", METAQA, METAQA, settings, start)

    def write(self, folder: Path, cells: Sequence[KbqaCell]) -> None:
        """Write the folder."""
        rows = {name: np.asarray(at, np.int32) for name, at in self.rows.items()}
        write_study(folder, KbqaStudy(self.schema, self.questions, rows, tuple(cells), SETTINGS, self.notes))


# -- what comes back ---------------------------------------------------------------------------------------------------


def choose(out: Path) -> dict[str, Any]:
    """The rate with the highest exact match on dev of generated questions, beside that on dev of the folds."""
    records = json.loads((out / "results.json").read_text())["cells"]
    best = {name: max(point[2] for point in said["curve"]) for name, said in records.items() if said.get("curve")}
    dev: dict[str, Any] = {"generated": {name: round(best[f"tune/{ONTOLOGY}/{name}"], 3) for name in RATES}}
    for kind in (PLAIN, "after"):
        for name in RATES:
            folds = [best[cell] for cell in best if cell.startswith(f"tune/{kind}/{name}/")]
            if folds:
                dev.setdefault(kind, {})[name] = {"folds": len(folds), "mean": round(float(np.mean(folds)), 3)}
    taken = max(dev["generated"], key=lambda name: dev["generated"][name])
    return {"name": taken, "rates": RATES[taken], "dev": dev}


def collect(folder: Path, out: Path, real: Real, metaqa: MetaQa) -> dict[str, Any]:
    """The tables of what was answered."""
    study = read_study(folder)
    cells = {cell.name: cell for cell in study.cells}
    records = json.loads((out / "results.json").read_text())
    failed = {name: said["error"] for name, said in records["cells"].items() if said["state"] != "done"}
    judged: Judged = {}
    for line in gzip.decompress((out / "predictions.jsonl.gz").read_bytes()).decode().splitlines():
        said = json.loads(line)
        cell = cells[said["cell"]]
        judge = metaqa.judged if cell.test_questions == METAQA else real.judged
        at = study.rows[cell.test].tolist()
        judged[cell.name] = {row: judge(row, text) for row, text in zip(at, said["outputs"], strict=True)}
    seconds = sum(said.get("training_seconds", 0) for said in records["cells"].values())
    return {
        "device": records["device"],
        "failed": failed,
        "missing": sorted(set(cells) - set(judged) - set(failed)),
        "training_seconds": round(seconds, 1),
        "one": _one_table(judged, real),
        "all": _all_table(judged, real),
        "metaqa": _metaqa_table(judged, metaqa, study.rows["metaqa/test"].tolist()),
        "notes": dict(study.notes),
    }


def _over_folds(judged: Judged, name: str) -> list[dict[int, dict[str, float]]]:
    """The answers of all folds together, a table for each seed that has them all."""
    made = []
    for seed in SEEDS:
        parts = [judged.get(f"{name}/{fold}/{seed}") for fold in range(FOLDS)]
        if all(part is not None for part in parts):
            made.append({row: value for part in parts if part for row, value in part.items()})
    return made


def _of_seeds(judged: Judged, name: str) -> list[dict[int, dict[str, float]]]:
    return [judged[f"{name}/{seed}"] for seed in SEEDS if f"{name}/{seed}" in judged]


def _scores(runs: Sequence[dict[int, dict[str, float]]], rows: Sequence[int], what: str) -> dict[str, Any] | None:
    """Mean and standard deviation over seeds, in percent."""
    if not runs or not rows:
        return None
    values = [100 * float(np.mean([run[row][what] for row in rows])) for run in runs]
    return {"mean": round(float(np.mean(values)), 1), "sd": round(float(np.std(values, ddof=len(values) > 1)), 1)}


def _one_table(judged: Judged, real: Real) -> dict[str, Any]:
    levels = {level: [row for row in real.one if real.examples[row].tags["level"] == level] for level in LEVELS}
    runs = {
        "fine-tuned": _over_folds(judged, f"{ONE}/{PLAIN}"),
        "generated questions over the ontology, then fine-tuned": _over_folds(judged, f"{ONE}/{ONTOLOGY}"),
        "generated questions over the ontology alone": _of_seeds(judged, f"zero/{ONTOLOGY}/{ONE}"),
        "generated questions over the made-up world alone": _of_seeds(judged, f"zero/{WORLD}/{ONE}"),
    }
    return {
        name: {
            "seeds": len(own),
            "relation": _scores(own, real.one, "relation"),
            "exact": _scores(own, real.one, "exact"),
            **{f"relation, {level}": _scores(own, rows, "relation") for level, rows in levels.items()},
        }
        for name, own in runs.items()
    }


def _all_table(judged: Judged, real: Real) -> dict[str, Any]:
    everything = list(range(len(real.examples)))
    two = [row for row in everything if real.examples[row].tags["num_edge"] == 2]
    table: dict[str, Any] = {"questions": {"all": len(everything), "one relation": len(real.one), "two": len(two)}}
    for size, kind in (("full", ALL), ("10 %", FEWER)):
        for before in (PLAIN, ONTOLOGY):
            table[f"{size}/{before}"] = _all_row(_over_folds(judged, f"{kind}/{before}"), real, everything, two)
    for source in (ONTOLOGY, WORLD):
        table[f"none/{source}"] = _all_row(_of_seeds(judged, f"zero/{source}/{ALL}"), real, everything, two)
    return table


def _all_row(
    runs: Sequence[dict[int, dict[str, float]]], real: Real, everything: Sequence[int], two: Sequence[int]
) -> dict[str, Any]:
    parts = {"all": everything, "one relation": real.one, "two": two}
    return {"seeds": len(runs), **{name: _scores(runs, rows, "exact") for name, rows in parts.items()}}


def _metaqa_table(judged: Judged, metaqa: MetaQa, test: Sequence[int]) -> dict[str, Any]:
    by_hops = {hops: [row for row in test if metaqa.examples[row].tags["hops"] == hops] for hops in HOPS}
    formed = by_hops[1] + by_hops[2]
    parts = {"1 and 2 hops": formed, **{f"{hops} hops": rows for hops, rows in by_hops.items()}}
    named = {
        f"{size}/{before}": f"metaqa-{part}/{before}"
        for size, part in (("full", "train"), ("10 %", "few"))
        for before in (PLAIN, ONTOLOGY)
    }
    named |= {f"none/{source}": f"zero/{source}/{METAQA}" for source in (ONTOLOGY, WORLD)}
    table: dict[str, Any] = {"questions": {name: len(rows) for name, rows in parts.items()}}
    for name, cell in named.items():
        runs = _of_seeds(judged, cell)
        scores = {part: {what: _scores(runs, rows, what) for what in ("exact", "f1")} for part, rows in parts.items()}
        table[name] = {"seeds": len(runs), **scores}
    return table


# -- what is shown -----------------------------------------------------------------------------------------------------


def shown(result: Mapping[str, Any]) -> str:
    """The tables as text."""
    lines = _baseline_lines(result["baselines"]) if "baselines" in result else []
    if "one" in result:
        head = ("trained on", "seeds", "relation", "form", *LEVELS)
        body = [
            (
                name,
                str(row["seeds"]),
                *(_cell(row[key]) for key in ("relation", "exact", *(f"relation, {level}" for level in LEVELS))),
            )
            for name, row in result["one"].items()
        ]
        lines += ["", "real questions with one relation", *_table(head, body)]
    if "all" in result:
        head = ("real questions: exact match", "seeds", "all", "one relation", "two")
        body = [
            (name, str(row["seeds"]), *(_cell(row[key]) for key in head[2:]))
            for name, row in result["all"].items()
            if name != "questions"
        ]
        lines += ["", *_table(head, body)]
    if "metaqa" in result:
        parts = ("1 and 2 hops", "1 hops", "2 hops", "3 hops")
        head = ("MetaQA: exact match, F1", "seeds", *parts)
        body = [
            (name, str(row["seeds"]), *(f"{_cell(row[part]['exact'])} {_cell(row[part]['f1'])}" for part in parts))
            for name, row in result["metaqa"].items()
            if name != "questions"
        ]
        lines += ["", *_table(head, body)]
    return "\n".join(lines)


def _baseline_lines(said: Mapping[str, Any]) -> list[str]:
    sizes, recall = said["candidates"], said["recall"]
    lines = [
        f"{said['questions']} questions; candidates: median {sizes['median']:.0f}, most {sizes['most']}, "
        f"none for {sizes['none']}",
        f"the relation is among them for {recall['relation']} %, the form for {recall['form']} %",
        f"one of all candidates is hit in {said['one candidate of all']} %; right, with a relation or its reverse:",
    ]
    return [*lines, *(f"  {value:5.1f}  {name}" for name, value in said["right"].items())]


def _cell(value: Mapping[str, float] | None) -> str:
    return "–" if value is None else f"{value['mean']:.1f} ± {value['sd']:.1f}"


def _table(head: Sequence[str], body: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[place]) for row in (head, *body)) for place in range(len(head))]
    return ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in (head, *body)]


def main() -> int:
    """Read the command line and do it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    for name in ("baselines", "show"):
        verbs.add_parser(name).add_argument("--json", action="store_true")
    export = verbs.add_parser("export")
    export.add_argument("folder", type=Path)
    export.add_argument("--world", type=Path, required=True, help="the questions over the made-up world")
    what = export.add_mutually_exclusive_group(required=True)
    what.add_argument("--tune", action="store_true", help="the cells by which rates are chosen")
    what.add_argument("--chosen", type=Path, help="the rates that were chosen")
    chosen = verbs.add_parser("choose")
    chosen.add_argument("out", type=Path)
    chosen.add_argument("-o", dest="file", type=Path, required=True)
    collected = verbs.add_parser("collect")
    collected.add_argument("folder", type=Path)
    collected.add_argument("out", type=Path)
    collected.add_argument("--chosen", type=Path, help="the rates that were chosen, to be kept beside the tables")
    collected.add_argument("--json", action="store_true")
    return _do(parser.parse_args())


def _do(given: argparse.Namespace) -> int:
    if given.verb == "choose":
        write_whole(given.file, json.dumps(choose(given.out), indent=1).encode() + b"\n")
        return 0
    if given.verb == "show":
        return _print(json.loads(RESULT.read_text()), given)
    real = Real.load()
    if given.verb == "baselines":
        return _print({"baselines": baselines(real)}, given)
    with tempfile.TemporaryDirectory() as name:
        metaqa = MetaQa.load(Path(name))
        if given.verb == "export":
            made = Export(real, metaqa, given.world)
            cells = made.tuning() if given.tune else made.final(json.loads(given.chosen.read_text()))
            made.write(given.folder, cells)
            print(f"{len(cells)} cells over {len(made.schema):,} items → {given.folder}")
            return 0
        result = {"baselines": baselines(real), **collect(given.folder, given.out, real, metaqa)}
    if given.chosen is not None:
        result["chosen"] = json.loads(given.chosen.read_text())
    write_whole(RESULT, json.dumps(result, indent=1, ensure_ascii=False).encode() + b"\n")
    return _print(result, given)


def _print(result: Mapping[str, Any], given: argparse.Namespace) -> int:
    print(json.dumps(result, ensure_ascii=False) if given.json else shown(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
