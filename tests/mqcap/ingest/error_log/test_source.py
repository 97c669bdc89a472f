"""Error logs as events, and the growth of linear logs from AMQ7490."""

import json
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.errors import InputError
from mqcap.domain.estate import zone_key
from mqcap.domain.source import SourceSummary
from mqcap.ingest.error_log.source import LONGEST, extent_amounts
from tests.mqcap.ingest.error_log.test_records import TEXT
from tests.mqcap.ingest.reading import read_text

CONTAINER = "2026-03-14T03:00:11.501Z AMQ9513E: Maximum reached. [CommentInsert1(500)]\n"
HEADER = "# mqcap errorlog QMGR(QM2) HOST(mq1)\n"

ZONES = {zone_key("qmgr", "PAY.QM"): "Europe/Berlin"}


loaded = partial(read_text, name="AMQERR01.LOG")


def test_an_event_has_queue_manager_time_and_inserts(tmp_path: Path) -> None:
    [row], summary = loaded(tmp_path, TEXT)
    assert row | {"line_number": 1} == {
        "qmgr": "PAY.QM",
        "host": "mq1",
        "event_utc": datetime(2026, 6, 14, 4, 8, 52, 545_000, tzinfo=UTC),
        "message_id": "AMQ5782",
        "process": "4000.4",
        "inserts": json.dumps({"ArithInsert1": "41.06", "CommentInsert1": "/var/mqm (shared)"}),
        "line_number": 1,
        "file_sha256": "f" * 64,
    }
    assert summary.content_bytes == (tmp_path / "AMQERR01.LOG").stat().st_size
    assert (summary.hour_dates, summary.rows_by_dataset) == ((), {"qmgr_event": 1})


@pytest.mark.parametrize(
    ("message_id", "dates"),
    [("AMQ7463E", (date(2026, 6, 14),)), ("AMQ8003I", (date(2026, 6, 14),)), ("AMQ7490I", ())],
)
def test_a_log_touches_the_dates_of_messages_that_begin_or_end_a_state(
    tmp_path: Path, message_id: str, dates: tuple[date, ...]
) -> None:
    _, summary = loaded(tmp_path, TEXT.replace("AMQ5782I", message_id))
    assert (summary.hour_dates, summary.rows_by_dataset) == (dates, {"qmgr_event": 1})


def test_a_line_of_capture_names_the_queue_manager_of_a_container(tmp_path: Path) -> None:
    [row], _ = loaded(tmp_path, HEADER + CONTAINER)
    assert (row["qmgr"], row["host"], row["message_id"]) == ("QM2", "mq1", "AMQ9513")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (CONTAINER, "it names no queue manager"),
        (TEXT.replace("QMgr(PAY.QM)", ""), "it names no queue manager"),
        (TEXT.replace("Time(2026-06-14T04:08:52.545Z)", ""), "no site of the settings lists"),
        (TEXT.replace("52.545Z", "52.545"), "it has no time in UTC"),
        ('{"ibm_messageId": "AMQ7463E"}\n', "it names no queue manager"),
        ('{"ibm_messageId": "AMQ7463E", "ibm_serverName": "QM1"}\n', "it has no time in UTC"),
        ('{"ibm_messageId": ["AMQ7463E"]}\n', "it cannot be read"),
        (HEADER + "2026-03-14T03:00:11Z Starting\n", "first line '# mqcap errorlog"),
    ],
)
def test_a_log_of_which_nothing_can_be_used_is_an_error(
    tmp_path: Path, text: str, reason: str
) -> None:
    with pytest.raises(InputError, match=reason):
        loaded(tmp_path, text)


def test_records_that_cannot_be_used_are_counted(tmp_path: Path) -> None:
    _, summary = loaded(tmp_path, TEXT + TEXT.replace("Time(2026", "Time(9926-99"))
    assert summary.problems == (
        "AMQERR01.LOG: 1 record left out: it has no time in UTC (first: line 16).",
    )


def test_json_has_inserts_of_any_type_and_may_have_a_line_of_capture(tmp_path: Path) -> None:
    record = {
        "ibm_messageId": "AMQ9513E",
        "ibm_datetime": "2026-03-14T03:00:11.501Z",
        "ibm_commentInsert1": 500,
        "ibm_commentInsert2": None,
        "ibm_sequence": 7,
    }
    [row], summary = loaded(tmp_path, HEADER + json.dumps(record) + "\n")
    assert (row["qmgr"], row["host"], row["process"]) == ("QM2", "mq1", "7")
    assert json.loads(row["inserts"]) == {"commentInsert1": "500"}
    assert summary.problems == ()


def local(heading: str, message: str = "AMQ7463") -> str:
    lines = TEXT.replace("AMQ5782I", message).splitlines(keepends=True)
    lines[0] = f"{heading} - Process(4000.4) User(mqm) Program(amqzxma0)\n"
    return "".join(line for line in lines if "Time(" not in line)


