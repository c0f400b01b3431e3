"""NQG as a parser: induce a grammar, train a scorer of its derivations, decode.

Starts of a search end in different grammars, each with gaps of its own, so the parser joins those of the `members`
starts of lowest codelength and leaves it to the scorer to choose among their derivations.
"""

from __future__ import annotations

import importlib.util
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

from recombine.errors import OptionError, RecombineError, UnknownNameError
from recombine.files import make_folder
from recombine.models.nqg.decoding import Decoded, Decoder, Scorer
from recombine.models.nqg.forest.chart import ChartParser
from recombine.models.nqg.induction.induce import Induced, distinct_pairs, induce
from recombine.models.nqg.induction.induction_settings import InductionSettings
from recombine.models.nqg.nqg_options import FEATURES, SCORERS, NqgOptions
from recombine.models.nqg.rule import tokens
from recombine.models.nqg.scoring import loglinear
from recombine.models.nqg.scoring.neural_settings import NeuralSettings
from recombine.models.nqg.sql_tokens import cut_pairs
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from recombine.models.nqg.forest.forest_kernels import Packed
    from recombine.models.nqg.grammar import Qcfg
    from recombine.models.nqg.induction.induce import Progress
    from recombine.models.nqg.scoring.loglinear import LogLinear
    from recombine.models.nqg.scoring.neural import Prepared
    from recombine.models.nqg.scoring.scorer_training import Kept, Step


SCORER = "scorer.safetensors"
"""The name of the checkpoint of a neural scorer's training."""


class _Examples(NamedTuple):
    """What a scorer learns from."""

    sources: list[tuple[str, ...]]
    forests: list[tuple[Packed, Packed]]
    weights: list[float]


