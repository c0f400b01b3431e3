"""A campaign of GrailQA's kind with simulated workers over HTTP, from forms to paraphrases, and what must hold of it.

    python benchmarks/annotation_campaign.py               # 100 forms, 60 workers, SQLite; then with 6 coin-flippers
    python benchmarks/annotation_campaign.py --postgres    # the same on a Postgres of its own, with two servers
    python benchmarks/annotation_campaign.py --store postgresql://me@host/empty --servers 2
    python benchmarks/annotation_campaign.py --forms 10 --workers 20 --flippers 0

Workers join by their links and answer forms as a browser without scripts does (annotation_worker.py). Eight of them are
experts, who pass every form and write its question. A text that a worker writes says of itself whether it has the
meaning and whether it is fluent; six of seven are good in both. A judge reads that, and gets each field right with
probability .95, independently; a coin-flipper does not look. So a good text passes with .972, by the binomials: of 4
votes both thresholds need 3. What was decided is worked out anew by recompute_verdicts.py, which imports nothing of
ours. The figures are kept in results/annotation_campaign.json.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from annotation_worker import Form, Worker, first_listed, shown_texts, work_all
from own_postgres import free_port, own_postgres

HERE = Path(__file__).parent
RESULT = HERE / "results" / "annotation_campaign.json"
EXPERTS = 8
RIGHT = 0.95
KINDS = {"sound": (True, True), "wrong": (False, True), "clumsy": (True, False), "poor": (False, False)}
"""What a text says of itself: whether it has the meaning, and whether it is fluent."""
SHARES = (6 / 7, 1 / 21, 1 / 21, 1 / 21)
OPENINGS = ("I wonder", "Tell me", "Do you know", "Let me ask", "Could you say", "Please find out")
KIND = re.compile(r"\b(sound|wrong|clumsy|poor) (\d+)")


def recombine(*words: str) -> Any:
    """What a command prints with `--json`."""
    done = subprocess.run([sys.executable, "-m", "recombine", *words, "--json"], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"recombine {' '.join(words)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


class Person:
    """How a simulated worker answers."""

    def __init__(self, seed: int, *, flips: bool = False) -> None:
        self.random = random.Random(seed)  # noqa: S311
        self.flips = flips
        self.written = 0
        self.seed = seed

    def __call__(self, html: str, form: Form) -> Mapping[str, str | list[str]]:
        names = [*form.choices, *form.texts]
        fields = {name.rpartition(".")[2]: name for name in names}
        if "paraphrase" in fields:
            return {fields["paraphrase"]: self.text(shown_texts(html)[0])}
        if "same" in fields:
            return {fields[name]: said for name, said in self.judgement(html).items()}
        if "question" in fields:
            return {fields["question"]: first_listed(html)}
        return dict.fromkeys(form.choices, "yes")  # a form is passed, and the question of another expert too

    def text(self, question: str) -> str:
        """A text in other words, which says what it is like."""
        self.written += 1
        kind = self.random.choices(list(KINDS), SHARES)[0]
        opening = self.random.choice(OPENINGS)
        return f"{opening}, {kind} {self.seed * 1000 + self.written}: {question}"

    def judgement(self, html: str) -> dict[str, str]:
        """Whether a text has the meaning and is fluent, as this worker sees it."""
        truth = dict(zip(("same", "fluent"), KINDS[KIND.findall(" ".join(shown_texts(html)))[-1][0]], strict=True))
        if self.flips:
            return {field: self.random.choice(("yes", "no")) for field in truth}
        seen = {field: good == (self.random.random() < RIGHT) for field, good in truth.items()}
        return {field: "yes" if good else "no" for field, good in seen.items()}


def write_controls(path: Path) -> None:
    """Controls made by hand: good ones, and bad ones of each kind."""
    lines = []
    for number in range(48):
        kind = "sound" if number % 2 else ("wrong", "clumsy", "poor")[number // 2 % 3]
        question = f"which river flows through the town [{number}]?"
        answer = dict(zip(("same", "fluent"), ("yes" if good else "no" for good in KINDS[kind]), strict=True))
        show = {"canonical": question, "question": f"Say, {kind} {number}: {question}"}
        lines.append(json.dumps({"task": "check", "show": show, "answer": answer}))
    path.write_text("\n".join(lines) + "\n")


@contextmanager
def serving(store: str, port: int, *more: str) -> Iterator[subprocess.Popen[bytes]]:
    """A server of a campaign, which is killed at the end."""
    command = [sys.executable, "-m", "recombine", "annotate", "serve", store, "--port", str(port), "--quiet", *more]
    server = subprocess.Popen(command)
    try:
        wait_for(port, server)
        yield server
    finally:
        server.kill()
        server.wait()


def wait_for(port: int, server: subprocess.Popen[bytes], *, seconds: float = 60) -> None:
    """Wait until a server answers, whatever it says."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if server.poll() is not None:
            raise SystemExit(f"the server ended with {server.returncode}")
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5)
            return
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("the server does not answer")


