"""Questions over any knowledge base, generated with logical forms and answers (GrailQA, section 3).

Without a knowledge base of one's own they are about a made-up world of many domains, which needs no download.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import count as from_zero
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

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
from recombine.errors import KnowledgeBaseError, OptionError, SizeError
from recombine.kb.templates.template import COMPARATIVE, SUPERLATIVE, TEMPLATE_FUNCTIONS
from recombine.languages.known import find_language
from recombine.options import option
from recombine.progress import note, tracked, working
from recombine.records.example import Example
from recombine.seeds import check_seed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from recombine.datasets.kbqa_made.fill_cells import FilledCells
    from recombine.datasets.kbqa_made.made_template import MadeTemplates
    from recombine.datasets.kbqa_made.shares import Cell
    from recombine.datasets.kbqa_made.workshop import Workshop
    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.templates.popularity import Popularity

NAME = "kbqa"
NUMBER = 10_000


@dataclass(frozen=True, kw_only=True)
class KbqaGenerator(Generator):
    """Makes questions over a knowledge base."""

    kb: str | None = option(
        None, "A knowledge base: an index, a file, FB15k-237, an address; default: a made-up world.", metavar="PLACE"
    )
    profile: str | None = option(
        None, "What names look like in a file or at an address; default: freebase.", metavar="NAME|FILE"
    )
    ontology: str = option("", "the folder of the ontology by which templates are told", metavar="DIR")
    world_size: int | None = option(None, "About how many facts the made-up world has.", metavar="N")
    relation_shares: str = option(RELATIONS, "Shares of questions of one to four relations.", metavar="A,B,C,D")
    function_shares: str = option(FUNCTIONS, "Shares of questions by function.", metavar="NAME:SHARE,…")
    per_template: int = option(13, "How many questions a template gives, where there are templates enough.")
    divide_forms: float = option(2.0, "What the weight of a form is divided by when it is drawn.")
    divide_wordings: float = option(10.0, "What the weight of a wording is divided by when it is drawn.")
    popularity: str | None = option(
        None, "A file of surface forms, entities and counts, with tabs between; default: facts.", metavar="FILE"
    )
    wording: str | None = option(None, "A file of words for relations and classes of one's own.", metavar="FILE")
    redundant: bool = option(False, "Ask also what has a branch that changes nothing of the answers.")
    processes: int = option(1, "How many processes make questions; the result is the same.")

    name: ClassVar[str] = NAME
    description: ClassVar[str] = "questions over a knowledge base, with logical forms and answers"
    on_clusters: ClassVar[bool] = False

    def in_folder(self, folder: Path) -> Self:
        """The same generator, with paths read from a folder."""
        paths = ("kb", "ontology", "popularity", "wording")
        return replace(self, **{name: _beside(folder, value) for name in paths if (value := getattr(self, name))})

    def generate(self, n: int | None, *, seed: int) -> Generated:
        """So many questions; without a number, as the documentation says."""
        from recombine.datasets.kbqa_made.fill_cells import fill_cells

        check_seed(seed)
        n = NUMBER if n is None else n
        self._check(n)
        relations = read_relation_shares(self.relation_shares)
        functions = read_function_shares(self.function_shares, TEMPLATE_FUNCTIONS)
        store, popularity = self._store()
        with working("reading what can be asked"):
            workshop = self._workshop(store, popularity, seed)
            functions = _possible(workshop, functions)
        counts = cell_counts(n, relations, functions)
        lots = _lots(workshop, self.processes)
        filled = fill_cells(counts, lots, per_template=self.per_template)
        if filled.missing:
            raise _too_few(n, filled)
        return Generated(
            NAME if self.kb is None else Path(self.kb).stem or NAME,
            self._iter_examples(workshop, popularity, filled, seed),
            total=n,
            structures="",
            language=find_language("sexpression"),
            world=store,
            counted=_counted(filled),
        )

    def _iter_examples(
        self, workshop: Workshop, popularity: Popularity | None, filled: FilledCells, seed: int
    ) -> Iterator[Example]:
        import numpy as np

        from recombine.datasets.kbqa_made.draw_questions import draw_questions
        from recombine.datasets.kbqa_made.entity_calls import EntityCalls
        from recombine.datasets.kbqa_made.release_item import FORM, WORDING, ReleaseItems

        calls = EntityCalls(workshop.store, popularity)
        items = ReleaseItems(workshop.space, calls, workshop.wordings.vocabulary)
        for number, (template, wanted) in enumerate(filled):
            rng = np.random.default_rng([seed, len(TEMPLATE_FUNCTIONS), number])
            draws = draw_questions(
                template, wanted, rng, divide_forms=self.divide_forms, divide_wordings=self.divide_wordings
            )
            for place, drawn in enumerate(draws):
                grounding, skeleton = template.groundings[drawn.grounding], template.skeletons[drawn.wording]
                names = {
                    leaf: workshop.wordings.name_of(node)
                    for leaf, node in enumerate(grounding.form.nodes)
                    if leaf in skeleton.leaves
                }
                for leaf in names:
                    value = grounding.form.nodes[leaf].value
                    others = calls.names(value) if grounding.form.nodes[leaf].kind == "entity" and value else ()
                    if len(others) > 1:
                        names[leaf] = others[int(rng.integers(len(others)))]
                item = items.item(grounding)
                graph = dict(item["graph_query"])
                graph["nodes"] = [
                    {**node, "friendly_name": names.get(leaf, node["friendly_name"])}
                    for leaf, node in enumerate(graph["nodes"])
                ]
                form = item.pop(FORM)
                tags = {"qid": number * 1000 + place, **item, "graph_query": graph, WORDING: skeleton.tag}
                yield Example.of(skeleton.filled(names).plain, form, tags=tags)

    def _check(self, n: int) -> None:
        if isinstance(n, bool) or n < 1:
            raise OptionError(f"cannot make {n} questions", "give a count of 1 or more")
        for divisor in (self.divide_forms, self.divide_wordings):
            check_divisor(divisor)
        if self.per_template < 1:
            raise OptionError(f"a template gives {self.per_template} questions", "give a count of 1 or more")
        if self.processes < 1:
            raise OptionError(f"{self.processes} processes", "give a count of 1 or more")
        if self.kb is not None and self.world_size is not None:
            raise OptionError("--world-size is of the made-up world, and --kb names another", "leave one of them out")
        if self.profile is not None and self.kb is None:
            raise OptionError("--profile is of a knowledge base of your own, and none is given", "name it with --kb")

    def _store(self) -> tuple[EmbeddedStore, Popularity | None]:
        from recombine.kb.embedded.embedded_store import EmbeddedStore
        from recombine.kb.open_store import open_store
        from recombine.kb.templates.popularity import Popularity

        if self.kb is None:
            from recombine.kb.many_domains.many_domains import many_domains_store

            with working("making the world"):
                store: Any = many_domains_store(self.world_size)
        else:
            with working(f"opening {self.kb}"):
                store = open_store(self.kb, profile=self.profile)
            if not isinstance(store, EmbeddedStore):
                raise KnowledgeBaseError(
                    f"{self.kb}: questions are made over an index", "build one of its facts with `recombine kb build`"
                )
        return store, None if self.popularity is None else Popularity.read(self.popularity, store.profile)

    def _workshop(self, store: EmbeddedStore, popularity: Popularity | None, seed: int) -> Workshop:
        from recombine.datasets.kbqa_made.workshop import Workshop

        return Workshop(
            store,
            self._ontology(store),
            seed=seed,
            popularity=popularity,
            redundant=self.redundant,
            grammar=self.wording,
        )

    def _ontology(self, store: EmbeddedStore) -> Ontology | None:
        if not self.ontology:
            return None
        from recombine.kb.ontology.default_ontology import default_ontology

        del store
        return default_ontology(Path(self.ontology))


def _beside(folder: Path, value: str) -> str:
    path = folder / value
    return str(path) if path.exists() else value


def _possible(workshop: Workshop, functions: Mapping[str, float]) -> dict[str, float]:
    """The shares of the functions that can be asked for; those that need numbers or dates and have none are named."""
    lacking = [] if workshop.space.has_order else [name for name in (SUPERLATIVE, COMPARATIVE) if functions.get(name)]
    if lacking:
        note(f"the knowledge base has no numbers or dates, so nothing is asked with {' or '.join(lacking)}")
    return without(functions, lacking)


def _lots(workshop: Workshop, processes: int) -> Any:
    del processes

    def lots(cell: Cell, groundings: int) -> Iterable[MadeTemplates]:
        relations, function = cell
        numbers = tracked(from_zero(), f"templates of {relations} relations, {function}")
        return (workshop.lot(relations, function, number, groundings) for number in numbers)

    return lots


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
