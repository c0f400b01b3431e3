"""COVR's notation and FunQL as language files read every program as the readers of the package do."""

from __future__ import annotations

import gzip
import random
import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from made_notations import EXAMPLES
from made_programs import drawing

import recombine
from recombine.errors import ProgramError
from recombine.languages.covr import COVR
from recombine.languages.funql import FUNQL
from recombine.languages.language import Language
from recombine.languages.notation.read_notation import read_notation


def own(name: str) -> Language:
    return read_notation(EXAMPLES / f"{name}.toml", f"{name}.toml")


def check_same(file: Language, built_in: Language, texts: Iterable[str]) -> int:
    """Whether trees, texts and one forms are the same; how many texts there were."""
    number = 0
    for text in texts:
        tree = built_in.parse(text)
        assert file.parse(text) == tree, text
        assert file.render(tree) == built_in.render(tree)
        number += 1
        if number > 1_000 and number % 5:  # long lists: the other functions on some
            continue
        normal = file.normalise(tree)
        assert normal == built_in.normalise(tree)
        assert file.normalise(normal) == normal
        assert file.parse(file.render(normal)) == normal
    return number


@pytest.mark.shared_data
def test_funql_as_a_file_reads_all_of_geoquery(data_dir: Path) -> None:
    targets = set(recombine.load("geoquery/funql").texts("target"))
    assert check_same(own("funql"), FUNQL, sorted(targets)) == 289
    corpus = gzip.decompress((data_dir / "geoquery" / "corpus.xml.gz").read_bytes()).decode()
    original = {text.strip() for text in re.findall(r'<mrl lang="geo-funql">(.*?)</mrl>', corpus, re.DOTALL)}
    assert check_same(own("funql"), FUNQL, sorted(original)) > 500


@pytest.mark.shared_data
def test_covr_as_a_file_reads_all_programs() -> None:
    assert check_same(own("covr"), COVR, sorted(set(recombine.load("covr/text").texts("target")))) == 4_991


def some_covr(draw: random.Random, depth: int = 4) -> str:
    def things(left: int) -> str:
        kind = draw.randrange(4) if left else 0
        if kind == 0:
            return draw.choice(["scene ( )", "find ( dog )", "find ( animal )"])
        if kind == 1:
            return f"filter ( {draw.choice(['black', 'round'])} , {things(left - 1)} )"
        relation = draw.choice(["looking at", "chasing", "playing with"])
        return f"with_relation ( {things(left - 1)} , {relation} , {things(left - 1)} )"

    kind = draw.randrange(4) if depth else 0
    if kind == 0:
        return f"exists ( {things(depth)} )"
    if kind == 1:
        return f"{draw.choice(['gt', 'eq'])} ( count ( {things(depth)} ) , {draw.randrange(4)} )"
    if kind == 2:
        return f"eq ( query_attr [ color ] ( {things(depth)} ) , black )"
    return f"or ( {some_covr(draw, depth - 1)} , {some_covr(draw, depth - 1)} )"


def some_funql(draw: random.Random, depth: int = 5) -> str:
    if depth == 0:
        return draw.choice(["city", "state", "m0", "m12", '"a ( b"', "new york"])
    name = draw.choice(["answer", "intersection", "intersection", "loc_2", "largest"])
    parts = [some_funql(draw, depth - 1) for _ in range(draw.randrange(1, 4) if name == "intersection" else 1)]
    return f"{name} ( {' , '.join(parts)} )"


def test_made_programs_have_the_same_trees() -> None:
    draw = drawing(1)
    assert check_same(own("covr"), COVR, (some_covr(draw) for _ in range(500))) == 500
    assert check_same(own("funql"), FUNQL, (some_funql(draw) for _ in range(500))) == 500


@pytest.mark.parametrize(
    "text", ["find ( dog", "find ( dog ) )", "find ( , dog )", "seek ( dog )", "find ( dog , cat )", ""]
)
def test_what_the_reader_of_the_package_refuses_the_file_refuses(text: str) -> None:
    for language in (COVR, own("covr")):
        with pytest.raises(ProgramError):
            language.parse(text)