def campaign(
    store: str, folder: Path, *, forms: int, workers: int, flippers: int, servers: int, seed: int
) -> dict[str, Any]:
    """Make a campaign, have it worked on to its end, and look at it."""
    controls = folder / "controls.jsonl"
    write_controls(controls)
    new = ["annotate", "new", store, "--flow", "grailqa", "--data", "grailqa", "--task", "form", "-n", str(forms)]
    recombine(*new, "--seed", str(seed), "--controls", str(controls))
    ports = [free_port() for _ in range(servers)]
    links = []
    for count, more in ((EXPERTS, ["--qualification", "expert"]), (workers - EXPERTS, [])):
        added = recombine("annotate", "workers", "add", store, "-n", str(count), *more)
        links += [(row["worker"], row["link"].rpartition("/")[2]) for row in added["workers"]]
    flips = {number for number in range(workers) if number >= workers - flippers}
    people = [
        Worker(f"http://127.0.0.1:{ports[number % servers]}/join/{token}", Person(seed + number, flips=number in flips))
        for number, (_, token) in enumerate(links)
    ]
    began = time.perf_counter()
    with ExitStack() as stack:
        for port in ports:
            stack.enter_context(serving(store, port))
        asyncio.run(work_all(people))
    seconds = time.perf_counter() - began
    found = looked_at(store, folder, {links[number][0] for number in flips}, workers)
    return {
        "forms": forms,
        "workers": workers,
        "flippers": flippers,
        "servers": servers,
        "seconds": round(seconds, 1),
        **found,
    }


def looked_at(store: str, folder: Path, flippers: set[str], workers: int) -> dict[str, Any]:
    """What came of a campaign."""
    responses, verdicts = folder / "responses.jsonl", folder / "verdicts.jsonl"
    recombine("annotate", "export", store, "--format", "responses", "-o", str(responses))
    recombine("annotate", "export", store, "--format", "verdicts", "-o", str(verdicts))
    again = subprocess.run(
        [sys.executable, str(HERE / "recompute_verdicts.py"), str(responses), str(verdicts)],
        capture_output=True,
        text=True,
    )
    status = recombine("annotate", "status", store, "--check")
    tasks = {task["task"]: task for task in status["tasks"]}
    rows = {row["worker"]: row for row in recombine("annotate", "workers", "list", store)["workers"]}
    paused = {worker for worker, row in rows.items() if row["state"] == "paused"}
    export = recombine("annotate", "export", store, "-o", str(folder / "examples.jsonl"))
    return {
        "answers": sum(task["answers"] for task in tasks.values()),
        "forms_by_state": tasks["paraphrase"]["states"],
        "checks_by_state": tasks["check"]["states"],
        "batches": tasks["check"]["batches"],
        "controls": tasks["check"]["controls"],
        "examples": export["count"],
        "good_texts": passed(responses, verdicts, folder / "examples.jsonl"),
        "recomputed": json.loads(again.stdout) if again.stdout else again.stderr,
        "verdicts_equal": again.returncode == 0,
        "log": status["log"],
        "differences": status["differences"],
        "flippers_paused": len(paused & flippers),
        "most_batches_of_a_flipper": most_batches(store, flippers),
        "others_paused": len(paused - flippers) / (workers - len(flippers)),
        "done": status["done"],
    }


