"""The neural scorer: its gradient, its likeness to the log-linear one, what it learns, and its files."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from recombine.errors import InputFileError, OptionError, RecombineError, UnknownNameError
from recombine.models.nqg.forest.chart import ChartParser
from recombine.models.nqg.forest.forest_kernels import inside, link_starts
from recombine.models.nqg.grammar import Qcfg
from recombine.models.nqg.induction.induction_settings import InductionSettings
from recombine.models.nqg.model import Nqg
from recombine.models.nqg.nqg_options import FEATURES
from recombine.models.nqg.rule import tokens
from recombine.models.nqg.scoring import loglinear
from recombine.models.nqg.scoring.neural_settings import PRESETS, NeuralSettings
from recombine.models.nqg.store import load, save

torch = pytest.importorskip("torch")

from recombine.models.nqg.scoring import neural  # noqa: E402
from recombine.models.nqg.scoring.encoders import PretrainedEncoder, Reading, SmallEncoder  # noqa: E402
from recombine.models.nqg.scoring.scorer_training import (  # noqa: E402
    ScorerTraining,
    Step,
    batches,
    make_network,
    rate_at,
)
from recombine.models.nqg.scoring.span_scorer import Anchors, SpanScorer  # noqa: E402

GRAMMAR = Qcfg.parse(
    "a ### A\nb ### B\nNT_1 twice ### NT_1 NT_1\nNT_1 and NT_2 ### NT_1 NT_2\nplease NT_1 ### NT_1\nNT_1 x ### ( NT_1 )"
)
PAIRS = [("a and b twice", "A B B"), ("b and a twice", "B A A"), ("a twice", "A A"), ("a and b", "A B")]
SMALL = NeuralSettings(width=8, heads=2, hidden=8, layers=1, steps=6, rate=1e-2, dropout=0.1)


@pytest.fixture(autouse=True)
def one_thread():  # type: ignore[no-untyped-def]
    """Small matrices are quickest with one thread."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def examples():  # type: ignore[no-untyped-def]
    parser = ChartParser(GRAMMAR)
    pairs = [(tokens(source), tokens(target)) for source, target in PAIRS]
    return [source for source, _ in pairs], [(parser.parse(s).packed, parser.parse(s, t).packed) for s, t in pairs]  # type: ignore[union-attr]


def made_training(
    network: SpanScorer,
    settings: NeuralSettings,
    terms: loglinear.LogLinear | None = None,
    *,
    weights: list[float] | None = None,
    prior: float = 1.0,
    centre: list[float] | None = None,
) -> tuple[ScorerTraining, neural.Prepared]:
    prepared = neural.prepare(
        GRAMMAR.rules,
        *examples(),
        settings,
        terms=terms or loglinear.train(GRAMMAR.rules, []),
        weights=weights,
        prior=prior,
        centre=centre,
    )
    return ScorerTraining(network, prepared.material, settings), prepared


def training(settings: NeuralSettings, **given: Any) -> tuple[ScorerTraining, neural.Prepared]:
    """Training before its first step, with a network in 64 bits whose scores are not all 0."""
    torch.manual_seed(1)
    network = make_network(settings, len(GRAMMAR), ["a", "and", "b", "twice"]).double().eval()
    for part in network.parameters():
        torch.nn.init.normal_(part, std=0.5)
    return made_training(network, settings, **given)


def test_the_gradient_is_the_slope_of_the_likelihood() -> None:
    made, _ = training(SMALL, weights=[1, 2, 3, 4], prior=0.7, centre=np.arange(6.0).tolist())
    with torch.no_grad():
        made.rules.normal_(generator=torch.manual_seed(2))
        made.features[1:].normal_()
    chosen = (0, 1, 3)
    (made.likelihood(chosen) - made.penalty()).backward()
    parts = [*made.network.parameters(), made.rules, made.features]
    moved = 0
    for number, part in enumerate(parts):
        assert part.grad is not None
        flat = part.detach().view(-1)
        for at in {1 % flat.numel(), number % flat.numel(), int(part.grad.view(-1).abs().argmax())}:
            found = []
            for change in (1e-5, -1e-5):
                flat[at] += change
                found.append((made.likelihood(chosen) - made.penalty()).item())
                flat[at] -= change
            slope = (found[0] - found[1]) / 2e-5
            if part is made.features and at == 0:
                slope = 0.0  # stands for no feature
            assert float(part.grad.view(-1)[at]) == pytest.approx(slope, abs=1e-7, rel=1e-4)
            moved += abs(slope) > 1e-4
    assert moved > len(parts)


