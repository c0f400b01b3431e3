"""The gold forms of entries: their shapes, templates and paraphrases, each read once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from recombine.errors import FormError
from recombine.evaluation.groups.form_literals import form_literals
from recombine.evaluation.groups.form_shape import query_shape, sexpression_shape
from recombine.evaluation.groups.paraphrases import slotted_question
from recombine.evaluation.match.form_matchers import canonical_keys, read_form
from recombine.kb.forms.form import SEXPRESSION, SExpression, SparqlQuery
from recombine.kb.matching.template import ENTITY

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from recombine.evaluation.groups.form_shape import FormShape
    from recombine.evaluation.match.form_setting import FormSetting
    from recombine.kb.forms.form import Form
    from recombine.kb.profiles.profile import Profile
    from recombine.records.dataset import Dataset

_RDF_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"


@dataclass(frozen=True)
class Paraphrases:
    """The group of each entry, and how many questions could not be slotted."""

    groups: Sequence[Hashable] | None
    """None where the data has no names, though its programs name entities."""
    unslotted: int


@dataclass(frozen=True)
class GoldForms:
    """The gold forms of the entries of a part."""

    dataset: Dataset
    ids: Sequence[str]
    setting: FormSetting

    @cached_property
    def shapes(self) -> list[FormShape]:
        """The shape of each."""
        by_text = {text: form_shape(form, self.setting.profile) for text, form in self._forms.items()}
        return [by_text[self.dataset[key].target] for key in self.ids]

    @cached_property
    def templates(self) -> list[str]:
        """The template of each; the program itself where it has no canonical form."""
        key_of, canonical = canonical_keys(self.setting)
        by_text = {}
        for text in self._forms:
            try:
                by_text[text] = canonical.template(key_of(text))
            except FormError:
                by_text[text] = text
        return [by_text[self.dataset[key].target] for key in self.ids]

    @cached_property
    def paraphrases(self) -> Paraphrases:
        """Template and slotted question of each. One that cannot be slotted as a whole keeps its text, and is counted.

        Nothing can be slotted where the data has no names for what its programs name.
        """
        groups, unslotted, entities = [], 0, 0
        for key, template in zip(self.ids, self.templates, strict=True):
            example = self.dataset[key]
            slotted = slotted_question(example, form_literals(self._forms[example.target]))
            unslotted += slotted.standing < slotted.named or (ENTITY in template and not slotted.entities)
            entities += slotted.entities
            groups.append((template, slotted.text))
        return Paraphrases(groups if entities or not unslotted else None, unslotted)

    @cached_property
    def _forms(self) -> dict[str, Form]:
        texts = dict.fromkeys(self.dataset[key].target for key in self.ids)
        return {text: read_form(text, self.setting) for text in texts}


def form_shape(form: Form, profile: Profile) -> FormShape:
    """The shape of a form; of SPARQL that of the S-expression that says the same, where there is one."""
    if isinstance(form, SparqlQuery):
        from recombine.kb.forms.convert import convert

        try:
            converted = convert(form, SEXPRESSION, profile=profile).form
        except FormError:
            types = {_RDF_TYPE, *(f"<{profile.expand(term)}>" for term in profile.predicates("type"))}
            return query_shape(form.tree, types)
        form = converted
    if not isinstance(form, SExpression):
        raise AssertionError("gold programs are S-expressions, or SPARQL that becomes one")
    return sexpression_shape(form.tree)
