"""Objects as rows of cells."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from pydantic import BaseModel, Field

from mqcap.domain.finding import Severity
from mqcap.presentation.rows.tabular import as_csv, column_names, flat


class Part(BaseModel):
    number: int = Field(default=1, serialization_alias="no")


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (None, None),
        (1.5, 1.5),
        (Severity.act, "act"),
        (Part(), '{"number":1}'),
        ({"a": ["é"]}, '{"a": ["é"]}'),
        (("x", Severity.ok), "x; ok"),
        ([{"a": 1}, {"a": 2}], '{"a": 1}; {"a": 2}'),
        ((), ""),
    ],
)
def test_any_value_fits_one_cell(value: object, cell: object) -> None:
    assert flat(value) == cell


def test_a_file_has_a_heading_iso_days_and_blanks_where_nothing_is_known() -> None:
    rows: list[dict[str, Any]] = [
        {"a": date(2026, 1, 31), "b": None, "more": 1},
        {"a": datetime(2026, 1, 31, 9, tzinfo=UTC), "b": 'x"y'},
    ]
    assert as_csv(rows, ["a", "b"]) == 'a,b\n2026-01-31,\n2026-01-31T09:00:00+00:00,"x""y"\n'
    assert as_csv([], ["a", "b"], "\r\n") == "a,b\r\n"


def test_a_column_has_the_json_key_of_its_field() -> None:
    assert column_names(Part) == {"number": "no"}
