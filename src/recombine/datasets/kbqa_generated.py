"""Questions over any knowledge base, generated with logical forms and answers (GrailQA, section 3).

Without a knowledge base of one's own they are about a made-up world of many domains, which needs no download.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from recombine.data_directory import data_directory
from recombine.datasets.generator import Generated, Generator
from recombine.datasets.kbqa_made.controlled_pool import check_divisor
from recombine.datasets.kbqa_made.shares import (
    FUNCTIONS,
    RELATIONS,
    cell_counts,
    read_function_shares,
    read_relation_shares,
    without,
)
from recombine.datasets.kbqa_made.split_path import split_path
from recombine.errors import KnowledgeBaseError, OptionError, SizeError
from recombine.files import check_writable
from recombine.kb.templates.template import COMPARATIVE, SUPERLATIVE, TEMPLATE_FUNCTIONS
from recombine.languages.known import find_language
from recombine.options import option
from recombine.progress import note, working
from recombine.records.world import is_address
from recombine.seeds import check_seed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from recombine.datasets.kbqa_made.fill_cells import FilledCells
    from recombine.datasets.kbqa_made.people_wordings import PeopleWordings
    from recombine.datasets.kbqa_made.question_examples import QuestionExamples
    from recombine.datasets.kbqa_made.workshop import Workshop
    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.templates.popularity import Popularity
    from recombine.kb.term import Term
    from recombine.records.example import Example

NAME = "kbqa"
NUMBER = 10_000


@dataclass(frozen=True, kw_only=True)
class KbqaGenerator(Generator):
    """Makes questions over a knowledge base."""

    kb: str | None = option(
        None,
        "A knowledge base: an index, a file, FB15k-237's folder, there or in the data directory; default: a made-up "
        "world.",
        metavar="PLACE",
    )
    profile: str | None = option(None, "What names look like in a file; default: plain.", metavar="NAME|FILE")
    ontology: str = option(
        "", "A folder of an ontology in the form of Freebase's commons; default: what the facts say.", metavar="DIR"
    )
    world_size: int | None = option(None, "About how many facts the made-up world has.", metavar="N")
    relation_shares: str = option(RELATIONS, "Shares of questions of one to four relations.", metavar="A,B,C,D")
    function_shares: str = option(FUNCTIONS, "Shares of questions by function.", metavar="NAME:SHARE,…")
    per_template: int = option(13, "How many questions a template gives, where there are templates enough.")
    divide_forms: float = option(2.0, "What the weight of a form is divided by when it is drawn.")
    divide_wordings: float = option(10.0, "What the weight of a wording is divided by when it is drawn.")
    popularity: str | None = option(
        None, "A file of surface forms, entities and counts, with tabs between; default: facts.", metavar="FILE"
    )
    names: str | None = option(
        None, "A file of entities and their names, with tabs between, where the facts have none.", metavar="FILE"
    )
    wording: str | None = option(None, "A file of words for relations and classes of one's own.", metavar="FILE")
    paraphrases: str | None = option(
        None, "A file of what people wrote, as `kb answers` took it: wordings of templates, names.", metavar="FILE"
    )
    paraphrases_alone: bool = option(False, "Ask in people's wordings alone where a template has any.")
    redundant: bool = option(False, "Ask also what has a branch that changes nothing of the answers.")
    processes: int = option(1, "How many processes make questions; the result is the same.")
    no_split: bool = option(False, "Write no split by levels beside the questions.")
    dev: str | None = option(None, "The size of dev, a count or a share; default: 10%.", metavar="SIZE")
    test: str | None = option(None, "The size of test, a count or a share; default: 20%.", metavar="SIZE")
    zero_shot: float = option(0.5, "The share of dev and test that has domains which train lacks.")
    compositional: float = option(0.25, "The share of dev and test that has templates which train lacks.")
    dev_domains: int | None = option(None, "How many domains are held out for dev; default: 5 of 86.")
    test_domains: int | None = option(None, "How many domains are held out for test; default: 10 of 86.")

    name: ClassVar[str] = NAME
    description: ClassVar[str] = "questions over a knowledge base, with logical forms and answers"
    release: ClassVar[str] = "grailqa"
    on_clusters: ClassVar[bool] = False

    @classmethod
    def check_out(cls, path: Path | str, form: str) -> None:
        """Refuse a place where the split cannot be written."""
        del form
        check_writable(split_path(path))

    @property
    def level_options(self) -> Mapping[str, Any] | None:
        """How questions are split."""
        names = ("dev", "test", "zero_shot", "compositional", "dev_domains", "test_domains")
        return None if self.no_split else {name: getattr(self, name) for name in names}

    def in_folder(self, folder: Path) -> Self:
        """The same generator, with paths read from a folder."""
        return replace(
            self,
            kb=_beside(folder, self.kb),
            ontology=_beside(folder, self.ontology) or "",
            popularity=_beside(folder, self.popularity),
            names=_beside(folder, self.names),
            wording=_beside(folder, self.wording),
            paraphrases=_beside(folder, self.paraphrases),
        )

    def generate(self, n: int | None, *, seed: int) -> Generated:
        """So many questions; without a number, as the documentation says."""
        from recombine.datasets.kbqa_made.fill_cells import fill_cells
        from recombine.datasets.kbqa_made.lots_of_kinds import LotsOfKinds
        from recombine.datasets.kbqa_made.read_names import read_names
        from recombine.kb.templates.popularity import Popularity

        check_seed(seed)
        n = NUMBER if n is None else n
        self._check(n)
        relations = read_relation_shares(self.relation_shares)
        functions = read_function_shares(self.function_shares, TEMPLATE_FUNCTIONS)
        kb, names_file = self._place()
        store = self._store(kb)
        popularity = None if self.popularity is None else Popularity.read(self.popularity, store.profile)
        names = None if names_file is None else read_names(names_file, store.profile)
        people = self._people(store)
        with working("reading what can be asked"):
            workshop = self._workshop(store, popularity, seed, people)
            functions = _possible(workshop, functions)
        counts = cell_counts(n, relations, functions)
        lots = LotsOfKinds(workshop, self.processes)
        try:
            with working("finding templates"):
                filled = fill_cells(counts, lots, per_template=self.per_template)
        finally:
            lots.close()
        if filled.missing:
            raise _too_few(n, filled)
        if people is not None:
            _note_people(people, filled)
        counted = _counted(filled)
        return Generated(
            NAME if self.kb is None else Path(self.kb).stem or NAME,
            _iter_counted(self._examples(workshop, popularity, names, people), filled, seed, counted),
            total=n,
            structures="",
            language=find_language("sexpression"),
            world=store,
            counted=counted,
        )

    def _check(self, n: int) -> None:
        if isinstance(n, bool) or n < 1:
            raise OptionError(f"cannot make {n} questions", "give a count of 1 or more")
        for divisor in (self.divide_forms, self.divide_wordings):
            check_divisor(divisor)
        if self.per_template < 1:
            raise OptionError(f"a template gives {self.per_template} questions", "give a count of 1 or more")
        if self.processes < 1:
            raise OptionError(f"{self.processes} processes", "give a count of 1 or more")
        if self.paraphrases_alone and self.paraphrases is None:
            raise OptionError("--paraphrases-alone, and no paraphrases", "name their file with --paraphrases")
        if self.kb is not None and self.world_size is not None:
            raise OptionError("--world-size is of the made-up world, and --kb names another", "leave one of them out")
        if self.profile is not None and self.kb is None:
            raise OptionError("--profile is of a knowledge base of your own, and none is given", "name it with --kb")

    def _place(self) -> tuple[str | None, str | None]:
        """The place of the knowledge base, and the file of names: FB15k-237 has one beside its triples."""
        from recombine.kb.fb15k237.fb15k237_store import fb15k237_files

        if self.kb is None or is_address(self.kb):
            return self.kb, self.names
        kept = data_directory() / self.kb
        place = kept if kept.exists() and not Path(self.kb).exists() else Path(self.kb)
        files = fb15k237_files(place)
        if files is None:
            return str(place), self.names
        triples, names = map(str, files)
        if self.names is None:
            note(f"names of entities are read from {names}")
        return triples, self.names or names

    def _store(self, kb: str | None) -> EmbeddedStore:
        from recombine.kb.embedded.embedded_store import EmbeddedStore
        from recombine.kb.open_store import open_store

        if kb is None:
            from recombine.kb.many_domains.many_domains import many_domains_store

            with working("making the world"):
                return many_domains_store(self.world_size)
        with working(f"opening {kb}"):
            store = open_store(kb, profile=self.profile)
        if not isinstance(store, EmbeddedStore):
            raise KnowledgeBaseError(
                f"{kb}: questions are made over an index", "build one of its facts with `recombine kb build`"
            )
        return store

    def _examples(
        self,
        workshop: Workshop,
        popularity: Popularity | None,
        names: Mapping[Term, str] | None,
        people: PeopleWordings | None,
    ) -> QuestionExamples:
        from recombine.datasets.kbqa_made.entity_calls import EntityCalls
        from recombine.datasets.kbqa_made.question_examples import QuestionExamples

        calls = EntityCalls(workshop.store, popularity, names, None if people is None else people.names)
        return QuestionExamples(workshop, calls, divide_forms=self.divide_forms, divide_wordings=self.divide_wordings)

    def _people(self, store: EmbeddedStore) -> PeopleWordings | None:
        from recombine.datasets.kbqa_made.people_wordings import read_people_wordings

        return None if self.paraphrases is None else read_people_wordings(self.paraphrases, store.profile)

    def _workshop(
        self, store: EmbeddedStore, popularity: Popularity | None, seed: int, people: PeopleWordings | None
    ) -> Workshop:
        from recombine.datasets.kbqa_made.workshop import Workshop
        from recombine.kb.ontology.store_ontology import store_ontology

        return Workshop(
            store,
            store_ontology(store, Path(self.ontology) if self.ontology else None),
            seed=seed,
            popularity=popularity,
            redundant=self.redundant,
            grammar=self.wording,
            people=people,
            people_alone=self.paraphrases_alone,
        )


def _iter_counted(
    examples: QuestionExamples, filled: FilledCells, seed: int, counted: dict[str, Any]
) -> Iterator[Example]:
    """The questions; after the last of them it is counted and said how many name an entity by an identifier."""
    yield from examples.iter_examples(filled, seed)
    counted["unnamed"] = times = examples.unnamed.total()
    if times:
        name = next(name for name, number in examples.unnamed.items() if number)
        note(f"{times:,} times an entity without a name is called by its identifier, such as {name}; see --names")


def _beside(folder: Path, value: str | None) -> str | None:
    """The path in a folder that a value names; what names none there stays as it is."""
    return str(folder / value) if value and (folder / value).exists() else value


def _possible(workshop: Workshop, functions: Mapping[str, float]) -> dict[str, float]:
    """The shares of the functions that can be asked for; those that need numbers or dates and have none are named."""
    lacking = [] if workshop.space.has_order else [name for name in (SUPERLATIVE, COMPARATIVE) if functions.get(name)]
    if lacking:
        note(f"the knowledge base has no numbers or dates, so nothing is asked with {' or '.join(lacking)}")
    return without(functions, lacking)


def _note_people(people: PeopleWordings, filled: FilledCells) -> None:
    """Say what of people's work is in no question."""
    from recombine.datasets.kbqa_made.people_wordings import PEOPLE

    for reason, number in sorted(people.dropped.items()):
        note(f"{number:,} of people's texts not used: {reason}")
    total = sum(map(len, people.texts.values()))
    used = sum(each.kind == PEOPLE for template in filled.templates for each in template.skeletons)
    if unused := total - used:
        note(f"{unused:,} of people's {total:,} wordings are of templates that are not among these questions'")


def _too_few(n: int, filled: FilledCells) -> SizeError:
    missing = sum(filled.missing.values())
    (relations, function), most = max(filled.missing.items(), key=lambda pair: pair[1])
    return SizeError(
        f"{n - missing:,} of {n:,} questions can be made: {most:,} of {relations} relations with the function "
        f"{function} are missing",
        f"ask for {n - missing:,} or fewer with -n, or give other --relation-shares and --function-shares",
    )


def _counted(filled: FilledCells) -> dict[str, Any]:
    kinds: Counter[str] = Counter()
    for template, number in filled:
        kinds[template.function] += number
        kinds[str(template.relations)] += number
    return {"templates": len(filled.templates), "refused": dict(sorted(filled.refused.items())), "kinds": dict(kinds)}
