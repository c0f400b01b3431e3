"""Recipes: which objects form a group in a scene, and by which relations, before any of them has a place.

A group is a tree. Its root is an agent (who wears, does and stands somewhere), a place with things on it, or one thing.
A link leads from the subject of its relation to the object, or is reversed where the object is the one above.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from recombine.scenes.synthetic.draws import Draws
    from recombine.scenes.synthetic.ontology import Ontology, RelationName, Theme

AGENTS = ("person", "pet", "mount")
ACTIONS = ("holding", "carrying", "kicking", "hitting", "riding", "pulling", "pushing")
PLACES = ("standing on", "under", "next to", "behind", "in front of")
FREE_FOR_STANDING = ("holding", "carrying")
"""What can be done while standing on, under or behind something, and still be seen."""
FREE_OF_HANDS = ("next to", "in front of")
"""Where anything can be done."""
FURNITURE = ("shelter", "bench", "seat")
ANIMALS_WEAR = ("head", "neck")
_PETS_RIDE = ("board", "sled")
_ACTION = {"person": 0.75, "pet": 0.2, "mount": 0.5}
_PLACE = {"person": 0.4, "pet": 0.55, "mount": 0.35}
_WEARING = {"person": 0.65, "pet": 0.3, "mount": 0.3}
_SECOND_GARMENT, _ALSO_ON, _SECOND_ON, _ALSO_UNDER, _ALSO_BEHIND = 0.2, 0.4, 0.45, 0.35, 0.25
_CHAIN = 0.35
"""How often an animal that is held, carried or ridden does or wears something itself."""


@dataclass(frozen=True)
class Link:
    """A relation between the part above and another, and what it is done with."""

    relation: str
    part: Part
    tool: str | None = None
    reversed: bool = False


@dataclass(frozen=True)
class Part:
    """A noun with the links to the parts below."""

    noun: str
    links: tuple[Link, ...] = ()


class Recipes:
    """Draws recipes of a theme."""

    def __init__(self, ontology: Ontology, theme: Theme, draws: Draws) -> None:
        self._ontology, self._theme, self._draws = ontology, theme, draws

    def draw(self) -> Part:
        """A group: mostly an agent, sometimes a place with things, or one thing."""
        point = self._draws.whole(0, 99)
        if point < 68:
            return self._agent()
        return self._furniture() if point < 90 else self._one_thing()

    def changed(self, part: Part) -> Part:
        """The same group again, with one of its links, its root or nothing drawn anew."""
        point = self._draws.whole(0, 99)
        if point < 45 or not part.links:
            return part
        if point < 75:
            place = self._draws.whole(0, len(part.links) - 1)
            links = list(part.links)
            links[place] = self._redrawn(part, links[place])
            return replace(part, links=tuple(links))
        if point < 88:
            return replace(part, links=part.links[:-1])
        return self._other_root(part)

    def _agent(self) -> Part:
        noun = self._noun(AGENTS)
        if noun is None:
            return self._one_thing()
        sort = self._sort(noun)
        links = list(self._worn(sort))
        action = self._action(sort) if self._draws.chance(_ACTION[sort]) else None
        if action is not None:
            links.append(action)
        if self._draws.chance(_PLACE[sort]):
            free = action is None or action.relation in FREE_FOR_STANDING
            links += self._placed(sort, PLACES if free else FREE_OF_HANDS)
        return Part(noun, tuple(links))

    def _worn(self, sort: str, *, share: float | None = None) -> list[Link]:
        """Garments of different sorts."""
        if not self._draws.chance(_WEARING[sort] if share is None else share):
            return []
        sorts = self._ontology.relations["wearing"].objects if sort == "person" else ANIMALS_WEAR
        first = self._noun(sorts)
        if first is None:
            return []
        links = [Link("wearing", Part(first))]
        rest = [each for each in sorts if each != self._sort(first)]
        second = self._noun(rest) if self._draws.chance(_SECOND_GARMENT) else None
        return links if second is None else [*links, Link("wearing", Part(second))]

    def _action(self, sort: str) -> Link | None:
        """Something that is done to another object, which may itself wear or do something where it is an animal."""
        relation = self._relation(sort, ACTIONS)
        noun = None if relation is None else self._noun(_PETS_RIDE if sort == "pet" else relation.objects)
        if relation is None or noun is None:
            return None
        tool = self._tool(relation)
        if relation.tools is not None and relation.tools.share == 1 and tool is None:
            return None
        below = self._sort(noun)
        links = self._worn(below, share=_CHAIN) if below in AGENTS else []
        if below == "mount" and self._draws.chance(_CHAIN):
            pulled = self._noun(self._ontology.relations["pulling"].objects)
            links += [] if pulled is None else [Link("pulling", Part(pulled))]
        return Link(relation.name, Part(noun, tuple(links)), tool)

    def _placed(self, sort: str, names: Iterable[str]) -> list[Link]:
        """Where someone or something stands, with what else is on the furniture there."""
        relation = self._relation(sort, names)
        noun = None if relation is None else self._noun(relation.objects)
        if relation is None or noun is None:
            return []
        on = self._things_on(noun, _ALSO_ON) if relation.name != "standing on" else []
        return [Link(relation.name, Part(noun, tuple(on)))]

    def _things_on(self, noun: str, share: float) -> list[Link]:
        if self._sort(noun) not in FURNITURE or not self._draws.chance(share):
            return []
        thing = self._noun(self._ontology.relations["on"].subjects)
        return [] if thing is None else [Link("on", Part(thing), reversed=True)]

    def _furniture(self) -> Part:
        """A table, bench or chair with things on it, and sometimes under it or behind it."""
        noun = self._noun(FURNITURE)
        if noun is None:
            return self._one_thing()
        links = self._things_on(noun, 1.0)
        if links and self._sort(noun) != "seat" and self._draws.chance(_SECOND_ON):
            links += [links[0]] if self._draws.chance(0.6) else self._things_on(noun, 1.0)
        under = self._ontology.relations["under"]
        if self._sort(noun) in under.objects and self._draws.chance(_ALSO_UNDER):
            thing = self._noun(under.subjects)
            links += [] if thing is None else [Link("under", Part(thing), reversed=True)]
        behind = self._ontology.relations["behind"]
        if self._sort(noun) in behind.objects and self._draws.chance(_ALSO_BEHIND):
            agent = self._noun(each for each in behind.subjects if each in AGENTS)
            links += [] if agent is None else [Link("behind", Part(agent), reversed=True)]
        return Part(noun, tuple(links))

    def _one_thing(self) -> Part:
        """A thing with nothing worn or done, or with something that it stands behind or that is under it."""
        known = {name: share for name, share in self._theme.nouns.items() if self._sort(name) in _ALONE}
        noun = self._draws.by_share(known)
        if self._sort(noun) in ("tree", "house") and self._draws.chance(0.4):
            return Part(noun, tuple(self._placed(self._sort(noun), ["behind", "next to"])))
        return Part(noun)

    def _redrawn(self, part: Part, link: Link) -> Link:
        """A link with another noun of the same relation below."""
        noun = self._noun(self._sorts_below(part, link))
        if noun is None:
            return link
        below = link.part.links if self._sort(noun) == self._sort(link.part.noun) else ()
        return replace(link, part=Part(noun, below))

    def _sorts_below(self, part: Part, link: Link) -> tuple[str, ...]:
        """The sorts that can stand below in the place of what is there."""
        relation = self._ontology.relations[link.relation]
        if link.relation == "wearing":
            return (self._sort(link.part.noun),)
        if link.reversed:
            return tuple(each for each in relation.subjects if link.relation != "behind" or each in AGENTS)
        return _PETS_RIDE if link.relation == "riding" and self._sort(part.noun) == "pet" else relation.objects

    def _other_root(self, part: Part) -> Part:
        noun = self._noun((self._sort(part.noun),))
        return part if noun is None else replace(part, noun=noun)

    def _relation(self, sort: str, names: Iterable[str]) -> RelationName | None:
        """One of some relations that a sort can have."""
        known = self._ontology.relations
        shares = {name: known[name].share for name in names if sort in known[name].subjects}
        return known[self._draws.by_share(shares)] if shares else None

    def _tool(self, relation: RelationName) -> str | None:
        if relation.tools is None or not self._draws.chance(relation.tools.share):
            return None
        return self._noun(relation.tools.sorts)

    def _noun(self, sorts: Iterable[str]) -> str | None:
        """A noun of the theme of one of some sorts."""
        wanted = frozenset(sorts)
        shares = {name: share for name, share in self._theme.nouns.items() if self._sort(name) in wanted}
        return self._draws.by_share(shares) if shares else None

    def _sort(self, noun: str) -> str:
        return self._ontology.nouns[noun].sort


_ALONE: Mapping[str, None] = dict.fromkeys(
    ("tree", "house", "saddle", "mount", "pet", "flyer", "large", "ball", "shade", "load", "aloft")
)
