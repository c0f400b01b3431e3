"""Checkpoints from disk in a study."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from recombine.errors import OptionError, RecombineError
from recombine.models.known import find_family
from recombine.models.pretrained import pretrained_family
from recombine.models.pretrained.local_checkpoint import quiet
from recombine.models.pretrained.pretrained_family import settings_of
from recombine.models.task import Task, TaskCell
from recombine.records.example import Example
from small_study import PAIRS, Study, content, run

TINY = {"steps": 6, "batch": 4, "rate": 0.01, "max_target": 5, "max_source": 20}
EXAMPLES = tuple(Example.of(*pair) for pair in PAIRS)
STUDY = """
name = "letters"
curve = 4
sample = 4

[[data]]
file = "letters.tsv"

[[split]]
by = "random"
train = 12
test = 4

[[model]]
name = "tiny"
preset = "pretrained"
checkpoint = "{checkpoint}"
steps = 6
batch = 4
rate = 0.01
max_target = 5
{more}
"""


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    """A causal model over bytes with random weights."""
    alphabet = ["</s>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    made = Tokenizer(models.BPE({token: number for number, token in enumerate(alphabet)}, []))
    made.pre_tokenizer, made.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=made, eos_token=alphabet[0])
    config = transformers.GPT2Config(
        vocab_size=len(alphabet), n_positions=32, n_embd=16, n_layer=1, n_head=2, bos_token_id=0, eos_token_id=0
    )
    transformers.set_seed(0)
    with quiet():
        transformers.GPT2LMHeadModel(config).save_pretrained(tmp_path / "gpt2")
        tokenizer.save_pretrained(tmp_path / "gpt2")
    return tmp_path / "gpt2"


def task(checkpoint: Path, work: Path, **changes: object) -> Task:
    settings = settings_of("pretrained", {**TINY, "checkpoint": str(checkpoint)})
    cells = (TaskCell("one", tuple(range(12)), (12, 13, 14), 3),)
    made = Task("t", "pretrained", settings, EXAMPLES, cells, work, curve=4, sample=2, device="cpu")
    return replace(made, **changes)  # type: ignore[arg-type]


def test_presets_are_found() -> None:
    for name in ("pretrained", "nqg:t5-base", "local-structures:bert-lstm"):
        assert find_family(name).name == "pretrained"
    assert find_family("nqg").name == "nqg"


def test_a_checkpoint_must_be_named(checkpoint: Path) -> None:
    with pytest.raises(OptionError, match="the preset nqg:t5-base needs a checkpoint; add checkpoint = 'DIRECTORY'"):
        settings_of("nqg:t5-base", {})
    with pytest.raises(RecombineError, match="t5-base: no such directory; nothing is fetched here"):
        settings_of("nqg:t5-base", {"checkpoint": "t5-base"})
    with pytest.raises(RecombineError, match="unknown setting 'stepss'; did you mean 'steps'"):
        settings_of("nqg:t5-base", {"checkpoint": str(checkpoint), "stepss": 3})
    found = settings_of("pretrained", {"checkpoint": str(checkpoint)})
    assert settings_of("pretrained", {"checkpoint": "elsewhere", "digest": found["digest"]})["epochs"] == 10


def test_a_study_runs_and_skips(checkpoint: Path, study: Study, tmp_path: Path) -> None:
    path = study(STUDY.format(checkpoint=checkpoint, more=""))
    ran = run(path, tmp_path / "results", device="cpu")
    assert [record["state"] for record in ran.records] == ["done"], ran.records
    record = ran.records[0]
    assert [step for step, _, _ in record["curve"]] == [4, 6]
    assert record["notes"]["steps"] == 6
    assert set(record["notes"]) == {"steps", "device", "torch", "transformers", "counted"}
    assert run(path, tmp_path / "results", device="cpu").skipped == 1
    run(path, tmp_path / "again", device="cpu")
    assert content(tmp_path / "again") == content(tmp_path / "results")


def test_other_files_are_another_cell(checkpoint: Path, study: Study, tmp_path: Path) -> None:
    path = study(STUDY.format(checkpoint=checkpoint, more=""))
    run(path, tmp_path / "results", device="cpu")
    config = checkpoint / "generation_config.json"
    config.write_text(config.read_text() + "\n")
    assert run(path, tmp_path / "results", device="cpu").skipped == 0
    wrong = study(STUDY.format(checkpoint=checkpoint, more="digest = '00'"))
    with pytest.raises(RecombineError, match="its files are not those of the digest 00"):  # before anything is trained
        run(wrong, tmp_path / "other", device="cpu")
    assert not list((tmp_path / "other").glob("[0-9a-f]*.json"))


def test_a_killed_cell_ends_the_same(checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pretrained_family, "LOOK", 1)
    for name in ("whole", "killed"):
        (tmp_path / name).mkdir()
    whole = pretrained_family.run_task(task(checkpoint, tmp_path / "whole"))[0]
    assert (tmp_path / "whole" / "t.0.step").read_text() == "6"

    looks = iter(range(100))

    def die(_: Task) -> None:
        if next(looks) == 5:
            raise KeyboardInterrupt

    monkeypatch.setattr(pretrained_family, "check_parent", die)
    monkeypatch.setattr(pretrained_family, "PATIENCE", 0)
    killed = task(checkpoint, tmp_path / "killed", checkpoint_seconds=0.0)
    with pytest.raises(KeyboardInterrupt):
        pretrained_family.run_task(killed)
    assert (tmp_path / "killed" / "t.0.step").read_text() == "5"
    again = pretrained_family.run_task(killed)[0]
    assert replace(again, seconds=0.0) == replace(whole, seconds=0.0)
    assert next(looks) == 7  # it went on from the fifth step


def test_what_is_lost_is_noted(checkpoint: Path, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    short = dict(task(checkpoint, tmp_path).settings) | {"max_target": 2}
    outcome = pretrained_family.run_task(task(checkpoint, tmp_path / "work", settings=short))[0]
    assert outcome.notes["counted"]["train/targets_over_limit"] == 12
    few = dict(short) | {"max_source": 2}
    outcome = pretrained_family.run_task(task(checkpoint, tmp_path / "work", settings=few))[0]
    assert outcome.error.startswith("cell one: 12 of 12 sources have more than 2 tokens, the longest 4")


def test_a_directory_that_went_away_is_said(checkpoint: Path, tmp_path: Path) -> None:
    made = task(checkpoint, tmp_path)
    shutil.rmtree(checkpoint)
    assert "no such directory" in pretrained_family.run_task(made)[0].error
