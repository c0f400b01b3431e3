"""What a language file may say, what each key does, and every mistake with its file and key."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from made_notations import EXAMPLES, PIPES, made_language

from recombine.errors import InputFileError, ProgramError
from recombine.languages.language import Language
from recombine.languages.notation.notation_file import (
    BracketTable,
    CommentTable,
    NormaliseTable,
    NotationFile,
    OperatorsTable,
    QuotesTable,
    StatementsTable,
    Table,
)
from recombine.languages.notation.read_notation import read_notation
from recombine.tree import Tree

CALLS = """
name = "calls"
[[brackets]]
open = "("
close = ")"
after_name = "call"
alone = "group"
"""


def language_of(text: str, folder: Path) -> Language:
    path = folder / "own.toml"
    path.write_text(text, encoding="utf-8")
    return read_notation(path, "own.toml")


def labels(language: Language, text: str) -> list[str]:
    return [node.label for node in language.parse(text).iter_nodes()]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("name = ", "own.toml: not TOML"),
        ("", "own.toml, name: it is missing; add it"),
        ("name = 3", "own.toml, name: it is '3'; Input should be a valid string"),
        ("name = ' '", "own.toml, name: ' ' is no name"),
        ("name = 'x'\nword = 1", "own.toml, word: unknown key 'word'; did you mean 'words'?"),
        (CALLS + "kind = 'x'", "own.toml, [[brackets]] number 1, kind: unknown key 'kind'; known: after_name"),
        (CALLS + "[normalise]\ncommutativ = []", "own.toml, normalise.commutativ: unknown key 'commutativ'; did you"),
        ("name = 'x'\nwords = 'two'", "own.toml, words: it is 'two'; Input should be 'one' or 'joined'"),
        ("name = 'x'\n[[brackets]]\nopen = '('", "own.toml, [[brackets]] number 1, close: it is missing"),
        (
            "name = 'x'\n[[brackets]]\nopen = '('\nclose = ')'",
            "own.toml, [[brackets]] number 1: nothing is said of them",
        ),
        (
            CALLS + "[[brackets]]\nopen='('\nclose=']'\nalone='list'",
            "number 2, open: '(' stands in [[brackets]] number 1",
        ),
        (CALLS + "[[brackets]]\nopen='b'\nclose=']'\nalone='list'", "number 2, open: 'b' has letters or digits"),
        (CALLS + "[[quotes]]\nopen = ''", "[[quotes]] number 1, open: '' is no sign"),
        (
            CALLS + "[[quotes]]\nopen = '\"'\nescape='\"'",
            "number 1, escape: it is the quote itself; write doubled = true",
        ),
        (CALLS + "[[comments]]\nopen = '#'\nclose = ' '", "[[comments]] number 1, close: ' ' is no sign"),
        (CALLS + "[[operators]]\nsigns = [',']", "[[operators]] number 1, signs: ',' stands in separators too"),
        (CALLS + "[[operators]]\nsigns = ['not in']", "number 1, signs: 'not in' is no sign"),
        (CALLS + "[[operators]]\nsigns = ['x+']", "number 1, signs: 'x+' is neither a word nor a sign"),
        (CALLS + "[[operators]]\nsigns = ['+', '+']", "number 1, signs: '+' is an operator twice"),
        (
            CALLS + "[[operators]]\nsigns = ['<']\nassociates='none'\n[normalise]\nassociative=['<']",
            "own.toml, normalise.associative: '<' associates to neither side",
        ),
        ("name = 'x'\n[[operators]]\nsigns = ['+']", "own.toml, operators: no brackets group what they are of"),
        ("word_signs = '('\n" + CALLS, "own.toml, word_signs: '(' cannot be part of a word"),
        (CALLS + "[literals]\nnumber = ['(']", "own.toml, literals.number: '(' is no pattern"),
        (CALLS + "[literals]\nnumber = ['x*']", "own.toml, literals.number: 'x*' matches nothing at all"),
        (CALLS + "[names]\nEntity = ['x']", "own.toml, names.Entity: is no kind"),
        (CALLS + "[functions]\nfind = 'two'", "own.toml, functions.find: 'two' is no number of arguments"),
        (CALLS + "[statements]\nseparators = []", "own.toml, statements.separators: there are none"),
        (
            "words = 'joined'\n" + CALLS + "[statements]\ncommand = true",
            "own.toml, statements.command: a command has one",
        ),
        ("a = " + "[" * 5_000 + "]" * 5_000, "own.toml: "),
    ],
)
def test_a_mistake_is_one_line_with_file_and_key(text: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(InputFileError) as raised:
        language_of(text, tmp_path)
    assert problem in str(raised.value)
    assert str(raised.value).startswith("own.toml")
    assert "\n" not in str(raised.value)


def test_other_encodings_and_folders_are_one_line(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_bytes("name = 'größe'".encode() + "# größe".encode("latin-1"))
    with pytest.raises(InputFileError, match=r"own.toml.*UTF-8") as raised:
        read_notation(path, "own.toml")
    assert "\n" not in str(raised.value)
    with pytest.raises(InputFileError, match="no such file; name a language file"):
        read_notation(tmp_path / "none.toml", "none.toml")
    with pytest.raises(InputFileError, match="is a directory"):
        read_notation(tmp_path, "here.toml")


def test_the_name_says_what_the_file_says(tmp_path: Path) -> None:
    first = language_of(CALLS, tmp_path)
    assert first.name.startswith("own.toml@")
    assert language_of("# the same\n" + CALLS.replace(" = ", "="), tmp_path).name == first.name
    others = [CALLS + "[normalise]\ncommutative=['f']", CALLS.replace("calls", "other"), "separators = [';']\n" + CALLS]
    assert len({language_of(text, tmp_path).name for text in others} | {first.name}) == 4


def test_operators_bind_as_their_tables_stand(tmp_path: Path) -> None:
    """`^` tightest and to the right, then prefix `-`, `*`, postfix `?`, `+` to the left, `and`, `|>`."""
    pipes = made_language("pipes", tmp_path)
    one, two = Tree("1"), Tree("2")
    assert pipes.parse("1 + 2 * a") == Tree("+", (one, Tree("*", (two, Tree("a")))))
    assert pipes.parse("1 - 2 - 2") == Tree("-", (Tree("-", (one, two)), two))
    assert pipes.parse("1 ^ 2 ^ 2") == Tree("^", (one, Tree("^", (two, two))))
    assert pipes.parse("- 1 ^ 2") == Tree("-", (Tree("^", (one, two)),))
    assert pipes.parse("- 1 * 2") == Tree("*", (Tree("-", (one,)), two))
    assert pipes.parse("1 * 2 ?") == Tree("?", (Tree("*", (one, two)),))
    assert pipes.parse("not a < 1 and b |> f(a)") == pipes.parse("((not (a < 1)) and b) |> f(a)")
    assert pipes.parse("a-3") == Tree("-", (Tree("a"), Tree("3")))
    assert pipes.parse("a - -3") == Tree("-", (Tree("a"), Tree("-3")))
    assert pipes.parse("f(-3, 2026-01-31)") == Tree("f", (Tree("-3"), Tree("2026-01-31")))
    assert pipes.parse("a.b(x). c") == Tree(".", (Tree("a.b", (Tree("x"),)), Tree("c")))
    with pytest.raises(ProgramError, match=r"pipes program, column 8: '<' after '==', which do not associate"):
        pipes.parse("a == b < c")


def test_sets_names_and_repeats_come_into_one_form(tmp_path: Path) -> None:
    pipes = made_language("pipes", tmp_path)
    assert pipes.render(pipes.normalise(pipes.parse("c and (b and a) and b"))) == "a and b and c"
    assert pipes.render(pipes.normalise(pipes.parse("a and a"))) == "a"
    assert pipes.render(pipes.normalise(pipes.parse("both(c, both(b, c), both(a))"))) == "both(a, b, c)"
    assert pipes.render(pipes.normalise(pipes.parse("c + b + a"))) == "a + (b + c)"
    assert pipes.render(pipes.normalise(pipes.parse("f(z: 1, x, a: 2, b)"))) == "f(x, b, a: 2, z: 1)"
    assert pipes.render(pipes.normalise(pipes.parse("c or b"))) == "c or b"


def test_kinds_are_those_of_the_file(tmp_path: Path) -> None:
    pipes = made_language("pipes", tmp_path)
    assert pipes.type_literals is not None
    assert pipes.type_names is not None
    tree = pipes.parse('f(m0, "a", -3, 2026-01-31, true)')
    assert [node.label for node in pipes.type_literals(tree).children] == [
        "m0",
        "<string>",
        "<number>",
        "<date>",
        "true",
    ]
    assert [node.label for node in pipes.type_names(tree).children][:2] == ["<entity>", '"a"']
    assert pipes.render(pipes.anonymise(tree)) == "f(ENTITY, STRING, NUMBER, DATE, true)"
    plain = language_of(CALLS + "[literals]", tmp_path)
    assert plain.type_literals is None
    assert plain.type_names is None


def test_each_key_does_what_it_says(tmp_path: Path) -> None:
    assert labels(language_of("words = 'joined'\n" + CALLS, tmp_path), "f(looking at, b)") == ["f", "looking at", "b"]
    assert labels(language_of("case_insensitive = true\n" + CALLS, tmp_path), "F(aB)") == ["f", "ab"]
    assert labels(language_of("separators = [';', '/']\n" + CALLS, tmp_path), "f(a, ; b / c)") == ["f", "a,", "b", "c"]
    spaced = language_of("spaced = true\n" + CALLS, tmp_path)
    assert spaced.render(spaced.parse("f(a,g())")) == "f ( a , g ( ) )"
    index = language_of(CALLS + "[[brackets]]\nopen='['\nclose=']'\nafter_name='index'", tmp_path)
    assert labels(index, "f [ a b ] (c)") == ["f[a b]", "c"]
    assert labels(language_of(PIPES, tmp_path), "f(a # (\n)") == ["f", "a"]
    head = language_of("name='h'\n[[brackets]]\nopen='('\nclose=')'\nalone='head'", tmp_path)
    assert labels(head, "(f a (g b) ((h) c))") == ["f", "a", "g", "b", "()", "()", "h", "c"]
    known = language_of(CALLS + "[functions]\nfind = '1'\nscene = '0'", tmp_path)
    assert labels(known, "find(scene())") == ["find", "scene()"]
    for text, problem in [
        ("find(a, b)", "'find' has 2 arguments where 1 belong"),
        ("seek(a)", "'seek' is no function"),
    ]:
        with pytest.raises(ProgramError, match=problem):
            known.parse(text)


def test_assembly_is_a_sequence_of_commands(tmp_path: Path) -> None:
    assembly = made_language("assembly", tmp_path)
    tree = assembly.parse("MOV eax, [ebx + 4] // load\n\nadd (eax), %x; RET")
    assert [node.label for node in tree.iter_nodes()] == [
        *(";", "mov", "eax", "[]", "+", "ebx", "4", "add", "eax", "%", "x", "ret")
    ]
    assert assembly.render(tree) == "mov eax, [ebx + 4]\nadd eax, % x\nret"


def test_prolog_is_a_sequence_of_clauses(tmp_path: Path) -> None:
    prolog = made_language("prolog", tmp_path)
    text = r"answer(X) :- (capital(X), \+ loc(X, 'New York')). loc([X|Y], Z)."
    assert [node.label for node in prolog.parse(text).iter_nodes()] == [
        *(".", ":-", "answer", "X", "()", "capital", "X", r"\+", "loc", "X", "'New York'"),
        *("loc", "[]", "|", "X", "Y", "Z"),
    ]


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("", 1, "an empty program"),
        ("# nothing", 1, "an empty program"),
        ("f(a", 2, "a bracket that is not closed"),
        ("f(a]", 4, "']' where ')' should be"),
        ("f(a))", 5, "a closing bracket too many"),
        ("f(a, )", 6, "an argument is missing"),
        ("f(a b)", 5, "'b' after a"),
        ("a +", 4, "what an operator is of is missing"),
        ("* a", 1, "'*': an operator with nothing before it"),
        ('f("a)', 3, "a string that does not end"),
        ('"a"(b)', 4, 'a bracket after the value "a"'),
        ("n: 1", 2, "':' where no argument is named"),
        ("f(a)(b)", 5, "'(' after a value"),
        ("a, b", 2, "',': it means nothing here"),
        ("a !", 3, "'!' after a"),
    ],
)
def test_what_is_wrong_is_refused_with_its_column(text: str, column: int, problem: str, tmp_path: Path) -> None:
    with pytest.raises(ProgramError) as raised:
        made_language("pipes", tmp_path).parse(text)
    assert str(raised.value).startswith(f"pipes program, column {column}: {problem}")
    assert raised.value.remedy


def test_the_page_shows_the_file() -> None:
    page = (EXAMPLES.parents[1] / "languages.md").read_text(encoding="utf-8")
    assert f"```toml\n{(EXAMPLES / 'robots.toml').read_text(encoding='utf-8')}```" in page


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_every_key_of_a_file_is_on_the_page(path: Path) -> None:
    page = (EXAMPLES.parents[1] / "languages.md").read_text(encoding="utf-8")
    for key in tomllib.loads(path.read_text(encoding="utf-8")):
        assert f"`{key}" in page or f"[{key}]" in page or f"[[{key}]]" in page


@pytest.mark.parametrize(
    "table", [NotationFile, BracketTable, QuotesTable, CommentTable, OperatorsTable, StatementsTable, NormaliseTable]
)
def test_every_key_there_is_is_on_the_page(table: type[Table]) -> None:
    page = (EXAMPLES.parents[1] / "languages.md").read_text(encoding="utf-8")
    keys = page[page.index("| key | what it says |") :].partition("\n\n")[0]
    for key in table.model_fields:
        assert re.search(rf"\b{key}\b", keys), key
