"""Settings of models on the command line, the hybrid as a model, and worlds that parsers remember."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.cli.main import run
from recombine.errors import InputWarning, OptionError, UnknownNameError
from recombine.models.family import Family
from recombine.models.known import find_model, register_model
from recombine.models.load_parser import load_parser
from recombine.models.nqg.induction.induction_settings import InductionSettings
from recombine.models.nqg.model import Nqg
from recombine.options import Option
from recombine.workbench.given.short_forms import OF_INDUCTION, SHORT_FORMS, SWITCHED

DATA = ("data.jsonl", "split.json")


def call(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> tuple[str, str]:
    with pytest.raises(SystemExit) as ended:
        run(list(arguments))
    printed = capsys.readouterr()
    assert ended.value.code == code, printed.err
    return printed.out, printed.err


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    out, err = call(capsys, *arguments, "--json", "--quiet")
    assert err == ""
    value = orjson.loads(out)
    assert isinstance(value, dict)
    return value


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    out, err = call(capsys, *arguments, "--quiet", code=2)
    assert out == ""
    assert err.count("\n") == 1
    return err


# -- settings -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("short", "settings"),
    [
        (("--restarts", "1", "--members", "1"), ("restarts=1", "members=1")),
        (("--preset", "nqg:scan"), None),
        (("--no-repeated-targets",), ("repeated_targets=no",)),
        (("--any-target", "--language", "actions"), ("targets=any",)),
        (("--steps", "3", "--prior", "0.5", "--strict"), ("steps=3", "prior=0.5", "strict=true")),
    ],
)
def test_short_forms_are_settings(
    toy: Path, capsys: pytest.CaptureFixture[str], short: tuple[str, ...], settings: tuple[str, ...] | None
) -> None:
    one = as_json(capsys, "train", *DATA, *short, "-o", "one")
    other: tuple[str, ...] = ("--model", "nqg:scan")
    if settings is not None:
        other = tuple(part for setting in settings for part in ("--set", setting))
        other += ("--language", "actions") if "--language" in short else ()
    two = as_json(capsys, "train", *DATA, *other, "-o", "two")
    assert one["signature"] == two["signature"]
    for path in sorted((toy / "one").iterdir()):
        assert path.read_bytes() == (toy / "two" / path.name).read_bytes(), path.name


def test_settings_of_other_models(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch")
    small = ("--set", "width=8", "--set", "heads=2", "--set", "filter_width=8", "--set", "layers=1")
    value = as_json(capsys, "train", *DATA, "--model", "cfq:transformer", "--steps", "1", *small, "-o", "parser")
    assert load_parser("parser", device="cpu").settings.width == 8
    signature = recombine.Signature.parse(value["signature"])
    assert signature.get("settings") == "width=8,layers=1,heads=2,filter_width=8"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--set", "restart=2"), "unknown setting 'restart'; did you mean 'restarts'"),
        (("--set", "restarts=two"), "restarts is 'two'; give a whole number, such as 2"),
        (("--set", "restarts"), "the setting 'restarts' has no value; write KEY=VALUE"),
        (("--set", "restarts=0"), "restarts is 0; give 1 or more"),
        (("--set", "restarts=2", "--set", "restarts=3"), "restarts is set twice; set it once"),
        (("--set", "restarts=2", "--restarts", "3"), "restarts is given twice, as 2 and 3"),
        (("--set", "targets=some"), "unknown targets 'some'"),
        (("--set", "neural_width=2"), "neural_width is for the neural scorer"),
        (("--model", "nqg:scan", "--preset", "nqg:spider"), "the model nqg:scan and the preset nqg:spider"),
        (("--model", "hybrid"), "the model hybrid needs first; give it: --set first=FOLDER"),
        (("--model", "hybrid", "--steps", "2"), "the model hybrid has no option --steps"),
        (("--model", "hybrid", "--restarts", "2"), "the model hybrid has no option --restarts; it is for --model nqg"),
        (("--model", "hybrid", "--set", "first=none", "--set", "fallback=none"), "none: no such folder"),
        (("--model", "pretrained"), "the preset pretrained needs a checkpoint"),
        (("--model", "pretrained:none"), "none: no such directory"),
    ],
)
def test_settings_that_are_refused(
    toy: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str
) -> None:
    assert told in refused(capsys, "train", *DATA, *arguments, "-o", "parser")
    assert not (toy / "parser").exists()


def declared_settings() -> dict[str, Option]:
    family, preset = find_model("nqg")
    return {option.name: option for option in family.options_of(preset)}


def help_of(verb: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """What a verb's help says, in one line."""
    monkeypatch.setenv("COLUMNS", "100")
    return " ".join(call(capsys, verb, "--help")[0].split())


