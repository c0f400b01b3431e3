"""Milliseconds per replica-step: many models trained together against one at a time, on an exported folder.

    python benchmarks/replicas.py check FOLDER              fused kernels and whole steps against plain torch on the CPU
    python benchmarks/replicas.py choose FOLDER             the kernels that are right and fastest for a model
    python benchmarks/replicas.py speed FOLDER [options]    the table; --replicas 1,5,15,45 --loops plain,compile,…
    python benchmarks/replicas.py equal FOLDER [options]    accuracy after equal steps, stack and loops
    python benchmarks/replicas.py kernels FOLDER            the stack with each fused kernel left out
    python benchmarks/replicas.py profile FOLDER            where the time of a step goes

`speed` and `equal` compare like with like: precision (bf16 products, 32-bit weights), batches, padding and data are the
same for all, seeds 0, 1, … on one split; `replica_loops` says what the loops are. Sections may be joined with commas;
a loop that `speed` has begun goes on in `equal`. Rows are also written to --out as JSON, each as soon as it is there.
"""

from __future__ import annotations

import argparse
import json
import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch

from recombine.models.seq2seq import kernels
from recombine.models.seq2seq.export import Study, read_study
from recombine.models.seq2seq.settings import Seq2SeqSettings
from recombine.models.seq2seq.training.train import Replica, Stack
from replica_checks import CANDIDATES, iter_checks
from replica_loops import Batches, Runner, StackRunner, make_runner


