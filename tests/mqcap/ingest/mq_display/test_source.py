"""Files of captures as samples."""

from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from mqcap.domain.errors import InputError
from mqcap.domain.estate import qmgr_zone_key
from tests.mqcap.ingest.reading import read_text

ZONES = {qmgr_zone_key("QM1"): "Europe/Berlin"}


def capture(now: str, connections: int = 42, qmgr: str = "QM1", status: str = "RUNNING") -> str:
    stamp = f"QMNAME({qmgr})   STATUS({status})" + (f" NOW({now})" if now else "")
    return f"{stamp}\n1 : DISPLAY QMSTATUS\nAMQ8705I: x\n   QMNAME({qmgr}) CONNS({connections})\n"


loaded = partial(read_text, name="display.txt", zones=ZONES)


def quarters(count: int) -> list[str]:
    first = datetime(2026, 7, 9, tzinfo=UTC)
    stamps = [first + timedelta(minutes=15 * number) for number in range(count)]
    return [stamp.strftime("%Y-%m-%dT%H:%M:%S+0000") for stamp in stamps]


def test_the_step_is_that_of_the_stamps_also_of_those_without_values(tmp_path: Path) -> None:
    first, second, third, last = quarters(4)
    down = [capture(stamp, status="ENDED") for stamp in (second, third)]
    rows, summary = loaded(tmp_path, capture(first, 1), *down, capture(last, 2))
    assert [(row["value"], row["step_seconds"]) for row in rows] == [(1, 900), (2, 900)]
    assert summary.content_bytes == (tmp_path / "display.txt").stat().st_size


def test_captures_come_in_order_of_time_whatever_their_order_in_the_file(tmp_path: Path) -> None:
    rows, _ = loaded(tmp_path, *(capture(stamp) for stamp in reversed(quarters(3))))
    times = [row["reported_utc"] for row in rows]
    assert times == sorted(times)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (capture(""), "configuration only"),
        (capture("2026-07-09T10:00:00+9900"), "no time zone has"),
        (capture("2026-07-09T10:00:00", qmgr="QM2"), "no site of the settings lists QM2"),
        (capture("2026-07-09T10:00:00Z", qmgr="Q M"), "no name of a queue manager"),
        (capture("2026-07-09T10:00:00Z", status="ENDED"), "no figure in any capture"),
    ],
)
def test_captures_without_time_zone_or_figure_are_an_error(
    tmp_path: Path, text: str, reason: str
) -> None:
    with pytest.raises(InputError, match=reason):
        loaded(tmp_path, text)


def test_a_capture_that_cannot_be_used_leaves_the_others(tmp_path: Path) -> None:
    rows, summary = loaded(tmp_path, capture(""), capture("2026-07-09T10:00:00Z"))
    assert len(rows) == 1
    assert summary.problems[0].startswith("display.txt: 1 capture left out: without NOW()")


@pytest.mark.parametrize("value", ["1,042", "-7", "many"])
def test_a_value_that_is_no_number_is_told(tmp_path: Path, value: str) -> None:
    odd = capture("2026-07-09T11:00:00Z").replace("42", value)
    rows, summary = loaded(tmp_path, capture("2026-07-09T10:00:00Z"), odd)
    assert len(rows) == 1
    assert f"1 figure left out: CONNS({value}) is no number" in summary.problems[0]
    blank = odd.replace(value, " ")
    assert loaded(tmp_path, capture("2026-07-09T10:00:00Z"), blank)[1].problems == ()


def test_native_ha_alone_has_the_step_of_its_own_stamps(tmp_path: Path) -> None:
    texts = [
        f"QMNAME(QM1) ROLE(ACTIVE) INSTANCE(a) NOW({stamp.replace('00+', '02+')})\n"
        " INSTANCE(b) ROLE(REPLICA) INSYNC(YES)\n"
        for stamp in quarters(3)[::2]
    ]
    rows, _ = loaded(tmp_path, *texts)
    assert [(row["figure"], row["step_seconds"]) for row in rows] == [
        ("nha_in_sync_count", 1_800)
    ] * 2
    rows, _ = loaded(tmp_path, *map(capture, quarters(3)), *texts)
    assert {row["figure"]: row["step_seconds"] for row in rows} == {
        "connection_count": 900,
        "nha_in_sync_count": 1_800,
    }
