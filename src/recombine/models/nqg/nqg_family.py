"""NQG as a family of models: settings of the induction, of the parser and of its neural scorer under one roof.

`targets` says which outputs are valid: those that the language of the data can parse, where it is known, or any. A
grammar of targets takes the place of both.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError, OptionError, RecombineError
from recombine.files import read_text
from recombine.models.check_settings import check_settings
from recombine.models.family import Family
from recombine.models.nqg.induction.induction_settings import PRESETS, InductionSettings
from recombine.models.nqg.nqg_options import NqgOptions
from recombine.models.nqg.sql_tokens import BLANKS, cut_pairs
from recombine.models.pretrained.local_checkpoint import check_installed, checkpoint_digest
from recombine.models.study_path import study_path
from recombine.options import Option, options_of
from recombine.progress import bar, working
from recombine.records.signature import Signature

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.models.nqg.grammar import Qcfg
    from recombine.models.nqg.induction.induce import Progress
    from recombine.models.nqg.model import Nqg
    from recombine.models.nqg.scoring.scorer_training import Step
    from recombine.models.task import CellOutcome, Task
    from recombine.records.example import Example
    from recombine.records.world import World

NAME = "nqg"
TARGETS = ("parsable", "any")
NEURAL = "neural_"
"""What settings of the neural scorer begin with."""
_FILES = ("grammar", "target_grammar")
_SINCE: Mapping[str, Any] = {"tokens": BLANKS, "all_identities": False}
"""Settings that results of before do not name, with the values that they had: such values are left out."""
ENCODER, ENCODER_DIGEST = f"{NEURAL}encoder", f"{NEURAL}encoder_digest"


def presets() -> list[str]:
    """`nqg` with its own settings, and the paper's."""
    return [NAME, *(name for name in PRESETS if name != "default")]


# -- settings -----------------------------------------------------------------------------------------------------


def options(preset: str) -> list[Option]:
    """The declared settings with the defaults of a preset."""
    from recombine.models.nqg.scoring.neural_settings import PRESETS as NEURAL_PRESETS
    from recombine.models.nqg.scoring.neural_settings import NeuralSettings

    usual = _induction(preset)
    induction = [replace(each, default=getattr(usual, each.name)) for each in _induction_options()]
    neural = [
        replace(each, name=NEURAL + each.name, help=f"Neural scorer: {each.help[0].lower()}{each.help[1:]}")
        for each in options_of(NeuralSettings)
    ]
    return [
        *induction,
        *options_of(NqgOptions),
        Option("targets", str, "parsable", "Valid targets: those that the data's language can parse, or any.", TARGETS),
        Option("target_grammar", str, "", "The file of a CFG of valid targets.", metavar="FILE"),
        Option(
            "grammar", str, "", "The file of a grammar that `induce` wrote, in place of an induction.", metavar="FILE"
        ),
        Option(
            NEURAL + "preset", str, "default", "Neural scorer: where its settings begin.", choices=tuple(NEURAL_PRESETS)
        ),
        *neural,
        Option(
            ENCODER_DIGEST,
            str,
            "",
            "Neural scorer: the digest of the encoder's files; default: that of the files as they are.",
        ),
    ]


def _induction(preset: str) -> InductionSettings:
    return InductionSettings.of("default" if preset == NAME else preset)


def _induction_options() -> tuple[Option, ...]:
    return options_of(InductionSettings, leave_out=["seed"])  # a parser has one seed, which is no setting


