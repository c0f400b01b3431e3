"""Rooms import only from rooms above them, and so do the sub-rooms of a room."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import recombine

PACKAGE = Path(recombine.__file__).parent
# From the top of the house down.
ROOMS = (
    "version",
    "errors",
    "max_unpacked",
    "files",
    "pieces",
    "json_lines",
    "data_directory",
    "seeds",
    "options",
    "html_table",
    "progress",
    "data_cache",
    "kernels",
    "plugins",
    "tree",
    "languages",
    "records",
    "grammars",
    "structures",
    "kb",
    "scenes",
    "datasets",
    "measures",
    "easiness",
    "splits",
    "selection",
    "evaluation",
    "models",
    "cluster",
    "studies",
    "annotation",
    "pages",
    "workbench",
    "extend",
    "cli",
    "__main__",
)
# Within a room: layers from the top down, each the names of sub-rooms and modules that stand side by side.
LAYERS = {
    "languages": (
        "language literals too_deep room_to_recurse brackets anonymised arities",
        "sparql",
        "sql",
        "notation",
        "actions cogs covr functional funql funql_rewrite json_values lambda_calculus lambda_dcs nested_brackets "
        "own_language python_expressions scenes sexpression text thingtalk top",
        "canonical_json known",
        "merges reader_version suggest_language",
    ),
    "languages/notation": (
        "notation_file",
        "notation",
        "scanner",
        "writer",
        "normal_form",
        "reader",
        "check_notation program_forms",
        "read_notation",
    ),
    "languages/sql": (
        "labels",
        "slots dialect schemas",
        "aliases build_node build_query check fillings kinds plain render",
        "build_tree",
        "in_order parse",
        "sql",
    ),
    "languages/sql/fillings": ("schema wanted_values", "fill_schema"),
    "grammars": (
        "contains_itself rule_table formalism",
        "terms",
        "synchronous",
        "unification",
        "find_grammar rule_pairs",
    ),
    "structures": (
        "counted_typing",
        "atom_definition compound_definition dataset_derivations definition features joined_definition kinds "
        "local_definition read_once rule_choice",
        "programs",
        "graphs",
        "atoms counted_kind dataset_features local_structures",
        "cached_features own_structures with_typing",
    ),
    "grammars/unification": (
        "forms",
        "rules",
        "parsing",
        "queries",
        "inference",
        "rule_graph",
        "question_parser",
        "check_rules data_item",
        "parse_many",
        "generation",
    ),
    "kb": (
        "term sparql_tokens",
        "base_names",
        "profiles written_term",
        "forms",
        "store",
        "read_path loaders names answers",
        "oxigraph endpoint",
        "embedded",
        "statements facts_of",
        "ontology",
        "matching",
        "coverage open_store geoquery candidates",
        "grounding",
        "linking",
        "film_schema made_up",
        "film_world many_domains fb15k237",
        "known_worlds",
        "kb_world",
        "templates wording",
        "tasks",
        "cfq_stores",
    ),
    "scenes": (
        "scene subgraph",
        "files",
        "synthetic",
        "subgraphs",
        "related",
        "programs",
        "templates",
        "questions",
        "balance",
    ),
    "scenes/balance": (
        "answer_class filters scene_parts word_model",
        "question_form",
        "balance_questions question_pool",
        "leak_table",
        "asked_question balanced_parts",
        "statistics truth_answers",
    ),
    "scenes/templates": ("english_pattern program_pattern", "template", "read_templates", "choose_templates"),
    "scenes/questions": (
        "question phrases rejected",
        "leaves",
        "related_to",
        "filling",
        "image_sets",
        "make_questions",
    ),
    "scenes/programs": ("no_answer value_types scene_masks subgraph_program", "execute", "relaxed_executor"),
    "scenes/subgraphs": (
        "shape limits words",
        "seen_part canonical from_json instances english",
        "enumerate_subgraphs simple_subgraphs",
    ),
    "scenes/related": (
        "exclusion kinds learned shape_table",
        "hierarchy_exclusion table_exclusion verifier scene_index looking_verifier",
        "truth_verifier related_images find_exclusion",
    ),
    "scenes/files": (
        "build_scene read_json write_scenes find_pictures",
        "gqa imsitu visual_genome",
        "read_scenes",
        "scenes_world",
    ),
    "scenes/synthetic": (
        "ontology draws body pen",
        "figures recipe",
        "arrangement noise picture",
        "world write_pictures",
    ),
    "kb/grounding": (
        "entity_names grounded grounding_filters pair_kernels query_name search_kernels",
        "property_path",
        "query_terms",
        "asked_query",
        "pair_sets query_sparql",
        "local_search",
        "local_query",
        "local_engine remote_engine",
        "grounder",
    ),
    "kb/candidates": (
        "candidate form_chain path_kernels step_table",
        "candidates",
        "search_space",
        "form_lookup ontology_space vocabulary",
        "candidate_recall",
    ),
    "kb/forms": (
        "form loss pattern sexpression_words",
        "queries",
        "patterns",
        "read_graph write_graph",
        "read_form write_form",
        "form_of_text write_sparql",
        "convert witness_world",
    ),
    "datasets": (
        "files generator load_cached",
        "load_file",
        "release",
        "kbqa",
        "published",
        "downloads",
        "write_data",
        "parts",
        "grammar_generator cfq",
        "scenes_files",
        "scenes_questions kbqa_made",
        "scan cfq_generated covr_generated kbqa_generated scenes_generated generators",
        "catalogue",
        "kept_with_files",
    ),
    "datasets/files": (
        "context_cells field_path part_folder sidecar",
        "faults",
        "delimited columnar rows",
        "tables",
        "hub read_parts stream_table table_object",
    ),
    "datasets/downloads": (
        "originals samples sources",
        "conversions",
        "mirror present_files work_folder",
        "fetch_original",
        "convert_own download_files",
        "download_data",
    ),
    "datasets/downloads/conversions": (
        "covr own",
        "atis_lines fb15k237_triples geoquery_pairs identical json_items metaqa_facts overnight_lines paired_members "
        "qald_lines scan_split set_match_pairs spider_pairs",
        "known",
    ),
    "datasets/parts": (
        "end_with_parent made_lot part_file",
        "forked_lots kept_parts",
        "content_hash make_parts write_parts",
        "parts_generator",
    ),
    "datasets/cfq": ("counted lot_setting", "question_row", "lots"),
    "measures": (
        "divergence",
        "floors",
        "duplicates held_compounds held_out_verdict known length_bounds length_ratio near_duplicates never_tested "
        "no_structures patterns subqueries unseen_atoms wordings",
        "expected item_fields split_warnings stated_constraints",
        "levels phrases properties",
        "held_out kb_row measure_split",
        "check_split",
    ),
    "selection": (
        "entropy_kernels level_sizes selected",
        "select_coverage select_random select_structures select_templates subsample_rows",
        "select_examples subsample",
        "prompts",
    ),
    "splits": (
        "sizes splitter",
        "simple",
        "search",
        "hold_out",
        "methods",
        "made_to_be_hard",
        "make_split",
        "fitted_levels method_options",
    ),
    "models": (
        "check_settings device model_file out_of_memory parser task torch_task study_path",
        "exported_folder",
        "carried_cells",
        "family",
        "known",
        "load_parser settings_table",
        "seq2seq",
        "pretrained",
        "nqg",
        "exclusion",
        "pictures",
        "kbqa",
        "hybrid majority nearest",
    ),
    "models/kbqa": (
        "kbqa_settings",
        "arrays",
        "presets training_key claimed asked_query link_file mention_tagger sexpression_targets encoder_files",
        "linked_examples",
        "making",
        "nets",
        "inference training",
        "answered kept_training",
        "outputs run",
        "parser",
        "run_task store",
        "kbqa_family",
        "baselines transfer",
    ),
    "models/pictures": (
        "picture_settings",
        "arrays",
        "making",
        "picture_data study_folder",
        "seen_pictures",
        "nets",
        "training",
        "answering kept_stages",
        "parser run",
        "verifier checkpoints",
        "run_task store",
        "read_trained region_scores",
        "pictures_family",
    ),
    "models/pictures/verifier": (
        "simple_text candidate_pairs verifier_arrays verifier_quality verifier_program verifier_folder",
        "make_verifier_arrays train_verifier picture_verifier",
        "save_trained",
        "run",
    ),
    "models/pictures/checkpoints": (
        "image_layers load_checkpoint chat_net chat_sight lxmert_sight",
        "lxmert_net",
        "checkpoint_parser",
        "checkpoint_store",
    ),
    "models/kbqa/arrays": (
        "codes ragged schema_arrays",
        "form_columns tries",
        "build_trie question_arrays",
        "candidate_paths masked_words packed same_words",
        "array_file",
        "study_folder",
    ),
    "models/kbqa/outputs": (
        "relation_types namesakes",
        "in_type",
        "literal_types",
        "answer_check form_choice",
        "finished_forms",
    ),
    "models/kbqa/making": (
        "item_text making_counts near_question schema_codes",
        "candidate_codes gold_codes make_schema",
        "near_facts near_ontology",
        "question_maker",
        "make_arrays",
    ),
    "models/exclusion": (
        "name_pairs name_features pair_net name_encoder",
        "known_pairs pair_sources",
        "kind_model",
        "exclusion_model",
        "learn_exclusion",
    ),
    "models/nqg": (
        "nqg_options preset_text rule sql_tokens target_grammar grammar",
        "forest",
        "decoding",
        "induction",
        "scoring",
        "model store run run_task",
        "nqg_family",
    ),
    "models/seq2seq": (
        "dropout settings export presets",
        "noise",
        "kernels",
        "architectures",
        "decoding",
        "training",
        "parser run",
        "seq2seq_family",
    ),
    "models/pretrained": (
        "half_checkpoint local_checkpoint settings presets",
        "texts",
        "kinds",
        "tuner parser store",
        "pretrained_family",
        "run",
    ),
    "evaluation": (
        "predictions",
        "chat_outputs statistics",
        "match",
        "answers",
        "score",
        "answer_score pairs",
        "groups errors",
        "compare generalization",
        "difficulty",
    ),
    "evaluation/match": (
        "quick_sql exact_match form_setting",
        "set_match_names set_match_whole",
        "set_match_clauses",
        "set_match",
        "form_matchers matchers spider",
        "judge",
    ),
    "studies": ("tuning", "file", "cells", "running", "tables"),
    "annotation": ("tasks", "store", "campaign", "app", "exchange"),
    "annotation/exchange": (
        "agreement answer_rows examples item_rows items_of_data read_items response_rows store_place",
        "label_studio",
    ),
    "annotation/exchange/label_studio": ("labelling_config read_label_studio", "label_studio_tasks"),
    "annotation/app": (
        "address bracket_parts prose_blocks shown_tree static_files",
        "requests settings shown_parts",
        "asked_fields",
        "task_texts",
        "site",
        "views",
        "make_app",
        "serve",
    ),
    "annotation/app/requests": ("campaign_images cookie csrf rate_limit", "guard", "read_form"),
    "annotation/app/views": ("consent decide instructions join no_work pictures reconsider", "work"),
    "annotation/tasks": ("task", "flow", "check_answer judge read_flow"),
    "annotation/store": ("canonical engines schema", "log_entry", "turn", "writer", "store"),
    "annotation/campaign": (
        "records rules states",
        "items people",
        "settle",
        "reading",
        "work",
        "lead",
        "intake",
        "campaign",
    ),
    "pages": (
        "drawing",
        "splits",
        "difficulty",
        "parser",
        "scenes",
        "study",
        "cfq",
        "kbqa",
        "generalization",
        "kbqa_results",
    ),
    "workbench": (
        "results verb",
        "load",
        "given features",
        "in_parts on_cluster annotate_agreement annotate_backup annotate_export annotate_forget annotate_import "
        "annotate_new annotate_serve annotate_status annotate_workers "
        "cache_clear cache_info cfq_info cfq_page check compare demo difficulty download "
        "generalization_page generalization_score generate induce "
        "kb_answers kb_build kb_candidates kb_check kb_convert kb_info kb_link kb_match kb_query kb_table kb_tasks "
        "kb_world kbqa_info kbqa_page kbqa_results levels list measure parse predict prompt report rules_check sample "
        "scenes_hand_off scenes_exclusion scenes_info scenes_name_pairs scenes_page scenes_prompts score "
        "select show split study train "
        "warm_up",
    ),
    "cli": ("shared", "verbs", "app", "main"),
    "cli/verbs": ("data", "split", "explain", "judge", "models", "studies", "people"),
    "cli/verbs/data": ("cache cfq demo download generate kb kbqa list parse rules scenes show warm_up",),
}


def imported(text: str) -> set[str]:
    """The modules of the package that a module imports, as paths, wherever in it the import stands."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, "relative imports hide the room"
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return {name.removeprefix("recombine.").replace(".", "/") for name in names if name.startswith("recombine.")}


