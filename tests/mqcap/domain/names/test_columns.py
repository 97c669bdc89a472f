"""Columns of files for programs of the site."""

from __future__ import annotations

from datetime import date

import pytest

from mqcap.domain.names.columns import ColumnKind, ExportColumn, day, number, text
from mqcap.lake.exported_events import EVENT_COLUMNS
from mqcap.store.exported import rows


def test_each_kind_has_its_type() -> None:
    assert [made("x").kind.value for made in (text, number, day)] == [str, float, date]
    assert number("a") == ExportColumn(ColumnKind.number, "a")


@pytest.mark.parametrize(
    "columns",
    [
        EVENT_COLUMNS,
        rows.OBSERVATION_COLUMNS,
        rows.FINDING_COLUMNS,
        rows.FORECAST_COLUMNS,
        rows.CROSSING_COLUMNS,
    ],
)
def test_every_column_has_a_meaning(columns: dict[str, ExportColumn]) -> None:
    assert [name for name, column in columns.items() if not column.meaning] == []
