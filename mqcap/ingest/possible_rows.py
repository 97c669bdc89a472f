"""Rows whose figures can be: what is infinite, no number or beyond all counts is left out."""

from __future__ import annotations

from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

POSSIBLE_BELOW: Final = 2.0**53
"""No figure of a system reaches it, and below it every whole number can be told (ours)."""


def possible_rows(table: pa.Table) -> tuple[pa.Table, list[str]]:
    """Return the rows whose figures can be, and a sentence for each column with others."""
    sentences = []
    for field in table.schema:
        if not pa.types.is_floating(field.type):
            continue
        values = table[field.name]
        is_possible = pc.fill_null(pc.less(pc.abs(values), POSSIBLE_BELOW), True)
        if pc.all(is_possible).as_py() in {True, None}:
            continue
        others = values.filter(pc.invert(is_possible))
        sentences.append(
            f"{len(others)} rows left out: {field.name} is {others[0].as_py():g}, which no system"
            " has."
        )
        table = table.filter(is_possible)
    return table, sentences
