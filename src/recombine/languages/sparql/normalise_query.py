"""One tree for SPARQL queries that ask the same for trivial reasons; queries that ask something else keep their own.

Merged are, and nothing else:

- the names of variables and blank nodes: `?x0`, `?x1` … as they come, the projection first;
- the order in a group of what is joined (triples, groups, unions, VALUES, queries within), up to the next OPTIONAL,
  MINUS or BIND, which stay where they are; a triple that is said twice;
- where in its group a FILTER stands, one that is said twice, and `&&` at its top, which makes two of it;
- the order of the alternatives of UNION, of the rows of VALUES, of the alternatives `|` and of `!( | )` in a path, of
  the members of IN; the two sides of `=` and `!=`; the order and the brackets within chains of `||` or of `&&`.

Parts are sorted by their text, in which variables that have no name yet look alike and entities and literals count
last: so that queries that differ in an entity have their parts in one order as far as can be. Where parts look alike,
variables are told apart by all that is said of them. Parts that still look alike stay in the order of the text: then
two queries may keep two forms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.languages.sparql.anonymise_query import anonymise_query
from recombine.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SELECTS = frozenset({"select", "select_distinct", "select_reduced"})
_JOINED = _SELECTS | {"triple", "values", "group", "union", "graph", "service", "service_silent"}
_PLACED = frozenset({"graph", "service", "service_silent"})
_GROUPS = _PLACED | {"where", "group", "optional", "minus", "exists", "not_exists"}
_UNORDERED = frozenset({"||", "&&", "=", "!=", "|", "!", "union"})
_ANEW = frozenset({"RAND", "UUID", "STRUUID", "BNODE"})
"""Functions that give something else each time: what has them may not be said once for twice."""
_MOST_CHOSEN = 100
"""The most parts of which the next is chosen each time; more are sorted once."""
_MOST_ROUNDS = 8
"""The most times that what is said of variables is looked at to tell them apart."""
Key = tuple[bool, str, str]


def normalise_query(tree: Tree) -> Tree:
    """The query in its one form.

    >>> from recombine.languages.sparql.read_query import read_query
    >>> from recombine.languages.sparql.write_query import write_query
    >>> write_query(normalise_query(read_query("PREFIX : <k:> ASK { FILTER (3 = ?b && ?a < 2) ?a :p ?b }").tree))
    'ASK WHERE { ?x0 <k:p> ?x1 . FILTER (?x0 < 2) FILTER (?x1 = 3) }'
    """
    again = True
    while again:  # what a part is sorted by changes once something in it is said no longer twice
        flat = tree.mapped(_flat)
        root = _Part.of(flat, anonymise_query(flat))
        arranger = _Arranger(root)
        tree = arranger.arranged(root)
        again = arranger.has_dropped
    return tree


def _flat(node: Tree) -> Tree:
    """The node with chains in chains of its own kind taken apart, and the FILTERs of a group."""
    if node.label in ("||", "&&"):
        return Tree(node.label, tuple(_iter_spread(node.children, node.label)))
    if node.label in _GROUPS:
        return Tree(node.label, tuple(_iter_filters(node.children)))
    return node


def _iter_spread(children: Iterable[Tree], label: str) -> Iterator[Tree]:
    for child in children:
        if child.label == label:
            yield from child.children
        else:
            yield child


def _iter_filters(elements: Iterable[Tree]) -> Iterator[Tree]:
    for element in elements:
        if element.label == "filter" and element.children[0].label == "&&":
            yield from (Tree("filter", (part,)) for part in element.children[0].children)
        else:
            yield element


class _Part:
    """A node of a query with its label in the template; a name stands in the query alone."""

    __slots__ = ("children", "label", "masked", "named", "names")

    def __init__(self, label: str, masked: str, children: tuple[_Part, ...]) -> None:
        self.label, self.masked, self.children = label, masked, children
        self.named = not children and (label[0] == "?" or label.startswith("_:")) and len(label) > 1
        """Whether it is a variable or a blank node."""
        self.names: frozenset[str] = frozenset(
            {label} if self.named else {name for child in children for name in child.names}
        )
        """The variables and blank nodes in it."""

    @classmethod
    def of(cls, tree: Tree, template: Tree) -> _Part:
        """The parts of a query, and of its template, which has the same shape."""
        children = tuple(map(cls.of, tree.children, template.children))
        return cls(tree.label, template.label, children)

    def is_said_anew(self) -> bool:
        """Whether it has a function that gives something else each time."""
        return self.label in _ANEW or any(child.is_said_anew() for child in self.children)


class _Arranger:
    """Puts parts in order and names variables as they come."""

    def __init__(self, root: _Part) -> None:
        self._root = root
        self._names: dict[str, Tree] = {}
        self._colours: dict[str, int] = {}
        """What tells variables apart that have no name yet; empty until parts look alike."""
        self._numbers = {"?": 0, "_": 0}
        self.has_dropped = False
        """Whether something that was said twice was left out."""

    def arranged(self, part: _Part) -> Tree:
        """The part as a tree, in order, with new names."""
        label, children = part.label, part.children
        if part.named:
            return self._renamed(label)
        if label in _GROUPS:
            first = 1 if label in _PLACED else 0
            parts = [*map(self.arranged, children[:first]), *self._elements(children[first:])]
        elif label in _UNORDERED:
            parts = self._chosen(children)
        elif label in ("values", "in", "not_in"):
            parts = [self.arranged(children[0]), *self._chosen(children[1:])]
        else:
            parts = [self.arranged(child) for child in children]
        return Tree(label, tuple(parts))

    def _renamed(self, name: str) -> Tree:
        if name not in self._names:
            kind = name[0]
            self._names[name] = Tree(f"{'?x' if kind == '?' else '_:b'}{self._numbers[kind]}")
            self._numbers[kind] += 1
        return self._names[name]

    def _elements(self, elements: tuple[_Part, ...]) -> list[Tree]:
        """The elements of a group: what is joined in order up to each OPTIONAL, MINUS or BIND, and FILTERs last."""
        done: list[Tree] = []
        joined: list[_Part] = []
        for element in elements:
            if element.label in _JOINED:
                joined.append(element)
            elif element.label != "filter":
                done += self._chosen(joined, once=True)
                done.append(self.arranged(element))
                joined = []
        done += self._chosen(joined, once=True)
        return done + self._chosen([part for part in elements if part.label == "filter"], once=True)

    def _chosen(self, parts: Iterable[_Part], *, once: bool = False) -> list[Tree]:
        """Parts in order: the least comes next, by what has a name so far; what may be said once is."""
        waiting = list(parts)
        keys = {id(part): self._key(part) for part in waiting}
        if len(waiting) > _MOST_CHOSEN:
            waiting.sort(key=lambda part: keys[id(part)])
            return self._said(waiting, once=once)
        return self._said(self._iter_least(waiting, keys), once=once)

    def _iter_least(self, waiting: list[_Part], keys: dict[int, Key]) -> Iterator[_Part]:
        """The least part again and again; what it names is known once the next is asked for."""
        while waiting:
            least = min(keys[id(part)] for part in waiting)
            alike = [part for part in waiting if keys[id(part)] == least]
            if len(alike) > 1 and not self._colours and any(not part.names <= self._names.keys() for part in alike):
                self._colours = _colours(self._root)
                keys.update({id(part): self._key(part) for part in waiting})
                continue
            part = alike[0]
            waiting.remove(part)
            known = len(self._names)
            yield part
            if len(self._names) > known:
                keys.update({id(other): self._key(other) for other in waiting if other.names & part.names})

    def _said(self, parts: Iterable[_Part], *, once: bool) -> list[Tree]:
        """The parts as trees; what may be said once is."""
        trees: list[Tree] = []
        before: set[Tree] = set()
        for part in parts:
            tree = self.arranged(part)
            if once and tree in before and _is_said_once(part):
                self.has_dropped = True
            else:
                trees.append(tree)
            before.add(tree)
        return trees

    def _key(self, part: _Part) -> Key:
        """What a part is sorted by: triples first, then by its text in the template, then by its text."""
        return part.label != "triple", self._text(part, masked=True), self._text(part, masked=False)

    def _text(self, part: _Part, *, masked: bool) -> str:
        label = part.masked if masked else part.label
        if part.named:
            named = self._names.get(label)
            return named.label if named else f"{label[0]}{self._colours.get(label, '')}"
        if not part.children:
            return label
        return _joined(part, label, [self._text(child, masked=masked) for child in part.children])


def _joined(part: _Part, label: str, texts: list[str]) -> str:
    """The text of a part by those of its children, which are sorted where their order says nothing."""
    if part.label in _UNORDERED or part.label in _GROUPS:
        texts.sort()
    elif part.label in ("values", "in", "not_in"):
        texts[1:] = sorted(texts[1:])
    return f"({label} {' '.join(texts)})"


def _colours(root: _Part) -> dict[str, int]:
    """Numbers for variables and blank nodes, the same for two only where all that is said of them looks the same."""
    said = list(_iter_said(root, ""))
    colours = dict.fromkeys(root.names, 0)
    number = 1
    for _ in range(_MOST_ROUNDS):
        marks: dict[str, list[str]] = {name: [] for name in colours}
        for place, part in said:
            for name in part.names:
                marks[name].append(place + _coloured(part, colours, name))
        signatures = {name: (colours[name], *sorted(texts)) for name, texts in marks.items()}
        ranks = {signature: rank for rank, signature in enumerate(sorted(set(signatures.values())))}
        colours = {name: ranks[signature] for name, signature in signatures.items()}
        if len(ranks) in (number, len(colours)):
            break
        number = len(ranks)
    return colours


def _iter_said(part: _Part, place: str) -> Iterator[tuple[str, _Part]]:
    """The parts that say something, each with the groups around it."""
    if part.label in _GROUPS or part.label in _SELECTS or part.label in ("union", "ask"):
        for child in part.children:
            yield from _iter_said(child, f"{place} {part.label}")
    elif part.names:
        yield place, part


def _coloured(part: _Part, colours: dict[str, int], marked: str) -> str:
    """The text of a part with colours for names, and a mark for one of them."""
    if part.named:
        return f"{part.label[0]}{'' if part.label == marked else colours[part.label]}"
    if not part.children:
        return part.label
    return _joined(part, part.label, [_coloured(child, colours, marked) for child in part.children])


def _is_said_once(part: _Part) -> bool:
    """Whether to say a part twice says no more than to say it once: plain triples and FILTERs."""
    if part.label == "triple":
        return not part.children[1].children
    return part.label == "filter" and not part.is_said_anew()