@pytest.mark.parametrize(("verb", "forms"), [("train", SHORT_FORMS), ("induce", OF_INDUCTION)])
def test_flags_say_what_the_declarations_say(
    verb: str, forms: dict[str, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The options that are short forms of settings: their types, defaults and help."""
    settings = declared_settings()
    shown = help_of(verb, capsys, monkeypatch)
    options = {option.name: option for option in getattr(recombine, verb).declared()}
    assert set(options) == {*forms, "preset"} | ({"steps"} if verb == "train" else set())
    for name, setting in forms.items():
        declared, option = settings[setting], options[name]
        if name in SWITCHED:
            assert (option.type, option.default) == (bool, False)
        else:
            assert (option.type, option.default) == (declared.type, declared.default), name
        assert declared.help.rstrip(".")[1:] in option.help
        assert f"{option.flag} " in shown
        assert option.help in shown


@pytest.mark.parametrize("verb", ["train", "induce"])
def test_flags_follow_the_declarations(
    verb: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = {"help": "How often to begin anew.", "choices": (), "metavar": "TIMES"}
    monkeypatch.setattr(InductionSettings.__dataclass_fields__["restarts"], "metadata", told)
    shown = help_of(verb, capsys, monkeypatch)
    assert "--restarts TIMES" in shown
    assert "ow often to begin anew; default 2." in shown


def test_steps_are_of_every_family_that_has_them() -> None:
    (steps,) = (option for option in recombine.train.declared() if option.name == "steps")  # type: ignore[attr-defined]
    assert (steps.type, steps.default) == (int, None)
    assert "nqg: the most steps of the log-linear scorer's training" in steps.help
    assert "seq2seq: steps of training" in steps.help
    register_model(Family(name="walker", make=print, options=(Option("steps", int, 1, "Steps that it walks."),)))
    (steps,) = (option for option in recombine.train.declared() if option.name == "steps")  # type: ignore[attr-defined]
    assert steps.help.endswith("; walker: steps that it walks.")


def test_help_is_light() -> None:
    code = "import sys; from recombine.workbench.train import declared; from recombine.workbench import induce; "
    code += "declared(); induce.declared(); "
    code += "heavy = {'torch', 'numba', 'scipy', 'transformers'} & {*sys.modules}; assert not heavy, heavy"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("verb", ["train", "induce"])
def test_keywords_that_are_refused(verb: str) -> None:
    function = getattr(recombine, verb)
    with pytest.raises(UnknownNameError, match="unknown option 'restart'; did you mean 'restarts'"):
        function([("a", "b")], restart=2)
    with pytest.raises(OptionError, match="the setting restarts is 'two'; give a whole number, such as 2"):
        function([("a", "b")], restarts="two")
    with pytest.raises(OptionError, match="the setting no_repeated_targets is 'no'; give true or false"):
        function([("a", "b")], no_repeated_targets="no")


def test_keywords_that_are_not_given() -> None:
    pairs = [("jump", "J"), ("walk", "W"), ("jump twice", "J J"), ("walk twice", "W W")]
    plain = recombine.induce(pairs).settings
    assert recombine.induce(pairs, restarts=None, no_repeated_targets=False).settings == plain
    changed = recombine.induce(pairs, preset="nqg:scan", restarts=3, no_repeated_targets=True).settings
    assert changed == InductionSettings.of("nqg:scan", restarts=3, repeated_targets=False)


# -- pretrained ---------------------------------------------------------------------------------------------------


def test_pretrained_is_trained_kept_and_predicts(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    from recombine.models.pretrained.local_checkpoint import quiet

    alphabet = ["</s>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    made = Tokenizer(models.BPE({token: number for number, token in enumerate(alphabet)}, []))
    made.pre_tokenizer, made.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=made, eos_token=alphabet[0])
    config = transformers.GPT2Config(
        vocab_size=len(alphabet), n_positions=64, n_embd=16, n_layer=1, n_head=2, bos_token_id=0, eos_token_id=0
    )
    transformers.set_seed(0)
    with quiet():
        transformers.GPT2LMHeadModel(config).save_pretrained(toy / "gpt2")
        tokenizer.save_pretrained(toy / "gpt2")
    small = ("--set", "max_target=6", "--set", "rate=0.01", "--steps", "80", "--device", "cpu")
    value = as_json(capsys, "train", *DATA, "--model", "pretrained:gpt2", *small, "-o", "parser")
    assert (value["model"], value["steps"], value["examples"]) == ("pretrained:gpt2", 80, 26)
    signature = recombine.Signature.parse(value["signature"])
    assert signature.get("model") == "pretrained"
    assert signature.get("checkpoint").startswith("gpt2@")
    assert signature.get("settings") == "steps=80,epochs=0,rate=0.01,max_target=6"
    first = as_json(capsys, "predict", "parser", *DATA, "--device", "cpu", "-o", "one.jsonl")
    assert (first["n"], first["coverage"]) == (3, 1.0), first
    # Again, into the same folder, as the preset with its checkpoint: the same predictions.
    again = ("--model", "pretrained", "--set", "checkpoint=gpt2", *small)
    as_json(capsys, "train", *DATA, *again, "-o", "parser")
    as_json(capsys, "predict", "parser", *DATA, "--device", "cpu", "-o", "two.jsonl")
    assert (toy / "one.jsonl").read_bytes() == (toy / "two.jsonl").read_bytes()
    weights = toy / "parser" / "checkpoint" / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"?")
    assert "is not the file that model.json was written with" in refused(capsys, "predict", "parser", *DATA)


# -- the hybrid ---------------------------------------------------------------------------------------------------


@pytest.fixture
def parsers(toy: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Two parsers, of which the second knows `hop`, and predictions by id."""
    as_json(capsys, "train", *DATA, "-o", "parser")
    (toy / "grammar.txt").write_text("hop ### H\nNT_1 twice ### NT_1 NT_1\n")
    as_json(capsys, "train", *DATA, "--grammar", "grammar.txt", "-o", "other")
    (toy / "other.jsonl").write_text('{"id": "28", "prediction": "H H"}\n')
    return toy


def hybrid(fallback: str, folder: str = "both", first: str = "parser", *more: str) -> tuple[str, ...]:
    return (
        *("train", *DATA, "--model", "hybrid", "--set", f"first={first}", "--set", f"fallback={fallback}"),
        *(*more, "-o", folder),
    )


def test_two_parsers_are_a_model(parsers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    value = as_json(capsys, *hybrid("other"))
    assert (value["model"], value["first"], value["fallback"]) == ("hybrid", "parser", "other")
    signature = recombine.Signature.parse(value["signature"])
    assert signature.get("first").startswith("parser@")
    assert signature.get("fallback").startswith("other@")
    alone = as_json(capsys, "predict", "parser", *DATA, "--fallback", "other", "-o", "one.jsonl")
    both = as_json(capsys, "predict", "both", *DATA, "-o", "two.jsonl")
    assert (both["exact_match"], both["coverage"]) == (1.0, 1.0) == (alone["exact_match"], alone["coverage"])
    assert (parsers / "one.jsonl").read_bytes() == (parsers / "two.jsonl").read_bytes()
    # Its own name is also what the outputs of both are called where there is a fallback.
    shutil.copytree("both", "hybrid")
    again = as_json(capsys, "predict", "hybrid", *DATA, "--fallback", "other")
    assert again["parser"]["exact_match"] == again["hybrid"]["exact_match"] == 1.0
    assert again["fallback"]["coverage"] == pytest.approx(1 / 3)


def test_predictions_by_id_are_a_fallback(parsers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    as_json(capsys, *hybrid("other.jsonl"))
    assert as_json(capsys, "predict", "both", *DATA)["exact_match"] == 1.0
    (parsers / "few.jsonl").write_text('{"id": "1", "prediction": "H H"}\n')
    as_json(capsys, *hybrid("few.jsonl"))
    told = refused(capsys, "predict", "both", *DATA)
    assert "few.jsonl: no prediction for 1 of 1 queries, such as '28'" in told
    assert as_json(capsys, "predict", "both", *DATA, "--allow-missing")["coverage"] == pytest.approx(2 / 3)
    as_json(capsys, *hybrid("few.jsonl", "both", "parser", "--set", "allow_missing=yes"))
    assert as_json(capsys, "predict", "both", *DATA)["coverage"] == pytest.approx(2 / 3)
    (parsers / "twice.jsonl").write_text('{"id": "1", "prediction": "H"}\n' * 2)
    assert "line 2: a second prediction for '1'" in refused(capsys, *hybrid("twice.jsonl"))


def test_what_a_hybrid_is_of_may_move_along_but_not_change(parsers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for fallback, folder in (("other", "both"), ("other.jsonl", "mixed")):
        as_json(capsys, *hybrid(fallback, folder))
    as_json(capsys, *hybrid(str(parsers / "other.jsonl"), "fixed"))
    moved = parsers / "moved"
    moved.mkdir()
    for name in ("both", "mixed", "fixed", "parser", "other", "other.jsonl", *DATA):
        Path(name).rename(moved / name)
    os.chdir(moved)
    for name in ("both", "mixed"):
        assert as_json(capsys, "predict", name, *DATA)["exact_match"] == 1.0
    told = refused(capsys, "predict", "fixed", *DATA)
    assert f"{parsers / 'other.jsonl'}: the fallback of a hybrid is missing" in told
    Path("other.jsonl").write_text('{"id": "28", "prediction": "H"}\n')
    told = refused(capsys, "predict", "mixed", *DATA)
    assert "other.jsonl: the fallback of a hybrid has changed since it was trained; train the hybrid again" in told
    as_json(capsys, "train", *DATA, "--seed", "5", "-o", "parser")
    assert "parser: the first of a hybrid has changed since it was trained" in refused(capsys, "predict", "both", *DATA)
    shutil.rmtree("parser")
    assert "parser: the first of a hybrid is missing" in refused(capsys, "predict", "both", *DATA)


def test_a_hybrid_does_not_overwrite_its_parsers(parsers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (parsers / "parser" / "model.json").read_bytes()
    assert "parser: is the first of the hybrid, and would be overwritten" in refused(capsys, *hybrid("other", "parser"))
    assert (parsers / "parser" / "model.json").read_bytes() == before


# -- functions ----------------------------------------------------------------------------------------------------


def test_functions_give_what_commands_print(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def same(one: dict[str, Any], other: dict[str, Any]) -> None:
        assert list(one) == list(other)
        left_out = ("seconds", "parser_seconds", "fallback_seconds", "file", "folder")
        assert {k: v for k, v in one.items() if k not in left_out} == {
            k: v for k, v in other.items() if k not in left_out
        }

    with pytest.warns(InputWarning, match="names lines of data by number"):
        trained = recombine.train(*DATA, set={"restarts": 1}, seed=2)
    assert isinstance(trained.parser, Nqg)
    printed = as_json(capsys, "train", *DATA, "--restarts", "1", "--seed", "2", "-o", "parser")
    same(trained.to_dict(), printed)
    trained.write("mine")
    for path in sorted((toy / "parser").iterdir()):
        assert path.read_bytes() == (toy / "mine" / path.name).read_bytes(), path.name
    split = recombine.load_split("data.jsonl", "split.json")
    made = recombine.predict(trained, "data.jsonl", split)
    printed = as_json(capsys, "predict", "parser", *DATA, "-o", "out.jsonl")
    assert made.parser.startswith("nqg@")
    value = made.to_dict()
    value["signature"] = value["signature"].replace("parser:nqg@", "parser:parser@")
    value["signature"] = value["signature"].replace("outputs:nqg@", "outputs:parser@")
    value["parser"]["signature"] = value["parser"]["signature"].replace("outputs:nqg@", "outputs:parser@")
    same(value, printed)
    made.write("mine.jsonl")
    assert (toy / "mine.jsonl").read_bytes() == (toy / "out.jsonl").read_bytes()
    strict = recombine.predict(trained, "data.jsonl", split, strict=True)
    assert "strict:yes" in strict["signature"]
    assert trained.parser.strict is False  # the parser that was given is as it was
    induced = recombine.induce("data.jsonl", split, restarts=1)
    same(induced.to_dict(), as_json(capsys, "induce", *DATA, "--restarts", "1", "-o", "grammar.txt"))
    induced.write("mine.txt")
    assert (toy / "mine.txt").read_bytes() == (toy / "grammar.txt").read_bytes()
    for result in (trained, made, induced):
        assert "\n" not in str(result)
        assert result._repr_html_().startswith("<table>")


# -- worlds -------------------------------------------------------------------------------------------------------

PLUGIN = """
from recombine.models.family import Family
from recombine.models.known import register_model
from recombine.models.model_file import write_model_file
from recombine.records.world import WorldKind, register_world


class Facts:
    kind = "facts"

    def __init__(self, path, digest):
        self.facts, self.digest = dict(line.split("=") for line in path.read_text().split()), digest


class Asker:
    def fit(self, examples, world):
        return self

    def predict(self, queries, world):
        return [world.facts.get(query.source) for query in queries]


register_world(WorldKind("facts", Facts, lambda path: path.suffix == ".facts"))
register_model(
    Family(
        name="asker",
        make=lambda settings, seed, device: Asker(),
        texts_alone=False,
        save=lambda parser, folder, signature: write_model_file(folder, "asker/1", signature),
        load=lambda folder, device: Asker(),
    )
)
"""


def test_a_parser_remembers_its_world(
    toy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from recombine import plugins

    (toy / "asker.py").write_text(PLUGIN)
    plugins.load_plugin("asker.py")
    rows = [{"id": str(n), "source": s, "target": t} for n, (s, t) in enumerate([("x", "red"), ("y", "blue")])]
    (toy / "facts.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    (toy / "facts.json").write_text('{"train": [0], "test": [1]}')
    (toy / "a.facts").write_text("x=red y=blue")
    (toy / "b.facts").write_text("x=red y=green")
    data = ("facts.jsonl", "facts.json")
    value = as_json(capsys, "train", *data, "--model", "asker", "--world", "a.facts", "-o", "parser")
    assert recombine.Signature.parse(value["signature"]).get("world").startswith("facts@")
    assert as_json(capsys, "predict", "parser", *data, "--kb", "a.facts")["exact_match"] == 1.0
    told = refused(capsys, "predict", "parser", *data)
    assert "parser: the parser was fitted over the world facts@" in told
    assert "and the data has none; give that world with --world" in told
    told = refused(capsys, "predict", "parser", *data, "--world", "b.facts")
    assert "and the data has facts@" in told
    # What wants texts alone remembers no world, and its bytes do not depend on one.
    plain = as_json(capsys, "train", *data, "-o", "plain")["signature"]
    assert as_json(capsys, "train", *data, "--world", "a.facts", "-o", "plain")["signature"] == plain
    # A hybrid is of parsers of the data's world.
    both = ("train", *data, "--model", "hybrid", "--set", "first=plain", "--set", "fallback=parser", "-o", "both")
    assert "parser: the parser was fitted over the world facts@" in refused(capsys, *both)
    as_json(capsys, *both, "--world", "a.facts")
    assert "both: the parser was fitted over the world" in refused(capsys, "predict", "both", *data)
    assert as_json(capsys, "predict", "both", *data, "--world", "a.facts")["exact_match"] == 1.0
