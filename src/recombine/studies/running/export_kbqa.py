"""Cells of parsers over a knowledge base for a machine with a GPU and little else, and their forms back into the study.

A folder has one schema, the questions once for each way of linking, rows, and what is needed of encoders: the files of
a pretrained transformer, and of word vectors those of words that come up. Candidates are there for questions that are
asked, since training needs none. What comes back is matched to cells by content.
"""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import InputFileError, OptionError
from recombine.files import read_bytes, read_text, write_whole
from recombine.models.kbqa.answered import Answered
from recombine.models.kbqa.arrays.study_folder import KbqaCell, KbqaStudy, read_record, read_study, write_study
from recombine.models.kbqa.encoder_files import check_encoder
from recombine.models.kbqa.kbqa_family import check_files, deciding
from recombine.models.kbqa.kbqa_settings import LINKER, PRETRAINED, SCRATCH, TAGGER, KbqaSettings
from recombine.models.kbqa.outputs.finished_forms import finished_forms
from recombine.models.kbqa.parser import knowledge_base
from recombine.models.kbqa.run_task import make_all, train_and_dev
from recombine.studies.cells.digest import content_key, ids_digest
from recombine.studies.running.returned_results import exported_data, read_outcome, read_results
from recombine.studies.running.run_study import dev_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from recombine.models.kbqa.arrays.question_arrays import QuestionArrays
    from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays
    from recombine.models.task import CellOutcome
    from recombine.records.dataset import Dataset
    from recombine.studies.cells.cell import Cell
    from recombine.studies.cells.plan import Plan

ENCODERS = "encoders"
PREDICTIONS = "predictions.jsonl.gz"
_NOTES = ("training", "steps", "best_epoch", "added_items", "left_out", "counts")


def export_kbqa(plan: Plan, dataset: Dataset, cells: Sequence[Cell], folder: Path) -> None:
    """Write a folder with all that some cells of one data set need."""
    for model in {cell.model.name: cell.model for cell in cells}.values():
        check_files(model.settings)
    rows, sets, made = _Rows(), _QuestionSets(dataset), []
    for cell in cells:
        settings = KbqaSettings.from_dict(cell.model.settings)
        parts = _parts(cell, dataset)
        named = {part: rows.name(f"{cell.recipe.name}/{part}", given) for part, given in parts.items()}
        train = sets.name(settings, settings.train_links)
        test = sets.name(settings, settings.links, parts["test"], (named["train"], parts["train"]))
        made.append(KbqaCell(cell.name, cell.seed, named["train"], named["dev"], named["test"], train, test))
    schema, questions = sets.make()
    folder.mkdir(parents=True, exist_ok=True)
    places = _write_encoders(folder, cells, schema, questions)
    settings_of = [{**cell.model.settings, "encoder": places[cell.model.name]} for cell in cells]
    base = settings_of[0]
    notes = {"study": plan.study.name, "data": dataset.hash, "order": ids_digest(dataset.ids)}
    finished = tuple(
        replace(exported, settings={name: value for name, value in own.items() if value != base[name]})
        for exported, own in zip(made, settings_of, strict=True)
    )
    write_study(folder, KbqaStudy(schema, questions, rows.by_name, finished, base, notes))


