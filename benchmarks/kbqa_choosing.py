"""Settings of parsers over a knowledge base, chosen on the training questions of `studies/kbqa_table3.toml` alone.

    python benchmarks/kbqa_choosing.py export FOLDER [--call NAME]     # a folder for each data set
    python -m recombine.models.kbqa.run FOLDER/world --out OUT/world --work WORK/world \
        --encoder pretrained=DIR --encoder vectors=FILE                # there, and FOLDER/fb15k237
    python benchmarks/kbqa_choosing.py collect FOLDER OUT [--call NAME]     # into results/kbqa_choosing.json
    python benchmarks/kbqa_choosing.py show [--json]                   # what was kept

The training questions of each data set are split by levels again, with domains of their own held out for dev and for
test. So what is asked here is as new to a network as the questions of the study are, and none of those is looked at.
Links are gold. Beside the parsers stand two baselines on the same questions: a setting is worth something where it
passes both at every level. Exact match is judged as on the page of results: by what forms say under the store's
ontology. One seed, both inferences; a call is what was run at one time, with the settings that were compared in it.
Beside the calls stands what a small network gave on dev of the study over FB15k-237, on a CPU (`SMALL`): `shared_words`
and `overlap` were chosen by that.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import RecombineError
from recombine.evaluation.errors.kbqa_errors import ErrorClassifier
from recombine.files import make_folder, write_whole
from recombine.models.kbqa.arrays.study_folder import KbqaCell, KbqaStudy, read_study, write_study
from recombine.models.kbqa.baselines.nearest_question import NearestQuestion
from recombine.models.kbqa.baselines.word_overlap import WordOverlap
from recombine.models.kbqa.kbqa_settings import RANKING, TRANSDUCTION, KbqaSettings
from recombine.models.kbqa.making.make_arrays import make_arrays
from recombine.pages.kbqa_results.question_facts import QuestionFacts
from recombine.splits.hold_out.levels import LevelsSplitter
from recombine.studies.cells.plan import make_plan

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.models.kbqa.arrays.question_arrays import QuestionArrays
    from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays
    from recombine.records.dataset import Dataset
    from recombine.records.split import Split
    from recombine.studies.cells.plan import Plan

HERE = Path(__file__).parent
STUDY = HERE.parent / "studies" / "kbqa_table3.toml"
RESULT = HERE / "results" / "kbqa_choosing.json"
LEVELS = ("i.i.d.", "compositional", "zero-shot")
SEED, INNER_SEED = 0, 7
DOMAINS = {"world": (3, 5), "fb15k237": (2, 3)}
"""Domains that are held out for dev and for test among those of train."""
BASE, GOLD, SMALL = "base", "gold", "small network"
PRETRAINED, VECTORS = "pretrained", "vectors"
MODELS = {PRETRAINED: "ranking", VECTORS: "ranking-glove"}
"""The models of the study whose settings are changed, by the kind of their encoder."""
PLACES = {PRETRAINED: "pretrained:minilm", VECTORS: "vectors:glove.npy"}
_DECAY: dict[str, Any] = {"decay": "linear"}
_HALF: dict[str, Any] = {**_DECAY, "renamed": 0.5}
Changes = dict[str, dict[str, Any]]
FIRST: dict[str, dict[str, Changes]] = {
    "fb15k237": {
        PRETRAINED: {
            BASE: {},
            "decay": _DECAY,
            "renamed 0.5": _HALF,
            "renamed 0.8": {**_DECAY, "renamed": 0.8},
            "renamed 0.5, dropout 0.2": {**_HALF, "dropout": 0.2},
            "renamed 0.5, 20 passes": {**_HALF, "epochs": 20},
        },
        VECTORS: {BASE: {}, "decay": _DECAY, "renamed 0.5": _HALF},
    },
    "world": {
        PRETRAINED: {BASE: {}, "decay": _DECAY, "renamed 0.5": _HALF},
        VECTORS: {"decay": _DECAY, "renamed 0.5": _HALF},
    },
}
CALLS = {"first": FIRST}
"""What was compared, in the order of calls: by data, encoder and name, the settings that differ from the study's."""