def passed(responses: Path, verdicts: Path, examples: Path) -> dict[str, Any]:
    """How many sound texts were judged to their end, and the share of them that passed."""
    states = {row["item"]: row["state"] for row in map(json.loads, verdicts.read_text().splitlines())}
    texts: dict[str, str] = {}
    for row in map(json.loads, responses.read_text().splitlines()):
        if row["task"] == "paraphrase" and row["counted"]:
            texts[row["answer"]["paraphrase"]] = row["item"]
    sound = sum(" sound " in text for text in texts)
    accepted = [json.loads(line)["tags"]["bracketed"] for line in examples.read_text().splitlines()]
    good = sum(" sound " in text for text in accepted)
    done = sum(state in ("accepted", "rejected") for state in states.values())
    return {"texts": len(texts), "sound": sound, "passed": good, "share": round(good / sound, 4), "decided": done}


def most_batches(store: str, flippers: set[str]) -> int:
    """The most batches of checks that a coin-flipper got."""
    from recombine.annotation.campaign.campaign import Campaign
    from recombine.annotation.exchange.store_place import store_place

    with Campaign.open(store_place(store)) as opened:
        counts = Counter(batch.worker for batch in opened.batches() if batch.task == "check")
    return max((counts[worker] for worker in flippers), default=0)


def faults(found: dict[str, Any]) -> list[str]:
    """What should hold of a run and does not."""
    problems = []
    if set(found["forms_by_state"]) - {"complete", "exhausted"} and any(
        count for state, count in found["forms_by_state"].items() if state not in ("complete", "exhausted")
    ):
        problems.append(f"forms are left: {found['forms_by_state']}")
    if found["examples"] != 5 * found["forms_by_state"].get("complete", 0) and not found["forms_by_state"].get(
        "exhausted"
    ):
        problems.append(f"{found['examples']} texts of {found['forms_by_state']}")
    if not found["verdicts_equal"] or found["differences"] or not found["log"]["holds"]:
        problems.append("verdicts or the log do not hold")
    if (
        not found["flippers"]
        and found["good_texts"]["sound"] >= 400
        and abs(found["good_texts"]["share"] - 0.972) > 0.02
    ):
        problems.append(f"good texts pass at {found['good_texts']['share']}")
    if found["most_batches_of_a_flipper"] > 10 or found["others_paused"] > 0.02:
        problems.append("a coin-flipper got past 10 batches, or too many others are paused")
    return problems


def main() -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--store", help="an empty Postgres database; default: a SQLite file of its own")
    parser.add_argument("--postgres", action="store_true", help="start a Postgres of its own")
    parser.add_argument("--servers", type=int, help="how many server processes; default: 1, of Postgres 2")
    parser.add_argument("--forms", type=int, default=100)
    parser.add_argument("--workers", type=int, default=60)
    parser.add_argument("--flippers", type=int, help="coin-flippers among them; default: a run with 0, and one with 6")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help=f"write {RESULT.name}")
    given = parser.parse_args()
    runs = {}
    for flippers in (0, 6) if given.flippers is None else (given.flippers,):
        with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
            folder = Path(name)
            store = given.store or (
                stack.enter_context(own_postgres()) if given.postgres else str(folder / "store.sqlite")
            )
            servers = given.servers or (2 if "://" in store else 1)
            options = {"forms": given.forms, "workers": given.workers, "flippers": flippers, "servers": servers}
            found = campaign(store, folder, **options, seed=given.seed)
        kind = "postgres" if given.postgres or given.store else "sqlite"
        runs[f"{kind}, {flippers} coin-flippers"] = {**found, "faults": faults(found)}
        print(json.dumps(found, indent=2))
        print("holds" if not faults(found) else f"does not hold: {faults(found)}")
    if given.keep:
        kept = json.loads(RESULT.read_text()) if RESULT.exists() else {}
        RESULT.write_text(json.dumps(kept | runs, indent=2) + "\n")
    return int(any(run["faults"] for run in runs.values()))


if __name__ == "__main__":
    sys.exit(main())
