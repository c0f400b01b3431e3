"""Training NQG for `recombine train`: induce or read a grammar, train the scorer, keep both."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from recombine.cli.shared.console import working
from recombine.cli.shared.induction_options import induction_progress, make_settings
from recombine.cli.shared.trainer import Trainer
from recombine.records.signature import Signature

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from recombine.models.nqg.grammar import Qcfg
    from recombine.models.nqg.model import Nqg
    from recombine.records.dataset import Dataset

_INDUCTION = ("restarts", "sample", "terminal_bits", "search_terminal_bits", "effort")
_SWITCHES = ("no_repeated_targets", "no_balance_parentheses")


@dataclass
class NqgTrainer(Trainer):
    """A parser to fit, and what its targets must be."""

    parser: Nqg
    grammar_file: str = ""
    """The name of the file that the grammar was read from."""
    target_grammar: str = ""
    """The text of the grammar of valid targets."""
    any_target: bool = False

    @classmethod
    def of(cls, options: Mapping[str, Any], steps: int | None, device: str, seed: int) -> NqgTrainer:
        """The trainer of these options; files are read and checked."""
        from recombine.errors import OptionError
        from recombine.files import read_text
        from recombine.models.nqg.grammar import Qcfg
        from recombine.models.nqg.model import Nqg
        from recombine.models.nqg.target_grammar import TargetGrammar

        option = next((name for name in ("preset", *_INDUCTION, *_SWITCHES, "members") if name in options), None)
        if "grammar" in options and option is not None:
            raise OptionError(
                f"--{option.replace('_', '-')} is for an induction, but there is --grammar", "give one of them"
            )
        if "target_grammar" in options and "any_target" in options:
            raise OptionError("both --target-grammar and --any-target are given", "give one of them")
        induction: dict[str, Any] = {name: options.get(name) for name in _INDUCTION}
        switches: dict[str, Any] = {name: bool(options.get(name)) for name in _SWITCHES}
        settings = make_settings(options.get("preset", "default"), **switches, **induction, seed=seed)
        grammar = Qcfg.read(options["grammar"]) if "grammar" in options else None
        valid = read_text(options["target_grammar"]) if "target_grammar" in options else ""
        if valid:
            TargetGrammar.parse(valid, options["target_grammar"])
        changes = {name: options[name] for name in ("members", "prior", "strict") if name in options}
        changes |= _scorer(options, steps, device)
        file = options["grammar"].name if "grammar" in options else ""
        return cls(Nqg(settings, grammar=grammar, **changes), file, valid, "any_target" in options)

    def train(
        self, dataset: Dataset, pairs: list[tuple[str, str]], signature: Signature, folder: Path, *, quiet: bool
    ) -> dict[str, Any]:
        """Induce, train the scorer, count the uses of rules, save."""
        from recombine.models.nqg.induction.uses import with_uses
        from recombine.models.nqg.store import save

        parser = self.parser
        if parser.grammar is None:
            with induction_progress(quiet=quiet) as progress:
                parser.fit(pairs, progress)
        else:
            with working("training the scorer", quiet=quiet):
                parser.fit_scorer(pairs)
        with working("counting the uses of rules", quiet=quiet):
            grammar = with_uses(cast("Qcfg", parser.grammar), pairs)
        language = "" if self.any_target or self.target_grammar or dataset.language is None else dataset.language.name
        made = self._signature(signature, grammar, language)
        parser.grammar = replace(grammar, signature=made)
        save(parser, folder, language=language, target_grammar=self.target_grammar, signature=made)
        return {
            "rules": len(grammar),
            "leftover_rules": None if parser.induced is None else parser.induced.added,
            "valid_targets": Signature.parse(made).get("valid"),
            "interrupted": parser.induced is not None and parser.induced.interrupted,
            "signature": made,
        }

    def describe(self, value: Mapping[str, Any]) -> str:
        """The grammar and the test of targets in a sentence."""
        added = f", {value['leftover_rules']:,} of them whole examples" if value["leftover_rules"] else ""
        valid = value["valid_targets"]
        which = "any" if valid == "any" else "those of the grammar" if "@" in valid else f"those that parse as {valid}"
        return f"{value['rules']:,} rules{added}; {value['examples']:,} examples; valid targets: {which}"

    def _signature(self, signature: Signature, grammar: Qcfg, language: str) -> str:
        from recombine.models.nqg.store import OPTIONS

        parser = self.parser
        valid = f"grammar@{_digest(self.target_grammar)}" if self.target_grammar else language or "any"
        made: dict[str, Any] = {"model": "nqg"}
        if self.grammar_file:
            rules = "\n".join(map(str, grammar))
            made["grammar_file"] = f"{self.grammar_file}@{_digest(rules)}"
        else:
            made |= {key: value for key, value in Signature.parse(grammar.signature).fields if key != "version"}
        options = {name: getattr(parser, name) for name in OPTIONS}
        options["features"] = ",".join(parser.features)
        if self.grammar_file:
            options.pop("members")
        options["scorer"] = options.pop("scorer")  # its place in the signature is the last
        if parser.scorer == "neural":
            options["neural"] = parser.neural
        made |= {**options, "valid": valid, "model_seed": parser.settings.seed}
        return str(signature.with_fields(**made))


def _scorer(options: Mapping[str, Any], steps: int | None, device: str) -> dict[str, Any]:
    """The options of a parser that choose its scorer and set it up."""
    from recombine.errors import OptionError
    from recombine.models.nqg.model import check_torch
    from recombine.models.nqg.scoring.neural_settings import NeuralSettings

    scorer = options.get("scorer", "loglinear")
    if scorer != "neural":
        option = next((name for name in ("neural_preset", "encoder") if name in options), None)
        if option is not None:
            raise OptionError(f"--{option.replace('_', '-')} is for the neural scorer", "give --scorer neural")
        return {"scorer": scorer, **({} if steps is None else {"steps": steps})}
    check_torch()
    changes = {"encoder": options.get("encoder", ""), **({} if steps is None else {"steps": steps})}
    neural = NeuralSettings.of(options.get("neural_preset", "default"), **changes)
    return {"scorer": scorer, "neural": neural, "device": device or "cpu"}


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=4).hexdigest()
