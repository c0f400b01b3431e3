"""What a program answers over pictures, with a trace of every step.

Objects are bits of each picture (`scene_masks.py`). `all`, `some` and `none` take the objects that a condition holds
of as their second argument: `scene ( )` in it is any object. A modifier belongs to a relation: `pulling:_with` over
objects that were kept by `pulling` asks for one relation that both hold of, the nearest below it. `group_by_images`
has a group for every picture, an empty one where there are no such objects, so that "at most 2" is said of those too.
A name or value is compared as it is written. The answer is true or false, a word, or a number up to 5; everything else
is no valid answer, with a reason.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from recombine.errors import ProgramError
from recombine.languages.scenes import EVERYTHING, NAME, NAMES, name_of, operator_of
from recombine.scenes.programs.no_answer import NoAnswer, Reason
from recombine.scenes.programs.scene_masks import SceneMasks, subjects_of, targets_of
from recombine.scenes.programs.value_types import ANSWERS, check_types
from recombine.scenes.subgraphs.instances import MODIFIER_MARK

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from recombine.scenes.programs.scene_masks import ModifiedRelation
    from recombine.scenes.scene import Scene, SceneObject
    from recombine.tree import Tree

T = TypeVar("T")
Value = bool | int | str
Shown = Value | tuple[str, ...] | tuple[tuple[str, str], ...] | tuple[tuple[str, tuple[str, ...]], ...]
LARGEST_ANSWER = 5
_SETS = frozenset({EVERYTHING, "find", "filter", "with_relation", "with_relation_object"})
_COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {
    "eq": operator.eq,
    "gt": operator.gt,
    "lt": operator.lt,
    "geq": operator.ge,
    "leq": operator.le,
}

_Objects = tuple[int, ...]
"""For each picture the bits of its objects."""
_One = tuple[int, int]
"""The place of a picture, and the bit of an object."""
_Groups = tuple[tuple[int, int], ...]
"""Places of pictures, each with the bits of its objects."""


class Step(NamedTuple):
    """One step: an operator, its arguments, and what it gives.

    An argument that is a number and no text is the place of an earlier step. What is given is a value; the ids of
    pictures; pairs of a picture's and an object's id; or pairs of a picture's id and the ids of its objects.
    """

    operator: str
    arguments: tuple[str | int, ...]
    gives: Shown


class Answer(NamedTuple):
    """The answer, and the steps to it, the last one giving it."""

    value: Value
    trace: tuple[Step, ...]


def execute(program: Tree, scenes: Sequence[Scene], attribute_types: Mapping[str, str]) -> Answer:
    """What a program answers over some scenes; `NoAnswer` where it has no valid answer.

    >>> from recombine.languages.scenes import SCENES
    >>> from recombine.scenes.scene import Scene, SceneObject
    >>> street = Scene("s", (SceneObject("1", "dog"), SceneObject("2", "dog")))
    >>> answer = execute(SCENES.parse("count ( find ( dog ) )"), [street], {})
    >>> answer.value, answer.trace[0]
    (2, Step(operator='find', arguments=('dog',), gives=(('s', '1'), ('s', '2'))))
    """
    return Executor(scenes, attribute_types).execute(program, range(len(scenes)))


class Executor:
    """Executes programs over some of a collection's scenes, named by their places, and remembers what sets hold."""

    def __init__(self, scenes: Sequence[Scene], attribute_types: Mapping[str, str]) -> None:
        self.scenes, self.attribute_types = scenes, attribute_types
        self._masks: dict[int, SceneMasks] = {}
        self._known: dict[Tree, dict[int, int]] = {}

    def execute(self, program: Tree, places: Sequence[int]) -> Answer:
        """The answer with its trace; the program's types are checked first."""
        given = check_types(program)
        if given not in ANSWERS:
            raise ProgramError(NAME, 0, f"the program gives {given}, which is no answer", "ask for a number or a word")
        steps: list[Step] = []
        value = _Run(self, places, steps).answer(program)
        return Answer(value, tuple(steps))

    def value(self, program: Tree, places: Sequence[int]) -> Value:
        """The answer of a program whose types are right, without a trace."""
        return _Run(self, places, None).answer(program)

    def masks(self, place: int) -> SceneMasks:
        """The bits of a scene."""
        masks = self._masks.get(place)
        if masks is None:
            masks = self._masks[place] = SceneMasks.of(self.scenes[place])
        return masks

    def in_scenes(self, program: Tree) -> Mapping[int, int]:
        """The bits of the objects that a program of sets refers to in each scene, worked out when asked for."""
        known = self._known.get(program)
        if known is None:
            known = self._known[program] = _InScenes(self, program)
        return known

    def count(self, program: Tree, place: int) -> int:
        """How many objects of a scene a program of sets refers to."""
        return self.in_scenes(program)[place].bit_count()

    def forget(self) -> None:
        """Drop what is remembered of programs."""
        self._known.clear()


class _InScenes(dict[int, int]):
    """The objects of one program by the places of scenes."""

    def __init__(self, executor: Executor, program: Tree) -> None:
        super().__init__()
        self._executor, self._program = executor, program

    def __missing__(self, place: int) -> int:
        mask = self[place] = _objects_in(self._program, self._executor.masks(place))
        return mask


