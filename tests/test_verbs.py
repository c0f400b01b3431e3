"""Every verb is a function: the same options and values as its command, and callable whatever was imported before.

What a command alone has is what concerns its printing: `--json`, `--quiet`, `--verbose`, `--out`.
"""

from __future__ import annotations

import builtins
import functools
import inspect
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import orjson
import pytest
import typer

import recombine
from recombine.cli.app import app
from recombine.cli.main import run
from recombine.cli.shared.every_verb import add_to_every_verb

VERBS = (
    *("load", "generate", "split", "measure", "check", "difficulty", "levels", "select", "induce", "train", "predict"),
    *("score", "compare", "report", "show", "list", "parse", "sample", "warm-up", "download", "prompt"),
)
STUDY_VERBS = ("run", "status", "report", "export", "collect", "migrate")
CACHE_VERBS = ("info", "clear")
RULES_VERBS = ("check",)
KB_VERBS = (
    *("answers", "build", "candidates", "check", "convert", "info", "link", "match", "query", "table", "tasks"),
    "world",
)
SCENES_VERBS = ("info", "page", "prompts", "hand-off", "name-pairs", "exclusion")
CFQ_VERBS = ("info", "page")
KBQA_VERBS = ("info", "page", "results")
GENERALIZATION_VERBS = ("score", "page")
ANNOTATE_VERBS = ("new", "workers", "serve", "status", "agreement", "export", "import", "backup", "forget")
GROUPS = {
    "study": STUDY_VERBS,
    "cache": CACHE_VERBS,
    "rules": RULES_VERBS,
    "kb": KB_VERBS,
    "scenes": SCENES_VERBS,
    "cfq": CFQ_VERBS,
    "kbqa": KBQA_VERBS,
    "generalization": GENERALIZATION_VERBS,
    "annotate": ANNOTATE_VERBS,
}
ALL = (*VERBS, *(f"{group} {name}" for group, names in GROUPS.items() for name in names))
FUNCTIONS = (
    *("study", "cache_info", "cache_clear", "rules_check", *(f"kb_{name}" for name in KB_VERBS)),
    *("scenes_info", "scenes_page", "scenes_prompts", "scenes_hand_off", "cfq_info", "cfq_page"),
    *("scenes_name_pairs", "scenes_exclusion"),
    *("kbqa_info", "kbqa_page", "kbqa_results", "generalization_score", "generalization_page"),
    *(f"annotate_{name}" for name in ANNOTATE_VERBS),
)
"""The functions of verbs that have verbs of their own."""
NO_COMMAND = frozenset({"load"})
OF_THE_COMMAND = frozenset({"json", "quiet", "verbose", "out", "help"})
BY_OUT = frozenset({"study export", "kb build", "kb world"})
"""Verbs whose function takes as an argument what the command has as `--out`."""
PYTHON_NAMES = {"from": "from_"}
DIFFERENT = ("seconds", "parser_seconds", "fallback_seconds", "file", "folder")
"""What may differ between `--json` and `to_dict()`: how long it took, and what `--out` named."""
KINDS, PLACES = ("city", "river", "state", "lake"), ("loc_2", "next_to_2", "traverse_2")
PAIRS = [(f"{k} {p}", f"answer ( intersection ( {k} , {p} ( m0 ) ) )") for k in KINDS for p in PLACES]
PAIRS += [(f"{f} {k}", f"answer ( {f} ( {k} ) )") for f in ("largest", "count") for k in KINDS]
NQG = {"restarts": 1, "steps": 5}
STUDY = """
name = "small"
[[data]]
file = "data.jsonl"
language = "funql"
[[split]]
by = "random"
test = 5
[[model]]
preset = "cfq:transformer"
steps = 2
"""

