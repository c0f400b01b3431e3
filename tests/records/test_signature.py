from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.errors import RecombineError
from recombine.records.signature import Signature

KEYS = st.from_regex(r"[a-z][a-z0-9_.-]{0,8}", fullmatch=True)


@given(st.dictionaries(KEYS.filter(lambda key: key != "version"), st.text(max_size=20)))
def test_what_is_printed_parses_back(values: dict[str, str]) -> None:
    signature = Signature.of(**values)
    assert Signature.parse(str(signature)) == signature
    assert "\n" not in str(signature)


def test_the_version_stays_last() -> None:
    signature = Signature.of(data="scan").with_fields(seed=1, flag=True)
    assert [key for key, _ in signature.fields] == ["data", "seed", "flag", "version"]
    assert signature.get("flag") == "yes"
    assert signature.get("nothing", "–") == "–"


@pytest.mark.parametrize("text", ["", "no colon", "A:1", "a:1||b:2"])
def test_what_is_no_signature_is_refused(text: str) -> None:
    with pytest.raises(RecombineError, match="not a signature"):
        Signature.parse(text)
