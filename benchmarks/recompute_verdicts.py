"""What was decided in a campaign, worked out anew from its exported answers; imports nothing of Recombine.

    recombine annotate export STORE --format responses -o responses.jsonl
    recombine annotate export STORE --format verdicts -o verdicts.jsonl
    python benchmarks/recompute_verdicts.py responses.jsonl verdicts.jsonl

The rules are those of GrailQA (section 3.1) as the flow `grailqa` has them, written down here once more: of the counted
votes on a check at least 75 % say `same`, and at least 60 % say `fluent`; a batch whose control is answered wrong, and
wrong again when it is reconsidered, does not count; of answers to an item in a batch the last one counts; a paraphrase
is wanted until 5 are valid, 12 times at most. Of what the answers say of themselves, only that one came late, that its
batch came to no end, or that it still waits, is taken from them: that depends on the time. Exit code 0 where nothing
differs, 1 else.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

VOTED = {
    "check": {"same": ("yes", Fraction(3, 4)), "fluent": ("yes", Fraction(3, 5))},
    "canonical_check": {"faithful": ("yes", Fraction(1)), "fluent": ("yes", Fraction(1))},
    "form": {"asked": ("yes", Fraction(1))},
}
"""What the votes on an item must say, by field, and the share that must."""
SLOTS = {"check": 4, "canonical_check": 1, "form": 1}
MADE = {"paraphrase": ("check", 5, 12), "canonical": ("canonical_check", 1, 3)}
"""What judges a thing that is made, how many are to be valid, and how often it is tried at most."""
BY_TIME = ("late", "expired", "pending", "given_back")

Row = dict[str, Any]


def read(path: str) -> list[Row]:
    """The lines of a file."""
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def counted(rows: list[Row]) -> list[bool]:
    """Whether each answer counts."""
    last: dict[tuple[str, str], int] = {}
    controls: defaultdict[str, list[bool]] = defaultdict(list)
    with_control = {row["batch"] for row in rows if row["control"]}
    for place, row in enumerate(rows):
        if row["reason"] in BY_TIME:
            continue
        last[row["batch"], row["item"]] = place
        if row["control"]:
            controls[row["batch"]].append(all(row["answer"][name] == want for name, want in row["expected"].items()))
    good = {batch for batch, said in controls.items() if said[-1]}
    return [
        row["reason"] not in BY_TIME
        and not row["control"]
        and last[row["batch"], row["item"]] == place
        and (row["batch"] in good or row["batch"] not in with_control)
        for place, row in enumerate(rows)
    ]


def voted(rows: list[Row], counts: list[bool]) -> dict[str, tuple[str, dict[str, float]]]:
    """The state of every item that has its votes, and its shares."""
    answers: defaultdict[tuple[str, str], list[Row]] = defaultdict(list)
    for row, counts_ in zip(rows, counts, strict=True):
        if counts_ and row["task"] in VOTED:
            answers[row["task"], row["item"]].append(row["answer"])
    states = {}
    for (task, item), given in answers.items():
        if len(given) < SLOTS[task]:
            continue
        shares = {
            field: Fraction(sum(each[field] == wanted for each in given), len(given))
            for field, (wanted, _) in VOTED[task].items()
        }
        good = all(shares[field] >= least for field, (_, least) in VOTED[task].items())
        states[item] = ("accepted" if good else "rejected", {field: float(share) for field, share in shares.items()})
    return states


def made(rows: list[Row], counts: list[bool], decided: dict[str, tuple[str, dict[str, float]]]) -> dict[str, str]:
    """The state of every item for which something is made, where it is at its end."""
    tried: Counter[tuple[str, str]] = Counter()
    for row, counts_ in zip(rows, counts, strict=True):
        if counts_ and row["task"] in MADE:
            tried[row["task"], row["item"]] += 1
    valid: Counter[str] = Counter()
    open_checks: Counter[str] = Counter()
    judged = {row["item"]: row["parent"] for row in rows if row["task"] in SLOTS}
    for item, parent in judged.items():
        if item in decided:
            valid[parent] += decided[item][0] == "accepted"
        else:
            open_checks[parent] += 1
    states = {}
    for (task, item), attempts in tried.items():
        _, wanted, most = MADE[task]
        if valid[item] >= wanted:
            states[item] = "complete" if valid[item] == wanted else f"beyond {wanted} valid ones"
        elif attempts >= most and not open_checks[item]:
            states[item] = "exhausted"
    return states


def broken_rules(rows: list[Row], counts: list[bool]) -> list[str]:
    """Answers that should not be there."""
    problems = []
    seen: dict[tuple[str, str], str] = {}
    votes: Counter[str] = Counter()
    for row, counts_ in zip(rows, counts, strict=True):
        if row["task"] in VOTED and row["author"] and row["author"] == row["worker"]:
            problems.append(f"{row['worker']} judged an own text, {row['item']}")
        if row["reason"] in ("expired", "late", "given_back"):
            continue
        before = seen.setdefault((row["worker"], row["item"]), row["batch"])
        if before != row["batch"]:
            problems.append(f"{row['worker']} had {row['item']} twice")
        if counts_:
            votes[row["item"]] += 1
            most = SLOTS.get(row["task"], MADE.get(row["task"], ("", 0, 12))[2])
            if votes[row["item"]] == most + 1:
                problems.append(f"{row['item']} has more than {most} answers")
    return problems


def main(responses: str, verdicts: str) -> int:
    """Compare, and say what differs."""
    rows, stored = read(responses), {row["item"]: row for row in read(verdicts)}
    counts = counted(rows)
    problems = broken_rules(rows, counts)
    for row, counts_ in zip(rows, counts, strict=True):
        if bool(row["counted"]) != counts_:
            problems.append(f"the answer of {row['worker']} to {row['item']} counts: {counts_}, not {row['counted']}")
    decided = voted(rows, counts)
    states = {item: state for item, (state, _) in decided.items()} | made(rows, counts, decided)
    by_hand = {item for item, row in stored.items() if row["by"]}
    for item in sorted({*states, *stored} - by_hand):
        said = stored[item]["state"] if item in stored else "nothing"
        if said != states.get(item, "nothing"):
            problems.append(f"{item} is {states.get(item, 'nothing')}, stored {said}")
        elif item in decided and stored[item]["shares"] != decided[item][1]:
            problems.append(f"the shares of {item} are {decided[item][1]}, stored {stored[item]['shares']}")
    count = Counter(states.values())
    print(json.dumps({"responses": len(rows), "counted": sum(counts), "states": count, "problems": problems[:20]}))
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