def wrong_imports(module: str, text: str) -> list[str]:
    """The imports of a module that point down, from room to room or within a room."""
    return [other for other in sorted(imported(text)) if points_down(module, other)]


def points_down(module: str, other: str) -> bool:
    """Whether an import of one path by another points down."""
    here, there = module.split("/"), other.split("/")
    if here[0] != there[0]:
        return ROOMS.index(there[0]) > ROOMS.index(here[0])
    for depth in range(1, min(len(here), len(there))):
        room = "/".join(here[:depth])
        if here[:depth] == there[:depth] and here[depth] != there[depth] and room in LAYERS:
            return layer(room, there[depth]) > layer(room, here[depth])
    return False


def layer(room: str, name: str) -> int:
    """The place of a sub-room or module in its room; names of a package itself stand above all."""
    return next((place for place, names in enumerate(LAYERS[room]) if name in names.split()), -1)


def module_path(path: Path) -> str:
    """The path of a module below the package, without its suffix."""
    return str(path.relative_to(PACKAGE).with_suffix("")).removesuffix("/__init__")


def children(folder: Path) -> set[str]:
    """The modules and sub-rooms of a folder."""
    names = {path.stem for path in folder.glob("*.py")} | {path.parent.name for path in folder.glob("*/__init__.py")}
    return names - {"__init__"}