@pytest.mark.parametrize(
    ("headings", "utc"),
    [
        (["13.07.2018 07:06:00"], "2018-07-13 05:06"),
        (["07/13/2018 07:06:00 AM", "07/13/2018 07:06:01 PM"], "2018-07-13 05:06"),
        (["7/3/18 12:06:00 AM"], "2018-07-02 22:06"),
        (["2018-07-13 07:06:00"], "2018-07-13 05:06"),
        (["2018年07月13日 07時06分00秒"], "2018-07-13 05:06"),
        (["2018年07月13日 07时06分00秒"], "2018-07-13 05:06"),
        (["2018년 07월 13일 (금) 오후 07시 06분 00초"], "2018-07-13 17:06"),
        (["03/07/2018 07:06:00", "13/07/2018 07:06:00"], "2018-07-03 05:06"),
        (["07/03/2018 07:06:00", "07/13/2018 07:06:00"], "2018-07-03 05:06"),
        (["18/07/13 07:06:00", "18/07/14 07:06:00"], "2018-07-13 05:06"),
        (["18-07-31 07:06:00", "18-08-01 07:06:00"], "2018-07-31 05:06"),
        (["13.07.18 07:06:00", "14.07.18 07:06:00"], "2018-07-13 05:06"),
        (["13.07.18 07:06:00"], "2018-07-13 05:06"),
        (["28.10.2018 02:30:00", "28.10.2018 02:10:00"], "2018-10-28 00:30"),
    ],
)
def test_a_record_before_9_1_has_the_local_time_of_its_site(
    headings: list[str], utc: str, tmp_path: Path
) -> None:
    rows, summary = loaded(tmp_path, "".join(map(local, headings)), zones=ZONES)
    assert len(rows) == len(headings)
    assert str(summary.first_interval_utc).startswith(utc)
    assert summary.last_interval_utc is not None
    assert summary.problems == ()


def test_a_date_that_may_be_of_two_days_is_left_out(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="day and month of its heading cannot be told apart"):
        loaded(tmp_path, local("03/07/2018 07:06:00"), zones=ZONES)


FIRST = datetime(2026, 3, 14, 3, tzinfo=UTC)
SENTENCE = "AMQ7490I: Log extent statistics: 18 created. 9 reused. 8 deleted."
COUNTED = """14/03/2026 04:00:00 - Process(4000.4) User(mqm) Program(amqzxma0)
                      Host(mq1) VRMF(9.3.0.5) QMgr(QM1)
                      Time(2026-03-{day}T03:00:00.000Z)

AMQ7490I: Log extent statistics: 18 created. 9
reused. 8 deleted.

EXPLANATION:
7 created 7 reused 7 deleted
----- amqqmlog.c : 402 --------------------------------------------------------
"""


def in_json(day: int, message: str = SENTENCE, qmgr: str = "QM1") -> str:
    record = {
        "ibm_messageId": "AMQ7490I",
        "ibm_datetime": f"2026-03-{day}T03:00:00.000Z",
        "ibm_serverName": f"{qmgr} ",
        "message": message,
    }
    return json.dumps(record) + "\n"


def in_container(day: int) -> str:
    return f"2026-03-{day}T03:00:00.000Z {SENTENCE}\n"


def amounts_in(folder: Path, text: str) -> tuple[list[dict[str, Any]], SourceSummary]:
    rows, summary = read_text(folder, text, name="errors.log")
    return [row for row in rows if "value" in row], summary


@pytest.mark.parametrize(
    ("sentence", "amounts"),
    [
        (SENTENCE, (10, 1)),
        ("0 created. 9 reused. 12 deleted.", (-12, -21)),
        ("Protokollbereiche: 18 erstellt. 9 wiederverwendet. 8 geloescht.", None),
        ("18 created", None),
        ("", None),
    ],
)
def test_growth_is_what_was_created_less_what_was_deleted(
    sentence: str, amounts: tuple[int, int] | None
) -> None:
    found = extent_amounts(sentence)
    assert (found and tuple(found.values())) == amounts


@pytest.mark.parametrize(
    "days",
    [
        [COUNTED.format(day=day) for day in (14, 15)],
        [in_json(day) for day in (14, 15)],
        ["# mqcap errorlog QMGR(QM1)\n", *(in_container(day) for day in (14, 15))],
    ],
)
def test_a_message_counts_since_the_one_before_in_every_shape(
    tmp_path: Path, days: list[str]
) -> None:
    [row, unreclaimed], summary = amounts_in(tmp_path, "".join(days))
    assert (unreclaimed["figure"], unreclaimed["value"]) == ("log_extents_unreclaimed_count", 1)
    assert (row["qmgr"], row["value"], row["step_seconds"]) == ("QM1", 10, 86_400)
    assert row["reported_utc"] == FIRST + timedelta(days=1)
    assert (row["figure"], row["reading"]) == ("log_extents_grown_count", "delta")
    assert summary.hour_dates == (date(2026, 3, 14), date(2026, 3, 15))
    assert summary.rows_by_dataset == {"qmgr_event": 2, "qmgr_sample": 2}


def test_an_amount_is_of_both_its_days_at_midnight_too(tmp_path: Path) -> None:
    text = (in_json(14) + in_json(15)).replace("T03", "T00")
    assert amounts_in(tmp_path, text)[1].hour_dates == (date(2026, 3, 14), date(2026, 3, 15))


def test_messages_in_another_language_are_reported(tmp_path: Path) -> None:
    rows, summary = amounts_in(tmp_path, in_json(14) + in_json(15, "18 erstellt."))
    assert rows == []
    assert summary.problems == (
        (
            "errors.log: 1 message AMQ7490 in another language than English: events without their "
            "numbers."
        ),
    )


@pytest.mark.parametrize(
    ("distance", "is_neighbour"),
    [
        (LONGEST - timedelta(seconds=1), True),
        (LONGEST, True),
        (LONGEST + timedelta(seconds=1), False),
    ],
)
def test_messages_far_apart_are_no_neighbours(
    tmp_path: Path, distance: timedelta, is_neighbour: bool
) -> None:
    records = [
        {"ibm_messageId": "AMQ7490I", "ibm_datetime": at.isoformat(), "ibm_serverName": "QM1",
         "message": SENTENCE}
        for at in (FIRST, FIRST, FIRST + distance)
    ]  # fmt: skip
    rows, summary = amounts_in(tmp_path, "\n".join(map(json.dumps, records)))
    assert (len(rows), len(summary.hour_dates)) == ((2, 2) if is_neighbour else (0, 0))
