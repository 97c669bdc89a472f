"""Displays, sweeps and tables of z/TPF."""

from collections.abc import Sequence
from datetime import datetime, time
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.errors import InputError
from mqcap.domain.estate import zone_key
from mqcap.domain.source import SourceSummary
from mqcap.ingest.ztpf.spool import ConsoleDay
from tests.mqcap.ingest.reading import read_text
from tests.mqcap.ingest.ztpf.spooled import (
    COLUMNS,
    display,
    queue_display,
    row,
    stamp,
    sweep,
    table,
)

NEW_YORK = {zone_key("ztpf", "TPF1"): "America/New_York"}
Rows = list[dict[str, Any]]


def loaded(
    folder: Path, text: str | Sequence[str], zones: dict[str, str] = NEW_YORK
) -> tuple[Rows, SourceSummary]:
    return read_text(folder, *text, name="tpf.txt", zones=zones)


def days(rows: Rows) -> list[tuple[str, str]]:
    return [(row["local_date"], row["local_time"]) for row in rows]


def test_displays_have_the_step_of_their_stamps(tmp_path: Path) -> None:
    rows, summary = loaded(tmp_path, [stamp(n) + display(in_use=n) for n in (0, 1, 2, 5)])
    in_use = [row for row in rows if row["figure"] == "mqm_in_use_blocks"]
    assert [each["value"] for each in in_use] == [0, 1, 2, 5]
    assert {row["step_seconds"] for row in rows} == {900.0}
    assert {row["system"] for row in rows} == {"TPF1"}
    assert str(in_use[0]["reported_utc"]) == "2026-07-09 04:15:00+00:00"
    assert summary.rows_by_dataset == {"ztpf_sample": 16}
    assert summary.problems == ()


def test_a_step_is_that_of_the_system(tmp_path: Path) -> None:
    slow = [stamp(4 * n, "TPF2") + display() for n in range(3)]
    fast = [stamp(n) + display() for n in range(3)]
    rows, _ = loaded(tmp_path, [*slow, *fast])
    assert {(row["system"], row["step_seconds"]) for row in rows} == {
        ("TPF1", 900.0),
        ("TPF2", 3_600.0),
    }


def test_a_stamp_without_offset_is_local_time_of_the_site(tmp_path: Path) -> None:
    text = (stamp() + display()).replace("-0400", "")
    rows, _ = loaded(tmp_path, text)
    assert str(rows[0]["reported_utc"]) == "2026-07-09 04:15:00+00:00"
    with pytest.raises(InputError, match="has no offset, and no site of the settings lists TPF1"):
        loaded(tmp_path, text, {})


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("NOW(2026-07-09T00:15:00+9900) SYSTEM(TPF1)\n", "offset that no time zone has"),
        ("NOW(2026-07-09T00:15:00-0400)\n", "without SYSTEM"),
        ("NOW(2026-07-09T00:15:00-0400) SYSTEM(T/1)\n", "without SYSTEM"),
        ("NOW(noon) SYSTEM(TPF1)\n", "is no time with its offset"),
        ("NOW(1999-12-31T23:59:59+0000) SYSTEM(TPF1)\n", "impossible time"),
        ("NOW(0001-01-01T00:00:00+0100) SYSTEM(TPF1)\n", "no time that a clock has"),
        ("", "no dated stamp before it, so no day"),
    ],
)
def test_text_whose_stamp_cannot_be_used_is_refused_with_what_to_do(
    tmp_path: Path, line: str, reason: str
) -> None:
    with pytest.raises(InputError, match=reason) as caught:
        loaded(tmp_path, line + sweep())
    assert "tpf.txt" in str(caught.value)
    assert "Let the automation write that line" in str(caught.value)


TOO_MANY = display(in_use=127_998, high_water=127_997)
NO_STAMP = "left out: it has no stamp of its own."
TWICE = queue_display() + queue_display(depth=99) + queue_display("no!name")