def test_every_import_points_up() -> None:
    for path in sorted(PACKAGE.rglob("*.py")):
        if path != PACKAGE / "__init__.py":
            assert wrong_imports(module_path(path), path.read_text()) == [], path


@pytest.mark.parametrize(
    ("module", "text", "wrong"),
    [
        ("records/split", "from recombine.cli.main import run", ["cli/main/run"]),
        ("records/split", "def f():\n    from recombine import splits", ["splits"]),
        ("evaluation/match/judge", "from recombine.evaluation.score import score", ["evaluation/score/score"]),
        ("grammars/terms/rule", "import recombine.grammars.find_grammar", ["grammars/find_grammar"]),
        ("models/nqg/forest/chart", "from recombine.models.nqg.model import Nqg", ["models/nqg/model/Nqg"]),
        ("evaluation/errors/lengths", "from recombine.evaluation.match.judge import Verdict", []),
    ],
)
def test_an_import_that_points_down_is_found(module: str, text: str, wrong: list[str]) -> None:
    assert wrong_imports(module, text) == wrong


def test_every_room_is_listed() -> None:
    assert children(PACKAGE) == set(ROOMS)


@pytest.mark.parametrize("room", LAYERS)
def test_every_sub_room_is_listed_once(room: str) -> None:
    assert sorted(" ".join(LAYERS[room]).split()) == sorted(children(PACKAGE / room))