def _objects_in(program: Tree, masks: SceneMasks) -> int:
    """The objects of one scene that a program of sets refers to."""
    names = NAMES.get(program.label, {})
    arguments = [0 if place in names else _objects_in(child, masks) for place, child in enumerate(program.children)]
    return _objects(program, arguments, masks)


def _objects(node: Tree, arguments: Sequence[int], masks: SceneMasks) -> int:
    """What an operator of sets gives in one scene for the objects that its arguments are there."""
    match node.label:
        case "find":
            return masks.named(name_of(node.children[0].label))
        case "filter":
            return masks.having(name_of(node.children[0].label)) & arguments[1]
        case "with_relation":
            return subjects_of(_related(node, masks), arguments[0], arguments[2])
        case "with_relation_object":
            return targets_of(_related(node, masks), arguments[0], arguments[2])
        case "assert_unique":
            return arguments[0]
    return masks.everything


def _related(node: Tree, masks: SceneMasks) -> Sequence[tuple[int, int]]:
    """The subjects of the relation that an operator names, each with its targets."""
    relation = name_of(node.children[1].label)
    verb, mark, modifier = relation.partition(MODIFIER_MARK)
    if not mark:
        return masks.related(relation)
    return [(each.subject, masks.reached(each, modifier)) for each in _kept_by(node.children[0], verb, masks)]


def _kept_by(node: Tree, verb: str, masks: SceneMasks) -> list[ModifiedRelation]:
    """The relations of a name by which objects were kept: the nearest one on the way down, with its modifiers.

    Where objects were kept by no such relation, a modifier of any counts.
    """
    match node.label:
        case "with_relation":
            name, mark, modifier = name_of(node.children[1].label).partition(MODIFIER_MARK)
            if name != verb:
                return _kept_by(node.children[0], verb, masks)
            targets = _objects_in(node.children[2], masks)
            if not mark:
                return [each for each in masks.modified_by(verb) if each.target & targets]
            return [each for each in _kept_by(node.children[0], verb, masks) if masks.reached(each, modifier) & targets]
        case "filter":
            return _kept_by(node.children[1], verb, masks)
        case "assert_unique":
            return _kept_by(node.children[0], verb, masks)
    return masks.modified_by(verb)


def _whole_sets(node: Tree) -> bool:
    """Whether a program only has operators that look at each picture by itself."""
    names = NAMES.get(node.label, {})
    return node.label in _SETS and all(
        place in names or _whole_sets(child) for place, child in enumerate(node.children)
    )


