"""Queries with the constructs of BIRD's data, made from a seed, on the tables of `dog_world.py`."""

from __future__ import annotations

import numpy as np

_TEXTS, _NUMBERS = ("name", "breed"), ("age", "id", "owner_id")
_WORDS = ("pug", "corgi", "Rome", "it''s", "2019-03-01")


class QueryMaker:
    """Makes one query after the other."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)

    def one(self, *choices: str) -> str:
        return choices[int(self._random.integers(len(choices)))]

    def number(self) -> str:
        return str(int(self._random.integers(1, 9)))

    def text_value(self, at: str) -> str:
        return self.one(f"{at}{self.one(*_TEXTS)}", f"'{self.one(*_WORDS)}'", f"STRFTIME('%Y', {at}born)")

    def number_value(self, at: str, depth: int) -> str:
        column = f"{at}{self.one(*_NUMBERS)}"
        if depth <= 0:
            return self.one(column, self.number())
        inner = self.number_value(at, depth - 1)
        return self.one(
            column,
            f"CAST({inner} AS {self.one('REAL', 'INTEGER', 'TEXT')})",
            f"({inner} {self.one('+', '-', '*')} {self.number()})",
            f"IIF({self.condition(at, depth - 1)}, {inner}, {self.number()})",
            f"CASE WHEN {self.condition(at, depth - 1)} THEN {inner} ELSE {self.number()} END",
            f"COALESCE({column}, {self.number()})",
            f"LENGTH({at}{self.one(*_TEXTS)})",
            f"ROUND({inner} / {self.number()}.0, 1)",
            f"CAST(STRFTIME('%m', {at}born) AS INTEGER)",
            f"(SELECT {self.one('MAX', 'MIN', 'AVG', 'COUNT')}(x.age) FROM dog AS x WHERE x.breed = {at}breed)",
        )

    def condition(self, at: str, depth: int) -> str:
        if depth > 0 and self._random.random() < 0.5:
            parts = [self.condition(at, depth - 1) for _ in range(int(self._random.integers(2, 4)))]
            return "(" + f" {self.one('AND', 'OR')} ".join(parts) + ")"
        number = self.number_value(at, depth - 1)
        return self.one(
            f"{number} {self.one('=', '<>', '!=', '<', '>', '<=', '>=')} {self.number()}",
            f"{self.text_value(at)} = '{self.one(*_WORDS)}'",
            f"{at}breed LIKE '%{self.one('u', 'or', 'g')}%'",
            f"{at}age BETWEEN {self.number()} AND {self.number()}",
            f"{at}age {self.one('', 'NOT ')}IN ({self.number()}, {self.number()}, {self.number()})",
            f"{at}name IS {self.one('', 'NOT ')}NULL",
            f"NOT {at}age > {self.number()}",
            f"{at}owner_id IN (SELECT o.id FROM owner AS o WHERE o.city = '{self.one(*_WORDS)}')",
            f"EXISTS (SELECT 1 FROM owner AS o WHERE o.id = {at}owner_id AND o.id > {self.number()})",
        )

    def item(self, at: str) -> str:
        frame = self.one("", " ROWS BETWEEN 2 PRECEDING AND CURRENT ROW")
        over = f"OVER (PARTITION BY {at}breed ORDER BY {at}id{self.one('', ' DESC')}{frame})"
        return self.one(
            f"{at}{self.one(*_TEXTS, *_NUMBERS, 'born')}",
            self.number_value(at, 2),
            f"{self.number_value(at, 1)} AS made",
            f"SUM({at}age) {over}",
            f"ROW_NUMBER() OVER (ORDER BY {at}id)",
            f"SUBSTR({at}name, 1, 2) || '-'",
        )

    def core(self, *, depth: int = 1) -> str:
        """A SELECT of one column."""
        if depth and self._random.random() < 0.2:
            inner = self.core(depth=depth - 1).removeprefix("SELECT ").removeprefix("DISTINCT ")
            return f"SELECT q.made FROM (SELECT {self.number()} AS made, {inner}) AS q"
        shape = int(self._random.integers(3))
        if shape == 0:
            text = f"SELECT {self.one('', 'DISTINCT ')}{self.item('')} FROM dog"
            return text + (f" WHERE {self.condition('dog.', 2)}" if self._random.random() < 0.8 else "")
        if shape == 1:
            join = self.one("JOIN", "INNER JOIN", "LEFT JOIN")
            on = self.one("d.owner_id = o.id", "o.id = d.owner_id", "o.id = d.owner_id AND d.age > 1")
            return f"SELECT {self.item('d.')} FROM dog AS d {join} owner AS o ON {on} WHERE {self.condition('d.', 2)}"
        having = self.one("", f" HAVING COUNT(*) > {self.number()}", " HAVING MAX(d.age) IS NOT NULL AND COUNT(*) > 1")
        count = self.one(
            "COUNT(*)", "COUNT(DISTINCT d.age)", "SUM(CASE WHEN d.age > 3 THEN 1 ELSE 0 END)", "AVG(d.age)"
        )
        return f"SELECT {count} FROM dog AS d GROUP BY d.breed{having}"

    def query(self) -> str:
        """A whole query."""
        shape = int(self._random.integers(6))
        if shape == 0:
            return f"WITH c AS ({self.core()}) SELECT COUNT(*) FROM c"
        if shape == 1:
            some = f"WITH c(x) AS ({self.core()}), e AS (SELECT x FROM c WHERE x > {self.number()}) "
            return f"{some}SELECT c.x FROM c WHERE c.x NOT IN (SELECT e.x FROM e)"
        if shape == 2:
            return f"{self.core()} {self.one('UNION', 'UNION ALL', 'INTERSECT', 'EXCEPT')} {self.core()}"
        if shape == 3:
            where = self.condition("d.", 2)
            return f"SELECT d.id FROM dog AS d WHERE {where} ORDER BY d.id{self.one('', ' DESC')} LIMIT 3"
        return self.core(depth=2)


def made_queries(number: int, *, seed: int) -> list[str]:
    """So many distinct queries."""
    maker, made = QueryMaker(seed), {}
    while len(made) < number:
        made[maker.query()] = True
    return list(made)
