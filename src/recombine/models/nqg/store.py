"""A fitted parser as a directory: the grammar as text, the weights as arrays or tensors, and how it was made as JSON.

`grammar.txt` can be read by people and by `Qcfg.read`. `model.json` is written last and holds digests of the other
files, so that a directory left half written is noticed. Nothing in it is code.
"""

from __future__ import annotations

import hashlib
import io
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson

from recombine.errors import InputFileError, OptionError, RecombineError
from recombine.files import make_folder, read_bytes, write_whole
from recombine.languages.known import find_language
from recombine.models.nqg.grammar import Qcfg
from recombine.models.nqg.induction.induction_settings import InductionSettings
from recombine.models.nqg.model import Nqg, check_torch
from recombine.models.nqg.scoring.loglinear import LogLinear, surroundings
from recombine.models.nqg.scoring.neural_settings import NeuralSettings
from recombine.models.nqg.target_grammar import TargetGrammar, parses
from recombine.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.languages.language import Language
    from recombine.models.nqg.decoding import Scorer

FORM = "recombine-nqg/1"
GRAMMAR, WEIGHTS, MODEL = "grammar.txt", "weights.npz", "model.json"
OPTIONS = ("scorer", "members", "reluctance", "features", "prior", "steps", "shortest", "strict", "limit")
_TEXTS = ("language", "target_grammar")
_STORED = {"scorer": "kind"}
"""Options whose names in the file are others."""


def save(model: Nqg, folder: Path | str, *, language: str = "", target_grammar: str = "", signature: str = "") -> None:
    """Write a fitted parser to a directory, which is made where it is missing.

    `language` or `target_grammar`, the text of one, say which targets are valid when the parser is loaded again.
    `signature` says how the parser was made.
    """
    if model.grammar is None or model.fitted_scorer is None:
        raise RecombineError("the parser cannot be saved: it has no scorer", "call `fit` first")
    if language and target_grammar:
        raise OptionError("both a language and a grammar of targets are given", "give one of them")
    folder = make_folder(folder)
    files, words = _scorer_files(model.fitted_scorer)
    files[GRAMMAR] = str(model.grammar).encode()
    record = {
        "form": FORM,
        "version": __version__,
        "signature": signature,
        "settings": asdict(model.settings),
        "options": {_STORED.get(name, name): getattr(model, name) for name in OPTIONS},
        "neural": asdict(model.neural),
        "words": words,
        "language": language,
        "target_grammar": target_grammar,
        "files": {name: _digest(data) for name, data in files.items()},
    }
    for name, data in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        write_whole(folder / name, data)
    write_whole(folder / MODEL, orjson.dumps(record, option=orjson.OPT_INDENT_2) + b"\n")


def _scorer_files(scorer: Scorer) -> tuple[dict[str, bytes], list[str]]:
    """The files of a scorer, and the words that it knows by number."""
    if isinstance(scorer, LogLinear):
        arrays = io.BytesIO()
        np.savez(arrays, rules=scorer.rules, keys=scorer.keys, weights=scorer.weights)
        return {WEIGHTS: arrays.getvalue()}, []
    from recombine.models.nqg.scoring import neural, neural_store

    if not isinstance(scorer, neural.Neural):
        raise RecombineError(f"the parser cannot be saved: its scorer is a {type(scorer).__name__}", "fit it anew")
    return neural_store.to_files(scorer), neural_store.words_of(scorer)


def load(folder: Path | str, *, device: str = "cpu") -> Nqg:
    """The parser in a directory, a neural scorer on a device."""
    folder = Path(folder)
    record = _record(folder / MODEL)
    files = {name: read_bytes(folder / name) for name in record["files"]}
    for name, data in files.items():
        if _digest(data) != record["files"][name]:
            raise InputFileError(f"{folder / name}: is not the file that {MODEL} was written with", "save it again")
    grammar = Qcfg.parse(files[GRAMMAR].decode(), folder / GRAMMAR)
    neural = NeuralSettings.from_dict(record["neural"])
    scorer: Scorer
    if WEIGHTS in files:
        with np.load(io.BytesIO(files[WEIGHTS]), allow_pickle=False) as arrays:
            scorer = LogLinear(surroundings(grammar.rules), arrays["rules"], arrays["keys"], arrays["weights"])
    else:
        check_torch()
        from recombine.models.nqg.scoring import neural_store

        scorer = neural_store.from_files(folder, files, neural, grammar.rules, record["words"], device=device)
    valid = None
    if record["language"]:
        valid = parses(_language(record["language"], folder))
    if record["target_grammar"]:
        valid = TargetGrammar.parse(record["target_grammar"], folder / MODEL).accepts
    settings = InductionSettings(**record["settings"])
    options = {name: record["options"][_STORED.get(name, name)] for name in OPTIONS}
    return Nqg(
        settings,
        **options,
        neural=neural,
        device=device,
        valid=valid,
        valid_language=record["language"],
        valid_grammar=record["target_grammar"],
        grammar=grammar,
        fitted_scorer=scorer,
    )


def _language(name: str, folder: Path) -> Language:
    """The language that a parser was saved with; a model is data, for which no module is imported."""
    try:
        return find_language(name, import_modules=False)
    except RecombineError as error:
        raise InputFileError(f"{folder / MODEL}: its targets are in {name}: {error.problem}", error.remedy) from None


def _record(path: Path) -> Mapping[str, Any]:
    try:
        record = orjson.loads(read_bytes(path))
    except orjson.JSONDecodeError as error:
        raise InputFileError(f"{path}: broken JSON ({error.msg})", "save the parser again") from None
    if not isinstance(record, dict) or record.get("form") != FORM:
        raise InputFileError(f"{path}: is not a saved NQG parser", f"its form must be {FORM}")
    missing = [key for key in ("settings", "options", "neural", "words", *_TEXTS, "files") if key not in record]
    if missing:
        raise InputFileError(f"{path}: the key {missing[0]!r} is missing", "save the parser again")
    return record


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()