class Table:
    """Rows by section, printed and written as they come."""

    def __init__(self, notes: dict[str, Any], out: Path | None) -> None:
        self.notes, self.out = notes, out
        self.rows: dict[str, list[dict[str, Any]]] = {}

    def begin(self, section: str) -> None:
        print(f"== {section} {self.notes['model']}", flush=True)
        self._section = self.rows.setdefault(section, [])

    def add(self, name: str, work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Do one row; an error is a row too, so that one call shows as much as can be."""
        try:
            row = {"name": name, **work()}
        except Exception as error:  # the table must go on
            row = {"name": name, "error": f"{type(error).__name__}: {str(error)[:400]}"}
            traceback.print_exc(limit=-4)
        if torch.cuda.is_available():
            torch.cuda.empty_cache()
        self._section.append(row)
        print(" ".join(f"{k}={v:.4g}" if isinstance(v, float) else f"{k}={v}" for k, v in row.items()), flush=True)
        if self.out:
            self.out.write_text(json.dumps({**self.notes, "rows": self.rows}, indent=1) + "\n")
        return row


def make_stack(study: Study, settings: Seq2SeqSettings, count: int, *, split: str = "", **options: Any) -> Stack:
    """A stack of this many replicas: seeds 0, 1, … on one split, or over all splits in turn."""
    splits = [split] if split else list(study.splits)
    replicas = [Replica(f"{i}", study.splits[splits[i % len(splits)]]["train"], i) for i in range(count)]
    return Stack(settings, replicas, study.source, study.target, len(study.vocabulary), **options)


def paced(runner: Runner, steps: int, warm: int) -> float:
    """Milliseconds of one step, the best of three stretches."""
    times: list[float] = []

    def note(_: int) -> bool:
        if torch.cuda.is_available():
            torch.cuda.synchronize()
        times.append(time.perf_counter())
        return True

    runner.run([runner.step + warm + steps * i for i in range(4)], note)
    return 1000 * min(b - a for a, b in pairwise(times)) / steps


def time_stack(study: Study, settings: Seq2SeqSettings, count: int, steps: int, **options: Any) -> float:
    """Milliseconds of one step of a stack."""
    return paced(StackRunner(make_stack(study, settings, count, **options)), steps, 2 * settings.buckets)


# -- sections ---------------------------------------------------------------------------------------------------------


def check(study: Study, options: Any, table: Table) -> None:
    """Kernels against plain torch, then whole steps on the GPU against the CPU."""
    for name, settings in study.models.items():
        if not options.model or options.model == name:
            for kernel, label, work in iter_checks(settings):
                table.add(f"{kernel} {label}", work)
            table.add(f"steps {name}", lambda settings=settings: check_steps(study, settings))


def choose(study: Study, options: Any, table: Table) -> None:
    """The kernels to train a model with: those that are right, and of these the fastest set; says what to leave out."""
    settings = study.models[options.model]
    count, began, every = int(options.replicas.split(",")[0]), time.perf_counter(), set(kernels.ENABLED)
    wrong = set()
    for kernel, label, work in iter_checks(settings):
        if not table.add(f"{kernel} {label}", work).get("ok"):
            wrong.add(kernel)
    best: tuple[float, str] | None = None
    for left_out in CANDIDATES[settings.architecture]:
        late = best is not None and time.perf_counter() - began > options.seconds
        if late or not left_out <= every or (left_out and left_out <= wrong):
            continue
        kernels.ENABLED.clear()
        kernels.ENABLED.update(every - wrong - left_out)
        name = ",".join(sorted(wrong | left_out))
        if not table.add(f"steps without [{name}]", lambda: check_steps(study, settings)).get("ok"):
            continue
        row = table.add(
            f"speed without [{name}]",
            lambda: {"ms": time_stack(study, settings, count, options.steps, device="cuda")},
        )
        if "ms" in row and (best is None or row["ms"] < best[0]):
            best = (row["ms"], name)
    kernels.ENABLED.clear()
    kernels.ENABLED.update(every - wrong)
    if best is None:
        print(f"no set of kernels is right for {options.model}", flush=True)
        return
    kernels.ENABLED.difference_update(best[1].split(","))
    plain, ms = best[1], best[0]
    table.add("chosen", lambda: {"plain": plain, "ms": ms, "replicas": count, "seconds": time.perf_counter() - began})


EXPECTED: dict[str, list[list[float]]] = {}
"""Losses of the CPU by architecture, computed once."""


def check_steps(study: Study, settings: Seq2SeqSettings) -> dict[str, Any]:
    """Losses of the first steps on the GPU, with and without graphs, and on the CPU, same masks and batches."""
    small = replace(settings, batch_tokens=256, warmup=20)
    losses: dict[str, list[list[float]]] = {}
    for name, options in (("graph", {"device": "cuda"}), ("eager", {"device": "cuda", "graphs": False}), ("cpu", {})):
        if name == "cpu" and settings.architecture in EXPECTED:
            losses[name] = EXPECTED[settings.architecture]
            continue
        stack = make_stack(study, small, 2, **options)
        losses[name] = []
        for step in (6, 12):
            stack.train(step)
            losses[name].append([round(loss, 4) for loss in stack.take_losses()])
    EXPECTED[settings.architecture] = losses["cpu"]
    worst = max(
        abs(a - b) / abs(b)
        for name in ("graph", "eager")
        for x, y in zip(losses[name], losses["cpu"], strict=True)
        for a, b in zip(x, y, strict=True)
    )
    return {"worst": worst, "ok": worst < 0.03, "losses": losses}


class Runners:
    """The loops of one comparison, and the batches they share."""

    def __init__(self, study: Study, settings: Seq2SeqSettings, split: str, device: str) -> None:
        self.study, self.settings, self.split, self.device = study, settings, split, device
        self.batches: Batches | None = None
        self._begun: dict[str, Runner] = {}

    def get(self, kind: str) -> Runner:
        """The loop of this name, which goes on from where it is; Trainer starts anew."""
        if self.batches is None:
            options: Any = {"split": self.split, "device": self.device, "graphs": False}
            self.batches = Batches(make_stack(self.study, self.settings, 1, **options))
        if kind == "trainer" or kind not in self._begun:
            self._begun[kind] = make_runner(kind, self.study, self.settings, self.batches)
        return self._begun[kind]


def speed(study: Study, options: Any, table: Table) -> None:
    """Milliseconds per replica-step of stacks of several sizes and of the loops."""
    settings, found = study.models[options.model], {}

    def stacked(count: int) -> dict[str, Any]:
        start, cuda = time.perf_counter(), options.device == "cuda"
        if cuda:
            torch.cuda.reset_peak_memory_stats()
        ms = time_stack(study, settings, count, options.steps, split=options.split, device=options.device)
        peak = torch.cuda.max_memory_allocated() / 2**30 if cuda else 0.0
        return {"ms": ms / count, "step_ms": ms, "GiB": peak, "seconds": time.perf_counter() - start}

    def looped(kind: str) -> dict[str, Any]:
        start = time.perf_counter()
        ms = paced(options.runners.get(kind), options.steps, 4 * settings.buckets)
        return {"ms": ms, "seconds": time.perf_counter() - start}

    counts = [int(count) for count in options.replicas.split(",") if count]
    for count in counts:
        found[f"K={count}"] = table.add(f"K={count}", lambda count=count: stacked(count))
    for kind in options.loops.split(",") if options.loops else ():
        found[kind] = table.add(kind, lambda kind=kind: looped(kind))
    timed = {name: row["ms"] for name, row in found.items() if "ms" in row}
    for count in counts:
        if (held := f"K={count}") in timed:
            table.add(f"times {held}", lambda held=held: {n: ms / timed[held] for n, ms in timed.items() if n != held})


def kernel_table(study: Study, options: Any, table: Table) -> None:
    """The stack with all kernels, with each left out, and with none."""
    settings = study.models[options.model]
    count = int(options.replicas.split(",")[0])
    every = set(kernels.ENABLED)
    for name, used in [("all", every), *((f"no {one}", every - {one}) for one in sorted(every)), ("none", set())]:
        kernels.ENABLED.clear()
        kernels.ENABLED.update(used)
        table.add(name, lambda: {"ms": time_stack(study, settings, count, options.steps, device="cuda") / count})
    kernels.ENABLED.update(every)


def profile(study: Study, options: Any, table: Table) -> None:
    """The kernels that take the time of a cycle."""
    settings = study.models[options.model]
    count = int(options.replicas.split(",")[0])
    stack = make_stack(study, settings, count, device="cuda")
    stack.train(3 * settings.buckets)
    torch.cuda.synchronize()
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as found:
        stack.train(stack.step + settings.buckets)
        torch.cuda.synchronize()
    events = sorted(found.key_averages(), key=lambda e: -e.self_device_time_total)
    total = sum(e.self_device_time_total for e in events)
    print(f"total {total / 1000 / settings.buckets:.3f} ms a step of {count} replicas")
    for event in events[: options.top]:
        share = event.self_device_time_total / total
        table.add(
            event.key[:90],
            lambda event=event, share=share: {
                "share": share,
                "us": event.self_device_time_total / event.count,
                "calls": event.count / settings.buckets,
            },
        )


def equal(study: Study, options: Any, table: Table) -> None:
    """Accuracy on the test part after the same numbers of steps; who is slow stops when the seconds are over."""
    settings, test = study.models[options.model], study.splits[options.split]["test"]
    deadline = time.perf_counter() + options.seconds
    marks = range(options.every, options.until + 1, options.every)

    def work(make: Callable[[], Runner]) -> dict[str, Any]:
        start, runner, curve = time.perf_counter(), make(), {}

        def note(step: int) -> bool:
            curve[step] = [round(share, 4) for share in runner.accuracies(study, test)]
            return time.perf_counter() < deadline

        runner.run(marks, note)
        return {"accuracy": curve, "seconds": time.perf_counter() - start}

    def stack() -> Runner:
        made: Any = {"split": options.split, "device": options.device}
        return StackRunner(make_stack(study, settings, options.seeds, **made))

    if options.seeds:
        table.add(f"K={options.seeds}", lambda: work(stack))
    for kind in options.loops.split(",") if options.loops else ():
        table.add(kind, lambda kind=kind: work(lambda: options.runners.get(kind)))


SECTIONS = {
    "check": check,
    "choose": choose,
    "speed": speed,
    "kernels": kernel_table,
    "profile": profile,
    "equal": equal,
}


def main() -> None:
    """Run the sections named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sections", help=f"comma-separated: {', '.join(SECTIONS)}")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", default="cfq:transformer")
    parser.add_argument("--split", default="", help="of `speed` and `equal`; else the first")
    parser.add_argument("--replicas", default="1,5,15,45")
    parser.add_argument("--loops", default="", help="plain, graph, compile, compile-graph, trainer")
    parser.add_argument("--steps", type=int, default=60, help="of each of three timed stretches")
    parser.add_argument("--until", type=int, default=6000, help="last step of `equal`")
    parser.add_argument("--every", type=int, default=1000, help="steps between accuracies of `equal`")
    parser.add_argument("--seeds", type=int, default=5, help="replicas of `equal`; 0 for loops alone")
    parser.add_argument("--seconds", type=float, default=60, help="`choose` tries, `equal` trains no longer")
    parser.add_argument("--top", type=int, default=25)
    parser.add_argument("--plain", default="", help="fused kernels not to use, such as attention,cell")
    parser.add_argument("--device", default="cuda", help="of `speed` and `equal`; the other sections need a GPU")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    kernels.ENABLED.difference_update(options.plain.split(","))
    study = read_study(options.folder)
    settings = study.models[options.model]
    options.split = options.split or next(iter(study.splits))
    options.runners = Runners(study, settings, options.split, options.device)
    device = torch.cuda.get_device_name() if options.device == "cuda" else "cpu"
    notes = {"device": device, "torch": torch.__version__, "model": options.model, "split": options.split}
    table = Table({**notes, "settings": settings.to_dict()}, options.out)
    for name in options.sections.split(","):
        table.begin(name)
        SECTIONS[name](study, options, table)


if __name__ == "__main__":
    main()
