"""Messages of channels between queue managers of a sysplex."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from mqcap.transports.channel_move import ChannelTraffic
from mqcap.transports.traffic import channel_traffic, members
from tests.mqcap.transports.builders import HOUR_MESSAGES, NOON, channel, data_of


def measured(folder: Path, rows: list[dict[str, Any]], days: int = 7) -> list[ChannelTraffic]:
    data = data_of(folder, rows)
    return channel_traffic(data, days, members(data, days))


def test_rate_size_and_busiest_interval_are_those_of_all_hours(tmp_path: Path) -> None:
    rows = [
        channel(hours_back=2, messages=HOUR_MESSAGES),
        channel(hours_back=1, messages=3 * HOUR_MESSAGES, message_bytes=1_024),
        channel(hours_back=0, messages=2 * HOUR_MESSAGES, qcstnpmg=HOUR_MESSAGES),
    ]
    [found] = measured(tmp_path, rows)
    assert found.pair == "PLEX1/CSQ1 > CSQ2"
    assert found.messages_per_s == 2
    assert (found.busiest_per_s, found.busiest_start_utc) == (3, NOON - timedelta(hours=2))
    assert found.bytes_per_message == pytest.approx((3 * 2_048 + 3 * 1_024) / 6)
    assert found.persistent_pct == pytest.approx(100 / 6)
    assert (found.sender_system, found.receiver_system) == ("SYS1", "SYS2")


def test_an_hour_in_which_the_channel_did_not_run_counts_as_measured(tmp_path: Path) -> None:
    rows = [channel(), channel(hours_back=1, receiver="ELSEWHERE")]
    [found] = measured(tmp_path, rows)
    assert found.messages_per_s == 0.5


def test_instances_of_a_channel_are_added(tmp_path: Path) -> None:
    [found] = measured(tmp_path, [channel(), channel()])
    assert (found.messages_per_s, found.busiest_per_s) == (2, 2)


def test_a_record_that_was_delivered_twice_counts_once(tmp_path: Path) -> None:
    row = channel()
    [found] = measured(tmp_path, [row, dict(row)])
    assert found.messages == HOUR_MESSAGES


@pytest.mark.parametrize("kind", [1, 2, 9])
def test_channels_that_send_go_from_the_owner_of_the_record(tmp_path: Path, kind: int) -> None:
    [found] = measured(tmp_path, [channel(qcstchty=kind)])
    assert (found.sender, found.receiver, found.measured_by) == ("CSQ1", "CSQ2", "CSQ1")


@pytest.mark.parametrize("kind", [3, 4, 8])
def test_channels_that_receive_come_from_the_partner(tmp_path: Path, kind: int) -> None:
    row = channel("CSQ1", "CSQ2", qmgr="CSQ2", qcstrqmn="CSQ1", qcstchty=kind)
    [found] = measured(tmp_path, [row])
    assert (found.sender, found.receiver, found.measured_by) == ("CSQ1", "CSQ2", "CSQ2")


def test_of_two_ends_the_sending_one_counts(tmp_path: Path) -> None:
    other = channel("CSQ1", "CSQ2", qmgr="CSQ2", qcstrqmn="CSQ1", qcstchty=3, messages=7)
    [found] = measured(tmp_path, [other, channel()])
    assert (found.measured_by, found.messages) == ("CSQ1", HOUR_MESSAGES)


@pytest.mark.parametrize(
    "row",
    [
        channel(receiver="ELSEWHERE"),
        channel(receiver="CSQ1"),
        channel(qcstchty=7),
        channel(messages=0),
        channel(hours_back=7 * 24),
    ],
    ids=["elsewhere", "itself", "client", "no messages", "too old"],
)
def test_other_channels_are_not_counted(tmp_path: Path, row: dict[str, Any]) -> None:
    assert measured(tmp_path, [row]) == []


def test_a_field_that_a_record_has_not_counts_nothing(tmp_path: Path) -> None:
    [found] = measured(tmp_path, [channel(qcstnmsg=None, qcstnbyt=None), channel()])
    assert (found.messages, found.bytes_per_message) == (HOUR_MESSAGES, 2_048)


def test_without_the_first_section_of_its_records_the_measured_time_is_not_known(
    tmp_path: Path,
) -> None:
    rows = [channel(section_index=3), channel("CSQ7", "CSQ1", section_index=3)]
    assert measured(tmp_path, rows) == []


def test_printed_records_without_an_interval_are_not_read(tmp_path: Path) -> None:
    printed = channel() | {"interval_start_utc": None, "interval_end_utc": None}
    [found] = measured(tmp_path, [printed, channel()])
    assert found.messages == HOUR_MESSAGES


def test_an_interval_without_length_has_no_rate(tmp_path: Path) -> None:
    row = channel(messages=9)
    [found] = measured(tmp_path, [row | {"interval_start_utc": row["interval_end_utc"]}, channel()])
    assert found.busiest_per_s == 1
    assert found.messages == HOUR_MESSAGES


def test_a_channel_with_no_interval_of_any_length_is_left_out_beside_others(
    tmp_path: Path,
) -> None:
    row = channel(qcstchnm="ODD")
    rows = [row | {"interval_start_utc": row["interval_end_utc"]}, channel()]
    assert [each.channel for each in measured(tmp_path, rows)] == [channel()["qcstchnm"]]


def test_only_intervals_without_length_are_no_measurement(tmp_path: Path) -> None:
    row = channel()
    assert measured(tmp_path, [row | {"interval_start_utc": row["interval_end_utc"]}]) == []


def test_the_system_of_a_queue_manager_is_that_of_its_newest_records(tmp_path: Path) -> None:
    data = data_of(tmp_path, [channel("CSQ2", smfid="SYS1", hours_back=5), channel("CSQ2")])
    assert members(data, 7)["PLEX1", "CSQ2"].system == "SYS2"


def test_without_records_there_is_no_channel(tmp_path: Path) -> None:
    assert measured(tmp_path, []) == []


def test_tls_in_any_record_is_tls(tmp_path: Path) -> None:
    [found] = measured(tmp_path, [channel(), channel(hours_back=1, qcstslcs=49_199)])
    assert found.uses_tls