Call = tuple[list[str], Callable[[Any], Any]]
CALLS: dict[str, Call] = {
    "generate": (["scan", "-n", "20", "--seed", "1"], lambda verb: verb("scan", n=20, seed=1)),
    "split": (
        ["data.jsonl", "--language", "funql", "--by", "tmcd", "--test", "5", "--effort", "0.01", "--seed", "1"],
        lambda verb: verb("data.jsonl", language="funql", by="tmcd", test=5, effort=0.01, seed=1),
    ),
    "measure": (["data.jsonl", "split.json"], lambda verb: verb("data.jsonl", "split.json")),
    "check": (["data.jsonl", "split.json", "--test", "5"], lambda verb: verb("data.jsonl", "split.json", test=5)),
    "difficulty": (["data.jsonl", "split.json"], lambda verb: verb("data.jsonl", "split.json")),
    "levels": (["data.jsonl", "split.json"], lambda verb: verb("data.jsonl", "split.json")),
    "select": (
        ["data.jsonl", "-k", "3", "--split", "split.json"],
        lambda verb: verb("data.jsonl", k=3, split="split.json"),
    ),
    "prompt": (
        ["data.jsonl", "split.json", "-k", "2", "--max-characters", "900"],
        lambda verb: verb("data.jsonl", "split.json", k=2, max_characters=900),
    ),
    "induce": (
        ["data.jsonl", "split.json", "--restarts", "1"],
        lambda verb: verb("data.jsonl", "split.json", restarts=1),
    ),
    "train": (
        ["data.jsonl", "split.json", "--restarts", "1", "--steps", "5", "-o", "made"],
        lambda verb: verb("data.jsonl", "split.json", **NQG),
    ),
    "predict": (["parser", "data.jsonl", "split.json"], lambda verb: verb("parser", "data.jsonl", "split.json")),
    "score": (
        ["data.jsonl", "split.json", "outputs.jsonl", "--errors"],
        lambda verb: verb("data.jsonl", "split.json", "outputs.jsonl", errors=True),
    ),
    "compare": (
        ["data.jsonl", "split.json", "outputs.jsonl", "outputs.jsonl"],
        lambda verb: verb("data.jsonl", "split.json", "outputs.jsonl", "outputs.jsonl"),
    ),
    "report": (
        ["split.json", "--data", "data.jsonl", "-o", "page.html"],
        lambda verb: verb("split.json", data="data.jsonl"),
    ),
    "sample": (
        ["scan.jsonl", "-n", "20", "--structures", "dag:2-2,presence", "--seed", "1"],
        lambda verb: verb("scan.jsonl", n=20, structures="dag:2-2,presence", seed=1),
    ),
    "show": (
        ["data.jsonl", "--language", "funql", "-n", "2", "--seed", "1"],
        lambda verb: verb("data.jsonl", language="funql", n=2, seed=1),
    ),
    "list": ([], lambda verb: verb()),
    "parse": (["cfq", "Who directed M0"], lambda verb: verb("cfq", "Who directed M0")),
    "rules check": (["cfq"], lambda verb: verb("cfq")),
    "kb build": (["films.tsv", "-o", "made"], lambda verb: verb("films.tsv", "made")),
    "kb world": (["--facts", "3000", "--seed", "1", "-o", "made"], lambda verb: verb("made", facts=3000, seed=1)),
    "kb candidates": (["index", "--entity", "Jaws"], lambda verb: verb("index", entity="Jaws")),
    "kb check": (["index", "asked.jsonl"], lambda verb: verb("index", "asked.jsonl")),
    "kb convert": (
        ["forms.jsonl", "--from", "sexpression", "--to", "graph", "--profile", "plain"],
        lambda verb: verb("forms.jsonl", from_="sexpression", to="graph", profile="plain"),
    ),
    "kb table": (["data.jsonl", "--language", "funql"], lambda verb: verb("data.jsonl", language="funql")),
    "kb info": (["index"], lambda verb: verb("index")),
    "kb link": (
        ["Who made Jaws in 1975?", "--kb", "index"],
        lambda verb: verb("Who made Jaws in 1975?", kb="index"),
    ),
    "kb match": (
        ["pairs.jsonl", "--ontology", "commons", "-o", "verdicts.jsonl"],
        lambda verb: verb("pairs.jsonl", ontology="commons"),
    ),
    "kb tasks": (
        ["names.jsonl", "--task", "surface_forms", "-o", "sent.jsonl"],
        lambda verb: verb("names.jsonl", task="surface_forms"),
    ),
    "kb answers": (["tasks.jsonl", "answers.jsonl"], lambda verb: verb("tasks.jsonl", "answers.jsonl")),
    "kb query": (
        ["index", "--from", "Jaws", "--path", "directed_by / ^directed_by"],
        lambda verb: verb("index", from_="Jaws", path="directed_by / ^directed_by"),
    ),
    "scenes info": (["asked_of_scenes.jsonl"], lambda verb: verb("asked_of_scenes.jsonl")),
    "scenes page": (
        ["asked_of_scenes.jsonl", "--examples", "2", "-o", "page.html"],
        lambda verb: verb("asked_of_scenes.jsonl", examples=2),
    ),
    "scenes prompts": (
        ["asked_of_scenes.jsonl", "--part", "all", "--pictures", "drawn"],
        lambda verb: verb("asked_of_scenes.jsonl", part="all", pictures="drawn"),
    ),
    "scenes hand-off": (
        ["asked_of_scenes.jsonl", "--part", "all"],
        lambda verb: verb("asked_of_scenes.jsonl", part="all"),
    ),
    "scenes name-pairs": (["ontology", "--most", "40"], lambda verb: verb("ontology", most=40)),
    "scenes exclusion": (
        ["name_pairs.csv", "--held-out", "0.3", "--seed", "1"],
        lambda verb: verb("name_pairs.csv", held_out=0.3, seed=1),
    ),
    "cfq info": (["data.jsonl", "--language", "funql"], lambda verb: verb("data.jsonl", language="funql")),
    "cfq page": (
        ["data.jsonl", "--split", "split.json", "-o", "page.html"],
        lambda verb: verb("data.jsonl", split="split.json"),
    ),
    "kbqa info": (["asked_of_films.jsonl"], lambda verb: verb("asked_of_films.jsonl")),
    "kbqa page": (
        ["asked_of_films.jsonl", "--templates", "1", "-o", "page.html"],
        lambda verb: verb("asked_of_films.jsonl", templates=1),
    ),
    "kbqa results": (["study.toml", "-o", "page.html"], lambda verb: verb("study.toml")),
    "generalization score": (
        ["scored.jsonl", "--text", "scored.jsonl", "--iid", "scored.jsonl"],
        lambda verb: verb("scored.jsonl", text="scored.jsonl", iid="scored.jsonl"),
    ),
    "generalization page": (["results.toml", "-o", "page.html"], lambda verb: verb("results.toml")),
    "annotate new": (
        ["made.db", "--flow", "audit", "--data", "data.jsonl", "--language", "funql", "-n", "5", "--seed", "1"],
        lambda verb: verb("made.db", flow="audit", data="data.jsonl", language="funql", n=5, seed=1),
    ),
    "annotate workers": (["list", "asked.db"], lambda verb: verb("list", "asked.db")),
    "annotate status": (["asked.db", "--check"], lambda verb: verb("asked.db", check=True)),
    "annotate agreement": (["asked.db", "--resamples", "9"], lambda verb: verb("asked.db", resamples=9)),
    "annotate export": (["asked.db", "--format", "responses"], lambda verb: verb("asked.db", format="responses")),
    "annotate import": (["asked.db", "said.jsonl"], lambda verb: verb("asked.db", "said.jsonl")),
    "annotate backup": (["asked.db", "copy.db"], lambda verb: verb("asked.db", "copy.db")),
    "annotate forget": (["asked.db", "ann"], lambda verb: verb("asked.db", "ann")),
    "warm-up": ([], lambda verb: verb()),
    "download": ([], lambda verb: verb()),
    "cache info": ([], lambda verb: verb()),
    "cache clear": ([], lambda verb: verb()),
    "study run": (["study.toml", "--device", "cpu"], lambda verb: verb(device="cpu")),
    "study status": (["study.toml"], lambda verb: verb()),
    "study report": (["study.toml", "-o", "page.html"], lambda verb: verb()),
    "study export": (["study.toml", "-o", "away"], lambda verb: verb("away")),
    "study migrate": (["study.toml"], lambda verb: verb()),
}
"""A call of each verb as a command and as a function. `study collect` wants what another machine computed."""
NOT_CALLED = frozenset({"load", "study collect", "annotate serve"})
"""A server has no result before it ends."""


