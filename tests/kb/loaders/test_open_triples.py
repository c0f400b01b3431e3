"""Files of triples in all their forms give the same keys."""

from __future__ import annotations

import gzip
import warnings
from pathlib import Path
from typing import Any

import pytest

from recombine.data_directory import data_directory
from recombine.errors import InputWarning, RecombineError
from recombine.kb.loaders import delimited, line_blocks
from recombine.kb.loaders.open_triples import open_triples
from recombine.kb.profiles.find_profile import find_profile

PLAIN = find_profile("plain")
XSD = "http://www.w3.org/2001/XMLSchema#"


def keys(*paths: Path, **options: Any) -> list[tuple[str, ...]]:
    """The triples of some files as texts."""
    batches = open_triples(paths, profile=PLAIN, **options)
    return [tuple(key.decode() for key in row.values()) for batch in batches for row in batch.to_pylist()]


def written(folder: Path, name: str, text: str | bytes) -> Path:
    """A file with some text, packed where its name says so."""
    data = text.encode() if isinstance(text, str) else text
    path = folder / name
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


TABLE = [("=Kes", "=directed_by", "=Ken Loach"), ("=Kes", "=release_year", "=1969")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("kb.tsv", "Kes\tdirected_by\tKen Loach\nKes\trelease_year\t1969\n"),
        ("kb.tsv.gz", "Kes\tdirected_by\tKen Loach\nKes\trelease_year\t1969"),
        ("kb.tsv", "\ufeffKes\tdirected_by\tKen Loach\r\n\r\nKes\trelease_year\t1969\r\n"),
        ("kb.txt", "Kes|directed_by|Ken Loach\nKes|release_year|1969\n"),
        ("kb.txt.gz", "Kes|directed_by|Ken Loach\nKes|release_year|1969\n"),
        ("kb.txt", "Kes\tdirected_by\tKen Loach\nKes\trelease_year\t1969\n"),
    ],
)
def test_a_table_gives_names_as_they_stand(tmp_path: Path, name: str, text: str) -> None:
    assert keys(written(tmp_path, name, text)) == TABLE


def test_a_packed_file_is_known_by_its_content(tmp_path: Path) -> None:
    path = tmp_path / "kb.tsv"
    path.write_bytes(gzip.compress(b"a\tr\tb\n"))
    assert keys(path) == [("=a", "=r", "=b")]


def test_quotes_braces_and_angles_in_a_table_belong_to_the_name(tmp_path: Path) -> None:
    path = written(tmp_path, "kb.tsv", '"Pimpernel" Smith\tr{1}\t<3 \\n\n')
    assert keys(path) == [('="Pimpernel" Smith', "=r{1}", "=<3 \\n")]


def test_more_columns_are_not_read_and_that_is_said(tmp_path: Path) -> None:
    path = written(tmp_path, "kb.tsv", "a\tr\tb\ttrain\t1\nb\tr\tc\t\t2\n")
    with pytest.warns(InputWarning, match=r"kb\.tsv: columns 4 to 5 are not read"):
        assert keys(path) == [("=a", "=r", "=b"), ("=b", "=r", "=c")]


def test_lines_are_whole_where_blocks_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [(f"=s{number}", "=r", "=" + "é" * (number % 23 + 1)) for number in range(500)]
    text = "".join(f"{s[1:]}\t{r[1:]}\t{t[1:]}\n" for s, r, t in expected)
    path = written(tmp_path, "kb.tsv", text.removesuffix("\n"))

    def small(path: Path, *, max_line: int) -> Any:
        return line_blocks.iter_line_blocks(path, block=61, max_line=max_line)

    monkeypatch.setattr(delimited, "iter_line_blocks", small)
    assert keys(path) == expected


def test_repeats_and_order_stay_over_several_files(tmp_path: Path) -> None:
    first, second = written(tmp_path, "b.tsv", "b\tr\tc\na\tr\tb\n"), written(tmp_path, "a.txt", "a|r|b\n")
    assert keys(first, second) == [("=b", "=r", "=c"), ("=a", "=r", "=b"), ("=a", "=r", "=b")]


NT = r"""# a comment
<http://x/a> <http://x/p> <http://example.org/b> .
	<http://x/a>	<http://x/p>	"say \"hi\"\n\u00e9\U0001F600"@EN-us .# more

<http://x/a><http://x/p>"5"^^<http://www.w3.org/2001/XMLSchema#integer>.
<http://x/a> <http://x/p> "5"^^<http://www.w3.org/2001/XMLSchema#string> .
<http://x/\u00e9> <http://x/p> "" .
_:n.1 <http://x/p> _:n2.
"""
NT_KEYS = [
    ("<http://x/a", "<http://x/p", "<http://example.org/b"),
    ("<http://x/a", "<http://x/p", '"say "hi"\né😀\0@en-us'),
    ("<http://x/a", "<http://x/p", f'"5\0{XSD}integer'),
    ("<http://x/a", "<http://x/p", '"5\0'),
    ("<http://x/é", "<http://x/p", '"\0'),
    ("_n.1", "<http://x/p", "_n2"),
]


