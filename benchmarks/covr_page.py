"""The page of a study of COVR's set-ups, with what a model looked at drawn on the pictures of examples.

    python benchmarks/covr_page.py studies/covr_splits.toml -o page.html
    python benchmarks/covr_page.py studies/covr_splits.toml -o page.html --folder EXPORT \\
        --weights OUT/regions-iid-0.safetensors --detector OUT/detector-….safetensors

Without weights it is what `recombine generalization page` makes. With them, the model that came back from another
machine is asked again for the examples that the page shows, on a CPU: EXPORT is the folder that `study export` wrote,
whose words and answers it has. `--model DIR` takes one that `recombine train` wrote instead.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from recombine.files import write_whole
from recombine.models.pictures.arrays.array_file import read_arrays
from recombine.models.pictures.arrays.words import Words
from recombine.models.pictures.parser import PictureParser
from recombine.models.pictures.picture_settings import PictureSettings
from recombine.models.pictures.region_scores import region_scores
from recombine.models.pictures.store import load
from recombine.models.pictures.study_folder import OTHER, read_record
from recombine.pages.generalization.generalization_data import build_generalization_data
from recombine.pages.generalization.generalization_page import render_generalization
from recombine.pages.generalization.study_results import results_of_study
from recombine.studies.cells.plan import make_plan
from recombine.studies.tables.summary import read_results

if TYPE_CHECKING:
    from recombine.pages.generalization.generalization_data import GeneralizationData


def returned_model(folder: Path, weights: Path, detector: Path) -> PictureParser:
    """The model whose weights came back from the machine that an export went to."""
    from recombine.models.pictures.nets.detector import Detector
    from recombine.models.pictures.training.stage_store import load_stage

    record = read_record(folder)
    tensors, noted = load_stage(weights)
    settings = PictureSettings.from_dict(json.loads(noted["settings"]))
    parser = PictureParser(settings, device="cpu")
    parser.words, parser.answers, parser.weights = Words(tuple(record["words"])), list(record["answers"]), tensors
    other = read_arrays(folder / OTHER)
    names, attributes = other["name_list"].tolist(), other["attribute_list"].tolist()
    parser.detector = Detector.from_state(settings, names, attributes, load_stage(detector)[0])
    return parser


def write_scores(built: GeneralizationData, parser: PictureParser, path: Path) -> int:
    """Write what a model looks at in the examples of a page."""
    dataset = built.dataset
    assert dataset is not None  # a study has data
    ids = sorted({each.id for shown in built.opened.values() for each in shown})
    queries = [dataset[key].query for key in ids]
    looked = region_scores(parser, queries, dataset.opened_world)
    lines = [
        orjson.dumps({**line, "about": f"{line['about']} Of the i.i.d. model, whatever is opened."}) for line in looked
    ]
    write_whole(path, b"\n".join(lines) + b"\n")
    return len(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("study", type=Path)
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--results", type=Path)
    parser.add_argument("--examples", type=int, default=6)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--detector", type=Path)
    parser.add_argument("--model", type=Path)
    given = parser.parse_args()
    plan = make_plan(given.study, given.results, make=False)
    dataset = next(iter(plan.datasets.values()))
    listed = results_of_study(given.study, plan, read_results(plan))
    built = build_generalization_data(listed, dataset, examples=given.examples)
    if given.weights or given.model:
        model = load(given.model) if given.model else returned_model(given.folder, given.weights, given.detector)
        began = time.process_time()
        scores = given.out.with_suffix(".scores.jsonl")
        number = write_scores(built, model, scores)
        print(f"{number:,} examples looked at in {time.process_time() - began:.0f} s of CPU → {scores}")
        built = replace(built, listed=replace(listed, scores=scores))
    page = render_generalization(built, getattr(dataset.opened_world, "pictures", None))
    write_whole(given.out, page)
    print(f"{len(built.systems)} systems, {len(built.setups)} set-ups, {len(page) / 1e6:.1f} MB → {given.out}")
    record = {key: value for key, value in built.to_record().items() if key != "systems"}
    systems = [
        {key: row[key] for key in ("name", "accuracy", "n", "templates")} for row in built.to_record()["systems"]
    ]
    write_whole(
        given.out.with_suffix(".json"), orjson.dumps({"systems": systems, **record}, option=orjson.OPT_INDENT_2)
    )


if __name__ == "__main__":
    main()