@dataclass
class Nqg(NqgOptions):
    """A parser made of a grammar and a scorer; before `fit` it has neither.

    >>> pairs = [("jump", "J"), ("walk", "W"), ("look", "L"), ("jump twice", "J J"), ("walk twice", "W W")]
    >>> Nqg().fit(pairs).predict(["look twice", "hop"])
    ['L L', None]
    """

    settings: InductionSettings = field(default_factory=InductionSettings)
    features: Sequence[str] = FEATURES
    """What the log-linear scorer looks at; the neural one has features of its own."""
    neural: NeuralSettings = field(default_factory=NeuralSettings)
    """The neural scorer and its training."""
    device: str = "cpu"
    """Where the neural scorer is trained."""
    valid: Callable[[str], bool] | None = None
    """The test of targets; without one all are valid."""
    valid_language: str = ""
    """The language that the test of targets is of; kept with the parser."""
    valid_grammar: str = ""
    """The text of the grammar of targets that the test is of; kept with the parser."""
    grammar_file: str = ""
    """The name of the file that the grammar was read from, where it was."""
    grammar: Qcfg | None = None
    fitted_scorer: Scorer | None = None
    induced: Induced | None = None
    work: Path | None = None
    """The checkpoint from which the training of a neural scorer goes on after a kill, or a folder for it."""
    pause: float = 20.0
    """Seconds between checkpoints."""
    stepped: Callable[[int], None] | None = None
    """Called after each step of a training that keeps a checkpoint, with its number."""

    def __post_init__(self) -> None:
        unknown = next((name for name in self.features if name not in FEATURES), None)
        if unknown is not None:
            raise UnknownNameError("feature", unknown, FEATURES)
        if self.scorer not in SCORERS:
            raise UnknownNameError("kind of scorer", self.scorer, SCORERS)
        for name in ("members", "steps", "shortest", "limit"):
            if getattr(self, name) < 1:
                raise OptionError(f"{name} is {getattr(self, name)}", "give 1 or more")
        if not self.reluctance >= 0:
            raise OptionError(f"the reluctance is {self.reluctance}", "give 0 or more")
        if not self.prior > 0:
            raise OptionError(f"the prior is {self.prior}", "give a number above 0")

    def fit(self, pairs: Iterable[tuple[str, str]], progress: Callable[[Progress], None] | None = None) -> Self:
        """Induce the grammar and train the scorer."""
        pairs = cut_pairs(pairs, self.settings.tokens)
        return self.fit_grammar(pairs, progress).fit_scorer(pairs)

    def fit_grammar(self, pairs: Iterable[tuple[str, str]], progress: Callable[[Progress], None] | None = None) -> Self:
        """Induce the grammar."""
        self.induced = induce(pairs, self.settings, progress)
        self.grammar = self.induced.joined(self.members)
        return self

    def fit_scorer(self, pairs: Iterable[tuple[str, str]], progress: Callable[[Step], None] | None = None) -> Self:
        """Train the scorer for the grammar at hand; pairs that it does not derive are left out.

        `progress` is called after each step of the neural scorer's training.
        """
        if self.scorer == "neural":
            check_torch()
        self.fitted_scorer = (
            self._fit_neural(pairs, progress)
            if self.scorer == "neural"
            else self._fit_loglinear(self._examples(pairs), self.features)
        )
        return self

    def _examples(self, pairs: Iterable[tuple[str, str]]) -> _Examples:
        parser = self.chart()
        examples = _Examples([], [], [])
        for (source, target), number in self._sample(cut_pairs(pairs, self.settings.tokens)):
            words = tokens(source)
            every, own = parser.parse(words), parser.parse(words, tokens(target))
            if every is not None and own is not None:
                examples.sources.append(words)
                examples.forests.append((every.packed, own.packed))
                examples.weights.append(number)
        return examples

    def _fit_loglinear(self, examples: _Examples, features: Sequence[str]) -> LogLinear:
        return loglinear.train(
            self._grammar().rules,
            examples.forests,
            weights=examples.weights,
            features=features,
            prior=self.prior,
            steps=self.steps,
            centre=self._centre(),
        )

    def _fit_neural(self, pairs: Iterable[tuple[str, str]], progress: Callable[[Step], None] | None) -> Scorer:
        from recombine.models.nqg.scoring.neural import fit

        return fit(
            self.prepare(pairs, self.device),
            self.neural,
            seed=self.settings.seed,
            device=self.device,
            progress=progress,
            kept=self._kept(),
        )

    def prepare(self, pairs: Iterable[tuple[str, str]], device: str = "cpu") -> Prepared:
        """What the neural scorer learns from, for the grammar at hand."""
        from recombine.models.nqg.scoring import neural

        settings, examples = self.neural, self._examples(pairs)
        warm = settings.warm_start and settings.features
        return neural.prepare(
            self._grammar().rules,
            examples.sources,
            examples.forests,
            settings,
            terms=self._fit_loglinear(examples, settings.features) if warm else None,
            weights=examples.weights,
            prior=self.prior,
            centre=self._centre(),
            device=device,
        )

    def _kept(self) -> Kept | None:
        """Where the neural scorer's training is kept, where it is."""
        from recombine.models.nqg.scoring.scorer_training import Kept

        if self.work is None:
            return None
        file = self.work if self.work.suffix == Path(SCORER).suffix else make_folder(self.work) / SCORER
        return Kept(file, self.pause, self.stepped or (lambda step: None))  # noqa: ARG005

    def _centre(self) -> list[float]:
        """Where the prior of each rule's weight is centred."""
        rules = self._grammar().rules
        best = set(rules if self.induced is None else self.induced.grammar.rules)
        return [0.0 if rule in best else -self.reluctance for rule in rules]

    def _sample(self, pairs: list[tuple[str, str]]) -> list[tuple[tuple[str, str], int]]:
        """The distinct pairs to learn from, with how often each occurs: the shortest, and others at random."""
        counts = Counter((" ".join(tokens(source)), " ".join(tokens(target))) for source, target in pairs)
        ordered = sorted(distinct_pairs(pairs), key=lambda pair: pair[0].count(" "))
        rest = ordered[self.shortest :]
        drawn = make_generator(self.settings.seed).permutation(len(rest))[: self.shortest]
        chosen = ordered[: self.shortest] + [rest[k] for k in sorted(drawn.tolist())]
        return [(pair, counts[pair]) for pair in chosen]

    def predict(self, sources: Sequence[str]) -> list[str | None]:
        """The target of each source, `None` where there is no derivation with a valid target."""
        return [decoded.target for decoded in self.decode(sources)]

    def decode(self, sources: Sequence[str]) -> list[Decoded]:
        """What decoding found for each source: target, derivation, and how many derivations were tried."""
        decoder = self.decoder()
        by_source = {source: decoder.decode(source) for source in dict.fromkeys(sources)}
        return [by_source[source] for source in sources]

    def decoder(self) -> Decoder:
        """The decoder of the fitted parser."""
        if self.fitted_scorer is None:
            raise RecombineError("the parser has not been fitted", "call `fit` first")
        return Decoder(self.chart(), self.fitted_scorer, self.valid, self.strict, self.limit, self.settings.tokens)

    def chart(self) -> ChartParser:
        """What finds the derivations of the grammar at hand."""
        return ChartParser(self._grammar())

    def _grammar(self) -> Qcfg:
        if self.grammar is None:
            raise RecombineError("the parser has no grammar", "call `fit` first, or give it one")
        return self.grammar


def check_torch() -> None:
    """Refuse the neural scorer where torch is not installed."""
    if importlib.util.find_spec("torch") is None:
        raise RecombineError("the neural scorer needs torch, which is not installed", "pip install 'recombine[neural]'")