@pytest.mark.parametrize(
    ("text", "values", "problems"),
    [
        (
            stamp() + TOO_MANY,
            {"mqm_in_use_blocks": None, "mqm_high_water_blocks": 127_997},
            ["1 figure left out: mqm_in_use_blocks is above the total."],
        ),
        *[
            (
                stamp() + display(in_use=no, high_water="NONE"),
                {"mqm_in_use_blocks": None, "mqm_high_water_blocks": 0},
                ["1 display left out: mqm_in_use_blocks is no number."],
            )
            for no in ("12x", "-1", "1.5", "٣")
        ],
        (
            display(1) + stamp() + display(2) + display(3),
            {"mqm_in_use_blocks": 2},
            [f"2 displays {NO_STAMP}"],
        ),
        (
            stamp() + TWICE,
            {"queue_depth_count": 10},
            [f"1 display {NO_STAMP}", "1 display left out: no name of a queue."],
        ),
    ],
)
def test_what_is_no_figure_of_a_display_is_told_and_the_others_count(
    tmp_path: Path, text: str, values: dict[str, float | None], problems: list[str]
) -> None:
    rows, summary = loaded(tmp_path, text)
    found = {row["figure"]: row["value"] for row in rows}
    assert {figure: found.get(figure) for figure in values} == values
    assert summary.problems == tuple(f"tpf.txt: {problem}" for problem in problems)


def test_sweeps_are_of_the_local_date_of_their_stamp(tmp_path: Path) -> None:
    text = stamp() + sweep("00.16.00") + sweep("23.59.59", "A") + sweep("00.00.01", "rcvry_1")
    rows, summary = loaded(tmp_path, text)
    assert days(rows) == [
        ("2026-07-09", "00.16.00"),
        ("2026-07-09", "23.59.59"),
        ("2026-07-10", "00.00.01"),
    ]
    assert [row["queue"] for row in rows] == ["RES.IN", "A", "rcvry_1"]
    assert [str(day)[-2:] for day in summary.hour_dates] == ["08", "09", "10", "11"]
    assert summary.rows_by_dataset == {"ztpf_sweep": 3}


@pytest.mark.parametrize("zones", [NEW_YORK, {}])
@pytest.mark.parametrize(("day", "offset"), [("2026-03-08", "-0500"), ("2026-11-01", "-0400")])
def test_all_lines_of_a_day_with_a_change_of_clocks_are_of_that_day(
    tmp_path: Path, zones: dict[str, str], day: str, offset: str
) -> None:
    text = f"NOW({day}T00:00:00{offset}) SYSTEM(TPF1)\n"
    text += "".join(map(sweep, ("00.30.00", "01.30.00", "01.10.00", "03.30.00", "23.50.00")))
    rows, _ = loaded(tmp_path, text, zones)
    assert {row["local_date"] for row in rows} == {day}
    assert len(rows) == 5


def test_a_stamp_in_another_zone_is_of_the_date_of_the_site(tmp_path: Path) -> None:
    text = "NOW(2026-07-09T02:00:00+0000) SYSTEM(TPF1)\n" + sweep("22.00.05") + sweep("00.00.05")
    rows, _ = loaded(tmp_path, text)
    assert days(rows) == [("2026-07-08", "22.00.05"), ("2026-07-09", "00.00.05")]


@pytest.mark.parametrize("zones", [NEW_YORK, {}])
def test_the_times_of_a_file_are_those_of_its_sweeps_too(
    tmp_path: Path, zones: dict[str, str]
) -> None:
    _, alone = loaded(tmp_path, stamp() + sweep("00.16.00") + sweep("23.59.59"), zones)
    assert str(alone.first_interval_utc) == "2026-07-09 04:16:00+00:00"
    assert str(alone.last_interval_utc) == "2026-07-10 04:00:00+00:00"
    displays = "".join(stamp(number) + display() for number in (0, 1))
    _, both = loaded(tmp_path, displays + sweep("00.45.00"), zones)
    assert str(both.first_interval_utc) == "2026-07-09 04:00:00+00:00"
    assert str(both.last_interval_utc) == "2026-07-09 04:45:01+00:00"


def test_behind_a_change_of_clocks_a_sweep_is_when_the_clock_of_the_site_shows_it(
    tmp_path: Path,
) -> None:
    text = "NOW(2026-03-08T00:00:00-0500) SYSTEM(TPF1)\n" + sweep("23.30.00")
    _, summary = loaded(tmp_path, text)
    assert str(summary.first_interval_utc) == "2026-03-09 03:30:00+00:00"