def settings_of(preset: str, changes: Mapping[str, Any]) -> dict[str, Any]:
    """All settings of a preset with changes; those of the neural scorer where it is the scorer.

    Files are read and checked, and their digests are among the settings.

    >>> settings_of("nqg:scan", {"restarts": 3})["terminal_bits"]
    32.0
    """
    given = {name: value for name, value in changes.items() if name not in map(_digest_name, _FILES)}
    usual = {option.name: option.default for option in options(preset)}
    check_settings(given, usual)
    _check_together(given)
    made = {name: value for name, value in {**usual, **given}.items() if not name.startswith(NEURAL)}
    if made["scorer"] == "neural":
        made |= {**_neural_settings(given), ENCODER_DIGEST: _encoder_digest(given)}
    for name in _FILES:
        if made[name]:
            made[_digest_name(name)] = changes.get(_digest_name(name)) or _text_digest(read_text(made[name]))
        else:
            del made[name]
    made = {name: value for name, value in made.items() if name not in _SINCE or value != _SINCE[name]}
    make(made, 0, "", trained=False)  # a wrong value is reported before anything is run
    return made


def _check_together(given: Mapping[str, Any]) -> None:
    """Refuse settings of which one leaves another without meaning."""
    if given.get("targets", "parsable") not in TARGETS:
        Option("targets", str, "parsable", "", TARGETS).check(given["targets"])
    # How texts are cut is for who predicts, too.
    names = [*(each.name for each in _induction_options() if each.name != "tokens"), "members"]
    induction = next((name for name in names if name in given), "")
    if given.get("grammar") and induction:
        raise OptionError(f"{induction} is for an induction, but there is a grammar", "give one of them")
    if given.get("target_grammar") and given.get("targets") == "any":
        raise OptionError("a target_grammar is given, and targets = any", "give one of them")
    neural = next((name for name in given if name.startswith(NEURAL)), "")
    if neural and given.get("scorer") != "neural":
        raise OptionError(f"{neural} is for the neural scorer", "set scorer to neural")


def _neural_settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """All settings of the neural scorer: those of its preset with changes."""
    from recombine.models.nqg.scoring.neural_settings import NeuralSettings

    preset = given.get(NEURAL + "preset", "default")
    changes = {
        name.removeprefix(NEURAL): value
        for name, value in given.items()
        if name.startswith(NEURAL) and name not in (NEURAL + "preset", ENCODER_DIGEST)
    }
    made = NeuralSettings.of(preset, **changes)
    values = {NEURAL + name: value for name, value in asdict(made).items()}
    return {**values, NEURAL + "features": list(made.features)}


def _encoder_digest(given: Mapping[str, Any]) -> str:
    """The digest of the encoder's files, as it is given or as they are; empty for one from scratch."""
    if not given.get(ENCODER):
        if given.get(ENCODER_DIGEST):
            raise OptionError(f"{ENCODER_DIGEST} is given, and no {ENCODER}", "leave it out, or name the encoder")
        return ""
    return str(given.get(ENCODER_DIGEST) or checkpoint_digest(given[ENCODER]))


def in_folder(changes: Mapping[str, Any], folder: Path) -> Mapping[str, Any]:
    """The settings of a study file in a folder, with the place of an encoder from there."""
    encoder = changes.get(ENCODER)
    return {**changes, ENCODER: str(study_path(folder, encoder))} if encoder and isinstance(encoder, str) else changes


