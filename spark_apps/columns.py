"""The columns of each dataset that metrics use, found by asking the metrics themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

import polars as pl
from polars.io.plugins import register_io_source

from spark_apps.transforms.intervals import Sections

Result = Callable[[Sections], pl.LazyFrame]


def columns_used(
    results: Iterable[Result], schemas: Mapping[str, pl.Schema]
) -> dict[str, tuple[str, ...]]:
    """Return, for each dataset, the columns that some results are made of, in order.

    Each result is computed once of datasets without rows, which note what is read of them.

    Args:
        results: Functions of the sections.
        schemas: Columns of each dataset that there is.
    """
    used: dict[str, set[str]] = {name: set() for name in schemas}
    frames = {
        name: register_io_source(partial(_noted, used[name], schema), schema=schema)
        for name, schema in schemas.items()
    }
    sections = Sections(frames)
    for result in results:
        result(sections).collect()
    return {name: tuple(sorted(columns)) for name, columns in used.items()}


def _noted(
    used: set[str],
    schema: pl.Schema,
    columns: Sequence[str] | None,
    predicate: pl.Expr | None,
    _n_rows: int | None,
    _batch_size: int | None,
) -> Iterator[pl.DataFrame]:
    """Yield no rows, and note the columns that are asked for."""
    wanted = list(schema) if columns is None else list(columns)
    used.update(wanted, () if predicate is None else predicate.meta.root_names())
    yield pl.DataFrame(schema={name: schema[name] for name in wanted})
