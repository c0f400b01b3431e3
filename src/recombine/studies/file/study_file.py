"""A study as a TOML file: data, splits, models, seeds, and the numbers of a paper to stand beside.

    name = "smoke"
    seeds = [0, 1]

    [[data]]
    id = "scan"

    [[split]]
    name = "mcd"
    by = "mcd"
    train = 8365
    test = 1045
    divergence = [0.2, 0.4]      # a list of values makes a split for each

    [[model]]
    preset = "cfq:transformer"
    steps = 300

Options of a method are in its `[[split]]`, settings of a model in its `[[model]]`. A key that nothing knows is an
error that names it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class Table(BaseModel):
    """A table of a study file: its keys are these and no others, and values are of their types as they stand."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class DataTable(Table):
    """`[[data]]`: an id of the catalogue, a file with its language, or a generator with its options beside the keys."""

    model_config = ConfigDict(extra="allow", frozen=True, strict=True)

    name: str = ""
    id: str | None = None
    file: str | None = None
    generate: str | None = None
    """The name of a generator, or a grammar file."""
    n: int | None = None
    seed: int = 0
    language: str | None = None
    source: str = "source"
    target: str = "target"
    structures: str | None = None
    world: str | None = None
    """The path of the world that it is about, relative to the study file, or its address; else as the file's sidecar
    says."""
    skip_unreadable: bool = False
    """Whether records of the file that cannot be read are left out, and counted."""
    append_schema: bool = False
    """Whether each source is followed by the schema of its database, as T5 takes Spider in the NQG paper."""
    schema_limit: int | None = Field(default=None, ge=1)
    """To how many tokens such a source is cut; none is that of `show --append-schema`."""
    schemas: str | None = None
    """The file of its databases, as Spider's `tables.json`, relative to the study file; else that of the data
    directory."""
    measure: bool = True
    """Whether divergences of its splits are measured, where they can be."""

    @property
    def options(self) -> dict[str, Any]:
        """The options of the generator."""
        return dict(self.model_extra or {})

    @property
    def label(self) -> str:
        """What results call it."""
        return self.name or self.id or self.generate or Path(self.file or "").stem


class SplitTable(Table):
    """`[[split]]`: published splits by name, a file, or a method with its options, which are beside these keys."""

    model_config = ConfigDict(extra="allow", frozen=True, strict=True)

    name: str = ""
    data: str | list[str] | None = None
    """The data set that it splits, or several; all of them where none is named."""
    published: str | list[str] | None = None
    file: str | None = None
    by: str | None = None
    seeds: list[int] | Literal["replicate"] = Field(default=[0])
    """Seeds of the method; `replicate` gives each replicate of a model its own split."""
    part: str = "test"
    train_sizes: list[int] | None = None
    """Train on so many examples of its train part, one split for each number."""
    train_by: str | list[str] | None = None
    """How these are chosen of the train part, as `select --by` says; at random where nothing is said."""
    train_seeds: list[int] | Literal["replicate"] | None = None
    """The seeds by which they are chosen, where not that of the split; `replicate`: each replicate has its own."""
    over: list[str] = Field(default=[])
    """Keys whose values share a row of the table, their mean; other lists make a row for each value."""
    best_effort: bool = False
    """Whether a split that misses a constraint is kept, where the method gives one."""
    revision: int | None = None
    """The revision of the method that made its splits, which then must stand beside the results; else today's."""
    models: list[str] | None = None
    """The models that are trained on it; all where none is named."""

    @property
    def options(self) -> dict[str, Any]:
        """The options of the method."""
        return dict(self.model_extra or {})

    def splits_data(self, label: str) -> bool:
        """Whether it splits the data set of a name."""
        return self.data is None or label in ([self.data] if isinstance(self.data, str) else self.data)

    @property
    def structures(self) -> list[Any]:
        """The definitions that its search looks at, where they are not those of the data."""
        given = self.options.get("structures", [])
        return given if isinstance(given, list) else [given]

    @property
    def label(self) -> str:
        """What results call it."""
        return self.name or self.by or Path(self.file or "").stem or "published"


