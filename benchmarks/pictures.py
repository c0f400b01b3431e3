"""How fast picture models train and answer: ms a step, stacked and one by one; questions a second; memory.

    python benchmarks/pictures.py [FOLDER] [--device cuda] [--steps 40] [--json FILE]

FOLDER is an export of a study (`recombine study export`); without one, random pictures and questions of the size of the
trial are made up: speed does not depend on what is in them. Needs torch and numpy alone.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch

from recombine.models.device import choose_device, device_name
from recombine.models.pictures.answering import Answering
from recombine.models.pictures.arrays.picture_arrays import PictureArrays
from recombine.models.pictures.arrays.question_arrays import QuestionArrays
from recombine.models.pictures.nets.detector import Detector
from recombine.models.pictures.nets.picture_tables import PictureTables
from recombine.models.pictures.picture_settings import PictureSettings
from recombine.models.pictures.training.question_program import QuestionProgram
from recombine.models.pictures.training.schedule import Schedule
from recombine.models.pictures.training.stack import Replica, Stack

WORDS, ANSWERS, LONGEST, REGIONS = 200, 72, 48, 16


def made_up(scenes: int, questions: int) -> tuple[PictureArrays, QuestionArrays]:
    """Pictures and questions of the trial's shapes."""
    g = np.random.default_rng(0)
    low = g.random((scenes, REGIONS, 2), dtype=np.float32) * 0.6
    boxes = np.concatenate([low, low + 0.1 + 0.3 * g.random((scenes, REGIONS, 2), dtype=np.float32)], -1)
    pixels = g.integers(0, 256, (scenes, 128, 128, 3), dtype=np.uint8)
    regions = g.integers(9, REGIONS + 1, scenes).astype(np.int16)
    pictures = PictureArrays([f"s{n}" for n in range(scenes)], pixels, boxes, regions)
    lengths, images = g.integers(5, LONGEST + 1, questions), g.integers(1, 6, questions)
    tokens = g.integers(2, WORDS, (questions, LONGEST)).astype(np.int16)
    tokens[np.arange(LONGEST) >= lengths[:, None]] = 0
    at = g.integers(0, scenes, (questions, 5)).astype(np.int32)
    at[np.arange(5) >= images[:, None]] = -1
    answer = g.integers(0, ANSWERS, questions).astype(np.int16)
    pair = (np.arange(questions) // 2).astype(np.int32)
    return pictures, QuestionArrays(
        tokens, at, answer, pair, np.zeros(questions, np.int16), [str(n) for n in range(questions)], ["ANY"]
    )


def time_steps(program: QuestionProgram, seeds: list[int], steps: int, device: str) -> tuple[float, list[float]]:
    """Seconds of one step of a stack, after a warm-up, and the losses of its replicas."""
    rows = np.arange(len(program.answer) // 2 * 2)
    stack = Stack(
        program,
        Schedule.of_questions(program.settings),
        [Replica(f"r{seed}", seed, rows, rows[:0]) for seed in seeds],
        device=device,
    )
    stack.train(3)
    wait(device)
    began = time.perf_counter()
    stack.train(3 + steps)
    wait(device)
    return (time.perf_counter() - began) / steps, stack.take_losses()


def wait(device: str) -> None:
    """Until the device is done."""
    if device.startswith("cuda"):
        torch.cuda.synchronize()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--device", default="")
    parser.add_argument("--steps", type=int, default=0)
    parser.add_argument("--batches", default="")
    parser.add_argument("--replicas", type=int, default=8)
    parser.add_argument("--questions", type=int, default=1000)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    device = choose_device(options.device)
    gpu = device.startswith("cuda")
    words, answers = WORDS, ANSWERS
    if options.folder:
        pictures = PictureArrays.read(options.folder / "pictures.npz")
        questions = QuestionArrays.read(options.folder / "questions.npz")
        words, answers = int(questions.tokens.max()) + 1, int(questions.answer.max()) + 1
    else:
        pictures, questions = made_up(*((4000, 40000) if gpu else (300, 4000)))
    results: dict[str, Any] = {"device": device_name(device), "threads": torch.get_num_threads()}
    settings = PictureSettings()
    began = time.perf_counter()
    seen = Detector(settings, ["a"] * 60, ["b"] * 30).features(pictures, device=device)
    results["pictures seen a second"] = round(len(pictures) / (time.perf_counter() - began))
    steps = options.steps or (40 if gpu else 1)
    for batch in [int(b) for b in options.batches.split(",") if b] or ([512, 128, 32] if gpu else [32]):
        sized = PictureSettings(batch=batch)
        program = QuestionProgram(
            sized, PictureTables(seen, pictures, device=device), questions, words, answers, device
        )
        one, single = time_steps(program, [0], steps, device)
        many, stacked = time_steps(program, list(range(options.replicas)), steps, device)
        results[f"batch {batch}"] = {
            "ms a step": round(1000 * one, 2),
            f"ms a step, stack of {options.replicas}": round(1000 * many, 2),
            "times as fast": round(options.replicas * one / many, 2),
            "loss of the same replica, alone and stacked": [round(single[0], 4), round(stacked[0], 4)],
        }
    weights = Stack(
        program, Schedule.of_questions(sized), [Replica("r", 0, np.arange(64), np.arange(0))], device=device
    )
    results["parameters"] = int(sum(p.size for p in program.parameters()))
    model = Answering(settings, words, answers, weights.weights_of(0))
    asked = questions.rows(range(min(len(questions), options.questions * (20 if gpu else 1))))
    model.answer(seen, pictures, asked.rows(range(64)), device=device)
    began = time.perf_counter()
    model.answer(seen, pictures, asked, device=device)
    results["questions a second"] = round(len(asked) / (time.perf_counter() - began), 1)
    results["memory, MiB"] = round(
        torch.cuda.max_memory_allocated() / 2**20 if gpu else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    )
    print(json.dumps(results, indent=1))
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
