"""Templates read from a data file; every fault names the file and the entry.

An entry is checked when it is read: its keys, its slots, the pools that its sets of images use, and the types of the
program that it makes.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import DefinitionError, InputFileError, ProgramError, RecordError
from recombine.files import read_text
from recombine.scenes.programs.value_types import ANSWERS, check_types
from recombine.scenes.related.kinds import changes_of
from recombine.scenes.templates.english_pattern import OF_A_SENTENCE, EnglishPattern, Said
from recombine.scenes.templates.program_pattern import ProgramPattern
from recombine.scenes.templates.template import (
    HOLDS,
    HOLDS_SLOT,
    OTHER_IMAGE,
    Bound,
    Design,
    NumberSlot,
    Option,
    Part,
    Pool,
    Template,
)
from recombine.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

NEEDS = ("relation", "attribute", "typed attribute", "countable", "bare objects")
LEAVES = ("relation", "modified relation", "both", "modifier")
COMPARISONS = ("eq", "geq", "leq")
MOST_IMAGES = 5
_KEYS = frozenset({each.name for each in fields(Template)} | {"english", "program", "measure", "first", "second"})
_SENTENCES = ("G", "NOATTR", "OTHER")
_SETS = ("G", "NOATTR", "SUBJECT", "MEETS", "FAILS", "RELATIONS", "OTHER", "OTHER-NOATTR")
"""The slots of which an image can have so many objects."""


def read_templates(path: Path | str) -> tuple[Template, ...]:
    """The templates of a file of one's own."""
    return templates_of(read_text(Path(path)), str(path))


@cache
def find_templates() -> tuple[Template, ...]:
    """The templates that come with the package."""
    return templates_of(
        (files("recombine.scenes.templates") / "templates.toml").read_text(encoding="utf-8"), "templates"
    )


