"""Pages about COVR's splits, made up in the form that the published ones have."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from recombine.datasets.downloads.conversions.known import find_conversion
from recombine.datasets.downloads.originals import Originals
from recombine.errors import InputFileError

DETAILS = """# Split #3
## Unseen combinations of grammar rules
(if an example contains all rules of any of these sets, it will be a test example)

**Combination 1**
* a -> exists '(' b ')'
* c -> d

**Combination 2**
* a -> e

## Training examples by seen grammar rules
(training examples which contain each of these grammar rules separately)
#### ⚫ c -> d ⚫
**There is Dog**
 ```
exists (find (dog))
```
**There is Dog**
 ```
exists (find (dog))
```
## Sample of test examples
**What is the color of cat ?**
 ```
       Gold: query_attr [color] (find (cat))
🟢   BART: query_attr [color] (find (cat))
🔴   T5-L: query_attr [color] (find (dog)

```
"""
PROMPTS = """# Split #12 - GPT3 experiment (sample of 10)
### question id: 1
**Prompt**

```
source: there is dog  \ntarget: exists ( find ( dog ) )
source: is it 3 or 3 ? \ntarget: choose ( 3 , 3 )
source: what is the color of cat ? \ntarget:
```

**Output**

```
query_attr ( wrong )
```

**Gold**

```
query_attr [ color ] ( find ( cat ) )
```
"""


@pytest.fixture
def pages(tmp_path: Path) -> Originals:
    texts = {"covr/gpt3_experiments/12.md": PROMPTS, "covr/splits_details/3.md": DETAILS}
    texts["covr/splits_details/20.md"] = DETAILS.replace("#3", "#20").replace("Dog", "mouse").replace("dog", "mouse")
    paths = {}
    for number, (role, text) in enumerate(texts.items()):
        paths[role] = tmp_path / f"{number}.original"
        paths[role].write_text(text)
    return Originals(paths)


def rows(name: str, pages: Originals) -> list[dict[str, object]]:
    return [json.loads(line) for line in find_conversion(name)(pages).splitlines()]


def test_examples(pages: Originals) -> None:
    assert [(row["qid"], row["source"], row["target"], row["seen_in"]) for row in rows("covr_examples", pages)] == [
        ("covr_md_0", "there is dog", "exists ( find ( dog ) )", ["train:12", "train:3"]),
        (
            "covr_md_1",
            "what is the color of cat ?",
            "query_attr [ color ] ( find ( cat ) )",
            ["test:12", "test:20", "test:3"],
        ),
        ("covr_md_2", "there is mouse", "exists ( find ( mouse ) )", ["train:20"]),
        ("covr_md_3", "is it 3 or 3 ?", "choose ( 3 , 3 )", ["train:12"]),
    ]


def test_examples_in_the_order_of_a_list(pages: Originals, monkeypatch: pytest.MonkeyPatch) -> None:
    from recombine.records.example import content_id

    made = rows("covr_examples", pages)
    ids = [content_id(str(row["source"]), str(row["target"]))[:8] for row in made]
    listed = [ids[2], "=7", ids[0], ids[3], "=20", ids[1]]
    place = "recombine.datasets.downloads.conversions.covr.covr_examples.read_sample"
    monkeypatch.setattr(place, lambda _: listed)
    again = rows("covr_examples", Originals(pages.paths, sample="toys"))
    assert [row["qid"] for row in again] == ["covr_md_0", "covr_md_7", "covr_md_8", "covr_md_20"]
    assert [row["source"] for row in again] == [made[n]["source"] for n in (2, 0, 3, 1)]
    listed[0] = "00000000"
    with pytest.raises(InputFileError, match="lack 1 of the 4 pairs that are wanted, and have 1 others"):
        rows("covr_examples", Originals(pages.paths, sample="toys"))


def test_predictions(pages: Originals) -> None:
    first, second = rows("covr_predictions", pages)
    assert first == {
        "split": 3,
        "i": 0,
        "source": "What is the color of cat ?",
        "target": "query_attr [ color ] ( find ( cat ) )",
        "pred": {
            "BART": {"correct": True, "output": "query_attr [ color ] ( find ( cat ) )"},
            "T5-L": {"correct": False, "output": "query_attr [ color ] ( find ( dog )"},
        },
    }
    assert (second["split"], second["i"]) == (20, 0)


def test_combinations(pages: Originals) -> None:
    (row,) = rows("covr_combinations", pages)
    combos = [["a -> exists '(' b ')'", "c -> d"], ["a -> e"]]
    assert row == {
        "3": {"combos": combos},
        "20": {"combos": [[rule.replace("dog", "mouse") for rule in one] for one in combos]},
    }


def test_outputs_of_no_known_form(pages: Originals) -> None:
    path = pages.paths["covr/splits_details/3.md"]
    path.write_text(DETAILS.replace("🟢   BART: ", "BART says "))
    with pytest.raises(InputFileError, match=r"the outputs for 'What is the color of cat .' are in no known form"):
        rows("covr_predictions", pages)


def page_of(split: str, test: list[dict[str, object]], train: list[dict[str, object]]) -> str:
    """A page in the published form, of examples and predictions."""
    lines = [f"# Split #{split}", "## Training examples by seen grammar rules", "#### ⚫ a -> b ⚫"]
    for row in train:
        lines.append(f"**{str(row['source']).capitalize()}**\n ```\n{row['target']}\n```")
    lines.append("## Sample of test examples")
    for row in test:
        lines.append(f"**{row['source']}**\n ```\n       Gold: {row['target']}")
        for model, told in row["pred"].items():  # type: ignore[attr-defined]
            lines.append(f"{'🟢' if told['correct'] else '🔴'} {model:>6}: {told['output']}")
        lines.append("\n```")
    return "\n".join(lines)


@pytest.mark.shared_data
def test_pages_made_of_the_published_files_give_these_again(data_dir: Path, tmp_path: Path) -> None:
    folder = data_dir / "covr_text"
    published = gzip.decompress((folder / "predictions.jsonl.gz").read_bytes()).decode()
    tests: dict[str, list[dict[str, object]]] = {}
    for line in published.splitlines():
        row = json.loads(line)
        tests.setdefault(str(row["split"]), []).append(row)
    examples = [json.loads(line) for line in gzip.decompress((folder / "examples.jsonl.gz").read_bytes()).splitlines()]
    paths: dict[str, Path] = {}
    for split, test in tests.items():
        train = [row for row in examples if f"train:{split}" in row["seen_in"]]
        paths[f"covr/splits_details/{split}.md"] = tmp_path / f"{split}.md"
        paths[f"covr/splits_details/{split}.md"].write_text(page_of(split, test, train))
    extra = [row for row in examples if any(place.startswith("test") for place in row["seen_in"])]
    for split in {place[5:] for row in extra for place in row["seen_in"] if place.startswith("test")}:
        rows_ = [row for row in extra if f"test:{split}" in row["seen_in"]]
        prompts = (
            f"**Prompt**\n\n```\nsource: {row['source']} \ntarget:\n```\n**Gold**\n\n```\n{row['target']}\n```\n"
            for row in rows_
        )
        paths[f"covr/gpt3_experiments/{split}.md"] = tmp_path / f"prompts-{split}.md"
        paths[f"covr/gpt3_experiments/{split}.md"].write_text("".join(prompts))
    originals = Originals(paths, sample="covr_text")
    assert find_conversion("covr_predictions")(originals).decode() == published
    given = gzip.decompress((folder / "examples.jsonl.gz").read_bytes())
    assert find_conversion("covr_examples")(originals) == given
