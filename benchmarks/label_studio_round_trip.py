"""A round trip with the real Label Studio: open items out, labelled there by two people, and back under our rules.

    python benchmarks/label_studio_round_trip.py                                  # installs it in a folder of its own
    python benchmarks/label_studio_round_trip.py --program VENV/bin/label-studio  # one that is there

Label Studio 1.23.2 is 159 packages and 1 GB, and its first start takes some minutes. It is not among our dependencies.
Questions of `covr/text` go out with their labelling configuration, a person paraphrases them in Label Studio, its JSON
export comes back, and the texts go out once more to be checked by another. One text is a copy of its question, and one
judgement is of the author's own text: both are left out, counted and named. Taking in twice changes nothing. The
result is kept in results/label_studio_round_trip.json.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from annotation_campaign import recombine
from own_postgres import free_port

VERSION = "1.23.2"
RESULT = Path(__file__).parent / "results" / "label_studio_round_trip.json"
TOKEN = "0123456789abcdef0123456789abcdef01234567"
PASSWORD = "a password of nobody"
ITEMS = 4


def installed(folder: Path) -> Path:
    """Label Studio in an environment of its own."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    subprocess.run([str(folder / "bin" / "pip"), "install", "--quiet", f"label-studio=={VERSION}"], check=True)
    return folder / "bin" / "label-studio"


@contextmanager
def serving(program: Path, folder: Path) -> Iterator[str]:
    """Its address, for as long as the block lasts."""
    port = free_port()
    words = ["start", "--no-browser", "--port", str(port), "--data-dir", str(folder)]
    words += ["--username", "first@example.org", "--password", PASSWORD, "--user-token", TOKEN]
    own = {"LABEL_STUDIO_BASE_DATA_DIR": str(folder), "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true"}
    own |= {"COLLECT_ANALYTICS": "0", "LABEL_STUDIO_DISABLE_SIGNUP_WITHOUT_LINK": "false"}
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen([str(program), *words], env={**os.environ, **own}, stdout=log, stderr=log, cwd=folder)
        try:
            yield _ready(f"http://127.0.0.1:{port}", server)
        finally:
            server.terminate()
            server.wait()


def _ready(url: str, server: subprocess.Popen[bytes], *, seconds: float = 540) -> str:
    until = time.monotonic() + seconds
    while time.monotonic() < until and server.poll() is None:
        try:
            if httpx.get(f"{url}/api/version", timeout=5).status_code == 200:
                return url
        except httpx.TransportError:
            pass
        time.sleep(1)
    raise SystemExit("Label Studio does not answer")


def second_person(url: str) -> httpx.Client:
    """Another person, who signs up and has a session."""
    client = httpx.Client(base_url=url, timeout=60)
    page = client.get("/user/signup")
    csrf = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
    assert csrf is not None
    email = f"second-{int(time.time())}@example.org"
    values = {"csrfmiddlewaretoken": csrf.group(1), "email": email, "password": PASSWORD}
    done = client.post("/user/signup", data=values, headers={"Referer": f"{url}/user/signup"})
    assert done.status_code in (200, 302), done.text[:500]
    client.headers.update({"X-CSRFToken": client.cookies["csrftoken"], "Referer": url})
    return client


def labelled(lead: httpx.Client, files: Path, task: str, label: Any) -> list[dict[str, Any]]:
    """Make a project of our files, let `label` answer each of its tasks, and export it."""
    config = (files / f"{task}.xml").read_text()
    project = _sent(lead, "/api/projects", {"title": task, "label_config": config})["id"]
    _sent(lead, f"/api/projects/{project}/import", json.loads((files / f"{task}.json").read_text()))
    rows = _sent(lead, f"/api/tasks?project={project}&page_size=100&fields=all")
    tasks = rows["tasks"] if isinstance(rows, dict) else rows
    for number, row in enumerate(sorted(tasks, key=lambda each: each["id"])):
        label(number, row)
    exported: list[dict[str, Any]] = _sent(lead, f"/api/projects/{project}/export?exportType=JSON")
    return exported


def _sent(client: httpx.Client, path: str, value: Any = None) -> Any:
    done = client.get(path) if value is None else client.post(path, json=value)
    if done.status_code >= 400:
        raise SystemExit(f"{path}: {done.status_code} {done.text[:500]}")
    return done.json()


