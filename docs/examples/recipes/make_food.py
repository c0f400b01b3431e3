"""Writes `food.ttl`, a made-up world of cooks, dishes, ingredients and restaurants: `python make_food.py`."""

from __future__ import annotations

import random
from pathlib import Path

REGIONS = ["Thailand", "France", "Denmark"]
FIRST = "Anong Birte Claire Dorthe Emil Fleur Gaston Hanne Isra Jules Kanya Lars".split()
LAST = "Bonnet Dahl Moreau Saetang Winther".split()
ROOTS = "apple barley carrot fennel ginger honey leek mango onion pear plum pumpkin rice rye spinach".split()
EXTRAS = "almond basil butter chili cream dill garlic lemon lime mint mustard nutmeg pepper sugar vanilla".split()
PLACES = ["Golden Spoon", "Blue Kettle", "Old Mill", "Green Door", "Red Lantern", "Quiet Oven", "Salt Cellar", "Tin Fork"]
SWEET, SPICY = set("apple honey mango pear plum sugar vanilla".split()), set("chili garlic ginger mustard pepper".split())


def made() -> str:
    """The world in Turtle: whoever invents a dish often cooks it too, and owners often teach."""
    draw = random.Random(20)
    facts = {}

    def add(name: str, kinds: list[str], **properties: list[str]) -> str:
        said = {key: values for key, values in properties.items() if values}
        facts[name] = {"a": kinds, "rdfs:label": [f'"{name}"'], **said}
        return name

    def some(names: list[str], least: int, most: int) -> list[str]:
        return draw.sample(names, draw.randint(least, most))

    def taste(*things: str) -> list[str]:
        tastes = {"Sweet": SWEET, "Spicy": SPICY}
        return [name for name, having in tastes.items() if having.intersection(things)]

    ingredients = [add(name, ["Ingredient"], taste=taste(name)) for name in ROOTS + EXTRAS]
    dishes = []
    for root in ROOTS:
        for kind in draw.sample(["soup", "cake", "pie", "salad"], 3):
            parts = [root, *some(EXTRAS, 2, 4)]
            kinds = ["Dish", kind.capitalize()] if kind in ("soup", "cake") else ["Dish"]
            name = f"{root} {kind} with {parts[1]}"
            dishes.append(add(name, kinds, region=[draw.choice(REGIONS)], contains=parts, taste=taste(*parts)))
    places = [add(name, ["Restaurant"], region=some(REGIONS, 1, 2), serves=some(dishes, 5, 9)) for name in PLACES]
    cooks = [f"{first} {draw.choice(LAST)}" for first in FIRST for _ in range(2)]
    cooks = list(dict.fromkeys(cooks))
    for cook in cooks:
        invented = some(dishes, 1, 5)
        cooked = invented[: draw.randint(1, 5)] + [dish for dish in some(dishes, 2, 5) if dish not in invented]
        others = [other for other in cooks if other != cook]
        add(
            cook,
            ["Cook"],
            region=[draw.choice(REGIONS)],
            invented=invented,
            cooked=cooked,
            taught=some(others, 0, 4),
            owns=some(places, 0, 2),
        )
    for name in (*REGIONS, "Sweet", "Spicy"):
        add(name, ["Region" if name in REGIONS else "Taste"])
    return "".join(_lines(facts))


def _lines(facts: dict[str, dict[str, list[str]]]) -> list[str]:
    prefixes = {"": "http://example.org/food/", "rdfs": "http://www.w3.org/2000/01/rdf-schema#"}
    lines = [f"@prefix {name}: <{stem}> .\n" for name, stem in prefixes.items()]
    for name, properties in facts.items():
        said = [
            f"{key if key == 'a' or ':' in key else ':' + key} {', '.join(map(_word, values))}"
            for key, values in properties.items()
        ]
        lines.append(f"{_word(name)} {' ; '.join(said)} .\n")
    return lines


def _word(name: str) -> str:
    return name if name.startswith('"') else ":" + name.replace(" ", "_")


if __name__ == "__main__":
    (Path(__file__).parent / "food.ttl").write_text(made())
