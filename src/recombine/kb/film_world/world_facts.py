"""The facts of a world while it is made: things by number, ties between many of them at once, then batches of keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.kb.film_world.plan import CHARACTER, KINDS, PERSON
from recombine.kb.term import Term

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt
    import pyarrow as pa

    from recombine.kb.film_world.plan import Constant, Plan

    Ids = npt.NDArray[np.int64]

TYPE = Term.iri("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
LABEL = Term.name("type.object.name")
LANGUAGE = "en"
STEM, DIGITS, WIDTH = "=m.0w", b"0123456789bcdfghjklmnpqrstvwxyz_", 5
"""The key of a thing is the stem and its number by these digits, as many or more; no country or gender begins so."""
_ROWS = 1 << 17


class WorldFacts:
    """Facts as columns of numbers; the numbers of the terms that every world has come first, then those of things."""

    def __init__(self, plan: Plan, rng: np.random.Generator) -> None:
        self.plan, self.rng = plan, rng
        self._fixed: dict[str, int] = {}
        self._type, self._label = self._number(TYPE.key), self._number(LABEL.key)
        for tie in plan.ties.values():
            for relation in (*tie.there, *tie.back, tie.agent, tie.third):
                if relation:
                    self._number(Term.name(relation).key)
        self._classes = {kind: self._number(Term.name(plan.classes[kind]).key) for kind in KINDS}
        self.countries = self._constants(plan.countries)
        self.genders = self._constants(plan.genders)
        self.first = self.end = len(self._fixed)
        self.things: dict[str, list[Ids]] = {kind: [] for kind in KINDS}
        self._columns: list[tuple[Ids, int, Ids]] = []
        self._agents: dict[str, list[Ids]] = {}
        self._peopled: set[int] = set()
        self.count = 0
        """Facts so far, but for classes by what things do, and for names."""

    # -- things --------------------------------------------------------------------------------------------------------

    def make(self, kind: str, number: int) -> Ids:
        """New things of a kind, each with its class."""
        ids = self._new(number)
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
        self._add(ids, self._type, np.full(len(ids), self._classes[kind]))

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
                self._add(begins, self._relation(path[0]), ends)
        if len(tie.there) > 1:
            nodes = self._new(len(ones))
            for path, begins, ends in ((tie.there, ones, others), (tie.back, others, ones)):
                self._add(begins, self._relation(path[0]), nodes)
                self._add(nodes, self._relation(path[1]), ends)
            if thirds is not None:
                self._add(nodes, self._relation(tie.third), thirds)
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
            self._add(ids, self._type, np.full(len(ids), self._relation(agent)))
        named = np.concatenate([*(each for kind in KINDS for each in self.things[kind]), self.countries, self.genders])
        said = [name for kind in KINDS for name in names[kind]]
        said += [each.name for each in (*self.plan.countries, *self.plan.genders)]
        literals = list(dict.fromkeys(said))
        places = {name: place for place, name in enumerate(literals)}
        self._literals = [Term.literal(name, language=LANGUAGE).key for name in literals]
        self._add(named, self._label, self.end + np.array([places[name] for name in said], np.int64))

    def iter_batches(self) -> Iterator[pa.RecordBatch]:
        """All facts as batches of keys."""
        import pyarrow as pa

        keys = self._keys()
        for subjects, relation, targets in self._columns:
            for start in range(0, len(subjects), _ROWS):
                part = slice(start, start + _ROWS)
                columns = [keys.take(pa.array(ids[part])) for ids in (subjects, targets)]
                relations = keys.take(pa.array(np.full(len(columns[0]), relation)))
                yield pa.RecordBatch.from_arrays([columns[0], relations, columns[1]], ["subject", "relation", "target"])

    def _keys(self) -> pa.Array:
        """The keys of all terms by their numbers."""
        import pyarrow as pa

        numbers = np.arange(self.end - self.first)
        width = WIDTH
        while len(DIGITS) ** width < len(numbers):
            width += 1
        places = len(DIGITS) ** np.arange(width - 1, -1, -1)
        digits = np.frombuffer(DIGITS, np.uint8)[numbers[:, None] // places % len(DIGITS)]
        stems = np.broadcast_to(np.frombuffer(STEM.encode(), np.uint8), (len(numbers), len(STEM)))
        things = np.concatenate((stems, digits), axis=1)
        before, after = ([key.encode() for key in keys] for keys in (self._fixed, self._literals))
        lengths = [*map(len, before), *([things.shape[1]] * len(things)), *map(len, after)]
        starts = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)))
        data = b"".join((*before, things.tobytes(), *after))
        buffers = [None, pa.py_buffer(starts), pa.py_buffer(data)]
        return pa.LargeBinaryArray.from_buffers(pa.large_binary(), len(lengths), buffers)

    # -- numbers -------------------------------------------------------------------------------------------------------

    def _number(self, key: str) -> int:
        return self._fixed.setdefault(key, len(self._fixed))

    def _relation(self, name: str) -> int:
        return self._fixed[Term.name(name).key]

    def _constants(self, constants: Sequence[Constant]) -> Ids:
        return np.array([self._number(Term.name(each.id).key) for each in constants], np.int64)

    def _drawn(self, ids: Ids, constants: Sequence[Constant], number: int) -> Ids:
        shares = np.array([each.share for each in constants])
        drawn: Ids = self.rng.choice(ids, number, p=shares / shares.sum())
        return drawn

    def _new(self, number: int) -> Ids:
        ids = np.arange(self.end, self.end + number, dtype=np.int64)
        self.end += number
        return ids

    def _add(self, subjects: Ids, relation: int, targets: Ids) -> None:
        if len(subjects):
            self._columns.append((subjects, relation, targets))
            self.count += len(subjects)


def _pairs(holds: npt.NDArray[np.bool_], ones: Ids, others: Ids) -> tuple[Ids, Ids]:
    rows, columns = np.nonzero(holds)
    first, second = ones[rows], others[columns]
    different = first != second
    return first[different], second[different]