class _Run:
    """One execution over some places."""

    def __init__(self, executor: Executor, places: Sequence[int], steps: list[Step] | None) -> None:
        self._executor, self._places, self._steps = executor, places, steps
        self._types = executor.attribute_types
        self._numbers: dict[int, int] = {}

    def answer(self, program: Tree) -> Value:
        value: Value = self._value(program)
        if not isinstance(value, bool) and isinstance(value, int) and value > LARGEST_ANSWER:
            raise NoAnswer(Reason.OVER_FIVE, program.label)
        return value

    def _value(self, node: Tree) -> Value:
        """The value of a program that gives one."""
        word, kind = operator_of(node.label)
        first = node.children[0] if node.children else node
        value: Value
        match word:
            case "count":
                value = self._count(first)
            case "exists":
                value = any(self._some(first))
            case "eq" | "gt" | "lt" | "geq" | "leq":
                value = _COMPARISONS[word](self._value(first), self._value(node.children[1]))  # type: ignore[arg-type]
            case "and" | "or":
                # both are worked out, so that the trace has all steps
                left, right = bool(self._value(first)), bool(self._value(node.children[1]))
                value = (left and right) if word == "and" else (left or right)
            case "all" | "some" | "none":
                value = self._quantified(word, self._some(first), self._some(node.children[1]))
            case "all_same":
                value = self._all_same(self._some(first), kind, node.label)
            case "query_attr":
                value = self._of_type(self._one(first), kind, node.label)
            case "query_name":
                value = self._scene_object(self._one(first)).name
            case "verify_attr":
                value = name_of(first.label) in self._scene_object(self._one(node.children[1])).attributes
            case "choose_attr" | "choose_name":
                value = self._chosen(word, node)
            case "choose_rel":
                value = self._chosen_relation(node)
            case _:
                return int(node.label)
        return self._noted(node, value, value)

    def _count(self, node: Tree) -> int:
        if node.label == "unique_images" or node.label == "keys":
            return len(self._images(node))
        if node.label == "group_by_images" or node.label.startswith("keep_"):
            return len(self._groups(node))
        return sum(map(int.bit_count, self._some(node)))

    def _some(self, node: Tree) -> _Objects:
        """The objects of each picture."""
        if node.label == "assert_unique":
            some = self._some(node.children[0])
            self._only(some, node.label)
        elif self._steps is None and _whole_sets(node):
            known = self._executor.in_scenes(node)
            return tuple(known[place] for place in self._places)
        else:
            names = NAMES.get(node.label, {})
            arguments = [
                self._nothing if place in names else self._some(child) for place, child in enumerate(node.children)
            ]
            some = tuple(
                _objects(node, [each[at] for each in arguments], self._executor.masks(place))
                for at, place in enumerate(self._places)
            )
        if self._steps is not None:
            self._noted(node, some, self._shown_objects(some))
        return some

    @property
    def _nothing(self) -> _Objects:
        return (0,) * len(self._places)

    def _images(self, node: Tree) -> tuple[int, ...]:
        if node.label == "keys":
            images = tuple(at for at, _ in self._groups(node.children[0]))
        else:
            images = tuple(at for at, mask in enumerate(self._some(node.children[0])) if mask)
        return self._noted(node, images, tuple(self._id(at) for at in images))

    def _groups(self, node: Tree) -> _Groups:
        if node.label == "group_by_images":
            groups: _Groups = tuple(enumerate(self._some(node.children[0])))
        else:
            compare, number = _COMPARISONS[node.label.removeprefix("keep_")], self._value(node.children[1])
            groups = tuple(each for each in self._groups(node.children[0]) if compare(each[1].bit_count(), int(number)))
        shown = (
            tuple((self._id(at), self._masks(at).ids(mask)) for at, mask in groups) if self._steps is not None else ()
        )
        return self._noted(node, groups, shown)

    def _one(self, node: Tree) -> _One:
        """The one object that `unique` gives."""
        some = self._some(node.children[0])
        one = self._only(some, node.label)
        if self._steps is not None:
            self._noted(node, one, self._shown_objects(tuple(one[1] if at == one[0] else 0 for at in range(len(some)))))
        return one

    @staticmethod
    def _only(some: _Objects, label: str) -> _One:
        kept = [(at, mask) for at, mask in enumerate(some) if mask]
        if len(kept) != 1 or kept[0][1].bit_count() != 1:
            raise NoAnswer(Reason.NOT_UNIQUE, label)
        return kept[0]

    @staticmethod
    def _quantified(word: str, subjects: _Objects, condition: _Objects) -> bool:
        if not any(subjects):
            raise NoAnswer(Reason.EMPTY_SUBJECT, word)
        if word == "all":
            return not any(subject & ~met for subject, met in zip(subjects, condition, strict=True))
        some = any(subject & met for subject, met in zip(subjects, condition, strict=True))
        return some if word == "some" else not some

    def _all_same(self, some: _Objects, kind: str, label: str) -> bool:
        values = {
            self._of_type((at, 1 << bit), kind, label)
            for at, mask in enumerate(some)
            for bit in range(mask.bit_length())
            if mask >> bit & 1
        }
        if not values:
            raise NoAnswer(Reason.EMPTY_SUBJECT, label)
        return len(values) == 1

    def _of_type(self, one: _One, kind: str, label: str) -> str:
        """The one attribute of a type that an object has."""
        values = {each for each in self._scene_object(one).attributes if self._types.get(each) == kind}
        if len(values) != 1:
            raise NoAnswer(Reason.SEVERAL_VALUES if values else Reason.NO_VALUE, label)
        return values.pop()

    def _chosen(self, word: str, node: Tree) -> str:
        choices = name_of(node.children[0].label), name_of(node.children[1].label)
        each = self._scene_object(self._one(node.children[2]))
        held = (each.name,) if word == "choose_name" else each.attributes
        return _choice(choices, [choice in held for choice in choices], word)

    def _chosen_relation(self, node: Tree) -> str:
        choices = name_of(node.children[0].label), name_of(node.children[1].label)
        at, subject = self._one(node.children[2])
        targets = self._some(node.children[3])[at]
        masks = self._masks(at)
        return _choice(choices, [bool(masks.subjects(subject, choice, targets)) for choice in choices], node.label)

    def _masks(self, at: int) -> SceneMasks:
        return self._executor.masks(self._places[at])

    def _scene_object(self, one: _One) -> SceneObject:
        return self._masks(one[0]).scene.objects[one[1].bit_length() - 1]

    def _id(self, at: int) -> str:
        return self._executor.scenes[self._places[at]].id

    def _shown_objects(self, some: _Objects) -> tuple[tuple[str, str], ...]:
        return tuple((self._id(at), each) for at, mask in enumerate(some) for each in self._masks(at).ids(mask))

    def _noted(self, node: Tree, value: T, shown: Shown) -> T:
        """The value, after its step is put down where there is a trace."""
        if self._steps is not None:
            arguments = tuple(
                self._numbers[id(child)] if id(child) in self._numbers else name_of(child.label)
                for child in node.children
            )
            self._numbers[id(node)] = len(self._steps)
            self._steps.append(Step(node.label, arguments, shown))
        return value


def _choice(choices: tuple[str, str], held: Sequence[bool], label: str) -> str:
    if held[0] == held[1]:
        raise NoAnswer(Reason.BOTH_CHOICES if held[0] else Reason.NEITHER_CHOICE, label)
    return choices[0] if held[0] else choices[1]
