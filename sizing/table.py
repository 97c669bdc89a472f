"""Tables of MP16 and other documents: CSV files in ``sizing/tables``, each row with its source."""

import csv
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

from mqcap.domain.errors import ConfigurationError

FOLDER: Final = Path(__file__).with_name("tables")

Row = dict[str, str]
Key = str | float
Curve = Sequence[tuple[float, float]]
"""Measured points, sorted by the first value."""


@cache
def rows(name: str) -> tuple[Row, ...]:
    """Return all rows of a table, as text."""
    with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def row(name: str, **keys: Key) -> Row:
    """Return the one row with these values.

    Raises:
        ConfigurationError: the document has no such row; the error lists what it has.
    """
    matching = [item for item in rows(name) if _matches(item, keys)]
    if not matching:
        keys_present = sorted({" ".join(item[key] for key in keys) for item in rows(name)})
        raise ConfigurationError(
            f"the document has no such row in {name}",
            found=" ".join(str(value) for value in keys.values()),
            expected=", ".join(keys_present),
        )
    return matching[0]


def figures(name: str, columns: Sequence[str], **keys: Key) -> dict[str, float]:
    """Return numbers of some columns of one row."""
    matching_row = row(name, **keys)
    return {column: number(matching_row[column]) for column in columns}


def curve(name: str, x: str, y: str, **keys: Key) -> Curve:
    """Return the points (x, y) of the rows with these values."""
    row(name, **keys)
    return sorted((number(item[x]), number(item[y])) for item in rows(name) if _matches(item, keys))


def interpolate(points: Curve, x: float) -> float:
    """Return y at x: linear between measured points, outside them the nearest measured value."""
    if x <= points[0][0]:
        return points[0][1]
    for (x0, y0), (x1, y1) in pairwise(points):
        if x == x1:
            return y1
        if x < x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return points[-1][1]


def number(cell: str) -> float:
    """Return a cell as a number; an integer stays one."""
    value = float(cell)
    return int(value) if value.is_integer() else value


def _matches(item: Row, keys: dict[str, Key]) -> bool:
    return all(
        item[name] == value if isinstance(value, str) else float(item[name]) == value
        for name, value in keys.items()
    )