def function(name: str, file: str = "study.toml") -> Callable[..., Any]:
    """The function of a verb; those of a study are methods of a study, those of the cache have both names."""
    first, _, second = name.partition(" ")
    if first in ("cache", "rules", "kb", "scenes", "cfq", "kbqa", "generalization", "annotate"):
        return getattr(recombine, f"{first}_{second.replace('-', '_')}")
    found: Callable[..., Any] = getattr(recombine, first.replace("-", "_"))
    return getattr(found(file), second) if second else found


@functools.cache
def all_commands() -> Any:
    """The commands, with what every verb takes: made once."""
    whole: Any = typer.main.get_command(app)
    add_to_every_verb(whole)
    return whole


def command(name: str) -> Any:
    """The command of a verb."""
    whole = all_commands()
    for part in name.split():
        whole = whole.commands[part]
    return whole


def flags(name: str) -> dict[str, Any]:
    """The options of a command by the keywords that they should be."""
    verb = command(name)
    options = {}
    for param in verb.get_params(verb.context_class(verb)):
        if param.param_type_name == "option":
            long = [each for each in param.opts if each.startswith("--")] or param.opts
            key = long[0].lstrip("-").replace("-", "_")
            options[PYTHON_NAMES.get(key, key)] = param
    return {key: param for key, param in options.items() if key not in OF_THE_COMMAND}