def test_equal_lines_of_a_second_are_as_many_sweeps_and_a_repeated_text_none(
    tmp_path: Path,
) -> None:
    rows, _ = loaded(tmp_path, (stamp() + sweep() * 2) * 2)
    assert [row["sequence"] for row in rows] == [1, 2]


def test_a_queue_that_no_queue_manager_has_is_reported(tmp_path: Path) -> None:
    rows, summary = loaded(tmp_path, stamp() + sweep() + sweep("15.00.00", "A" * 49))
    assert len(rows) == 1
    assert summary.problems == ("tpf.txt: 1 console line left out: no name of a queue.",)


def test_a_table_without_intervals_has_those_between_its_rows(tmp_path: Path) -> None:
    text = table(*(row(number, interval="") for number in (0, 1, 2, 5)))
    rows, _ = loaded(tmp_path, text)
    assert {row["step_seconds"] for row in rows} == {1_800.0}
    [alone, *_], _ = loaded(tmp_path, table(row(interval="")))
    assert alone["step_seconds"] is None


def test_columns_and_rows_that_are_not_known_are_reported(tmp_path: Path) -> None:
    text = table(f"{row()},7", "x", f"{row(1)},8".replace("TPF2", "T/2"), columns=f"{COLUMNS},cpu")
    rows, summary = loaded(tmp_path, text)
    assert {row["system"] for row in rows} == {"TPF2"}
    assert summary.problems == (
        "tpf.txt: 1 row left out: it has not the 15 columns of the header.",
        "tpf.txt: 1 row left out: it names no system.",
        "tpf.txt: columns that the table does not have left out: cpu.",
    )


def test_a_table_without_figures_is_refused_with_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="mqm_in_use is no number"):
        loaded(tmp_path, table(row(in_use="many")))
    with pytest.raises(InputError, match="the header has no time_utc"):
        loaded(tmp_path, "system,time_utc_end\nTPF2,1\n")


def test_queues_have_depth_and_blocks_behind_the_same_stamp(tmp_path: Path) -> None:
    text = [stamp(n) + display() + queue_display() + queue_display("b") for n in range(3)]
    rows, summary = loaded(tmp_path, text)
    found = {(row["queue"], row["figure"]): row["value"] for row in rows if row["queue"]}
    assert found[("RES.IN", "queue_depth_count")] == 10
    assert found[("b", "queue_mqm_blocks")] == 12
    assert found[("b", "queue_swb_count")] == 0
    assert {row["step_seconds"] for row in rows} == {900.0}
    assert summary.problems == ()


def test_a_row_of_the_table_is_of_its_system_and_of_its_queue(tmp_path: Path) -> None:
    rows, summary = loaded(tmp_path, table(row(), row(queue="b", depth="7"), row(queue="a b")))
    depths = {row["queue"]: row["value"] for row in rows if row["figure"] == "queue_depth_count"}
    assert depths == {"RES.IN": 238, "b": 7}
    assert {row["queue"] for row in rows if row["figure"] == "mqm_total_blocks"} == {""}
    assert summary.problems == ("tpf.txt: 1 figure of a queue left out: no name of a queue.",)


BACK = "NOW(2026-11-01T00:00:00-0400) SYSTEM(TPF1)\n"


def test_the_same_second_of_an_hour_that_comes_twice_is_two_sweeps(tmp_path: Path) -> None:
    times = ("01.15.00", "01.58.59", "01.15.00", "01.14.58", "01.59.00", "02.10.00", "03.00.00")
    rows, _ = loaded(tmp_path, [BACK, *map(sweep, times)])
    assert days(rows) == [
        ("2026-11-01", time)
        for time in ("01.15.00", "01.58.59", "01.15.00-0500", "01.14.58-0500", "01.59.00-0500",
                     "02.10.00", "03.00.00")
    ]  # fmt: skip
    begins_later = "NOW(2026-11-01T01:10:00-0500) SYSTEM(TPF1)\n"
    again, _ = loaded(tmp_path, [begins_later, *map(sweep, times[2:])])
    assert days(again) == days(rows)[2:]


