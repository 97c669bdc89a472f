"""Files of site figures as samples."""

from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from mqcap.domain.errors import InputError
from mqcap.domain.estate import zone_key
from mqcap.ingest.site_figures.source import HEADINGS, csv_line, headings_of
from tests.mqcap.ingest.reading import read_text

ZONES = {zone_key("site", "EAST"): "Europe/Berlin", "PLEX1": "Asia/Kolkata"}
HEADER = "subject,figure,time,value,unit\n"


def line(time: str, value: object = 1, subject: str = "EAST/mq1", figure: str = "a") -> str:
    return f"{subject},{figure},{time},{value},%\n"


loaded = partial(read_text, name="figures.csv", zones=ZONES)


def times(folder: Path, *stamps: str, subject: str = "EAST/mq1") -> list[datetime]:
    text = HEADER + "".join(line(stamp, subject=subject) for stamp in stamps)
    return [row["reported_utc"] for row in loaded(folder, text)[0]]


def test_a_row_is_a_figure_with_the_most_frequent_step_of_its_series(tmp_path: Path) -> None:
    stamps = ("00:05:00", "00:00:00", "00:10:00", "01:00:00")
    text = HEADER + "".join(line(f"2026-07-09T{stamp}Z", 7.5) for stamp in stamps)
    rows, summary = loaded(tmp_path, text)
    assert [row["reported_utc"].minute for row in rows] == [0, 5, 10, 0]
    assert {(row["subject"], row["figure"], row["unit"], row["value"]) for row in rows} == {
        ("EAST/mq1", "a", "%", 7.5)
    }
    assert {row["step_seconds"] for row in rows} == {300.0}
    assert (summary.record_count, summary.rows_by_dataset, summary.problems) == (
        4,
        {"site_sample": 4},
        (),
    )


def test_a_time_twice_does_not_make_a_step_of_nothing(tmp_path: Path) -> None:
    text = HEADER + line("2026-07-09T00:05:00Z") * 3 + line("2026-07-09T00:15:00Z")
    assert {row["step_seconds"] for row in loaded(tmp_path, text)[0]} == {600.0}


def test_a_time_without_offset_is_local_time_of_the_subjects_site(tmp_path: Path) -> None:
    assert times(tmp_path, "2026-07-09T02:15:00") == [datetime(2026, 7, 9, 0, 15, tzinfo=UTC)]
    [moment] = times(tmp_path, "2026-07-09T02:15:00", subject="PLEX1/CSQ1")
    assert moment == datetime(2026, 7, 8, 20, 45, tzinfo=UTC)


def test_the_hour_that_occurs_twice_is_told_apart_by_order(tmp_path: Path) -> None:
    stamps = [f"2026-10-25T{clock}:00" for clock in ("02:00", "02:30", "02:00", "02:30", "03:00")]
    found = times(tmp_path, *stamps)
    assert [(moment.hour, moment.minute) for moment in found] == [
        (0, 0), (0, 30), (1, 0), (1, 30), (2, 0),
    ]  # fmt: skip


def test_lines_that_cannot_be_used_are_told_and_the_rest_counts(tmp_path: Path) -> None:
    text = (
        HEADER
        + line("2026-07-09T00:05:00Z")
        + line("2026-07-09T00:10:00Z", "much")
        + "\n"
        + line("2026-03-29T02:30:00")
        + line("2026-07-09T02:15:00", subject="NORTH/mq1")
        + line("2026-07-09T00:10:00Z", 3)
    )
    rows, summary = loaded(tmp_path, text)
    assert [row["value"] for row in rows] == [1.0, 3.0]
    first, second, third = summary.problems
    left_out = "figures.csv: 1 line left out:"
    assert first == f"{left_out} 'much' is no number such as 72.5 (first: line 3)."
    assert second.endswith("2026-03-29T02:30:00 is no local time of Europe/Berlin (first: line 5).")
    assert third.startswith(f"{left_out} the time 2026-07-09T02:15:00 has no offset, and NORTH is")
    assert summary.skipped_bytes > 0


def test_a_file_without_any_usable_line_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"figures\.csv.*line 2: 'never' is no time"):
        loaded(tmp_path, HEADER + line("never"))
    with pytest.raises(InputError, match="no line with a value"):
        loaded(tmp_path, HEADER)


def test_lines_of_json_are_read_too(tmp_path: Path) -> None:
    text = (
        '{"subject": "EAST/mq1", "figure": "a", "time": "2026-07-09T00:05:00Z", "value": 1}\n'
        '{"subject": "EAST/mq1", "figure": "a", "time": "2026-07-09T00:06:00Z", "value": 2}\n'
        '{"subject": "EAST/mq1", "figure": "a", "time": "2026-07'
    )
    rows, summary = loaded(tmp_path, text)
    assert [(row["value"], row["unit"], row["step_seconds"]) for row in rows] == [
        (1.0, "", 60.0),
        (2.0, "", 60.0),
    ]
    assert (
        "1 line left out: it cannot be read (it ends in the middle) (first: line 3)"
        in summary.problems[0]
    )


TIME = "2026-07-09T00:15:00Z"


def test_a_line_of_csv_has_five_cells_or_four() -> None:
    made = csv_line(f"EAST/mq1, host_cpu_busy_pct ,{TIME},72.5,%", HEADINGS)
    assert made[0] == ("EAST/mq1", "host_cpu_busy_pct", "%")
    assert made[1:] == (datetime(2026, 7, 9, 0, 15, tzinfo=UTC), 72.5)
    made = csv_line(f'"EAST/mq1",a,{TIME},1e3', HEADINGS[:-1])
    assert (made[0].unit, made[2]) == ("", 1000.0)


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