@pytest.mark.parametrize("features", [("pairs",), ("borders", "pairs"), FEATURES])
def test_without_span_scores_it_is_the_log_linear_scorer(features: tuple[str, ...]) -> None:
    sources, forests = examples()
    centre = [0.0, -1.0, 0.0, 0.5, 0.0, 0.0]
    terms = loglinear.train(GRAMMAR.rules, forests, weights=[1, 2, 1, 3], features=features, prior=0.4, centre=centre)
    settings = replace(SMALL, features=features)
    network = make_network(settings, len(GRAMMAR), ["a", "b"]).eval()  # its scores are 0
    made, prepared = made_training(network, settings, terms, weights=[1, 2, 1, 3], prior=0.4, centre=centre)
    every, own = (
        [float(inside(forest, terms.scores(forest, ()))[2][0]) for forest in side]
        for side in zip(*forests, strict=True)
    )
    slow = np.dot([1, 2, 1, 3], np.subtract(own, every)) / 7
    assert made.likelihood((0, 1, 2, 3)).item() == pytest.approx(slow, rel=1e-9)
    # The weights are the best there are, so the slope of the whole is 0 there.
    (made.likelihood((0, 1, 2, 3)) - made.penalty()).backward()
    assert made.rules.grad is not None
    assert made.features.grad is not None
    assert max(float(made.rules.grad.abs().max()), float(made.features.grad.abs().max())) < 1e-3
    assert prepared.terms(made).keys.tolist() == terms.keys.tolist()
    scorer = neural.Neural(settings, network, prepared.terms(made))
    for source, (forest, _) in zip(sources, forests, strict=True):
        for mine, other in zip(scorer.scores(forest, source), terms.scores(forest, source), strict=True):
            assert mine == pytest.approx(other)


def test_a_score_is_that_of_the_paper() -> None:
    # phi(r, i, j, x) = f_s([w_i, w_j]) + e_r . f_r([w_i, w_j]), computed here one anchored rule at a time.
    settings = replace(SMALL, features=())
    made, prepared = training(settings)
    network, source = made.network, ("a", "and", "b", "twice")
    forest = ChartParser(GRAMMAR).parse(source).packed  # type: ignore[union-attr]
    found = neural.Neural(settings, network, prepared.terms(made)).scores(forest, source)
    with torch.no_grad():
        vectors = network.encoder([network.encoder.read(source)])[0][1:-1]  # the ends of the source left out
        both = torch.cat([network.left.weight, network.right.weight], dim=1)
        for group in range(forest.node_at.size - 1):
            start, end = forest.span[group, :2]
            pair = torch.cat([vectors[start], vectors[end - 1]])
            hidden = torch.relu(both @ pair + network.left.bias)
            for node in range(forest.node_at[group], forest.node_at[group + 1]):
                rule = network.embedding.weight[int(forest.rule[node])]
                phi = network.span(hidden[:8])[0] + rule @ network.rule(hidden[8:])
                assert found.node[node] == pytest.approx(float(phi))
    assert np.ptp(found.node) > 0.1
    assert not found.edge.any()
    assert not found.link.any()
    assert found.link_at.tolist() == link_starts(forest).tolist()


# What `it` means is told by a word outside of the phrase, which no rule and no pair of rules sees: the first word of a
# source is `now` or `then`, and the target of the phrase in the middle must follow it.
AMBIGUOUS = Qcfg.parse(
    "it ### X\nit ### Y\nsay NT_1 ### NT_1 .\nso NT_1 ### NT_1 !\nnow NT_1 ### NT_1\nthen NT_1 ### NT_1"
)
TALK = [
    (f"{when} {' '.join(way)} it", f"{thing} {' '.join({'say': '.', 'so': '!'}[word] for word in reversed(way))}")
    for when, thing in (("now", "X"), ("then", "Y"))
    for way in (("say",), ("so",), ("say", "so"), ("so", "say"), ("so", "so"))
]


@pytest.mark.parametrize("kind", ["loglinear", "neural"])
def test_context_tells_what_rules_cannot(kind: str) -> None:
    settings = NeuralSettings(width=16, heads=2, hidden=16, layers=1, steps=60, rate=2e-2, dropout=0.0, features=())
    parser = Nqg(grammar=AMBIGUOUS, scorer=kind, neural=settings, features=("pairs",)).fit_scorer(TALK)
    right = [parser.predict([source]) == [target] for source, target in TALK]
    assert sum(right) == (5 if kind == "loglinear" else 10)
    if kind == "neural":
        assert parser.predict(["now say say it", "then say say it"]) == ["X . .", "Y . ."]


