"""A term of a knowledge base: a resource, a literal, or a node without a name; and the key under which it is kept.

A key is a text whose first character says what the term is, so that terms sort, compare and intern as texts do:

- `=Temuera Morrison` is a name under the base of the profile: what a plain table holds, and what is left of a resource
  whose IRI begins with the base;
- `<http://example.org/x` is a resource by its whole IRI;
- `"1967` + NUL + `http://www.w3.org/2001/XMLSchema#integer` is a literal with its type, `@en` there with its language,
  and nothing there is a plain string;
- `_b1` is a node without a name.
"""

from __future__ import annotations

from dataclasses import dataclass

NAME, IRI, LITERAL, BLANK = "=", "<", '"', "_"
KINDS = (NAME, IRI, LITERAL, BLANK)
_SEPARATOR = "\0"


@dataclass(frozen=True, slots=True, order=True)
class Term:
    """A resource (`=` by name, `<` by IRI), a literal (`"`) or a node without a name (`_`).

    >>> Term.name("Temuera Morrison").key
    '=Temuera Morrison'
    >>> Term.of_key(Term.literal("Rom", language="de").key)
    Term(kind='"', text='Rom', datatype='', language='de')
    """

    kind: str
    text: str
    datatype: str = ""
    language: str = ""

    @classmethod
    def name(cls, text: str) -> Term:
        """A resource by its name under the base of the profile."""
        return cls(NAME, text)

    @classmethod
    def iri(cls, text: str) -> Term:
        """A resource by its whole IRI."""
        return cls(IRI, text)

    @classmethod
    def literal(cls, text: str, *, datatype: str = "", language: str = "") -> Term:
        """A literal; its language in lower case, and no type where it has a language or is a plain string."""
        if datatype == "http://www.w3.org/2001/XMLSchema#string":
            datatype = ""
        return cls(LITERAL, text, "" if language else datatype, language.lower())

    @classmethod
    def blank(cls, text: str) -> Term:
        """A node without a name, by the label that its file gives it."""
        return cls(BLANK, text)

    @property
    def key(self) -> str:
        """The text under which the term is kept."""
        if self.kind != LITERAL:
            return self.kind + self.text
        return f"{LITERAL}{self.text}{_SEPARATOR}{'@' + self.language if self.language else self.datatype}"

    @classmethod
    def of_key(cls, key: str) -> Term:
        """The term that is kept under a key."""
        kind, text = key[0], key[1:]
        if kind != LITERAL:
            return cls(kind, text)
        text, _, said = text.rpartition(_SEPARATOR)
        return cls(kind, text, language=said[1:]) if said.startswith("@") else cls(kind, text, said)
