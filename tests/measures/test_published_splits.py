"""The published SCAN splits against Table 3 of the CFQ paper; the values were printed there."""

from __future__ import annotations

from pathlib import Path

import pytest

import recombine
from recombine.records.dataset import Dataset
from recombine.structures.dataset_features import DatasetFeatures

pytestmark = pytest.mark.shared_data

# D_A, D_C, output and input pattern coverage, output and input length ratio. The input coverage of MCD2 is printed as
# .010, which the published lists do not give; see docs/table3.md.
PRINTED = {"mcd1": (0.015, 0.736, 0.260, 0.357, 0.698, 0.926), "mcd2": (0.020, 0.734, 0.259, None, 0.757, 0.837)}


@pytest.mark.parametrize("name", PRINTED)
def test_table_3(name: str, scan: Dataset, scan_features: DatasetFeatures, data_dir: Path) -> None:
    test = recombine.measure(scan, f"scan/{name}", structures=scan_features)
    dev = recombine.measure(scan, name, structures=scan_features, against="dev")
    printed = PRINTED[name]
    assert test["atom_divergence"] == pytest.approx(printed[0], abs=0.002)
    assert test["compound_divergence"] == pytest.approx(printed[1], abs=0.0006)
    assert test["unseen_atom_examples"] == 0
    assert dev["pattern_coverage"]["target"] == pytest.approx(printed[2], abs=0.0005)
    if printed[3] is not None:
        assert dev["pattern_coverage"]["source"] == pytest.approx(printed[3], abs=0.0005)
    assert dev["length_ratio"]["target"] == pytest.approx(printed[4], abs=0.0005)
    assert dev["length_ratio"]["source"] == pytest.approx(printed[5], abs=0.0005)


def test_repeats_in_a_published_train_list(scan: Dataset, data_dir: Path) -> None:
    # 14,670 entries of 13,204 lines.
    found = recombine.check(scan, "addprim_jump")
    assert found["repeats"] == {"train": 1466, "dev": 0, "test": 0}
    assert found["problems"] == []