def test_training_starts_from_the_log_linear_scorer_and_improves_it() -> None:
    losses: list[Step] = []
    settings = replace(SMALL, dropout=0.0, word_dropout=0.0, steps=20)
    parser = Nqg(grammar=GRAMMAR, scorer="neural", neural=settings).fit_scorer(PAIRS, losses.append)
    assert [(step.step, step.steps) for step in losses] == [(k, 20) for k in range(1, 21)]
    cold = Nqg(grammar=GRAMMAR, scorer="neural", neural=replace(settings, warm_start=False))
    first: list[Step] = []
    cold.fit_scorer(PAIRS, first.append)
    assert losses[0].loss < first[0].loss == pytest.approx(np.log(2) / 2)  # two of four examples have two derivations
    assert losses[-1].loss < losses[0].loss
    assert parser.predict(["b and b and a twice"]) == ["B B A A"]


def test_small_batches_see_every_example() -> None:
    generator = np.random.default_rng(0)
    found = list(batches(5, replace(SMALL, batch=2, steps=10), generator))
    assert len(found) == 10
    assert all(1 <= len(chosen) <= 2 for chosen in found)
    assert {k for chosen in found[:3] for k in chosen} == set(range(5))
    assert list(batches(2, replace(SMALL, batch=2, steps=3), generator)) == [(0, 1)] * 3
    rates = [rate_at(step, replace(SMALL, steps=100, rate=1.0)) for step in range(1, 101)]
    assert max(rates) == rates[9] == 1.0
    assert min(rates) == rates[-1] > 0


def test_the_same_seed_gives_the_same_weights_and_leaves_torch_alone() -> None:
    sources, forests = examples()

    def weights(seed: int) -> dict[str, object]:
        settings = replace(SMALL, batch=3)
        made = neural.fit(neural.prepare(GRAMMAR.rules, sources, forests, settings), settings, seed=seed)
        return {name: part.tolist() for name, part in made.network.state_dict().items()}

    torch.manual_seed(5)
    after = torch.rand(1)
    torch.manual_seed(5)
    one = weights(3)
    assert torch.equal(torch.rand(1), after)
    assert one == weights(3) != weights(4)


def test_unknown_words_have_a_meaning_that_is_trained() -> None:
    encoder = SmallEncoder(replace(SMALL, word_dropout=0.5), ["a", "b"])
    assert encoder.read(["b", "c", "a"]).pieces == [1, 5, 3, 4, 2]
    encoder.train()
    encoder([encoder.read(["a"] * 50)]).sum().backward()
    assert encoder.embedding.weight.grad is not None
    assert encoder.embedding.weight.grad[3].abs().sum() > 0


def test_a_batch_is_its_sources_one_by_one() -> None:
    made, _ = training(replace(SMALL, features=()))
    every = made.network(made.readings, made.anchors)
    single = [made.network([r], [a]) for r, a in zip(made.readings, made.anchors, strict=True)]
    assert torch.allclose(every, torch.cat(single))


def test_anchors_are_distinct_and_lead_back_to_the_nodes() -> None:
    forest = examples()[1][0][0]
    anchors = Anchors.of(forest, len(GRAMMAR))
    assert anchors.rule[anchors.node].tolist() == forest.rule.tolist()
    group = np.repeat(np.arange(forest.node_at.size - 1), np.diff(forest.node_at))
    assert anchors.spans[anchors.span[anchors.node]].tolist() == forest.span[group, :2].tolist()
    assert len({*zip(anchors.span.tolist(), anchors.rule.tolist(), strict=True)}) == anchors.rule.size


def test_no_examples_give_no_scores() -> None:
    forest = ChartParser(GRAMMAR).parse(["a"]).packed  # type: ignore[union-attr]
    made = neural.fit(neural.prepare(GRAMMAR.rules, [], [], SMALL), SMALL)
    assert made.scores(forest, ["a"]).node.tolist() == [0.0]


def fitted(seed: int = 0, **options) -> Nqg:  # type: ignore[no-untyped-def]
    return Nqg(
        InductionSettings(seed=seed), grammar=GRAMMAR, scorer="neural", neural=replace(SMALL, **options)
    ).fit_scorer(PAIRS)


def same_scores(one: Nqg, other: Nqg, source: str = "please a and b twice") -> bool:
    forest = ChartParser(GRAMMAR).parse(tokens(source)).packed  # type: ignore[union-attr]
    both = [made.fitted_scorer.scores(forest, tokens(source)) for made in (one, other)]  # type: ignore[union-attr]
    return all(np.array_equal(mine, theirs) for mine, theirs in zip(*both, strict=True))


def test_a_saved_scorer_scores_the_same(tmp_path: Path) -> None:
    parser = fitted()
    for folder in ("one", "two"):
        save(parser, tmp_path / folder)
    loaded = load(tmp_path / "one")
    assert same_scores(parser, loaded)
    assert (loaded.scorer, loaded.neural) == ("neural", parser.neural)
    assert not same_scores(parser, fitted(seed=1))
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == [
        "grammar.txt",
        "model.json",
        "weights.safetensors",
    ]