@pytest.mark.parametrize("name", ["kb.nt", "kb.nt.gz", "kb.ttl", "kb.ttl.gz", "kb.rdf_lines"])
def test_n_triples_are_read_also_as_turtle(tmp_path: Path, name: str) -> None:
    assert keys(written(tmp_path, name, NT)) == NT_KEYS
    assert keys(written(tmp_path, name, NT.replace("\n", "\r\n"))) == NT_KEYS


TURTLE = """@prefix : <http://x/> .
@base <http://y/> .
:a :p :b , "hello"@EN ;
   a :Class ;
   :q [ :r 1.5, true ], ( :c ), _:anon1, <z> .
"""


def test_turtle_gives_nodes_without_labels_the_same_keys_every_time(tmp_path: Path) -> None:
    path = written(tmp_path, "kb.txt", TURTLE)
    rdf = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    expected = {
        ("<http://x/a", "<http://x/p", "<http://x/b"),
        ("<http://x/a", "<http://x/p", '"hello\0@en'),
        ("<http://x/a", f"{rdf}type", "<http://x/Class"),
        ("<http://x/a", "<http://x/q", "_anon1"),
        ("_anon1", "<http://x/r", f'"1.5\0{XSD}decimal'),
        ("_anon1", "<http://x/r", f'"true\0{XSD}boolean'),
        ("<http://x/a", "<http://x/q", "_anon2"),
        ("_anon2", f"{rdf}first", "<http://x/c"),
        ("_anon2", f"{rdf}rest", f"{rdf}nil"),
        ("<http://x/a", "<http://x/q", "_anonanon1"),
        ("<http://x/a", "<http://x/q", "<http://y/z"),
    }
    assert set(keys(path)) == expected
    assert keys(path) == keys(path)


def test_relative_iris_stand_under_the_base_of_the_profile(tmp_path: Path) -> None:
    assert keys(written(tmp_path, "kb.ttl", "<a> <b> <c> .")) == [
        ("<http://example.org/a", "<http://example.org/b", "<http://example.org/c")
    ]


@pytest.mark.parametrize("suffix", ["nt", "ttl"])
def test_labels_of_blank_nodes_count_within_their_file(tmp_path: Path, suffix: str) -> None:
    one = written(tmp_path, f"one.{suffix}", "_:x <http://x/p> _:y .\n")
    two = written(tmp_path, f"two.{suffix}", "_:x <http://x/p> _:y .\n")
    assert keys(one) == [("_x", "<http://x/p", "_y")]
    assert keys(one, two) == [("_f1.x", "<http://x/p", "_f1.y"), ("_f2.x", "<http://x/p", "_f2.y")]


JOINED = "a\t/film/film/cast./film/role/actor\tb\nb\t/film/genre\tc\na\t/x./y./z\tb\n"


def test_a_joined_relation_is_kept_or_split_over_a_node_that_the_triple_names(tmp_path: Path) -> None:
    path = written(tmp_path, "kb.tsv", JOINED)
    assert keys(path)[0] == ("=a", "=/film/film/cast./film/role/actor", "=b")
    split = keys(path, joined="split")
    assert [relation for _, relation, _ in split[:3]] == ["=/film/film/cast", "=/film/role/actor", "=/film/genre"]
    assert [relation for _, relation, _ in split[3:]] == ["=/x", "=/y", "=/z"]
    assert (split[0][0], split[1][2], split[2]) == ("=a", "=b", ("=b", "=/film/genre", "=c"))
    assert split[0][2] == split[1][0]
    # blake2b("=a NUL =/film/film/cast./film/role/actor NUL =b", 16 bytes), taken with b2sum -l 128.
    assert split[0][2] == "=middle/6c2a8f63e116dc62992138ae42336969"
    (start, first), (second, third), (fourth, end) = [(s, t) for s, _, t in split[3:]]
    assert (start, end, first, third) == ("=a", "=b", second, fourth)
    assert len({first, third, split[0][2]}) == 3
    other = written(tmp_path, "other.tsv", "c\tr\td\n" + JOINED)
    assert keys(other, joined="split")[1:] == split


