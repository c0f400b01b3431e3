"""What benchmarks/kbqa_real.py asks and trains: real questions, MetaQA's, generated ones, the folder of all trainings.

Gold links are those of the data. Generated questions are over the ontology, with made-up names, and over the made-up
world of many domains; a network has one schema, which is that of all of them together.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import recombine
from recombine.data_directory import data_file
from recombine.errors import RecombineError
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
from recombine.models.kbqa.arrays.study_folder import KbqaCell, KbqaStudy, write_study
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
    from collections.abc import Mapping, Sequence

    from recombine.models.kbqa.arrays.question_arrays import QuestionArrays
    from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays

FOLDS, SEEDS, SEED = 5, (0, 1, 2), 25
DEV_SHARE, FEW = 0.125, 0.1
GENERATED, GENERATED_DEV = 8000, 500
SAMPLE, HOPS = 800, (1, 2, 3)
ENCODER = "pretrained:minilm"
CHUNK = 24
SETTINGS: dict[str, Any] = {
    "encoder": ENCODER,
    "batch": 16,
    "epochs": 25,
    "patience": 6,
    "chunk": CHUNK,
    "train_items": CHUNK,
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