def keywords(name: str) -> dict[str, Any]:
    """The options of a function, with its declared ones, by name and default."""
    verb: Any = function(name)
    parameters = inspect.signature(verb).parameters.values()
    own = {each.name: each.default for each in parameters if each.kind is inspect.Parameter.KEYWORD_ONLY}
    declared = verb.declared() if any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters) else ()
    assert not own.keys() & {each.name for each in declared}
    return {**own, **{each.name: each for each in declared}}


def test_all_verbs_are_listed() -> None:
    whole: Any = typer.main.get_command(app)
    names = [name for name in whole.commands if name not in (*GROUPS, "demo")]
    names += [f"{group} {name}" for group in GROUPS for name in whole.commands[group].commands]
    assert sorted(names) == sorted(set(ALL) - NO_COMMAND)
    assert set(CALLS) == set(ALL) - NOT_CALLED


@pytest.mark.parametrize("name", sorted(each.replace("-", "_") for each in {*VERBS, *FUNCTIONS}))
def test_every_verb_is_a_function(name: str) -> None:
    assert name in recombine.__all__
    assert callable(getattr(recombine, name))
    assert not isinstance(getattr(recombine, name), ModuleType)


@pytest.mark.parametrize("name", sorted(set(ALL) - NO_COMMAND))
def test_a_command_has_the_options_of_its_function(name: str) -> None:
    assert set(flags(name)) == set(keywords(name))


@pytest.mark.parametrize("name", sorted(set(ALL) - NO_COMMAND))
def test_defaults_are_the_same(name: str) -> None:
    params = flags(name)
    for key, default in keywords(name).items():
        param = params.get(key)
        if param is not None and not param.required and getattr(default, "flag", None) is None:
            given = param.default if param.default not in ((), []) else None
            wanted = default if default not in ((), []) else None
            assert (key, given) == (key, wanted) or (given, wanted) == (False, None)


@pytest.mark.parametrize("name", sorted(set(ALL) - NO_COMMAND - BY_OUT))
def test_arguments_are_the_same(name: str) -> None:
    verb = command(name)
    arguments = [each.name for each in verb.params if each.param_type_name == "argument"]
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    positional = [each.name for each in inspect.signature(function(name)).parameters.values() if each.kind in kinds]
    assert len(positional) == len(arguments) - name.startswith("study ")


