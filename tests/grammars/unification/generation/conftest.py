"""A small set of rules about recipes, and questions made by it."""

from __future__ import annotations

from pathlib import Path

import pytest

RECIPES = """
%feature number: singular plural
%feature kind: dish person
%start S: ask
%template NOUN

%grammar
S=WHICH_NOUN_VERB_THING:
    S/_noun ⊓ ∃RolePair(Agent, Undergoer)._thing
    → 'which' NOUN(number:$n, kind:person)/_noun COOK(number:$n) THING/_thing
S=NAME_THING:
    S/_thing → 'name' KIND/_thing
KIND=NOUN:
    KIND/_noun → NOUN/_noun
NOUN=COOK:
    NOUN(number:singular, kind:person)/Cook → 'cook'
NOUN=COOKS:
    NOUN(number:plural, kind:person)/Cook → 'cooks'
NOUN=SOUP:
    NOUN(number:singular, kind:dish)/Soup → 'soup'
NOUN=SOUPS:
    NOUN(number:plural, kind:dish)/Soup → 'soups'
COOK=MAKES:
    COOK(number:singular) → 'makes'
COOK=MAKE:
    COOK(number:plural) → 'make'
THING=ENTITY:
    THING/Entity(new_var($V)) → '[entity]'
THING=SOME:
    THING/TypeInstance(_noun, new_var($V)) → 'some' NOUN(number:plural, kind:dish)/_noun
THING=SOME_WITH:
    THING/TypeInstance(_noun ⊓ ∃RolePair(Whole, Part)._part, new_var($V))
    → 'some' NOUN(number:plural, kind:dish)/_noun 'with' THING/_part

%resolution
ASK:
    ask($X) → 'SELECT DISTINCT ' new_var($V) ' WHERE { ' say($X, $V) '}'
SAY_BOTH:
    say($X ⊓ $Y, $V) → say($X, $V) ' . ' say($Y, $V)
SAY_INSTANCE:
    Property($R, $P): say(∃$R.TypeInstance($X, $W), $V) → $V $P $W ' . ' say($X, $W)
SAY_ENTITY:
    Property($R, $P): say(∃$R.Entity($W), $V) → $V $P $W
SAY_TYPE:
    Type($X, $T): say($X, $V) → $V ' a ' $T

%knowledge
→ Property(RolePair(Agent, Undergoer), 'kitchen.makes')
→ Property(RolePair(Whole, Part), 'kitchen.has')
→ Type(Cook, 'kitchen.cook')
→ Type(Soup, 'kitchen.soup')
"""
"""By hand: a thing has 1 rule (an entity), 2 (some soups), 3, 4, … (some soups with a thing), one way each."""


@pytest.fixture
def recipes(tmp_path: Path) -> Path:
    """A folder with the rules."""
    folder = tmp_path / "recipes"
    folder.mkdir()
    (folder / "recipes.rules").write_text(RECIPES, encoding="utf-8")
    return folder