def test_rooms_with_sub_rooms_have_layers() -> None:
    rooms = {str(path.parent.parent.relative_to(PACKAGE)) for path in PACKAGE.glob("*/**/__init__.py")}
    assert rooms - {"."} <= LAYERS.keys()


# -- data sets are iterated ------------------------------------------------------------------------------------------

# What has an attribute `examples` and is no data set.
NO_DATA_SETS = ("self", "piece", "search", "length", "held.known", "result", "task")


def tuples_of_examples(text: str) -> list[str]:
    """Where code relies on a data set's examples being a tuple: it takes them out, or makes a data set of one."""
    found: list[str] = []
    if "examples" not in text and "Dataset" not in text:
        return found  # most files, which need not be parsed
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and node.attr == "examples" and ast.unparse(node.value) not in NO_DATA_SETS:
            found.append(ast.unparse(node))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("Dataset", "recombine.Dataset"):
            found.append(ast.unparse(node))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("replace", "dataclasses.replace"):
            found += [ast.unparse(node) for keyword in node.keywords if keyword.arg == "examples"]
    return found


def test_no_room_but_records_relies_on_a_tuple_of_examples() -> None:
    paths = [path for path in sorted(PACKAGE.rglob("*.py")) if not module_path(path).startswith("records/")]
    assert len(paths) > 300
    assert {module_path(path): found for path in paths if (found := tuples_of_examples(path.read_text()))} == {}


