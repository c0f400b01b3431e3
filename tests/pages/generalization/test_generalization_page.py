"""The page of systems and set-ups: the numbers by hand, what it names, and that a browser opens examples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.errors import InputFileError, RecombineError, RecordError
from recombine.evaluation.generalization.size_match import may_share
from recombine.workbench.generalization_page import GeneralizationPage

NOUNS = [f"noun{number}" for number in range(40)]
TEXT = "<b>caps</b> & so"


def _rows() -> list[dict[str, Any]]:
    """Of each noun a question of four kinds: a bare quantifier, one over a chain, a count and a query."""
    rows = []
    for number, noun in enumerate(NOUNS):
        part = "train" if number < 20 else "dev" if number < 30 else "test"
        chain = f"with_relation ( find ( {noun} ) , on , find ( table ) )"
        kinds = {
            "VERIFYQUANT": (f"All {noun} are red.", f"all ( find ( {noun} ) , filter ( red , scene ( ) ) )", True),
            "VERIFYQUANTATTR": (f"Do all {noun} on a table match?", f"all_same [ color ] ( {chain} )", False),
            "COUNT": (f"How many {noun} are on a table? {TEXT}", f"count ( {chain} )", 3),
            "QUERYATTR": (f"What color is the {noun}?", f"query_attr [ color ] ( unique ( find ( {noun} ) ) )", "red"),
        }
        for template, (source, target, answer) in kinds.items():
            fields = {"template": template, "images": [f"s{number}"], "answer": answer, "part": part}
            rows.append({"id": f"{template}-{number}", "source": source, "target": target, **fields})
    return rows


def _write(folder: Path, name: str, right: dict[str, bool]) -> None:
    rows = [{"id": key, "prediction": "yes" if one else "</script>", "correct": one} for key, one in right.items()]
    (folder / name).write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data, results and lists. The made-up system fails exactly on has:quant:comp."""
    folder: Path = tmp_path_factory.mktemp("lists")
    rows = _rows()
    (folder / "q.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    fields = ["template", "images", "answer", "part"]
    (folder / "q.jsonl.meta.json").write_bytes(orjson.dumps({"context": fields, "identity": ["images"]}))
    (folder / "q.pictures").mkdir()
    (folder / "q.pictures" / "s1.png").write_bytes(b"\x89PNG not much of a picture")
    ids = [row["id"] for row in rows]
    _write(folder, "fails.jsonl", {key: "QUANTATTR" not in key for key in ids})
    # On the 40 questions of COUNT: text-only 10, model 20, of the same size 30.
    places = {key: int(key.partition("-")[2]) for key in ids}
    for name, right in (("text", 10), ("model", 20), ("size", 30), ("low", 4)):
        _write(folder, f"{name}.jsonl", {key: places[key] < right for key in ids if key.startswith("COUNT")})
    _write(folder, "all.jsonl", dict.fromkeys(ids, True))
    split = recombine.split(folder / "q.jsonl", language="scenes", by="property", held_out="tpl:COUNT")
    split.write(folder / "count.json")
    (folder / "system.toml").write_text(SYSTEM)
    (folder / "both.toml").write_text(BOTH)
    return folder


SYSTEM = """
title = "A made-up <model>"
data = "q.jsonl"
language = "scenes"
[[system]]
name = "made up"
result = "fails.jsonl"
paper = "text"
"""
SETUPS = """
[[setup]]
name = "covr:has-quant"
train = 1000
model = "model.jsonl"
text = "text.jsonl"
iid_size = "size.jsonl"
iid = "all.jsonl"
[[setup]]
name = "covr:tpl-verifyattr"
train = 1015
model = "low.jsonl"
text = "text.jsonl"
[[setup]]
name = "my own"
train = 900
model = "model.jsonl"
text = "text.jsonl"
iid_size = "text.jsonl"
"""
BOTH = SYSTEM + SETUPS


@pytest.fixture(scope="module")
def made(folder: Path) -> GeneralizationPage:
    found: GeneralizationPage = recombine.generalization_page(folder / "both.toml", examples=3)
    return found


def test_a_system_that_fails_on_one_property_is_said_to(folder: Path) -> None:
    made = recombine.generalization_page(folder / "system.toml")
    (system,) = made["systems"]
    assert (system["worst"], system["also"]) == ("has:quant:comp", [])
    first = system["properties"]["rows"][0]
    assert (first["property"], first["difference"], first["with"]["n"]) == ("has:quant:comp", -1.0, 40)
    text = made.page.decode()
    assert "Fails most on <code>has:quant:comp</code>:</strong> 0.0 % right of 40 with it, 100.0 % of 120" in text
    assert "Outside of it no other property makes for a loss that is sure" in text
    assert system["templates"]["VERIFYQUANTATTR"] == 0.0
    assert system["templates"]["COUNT"] == 1.0


def test_a_loss_by_chance_is_not_named(folder: Path) -> None:
    # Two of 40 questions of one template wrong: beyond no interval for so many properties.
    ids = [row["id"] for row in _rows()]
    _write(folder, "chance.jsonl", {key: key not in ("COUNT-1", "COUNT-2") for key in ids})
    (folder / "chance.toml").write_text(SYSTEM.replace("fails", "chance"))
    made = recombine.generalization_page(folder / "chance.toml")
    assert made["systems"][0]["worst"] is None
    assert "No property makes for a loss that is sure" in made.page.decode()


def test_set_ups_by_hand(made: GeneralizationPage) -> None:
    first, second, third = made["setups"]
    assert (first["text"], first["model"], first["iid"], first["iid_all"]) == (0.25, 0.5, 0.75, 1.0)
    assert first["generalization_score"] == pytest.approx(0.5)
    assert first["paper_score"] == pytest.approx(9.1 / 22.5)
    assert (second["below_text"], second["generalization_score"]) == (True, pytest.approx(-0.3))
    assert third["generalization_score"] is None
    text = made.page.decode()
    assert "HAS-QUANT" in text
    assert "40 in the paper" in text
    assert "▼ −30" in text
    assert "undefined" in text


def test_a_size_matched_model_is_shared_under_two_percent(made: GeneralizationPage, folder: Path) -> None:
    assert may_share(1000, 1015)
    assert made["setups"][1]["size_matched_from"] == "covr:has-quant, whose train part differs by 1.5%"
    (folder / "far.toml").write_text(BOTH.replace("train = 1015", "train = 1025"))
    with pytest.raises(RecordError, match=r"setup covr:tpl-verifyattr: has no iid_size.*under 2 %"):
        recombine.generalization_page(folder / "far.toml")


def test_a_split_says_what_is_held_out_and_how_much(folder: Path) -> None:
    (folder / "split.toml").write_text(
        'data = "q.jsonl"\n[[setup]]\nsplit = "count.json"\nmodel = "model.jsonl"\ntext = "text.jsonl"\n'
        'iid_size = "size.jsonl"\n'
    )
    (row,) = recombine.generalization_page(folder / "split.toml")["setups"]
    assert (row["name"], row["train"]) == ("tpl:COUNT", 60)
    assert row["filtered"] == pytest.approx(20 / 80)


def test_texts_are_escaped_and_pictures_held(made: GeneralizationPage) -> None:
    text = made.page.decode()
    assert "A made-up &lt;model&gt;" in text
    assert TEXT not in text
    assert text.count("</script>") == 2
    assert text.count("data:image/png;base64,") <= 1


def test_examples_are_mostly_wrong_ones_and_the_same_for_a_seed(made: GeneralizationPage, folder: Path) -> None:
    shown = made.built.opened["setup-0-model"]
    assert [each.correct for each in shown] == [False, False, True]
    again = recombine.generalization_page(folder / "both.toml", examples=3)
    assert again.page == made.page
    assert recombine.generalization_page(folder / "both.toml", examples=3, seed=1).page != made.page
    assert recombine.generalization_page(folder / "both.toml", examples=0).built.opened == {}


def test_counts_alone_have_no_examples(folder: Path) -> None:
    for name, share in (("c_text", 0.25), ("c_model", 0.5), ("c_size", 0.75)):
        (folder / f"{name}.json").write_bytes(orjson.dumps({"accuracy": share, "n": 400}))
    (folder / "counts.toml").write_text(
        '[[setup]]\nname = "x"\nmodel = "c_model.json"\ntext = "c_text.json"\niid_size = "c_size.json"\n'
    )
    made = recombine.generalization_page(folder / "counts.toml")
    assert made["setups"][0]["generalization_score"] == pytest.approx(0.5)
    assert made["setups"][0]["samples"] == "apart"
    assert made.built.opened == {}
    assert "the list names no data" in made["missing"]["data"]


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("= 3", InputFileError, "is no TOML"),
        ('title = "x"', InputFileError, "lists no result"),
        ("[[system]]\nname = 'a'", RecordError, "system 1: has no result"),
        ("[[system]]\nname = 'a'\nresult = 'no.jsonl'", InputFileError, "no such file"),
        (SYSTEM.replace("text", "txt"), RecordError, "'txt'; did you mean 'text'"),
        (SYSTEM.replace("paper", "papr"), RecordError, "'papr'; did you mean 'paper'"),
        (SYSTEM + SYSTEM.partition("[[")[1] + SYSTEM.partition("[[")[2], RecordError, "stands there twice"),
        ("[[setup]]\nmodel = 'model.jsonl'\ntext = 'text.jsonl'", RecordError, "does not say what is held out"),
        (SETUPS.replace("1015", "-1"), RecordError, "train is -1"),
        ('data = "q.jsonl"\n[[system]]\nname = "x"\nresult = "other.jsonl"', RecordError, "'zz' is not in q"),
    ],
)
def test_what_is_wrong_with_a_list_is_said(folder: Path, text: str, error: type[RecombineError], said: str) -> None:
    _write(folder, "other.jsonl", {"zz": True})
    (folder / "bad.toml").write_text(text)
    with pytest.raises(error, match=said):
        recombine.generalization_page(folder / "bad.toml")


# -- in a browser -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def address(made: GeneralizationPage, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("page") / "page.html"
    made.write(path)
    return path.as_uri()


def test_a_number_opens_its_examples(page: Any) -> None:
    cell = page.locator('[data-cell="setup-0-model"]')
    assert cell.text_content() == "50.0"
    cell.click()
    assert page.locator("#opened-title").text_content() == "HAS-QUANT, model: 50.0 %"
    assert page.locator(".asked").count() == 3
    assert page.locator(".asked h3").first.text_content().endswith(TEXT)
    assert page.locator(".asked .wrong").first.text_content() == "</script>"
    page.locator("#close").click()
    assert not page.locator("#opened").is_visible()