@pytest.fixture
def here(made_once: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, made the current one, with data, a split, predictions and a study."""
    folder = tmp_path / "command"
    shutil.copytree(made_once, folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture(scope="module")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `here` has, which is copied for each test."""
    folder = tmp_path_factory.mktemp("made_once")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        _write_files()
    return folder


def _write_files() -> None:
    """Data, a split, predictions, a study and all else that commands are given, in the current folder."""
    rows = [{"id": str(number), "source": s, "target": t} for number, (s, t) in enumerate(PAIRS)]
    assert len(rows) == 20
    Path("data.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    recombine.generate("scan", n=200, seed=1).write("scan.jsonl")
    data = recombine.load("data.jsonl", language="funql")
    split = recombine.split(data, by="random", test=5, seed=1)
    split.write("split.json")
    outputs = [
        {"id": key, "prediction": data[key if place else split.train[0]].target} for place, key in enumerate(split.test)
    ]
    Path("outputs.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in outputs))
    recombine.score(data, split, "outputs.jsonl").write("scored.jsonl")
    Path("results.toml").write_text('[[system]]\nname = "mine"\nresult = "scored.jsonl"\n')
    Path("study.toml").write_text(STUDY)
    Path("films.tsv").write_text("Jaws\tdirected_by\tSpielberg\nDuel\tdirected_by\tSpielberg\n")
    recombine.kb_build("films.tsv", "index")
    Path("commons").mkdir()
    for name, text in (("fb_roles", "a.b c.d e.f\n"), ("fb_types", ""), ("reverse_properties", "")):
        Path("commons", name).write_text(text)
    Path("pairs.jsonl").write_text('{"a": "(AND a.b (JOIN c.d m.0))", "b": "(AND (JOIN c.d m.0) a.b)"}\n')
    Path("forms.jsonl").write_text('{"id": 1, "form": "(JOIN directed_by Spielberg)"}\n{"id": 2, "form": "(R"}\n')
    Path("asked.jsonl").write_text('{"source": "who made Jaws", "target": "ASK { <Jaws> <directed_by> ?x }"}\n')
    Path("names.jsonl").write_text('{"entity": "m.1", "name": "Jaws", "names": {"Jaws": 3, "Shark": 1}}\n')
    recombine.kb_tasks("names.jsonl", task="surface_forms").write("tasks.jsonl")
    Path("answers.jsonl").write_text('{"item": "surface_forms/m.1", "author": "ann", "answer": ["Jaws"]}\n{"it')
    _ask_of_scenes("asked_of_scenes.jsonl")
    recombine.scenes_name_pairs("ontology", most=40).write("name_pairs.csv")
    _ask_of_films("asked_of_films.jsonl")


@pytest.fixture
def campaign(here: Path) -> None:
    """A campaign with an answer, and another answer in a file."""
    recombine.annotate_new("asked.db", flow="audit", data="data.jsonl", language="funql", n=2, seed=1)
    items = [line["item"] for line in recombine.annotate_export("asked.db", format="items").lines]
    said = [{"item": item, "worker": "ann", "answer": {"right": "yes", "natural": "no"}} for item in items]
    Path("said.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in said))
    Path("first.jsonl").write_bytes(orjson.dumps(said[0]) + b"\n")
    recombine.annotate_import("asked.db", "first.jsonl")


def _ask_of_films(name: str) -> None:
    """A file of three questions over a knowledge base."""
    form = "(AND film.film (JOIN film.film.directed_by m.0{}))"
    rows = [
        ("who made it", form.format(1)),
        ("what is by her", form.format(2)),
        ("how many", f"(COUNT {form.format(1)})"),
    ]
    lines = [{"source": source, "target": target, "answers": ["m.09"]} for source, target in rows]
    Path(name).write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))


def _ask_of_scenes(name: str) -> None:
    """A file with a question about two scenes for train and one for test, and what says where the scenes are."""
    objects = {"1": {"name": "puppy", "x": 1, "y": 1, "w": 9, "h": 9, "attributes": [], "relations": []}}
    scene = {"width": 20, "height": 20, "objects": objects}
    Path("drawn").mkdir()
    for picture in ("a", "b"):
        Path(f"drawn/{picture}.png").write_bytes(b"")
    Path("puppies.json").write_bytes(orjson.dumps({"attribute_types": {}, "a": scene, "b": scene}))
    fields = ("answer", "images", "roles", "template", "subgraph", "part", "pair")
    rows = [(2, ["a", "b"], ["holds", "holds"], "train"), (1, ["a"], ["holds"], "test")]
    lines = [
        {
            "source": "How many puppies are there?",
            "target": "count ( find ( puppy ) )",
            **dict(zip(fields, (answer, images, roles, "COUNT", ["puppy", None, []], part, None), strict=True)),
        }
        for answer, images, roles, part in rows
    ]
    Path(name).write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))
    said = {"context": fields, "identity": ["images"], "world": {"kind": "scenes", "path": "puppies.json"}}
    Path(f"{name}.meta.json").write_bytes(orjson.dumps(said))


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    with pytest.raises(SystemExit) as ended:
        run([*arguments, "--json", "--quiet"])
    out = capsys.readouterr()
    assert ended.value.code == 0, out.err
    value: dict[str, Any] = orjson.loads(out.out)
    return value


