"""Training one sequence-to-sequence model for `recombine train`."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.cli.shared.console import make_console
from recombine.cli.shared.trainer import Trainer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from recombine.models.seq2seq.settings import Seq2SeqSettings
    from recombine.records.dataset import Dataset
    from recombine.records.signature import Signature


@dataclass
class Seq2SeqTrainer(Trainer):
    """A preset with its settings."""

    preset: str
    settings: Seq2SeqSettings
    device: str
    seed: int

    @classmethod
    def of(cls, preset: str, steps: int | None, device: str, seed: int) -> Seq2SeqTrainer:
        """The trainer of a preset; refuses where torch is not installed."""
        from recombine.models.seq2seq.presets import find_preset
        from recombine.studies.families.seq2seq_family import check_torch

        check_torch()
        return cls(preset, find_preset(preset, **({} if steps is None else {"steps": steps})), device, seed)

    def train(
        self,
        dataset: Dataset,  # noqa: ARG002  # of the data only its pairs matter here
        pairs: list[tuple[str, str]],
        signature: Signature,
        folder: Path,
        *,
        quiet: bool,
    ) -> dict[str, Any]:
        """Train to the last step and save."""
        from recombine.models.seq2seq.parser import Seq2Seq, save

        parser = Seq2Seq(self.settings, self.seed, self.device)
        with _progress(quiet=quiet) as progress:
            parser.fit(pairs, progress)
        made = str(signature.with_fields(model=self.preset, steps=self.settings.steps, model_seed=self.seed))
        save(parser, folder, signature=made)
        return {"steps": self.settings.steps, "symbols": len(parser.vocabulary) - 2, "signature": made}

    def describe(self, value: Mapping[str, Any]) -> str:
        """Steps and symbols in a sentence."""
        return f"{value['steps']:,} steps on {value['examples']:,} examples, {value['symbols']:,} symbols"


@contextmanager
def _progress(*, quiet: bool) -> Iterator[Callable[[int, int, float], None] | None]:
    """A bar on a terminal with the loss; none elsewhere."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = make_console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("steps, loss {task.fields[loss]}"), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("training", total=None, loss="–")

        def update(step: int, steps: int, loss: float) -> None:
            bar.update(task, completed=step, total=steps, loss=f"{loss:.3f}")

        yield update