# -- questions ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Inner:
    """The training questions of a data set, split again."""

    name: str
    dataset: Dataset
    split: Split

    @classmethod
    def of(cls, plan: Plan, name: str) -> Inner:
        """Those of the study's split by levels."""
        cell = next(each for each in plan.cells if each.data == name and each.recipe.name.startswith("levels"))
        if cell.split is None:
            raise RecombineError(f"{cell.name} has no split", "run the study first")
        own = plan.datasets[name].restricted(cell.split.parts["train"])
        dev, test = DOMAINS[name]
        splitter = LevelsSplitter(dev_domains=dev, test_domains=test, seed=INNER_SEED)
        return cls(name, own, splitter.split(own))

    @cached_property
    def rows(self) -> dict[str, np.ndarray[Any, np.dtype[np.int32]]]:
        """The places of the questions of each part."""
        places = {part: sorted(self.split.positions(self.dataset, part)) for part in ("train", "dev", "test")}
        return {part: np.array(at, np.int32) for part, at in places.items()}

    def arrays(self) -> tuple[SchemaArrays, QuestionArrays]:
        """The schema, and the questions with gold links; those that are asked have candidates."""
        asked = frozenset(self.split.parts["test"])
        made = make_arrays(self.dataset, list(self.dataset), GOLD, KbqaSettings(), candidates_of=asked)
        return made.schema, made.questions

    @cached_property
    def facts(self) -> QuestionFacts:
        """What is known of the questions that are asked."""
        return QuestionFacts(self.dataset, self.split, "test")

    def notes(self) -> dict[str, Any]:
        """What the split is."""
        levels = self.facts.levels
        return {"split": str(self.split.signature), "test": {level: levels.count(level) for level in LEVELS}}


class Judge:
    """Tells which outputs say the same as the gold forms, by level."""

    def __init__(self, inner: Inner) -> None:
        self._facts = inner.facts
        self._classifier = ErrorClassifier(self._facts.setting)

    def shares(self, outputs: Mapping[str, str]) -> dict[str, float]:
        """Exact match in percent: overall, and by level."""
        facts = self._facts
        right = np.array([self._right(facts.golds[key], outputs[key]) for key in facts.ids])
        levels = np.array(facts.levels)
        parts = {"all": np.ones(len(right), np.bool_), **{level: levels == level for level in LEVELS}}
        return {name: round(100 * float(right[at].mean()), 1) for name, at in parts.items()}

    def _right(self, gold: str, output: str) -> bool:
        return bool(output) and self._classifier.key(output) == self._classifier.key(gold)


# -- the folder --------------------------------------------------------------------------------------------------------


def export(folder: Path, plan: Plan, grid: Mapping[str, Mapping[str, Changes]]) -> None:
    """Write a folder for each data set."""
    make_folder(folder)
    for data, encoders in grid.items():
        inner = Inner.of(plan, data)
        schema, questions = inner.arrays()
        cells = tuple(
            KbqaCell(f"{encoder}/{name}/{inference}", SEED, "train", "dev", "test", GOLD, GOLD, settings)
            for encoder, named in encoders.items()
            for name, changes in named.items()
            for inference in (RANKING, TRANSDUCTION)
            for settings in [_settings(plan, encoder, {**changes, "inference": inference})]
        )
        notes = {"data": inner.dataset.hash, **inner.notes()}
        write_study(folder / data, KbqaStudy(schema, {GOLD: questions}, inner.rows, cells, {}, notes))
        print(f"{data}: {len(cells)} cells; {notes['test']}; {notes['split']}")