@pytest.mark.parametrize("name", sorted(CALLS))
def test_a_result_is_what_the_command_prints(
    name: str,
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    words, call = CALLS[name]
    if name.startswith("annotate"):
        request.getfixturevalue("campaign")
    if name.startswith("cache"):  # whatever tests before this one have kept
        monkeypatch.setenv("RECOMBINE_DATA_CACHE", str(here.parent / "cache"))
    if name.startswith("cfq"):  # which counts published data beside one's own
        monkeypatch.setenv("RECOMBINE_DATA", str(here.parent / "none"))
    if name == "predict":
        printed(capsys, "train", "data.jsonl", "split.json", "--restarts", "1", "--steps", "5", "-o", "parser")
    shutil.copytree(here, here.parent / "function")
    value = printed(capsys, *name.split(), *words)
    monkeypatch.chdir(here.parent / "function")
    result = call(function(name))
    given = result.to_dict()
    assert orjson.loads(orjson.dumps(given)) == given, "plain values alone"
    assert {k: v for k, v in given.items() if k not in DIFFERENT} == {
        k: v for k, v in value.items() if k not in DIFFERENT
    }
    assert [key for key in value if key in given] == [*given]
    assert "\n" not in str(result)
    assert len(repr(result)) < 400
    assert result._repr_html_().startswith(("<table", "<div", "<p", "<iframe"))


def test_load_gives_data(here: Path) -> None:
    data = recombine.load("data.jsonl", language="funql")
    assert (len(data), data[0].source) == (20, "city loc_2")
    assert set(inspect.signature(recombine.load).parameters) >= {"data", "source", "target", "language", "world"}


def test_verbs_are_callable_after_every_module_was_imported() -> None:
    code = (
        "import importlib, pkgutil, types, recombine\n"
        "for module in pkgutil.walk_packages(recombine.__path__, 'recombine.'):\n"
        "    if module.name.endswith('__main__'):\n"
        "        continue\n"
        "    try:\n"
        "        importlib.import_module(module.name)\n"
        "    except ModuleNotFoundError as error:\n"  # an extra that is not installed
        "        assert not (error.name or '').startswith('recombine'), error\n"
        "import recombine.workbench as workbench\n"
        f"for name in {builtins.sorted(each.replace('-', '_') for each in {*VERBS, *FUNCTIONS})!r}:\n"
        "    assert isinstance(getattr(recombine, name), types.FunctionType), name\n"
        "    assert getattr(workbench, name) is getattr(recombine, name), name\n"
        "assert len(recombine.load([('jump', 'JUMP')])) == 1\n"
        "assert 'random' in recombine.list().methods\n"
        "print('all', end='')\n"
    )
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "all", done.stderr
