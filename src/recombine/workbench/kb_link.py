"""What questions mention: entities of a knowledge base, numbers and dates, with scores; or a tagger of mentions."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from recombine.kb.linking.gold_links import GoldLinks
    from recombine.kb.linking.link import Link
    from recombine.kb.linking.linker import Linker
    from recombine.kb.linking.score_links import LinkScores
    from recombine.kb.linking.surface_forms import SurfaceForms
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.store import Store
    from recombine.records.dataset import Dataset
    from recombine.records.example import Example
    from recombine.workbench.given.data_and_split import SplitLike
    from recombine.workbench.load import Data


@dataclass(frozen=True, repr=False, eq=False)
class KbLinks(Result):
    """The links of each question, and their scores where gold was asked for."""

    rows: tuple[tuple[str | None, str, tuple[Link, ...]], ...]
    """The id where the question is of a data set, the question, and its links."""
    empty: tuple[str, ...]
    """The ids of questions without a word, which have no links."""
    unreadable: dict[str, str]
    """The questions whose gold could not be told, by id, each with why; they are linked, and not scored."""
    scores: LinkScores | None
    dictionary: dict[str, int]
    ways: tuple[str, str]
    """How mentions are found, and how one of their candidates is chosen."""
    too_common: int
    """How many runs of words were not looked up by likeness."""
    profile: Profile
    seconds: float

    def row(self, number: int) -> dict[str, Any]:
        """A question with its links, as they are written."""
        key, text, links = self.rows[number]
        shown = [
            {
                "start": link.start,
                "end": link.end,
                "text": link.text,
                "kind": link.kind,
                "linked": [self.profile.show(term) for term in link.linked],
                "candidates": [
                    {"term": self.profile.show(term), "score": round(score, 6)} for term, score in link.terms
                ],
            }
            for link in links
        ]
        return {**({} if key is None else {"id": key}), "question": text, "links": shown}

    def write(self, path: Path | str) -> None:
        """Write a line of JSON for each question, whole or not at all."""
        import orjson

        from recombine.files import write_whole

        lines = (orjson.dumps(self.row(number)) + b"\n" for number in range(len(self.rows)))
        write_whole(path, b"".join(lines))

    def to_dict(self) -> dict[str, Any]:
        """What `recombine kb link --json` prints."""
        links = [link for _, _, own in self.rows for link in own]
        return {
            "questions": len(self.rows),
            "mentions": len(links),
            "without_candidates": sum(not link.terms for link in links),
            "ambiguous": sum(link.kind == "entity" and len(link.terms) > 1 for link in links),
            "linked_to_several": sum(link.kind == "entity" and link.chosen > 1 for link in links),
            "empty": list(self.empty),
            "unreadable": self.unreadable,
            "scores": None if self.scores is None else self.scores.to_dict(),
            "dictionary": self.dictionary,
            "found_by": self.ways[0],
            "chosen_by": self.ways[1],
            "too_common": self.too_common,
            "links": [self.row(number) for number in range(len(self.rows))],
            "seconds": round(self.seconds, 3),
        }

    def __str__(self) -> str:
        mentions = sum(len(links) for _, _, links in self.rows)
        text = (
            f"{mentions:,} mention{'s' * (mentions != 1)} in {len(self.rows):,} question{'s' * (len(self.rows) != 1)}"
        )
        if self.scores is not None:
            counts = self.scores.entities
            shares = (("recall", counts.recall), ("precision", counts.precision), ("F1", counts.f1))
            text += ": " + ", ".join(f"{name} {'–' if share is None else f'{share:.1%}'}" for name, share in shares)
        return text


@dataclass(frozen=True, repr=False, eq=False)
class KbTagger(Result):
    """A tagger that was trained and written."""

    file: str
    questions: int
    mentions: int
    unplaced: int
    """How many entities stand in their question by no name, so that nothing could be learnt of them."""
    unreadable: dict[str, str]
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """What `recombine kb link --fit --json` prints."""
        return {
            "tagger": self.file,
            "questions": self.questions,
            "mentions": self.mentions,
            "unplaced": self.unplaced,
            "unreadable": self.unreadable,
            "seconds": round(self.seconds, 3),
        }

    def __str__(self) -> str:
        text = f"{self.file}: a tagger trained on {self.questions:,} questions with {self.mentions:,} mentions"
        if self.unplaced:
            text += f"; {self.unplaced:,} entities stand in their question by no name of the data"
        if self.unreadable:
            text += f"; {len(self.unreadable):,} questions left out, whose entities cannot be told"
        return text


@verb
def kb_link(
    text: str | None = None,
    *,
    kb: Path | str | None = None,
    names: Path | str | None = None,
    data: Data | None = None,
    split: SplitLike | None = None,
    part: str | None = None,
    gold: bool = False,
    mentions: str = "dictionary",
    choice: str = "popularity",
    tagger: Path | str | None = None,
    fit: Path | str | None = None,
    literals: bool = True,
    most: int = 10,
    profile: Path | str | None = None,
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
    seed: int = 0,
) -> KbLinks | KbTagger:
    """The entities, numbers and dates that a text or the questions of a data set mention.

    Names are those of an index, or of a file of surface forms with counts (`names`); `kb` is the index, by default the
    world of the data. `mentions` is `dictionary`, `ngrams` or `tagger`; `choice` is `popularity` or `context`, for
    which an index is needed; `most` is the number of candidates to keep of a mention. With `gold`, links are scored
    against what the data says. With `fit`, a tagger is trained on the questions and written to that file. Of a `split`,
    its part `test` is linked, or `train` trained on, or the `part` that is named.
    """
    from recombine.errors import OptionError
    from recombine.files import check_writable
    from recombine.progress import working

    begun = time.perf_counter()
    if (text is None) == (data is None):
        raise OptionError("a text or data is to be linked, and not both", "give a question, or --data DATA")
    if data is None and (gold or fit is not None or split is not None):
        raise OptionError("gold, a split and training are for data", "give --data DATA")
    if fit is not None:
        check_writable(fit)
    dataset, examples = (None, []) if data is None else _questions(data, split, part, fit, source, target, language)
    store, forms, known = _dictionary(kb, names, profile, dataset)
    if fit is not None and dataset is not None:
        with working(f"training on {len(examples):,} questions"):
            return _fit(dataset, examples, forms, known, fit, seed, begun)
    linker = _linker(store, forms, mentions, choice, tagger, literals=literals, most=most)
    if dataset is None:
        rows: list[tuple[str | None, str, tuple[Link, ...]]] = [(None, str(text), tuple(linker.link(str(text))))]
        empty: list[str] = []
        unreadable: dict[str, str] = {}
        scores = None
    else:
        with working(f"linking {len(examples):,} questions"):
            rows, empty = _rows(linker, examples)
        unreadable, scores = _scores(dataset, examples, rows, known) if gold else ({}, None)
    sizes = {name: getattr(forms, name) for name in ("entities", "shared", "unusable")}
    return KbLinks(
        tuple(rows),
        tuple(empty),
        unreadable,
        scores,
        {"surface_forms": len(forms), **sizes},
        (mentions, choice),
        linker.too_common,
        known,
        time.perf_counter() - begun,
    )


def _questions(
    data: Data,
    split: SplitLike | None,
    part: str | None,
    fit: Path | str | None,
    source: str | None,
    target: str | None,
    language: str | None,
) -> tuple[Dataset, list[Example]]:
    """The data, and those of its questions that are wanted."""
    from recombine.errors import OptionError, UnknownNameError
    from recombine.workbench.given.data_and_split import data_and_split
    from recombine.workbench.load import load

    if split is None:
        if part is not None:
            raise OptionError(f"the part {part!r} of no split", "give --split SPLIT")
        dataset = load(data, source=source, target=target, language=language)
        return dataset, list(dataset)
    dataset, found = data_and_split(data, split, source=source, target=target, language=language)
    wanted = part or ("test" if fit is None else "train")
    if wanted not in found.parts:
        raise UnknownNameError("part of the split", wanted, sorted(found.parts))
    return dataset, [dataset[key] for key in found.parts[wanted]]


def _dictionary(
    kb: Path | str | None, names: Path | str | None, profile: Path | str | None, dataset: Dataset | None
) -> tuple[Store | None, SurfaceForms, Profile]:
    """The store where there is one, the surface forms, and the profile."""
    from recombine.errors import OptionError
    from recombine.kb.kb_world import KIND
    from recombine.kb.linking.read_surface_forms import read_surface_forms
    from recombine.kb.linking.store_forms import store_forms
    from recombine.kb.open_store import open_store
    from recombine.kb.profiles.find_profile import find_profile
    from recombine.progress import working

    store: Any = None
    with working("reading names"):
        if kb is not None:
            store = open_store(kb, profile=profile)
        elif names is None and dataset is not None and dataset.world is not None and dataset.world.kind == KIND:
            store = dataset.opened_world
        known = store.profile if store is not None else find_profile("plain" if profile is None else profile)
        if names is not None:
            return store, read_surface_forms(names, known), known
        if store is None:
            raise OptionError("no names to link to", "give --kb PLACE, or --names FILE with surface forms")
        return store, store_forms(store), known


def _linker(
    store: Store | None,
    forms: SurfaceForms,
    mentions: str,
    choice: str,
    tagger: Path | str | None,
    *,
    literals: bool,
    most: int,
) -> Linker:
    from recombine.errors import OptionError
    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.linking.context_words import ContextWords
    from recombine.kb.linking.linker import CONTEXT, TAGGER, Linker
    from recombine.kb.linking.tagger import Tagger

    if tagger is not None and mentions != TAGGER:
        raise OptionError(f"a tagger, and mentions by {mentions}", "give --mentions tagger, or no tagger")
    return Linker(
        forms,
        mentions=mentions,
        choice=choice,
        tagger=None if tagger is None else Tagger.load(tagger),
        around=ContextWords(store) if choice == CONTEXT and isinstance(store, EmbeddedStore) else None,
        literals=literals,
        most=most,
    )


def _rows(
    linker: Linker, examples: Sequence[Example]
) -> tuple[list[tuple[str | None, str, tuple[Link, ...]]], list[str]]:
    from recombine.kb.linking.gold_links import unbracketed

    rows: list[tuple[str | None, str, tuple[Link, ...]]] = []
    empty = []
    for example in examples:
        question = unbracketed(example.source)
        if not question.strip():
            empty.append(example.id)
        rows.append((example.id, question, tuple(linker.link(question)) if question.strip() else ()))
    return rows, empty


def _gold(
    dataset: Dataset, examples: Sequence[Example], profile: Profile
) -> tuple[dict[str, GoldLinks], dict[str, str]]:
    """The gold of each question by its id, and why there is none."""
    from recombine.errors import OptionError, RecombineError
    from recombine.kb.linking.gold_links import gold_links

    language = None if dataset.language is None else dataset.language.name
    gold: dict[str, GoldLinks] = {}
    unreadable: dict[str, str] = {}
    for example in examples:
        try:
            gold[example.id] = gold_links(example, language, profile)
        except RecombineError as error:
            unreadable[example.id] = error.problem
            if len(unreadable) == len(examples):
                raise OptionError(
                    f"{dataset.name}: no question says what it mentions; {error.problem}", error.remedy
                ) from error
    return gold, unreadable


def _scores(
    dataset: Dataset,
    examples: Sequence[Example],
    rows: Sequence[tuple[str | None, str, tuple[Link, ...]]],
    profile: Profile,
) -> tuple[dict[str, str], LinkScores]:
    from recombine.kb.linking.score_links import score_links

    gold, unreadable = _gold(dataset, examples, profile)
    pairs = [(gold[key], links) for key, _, links in rows if key in gold]
    return unreadable, score_links([right for right, _ in pairs], [links for _, links in pairs])


def _fit(
    dataset: Dataset,
    examples: Sequence[Example],
    forms: SurfaceForms,
    profile: Profile,
    file: Path | str,
    seed: int,
    begun: float,
) -> KbTagger:
    from recombine.kb.linking.train_tagger import TaggedQuestion, train_tagger
    from recombine.kb.linking.words import split_words

    gold, unreadable = _gold(dataset, examples, profile)
    tagged = [TaggedQuestion(split_words(each.text).texts, each.spans) for each in gold.values()]
    train_tagger(tagged, forms=forms, seed=seed).save(file)
    mentions, unplaced = sum(len(each.spans) for each in tagged), sum(each.unplaced for each in gold.values())
    return KbTagger(str(file), len(tagged), mentions, unplaced, unreadable, time.perf_counter() - begun)
