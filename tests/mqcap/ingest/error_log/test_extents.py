"""Growth of linear logs from AMQ7490."""

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.source import SourceSummary
from mqcap.ingest.error_log.source import LONGEST, SOURCE, extent_amounts

FIRST = datetime(2026, 3, 14, 3, tzinfo=UTC)
SENTENCE = "AMQ7490I: Log extent statistics: 18 created. 9 reused. 8 deleted."
TEXT = """14/03/2026 04:00:00 - Process(4000.4) User(mqm) Program(amqzxma0)
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
        "ibm_serverName": qmgr,
        "message": message,
    }
    return json.dumps(record) + "\n"


def in_container(day: int) -> str:
    return f"2026-03-{day}T03:00:00.000Z {SENTENCE}\n"


def loaded(folder: Path, text: str) -> tuple[list[dict[str, Any]], SourceSummary]:
    path = folder / "errors.log"
    path.write_text(text, encoding="utf-8")
    reading = SOURCE.read(path, "f" * 64)
    rows = [row for _, table in reading.tables() for row in table.to_pylist() if "value" in row]
    return rows, reading.summary()


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
        [TEXT.format(day=day) for day in (14, 15)],
        [in_json(day) for day in (14, 15)],
        ["# mqcap errorlog QMGR(QM1)\n", *(in_container(day) for day in (14, 15))],
    ],
)
def test_a_message_counts_since_the_one_before_in_every_shape(
    tmp_path: Path, days: list[str]
) -> None:
    [row, unreclaimed], summary = loaded(tmp_path, "".join(days))
    assert (unreclaimed["figure"], unreclaimed["value"]) == ("log_extents_unreclaimed_count", 1)
    assert (row["qmgr"], row["value"], row["step_seconds"]) == ("QM1", 10, 86_400)
    assert row["reported_utc"] == FIRST + timedelta(days=1)
    assert (row["figure"], row["reading"]) == ("log_extents_grown_count", "delta")
    assert summary.hour_dates == (date(2026, 3, 14), date(2026, 3, 15))
    assert summary.rows_by_dataset == {"qmgr_event": 2, "qmgr_sample": 2}


def test_messages_in_another_language_are_reported(tmp_path: Path) -> None:
    rows, summary = loaded(tmp_path, in_json(14) + in_json(15, "18 erstellt."))
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
    rows, summary = loaded(tmp_path, "\n".join(map(json.dumps, records)))
    assert (len(rows), len(summary.hour_dates)) == ((2, 2) if is_neighbour else (0, 0))