class ModelTable(Table):
    """`[[model]]`: a preset, with changed settings beside these keys."""

    model_config = ConfigDict(extra="allow", frozen=True, strict=True)

    preset: str
    name: str = ""
    seeds: list[int] | None = None
    data: list[str] | None = None
    """The data sets that it is trained on; all where none is named."""
    optional: bool = False
    """Whether it is left out, and said to be with the reason, where the files that it needs are not on the machine."""
    tune: dict[str, list[Any]] | None = None
    """Settings with lists of values: on each split, the best combination on a part of train that is held back."""

    def is_on(self, data: str) -> bool:
        """Whether it is trained on the data set of a name."""
        return self.data is None or data in self.data

    @property
    def changes(self) -> dict[str, Any]:
        """The changed settings."""
        return dict(self.model_extra or {})

    @property
    def label(self) -> str:
        """What results call it."""
        return self.name or self.preset


class TuneTable(Table):
    """`[tune]`: on what, and how often, the combinations of models with `tune` are tried."""

    share: float = Field(default=0.2, gt=0, lt=1)
    """The share of each split's train that is held back, and that combinations are judged on."""
    seed: int = 0
    """The seed by which it is drawn."""
    seeds: list[int] = Field(default=[0], min_length=1)
    """The seeds of the models; right answers of all of them are counted together."""


class PaperTable(Table):
    """`[[paper]]`: a published mean, in percent, to stand beside ours over the same splits."""

    model: str
    splits: list[str]
    mean: float
    interval: float | None = None
    interval_kind: Literal["within", "pooled"] | None = None
    """How the paper takes its interval over splits: the mean of those within each, or of all runs as one sample."""
    label: str = ""
    source: str = ""
    coverage: float | None = None
    precision: float | None = None
    """Published shares of outputs, and of right ones among them, of a model that abstains; in percent."""


class HybridTable(Table):
    """`[[hybrid]]`: two models of the study as one, from their predictions: the first where it has one, else the other.

    Nothing is trained for it (§4 of the NQG-T5 paper).
    """

    name: str
    first: str
    fallback: str
    fallback_data: dict[str, str] = Field(default={})
    """By data of the first, that of the fallback, where it is another: the same examples with other sources."""
    paper: dict[str, float] = Field(default={})
    """Published accuracies in percent, by splits."""


class PaperErrorsTable(Table):
    """`[[paper_errors]]`: published shares of examples with each type of error, in percent (Table 7 of the CFQ paper).

    `clause` and `filter` are those with any error of the clauses or filters.
    """

    model: str
    splits: list[str] = Field(min_length=1, max_length=1)
    clause: float | None = None
    insertion: float | None = None
    deletion: float | None = None
    property: float | None = None
    node: float | None = None
    both: float | None = None
    filter: float | None = None
    filter_insertion: float | None = None
    filter_deletion: float | None = None
    filter_substitution: float | None = None
    malformed: float | None = None
    same_clauses: float | None = None
    source: str = ""


class GeneralizationTable(Table):
    """`[generalization]`: which models the page of generalization scores is of, and what it says at the top."""

    model: str
    """The model that is trained on splits by property, and on all of train: the ceiling."""
    text: str
    """The model that sees texts alone: the floor."""
    note: str = ""


class StudyFile(Table):
    """The content of a study file."""

    name: str
    description: str = ""
    plugins: list[str] = Field(default=[])
    """Modules, or Python files beside the study file, that add what it names; they are in the keys of its cells."""
    seeds: list[int] = Field(default=[0], min_length=1)
    curve: int = Field(default=2500, ge=1)
    """Steps between points of a training curve."""
    sample: int = Field(default=128, ge=1)
    """Test examples that each point is measured on."""
    stack: int = Field(default=64, ge=1)
    """The most models trained together."""
    unseen: Literal["fail", "keep"] = "fail"
    """What becomes of a cell whose test has symbols that its train lacks: it fails, or they stay as untrained ones."""
    match: Literal["target", "answer"] = "target"
    """What models learn and what their outputs are compared with: the target, or the field `answer`, in words."""
    labels: bool = False
    """Whether its page has the train share and D_A of every kind of split in pictures, as Figure 7 of the CFQ paper."""
    metric: str = ""
    """The metric that says what is right, by its name in `score --metric`; exact match where none is given."""
    data: list[DataTable] = Field(min_length=1)
    split: list[SplitTable] = Field(min_length=1)
    model: list[ModelTable] = Field(min_length=1)
    tune: TuneTable | None = None
    paper: list[PaperTable] = Field(default=[])
    paper_errors: list[PaperErrorsTable] = Field(default=[])
    hybrid: list[HybridTable] = Field(default=[])
    generalization: GeneralizationTable | None = None