def annotate(client: httpx.Client, task: int, results: list[dict[str, Any]]) -> None:
    """Send an annotation, as the page of Label Studio does."""
    _sent(client, f"/api/tasks/{task}/annotations/", {"result": results, "lead_time": 7.5})


def text(name: str, about: str, value: str) -> dict[str, Any]:
    """The result of a field of text."""
    return {"from_name": name, "to_name": about, "type": "textarea", "value": {"text": [value]}}


def choice(name: str, about: str, value: str) -> dict[str, Any]:
    """The result of a choice."""
    return {"from_name": name, "to_name": about, "type": "choices", "value": {"choices": [value]}}


def round_trip(url: str, folder: Path) -> dict[str, Any]:
    """Out, labelled, back; and once more for the check."""
    store = str(folder / "covr.sqlite")
    new = ["annotate", "new", store, "--flow", "covr", "--data", "covr/text", "-n", str(ITEMS), "--seed", "1"]
    recombine(*new, "--set", "check.workers=1")
    lead = httpx.Client(base_url=url, headers={"Authorization": f"Token {TOKEN}"}, timeout=60)
    second = second_person(url)

    def paraphrase(number: int, row: dict[str, Any]) -> None:
        question = row["data"]["show_question"]
        said = question if number == 0 else f"Could you tell me {question}"
        annotate(lead, row["id"], [text("paraphrase", "show_question", said)])

    recombine("annotate", "export", store, "--format", "label-studio", "-o", str(folder / "out"))
    back = folder / "paraphrase.json"
    back.write_text(json.dumps(labelled(lead, folder / "out", "paraphrase", paraphrase)))
    first = recombine("annotate", "import", store, str(back), "--format", "label-studio")
    again = recombine("annotate", "import", store, str(back), "--format", "label-studio")

    def check(number: int, row: dict[str, Any]) -> None:
        results = [choice(name, "show_canonical", "yes") for name in ("same", "fluent")]
        annotate(lead if number == 0 else second, row["id"], results)

    recombine("annotate", "export", store, "--format", "label-studio", "-o", str(folder / "checks"))
    judged = folder / "check.json"
    judged.write_text(json.dumps(labelled(lead, folder / "checks", "check", check)))
    checks = recombine("annotate", "import", store, str(judged), "--format", "label-studio")
    examples = recombine("annotate", "export", store, "-o", str(folder / "examples.jsonl"))
    status = recombine("annotate", "status", store, "--check")
    return {
        "label_studio": httpx.get(f"{url}/api/version").json()["release"],
        "paraphrases": first,
        "again": again,
        "checks": checks,
        "examples": examples["count"],
        "log_holds": status["log"]["holds"],
    }


def faults(found: dict[str, Any]) -> list[str]:
    """What does not hold."""
    wanted = {
        "paraphrases": (ITEMS - 1, 0, {"copy_of_shown": 1}),
        "again": (0, ITEMS - 1, {"copy_of_shown": 1}),
        "checks": (ITEMS - 2, 0, {"own_text": 1}),
    }
    problems = [
        name
        for name, values in wanted.items()
        if (found[name]["added"], found[name]["repeated"], found[name]["broken"]) != values
    ]
    return problems + ["examples"] * (found["examples"] != ITEMS - 2) + ["log"] * (not found["log_holds"])


def main() -> int:
    """Run the round trip, and say whether it holds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, help="the label-studio to use; default: one is installed")
    parser.add_argument("--keep", action="store_true", help=f"write {RESULT.name}")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = given.program or installed(folder / "venv")
        (folder / "data").mkdir()
        began = time.perf_counter()
        with serving(program, folder / "data") as url:
            started = time.perf_counter() - began
            found = {**round_trip(url, folder), "start_seconds": round(started)}
    for each in (found["paraphrases"], found["again"], found["checks"]):
        each["from"] = Path(each["from"]).name
    print(json.dumps(found, indent=2))
    print("holds" if not faults(found) else f"does not hold: {faults(found)}")
    if given.keep:
        RESULT.write_text(json.dumps(found, indent=2) + "\n")
    return int(bool(faults(found)))


if __name__ == "__main__":
    sys.exit(main())
