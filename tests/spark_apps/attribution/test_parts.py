"""Part rows of literal rows."""

from __future__ import annotations

from datetime import date

import pyarrow as pa

from mqcap.domain.attribution import PartKind
from spark_apps.attribution.parts import PART_SCHEMA, named, part_rows

DAY = date(2026, 3, 10)


def test_what_has_no_name_is_no_part_of_that_kind() -> None:
    table = pa.table({"name": ["PAY.IN", " ", None]})
    rows = named(table, PartKind.queue, table["name"]).to_pylist()
    assert [(row["breakdown"], row["kind"], row["part"]) for row in rows] == [
        ("queue", "queue", "PAY.IN"),
        ("queue", "other", "no queue"),
        ("queue", "other", "no queue"),
    ]


def test_a_part_has_a_subject_and_an_amount_above_zero() -> None:
    table = pa.table({"name": ["A", "B", "C"], "amount": [1, 0, 1], "site_date": [DAY] * 3})
    rows = named(table, PartKind.queue, table["name"])
    found = part_rows(
        rows, [("example_count", pa.array(["PLEX1/CSQ1", "PLEX1/CSQ1", None]), "amount")]
    )
    assert found.schema == PART_SCHEMA
    assert [(row["metric"], row["part"], row["amount"]) for row in found.to_pylist()] == [
        ("example_count", "A", 1)
    ]
