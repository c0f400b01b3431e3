"""Writes `food.ttl`, a made-up world of cooks, dishes, ingredients and restaurants: `python make_food.py`."""

from __future__ import annotations

import random
from pathlib import Path

REGIONS = ["Thailand", "France", "Denmark"]
FIRST = ["Anong", "Birte", "Claire", "Dorthe", "Emil", "Fleur", "Gaston", "Hanne", "Isra", "Jules", "Kanya", "Lars"]
LAST = ["Bonnet", "Dahl", "Moreau", "Saetang", "Winther"]
ROOTS = ["apple", "barley", "carrot", "fennel", "ginger", "honey", "leek", "mango", "onion", "pear", "pumpkin", "rice"]
EXTRAS = [
    "almond",
    "basil",
    "butter",
    "chili",
    "cream",
    "dill",
    "garlic",
    "lemon",
    "mint",
    "mustard",
    "pepper",
    "sugar",
]
PLACES = ["Blue Kettle", "Golden Spoon", "Green Door", "Old Mill", "Quiet Oven", "Red Lantern", "Tin Fork", "Wide Pan"]
TASTES = {
    "Sweet": {"apple", "honey", "mango", "pear", "sugar"},
    "Spicy": {"chili", "garlic", "ginger", "mustard", "pepper"},
}
PREFIXES = {"": "http://example.org/food/", "rdfs": "http://www.w3.org/2000/01/rdf-schema#"}

Facts = dict[str, dict[str, list[str]]]
"""By name of a thing and of a property, the names of what it leads to."""


def made(seed: int = 20) -> Facts:
    """The world: whoever invents a dish often cooks it too."""
    draw = random.Random(seed)  # noqa: S311

    def some(names: list[str], least: int, most: int) -> list[str]:
        return draw.sample(names, draw.randint(least, most))

    facts: Facts = {each: {"a": ["Region"]} for each in REGIONS} | {each: {"a": ["Taste"]} for each in TASTES}
    for name in ROOTS + EXTRAS:
        facts[name] = {"a": ["Ingredient"], "taste": _tastes([name])}
    dishes = {}
    for root in ROOTS:
        for kind in draw.sample(["soup", "cake", "pie", "salad"], 4):
            parts = [root, *some(EXTRAS, 2, 4)]
            kinds = ["Dish", kind.capitalize()] if kind in ("soup", "cake") else ["Dish"]
            said = {"a": kinds, "region": [draw.choice(REGIONS)], "contains": parts, "taste": _tastes(parts)}
            dishes[f"{root} {kind} with {parts[1]}"] = said
    facts |= dishes
    for name in PLACES:
        facts[name] = {"a": ["Restaurant"], "region": some(REGIONS, 1, 2), "serves": some(list(dishes), 5, 9)}
    cooks = [f"{first} {last}" for first in FIRST for last in draw.sample(LAST, 2)]
    for name in cooks:
        invented = some(list(dishes), 1, 5)
        cooked = invented[: draw.randint(1, 5)] + some([dish for dish in dishes if dish not in invented], 2, 5)
        taught = some([other for other in cooks if other != name], 0, 4)
        said = {"invented": invented, "cooked": cooked, "taught": taught, "owns": some(PLACES, 0, 2)}
        facts[name] = {"a": ["Cook"], "region": [draw.choice(REGIONS)], **said}
    return facts


def turtle(facts: Facts) -> str:
    """The facts as a file, a line for each thing."""
    lines = [f"@prefix {prefix}: <{stem}> ." for prefix, stem in PREFIXES.items()]
    for name, properties in facts.items():
        said = [f'rdfs:label "{name}"']
        for key, values in properties.items():
            if values:
                said.append(f"{'' if key == 'a' else ':'}{key} {', '.join(map(_word, values))}")
        lines.append(f"{_word(name)} {' ; '.join(said)} .")
    return "\n".join(lines) + "\n"


def _tastes(ingredients: list[str]) -> list[str]:
    return [taste for taste, having in TASTES.items() if having.intersection(ingredients)]


def _word(name: str) -> str:
    return ":" + name.replace(" ", "_")


if __name__ == "__main__":
    (Path(__file__).parent / "food.ttl").write_text(turtle(made()))
