"""One line of a file of site figures."""

from __future__ import annotations

import math
from datetime import UTC, datetime

import pytest

from mqcap.ingest.site_figures.lines import checked_names, csv_line, is_headings

TIME = "2026-07-09T00:15:00Z"
COLUMNS = 5


def test_a_line_of_csv_has_five_cells_or_four() -> None:
    made = csv_line(f"EAST/mq1, host_cpu_busy_pct ,{TIME},72.5,%", COLUMNS)
    assert made[:2] == ("EAST/mq1", "host_cpu_busy_pct")
    assert made[2:] == (datetime(2026, 7, 9, 0, 15, tzinfo=UTC), 72.5, "%")
    assert csv_line(f'"EAST/mq1",a,{TIME},1e3', COLUMNS - 1)[3:] == (1000.0, "")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (f"EAST/mq1,a,{TIME},1", "expected 5 cells, found 4"),
        (f"EAST/mq1,a,{TIME},1,%,x", "expected 5 cells, found 6"),
        (f"EAST,a,{TIME},1,%", "no subject"),
        (f"EAST//mq1,a,{TIME},1,%", "no subject"),
        (f"E/a/b/c/d,a,{TIME},1,%", "no subject"),
        (f"EAST/m q,a,{TIME},1,%", "no subject"),
        (f"EAST/mq1,A-1,{TIME},1,%", "no name of a figure"),
        ("EAST/mq1,a,yesterday,1,%", "no time"),
        ("EAST/mq1,a,2026-07-09,1,%", "no time"),
        ("EAST/mq1,a,1999-12-31T23:59:59Z,1,%", "no time"),
        ("EAST/mq1,a,2100-01-01T00:00:00Z,1,%", "no time"),
        (f"EAST/mq1,a,{TIME},many,%", "no number"),
        (f"EAST/mq1,a,{TIME},,%", "no number"),
        (f"EAST/mq1,a,{TIME},1,{'x' * 21}", "no unit"),
        (f'"EAST/mq1,a,{TIME},1,%', "no CSV"),
    ],
)
def test_what_is_wrong_with_a_line_is_told(line: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        csv_line(line, COLUMNS)


@pytest.mark.parametrize("text", ["NaN", "+Inf", "-inf"])
def test_what_is_no_number_of_anything_is_no_sample(text: str) -> None:
    assert math.isnan(csv_line(f"EAST/mq1,a,{TIME},{text},%", COLUMNS).value)


def test_a_subject_may_have_the_escapes_of_names() -> None:
    assert checked_names("EAST/QM1/A%2FB", "a", "") == ("EAST/QM1/A%2FB", "a", "")


def test_headings_are_recognised_with_and_without_the_unit() -> None:
    assert is_headings("subject,figure,time,value,unit\r\n")
    assert is_headings("Subject, Figure, Time, Value")
    assert not is_headings("subject,figure,time,unit")
    assert not is_headings("driver,time,value")
