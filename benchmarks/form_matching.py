"""How fast logical forms are matched, and what becomes of 1,609 real predictions.

    python benchmarks/form_matching.py                      # rates, best of three, and the predictions
    python benchmarks/form_matching.py --predictions        # the predictions alone

Pairs are GrailQA's 1,300 published forms beside themselves or another, every entity in every form drawn anew, so that
no text was seen before. Rates are of CPU time, of one process: `strict` from text and between canonical forms
that are there already, `isomorphic` and `grailqa` from text. GrailQA's published scorer was measured at 475 pairs a
second. The result is kept in results/form_matching.json; exit code 1 where a rate is below what is wanted.
"""

from __future__ import annotations

import argparse
import gzip
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

from recombine.data_directory import data_file
from recombine.errors import ProgramError
from recombine.kb.forms.form import SExpression
from recombine.kb.matching.canonical_form import Canonical
from recombine.kb.matching.grailqa_forms import GrailqaForms
from recombine.kb.matching.isomorphic_forms import IsomorphicForms
from recombine.kb.ontology.default_ontology import default_ontology
from recombine.kb.profiles.find_profile import find_profile
from recombine.languages.sexpression import parse_sexpression

RESULT = Path(__file__).parent / "results" / "form_matching.json"
WANTED = {"strict_from_text": 20_000, "strict_canonical": 200_000}
"""The least pairs a second."""
PUBLISHED = 475
"""Pairs a second of the published scorer."""
REPEATS = 3
ENTITY = re.compile(r"\bm\.[0-9a-z_]+")
LETTERS = "0123456789bcdfghjklmnpqrstvwxyz_"


def published_forms() -> list[str]:
    """The S-expressions of GrailQA's items, and those of other data that are in its manner."""
    forms = []
    for name in ("items", "kg_sexpr"):
        with gzip.open(data_file(f"grailqa/{name}.jsonl.gz", "the benchmark")) as stream:
            forms += [orjson.loads(line)["s_expression"] for line in stream]
    return forms


def fresh_pairs(forms: list[str], number: int, seed: int) -> list[tuple[str, str]]:
    """Pairs of forms, half of them with the same form on both sides, whose entities were never there before."""
    chance = random.Random(seed)  # noqa: S311  # nothing secret
    pairs = []
    for place in range(number):
        one = forms[place % len(forms)]
        other = one if place % 2 else chance.choice(forms)
        names: dict[str, str] = {}

        def renamed(match: re.Match[str], names: dict[str, str] = names) -> str:
            return names.setdefault(match[0], "m.0" + "".join(chance.choices(LETTERS, k=8)))

        pairs.append((ENTITY.sub(renamed, one), ENTITY.sub(renamed, other)))
    return pairs


def rate(work: Callable[[list[Any]], int], make: Callable[[int], list[Any]]) -> dict[str, float]:
    """Pairs a second of CPU time, the best of some runs on pairs of their own, and the share that matched."""
    best, share = 0.0, 0.0
    for run in range(REPEATS):
        pairs = make(run)
        began = time.process_time()
        matched = work(pairs)
        best, share = max(best, len(pairs) / (time.process_time() - began)), matched / len(pairs)
    return {"pairs_a_second": round(best), "matched": round(share, 3)}


def measure_rates() -> dict[str, Any]:
    """The rate of each way of matching."""
    ontology, profile = default_ontology(), find_profile("freebase")
    if ontology is None:
        sys.exit("the data directory has no ontology")
    forms = published_forms()
    canonical, isomorphic = Canonical(ontology, profile), IsomorphicForms(profile)
    scorer = GrailqaForms(ontology, profile)

    def by_graph(text: str) -> str:
        return isomorphic.text(SExpression(parse_sexpression(text)))

    def from_text(read: Callable[[str], Any]) -> Callable[[list[Any]], int]:
        return lambda pairs: sum(read(one) == read(other) for one, other in pairs)

    def read_pairs(run: int) -> list[Any]:
        pairs = fresh_pairs(forms, 26_000, run)
        return [(canonical.of_text(one), canonical.of_text(other)) for one, other in pairs] * 10

    return {
        "strict_from_text": rate(from_text(canonical.of_text), lambda run: fresh_pairs(forms, 26_000, run)),
        "strict_canonical": rate(lambda pairs: sum(one == other for one, other in pairs), read_pairs),
        "isomorphic": rate(from_text(by_graph), lambda run: fresh_pairs(forms, 5_200, run)),
        "grailqa": rate(from_text(scorer.text), lambda run: fresh_pairs(forms, 5_200, run)),
    }


def read_predictions() -> dict[str, Any]:
    """How many of the predictions for WebQSP are read, why others are not, and which names are not known."""
    canonical = Canonical(default_ontology(), find_profile("freebase"))
    path = data_file("grailqa/webqsp_rng_predictions.json.gz", "the benchmark")
    predictions = [each["logical_form"] for each in orjson.loads(gzip.decompress(path.read_bytes())).values()]
    reasons: Counter[str] = Counter()
    unknown: Counter[str] = Counter()
    with_unknown = 0
    for text in predictions:
        try:
            canonical.of_text(text)
        except ProgramError as error:
            reasons[error.problem] += 1
            continue
        names = canonical.unknown_names(SExpression(parse_sexpression(text)))
        unknown.update(names)
        with_unknown += bool(names)
    return {
        "predictions": len(predictions),
        "read": len(predictions) - reasons.total(),
        "malformed": dict(reasons),
        "with_unknown_names": with_unknown,
        "unknown_names": dict(sorted(unknown.items(), key=lambda pair: (-pair[1], pair[0]))),
    }


def main() -> int:
    """Measure, print, and keep the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--predictions", action="store_true", help="the predictions alone; nothing is kept")
    chosen = parser.parse_args()
    predictions = read_predictions()
    print(f"{predictions['read']:,} of {predictions['predictions']:,} predictions read, "
          f"{sum(predictions['malformed'].values()):,} malformed; {predictions['with_unknown_names']:,} with "
          f"{len(predictions['unknown_names']):,} names that the ontology does not have")  # fmt: skip
    for text in [*predictions["malformed"], *list(predictions["unknown_names"])[:5]]:
        print(f"    {text}")
    if chosen.predictions:
        return 0
    rates = measure_rates()
    for name, values in rates.items():
        wanted = f", wanted {WANTED[name]:,}" if name in WANTED else ""
        times = f", {values['pairs_a_second'] / PUBLISHED:.0f} times the published one" if name == "grailqa" else ""
        print(f"{name:<18}{values['pairs_a_second']:>12,} pairs/s, {values['matched']:.1%} matched{wanted}{times}")
    RESULT.write_bytes(orjson.dumps({"rates": rates, "predictions": predictions}, option=orjson.OPT_INDENT_2) + b"\n")
    return int(any(rates[name]["pairs_a_second"] < least for name, least in WANTED.items()))


if __name__ == "__main__":
    sys.exit(main())
