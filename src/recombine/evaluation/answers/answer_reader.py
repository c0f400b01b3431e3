"""Answers in words, read as what is asked: true or false, a number, one of some options, or a name.

Every rule stands in a table (`answer_table`). What cannot be read is an error, so that it is counted and not taken for
a wrong answer in silence.
"""

from __future__ import annotations

import re
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import UnreadableAnswerError
from recombine.evaluation.answers.answer_words import plain, words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from recombine.evaluation.answers.answer_table import AnswerTable, Phrase

Value = bool | Fraction | int | str
"""What an answer says: a truth value, a number, the place of an option, or words."""
_TEN, _HUNDRED = 10, 100
_LEAST_PLURAL = 4
"""Letters that a word has at least for its s to be a plural's."""


class Kind(StrEnum):
    """What kind of answer a question asks for, by the section of the table that it is read by."""

    TRUTH = "truth"
    NUMBER = "number"
    CHOICE = "choice"
    OPEN = "open"


class Asked(NamedTuple):
    """What a question asks for, and the answer that is right."""

    kind: Kind
    right: Value
    options: tuple[str, ...] = ()
    """Of a choice, in their order."""
    letter: int | None = None
    """Where only the question says that there are two options: whether the first or the second is right."""
    length: int = 0
    """How many words the right answer has."""


