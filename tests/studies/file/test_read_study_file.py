"""Study files: what they say, and what is said of wrong ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from recombine.errors import RecombineError
from recombine.studies.cells.plan import make_plan
from recombine.studies.file.read_study_file import read_study_file
from small_study import STUDY, Study

SHIPPED = sorted((Path(__file__).parents[3] / "studies").glob("*.toml"))


def test_a_file_is_read(study: Study) -> None:
    found = read_study_file(study())
    assert (found.name, found.seeds, found.curve, found.stack) == ("letters", [0, 1], 10, 64)
    assert found.split[0].options == {"train": 12, "test": 4}
    assert found.model[0].changes["steps"] == 30
    assert found.data[0].label == "letters"


CASES = {
    "key at the top": ("seeds =", "seads =", "at the top: unknown key 'seads'; did you mean 'seeds'?"),
    "key of data": ("file =", "fil =", "[[data]] number 1: unknown key 'fil'; did you mean 'file'?"),
    "key of a split": ("test = 4", "tets = 4", "unknown key of [[split]] number 1 'tets'; did you mean 'test'?"),
    "option of another method": ("test = 4", "quota = 4", "unknown key of [[split]] number 1 'quota'"),
    "method": ('by = "random"', 'by = "randm"', "unknown method of [[split]] number 1 'randm'; did you mean 'random'?"),
    "two ways": ('by = "random"', 'by = "random"\npublished = "x"', "wants one of published, file, by"),
    "type": ("curve = 10", 'curve = "10"', "at the top: 'curve' is '10'"),
    "seed": ("seeds = [0, 1]", "seeds = [-1]", "the seed is -1"),
    "type of a list": ("seeds = [0, 1]", 'seeds = [0, "1"]', "is '1'"),
    "no model": ("[[model]]", "[[modle]]", "unknown key 'modle'; did you mean 'model'?"),
    "same name": ("[[model]]", "[[split]]\nby = 'random'\n[[model]]", "two [[split]] tables are called 'random'"),
    "over no list": ("test = 4", "test = 4\nover = ['test']", "unknown list to take a mean over"),
    "way to choose": (
        "test = 4",
        'test = 4\ntrain_sizes = [3]\ntrain_by = "local-structures"',
        "unknown train_by of [[split]] number 1 'local-structures'; did you mean 'local-structure'?",
    ),
    "choice for a prompt": (
        "test = 4",
        'test = 4\ntrain_sizes = [3]\ntrain_by = ["random", "coverage"]',
        "unknown train_by of [[split]] number 1 'coverage'",
    ),
    "choice of how many": (
        "test = 4",
        'test = 4\ntrain_by = "random"',
        "[[split]] number 1: train_by is given, but not how many examples are wanted",
    ),
    "seeds of no choice": ("test = 4", "test = 4\ntrain_seeds = [1]", "train_seeds is given, but not how many"),
    "no way to choose": ("test = 4", "test = 4\ntrain_sizes = [3]\ntrain_by = []", "train_by is an empty list"),
    "seed of a choice": ("test = 4", "test = 4\ntrain_sizes = [3]\ntrain_seeds = [-1]", "the seed is -1"),
    "two that go with replicates": (
        "test = 4",
        'test = 4\nseeds = "replicate"\ntrain_sizes = [3]\ntrain_seeds = "replicate"',
        "[[split]] number 1: seeds go with replicates, and train_seeds too",
    ),
    "paper's model": ("[[model]]", "[[paper]]\nmodel='x'\nsplits=['random']\nmean=1.0\n[[model]]", "unknown model"),
    "paper's split": ("[[model]]", "[[paper]]\nmodel='tiny'\nsplits=['x']\nmean=1.0\n[[model]]", "unknown split in"),
    "not TOML": ("[[model]]", "[[model]", "not TOML"),
    "name outside": ('name = "letters"', 'name = "../letters"', "the study name '../letters' has other than letters"),
    "name of a path": ('name = "letters"', 'name = "/tmp/letters"', "the study name '/tmp/letters' has other than"),
    "name with a folder": ('name = "letters"', 'name = "a/b"', "the study name 'a/b' has other than letters"),
    "name of dots": ('name = "letters"', 'name = ".."', "the study name '..' has other than letters, digits and :._+-"),
    "no name": ('name = "letters"', 'name = ""', "the study name '' has other than letters"),
    "model's name of dots": ('name = "tiny"', 'name = ".."', "the model name '..' has other than letters"),
    "model's name outside": ('name = "tiny"', 'name = "../x"', "the model name '../x' has other than letters"),
    "data's name outside": ("[[data]]", "[[data]]\nname = '../x'", "the data name '../x' cannot be that of a folder"),
    "data's name of dots": ("[[data]]", "[[data]]\nname = '..'", "the data name '..' cannot be that of a folder"),
    "generated": ('file = "letters.tsv"', 'generate = "covr"', "the key 'n' is missing"),
    "generator": (
        'file = "letters.tsv"',
        'generate = "cover"\nn = 3',
        "unknown generator 'cover'; did you mean 'covr'?",
    ),
    "option of a generator": (
        'file = "letters.tsv"',
        'generate = "scan"\nn = 3\nmax_dpeth = 4',
        "study.toml, [[data]] number 1: unknown key 'max_dpeth'; did you mean 'max_depth'?",
    ),
    "type of a generator's option": (
        'file = "letters.tsv"',
        'generate = "my.grammar"\nn = 3\nmax_depth = "4"',
        "[[data]] number 1: the setting max_depth is '4'; give a whole number",
    ),
    "option without a generator": ("[[data]]", "[[data]]\nmax_depth = 4", "[[data]] number 1: unknown key 'max_depth'"),
}


@pytest.mark.parametrize(("old", "new", "message"), CASES.values(), ids=CASES)
def test_what_is_wrong_is_named(old: str, new: str, message: str, study: Study) -> None:
    with pytest.raises(RecombineError) as caught:
        read_study_file(study(STUDY.replace(old, new, 1)))
    assert message in str(caught.value)
    assert "study.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "steps = 30",
            "stepps = 30",
            "study.toml: [[model]] number 1: unknown setting 'stepps'; did you mean 'steps'?",
        ),
        ("steps = 30", 'steps = "30"', "[[model]] number 1: the setting steps is '30'; give a value like 35000"),
        ("cfq:transformer", "cfq:tranformer", "unknown preset 'cfq:tranformer'; did you mean 'cfq:transformer'?"),
        ("heads = 2", "heads = 3", "[[model]] number 1: 3 heads do not divide the width 8"),
    ],
)
def test_settings_are_checked_before_anything_is_run(old: str, new: str, message: str, study: Study) -> None:
    path = study(STUDY.replace(old, new))
    with pytest.raises(RecombineError) as caught:
        make_plan(path, path.parent / "results")
    assert message in str(caught.value)
    assert not (path.parent / "results").exists()


def test_names_that_can_be_files_are_taken(study: Study) -> None:
    path = study(
        STUDY.replace('"letters"', '"a.b-c:d+e_ä"', 1).replace("[[data]]", "[[data]]\nname = 'my data (2)/1.2'")
    )
    found = read_study_file(path)
    assert (found.name, found.data[0].label) == ("a.b-c:d+e_ä", "my data (2)/1.2")


def test_studies_are_shipped() -> None:
    names = {path.stem for path in SHIPPED}
    assert names >= {"scan_table4", "scan_figure2", "scan_training_size", "scan_published_splits", "cfq_mcd1"}
    assert names >= {"geoquery_splits", "covr_adversarial", "smoke", "cfq_table4", "cfq_figure2", "cfq_training_size"}
    assert names >= {"atis_templates", "covr_templates", "template_selection"}


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_studies_are_read(path: Path) -> None:
    assert read_study_file(path).name == path.stem


@pytest.mark.parametrize("value", ["[" * 5_000 + "]" * 5_000, "{a = " * 5_000 + "1" + "}" * 5_000])
def test_values_deep_inside_each_other_are_refused(value: str, tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(f"name = {value}\n")
    with pytest.raises(RecombineError, match=r"study.toml: not a study \(values too deep inside each other\)"):
        read_study_file(tmp_path / "study.toml")