def _settings(plan: Plan, encoder: str, changes: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of the study's model of an encoder, with changes, a place for its encoder, and gold links."""
    model = next(each for each in plan.models if each.name == MODELS[encoder])
    return {**model.settings, "links": GOLD, "names": "", "encoder": PLACES[encoder], **changes}


# -- what comes back ---------------------------------------------------------------------------------------------------


def collect(folder: Path, out: Path, plan: Plan, grid: Mapping[str, Mapping[str, Changes]]) -> dict[str, Any]:
    """What the settings gave on each data set, beside the baselines."""
    made: dict[str, Any] = {}
    for data in grid:
        inner, study = Inner.of(plan, data), read_study(folder / data)
        judge = Judge(inner)
        made[data] = {**inner.notes(), "baselines": _baselines(judge, study), "runs": []}
        records = json.loads((out / data / "results.json").read_text())
        made["device"] = records["device"]
        outputs = _outputs(out / data / "predictions.jsonl.gz")
        ids = [study.questions[GOLD].ids[row] for row in study.rows["test"].tolist()]
        for cell in study.cells:
            said = records["cells"].get(cell.name, {"state": "missing"})
            run = _run(cell, grid[data], said)
            if cell.name in outputs:
                run["em"] = judge.shares(dict(zip(ids, outputs[cell.name], strict=True)))
            made[data]["runs"].append(run)
    return made


def _outputs(path: Path) -> dict[str, list[str]]:
    lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    return {said["cell"]: said["outputs"] for said in map(json.loads, lines)}


def _run(cell: KbqaCell, encoders: Mapping[str, Changes], said: Mapping[str, Any]) -> dict[str, Any]:
    encoder, name, inference = cell.name.split("/")
    curve = said.get("curve", [])
    return {
        "encoder": encoder,
        "name": name,
        "inference": inference,
        "changes": encoders[encoder][name],
        "state": said["state"],
        "passes": len(curve),
        "best pass": said.get("best_epoch"),
        "dev": [round(100 * share, 1) for _, _, share in curve],
        "seconds": said.get("training_seconds"),
    }


def _baselines(judge: Judge, study: KbqaStudy) -> dict[str, dict[str, float]]:
    questions = study.questions[GOLD]
    train, test = (questions.take(study.rows[part]) for part in ("train", "test"))
    made = {}
    for name, baseline in (("nearest neighbour", NearestQuestion()), ("word overlap", WordOverlap())):
        baseline.fit(study.schema, train)
        outputs = {key: baseline.answer(study.schema, test, row) for row, key in enumerate(test.ids)}
        made[name] = judge.shares(outputs)
    return made


# -- what is shown -----------------------------------------------------------------------------------------------------


def shown(result: Mapping[str, Any]) -> str:
    """The calls as text."""
    lines: list[str] = []
    for call, said in ((call, said) for call, said in result.items() if call != SMALL):
        for data in (name for name in DOMAINS if name in said):
            head = _line("", ("all", *LEVELS), "dev", "passes", "s")
            lines += ["", f"{call} call, {data}: {said[data]['test']}", head]
            for name, shares in said[data]["baselines"].items():
                lines.append(_line(name, _values(shares)))
            for run in said[data]["runs"]:
                title = f"{run['encoder']}, {run['inference']}: {run['name']}"
                best = f"{max(run['dev']):.1f}" if run["dev"] else ""
                seconds = f"{run['seconds']:.0f}" if run["seconds"] else ""
                values = _values(run["em"]) if "em" in run else (run["state"],)
                lines.append(_line(title, values, best, str(run["passes"]), seconds))
    return "\n".join([*lines[1:], *(_small_lines(result[SMALL]) if SMALL in result else [])])


def _small_lines(said: Mapping[str, Any]) -> list[str]:
    lines = ["", f"{SMALL}: {said['what']}"]
    for run in said["settings"]:
        for inference in (each for each in (RANKING, TRANSDUCTION) if run[each] is not None):
            values = [f"{value:.1f}" for value in run[inference]]
            lines.append(_line(f"{inference}: {run['name']}", ("", *values), "", str(run["passes"])))
    weights = {weight: values for weight, values in said["overlap"].items() if weight != "what"}
    lines += ["", said["overlap"]["what"]]
    return [*lines, *(_line(f"overlap {each}", [f"{value:.1f}" for value in weights[each]]) for each in weights)]


def _values(shares: Mapping[str, float]) -> tuple[str, ...]:
    return tuple(f"{shares[name]:.1f}" for name in ("all", *LEVELS))


def _line(title: str, values: Sequence[str], *rest: str) -> str:
    return f"{title:52}" + "".join(f"{value:>15}" for value in values) + "".join(f"{value:>8}" for value in rest)


def main() -> int:
    """Read the command line and do it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("show").add_argument("--json", action="store_true")
    for name in ("export", "collect"):
        verb = verbs.add_parser(name)
        verb.add_argument("folder", type=Path)
        verb.add_argument("--call", choices=list(CALLS), default=next(reversed(CALLS)))
        if name == "collect":
            verb.add_argument("out", type=Path)
            verb.add_argument("--json", action="store_true")
    given = parser.parse_args()
    result = json.loads(RESULT.read_text()) if RESULT.is_file() else {}
    if given.verb != "show":
        plan = make_plan(STUDY)
        if given.verb == "export":
            export(given.folder, plan, CALLS[given.call])
            return 0
        result[given.call] = collect(given.folder, given.out, plan, CALLS[given.call])
        write_whole(RESULT, json.dumps(result, indent=1, ensure_ascii=False).encode() + b"\n")
    print(json.dumps(result, ensure_ascii=False) if given.json else shown(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