class AnswerReader:
    """Reads answers by a table.

    >>> from recombine.evaluation.answers.answer_table import usual_table
    >>> reader = AnswerReader(usual_table())
    >>> reader.is_right("There are three dogs.", Asked(Kind.NUMBER, Fraction(3)))
    True
    >>> reader.is_right("B) on it", Asked(Kind.CHOICE, 0, ("next to", "on")))
    False
    """

    def __init__(self, table: AnswerTable) -> None:
        self.table = table
        rules = table.rules
        self._articles = frozenset(word for phrase in table.phrases("text", "articles") for word in phrase)
        self._frames, self._endings = table.phrases("text", "frames"), table.phrases("text", "endings")
        self._after_last = tuple(plain(text) for text in rules["text"]["after_last"] if words(text))
        self._abstained = frozenset(table.phrases("text", "abstained"))
        self._abstains_from = table.phrases("text", "abstained_beginnings")
        self._truths = {
            phrase: value
            for value, keys in ((True, ("true", "also_true")), (False, ("false", "also_false")))
            for key in keys
            for phrase in table.phrases("truth", key)
        }
        self._gold_truths = {
            phrase: value for value, key in ((True, "true"), (False, "false")) for phrase in table.phrases("truth", key)
        }
        self._after_truth = frozenset(table.phrases("truth", "after"))
        self._numbers = {" ".join(words(text)): value for text, value in rules["number"]["words"].items()}
        self._nothing, self._hedges = table.phrases("number", "nothing"), table.phrases("number", "hedges")
        self._negations = table.phrases("choice", "negations")
        self._letters = [word for word in (" ".join(words(text)) for text in rules["choice"]["letters"]) if word]
        before = "|".join(re.escape(" ".join(each)) for each in table.phrases("choice", "before_letter"))
        letters = "|".join(map(re.escape, self._letters)) or r"(?!)"  # nothing is one of no letters
        self._lettered = re.compile(rf"\W*(?:(?:{before})\s+)?[(\[]?({letters})\s*(?:[).:\]]+\s*(.*)|$)", re.DOTALL)
        self._spelled = {" ".join(words(text)): " ".join(words(other)) for text, other in rules["open"]["same"].items()}
        self._marks = {kind: table.marks(kind) for kind in Kind}
        self._readers: dict[Kind, Callable[[str, Phrase, Asked], Value | None]] = {
            Kind.TRUTH: self._truth,
            Kind.NUMBER: self._number,
            Kind.CHOICE: self._choice,
            Kind.OPEN: self._open,
        }
        self._abstaining: dict[str, bool] = {}
        self._read: dict[tuple[str, Asked], Value | None] = {}

    # -- what is asked --------------------------------------------------------------------------------------------

    def is_right(self, output: str, asked: Asked) -> bool:
        """Whether an answer is the right one; one that cannot be read is refused."""
        value = self.read(output, asked)
        if asked.letter is not None and isinstance(value, str) and value in self._letters[:2]:
            return self._letters.index(value) == asked.letter
        return value == asked.right

    def read(self, output: str, asked: Asked) -> Value:
        """What an answer says; one that cannot be read is refused."""
        place = (output, asked)
        if place not in self._read:
            self._read[place] = self._value(output, asked)
        value = self._read[place]
        if value is None:
            raise UnreadableAnswerError(output, f"is no answer where {_WANTED[asked.kind]} is asked for")
        return value

    def abstains(self, output: str) -> bool:
        """Whether an answer says that it is none."""
        if output not in self._abstaining:
            self._abstaining[output] = self._says_nothing(output)
        return self._abstaining[output]

    def _says_nothing(self, output: str) -> bool:
        found = words(self._last(output))
        if any(found[: len(phrase)] == phrase for phrase in self._abstains_from):
            return True
        return found in self._abstained or self._bare(found) in self._abstained

    def gold(self, answer: bool | float | str, options: Sequence[str] = (), question: str = "") -> Asked | None:
        """What is asked where this answer is right; none where it says nothing. Options and question may be unknown."""
        if options:
            place = self._option_of(answer, options)
            if place is not None:
                return Asked(Kind.CHOICE, place, tuple(map(self.normalised, options)))
        if isinstance(answer, bool):
            return Asked(Kind.TRUTH, answer)
        if isinstance(answer, int | float):
            return Asked(Kind.NUMBER, Fraction(str(answer)))
        found = words(answer)
        if found in self._gold_truths:
            return Asked(Kind.TRUTH, self._gold_truths[found])
        number = self._one_number(found)
        if number is not None:
            return Asked(Kind.NUMBER, number)
        text = self.normalised(answer)
        if not text:
            return None
        return Asked(Kind.OPEN, text, (), self._letter(text, question), len(text.split()))

    def normalised(self, text: str) -> str:
        """Words without articles, in the singular, in one spelling.

        >>> from recombine.evaluation.answers.answer_table import usual_table
        >>> AnswerReader(usual_table()).normalised("The gray T-shirts")
        'grey t shirt'
        """
        return " ".join(self._kept(words(text)))

    def _option_of(self, answer: bool | float | str, options: Sequence[str]) -> int | None:
        wanted = self.normalised(answer if isinstance(answer, str) else str(answer))
        return next((place for place, option in enumerate(options) if self.normalised(option) == wanted), None)

    def _letter(self, right: str, question: str) -> int | None:
        """Whether the right answer is the first or the second of "A or B" in a question; none where it is neither."""
        asked, wanted = [self._kept(words(question)), right.split()]
        found = set()
        for place, word in enumerate(asked):
            if word == "or":
                found |= {0} if list(asked[max(0, place - len(wanted)) : place]) == wanted else set()
                found |= {1} if list(asked[place + 1 : place + 1 + len(wanted)]) == wanted else set()
        return found.pop() if len(found) == 1 else None

    # -- reading --------------------------------------------------------------------------------------------------

    def _value(self, output: str, asked: Asked) -> Value | None:
        for text in self._candidates(output, asked.kind):
            value = self._readers[asked.kind](text, self._bare(words(text)), asked)
            if value is not None:
                return value
        return None

    def _candidates(self, output: str, kind: Kind) -> Iterator[str]:
        """The texts to read, one after the other: the whole, then what stands before a mark."""
        text = self._last(output)
        yield text
        cuts = [at for mark in self._marks[kind] if (at := text.find(mark)) > 0]
        if cuts:
            yield text[: min(cuts)]

    def _last(self, output: str) -> str:
        """What follows the last phrase that says that an answer follows, where something does."""
        text = plain(output).strip()
        ends = [at + len(phrase) for phrase in self._after_last if (at := text.rfind(phrase)) >= 0]
        rest = text[max(ends) :].strip() if ends else ""
        return rest if words(rest) else text

    def _bare(self, found: Phrase) -> Phrase:
        """Words without frames around them; one word at least is left."""
        while True:
            frame = next((each for each in self._frames if len(each) < len(found) and _begins(found, each)), None)
            ending = next((e for e in self._endings if len(e) < len(found) and found[-len(e) :] == e), None)
            if frame is not None:
                found = found[len(frame) :]
            elif ending is not None:
                found = found[: -len(ending)]
            else:
                return found

    def _truth(self, text: str, found: Phrase, asked: Asked) -> bool | None:
        del asked
        for phrase in (words(text), found):
            for size in range(len(phrase), 0, -1):
                value = self._truths.get(phrase[:size])
                if value is not None and (size == len(phrase) or phrase[size:] in self._after_truth):
                    return value
        return None

    def _number(self, text: str, found: Phrase, asked: Asked) -> Fraction | None:
        del text, asked
        if any(_holds(found, hedge) for hedge in self._hedges):
            return None
        return self._one_number(found, among_words=self.table.rules["number"]["among_words"], nothing=self._nothing)

    def _one_number(
        self, found: Phrase, *, among_words: bool = False, nothing: Sequence[Phrase] = ()
    ) -> Fraction | None:
        """The number that words say: alone, or among others."""
        numbers, others = self._numbers_in(found)
        if others and not among_words:
            return Fraction(0) if found in nothing else None
        if not numbers and any(_holds(found, phrase) for phrase in nothing):
            return Fraction(0)
        return numbers.pop() if len(numbers) == 1 else None

    def _numbers_in(self, found: Phrase) -> tuple[set[Fraction], int]:
        """The numbers among words, and how many words are none; `twenty one` is one number."""
        numbers: list[tuple[Fraction, bool]] = []
        others, tens = 0, False
        for word in found:
            written = word in self._numbers
            if not written and not word.lstrip("-").replace(".", "", 1).isdecimal():
                others, tens = others + 1, False
                continue
            value = Fraction(self._numbers[word]) if written else Fraction(word)
            if tens and written and 0 < value < _TEN:
                numbers[-1] = (numbers[-1][0] + value, True)
                tens = False
            else:
                numbers.append((value, written))
                tens = written and _TEN < value < _HUNDRED and value % _TEN == 0
        return {value for value, _ in numbers}, others

    def _choice(self, text: str, found: Phrase, asked: Asked) -> int | None:
        options = asked.options
        lettered = self._lettered.fullmatch(text)
        if lettered is not None:
            place, rest = self._letters.index(lettered[1]), words(lettered[2] or "")
            if not rest:
                return place if place < len(options) else None
            return place if self._named(rest, options) == place else None
        bare = [word for word in found if word not in self._articles] or list(found)
        if len(bare) == 1 and bare[0] in self._letters[: len(options)]:
            return self._letters.index(bare[0])
        return self._named(found, options)

    def _named(self, found: Phrase, options: Sequence[str]) -> int | None:
        """The one option that words name."""
        said = self._kept(found)
        if " ".join(said) in options:
            return options.index(" ".join(said))
        if not self.table.rules["choice"]["among_words"] or any(_holds(found, each) for each in self._negations):
            return None
        spans = [(start, start + len(each), place) for place, each in _split(options) for start in _places(said, each)]
        named = {
            place
            for first, last, place in spans
            if not any(a <= first and last <= b and (b - a) > (last - first) for a, b, _ in spans)
        }
        return named.pop() if len(named) == 1 else None

    def _open(self, text: str, found: Phrase, asked: Asked) -> str | None:
        lettered = self._lettered.fullmatch(text) if asked.letter is not None else None
        if lettered is not None and not words(lettered[2] or ""):
            return lettered[1]
        whole = self.normalised(text)
        if whole == asked.right:  # a frame may be a part of it
            return whole
        said = self._kept(found)
        if len(said) > asked.length + self.table.rules["open"]["more_words"]:
            return None
        return " ".join(said) or None

    # -- words ----------------------------------------------------------------------------------------------------

    def _kept(self, found: Phrase) -> list[str]:
        return [self._spelling(word) for word in found if word not in self._articles]

    def _spelling(self, word: str) -> str:
        rules = self.table.rules["plural"]
        single: str | None = rules["irregular"].get(word)
        if single is None:
            single = word
            if len(word) >= _LEAST_PLURAL and not word.endswith(tuple(rules["not_plural"])):
                end = next((each for each in rules["endings"] if word.endswith(each[0])), None)
                single = word if end is None else word.removesuffix(end[0]) + end[1]
        return self._spelled.get(single, single)


_WANTED = {
    Kind.TRUTH: "true or false",
    Kind.NUMBER: "a number",
    Kind.CHOICE: "one of the options",
    Kind.OPEN: "a name",
}


def _begins(found: Phrase, frame: Phrase) -> bool:
    return all(want in ("*", word) for want, word in zip(frame, found, strict=False))


def _holds(found: Sequence[str], phrase: Phrase) -> bool:
    return any(True for _ in _places(found, phrase))


def _places(found: Sequence[str], phrase: Sequence[str]) -> Iterator[int]:
    """Where a phrase begins among words."""
    wanted, size = list(phrase), len(phrase)
    return (start for start in range(len(found) - size + 1) if list(found[start : start + size]) == wanted)


def _split(options: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    return ((place, option.split()) for place, option in enumerate(options))
