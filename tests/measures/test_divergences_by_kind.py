"""The divergence of each kind beside D_C, their geometric mean: in values, in tables, in JSON and on the page."""

from __future__ import annotations

import json
from html import unescape
from pathlib import Path

import pytest
from typer.testing import CliRunner

import recombine
from recombine.cli.app import app
from recombine.errors import OptionError
from recombine.pages.cfq.cfq_data import build_cfq_data
from recombine.pages.splits.build_report import build_report
from recombine.pages.splits.frequencies import frequencies
from recombine.pages.splits.measures_table import table
from recombine.pages.splits.report_data import build_data
from recombine.records.signature import Signature
from recombine.records.split import Split
from recombine.selection.subsample import subsample

ROWS = [("one", "a b"), ("two", "c d"), ("three", "a b"), ("four", "a d")]
WORDS, PAIRS = "words:1-1,counts", "words:2-2,counts"
BOTH = f"{PAIRS} & {WORDS}"
# Words: a quarter each in train; a half, a quarter and a quarter in test. Pairs: one of two is in both, a half of each.
OF_WORDS, OF_PAIRS = 1 - (0.25**0.1 * 0.5**0.9 + 0.5), 0.5


@pytest.fixture
def data() -> recombine.Dataset:
    return recombine.load(ROWS)


@pytest.fixture
def split(data: recombine.Dataset) -> Split:
    parts = {"train": tuple(data.ids[:2]), "test": tuple(data.ids[2:])}
    return Split(parts, data.name, data.hash, Signature.of(data=data, by="hand"))


def test_each_kind_has_its_value(data: recombine.Dataset, split: Split) -> None:
    found = recombine.measure(data, split, structures=BOTH)
    assert found["compound_divergences"] == pytest.approx({PAIRS: OF_PAIRS, WORDS: OF_WORDS})
    assert list(found["compound_divergences"]) == [PAIRS, WORDS]
    assert found["compound_divergence"] == pytest.approx((OF_PAIRS * OF_WORDS) ** 0.5)
    assert f"structures:atoms=tokens,presence;compounds={PAIRS}&{WORDS}|" in found["signature"]
    assert "compound_divergences" not in recombine.measure(data, split, structures=PAIRS)
    other = recombine.measure(data, split, structures=BOTH, compound_alpha=0.5)["compound_divergences"]
    assert other == pytest.approx({PAIRS: 0.5, WORDS: 1 - (0.25**0.5 * 0.5**0.5 + 0.5)})


def test_the_table_and_json_have_each_kind(data: recombine.Dataset, split: Split, tmp_path: Path) -> None:
    (tmp_path / "d.tsv").write_text("source\ttarget\n" + "".join(f"{source}\t{target}\n" for source, target in ROWS))
    named = [str(tmp_path / "d.tsv"), str(tmp_path / "s.json")]
    whole = recombine.load(named[0])
    recombine.split(whole, by="random", train=2, test=2, seed=1).write(named[1])
    run = CliRunner().invoke
    values = json.loads(run(app, ["measure", *named, "--structures", BOTH, "--json"]).stdout)
    one, other = values["compound_divergences"].values()
    assert values["compound_divergence"] == pytest.approx((one * other) ** 0.5)
    lines = run(app, ["measure", *named, "--structures", BOTH]).stdout.splitlines()
    place = next(n for n, line in enumerate(lines) if line.startswith(" compound divergence D_C"))
    for line, (kind, value) in zip(lines[place + 1 :], values["compound_divergences"].items(), strict=False):
        assert line.split() == [kind, f"{value:.3f}"]
    alone = run(app, ["measure", *named, "--structures", PAIRS]).stdout.splitlines()
    assert not any(line.strip().startswith(PAIRS) for line in alone)
    made = ["split", named[0], "--by", "tmcd", "--train", "2", "--test", "2", "--structures", BOTH, "--effort", "0.01"]
    result = run(app, [*made, "--best-effort", "-o", str(tmp_path / "made.json"), "--json"])
    assert set(json.loads(result.stdout)["compound_divergences"]) == {PAIRS, WORDS}


def test_the_page_shows_the_kind_that_decides(data: recombine.Dataset, split: Split) -> None:
    features = recombine.features(data, BOTH)
    built = build_data(data, {"one": split}, features).splits[0]
    assert built.deciding == WORDS
    assert built.compounds is not None
    assert set(built.compounds.names) == {"a", "b", "c", "d"}
    assert built.compounds.divergence == pytest.approx(OF_WORDS)
    alone = frequencies(recombine.features(data, WORDS).compounds, [0, 1], [2, 3], alpha=0.1)
    assert built.compounds.contributions.tolist() == alone.contributions.tolist()
    rows = {row.key: row for group in table([built.measured], "test") for row in group.rows}
    assert rows[f"compound_divergences.{PAIRS}"].label == f"D_C of {PAIRS}"
    assert rows[f"compound_divergences.{PAIRS}"].values == (0.5,)
    page = unescape(build_report(data, {"one": split}, features).decode())
    assert f"The lowest D<sub>C</sub> of a kind is {OF_WORDS:.3f}, of <code>{WORDS}</code>" in page
    assert f"4 compounds ({WORDS})" in page or f"3 compounds ({WORDS})" in page
    plain = unescape(build_report(data, {"one": split}, recombine.features(data, WORDS)).decode())
    assert "of a kind is" not in plain
    assert build_data(data, {"one": split}, recombine.features(data, WORDS)).splits[0].deciding == ""


def test_what_takes_one_kind_says_so(data: recombine.Dataset) -> None:
    for call, what in (
        (lambda: subsample(data, 2, structures=BOTH), "a sample"),
        (lambda: build_cfq_data(data, structures=BOTH), "this page"),
    ):
        with pytest.raises(
            OptionError,
            match=rf"^{what} takes compounds of one kind, and {PAIRS}&{WORDS} are of 2; "
            r"name one of them with --structures$",
        ):
            call()
