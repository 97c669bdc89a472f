"""The documented table of z/TPF."""

from __future__ import annotations

import math

import pytest

from mqcap.domain.sampled.figures import ZtpfFigure
from mqcap.ingest.ztpf.spool import HEADER, TableRow, columns_of, rows_of
from tests.mqcap.ingest.ztpf.spooled import COLUMNS, row, table


def read(*rows: str, columns: str = COLUMNS) -> list[TableRow | ValueError]:
    lines = iter(table(*rows, columns=columns).splitlines())
    return list(rows_of(lines, columns_of(lines)))


def test_the_header_is_the_documented_one() -> None:
    assert columns_of(iter([COLUMNS])) == list(HEADER)
    assert columns_of(iter([])) == []


def test_a_row_is_about_the_interval_that_ends_at_its_time() -> None:
    [made] = read(row())
    assert isinstance(made, TableRow)
    assert (made.system, made.reported_us, made.seconds) == ("TPF2", 1_783_570_500_000_000, 1_800)
    assert made.values == {
        ZtpfFigure.mqm_total_blocks: 126_997,
        ZtpfFigure.mqm_in_use_blocks: 19_105,
        ZtpfFigure.mqm_high_water_blocks: 61_000,
        ZtpfFigure.sweep_level_pct: 80,
    }


@pytest.mark.parametrize(
    ("rates", "bytes_per_s"),
    [
        ("2,3,100,10", 230),
        ("2,0,100,", 200),
        ("0,0,,", 0),
        ("2,,100,10", None),
        ("2,3,,10", None),
        (",,,", None),
    ],
)
def test_what_is_put_is_rate_by_length_where_both_kinds_are_known(
    rates: str, bytes_per_s: float | None
) -> None:
    [made] = read(row(rates=rates, depth=""))
    assert isinstance(made, TableRow)
    expected = {} if bytes_per_s is None else {ZtpfFigure.queue_put_bytes_per_s: bytes_per_s}
    assert (made.queue, made.queue_values) == ("RES.IN", expected)


def test_an_empty_cell_is_not_known() -> None:
    [made] = read(row(high_water="", interval=""))
    assert isinstance(made, TableRow)
    assert ZtpfFigure.mqm_high_water_blocks not in made.values
    assert math.isnan(made.seconds)


def test_a_time_may_have_another_offset() -> None:
    with_offset = read(row().replace("2026-07-09T04:15:00Z", "2026-07-09T09:45:00+05:30"))
    plain = read(row().replace("04:15:00Z", "04:15:00"))
    assert with_offset == plain == read(row())


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (row(in_use="19,5"), "has not the 14 columns"),
        (row(in_use="-1"), "mqm_in_use is no number"),
        (row(in_use="nan"), "mqm_in_use is no number"),
        (row(in_use="1 000"), "mqm_in_use is no number"),
        (row(interval="half"), "interval_s is no number"),
        (row().replace("2026-07-09T04:15:00Z", ""), "time_utc is empty"),
        (row().replace("2026-07-09", "09/07/2026"), "time_utc is no time"),
        ("TPF2", "has not the 14 columns"),
    ],
)
def test_a_row_that_cannot_be_used_says_why_and_the_next_one_counts(line: str, reason: str) -> None:
    wrong, right = read(line, row())
    assert isinstance(wrong, ValueError)
    assert reason in str(wrong)
    assert isinstance(right, TableRow)


def test_blank_lines_are_no_rows_and_a_cell_without_end_costs_its_rows() -> None:
    assert len(read("", row(), " ")) == 1
    [made] = read('"' + row())
    assert isinstance(made, ValueError)
