"""The facts of the world of films while it is made: people and other things, and ties between many of them at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.kb.film_world.plan import CHARACTER, KINDS, PERSON
from recombine.kb.made_up.fact_columns import FactColumns
from recombine.kb.term import Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from recombine.kb.film_world.plan import Constant, Plan

    Ids = npt.NDArray[np.int64]

TYPE = Term.iri("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
LABEL = Term.name("type.object.name")
LANGUAGE = "en"
STEM = "=m.0w"
"""What the keys of things begin with; no country or gender begins so."""


class WorldFacts(FactColumns):
    """Facts as columns of numbers; until `finish` those of classes by what things do, and of names, are not counted."""

    def __init__(self, plan: Plan, rng: np.random.Generator) -> None:
        super().__init__(STEM)
        self.plan, self.rng = plan, rng
        self._type, self._label = self.number(TYPE.key), self.number(LABEL.key)
        for tie in plan.ties.values():
            for relation in (*tie.there, *tie.back, tie.agent, tie.third):
                if relation:
                    self.number(Term.name(relation).key)
        self._classes = {kind: self.number(Term.name(plan.classes[kind]).key) for kind in KINDS}
        self.countries = self._constants(plan.countries)
        self.genders = self._constants(plan.genders)
        self.seal()
        self.things: dict[str, list[Ids]] = {kind: [] for kind in KINDS}
        self._agents: dict[str, list[Ids]] = {}
        self._peopled: set[int] = set()

    # -- things --------------------------------------------------------------------------------------------------------

    def make(self, kind: str, number: int) -> Ids:
        """New things of a kind, each with its class."""
        ids = self.new(number)
        self.things[kind].append(ids)
        self.classed(kind, ids)
        return ids

    def make_people(self, number: int, nationalities: Sequence[float], evenness: float = 0.0) -> Ids:
        """New people, each with a gender and one or more nationalities; `nationalities` are the chances of 1, 2, …

        Nationalities are drawn by their shares at an evenness of 0, and all alike at 1.
        """
        people = self.make(PERSON, number)
        self.tie("has_gender", people, self._drawn(self.genders, self.plan.genders, number))
        wanted = 1 + self.rng.choice(len(nationalities), number, p=np.array(nationalities) / np.sum(nationalities))
        # Weighted draws without repeats: those of the smallest exponential waiting times.
        shares = np.array([each.share for each in self.plan.countries]) ** (1 - evenness)
        waits = self.rng.exponential(size=(number, len(shares))) / shares
        order = np.argsort(waits, axis=1, kind="stable")
        chosen = np.arange(len(shares)) < wanted[:, None]
        whose, place = np.nonzero(chosen)
        self.tie("has_nationality", people[whose], self.countries[order[whose, place]])
        self._peopled |= set(self.countries[order[whose, place]].tolist())
        return people

    def classed(self, kind: str, ids: Ids) -> None:
        """Some things are of the class of a kind, whatever else they are."""
        self.add(ids, self._type, np.full(len(ids), self._classes[kind]))

    def also_characters(self, people: Ids, share: float) -> Ids:
        """A share of some people, who are characters from now on."""
        chosen = people[self.rng.random(len(people)) < share]
        self.classed(CHARACTER, chosen)
        return chosen

    # -- ties ----------------------------------------------------------------------------------------------------------

    def tie(self, name: str, ones: Ids, others: Ids, thirds: Ids | None = None) -> None:
        """Ties of a kind between things, pair by pair."""
        tie = self.plan.ties[name]
        for path, begins, ends in ((tie.there, ones, others), (tie.back, others, ones)):
            if len(path) == 1:
                self.add(begins, self._relation(path[0]), ends)
        if len(tie.there) > 1:
            nodes = self.new(len(ones))
            for path, begins, ends in ((tie.there, ones, others), (tie.back, others, ones)):
                self.add(begins, self._relation(path[0]), nodes)
                self.add(nodes, self._relation(path[1]), ends)
            if thirds is not None:
                self.add(nodes, self._relation(tie.third), thirds)
        if tie.agent:
            self._agents.setdefault(tie.agent, []).append(ones)

    def tie_some(self, name: str, ones: Ids, others: Ids, chance: float, sure: Any = None) -> None:
        """Ties between some of all pairs of two lists, each with a chance, or surely; none of a thing with itself."""
        holds = self.rng.random((len(ones), len(others))) < chance
        if sure is not None:
            holds |= sure
        self.tie(name, *_pairs(holds, ones, others))

    def tie_within(self, name: str, ids: Ids, chance: float, *, symmetric: bool = False) -> None:
        """Ties between some of all pairs of one list; a symmetric one is made once for a pair."""
        holds = self.rng.random((len(ids), len(ids))) < chance
        self.tie(name, *_pairs(np.triu(holds, 1) if symmetric else holds, ids, ids))

    # -- the whole -----------------------------------------------------------------------------------------------------

    def finish(self, names: dict[str, list[str]]) -> None:
        """Add the classes that follow from what things do, and the names of all things, by kind in their order.

        A country that is nobody's gets somebody first, for a small world may not have drawn it.
        """
        people = np.concatenate(self.things[PERSON])
        lacking = np.array([each for each in self.countries.tolist() if each not in self._peopled], np.int64)
        self.tie("has_nationality", np.resize(people, len(lacking)), lacking)
        for agent, lists in self._agents.items():
            ids = np.unique(np.concatenate(lists))
            self.add(ids, self._type, np.full(len(ids), self._relation(agent)))
        named = np.concatenate([*(each for kind in KINDS for each in self.things[kind]), self.countries, self.genders])
        said = [name for kind in KINDS for name in names[kind]]
        said += [each.name for each in (*self.plan.countries, *self.plan.genders)]
        self.add(named, self._label, self.literals(Term.literal(name, language=LANGUAGE).key for name in said))

    # -- numbers -------------------------------------------------------------------------------------------------------

    def _relation(self, name: str) -> int:
        return self.number(Term.name(name).key)

    def _constants(self, constants: Sequence[Constant]) -> Ids:
        return np.array([self.number(Term.name(each.id).key) for each in constants], np.int64)

    def _drawn(self, ids: Ids, constants: Sequence[Constant], number: int) -> Ids:
        shares = np.array([each.share for each in constants])
        drawn: Ids = self.rng.choice(ids, number, p=shares / shares.sum())
        return drawn


def _pairs(holds: npt.NDArray[np.bool_], ones: Ids, others: Ids) -> tuple[Ids, Ids]:
    rows, columns = np.nonzero(holds)
    first, second = ones[rows], others[columns]
    different = first != second
    return first[different], second[different]
