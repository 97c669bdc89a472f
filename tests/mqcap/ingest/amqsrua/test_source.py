"""Text of amqsrua as samples."""

from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from mqcap.ingest.amqsrua.source import HEADER
from tests.mqcap.ingest.reading import read_text

RUN = f"{HEADER} QMGR(QM1) HOST(mq-1)\n"
PRIMARY = "Log - current primary space in use 150.82% \n"


def publication(time: str, *lines: str, interval: str = "10.000") -> str:
    head = f"Publication received PutDate:20260709 PutTime:{time} Interval:{interval} seconds\n"
    return head + "".join(lines or [PRIMARY])


loaded = partial(read_text, name="rua.txt")


def test_the_first_publication_of_each_run_is_left_out_and_runs_are_of_their_queue_manager(
    tmp_path: Path,
) -> None:
    times = ["00001078", "00002078", "00003078"]
    one = RUN + "".join(publication(time) for time in times)
    other = one.replace("PutTime:00", "PutTime:01").replace("(QM1) HOST(mq-1)", "(QM2) HOST(mq-2)")
    rows, summary = loaded(tmp_path, one, other)
    assert [(row["qmgr"], row["host"], f"{row['reported_utc']:%H:%M:%S.%f}") for row in rows] == [
        (f"QM{number + 1}", f"mq-{number + 1}", f"0{number}:00:{second}.780000")
        for number in (0, 1)
        for second in (20, 30)
    ]
    assert {row["step_seconds"] for row in rows} == {10.0}
    assert summary.content_bytes == (tmp_path / "rua.txt").stat().st_size
    assert summary.problems == ()


@pytest.mark.parametrize(
    ("line", "figure", "reading", "value"),
    [
        ("Log - physical bytes written 917504 15291/sec", "log_written_bytes", "delta", 917_504),
        ("Log - write latency 222 uSec", "log_write_latency_us", "gauge", 222),
        ("Log file system - bytes max 8589934592", "log_fs_size_bytes", "gauge", 2**33),
        ("Interval total MQPUT/MQPUT1 count 15 2/sec", "put_count", "delta", 15),
        ("Interval total MQPUT/MQPUT1 byte count 15 2/sec", "put_bytes", "delta", 15),
        ("RAM free percentage 58.43% ", "host_ram_free_pct", "gauge", 58.43),
        (f"{'APP/IN':48} Queue depth 7", "queue_depth_count", "gauge", 7),
        (f"{'APP/IN':48} MQPUT/MQPUT1 count 7 1/sec", "queue_put_count", "delta", 7),
        (f"{'APP/IN':48} MQPUT byte count 70 10/sec", "queue_put_bytes", "delta", 70),
        ("Log - bytes required for media recovery 123MB", "log_media_mib", "gauge", 123),
        (f"{'inst-1':48} Backlog bytes 9", "nha_backlog_bytes", "gauge", 9),
        (f"{'APP/IN':48} lock contention 3.15% ", "queue_lock_contention_pct", "gauge", 3.15),
    ],
)
def test_lines_are_known_by_their_description(
    tmp_path: Path, line: str, figure: str, reading: str, value: float
) -> None:
    other = "Log - bytes in use 50331648\n"
    text = publication("00002000", other, f"{line}\n")
    [row], _ = loaded(tmp_path, RUN, publication("00001000"), text)
    assert (row["figure"], row["reading"], row["value"]) == (figure, reading, value)
    assert row["object"] == (line.split(maxsplit=1)[0] if line.startswith(("APP", "inst")) else "")


@pytest.mark.parametrize(
    ("interval", "seconds"),
    [
        ("10.001", 10.001),
        ("1 minutes,0.000", 60),
        ("2 hours,13 minutes,5.120", 7_985.12),
        ("1 days,1 hours,0.000", 90_000),
        ("10,000", 10.0),
        ("1 minutes,0,500", 60.5),
        ("2 hours,5.120", 7_205.12),
    ],
)
def test_an_interval_may_have_larger_parts_and_a_decimal_comma(
    tmp_path: Path, interval: str, seconds: float
) -> None:
    comma = publication("23595999", PRIMARY.replace(".", ","), interval=interval)
    [row], summary = loaded(tmp_path, RUN, publication("00001000"), comma)
    assert (row["value"], row["step_seconds"]) == (150.82, pytest.approx(seconds))
    assert row["reported_utc"] == datetime(2026, 7, 9, 23, 59, 59, 990_000, tzinfo=UTC)
    assert summary.problems == ()


GOOD = [publication(time) for time in ("00001000", "00002000")]
NOBODY = (
    f"1 publication left out: no line {HEADER} before it names its queue manager (first: line 1)."
)
UNTIMED = "1 publication left out: its time or interval cannot be read (first: line 6)."
GROUPED = "Log - physical bytes written 917,504 15/sec"
OF_QUEUE = f"{'APP/IN':48} Queue depth 1.234.567"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("".join((RUN, *GOOD, "AMQ.5F0A12    Queue depth 7\n", "\n")), ""),
        (
            "".join((RUN, *GOOD, "Queue depth\n")),
            '1 line not understood, first line 6: "Queue depth".',
        ),
        ("".join((RUN, *GOOD, publication("24000000"))), UNTIMED),
        ("".join((RUN, *GOOD, publication("00600000"))), UNTIMED),
        ("".join((RUN, *GOOD, publication("00006000"))), UNTIMED),
        ("".join((RUN, *GOOD, publication("00003000", interval="ten"))), UNTIMED),
        ("".join((GOOD[0], RUN, *GOOD)), NOBODY),
        (
            "".join((RUN, *GOOD, f"{GROUPED}\n")),
            f'1 line not understood, first line 6: "{GROUPED}".',
        ),
        (
            "".join((RUN, *GOOD, f"{OF_QUEUE}\n")),
            f'1 line not understood, first line 6: "{OF_QUEUE}".',
        ),
    ],
)
def test_what_is_no_figure_leaves_the_others_and_is_told(
    tmp_path: Path, text: str, problem: str
) -> None:
    [row], summary = loaded(tmp_path, text)
    assert row["figure"] == "log_primary_used_pct"
    assert summary.problems == ((f"rua.txt: {problem}",) if problem else ())
