"""Texts of a notation into trees, without recursion: what is open waits on a stack.

A frame is what is read between two brackets, or all of the program. Its finished parts are items; the part that is
being read has operators and operands, as in Dijkstra's shunting yard, and words that may become a label, the name of a
call or the name of an argument.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn

from recombine.errors import ProgramError
from recombine.languages.arities import arity_fault
from recombine.languages.notation.normal_form import normal_form
from recombine.languages.notation.scanner import END, QUOTED, SIGN, WORD, next_token
from recombine.languages.notation.writer import is_named
from recombine.languages.too_deep import refuse_too_deep, too_deep
from recombine.tree import MAX_DEPTH, Tree

if TYPE_CHECKING:
    from recombine.languages.notation.notation import Bracket, Notation, Operator
    from recombine.languages.notation.scanner import Token

Operand = tuple[Tree, int]
"""A tree and its depth."""


@dataclass(slots=True)
class Frame:
    """What is read between two brackets; the outermost one has none."""

    bracket: Bracket | None
    label: str | None
    start: int
    separators: tuple[str, ...]
    items: list[Operand] = field(default_factory=list)
    operators: list[tuple[Operator, bool]] = field(default_factory=list)
    """The operators that wait for what stands after them; true for prefix operators."""
    operands: list[Operand] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    nameable: bool = False
    """Whether the words are such as can name a call."""
    whole: bool = False
    """Whether the part that is read has a value to stand before an operator."""
    argument: str | None = None
    """The name of the argument that is read."""
    separated: bool = False
    """Whether a separator stands before what comes."""

    @property
    def by_blanks(self) -> bool:
        """Whether blanks separate its parts."""
        return not self.separators and self.bracket is not None


class Reader:
    """One text being read."""

    def __init__(self, notation: Notation, text: str) -> None:
        self.notation, self.text = notation, text
        self.frames = [self._outermost(0)]
        self.statements: list[Operand] = []

    def read(self) -> Tree:
        """The tree of the text."""
        at = 0
        while True:
            frame = self.frames[-1]
            token = next_token(
                self.notation,
                self.text,
                at,
                value=not (frame.whole or frame.words),
                inside=len(self.frames) > 1,
            )
            if token.kind == END:
                return self._program()
            if token.kind != SIGN:
                self._take_word(token)
            elif token.text in self.notation.opening:
                token = self._open(token)
            elif token.text in self.notation.closing:
                self._close(token)
            elif len(self.frames) == 1 and token.text in self.notation.statement_ends:
                self._end_statement(token.start)
            elif token.text in frame.separators:
                self._separate(frame, token)
            elif token.text in self.notation.named:
                self._name_argument(frame, token)
            else:
                self._take_operator(frame, token)
            at = token.end

    # -- words --------------------------------------------------------------------------------------------------------

    def _take_word(self, token: Token) -> None:
        frame, nameable = self.frames[-1], token.kind == WORD
        if frame.words and frame.nameable and self._is_joined(frame, token):
            frame.words.append(token.text)
            frame.nameable = nameable
            return
        self._make_place(frame, token)
        frame.words, frame.nameable = [token.text], nameable or self._is_quoted_name(token)

    def _is_joined(self, frame: Frame, token: Token) -> bool:
        """Whether a word belongs to those before it; after an index none does."""
        return (
            self.notation.joined
            and not frame.by_blanks
            and token.kind != QUOTED
            and self.notation.word.fullmatch(frame.words[-1]) is not None
        )

    def _is_quoted_name(self, token: Token) -> bool:
        return token.kind == QUOTED and not any(each.fullmatch(token.text) for each in self.notation.strings)

    def _make_place(self, frame: Frame, token: Token) -> None:
        """End the part before a token that begins another, where blanks separate parts or a command begins."""
        if not frame.words and not frame.whole:
            return
        if frame.by_blanks:
            self._finish_item(frame, token.start)
        elif self._begins_command(frame):
            frame.label, frame.words = " ".join(frame.words), []
            frame.separators = self.notation.separators
        else:
            before = frame.words[-1] if frame.words else "a value"
            self._fail(token.start, f"{token.text!r} after {before}", "put a separator or an operator between them")

    def _begins_command(self, frame: Frame) -> bool:
        """Whether the words of a frame are the first of a statement, which more may follow."""
        if not self.notation.command or frame.bracket is not None or frame.label is not None or frame.operators:
            return False
        return bool(frame.words) and frame.nameable and self.notation.word.fullmatch(frame.words[0]) is not None

    def _flush(self, frame: Frame) -> None:
        """Make the words of a frame a leaf."""
        if frame.words:
            frame.operands.append((Tree(" ".join(frame.words)), 1))
            frame.words, frame.whole = [], True

    # -- operators ----------------------------------------------------------------------------------------------------

    def _take_operator(self, frame: Frame, token: Token) -> None:
        sign, notation = token.text, self.notation
        if frame.words or frame.whole:
            if sign in notation.postfix or sign in notation.infix:
                self._flush(frame)
                self._bind(frame, token)
                return
            if sign not in notation.prefix:
                self._fail(token.start, f"{sign!r}: it means nothing here", "remove it")
            self._make_place(frame, token)
        if sign not in notation.prefix:
            known = sign in notation.infix or sign in notation.postfix
            what = "an operator with nothing before it" if known else "it means nothing here"
            self._fail(token.start, f"{sign!r}: {what}", "remove it, or write what is missing")
        self._wait(frame, notation.prefix[sign], True, token.start)

    def _wait(self, frame: Frame, operator: Operator, prefix: bool, position: int) -> None:
        frame.operators.append((operator, prefix))
        frame.whole = False
        if len(frame.operators) + len(self.frames) > MAX_DEPTH:
            raise too_deep(self.notation.name, position)

    def _bind(self, frame: Frame, token: Token) -> None:
        """Let an operator after a value take what binds tighter before it."""
        postfix = self.notation.postfix.get(token.text)
        operator = postfix or self.notation.infix[token.text]
        while frame.operators:
            before, prefix = frame.operators[-1]
            if before.binds < operator.binds:
                break
            if before.binds == operator.binds and not prefix and postfix is None:
                if operator.associates == "right":
                    break
                if operator.associates == "none":
                    problem = f"{operator.sign!r} after {before.sign!r}, which do not associate"
                    self._fail(token.start, problem, "put brackets around one of them")
            self._reduce(frame, token.start)
        if postfix is not None:
            frame.operands.append(self._node(operator.sign, [frame.operands.pop()], token.start))
        else:
            self._wait(frame, operator, False, token.start)

    def _reduce(self, frame: Frame, position: int) -> None:
        operator, prefix = frame.operators.pop()
        taken = frame.operands[-1:] if prefix else frame.operands[-2:]
        del frame.operands[-len(taken) :]
        frame.operands.append(self._node(operator.sign, taken, position))

    def _node(self, label: str, children: list[Operand], position: int) -> Operand:
        depth = 1 + max(depth for _, depth in children)
        if depth + len(self.frames) - 1 > MAX_DEPTH:
            raise too_deep(self.notation.name, position)
        return Tree(label, tuple(tree for tree, _ in children)), depth

    # -- brackets -----------------------------------------------------------------------------------------------------

    def _open(self, token: Token) -> Token:
        """Begin what a bracket opens; the last token of it, where it is an index."""
        frame, bracket = self.frames[-1], self.notation.opening[token.text]
        apart = frame.by_blanks or self._begins_command(frame)
        label = None
        if frame.words and bracket.after_name and (token.touches or not apart):
            if not frame.nameable:
                self._fail(token.start, f"a bracket after the value {frame.words[-1]}", "remove it or name the call")
            if bracket.after_name == "index":
                return self._index(frame, bracket, token)
            label = " ".join(frame.words)
            if label == self.notation.sequence:
                self._fail(token.start, f"a call of {label!r}", "name the call")
            frame.words = []
        else:
            self._make_place(frame, token)
            if bracket.alone is None:
                self._fail(token.start, "a bracket with no name before it", "remove it or name the call")
        if len(self.frames) >= MAX_DEPTH:
            raise too_deep(self.notation.name, token.start)
        self.frames.append(Frame(bracket, label, token.start, bracket.separators))
        return token

    def _index(self, frame: Frame, bracket: Bracket, opening: Token) -> Token:
        """Add an index to the words that stand before it."""
        words: list[str] = []
        token = opening
        while True:
            token = next_token(self.notation, self.text, token.end, value=True, inside=True)
            if token.kind == SIGN and token.text == bracket.close and words:
                break
            if token.kind in (SIGN, END):
                what = "an index that is not closed" if token.kind == END else f"{token.text!r} in an index"
                place = opening.start if token.kind == END else token.start
                self._fail(place, what, f"write the index as NAME{bracket.open}INDEX{bracket.close}")
            words.append(token.text)
        if frame.words[-1].endswith(bracket.close):
            self._fail(opening.start, "an index after an index", "write one of them")
        frame.words[-1] += f"{bracket.open}{' '.join(words)}{bracket.close}"
        return token

    def _close(self, token: Token) -> None:
        frame = self.frames[-1]
        bracket = frame.bracket
        if bracket is None or bracket.close != token.text:
            wanted = "" if bracket is None else f" where {bracket.close!r} should be"
            what = f"{token.text!r}{wanted}" if wanted else "a closing bracket too many"
            self._fail(token.start, what, "look for a bracket at the wrong place")
        if frame.items or frame.words or frame.whole or frame.operators or frame.argument or frame.separated:
            self._finish_item(frame, token.start)
        self.frames.pop()
        outer = self.frames[-1]
        outer.operands.append(self._closed(frame, bracket, token.start))
        outer.whole = True

    def _closed(self, frame: Frame, bracket: Bracket, position: int) -> Operand:
        """What brackets with all their parts mean."""
        items = frame.items
        if frame.label is not None:
            self._check_arity(frame.label, len(items), frame.start)
            if not items:
                return Tree(frame.label + bracket.pair), 1
            return self._node(frame.label + bracket.mark, items, position)
        if bracket.alone == "group" and len(items) == 1 and not is_named(self.notation, items[0][0]):
            return items[0]
        if not items:
            return Tree(bracket.pair), 1
        head = items[0][0]
        if bracket.alone == "head" and len(items) > 1 and not head.children and self._is_name(head.label):
            self._check_arity(head.label, len(items) - 1, frame.start)
            return self._node(head.label + bracket.head_mark, items[1:], position)
        return self._node(bracket.pair, items, position)

    def _is_name(self, label: str) -> bool:
        """Whether the label of a leaf is that of a plain word."""
        match = self.notation.word.fullmatch(label)
        return match is not None and label != self.notation.sequence

    def _check_arity(self, name: str, count: int, position: int) -> None:
        known = self.notation.functions
        if not known:
            return
        name = name.partition(self._index_sign())[0]
        fault = arity_fault(name, count, known.get(name))
        if name not in known:
            fault = f"{name!r} is no function of {self.notation.name}: {', '.join(known)}"
        if fault is not None:
            self._fail(position, fault, "look for a bracket at the wrong place")

    def _index_sign(self) -> str:
        return next((each.open for each in self.notation.brackets if each.after_name == "index"), "\0")

    # -- parts --------------------------------------------------------------------------------------------------------

    def _name_argument(self, frame: Frame, token: Token) -> None:
        plain = len(frame.words) == 1 and frame.nameable and self.notation.word.fullmatch(frame.words[0])
        if frame.bracket is None or not plain or frame.operators or frame.operands or frame.argument is not None:
            self._fail(token.start, f"{token.text!r} where no argument is named", "write NAME before it, in brackets")
        frame.argument, frame.words = frame.words[0] + token.text, []

    def _separate(self, frame: Frame, token: Token) -> None:
        self._finish_item(frame, token.start)
        frame.separated = True

    def _finish_item(self, frame: Frame, position: int) -> None:
        """Make what was read of a part one item."""
        self._flush(frame)
        if not frame.whole:
            missing = "what an operator is of" if frame.operators else "an argument"
            self._fail(position, f"{missing} is missing", "write it, or remove the sign before it")
        while frame.operators:
            self._reduce(frame, position)
        done = frame.operands.pop()
        if frame.argument is not None:
            done = self._node(frame.argument, [done], position)
        frame.items.append(done)
        frame.whole, frame.argument, frame.separated = False, None, False

    def _end_statement(self, position: int) -> None:
        frame = self.frames[0]
        if frame.words or frame.whole or frame.operators or frame.items or frame.label is not None:
            self._finish_item(frame, position)
            if frame.label is not None:
                self._check_arity(frame.label, len(frame.items), frame.start)
            done = frame.items[0] if frame.label is None else self._node(frame.label, frame.items, position)
            self.statements.append(done)
        self.frames = [self._outermost(position)]

    def _outermost(self, start: int) -> Frame:
        return Frame(None, None, start, ())

    def _program(self) -> Tree:
        """The tree of all that was read."""
        notation = self.notation
        if len(self.frames) > 1:
            self._fail(self.frames[-1].start, "a bracket that is not closed", "close it")
        self._end_statement(len(self.text))
        if not self.statements:
            self._fail(0, "an empty program", "leave the example out")
        first = self.statements[0]
        tree, depth = first if len(self.statements) == 1 else self._node(notation.sequence, self.statements, 0)
        chains = sum(self.text.count(sign) for sign in notation.associative if sign in notation.infix)
        if chains and depth + chains > MAX_DEPTH:  # to nest many operands to one side makes a tree deeper
            refuse_too_deep(normal_form(notation, tree), language=notation.name)
        return tree

    def _fail(self, position: int, problem: str, remedy: str) -> NoReturn:
        raise ProgramError(self.notation.name, position, problem, remedy)
