"""The candidate forms of a question, the words it may be written with, and the recall of candidates on a data set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.workbench.load import load
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from recombine.kb.candidates.candidate import Candidate
    from recombine.kb.candidates.candidate_recall import Asked, CandidateRecall
    from recombine.kb.candidates.candidates import Candidates
    from recombine.kb.candidates.search_space import SearchSpace
    from recombine.kb.candidates.vocabulary import Vocabulary
    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.term import Term
    from recombine.records.dataset import Dataset
    from recombine.workbench.load import Data


@dataclass(frozen=True, repr=False, eq=False)
class KbCandidates(Result):
    """The candidates of one question; fewer are shown where a limit was given."""

    candidates: Candidates
    vocabulary: Vocabulary | None
    """The words, where they were asked for in place of the candidates."""
    profile: Profile
    signature: str
    digest: str
    shown: int

    def texts(self) -> list[str | dict[str, Any]]:
        """The candidates that are shown, as S-expressions; as graph queries where a profile cannot write those."""
        return [_written(each, self.profile) for each in self.candidates[: self.shown]]

    def words(self) -> list[str]:
        """The words, where they were asked for."""
        return [] if self.vocabulary is None else self.vocabulary.words(self.profile)

    def to_dict(self) -> dict[str, Any]:
        """What `recombine kb candidates --entity` prints with `--json`."""
        said: dict[str, Any] = {"count": len(self.candidates), "notes": list(self.candidates.notes)}
        if self.vocabulary is None:
            said |= {"shown": self.shown, "candidates": self.texts()}
        else:
            said |= {
                "words": self.words(),
                "relations": len(self.vocabulary.relations),
                "classes": len(self.vocabulary.classes),
                "pruned": self.vocabulary.pruned,
            }
        return said | {"signature": self.signature, "digest": self.digest}

    def __str__(self) -> str:
        if self.vocabulary is not None:
            what = f"{len(self.vocabulary.relations):,} relations, {len(self.vocabulary.classes):,} classes"
            return f"{len(self.vocabulary):,} words: {what}" + ("" if self.vocabulary.pruned else "; not pruned")
        one = "candidate" if len(self.candidates) == 1 else "candidates"
        return f"{len(self.candidates):,} {one}" + (
            f", {self.shown:,} shown" if self.shown < len(self.candidates) else ""
        )


@dataclass(frozen=True, repr=False, eq=False)
class KbCandidateRecall(Result):
    """How many forms of a data set are among the candidates of their questions."""

    data: str
    report: CandidateRecall
    unreadable: Mapping[str, str]
    """The questions whose form could not be read, by id, each with why; they are not covered."""
    digest: str
    links: str = "gold"
    """What was linked: what the forms name, or the file that says it."""

    def to_dict(self) -> dict[str, Any]:
        """What `recombine kb candidates --data` prints with `--json`."""
        said = self.report.to_dict()
        not_covered = {key: outcome for key, outcome in self.report.outcomes.items() if outcome != "covered"}
        return {
            "data": self.data,
            "links": self.links,
            **said,
            "not_covered": not_covered,
            "unreadable": dict(self.unreadable),
            "digest": self.digest,
        }

    def __str__(self) -> str:
        return str(self.report)


@verb
def kb_candidates(
    place: Path | str,
    *,
    entity: str | Iterable[str] = (),
    data: Data | None = None,
    links: Path | str | None = None,
    hops: int = 2,
    count: bool = True,
    beyond: str | Iterable[str] = (),
    vocabulary: bool = False,
    limit: int | None = None,
    ontology: str | None = None,
    profile: str | None = None,
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
) -> KbCandidates | KbCandidateRecall:
    """The forms within two hops of each entity or literal that is linked in a question; or, for a data set, how many of
    its forms are among the candidates of their questions.

    `beyond` names what the paper does not have: `classes`, `superlatives`, `comparatives`. With `vocabulary`, the words
    that a form for the question may be written with in place of the candidates. Of a data set, what its forms name is
    linked, or what a file of `links` says: JSON lines `{"id": …, "entities": […]}`. The ontology by which a class is
    known to be implied is that of a folder, by default what the facts state, and of what they do not, that of the data
    directory for Freebase's names; else what the facts show.
    """
    from recombine.errors import OptionError
    from recombine.kb.candidates.search_space import SearchSpace
    from recombine.kb.candidates.vocabulary import pruned_vocabulary
    from recombine.kb.open_store import open_store
    from recombine.progress import working

    names = [entity] if isinstance(entity, str) else list(entity)
    if data is not None and (names or vocabulary or limit is not None):
        raise OptionError("a data set, and options for one question", "give --data, or --entity")
    if limit is not None and limit < 0:
        raise OptionError(f"a limit of {limit}", "give 0 or more")
    if links is not None and data is None:
        raise OptionError("links without a data set", "give the data whose questions they are in, with --data")
    with working(f"opening {place}"):
        store = open_store(place, profile=profile)
        space = SearchSpace(store, hops=hops, count=count, beyond=beyond)
    if data is not None:
        dataset = load(data, source=source, target=target, language=language)
        return _recall(space, dataset, links, _ontology(space.store, ontology))
    if not names and not vocabulary and "superlatives" not in space.beyond:
        remedy = "give --entity NAME, --data DATA, or what needs no entity: --beyond superlatives"
        raise OptionError("no entity to start from", remedy)
    linked = [store.profile.term(name) for name in names]
    candidates = space.of(linked)
    known = _ontology(space.store, ontology) if vocabulary else None
    words = pruned_vocabulary(space, linked, ontology=known) if vocabulary else None
    shown = len(candidates) if limit is None else min(limit, len(candidates))
    return KbCandidates(candidates, words, store.profile, space.signature, store.digest, shown)


def _written(candidate: Candidate, profile: Profile) -> str | dict[str, Any]:
    from recombine.errors import FormError
    from recombine.kb.forms.write_graph import write_graph

    try:
        return candidate.text(profile)
    except FormError:
        return write_graph(candidate.graph(), profile)


def _ontology(store: EmbeddedStore, folder: str | None) -> Ontology:
    """The ontology of a folder, of what the facts state, of the data directory beside it, or of what all facts show."""
    from recombine.kb.ontology.default_ontology import ontology_for
    from recombine.kb.ontology.derive_ontology import derive_ontology
    from recombine.kb.ontology.joined_ontology import joined_ontology
    from recombine.kb.ontology.ontology_of_facts import ontology_of_facts
    from recombine.kb.ontology.store_ontology import is_whole, used_relations

    stated = ontology_of_facts(store)
    if folder is None and all(is_whole(name, stated) for name in used_relations(store)):
        return stated
    known, _ = ontology_for(store.profile, folder)
    if known is not None:
        return known if folder is not None else joined_ontology(stated, known)
    return stated if any(role.domain or role.range for role in stated.relations.values()) else derive_ontology(store)


def _recall(space: SearchSpace, dataset: Dataset, links: Path | str | None, ontology: Ontology) -> KbCandidateRecall:
    from recombine.kb.candidates.candidate_recall import candidate_recall
    from recombine.kb.candidates.form_lookup import UNREADABLE
    from recombine.progress import working

    linked = None if links is None else _read_links(links, dataset, space.store.profile)
    unreadable: dict[str, str] = {}
    with working(f"looking for {len(dataset):,} forms among their candidates"):
        report = candidate_recall(
            space, _iter_asked(dataset, linked, space.store.profile, unreadable), ontology=ontology
        )
    report.outcomes.update(dict.fromkeys(unreadable, UNREADABLE))
    report.sizes += [0] * len(unreadable)
    said = "gold" if links is None else str(links)
    return KbCandidateRecall(dataset.name, report, unreadable, space.store.digest, said)


def _iter_asked(
    dataset: Dataset, linked: Mapping[str, tuple[Term, ...]] | None, profile: Profile, unreadable: dict[str, str]
) -> Iterator[Asked]:
    """The questions with their forms; those that cannot be read are put aside with why."""
    from recombine.errors import OptionError, RecombineError
    from recombine.kb.candidates.candidate_recall import Asked
    from recombine.kb.forms.form_of_text import NOTATION_OF, form_of_text

    notation = None if dataset.language is None else NOTATION_OF.get(dataset.language.name)
    for example in dataset:
        try:
            form = form_of_text(example.target, profile, notation)
        except RecombineError as error:
            unreadable[example.id] = error.problem
            if len(unreadable) == len(dataset):
                problem = f"{dataset.name}: no form can be read; {example.id}: {error.problem}"
                raise OptionError(problem, error.remedy) from error
            continue
        yield Asked(example.id, form, None if linked is None else linked.get(example.id, ()))


def _read_links(path: Path | str, dataset: Dataset, profile: Profile) -> dict[str, tuple[Term, ...]]:
    """What is linked in each question by its id; one that the file does not have has no links."""
    from recombine.errors import RecordError
    from recombine.files import read_text
    from recombine.json_lines import iter_json_lines

    known = {example.id for example in dataset}
    linked: dict[str, tuple[Term, ...]] = {}
    for number, row in iter_json_lines(read_text(path), path):
        key, names = row.get("id"), row.get("entities")
        record = f"line {number}"
        if not isinstance(names, list) or not all(isinstance(name, str) and name for name in names):
            raise RecordError(path, record, "has no list of names in 'entities'", 'give {"id": …, "entities": […]}')
        if str(key) not in known:
            raise RecordError(path, record, f"the data has no question {key!r}", "give the links of this data")
        if str(key) in linked:
            raise RecordError(path, record, f"the question {key!r} is there before", "give each question once")
        linked[str(key)] = tuple(profile.term(name) for name in names)
    return linked
