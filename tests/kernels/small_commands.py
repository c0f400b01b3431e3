"""Commands on small data that together call every kernel, and what kernels they ask for.

Run as a program it prints the kernels with the types of their arguments. It has to be a process of its own: what is in
memory is not asked for again.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

KINDS, PLACES = ("city", "river", "state", "lake"), ("loc_2", "next_to_2", "traverse_2")
PAIRS = [(f"{k} {p}", f"answer ( intersection ( {k} , {p} ( m0 ) ) )") for k in KINDS for p in PLACES]
PAIRS += [(f"{f} {k}", f"answer ( {f} ( {k} ) )") for f in ("largest", "count") for k in KINDS]


def recorded_signatures(folder: Path, **variables: str) -> dict[str, list[Any]]:
    """The kernels that the commands ask for, by `module:name`, each with its signatures."""
    folder.mkdir(exist_ok=True)
    command, env = [sys.executable, "-W", "ignore", __file__], {**os.environ, **variables}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    signatures: dict[str, list[Any]] = json.loads(done.stdout)
    return signatures


def run_commands() -> None:
    """Every verb that has kernels."""
    import recombine
    from recombine.grammars.synchronous.draw_many import iter_many
    from recombine.grammars.synchronous.notation import packaged_synchronous
    from recombine.measures.near_duplicates.near_duplicates import near_duplicates

    data = recombine.load(PAIRS, language="funql")
    recombine.split(data, by="tmcd", test=5, effort=0.01, seed=1)
    recombine.split(data, by="tmcd", test=5, published=True, seed=1)
    scan = recombine.generate("scan", n=600, seed=1).dataset
    split = recombine.split(scan, by="mcd", test=30, effort=0.001, seed=1)
    recombine.split(scan, by="mcd", test=30, effort=1e-6, seed=1)  # too few moves to go by moves alone
    recombine.split(scan, by="mcd", test=30, published=True, seed=1)
    recombine.measure(scan, split, structures="cfq-weighted", near_duplicates=0.8)
    near_duplicates(scan.part(range(50)), scan.part(range(50, 60)), exact=False)  # as `measure` does with many more
    recombine.sample(scan, n=40, structures="dag:2-2,presence", seed=1)
    next(iter_many(packaged_synchronous("covr"), 10, seed=1))  # `generate` comes to it with many more
    recombine.generate("cfq", n=3, seed=1, grounding=False, max_level=12)  # reads the rules, and makes nothing yet
    covr = recombine.generate("covr", n=60, seed=1).dataset
    recombine.difficulty(covr, recombine.split(covr, by="random", test=10, seed=1))
    chosen = recombine.split(data, by="random", test=5, seed=1)
    for order in (2, 3, 4):
        recombine.difficulty(data, chosen, order=order)
    recombine.select(data, k=3, split=chosen)
    recombine.induce(scan, split, restarts=1)
    parser = recombine.train(data, chosen, restarts=1, steps=5)
    parser.write("parser")
    recombine.predict("parser", data, chosen)
    ask_a_knowledge_base()
    list_candidates()
    ground_questions()
    ground_templates()
    compare_wordings()


def ask_a_knowledge_base() -> None:
    """All that an index is asked, by commands and by functions."""
    import numpy as np

    import recombine
    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.store import Step
    from recombine.kb.term import Term

    xsd = "http://www.w3.org/2001/XMLSchema#"
    lines = [f'<http://example.org/e{n}> <http://example.org/p> "{n}"^^<{xsd}integer> .' for n in range(3)]
    lines += [f"<http://example.org/e{n}> <http://example.org/q> <http://example.org/e{n + 1}> ." for n in range(3)]
    lines.append(f'<http://example.org/e0> <http://example.org/d> "1999-01-01"^^<{xsd}date> .')
    kind = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    lines += [f"<http://example.org/e{n}> {kind} <http://example.org/C> ." for n in range(9)]
    Path("facts.nt").write_text("\n".join(lines) + "\n")
    recombine.kb_build("facts.nt", "index")
    for form in ("(AND C (JOIN q e1))", "(AND C (lt p 2))", "(COUNT (gt (JOIN q p) 0))", "(ARGMAX (JOIN (R q) C) p)"):
        recombine.kb_query("index", form=form)
    for form in ("(AND (ge p 0) (JOIN p 1))", "(JOIN (R p) (AND C (le d 2001-01-01)))", "(ARGMIN (AND C e1) p)"):
        recombine.kb_query("index", form=form)
    Path("facts.tsv").write_text("".join(f"a{n}\tp\tb{n}\n" for n in range(9000)))  # more than fit at first
    recombine.kb_build("facts.tsv", "tables")
    recombine.kb_info("index")
    recombine.kb_query("index", from_="e0", path="q / ^q")
    store, name, one = EmbeddedStore.open("index"), Term.name, Term.literal("1", datatype=xsd + "integer")
    store.near(name("e"))
    store.follow([name("e0"), name("e1")], [Step(name("q"))])
    store.paths(name("e0"), name("e2"))
    for given in ((name("e0"), None, name("e1")), (name("e0"), name("q"), name("e1")), (name("e0"),)):
        store.count(*given)
    value, step = (np.array([store.id(name(each))], np.int64) for each in "pq")
    some = store.along(int(step[0]))
    store.follow_many(some, step)
    store.intersection(some, store.compare(value, "<", one))
    store.compare(value, "<", one, among=some)
    store.argmax(value)


def list_candidates() -> None:
    """The candidates and the words of a question over the index that stands from before."""
    import recombine

    recombine.kb_candidates("index", entity=["e0", '"1"^^xsd:integer'], beyond=["classes", "superlatives"])
    recombine.kb_candidates("index", entity="e0", vocabulary=True)


def ground_questions() -> None:
    """Questions of a few shapes over a few facts: a circle, pairs of two relations at once, and answers."""
    import numpy as np

    import recombine
    from recombine.grammars.unification.generation.made_question import MadeQuestion
    from recombine.grammars.unification.queries.query_text import QueryText
    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.grounding.grounder import Grounder

    label, stem = "<http://www.w3.org/2000/01/rdf-schema#label>", "<http://example.org/"
    lines = [f'{stem}e{n}> {label} "name {n}" .' for n in range(6)]
    lines += [f"{stem}e{n}> {stem}{r}> {stem}e{m}> ." for n in range(6) for m in range(6) for r in "pq" if (n + m) % 5]
    Path("named.nt").write_text("\n".join(lines) + "\n")
    recombine.kb_build("named.nt", "named")
    grounder = Grounder(EmbeddedStore.open("named"))
    circle = [[f"M{n}", "p", f"M{m}"] for n in range(5) for m in range(n)]  # five of six that are all joined: a search
    for head, clauses in (
        ("SELECT count(*) WHERE", [["M0", "p", "M1"], ["M0", "q", "M1"]]),
        ("SELECT count(*) WHERE", circle),
        ("SELECT DISTINCT ?x0 WHERE", [["?x0", "p", "M0"], ["?x0", "q", "?x1"], ["?x1", "p", "M1"]]),
    ):
        question = MadeQuestion("", QueryText(head, clauses), "", "", {})
        grounder.ground(question, np.random.default_rng(1))


def ground_templates() -> None:
    """Templates with and without functions over a few facts."""
    import numpy as np

    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.templates.ground import Grounder
    from recombine.kb.templates.template import TEMPLATE_FUNCTIONS
    from recombine.kb.templates.template_space import TemplateSpace

    rng, space = np.random.default_rng(1), TemplateSpace(EmbeddedStore.open("index"))
    grounder = Grounder(space.store, table=space.table)
    for relations in (1, 2, 3):
        for function in TEMPLATE_FUNCTIONS:
            template = space.draw(rng, relations, function)
            if template is not None:
                grounder.ground(template, rng, 3)


def compare_wordings() -> None:
    """Questions of one form in three wordings."""
    import recombine

    texts = ("who made Jaws", "by whom is Jaws", "Jaws is by which person")
    rows = [(text, "(AND film.film (JOIN film.film.directed_by m.01))") for text in texts]
    recombine.kbqa_info(recombine.load(rows, language="sexpression"))


def record() -> dict[str, list[Any]]:
    """Run the commands and note what they ask of the cache; where all is there, kernels ask nothing of each other."""
    from recombine.kernels.kernel import Kernel
    from recombine.kernels.signatures import describe_type

    run_commands()
    loaded = [vars(module) for name, module in sorted(sys.modules.items()) if name.startswith("recombine.")]
    kernels = {id(each): each for names in loaded for each in names.values() if isinstance(each, Kernel)}
    asked: dict[str, list[Any]] = {}
    for kernel in kernels.values():
        if "compiled" in vars(kernel):
            stats = kernel.compiled.stats
            name = f"{kernel.py_func.__module__}:{kernel.py_func.__qualname__}"
            asked[name] = [
                [describe_type(each) for each in types] for types in {**stats.cache_hits, **stats.cache_misses}
            ]
    return {name: signatures for name, signatures in asked.items() if signatures}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.stdout.write(json.dumps(record()))