def templates_of(text: str, source: str) -> tuple[Template, ...]:
    """The templates that a text says; `source` names it in errors."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputFileError(f"{source} is not TOML: {error}", "mend it") from None
    entries = values.get("template")
    if not isinstance(entries, list) or not entries:
        raise InputFileError(f"{source} has no templates", "write them as [[template]]")
    lists = values.get("lists", {})
    templates = [_Entry(source, place, entry, lists).template() for place, entry in enumerate(entries, start=1)]
    forms = [each.form for each in templates]
    for form in forms:
        if forms.count(form) > 1:
            raise RecordError(source, f"template {form!r}", "stands there twice", "give each form a name of its own")
    return tuple(templates)


@dataclass
class _Stand:
    """What stands for a slot while the types of an entry are checked."""

    program: Tree

    @property
    def program_text(self) -> str:
        return self.program.label


class _Entry:
    """One entry while it is read."""

    def __init__(self, source: str, place: int, entry: Any, lists: Mapping[str, Any]) -> None:
        self._source, self._lists = source, lists
        if not isinstance(entry, dict):
            raise RecordError(source, f"template {place}", "is no table", "write it as [[template]]")
        self._entry: dict[str, Any] = entry
        named = entry.get("form", entry.get("name"))
        self._record = f"template {named!r}" if isinstance(named, str) else f"template {place}"

    def template(self) -> Template:
        """The template, after all its parts were looked at."""
        entry = self._entry
        for key in entry:
            if key not in _KEYS:
                raise self._fault(f"has the unknown key {key!r}", f"known: {', '.join(sorted(_KEYS))}")
        for key in ("name", "english", "program"):
            self._text(entry, key)
        choice = tuple(self._texts("choice"))
        if len(choice) not in (0, 2):
            raise self._fault("has a choice that is not of two slots", 'write choice = ["ATTR", "OTHER-ATTR"]')
        numbers = tuple(self._number(each) for each in entry.get("numbers", ()))
        known = self._known_slots(choice, numbers)
        pools = {name: self._pool(value, known) for name, value in self._table("pools").items()}
        template = Template(
            name=entry["name"],
            form=entry.get("form", entry["name"]),
            images=self._images(),
            pools=pools,
            options=tuple(self._options(pools)),
            needs=frozenset(self._texts("needs", NEEDS)),
            leaf=tuple(self._texts("leaf", LEAVES)),
            not_root=frozenset(self._texts("not_root")),
            not_relation=frozenset(self._texts("not_relation")),
            not_of_type={
                kind: frozenset(self._list(names, f"not_of_type.{kind}"))
                for kind, names in self._table("not_of_type").items()
            },
            source=self._where(entry.get("source", {}), known),
            other=tuple(self._pool(each, known) for each in entry.get("other", ())),
            choice=(choice[0], choice[1]) if choice else None,
            numbers=numbers,
            alone=entry.get("alone", False) is True,
        )
        self._check_slots(template, known, choice)
        return template

    def _fault(self, problem: str, remedy: str = "") -> RecordError:
        return RecordError(self._source, self._record, problem, remedy)

    def _text(self, table: Mapping[str, Any], key: str) -> str:
        value = table.get(key)
        if not isinstance(value, str) or not value:
            raise self._fault(f"has no text {key!r}", f'write {key} = "…"')
        return value

    def _table(self, key: str) -> dict[str, Any]:
        value = self._entry.get(key, {})
        if not isinstance(value, dict):
            raise self._fault(f"has {key!r} that is no table")
        return value

    def _texts(self, key: str, allowed: Iterable[str] | None = None) -> list[str]:
        texts = self._list(self._entry.get(key, []), key)
        for text in texts:
            if allowed is not None and text not in allowed:
                raise self._fault(f"{key} has the unknown {text!r}", f"known: {', '.join(allowed)}")
        return texts

    def _list(self, value: Any, key: str) -> list[str]:
        """A list of texts, or the named list of the file."""
        if isinstance(value, str):
            if value not in self._lists:
                raise self._fault(f"{key} names the unknown list {value!r}", f"known: {', '.join(self._lists)}")
            value = self._lists[value]
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self._fault(f"{key} is no list of texts")
        return value

    def _images(self) -> tuple[int, int]:
        value = self._entry.get("images", [2, MOST_IMAGES])
        whole = isinstance(value, list) and len(value) == 2 and all(type(each) is int for each in value)
        if not whole or not 1 <= value[0] <= value[1] <= MOST_IMAGES:
            raise self._fault(f"has images = {value}", f"write two numbers from 1 to {MOST_IMAGES}")
        return value[0], value[1]

    def _known_slots(self, choice: tuple[str, ...], numbers: tuple[NumberSlot, ...]) -> set[str]:
        """The slots that the parts of the entry give."""
        needs, entry = self._texts("needs"), self._entry
        attribute = "attribute" in needs or "typed attribute" in needs
        known = {"G"} | {each.slot for each in numbers}
        if attribute:
            known |= {"NOATTR", "ATTR", "CONDITION", "FAILS"}
        if "typed attribute" in needs:
            known.add("TYPE")
        if entry.get("leaf"):
            known |= {"SUBJECT", "CONDITION", "MEETS", "FAILS"}
            if not {"both", "modified relation"} & set(entry["leaf"]):
                known |= {"REL", "OBJ", "OBJ-NAME", "RELATIONS"}
        if entry.get("other"):
            known.add("OTHER")
            known |= {"OTHER-NOATTR", "OTHER-ATTR"} if attribute else set()
            known |= {"DECOY", "DECOYREL"} if entry.get("leaf") else set()
        if choice:
            known |= {"FIRST", "SECOND"}
        return known

    def _check_slots(self, template: Template, known: set[str], choice: tuple[str, ...]) -> None:
        for slot in choice:
            self._known(slot, known)
        for option in template.options:
            for slot in (
                *option.english.slots,
                *option.program.slots,
                *(option.measure.slots if option.measure else ()),
            ):
                self._known(slot, known)
            for part in option.english.parts:
                if isinstance(part, Said) and part.form in OF_A_SENTENCE:
                    self._check_sentence(part, template)
            self._check_types(option, template)

    def _check_sentence(self, said: Said, template: Template) -> None:
        """A sub-graph can be said as a sentence when it has a relation."""
        if said.slot not in _SENTENCES or "relation" not in template.needs:
            raise self._fault(
                f"says {{{said.form} {said.slot}}}, which only a sub-graph with a relation can be said as",
                f'write it of {" or ".join(_SENTENCES)} and needs = ["relation"]',
            )

    def _known(self, slot: str, known: Iterable[str]) -> str:
        if slot not in known:
            raise self._fault(f"has the unknown slot {slot!r}", f"it has: {', '.join(sorted(known))}")
        return slot

    def _check_types(self, option: Option, template: Template) -> None:
        """The program with something in every slot has the right types."""
        found, name = Tree("find", (Tree("a"),)), Tree("a")
        stands = {
            slot: _Stand(found if slot in (*_SETS, "CONDITION", "OBJ") else name) for slot in option.program.slots
        }
        stands |= {each.slot: _Stand(Tree("1")) for each in template.numbers}
        try:
            given = check_types(option.program.fill(stands))
        except ProgramError as error:
            raise self._fault(f"its program is wrong: {error.problem}", error.remedy) from None
        if given not in ANSWERS:
            raise self._fault(f"its program gives {given}, which is no answer", "ask for a number or a word")

    def _options(self, pools: Mapping[str, Pool]) -> Iterable[Option]:
        for table in self._entry.get("options", [{}]):
            words = {key: value for key, value in table.items() if key not in ("first", "second")}
            for key, value in words.items():
                if not isinstance(value, str) or key != key.upper():
                    raise self._fault(f"has the option {key!r} that is no word for a slot", 'write SLOT = "…"')
            try:
                english = EnglishPattern.of(_with_words(self._entry["english"], words))
                program = ProgramPattern.of(self._entry["program"], words)
                measured = self._entry.get("measure")
                measure = None if measured is None else ProgramPattern.of(measured, words)
            except ValueError as error:
                raise self._fault(str(error)) from None
            except ProgramError as error:
                raise self._fault(f"its program is wrong: {error.problem}", error.remedy) from None
            first, second = (
                self._designs({**self._entry, **table}.get(key), key, pools) for key in ("first", "second")
            )
            yield Option(words, english, program, measure, first, second)

    def _designs(self, value: Any, key: str, pools: Mapping[str, Pool]) -> tuple[Design, ...]:
        if value is None and key == "second":
            return ()
        listed = value if isinstance(value, list) else [value]
        if not listed or not all(isinstance(each, dict) for each in listed):
            raise self._fault(f"has no {key!r} set of images", 'write first = { yes = 1, rest = "rest" }')
        return tuple(self._design(each, key, pools) for each in listed)

    def _design(self, table: Mapping[str, Any], key: str, pools: Mapping[str, Pool]) -> Design:
        parts = []
        for pool, number in table.items():
            if pool not in pools:
                raise self._fault(f"{key} names the unknown pool {pool!r}", f"it has: {', '.join(pools)}")
            if number == "rest":
                parts.append(Part(pool, 0, MOST_IMAGES, rest=True))
            else:
                low, high = self._range(number, f"{key}.{pool}")
                parts.append(Part(pool, low, high, rest=False))
        if sum(part.rest for part in parts) != 1:
            raise self._fault(f"{key} has no part that is the rest, or several", 'write rest = "rest" for one pool')
        return tuple(parts)

    def _range(self, value: Any, key: str) -> tuple[int, int]:
        ends = [value, value] if type(value) is int else value
        if not isinstance(ends, list) or len(ends) != 2 or not all(type(end) is int for end in ends):
            raise self._fault(f"{key} is {value!r}", "write a number, or two as [1, 4]")
        return ends[0], ends[1]

    def _pool(self, value: Any, known: set[str]) -> Pool:
        if not isinstance(value, dict) or set(value) - {"from", "where"} or "from" not in value:
            raise self._fault("has a pool of another form", 'write { from = "holds", where = { G = 1 } }')
        where = self._where(value.get("where", {}), known)
        source = value["from"]
        if isinstance(source, str):
            if source.startswith(HOLDS_SLOT):
                self._known(source.removeprefix(HOLDS_SLOT), known & {"OTHER", "OTHER-NOATTR"})
            elif source not in (HOLDS, OTHER_IMAGE):
                raise self._fault(
                    f"has a pool from {source!r}", 'write "holds", "other", "holds OTHER", or a list of kinds'
                )
            return Pool((source,), where)
        for kind in self._list(source, "from"):
            try:
                changes_of(kind.removeprefix("!").replace("LEAF", "1").replace("*_", "1_").replace("*", "1_name"))
            except DefinitionError:
                raise self._fault(
                    f"has a pool from the unknown kind {kind!r}", "write root_attr, LEAF_name+*_name …"
                ) from None
        return Pool(tuple(source), where)

    def _where(self, table: Any, known: set[str]) -> tuple[Bound, ...]:
        if not isinstance(table, dict):
            raise self._fault("has a `where` that is no table", "write where = { G = 1 }")
        return tuple(
            Bound(self._known(slot, known & set(_SETS)), *self._range(value, f"where.{slot}"))
            for slot, value in table.items()
        )

    def _number(self, value: Any) -> NumberSlot:
        options = self._entry.get("options", [])
        if (
            not isinstance(value, dict)
            or set(value) != {"slot", "from", "by"}
            or value["from"] not in ("source", "measure")
        ):
            raise self._fault("has a number of another form", 'write { slot = "N", from = "measure", by = "OP" }')
        if value["from"] == "measure" and "measure" not in self._entry:
            raise self._fault(
                f"takes {value['slot']!r} from a measure that it does not have", 'write measure = "count ( {G} )"'
            )
        ways = [value["by"]] if value["by"] in COMPARISONS else [each.get(value["by"]) for each in options]
        if not ways or not all(way in COMPARISONS for way in ways):
            raise self._fault(f"takes {value['slot']!r} by {value['by']!r}", f"known: {', '.join(COMPARISONS)}")
        return NumberSlot(value["slot"], value["from"], value["by"])


def _with_words(text: str, words: Mapping[str, str]) -> str:
    """The English with the words of an option at their slots."""
    for slot, word in words.items():
        text = text.replace(f"{{{slot}}}", word)
    return text
