"""Files of site figures as samples."""

from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from mqcap.domain.errors import InputError
from mqcap.domain.estate import site_zone_key
from tests.mqcap.ingest.reading import read_text

ZONES = {site_zone_key("EAST"): "Europe/Berlin", "PLEX1": "Asia/Kolkata"}
HEADINGS = "subject,figure,time,value,unit\n"


def line(time: str, value: object = 1, subject: str = "EAST/mq1", figure: str = "a") -> str:
    return f"{subject},{figure},{time},{value},%\n"


loaded = partial(read_text, name="figures.csv", zones=ZONES)


def times(folder: Path, *stamps: str, subject: str = "EAST/mq1") -> list[datetime]:
    text = HEADINGS + "".join(line(stamp, subject=subject) for stamp in stamps)
    return [row["reported_utc"] for row in loaded(folder, text)[0]]


def test_a_row_is_a_figure_with_the_most_frequent_step_of_its_series(tmp_path: Path) -> None:
    stamps = ("00:05:00", "00:00:00", "00:10:00", "01:00:00")
    text = HEADINGS + "".join(line(f"2026-07-09T{stamp}Z", 7.5) for stamp in stamps)
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
    text = HEADINGS + line("2026-07-09T00:05:00Z") * 3 + line("2026-07-09T00:15:00Z")
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
        HEADINGS
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
        loaded(tmp_path, HEADINGS + line("never"))
    with pytest.raises(InputError, match="no line with a value"):
        loaded(tmp_path, HEADINGS)


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