def test_weights_of_another_scorer_are_refused(tmp_path: Path) -> None:
    save(fitted(), tmp_path / "m")
    record = json.loads((tmp_path / "m" / "model.json").read_text())
    record["words"].append("more")
    (tmp_path / "m" / "model.json").write_text(json.dumps(record))
    with pytest.raises(InputFileError, match=r"weights.safetensors: does not fit the scorer"):
        load(tmp_path / "m")


@pytest.fixture(scope="module")
def tiny_bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of random weights, whose pieces of `twice` are two."""
    transformers = pytest.importorskip("transformers")
    tokenizers = pytest.importorskip("tokenizers")
    folder = tmp_path_factory.mktemp("bert")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b", "and", "tw", "##ice"]
    pieces = {word: number for number, word in enumerate(words)}
    split = tokenizers.Tokenizer(tokenizers.models.WordPiece(pieces, unk_token=words[1]))
    split.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    split.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = {name: f"[{name[:3].upper()}]" for name in ("pad_token", "unk_token", "cls_token", "sep_token")}
    transformers.PreTrainedTokenizerFast(tokenizer_object=split, **names).save_pretrained(folder)
    config = transformers.BertConfig(
        vocab_size=len(words),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=16,
    )
    with torch.random.fork_rng():
        torch.manual_seed(0)
        transformers.BertModel(config).save_pretrained(folder)
    return folder


def test_a_pretrained_encoder_is_trained_along(tiny_bert: Path, tmp_path: Path) -> None:
    parser = fitted(encoder=str(tiny_bert))
    first = PretrainedEncoder.load(tiny_bert).state_dict()
    network: SpanScorer = parser.fitted_scorer.network  # type: ignore[union-attr]
    now = network.encoder.state_dict()
    assert first.keys() == now.keys()
    assert not torch.equal(
        first["model.embeddings.word_embeddings.weight"], now["model.embeddings.word_embeddings.weight"]
    )
    save(parser, tmp_path / "m")
    assert same_scores(parser, load(tmp_path / "m"))
    assert same_scores(parser, fitted(encoder=str(tiny_bert)))
    assert parser.predict(["b and b and a twice"]) == ["B B A A"]


def test_the_first_and_last_pieces_of_words_are_found(tiny_bert: Path, tmp_path: Path) -> None:
    encoder = PretrainedEncoder.load(tiny_bert)
    assert encoder.read(["a", "twice", "b"]) == Reading([2, 5, 8, 9, 6, 3], [1, 2, 4], [1, 3, 4])
    assert encoder.read(["\u00a0", "a"]) == Reading([2, 1, 5, 3], [1, 2], [1, 2])  # no piece: an unknown word
    (tmp_path / "two").mkdir()
    for path in tiny_bert.iterdir():
        (tmp_path / "two" / path.name).write_bytes(path.read_bytes())
    (tmp_path / "two" / "config.json").write_text('{"model_type": "t5", "is_encoder_decoder": true}')
    with pytest.raises(InputFileError, match="two: holds an encoder and a decoder"):
        PretrainedEncoder.load(tmp_path / "two")
    with pytest.raises(RecombineError, match="a source of 20 tokens is 22 pieces long, and the encoder reads 16"):
        encoder.read(["a"] * 20)


def test_what_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputFileError, match="nowhere: no such directory") as told:
        fitted(encoder=str(tmp_path / "nowhere"))
    assert "\n" not in str(told.value)
    with pytest.raises(InputFileError, match=r"has no config.json"):
        fitted(encoder=str(tmp_path))
    with pytest.raises(OptionError, match="the device 'gpu' cannot be used"):
        Nqg(grammar=GRAMMAR, scorer="neural", neural=SMALL, device="gpu").fit_scorer(PAIRS)
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "torch" else real(name))
    with pytest.raises(RecombineError, match=r"needs torch, which is not installed; pip install 'recombine\[neural\]'"):
        fitted()


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"features": ("pears",)}, UnknownNameError),
        ({"layers": 0}, OptionError),
        ({"dropout": 1.0}, OptionError),
        ({"rate": 0.0}, OptionError),
        ({"decay": -1.0}, OptionError),
        ({"heads": 3}, OptionError),
        ({"hiden": 3}, UnknownNameError),
    ],
)
def test_impossible_settings_are_refused(options: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        NeuralSettings.of("default", **options)


def test_settings_are_told_and_read_back() -> None:
    for name, preset in PRESETS.items():
        assert str(preset) == name
        assert NeuralSettings.of(name) == preset
    assert str(NeuralSettings.of("nqg:paper", rate=2e-4, features=["pairs"])) == "nqg:paper,features=pairs,rate=0.0002"
    with pytest.raises(UnknownNameError, match="unknown preset"):
        NeuralSettings.of("nqg:papper")
    with pytest.raises(UnknownNameError, match="unknown kind of scorer"):
        Nqg(scorer="neurl")
