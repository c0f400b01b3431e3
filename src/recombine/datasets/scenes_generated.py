"""Questions about several pictures, generated from scenes with their programs and answers (COVR).

Without scenes of one's own they are about the synthetic world, which needs no download.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from recombine.datasets.generator import Generated, Generator
from recombine.datasets.scenes_files import ScenesFiles, check_scenes_writable
from recombine.errors import OptionError
from recombine.languages.scenes import SCENES
from recombine.options import option
from recombine.progress import note, working
from recombine.records.example import Example
from recombine.records.signature import Signature
from recombine.scenes.balance.filters import EXCLUSION, FILTERS, TRUTH, VERIFIER
from recombine.structures.definition import PROGRAM_STRUCTURES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.scenes.balance.balanced_parts import BalancedParts
    from recombine.scenes.questions.question import Question
    from recombine.scenes.related.find_exclusion import NamedExclusion
    from recombine.scenes.related.looking_verifier import LookingVerifier
    from recombine.scenes.scene import Scene, Scenes

NAME = "scenes"
NUMBER_OF_SCENES = 2000
IDENTITY = ("images",)


@dataclass(frozen=True, kw_only=True)
class ScenesGenerator(Generator):
    """Makes balanced questions about scenes, in three parts that share no scene."""

    scenes: str | None = option(None, "A file of scenes of one's own; default: the synthetic world.", metavar="FILE")
    number_of_scenes: int | None = option(
        None, f"How many scenes of the synthetic world; default: {NUMBER_OF_SCENES}.", metavar="N"
    )
    noise: float = option(0.0, "How much of the synthetic world people leave out or name otherwise, from 0 to 1.")
    pool: int | None = option(None, "How many questions are made to choose from; default: three times as many.")
    question_shares: str | None = option(
        None, "The shares of questions in train, dev and test; default: 80,10,10.", metavar="A,B,C"
    )
    templates: str | None = option(
        None,
        "Names of templates, all, or files of one's own (.toml), with commas between; default: all 15.",
        metavar="NAME,FILE",
    )
    random_distractors: bool = option(False, "Take any images beside those that decide the answer.")
    filter: str = option(
        EXCLUSION,
        "What keeps an image from distracting: none, exclusion of names, and as well a verifier that looks at "
        "pictures, or the truth graph.",
        choices=FILTERS,
    )
    verifier: str | None = option(None, "The folder of the verifier, for --filter verifier.", metavar="DIR")
    exclusion: str | None = option(
        None,
        "What names exclude each other: ontology, none, a file of lines, a folder with GQA's hierarchies or with a "
        "learned model; "
        "default: ontology where it has all names, else none.",
        metavar="NAME|PATH",
    )
    attribute_types: str | None = option(
        None, "A file of attributes by type, for scenes that do not say them.", metavar="FILE"
    )
    cut_boxes: bool = option(False, "Cut boxes that are partly outside their picture, and say how many.")
    repeated_names: bool = option(False, "Ask also about sub-graphs in which a name occurs more than once.")
    pictures: str | None = option(None, "The folder of one's own pictures, named after scenes.", metavar="DIR")
    processes: int = option(1, "How many processes make questions; the result is the same.")

    name: ClassVar[str] = NAME
    description: ClassVar[str] = "questions about several pictures, with programs and answers"
    on_clusters: ClassVar[bool] = False
    has_files: ClassVar[bool] = True

    @classmethod
    def check_out(cls, path: Path | str, form: str) -> None:
        """Refuse a place where the data, or what stands beside it, cannot be written."""
        if form != "ours":
            raise OptionError("questions about scenes have no other form than ours", "leave out --format")
        check_scenes_writable(path)

    def generate(self, n: int | None, *, seed: int) -> Generated:
        """So many questions, as many of each template to ± 1."""
        from recombine.scenes.balance.balanced_parts import make_balanced_parts
        from recombine.scenes.balance.question_pool import PoolSetting, check_processes
        from recombine.scenes.balance.scene_parts import QUESTION_SHARES, read_shares
        from recombine.scenes.related.find_exclusion import ONTOLOGY
        from recombine.scenes.subgraphs.limits import Limits
        from recombine.scenes.templates.choose_templates import choose_templates

        if n is None:
            raise OptionError("there is no end of questions about scenes", "say how many with -n")
        check_processes(self.processes)
        shares = QUESTION_SHARES if self.question_shares is None else read_shares(self.question_shares)
        templates = None if self.templates is None else choose_templates(self.templates)
        with working("making scenes" if self.scenes is None else "reading scenes"):
            annotated, truth = self._world(seed)
        if self.pictures is not None:
            from recombine.scenes.files.find_pictures import find_pictures

            find_pictures(annotated, self.pictures)
        elif self.scenes is None:
            from recombine.scenes.synthetic.picture import draw_scene

            draw_scene((truth or annotated)[0])  # what is missing for pictures is said before the long work
        exclusion, verifier = self._exclusion(annotated), self._verifier()
        limits = Limits(distinct_names=not self.repeated_names)
        setting = PoolSetting(
            annotated,
            seed,
            truth,
            self.filter,
            None if exclusion.name == ONTOLOGY else exclusion.exclusion,  # each process has the ontology
            self.random_distractors,
            exclusion.name,
            limits,
            templates,
            verifier,
        )
        made = make_balanced_parts(setting, n, pool=self.pool, processes=self.processes, shares=shares)
        counted = _counted(made, annotated)
        files = ScenesFiles(
            annotated,
            truth,
            drawn=self.scenes is None and self.pictures is None,
            pictures=None if self.pictures is None else Path(self.pictures),
            signature=self._signature(annotated, exclusion, verifier, seed),
            counted=counted,
        )
        return Generated(
            NAME,
            _examples(made),
            total=n,
            structures=PROGRAM_STRUCTURES,
            language=SCENES,
            world=annotated,
            identity=IDENTITY,
            files=files,
            counted={"scenes": len(annotated), "pool": made.pool.total(), "parts": counted["parts"]},
        )

    def _world(self, seed: int) -> tuple[Scenes, Scenes | None]:
        """The scenes as they are annotated, and as they are where that is another graph."""
        if self.scenes is None:
            for name, own in (("--attribute-types", self.attribute_types), ("--cut-boxes", self.cut_boxes)):
                if own:
                    raise OptionError(f"{name} is of scenes of one's own", "name them with --scenes, or leave it out")
            from recombine.scenes.synthetic.world import make_world

            number = NUMBER_OF_SCENES if self.number_of_scenes is None else self.number_of_scenes
            annotated, truth = make_world(number, seed=seed, noise=self.noise)
            return annotated, truth if self.noise or self.filter == TRUTH else None
        for name, given in (("--noise", self.noise), ("--number-of-scenes", self.number_of_scenes)):
            if given:
                raise OptionError(f"{name} is of the synthetic world, and --scenes names others", "leave one out")
        if self.filter == TRUTH:
            raise OptionError("scenes of one's own have no truth graph", "give another --filter")
        from recombine.scenes.files.read_scenes import read_attribute_types, read_scenes
        from recombine.scenes.files.write_scenes import collection

        types = None if self.attribute_types is None else read_attribute_types(self.attribute_types)
        read = read_scenes(self.scenes, attribute_types=types, cut_boxes=self.cut_boxes)
        if not self.repeated_names:
            _note_repeated(read)
        return collection(read, read.attribute_types), None

    def _exclusion(self, scenes: Scenes) -> NamedExclusion:
        """What names exclude each other: as is said, the ontology where it has all names, or any two that differ."""
        from recombine.scenes.related.find_exclusion import NO_EXCLUSION, ONTOLOGY, find_exclusion, not_in_ontology

        if self.exclusion is not None:
            return find_exclusion(self.exclusion, scenes)
        if self.scenes is None or not not_in_ontology(scenes):
            return find_exclusion(ONTOLOGY, scenes)
        note(
            "any two names that differ exclude each other, but for attributes of two types; "
            "name a file or GQA's hierarchies with --exclusion"
        )
        return find_exclusion(NO_EXCLUSION, scenes)

    def _verifier(self) -> LookingVerifier | None:
        """The verifier that looks, where the filter is one; whatever is wrong with its folder is said at once."""
        from recombine.scenes.related.looking_verifier import LookingVerifier

        if (self.filter == VERIFIER) != (self.verifier is not None):
            raise OptionError("--filter verifier and --verifier DIR go together", "give both, or neither")
        if self.verifier is None:
            return None
        if self.scenes is not None and self.pictures is None:
            raise OptionError("a verifier looks at pictures, and there are none", "name their folder with --pictures")
        made = LookingVerifier(self.verifier, self.pictures)
        made.name  # noqa: B018  # reads the folder
        return made

    def in_folder(self, folder: Path) -> Self:
        """The same generator, with its files read from a folder."""
        from recombine.scenes.related.find_exclusion import NO_EXCLUSION, ONTOLOGY

        paths = {
            name: getattr(self, name) for name in ("scenes", "attribute_types", "pictures", "exclusion", "verifier")
        }
        given: dict[str, Any] = {
            name: str(folder / path) for name, path in paths.items() if path not in (None, ONTOLOGY, NO_EXCLUSION)
        }
        if self.templates is not None:
            from recombine.scenes.templates.choose_templates import templates_in

            given["templates"] = templates_in(folder, self.templates)
        return replace(self, **given)

    def _signature(
        self, scenes: Scenes, exclusion: NamedExclusion, verifier: LookingVerifier | None, seed: int
    ) -> Signature:
        """How the questions were made, but for the number of processes."""
        from recombine.scenes.templates.choose_templates import templates_text

        return Signature.of(
            scenes=f"{len(scenes)}@{scenes.digest[:8]}",
            noise=self.noise or None,
            filter=self.filter,
            verifier=None if verifier is None else verifier.name,
            exclusion=None if exclusion.name == "ontology" else exclusion.name,
            repeated_names="yes" if self.repeated_names else None,
            random_distractors="yes" if self.random_distractors else None,
            templates=None if self.templates is None else templates_text(self.templates),
            pool=self.pool,
            shares=self.question_shares,
            seed=seed,
        )


def _note_repeated(scenes: Scenes) -> None:
    """Say how many relations with modifiers lead to objects of one name, of which no sub-graph has them all."""
    repeated = [
        (scene, name)
        for scene in scenes
        for each in scene.objects
        for relation in each.relations
        for name in _repeated([each.id, relation.object, *(mod.object for mod in relation.mods)], scene)
        if relation.mods
    ]
    if repeated:
        scene, name = repeated[0]
        many = "a relation has" if len(repeated) == 1 else f"{len(repeated):,} relations have"
        note(
            f"{many} one name for several of its objects, such as {name!r} in scene {scene.id}; "
            "as in COVR, sub-graphs that name one twice are left out; --repeated-names asks about them"
        )


def _repeated(ids: list[str], scene: Scene) -> list[str]:
    """The first name that objects of some ids share, if there is one."""
    names = [scene.by_id[each].name for each in ids]
    return next(([name] for name in names if names.count(name) > 1), [])


def _examples(made: BalancedParts) -> Iterator[Example]:
    return (_example(question, part) for part, questions in made.questions.items() for question in questions)


def _example(question: Question, part: str) -> Example:
    context: dict[str, Any] = {
        "answer": question.answer,
        "images": list(question.images),
        "roles": list(question.roles),
        "template": question.template,
        "subgraph": question.subgraph.to_json(),
        "part": part,
        "pair": question.pair,
    }
    return Example.of(question.source, question.target, context=context, identity=IDENTITY)


def _counted(made: BalancedParts, scenes: Scenes) -> dict[str, Any]:
    """What was counted while the questions were made, as JSON, in an order that is always the same."""
    by_reason: Counter[str] = Counter()
    by_template: dict[str, Counter[str]] = {}
    for (template, reason), count in made.rejected.items():
        # a reason of the executor is a member of its enumeration, which is no plain text
        by_reason[str(reason)] += count
        by_template.setdefault(template, Counter())[str(reason)] += count
    return {
        "scenes": len(scenes),
        "parts": {part: len(questions) for part, questions in made.questions.items()},
        "pool": dict(sorted(made.pool.items())),
        "rejected": dict(sorted(by_reason.items())),
        "rejected_by_template": {name: dict(sorted(by_template[name].items())) for name in sorted(by_template)},
        "refused_images": dict(sorted(made.refused.items())),
        "same_text_in_dev": made.same_text,
    }
