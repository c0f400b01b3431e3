"""What a parser of questions over a knowledge base is and how it is trained (GrailQA, sections 4 and 5.2, App. D)."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, UnknownNameError
from recombine.options import option

if TYPE_CHECKING:
    from collections.abc import Mapping

SCRATCH, VECTORS, PRETRAINED = "scratch", "vectors", "pretrained"
RANKING, TRANSDUCTION = "ranking", "transduction"
GOLD, LINKER, TAGGER = WAYS = ("gold", "linker", "tagger")
"""The ways to link the questions of a data set; else it is a file of links."""
STEADY, LINEAR = DECAYS = ("none", "linear")
VOCABULARIES, FORMS = ("pruned", "whole"), ("well-formed", "any")
LIKELIEST, ANSWERED = "likeliest", "answered"
CHOSEN = (LIKELIEST, ANSWERED)
AFTER_TRAINING = (
    *("inference", "overlap", "vocabulary", "forms", "chosen", "beam", "longest"),
    *("links", "names", "hops", "beyond"),
)
"""Settings of how a parser answers, which may change after training."""
BEYOND = ("classes", "superlatives", "comparatives")
_COUNTS = ("width", "word_width", "batch", "epochs", "patience", "chunk", "beam", "longest")
_CHOICES = {
    "inference": (RANKING, TRANSDUCTION),
    "vocabulary": VOCABULARIES,
    "forms": FORMS,
    "chosen": CHOSEN,
    "decay": DECAYS,
}
_RANGES = {
    "dropout": "give a share of 0 or more and below 1",
    "dev_share": "give a share of 0 or more and below 1",
    "hops": "give 1 or 2",
}


@dataclass(frozen=True, kw_only=True)
class KbqaSettings:
    """Settings of one parser.

    >>> KbqaSettings(encoder="pretrained:minilm").encoder_kind
    'pretrained'
    """

    encoder: str = option(
        SCRATCH,
        "What words are read with: scratch, vectors that are learned; vectors:FILE, fixed ones, GloVe's text or .npy "
        "with its words beside it; pretrained:DIR, a transformer of a local directory, which is fine-tuned.",
    )
    encoder_digest: str = option("", "The digest of the encoder's files; default: that of the files as they are.")
    width: int = option(768, "The width of the encoder's and decoder's states.")
    word_width: int = option(300, "The width of vectors that are learned from scratch.")
    dropout: float = option(0.2, "The share of values left out in training.")
    rate: float = option(1e-3, "The learning rate of all but a pretrained transformer.")
    pretrained_rate: float = option(2e-5, "The learning rate of a pretrained transformer.")
    batch: int = option(32, "Questions of a step of training.")
    epochs: int = option(40, "The most passes over the training questions.")
    patience: int = option(
        3, "Passes without a better exact match on dev after which training stops, where rates do not fall."
    )
    decay: str = option(
        STEADY,
        "How rates go on: none, they stay; linear, they fall to nothing over all passes, which are all made.",
        choices=DECAYS,
    )
    renamed: float = option(
        0.0,
        "The share of training steps in which words of schema items are exchanged for others, in questions, links and "
        "items alike, so that names are read and not remembered.",
    )
    shared_words: bool = option(
        False,
        "Whether the words that a question and a schema item have in common count for the item by themselves, beside "
        "what the encoder makes of both.",
    )
    dev_share: float = option(
        0.1, "The share of the training questions that training stops on, where the split has no dev part."
    )
    chunk: int = option(20, "Schema items that a pretrained transformer reads at once beside the question.")
    train_items: int = option(
        0,
        "The most schema items that a training question is shown, its own among them; 0 for all of its vocabulary.",
    )
    alike: float = option(
        0.25,
        "Where a training question is shown some items alone, the share of the others that are those most like its own "
        "by name; the rest are drawn.",
    )
    prune_training: bool = option(
        False, "Whether training questions have pruned vocabularies too, as the paper has it for BERT."
    )
    train_links: str = option("gold", "What is linked in training questions: gold, linker, or a file of links.")
    links: str = option(
        "linker",
        "What is linked in questions to answer: linker, all names of the dictionary; tagger, those that a tagger marks "
        "which is trained on the training questions, as the paper has it; gold; or a file of links.",
    )
    names: str = option(
        "",
        "A file of entities and their names, with tabs between, for the linker where the facts have none; over a "
        "knowledge base none of whose entities it names, it changes nothing.",
    )
    inference: str = option(
        RANKING, "How it answers: ranking of candidates, or transduction.", choices=(RANKING, TRANSDUCTION)
    )
    overlap: float = option(
        0.0,
        "What the words that a question and a candidate have in common weigh in ranking, beside the logarithm of the "
        "candidate's probability; 0 for the latter alone.",
    )
    vocabulary: str = option(
        "pruned", "What transduction may write: the pruned vocabulary, or the whole.", choices=VOCABULARIES
    )
    forms: str = option(
        "well-formed",
        "What transduction may write: well-formed forms alone, or any words.",
        choices=FORMS,
    )
    chosen: str = option(
        LIKELIEST,
        "Which form of its beam transduction gives: the likeliest, or the likeliest that has an answer in the "
        "knowledge base, which is beyond the paper.",
        choices=CHOSEN,
    )
    beam: int = option(5, "Forms that transduction keeps at each word.")
    longest: int = option(60, "The most words of a form that transduction writes.")
    hops: int = option(2, "Relations between what is linked and what is asked for in candidates: 1 or 2.")
    answer_class: bool = option(
        True,
        "Whether candidates say the class of their answers where the ontology has one and facts are of it, as "
        "GrailQA's forms do.",
    )
    beyond: str = option("", "Candidates beyond the paper's, with commas: classes, superlatives, comparatives.")

    def __post_init__(self) -> None:
        if self.encoder_kind not in (SCRATCH, VECTORS, PRETRAINED) or (
            (self.encoder_kind == SCRATCH) == bool(self.encoder_path)
        ):
            raise UnknownNameError("encoder", self.encoder, (SCRATCH, f"{VECTORS}:FILE", f"{PRETRAINED}:DIR"))
        for name in _COUNTS:
            if getattr(self, name) < 1:
                raise OptionError(f"{name} is {getattr(self, name)}", "give a whole number of 1 or more")
        for name, low, high in (("dropout", 0.0, 1.0), ("dev_share", 0.0, 1.0), ("hops", 1, 3)):
            if not low <= getattr(self, name) < high:
                raise OptionError(f"{name} is {getattr(self, name)}", _RANGES[name])
        if not 0.0 <= self.overlap < float("inf"):
            raise OptionError(f"overlap is {self.overlap}", "give 0 or more")
        for name in ("renamed", "alike"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise OptionError(f"{name} is {getattr(self, name)}", "give a share from 0 to 1")
        for name in self.beyond_kinds:
            if name not in BEYOND:
                raise UnknownNameError("candidates beyond the paper's", name, BEYOND)
        for name, known in _CHOICES.items():
            if getattr(self, name) not in known:
                raise UnknownNameError(name, getattr(self, name), known)

    @property
    def encoder_kind(self) -> str:
        """`scratch`, `vectors` or `pretrained`."""
        return self.encoder.partition(":")[0]

    @property
    def encoder_path(self) -> str:
        """The file or directory of the encoder; empty for one from scratch."""
        return self.encoder.partition(":")[2]

    @property
    def asks_for_beams(self) -> bool:
        """Whether one of several forms is chosen by what has an answer: where forms are written, not where ranked."""
        return self.inference == TRANSDUCTION and self.chosen == ANSWERED

    @property
    def beyond_kinds(self) -> tuple[str, ...]:
        """The kinds of candidates beyond the paper's."""
        return tuple(each.strip() for each in self.beyond.split(",") if each.strip())

    def to_dict(self) -> dict[str, Any]:
        """As plain values for a JSON file."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> KbqaSettings:
        """From plain values; a key that is no setting is an error."""
        known = {each.name for each in fields(cls)}
        for name in values:
            if name not in known:
                raise UnknownNameError("setting", name, known)
        return cls(**values)
