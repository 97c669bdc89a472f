"""One line of a file of site figures."""

from datetime import UTC, datetime

import pytest

from mqcap.ingest.site_figures.source import HEADINGS, csv_line, headings_of

TIME = "2026-07-09T00:15:00Z"


def test_a_line_of_csv_has_five_cells_or_four() -> None:
    made = csv_line(f"EAST/mq1, host_cpu_busy_pct ,{TIME},72.5,%", HEADINGS)
    assert made.key == ("EAST/mq1", "host_cpu_busy_pct", "%")
    assert made[1:] == (datetime(2026, 7, 9, 0, 15, tzinfo=UTC), 72.5)
    made = csv_line(f'"EAST/mq1",a,{TIME},1e3', HEADINGS[:-1])
    assert (made.key.unit, made.value) == ("", 1000.0)


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
        csv_line(line, HEADINGS)


def test_headings_are_recognised_with_and_without_the_unit() -> None:
    assert headings_of("subject,figure,time,value,unit\r\n") == HEADINGS
    assert headings_of("Subject, Figure, Time, Value") == HEADINGS[:-1]
    assert headings_of('"Value","Time","host","Figure","Subject"')
    assert not headings_of("subject,figure,time,unit")
    assert not headings_of("subject,figure,time,value,value")
    assert not headings_of("driver,time,value")


def test_cells_are_those_of_their_headings() -> None:
    made = csv_line(f'"7","{TIME}","x","a","EAST/mq1"', headings_of("value,time,z,figure,subject"))
    assert made == (("EAST/mq1", "a", ""), datetime(2026, 7, 9, 0, 15, tzinfo=UTC), 7.0)