MISTAKES: dict[str, tuple[str, str | bytes, str]] = {
    "fewer columns": ("a.tsv", "a\tr\tb\n\na\tr\n", "line 3: has 2 columns, where the first line has 3"),
    "more columns": ("a.tsv", "a\tr\tb\na\tr\tb\tc\n", "line 2: has 4 columns, where the first line has 3"),
    "one column": ("a.tsv", "a r b\n", "line 1: has 1 column, where three or more are needed"),
    "a bar in a name": ("a.txt", "a|r|b\na|r|b|c\n", "line 2: has 4 columns"),
    "four bars": ("a.bars", "a|r|b|c\n", "does not look like triples"),
    "no subject": ("a.tsv", "a\tr\tb\n\tr\tb\n", "line 2: has an empty subject"),
    "no relation": ("a.tsv", "a\tr\tb\na\t\tb\n", "line 2: has an empty relation"),
    "no target": ("a.tsv", "a\tr\tb\na\tr\t\r\n", "line 2: has an empty target"),
    "a zero byte": ("a.tsv", "a\tr\tb\na\tr\tb\0\n", "line 2: holds a zero byte"),
    "a zero byte in Turtle": ("a.ttl", '<a> <b> <c> .\n<a> <b> "\0" .\n', "line 2: holds a zero byte"),
    "not UTF-8": ("a.tsv", b"a\tr\tb\na\tr\t\xff\n", "line 2: is not UTF-8 text (byte 0xff)"),
    "not UTF-8 in N-Triples": ("a.nt", b'<a:a> <a:b> "\xff" .', "line 1: is not UTF-8 text (byte 0xff)"),
    "not UTF-8 in Turtle": (
        "a.ttl",
        b'<a> <b> <c> .\n<a> <b> "\xff" .\n',
        "column 10: is no Turtle (Invalid UTF-8",
    ),
    "a long line": ("a.tsv", "a\tr\tb\na\tr\t" + "x" * (20 << 20), "line 2: is longer than 4 MiB"),
    "a long line, ended": (
        "a.tsv",
        "a\tr\tb\na\tr\t" + "x" * (5 << 20) + "\nb\tr\tb\n",
        "line 2: is longer than 4 MiB",
    ),
    "a long line of N-Triples": ("a.nt", f'<a:a> <a:b> "{"x" * (20 << 20)}" .', "line 1: is longer than 4 MiB"),
    "a long term of Turtle": ("a.ttl", f'\n<a> <b> "{"x" * (20 << 20)}" .', "line 2 is longer than 16 MiB"),
    "commas": ("a.csv", "a,r,b\n", "does not look like triples; say which form it has with --form"),
    "broken Turtle": ("a.ttl", "<a> <b> <c> .\n\n<a> <b> , .\n", "line 3, column 9: is no Turtle (, is not a valid"),
    "unknown prefix": ("a.ttl", "<a> <b> <c> .\n<a> x:b <c> .\n", "line 2, column 5: is no Turtle (The prefix x:"),
    "half a Turtle file": ("a.ttl", '<a> <b> <c> .\n<a> <b> "abc', "line 2, column 9: is no Turtle (Unexpected end"),
    "newer than RDF 1.1": ("a.ttl", "<a> <b> <<( <c> <d> <e> )>> .", "has a term that RDF 1.1 does not have"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_said_with_its_file_and_line(tmp_path: Path, mistake: str) -> None:
    name, text, message = MISTAKES[mistake]
    path = written(tmp_path, name, text)
    with pytest.raises(RecombineError) as raised:
        keys(path)
    assert str(raised.value).startswith(str(path))
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 400


@pytest.mark.parametrize("name", ["a.tsv.gz", "a.nt.gz", "a.ttl.gz"])
def test_half_a_packed_file_is_an_error(tmp_path: Path, name: str) -> None:
    text = "a\tr\tb\n" if ".tsv" in name else "<a:a> <a:r> <a:b> .\n"
    path = written(tmp_path, name, text * 10_000)
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(RecombineError, match="not a whole gzip file"):
        keys(path)


def test_options_that_are_none_are_named_before_a_file_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, "a.tsv", "a\n")
    for options, message in (({"form": "csv"}, "unknown form of triples 'csv'"), ({"joined": "cut"}, "unknown way")):
        with pytest.raises(RecombineError, match=message):
            open_triples(path, profile=PLAIN, **options)
    with pytest.raises(RecombineError, match="no file of triples"):
        open_triples([], profile=PLAIN)
    with pytest.raises(RecombineError, match=r"b\.tsv: no such file"):
        open_triples([path, tmp_path / "b.tsv"], profile=PLAIN)


def test_turtle_without_its_reader_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyoxigraph", None)
    with pytest.raises(RecombineError, match=r"install recombine\[kb\], or convert the file to N-Triples"):
        keys(written(tmp_path, "a.ttl", "<a> <b> <c> ."))
    assert keys(written(tmp_path, "a.nt", "<a:a> <a:b> <a:c> .")) == [("<a:a", "<a:b", "<a:c")]


@pytest.mark.shared_data
def test_fb15k_237_is_read_in_both_of_its_forms() -> None:
    # The counts are those of the data directory's README and of grep.
    path = data_directory() / "kb/fb15k237/triples.tsv.gz"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        kept, split = keys(path), keys(path, joined="split")
    assert len(kept) == 310_116
    assert kept[0] == ("=/m/027rn", "=/location/country/form_of_government", "=/m/06cx9")
    assert len({term for subject, _, target in kept for term in (subject, target)}) == 14_541
    assert len({relation for _, relation, _ in kept}) == 237
    assert len(split) == 310_116 + 207_567
    assert not any("./" in relation for _, relation, _ in split)
    joined = {row for row in kept if "./" in row[1]}
    middles = {target for _, _, target in split if target.startswith("=middle/")}
    assert len(middles) == len(joined)


@pytest.mark.shared_data
def test_metaqa_is_read() -> None:
    rows = keys(data_directory() / "kb/metaqa/kb.txt.gz")
    assert len(rows) == 129_233
    assert rows[0] == ("=$", "=directed_by", "=Richard Brooks")
    assert len({relation for _, relation, _ in rows}) == 9