def deciding(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """The settings as keys of cells have them: of an encoder its digest, wherever it lies.

    Without one, there is no word of it: cells from before encoders had digests are the same.
    """
    made = {name: value for name, value in settings.items() if name != ENCODER_DIGEST or value}
    return {**made, ENCODER: "pretrained"} if settings.get(ENCODER) else made


def check_files(settings: Mapping[str, Any]) -> None:
    """Refuse an encoder whose files are not here, or are others than those of the digest."""
    if not settings.get(ENCODER):
        return
    check_installed()
    if checkpoint_digest(settings[ENCODER]) != settings[ENCODER_DIGEST]:
        problem = f"{settings[ENCODER]}: its files are not those of the digest {settings[ENCODER_DIGEST]}"
        raise InputFileError(problem, f"give the same files, or leave out {ENCODER_DIGEST}")


def _digest_name(name: str) -> str:
    return f"{name}_digest"


def in_language(settings: Mapping[str, Any], language: str) -> Mapping[str, Any]:
    """The settings with the language that valid targets are of, where they are to be parsed."""
    if settings["targets"] == "parsable" and "target_grammar" not in settings:
        return {**settings, "language": language}
    return settings


# -- a parser -----------------------------------------------------------------------------------------------------


def make(settings: Mapping[str, Any], seed: int, device: str, *, trained: bool = True) -> Nqg:
    """NQG's parser of all settings; `language` among them names the language that valid targets are of."""
    from recombine.languages.known import find_language
    from recombine.models.nqg.grammar import Qcfg
    from recombine.models.nqg.model import Nqg, check_torch
    from recombine.models.nqg.scoring.neural_settings import NeuralSettings
    from recombine.models.nqg.target_grammar import TargetGrammar, parses

    settings = {**_SINCE, **settings}
    induction = {option.name: settings[option.name] for option in _induction_options()}
    chosen: dict[str, Any] = {option.name: settings[option.name] for option in options_of(NqgOptions)}
    if settings["scorer"] == "neural":
        if trained:
            check_torch()
            check_files(settings)
        chosen["neural"] = NeuralSettings.from_dict(_neural_values(settings))
        chosen["device"] = device or "cpu"
    if "grammar" in settings:
        path = settings["grammar"]
        chosen |= {"grammar": Qcfg.parse(_same_text(settings, "grammar"), path), "grammar_file": Path(path).name}
    if "target_grammar" in settings:
        text = _same_text(settings, "target_grammar")
        chosen |= {"valid_grammar": text, "valid": TargetGrammar.parse(text, settings["target_grammar"]).accepts}
    elif settings.get("language"):
        language = settings["language"]
        chosen |= {"valid_language": language, "valid": parses(find_language(language))}
    return Nqg(InductionSettings(**induction, seed=seed), **chosen)


def _neural_values(settings: Mapping[str, Any]) -> dict[str, Any]:
    values = {name.removeprefix(NEURAL): value for name, value in settings.items() if name.startswith(NEURAL)}
    values.pop(ENCODER_DIGEST.removeprefix(NEURAL), None)
    return values


def _same_text(settings: Mapping[str, Any], name: str) -> str:
    """The text of a file among the settings, when it is the one that they were made with."""
    text = read_text(settings[name])
    if _text_digest(text) != settings[_digest_name(name)]:
        problem = f"{settings[name]}: is not the file of the digest {settings[_digest_name(name)]}"
        raise InputFileError(problem, "give the same file")
    return text


def fit(parser: Nqg, examples: Sequence[Example], world: World | None) -> None:
    """Induce a grammar, unless there is one, and train the scorer; say how far it is."""
    del world
    pairs = [(example.source, example.target) for example in examples]
    if parser.grammar is None:
        with bar("inducing") as update:

            def tell(now: Progress) -> None:
                if update is not None:
                    update(now.start - 1, now.starts, progress_text(now))

            parser.fit_grammar(pairs, tell)
    if parser.scorer != "neural":
        with working("training the scorer"):
            parser.fit_scorer(pairs)
        return
    with bar("training the scorer", counts="steps") as update:

        def stepped(now: Step) -> None:
            if update is not None:
                update(now.step, now.steps, f"loss {now.loss:.3f}")

        parser.fit_scorer(pairs, stepped)


def progress_text(now: Progress) -> str:
    """How far an induction is, in a few words."""
    length = f"{now.codelength:,.0f}" if now.codelength < float("inf") else "–"
    return f"start {now.start} of {now.starts}: {now.rules:,} rules, lowest L {length}"


def count_uses(parser: Nqg, examples: Sequence[Example]) -> None:
    """Count how often each rule of a parser is used, which its folder tells."""
    from recombine.models.nqg.induction.uses import with_uses

    with working("counting the uses of rules"):
        pairs = cut_pairs([(example.source, example.target) for example in examples], parser.settings.tokens)
        parser.grammar = with_uses(_grammar(parser), pairs)


def save(parser: Nqg, folder: Path, signature: str) -> None:
    """Write a parser to a folder."""
    from recombine.models.nqg.store import save as write

    if parser.grammar is not None:
        parser.grammar = replace(parser.grammar, signature=signature)
    texts = {"language": parser.valid_language, "target_grammar": parser.valid_grammar}
    write(parser, folder, **texts, signature=signature)


def load(folder: Path, device: str) -> Nqg:
    """The parser in a folder."""
    from recombine.models.nqg.store import load as read

    return read(folder, device=device or "cpu")


# -- what is told of a parser -------------------------------------------------------------------------------------


def valid_targets(parser: Nqg) -> str:
    """Which targets are valid, in a word."""
    return f"grammar@{_short_digest(parser.valid_grammar)}" if parser.valid_grammar else parser.valid_language or "any"


def _signature(parser: Nqg, preset: str, settings: Mapping[str, Any], seed: int) -> dict[str, Any]:
    del preset, seed  # the parser itself says all else
    from recombine.models.nqg.store import OPTIONS

    made: dict[str, Any] = {"model": NAME}
    grammar = _grammar(parser)
    if parser.grammar_file:
        rules = "\n".join(map(str, grammar))
        made["grammar_file"] = f"{parser.grammar_file}@{_short_digest(rules)}"
    else:
        made |= {key: value for key, value in Signature.parse(grammar.signature).fields if key != "version"}
    values: dict[str, Any] = {name: getattr(parser, name) for name in OPTIONS}
    values["features"] = ",".join(parser.features)
    if parser.grammar_file:
        values.pop("members")
    values["scorer"] = values.pop("scorer")  # its place in the signature is the last
    if parser.scorer == "neural":
        encoder = f"{Path(parser.neural.encoder).name}@{settings[ENCODER_DIGEST][:8]}" if parser.neural.encoder else ""
        values["neural"] = replace(parser.neural, encoder=encoder)
    return {**made, **values, "valid": valid_targets(parser), "model_seed": parser.settings.seed}


def _facts(parser: Nqg) -> dict[str, Any]:
    return {
        "rules": len(_grammar(parser)),
        "leftover_rules": None if parser.induced is None else parser.induced.added,
        "valid_targets": valid_targets(parser),
        "interrupted": parser.induced is not None and parser.induced.interrupted,
    }


def _noted(parser: Nqg) -> dict[str, Any]:
    facts = _facts(parser)
    return {name: facts[name] for name in ("rules", "leftover_rules") if facts[name] is not None}


def _describe(value: Mapping[str, Any]) -> str:
    added = f", {value['leftover_rules']:,} of them whole examples" if value["leftover_rules"] else ""
    valid = value["valid_targets"]
    which = "any" if valid == "any" else "those of the grammar" if "@" in valid else f"those that parse as {valid}"
    return f"{value['rules']:,} rules{added}; {value['examples']:,} examples; valid targets: {which}"


def _grammar(parser: Nqg) -> Qcfg:
    if parser.grammar is None:
        raise RecombineError("the parser has not been fitted", "call `fit` first")
    return parser.grammar


def _text_digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _short_digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=4).hexdigest()


def run_task(task: Task) -> list[CellOutcome]:
    """The outcomes of a task's cells."""
    from recombine.models.nqg.run_task import run_cells

    return run_cells(task, FAMILY)


FAMILY = Family(
    name=NAME,
    title="a grammar induced from the examples, with a scorer of its derivations",
    presets=presets,
    options=options,
    complete=settings_of,
    for_language=in_language,
    make=make,
    fit=fit,
    before_saving=count_uses,
    save=save,
    load=load,
    form="recombine-nqg",
    signature=_signature,
    facts=_facts,
    describe=_describe,
    noted=_noted,
    in_folder=in_folder,
    deciding=deciding,
    check_files=check_files,
    run_task=run_task,
    resumes=True,
    abstains=True,
    # 2: only targets that the data's language can parse are valid, unless `targets` says otherwise.
    revision=2,
)
