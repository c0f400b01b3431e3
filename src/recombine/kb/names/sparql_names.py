"""What a SPARQL query names, by where its IRIs stand: a relation in the middle of a triple, alone or in a path; a class
after a type or sub-class predicate; an entity elsewhere.

Not names of the knowledge base are types of literals, functions, graphs, and what is within SERVICE. The query is not
checked: what a store refuses, it refuses when it is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import ProgramError
from recombine.kb.names.named import Named, Names
from recombine.kb.sparql_tokens import Token, iter_tokens, unescaped_local
from recombine.kb.term import Term

if TYPE_CHECKING:
    from recombine.kb.profiles.profile import Profile

_RDF_TYPE = Term.iri("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
SUBJECT, VERB, OBJECT, AFTER = range(4)
PATTERN, EXPRESSION, VALUES = "pattern", "expression", "values"
_END = Token("end", "", 0)


class _Frame:
    """A bracket that is open: what stands in it, and where in a triple it is."""

    def __init__(self, mode: str, place: int = SUBJECT) -> None:
        self.mode, self.place = mode, place
        self.types = False
        """Whether the relation of the triple says a class."""


def sparql_names(text: str, profile: Profile) -> Named:
    """The names of a query; prefixes that it does not declare are the profile's.

    >>> from recombine.kb.profiles.find_profile import find_profile
    >>> named = sparql_names("ASK { ?x a dbo:City ; dbo:country/dbo:leader dbr:Ann }", find_profile("dbpedia"))
    >>> [sorted(term.text.rsplit("/", 1)[-1] for term in names) for names in named[:3]]
    [['Ann'], ['22-rdf-syntax-ns#type', 'country', 'leader'], ['City']]
    """
    return _Reader(text, profile).read()


class _Reader:
    def __init__(self, text: str, profile: Profile) -> None:
        self._profile = profile
        self._prefixes = dict(profile.prefixes)
        self._base = profile.base
        self._tokens = [*_with_numbers(list(iter_tokens(text))), _END]
        self._at = 0
        self._frames = [_Frame(EXPRESSION)]
        self._waiting = ""
        """What the next bracket opens where a word has said it."""
        self._names = Names()
        self._classes = {_RDF_TYPE, *profile.predicates("type"), *profile.predicates("subclass")}

    def read(self) -> Named:
        """The names, once all tokens were looked at."""
        while (token := self._tokens[self._at]) is not _END:
            self._at += 1
            if token.kind == "word":
                self._word(token)
            elif token.kind == "sign":
                self._sign(token.text)
            else:
                self._term(token)
        return self._names.named()

    @property
    def _frame(self) -> _Frame:
        return self._frames[-1]

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _word(self, token: Token) -> None:
        frame = self._frame
        if token.is_word("PREFIX") and self._next.kind == "name":
            self._prefixes[self._next.text.partition(":")[0]] = self._tokens[self._at + 1].text[1:-1]
            self._at += 2
        elif token.is_word("BASE") and self._next.kind == "iri":
            self._base = self._next.text[1:-1]
            self._at += 1
        elif token.is_word("VALUES"):
            self._waiting = VALUES
        elif token.is_word("SELECT"):
            frame.mode = EXPRESSION
        elif token.is_word("GRAPH", "SERVICE", "FROM"):
            self._skip_place(group=token.is_word("SERVICE"))
        elif frame.mode == PATTERN:
            if token.text in ("a", "true", "false"):
                self._term(token)
            elif token.is_word("FILTER", "BIND"):
                self._waiting, frame.place = EXPRESSION, SUBJECT

    def _skip_place(self, *, group: bool) -> None:
        """Pass over the name of a graph or server, and over what is asked of a server."""
        while self._next.is_word("SILENT", "NAMED"):
            self._at += 1
        self._at += 1
        if not group or self._next.text != "{":
            return
        depth = 0
        while self._next is not _END:
            depth += (self._next.text == "{") - (self._next.text == "}")
            self._at += 1
            if depth == 0:
                return

    def _sign(self, sign: str) -> None:
        frame = self._frame
        if sign == "{":
            self._frames.append(_Frame(VALUES if self._waiting == VALUES else PATTERN))
            self._waiting = ""
        elif sign == "[":
            self._frames.append(_Frame(frame.mode, VERB))
        elif sign == "(":
            self._open(frame)
        elif sign in ")]}":
            self._close(sign, frame)
        elif frame.mode == PATTERN:
            frame.place = {".": SUBJECT, ";": VERB, ",": OBJECT}.get(sign, frame.place)
            frame.types = frame.types and sign == ","

    def _open(self, frame: _Frame) -> None:
        if frame.mode == PATTERN and frame.place == VERB:
            return  # brackets of a path
        if self._waiting == EXPRESSION:
            self._waiting = ""
            self._frames.append(_Frame(EXPRESSION))
        else:
            self._frames.append(_Frame(VALUES if frame.mode == PATTERN else frame.mode))

    def _close(self, sign: str, frame: _Frame) -> None:
        if sign == ")" and frame.mode == PATTERN:
            if frame.place == VERB:
                self._end_of_step(frame)
            return
        if len(self._frames) > 1:
            self._frames.pop()
        outer = self._frame
        if outer.mode == PATTERN:
            if sign == "]" or (sign == ")" and frame.mode == VALUES):
                outer.place = AFTER if outer.place == OBJECT else VERB
            else:
                outer.place = SUBJECT

    def _term(self, token: Token) -> None:
        term = self._resource(token)
        frame = self._frame
        if token.kind == "string":
            self._skip_type()
        if frame.mode == PATTERN:
            self._place(term, frame)
        elif term is not None and self._next.text != "(":
            self._names.entities.add(term)

    def _place(self, term: Term | None, frame: _Frame) -> None:
        if self._waiting == EXPRESSION and self._next.text == "(":
            return  # a function
        if frame.place == VERB:
            if term is not None:
                self._names.relations.add(term)
                frame.types = frame.types or term in self._classes
            self._end_of_step(frame)
            return
        if term is not None:
            classes = frame.place == OBJECT and frame.types
            (self._names.classes if classes else self._names.entities).add(term)
        frame.place = VERB if frame.place == SUBJECT else AFTER
        frame.types = frame.types and frame.place != VERB

    def _end_of_step(self, frame: _Frame) -> None:
        """Stay in a path where it goes on, or go on to the object."""
        while self._next.kind == "sign" and self._next.text in "*+?":
            self._at += 1
        if self._next.kind == "sign" and self._next.text in "/|":
            self._at += 1
        elif self._next.text != ")":
            frame.place = OBJECT

    def _skip_type(self) -> None:
        """Pass over the type or the language of a literal."""
        if [token.text for token in self._tokens[self._at : self._at + 2]] == ["^", "^"]:
            self._at += 3
        elif self._next.text == "@":
            self._at += 2
            while self._next.text == "-":
                self._at += 2

    def _resource(self, token: Token) -> Term | None:
        if token.kind == "iri":
            iri = token.text[1:-1]
            return self._profile.shorten(iri if ":" in iri else self._base + iri)
        if token.kind == "word":
            return _RDF_TYPE if token.text == "a" else None
        if token.kind != "name":
            return None
        prefix, local = unescaped_local(token.text)
        if prefix not in self._prefixes:
            remedy = "declare it in the query, or check with a profile that has it"
            raise ProgramError("SPARQL", token.start, f"the prefix {prefix!r} is not known", remedy)
        return self._profile.shorten(self._prefixes[prefix] + local)


def _with_numbers(tokens: list[Token]) -> list[Token]:
    """The tokens with the digits and dots of a number as one."""
    joined: list[Token] = []
    for place, token in enumerate(tokens):
        last = joined[-1] if joined else _END
        digit = token.kind == "sign" and token.text.isdigit()
        goes_on = last.kind == "number" and last.end == token.start
        following = tokens[place + 1] if place + 1 < len(tokens) else _END
        decimal = token.text == "." and following.text.isdigit() and following.start == token.end
        if goes_on and (digit or decimal or (token.kind == "word" and token.text[0] in "eE")):
            joined[-1] = Token("number", last.text + token.text, last.start)
        else:
            joined.append(Token("number", token.text, token.start) if digit else token)
    return joined
