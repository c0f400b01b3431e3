"""Answers by the digest of their knowledge base, their query and all else that decides them, in the cache of data.

An answer is kept when it is whole: one that is cut, late or broken is an error before it comes here. What is damaged is
noticed by the cache and asked again. Queries whose answer depends on the moment, or on chance, are not kept.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

from recombine.data_cache import cache_folder, code_digest, content_key, read_stored, store
from recombine.kb.sparql_tokens import iter_tokens
from recombine.kb.store import Table
from recombine.kb.term import Term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import pyarrow as pa

Answer = TypeVar("Answer", Table, bool)
_CHANGING = ("BNODE", "NOW", "RAND", "STRUUID", "UUID")
_ROWS, _TRUTH = "", "truth"
"""Columns whose names no variable has, or that stand alone: one for the number of rows, one for an ASK."""
_TAKEN = b"taken"


def kept_answer(
    asked: Iterable[str],
    query: str,
    ask: Callable[[], Answer],
    *,
    prepare: Callable[[], object] | None = None,
    if_slower: float = 0.0,
    max_age: float | None = None,
) -> Answer:
    """The answer that is kept for what is asked, or else the one that `ask` gives, which is then kept.

    `asked` names the knowledge base and all that decides the answer besides the query. An answer that took less than
    `if_slower` seconds is not worth its file, where what `prepare` does before does not count; one that is older than
    `max_age` seconds is asked again.
    """
    if cache_folder() is None or _is_changing(query):
        return ask()
    rooms = code_digest(("kb",))
    key = content_key([b"answer", rooms, *(part.encode() for part in asked), query.encode("utf-8", "surrogatepass")])
    kept = read_stored(key)
    if kept is not None and (max_age is None or _age(kept) < max_age):
        return _answer_of(kept)  # type: ignore[return-value]
    if prepare is not None:
        prepare()
    begin = time.perf_counter()
    answer = ask()
    if time.perf_counter() - begin >= if_slower:
        store(key, _columns_of(answer))
    return answer


def _is_changing(query: str) -> bool:
    return any(token.is_word(*_CHANGING) for token in iter_tokens(query))


def _age(kept: pa.Table) -> float:
    return abs(time.time() - float((kept.schema.metadata or {}).get(_TAKEN, b"0")))


def _columns_of(answer: Table | bool) -> pa.Table:
    import pyarrow as pa

    said = {_TAKEN: repr(time.time()).encode()}
    if isinstance(answer, bool):
        return pa.table({_TRUTH: pa.array([answer], pa.bool_())}).replace_schema_metadata(said)
    columns = {_ROWS: pa.nulls(len(answer.rows))}
    for place, variable in enumerate(answer.variables):
        keys = [None if (term := row[place]) is None else term.key for row in answer.rows]
        columns[f"?{variable}"] = pa.array(keys, pa.large_string())
    return pa.table(columns).replace_schema_metadata(said)


def _answer_of(kept: pa.Table) -> Table | bool:
    if kept.column_names == [_TRUTH]:
        return bool(kept.column(_TRUTH)[0].as_py())
    columns = [
        [None if key is None else Term.of_key(key) for key in kept.column(name).to_pylist()]
        for name in kept.column_names[1:]
    ]
    variables = tuple(name[1:] for name in kept.column_names[1:])
    rows: list[tuple[Term | None, ...]] = list(zip(*columns, strict=True)) if columns else [()] * kept.num_rows
    return Table(variables, rows)
