"""Terms in pyoxigraph's form, and back in the form of a profile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.errors import AnswerError, KnowledgeBaseError
from recombine.kb.base_names import iri_of_name, named
from recombine.kb.term import BLANK, LITERAL, NAME, Term

if TYPE_CHECKING:
    from types import ModuleType


def import_pyoxigraph() -> ModuleType:
    """The module; where it is missing, the remedy."""
    try:
        import pyoxigraph
    except ImportError as error:
        raise KnowledgeBaseError("SPARQL needs pyoxigraph", 'install it: pip install "recombine[kb]"') from error
    return pyoxigraph


def to_oxigraph(term: Term, base: str) -> Any:
    """The term as pyoxigraph has it; one that RDF cannot have is refused."""
    pyoxigraph = import_pyoxigraph()
    try:
        if term.kind == LITERAL:
            if term.language:
                return pyoxigraph.Literal(term.text, language=term.language)
            datatype = pyoxigraph.NamedNode(term.datatype) if term.datatype else None
            return pyoxigraph.Literal(term.text, datatype=datatype)
        if term.kind == BLANK:
            return pyoxigraph.BlankNode(term.text)
        return pyoxigraph.NamedNode(iri_of_name(term.text, base) if term.kind == NAME else term.text)
    except ValueError as error:
        raise KnowledgeBaseError(
            f"{_shown(term)} cannot be written in RDF ({' '.join(str(error).split())})",
            "mend it where it comes from; questions by hops need no RDF",
        ) from error


def _shown(term: Term) -> str:
    return repr(term.text if len(term.text) <= 80 else term.text[:79] + "…")


def of_oxigraph(value: Any, base: str) -> Term:
    """What pyoxigraph answers as a term: a resource by its name where it is under the base."""
    kind = type(value).__name__
    if kind == "NamedNode":
        return named(Term.iri(value.value), base)
    if kind == "Literal":
        if value.language:
            return Term.literal(value.value, language=value.language)
        return Term.literal(value.value, datatype=value.datatype.value)
    if kind == "BlankNode":
        return Term.blank(value.value)
    raise AnswerError(f"the answer holds a {kind.lower()}", "ask for resources and literals")
