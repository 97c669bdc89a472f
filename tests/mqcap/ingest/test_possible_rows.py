from __future__ import annotations

import math

import pyarrow as pa
import pytest

from spark_apps.decode_file import POSSIBLE_BELOW, possible_rows


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan, 7e75, POSSIBLE_BELOW])
def test_a_row_with_a_figure_that_cannot_be_is_left_out_and_named(value: float) -> None:
    table = pa.table({"name": ["A", "B", "C"], "step_seconds": [60.0, value, None]})
    kept, sentences = possible_rows(table)
    assert kept["name"].to_pylist() == ["A", "C"]
    assert sentences == [f"1 rows left out: step_seconds is {value:g}, which no system has."]


def test_rows_with_possible_figures_stay_as_they_are() -> None:
    table = pa.table({"value": [0.0, -1.5, POSSIBLE_BELOW / 2, None], "name": ["A"] * 4})
    assert possible_rows(table) == (table, [])
    assert possible_rows(table.slice(0, 0))[1] == []
