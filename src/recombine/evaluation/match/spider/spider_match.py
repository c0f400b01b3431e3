"""The metric `spider`: what the evaluator that was published with Spider decides of two queries over one database.

It is exact set match without values as published scores have it (`compared.py` says what is compared, `read_query.py`
what can be read). Here the schema is that of `tables.json`; the published program takes tables and columns from the
database itself, and foreign keys from that file.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from recombine.errors import FormError, OptionError, ProgramError
from recombine.evaluation.match.matchers import Matcher
from recombine.evaluation.match.set_match import FIELDS, read_components, read_tree
from recombine.evaluation.match.spider.compared import compared
from recombine.evaluation.match.spider.read_query import read_query

if TYPE_CHECKING:
    from collections.abc import Hashable

    from recombine.evaluation.match.spider.compared import Compared
    from recombine.evaluation.match.spider.read_schemas import Schemas
    from recombine.evaluation.match.spider.schema import Schema
    from recombine.records.example import Example
    from recombine.records.world import World

DATABASE = "db_id"
"""The field of an example that names its database."""


def spider_key(text: str, schema: Schema) -> Compared:
    """What the published evaluator compares of a query; what it cannot read is a `ProgramError`.

    >>> from recombine.evaluation.match.spider.schema import Schema
    >>> schema = Schema("dogs", {"dogs": frozenset({"name", "age"})}, {})
    >>> one, other = "SELECT DISTINCT name FROM dogs WHERE age > 3", "select t.name from dogs as t where t.age > 'x'"
    >>> spider_key(one, schema) == spider_key(other, schema)
    True
    """
    return compared(read_query(text, schema), schema)


def spider_matcher(schemas: Schemas) -> Matcher:
    """The metric under these schemas; what SQL is and the published evaluator cannot read is unsupported."""

    def key(program: str, example: Example, world: World | None) -> Hashable:
        del world
        try:
            return spider_key(program, schemas.find(database(example)))
        except ProgramError as error:
            read_tree(program)  # what is no SQL is malformed
            raise FormError(error.problem, error.remedy) from None

    made = Matcher.by_key("spider", key, depends_on=_named_database)
    return replace(made, fields=schemas.fields, tells_unsupported=True)


def set_matcher(schemas: Schemas) -> Matcher:
    """The metric `set_match` under these schemas, which tell whose a column without its table is."""

    def key(program: str, example: Example, world: World | None) -> Hashable:
        del world
        return read_components(program, schemas.find(database(example)).columns)

    # A score by both metrics can have schemas for `spider` alone.
    fields = (*FIELDS, *schemas.fields, ("bare_columns", "by_schema"))
    return replace(Matcher.by_key("set_match", key, depends_on=_named_database), fields=fields)


def database(example: Example) -> str:
    """The database that an example is about."""
    name = example.tags.get(DATABASE)
    if not isinstance(name, str):
        raise OptionError(
            f"the example {example.id} names no database", f"give data with a field {DATABASE}, such as spider/ssp"
        )
    return name


def _named_database(example: Example) -> Hashable:
    return example.tags.get(DATABASE)