@pytest.mark.parametrize(
    "text",
    [
        "read(dataset.examples)",
        "load('scan').examples[:3]",
        "self.dataset.examples",
        "Dataset('x', tuple(examples))",
        "replace(dataset, name='y', examples=())",
    ],
)
def test_code_that_relies_on_a_tuple_is_found(text: str) -> None:
    assert len(tuples_of_examples(text)) == 1


def test_code_that_iterates_is_let_be() -> None:
    text = "Dataset.of('x', examples)\nfor example in dataset: pass\ndataset.restricted(ids)\nself.examples.items()"
    assert tuples_of_examples(text) == []


TOUR = Path(__file__).parents[1] / "docs" / "how_it_works.md"


def test_what_the_tour_says_where_is_there() -> None:
    table = TOUR.read_text().partition("### Where is …")[2].partition("\n##")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ") and "`" in line and "looking for" not in line]
    assert len(rows) >= 30
    for row in rows:
        paths = re.findall(r"`([a-z_]+/[A-Za-z_0-9./*]*|[a-z_]+\.py)`", row.split("|")[2])
        assert paths, row
        for path in paths:
            pattern = path.replace("VERB", "*")
            assert list(PACKAGE.glob(pattern)) or list(PACKAGE.parents[1].glob(pattern)), path


def test_two_files_at_most_are_touched_to_add_a_thing() -> None:
    table = TOUR.read_text().partition("### What to touch to add …")[2].partition("\n## ")[0]
    rows = [line.split("|")[1:4] for line in table.splitlines() if line.startswith("| ") and "`" in line]
    kinds = {kind.strip(): re.findall(r"`([a-z_]+/[A-Za-z_/*]+\.py)`", new + listed) for kind, new, listed in rows}
    wanted = {"language", "split method", "data set", "generator", "kind of structures", "measure", "metric", "model"}
    assert wanted | {"verb"} <= set(kinds)
    for kind, paths in kinds.items():
        assert len(paths) == 2, kind
        for path in paths:
            assert list(PACKAGE.glob(path.replace("VERB", "*").replace("NAME", "*"))), path


def test_the_walk_of_one_example_names_each_room_once() -> None:
    walk = TOUR.read_text().partition("## One example's walk")[2].partition("\n## ")[0]
    for room in set(ROOMS) - {"version", "max_unpacked", "json_lines", "seeds", "data_directory", "__main__"}:
        name = room if (PACKAGE / f"{room}.py").exists() else f"{room}/"
        assert walk.count(f"`{name}`") == 1, room