@pytest.mark.parametrize(("back", "is_second"), [("01.14.00", False), ("01.13.59", True)])
def test_lines_out_of_order_by_a_minute_are_not_those_of_clocks_set_back(
    tmp_path: Path, back: str, is_second: bool
) -> None:
    rows, _ = loaded(tmp_path, [BACK, sweep("01.15.00"), sweep(back)])
    assert days(rows)[1] == ("2026-11-01", back + "-0500" * is_second)
    late = BACK.replace("00:00:00-0400", "00:00:00-0500")
    behind_stamp, _ = loaded(tmp_path, [late, sweep("00.15.00"), sweep("01.15.00")])
    assert days(behind_stamp)[1] == ("2026-11-01", "01.15.00")
    other_day, _ = loaded(tmp_path, [stamp(), sweep("01.15.00"), sweep(back)])
    assert days(other_day)[1] == ("2026-07-09", back)


def values_of(folder: Path, text: str) -> dict[tuple[str, str], float]:
    """The figures of a table by queue and name."""
    rows, summary = loaded(folder, text)
    assert summary.problems == ()
    return {(row["queue"], row["figure"]): row["value"] for row in rows}


def test_a_row_is_about_the_interval_that_ends_at_its_time(tmp_path: Path) -> None:
    rows, _ = loaded(tmp_path, table(row(interval="600"), row(1)))
    assert {(row["system"], str(row["reported_utc"]), row["step_seconds"]) for row in rows} == {
        ("TPF2", "2026-07-09 04:15:00+00:00", 600),
        ("TPF2", "2026-07-09 04:45:00+00:00", 1_800),
    }
    assert values_of(tmp_path, table(row(rates=",,,", depth=""))) == {
        ("", "mqm_total_blocks"): 126_997,
        ("", "mqm_in_use_blocks"): 19_105,
        ("", "mqm_high_water_blocks"): 61_000,
        ("", "sweep_level_pct"): 80,
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
    tmp_path: Path, rates: str, bytes_per_s: float | None
) -> None:
    values = values_of(tmp_path, table(row(rates=rates, depth="", high_water="")))
    assert values.get(("RES.IN", "queue_put_bytes_per_s")) == bytes_per_s
    assert ("", "mqm_high_water_blocks") not in values


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
def test_a_row_that_cannot_be_used_says_why_and_the_next_one_counts(
    tmp_path: Path, line: str, reason: str
) -> None:
    rows, summary = loaded(tmp_path, table(line, row()))
    [problem] = summary.problems
    assert "1 row left out" in problem
    assert reason in problem
    assert len(rows) == 5


def test_a_display_of_a_queue_has_its_name_on_the_line_behind(tmp_path: Path) -> None:
    text = stamp() + queue_display() + queue_display("  rcvry/1") + display()
    rows, _ = loaded(tmp_path, text)
    assert {row["queue"] for row in rows} == {"RES.IN", "rcvry/1", ""}
    with pytest.raises(InputError, match="no name of a queue"):
        loaded(tmp_path, f"{stamp()}MQSC0285I x\n ...")


def test_a_sweep_names_its_queue_and_other_messages_do_not(tmp_path: Path) -> None:
    text = f"{sweep()}MQSC0288I 14.40.28 SWEEP FOR RES.IN COMPLETED+\n{sweep('24.00.00')}"
    rows, _ = loaded(tmp_path, stamp() + text)
    assert days(rows) == [("2026-07-09", "14.40.27")]


@pytest.mark.parametrize(
    ("times", "days"),
    [
        (("00.02.39", "23.59.59"), [9, 9]),
        (("23.59.59", "00.00.01", "00.00.02"), [9, 10, 10]),
        (("12.00.01", "00.00.01"), [9, 9]),
        (("12.00.02", "00.00.01"), [9, 10]),
        (("01.59.59", "01.00.00"), [9, 9]),
        (("23.00.00", "01.00.00", "22.00.00", "03.00.00"), [9, 10, 10, 11]),
    ],
)
def test_a_time_far_before_the_line_above_is_of_the_next_day(
    times: tuple[str, ...], days: list[int]
) -> None:
    day = ConsoleDay.from_stamp(datetime(2026, 7, 9))  # noqa: DTZ001 - local, as the console has it
    assert [day.of(time.fromisoformat(text.replace(".", ":"))).day for text in times] == days
    late = ConsoleDay.from_stamp(datetime(2026, 7, 9, 23, 59, 58))  # noqa: DTZ001
    assert late.of(time(0, 0, 3)).day == 10