class _QuestionSets:
    """The questions of a data set by ways of linking and of making candidates."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset
        self._wanted: dict[str, tuple[str, KbqaSettings, Sequence[int]]] = {}
        self._asked: dict[str, set[int]] = {}

    def name(
        self, settings: KbqaSettings, links: str, asked: Sequence[int] = (), train: tuple[str, Sequence[int]] = ("", ())
    ) -> str:
        """The name of the questions with such links, some of which are asked; a tagger learns from rows by name."""
        said = [
            f"{settings.hops} hops",
            *settings.beyond_kinds,
            *([] if settings.answer_class else ["no answer class"]),
        ]
        named = f" by {Path(settings.names).name}" if links in (LINKER, TAGGER) and settings.names else ""
        learned = f" of {train[0]}" if links == TAGGER else ""
        name = f"{links}{learned}{named}, {', '.join(said)}"
        self._wanted.setdefault(name, (links, settings, train[1] if links == TAGGER else ()))
        self._asked.setdefault(name, set()).update(asked)
        return name

    def make(self) -> tuple[SchemaArrays, dict[str, QuestionArrays]]:
        """The schema, and the questions of each name; candidates are those of questions that are asked."""
        dataset, store = self._dataset, knowledge_base(self._dataset.opened_world)
        language = "" if dataset.language is None else dataset.language.name
        made = {
            name: make_all(
                list(dataset),
                language,
                store,
                links,
                settings,
                candidates_of={dataset[row].id for row in self._asked[name]},
                learned=[dataset[row] for row in learned],
            )
            for name, (links, settings, learned) in self._wanted.items()
        }
        return next(iter(made.values())).schema, {name: each.questions for name, each in made.items()}


class _Rows:
    """Rows by name, equal ones once."""

    def __init__(self) -> None:
        self.by_name: dict[str, np.ndarray[Any, np.dtype[np.int32]]] = {}
        self._names: dict[bytes, str] = {}

    def name(self, name: str, given: Sequence[int]) -> str:
        """The name of some rows; empty where there are none."""
        rows = np.asarray(given, dtype=np.int32)
        if not len(rows):
            return ""
        while name in self.by_name and rows.tobytes() not in self._names:
            name += "'"
        known = self._names.setdefault(rows.tobytes(), name)
        self.by_name[known] = rows
        return known


def _parts(cell: Cell, dataset: Dataset) -> dict[str, Sequence[int]]:
    """Rows to learn from, to stop on and to ask."""
    if cell.split is None:
        raise OptionError(cell.problem, "leave it out")
    train, test = (cell.split.positions(dataset, part) for part in ("train", cell.recipe.part))
    settings = KbqaSettings.from_dict(cell.model.settings)
    learned, stopped_on = train_and_dev(train, dev_rows(cell, dataset), settings, cell.seed)
    return {"train": sorted(learned), "dev": sorted(stopped_on), "test": sorted(test)}


# -- encoders -----------------------------------------------------------------------------------------------------


def _write_encoders(
    folder: Path, cells: Sequence[Cell], schema: SchemaArrays, questions: Mapping[str, QuestionArrays]
) -> dict[str, str]:
    """Write what is needed of each encoder; where it lies in the folder, by the names of models."""
    places: dict[str, str] = {}
    for model in {cell.model.name: cell.model for cell in cells}.values():
        settings = KbqaSettings.from_dict(model.settings)
        path = check_encoder(settings)
        if path is None:
            places[model.name] = SCRATCH
            continue
        place = f"{ENCODERS}/{settings.encoder_kind}-{settings.encoder_digest[:8]}"
        if settings.encoder_kind == PRETRAINED:
            target = folder / place
            target.mkdir(parents=True, exist_ok=True)
            for file in sorted(each for each in path.iterdir() if each.is_file() and not each.name.startswith(".")):
                write_whole(target / file.name, read_bytes(file))
        else:
            place += ".npy"
            _write_vectors(folder / place, path, _texts(schema, questions.values()))
        places[model.name] = f"{settings.encoder_kind}:{place}"
    return places


def _texts(schema: SchemaArrays, questions: Iterable[QuestionArrays]) -> list[str]:
    return [*schema.texts, *(text for each in questions for text in (*each.texts, *each.link_texts))]


def _write_vectors(target: Path, source: Path, texts: Sequence[str]) -> None:
    """Write the vectors of words that come up in texts: no others are asked for."""
    from recombine.models.kbqa.nets.read_vectors import read_vectors
    from recombine.models.kbqa.nets.words_of import words_of

    words = {word for text in texts for word in words_of(text)}
    read, stream = read_vectors(source, only=words), io.BytesIO()
    np.save(stream, read.vectors, allow_pickle=False)
    target.parent.mkdir(parents=True, exist_ok=True)
    write_whole(target, stream.getvalue())
    write_whole(target.with_suffix(".txt"), "".join(f"{word}\n" for word in read.words).encode())


# -- the way back -------------------------------------------------------------------------------------------------


def data_of_kbqa(plan: Plan, folder: Path) -> Dataset:
    """The data of the study that a folder was made of."""
    return exported_data(plan, read_record(folder)["notes"], folder)


def returned_kbqa(
    cells: Sequence[Cell], dataset: Dataset, folder: Path, outputs: Path
) -> tuple[list[tuple[Cell, CellOutcome]], list[str]]:
    """The cells that a result came back for, with it, and the names of results that are of no cell."""
    study = read_study(folder)
    by_content: dict[str, list[Cell]] = {}
    for cell in cells:
        if cell.split is not None:
            by_content.setdefault(_key(cell.model.settings, cell.seed, _parts(cell, dataset)), []).append(cell)
    results, predictions = read_results(outputs), _predictions(outputs)
    language = "" if dataset.language is None else dataset.language.name
    store = knowledge_base(dataset.opened_world)
    matched, unknown = [], []
    for exported in study.cells:
        if exported.name not in results["cells"]:
            continue
        rows = {
            part: study.rows[name].tolist() if name else []
            for part, name in (("train", exported.train), ("dev", exported.dev), ("test", exported.test))
        }
        equal = by_content.get(_key({**study.settings, **exported.settings}, exported.seed, rows), [])
        if not equal:
            unknown.append(exported.name)
            continue
        made = read_outcome(results, exported.name, outputs, _NOTES)
        by_row: dict[int, str] = {}
        if not made.error:
            given = _given(predictions, exported, made, len(rows["test"]), outputs)
            settings = KbqaSettings.from_dict({**study.settings, **exported.settings})
            questions = study.questions[exported.test_questions].take(rows["test"])
            finished = finished_forms(given, questions, store, settings, language)
            made = replace(made, notes={**made.notes, "counts": finished.counts})
            by_row = dict(zip(rows["test"], finished.texts, strict=True))
        for cell in [each for each in equal if each.name == exported.name] or equal:
            asked = [] if made.error or cell.split is None else cell.split.positions(dataset, cell.recipe.part)
            matched.append((cell, replace(made, outputs=tuple(by_row[row] for row in asked))))
    return matched, unknown


def _key(settings: Mapping[str, Any], seed: int, rows: Mapping[str, Sequence[int]]) -> str:
    """What decides a result, of what is exported."""
    whole = KbqaSettings.from_dict(settings).to_dict()
    return content_key({"settings": dict(deciding(whole)), "seed": seed, **{part: list(rows[part]) for part in rows}})


def _predictions(outputs: Path) -> dict[str, Answered]:
    """What was written, by cell."""
    path = outputs / PREDICTIONS
    try:
        rows = [json.loads(line) for line in read_text(path).splitlines()]
        return {str(row["cell"]): _answered(row) for row in rows}
    except (ValueError, KeyError, TypeError) as error:
        raise InputFileError(f"{path}: not predictions of this form ({error})", "copy it again") from None


def _answered(row: Mapping[str, Any]) -> Answered:
    beams = tuple(tuple(str(text) for text in beam) for beam in row.get("beams", ()))
    return Answered(tuple(str(text) for text in row["outputs"]), {}, beams)


def _given(
    predictions: Mapping[str, Answered], cell: KbqaCell, outcome: CellOutcome, number: int, outputs: Path
) -> Answered:
    """What was written in a cell, with what was counted of it."""
    given = predictions.get(cell.name)
    if given is None or len(given.texts) != number or len(given.beams) not in (0, number):
        raise InputFileError(
            f"{outputs / PREDICTIONS}: the forms of {cell.name} are missing", "copy it again, or train again"
        )
    return replace(given, counts={str(name): int(count) for name, count in outcome.notes.get("counts", {}).items()})
