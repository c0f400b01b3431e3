"""Files of surface forms, whole and broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from recombine.errors import RecombineError
from recombine.kb.linking.read_surface_forms import read_surface_forms
from recombine.kb.profiles.find_profile import find_profile

FREEBASE = find_profile("freebase")


def test_forms_with_counts_which_are_added(tmp_path: Path) -> None:
    path = tmp_path / "forms.tsv"
    path.write_text("obama\tm.02mjmr\t21\r\nObama\tm.02mjmr\t5\nobama\t<http://rdf.freebase.com/ns/m.0x>\n")
    forms = read_surface_forms(path, FREEBASE)
    owners = [(forms.term(number).text, times) for number, times in forms.owners(forms.form(["obama"]))]
    assert owners == [("m.02mjmr", 26), ("m.0x", 1)]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "has no surface forms"),
        ("obama\n", "line 1: has 1 columns"),
        ("a\tb\t1\nobama\tm.0x\t1\t2\n", "line 2: has 4 columns"),
        ("a\tb\t1\n\tm.0x\t1\n", "line 2: has an empty column"),
        ("a\tb\tmany\n", "line 1: the count 'many' is no whole number"),
        ("a\tb\t-1\n", "line 1: the count '-1' is no whole number"),
        ("a\tb\t" + "9" * 16 + "\n", "is too large"),
        ("\n \t \n", "has no surface forms"),
        ("a\t<no iri>\t1\n", "'<no iri>' is no whole IRI"),
    ],
)
def test_broken_files(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "forms.tsv"
    path.write_text(text)
    with pytest.raises(RecombineError) as caught:
        read_surface_forms(path, FREEBASE)
    assert problem in str(caught.value)
